//! Git: histories, diffs, searches, and how each may be run to be measured.

use super::options::{Letters, Options};
use super::search::{GREP_LONG, GREP_LONG_VALUES, grep_measure, is_bounded_grep, search, split_pattern};
use crate::fact::Measuring;
use crate::intent::{Intent, Output};
use crate::shell::{Command, Word, joined};

/// Options before git's subcommand that change nothing about what is judged.
pub(super) fn git(command: &Command, _: &str, _: &Options) -> Vec<Intent> {
    let mut at = 1;
    let mut dir = None;
    while let Some(word) = command.argv.get(at) {
        match word.text.as_str() {
            "-C" => {
                dir = command.argv.get(at + 1).cloned();
                at += 2;
            }
            "-c" => at += 2,
            "--no-pager" | "-P" | "--no-optional-locks" | "--literal-pathspecs" => at += 1,
            text if text.starts_with('-') => return Vec::new(),
            _ => break,
        }
    }
    let Some(subcommand) = command.argv.get(at) else {
        return Vec::new();
    };
    let mut command = Command { argv: command.argv.clone(), dir: command.dir.clone(), ..command.clone() };
    if let Some(dir) = dir {
        command.dir = match (&command.dir, dir.is_known()) {
            (Some(from), true) => Some(joined(from, &dir.text)),
            _ => None,
        };
    }
    let words = &command.argv[at + 1..];
    match subcommand.text.as_str() {
        "log" => git_log(&command, words),
        "diff" => git_diff(&command, words),
        "grep" => git_grep(&command, words),
        _ => Vec::new(),
    }
}

/// `git` as it may be run to be measured: known options only, each value in the word of its option, and nothing that a
/// repository configures is started.
pub(super) fn git_measure(
    command: &Command,
    of: Measuring,
    subcommand: &str,
    options: &Options,
    revisions: &[Word],
    paths: &[Word],
) -> Option<(Measuring, Vec<String>, String)> {
    let is_plain = |w: &Word| w.is_known() && !w.text.starts_with('-');
    if options.unknown
        || !command.assigned.is_empty()
        || !revisions.iter().all(is_plain)
        || paths.iter().any(|w| w.dynamic)
    {
        return None;
    }
    let fixed = [
        "git",
        "--no-pager",
        "--no-optional-locks",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "log.showSignature=false",
        subcommand,
    ];
    let safe = ["--no-color", "--no-ext-diff", "--no-textconv"];
    let text = |w: &Word| w.text.clone();
    let argv =
        fixed.iter().chain(&safe).map(|s| s.to_string()).chain(options.rebuilt()).chain(revisions.iter().map(text));
    Some((of, argv.chain(["--".to_string()]).chain(paths.iter().map(text)).collect(), command.dir.clone()?))
}

pub(super) fn git_log(command: &Command, words: &[Word]) -> Vec<Intent> {
    let letters = Letters { plain: "pPiEFsmu0gwbct", values: "nSGL", attached: GIT_ATTACHED, numeric: true };
    let options = Options::parse(words, &letters, LOG_LONG, LOG_LONG_VALUES);
    let (revisions, paths) = options.split_at_dashes();
    let range = revisions.iter().any(|w| w.text.contains(".."));
    let patch = options.has(&["p", "u", "patch", "L"]);
    let scoped = !paths.is_empty() || range || options.has(&["S", "G", "L", "grep"]);
    let counted = options.has(&["#", "n", "max-count", "since", "after", "until", "before", "no-walk"]);
    let out = Output {
        bounded: counted || (scoped && !patch),
        // A word that is no plain revision may be a path.
        doubt: options.unknown
            || words.iter().any(|w| w.dynamic)
            || command.dir.is_none()
            || !revisions.iter().all(|w| is_revision(&w.text)),
        measure: git_measure(command, Measuring::Log, "log", &options, revisions, paths),
        ..Output::default()
    };
    vec![Intent::Log(out)]
}

pub(super) fn git_diff(command: &Command, words: &[Word]) -> Vec<Intent> {
    let letters = Letters { plain: "pusRabwWzD", values: "SGO", attached: GIT_ATTACHED, numeric: false };
    let options = Options::parse(words, &letters, DIFF_LONG, DIFF_LONG_VALUES);
    let (revisions, paths) = options.split_at_dashes();
    let narrow = |w: &Word| !matches!(w.text.as_str(), "." | "./" | ":/" | ":");
    let out = Output {
        bounded: options.has(DIFF_SUMMARY) || paths.iter().any(narrow),
        // A word that is no plain revision may be a path.
        doubt: options.unknown
            || words.iter().any(|w| w.dynamic)
            || command.dir.is_none()
            || !revisions.iter().all(|w| is_revision(&w.text)),
        measure: git_measure(command, Measuring::Diff, "diff", &options, revisions, paths)
            .filter(|_| !options.has(&["O"])),
        ..Output::default()
    };
    vec![Intent::Diff(out)]
}

pub(super) fn git_grep(command: &Command, words: &[Word]) -> Vec<Intent> {
    const LONG: &[&str] = &[
        "cached",
        "untracked",
        "no-index",
        "and",
        "or",
        "not",
        "heading",
        "break",
        "show-function",
        "function-context",
        "column",
        "full-name",
    ];
    let long: Vec<&str> = GREP_LONG.iter().chain(LONG).copied().collect();
    let long_values: Vec<&str> = GREP_LONG_VALUES.iter().chain(&["max-depth", "threads"]).copied().collect();
    let letters = Letters { plain: "abcEFGHhIiLlnoPqrswWvpz", values: "ABCefm", attached: "", numeric: true };
    let options = Options::parse(words, &letters, &long, &long_values);
    let Some((patterns, mut scope)) = split_pattern(&options) else {
        return Vec::new();
    };
    if scope.is_empty() {
        scope.push(Word::plain("."));
    }
    let mut search = search(command, &options, patterns, scope, true);
    search.out.bounded |= is_bounded_grep(&options) || options.has(&["max-depth"]);
    search.out.measure = grep_measure(command, &options, &search);
    vec![Intent::Search(search)]
}

/// Whether a word is a revision by its spelling.
pub(super) fn is_revision(text: &str) -> bool {
    let hex = text.len() >= 7 && text.len() <= 40 && text.chars().all(|c| c.is_ascii_hexdigit());
    let head = text.strip_prefix("HEAD").or_else(|| text.strip_prefix('@'));
    let headlike = head.is_some_and(|rest| rest.is_empty() || rest.starts_with(['~', '^', '@']));
    let branch = matches!(text, "main" | "master" | "develop" | "trunk" | "staging" | "production");
    hex || headlike || branch || text.contains("..") || text.starts_with("origin/") || text.starts_with("upstream/")
}

pub(super) const LOG_LONG: &[&str] = &[
    "oneline",
    "graph",
    "all",
    "decorate",
    "no-decorate",
    "stat",
    "shortstat",
    "numstat",
    "name-only",
    "name-status",
    "abbrev-commit",
    "no-abbrev-commit",
    "reverse",
    "no-merges",
    "merges",
    "first-parent",
    "patch",
    "no-patch",
    "branches",
    "tags",
    "remotes",
    "topo-order",
    "date-order",
    "relative-date",
    "summary",
    "follow",
    "no-walk",
    "left-right",
    "cherry-pick",
    "full-history",
    "simplify-by-decoration",
    "no-color",
    "no-ext-diff",
    "no-textconv",
    "raw",
    "source",
    "ignore-case",
    "extended-regexp",
    "fixed-strings",
    "all-match",
    "invert-grep",
    "root",
    "cc",
    "merge",
    "no-notes",
    "pretty",
    "color",
    "abbrev",
    "unified",
    "format",
];

pub(super) const LOG_LONG_VALUES: &[&str] = &[
    "date",
    "author",
    "committer",
    "grep",
    "since",
    "after",
    "until",
    "before",
    "max-count",
    "skip",
    "diff-filter",
    "decorate-refs",
];

pub(super) const DIFF_LONG: &[&str] = &[
    "cached",
    "staged",
    "patch",
    "no-patch",
    "stat",
    "shortstat",
    "numstat",
    "name-only",
    "name-status",
    "summary",
    "dirstat",
    "compact-summary",
    "raw",
    "check",
    "quiet",
    "exit-code",
    "no-index",
    "no-color",
    "no-ext-diff",
    "no-textconv",
    "ignore-all-space",
    "ignore-space-change",
    "ignore-blank-lines",
    "ignore-space-at-eol",
    "minimal",
    "patience",
    "histogram",
    "function-context",
    "no-renames",
    "no-prefix",
    "text",
    "word-diff",
    "merge-base",
    "full-index",
    "binary",
    "color-words",
    "find-renames",
    "submodule",
    "unified",
    "color",
    "abbrev",
    "relative",
    "inter-hunk-context",
];

pub(super) const DIFF_LONG_VALUES: &[&str] = &["diff-filter", "diff-algorithm"];

/// Options of `git log` and `git diff` whose value stands in the same word, or nowhere.
pub(super) const GIT_ATTACHED: &str = "MCBUl";

/// Options of `git diff` that print a summary instead of the patch.
pub(super) const DIFF_SUMMARY: &[&str] = &[
    "stat",
    "shortstat",
    "numstat",
    "name-only",
    "name-status",
    "summary",
    "dirstat",
    "compact-summary",
    "raw",
    "check",
    "quiet",
    "no-patch",
    "no-index",
    "s",
];
