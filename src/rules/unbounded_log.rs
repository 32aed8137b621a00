//! # `unbounded-log`
//!
//! **What it stops.** `git log` without a count, a range, a date or a path.
//!
//! **Why.** A history grows with the project; the newest commits are what is looked for.
//!
//! **Example.** `git log --oneline`
//!
//! **Instead.** `git log -n 20`, or a path.
//!
//! **When it stays quiet.** With a count, a date, a range, a path or a search (`-S`), behind a bound, and in a project
//! whose history is short.

use super::{Check, Scene, output_hit, step};
use crate::intent::Intent;
use crate::outcome::Why;

pub fn check(intent: &Intent, scene: &Scene) -> Check {
    let Intent::Log(out) = intent else {
        return Check::No(Why::NotConcerned);
    };
    if !out.is_open() {
        return Check::No(if out.doubt { Why::Doubt } else { Why::NotConcerned });
    }
    step!(scene.none_exists(&out.unless_files));
    let place = step!(scene.at_home(out));
    let measured = step!(scene.measured(out, &[]));
    let subject = format!("log:{}", place.root);
    let way = "`-n 20` or a narrower path shows less.";
    output_hit(scene, measured, subject, "this history", way)
}
