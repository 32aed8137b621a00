//! The core: what happens to a call, from the event to the verdict.
//!
//! A judgement is a function of the call, the configuration, the session's memory and the facts so far; it is run again
//! when facts come in, so their order does not matter. Invariant: keeps nothing of a call once it is answered, except
//! hashes of what was refused or told.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::after::{self, After, Judging, Shown};
use crate::config::{Config, Layer, MIN_LARGE_LINES, Mode, Repeat, Warning};
use crate::fact::{Ask, Fact, name_of, slashes};
use crate::guard::{self, Guard};
use crate::intent::{Intent, Output};
use crate::mcp::{self, Change, McpCall};
use crate::outcome::{Basis, Effect, Outcome, Saves, Verdict, Why};
use crate::reading::Reading;
use crate::rules::{Check, Hit, RULES, Rule, Scene, Tool};
use crate::sheet::Sheet;
use crate::size;
use crate::state::{Session, Sessions};

/// Calls waiting for facts; the oldest goes first.
const MAX_PENDING: usize = 256;
/// Rounds of questions for one call: two for texts of other languages in it, and four to judge it.
const MAX_ROUNDS: usize = 6;
/// Commands that are run for one call to be measured.
const MAX_MEASURES: usize = 3;
/// Tells overlapping calls apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallId(pub u32);

/// A tool call before it runs.
#[derive(Clone, Debug)]
pub struct Call {
    pub input: Input,
    /// The folder, where the event tells it.
    pub cwd: Option<String>,
    /// The session; without one nothing is remembered.
    pub session: Option<String>,
    /// The subagent; empty for the main agent.
    pub agent: String,
    /// Configuration of this call alone, laid over the defaults.
    pub config: Option<Layer>,
    /// Facts that come with the call; then nothing is asked.
    pub sheet: Option<Sheet>,
    /// How full the context is, in percent, where the host knows it; and how large it may get, in tokens.
    pub fill: Option<u64>,
    pub window: Option<u64>,
    /// The result, where the call ran already.
    pub shown: Option<Shown>,
    /// The call in its own words, by which a result is known again.
    pub words: String,
    /// The host brings the result of this call, and can put something else in its place.
    pub answers: bool,
    /// The host ends with this call: what it is not told now, it never knows.
    pub alone: bool,
}

/// What a tool is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    Bash {
        command: String,
    },
    Edit {
        path: String,
        old: String,
        /// Lines more or fewer behind it; `None` = it may change several places.
        added: Option<i64>,
    },
    /// The Grep tool of clients that have one, where it prints lines.
    Grep {
        pattern: String,
        path: Option<String>,
        glob: Option<String>,
        file_type: Option<String>,
        ignore_case: bool,
        /// Lines at most; 250 where the call says nothing, and 0 is no limit (the tool's own description).
        head_limit: u64,
    },
    /// A tool of a server.
    Mcp(McpCall),
    /// A tool that no rule concerns.
    Other,
    PowerShell {
        command: String,
    },
    Read {
        path: String,
        /// Lines from 1, as far as the range names them.
        from: u64,
        to: Option<u64>,
        ranged: bool,
        allow_large: bool,
    },
    Write {
        path: String,
    },
}

impl Call {
    /// A Bash call of the main agent.
    pub fn bash(session: &str, command: &str) -> Call {
        Call {
            input: Input::Bash { command: command.to_string() },
            cwd: None,
            session: Some(session.to_string()),
            agent: String::new(),
            config: None,
            sheet: None,
            fill: None,
            window: None,
            shown: None,
            words: String::new(),
            answers: false,
            alone: false,
        }
    }
}

/// What the core needs next, or its answer.
#[derive(Debug)]
pub enum Step {
    Done { call: CallId, outcome: Outcome },
    Need { call: CallId, asks: Vec<Ask> },
}

/// The judge. One for each host process; holds the memory of its sessions.
#[derive(Default)]
pub struct Core {
    /// Read from the host's layers; asked for again after [`Core::refresh`].
    config: Option<Config>,
    /// The last configuration judged more than what is large; so may the next, which is not known yet.
    was_wide: bool,
    sessions: Sessions,
    pending: BTreeMap<CallId, Pending>,
    next: u32,
}

/// A call on its way.
struct Pending {
    call: Call,
    reading: Reading,
    facts: Vec<(Ask, Fact)>,
    asked: Vec<Ask>,
    rounds: usize,
    warnings: Vec<Warning>,
}

/// What a rule said of a call, with what decides how it is told.
struct Found<'a> {
    rule: &'static Rule,
    hit: Hit,
    /// The configuration for this rule.
    config: &'a Config,
    /// A source file, glob or type is named.
    is_strong: bool,
    /// The way on that is named, as [`ways_taken`] spells it.
    way: String,
}

impl Core {
    pub fn new() -> Core {
        Core::default()
    }

    /// A new prompt: forgets the configuration, and memories that are none, so that the next call that needs them asks.
    pub fn refresh(&mut self) {
        self.config = None;
        self.sessions.forget_volatile();
    }

    /// A call comes in.
    pub fn handle_call(&mut self, call: Call) -> Step {
        self.next = self.next.wrapping_add(1);
        let id = CallId(self.next);
        let reading = Reading::of(&call.input);
        let pending = Pending { call, reading, facts: Vec::new(), asked: Vec::new(), rounds: 0, warnings: Vec::new() };
        self.advance(id, pending)
    }

    /// Facts come in, one for each ask, in the order of the asks. Missing ones count as unknown; facts for a call that
    /// does not wait pass.
    pub fn handle_facts(&mut self, call: CallId, facts: Vec<Fact>) -> Step {
        let Some(mut pending) = self.pending.remove(&call) else {
            return Step::Done { call, outcome: Outcome::pass(Why::UnknownFact) };
        };
        let mut facts = facts.into_iter();
        for ask in std::mem::take(&mut pending.asked) {
            let fact = facts.next().unwrap_or(Fact::Unknown);
            match (&ask, &fact) {
                (Ask::Config, Fact::Config(layers)) => {
                    let (config, warnings) = Config::from_layers(layers);
                    self.was_wide = is_wide(&config);
                    self.config = Some(config);
                    pending.warnings = warnings;
                }
                (Ask::Config, _) => self.config = Some(Config::default()),
                // A call that was answered meanwhile knows more than the host did when it was asked.
                (Ask::State { session }, Fact::State(text)) if !self.sessions.knows(session) => {
                    let kept = text.as_deref().and_then(Session::from_text).unwrap_or_default();
                    self.sessions.keep(session.clone(), kept);
                }
                _ => {}
            }
            pending.facts.push((ask, fact));
        }
        self.advance(call, pending)
    }

    fn advance(&mut self, id: CallId, mut pending: Pending) -> Step {
        let (asks, mut outcome) = match self.judge(&mut pending) {
            Ok(mut outcome) => {
                self.note_shown(&pending, &mut outcome);
                (Vec::new(), outcome)
            }
            Err(asks) => (asks, Outcome::pass(Why::UnknownFact)),
        };
        if !asks.is_empty() && pending.rounds < MAX_ROUNDS {
            pending.rounds += 1;
            pending.asked = asks.clone();
            if self.pending.len() >= MAX_PENDING {
                self.pending.pop_first();
            }
            self.pending.insert(id, pending);
            return Step::Need { call: id, asks };
        }
        // What was read was recorded when the call was judged.
        if pending.call.shown.is_none() {
            outcome.effects.splice(0..0, pending.reading.records);
        }
        outcome.intents = pending.reading.intents;
        Step::Done { call: id, outcome }
    }

    /// Notes what a call that runs shows of files, or changes in them. Asks nothing: what is not noted is not guarded.
    fn note_shown(&mut self, pending: &Pending, outcome: &mut Outcome) {
        let call = &pending.call;
        let runs = call.shown.is_none() && outcome.verdict != Verdict::Redirect;
        let Some(session) = call.session.as_deref().filter(|_| runs) else { return };
        let agent = &call.agent;
        let mut opens = false;
        match &call.input {
            Input::Read { path, ranged: false, .. } => {
                opens = self.sessions.begun(session).saw_whole(agent, path, false);
            }
            Input::Read { path, from, to, .. } => {
                self.sessions.begun(session).saw_lines(agent, path, *from, to.unwrap_or(u64::MAX));
            }
            Input::Edit { path, .. } => {
                if let Some(memory) = self.sessions.get_mut(session) {
                    memory.changes(agent, path);
                }
            }
            Input::Write { path } => opens = self.sessions.begun(session).saw_whole(agent, path, true),
            // A shell names files in its own ways, so whatever it reads is taken for seen.
            _ => {
                let Some(memory) = self.sessions.get_mut(session) else { return };
                for intent in &pending.reading.intents {
                    if let Intent::Read(read) = intent {
                        memory.forget_seen(agent, &read.path);
                    }
                }
            }
        }
        // What a later process would hold against the agent.
        if opens && self.sessions.knows(session) {
            outcome.effects.retain(|effect| !matches!(effect, Effect::Save { .. }));
            let state = self.sessions.of(session).to_text();
            outcome.effects.push(Effect::Save { session: session.to_string(), state });
        }
    }

    /// The verdict, or what is needed for it.
    fn judge(&mut self, pending: &mut Pending) -> Result<Outcome, Vec<Ask>> {
        // A text is no fact of the disk: a pack reads it where the call brings its facts, too.
        let known = &pending.facts;
        pending.reading.complete(&|ask| known.iter().find(|(asked, _)| asked == ask).map(|(_, fact)| fact.clone()))?;
        if pending.reading.stays_out == Some(Why::OutOfFuel) {
            return Ok(Outcome::pass(Why::OutOfFuel));
        }
        let call = &pending.call;
        // A call with facts of its own has a configuration of its own too; the host's are not asked for.
        let own = match (&call.config, &call.sheet) {
            (Some(layer), _) => Some(Config::from_layers(std::slice::from_ref(layer))),
            (None, Some(_)) => Some((Config::default(), Vec::new())),
            (None, None) => None,
        };
        let known = own.as_ref().map(|(config, _)| config).or(self.config.as_ref());
        let cautious;
        let config = match known {
            Some(config) => config,
            None => {
                cautious = cautious_config(call.alone || self.was_wide);
                &cautious
            }
        };
        let warnings = own.as_ref().map_or(&pending.warnings, |(_, warnings)| warnings);

        let facts = |ask: &Ask| match &call.sheet {
            Some(sheet) => Some(sheet.answer(ask)),
            None => pending.facts.iter().find(|(known, _)| known == ask).map(|(_, fact)| fact.clone()),
        };
        let config_of = |rule: &'static str| match Rule::of(rule) {
            Some(rule) => config_for(config, rule, call.fill).into_owned(),
            None => config.clone(),
        };
        if let Some(shown) = &call.shown {
            if self.config.is_none() && own.is_none() {
                return Err(vec![Ask::Config]);
            }
            if pending.reading.is_bypassed(config) {
                return Ok(Outcome::pass(Why::Bypassed));
            }
            self.sessions.recall(call, &facts)?;
            let memory = self.sessions.of(call.session.as_deref().unwrap_or_default());
            let intents = &pending.reading.intents;
            let after = Judging { call, shown, intents, config_of: &config_of, memory, facts: &facts }.judge()?;
            let outcome = replaced(after, shown, &call.agent, memory);
            return Ok(settled(&mut self.sessions, call, warnings, outcome));
        }
        if let Some(path) = guard::changed(&call.input) {
            let session = call.session.as_deref().unwrap_or_default();
            if self.sessions.get_mut(session).is_none_or(|m| m.seen_part(&call.agent, path).is_none()) {
                return Ok(Outcome::pass(Why::NotConcerned));
            }
            if self.config.is_none() && own.is_none() {
                return Err(vec![Ask::Config]);
            }
            // What is saved below must not stand in the place of what was saved before.
            self.sessions.recall(call, &facts)?;
            let memory = self.sessions.of(session);
            let guard = guard::judge(&call.input, &call.agent, &config_of, memory, &facts)?;
            let outcome = guarded(guard, path, &call.agent, memory);
            return Ok(settled(&mut self.sessions, call, warnings, outcome));
        }
        if let Input::Mcp(mcp) = &call.input {
            if self.config.is_none() && own.is_none() {
                return Err(vec![Ask::Config]);
            }
            let change = mcp::judge(mcp, &config_of, &facts)?;
            self.sessions.recall(call, &facts)?;
            let memory = self.sessions.of(call.session.as_deref().unwrap_or_default());
            let outcome = changed(change, mcp, &call.agent, memory);
            return Ok(settled(&mut self.sessions, call, warnings, outcome));
        }
        // Most calls have no intent, and then no rule needs its configuration.
        let judging = if pending.reading.intents.is_empty() { &[] } else { RULES };
        let configs: Vec<Cow<Config>> = judging.iter().map(|rule| config_for(config, rule, call.fill)).collect();
        let mut asks = Vec::new();
        let mut found: Vec<Found> = Vec::new();
        let mut why = Why::NotConcerned;
        for intent in &pending.reading.intents {
            for (rule, config) in RULES.iter().zip(&configs) {
                let is_off = !config.enabled || config.mode == Mode::Off;
                let scene = Scene {
                    tool: Tool::of(&call.input),
                    config,
                    facts: &facts,
                    has_sheet: call.sheet.is_some(),
                    cwd: call.cwd.as_deref(),
                    simple: pending.reading.simple.as_deref(),
                };
                // A result that can be made smaller costs no turn; the call runs.
                let runs = call.answers && config.mode == Mode::Answer && after::waits_for_result(rule);
                if runs && known.is_some() {
                    continue;
                }
                match rule.check(intent, &scene) {
                    Check::No(Why::NotConcerned) => {}
                    _ if is_off => why = Why::Off,
                    Check::Hit(hit) => {
                        let (is_strong, way) = (is_strong(intent, config), way_on(intent, rule));
                        found.push(Found { rule, hit: *hit, config, is_strong, way });
                    }
                    Check::Need(more) => asks.extend(more),
                    Check::No(reason) => why = reason,
                }
            }
        }
        let session = call.session.clone().unwrap_or_default();
        if found.is_empty() && asks.is_empty() {
            // The way of a refusal before: noted where the memory is at hand, and asked for only by a host that ends here.
            let ways = || pending.reading.intents.iter().flat_map(ways_taken).collect::<Vec<_>>();
            let ask = Ask::State { session: session.clone() };
            if call.alone
                && !self.sessions.holds(&session)
                && !facts_contain(&pending.facts, &ask)
                && !ways().is_empty()
            {
                return Err(vec![ask]);
            }
            let mut outcome = Outcome::pass(why);
            if let Some(memory) = self.sessions.get_mut(&session)
                && memory.has_open_way(&call.agent)
                && memory.take_way(&call.agent, &ways())
                && !memory.is_volatile()
            {
                outcome.effects.push(Effect::Save { session, state: memory.to_text() });
            }
            return Ok(outcome);
        }
        if let Some(reason) = pending.reading.stays_out {
            return Ok(Outcome::pass(reason));
        }
        if known.is_none() {
            // What runs a program waits until it is known that anything is to be judged at all.
            asks.retain(|ask| !matches!(ask, Ask::Measure { .. }));
            asks.push(Ask::Config);
        } else if config.bypass || pending.reading.is_bypassed(config) {
            return Ok(bypassed(found.first().map(|found| found.rule)));
        }
        let measures = |asks: &[Ask]| asks.iter().filter(|ask| matches!(ask, Ask::Measure { .. })).count();
        if measures(&asks) + pending.facts.iter().filter(|(ask, _)| matches!(ask, Ask::Measure { .. })).count()
            > MAX_MEASURES
        {
            return Ok(Outcome::pass(Why::Doubt));
        }
        // The memory comes last, so that a host which locks it does so for a moment only.
        if call.session.is_some() && asks.is_empty() {
            if let Err(more) = self.sessions.recall(call, &facts) {
                asks = more;
            } else if call.alone && self.sessions.of(&session).is_volatile() {
                // Nothing would know of this call at the next one, and it would be told the same again and again.
                return Ok(without_memory());
            }
        }
        if !asks.is_empty() {
            let mut unique: Vec<Ask> = Vec::new();
            for ask in asks {
                if !unique.contains(&ask) {
                    unique.push(ask);
                }
            }
            return Err(unique);
        }
        let memory = self.sessions.of(&session);
        let outcome = decide(found, call.sheet.is_some(), memory, &call.agent, &pending.reading);
        Ok(settled(&mut self.sessions, call, warnings, outcome))
    }
}

/// What becomes of a result, as an outcome; what was replaced is remembered.
fn replaced(after: After, shown: &Shown, agent: &str, memory: &mut Session) -> Outcome {
    let (rule, why, text, subject, outlined) = match after {
        After::Again { subject } => {
            let effects = if memory.take_back(agent, &subject) { vec![unsaved()] } else { Vec::new() };
            return Outcome { effects, ..Outcome::pass(Why::Insisted) };
        }
        After::Leave(why) => return Outcome::pass(why),
        After::Replace { rule, why, text, subject, outlined } => (rule, why, text, subject, outlined),
    };
    let given = size::tokens(text.chars().count() as u64);
    if why == Why::Insisted {
        memory.take_back(agent, &subject);
    } else {
        memory.count(agent, rule, Verdict::Answer, given, Some((&subject, shown.tokens())));
    }
    memory.remember_refused(agent, &subject);
    if let Some((path, mtime)) = outlined {
        memory.saw_outline(agent, &path, mtime);
    }
    Outcome {
        verdict: Verdict::Answer,
        rule: Rule::of(rule),
        text: Some(text),
        saves: Some(Saves { tokens: shown.tokens() as i64 - given as i64, basis: Basis::Measured }),
        effects: vec![unsaved()],
        ..Outcome::pass(why)
    }
}

/// What a guard says, as an outcome.
fn guarded(guard: Guard, path: &str, agent: &str, memory: &mut Session) -> Outcome {
    let (rule, refuses, text, tool, real) = match guard {
        Guard::Nothing => return Outcome::pass(Why::NotConcerned),
        Guard::Forget => {
            memory.forget_seen(agent, path);
            return Outcome { effects: vec![unsaved()], ..Outcome::pass(Why::NotConcerned) };
        }
        Guard::Edits(moved) => {
            memory.moved(agent, path, moved);
            return Outcome { effects: vec![unsaved()], ..Outcome::pass(Why::NotConcerned) };
        }
        Guard::Says { rule, refuses, text, tool, real, moved } => {
            if let Some(moved) = moved.filter(|_| !refuses) {
                memory.moved(agent, path, moved);
            }
            (rule, refuses, text, tool, real)
        }
    };
    // A note comes once for a file.
    let told = format!("{rule}:{}", slashes(path));
    if !refuses && memory.was_told(agent, &told) {
        return Outcome::pass(Why::Told);
    }
    memory.remember_told(agent, &told);
    // The read that is named shows the file, and no outline of it.
    memory.remember_refused(agent, &after::outline_of(path));
    memory.remember_refused(agent, &format!("read:{}", slashes(&real)));
    let given = size::tokens(text.chars().count() as u64);
    let verdict = if refuses { Verdict::Redirect } else { Verdict::Advise };
    memory.count(agent, rule, verdict, given, None);
    Outcome {
        verdict,
        rule: Rule::of(rule),
        text: Some(text),
        tool: Some(tool),
        saves: Some(Saves { tokens: -(given as i64), basis: Basis::Measured }),
        effects: vec![unsaved()],
        ..Outcome::pass(Why::Unseen)
    }
}

/// A call with other arguments, as an outcome. What is said of a tool comes once.
fn changed(change: Change, call: &McpCall, agent: &str, memory: &mut Session) -> Outcome {
    let Change { rule, arguments, note } = change;
    let Some(rule) = rule else { return Outcome::pass(Why::NotConcerned) };
    let told = format!("mcp:{} {note}", call.tool);
    let is_new = !note.is_empty() && !memory.is_volatile() && !memory.was_told(agent, &told);
    let why = if rule == mcp::CHECKOUT { Why::OtherCheckout } else { Why::Uncapped };
    let mut outcome = Outcome { rule: Rule::of(rule), ..Outcome::pass(why) };
    if is_new {
        memory.remember_told(agent, &told);
        outcome.effects.push(unsaved());
        outcome.verdict = Verdict::Advise;
        memory.count(agent, rule, Verdict::Advise, size::tokens(note.chars().count() as u64), None);
        outcome.saves =
            Some(Saves { tokens: -(size::tokens(note.chars().count() as u64) as i64), basis: Basis::Measured });
        outcome.text = Some(note);
    }
    match arguments {
        Some(arguments) => Outcome { verdict: Verdict::Rewrite, input: Some(arguments), ..outcome },
        None if is_new => outcome,
        None => Outcome::pass(Why::Told),
    }
}

/// What an outcome leaves behind: mistakes in the configuration, and the memory as it is to be kept. Nothing is
/// remembered without a session.
fn settled(sessions: &mut Sessions, call: &Call, warnings: &[Warning], mut outcome: Outcome) -> Outcome {
    let session = call.session.clone().unwrap_or_default();
    let memory = sessions.of(&session);
    report(warnings, memory, &mut outcome);
    let is_unsaved = outcome.effects.iter().any(|e| matches!(e, Effect::Save { .. }));
    outcome.effects.retain(|e| !matches!(e, Effect::Save { .. }));
    if call.session.is_none() {
        sessions.forget(&session);
    } else if is_unsaved && !memory.is_volatile() {
        let state = memory.to_text();
        outcome.effects.push(Effect::Save { session, state });
    }
    outcome
}

/// What is judged while the configuration is not known: anything could be large, and no rule may stay silent for a limit.
fn cautious_config(is_wide: bool) -> Config {
    Config {
        large_lines: MIN_LARGE_LINES,
        large_bytes: 0,
        min_tokens: 0,
        every_listing: is_wide,
        every_range: is_wide,
        every_search: is_wide,
        ..Config::default()
    }
}

/// Whether calls are judged that a default configuration lets pass without a look.
fn is_wide(config: &Config) -> bool {
    config.every_listing || config.every_range || config.every_search
}

/// The configuration as one rule has it at this fill of the context.
fn config_for<'a>(config: &'a Config, rule: &Rule, fill: Option<u64>) -> Cow<'a, Config> {
    match (config.of_rule(rule.id), fill) {
        (config, None) => config,
        (Cow::Borrowed(config), Some(fill)) => config.at_fill(fill),
        (Cow::Owned(config), Some(fill)) => Cow::Owned(config.at_fill(fill).into_owned()),
    }
}

/// Whether a call names what it is about: a source file, glob or type. What walks wherever it stands is weak.
fn is_strong(intent: &Intent, config: &Config) -> bool {
    match intent {
        Intent::Read(_) => true,
        Intent::Search(search) => search.names_source(config) || search.scope.iter().any(|path| config.is_source(path)),
        Intent::List { names, .. } => names.iter().any(|name| config.is_source(name)),
        _ => false,
    }
}

/// The way on that a hit on this intent names, as [`ways_taken`] spells it.
fn way_on(intent: &Intent, rule: &Rule) -> String {
    match intent {
        Intent::Diff(_) => "diff".to_string(),
        Intent::List { .. } => "list".to_string(),
        Intent::Log(_) => "log".to_string(),
        Intent::Read(read) => format!("read:{}", name_of(&read.path)),
        Intent::Search(_) => "search".to_string(),
        _ => rule.id.to_string(),
    }
}

/// The suggested ways that a call takes: a part of that file or a search in it, and a search, listing, history or diff
/// with a bound. Told by the words alone, so that a call of no concern costs no question.
fn ways_taken(intent: &Intent) -> Vec<String> {
    let bounded = |out: &Output| out.bounded || out.piped || out.writes;
    match intent {
        Intent::Diff(out) if bounded(out) => vec!["diff".to_string()],
        Intent::List { out, .. } if bounded(out) => vec!["list".to_string()],
        Intent::Log(out) if bounded(out) => vec!["log".to_string()],
        Intent::Read(read) if !read.whole || bounded(&read.out) => vec![format!("read:{}", name_of(&read.path))],
        Intent::Search(search) => {
            let mut ways: Vec<String> = search.scope.iter().map(|path| format!("read:{}", name_of(path))).collect();
            if bounded(&search.out) || !search.recursive {
                ways.push("search".to_string());
            }
            ways
        }
        _ => Vec::new(),
    }
}

fn bypassed(rule: Option<&'static Rule>) -> Outcome {
    let mut outcome = Outcome { rule, ..Outcome::pass(Why::Bypassed) };
    outcome.effects.push(Effect::Record { code: "bypass", detail: rule.map(|rule| rule.id.to_string()) });
    outcome
}

fn facts_contain(facts: &[(Ask, Fact)], ask: &Ask) -> bool {
    facts.iter().any(|(known, _)| known == ask)
}

/// A host that ends with the call, and a memory that it cannot tell.
fn without_memory() -> Outcome {
    let mut outcome = Outcome::pass(Why::UnknownFact);
    outcome.effects.push(Effect::Record { code: "no-memory", detail: None });
    outcome
}

/// One verdict for all hits: the first that still speaks. All of them are remembered with it, so that the same call runs
/// the second time, whatever else is in it.
fn decide(found: Vec<Found>, is_told: bool, memory: &mut Session, agent: &str, reading: &Reading) -> Outcome {
    let mut outcome = Outcome::pass(Why::NotConcerned);
    if memory.is_volatile() {
        record_once(memory, agent, "no-memory", &mut outcome);
    }
    let mut found = found;
    // Slices add up, whether anything is said of them or not.
    found.retain(|found| match &found.hit.slice {
        None => true,
        Some(slice) => {
            outcome.effects.push(unsaved());
            memory.remember_lines(agent, &found.hit.subject, slice.from, slice.to) >= slice.enough
        }
    });
    // A refusal goes before advice.
    found.sort_by_key(|found| !found.refuses(is_told, memory));
    let mut speaker = None;
    for (i, found) in found.iter().enumerate() {
        let refuses = found.refuses(is_told, memory);
        let text = message(&found.hit, refuses, reading);
        let given = size::tokens(text.chars().count() as u64);
        outcome.rule = Some(found.rule);
        match found.silence(refuses, given, memory, agent) {
            Some(why) => outcome.why = why,
            None => {
                speaker = Some((i, text, given, refuses));
                break;
            }
        }
    }
    let Some((i, text, given, refuses)) = speaker else {
        for found in &found {
            if memory.take_back(agent, &found.hit.subject) {
                outcome.effects.push(unsaved());
            }
        }
        // Asked more narrowly, it prints little: that was the way.
        let small = found.iter().filter(|found| found.is_cheap(0));
        if memory.take_way(agent, &small.map(|found| found.way.clone()).collect::<Vec<_>>()) {
            outcome.effects.push(unsaved());
        }
        match outcome.why {
            Why::Capped => record_once(memory, agent, "capped", &mut outcome),
            Why::GivenUp => record_once(memory, agent, "given-up", &mut outcome),
            _ => {}
        }
        return outcome;
    };
    if refuses {
        for found in found.iter().filter(|found| !found.rule.advises_only) {
            memory.remember_refused(agent, &found.hit.subject);
        }
    } else {
        memory.remember_told(agent, found[i].advice());
        // It runs, and shows what was refused before.
        for found in &found {
            memory.take_back(agent, &found.hit.subject);
        }
    }
    memory.remember_given(agent, &found[i].way, if refuses { 0 } else { given });
    outcome.effects.push(unsaved());
    let Found { rule, hit, .. } = found.into_iter().nth(i).expect("the speaker is one of the hits");
    let shown = if refuses { hit.shown as i64 } else { 0 };
    let verdict = if refuses { Verdict::Redirect } else { Verdict::Advise };
    memory.count(agent, rule.id, verdict, given, refuses.then_some((&hit.subject, hit.shown)));
    Outcome {
        verdict,
        rule: Some(rule),
        text: Some(text),
        tool: hit.tool,
        saves: Some(Saves { tokens: shown - given as i64, basis: hit.basis }),
        effects: outcome.effects,
        ..Outcome::pass(hit.why)
    }
}

impl Found<'_> {
    /// Whether it may be refused, and not only advised on. A weak call may where its size is known: measured, or told
    /// with the call.
    fn refuses(&self, is_told: bool, memory: &Session) -> bool {
        let is_known = self.hit.basis == Basis::Measured || is_told && self.hit.wanted > 0;
        match self.config.mode {
            Mode::Advise | Mode::Off => false,
            _ if self.rule.advises_only => false,
            _ if memory.is_volatile() => false,
            Mode::Strict => true,
            Mode::Answer | Mode::Redirect => self.is_strong || self.config.refuse_weak && is_known,
        }
    }

    /// What is remembered of advice: it comes once for a rule, or once for each call.
    fn advice(&self) -> &str {
        match self.config.advice_repeat {
            Repeat::Each => &self.hit.subject,
            Repeat::Once => self.rule.id,
        }
    }

    /// Whether the output is not worth a word, or at least not `given` tokens of them.
    fn is_cheap(&self, given: u64) -> bool {
        let (wanted, config) = (self.hit.wanted, self.config);
        wanted < config.min_tokens || config.min_saved > 0 && wanted < config.min_saved.saturating_add(given)
    }

    /// Why nothing is said, if so. `given`: tokens of what would be said.
    fn silence(&self, refuses: bool, given: u64, memory: &Session, agent: &str) -> Option<Why> {
        let (hit, config) = (&self.hit, &self.config);
        if memory.was_refused(agent, &hit.subject) {
            Some(Why::Insisted)
        } else if self.is_cheap(given) {
            Some(Why::Cheap)
        } else if !refuses && memory.was_told(agent, self.advice()) {
            Some(Why::Told)
        } else if memory.given() >= config.max_per_session
            || !refuses && memory.spent().saturating_add(given) > config.advice_tokens
        {
            Some(Why::Capped)
        } else if memory.unheeded(agent) >= config.give_up_after {
            Some(Why::GivenUp)
        } else {
            None
        }
    }
}

/// What the model reads: the fact, the way on, and what becomes of the call.
fn message(hit: &Hit, refuses: bool, reading: &Reading) -> String {
    let mut text = format!("{} {}", capitalised(&hit.fact), capitalised(&hit.way));
    if refuses {
        text += if reading.has_parts {
            " Nothing of this command ran; the same call again runs."
        } else {
            " The same call again runs."
        };
    }
    text
}

/// A record that one is enough of, for a session and agent.
fn record_once(memory: &mut Session, agent: &str, code: &'static str, outcome: &mut Outcome) {
    if !memory.was_told(agent, code) {
        memory.remember_told(agent, code);
        outcome.effects.push(Effect::Record { code, detail: None });
        outcome.effects.push(unsaved());
    }
}

/// The memory is to be saved; filled in once the verdict stands.
fn unsaved() -> Effect {
    Effect::Save { session: String::new(), state: String::new() }
}

/// A mistake in the configuration is recorded once per session.
fn report(warnings: &[Warning], memory: &mut Session, outcome: &mut Outcome) {
    for warning in warnings {
        if !memory.was_told("", &warning.0) {
            memory.remember_told("", &warning.0);
            outcome.effects.push(Effect::Record { code: "config", detail: Some(warning.0.clone()) });
            outcome.effects.push(unsaved());
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
