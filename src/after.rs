//! After a call: whether something smaller is put in the place of its result.
//!
//! The result is there and its size is known, so nothing is guessed, nothing was refused, and no turn is lost. A whole
//! read of a large source file becomes its outline; any other result above the budget is condensed. What is smaller is
//! made by the host's packs; here it is decided whether it is used.
//!
//! Invariants: a failed result is left alone; a result comes whole the second time; a ranged read is never touched.

use crate::config::{Config, Mode};
use crate::core::{Call, Input};
use crate::fact::{Ask, Fact, FileKind, Place, slashes};
use crate::intent::Intent;
use crate::outcome::Why;
use crate::rules;
use crate::shell::joined;
use crate::size;
use crate::state::Session;

/// A context window from here on has room for larger results, in tokens.
const LARGE_WINDOW: u64 = 1_000_000;
/// What is put in its place must spare two thirds of an outlined file and a third of any other result.
const OUTLINE_SHARE: u64 = 3;

/// A result, as the client is about to show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    pub chars: u64,
    pub lines: u64,
    pub failed: bool,
    /// The client saved it because it was large, and shows a preview.
    pub saved: bool,
    /// The client says only that the file is what it was (2.1.277 and 2.1.287).
    pub unchanged: bool,
    /// The client's own words stand before what is added, because they are an error that stays one.
    pub kept: Option<String>,
}

impl Shown {
    /// Tokens that the client would show of it.
    pub fn tokens(&self) -> u64 {
        if self.saved { size::bash_shown(size::BASH_MAX_CHARS + 1) } else { size::tokens(self.chars) }
    }
}

/// What is to be done with a result.
#[derive(Debug, PartialEq)]
pub enum After {
    /// The same was made smaller before, and now comes whole.
    Again {
        subject: String,
    },
    Leave(Why),
    Replace {
        rule: &'static str,
        why: Why,
        text: String,
        /// Remembered: the same comes whole the next time.
        subject: String,
        /// The file of which only an outline was shown, as the call names it, with its size and time of change.
        outlined: Option<(String, u64)>,
    },
}

type Facts<'a> = dyn Fn(&Ask) -> Option<Fact> + 'a;

/// What becomes of `shown`. `Err`: what is asked for first.
pub fn judge(
    call: &Call,
    shown: &Shown,
    intents: &[Intent],
    config_of: &dyn Fn(&'static str) -> Config,
    memory: &Session,
    facts: &Facts,
) -> Result<After, Vec<Ask>> {
    if memory.is_volatile() {
        // What was given once could not be told from what comes again.
        return Ok(After::Leave(Why::UnknownFact));
    }
    match &call.input {
        Input::Read { ranged: false, path, .. } if rules::is_saved_output(path) => {
            let config = config_of("large-result");
            judge_output(call, shown, intents, (&config, budget(&config, call.window)), memory, facts)
        }
        Input::Read { ranged: false, allow_large: false, path, .. } => {
            judge_read(call, shown, path, &config_of("whole-file-read"), memory, facts)
        }
        Input::Read { .. } => Ok(After::Leave(Why::NotConcerned)),
        _ => {
            let config = config_of("large-result");
            let budget = match printed_source(intents, &config_of("whole-file-read"), shown) {
                true => MIN_BUDGET.max(shown.chars / 2),
                // In the place of a preview: room for more than that, and not for much more.
                false if shown.saved => SAVED_BUDGET,
                false => budget(&config, call.window),
            };
            judge_output(call, shown, intents, (&config, budget), memory, facts)
        }
    }
}

/// Whether results are replaced at all.
fn is_on(config: &Config) -> bool {
    config.enabled && !config.bypass && matches!(config.mode, Mode::Answer | Mode::Strict)
}

fn judge_read(
    call: &Call,
    shown: &Shown,
    path: &str,
    config: &Config,
    memory: &Session,
    facts: &Facts,
) -> Result<After, Vec<Ask>> {
    let is_long = shown.failed || shown.lines >= config.large_lines || shown.chars >= config.large_bytes;
    if !config.is_source(path) || !(is_long || shown.unchanged) {
        return Ok(After::Leave(Why::NotConcerned));
    }
    if !is_on(config) {
        return Ok(After::Leave(Why::Off));
    }
    let subject = outline_of(path);
    if memory.was_refused(&call.agent, &subject) {
        if !shown.unchanged {
            return Ok(After::Again { subject });
        }
        // "Unchanged since your last Read" would send the agent back to what it never saw.
        return Ok(match need(facts, Ask::Text { path: path.to_string() })? {
            Fact::Given(text) => {
                After::Replace { rule: "whole-file-read", why: Why::Insisted, text, subject, outlined: None }
            }
            _ => After::Leave(Why::UnknownFact),
        });
    }
    if shown.unchanged {
        return Ok(After::Leave(Why::NotConcerned));
    }
    if !shown.failed && size::tokens(shown.chars) < config.min_tokens {
        return Ok(After::Leave(Why::Cheap));
    }
    let (place, stat) = (Ask::Place, Ask::Stat { path: path.to_string() });
    let (place, stat) = both(facts, place, stat)?;
    let (Fact::Place(place), Fact::Stat { kind, bytes, real, mtime }) = (place, stat) else {
        return Ok(After::Leave(Why::UnknownFact));
    };
    if kind != FileKind::File || shown.failed && bytes <= size::READ_MAX_BYTES {
        return Ok(After::Leave(Why::NotConcerned));
    }
    if !place.holds(&real) {
        return Ok(After::Leave(Why::Outside));
    }
    if config.ignores(&below(&place, &real)) {
        return Ok(After::Leave(Why::Ignored));
    }
    let Fact::Given(outline) = need(facts, Ask::Outline { path: path.to_string(), name: below(&place, &real) })? else {
        return Ok(After::Leave(Why::UnknownFact));
    };
    let whole = if shown.failed { bytes } else { shown.chars };
    if outline.chars().count() as u64 > whole / OUTLINE_SHARE {
        return Ok(After::Leave(Why::Cheap));
    }
    let text = match &shown.kept {
        Some(kept) => format!("{kept}\n\n{outline}"),
        None => outline,
    };
    Ok(After::Replace {
        rule: "whole-file-read",
        why: Why::LargeFile,
        text,
        subject,
        outlined: Some((path.to_string(), mtime)),
    })
}

fn judge_output(
    call: &Call,
    shown: &Shown,
    intents: &[Intent],
    (config, budget): (&Config, u64),
    memory: &Session,
    facts: &Facts,
) -> Result<After, Vec<Ask>> {
    if shown.failed || shown.chars <= budget {
        return Ok(After::Leave(Why::NotConcerned));
    }
    if !is_on(config) {
        return Ok(After::Leave(Why::Off));
    }
    let subject = match intents {
        [Intent::Read(read)] => outline_of(&read.path),
        _ => format!("result:{}", call.words),
    };
    if memory.was_refused(&call.agent, &subject) {
        return Ok(After::Again { subject });
    }
    let Fact::Given(text) = need(facts, Ask::Condense { budget, intents: intents.to_vec() })? else {
        return Ok(After::Leave(Why::Doubt));
    };
    // A file that was shown in part only, as far as the words tell.
    let is_saved = matches!(&call.input, Input::Read { .. });
    let outlined = intents.iter().filter(|_| !is_saved).find_map(|intent| match intent {
        Intent::Read(read) if read.whole && read.out.is_open() && !read.vague => Some((read.path.clone(), 0)),
        _ => None,
    });
    Ok(After::Replace { rule: "large-result", why: Why::LargeOutput, text, subject, outlined })
}

/// Whether an output is a large source file, printed whole: it becomes what a Read of it would.
fn printed_source(intents: &[Intent], config: &Config, shown: &Shown) -> bool {
    let [Intent::Read(read)] = intents else { return false };
    let is_large = shown.lines >= config.large_lines || shown.chars >= config.large_bytes;
    is_large && read.whole && !read.vague && read.out.is_open() && config.is_source(&read.path)
}

/// The least that a pack is given room for, in characters; it takes half of it.
const MIN_BUDGET: u64 = 4_000;
const SAVED_BUDGET: u64 = 8_000;

/// Characters of a result that may stay as it is.
fn budget(config: &Config, window: Option<u64>) -> u64 {
    let is_large = window.is_some_and(|window| window >= LARGE_WINDOW);
    if is_large {
        config.answer_chars.saturating_mul(size::BASH_MAX_CHARS) / DEFAULT_CHARS
    } else {
        config.answer_chars
    }
}

/// The default of `answer.chars`; in a large window it is what Bash shows at most.
pub const DEFAULT_CHARS: u64 = 16_000;

fn need(facts: &Facts, ask: Ask) -> Result<Fact, Vec<Ask>> {
    facts(&ask).ok_or_else(|| vec![ask])
}

fn both(facts: &Facts, one: Ask, other: Ask) -> Result<(Fact, Fact), Vec<Ask>> {
    match (facts(&one), facts(&other)) {
        (Some(one), Some(other)) => Ok((one, other)),
        (None, Some(_)) => Err(vec![one]),
        (Some(_), None) => Err(vec![other]),
        (None, None) => Err(vec![one, other]),
    }
}

/// A real path as it is told: from the project folder.
fn below(place: &Place, real: &str) -> String {
    let (real, root) = (slashes(real), slashes(&place.root));
    match real.strip_prefix(root.trim_end_matches('/')) {
        Some(rest) => rest.trim_start_matches('/').to_string(),
        None => real,
    }
}

/// What is remembered of a file that was outlined: its name and its folder's, because a shell names it from where it stands.
pub fn outline_of(path: &str) -> String {
    let path = joined("", &slashes(path));
    let start = path.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
    format!("outline:{}", path[start..].trim_start_matches('/'))
}

/// Rules whose calls run where their results can be replaced.
pub fn waits_for_result(rule: &rules::Rule) -> bool {
    // What walks a whole disk costs time, which no smaller result gives back.
    !rule.is_guard && !rule.advises_only && rule.id != "unbounded-walk"
}
