//! Whether now is a good moment for a compaction. Before one that the client starts by itself it can be asked to wait (`compaction.wait`).
//!
//! A good moment is one at which all four hold:
//! - closed: nothing was edited since the last commit, or since the last task that was ticked off;
//! - progress: since the last compaction something was edited, committed, ticked off or mended;
//! - reducible: at least half of what results weigh is older than the last answer, so what goes away has been used;
//! - not stuck: nothing that failed in the last ten turns has failed twice without success since.
//!
//! What happened counts. The person may add words (`compaction.closed` and so on) by which the model's last text says any of the four.
//!
//! Invariant: only an automatic compaction waits, at most [`MOST`] times in a session, never from [`CEILING_PERCENT`] on, with what
//! came since the last request, and never where the context or the window is not known. Command hooks never make one wait.

use crate::config::Config;
use crate::moment::{Kept, Size};

/// Postponements of a session.
pub const MOST: u32 = 2;
/// Of the window: above this the next answer may not fit any more.
const CEILING_PERCENT: u64 = 95;

/// Words for each of the four.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    pub closed: Vec<String>,
    pub progress: Vec<String>,
    pub reducible: Vec<String>,
    pub stuck: Vec<String>,
}

/// Why the compaction should wait, for the person to read; `None` = it should not.
pub fn reason_to_wait(kept: &Kept, config: &Config, size: Size) -> Option<&'static str> {
    let is_known = size.tokens.is_some() && size.window.is_some() && !kept.feed.is_behind();
    let next = Size { tokens: size.tokens.map(|tokens| tokens.saturating_add(kept.figures.unsent())), ..size };
    if !config.is_enabled || !config.is_waiting || !is_known || next.is_at_least(CEILING_PERCENT) {
        return None;
    }
    let (task, words) = (&kept.task, &config.words);
    let says = |words: &[String]| words.iter().any(|word| has_word(&task.said, word));
    if task.is_stuck(kept.figures.turns) || says(&words.stuck) {
        Some("the same thing has failed again")
    } else if task.is_unit_open && !says(&words.closed) {
        Some("something was edited and is neither committed nor ticked off")
    } else if !task.has_progress && !says(&words.progress) {
        Some("nothing was finished since the last one")
    } else if !kept.figures.is_reducible() && !says(&words.reducible) {
        Some("what was read last has not been used yet")
    } else {
        None
    }
}

/// True where the word stands by itself, in any case.
fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    let mut places = text.match_indices(&word);
    places.any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !word.is_empty() && ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_by_itself() {
        for (text, word, expect) in [
            ("All is DONE.", "done", true),
            ("It is undone, and doneness is all.", "done", false),
            ("Undone at first, then done", "done", true),
            ("the same error, again", "same error", true),
            ("äfertig", "fertig", false),
            ("x", "", false),
        ] {
            assert_eq!(has_word(text, word), expect, "{text} {word}");
        }
    }
}
