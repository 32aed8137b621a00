//! # `long-listing`
//!
//! **What it stops.** A listing of everything below a folder: `find .`, `ls -R`, `tree`, `git ls-files`.
//!
//! **Why.** Dependencies and build output are most of it, and names of files are the dearest text there is.
//!
//! **Example.** `find . -type f`
//!
//! **Instead.** A name, a depth, or a bound.
//!
//! **When it stays quiet.** With a name or another test, with a depth up to three, behind a bound or a filter, and
//! whenever the same listing was measured and is short.

use super::unbounded_walk::is_top;
use super::{Check, Scene, output_hit, step};
use crate::intent::Intent;
use crate::outcome::Why;
use crate::shell::joined;

pub fn check(intent: &Intent, scene: &Scene) -> Check {
    let Intent::List { names, roots, out } = intent else {
        return Check::No(Why::NotConcerned);
    };
    if !out.is_open() || roots.iter().any(|root| is_top(root)) {
        return Check::No(if out.doubt { Why::Doubt } else { Why::NotConcerned });
    }
    // What fits a name is often few, and to measure it would walk everything once more.
    if out.filtered || !names.is_empty() {
        return Check::No(Why::NotConcerned);
    }
    let measured = step!(scene.measured(out, roots));
    let place = step!(scene.place());
    let roots: Vec<String> = roots.iter().map(|root| joined(&place.cwd, root)).collect();
    let subject = format!("list:{}", roots.join("\n"));
    let way = "a folder, a name, a smaller depth or `| head -n 50` shows less.";
    output_hit(scene, measured, subject, "this listing", way)
}
