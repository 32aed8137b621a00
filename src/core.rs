//! The core: what happens to a call, from the event to the verdict.
//!
//! A judgement is a function of the call, the configuration, the session's memory and the facts so far; it is run again
//! when facts come in, so their order does not matter. Invariant: keeps nothing of a call once it is answered, except
//! hashes of what was refused or told.

use std::collections::BTreeMap;

use crate::config::{Config, Layer, MIN_LARGE_LINES, Mode, Warning};
use crate::fact::{Ask, Fact};
use crate::intent::{Intent, Output, Read};
use crate::outcome::{Effect, Outcome, Saves, Verdict, Why};
use crate::programs;
use crate::rules::{Check, Hit, RULES, Rule, Scene};
use crate::sheet::Sheet;
use crate::shell::{self, Sink};
use crate::size;
use crate::state::{Session, Sessions};

/// Calls waiting for facts; the oldest goes first.
const MAX_PENDING: usize = 256;
/// Rounds of questions for one call.
const MAX_ROUNDS: usize = 4;
/// Commands that are run for one call to be measured.
const MAX_MEASURES: usize = 3;
/// A command longer than this is not suggested again with a bound behind it, in characters.
const MAX_SUGGESTED: usize = 160;

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
}

/// What a tool is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    Bash {
        command: String,
    },
    /// A tool that no rule concerns.
    Other,
    Read {
        path: String,
        ranged: bool,
        allow_large: bool,
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

/// What was read from a call's input.
#[derive(Default)]
struct Reading {
    intents: Vec<Intent>,
    /// The command, where it is a single simple one.
    simple: Option<String>,
    /// There are other commands in it than the judged one and `cd`.
    has_parts: bool,
    /// Why no rule may refuse this call.
    stays_out: Option<Why>,
    records: Vec<Effect>,
}

impl Core {
    pub fn new() -> Core {
        Core::default()
    }

    /// Forgets the configuration, so that the next call that needs it asks for it.
    pub fn refresh(&mut self) {
        self.config = None;
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
                    self.config = Some(config);
                    pending.warnings = warnings;
                }
                (Ask::Config, _) => self.config = Some(Config::default()),
                // A call that was answered meanwhile knows more than the host did when it was asked.
                (Ask::State { session }, Fact::State(text)) if !self.sessions.holds(session) => {
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
            Ok(outcome) => (Vec::new(), outcome),
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
        outcome.effects.splice(0..0, pending.reading.records);
        outcome.intents = pending.reading.intents;
        Step::Done { call: id, outcome }
    }

    /// The verdict, or what is needed for it.
    fn judge(&mut self, pending: &mut Pending) -> Result<Outcome, Vec<Ask>> {
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
        // Until the configuration is known, anything could be large: no rule may stay silent for a limit.
        let cautious = Config { large_lines: MIN_LARGE_LINES, large_bytes: 0, min_tokens: 0, ..Config::default() };
        let config = known.unwrap_or(&cautious);
        let warnings = own.as_ref().map_or(&pending.warnings, |(_, warnings)| warnings);

        let facts = |ask: &Ask| match &call.sheet {
            Some(sheet) => Some(sheet.answer(ask)),
            None => pending.facts.iter().find(|(known, _)| known == ask).map(|(_, fact)| fact.clone()),
        };
        let scene = Scene {
            by_read: matches!(call.input, Input::Read { .. }),
            config,
            facts: &facts,
            has_sheet: call.sheet.is_some(),
            cwd: call.cwd.as_deref(),
            simple: pending.reading.simple.as_deref(),
        };
        let mut asks = Vec::new();
        let mut hits: Vec<(&'static Rule, Hit)> = Vec::new();
        let mut why = Why::NotConcerned;
        for intent in &pending.reading.intents {
            for rule in RULES {
                if config.mode_of(rule.id) == Mode::Off {
                    why = Why::Off;
                    continue;
                }
                match rule.check(intent, &scene) {
                    Check::Hit(hit) => hits.push((rule, hit)),
                    Check::Need(more) => asks.extend(more),
                    Check::No(Why::NotConcerned) => {}
                    Check::No(reason) => why = reason,
                }
            }
        }
        if hits.is_empty() && asks.is_empty() {
            return Ok(Outcome::pass(why));
        }
        if let Some(reason) = pending.reading.stays_out {
            return Ok(Outcome::pass(reason));
        }
        if known.is_none() {
            // What runs a program waits until it is known that anything is to be judged at all.
            asks.retain(|ask| !matches!(ask, Ask::Measure { .. }));
            asks.push(Ask::Config);
        } else if config.bypass {
            return Ok(bypassed(hits.first().map(|(rule, _)| *rule)));
        }
        let measures = |asks: &[Ask]| asks.iter().filter(|ask| matches!(ask, Ask::Measure { .. })).count();
        if measures(&asks) + pending.facts.iter().filter(|(ask, _)| matches!(ask, Ask::Measure { .. })).count()
            > MAX_MEASURES
        {
            return Ok(Outcome::pass(Why::Doubt));
        }
        let session = call.session.clone().unwrap_or_default();
        // The memory comes last, so that a host which locks it does so for a moment only.
        if let Some(session) = &call.session
            && asks.is_empty()
            && !self.sessions.holds(session)
        {
            if call.sheet.is_some() {
                self.sessions.keep(session.clone(), Session::default());
            } else {
                let ask = Ask::State { session: session.clone() };
                match facts_contain(&pending.facts, &ask) {
                    true => return Ok(without_memory()),
                    false => asks.push(ask),
                }
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
        let mut outcome = decide(hits, config, memory, &pending.call.agent, &pending.reading);
        report(warnings, memory, &mut outcome);
        if outcome.effects.iter().any(|e| matches!(e, Effect::Save { .. })) {
            outcome.effects.retain(|e| !matches!(e, Effect::Save { .. }));
            outcome.effects.push(Effect::Save { session: session.clone(), state: memory.to_text() });
        }
        if pending.call.session.is_none() {
            // Nothing is remembered without a session.
            self.sessions.forget(&session);
            outcome.effects.retain(|e| !matches!(e, Effect::Save { .. }));
        }
        Ok(outcome)
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

/// A refusal that cannot be remembered would come again and again.
fn without_memory() -> Outcome {
    let mut outcome = Outcome::pass(Why::UnknownFact);
    outcome.effects.push(Effect::Record { code: "no-memory", detail: None });
    outcome
}

/// Whether a rule advises here instead of refusing.
fn advises(rule: &Rule, config: &Config) -> bool {
    rule.advises_only || config.mode_of(rule.id) == Mode::Advise
}

/// One verdict for all hits: the first that still speaks. All of them are remembered with it, so that the same call runs
/// the second time, whatever else is in it.
fn decide(
    hits: Vec<(&'static Rule, Hit)>,
    config: &Config,
    memory: &mut Session,
    agent: &str,
    reading: &Reading,
) -> Outcome {
    let mut hits = hits;
    // A refusal goes before advice.
    hits.sort_by_key(|(rule, _)| advises(rule, config));
    let mut outcome = Outcome::pass(Why::NotConcerned);
    let mut speaker = None;
    for (i, (rule, hit)) in hits.iter().enumerate() {
        let text = message(rule, hit, config, reading);
        let given = size::tokens(text.chars().count() as u64);
        outcome.rule = Some(rule);
        outcome.why = if memory.was_refused(agent, &hit.subject) {
            Why::Insisted
        } else if hit.wanted < config.min_tokens || hit.wanted < config.min_saved.saturating_add(given) {
            Why::Cheap
        } else if advises(rule, config) && memory.was_told(agent, rule.id) {
            Why::Told
        } else {
            speaker = Some((i, text, given));
            break;
        };
    }
    let Some((i, text, given)) = speaker else {
        return outcome;
    };
    let refuses = !advises(hits[i].0, config);
    if refuses {
        for (_, hit) in hits.iter().filter(|(rule, _)| !rule.advises_only) {
            memory.remember_refused(agent, &hit.subject);
        }
    } else {
        memory.remember_told(agent, hits[i].0.id);
    }
    let (rule, hit) = hits.into_iter().nth(i).expect("the speaker is one of the hits");
    let shown = if refuses { hit.shown as i64 } else { 0 };
    Outcome {
        verdict: if refuses { Verdict::Redirect } else { Verdict::Advise },
        rule: Some(rule),
        text: Some(text),
        tool: hit.tool,
        saves: Some(Saves { tokens: shown - given as i64, basis: hit.basis }),
        // Filled in once the verdict stands.
        effects: vec![Effect::Save { session: String::new(), state: String::new() }],
        ..Outcome::pass(hit.why)
    }
}

/// What the model reads: the fact, the way on, and what becomes of the call.
fn message(rule: &Rule, hit: &Hit, config: &Config, reading: &Reading) -> String {
    let mut text = format!("{} {}", capitalised(&hit.fact), capitalised(&hit.way));
    if !advises(rule, config) {
        text += if reading.has_parts {
            " Nothing of this command ran; the same call again runs."
        } else {
            " The same call again runs."
        };
    }
    text
}

/// A mistake in the configuration is recorded once per session.
fn report(warnings: &[Warning], memory: &mut Session, outcome: &mut Outcome) {
    for warning in warnings {
        if !memory.was_told("", &warning.0) {
            memory.remember_told("", &warning.0);
            outcome.effects.push(Effect::Record { code: "config", detail: Some(warning.0.clone()) });
            outcome.effects.push(Effect::Save { session: String::new(), state: String::new() });
        }
    }
}

/// Whether a command, or one behind it, has a name that the text itself gives another meaning.
fn is_redefined(command: &shell::Command, redefined: &[String]) -> bool {
    let names = command.argv.first().into_iter().chain(command.downstream.iter().filter_map(|stage| stage.first()));
    names.into_iter().any(|word| redefined.contains(&word.text))
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

impl Reading {
    fn of(input: &Input) -> Reading {
        match input {
            Input::Bash { command } => Reading::of_bash(command),
            Input::Other => Reading::default(),
            Input::Read { path, ranged, allow_large } => {
                let read = Read {
                    path: path.clone(),
                    from: 1,
                    to: None,
                    last: None,
                    whole: !ranged,
                    vague: false,
                    unjudged: *ranged,
                    many: None,
                    out: Output::default(),
                };
                let stays_out = allow_large.then_some(Why::Insisted);
                Reading { intents: vec![Intent::Read(read)], stays_out, ..Reading::default() }
            }
        }
    }

    fn of_bash(command: &str) -> Reading {
        let script = shell::read(command);
        let mut reading = Reading { intents: programs::intents(&script), ..Reading::default() };
        if script.out_of_fuel {
            reading.stays_out = Some(Why::OutOfFuel);
            reading.intents.clear();
            reading.records.push(Effect::Record { code: "out-of-fuel", detail: None });
        } else if !script.unread.is_empty() || script.commands.iter().any(|c| is_redefined(c, &script.redefined)) {
            reading.stays_out = Some(Why::Unread);
        }
        let bypassed =
            |c: &shell::Command| c.assigned.iter().any(|(name, value)| name == "TRIMTAB_BYPASS" && value == "1");
        if script.commands.iter().any(bypassed) {
            reading.stays_out = Some(Why::Bypassed);
            reading.records.push(Effect::Record { code: "bypass", detail: None });
        }
        let is_stage = |c: &shell::Command| c.stdin == shell::Stdin::Pipe;
        let is_folder = |c: &shell::Command| c.argv.first().is_some_and(|w| w.text == "cd");
        reading.has_parts = script.commands.iter().filter(|c| !is_stage(c) && !is_folder(c)).count() > 1;
        let text = command.trim();
        if let [only] = script.commands.as_slice()
            && only.downstream.is_empty()
            && only.sink == Sink::Model
            && text.len() <= MAX_SUGGESTED
            && !text.contains(['\n', ';', '&', '>', '<', '#'])
        {
            reading.simple = Some(text.to_string());
        }
        reading
    }
}
