//! The wire: JSON in, JSON out, as the core's. The only file that knows which requests wait for which facts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::ask::{Ask, Fact, Facts};
use crate::job::{Done, Job};
use crate::tools::{self, Answer, Step};

/// Requests waiting for facts; the oldest goes first. Each may hold an output of megabytes.
const MAX_PENDING: usize = 32;
/// Rounds of questions for one request; the host's loop allows eight.
const MAX_ROUNDS: usize = 8;
/// The same for a tool, which asks in as many rounds as it has batches of files to look at.
const MAX_TOOL_ROUNDS: usize = 400;

/// One for each host process.
#[derive(Default)]
pub struct Wire {
    pending: BTreeMap<u64, Pending>,
    calls: BTreeMap<u64, PendingCall>,
    memory: tools::Memory,
    next: u64,
}

struct Pending {
    job: Job,
    facts: Facts,
    asked: Vec<Ask>,
    rounds: usize,
}

struct PendingCall {
    call: tools::Call,
    asked: Vec<Ask>,
    rounds: usize,
}

impl Wire {
    pub fn step(&mut self, request: &str) -> String {
        self.answer(request).to_string()
    }

    fn answer(&mut self, request: &str) -> Value {
        let Ok(mut request) = serde_json::from_str::<Value>(request) else {
            return error("request-not-json", "the request is no JSON");
        };
        if request["v"] != 1 {
            return error("unknown-version", "the request is of another version");
        }
        let name = request["do"].as_str().unwrap_or_default().to_string();
        match name.as_str() {
            "check" => json!({"v": 1, "ok": true, "version": env!("CARGO_PKG_VERSION")}),
            "tools" => json!({"v": 1, "tools": tools::listed()}),
            "tool" => {
                self.next += 1;
                match tools::Call::of(&request["call"]) {
                    Ok(call) => {
                        self.advance_call(self.next, PendingCall { call, asked: Vec::new(), rounds: 0 }, Vec::new())
                    }
                    Err(wrong) => json!({"v": 1, "call": self.next, "done": Answer::Wrong(wrong).to_json()}),
                }
            }
            "forget" => {
                self.memory.forget(request["session"].as_str().unwrap_or_default());
                json!({"v": 1})
            }
            "facts" => self.handle_facts(request["call"].as_u64(), request["facts"].take()),
            _ => match Job::of(&name, request["call"].take()) {
                Some(Ok(job)) => {
                    self.next += 1;
                    let pending = Pending { job, facts: Facts::default(), asked: Vec::new(), rounds: 0 };
                    self.advance(self.next, pending)
                }
                Some(Err(message)) => error("unreadable-request", &message),
                None => error("unknown-request", "no such request"),
            },
        }
    }

    /// Facts come in, one for each ask, in the order of the asks. Missing ones count as unknown.
    fn handle_facts(&mut self, call: Option<u64>, facts: Value) -> Value {
        if let Some((number, mut pending)) = call.and_then(|call| Some((call, self.calls.remove(&call)?))) {
            let mut facts = if let Value::Array(facts) = facts { facts.into_iter() } else { Vec::new().into_iter() };
            let asked = std::mem::take(&mut pending.asked);
            let facts =
                asked.into_iter().map(|ask| facts.next().map_or(Fact::Unknown, |answer| ask.fact(answer))).collect();
            return self.advance_call(number, pending, facts);
        }
        let Some((call, mut pending)) = call.and_then(|call| Some((call, self.pending.remove(&call)?))) else {
            return error("unknown-call", "no request waits under this number");
        };
        let mut facts = match facts {
            Value::Array(facts) => facts.into_iter(),
            _ => Vec::new().into_iter(),
        };
        for ask in std::mem::take(&mut pending.asked) {
            let fact = facts.next().map_or(Fact::Unknown, |answer| ask.fact(answer));
            pending.facts.add(ask, fact);
        }
        self.advance(call, pending)
    }

    fn advance_call(&mut self, number: u64, mut pending: PendingCall, facts: Vec<Fact>) -> Value {
        match pending.call.step(facts, &mut self.memory) {
            Step::Done(answer) => json!({"v": 1, "call": number, "done": answer.to_json()}),
            Step::Need(_) if pending.rounds == MAX_TOOL_ROUNDS => finished(number, Done::pass("rounds")),
            Step::Need(asks) => {
                let need: Vec<Value> = asks.iter().map(Ask::to_json).collect();
                pending.rounds += 1;
                pending.asked = asks;
                if self.calls.len() >= MAX_PENDING {
                    self.calls.pop_first();
                }
                self.calls.insert(number, pending);
                json!({"v": 1, "call": number, "need": need})
            }
        }
    }

    fn advance(&mut self, call: u64, mut pending: Pending) -> Value {
        match pending.job.run(&pending.facts) {
            Ok(done) => finished(call, done),
            Err(_) if pending.rounds == MAX_ROUNDS => finished(call, Done::pass("rounds")),
            Err(asks) => {
                let need: Vec<Value> = asks.iter().map(Ask::to_json).collect();
                pending.rounds += 1;
                pending.asked = asks;
                if self.pending.len() >= MAX_PENDING {
                    self.pending.pop_first();
                }
                self.pending.insert(call, pending);
                json!({"v": 1, "call": call, "need": need})
            }
        }
    }
}

fn finished(call: u64, done: Done) -> Value {
    json!({"v": 1, "call": call, "done": done.0})
}

fn error(code: &str, message: &str) -> Value {
    json!({"v": 1, "error": {"code": code, "message": message}})
}
