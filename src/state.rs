//! A session's memory: what was refused and what was told, by agent, and how often. Bounded, and written out as JSON.
//!
//! Subjects and ways are kept as hashes: no path, pattern or command text is stored.
//!
//! Whether advice or a refusal led anywhere is told by what comes after it. Each names a way; it is open until a call of
//! the same agent takes it. Taking any open way clears them all and the count; until then each further one counts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::core::Call;
use crate::fact::{Ask, Fact, name_of, slashes};
use crate::outcome::Verdict;
use crate::tally::Tally;

/// Sessions kept in one process.
const MAX_SESSIONS: usize = 64;
/// Subjects remembered per agent and agents per session; the oldest go first.
const MAX_SUBJECTS: usize = 200;
const MAX_AGENTS: usize = 40;
/// Files whose shown lines are remembered per agent, and ranges of each.
const MAX_FILES: usize = 20;
const MAX_RANGES: usize = 20;
/// Ways that are open at once, per agent.
const MAX_WAYS: usize = 20;
/// Files of which a part was shown, per agent.
const MAX_SEEN: usize = 30;

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
    /// What was said, for the person.
    #[serde(default)]
    tally: Tally,
    /// Lives in this process only, until the next prompt: the host could not tell what was saved.
    #[serde(skip)]
    is_volatile: bool,
    /// Holds only what was shown in this process: what was saved was not asked for yet.
    #[serde(skip)]
    is_begun: bool,
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
    /// Files of which only a part was shown, by the hash of the path as the calls name it.
    seen: Vec<(u64, Seen)>,
}

/// What was shown of a file: all of it, or ranges of lines in order, none touching the next; no range = an outline alone.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Seen {
    /// The hash of the file's last name: commands of a shell name it in other ways.
    name: u64,
    pub is_whole: bool,
    /// The agent wrote it.
    pub is_own: bool,
    pub ranges: Vec<(u64, u64)>,
    /// When the file had been changed last, in ms since 1970; 0 = not known, or changed by the agent itself.
    pub mtime: u64,
}

/// An edit of lines `from` to `to`, behind which there are `by` lines more or fewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    pub from: u64,
    pub to: u64,
    pub by: i64,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            form: FORM,
            agents: BTreeMap::new(),
            given: 0,
            spent: 0,
            tally: Tally::default(),
            is_volatile: false,
            is_begun: false,
        }
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

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Counts a verdict that cost `given` tokens and spared `shown`, until the agent asks for the subject again.
    pub fn count(&mut self, agent: &str, rule: &str, verdict: Verdict, given: u64, spared: Option<(&str, u64)>) {
        self.tally.count(rule, verdict, given);
        if let Some((subject, tokens)) = spared {
            self.tally.spare(rule, hash(&format!("{agent} {subject}")), tokens);
        }
    }

    /// What was kept from the agent is shown after all; true if that changes what was saved.
    pub fn take_back(&mut self, agent: &str, subject: &str) -> bool {
        self.tally.take_back(hash(&format!("{agent} {subject}")))
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
        add_range(&mut ranges, from, to);
        let shown = ranges.iter().map(|(from, to)| to - from + 1).sum();
        lines.push((id, ranges));
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

    /// What was shown of a file, where that is a part.
    pub fn seen_part(&self, agent: &str, path: &str) -> Option<&Seen> {
        let id = hash(&slashes(path));
        let (_, seen) = self.agents.get(agent)?.seen.iter().find(|(known, _)| *known == id)?;
        (!seen.is_whole).then_some(seen)
    }

    /// A range of a file is shown; `to` = `u64::MAX` is its end.
    pub fn saw_lines(&mut self, agent: &str, path: &str, from: u64, to: u64) {
        let seen = self.seen_mut(agent, path);
        if !seen.is_whole {
            add_range(&mut seen.ranges, from, to);
        }
    }

    /// A file is shown whole, or written by the agent (`is_own`); true where only a part of it was before.
    pub fn saw_whole(&mut self, agent: &str, path: &str, is_own: bool) -> bool {
        let was_part = self.seen_part(agent, path).is_some();
        let seen = self.seen_mut(agent, path);
        (seen.is_whole, seen.is_own, seen.mtime) = (true, seen.is_own || is_own, 0);
        was_part
    }

    /// An outline of a file is shown, as it was changed last at `mtime`.
    pub fn saw_outline(&mut self, agent: &str, path: &str, mtime: u64) {
        let seen = self.seen_mut(agent, path);
        if seen.mtime != 0 && seen.mtime != mtime {
            seen.ranges.clear();
        }
        (seen.is_whole, seen.mtime) = (seen.is_own, mtime);
    }

    /// What was known of every file of this last name holds no longer.
    pub fn forget_seen(&mut self, agent: &str, path: &str) {
        if let Some(agent) = self.agents.get_mut(agent) {
            let name = hash(name_of(path));
            agent.seen.retain(|(_, seen)| seen.name != name);
        }
    }

    /// The agent itself changes a file, so that its time tells nothing any more.
    pub fn changes(&mut self, agent: &str, path: &str) {
        if self.seen_part(agent, path).is_some() {
            self.seen_mut(agent, path).mtime = 0;
        }
    }

    /// Lines of a file are edited: what was shown behind them has other numbers then, and they are known.
    pub fn moved(&mut self, agent: &str, path: &str, moved: Moved) {
        let shifted = |line: u64| line.saturating_add_signed(moved.by).max(1);
        let seen = self.seen_mut(agent, path);
        for (first, last) in &mut seen.ranges {
            if *first > moved.to {
                *first = shifted(*first);
            }
            if *last >= moved.to && *last < u64::MAX {
                *last = shifted(*last).max(*first);
            }
        }
        add_range(&mut seen.ranges, moved.from, shifted(moved.to));
    }

    fn seen_mut(&mut self, agent: &str, path: &str) -> &mut Seen {
        let id = hash(&slashes(path));
        let name = hash(name_of(path));
        let seen = &mut self.agent(agent).seen;
        let entry = match seen.iter().position(|(known, _)| *known == id) {
            Some(place) => seen.remove(place),
            None => (id, Seen { name, ..Seen::default() }),
        };
        if seen.len() >= MAX_SEEN {
            seen.remove(0);
        }
        seen.push(entry);
        &mut seen.last_mut().expect("pushed just now").1
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
        self.0.get(id).is_some_and(|session| !session.is_begun)
    }

    /// Holds what the host told, not a memory made up for want of it.
    pub fn knows(&self, id: &str) -> bool {
        self.0.get(id).is_some_and(|session| !session.is_volatile && !session.is_begun)
    }

    /// The memory of a session; a new one is empty.
    pub fn of(&mut self, id: &str) -> &mut Session {
        if !self.holds(id) {
            self.keep(id.to_string(), Session::default());
        }
        self.0.get_mut(id).expect("kept just now")
    }

    /// Holds a memory; what this process saw before it was read stays.
    pub fn keep(&mut self, id: String, mut session: Session) {
        if let Some(begun) = self.0.get_mut(&id).filter(|begun| begun.is_begun) {
            for (name, agent) in &mut begun.agents {
                let known = &mut session.agent(name).seen;
                for (id, new) in std::mem::take(&mut agent.seen) {
                    match known.iter_mut().find(|(other, _)| *other == id) {
                        // What was shown before takes nothing away, and the other way round.
                        Some((_, old)) if !new.is_whole => {
                            for (from, to) in new.ranges {
                                add_range(&mut old.ranges, from, to);
                            }
                        }
                        Some((_, old)) => *old = new,
                        None => known.push((id, new)),
                    }
                }
                known.drain(..known.len().saturating_sub(MAX_SEEN));
            }
        }
        self.make_room(&id);
        self.0.insert(id, session);
    }

    /// Sees to it that the memory of a call's session is held. `Err`: it is to be asked for.
    pub fn recall(&mut self, call: &Call, facts: &dyn Fn(&Ask) -> Option<Fact>) -> Result<(), Vec<Ask>> {
        let id = call.session.clone().unwrap_or_default();
        if self.holds(&id) {
            return Ok(());
        }
        let ask = Ask::State { session: id.clone() };
        if call.session.is_none() || call.sheet.is_some() {
            self.keep(id, Session::default());
        } else if facts(&ask).is_none() {
            return Err(vec![ask]);
        } else {
            self.keep(id, Session::volatile());
        }
        Ok(())
    }

    /// A memory to note in what was shown, whether the saved one was read or not.
    pub fn begun(&mut self, id: &str) -> &mut Session {
        self.make_room(id);
        self.0.entry(id.to_string()).or_insert_with(|| Session { is_begun: true, ..Session::default() })
    }

    fn make_room(&mut self, id: &str) {
        if self.0.len() >= MAX_SESSIONS && !self.0.contains_key(id) {
            // Ids have no order of age; a host can give the memory of any of them back.
            self.0.pop_first();
        }
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

/// Adds a range to ranges in order, and joins what touches.
fn add_range(ranges: &mut Vec<(u64, u64)>, from: u64, to: u64) {
    ranges.push((from, to.max(from)));
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (from, to) in ranges.drain(..) {
        match joined.last_mut() {
            Some((_, end)) if from <= end.saturating_add(1) => *end = (*end).max(to),
            _ => joined.push((from, to)),
        }
    }
    // The shortest goes, but for the one that came just now.
    while joined.len() > MAX_RANGES {
        let old = joined.iter().enumerate().filter(|(_, range)| !(range.0 <= from && from <= range.1));
        let Some((shortest, _)) = old.min_by_key(|(_, (first, last))| last - first) else { break };
        joined.remove(shortest);
    }
    *ranges = joined;
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
pub fn hash(subject: &str) -> u64 {
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
        for agent in 0..60 {
            for file in 0..50 {
                for range in 0..40 {
                    session.saw_lines(
                        &format!("a{agent}"),
                        &format!("/repo/f{file}"),
                        100_000 + range * 10,
                        100_001 + range * 10,
                    );
                    session.remember_lines(
                        &format!("a{agent}"),
                        &format!("/repo/f{file}"),
                        100_000 + range * 10,
                        100_001 + range * 10,
                    );
                }
            }
        }
        // Hosts read a megabyte.
        assert!(session.to_text().len() < 1_000_000, "{}", session.to_text().len());
        assert!(session.was_refused("", "999"));
        assert!(!session.was_refused("", "0"));
    }
}
