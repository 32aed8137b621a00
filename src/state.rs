//! A session's memory: what was refused and what was told, by agent. Bounded, and written out as JSON.
//!
//! Subjects are kept as hashes: no path, pattern or command text is stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Sessions kept in one process.
const MAX_SESSIONS: usize = 64;
/// Subjects remembered per agent and agents per session; the oldest go first.
const MAX_SUBJECTS: usize = 200;
const MAX_AGENTS: usize = 100;

/// The version of the written form; another one is read as "nothing saved".
const FORM: u32 = 1;

/// The memory of one session. The main agent has the empty name.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Session {
    form: u32,
    agents: BTreeMap<String, Agent>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
struct Agent {
    /// Hashes of subjects that were refused once.
    refused: Vec<u64>,
    /// Hashes of advice and reports that were given once.
    told: Vec<u64>,
}

impl Default for Session {
    fn default() -> Session {
        Session { form: FORM, agents: BTreeMap::new() }
    }
}

impl Session {
    /// Reads a saved text; one that is damaged or of another version is an empty memory.
    pub fn from_text(text: &str) -> Option<Session> {
        serde_json::from_str::<Session>(text).ok().filter(|session| session.form == FORM)
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
        remember(&mut self.agent(agent).refused, subject);
    }

    pub fn remember_told(&mut self, agent: &str, subject: &str) {
        remember(&mut self.agent(agent).told, subject);
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

    pub fn forget(&mut self, id: &str) {
        self.0.remove(id);
    }
}

fn remember(subjects: &mut Vec<u64>, subject: &str) {
    let hash = hash(subject);
    if subjects.contains(&hash) {
        return;
    }
    subjects.push(hash);
    if subjects.len() > MAX_SUBJECTS {
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
