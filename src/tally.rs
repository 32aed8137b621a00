//! What was said in a session, by rule, and what it saved: for the person, who may ask. No verdict hangs on it.
//!
//! Saved is what the client would have shown less what was said instead; what the agent asked for again, and then saw, is taken back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::outcome::Verdict;

/// Savings that can still be taken back; the oldest stay saved.
const MAX_OPEN: usize = 400;

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
pub struct Tally {
    rules: BTreeMap<String, Count>,
    /// The hash of agent and subject, the rule, and tokens.
    open: Vec<(u64, String, i64)>,
}

/// Of one rule: how often of each, and tokens.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
pub struct Count {
    pub advised: u64,
    pub answered: u64,
    pub refused: u64,
    /// Asked for again, so that nothing was spared.
    pub again: u64,
    pub saved: i64,
}

impl Tally {
    /// By the rule's id.
    pub fn rules(&self) -> &BTreeMap<String, Count> {
        &self.rules
    }

    /// Counts a verdict that cost `given` tokens.
    pub fn count(&mut self, rule: &str, verdict: Verdict, given: u64) {
        let count = self.rules.entry(rule.to_string()).or_default();
        match verdict {
            Verdict::Advise => count.advised += 1,
            Verdict::Answer => count.answered += 1,
            Verdict::Redirect => count.refused += 1,
            Verdict::Pass => {}
        }
        count.saved = count.saved.saturating_sub_unsigned(given);
    }

    /// So many tokens were not shown, as long as the agent does not ask for `subject` again.
    pub fn spare(&mut self, rule: &str, subject: u64, tokens: u64) {
        let tokens = i64::try_from(tokens).unwrap_or(i64::MAX);
        let count = self.rules.entry(rule.to_string()).or_default();
        count.saved = count.saved.saturating_add(tokens);
        self.open.push((subject, rule.to_string(), tokens));
        if self.open.len() > MAX_OPEN {
            self.open.remove(0);
        }
    }

    /// The agent sees it after all; true if something had been spared.
    pub fn take_back(&mut self, subject: u64) -> bool {
        let Some(at) = self.open.iter().position(|open| open.0 == subject) else {
            return false;
        };
        let (_, rule, tokens) = self.open.remove(at);
        let count = self.rules.entry(rule).or_default();
        (count.again, count.saved) = (count.again + 1, count.saved.saturating_sub(tokens));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_again_is_taken_back_once_and_leaves_what_was_said() {
        let mut tally = Tally::default();
        tally.spare("a", 1, 5_000);
        tally.count("a", Verdict::Answer, 300);
        assert_eq!(tally.rules()["a"], Count { answered: 1, saved: 4_700, ..Count::default() });
        assert!(tally.take_back(1));
        assert!(!tally.take_back(1));
        assert_eq!(tally.rules()["a"], Count { answered: 1, again: 1, saved: -300, ..Count::default() });
    }

    #[test]
    fn a_tally_stays_bounded() {
        let mut tally = Tally::default();
        for subject in 0..10_000 {
            tally.spare("a", subject, 1);
        }
        assert!(serde_json::to_string(&tally).unwrap().len() < 10_000);
        assert_eq!(tally.rules()["a"].saved, 10_000);
    }
}
