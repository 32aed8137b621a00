//! JSON in, JSON out: requests, what they ask for, and their answers. The only file that knows the wire; `docs/wire.md` describes it.

use std::cell::RefCell;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::config::Config;
use crate::feed::{Fed, Range, Text, tail_lines};
use crate::line::Line;
use crate::moment::{Kept, LEVELS, Size, Tail, warnings};
use crate::overview::{self, Seen, Told};
use crate::reading::{Reading, hash, session_of};
use crate::rubric::reason_to_wait;
use crate::words;

/// Rounds of one request that go into reading; drive() of `glue/core.js` allows eight in all.
const SLICES: u32 = 5;
/// Calls that a host never brought to their end.
const MAX_CALLS: usize = 16;
/// Transcripts that are kept in here for a host that asks for it.
const MAX_HELD: usize = 4;
const GIT: [&str; 5] = ["git", "--no-optional-locks", "status", "--short", "--branch"];
const GIT_BYTES: u64 = 2_000;

#[derive(Default)]
struct Pack {
    calls: HashMap<u64, Call>,
    last: u64,
    held: Vec<(String, Kept)>,
    /// How long the longest range was that was read so far.
    reach: u64,
}

thread_local! {
    static PACK: RefCell<Pack> = RefCell::default();
}

/// One request, one answer. A text that was asked for stands behind the first line as it is: escaped once more it would take
/// most of the time.
pub fn step(text: &str) -> String {
    let (head, range) = text.split_once('\n').unwrap_or((text, ""));
    let answer = match serde_json::from_str::<Request>(head) {
        Ok(request) => PACK.with_borrow_mut(|pack| pack.answer(request, range)),
        Err(error) => failure("request", &error.to_string()),
    };
    answer.to_string()
}

#[derive(Deserialize)]
struct Request {
    v: u64,
    #[serde(rename = "do")]
    what: String,
    call: Option<u64>,
    facts: Option<Vec<Value>>,
    path: Option<String>,
    moment: Option<String>,
    /// Of a compaction, where the host can make it wait.
    trigger: Option<String>,
    /// The raw input of a command hook.
    payload: Option<String>,
    now: Option<u64>,
    live: Option<Live>,
    /// What a person who looks is shown besides.
    #[serde(default)]
    told: Told,
    config: Option<Value>,
    /// The pack keeps the reading, and the host need not.
    #[serde(default)]
    holds: bool,
    /// Answer with every warning of the session.
    #[serde(default)]
    warnings: bool,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Live {
    tokens: Option<u64>,
    window: Option<u64>,
}

/// The fields of a command hook's input that count here.
#[derive(Default, Deserialize)]
struct Payload {
    transcript_path: Option<String>,
    agent_id: Option<String>,
    hook_event_name: Option<String>,
    source: Option<String>,
}

struct Call {
    what: What,
    /// A compaction that the client starts by itself, at a host that can make it wait.
    can_wait: bool,
    path: String,
    session: String,
    now: u64,
    live: Size,
    told: Told,
    /// The configuration as it came.
    settings: Value,
    config: Option<Config>,
    is_configured: bool,
    holds: bool,
    slices: u32,
    kept: Kept,
    /// What was asked, so that the facts find their way.
    phase: Phase,
    /// A hook's event, whose answer is printed.
    hook: Option<String>,
    git: String,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Weigh,
    Overview,
    Prompt,
    Stop,
    /// In mid-turn, with the host's own figures.
    Tick,
    Compact,
    Compacted,
    Handoff,
    End,
}

enum Phase {
    /// Configuration, and what was kept.
    Start,
    Slice,
    Tail(usize, Range),
    /// Git, where the state of the work is written down.
    Git,
    /// What may be said once only.
    Claim(Vec<(String, Word)>),
}

#[derive(Clone)]
enum Word {
    /// Below the level that is told, so that it is not told later.
    Silent,
    Person(String),
    Model(String),
    /// Of a session that ends full.
    Left,
    Wait(&'static str),
}

impl Pack {
    fn answer(&mut self, request: Request, text: &str) -> Value {
        if request.v != 1 {
            return failure("version", &format!("unknown version `{}`", request.v));
        }
        match request.what.as_str() {
            "check" => json!({"v": 1, "ok": true, "version": env!("CARGO_PKG_VERSION")}),
            "facts" => {
                let number = request.call.unwrap_or_default();
                match self.calls.remove(&number) {
                    Some(call) => self.go_on(number, call, request.facts.unwrap_or_default(), text),
                    None => failure("call", "no such call"),
                }
            }
            "line" => {
                let Live { tokens, window } = request.live.unwrap_or_default();
                let text = overview::line(Size { tokens, window }, &request.told);
                let (band, status) = overview::places(&request.config.unwrap_or_default());
                let at = |is_there: bool| text.as_ref().filter(|_| is_there);
                let result =
                    json!({"verdict": "pass", "why": "told", "text": text, "band": at(band), "status": at(status)});
                done(result, Vec::new())
            }
            "weigh" | "overview" | "moment" | "hook" => match self.call_of(request) {
                Ok(call) => self.begin(call),
                Err(why) => done(json!({"verdict": "pass", "why": why}), Vec::new()),
            },
            other => failure("do", &format!("unknown request `{other}`")),
        }
    }

    fn call_of(&mut self, request: Request) -> Result<Call, &'static str> {
        let (mut path, mut hook) = (request.path, None);
        let what = match (request.what.as_str(), request.moment.as_deref()) {
            ("weigh", _) => What::Weigh,
            ("overview", _) => What::Overview,
            ("hook", _) => {
                let payload: Payload =
                    serde_json::from_str(&request.payload.unwrap_or_default()).map_err(|_| "no-payload")?;
                // What is said of the main conversation does not belong into an agent's.
                if payload.agent_id.is_some() {
                    return Err("agent");
                }
                path = payload.transcript_path;
                let event = payload.hook_event_name.unwrap_or_default();
                let what = match (event.as_str(), payload.source.as_deref()) {
                    ("UserPromptSubmit", _) => What::Prompt,
                    ("Stop", _) => What::Stop,
                    ("PreCompact", _) => What::Compact,
                    ("SessionStart", Some("compact")) => What::Compacted,
                    ("SessionEnd", _) => What::End,
                    _ => return Err("no-concern"),
                };
                hook = Some(event);
                what
            }
            (_, Some("prompt")) => What::Prompt,
            (_, Some("stop")) => What::Stop,
            (_, Some("tick")) => What::Tick,
            (_, Some("compact")) => What::Compact,
            (_, Some("compacted")) => What::Compacted,
            (_, Some("handoff")) => What::Handoff,
            (_, Some("end")) => What::End,
            _ => return Err("no-concern"),
        };
        let path = path.filter(|path| path.ends_with(".jsonl")).ok_or("no-transcript")?;
        let held = self.held.iter().position(|held| held.0 == path).map(|at| self.held.remove(at).1);
        let holds = request.holds || what == What::Weigh;
        let mut kept = held.filter(|_| holds).unwrap_or_else(|| Kept::of_file(&path));
        if request.warnings {
            kept.figures.log.get_or_insert_default();
        }
        let live = request.live.unwrap_or_default();
        Ok(Call {
            what,
            can_wait: what == What::Compact && hook.is_none() && request.trigger.as_deref() == Some("auto"),
            session: session_of(&path).to_string(),
            path,
            now: request.now.unwrap_or_default(),
            live: Size { tokens: live.tokens, window: live.window },
            told: request.told,
            config: request.config.as_ref().map(Config::of),
            settings: request.config.unwrap_or_default(),
            is_configured: false,
            holds,
            slices: SLICES,
            kept,
            phase: Phase::Start,
            hook,
            git: String::new(),
        })
    }

    fn begin(&mut self, call: Call) -> Value {
        let mut asks = Vec::new();
        if call.config.is_none() {
            asks.push(json!({"ask": "config"}));
        }
        if !call.holds {
            asks.push(json!({"ask": "state", "in": "weight", "session": call.session}));
        }
        self.last += 1;
        let number = self.last;
        if asks.is_empty() { self.go_on(number, call, Vec::new(), "") } else { self.ask(number, call, asks) }
    }

    fn ask(&mut self, number: u64, call: Call, asks: Vec<Value>) -> Value {
        self.calls.insert(number, call);
        if self.calls.len() > MAX_CALLS
            && let Some(oldest) = self.calls.keys().min().copied()
        {
            self.calls.remove(&oldest);
        }
        json!({"v": 1, "call": number, "need": asks})
    }

    /// Takes the facts of the phase in and says what is next.
    fn go_on(&mut self, number: u64, mut call: Call, facts: Vec<Value>, text: &str) -> Value {
        let mut facts = facts.into_iter();
        match std::mem::replace(&mut call.phase, Phase::Slice) {
            Phase::Start => {
                if call.config.is_none() {
                    let fact = facts.next().unwrap_or_default();
                    call.config = Some(Config::of(&fact["config"]));
                    call.settings = fact["config"].clone();
                    let is_own = |from: &Value| matches!(from.as_str(), Some("project" | "local"));
                    call.is_configured = fact["from"].as_array().is_some_and(|from| from.iter().any(is_own));
                }
                if !call.holds
                    && let Some(kept) = facts.next().and_then(|fact| fact["state"].as_str().and_then(kept_of))
                {
                    call.kept = kept;
                }
                call.kept.feed.reach = self.reach;
                if !call.config().is_enabled && !matches!(call.what, What::Overview | What::Weigh) {
                    return self.finish(call, "off", Vec::new());
                }
                // After a compaction only the transcript tells when the next answer is there.
                if call.what == What::Tick && call.live.tokens.is_some() && !call.kept.is_just_compacted() {
                    return self.conclude(number, call);
                }
                return self.read_on(number, call);
            }
            Phase::Slice => {
                let Some(text) = text_of(facts.next(), text) else {
                    // Without a transcript the host's own figures still count.
                    return self.conclude(number, call);
                };
                call.slices -= 1;
                let fed = call.take(&text);
                self.reach = self.reach.max(call.kept.feed.reach);
                if fed == Fed::Replaced {
                    call.kept =
                        Kept { standing: call.kept.standing, feed: call.kept.feed, ..Kept::of_file(&call.path) };
                }
                if fed == Fed::End || call.slices == 0 {
                    return self.conclude(number, call);
                }
                let size = text.bytes;
                let is_known = call.kept.tail.as_ref().is_some_and(|tail| tail.size == size);
                if call.kept.feed.is_far() && !is_known {
                    call.kept.tail = Some(Tail { size, ..Tail::default() });
                    return self.look(number, call, 0);
                }
                return self.read_on(number, call);
            }
            Phase::Tail(look, range) => {
                let text = text_of(facts.next(), text);
                call.slices = call.slices.saturating_sub(1);
                let is_told = text.is_some_and(|text| call.take_tail(&range, text.text));
                if !is_told {
                    return self.look(number, call, look + 1);
                }
                // Somebody waits for what the end told; the rest is read in requests of their own.
                call.slices = 0;
                return self.conclude(number, call);
            }
            Phase::Git => {
                call.git = facts.next().and_then(|fact| fact["stdout"].as_str().map(str::to_string)).unwrap_or_default()
            }
            Phase::Claim(words) => {
                let mut spoken = Vec::new();
                for ((name, word), fact) in words.into_iter().zip(facts) {
                    // What cannot be claimed may have been said: silence is better than twice.
                    let Some(is_won) = fact["won"].as_bool() else { continue };
                    call.kept.claimed(name);
                    if is_won {
                        spoken.push(word);
                    }
                }
                return self.finish(call, "read", spoken);
            }
        }
        self.speak(number, call)
    }

    fn read_on(&mut self, number: u64, mut call: Call) -> Value {
        if call.slices == 0 {
            return self.conclude(number, call);
        }
        let range = call.kept.feed.next();
        let ask = text_ask(&call.path, &range);
        call.phase = Phase::Slice;
        self.ask(number, call, vec![ask])
    }

    fn look(&mut self, number: u64, mut call: Call, look: usize) -> Value {
        let Some(range) = call.kept.feed.tail(look) else {
            return self.read_on(number, call);
        };
        let ask = text_ask(&call.path, &range);
        call.phase = Phase::Tail(look, range);
        self.ask(number, call, vec![ask])
    }

    /// Everything was read that is read now.
    fn conclude(&mut self, number: u64, mut call: Call) -> Value {
        if call.writes_down() || call.offer().is_some() {
            call.phase = Phase::Git;
            return self.ask(number, call, vec![json!({"ask": "run", "argv": GIT, "cwd": ".", "bytes": GIT_BYTES})]);
        }
        self.speak(number, call)
    }

    fn speak(&mut self, number: u64, mut call: Call) -> Value {
        let words = call.words();
        if words.is_empty() {
            return self.finish(call, "read", Vec::new());
        }
        let asks =
            words.iter().map(|(name, _)| json!({"ask": "claim", "session": call.session, "name": name})).collect();
        call.phase = Phase::Claim(words);
        self.ask(number, call, asks)
    }

    fn finish(&mut self, mut call: Call, why: &str, spoken: Vec<Word>) -> Value {
        let mut result = json!({"verdict": "pass", "why": why});
        let mut effects = Vec::new();
        for word in spoken {
            match word {
                Word::Silent => {}
                Word::Person(text) => result["person"] = text.into(),
                Word::Model(text) => result["model"] = text.into(),
                Word::Wait(why) => result["skip"] = words::wait(why).into(),
                Word::Left => effects.push(call.word_left()),
            }
        }
        let config = call.config().clone();
        match call.what {
            What::Weigh => {
                result["figures"] = call.figures();
                result["text"] = call.overview()["text"].take();
                if let Some(log) = &call.kept.figures.log {
                    let entry = |&(turn, level, tokens): &(u32, usize, u64)| json!({"turn": turn, "level": level, "tokens": tokens});
                    result["warnings"] = warnings(&config, log).iter().map(entry).collect();
                }
            }
            What::Overview => result["overview"] = call.overview(),
            _ if why == "off" => {}
            What::Compact | What::Handoff if call.writes_down() => {
                let text = call.continuation();
                effects.push(call.handover(&text));
                if call.what == What::Handoff {
                    result["text"] = text.into();
                }
            }
            // As the session goes, since some clients skip the event before a compaction.
            What::Stop | What::Prompt if !call.kept.task.is_empty() && !call.kept.feed.is_behind() => {
                let noted = hash(&serde_json::to_string(&call.kept.task).unwrap_or_default());
                if noted != call.kept.standing.noted {
                    call.kept.standing.noted = noted;
                    let text = call.continuation();
                    effects.push(call.handover(&text));
                }
            }
            _ => {}
        }
        if let Some(event) = &call.hook
            && let Some(answer) = hook_answer(event, &result)
        {
            result["answer"] = answer.into();
        }
        let answer = result.as_object_mut().and_then(|result| result.remove("answer"));
        if call.kept.feed.is_behind() && call.slices == 0 {
            result["more"] = true.into();
        }
        if call.holds {
            if self.held.len() >= MAX_HELD {
                self.held.remove(0);
            }
            self.held.push((call.path, call.kept));
        } else if let Ok(state) = serde_json::to_string(&call.kept) {
            effects.push(json!({"effect": "save", "in": "weight", "session": call.session, "state": state}));
        }
        let mut outcome = done(result, effects);
        if let Some(answer) = answer {
            outcome["answer"] = answer;
        }
        outcome
    }
}

impl Call {
    fn config(&self) -> &Config {
        static DEFAULT: std::sync::OnceLock<Config> = std::sync::OnceLock::new();
        self.config.as_ref().unwrap_or_else(|| DEFAULT.get_or_init(Config::default))
    }

    fn size(&self) -> Size {
        self.kept.size(self.config(), self.live)
    }

    fn take(&mut self, text: &Text<'_>) -> Fed {
        let Kept { figures, task, feed, .. } = &mut self.kept;
        feed.take(text, |line| {
            figures.take(line);
            if let Line::Record(record) = line
                && figures.is_own(record)
            {
                task.take(record, figures.turns);
            }
        })
    }

    /// True where the end of the file told how large the context is.
    fn take_tail(&mut self, range: &Range, text: &str) -> bool {
        let mut tail = Reading::of_file(&self.path);
        tail_lines(range, text, |line| tail.take(line));
        let told = self.kept.tail.get_or_insert_default();
        (told.context, told.window) = (tail.context(), tail.window());
        told.context.is_some() || tail.compactions > 0 || range.from == 0
    }

    /// True where the state of the work is written down now, which takes the whole transcript.
    fn writes_down(&self) -> bool {
        let is_wanted = match self.what {
            What::Compact => !self.kept.task.is_empty(),
            What::Handoff => true,
            _ => false,
        };
        is_wanted && !self.kept.feed.is_behind()
    }

    /// What must be claimed before the state of the work is offered: after a compaction, whether or not the transcript says so yet.
    fn offer(&self) -> Option<String> {
        let is_written = self.kept.is_just_compacted();
        let is_after = match self.what {
            What::Compacted => true,
            What::Prompt | What::Tick => is_written,
            _ => false,
        };
        self.kept.offer(is_written).filter(|name| is_after && !self.kept.is_claimed(name))
    }

    /// What may be said now, each with the name by which it is claimed.
    fn words(&mut self) -> Vec<(String, Word)> {
        let (config, size) = (self.config().clone(), self.size());
        let mut words = Vec::new();
        match self.what {
            What::Prompt | What::Stop => {
                let levels = self.kept.levels(&config, size);
                let last = levels.len();
                for (at, name) in levels.into_iter().enumerate() {
                    let text = || words::notice(size.tokens.unwrap_or_default(), size.window, &self.heavy());
                    words.push((name, if at + 1 == last { Word::Person(text()) } else { Word::Silent }));
                }
            }
            What::Handoff if self.writes_down() => words.push((self.kept.handed(), Word::Silent)),
            What::Compact if self.can_wait => {
                let why = reason_to_wait(&self.kept, &config, size);
                words.extend(self.kept.next_wait().zip(why.map(Word::Wait)));
            }
            What::End if self.kept.is_left_full(&config, size) => words.push((self.kept.handed(), Word::Left)),
            _ => {}
        }
        if let Some(name) = self.offer() {
            words.push((name, Word::Model(self.continuation())));
        } else if matches!(self.what, What::Prompt | What::Tick)
            && !self.kept.is_just_compacted()
            && let Some(name) = self.kept.pressure(&config, size, self.now)
        {
            let (tokens, window) = (size.tokens.unwrap_or_default(), size.window.unwrap_or_default());
            words.push((name, Word::Model(words::pressure(tokens, window))));
        }
        words.retain(|(name, _)| !self.kept.is_claimed(name));
        words
    }

    fn heavy(&self) -> Vec<crate::reading::Heavy> {
        // Of a file that is only read in part nobody knows which are the heaviest.
        if self.kept.feed.is_behind() { Vec::new() } else { self.kept.figures.heavy(self.config().top) }
    }

    fn continuation(&self) -> String {
        let moment = words::Moment {
            time: &time_of(self.now),
            turn: self.kept.figures.turns,
            tokens: self.size().tokens,
            git: &self.git,
        };
        words::continuation(&self.kept.task, &moment)
    }

    /// The snapshot as it lies on the disk.
    fn handover(&self, text: &str) -> Value {
        let plans: Vec<&str> = self.kept.task.plans().take(5).collect();
        let size = self.size();
        let state = json!({
            "time": time_of(self.now), "session": self.session, "transcript": self.path,
            "context": {"tokens": size.tokens, "window": size.window, "turns": self.kept.figures.turns},
            "plans": plans, "text": text,
        });
        json!({"effect": "save", "in": "weight", "session": format!("handoff-{}", self.session), "state": state.to_string()})
    }

    /// Word of a session that ended full.
    fn word_left(&self) -> Value {
        let size = self.size();
        let (tokens, window) = (size.tokens.unwrap_or_default(), size.window.unwrap_or_default());
        let text = json!({
            "written_at": time_of(self.now), "session": self.session, "token_count": tokens,
            "context_limit": window, "usage_percent": words::percent(tokens, window),
        });
        json!({"effect": "leave", "name": "handoff-needed", "project": self.is_configured, "text": format!("{text}\n")})
    }

    /// As `trimtab weigh --json` prints it.
    fn figures(&self) -> Value {
        let size = self.size();
        let is_behind = self.kept.feed.is_behind();
        let tokens = size.tokens.unwrap_or_default();
        let heavy: Vec<Value> = self
            .heavy()
            .into_iter()
            .map(|heavy| {
                let share = if size.tokens.is_some() {
                    json!(words::percent(heavy.tokens.min(tokens), tokens))
                } else {
                    Value::Null
                };
                json!({"tool": heavy.tool, "turn": heavy.turn, "tokens": heavy.tokens, "share": share})
            })
            .collect();
        json!({
            "contextTokens": size.tokens,
            "window": size.window,
            "percent": size.tokens.zip(size.window).map(|(tokens, window)| words::percent(tokens, window)),
            "turns": if is_behind { Value::Null } else { self.kept.figures.turns.into() },
            "heavy": heavy,
            "level": size.tokens.map(|tokens| self.config().level(size.window, tokens)),
            "complete": self.kept.is_complete(),
        })
    }

    /// What a pane shows.
    fn overview(&self) -> Value {
        let mut overview = self.figures();
        let curve = if self.kept.feed.is_behind() { Vec::new() } else { self.kept.figures.curve() };
        let window = self.size().window;
        let crossed = |percent: u64| {
            let over = |point: &&(u32, u64)| window.is_some_and(|window| point.1 * 100 >= window * percent);
            curve.iter().find(over).map(|point| (percent, point.0))
        };
        let levels: Vec<(u64, u32)> = LEVELS.into_iter().filter_map(crossed).collect();
        let is_behind = self.kept.feed.is_behind();
        let by_tool = if is_behind { Vec::new() } else { self.kept.figures.by_tool() };
        let top = self.config().top.max(overview::HEAVY);
        let seen = Seen {
            size: self.size(),
            turns: (!is_behind).then_some(self.kept.figures.turns),
            compactions: self.kept.figures.compactions,
            is_complete: self.kept.is_complete(),
            curve: &curve,
            levels: &levels,
            by_tool: &by_tool,
            heavy: &if is_behind { Vec::new() } else { self.kept.figures.heavy(top) },
            config: self.config(),
            settings: &self.settings,
        };
        let sections = overview::sections(&seen, &self.told);
        overview["text"] = overview::text(&sections).into();
        overview["sections"] = json!(sections);
        overview["levels"] = levels.iter().map(|(percent, turn)| json!({"percent": percent, "turn": turn})).collect();
        overview["byTool"] = json!(by_tool);
        overview["compactions"] = self.kept.figures.compactions.into();
        overview["curve"] = json!(curve);
        overview
    }
}

fn text_of(fact: Option<Value>, text: &str) -> Option<Text<'_>> {
    let fact = fact?;
    let figure = |key: &str| fact[key].as_u64();
    Some(Text { text, bytes: figure("bytes")?, first: figure("first"), last: figure("last") })
}

fn text_ask(path: &str, range: &Range) -> Value {
    json!({"ask": "text", "path": path, "from": range.from, "bytes": range.bytes})
}

fn kept_of(state: &str) -> Option<Kept> {
    serde_json::from_str(state).ok()
}

fn hook_answer(event: &str, result: &Value) -> Option<String> {
    let mut answer = json!({});
    if let Some(text) = result["person"].as_str() {
        answer["systemMessage"] = text.into();
    }
    if let Some(text) = result["model"].as_str() {
        answer["hookSpecificOutput"] = json!({"hookEventName": event, "additionalContext": text});
    }
    (answer != json!({})).then(|| answer.to_string())
}

fn done(result: Value, effects: Vec<Value>) -> Value {
    let mut outcome = json!({"v": 1, "done": result});
    if !effects.is_empty() {
        outcome["effects"] = effects.into();
    }
    outcome
}

fn failure(code: &str, message: &str) -> Value {
    json!({"v": 1, "error": {"code": code, "message": message}})
}

/// Milliseconds since 1970 as `2026-01-31T09:00:00Z`.
fn time_of(ms: u64) -> String {
    let (days, seconds) = ((ms / 86_400_000) as i64, ms / 1000 % 86_400);
    // Days since the first of March of the year 0, in years that end with February (Howard Hinnant's `civil_from_days`).
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day = shifted % 146_097;
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (date, month) = (of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_write_them() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"),
            (1_769_850_123_999, "2026-01-31T09:02:03Z"),
        ] {
            assert_eq!(time_of(ms), text);
        }
    }
}
