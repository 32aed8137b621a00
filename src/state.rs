//! A session's memory: what was refused and what was told, by agent, and how often. Bounded, and written out as JSON.
//!
//! Subjects and ways are kept as hashes: no path, pattern or command text is stored.
//!
//! Whether advice or a refusal led anywhere is told by what comes after it. Each names a way; it is open until a call of
//! the same agent takes it. Taking any open way clears them all and the count; until then each further one counts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Sessions kept in one process.
const MAX_SESSIONS: usize = 64;
/// Subjects remembered per agent and agents per session; the oldest go first.
const MAX_SUBJECTS: usize = 200;
const MAX_AGENTS: usize = 100;
/// Files whose shown lines are remembered per agent, and ranges of each.
const MAX_FILES: usize = 40;
const MAX_RANGES: usize = 20;
/// Ways that are open at once, per agent.
const MAX_WAYS: usize = 20;

/// The version of the written form; another one is read as "nothing saved".
const FORM: u32 = 1;

/// The memory of one session. The main agent has the empty name.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Session {
    form: u32,
    agents: BTreeMap<String, Agent>,
    /// Advice and refusals so far.
    #[serde(default)]
    given: u64,
    /// Tokens of advice so far.
    #[serde(default)]
    spent: u64,
    /// Lives in this process only, until the next prompt: the host could not tell what was saved.
    #[serde(skip)]
    is_volatile: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
struct Agent {
    /// Hashes of subjects that were refused once.
    refused: Vec<u64>,
    /// Hashes of advice and reports that were given once.
    told: Vec<u64>,
    /// Advice and refusals since the last that led anywhere.
    unheeded: u64,
    /// Hashes of the ways that those named.
    ways: Vec<u64>,
    /// Lines that were shown of large files, by the hash of the file: ranges in order, none touching the next.
    lines: Vec<(u64, Vec<(u64, u64)>)>,
}

impl Default for Session {
    fn default() -> Session {
        Session { form: FORM, agents: BTreeMap::new(), given: 0, spent: 0, is_volatile: false }
    }
}

impl Session {
    /// Reads a saved text; one that is damaged or of another version is an empty memory.
    pub fn from_text(text: &str) -> Option<Session> {
        serde_json::from_str::<Session>(text).ok().filter(|session| session.form == FORM)
    }

    /// The memory of a session whose own could not be read.
    pub fn volatile() -> Session {
        Session { is_volatile: true, ..Session::default() }
    }

    pub fn is_volatile(&self) -> bool {
        self.is_volatile
    }

    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("numbers and names always serialise")
    }

    pub fn was_refused(&self, agent: &str, subject: &str) -> bool {
        self.agents.get(agent).is_some_and(|a| a.refused.contains(&hash(subject)))
    }

    pub fn was_told(&self, agent: &str, subject: &str) -> bool {
        self.agents.get(agent).is_some_and(|a| a.told.contains(&hash(subject)))
    }

    pub fn remember_refused(&mut self, agent: &str, subject: &str) {
        remember(&mut self.agent(agent).refused, subject, MAX_SUBJECTS);
    }

    pub fn remember_told(&mut self, agent: &str, subject: &str) {
        remember(&mut self.agent(agent).told, subject, MAX_SUBJECTS);
    }

    /// Adds lines that are shown of a file, and gives how many of it were shown by now.
    pub fn remember_lines(&mut self, agent: &str, file: &str, from: u64, to: u64) -> u64 {
        let id = hash(file);
        let lines = &mut self.agent(agent).lines;
        let mut ranges = match lines.iter().position(|(known, _)| *known == id) {
            Some(place) => lines.remove(place).1,
            None => Vec::new(),
        };
        ranges.push((from, to.max(from)));
        ranges.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (from, to) in ranges {
            match joined.last_mut() {
                Some((_, end)) if from <= end.saturating_add(1) => *end = (*end).max(to),
                _ => joined.push((from, to)),
            }
        }
        joined.truncate(MAX_RANGES);
        let shown = joined.iter().map(|(from, to)| to - from + 1).sum();
        lines.push((id, joined));
        if lines.len() > MAX_FILES {
            lines.remove(0);
        }
        shown
    }

    /// Advice and refusals of the session so far.
    pub fn given(&self) -> u64 {
        self.given
    }

    /// Tokens that advice cost the session so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Advice and refusals in a row, of which none led anywhere yet.
    pub fn unheeded(&self, agent: &str) -> u64 {
        self.agents.get(agent).map_or(0, |a| a.unheeded)
    }

    /// Counts one more, which names a way.
    pub fn remember_given(&mut self, agent: &str, way: &str, advice_tokens: u64) {
        self.given = self.given.saturating_add(1);
        self.spent = self.spent.saturating_add(advice_tokens);
        let agent = self.agent(agent);
        agent.unheeded = agent.unheeded.saturating_add(1);
        remember(&mut agent.ways, way, MAX_WAYS);
    }

    pub fn has_open_way(&self, agent: &str) -> bool {
        self.agents.get(agent).is_some_and(|a| !a.ways.is_empty())
    }

    /// Notes the ways that a call takes; true if one of them was open.
    pub fn take_way(&mut self, agent: &str, taken: &[String]) -> bool {
        let Some(agent) = self.agents.get_mut(agent) else {
            return false;
        };
        let is_open = taken.iter().any(|way| agent.ways.contains(&hash(way)));
        if is_open {
            agent.ways.clear();
            agent.unheeded = 0;
        }
        is_open
    }

    fn agent(&mut self, name: &str) -> &mut Agent {
        if !self.agents.contains_key(name) && self.agents.len() >= MAX_AGENTS {
            // Agents have no order of age here; any but the main one may go.
            if let Some(old) = self.agents.keys().find(|k| !k.is_empty()).cloned() {
                self.agents.remove(&old);
            }
        }
        self.agents.entry(name.to_string()).or_default()
    }
}

/// The sessions of one process, by id.
#[derive(Debug, Default)]
pub struct Sessions(BTreeMap<String, Session>);

impl Sessions {
    pub fn holds(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// Holds what the host told, not a memory made up for want of it.
    pub fn knows(&self, id: &str) -> bool {
        self.0.get(id).is_some_and(|session| !session.is_volatile)
    }

    /// The memory of a session; a new one is empty.
    pub fn of(&mut self, id: &str) -> &mut Session {
        if !self.holds(id) {
            self.keep(id.to_string(), Session::default());
        }
        self.0.get_mut(id).expect("kept just now")
    }

    pub fn keep(&mut self, id: String, session: Session) {
        if self.0.len() >= MAX_SESSIONS && !self.holds(&id) {
            // Ids have no order of age; a host can give the memory of any of them back.
            self.0.pop_first();
        }
        self.0.insert(id, session);
    }

    pub fn get_mut(&mut self, id: &str) -> Option<&mut Session> {
        self.0.get_mut(id)
    }

    pub fn forget(&mut self, id: &str) {
        self.0.remove(id);
    }

    /// Forgets the memories that were made up for want of the saved ones, so that those are asked for again.
    pub fn forget_volatile(&mut self) {
        self.0.retain(|_, session| !session.is_volatile);
    }
}

fn remember(subjects: &mut Vec<u64>, subject: &str, max: usize) {
    let hash = hash(subject);
    if subjects.contains(&hash) {
        return;
    }
    subjects.push(hash);
    if subjects.len() > max {
        subjects.remove(0);
    }
}

/// FNV-1a, 53 bits so that JavaScript could read it: stable over versions and machines, which `std`'s hasher is not.
fn hash(subject: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in subject.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash & ((1 << 53) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_comes_back_as_it_was_written() {
        let mut session = Session::default();
        session.remember_refused("", "read:/a.rs");
        session.remember_told("a1", "x");
        let back = Session::from_text(&session.to_text()).expect("own text");
        assert_eq!(back, session);
        assert!(back.was_refused("", "read:/a.rs"));
        assert!(!back.was_refused("a1", "read:/a.rs"));
        assert!(!session.to_text().contains("a.rs"));
    }

    #[test]
    fn another_version_or_damage_is_an_empty_memory() {
        for text in ["", "{", "[]", r#"{"form":99,"agents":{}}"#, r#"{"form":1,"agents":{"":{"refused":["x"]}}}"#] {
            assert_eq!(Session::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn lines_that_were_shown_are_counted_once() {
        let mut session = Session::default();
        assert_eq!(session.remember_lines("", "a", 1, 100), 100);
        assert_eq!(session.remember_lines("", "a", 50, 150), 150);
        assert_eq!(session.remember_lines("", "a", 301, 400), 250);
        assert_eq!(session.remember_lines("", "a", 151, 300), 400);
        assert_eq!(session.remember_lines("other", "a", 1, 10), 10);
        assert_eq!(session.remember_lines("", "b", 7, 3), 1);
        for i in 0..10_000 {
            session.remember_lines("", &(i % 90).to_string(), i * 10, i * 10 + 1);
        }
        assert!(session.to_text().len() < 40_000);
    }

    #[test]
    fn a_memory_stays_bounded() {
        let mut session = Session::default();
        for i in 0..10_000 {
            session.remember_refused(&format!("a{}", i % 500), &i.to_string());
        }
        for i in 0..1_000 {
            session.remember_refused("", &i.to_string());
        }
        assert!(session.to_text().len() < 400_000);
        assert!(session.was_refused("", "999"));
        assert!(!session.was_refused("", "0"));
    }
}
