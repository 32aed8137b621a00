//! A heavy result -> a smaller text with every gap marked, or nothing.
//!
//! What an output is comes from the core's reading of its command; the shape of the text is a second sign, and the only
//! one where the core has no word for the command. A file for each kind.
//!
//! Invariant: nothing is put in the place of a failed result, of data, of an exact range or a named path, of what a
//! command bounded itself, or where less than a third would be saved; and nothing is left out that does not lie in a
//! file which the text names.

mod command;
mod diff;
mod history;
mod lines;
mod listing;
mod run;
mod search;
mod structured;

use std::cell::OnceCell;
use std::rc::Rc;

use serde_json::{Map, Value, json};

pub use self::lines::Lines;

use self::command::Words;
use crate::ask::{Ask, Fact, Facts, Source};
use crate::job::Done;
use crate::languages;
use crate::outline;
use crate::size::{about, grouped, tokens};

/// Results up to so many characters stay as they are, if nothing else is said; twice what is shown of a longer one.
const BUDGET: u64 = 16_000;
/// Characters of the first line, without the path in it.
const FIRST_LINE: usize = 260;
/// Characters of that path, where it is not known yet.
const PATH: usize = 120;
/// As much of a saved output is read, in bytes. A longer one is shown by its ends.
const MAX_BYTES: u64 = 8 << 20;
/// And so much of its end.
const TAIL_BYTES: u64 = 64 << 10;
/// So many characters without meaning in a thousand bytes make a text binary.
const MAX_NOISE: usize = 20;

/// A result that may be too heavy, with what is known of the call.
pub struct Request {
    tool: String,
    command: String,
    intents: Vec<Value>,
    root: Option<String>,
    budget: u64,
    /// The result without its text.
    result: Value,
    /// Its text, or why it is left alone.
    taken: Result<Taken, &'static str>,
    /// Made once, when its facts are there: a text of megabytes is walked through once only.
    body: OnceCell<Result<Body, &'static str>>,
}

/// The text of a result.
struct Taken {
    text: Rc<str>,
    part: Part,
    /// The client's own copy, where the result holds only its beginning.
    saved: Option<String>,
    /// Only the words of the output say where that lies, and a command can print any words.
    is_told: bool,
}

/// Where in a result its text stands.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// The one text block of a list.
    Blocks,
    Content,
    Filenames,
    Stdout,
    /// The result is the text.
    Whole,
}

/// What an output is.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Content(String),
    Diff,
    History,
    Listing,
    Run,
    Search,
    Other,
}

impl Request {
    pub fn of(mut call: Value) -> Request {
        let text = |call: &Value, key: &str| call[key].as_str().map(str::to_string);
        let tool = text(&call, "tool").unwrap_or_default();
        let mut result = call["result"].take();
        let taken = if call["exit"].as_i64().is_some_and(|exit| exit != 0) || call["isError"] == true {
            Err("failed")
        } else if call["input"]["run_in_background"] == true {
            Err("background")
        } else {
            take(&tool, &call["input"], &mut result)
        };
        let intents = match call["intents"].take() {
            Value::Array(intents) => intents,
            _ => Vec::new(),
        };
        Request {
            command: text(&call["input"], "command").unwrap_or_default(),
            root: text(&call, "root"),
            budget: call["budget"].as_u64().unwrap_or(BUDGET),
            tool,
            intents,
            result,
            taken,
            body: OnceCell::new(),
        }
    }

    /// The result with another text in it. The client wraps an output again that still names a saved copy.
    fn with(&self, part: Part, text: &str) -> Value {
        let mut result = self.result.clone();
        match part {
            Part::Blocks => return json!([{"type": "text", "text": text}]),
            Part::Whole => return json!(text),
            Part::Content => result["content"] = json!(text),
            Part::Filenames => result["filenames"] = text.lines().collect(),
            Part::Stdout => result["stdout"] = json!(text),
        }
        result
    }
}

/// The text of a result, taken out of it; or why it is left alone.
fn take(tool: &str, input: &Value, result: &mut Value) -> Result<Taken, &'static str> {
    let taken = |text: String, part| Ok(Taken { text: text.into(), part, saved: None, is_told: false });
    let string = |value: Value| match value {
        Value::String(text) => Ok(text),
        _ => Err("unknown-result"),
    };
    if let Value::String(_) = result
        && matches!(tool, "Bash" | "Glob" | "Grep" | "PowerShell" | "Read")
    {
        if is_number(input, &["head_limit", "offset", "limit"]) {
            return Err("bounded");
        }
        let text = string(result.take())?;
        // A file that was saved because it was large lies where it was read.
        let saved = if tool == "Read" { input["file_path"].as_str() } else { saved_copy(&text) }.map(str::to_string);
        return Ok(Taken { text: text.into(), part: Part::Whole, saved, is_told: true });
    }
    match tool {
        "Bash" | "PowerShell" => {
            let Some(fields) = result.as_object_mut() else { return Err("unknown-result") };
            let is_set = |key: &str| fields.get(key).is_some_and(|value| !value.is_null() && *value != false);
            if is_set("interrupted") || is_set("timedOutAfterMs") || is_set("returnCodeInterpretation") {
                return Err("failed");
            }
            if is_set("backgroundTaskId") {
                return Err("background");
            }
            if is_set("isImage") {
                return Err("not-text");
            }
            let mut text = string(fields.remove("stdout").unwrap_or_default())?;
            let errors = fields.get("stderr").and_then(Value::as_str).unwrap_or_default();
            if !errors.is_empty() {
                text += if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
                text += errors;
                fields.insert("stderr".to_string(), json!(""));
            }
            let saved = fields.remove("persistedOutputPath").and_then(|path| path.as_str().map(str::to_string));
            fields.remove("persistedOutputSize");
            Ok(Taken { text: text.into(), part: Part::Stdout, saved, is_told: false })
        }
        "Grep" | "Glob" => {
            if is_number(input, &["head_limit", "offset"]) || is_number(result, &["appliedLimit"]) {
                return Err("bounded");
            }
            match result.as_object_mut() {
                Some(fields)
                    if fields.get("content").is_some_and(|text| text.as_str().is_some_and(|t| !t.is_empty())) =>
                {
                    taken(string(fields.remove("content").unwrap_or_default())?, Part::Content)
                }
                Some(fields) => {
                    let names: Vec<String> = serde_json::from_value(fields.remove("filenames").unwrap_or_default())
                        .map_err(|_| "unknown-result")?;
                    taken(names.join("\n"), Part::Filenames)
                }
                None => Err("unknown-result"),
            }
        }
        _ if tool.starts_with("mcp__") => {
            if is_number(input, OWN_BOUNDS) {
                return Err("bounded");
            }
            match result.take() {
                Value::String(text) => taken(text, Part::Whole),
                Value::Array(mut blocks) if blocks.len() == 1 && blocks[0]["type"] == "text" => {
                    taken(string(blocks[0]["text"].take())?, Part::Blocks)
                }
                _ => Err("unknown-result"),
            }
        }
        _ => Err("not-concerned"),
    }
}

/// Where the client's own copy lies, in the words that it puts in the place of a large output (2.1.332).
fn saved_copy(text: &str) -> Option<&str> {
    let (_, rest) = text.strip_prefix("<persisted-output>")?.split_once("Full output saved to: ")?;
    rest.lines().next().map(str::trim_end)
}

/// Arguments with which a caller bounds what a tool of a server gives.
const OWN_BOUNDS: &[&str] = &[
    "count",
    "first",
    "head",
    "last",
    "limit",
    "lines",
    "max",
    "maxResults",
    "maxTokens",
    "max_results",
    "max_tokens",
    "offset",
    "page",
    "pageSize",
    "page_size",
    "perPage",
    "per_page",
    "tail",
    "top",
];

fn is_number(value: &Value, keys: &[&str]) -> bool {
    keys.iter().any(|key| value[*key].is_number())
}

/// A smaller text for a result, or why there is none.
pub fn run(request: &Request, facts: &Facts) -> Result<Done, Vec<Ask>> {
    let taken = match &request.taken {
        Ok(taken) => taken,
        Err(why) => return Ok(Done::pass(why)),
    };
    if taken.saved.is_none() && chars(&taken.text) <= request.budget {
        return Ok(Done::pass("small"));
    }
    let words = Words::of(&request.command);
    let kind = match kind(request, &words) {
        Ok(kind) => kind,
        Err(why) => return Ok(Done::pass(why)),
    };
    let mut text = taken.text.clone();
    if let Some(path) = &taken.saved {
        if taken.is_told {
            let may = facts.need(Ask::MayRead { paths: vec![path.clone()] })?;
            if !matches!(may, Fact::Allowed(allowed) if allowed.first() == Some(&Some(true))) {
                return Ok(Done::pass("not-allowed"));
            }
        }
        let Fact::Text(saved) = facts.need(Ask::Text { path: path.clone(), from: 0, bytes: MAX_BYTES })? else {
            return Ok(Done::pass("unknown-fact"));
        };
        if saved.bytes > MAX_BYTES {
            return long(request, taken.part, path, &saved.text, saved.bytes, facts);
        }
        text = saved.text.clone();
    }
    let body = match request.body.get() {
        Some(body) => body,
        None => {
            let body = body(request, kind, &words, &text, facts)?;
            request.body.get_or_init(|| body)
        }
    };
    let body = match body {
        Ok(body) => body,
        Err(why) => return Ok(Done::pass(why)),
    };
    // What would be too little is not kept, either.
    if body.chars * 3 > body.total * 2 {
        return Ok(Done::pass("too-little"));
    }
    let rest = match (&taken.saved, &body.source) {
        (Some(path), _) | (None, Some(path)) => path.clone(),
        (None, None) => match facts.need(Ask::Keep { name: body.name.clone(), text: text.clone() })? {
            Fact::Kept(path) => path.clone(),
            _ => return Ok(Done::pass("not-kept")),
        },
    };
    let all = first_line(body.kind.title(), body.lines, body.total, &rest) + &body.text;
    Ok(finish(request, taken.part, body.kind.name(), body.total, &all, &rest))
}

/// A condensed text without its first line.
struct Body {
    kind: Kind,
    text: String,
    chars: u64,
    /// Of the whole output.
    lines: u64,
    total: u64,
    /// What the whole output is kept as.
    name: String,
    /// The file that the output is a copy of; then it is not kept.
    source: Option<String>,
}

/// Makes the body, or says why there is none.
fn body(
    request: &Request,
    kind: Kind,
    words: &Words,
    text: &Rc<str>,
    facts: &Facts,
) -> Result<Result<Body, &'static str>, Vec<Ask>> {
    if is_binary(text) {
        return Ok(Err("not-text"));
    }
    if structured::is_structured(text) {
        return Ok(Err("structured"));
    }
    let lines = Lines::of(text);
    let kind = by_shape(kind, request, &lines);
    let saved = request.taken.as_ref().ok().and_then(|taken| taken.saved.as_ref());
    let room = ((request.budget / 2) as usize).saturating_sub(FIRST_LINE + saved.map_or(PATH, String::len));
    let (mut source, mut pieces, mut out) = (None, None, String::new());
    match &kind {
        Kind::Content(path) => {
            source = self::source(path, text, facts)?;
            out = content(path, text, room, facts)?.unwrap_or_default();
        }
        Kind::Diff => {
            let files = diff::files(&lines);
            if diff::is_named(&files, words) {
                return Ok(Err("named-paths"));
            }
            let declared = diff::declared(&files, words, request.root.as_deref(), facts)?;
            pieces = diff::condense(&lines, &files, &declared, room);
        }
        Kind::History => pieces = history::condense(&lines, room),
        Kind::Listing => pieces = listing::condense(&lines, room),
        Kind::Run if lines.iter().any(|(_, line)| run::tells_failure(line)) => return Ok(Err("failed")),
        Kind::Run => pieces = run::condense(&lines, room),
        Kind::Search => pieces = search::condense(&lines, room),
        Kind::Other => {}
    }
    if out.is_empty() {
        pieces.unwrap_or_else(|| lines::ends(&lines, room)).write(&lines, &mut out);
    }
    let name = format!("{}-{:016x}.txt", kind.name(), hash(text));
    let (chars, total) = (chars(&out), chars(text));
    Ok(Ok(Body { kind, text: out, chars, lines: lines.len() as u64, total, name, source }))
}

/// What the command's intents say, or why the output is left alone.
fn kind(request: &Request, words: &Words) -> Result<Kind, &'static str> {
    match request.tool.as_str() {
        "Grep" => return Ok(Kind::Search),
        "Glob" => return Ok(Kind::Listing),
        "Bash" | "PowerShell" => {}
        _ => return Ok(Kind::Other),
    }
    if words.is_interactive() {
        return Err("interactive");
    }
    let is = |intent: &&Value, key: &str| intent[key] == true;
    if request.intents.iter().any(|intent| intent["kind"] == "unread") {
        return Err("unread");
    }
    // What goes elsewhere is no part of the output.
    let seen: Vec<&Value> = request.intents.iter().filter(|i| !is(i, "piped") && !is(i, "writes")).collect();
    if seen.iter().any(|intent| is(intent, "bounded")) || words.is_bounded() {
        return Err("bounded");
    }
    let reads: Vec<&&Value> = seen.iter().filter(|intent| intent["kind"] == "read").collect();
    if reads.iter().any(|read| !is(read, "whole")) {
        return Err("range");
    }
    let path = |read: &Value| read["path"].as_str().unwrap_or_default().to_string();
    // A file as it was in a revision is named, like the path of a diff.
    if words.starts_with("git") && reads.iter().any(|read| path(read).contains(':')) {
        return Err("named-paths");
    }
    let mut kinds = seen.iter().map(|intent| match intent["kind"].as_str() {
        Some("diff") => Kind::Diff,
        Some("install" | "test") => Kind::Run,
        Some("list") => Kind::Listing,
        Some("log") => Kind::History,
        Some("read") if reads.len() == 1 => Kind::Content(path(intent)),
        Some("search") => Kind::Search,
        _ => Kind::Other,
    });
    let Some(first) = kinds.next() else { return Ok(Kind::Other) };
    let rest: Vec<Kind> = kinds.collect();
    match rest.iter().all(|kind| *kind == first) {
        true => Ok(first),
        // A run among other outputs may have failed all the same.
        false if first == Kind::Run || rest.contains(&Kind::Run) => Ok(Kind::Run),
        false => Ok(Kind::Other),
    }
}

/// What the text looks like, where the core has no word for its command.
fn by_shape(kind: Kind, request: &Request, lines: &Lines) -> Kind {
    if kind != Kind::Other || !request.intents.is_empty() {
        return kind;
    }
    if !lines.is_empty() && lines.at(1).starts_with("diff --git ") {
        Kind::Diff
    } else if run::is_build(lines) {
        Kind::Run
    } else {
        Kind::Other
    }
}

impl Kind {
    fn name(&self) -> &'static str {
        match self {
            Kind::Content(_) => "content",
            Kind::Diff => "diff",
            Kind::History => "history",
            Kind::Listing => "listing",
            Kind::Run => "run",
            Kind::Search => "search",
            Kind::Other => "output",
        }
    }

    fn title(&self) -> &'static str {
        match self {
            Kind::Content(_) => "File",
            Kind::Diff => "Diff",
            Kind::History => "History",
            Kind::Listing => "Listing",
            Kind::Run => "Run",
            Kind::Search => "Search",
            Kind::Other => "Output",
        }
    }
}

/// The file that an output is a whole copy of, by its size: then nothing has to be kept.
fn source(path: &str, text: &str, facts: &Facts) -> Result<Option<String>, Vec<Ask>> {
    let Fact::Stat(stat) = facts.need(Ask::Stat { path: path.to_string() })? else { return Ok(None) };
    // The client takes the last line's end away.
    let missing = stat.bytes.checked_sub(text.len() as u64);
    Ok((stat.kind == "file" && missing.is_some_and(|missing| missing <= 2)).then(|| path.to_string()))
}

/// The outline of what was printed of a file.
fn content(path: &str, text: &Rc<str>, room: usize, facts: &Facts) -> Result<Option<String>, Vec<Ask>> {
    let Some(language) = languages::of_path(path) else { return Ok(None) };
    let ask = Ask::Declarations { of: Source::Text(text.clone()), language: language.to_string(), names: Vec::new() };
    let Fact::Declarations(declared) = facts.need(ask)? else { return Ok(None) };
    // Numbered or coloured lines are no text of the language.
    if declared.declarations.broken {
        return Ok(None);
    }
    let options = outline::Options {
        file: path.to_string(),
        chars: chars(text),
        max_chars: Some(room),
        rest: Some("The lines are the file's own.".to_string()),
        ..outline::Options::default()
    };
    Ok(outline::render(&declared.declarations, &options).map(|outline| format!("\n{}", outline.text)))
}

/// An output of which not even the lines are at hand: its beginning and its end.
fn long(request: &Request, part: Part, path: &str, head: &str, bytes: u64, facts: &Facts) -> Result<Done, Vec<Ask>> {
    let tail = Ask::Text { path: path.to_string(), from: bytes - TAIL_BYTES, bytes: TAIL_BYTES };
    let count = Ask::Lines { path: path.to_string() };
    let facts = facts.need_all(&[tail, count])?;
    let [Fact::Text(tail), Fact::Lines(count)] = facts.as_slice() else {
        return Ok(Done::pass("unknown-fact"));
    };
    // A value so long cannot be told from other text that begins like it.
    if is_binary(head) || is_binary(&tail.text) || head.trim_start().starts_with(['{', '[', '<']) {
        return Ok(Done::pass("structured"));
    }
    let whole = |text: &str| text.rsplit_once('\n').map_or(0, |(whole, _)| whole.len());
    let head: String = head.chars().take(TAIL_BYTES as usize).collect();
    let head = Lines::of(&head[..whole(&head)]);
    let last = tail.text.split_once('\n').map_or("", |(_, rest)| rest);
    let total = (count + u64::from(!last.ends_with('\n'))) as usize;
    let room = ((request.budget / 2) as usize).saturating_sub(FIRST_LINE + path.len());
    let mut all = first_line("Output", total as u64, bytes, path);
    lines::write_ends(&head, &Lines::of(last), total, room, &mut all);
    Ok(finish(request, part, "output", bytes, &all, path))
}

fn first_line(title: &str, lines: u64, total: u64, rest: &str) -> String {
    format!(
        "[trimtab] {title} condensed from {} lines, {} tokens. All of it lies in {rest}: Read it with `offset` and `limit` for the lines named here, or search in it.",
        grouped(lines),
        about(tokens(total)),
    )
}

fn finish(request: &Request, part: Part, kind: &str, total: u64, text: &str, rest: &str) -> Done {
    let shown = chars(text);
    if shown * 3 > total * 2 {
        return Done::pass("too-little");
    }
    let mut done = Done::answer();
    let sizes: Map<String, Value> =
        [("from", total), ("to", shown)].map(|(k, v)| (k.to_string(), json!(v))).into_iter().collect();
    done.put("kind", kind).put("chars", sizes).put("rest", rest).put("result", request.with(part, text));
    done
}

/// Control characters, or what could not be read as text.
fn is_binary(text: &str) -> bool {
    let is_noise = |b: &u8| *b < 0x20 && !matches!(b, b'\n' | b'\r' | b'\t' | 0x08 | 0x0c | 0x1b) || *b == 0x7f;
    let noise = text.as_bytes().iter().filter(|b| is_noise(b)).count() + text.matches('\u{fffd}').count();
    noise * 1_000 > text.len() * MAX_NOISE || text.as_bytes().contains(&0)
}

fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

/// FNV-1a by words of eight bytes, so that the same output has the same name.
fn hash(text: &str) -> u64 {
    let word = |bytes: &[u8]| bytes.iter().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
    text.as_bytes().chunks(8).fold(0xcbf2_9ce4_8422_2325, |hash: u64, bytes| {
        (hash ^ word(bytes)).wrapping_mul(0x100_0000_01b3).rotate_left(29)
    })
}
