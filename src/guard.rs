//! Guards around what an agent was never shown: a Write over a file of which it saw a part, an Edit of such a part.
//!
//! What was shown is known from the calls themselves: a whole read clears a file, an outline or a range opens an entry
//! (`state`). A file without an entry is nobody's concern here.
//! Invariant: never speaks of a file that another program changed since its outline, or where a fact could not be told. Once
//! the agent itself edited it, a change by another is not noticed any more.

use crate::config::{Config, Mode};
use crate::core::Input;
use crate::fact::{Ask, Fact, FileKind, name_of};
use crate::size::{READ_MAX_BYTES, grouped};
use crate::state::{Moved, Session};

/// What a guard says of a call.
#[derive(Debug, PartialEq)]
pub enum Guard {
    Nothing,
    /// Lines that were shown are edited.
    Edits(Moved),
    /// What was known of the file holds no longer.
    Forget,
    Says {
        rule: &'static str,
        refuses: bool,
        text: String,
        /// The read that shows it, and the file's real path.
        tool: String,
        real: String,
        /// What the edit moves, if it runs.
        moved: Option<Moved>,
    },
}

/// The file that a call changes, if it is one that a guard could concern.
pub fn changed(input: &Input) -> Option<&str> {
    match input {
        Input::Edit { path, .. } | Input::Write { path } => Some(path),
        _ => None,
    }
}

/// Whether the agent saw what the call replaces. `Err`: what is asked for first.
pub fn judge(
    input: &Input,
    agent: &str,
    config_of: &dyn Fn(&'static str) -> Config,
    memory: &Session,
    facts: &dyn Fn(&Ask) -> Option<Fact>,
) -> Result<Guard, Vec<Ask>> {
    let Some(path) = changed(input) else { return Ok(Guard::Nothing) };
    let Some(seen) = memory.seen_part(agent, path) else { return Ok(Guard::Nothing) };
    let rule = if matches!(input, Input::Write { .. }) { "unseen-write" } else { "unseen-edit" };
    let config = config_of(rule);
    if !config.enabled || config.mode == Mode::Off {
        return Ok(Guard::Nothing);
    }
    let need = |ask: Ask| facts(&ask).ok_or_else(|| vec![ask]);
    let stat = need(Ask::Stat { path: path.to_string() })?;
    let Fact::Stat { kind: FileKind::File, bytes, mtime, real } = stat else {
        return Ok(Guard::Forget);
    };
    if bytes == 0 || seen.mtime != 0 && mtime != 0 && seen.mtime != mtime {
        return Ok(Guard::Forget);
    }
    let name = name_of(path);
    // The client wants that said for a file of this size (2.1.332).
    let more = if bytes > READ_MAX_BYTES { ", allow_large=true" } else { "" };
    let whole = format!("Read(file_path=\"{path}\"{more})");
    if let Input::Edit { old, added, .. } = input {
        let Fact::Found { from, to } = need(Ask::Find { path: path.to_string(), text: old.clone() })? else {
            // The client refuses what it does not find once, unless it is to change each place.
            return Ok(if added.is_some() { Guard::Nothing } else { Guard::Forget });
        };
        let Some(by) = *added else { return Ok(Guard::Forget) };
        let moved = Moved { from, to, by };
        if seen.ranges.iter().any(|(first, last)| *first <= from && to <= *last) {
            return Ok(Guard::Edits(moved));
        }
        let lines = if from == to { format!("line {from}") } else { format!("lines {from} to {to}") };
        let range = format!("Read(file_path=\"{path}\", offset={from}, limit={})", to - from + 1);
        return Ok(Guard::Says {
            rule,
            refuses: config.mode == Mode::Strict,
            text: format!(
                "This edit changes {lines} of `{name}`, which this session has not shown; `{range}` shows them."
            ),
            tool: range,
            real,
            moved: Some(moved),
        });
    }
    let Fact::Lines(newlines) = need(Ask::Lines { path: path.to_string() })? else {
        return Ok(Guard::Nothing);
    };
    let lines = newlines.max(1);
    if seen.ranges.iter().any(|(first, last)| *first <= 1 && *last >= lines) {
        return Ok(Guard::Forget);
    }
    let shown: u64 = seen.ranges.iter().map(|(first, last)| last.min(&lines).saturating_sub(first - 1)).sum();
    let part = match shown {
        0 => "an outline".to_string(),
        shown => format!("{} of them", grouped(shown)),
    };
    Ok(Guard::Says {
        rule,
        refuses: true,
        text: format!(
            "`{name}` has {} lines, and this session has shown {part}; a Write would replace them all. `{whole}` opens the rest, then the Write runs.",
            grouped(lines)
        ),
        tool: whole,
        real,
        moved: None,
    })
}
