//! The wire: JSON in, JSON out. What crosses is described in `docs/wire.md`.
//!
//! Wire shapes are written and read here and in `hook` only, so the types inside stay free to change. Invariant: any
//! text in gives one JSON object out.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::after::Shown;
use crate::config::{Config, Content, Effective, KEYS, Layer, Origin, Preset};
use crate::core::{Call, CallId, Core, Input, Step};
use crate::fact::{Ask, Fact, FileKind, Measured, Place};
use crate::hook;
use crate::intent::Intent;
use crate::mcp::McpCall;
use crate::outcome::{Basis, Effect, Outcome, Why};
use crate::rules::RULES;
use crate::sheet::Sheet;
use crate::shell::Script;
use crate::state::Session;

/// A core with its wire: what the hosts hold.
#[derive(Default)]
pub struct Wire {
    core: Core,
    /// Calls that came as hook payloads, and whether intents are wanted.
    open: Vec<(CallId, Kind)>,
}

/// How a call came in, which decides how its answer goes out.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Hook,
    Judge { intents: bool },
}

impl Wire {
    pub fn new() -> Wire {
        Wire::default()
    }

    /// One request, one answer.
    pub fn step(&mut self, text: &str) -> String {
        let answer = match parse(text) {
            Ok(request) => self.request(&request),
            Err(message) => error("not-json", &message),
        };
        answer.to_string()
    }

    /// The same, where both are values already.
    pub fn request(&mut self, request: &Value) -> Value {
        if request["v"] != 1 {
            return error("version", "expected `\"v\":1`");
        }
        match request["do"].as_str().unwrap_or_default() {
            "judge" => {
                let kind = Kind::Judge { intents: request["intents"] == true };
                match call(&request["call"]) {
                    Ok(call) => {
                        let step = self.core.handle_call(call);
                        self.answer(step, kind)
                    }
                    Err(message) => error("bad-call", &message),
                }
            }
            "hook" => match hook::call(request["payload"].as_str().unwrap_or_default()) {
                Ok(call) => {
                    let step = self.core.handle_call(call);
                    self.answer(step, Kind::Hook)
                }
                Err(code) => {
                    let record = Effect::Record { code, detail: None };
                    json!({"v": 1, "done": {"verdict": "pass", "why": "bad-payload"}, "effects": [effect(&record)]})
                }
            },
            "facts" => {
                let Some(id) = request["call"].as_u64().and_then(|n| u32::try_from(n).ok()).map(CallId) else {
                    return error("bad-facts", "`call` is no number");
                };
                let facts =
                    request["facts"].as_array().map(|facts| facts.iter().map(fact).collect()).unwrap_or_default();
                let kind = self
                    .open
                    .iter()
                    .find(|(open, _)| *open == id)
                    .map_or(Kind::Judge { intents: false }, |(_, kind)| *kind);
                self.open.retain(|(open, _)| *open != id);
                let step = self.core.handle_facts(id, facts);
                self.answer(step, kind)
            }
            "refresh" => {
                self.core.refresh();
                json!({"v": 1})
            }
            "config" => {
                let layers: Vec<Layer> =
                    request["layers"].as_array().map(|l| l.iter().filter_map(layer).collect()).unwrap_or_default();
                let effective = Effective::of(&layers);
                let warnings: Vec<&String> = effective.warnings.iter().map(|w| &w.0).collect();
                let keys: Vec<Value> = effective
                    .rows()
                    .into_iter()
                    .map(|(key, value, from)| json!({"key": key, "value": value, "from": from}))
                    .collect();
                json!({"v": 1, "config": config(&effective.config), "keys": keys, "warnings": warnings})
            }
            "tally" => json!({"v": 1, "rules": tally(request["state"].as_str().unwrap_or_default())}),
            "check" => json!({"v": 1, "ok": self_check(), "version": crate::VERSION}),
            "echo" => json!({"v": 1, "value": request["value"]}),
            "programs" => {
                json!({"v": 1, "bash": crate::programs::names(), "powershell": crate::programs::powershell_names(), "read": crate::rules::CODE})
            }
            other => {
                error("unknown-request", &format!("unknown request `{}`", other.chars().take(40).collect::<String>()))
            }
        }
    }

    fn answer(&mut self, step: Step, kind: Kind) -> Value {
        match step {
            Step::Need { call, asks } => {
                // As bounded as the core's own list.
                if self.open.len() >= 256 {
                    self.open.remove(0);
                }
                self.open.push((call, kind));
                json!({"v": 1, "call": call.0, "need": asks.iter().map(ask).collect::<Vec<_>>()})
            }
            Step::Done { call, outcome: done } => {
                let mut answer = Map::new();
                answer.insert("v".into(), json!(1));
                answer.insert("call".into(), json!(call.0));
                answer.insert("done".into(), outcome(&done, kind == Kind::Judge { intents: true }));
                if !done.effects.is_empty() {
                    answer.insert("effects".into(), done.effects.iter().map(effect).collect());
                }
                if kind == Kind::Hook
                    && let Some(text) = hook::answer(&done)
                {
                    answer.insert("answer".into(), json!(text));
                }
                Value::Object(answer)
            }
        }
    }
}

/// A judgement of known outcome, so that a host knows that this instance judges at all.
fn self_check() -> bool {
    let mut core = Core::new();
    let sheet = json!({"files": {"*": {"lines": 1000, "bytes": 40_000}}});
    let mut judged = |command: &str| {
        let mut call = Call::bash("check", command);
        call.sheet = Some(Sheet::new(sheet.clone(), Some("/repo"), Some("/repo")));
        match core.handle_call(call) {
            Step::Done { outcome, .. } => outcome.why,
            Step::Need { .. } => Why::UnknownFact,
        }
    };
    judged("cd src && cat a.rs") == Why::LargeFile && judged("cat a.rs | head -5") == Why::NotConcerned
}

/// The configuration as it works out, by the keys of the files; each rule with its mode.
fn config(config: &Config) -> Value {
    let mut all = json!({"preset": config.preset.map(Preset::name), "bypass": config.bypass});
    for key in KEYS {
        match key.path.split_once('.') {
            Some((group, name)) => all[group][name] = key.get(config),
            None => all[key.path] = key.get(config),
        }
    }
    all["rules"] = RULES.iter().map(|rule| (rule.id.to_string(), json!(config.mode_of(rule.id).name()))).collect();
    all
}

/// What a memory counted, by rule; nothing where it is none.
fn tally(state: &str) -> Vec<Value> {
    let memory = Session::from_text(state).unwrap_or_default();
    let rules = memory.tally().rules();
    rules
        .map(|(rule, figures)| {
            let figures = figures.map(|(name, number)| (name.to_string(), json!(number)));
            Value::Object(figures.chain([("rule".to_string(), json!(rule))]).collect())
        })
        .collect()
}

fn error(code: &str, message: &str) -> Value {
    json!({"v": 1, "error": {"code": code, "message": message}})
}

/// Parses JSON. Half of a surrogate pair, which JavaScript and Python write as an escape, becomes U+FFFD.
pub fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).or_else(|first| {
        if !text.contains("\\ud") && !text.contains("\\uD") {
            return Err(first.to_string());
        }
        serde_json::from_str(&without_lone_surrogates(text)).map_err(|error| error.to_string())
    })
}

fn without_lone_surrogates(text: &str) -> String {
    let unit = |at: usize| -> Option<u16> {
        let escape = text.get(at..at + 6)?;
        u16::from_str_radix(escape.strip_prefix("\\u")?, 16).ok()
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if !rest.starts_with('\\') {
            let end = rest.find('\\').unwrap_or(rest.len());
            out.push_str(&rest[..end]);
            at += end;
            continue;
        }
        match (unit(at), unit(at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => {
                out.push_str(&text[at..at + 12]);
                at += 12;
            }
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str("\\ufffd");
                at += 6;
            }
            _ => {
                // An escape is two characters at least, so `\\u` is not taken for one.
                let end = rest.char_indices().nth(2).map_or(rest.len(), |(i, _)| i);
                out.push_str(&rest[..end]);
                at += end;
            }
        }
    }
    out
}

/// A call of a `judge` request or a `trimtab judge` line.
fn call(value: &Value) -> Result<Call, String> {
    if !value.is_object() {
        return Err("the call is no object".to_string());
    }
    let text = |key: &str| value[key].as_str().filter(|s| !s.is_empty()).map(str::to_string);
    let tool = text("tool").ok_or("`tool` is missing")?;
    let config = match &value["config"] {
        Value::Null => None,
        given => Some(Layer { origin: Origin::Call, content: Content::Value(given.clone()) }),
    };
    let (cwd, root) = (text("cwd").or_else(|| text("root")), text("root"));
    let sheet = match &value["facts"] {
        Value::Null => None,
        facts => Some(Sheet::new(facts.clone(), cwd.as_deref(), root.as_deref())),
    };
    let context = if value["context"].is_null() { &value["facts"]["context"] } else { &value["context"] };
    let event = value["event"].as_str().unwrap_or("PreToolUse");
    let after = event == "PostToolUse";
    let shown = after.then(|| shown(&value["result"]));
    Ok(Call {
        input: if after || event == "PreToolUse" { input(&tool, &value["input"]) } else { Input::Other },
        words: if after { words(&tool, &value["input"]) } else { String::new() },
        shown,
        answers: value["answers"] == true,
        window: context["window"].as_u64(),
        cwd,
        session: text("session"),
        agent: text("agent").unwrap_or_default(),
        config,
        sheet,
        fill: fill(context),
        alone: false,
    })
}

/// A call in its own words.
pub fn words(tool: &str, input: &Value) -> String {
    format!("{tool} {input}")
}

/// A result: its figures, where the host counted them, else the result as the client records it.
pub fn shown(result: &Value) -> Shown {
    let mut shown = Shown {
        failed: result["failed"] == true || result["interrupted"] == true,
        unchanged: result["unchanged"] == true || result["type"] == "file_unchanged",
        kept: result["kept"].as_str().map(str::to_string),
        ..Shown::default()
    };
    if let Some(chars) = result["chars"].as_u64() {
        (shown.chars, shown.lines) = (chars, result["lines"].as_u64().unwrap_or(0));
        // In the place of what it saved the client shows a preview (2.1.332).
        if result["head"].as_str().is_some_and(|head| head.starts_with("<persisted-output>")) {
            shown.saved = true;
            shown.chars = shown.chars.max(crate::size::BASH_MAX_CHARS + 1);
        }
        return shown;
    }
    let texts = [result, &result["stdout"], &result["content"], &result["file"]["content"]];
    if let Some(text) = texts.iter().find_map(|value| value.as_str()) {
        (shown.chars, shown.lines) = (text.chars().count() as u64, text.matches('\n').count() as u64);
    } else if let Some(names) = result["filenames"].as_array() {
        shown.lines = names.len() as u64;
        shown.chars = names.iter().filter_map(Value::as_str).map(|name| name.len() as u64 + 1).sum();
    } else if let Some(blocks) = result.as_array().or(result["content"].as_array()) {
        let texts = || blocks.iter().filter_map(|block| block["text"].as_str());
        shown.chars = texts().map(|text| text.chars().count() as u64).sum();
        shown.lines = texts().map(|text| text.matches('\n').count() as u64).sum();
    }
    if let Some(size) = result["persistedOutputSize"].as_u64() {
        shown.saved = true;
        shown.chars = shown.chars.max(size);
    }
    shown
}

/// How full a context is, in percent.
fn fill(context: &Value) -> Option<u64> {
    let (tokens, window) = (context["tokens"].as_u64()?, context["window"].as_u64()?);
    tokens.saturating_mul(100).checked_div(window)
}

/// Lines that Read gives from an offset on, where no limit is named (the client's documentation).
const READ_PAGE_LINES: u64 = 2_000;

/// A tool's arguments. What does not fit the tool is nobody's concern.
pub fn input(tool: &str, input: &Value) -> Input {
    match tool {
        // In the background the output goes into a file.
        "Bash" | "PowerShell" if input["run_in_background"] == true => Input::Other,
        "Bash" => match input["command"].as_str() {
            Some(command) => Input::Bash { command: command.to_string() },
            None => Input::Other,
        },
        "PowerShell" => match input["command"].as_str() {
            Some(command) => Input::PowerShell { command: command.to_string() },
            None => Input::Other,
        },
        "Read" => match input["file_path"].as_str() {
            Some(path) if !path.is_empty() => {
                let limit = input["limit"].as_u64().filter(|limit| *limit > 0);
                let ranged = ["offset", "limit", "pages"].iter().any(|key| !input[*key].is_null());
                let from = input["offset"].as_u64().unwrap_or(1).max(1);
                Input::Read {
                    path: path.to_string(),
                    from,
                    to: ranged.then(|| from.saturating_add(limit.unwrap_or(READ_PAGE_LINES) - 1)),
                    ranged,
                    allow_large: input["allow_large"] == true,
                }
            }
            _ => Input::Other,
        },
        "Edit" => match (input["file_path"].as_str(), input["old_string"].as_str()) {
            (Some(path), Some(old)) if !path.is_empty() && !old.is_empty() => {
                let lines = |text: &str| text.matches('\n').count() as i64;
                let added = lines(input["new_string"].as_str().unwrap_or_default()) - lines(old);
                let added = (input["replace_all"] != true).then_some(added);
                Input::Edit { path: path.to_string(), old: old.to_string(), added }
            }
            _ => Input::Other,
        },
        "Write" => match input["file_path"].as_str() {
            Some(path) if !path.is_empty() => Input::Write { path: path.to_string() },
            _ => Input::Other,
        },
        // Without a mode it lists files.
        "Grep" if input["output_mode"] == "content" => match input["pattern"].as_str() {
            Some(pattern) if !pattern.is_empty() => {
                let text = |key: &str| input[key].as_str().filter(|text| !text.is_empty()).map(str::to_string);
                Input::Grep {
                    pattern: pattern.to_string(),
                    path: text("path"),
                    glob: text("glob"),
                    file_type: text("type"),
                    ignore_case: input["-i"] == true,
                    head_limit: input["head_limit"].as_u64().unwrap_or(250),
                }
            }
            _ => Input::Other,
        },
        _ if tool.starts_with("mcp__") && input.is_object() => {
            Input::Mcp(McpCall { tool: tool.to_string(), arguments: input.clone() })
        }
        _ => Input::Other,
    }
}

fn ask(ask: &Ask) -> Value {
    match ask {
        Ask::Condense { budget, intents } => {
            json!({"ask": "condense", "budget": budget, "intents": intents.iter().map(intent).collect::<Vec<_>>()})
        }
        Ask::Config => json!({"ask": "config"}),
        Ask::Find { path, text } => json!({"ask": "find", "path": path, "text": text}),
        Ask::Lines { path } => json!({"ask": "lines", "path": path}),
        Ask::Measure { argv, cwd, chars, .. } => json!({"ask": "measure", "argv": argv, "cwd": cwd, "chars": chars}),
        Ask::Outline { path, name } => json!({"ask": "outline", "path": path, "name": name}),
        Ask::Place => json!({"ask": "place"}),
        Ask::Script { language, text } => json!({"ask": "script", "language": language, "text": text}),
        Ask::Stat { path } => json!({"ask": "stat", "path": path}),
        Ask::State { session } => json!({"ask": "state", "session": session}),
        Ask::Text { path } => json!({"ask": "whole", "path": path}),
    }
}

/// A fact, by its fields; anything else is unknown.
fn fact(value: &Value) -> Fact {
    let text = |key: &str| value[key].as_str().map(str::to_string);
    let number = |key: &str| value[key].as_u64();
    if let Some(layers) = value["layers"].as_array() {
        return Fact::Config(layers.iter().filter_map(layer).collect());
    }
    if let (Some(chars), Some(lines), Some(complete)) = (number("chars"), number("lines"), value["complete"].as_bool())
    {
        return Fact::Measured(Measured { chars, lines, complete, measured: true });
    }
    if let Some(given) = text("given") {
        return Fact::Given(given);
    }
    if let (Some(from), Some(to)) = (number("from"), number("to")) {
        return Fact::Found { from, to };
    }
    if let Some(lines) = number("lines") {
        return Fact::Lines(lines);
    }
    if let (Some(cwd), Some(root)) = (text("cwd"), text("root")) {
        return Fact::Place(Place { cwd, root, home: text("home"), start: text("start") });
    }
    if let Some(kind) = text("kind") {
        let (bytes, real) = (number("bytes").unwrap_or(0), text("real").unwrap_or_default());
        let kind = match kind.as_str() {
            "dir" => FileKind::Dir,
            "file" => FileKind::File,
            "none" => FileKind::None,
            _ => FileKind::Other,
        };
        // The client tells parts of a millisecond.
        let mtime = value["mtime"].as_f64().unwrap_or(0.0) as u64;
        return Fact::Stat { kind, bytes, real, mtime };
    }
    if let Some(script) = value.get("script") {
        return Script::deserialize(script).map_or(Fact::Unknown, Fact::Script);
    }
    match value.get("state") {
        Some(state) => Fact::State(state.as_str().map(str::to_string)),
        None => Fact::Unknown,
    }
}

fn layer(value: &Value) -> Option<Layer> {
    let origin = Origin::of(value["from"].as_str()?)?;
    let content = if let Some(text) = value["text"].as_str() {
        Content::Text(text.to_string())
    } else if let Some(code) = value["error"].as_str() {
        Content::Unreadable(code.to_string())
    } else {
        Content::Value(value.get("value")?.clone())
    };
    Some(Layer { origin, content })
}

fn effect(effect: &Effect) -> Value {
    match effect {
        Effect::Record { code, detail: Some(detail) } => json!({"effect": "record", "code": code, "detail": detail}),
        Effect::Record { code, detail: None } => json!({"effect": "record", "code": code}),
        Effect::Save { session, state } => {
            json!({"effect": "save", "session": session, "state": state})
        }
    }
}

fn outcome(outcome: &Outcome, with_intents: bool) -> Value {
    let mut done = Map::new();
    done.insert("verdict".into(), json!(outcome.verdict.name()));
    done.insert("why".into(), json!(outcome.why.code()));
    if let Some(rule) = outcome.rule {
        done.insert("rule".into(), json!(rule.id));
        done.insert("kind".into(), json!(rule.kind()));
    }
    if let Some(text) = &outcome.text {
        done.insert("text".into(), json!(text));
    }
    if let Some(input) = &outcome.input {
        done.insert("input".into(), input.clone());
    }
    if let Some(tool) = &outcome.tool {
        done.insert("tool".into(), json!(tool));
    }
    if let Some(saves) = &outcome.saves {
        let basis = match saves.basis {
            Basis::Estimated => "estimated",
            Basis::Measured => "measured",
        };
        done.insert("saves".into(), json!({"tokens": saves.tokens, "basis": basis}));
    }
    if with_intents {
        done.insert("intents".into(), outcome.intents.iter().map(intent).collect());
    }
    Value::Object(done)
}

fn intent(intent: &Intent) -> Value {
    match intent {
        Intent::Diff(out) => {
            json!({"kind": "diff", "bounded": out.bounded, "piped": out.piped, "writes": out.writes})
        }
        Intent::Install { manager, packages } => {
            json!({"kind": "install", "manager": manager, "packages": packages})
        }
        Intent::List { names, roots, out } => {
            json!({"kind": "list", "names": names, "roots": roots, "bounded": out.bounded, "piped": out.piped, "writes": out.writes})
        }
        Intent::Log(out) => {
            json!({"kind": "log", "bounded": out.bounded, "piped": out.piped, "writes": out.writes})
        }
        Intent::Read(read) => json!({
            "kind": "read", "path": read.path, "from": read.from, "to": read.to, "whole": read.whole,
            "piped": read.out.piped, "writes": read.out.writes,
        }),
        Intent::Search(search) => json!({
            "kind": "search", "patterns": search.patterns, "shape": search.shape.name(), "fixed": search.fixed,
            "ignore_case": search.ignore_case, "scope": search.scope, "globs": search.globs, "recursive": search.recursive,
            "feeds_edit": search.feeds_edit, "piped": search.out.piped, "writes": search.out.writes, "bounded": search.out.bounded,
        }),
        Intent::Test { runner, .. } => json!({"kind": "test", "runner": runner}),
        Intent::Unread { text } => json!({"kind": "unread", "text": text}),
    }
}
