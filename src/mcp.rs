//! Calls of MCP tools that the person named: paths that would be taken from another checkout, and results without a bound.
//!
//! A server stays where the session began. When the session works in another checkout, a relative path names another
//! file there, silently, and an answer on the whole tree is one on another branch.
//!
//! Invariants: every field of the call is kept, and only a relative path is changed of what was given; a changed call
//! carries no permission decision; nothing is said where the server and the session share a checkout, and a path that
//! leads to nothing in the session's own stays as it is.

use serde_json::{Value, json};

use crate::config::{Config, Mode};
use crate::fact::{Ask, Fact, FileKind, Place, slashes};
use crate::shell::joined;

/// The rules that these calls are judged by.
pub const CHECKOUT: &str = "other-checkout";
pub const UNCAPPED: &str = "uncapped-result";

/// Tools that show the one file that they name, so that a path put right says it all.
const OF_ONE_FILE: [&str; 8] = [
    "read_diff",
    "read_for_edit",
    "read_range",
    "read_section",
    "read_symbol",
    "read_symbols",
    "smart_read",
    "smart_read_many",
];
/// Folders that are looked at for a checkout, upwards.
const MAX_DEPTH: usize = 40;

/// A call of an MCP tool.
#[derive(Clone, Debug, PartialEq)]
pub struct McpCall {
    /// `mcp__<server>__<tool>`.
    pub tool: String,
    /// An object.
    pub arguments: Value,
}

/// What is made of a call.
#[derive(Debug, Default, PartialEq)]
pub struct Change {
    /// The first rule that has something to say.
    pub rule: Option<&'static str>,
    /// All arguments, where one of them is another now.
    pub arguments: Option<Value>,
    /// What the model is to know of it.
    pub note: String,
}

/// Looks at a call. `Err`: what is asked for first.
pub fn judge(
    call: &McpCall,
    config_of: &dyn Fn(&'static str) -> Config,
    facts: &dyn Fn(&Ask) -> Option<Fact>,
) -> Result<Change, Vec<Ask>> {
    let mut change = Change::default();
    let tool = call.tool.rsplit("__").next().unwrap_or_default();
    let config = config_of(CHECKOUT);
    if config.enabled && config.mode != Mode::Off {
        other_checkout(call, tool, config.mode, facts, &mut change)?;
    }
    let config = config_of(UNCAPPED);
    // A guard stays where economy rules are let pass.
    if config.enabled && !config.bypass && config.mode == Mode::Strict {
        uncapped(call, tool, &mut change);
    }
    Ok(change)
}

fn other_checkout(
    call: &McpCall,
    tool: &str,
    mode: Mode,
    facts: &dyn Fn(&Ask) -> Option<Fact>,
    change: &mut Change,
) -> Result<(), Vec<Ask>> {
    let Fact::Place(Place { cwd, root, start, .. }) = facts(&Ask::Place).ok_or_else(|| vec![Ask::Place])? else {
        return Ok(());
    };
    let (session, server) = (slashes(&cwd), slashes(start.as_ref().unwrap_or(&root)));
    if session == server {
        return Ok(());
    }
    let folders = [folders(&session), folders(&server)];
    let signs: Vec<Ask> = folders.iter().flatten().map(|folder| sign(folder)).collect();
    let missing: Vec<Ask> = signs.into_iter().filter(|ask| facts(ask).is_none()).collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    let [Some(here), Some(there)] = folders.each_ref().map(|folders| checkout(folders, facts)) else { return Ok(()) };
    if here == there {
        return Ok(());
    }
    // The same place in this checkout as the server has in its own.
    let base = joined(here, server[there.len()..].trim_start_matches('/'));
    let (one, many) = (&call.arguments["path"], call.arguments["paths"].as_array());
    let given = one.as_str().into_iter().chain(many.into_iter().flatten().filter_map(Value::as_str));
    let moved = given.filter(|path| is_relative(path)).map(|path| (path, joined(&base, &slashes(path))));
    // What leads out of a checkout is not the same there.
    let inside = moved.filter(|(_, own)| own == here || own.starts_with(&format!("{here}/")));
    let mut moved: Vec<(&str, Ask)> = inside.map(|(path, own)| (path, Ask::Stat { path: own })).collect();
    let missing: Vec<Ask> = moved.iter().map(|(_, ask)| ask.clone()).filter(|ask| facts(ask).is_none()).collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    // What is not there is no path of a file here: a server of another machine has paths of its own.
    moved.retain(|(_, ask)| matches!(facts(ask), Some(Fact::Stat { kind: FileKind::Dir | FileKind::File, .. })));
    let is_moved = !moved.is_empty();
    let mut arguments = call.arguments.clone();
    let move_path = |value: &mut Value| {
        if let Some((_, Ask::Stat { path })) = moved.iter().find(|(given, _)| *value == *given) {
            *value = json!(path);
        }
    };
    if let Some(path) = arguments.get_mut("path") {
        move_path(path);
    }
    if let Some(Value::Array(paths)) = arguments.get_mut("paths") {
        paths.iter_mut().for_each(move_path);
    }
    // Advice changes nothing.
    let moves = is_moved && mode != Mode::Advise;
    if moves {
        change.rule = Some(CHECKOUT);
        change.arguments = Some(arguments);
    }
    if !OF_ONE_FILE.contains(&tool) || is_moved && !moves {
        change.rule = Some(CHECKOUT);
        change.note = format!(
            "`{tool}` answers from `{there}`, and this session works in `{here}`{}.",
            if moves { "; its relative paths were taken from there" } else { ", where the same file may be another" }
        );
    }
    Ok(())
}

fn uncapped(call: &McpCall, tool: &str, change: &mut Change) {
    let (name, cap) = match tool {
        "explore_area" => ("include", json!(["outline"])),
        "find_usages" => ("mode", json!("list")),
        "smart_log" => ("count", json!(20)),
        "smart_read" => ("max_tokens", json!(2_000)),
        _ => return,
    };
    if !call.arguments[name].is_null() {
        return;
    }
    let said = format!(
        "`{name}` was set to `{cap}`, because the call named none; a call that names it gets what it asks for."
    );
    change.rule.get_or_insert(UNCAPPED);
    change.arguments.get_or_insert_with(|| call.arguments.clone())[name] = cap;
    change.note = [change.note.as_str(), &said].join(" ").trim_start().to_string();
}

/// A path and the folders that it lies in, itself first.
fn folders(path: &str) -> Vec<&str> {
    let mut all = vec![path];
    all.extend(path.rmatch_indices('/').map(|(at, _)| &path[..at]).filter(|folder| !folder.is_empty()));
    all.truncate(MAX_DEPTH);
    all
}

fn sign(folder: &str) -> Ask {
    Ask::Stat { path: format!("{folder}/.git") }
}

/// The nearest folder that is a checkout; a linked worktree has a file for a sign. `None`: there is none, or nobody can tell.
fn checkout<'a>(folders: &[&'a str], facts: &dyn Fn(&Ask) -> Option<Fact>) -> Option<&'a str> {
    for folder in folders {
        match facts(&sign(folder))? {
            Fact::Stat { kind: FileKind::Dir | FileKind::File, .. } => return Some(folder),
            Fact::Stat { kind: FileKind::None, .. } => {}
            _ => return None,
        }
    }
    None
}

fn is_relative(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    !(path.is_empty() || path.starts_with(['/', '\\', '~']) || drive || path.contains("://"))
}
