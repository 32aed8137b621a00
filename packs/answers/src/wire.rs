//! The wire: JSON in, JSON out, as the core's. The only file that knows which requests wait for which facts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::ask::{Ask, Fact, Facts};
use crate::job::{Done, Job};

/// Requests waiting for facts; the oldest goes first. Each may hold an output of megabytes.
const MAX_PENDING: usize = 32;
/// Rounds of questions for one request; the host's loop allows eight.
const MAX_ROUNDS: usize = 8;

/// One for each host process.
#[derive(Default)]
pub struct Wire {
    pending: BTreeMap<u64, Pending>,
    next: u64,
}

struct Pending {
    job: Job,
    facts: Facts,
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
