//! # `sliced-read`
//!
//! **What it notices.** A large source file that is read whole in slices: `sed -n '1,250p'`, then `'251,500p'`, or Reads
//! with offset and limit.
//!
//! **Why.** Each slice is small, and together they are the whole file, which every later turn pays for.
//!
//! **Example.** `sed -n '251,500p' src/orders.rs` after `sed -n '1,250p' src/orders.rs`
//!
//! **Instead.** A search in the file for what is looked for.
//!
//! **When it stays quiet.** It never refuses, and speaks once. Silent for slices under 80 lines, for files that are not
//! large, and until the slices of this session and agent are more than half of the file.

use super::whole_file_read::{first, span};
use super::{Check, Hit, Scene, Slice, step};
use crate::fact::{Ask, Fact, FileKind, slashes};
use crate::intent::Intent;
use crate::outcome::{Basis, Why};

/// Shorter slices are a look at a place.
const MIN_SLICE: u64 = 80;

pub fn check(intent: &Intent, scene: &Scene) -> Check {
    let Intent::Read(read) = intent else {
        return Check::No(Why::NotConcerned);
    };
    let is_slice = !read.whole && (read.from > 1 || read.to.is_some()) && read.last.is_none();
    if !is_slice || !read.out.is_open() || read.vague || read.out.measure.is_some() {
        return Check::No(Why::NotConcerned);
    }
    if span(read, u64::MAX) < MIN_SLICE || !scene.config.is_source(&read.path) {
        return Check::No(Why::NotConcerned);
    }
    let stat = step!(scene.inside(&read.path));
    if stat.kind != FileKind::File {
        return Check::No(Why::NotConcerned);
    }
    let [lines] = step!(scene.facts([Ask::Lines { path: scene.at(&read.path) }]));
    let Fact::Lines(lines) = lines else {
        return Check::No(Why::UnknownFact);
    };
    // A slice that is large by itself is another rule's.
    if lines < scene.config.large_lines || span(read, lines) >= scene.config.large_lines {
        return Check::No(Why::NotConcerned);
    }
    let from = first(read, lines);
    let path = slashes(&read.path);
    let name = path.rsplit('/').next().unwrap_or(&path);
    Check::Hit(Box::new(Hit {
        why: Why::LargeFile,
        subject: format!("slices:{}", slashes(&stat.real)),
        // Advice has no threshold to pass, and nothing is counted as saved.
        wanted: u64::MAX,
        shown: 0,
        basis: Basis::Measured,
        fact: format!("with these lines, more than half of the {lines} lines of `{name}` were read in slices."),
        way: "a search in the file finds what is left to see.".to_string(),
        tool: None,
        slice: Some(Slice { from, to: from + span(read, lines).max(1) - 1, enough: lines / 2 + 1 }),
    }))
}
