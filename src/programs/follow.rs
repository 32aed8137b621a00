//! Follows an output through what stands behind its command.

use super::PROGRAMS;
use super::options::Options;
use super::search::split_pattern;
use super::view::{Slice, sed_ranges, slice};
use crate::intent::{Intent, Output, Search, Shape};
use crate::shell::{Command, Sink, Word, program};

/// Commands that hand on everything they get, with the options that leave it so.
pub(super) const PASS_THROUGH: &[(&str, &str)] = &[
    ("bat", "pnA"),
    ("batcat", "pnA"),
    ("cat", "nbsAETv"),
    ("expand", ""),
    ("less", "RSFX"),
    ("more", ""),
    ("nl", "ba"),
    ("sort", "nrfgbdhVM"),
    ("tac", ""),
    ("tee", "a"),
];

/// Whether a stage hands everything on: a known filter, known letters, and no file that it would read instead.
pub(super) fn hands_on(name: &str, words: &[Word]) -> bool {
    let Some((_, letters)) = PASS_THROUGH.iter().find(|(known, _)| *known == name) else {
        return false;
    };
    words.iter().all(|w| match w.text.strip_prefix('-') {
        Some(cluster) => cluster.chars().all(|c| letters.contains(c)),
        None => name == "tee",
    })
}

/// Follows an output through what stands behind its command.
pub(super) fn follow(intent: &mut Intent, command: &Command) {
    for stage in &command.downstream {
        let name = stage.first().map(program).unwrap_or("");
        if hands_on(name, stage.get(1..).unwrap_or_default()) {
            continue;
        }
        let row = PROGRAMS.iter().find(|p| p.names.contains(&name));
        let options = row.map(|row| Options::of(&stage[1..], row)).unwrap_or_default();
        match (name, &mut *intent) {
            ("head" | "tail", Intent::Read(read)) => slice(name, &options).narrow(read),
            ("head" | "tail", other) => {
                if let Some(out) = output(other) {
                    let slice = slice(name, &options);
                    out.bounded |= slice.bounds();
                    if let Slice::First(n) | Slice::Last(n) = slice {
                        out.at_most = Some(out.at_most.map_or(n, |most| most.min(n)));
                    }
                }
            }
            ("sed", Intent::Read(read)) => {
                let script = options.operands.first().map(|w| w.text.clone()).unwrap_or_default();
                match sed_ranges(&options, &script).as_deref() {
                    Some([(from, to)]) => {
                        read.whole = false;
                        read.from = *from;
                        read.to = *to;
                    }
                    _ => read.unjudged = true,
                }
            }
            ("grep" | "egrep" | "fgrep" | "rg", Intent::Read(read)) => {
                let Some((patterns, _)) = split_pattern(&options) else {
                    return;
                };
                let fixed = options.has(&["F", "fixed-strings"]) || name == "fgrep";
                *intent = Intent::Search(Search {
                    shape: Shape::of(&patterns, fixed),
                    patterns,
                    fixed,
                    ignore_case: options.has(&["i", "ignore-case"]),
                    scope: vec![read.path.clone()],
                    globs: Vec::new(),
                    recursive: false,
                    feeds_edit: false,
                    out: Output::default(),
                });
            }
            // A filter may bound an output or not.
            (
                "grep" | "egrep" | "fgrep" | "rg" | "sed" | "awk" | "cut" | "tr" | "sort" | "uniq" | "column" | "bat"
                | "less" | "cat" | "nl" | "fold",
                other,
            ) => {
                if let Some(out) = output(other) {
                    out.doubt = true;
                }
            }
            (_, other) => {
                if let Some(out) = output(other) {
                    out.piped = true;
                }
            }
        }
    }
    if let Some(out) = output(intent) {
        out.piped |= command.sink == Sink::Captured;
        out.writes |= command.sink == Sink::File;
    }
}

/// The output of an intent that has one.
pub fn output(intent: &mut Intent) -> Option<&mut Output> {
    match intent {
        Intent::Diff(out) | Intent::Log(out) | Intent::List { out, .. } => Some(out),
        Intent::Read(read) => Some(&mut read.out),
        Intent::Search(search) => Some(&mut search.out),
        Intent::Install { .. } | Intent::Test { .. } | Intent::Unread { .. } => None,
    }
}
