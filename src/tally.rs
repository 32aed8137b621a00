//! What was said in a session, by rule, and what it saved: for the person, who may ask. No verdict hangs on it.
//!
//! Saved is what the client would have shown less what was said instead; what the agent asked for again, and then saw, is taken back.
//! Kept as lists of numbers, which a memory has already: structs of their own were 20 KB more of wasm.

use serde::{Deserialize, Serialize};

use crate::outcome::Verdict;
use crate::rules::RULES;
use crate::state::hash;

/// Savings of a rule that can still be taken back; the oldest stay saved.
const MAX_OPEN: usize = 200;

/// What a number of a rule counts. No hash is as small.
const FIGURES: [&str; 6] = ["advised", "answered", "refused", "again", "spared", "given"];
const AGAIN: u64 = 3;
const SPARED: u64 = 4;
const GIVEN: u64 = 5;

/// By the hash of the rule's id: its figures, each by its place in [`FIGURES`], and what was spared by the hash of agent and subject.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(transparent)]
pub struct Tally(Vec<(u64, Vec<(u64, u64)>)>);

impl Tally {
    /// Each rule that spoke, by its id, with its figures by name. `spared` and `given` are tokens.
    pub fn rules(&self) -> impl Iterator<Item = (&'static str, impl Iterator<Item = (&'static str, u64)>)> {
        self.0.iter().filter_map(|(id, numbers)| {
            let rule = RULES.iter().find(|rule| hash(rule.id) == *id)?;
            Some((rule.id, numbers.iter().filter_map(|(what, number)| Some((*FIGURES.get(*what as usize)?, *number)))))
        })
    }

    /// Counts a verdict that cost `given` tokens.
    pub fn count(&mut self, rule: &str, verdict: Verdict, given: u64) {
        let what = match verdict {
            Verdict::Advise => 0,
            Verdict::Answer => 1,
            Verdict::Redirect => 2,
            Verdict::Pass | Verdict::Rewrite => return,
        };
        let numbers = self.of(rule);
        add(numbers, what, 1);
        add(numbers, GIVEN, given);
    }

    /// So many tokens were not shown, as long as the agent does not ask for `subject` again.
    pub fn spare(&mut self, rule: &str, subject: u64, tokens: u64) {
        let numbers = self.of(rule);
        add(numbers, SPARED, tokens);
        numbers.retain(|(what, _)| *what != subject);
        if numbers.len() >= MAX_OPEN + FIGURES.len()
            && let Some(oldest) = numbers.iter().position(|(what, _)| *what >= FIGURES.len() as u64)
        {
            numbers.remove(oldest);
        }
        numbers.push((subject, tokens));
    }

    /// The agent sees it after all; true if something had been spared.
    pub fn take_back(&mut self, subject: u64) -> bool {
        for (_, numbers) in &mut self.0 {
            if let Some(at) = numbers.iter().position(|(what, _)| *what == subject) {
                let (_, tokens) = numbers.remove(at);
                add(numbers, AGAIN, 1);
                if let Some(spared) = numbers.iter_mut().find(|(what, _)| *what == SPARED) {
                    spared.1 = spared.1.saturating_sub(tokens);
                }
                return true;
            }
        }
        false
    }

    fn of(&mut self, rule: &str) -> &mut Vec<(u64, u64)> {
        let id = hash(rule);
        let at = self.0.iter().position(|(known, _)| *known == id).unwrap_or_else(|| {
            self.0.push((id, Vec::new()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }
}

fn add(numbers: &mut Vec<(u64, u64)>, what: u64, more: u64) {
    match numbers.iter_mut().find(|(known, _)| *known == what) {
        Some((_, number)) => *number = number.saturating_add(more),
        None => numbers.push((what, more)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(tally: &Tally) -> Vec<(&str, u64)> {
        tally.rules().flat_map(|(_, figures)| figures).collect()
    }

    #[test]
    fn what_is_asked_for_again_is_taken_back_once_and_leaves_what_was_said() {
        let mut tally = Tally::default();
        tally.spare("large-result", hash("a"), 5_000);
        tally.count("large-result", Verdict::Answer, 300);
        assert_eq!(figures(&tally), [("spared", 5_000), ("answered", 1), ("given", 300)]);
        assert!(tally.take_back(hash("a")));
        assert!(!tally.take_back(hash("a")));
        assert_eq!(figures(&tally), [("spared", 0), ("answered", 1), ("given", 300), ("again", 1)]);
    }

    #[test]
    fn a_tally_stays_bounded_and_counts_on() {
        let mut tally = Tally::default();
        for subject in 0..10_000 {
            tally.spare("large-result", hash(&subject.to_string()), 1);
        }
        assert!(serde_json::to_string(&tally).unwrap().len() < 6_000);
        assert_eq!(figures(&tally), [("spared", 10_000)]);
    }
}
