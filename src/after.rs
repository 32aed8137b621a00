//! After a call: whether something smaller is put in the place of its result.
//!
//! The result is there and its size is known, so nothing is guessed, nothing was refused, and no turn is lost. A whole
//! read of a large source file becomes its outline; any other result above the budget is condensed. What is smaller is
//! made by the host's packs; here it is decided whether it is used.
//!
//! Invariants: a failed result is left alone; a result comes whole the second time; a ranged read is never touched.

use crate::config::{Config, MIN_ANSWER_CHARS, Mode};
use crate::core::{Call, Input};
use crate::fact::{Ask, Fact, FileKind, slashes};
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
    /// Whether the client refused a Read for the size of its file, by its own words (2.1.277 to 2.1.332).
    fn was_too_large(&self) -> bool {
        self.failed && self.kept.as_deref().is_some_and(|kept| kept.starts_with("File content ("))
    }

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

/// A result that is judged, with what is known of it.
pub struct Judging<'a> {
    pub call: &'a Call,
    pub shown: &'a Shown,
    pub intents: &'a [Intent],
    /// The configuration for a rule.
    pub config_of: &'a dyn Fn(&'static str) -> Config,
    pub memory: &'a Session,
    pub facts: &'a dyn Fn(&Ask) -> Option<Fact>,
}

/// What the disk says of a source file.
enum Source {
    Is { name: String, bytes: u64, mtime: u64 },
    Not(Why),
}

impl Judging<'_> {
    /// What becomes of the result. `Err`: what is asked for first.
    pub fn judge(&self) -> Result<After, Vec<Ask>> {
        let shown = self.shown;
        if self.memory.is_volatile() {
            // What was given once could not be told from what comes again.
            return Ok(After::Leave(Why::UnknownFact));
        }
        if shown.chars < MIN_ANSWER_CHARS && !(shown.saved || shown.unchanged || shown.was_too_large()) {
            return Ok(After::Leave(Why::NotConcerned));
        }
        match &self.call.input {
            Input::Read { ranged: false, allow_large: false, path, .. } if !rules::is_saved_output(path) => {
                self.judge_read(path)
            }
            Input::Read { ranged, allow_large, .. } if *ranged || *allow_large => Ok(After::Leave(Why::NotConcerned)),
            _ => self.judge_output(),
        }
    }

    fn judge_read(&self, path: &str) -> Result<After, Vec<Ask>> {
        let (shown, config) = (self.shown, (self.config_of)(READ));
        let is_long = shown.failed || is_large(shown, &config);
        if !config.is_source(path) || !(is_long || shown.unchanged) || shown.failed && !shown.was_too_large() {
            return Ok(After::Leave(Why::NotConcerned));
        }
        if !is_on(&config) {
            return Ok(After::Leave(Why::Off));
        }
        let subject = outline_of(path);
        if self.memory.was_refused(&self.call.agent, &subject) {
            if !shown.unchanged {
                return Ok(After::Again { subject });
            }
            // "Unchanged since your last Read" would send the agent back to what it never saw.
            return Ok(match self.need(Ask::Text { path: path.to_string() })? {
                Fact::Given(text) => After::Replace { rule: READ, why: Why::Insisted, text, subject, outlined: None },
                _ => After::Leave(Why::UnknownFact),
            });
        }
        if shown.unchanged {
            return Ok(After::Leave(Why::NotConcerned));
        }
        if !shown.failed && size::tokens(shown.chars) < config.min_tokens {
            return Ok(After::Leave(Why::Cheap));
        }
        let (name, bytes, mtime) = match self.source(path, &config)? {
            Source::Is { name, bytes, mtime } => (name, bytes, mtime),
            Source::Not(why) => return Ok(After::Leave(why)),
        };
        if shown.failed && bytes <= size::READ_MAX_BYTES {
            return Ok(After::Leave(Why::NotConcerned));
        }
        let Fact::Given(outline) = self.need(Ask::Outline { path: path.to_string(), name })? else {
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
        let outlined = Some((path.to_string(), mtime));
        Ok(After::Replace { rule: READ, why: Why::LargeFile, text, subject, outlined })
    }

    fn judge_output(&self) -> Result<After, Vec<Ask>> {
        let (shown, config) = (self.shown, (self.config_of)(OUTPUT));
        let printed = self.printed_source();
        // In the place of a preview: room for more than that, and not for much more.
        let budget = if shown.saved { SAVED_BUDGET } else { budget(&config, self.call.window) };
        if shown.failed || shown.chars <= budget && printed.is_none() {
            return Ok(After::Leave(Why::NotConcerned));
        }
        if !is_on(&config) {
            return Ok(After::Leave(Why::Off));
        }
        let subject = match self.intents {
            [Intent::Read(read)] => outline_of(&read.path),
            _ => format!("result:{}", self.call.words),
        };
        if self.memory.was_refused(&self.call.agent, &subject) {
            return Ok(After::Again { subject });
        }
        let (mut budget, mut outlined) = (budget, None);
        if let Some((path, config)) = printed {
            match self.source(path, &config)? {
                Source::Is { mtime, .. } => (budget, outlined) = (shown.chars / 2, Some((path.to_string(), mtime))),
                Source::Not(Why::Ignored) => return Ok(After::Leave(Why::Ignored)),
                Source::Not(why) if shown.chars <= budget => return Ok(After::Leave(why)),
                Source::Not(_) => {}
            }
        }
        let Fact::Given(text) = self.need(Ask::Condense { budget, intents: self.intents.to_vec() })? else {
            return Ok(After::Leave(Why::Doubt));
        };
        Ok(After::Replace { rule: OUTPUT, why: Why::LargeOutput, text, subject, outlined })
    }

    /// The large source file that the output is, printed whole, and the configuration for a Read of it.
    fn printed_source(&self) -> Option<(&str, Config)> {
        let [Intent::Read(read)] = self.intents else { return None };
        let config = (self.config_of)(READ);
        let is_whole =
            read.whole && !read.vague && read.out.is_open() && !matches!(self.call.input, Input::Read { .. });
        let is_dear = is_large(self.shown, &config) && size::tokens(self.shown.chars) >= config.min_tokens;
        (is_whole && is_dear && is_on(&config) && config.is_source(&read.path)).then_some((&read.path, config))
    }

    fn source(&self, path: &str, config: &Config) -> Result<Source, Vec<Ask>> {
        let at = match &self.call.cwd {
            Some(cwd) => joined(cwd, path),
            None => path.to_string(),
        };
        let asks = [Ask::Place, Ask::Stat { path: at }];
        let [Some(place), Some(stat)] = asks.each_ref().map(|ask| (self.facts)(ask)) else {
            return Err(asks.into_iter().filter(|ask| (self.facts)(ask).is_none()).collect());
        };
        let (Fact::Place(place), Fact::Stat { kind, bytes, real, mtime }) = (place, stat) else {
            return Ok(Source::Not(Why::UnknownFact));
        };
        if kind != FileKind::File {
            return Ok(Source::Not(Why::NotConcerned));
        }
        Ok(match place.below(&real) {
            None => Source::Not(Why::Outside),
            Some(name) if config.ignores(&name) => Source::Not(Why::Ignored),
            Some(name) => Source::Is { name, bytes, mtime },
        })
    }

    fn need(&self, ask: Ask) -> Result<Fact, Vec<Ask>> {
        (self.facts)(&ask).ok_or_else(|| vec![ask])
    }
}

/// The rules that results are judged by.
const READ: &str = "whole-file-read";
const OUTPUT: &str = "large-result";

/// Whether results are replaced at all.
fn is_on(config: &Config) -> bool {
    config.enabled && !config.bypass && matches!(config.mode, Mode::Answer | Mode::Strict)
}

fn is_large(shown: &Shown, config: &Config) -> bool {
    shown.lines >= config.large_lines || shown.chars >= config.large_bytes
}

/// Characters that the pack takes half of, for what the client saved.
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

/// What is remembered of a file that was outlined: its name and its folder's, because a shell names it from where it stands.
pub fn outline_of(path: &str) -> String {
    let path = joined("", &slashes(path));
    let start = path.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
    format!("outline:{}", path[start..].trim_start_matches('/'))
}

/// Rules whose calls run where their results can be replaced.
pub fn waits_for_result(rule: &rules::Rule) -> bool {
    !rule.is_guard && !rule.advises_only && !rule.takes_long
}
