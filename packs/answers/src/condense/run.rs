//! A test run, an installation or a build that went well: its totals, its warnings and its last lines.
//!
//! Invariant: an output with a sign of failure is none of these, whatever the exit code says.

use std::collections::HashSet;

use super::lines::{Lines, Pieces};

/// Last lines that are always shown.
const LAST: usize = 12;
/// First lines, which name what runs.
const FIRST: usize = 2;
/// Characters of the line that names a gap.
const GAP: usize = 24;
/// A longer line tells no total.
const MAX_TOTAL: usize = 200;

/// Beginnings of lines that tell of a failure.
const FAILED: &[&str] = &[
    "--- FAIL",
    "=== FAILURES",
    "BUILD FAILED",
    "E   ",
    "ERROR",
    "ERR!",
    "FAIL ",
    "FAIL\t",
    "FAIL:",
    "FAILED",
    "FAILURE:",
    "Traceback (most recent call last)",
    "[ERROR]",
    "error:",
    "error[",
    "fatal:",
    "fatal error",
    "not ok ",
    "npm ERR!",
    "npm error",
    "panic:",
    "✕",
    "✖",
    "✗",
    "❌",
];

/// What stands in the middle of one.
const FAILED_INSIDE: &[&str] =
    &[": error ", ": error:", ": fatal error:", "BUILD FAILURE", "panicked at", "test result: FAILED", "... FAILED"];

/// Words behind a count of things that failed.
const COUNTED: &[&str] = &[" failed", " failing", " failures", " failure", " errors", " error"];

/// Keys before such a count.
const KEYED: &[&str] = &["Failures: ", "Errors: ", "# fail ", "failed: ", "failures=", "errors="];

/// Parts of lines that tell how a run ended.
const TOTALS: &[&str] = &[
    "# pass",
    "# tests",
    "BUILD SUCCESS",
    "Build succeeded",
    "Compiled successfully",
    "Done in ",
    "Finished ",
    "Ran ",
    "Successfully ",
    "Test Files",
    "Test Suites:",
    "Tests run:",
    "Tests:",
    "Total tests",
    "added ",
    "audited ",
    "built in ",
    "modules transformed",
    "passed",
    "passing",
    "test result:",
    "tests completed",
    "tests ran",
    "up to date",
    "vulnerabilit",
];

/// Beginnings of lines that only a build or an installation prints.
const BUILDING: &[&str] = &[
    "#1 ",
    "> Task :",
    "Building ",
    "CC ",
    "CXX ",
    "Checking ",
    "Collecting ",
    "Compiling ",
    "Downloaded ",
    "Downloading ",
    "Fetching ",
    "Get:",
    "Installing ",
    "Linking ",
    "Step ",
    "Unpacking ",
    "[INFO] ",
    "cc ",
    "g++ ",
    "gcc ",
    "make[",
];

/// Whether a line tells of a failure.
pub fn tells_failure(line: &str) -> bool {
    let bare = line.trim_start();
    FAILED.iter().any(|sign| bare.starts_with(sign))
        || FAILED_INSIDE.iter().any(|sign| line.contains(sign))
        || COUNTED
            .iter()
            .any(|word| line.match_indices(word).any(|(at, _)| counts_something(&line[..at], &line[at + word.len()..])))
        || KEYED.iter().any(|key| line.match_indices(key).any(|(at, _)| starts_with_count(&line[at + key.len()..])))
}

/// `3` before ` failed`, not `0`.
fn counts_something(before: &str, after: &str) -> bool {
    let digits = before.len() - before.bytes().rev().take_while(u8::is_ascii_digit).count();
    !after.starts_with(char::is_alphanumeric) && starts_with_count(&before[digits..])
}

fn starts_with_count(text: &str) -> bool {
    text.bytes().take_while(u8::is_ascii_digit).any(|digit| digit != b'0')
}

/// Whether a text looks like a build, where the command is not known: one in three lines does.
pub fn is_build(lines: &Lines) -> bool {
    let is_step = |line: &str| {
        let bare = line.trim_start();
        BUILDING.iter().any(|sign| bare.starts_with(sign)) || is_counted_step(bare)
    };
    lines.iter().filter(|(_, line)| is_step(line)).count() * 3 >= lines.len()
}

/// `[12/80] …`, and `[ 12%] …`.
fn is_counted_step(line: &str) -> bool {
    let Some((inside, _)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) else { return false };
    let inside = inside.trim();
    inside.len() < 12
        && inside.starts_with(|c: char| c.is_ascii_digit())
        && inside.ends_with(|c: char| c.is_ascii_digit() || c == '%')
        && inside.contains(['/', '%'])
}

fn is_total(line: &str) -> bool {
    TOTALS.iter().any(|part| line.contains(part)) && line.bytes().any(|b| b.is_ascii_digit())
        || line.starts_with("ok  \t")
        || line.contains("BUILD SUCCESS")
}

fn is_warning(line: &str) -> bool {
    let bare = line.trim_start();
    let begins = ["[WARN", "npm warn", "npm WARN", "WARN", "warn:", "warning", "Warning", "(!)"];
    begins.iter().any(|sign| bare.starts_with(sign))
        || [": warning:", ": warning ", "DeprecationWarning", "UserWarning"].iter().any(|part| line.contains(part))
}

pub fn condense(lines: &Lines, room: usize) -> Option<Pieces> {
    let mut chosen = Chosen { lines, is_chosen: vec![false; lines.len() + 1], left: room };
    (lines.len().saturating_sub(LAST) + 1..=lines.len()).rev().for_each(|number| chosen.add(number));
    (1..=FIRST.min(lines.len())).for_each(|number| chosen.add(number));
    // The last totals count most; half of the room is for warnings.
    for (number, line) in lines.iter().rev().filter(|(_, line)| line.len() < MAX_TOTAL) {
        if chosen.left > room / 2 && is_total(line) {
            chosen.add(number);
        }
    }
    let mut seen = HashSet::new();
    for (number, line) in lines.iter() {
        if is_warning(line) && seen.insert(line.trim()) {
            chosen.add(number);
            // Where it is, as compilers tell it.
            if number < lines.len() && lines.at(number + 1).trim_start().starts_with("--> ") {
                chosen.add(number + 1);
            }
        }
    }
    let mut pieces = Pieces::new();
    for number in (1..=lines.len()).filter(|number| chosen.is_chosen[*number]) {
        pieces.show_only(number);
    }
    Some(pieces)
}

struct Chosen<'a> {
    lines: &'a Lines<'a>,
    is_chosen: Vec<bool>,
    left: usize,
}

impl Chosen<'_> {
    /// A line, if it fits with a gap before it.
    fn add(&mut self, number: usize) {
        let cost = self.lines.cost(number) + GAP;
        if !self.is_chosen[number] && cost <= self.left {
            self.left -= cost;
            self.is_chosen[number] = true;
        }
    }
}
