//! What is known of a session's main line after some of its transcript: how large the context is, and which results make it so.
//!
//! Invariant: holds figures, names of tools, and hashes. No other text of a transcript gets in here, so none can get out.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::line::{Line, Record};
use crate::window;

/// As the core reckons (src/size.rs): 30,000 characters of Bash output are about 7,500 tokens.
const CHARS_PER_TOKEN: u64 = 4;

/// What may lie between the lines of one message: interleaved writers, and results of parallel calls.
const MAX_ANSWERS: usize = 512;
/// Calls without a result: what was interrupted never gets one.
const MAX_OPEN: usize = 200;
/// Lines that a rewind can lead back to.
const MAX_LINES: usize = 16_384;
/// Above this, results that can never come to the top any more are dropped.
const MAX_RESULTS: usize = 8_192;
/// `weight.top` is at most this.
pub const MAX_TOP: usize = 10;
const MAX_POINTS: usize = 4_096;
const MAX_PAST: usize = 256;
const MAX_TOOLS: usize = 512;
const MAX_NAME: usize = 80;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// A subagent's own file, all of whose lines are sidechain lines.
    pub is_agent: bool,
    session: Option<u64>,
    /// Answers of the main line.
    pub turns: u32,
    /// Hashes of the ids of messages, the latest last.
    answers: VecDeque<u32>,
    /// The id of the message whose lines may still come.
    current: Option<u32>,
    /// Since the last compaction: number of the line, turn, tokens of the request.
    points: VecDeque<(u32, u32, u64)>,
    /// Before it: turn and tokens, thinned out.
    past: Vec<(u32, u64)>,
    /// What a compaction left, until the next answer.
    left: Option<u64>,
    /// Tokens of the last answer itself.
    output: u64,
    largest: u64,
    window: Option<u64>,
    /// Compactions so far, and a hash of the last one.
    pub compactions: u32,
    epoch: u32,
    /// Hashes of the ids of lines since the last compaction; the first has the number `first_line`.
    #[serde(with = "hex")]
    lines: VecDeque<u32>,
    first_line: u32,
    has_parents: bool,
    /// Hashes of lines that a rewind left behind.
    dead: VecDeque<u32>,
    /// A writer goes on where another has turned away.
    is_tangled: bool,
    tools: Vec<String>,
    /// Hash of the id, tool, turn.
    open: VecDeque<(u64, u16, u32)>,
    /// Since the last compaction.
    results: Vec<Weight>,
    /// By tool, results that were dropped: how many, characters.
    dropped: Vec<(u16, u64, u64)>,
    /// Lines that could not be read, or were too long.
    pub unread: u32,
    /// For a replay: every answer and every compaction is kept.
    #[serde(skip)]
    pub log: Option<Vec<Moment>>,
}

/// One result: number of its line, turn of its call, tool, characters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Weight(u32, u32, u16, u64);

/// What a replay goes through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    Answer { turn: u32, tokens: u64, window: Option<u64> },
    Compaction,
}

/// One of the heaviest results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heavy {
    pub tool: String,
    pub turn: u32,
    pub tokens: u64,
}

/// The results of one tool that are still in the context.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ByTool {
    pub tool: String,
    pub results: u64,
    pub tokens: u64,
}

impl Reading {
    /// Of a transcript whose file names the session, and of an agent's.
    pub fn of_file(path: &str) -> Reading {
        let session = session_of(path);
        let is_agent = session.starts_with("agent-");
        Reading { is_agent, session: (!is_agent && is_uuid(session)).then(|| hash(session)), ..Reading::default() }
    }

    /// The tokens of the last request, else what a compaction left; `None` = not known.
    pub fn context(&self) -> Option<u64> {
        self.points.back().map_or(self.left, |point| Some(point.2))
    }

    /// True until the first answer after a compaction.
    pub fn is_at_boundary(&self) -> bool {
        self.points.is_empty()
    }

    /// The model's window, or the larger one that this context proves.
    pub fn window(&self) -> Option<u64> {
        window::proven(self.window, self.largest)
    }

    /// Names the last compaction, the same for every reader of the transcript.
    pub fn epoch(&self) -> String {
        format!("{:08x}", self.epoch)
    }

    /// True where at least half of what results weigh is older than the last answer.
    pub fn is_reducible(&self) -> bool {
        let dropped: u64 = self.dropped.iter().map(|sum| sum.2).sum();
        let all: u64 = self.results.iter().map(|weight| weight.3).sum();
        self.new_chars().saturating_mul(2) <= all + dropped
    }

    /// Tokens that the last request did not hold and the next one will: its answer, and the results since.
    pub fn unsent(&self) -> u64 {
        self.output.saturating_add(self.new_chars().div_ceil(CHARS_PER_TOKEN))
    }

    /// Of the results that are newer than the last answer.
    fn new_chars(&self) -> u64 {
        self.results.iter().filter(|weight| weight.1 == self.turns).map(|weight| weight.3).sum()
    }

    pub fn is_sure(&self) -> bool {
        self.unread == 0 && !self.is_tangled
    }

    /// The heaviest results in the context, by size times the requests that carried them.
    pub fn heavy(&self, top: usize) -> Vec<Heavy> {
        let rank = |weight: &Weight| u128::from(weight.3) * u128::from(self.turns.saturating_sub(weight.1) + 1);
        let most = top.min(MAX_TOP);
        let mut heavy: Vec<(u128, &Weight)> = Vec::with_capacity(most + 1);
        for weight in self.results.iter().filter(|weight| weight.3 > 0) {
            let rank = rank(weight);
            // Of equal ones the earlier comes first.
            let at = heavy.partition_point(|heavier| heavier.0 >= rank);
            if at < most {
                heavy.truncate(most - 1);
                heavy.insert(at, (rank, weight));
            }
        }
        let entry = |weight: &Weight| Heavy {
            tool: self.tools[usize::from(weight.2)].clone(),
            turn: weight.1,
            tokens: weight.3.div_ceil(CHARS_PER_TOKEN),
        };
        heavy.into_iter().map(|(_, weight)| entry(weight)).collect()
    }

    /// What each tool's results weigh, the heaviest first.
    pub fn by_tool(&self) -> Vec<ByTool> {
        let mut sums = vec![(0, 0); self.tools.len()];
        let dropped = self.dropped.iter().copied();
        for (tool, results, chars) in self.results.iter().map(|weight| (weight.2, 1, weight.3)).chain(dropped) {
            let sum = &mut sums[usize::from(tool)];
            *sum = (sum.0 + results, sum.1 + chars);
        }
        let mut all: Vec<ByTool> = sums
            .into_iter()
            .zip(&self.tools)
            .filter(|((results, _), _)| *results > 0)
            .map(|((results, chars), tool)| ByTool {
                tool: tool.clone(),
                results,
                tokens: chars.div_ceil(CHARS_PER_TOKEN),
            })
            .collect();
        all.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.tool.cmp(&b.tool)));
        all
    }

    /// Turn and tokens of the context over the session, at most [`MAX_PAST`] of each side of the last compaction.
    pub fn curve(&self) -> Vec<(u32, u64)> {
        let mut curve = self.past.clone();
        curve.extend(thinned(self.points.iter().map(|point| (point.1, point.2)).collect()));
        curve
    }

    /// Takes one line in.
    pub fn take(&mut self, line: &Line) {
        match line {
            Line::Record(record) => self.take_record(record),
            Line::Silent => {}
            Line::Broken => self.unread += 1,
        }
    }

    /// True for a line of this conversation: not another session's, and no subagent's.
    pub fn is_own(&mut self, record: &Record) -> bool {
        if let Some(session) = record.session.get() {
            let session = hash(session);
            if *self.session.get_or_insert(session) != session {
                return false;
            }
        }
        self.is_agent || !record.is_sidechain.0
    }

    fn take_record(&mut self, record: &Record) {
        if !self.is_own(record) {
            return;
        }
        let uuid = record.uuid.get().map(short);
        if record.is_boundary() {
            self.compacted(uuid, record.compaction.post_tokens.0);
        } else if record.is_summary.0 && !self.points.is_empty() {
            // A client that writes no boundary.
            self.compacted(uuid, 0);
        }
        let parent = record.parent.id.get().map(short);
        self.has_parents |= parent.is_some();
        let is_prompt = record.kind.get() == Some("user") && !record.has_results();
        // A line without an id is in no tree.
        if is_prompt && uuid.is_some() {
            self.rewind(parent, record.parent.is_root);
        }
        let goes_on = is_prompt || record.is_answer();
        self.is_tangled |= goes_on && parent.is_some_and(|parent| self.dead.contains(&parent));
        if let Some(uuid) = uuid {
            push(&mut self.lines, uuid, MAX_LINES, |_| self.first_line += 1);
        }
        if record.is_answer() {
            self.answer(record);
        } else if record.kind.get() == Some("user") {
            self.results_of(record);
        }
    }

    fn compacted(&mut self, uuid: Option<u32>, left: u64) {
        let past = self.points.drain(..).map(|point| (point.1, point.2));
        self.past.extend(past);
        self.past = thinned(std::mem::take(&mut self.past));
        self.left = (left > 0).then_some(left);
        self.output = 0;
        self.current = None;
        self.compactions += 1;
        self.epoch = uuid.unwrap_or(self.compactions);
        self.results.clear();
        self.dropped.clear();
        self.lines.clear();
        self.dead.clear();
        self.is_tangled = false;
        if let Some(log) = &mut self.log {
            log.push(Moment::Compaction);
        }
    }

    /// A prompt that hangs on an older line leaves behind what came after that line.
    fn rewind(&mut self, parent: Option<u32>, is_root: bool) {
        let kept = match parent {
            Some(parent) if self.lines.back() == Some(&parent) => return,
            Some(parent) => match self.lines.iter().rposition(|line| *line == parent) {
                Some(at) => at + 1,
                None => return,
            },
            None if is_root && self.has_parents => 0,
            None => return,
        };
        let line = self.first_line + kept as u32;
        let is_behind = |number: u32| number >= line;
        // The client's own notes may lie between without a turning away.
        let is_left = self.points.back().is_some_and(|point| is_behind(point.0))
            || self.results.last().is_some_and(|weight| is_behind(weight.0));
        if !is_left {
            return;
        }
        for dead in self.lines.drain(kept..) {
            push(&mut self.dead, dead, MAX_ANSWERS, |_| ());
        }
        while self.points.back().is_some_and(|point| is_behind(point.0)) {
            self.points.pop_back();
        }
        self.results.retain(|weight| !is_behind(weight.0));
        self.output = 0;
        self.current = None;
    }

    fn answer(&mut self, record: &Record) {
        let message = &record.message;
        let context = record.context();
        let id = message.id.get().or(record.request.get()).or(record.uuid.get());
        if let Some(id) = id.filter(|_| context > 0).map(short) {
            let line = self.line();
            if self.current == Some(id) {
                if let Some(point) = self.points.back_mut() {
                    point.2 = context;
                }
            } else if !self.answers.contains(&id) {
                self.turns += 1;
                self.current = Some(id);
                push(&mut self.answers, id, MAX_ANSWERS, |_| ());
                push(&mut self.points, (line, self.turns, context), MAX_POINTS, |_| ());
                if let Some(log) = &mut self.log {
                    log.push(Moment::Answer { turn: self.turns, tokens: context, window: None });
                }
            }
            if self.current == Some(id) {
                self.output = message.usage.output.0;
                self.largest = self.largest.max(context);
                let model = message.model.get().and_then(window::of_model);
                if model != self.window {
                    // Another model; what the one before proved says nothing of it.
                    self.largest = context;
                }
                self.window = model;
                let known = self.window();
                if let Some(Moment::Answer { tokens, window, .. }) = self.log.as_mut().and_then(|log| log.last_mut()) {
                    (*tokens, *window) = (context, known);
                }
            }
        }
        for block in message.content.blocks.iter().filter(|block| block.kind.get() == Some("tool_use")) {
            if let (Some(id), Some(name)) = (block.id.get(), block.name.get()) {
                let call = (hash(id), self.tool(name), self.turns);
                push(&mut self.open, call, MAX_OPEN, |_| ());
            }
        }
    }

    fn results_of(&mut self, record: &Record) {
        let line = self.line();
        for block in record.message.content.blocks.iter().filter(|block| block.kind.get() == Some("tool_result")) {
            let Some(id) = block.call.get().map(hash) else { continue };
            // A second result of one call, or of a call that nobody saw, says nothing.
            let Some(at) = self.open.iter().position(|call| call.0 == id) else { continue };
            let Some((_, tool, turn)) = self.open.remove(at) else { continue };
            self.results.push(Weight(line, turn, tool, block.content.chars));
        }
        if self.results.len() > MAX_RESULTS {
            self.prune();
        }
    }

    /// The number of the line that is being taken in.
    fn line(&self) -> u32 {
        (self.first_line + self.lines.len() as u32).saturating_sub(1)
    }

    fn tool(&mut self, name: &str) -> u16 {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.:".contains(c);
        let is_plain = !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(is_name);
        let name = if is_plain && self.tools.len() < MAX_TOOLS { name } else { "other" };
        let at = self.tools.iter().position(|tool| tool == name).unwrap_or_else(|| {
            self.tools.push(name.to_string());
            self.tools.len() - 1
        });
        at as u16
    }

    /// Drops what is outweighed for ever by as many results as can be asked for: larger ones that came before it. A rewind that takes
    /// one of those back takes it back too.
    fn prune(&mut self) {
        let mut largest: Vec<u64> = Vec::with_capacity(MAX_TOP);
        let mut dropped = std::mem::take(&mut self.dropped);
        self.results.retain(|weight| {
            let at = largest.partition_point(|chars| *chars >= weight.3);
            if at >= MAX_TOP {
                match dropped.iter_mut().find(|sum| sum.0 == weight.2) {
                    Some(sum) => *sum = (sum.0, sum.1 + 1, sum.2 + weight.3),
                    None => dropped.push((weight.2, 1, weight.3)),
                }
                return false;
            }
            largest.insert(at, weight.3);
            largest.truncate(MAX_TOP);
            true
        });
        self.dropped = dropped;
    }
}

/// The session whose transcript that is. A host's own word for it may be older than the file: after `/clear` and `/resume`.
pub fn session_of(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".jsonl").unwrap_or(name)
}

/// Every second one where there are too many, the first and the last always.
fn thinned(mut points: Vec<(u32, u64)>) -> Vec<(u32, u64)> {
    while points.len() > MAX_PAST {
        let last = points.len() - 1;
        points = points
            .into_iter()
            .enumerate()
            .filter(|(at, _)| at % 2 == 0 || *at == last)
            .map(|(_, point)| point)
            .collect();
    }
    points
}

fn push<T>(list: &mut VecDeque<T>, entry: T, most: usize, mut lost: impl FnMut(T)) {
    list.push_back(entry);
    while list.len() > most {
        if let Some(oldest) = list.pop_front() {
            lost(oldest);
        }
    }
}

/// FNV-1a: short, the same everywhere, and no text comes back out of it.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn short(text: &str) -> u32 {
    let hash = hash(text);
    (hash ^ (hash >> 32)) as u32
}

fn is_uuid(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_dash = |at| matches!(at, 8 | 13 | 18 | 23);
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, byte)| if is_dash(at) { *byte == b'-' } else { byte.is_ascii_hexdigit() })
}

/// A list of hashes as one text: a tenth of the time and half of the room of a list of numbers.
mod hex {
    use std::collections::VecDeque;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(list: &VecDeque<u32>, serializer: S) -> Result<S::Ok, S::Error> {
        use std::fmt::Write;
        let mut text = String::with_capacity(list.len() * 8);
        for entry in list {
            let _ = write!(text, "{entry:08x}");
        }
        serializer.serialize_str(&text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<VecDeque<u32>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.as_bytes().chunks_exact(8).map_while(|part| std::str::from_utf8(part).ok());
        Ok(digits.map_while(|part| u32::from_str_radix(part, 16).ok()).collect())
    }
}
