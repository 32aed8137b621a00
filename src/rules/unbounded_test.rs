//! # `unbounded-test`
//!
//! **What it notices.** A test run whose whole output comes back.
//!
//! **Why.** A passing run prints a line per test; what matters are the totals and the failures.
//!
//! **Example.** `npm test`
//!
//! **Instead.** The last lines, where runners put totals and failures.
//!
//! **When it stays quiet.** It never refuses: nobody knows before what a run prints. Silent behind a bound or a filter,
//! into a file, and where no test is run (`--help`, `--list`).

use super::{Check, Hit, Scene};
use crate::intent::Intent;
use crate::outcome::{Basis, Why};

pub fn check(intent: &Intent, scene: &Scene) -> Check {
    let Intent::Test { runner, out } = intent else {
        return Check::No(Why::NotConcerned);
    };
    if !out.is_open() {
        return Check::No(if out.doubt { Why::Doubt } else { Why::NotConcerned });
    }
    Check::Hit(Box::new(Hit {
        why: Why::UnknownOutput,
        subject: format!("test:{runner}"),
        // Advice has no threshold to pass, and nothing is counted as saved.
        wanted: u64::MAX,
        shown: 0,
        basis: Basis::Estimated,
        fact: format!("a test run of `{runner}` can print a line for each test."),
        way: "`2>&1 | tail -n 60` shows the totals and the last failures.".to_string(),
        tool: scene.simple.map(|command| format!("{command} 2>&1 | tail -n 60")),
        slice: None,
    }))
}
