//! Programs as a table: which options take values, and what a command of each program does.
//!
//! Adding a program is a row of [`PROGRAMS`] and its cases. An option that is not in its row is doubt, and doubt is
//! silence. Invariant: knows no rule and no limit but how many lines still count as a bound.

use crate::fact::Measuring;
use crate::intent::{Intent, Output, Read, Search, Shape};
use crate::shell::{Command, Script, Sink, Stdin, Word, joined, program};

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
        understand: view,
    },
    Program {
        names: &["nl"],
        short: "p",
        short_values: "bdfhilnsvw",
        long: &["no-renumber"],
        long_values: &["body-numbering", "number-width", "number-format", "number-separator", "starting-line-number"],
        numeric: false,
        understand: view,
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
        understand: bat,
    },
    Program {
        names: &["head", "tail"],
        short: "fFqvz",
        short_values: "nc",
        long: &["follow", "quiet", "silent", "verbose", "retry"],
        long_values: &["lines", "bytes", "pid"],
        numeric: true,
        understand: head_or_tail,
    },
    Program {
        names: &["sed", "gsed"],
        short: "nErsuz",
        short_values: "efl",
        long: &["quiet", "silent", "regexp-extended", "posix", "separate", "unbuffered"],
        long_values: &["expression", "file", "line-length"],
        numeric: false,
        understand: sed,
    },
    Program {
        names: &["grep", "egrep", "fgrep", "ggrep"],
        short: "abcEFGHhIiLlnoPqRrsTUvwxyZz",
        short_values: "ABCDdefm",
        long: GREP_LONG,
        long_values: GREP_LONG_VALUES,
        numeric: true,
        understand: grep,
    },
    Program {
        names: &["rg"],
        short: "aFHhiIlLnNoPpqSsuUvwxz0c.",
        short_values: "ABCEefgjmMrtTd",
        long: RG_LONG,
        long_values: RG_LONG_VALUES,
        numeric: false,
        understand: rg,
    },
    Program {
        names: &["find", "gfind"],
        short: "",
        short_values: "",
        long: &[],
        long_values: &[],
        numeric: false,
        understand: find,
    },
    Program {
        names: &["git"],
        short: "",
        short_values: "",
        long: &[],
        long_values: &[],
        numeric: false,
        understand: git,
    },
];

const GREP_LONG: &[&str] = &[
    "recursive",
    "dereference-recursive",
    "line-number",
    "with-filename",
    "no-filename",
    "ignore-case",
    "no-ignore-case",
    "word-regexp",
    "line-regexp",
    "invert-match",
    "extended-regexp",
    "basic-regexp",
    "fixed-strings",
    "perl-regexp",
    "files-with-matches",
    "files-without-match",
    "name-only",
    "count",
    "quiet",
    "silent",
    "no-messages",
    "only-matching",
    "text",
    "null",
    "initial-tab",
    "line-buffered",
    "byte-offset",
    "color",
    "colour",
];
const GREP_LONG_VALUES: &[&str] = &[
    "regexp",
    "file",
    "max-count",
    "after-context",
    "before-context",
    "context",
    "include",
    "exclude",
    "exclude-dir",
    "exclude-from",
    "include-dir",
    "binary-files",
    "directories",
    "devices",
    "label",
];
const RG_LONG: &[&str] = &[
    "hidden",
    "no-hidden",
    "no-ignore",
    "no-ignore-vcs",
    "ignore-case",
    "smart-case",
    "case-sensitive",
    "fixed-strings",
    "word-regexp",
    "line-regexp",
    "invert-match",
    "line-number",
    "no-line-number",
    "with-filename",
    "no-filename",
    "heading",
    "no-heading",
    "column",
    "only-matching",
    "count",
    "count-matches",
    "files-with-matches",
    "files-without-match",
    "files",
    "quiet",
    "multiline",
    "multiline-dotall",
    "pcre2",
    "text",
    "follow",
    "trim",
    "vimgrep",
    "null",
    "no-messages",
    "pretty",
    "passthru",
    "stats",
    "json",
    "unrestricted",
    "help",
    "version",
    "type-list",
];
const RG_LONG_VALUES: &[&str] = &[
    "regexp",
    "glob",
    "iglob",
    "type",
    "type-not",
    "max-count",
    "max-depth",
    "max-columns",
    "after-context",
    "before-context",
    "context",
    "color",
    "colors",
    "sort",
    "sortr",
    "threads",
    "engine",
    "encoding",
    "max-filesize",
    "replace",
    "context-separator",
    "ignore-file",
];
const LOG_LONG: &[&str] = &[
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
const LOG_LONG_VALUES: &[&str] = &[
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
const DIFF_LONG: &[&str] = &[
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
const DIFF_LONG_VALUES: &[&str] = &["diff-filter", "diff-algorithm"];
/// Options of `git log` and `git diff` whose value stands in the same word, or nowhere.
const GIT_ATTACHED: &str = "MCBUl";
/// Options of `git diff` that print a summary instead of the patch.
const DIFF_SUMMARY: &[&str] = &[
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
/// Tests and joints of `find` that need no value, and those that take one. Anything else is doubt.
const FIND_PLAIN: &[&str] = &[
    "-print",
    "-prune",
    "-o",
    "-or",
    "-a",
    "-and",
    "-not",
    "!",
    "(",
    ")",
    "-empty",
    "-readable",
    "-writable",
    "-executable",
    "-xdev",
    "-mount",
    "-follow",
    "-nouser",
    "-nogroup",
    "-depth",
];
const FIND_VALUES: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-xtype",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-newer",
    "-user",
    "-group",
    "-perm",
    "-links",
    "-inum",
    "-samefile",
    "-mindepth",
    "-maxdepth",
    "-uid",
    "-gid",
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
        follow(intent, command);
    }
    intents
}

/// Options of a letter: without a value, with one (`-m5`, `-m 5`), with one in the same word or none (`-M`, `-M90`).
struct Letters {
    plain: &'static str,
    values: &'static str,
    attached: &'static str,
    /// `-5` is an option.
    numeric: bool,
}

/// The words of a command behind its name, sorted out.
#[derive(Default)]
struct Options {
    /// Options by name without dashes, with their values.
    given: Vec<(String, Option<String>)>,
    operands: Vec<Word>,
    /// Index in `operands` of the first word behind `--`.
    after_dashes: Option<usize>,
    /// An option that the row does not know.
    unknown: bool,
}

impl Options {
    fn of(words: &[Word], row: &Program) -> Options {
        let Program { short, short_values, long, long_values, numeric, .. } = *row;
        Options::parse(words, &Letters { plain: short, values: short_values, attached: "", numeric }, long, long_values)
    }

    fn parse(words: &[Word], letters: &Letters, long: &[&str], long_values: &[&str]) -> Options {
        let mut options = Options::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            if options.after_dashes.is_some() || text == "-" || !text.starts_with('-') {
                options.operands.push(word.clone());
            } else if text == "--" {
                options.after_dashes = Some(options.operands.len());
            } else if let Some(name) = text.strip_prefix("--") {
                options.unknown |= word.dynamic;
                let (name, value) = match name.split_once('=') {
                    Some((name, value)) => (name, Some(value.to_string())),
                    None => (name, None),
                };
                if long_values.contains(&name) && !(value.is_none() && long.contains(&name)) {
                    let value = value.or_else(|| words.next().map(|w| w.text.clone()));
                    options.given.push((name.to_string(), value));
                } else {
                    options.unknown |= !long.contains(&name);
                    options.given.push((name.to_string(), value));
                }
            } else {
                options.unknown |= word.dynamic;
                options.cluster(&text[1..], &mut words, letters);
            }
        }
        options
    }

    fn cluster(&mut self, cluster: &str, words: &mut std::slice::Iter<Word>, letters: &Letters) {
        if letters.numeric && cluster.chars().all(|c| c.is_ascii_digit()) {
            return self.given.push(("#".to_string(), Some(cluster.to_string())));
        }
        for (i, c) in cluster.char_indices() {
            let rest = &cluster[i + c.len_utf8()..];
            if letters.attached.contains(c) {
                return self.given.push((c.to_string(), Some(rest.to_string()).filter(|r| !r.is_empty())));
            }
            if letters.values.contains(c) {
                let value = if rest.is_empty() { words.next().map(|w| w.text.clone()) } else { Some(rest.to_string()) };
                return self.given.push((c.to_string(), value));
            }
            self.unknown |= !letters.plain.contains(c);
            self.given.push((c.to_string(), None));
        }
    }

    /// The operands before and behind `--`.
    fn split_at_dashes(&self) -> (&[Word], &[Word]) {
        self.operands.split_at(self.after_dashes.unwrap_or(self.operands.len()))
    }

    /// The operands that are paths: without the pattern where it is the first of them.
    fn operands_behind(&self, pattern: bool) -> impl Iterator<Item = String> {
        self.operands.iter().skip(usize::from(pattern)).filter(|w| w.text != "-").map(|w| w.text.clone())
    }

    /// The options as words again, each value in the word of its option, so that no value can be read as an option.
    fn rebuilt(&self) -> impl Iterator<Item = String> {
        self.given.iter().map(|(name, value)| match (name.chars().count(), value) {
            (1, Some(count)) if name == "#" => format!("-{count}"),
            (1, None) => format!("-{name}"),
            (1, Some(value)) => format!("-{name}{value}"),
            (_, None) => format!("--{name}"),
            (_, Some(value)) => format!("--{name}={value}"),
        })
    }

    fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    fn values<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = &'a str> {
        self.given.iter().filter(|(name, _)| names.contains(&name.as_str())).filter_map(|(_, value)| value.as_deref())
    }

    fn number(&self, names: &[&str]) -> Option<u64> {
        self.values(names).filter_map(|v| v.parse().ok()).last()
    }
}

/// A path as written, seen from where the text starts; `None` = only the shell knows the folder.
fn placed(command: &Command, path: &str) -> Option<String> {
    if path.starts_with(['/', '~']) {
        return Some(path.to_string());
    }
    command.dir.as_deref().map(|dir| if dir.is_empty() { path.to_string() } else { joined(dir, path) })
}

fn whole(command: &Command, operand: &Word) -> Read {
    let placed = placed(command, &operand.text);
    Read {
        path: placed.clone().unwrap_or_else(|| operand.text.clone()),
        from: 1,
        to: None,
        last: None,
        whole: true,
        vague: !operand.is_known() || placed.is_none(),
        unjudged: false,
        out: Output::default(),
    }
}

/// The files that a viewer reads: its operands, else the file in its standard input.
fn viewed(command: &Command, operands: &[Word]) -> Vec<Read> {
    let mut reads: Vec<Read> = operands.iter().filter(|w| w.text != "-").map(|w| whole(command, w)).collect();
    if operands.is_empty()
        && let Stdin::File(file) = &command.stdin
    {
        reads.push(whole(command, file));
    }
    reads
}

fn view(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["help", "version"]) {
        return Vec::new();
    }
    let mut reads = viewed(command, &options.operands);
    reads.iter_mut().for_each(|read| read.out.doubt |= options.unknown);
    reads.into_iter().map(Intent::Read).collect()
}

fn bat(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    let ranges: Vec<&str> = options.values(&["r", "line-range"]).collect();
    let mut reads = viewed(command, &options.operands);
    reads.iter_mut().for_each(|read| read.out.doubt |= options.unknown);
    let mut intents = Vec::new();
    for read in reads {
        if ranges.is_empty() {
            intents.push(Intent::Read(read));
            continue;
        }
        for range in &ranges {
            let (from, to) = range.split_once(':').unwrap_or((range, range));
            let mut part = Read { whole: false, from: from.parse().unwrap_or(1), ..read.clone() };
            part.to = to.parse().ok();
            part.unjudged = part.to.is_none();
            intents.push(Intent::Read(part));
        }
    }
    intents
}

/// What `head` or `tail` leave of what they get.
#[derive(Clone, Copy)]
enum Slice {
    First(u64),
    From(u64),
    Last(u64),
    /// Everything, or nearly.
    All,
    /// By bytes.
    Bytes,
}

fn slice(name: &str, options: &Options) -> Slice {
    if options.has(&["c", "bytes"]) {
        return Slice::Bytes;
    }
    let count = options.values(&["n", "lines", "#"]).last().unwrap_or("10");
    let number = |text: &str| text.parse::<u64>().ok();
    match (name, count.chars().next()) {
        ("head", Some('-')) => Slice::All,
        ("head", _) => number(count).map_or(Slice::Bytes, Slice::First),
        (_, Some('+')) => number(&count[1..]).map_or(Slice::Bytes, |n| Slice::From(n.max(1))),
        (_, _) => number(count.trim_start_matches('-')).map_or(Slice::Bytes, Slice::Last),
    }
}

impl Slice {
    fn narrow(self, read: &mut Read) {
        match self {
            Slice::First(n) => {
                let end = read.from.saturating_add(n).saturating_sub(1);
                read.to = Some(read.to.map_or(end, |to| to.min(end)));
                read.whole = false;
            }
            Slice::From(n) => {
                read.from = read.from.saturating_add(n - 1);
                read.whole &= n == 1;
            }
            Slice::Last(n) => {
                read.last = Some(read.last.map_or(n, |last| last.min(n)));
                read.whole = false;
            }
            Slice::Bytes => {
                read.whole = false;
                read.unjudged = true;
            }
            Slice::All => {}
        }
    }

    /// Whether it bounds an output of unknown length.
    fn bounds(self) -> bool {
        match self {
            Slice::First(n) | Slice::Last(n) => n <= BOUND_LINES,
            Slice::Bytes => true,
            Slice::All | Slice::From(_) => false,
        }
    }
}

fn head_or_tail(command: &Command, name: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["f", "F", "follow"]) {
        return Vec::new();
    }
    // `tail +5` is the older spelling of `tail -n +5`.
    let mut operands = options.operands.clone();
    let mut slice = slice(name, options);
    if name == "tail"
        && let Some(n) = operands.first().and_then(|w| w.text.strip_prefix('+')).and_then(|n| n.parse::<u64>().ok())
    {
        operands.remove(0);
        slice = Slice::From(n.max(1));
    }
    let mut reads = viewed(command, &operands);
    for read in &mut reads {
        slice.narrow(read);
        read.out.doubt |= options.unknown;
    }
    reads.into_iter().map(Intent::Read).collect()
}

/// The line ranges that a `sed` program prints; `None` = not by lines alone.
fn sed_ranges(options: &Options, script: &str) -> Option<Vec<(u64, Option<u64>)>> {
    let quiet = options.has(&["n", "quiet", "silent"]);
    let mut ranges = Vec::new();
    let mut end = None;
    for part in script.split([';', '\n']).map(str::trim).filter(|p| !p.is_empty()) {
        let (address, command) = part.split_at(part.len() - 1);
        let line = |text: &str| text.trim().parse::<u64>().ok();
        match command {
            "q" => end = Some(line(address)?),
            "p" if quiet && address.is_empty() => ranges.push((1, None)),
            "p" if quiet => match address.split_once(',') {
                None => ranges.push((line(address)?, Some(line(address)?))),
                Some((from, to)) => {
                    let from = line(from)?;
                    let to = match to.trim() {
                        "$" => None,
                        relative if relative.starts_with('+') => Some(from.saturating_add(line(&relative[1..])?)),
                        to => Some(line(to)?),
                    };
                    ranges.push((from, to));
                }
            },
            _ => return None,
        }
    }
    if !quiet {
        ranges = vec![(1, None)];
    }
    if let Some(end) = end {
        ranges.iter_mut().for_each(|(_, to)| *to = Some(to.map_or(end, |to| to.min(end))));
    }
    Some(ranges)
}

fn sed(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    // `-i` may carry a suffix, so it is looked for in the words.
    let edits = command.argv[1..]
        .iter()
        .any(|w| w.text.starts_with("--in-place") || (w.text.starts_with("-i") || w.text.starts_with("-ni")));
    if edits || options.has(&["f", "file"]) || options.unknown {
        return Vec::new();
    }
    let mut operands = options.operands.clone();
    let scripts: Vec<String> = options.values(&["e", "expression"]).map(str::to_string).collect();
    let script = if scripts.is_empty() {
        if operands.is_empty() || operands[0].dynamic {
            return Vec::new();
        }
        operands.remove(0).text
    } else {
        scripts.join(";")
    };
    let reads = viewed(command, &operands);
    let quiet = options.has(&["n", "quiet", "silent"]);
    let ranges = sed_ranges(options, &script);
    let mut intents = Vec::new();
    for read in reads {
        match &ranges {
            Some(ranges) => {
                for (from, to) in ranges {
                    let bounded = *from > 1 || to.is_some();
                    intents.push(Intent::Read(Read { from: *from, to: *to, whole: !bounded, ..read.clone() }));
                }
            }
            // A substitution prints every line; an address by pattern prints what nobody knows.
            None => intents.push(Intent::Read(Read { whole: !quiet, unjudged: true, ..read })),
        }
    }
    intents
}

/// A search, with the parts that its program's options gave.
fn search(command: &Command, options: &Options, patterns: Vec<String>, scope: Vec<Word>, recursive: bool) -> Search {
    let doubtful = scope.iter().any(|w| w.dynamic || w.glob && recursive) || command.dir.is_none() || options.unknown;
    let scope = scope.iter().map(|w| placed(command, &w.text).unwrap_or_else(|| w.text.clone())).collect();
    let fixed = options.has(&["F", "fixed-strings"]) || command.argv.first().is_some_and(|w| program(w) == "fgrep");
    let globs: Vec<String> = options.values(&["include", "g", "glob", "iglob"]).map(str::to_string).collect();
    Search {
        shape: Shape::of(&patterns, fixed),
        patterns,
        fixed,
        ignore_case: options.has(&["i", "y", "ignore-case"]),
        scope,
        // A glob without a wildcard names one file.
        out: Output {
            doubt: doubtful,
            bounded: !globs.is_empty() && !globs.iter().any(|g| g.contains(['*', '?', '[', '{'])),
            ..Output::default()
        },
        globs,
        recursive,
        feeds_edit: false,
    }
}

/// Patterns and operands: the first operand is the pattern unless `-e` or `-f` gave it.
fn split_pattern(options: &Options) -> Option<(Vec<String>, Vec<Word>)> {
    let given: Vec<String> = options.values(&["e", "regexp"]).map(str::to_string).collect();
    if !given.is_empty() || options.has(&["f", "file"]) {
        return Some((given, options.operands.clone()));
    }
    let (first, rest) = options.operands.split_first()?;
    Some((vec![first.text.clone()], rest.to_vec()))
}

/// Options that print names, counts or nothing, or stop early.
fn is_bounded_search(options: &Options) -> bool {
    const QUIET: &[&str] = &[
        "l",
        "L",
        "c",
        "q",
        "count",
        "count-matches",
        "files-with-matches",
        "files-without-match",
        "name-only",
        "quiet",
        "silent",
        "files",
    ];
    options.has(QUIET)
        || options.number(&["m", "max-count"]).is_some_and(|n| n <= BOUND_MATCHES)
        || options.has(&["max-depth", "d"])
}

/// A command that prints what a `grep` through folders prints, or less: the client has a `grep` of its own that honours
/// ignore files, and so does this one. It starts nothing that a repository configures. `None` = it cannot be said this way.
fn grep_measure(command: &Command, options: &Options, search: &Search) -> Option<(Measuring, Vec<String>, String)> {
    if search.out.doubt || !command.assigned.is_empty() {
        return None;
    }
    let fixed = ["git", "--no-pager", "grep", "--no-index", "--exclude-standard", "--no-color", "-I"];
    let mut argv: Vec<String> = fixed.iter().map(|s| s.to_string()).collect();
    let mut syntax = if search.fixed { "-F" } else { "-G" };
    if command.argv.first().is_some_and(|w| program(w) == "egrep") {
        syntax = "-E";
    }
    let (mut globs, mut excluded) = (Vec::new(), Vec::new());
    for (name, value) in &options.given {
        let value = value.clone().unwrap_or_default();
        match name.as_str() {
            "r"
            | "R"
            | "recursive"
            | "dereference-recursive"
            | "d"
            | "directories"
            | "s"
            | "no-messages"
            | "I"
            | "color"
            | "colour"
            | "line-buffered"
            | "H"
            | "with-filename"
            | "e"
            | "regexp" => {}
            "n" | "line-number" => argv.push("-n".into()),
            "i" | "y" | "ignore-case" => argv.push("-i".into()),
            "w" | "word-regexp" => argv.push("-w".into()),
            "v" | "invert-match" => argv.push("-v".into()),
            "o" | "only-matching" => argv.push("-o".into()),
            "h" | "no-filename" => argv.push("-h".into()),
            "E" | "extended-regexp" => syntax = "-E",
            "F" | "fixed-strings" => syntax = "-F",
            "G" | "basic-regexp" => syntax = "-G",
            "P" | "perl-regexp" => syntax = "-P",
            "A" | "after-context" => argv.push(format!("-A{value}")),
            "B" | "before-context" => argv.push(format!("-B{value}")),
            "C" | "context" | "#" => argv.push(format!("-C{value}")),
            "m" | "max-count" => argv.push(format!("-m{value}")),
            "include" => globs.push(value),
            "exclude" => excluded.push(value),
            "exclude-dir" => excluded.push(format!("{value}/**")),
            _ => return None,
        }
    }
    argv.push(syntax.into());
    for pattern in &search.patterns {
        argv.extend(["-e".to_string(), pattern.clone()]);
    }
    argv.push("--".into());
    let dir = command.dir.clone()?;
    for scope in &search.scope {
        let scope = scope.strip_prefix(&dir).map_or(scope.as_str(), |rest| rest.trim_start_matches('/'));
        let below =
            if scope.is_empty() || scope == "." { String::new() } else { format!("{}/", scope.trim_end_matches('/')) };
        match globs.as_slice() {
            [] if below.is_empty() => argv.push(".".into()),
            [] => argv.push(format!(":(literal){}", below.trim_end_matches('/'))),
            globs => argv.extend(globs.iter().map(|glob| format!(":(glob){below}**/{glob}"))),
        }
    }
    argv.extend(excluded.iter().map(|glob| format!(":(exclude,glob)**/{glob}")));
    Some((Measuring::Search, argv, dir))
}

/// `rg` as it may be run to be measured. Options by which it starts other programs or reads patterns from anywhere are left out.
fn rg_measure(command: &Command, options: &Options, search: &Search) -> Option<(Measuring, Vec<String>, String)> {
    if search.out.doubt || !command.assigned.is_empty() || options.has(&["f", "file", "z", "ignore-file"]) {
        return None;
    }
    let named = options.given.iter().any(|(name, _)| name == "e" || name == "regexp");
    let patterns = search.patterns.iter().flat_map(|p| ["-e".to_string(), p.clone()]).filter(|_| !named);
    let fixed = ["rg", "--no-config"].map(str::to_string);
    let argv = fixed
        .into_iter()
        .chain(options.rebuilt())
        .chain(patterns)
        .chain(["--".to_string()])
        .chain(options.operands_behind(!named));
    Some((Measuring::Search, argv.collect(), command.dir.clone()?))
}

fn grep(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    let Some((patterns, mut scope)) = split_pattern(options) else {
        return Vec::new();
    };
    let recurse_by_value = |value: &str| value == "recurse";
    let recursive = options.has(&["r", "R", "recursive", "dereference-recursive"])
        || options.values(&["d", "directories"]).any(recurse_by_value);
    scope.retain(|w| w.text != "-");
    if scope.is_empty() {
        if !recursive {
            // A filter, or a search in the file of its standard input.
            match &command.stdin {
                Stdin::File(file) => scope.push(file.clone()),
                _ => return Vec::new(),
            }
        } else {
            scope.push(Word::plain("."));
        }
    }
    let mut search = search(command, options, patterns, scope, recursive);
    search.out.bounded |= is_bounded_grep(options);
    search.out.measure = grep_measure(command, options, &search);
    vec![Intent::Search(search)]
}

/// `-d` of grep is no depth.
fn is_bounded_grep(options: &Options) -> bool {
    const QUIET: &[&str] =
        &["l", "L", "c", "q", "count", "files-with-matches", "files-without-match", "name-only", "quiet", "silent"];
    options.has(QUIET) || options.number(&["m", "max-count"]).is_some_and(|n| n <= BOUND_MATCHES)
}

fn rg(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["help", "version", "type-list", "V"]) {
        return Vec::new();
    }
    if options.has(&["files"]) {
        let roots = roots_of(command, &options.operands);
        let names = options.values(&["g", "glob", "iglob"]).map(str::to_string).collect();
        let out = Output { bounded: options.has(&["max-depth", "d"]), doubt: options.unknown, ..Output::default() };
        return vec![Intent::List { names, roots, out }];
    }
    let Some((patterns, mut scope)) = split_pattern(options) else {
        return Vec::new();
    };
    let asks_stdin = scope.iter().any(|w| w.text == "-");
    scope.retain(|w| w.text != "-");
    if scope.is_empty() {
        if asks_stdin || command.stdin != Stdin::Inherited {
            match &command.stdin {
                Stdin::File(file) => scope.push(file.clone()),
                _ => return Vec::new(),
            }
        } else {
            scope.push(Word::plain("."));
        }
    }
    let mut search = search(command, options, patterns, scope, true);
    search.out.bounded |= is_bounded_search(options);
    search.out.measure = rg_measure(command, options, &search);
    vec![Intent::Search(search)]
}

fn roots_of(command: &Command, operands: &[Word]) -> Vec<String> {
    if operands.is_empty() {
        return vec![placed(command, ".").unwrap_or_else(|| ".".to_string())];
    }
    operands.iter().map(|w| placed(command, &w.text).unwrap_or_else(|| w.text.clone())).collect()
}

fn find(command: &Command, _: &str, _: &Options) -> Vec<Intent> {
    let words = &command.argv[1..];
    let is_expression = |w: &Word| w.text.starts_with('-') || w.text == "(" || w.text == "!";
    let leading = words.iter().take_while(|w| matches!(w.text.as_str(), "-H" | "-L" | "-P")).count();
    let words = &words[leading..];
    let split = words.iter().position(is_expression).unwrap_or(words.len());
    let (roots, expression) = words.split_at(split);
    let mut out = Output { doubt: command.dir.is_none() || roots.iter().any(|w| w.glob), ..Output::default() };
    let mut names = Vec::new();
    let mut rest = expression.iter();
    while let Some(word) = rest.next() {
        match word.text.as_str() {
            "-maxdepth" => {
                rest.next();
                out.bounded = true;
            }
            "-name" | "-iname" => names.extend(rest.next().map(|w| w.text.clone())),
            text if FIND_VALUES.contains(&text) => out.doubt |= rest.next().is_none(),
            text if FIND_PLAIN.contains(&text) => {}
            // Actions (`-exec`, `-delete`) and whatever is not known.
            _ => out.doubt = true,
        }
    }
    let home = |w: &Word| matches!(w.text.as_str(), "$HOME" | "${HOME}");
    out.doubt |= roots.iter().any(|w| w.dynamic && !home(w)) || expression.iter().any(|w| w.dynamic);
    if !out.doubt
        && command.assigned.is_empty()
        && let Some(dir) = command.dir.clone()
    {
        let argv = ["find".to_string()]
            .into_iter()
            .chain(command.argv[1..].iter().map(|w| if home(w) { "~".into() } else { w.text.clone() }));
        out.measure = Some((Measuring::List, argv.collect(), dir));
    }
    let roots: Vec<Word> = roots.iter().map(|w| if home(w) { Word::plain("~") } else { w.clone() }).collect();
    vec![Intent::List { names, roots: roots_of(command, &roots), out }]
}

/// Options before git's subcommand that change nothing about what is judged.
fn git(command: &Command, _: &str, _: &Options) -> Vec<Intent> {
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
fn git_measure(
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

fn git_log(command: &Command, words: &[Word]) -> Vec<Intent> {
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

fn git_diff(command: &Command, words: &[Word]) -> Vec<Intent> {
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

fn git_grep(command: &Command, words: &[Word]) -> Vec<Intent> {
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
fn is_revision(text: &str) -> bool {
    let hex = text.len() >= 7 && text.len() <= 40 && text.chars().all(|c| c.is_ascii_hexdigit());
    let head = text.strip_prefix("HEAD").or_else(|| text.strip_prefix('@'));
    let headlike = head.is_some_and(|rest| rest.is_empty() || rest.starts_with(['~', '^', '@']));
    let branch = matches!(text, "main" | "master" | "develop" | "trunk" | "staging" | "production");
    hex || headlike || branch || text.contains("..") || text.starts_with("origin/") || text.starts_with("upstream/")
}

/// Commands that hand on everything they get, with the options that leave it so.
const PASS_THROUGH: &[(&str, &str)] = &[
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
fn hands_on(name: &str, words: &[Word]) -> bool {
    let Some((_, letters)) = PASS_THROUGH.iter().find(|(known, _)| *known == name) else {
        return false;
    };
    words.iter().all(|w| match w.text.strip_prefix('-') {
        Some(cluster) => cluster.chars().all(|c| letters.contains(c)),
        None => name == "tee",
    })
}

/// Follows an output through what stands behind its command.
fn follow(intent: &mut Intent, command: &Command) {
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
