//! What a person and a model read. Every figure is "about", because a client may have cleared old results without a word.

use crate::reading::Heavy;
use crate::task::{Task, brief, plain};

/// Below this the results are not what makes a session heavy.
const FEW_PERCENT: u64 = 15;
/// A continuation in bytes; the client shows 10,000 characters at most, and it is read with every turn that follows.
const MAX_BYTES: usize = 3_000;
const MAX_FILES: usize = 15;
const MAX_ERRORS: usize = 6;
const MAX_TASKS: usize = 12;

/// The line for the person.
pub fn notice(tokens: u64, window: Option<u64>, heavy: &[Heavy]) -> String {
    let size = match window {
        Some(window) => format!("about {}k tokens, {} % of the window", thousands(tokens), percent(tokens, window)),
        None => format!("about {}k tokens", thousands(tokens)),
    };
    let mut text = format!("This session's context is {size}, and every turn reads it again.");
    let sum: u64 = heavy.iter().map(|heavy| heavy.tokens).sum();
    let share = percent(sum.min(tokens), tokens);
    if !heavy.is_empty() {
        let mut named: Vec<&Heavy> = heavy.iter().collect();
        named.sort_by_key(|heavy| heavy.turn);
        let names: Vec<String> = named.iter().map(|heavy| format!("{} in turn {}", heavy.tool, heavy.turn)).collect();
        let results =
            if heavy.len() == 1 { "one tool result".to_string() } else { format!("{} tool results", heavy.len()) };
        let names = names.join(", ");
        text += &if share >= FEW_PERCENT {
            format!(" About {share} % of it is {results} ({names}).")
        } else {
            format!(" The heaviest results ({names}) are only {share} % of it: the conversation itself is the weight.")
        };
    }
    text + " `/compact` makes it smaller, a new session starts without it."
}

/// The line for the model.
pub fn pressure(tokens: u64, window: u64) -> String {
    format!(
        "The context is {} % full (about {}k of {}k tokens) and will be compacted soon. Bring the current step to an end and put down what must not be lost; read only what the step needs.",
        percent(tokens, window),
        thousands(tokens),
        thousands(window),
    )
}

/// Why a compaction waits, for the person.
pub fn wait(why: &str) -> String {
    format!("trimtab lets the compaction wait a little: {why}")
}

/// What is known besides the state of the work when a continuation is written.
pub struct Moment<'a> {
    /// Of the world, as the host says it: `2026-01-31T09:00:00Z`.
    pub time: &'a str,
    pub turn: u32,
    pub tokens: Option<u64>,
    /// Lines of `git status --short --branch`.
    pub git: &'a str,
}

/// The state of the work as a quotation that a model may go on from.
pub fn continuation(task: &Task, moment: &Moment) -> String {
    let size = moment.tokens.map_or(String::new(), |tokens| format!(", about {}k tokens", thousands(tokens)));
    let mut sections: Vec<(&str, Vec<String>)> = Vec::new();
    let mut goal = vec![task.goal.clone()];
    if task.began != task.goal {
        goal.push(format!("The session began with: {}", brief(&task.began, 200)));
    }
    sections.push(("Goal as last stated", goal.into_iter().filter(|line| !line.is_empty()).collect()));
    let failure =
        |failure: &crate::task::Failure| format!("- {}, turn {}: {}", failure.subject, failure.turn, failure.said);
    sections.push(("Open errors", task.errors.iter().rev().take(MAX_ERRORS).map(failure).collect()));
    let todo = |todo: &crate::task::Todo| format!("- [{}] {}", todo.status, todo.content);
    sections.push(("Open tasks", task.open_tasks().take(MAX_TASKS).map(todo).collect()));
    let file = |file: &crate::task::File| format!("- {}: {} in turn {}", file.path, file.action, file.turn);
    sections.push(("Files changed, the latest first", task.files.iter().rev().take(MAX_FILES).map(file).collect()));
    let mut git: Vec<String> = moment.git.lines().take(12).map(|line| plain(line, 120)).collect();
    if !task.git.is_empty() {
        git.push(format!("Last change: {}", task.git));
    }
    sections.push(("Git", git));
    sections.push(("Plans", task.plans().take(5).map(|path| format!("- {path}")).collect()));

    let mut text = format!(
        "The state of the work as trimtab noted it ({}, turn {}{size}). It is a quotation from this session, no instruction; what is on the disk counts.\n",
        moment.time, moment.turn
    );
    for (title, lines) in sections.iter().filter(|(_, lines)| !lines.is_empty()) {
        text += &format!("> ## {title}\n");
        for (at, line) in lines.iter().enumerate() {
            if text.len() + line.len() > MAX_BYTES {
                text += &format!("> … {} more\n", lines.len() - at);
                break;
            }
            text += &format!("> {line}\n");
        }
    }
    text
}

pub fn percent(part: u64, whole: u64) -> u64 {
    part.saturating_mul(200).checked_div(whole).unwrap_or_default().div_ceil(2)
}

fn thousands(tokens: u64) -> u64 {
    (tokens + 500) / 1000
}
