//! Programs as a table: which options take values, and what a command of each program does.
//!
//! Adding a program is a row of [`PROGRAMS`] and its cases. An option that is not in its row is doubt, and doubt is
//! silence. Invariant: knows no rule and no limit but how many lines still count as a bound.

mod follow;
mod git;
mod list;
mod options;
mod search;
mod view;

use self::options::Options;
use self::search::{GREP_LONG, GREP_LONG_VALUES, RG_LONG, RG_LONG_VALUES};
use crate::intent::Intent;
use crate::shell::{Command, Script, joined, program};

/// A `head`, `tail` or count up to so many lines is a bound; a longer one bounds nothing that matters. The described
/// systems use the same figure for a long read.
const BOUND_LINES: u64 = 300;

/// Matches per file (`grep -m`) up to so many are a bound.
const BOUND_MATCHES: u64 = 20;

/// A program: its names, its options, and how its words are understood.
struct Program {
    names: &'static [&'static str],
    /// Options without a value, a letter each.
    short: &'static str,
    /// Options with a value (`-m 5`, `-m5`).
    short_values: &'static str,
    /// Options without a value, or with one behind `=`.
    long: &'static [&'static str],
    /// Options with a value (`--lines 5`, `--lines=5`).
    long_values: &'static [&'static str],
    /// `-5` is an option.
    numeric: bool,
    understand: fn(&Command, &str, &Options) -> Vec<Intent>,
}

const PROGRAMS: &[Program] = &[
    Program {
        names: &["cat", "less", "more", "tac"],
        short: "AbeEnNrRsStTuvXFi",
        short_values: "",
        long: &[
            "number",
            "number-nonblank",
            "show-all",
            "show-ends",
            "show-tabs",
            "squeeze-blank",
            "RAW-CONTROL-CHARS",
        ],
        long_values: &[],
        numeric: false,
        understand: view::view,
    },
    Program {
        names: &["nl"],
        short: "p",
        short_values: "bdfhilnsvw",
        long: &["no-renumber"],
        long_values: &["body-numbering", "number-width", "number-format", "number-separator", "starting-line-number"],
        numeric: false,
        understand: view::view,
    },
    Program {
        names: &["bat", "batcat"],
        short: "AnpPuS",
        short_values: "lrH",
        long: &["plain", "number", "show-all", "no-pager"],
        long_values: &[
            "line-range",
            "language",
            "style",
            "theme",
            "color",
            "paging",
            "wrap",
            "tabs",
            "decorations",
            "highlight-line",
        ],
        numeric: false,
        understand: view::bat,
    },
    Program {
        names: &["head", "tail"],
        short: "fFqvz",
        short_values: "nc",
        long: &["follow", "quiet", "silent", "verbose", "retry"],
        long_values: &["lines", "bytes", "pid"],
        numeric: true,
        understand: view::head_or_tail,
    },
    Program {
        names: &["sed", "gsed"],
        short: "nErsuz",
        short_values: "efl",
        long: &["quiet", "silent", "regexp-extended", "posix", "separate", "unbuffered"],
        long_values: &["expression", "file", "line-length"],
        numeric: false,
        understand: view::sed,
    },
    Program {
        names: &["grep", "egrep", "fgrep", "ggrep"],
        short: "abcEFGHhIiLlnoPqRrsTUvwxyZz",
        short_values: "ABCDdefm",
        long: GREP_LONG,
        long_values: GREP_LONG_VALUES,
        numeric: true,
        understand: search::grep,
    },
    Program {
        names: &["rg"],
        short: "aFHhiIlLnNoPpqSsuUvwxz0c.",
        short_values: "ABCEefgjmMrtTd",
        long: RG_LONG,
        long_values: RG_LONG_VALUES,
        numeric: false,
        understand: search::rg,
    },
    Program {
        names: &["find", "gfind"],
        short: "",
        short_values: "",
        long: &[],
        long_values: &[],
        numeric: false,
        understand: list::find,
    },
    Program {
        names: &["git"],
        short: "",
        short_values: "",
        long: &[],
        long_values: &[],
        numeric: false,
        understand: git::git,
    },
];

/// Names that a rule could concern, wrappers and shells included: what the command hooks' filters are made of.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        PROGRAMS.iter().flat_map(|p| p.names).copied().chain(crate::shell::wrapper_names()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What a script does, in order.
pub fn intents(script: &Script) -> Vec<Intent> {
    let mut all = Vec::new();
    for command in &script.commands {
        all.extend(of_command(command));
    }
    all.extend(script.unread.iter().map(|text| Intent::Unread { text: text.clone() }));
    all
}

fn of_command(command: &Command) -> Vec<Intent> {
    let Some(first) = command.argv.first() else {
        return Vec::new();
    };
    let name = program(first);
    let Some(row) = PROGRAMS.iter().find(|p| p.names.contains(&name)) else {
        return Vec::new();
    };
    let options = Options::of(&command.argv[1..], row);
    let mut intents = (row.understand)(command, name, &options);
    for intent in &mut intents {
        follow::follow(intent, command);
    }
    intents
}

/// A path as written, seen from where the text starts; `None` = only the shell knows the folder.
fn placed(command: &Command, path: &str) -> Option<String> {
    if path.starts_with(['/', '~']) {
        return Some(path.to_string());
    }
    command.dir.as_deref().map(|dir| if dir.is_empty() { path.to_string() } else { joined(dir, path) })
}
