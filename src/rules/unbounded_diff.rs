//! # `unbounded-diff`
//!
//! **What it stops.** `git diff` of everything: no path, no summary.
//!
//! **Why.** Generated files and lockfiles print as much as the change that is looked for.
//!
//! **Example.** `git diff`
//!
//! **Instead.** `git diff --stat` first, then the files that matter.
//!
//! **When it stays quiet.** With a path, with a summary (`--stat`, `--name-only`), behind a bound, when a word could be a
//! path, and when the diff is small.

use super::{Check, Scene, output_hit, step};
use crate::intent::Intent;
use crate::outcome::Why;

pub fn check(intent: &Intent, scene: &Scene) -> Check {
    let Intent::Diff(out) = intent else {
        return Check::No(Why::NotConcerned);
    };
    if !out.is_open() {
        return Check::No(if out.doubt { Why::Doubt } else { Why::NotConcerned });
    }
    step!(scene.none_exists(&out.unless_files));
    let place = step!(scene.at_home(out));
    let measured = step!(scene.measured(out, &[]));
    let subject = format!("diff:{}", place.root);
    let way = "`--stat` names the files; then a path behind `--` shows one.";
    output_hit(scene, measured, subject, "this patch", way)
}
