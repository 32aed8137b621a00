//! The code tools: `outline`, `symbol`, `find`, `usages` and `grep`.
//!
//! Git names candidates in one command, tree-sitter decides, and what is shown fits a budget of tokens; the rest is
//! counted, and a narrower call that reaches it is named. Reading order: `args`, `place`, `candidates` (`git`, `walk`),
//! `look` (files to declarations), then a file for each tool.
//!
//! Invariant: reads only; shows nothing of a file, not even a name in it, unless a Read of it would be allowed without
//! asking. There is no index: every call looks at the files as they are.

mod args;
mod asking;
mod candidates;
mod find;
mod git;
mod grep;
mod look;
mod outline;
mod page;
mod place;
mod symbol;
mod usages;
mod walk;

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

pub use args::TOOLS;
pub use asking::Step;

use args::{Args, Tool, nearest};
use asking::Running;

/// Tokens of a result, unless the caller says otherwise.
const BUDGET: u64 = 2_000;
/// Results that are remembered for one agent, and agents.
const MAX_RESULTS: usize = 64;
const MAX_AGENTS: usize = 32;
/// A shorter result is given again: to say that it is the same takes as long.
const MIN_REPEAT_CHARS: usize = 600;

/// How a tool ends.
#[derive(Debug)]
pub enum Answer {
    /// What the model reads; `found` is false where there is nothing.
    Shown { text: String, data: Value, found: bool },
    /// What is wrong with the call.
    Wrong(String),
}

/// A call on its way.
pub struct Call {
    running: Running<Answer>,
    /// Whose call it is and what it asks; `None` where nothing is remembered.
    asked: Option<(String, u64)>,
    name: &'static str,
    wants_again: bool,
}

/// What agents were shown, the latest agent last.
#[derive(Default)]
pub struct Memory {
    agents: VecDeque<(String, VecDeque<(u64, u64)>)>,
}

/// What a tool may use to answer.
#[derive(Clone)]
pub(crate) struct Request {
    args: Args,
    /// In tokens.
    budget: u64,
}

impl Call {
    /// Of a request's `call`: `tool`, `args`, `session`, `agent`, `budget`.
    pub fn of(call: &Value) -> Result<Call, String> {
        let name = call["tool"].as_str().unwrap_or_default();
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        let tool = Tool::of(name)
            .ok_or_else(|| format!("no tool `{}`{}", args::brief(name), nearest(name, &names).unwrap_or_default()))?;
        let args = tool.read(&call["args"])?;
        let budget = call["budget"].as_u64().unwrap_or(BUDGET);
        let asked = call["session"].as_str().map(|session| {
            let agent = call["agent"].as_str().unwrap_or_default();
            (format!("{session} {agent}"), hash(&(name, args.key(), budget)))
        });
        let wants_again = args.text("since").is_some();
        let request = Request { args, budget };
        let name = tool.name;
        let running = Running::new(|host| async move {
            let answer = match name {
                "outline" => outline::run(&host, &request).await,
                "symbol" => symbol::run(&host, &request).await,
                "find" => find::run(&host, &request).await,
                "usages" => usages::run(&host, &request).await,
                _ => grep::run(&host, &request).await,
            };
            answer.unwrap_or_else(Answer::Wrong)
        });
        Ok(Call { running, asked, name: tool.name, wants_again })
    }

    pub fn step(&mut self, facts: Vec<crate::ask::Fact>, memory: &mut Memory) -> Step<Answer> {
        let done = match self.running.step(facts) {
            Step::Done(done) => done,
            need => return need,
        };
        let Answer::Shown { text, data, found: true } = done else { return Step::Done(done) };
        let is_repeated = match &self.asked {
            Some((agent, key)) => {
                !memory.is_new(agent, *key, hash(&text)) && !self.wants_again && text.len() >= MIN_REPEAT_CHARS
            }
            None => false,
        };
        if !is_repeated {
            return Step::Done(Answer::Shown { text, data, found: true });
        }
        let text = format!("Unchanged since your last `{}` of it. `since: \"none\"` shows it again.", self.name);
        Step::Done(Answer::Shown { text, data: Value::Null, found: true })
    }
}

impl Memory {
    /// Notes a result, and says whether this agent was given another one, or none, for the same question.
    fn is_new(&mut self, agent: &str, key: u64, result: u64) -> bool {
        let mut results = match self.agents.iter().position(|(known, _)| known == agent) {
            Some(at) => self.agents.remove(at).map(|(_, results)| results).unwrap_or_default(),
            None => VecDeque::new(),
        };
        let before = results.iter().position(|(known, _)| *known == key).and_then(|at| results.remove(at));
        results.push_back((key, result));
        if results.len() > MAX_RESULTS {
            results.pop_front();
        }
        self.agents.push_back((agent.to_string(), results));
        if self.agents.len() > MAX_AGENTS {
            self.agents.pop_front();
        }
        before.is_none_or(|(_, old)| old != result)
    }

    /// A conversation that was cut down no longer has what it was shown.
    pub fn forget(&mut self, session: &str) {
        self.agents.retain(|(agent, _)| agent.split_once(' ').is_none_or(|(of, _)| of != session));
    }
}

impl Answer {
    /// As it crosses the wire.
    pub fn to_json(&self) -> Value {
        match self {
            Answer::Shown { text, data, found } => {
                json!({"verdict": "answer", "text": text, "found": found, "data": data})
            }
            Answer::Wrong(message) => json!({"verdict": "pass", "why": "wrong-call", "error": message}),
        }
    }

    fn nothing(text: String) -> Answer {
        Answer::Shown { text, data: json!([]), found: false }
    }
}

/// The tools as a client lists them.
pub fn listed() -> Value {
    TOOLS.iter().map(Tool::listed).collect()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
