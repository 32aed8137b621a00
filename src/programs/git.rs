//! Git: histories, diffs, searches, and how each may be run to be measured.

use super::list::tracked;
use super::options::{Letters, Options};
use super::placed;
use super::search::{GREP_LONG, GREP_LONG_VALUES, grep_measure, is_bounded_grep, search, split_pattern};
use super::view::whole;
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
        "blame" => git_blame(&command, words),
        "cat-file" => git_cat_file(&command, words),
        "diff" => git_diff(&command, words),
        "diff-tree" | "format-patch" | "show" => git_patch(&command, &subcommand.text, words),
        "grep" => git_grep(&command, words),
        "log" | "reflog" | "whatchanged" => git_log(&command, &subcommand.text, words),
        "ls-files" | "ls-tree" => tracked(&command, &subcommand.text, words),
        "stash" if words.first().is_some_and(|w| w.text == "show") => git_patch(&command, "stash", &words[1..]),
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
    if !options.values(&["format", "pretty"]).all(is_harmless_format) {
        return None;
    }
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
        // A format of the repository's may have signatures checked all the same; then by nobody.
        "-c",
        "gpg.program=false",
        "-c",
        "gpg.ssh.program=false",
        "-c",
        "gpg.x509.program=false",
        subcommand,
    ];
    let safe = ["--no-color", "--no-ext-diff", "--no-textconv"];
    let text = |w: &Word| w.text.clone();
    // A submodule's own differ would be started otherwise.
    let last = ["--submodule=short", "--ignore-submodules=dirty"];
    let argv = fixed
        .iter()
        .chain(&safe)
        .map(|s| s.to_string())
        .chain(options.rebuilt())
        .chain(last.map(str::to_string))
        .chain(revisions.iter().map(text));
    Some((of, argv.chain(["--".to_string()]).chain(paths.iter().map(text)).collect(), command.dir.clone()?))
}

/// A format that has no signature checked, which would start the program that a repository names for it. Names of formats
/// of the repository's own may hold anything.
fn is_harmless_format(format: &str) -> bool {
    const NAMES: &[&str] = &["email", "full", "fuller", "mboxrd", "medium", "oneline", "raw", "reference", "short"];
    NAMES.contains(&format) || format.contains('%') && !format.contains("%G")
}

/// How the words of a history or diff that are no options stand: known or not, and which may be files.
fn out_of(command: &Command, options: &Options, words: &[Word]) -> Output {
    let (revisions, _) = options.split_at_dashes();
    let unknown = |w: &&Word| !is_revision(&w.text) && !is_variable(w);
    Output {
        doubt: options.unknown || words.iter().any(|w| w.dynamic && !is_variable(w)) || command.dir.is_none(),
        unless_files: revisions
            .iter()
            .filter(unknown)
            .map(|w| placed(command, &w.text).unwrap_or_else(|| w.text.clone()))
            .collect(),
        ..Output::default()
    }
}

/// `$BASE`: a single variable, which is a revision more often than anything else.
fn is_variable(word: &Word) -> bool {
    let name = word.text.strip_prefix('$').map(|rest| rest.trim_start_matches('{').trim_end_matches('}'));
    word.dynamic && name.is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// Whether a word is a path that narrows: not the whole tree.
fn is_narrow(word: &Word) -> bool {
    !is_whole_tree(word)
}

fn is_whole_tree(word: &Word) -> bool {
    matches!(word.text.as_str(), "." | "./" | ":/" | ":")
}

fn git_log(command: &Command, subcommand: &str, words: &[Word]) -> Vec<Intent> {
    let letters = Letters { plain: "pPiEFsmu0gwbct", values: "nSGL", attached: GIT_ATTACHED, numeric: true };
    let options = Options::parse(words, &letters, LOG_LONG, LOG_LONG_VALUES);
    let (revisions, paths) = options.split_at_dashes();
    let range = revisions.iter().any(|w| w.text.contains(".."));
    let patch = options.has(&["p", "u", "patch", "L"]) || subcommand == "whatchanged";
    let scoped = !paths.is_empty() || range || options.has(&["S", "G", "L", "grep"]);
    let counted = options.has(&["#", "n", "max-count", "since", "after", "until", "before", "no-walk"]);
    let out = Output {
        bounded: counted || (scoped && !patch),
        measure: git_measure(command, Measuring::Log, subcommand, &options, revisions, paths),
        ..out_of(command, &options, words)
    };
    vec![Intent::Log(out)]
}

fn git_diff(command: &Command, words: &[Word]) -> Vec<Intent> {
    let letters = Letters { plain: "pusRabwWzD", values: "SGO", attached: GIT_ATTACHED, numeric: false };
    let mut options = Options::parse(words, &letters, &diff_long(), DIFF_LONG_VALUES);
    if options.after_dashes.is_none() {
        options.operands.retain(is_narrow);
    }
    let (revisions, paths) = options.split_at_dashes();
    let out = Output {
        bounded: options.has(DIFF_SUMMARY) || paths.iter().any(is_narrow),
        measure: git_measure(command, Measuring::Diff, "diff", &options, revisions, paths)
            .filter(|_| !options.has(&["O"]))
            .or_else(|| revisions.iter().any(is_variable).then_some((Measuring::Diff, Vec::new(), String::new()))),
        ..out_of(command, &options, words)
    };
    vec![Intent::Diff(out)]
}

/// `git show`, `git diff-tree -p`, `git stash show -p`, `git format-patch --stdout`: the patch of commits, or a file as
/// it was.
fn git_patch(command: &Command, subcommand: &str, words: &[Word]) -> Vec<Intent> {
    let letters = Letters { plain: "pusqRabwWzmcrt", values: "SGO", attached: GIT_ATTACHED, numeric: true };
    let long: Vec<&str> =
        diff_long().into_iter().chain(LOG_LONG.iter().copied()).chain(["stdout", "quiet", "only-untracked"]).collect();
    let long_values: Vec<&str> = DIFF_LONG_VALUES.iter().chain(LOG_LONG_VALUES).copied().collect();
    let options = Options::parse(words, &letters, &long, &long_values);
    let (revisions, paths) = options.split_at_dashes();
    if subcommand == "show" && revisions.iter().any(|w| w.text.contains(':')) {
        return revisions.iter().filter(|w| w.text.contains(':')).map(|w| blob(command, "show", w)).collect();
    }
    let patch = options.has(&["p", "u", "patch"]);
    let prints = match subcommand {
        "show" => true,
        "format-patch" => options.has(&["stdout"]),
        _ => patch,
    };
    if !prints {
        return Vec::new();
    }
    // The first word is a revision; one behind it may be a path.
    let more = usize::from(subcommand != "stash");
    let out = Output {
        bounded: options.has(DIFF_SUMMARY)
            || options.has(&["q"])
            || paths.iter().any(is_narrow)
            || revisions.len() > more,
        measure: match subcommand {
            "show" => git_measure(command, Measuring::Diff, "show", &options, revisions, paths)
                .filter(|_| !options.has(&["O"])),
            // A fact sheet can tell, and nobody else.
            _ => Some((Measuring::Diff, Vec::new(), String::new())),
        },
        doubt: options.unknown || command.dir.is_none() || words.iter().any(|w| w.dynamic && !is_variable(w)),
        ..Output::default()
    };
    vec![Intent::Diff(out)]
}

/// A file as it is in a revision: `HEAD:src/a.rs`.
fn blob(command: &Command, subcommand: &str, word: &Word) -> Intent {
    let mut read = whole(command, word);
    read.path = word.text.clone();
    let options = Options::default();
    let mut measure = git_measure(command, Measuring::Blob, "show", &options, std::slice::from_ref(word), &[]);
    if let Some((_, argv, _)) = &mut measure {
        // There is no path behind the revision, and `show` would take the marker for the start of one.
        argv.retain(|w| w != "--");
    }
    read.out.doubt = command.dir.is_none() || subcommand.is_empty();
    read.out.measure = measure.or(Some((Measuring::Blob, Vec::new(), String::new())));
    Intent::Read(read)
}

fn git_cat_file(command: &Command, words: &[Word]) -> Vec<Intent> {
    match words {
        [kind, object] if matches!(kind.text.as_str(), "-p" | "blob") && object.text.contains(':') => {
            vec![blob(command, "cat-file", object)]
        }
        _ => Vec::new(),
    }
}

fn git_blame(command: &Command, words: &[Word]) -> Vec<Intent> {
    let letters = Letters { plain: "bcefhklnpstw", values: "L", attached: "MC", numeric: false };
    const LONG: &[&str] =
        &["color-lines", "date", "line-porcelain", "porcelain", "root", "show-email", "show-name", "show-number"];
    let options = Options::parse(words, &letters, LONG, &["date", "ignore-rev", "since"]);
    let Some(file) = options.operands.last() else {
        return Vec::new();
    };
    let mut read = whole(command, file);
    read.out.doubt |= options.unknown;
    if options.has(&["L"]) {
        read.whole = false;
        read.unjudged = true;
    }
    vec![Intent::Read(read)]
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
    search.out.measure = grep_measure(command, &options, &search, !options.has(&["no-index", "untracked"]));
    vec![Intent::Search(search)]
}

/// Whether a word is a revision by its spelling.
pub(super) fn is_revision(text: &str) -> bool {
    let hex = text.len() >= 7 && text.len() <= 40 && text.chars().all(|c| c.is_ascii_hexdigit());
    let head = text.strip_prefix("HEAD").or_else(|| text.strip_prefix('@'));
    let headlike = head.is_some_and(|rest| rest.is_empty() || rest.starts_with(['~', '^', '@']));
    let branch = matches!(text, "main" | "master" | "develop" | "trunk" | "staging" | "production");
    let numbered = text.strip_prefix('v').unwrap_or(text);
    let version = numbered.contains('.') && numbered.chars().all(|c| c.is_ascii_digit() || c == '.');
    const PREFIXES: &[&str] =
        &["bugfix/", "chore/", "feat/", "feature/", "fix/", "hotfix/", "origin/", "release/", "upstream/"];
    let prefixed = PREFIXES.iter().any(|prefix| text.starts_with(prefix));
    hex || headlike || branch || version || prefixed || text.contains("..") || text.starts_with("stash@")
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

/// Options of `git diff` without a value that leave the patch; those of [`DIFF_SUMMARY`] do not.
pub(super) const DIFF_LONG: &[&str] = &[
    "cached",
    "staged",
    "patch",
    "exit-code",
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

fn diff_long() -> Vec<&'static str> {
    DIFF_LONG.iter().chain(DIFF_SUMMARY).copied().collect()
}

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
