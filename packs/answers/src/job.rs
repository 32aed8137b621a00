//! What can be asked for, as a table: a job is a function of its request and the facts so far.
//!
//! It is run again whenever facts come in, and says either what is done or what it needs. Adding a job is a row.

use serde_json::{Map, Value};

use crate::ask::{Ask, Facts};
use crate::{condense, outline};

/// A job on its way.
pub enum Job {
    Condense(Box<condense::Request>),
    Outline(outline::Request),
}

impl Job {
    /// The job of a request, by its `do`; `None` for a name that is no job.
    pub fn of(name: &str, call: Value) -> Option<Result<Job, String>> {
        Some(match name {
            "condense" => Ok(Job::Condense(Box::new(condense::Request::of(call)))),
            "outline" => outline::Request::of(&call).map(Job::Outline),
            _ => return None,
        })
    }

    pub fn run(&self, facts: &Facts) -> Result<Done, Vec<Ask>> {
        match self {
            Job::Condense(request) => condense::run(request, facts),
            Job::Outline(request) => outline::run(request, facts),
        }
    }
}

/// How a job ends: with something to be shown, or with the reason why there is nothing.
#[derive(Debug, Default, PartialEq)]
pub struct Done(pub Map<String, Value>);

impl Done {
    /// Nothing is put in the place of the result.
    pub fn pass(why: &str) -> Done {
        let mut done = Done::default();
        done.put("verdict", "pass").put("why", why);
        done
    }

    pub fn answer() -> Done {
        let mut done = Done::default();
        done.put("verdict", "answer");
        done
    }

    pub fn put(&mut self, key: &str, value: impl Into<Value>) -> &mut Done {
        self.0.insert(key.to_string(), value.into());
        self
    }
}
