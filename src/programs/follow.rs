//! Follows an output through what stands behind its command.

use super::options::Options;
use super::powershell;
use super::row_of;
use super::search::split_pattern;
use super::view::{AwkLines, Slice, awk_lines, found_in, matches_all, sed_pattern, sed_prints_all, sed_ranges, slice};
use crate::intent::{Intent, Output};
use crate::shell::{Command, Sink, Word, program};

/// Commands that hand on everything they get, with the options that leave it so, and whether operands are files that
/// they read instead.
const PASS_THROUGH: &[(&str, &str, bool)] = &[
    ("base64", "", true),
    ("bat", "pnA", true),
    ("batcat", "pnA", true),
    ("cat", "nbsAETv", true),
    ("column", "t", true),
    ("expand", "", true),
    ("fmt", "", true),
    ("fold", "s", true),
    ("iconv", "ft", false),
    ("less", "RSFXNi", true),
    ("more", "", true),
    ("nl", "ba", true),
    ("rev", "", true),
    ("sort", "nrfgbdhVMsz", true),
    ("tac", "", true),
    ("tee", "a", false),
    ("xxd", "", true),
];

/// A width in characters from which `cut -c` hardly shortens a line.
const WIDE: u64 = 120;

/// Whether a stage hands everything on: a known filter, known options, and no file that it would read instead.
fn hands_on(name: &str, words: &[Word], options: &Options) -> bool {
    if let Some((_, letters, takes_files)) = PASS_THROUGH.iter().find(|(known, ..)| *known == name) {
        return words.iter().all(|w| match w.text.strip_prefix('-') {
            Some("") => true,
            Some(cluster) => cluster.chars().all(|c| letters.contains(c)),
            None => !takes_files,
        });
    }
    let script = || options.operands.first().map_or("", |w| w.text.as_str());
    match name {
        "awk" | "gawk" | "mawk" => options.operands.len() == 1 && awk_lines(script()) == AwkLines::Range(1, None),
        "cut" => {
            let range = words.first().and_then(|w| w.text.strip_prefix("-c")).filter(|_| words.len() == 1);
            range
                .and_then(|r| r.strip_prefix("1-"))
                .and_then(|end| end.parse().ok())
                .is_some_and(|end: u64| end >= WIDE)
        }
        "egrep" | "fgrep" | "grep" | "rg" | "ugrep" => {
            let plain =
                !options.has(&["c", "count", "l", "L", "m", "max-count", "o", "q", "quiet", "v", "F", "w", "x"]);
            let all = split_pattern(options).is_some_and(|(patterns, files)| {
                files.is_empty() && !patterns.is_empty() && patterns.iter().all(|p| matches_all(p))
            });
            plain && all
        }
        "sed" | "gsed" => {
            options.operands.len() == 1
                && (sed_prints_all(options, script())
                    || sed_pattern(options, script()).is_some_and(|p| matches_all(&p)))
        }
        // A single character, as `\r`, is hardly missed.
        "tr" => {
            matches!(words, [d, set] if d.text == "-d" && set.text.len() <= 2)
                || matches!(words, [from, _] if !from.text.starts_with('-'))
        }
        "perl" => matches!(words, [p, script] if p.text == "-pe" && is_plain_perl(&script.text)),
        "python" | "python3" => matches!(words, [m, tool] if m.text == "-m" && tool.text == "json.tool"),
        _ => false,
    }
}

/// A program of `perl -pe` that leaves the lines where they are.
pub(super) fn is_plain_perl(script: &str) -> bool {
    let script = script.trim();
    matches!(script, "" | "1") || script.starts_with("s/") && !script.contains([';', '{']) && !script.contains(".*")
}

/// Filters that may bound an output or not.
const FILTERS: &[&str] = &[
    "ag", "awk", "bat", "cat", "column", "cut", "egrep", "fgrep", "fold", "gawk", "grep", "jq", "less", "nl", "perl",
    "rg", "sed", "sort", "tr", "ugrep", "uniq",
];

/// Whether a command that is run with names changes those files.
fn edits(words: &[Word]) -> bool {
    let has = |names: &[&str]| words.iter().any(|w| names.contains(&program(w)));
    let in_place = |w: &Word| w.text.starts_with("-i") || w.text.starts_with("--in-place") || w.text.starts_with("-pi");
    let nested = |w: &Word| w.text.contains("sed -i") || w.text.contains("perl -pi");
    has(&["ed", "ex", "mv", "rm", "rpl", "sd"])
        || has(&["awk", "gawk", "gsed", "perl", "sed"]) && words.iter().any(in_place)
        || words.iter().any(nested)
}

/// Follows an output through what stands behind its command.
pub(super) fn follow(intent: &mut Intent, command: &Command) {
    for stage in &command.downstream {
        let name = stage.first().map(program).unwrap_or("");
        let words = stage.get(1..).unwrap_or_default();
        let options = row_of(name).map(|row| Options::of(words, row)).unwrap_or_default();
        if hands_on(name, words, &options) || powershell::follow(intent, command, stage) {
            continue;
        }
        match (name, &mut *intent) {
            ("head" | "tail", Intent::Read(read)) if read.out.measure.is_none() => slice(name, &options).narrow(read),
            // Of many files it is a bound on all of them together.
            ("head" | "tail", other) => {
                if let Some(out) = output(other) {
                    let slice = slice(name, &options);
                    out.bounded |= slice.bounds();
                    if let Slice::First(n) | Slice::Last(n) = slice {
                        out.at_most = Some(out.at_most.map_or(n, |most| most.min(n)));
                    }
                }
            }
            ("awk" | "gawk" | "gsed" | "mawk" | "sed", Intent::Read(read)) if read.out.measure.is_some() => {
                read.unjudged = true;
            }
            ("sed" | "gsed", Intent::Read(read)) => {
                let script = options.operands.first().map(|w| w.text.clone()).unwrap_or_default();
                match (sed_ranges(&options, &script).as_deref(), sed_pattern(&options, &script)) {
                    (Some([(from, to)]), _) => {
                        read.whole = false;
                        read.from = *from;
                        read.to = *to;
                    }
                    (_, Some(pattern)) => *intent = found_in(read, vec![pattern], false, false),
                    _ => read.unjudged = true,
                }
            }
            ("awk" | "gawk" | "mawk", Intent::Read(read)) => {
                match awk_lines(options.operands.first().map_or("", |w| w.text.as_str())) {
                    AwkLines::Range(from, to) => {
                        read.whole = false;
                        read.from = from.max(1);
                        read.to = to;
                    }
                    AwkLines::Matching(pattern) => *intent = found_in(read, vec![pattern], false, false),
                    AwkLines::Unknown => read.unjudged = true,
                }
            }
            ("egrep" | "fgrep" | "grep" | "rg" | "ugrep", Intent::Read(read)) => {
                let Some((patterns, _)) = split_pattern(&options) else {
                    return;
                };
                let fixed = options.has(&["F", "fixed-strings"]) || name == "fgrep";
                *intent = found_in(read, patterns, fixed, options.has(&["i", "ignore-case"]));
            }
            ("xargs", Intent::Search(search)) => {
                search.out.piped = true;
                search.feeds_edit |= edits(words);
            }
            // A count is as short as an output can be.
            ("wc", Intent::List { out, .. }) => out.bounded = true,
            ("wc", Intent::Search(search)) => search.out.bounded = true,
            (filter, other) if FILTERS.contains(&filter) => {
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
        Intent::Diff(out) | Intent::Log(out) | Intent::List { out, .. } | Intent::Test { out, .. } => Some(out),
        Intent::Read(read) => Some(&mut read.out),
        Intent::Search(search) => Some(&mut search.out),
        Intent::Install { .. } | Intent::Unread { .. } => None,
    }
}
