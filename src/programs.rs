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
    long: &'static [&'static str],
    long_values: &'static [&'static str],
    /// `-5` is an option.
    numeric: bool,
    understand: fn(&Command, &str, &Options) -> Vec<Intent>,
}

const PROGRAMS: &[Program] = &[
    Program {
        names: &["cat", "less", "more", "nl", "tac"],
        short: "AbeEnNrRsStTuvXFi",
        short_values: "wdhlf",
        long: &["number", "number-nonblank", "show-all", "show-ends", "show-tabs", "squeeze-blank", "RAW-CONTROL-CHARS"],
        long_values: &["body-numbering", "number-width"],
        numeric: false,
        understand: view,
    },
    Program {
        names: &["bat", "batcat"],
        short: "AnpPuS",
        short_values: "lrH",
        long: &["plain", "number", "show-all", "no-pager"],
        long_values: &["line-range", "language", "style", "theme", "color", "paging", "wrap", "tabs", "decorations", "highlight-line"],
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
    Program { names: &["git"], short: "", short_values: "", long: &[], long_values: &[], numeric: false, understand: git },
];

const GREP_LONG: &[&str] = &[
    "recursive", "dereference-recursive", "line-number", "with-filename", "no-filename", "ignore-case", "no-ignore-case",
    "word-regexp", "line-regexp", "invert-match", "extended-regexp", "basic-regexp", "fixed-strings", "perl-regexp",
    "files-with-matches", "files-without-match", "name-only", "count", "quiet", "silent", "no-messages", "only-matching",
    "text", "null", "initial-tab", "line-buffered", "byte-offset",
];
const GREP_LONG_VALUES: &[&str] = &[
    "regexp", "file", "max-count", "after-context", "before-context", "context", "include", "exclude", "exclude-dir",
    "exclude-from", "include-dir", "color", "colour", "binary-files", "directories", "devices", "label",
];
const RG_LONG: &[&str] = &[
    "hidden", "no-hidden", "no-ignore", "no-ignore-vcs", "ignore-case", "smart-case", "case-sensitive", "fixed-strings",
    "word-regexp", "line-regexp", "invert-match", "line-number", "no-line-number", "with-filename", "no-filename", "heading",
    "no-heading", "column", "only-matching", "count", "count-matches", "files-with-matches", "files-without-match", "files",
    "quiet", "multiline", "multiline-dotall", "pcre2", "text", "follow", "trim", "vimgrep", "null", "no-messages", "pretty",
    "passthru", "stats", "json", "unrestricted", "help", "version", "type-list",
];
const RG_LONG_VALUES: &[&str] = &[
    "regexp", "glob", "iglob", "type", "type-not", "max-count", "max-depth", "max-columns", "after-context",
    "before-context", "context", "color", "colors", "sort", "sortr", "threads", "engine", "encoding", "max-filesize",
    "replace", "context-separator", "ignore-file",
];
const LOG_LONG: &[&str] = &[
    "oneline", "graph", "all", "decorate", "no-decorate", "stat", "shortstat", "numstat", "name-only", "name-status",
    "abbrev-commit", "no-abbrev-commit", "reverse", "no-merges", "merges", "first-parent", "patch", "no-patch", "branches",
    "tags", "remotes", "topo-order", "date-order", "relative-date", "summary", "follow", "no-walk", "left-right",
    "cherry-pick", "full-history", "simplify-by-decoration", "no-color", "no-ext-diff", "no-textconv", "raw", "source",
    "ignore-case", "extended-regexp", "fixed-strings", "all-match", "invert-grep", "root", "cc", "merge", "no-notes",
];
const LOG_LONG_VALUES: &[&str] = &[
    "pretty", "format", "date", "author", "committer", "grep", "since", "after", "until", "before", "max-count", "skip",
    "diff-filter", "color", "abbrev", "decorate-refs", "unified", "decorate",
];
const DIFF_LONG: &[&str] = &[
    "cached", "staged", "patch", "no-patch", "stat", "shortstat", "numstat", "name-only", "name-status", "summary",
    "dirstat", "compact-summary", "raw", "check", "quiet", "exit-code", "no-index", "no-color", "no-ext-diff", "no-textconv",
    "ignore-all-space", "ignore-space-change", "ignore-blank-lines", "ignore-space-at-eol", "minimal", "patience",
    "histogram", "function-context", "no-renames", "no-prefix", "text", "word-diff", "merge-base", "full-index", "binary",
    "color-words", "find-renames", "stat", "submodule",
];
const DIFF_LONG_VALUES: &[&str] =
    &["unified", "color", "diff-filter", "inter-hunk-context", "diff-algorithm", "word-diff", "abbrev", "find-renames", "relative", "stat"];
/// Options of `git diff` that print a summary instead of the patch.
const DIFF_SUMMARY: &[&str] = &[
    "stat", "shortstat", "numstat", "name-only", "name-status", "summary", "dirstat", "compact-summary", "raw", "check",
    "quiet", "no-patch", "no-index", "s",
];
/// Tests and joints of `find` that need no value, and those that take one. Anything else is doubt.
const FIND_PLAIN: &[&str] =
    &["-print", "-prune", "-o", "-or", "-a", "-and", "-not", "!", "(", ")", "-empty", "-readable", "-writable", "-executable", "-xdev", "-mount", "-follow", "-nouser", "-nogroup", "-depth"];
const FIND_VALUES: &[&str] = &[
    "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-regextype", "-type", "-xtype", "-size",
    "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-newer", "-user", "-group", "-perm", "-links", "-inum",
    "-samefile", "-mindepth", "-maxdepth", "-uid", "-gid",
];

/// Names that a rule could concern, wrappers and shells included: what the command hooks' filters are made of.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = PROGRAMS.iter().flat_map(|p| p.names).copied().chain(crate::shell::wrapper_names()).collect();
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
    let Some(first) = command.argv.first() else { return Vec::new() };
    let name = program(first);
    let Some(row) = PROGRAMS.iter().find(|p| p.names.contains(&name)) else { return Vec::new() };
    let options = Options::of(&command.argv[1..], row);
    let mut intents = (row.understand)(command, name, &options);
    for intent in &mut intents {
        follow(intent, command);
    }
    intents
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
        Options::parse(words, row.short, row.short_values, row.long, row.long_values, row.numeric)
    }

    fn parse(words: &[Word], short: &str, short_values: &str, long: &[&str], long_values: &[&str], numeric: bool) -> Options {
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
                options.cluster(&text[1..], &mut words, short, short_values, numeric);
            }
        }
        options
    }

    fn cluster(&mut self, cluster: &str, words: &mut std::slice::Iter<Word>, short: &str, short_values: &str, numeric: bool) {
        if numeric && cluster.chars().all(|c| c.is_ascii_digit()) {
            return self.given.push(("#".to_string(), Some(cluster.to_string())));
        }
        let mut chars = cluster.char_indices();
        while let Some((i, c)) = chars.next() {
            if short_values.contains(c) {
                let rest = &cluster[i + c.len_utf8()..];
                let value = if rest.is_empty() { words.next().map(|w| w.text.clone()) } else { Some(rest.to_string()) };
                return self.given.push((c.to_string(), value));
            }
            self.unknown |= !short.contains(c);
            self.given.push((c.to_string(), None));
        }
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
    viewed(command, &options.operands).into_iter().map(Intent::Read).collect()
}

fn bat(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    let ranges: Vec<&str> = options.values(&["r", "line-range"]).collect();
    let reads = viewed(command, &options.operands);
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
    reads.iter_mut().for_each(|read| slice.narrow(read));
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
    let edits = command.argv[1..].iter().any(|w| w.text.starts_with("--in-place") || (w.text.starts_with("-i") || w.text.starts_with("-ni")));
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
        out: Output { doubt: doubtful, bounded: !globs.is_empty() && !globs.iter().any(|g| g.contains(['*', '?', '[', '{'])), ..Output::default() },
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
        "l", "L", "c", "q", "count", "count-matches", "files-with-matches", "files-without-match", "name-only", "quiet",
        "silent", "files",
    ];
    options.has(QUIET) || options.number(&["m", "max-count"]).is_some_and(|n| n <= BOUND_MATCHES) || options.has(&["max-depth", "d"])
}

/// The command as it may be run to be measured: known options and plain words only.
fn measurable(command: &Command, options: &Options, prefix: &[&str], skip: usize) -> Option<(Measuring, Vec<String>, String)> {
    let dir = command.dir.clone()?;
    if options.unknown || command.argv.iter().any(|w| !w.is_known() && w.glob) || command.argv.iter().any(|w| w.dynamic) {
        return None;
    }
    let words = command.argv[skip..].iter().map(|w| w.text.clone());
    Some((Measuring::Search, prefix.iter().map(|s| s.to_string()).chain(words).collect(), dir))
}

fn grep(command: &Command, name: &str, options: &Options) -> Vec<Intent> {
    let Some((patterns, mut scope)) = split_pattern(options) else { return Vec::new() };
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
    // Wildcards in options and patterns do not matter to a search that is measured; in operands they do.
    search.out.measure = measurable(command, options, &[name], 1);
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
    let Some((patterns, mut scope)) = split_pattern(options) else { return Vec::new() };
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
    search.out.measure = measurable(command, options, &["rg", "--no-config"], 1);
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
        && let Some(dir) = command.dir.clone()
    {
        let argv = ["find".to_string()].into_iter().chain(command.argv[1..].iter().map(|w| if home(w) { "~".into() } else { w.text.clone() }));
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
    let Some(subcommand) = command.argv.get(at) else { return Vec::new() };
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

/// `git` as it may be run to be measured: nothing that a repository configures is started.
fn git_measure(command: &Command, of: Measuring, subcommand: &str, extra: &[&str], words: &[Word]) -> Option<(Measuring, Vec<String>, String)> {
    if words.iter().any(|w| w.dynamic) {
        return None;
    }
    let fixed = ["git", "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false", subcommand];
    let argv = fixed.iter().chain(extra).map(|s| s.to_string()).chain(words.iter().map(|w| w.text.clone())).collect();
    Some((of, argv, command.dir.clone()?))
}

fn git_log(command: &Command, words: &[Word]) -> Vec<Intent> {
    let options = Options::parse(words, "pPiEFsmu0gwbct", "nSGLUML", LOG_LONG, LOG_LONG_VALUES, true);
    let range = options.operands.iter().any(|w| w.text.contains(".."));
    let patch = options.has(&["p", "u", "patch", "L"]);
    let scoped = options.after_dashes.is_some_and(|at| at < options.operands.len()) || range || options.has(&["S", "G", "L", "grep"]);
    let counted = options.has(&["#", "n", "max-count", "since", "after", "until", "before", "no-walk"]);
    let out = Output {
        bounded: counted || (scoped && !patch),
        doubt: options.unknown || words.iter().any(|w| w.dynamic) || command.dir.is_none(),
        measure: git_measure(command, Measuring::Log, "log", &["--no-color", "--no-ext-diff", "--no-textconv"], words),
        ..Output::default()
    };
    vec![Intent::Log(out)]
}

fn git_diff(command: &Command, words: &[Word]) -> Vec<Intent> {
    let options = Options::parse(words, "pusRabwWz", "UGSMDOlCB", DIFF_LONG, DIFF_LONG_VALUES, false);
    let paths = options.after_dashes.map_or(0, |at| options.operands.len() - at);
    let split = options.operands.len() - paths;
    let narrow = |w: &Word| !matches!(w.text.as_str(), "." | "./" | ":/" | ":");
    // A word that is no plain revision may be a path: doubt.
    let other = options.operands[..split].iter().any(|w| !is_revision(&w.text));
    let out = Output {
        bounded: options.has(DIFF_SUMMARY) || options.operands[split..].iter().any(narrow),
        doubt: options.unknown || other || words.iter().any(|w| w.dynamic) || command.dir.is_none(),
        measure: git_measure(command, Measuring::Diff, "diff", &["--no-color", "--no-ext-diff", "--no-textconv"], words),
        ..Output::default()
    };
    vec![Intent::Diff(out)]
}

fn git_grep(command: &Command, words: &[Word]) -> Vec<Intent> {
    const LONG: &[&str] = &["cached", "untracked", "no-index", "and", "or", "not", "heading", "break", "show-function", "function-context", "column", "full-name"];
    let long: Vec<&str> = GREP_LONG.iter().chain(LONG).copied().collect();
    let long_values: Vec<&str> = GREP_LONG_VALUES.iter().chain(&["max-depth", "threads"]).copied().collect();
    let options = Options::parse(words, "abcEFGHhIiLlnoPqrswWvpz", "ABCefm", &long, &long_values, true);
    let Some((patterns, mut scope)) = split_pattern(&options) else { return Vec::new() };
    if scope.is_empty() {
        scope.push(Word::plain("."));
    }
    // Pathspecs have wildcards of their own; revisions look like paths.
    let mut search = search(command, &options, patterns, scope, true);
    search.out.bounded |= is_bounded_grep(&options) || options.has(&["max-depth"]);
    search.out.measure = git_measure(command, Measuring::Search, "grep", &[], words).filter(|_| !options.unknown);
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

/// Commands that hand on everything they get.
const PASS_THROUGH: &[&str] = &["cat", "tee", "nl", "tac", "sort", "uniq", "column", "less", "more", "bat", "batcat", "expand", "fold"];

/// Follows an output through what stands behind its command.
fn follow(intent: &mut Intent, command: &Command) {
    for stage in &command.downstream {
        let name = stage.first().map(program).unwrap_or("");
        if PASS_THROUGH.contains(&name) {
            continue;
        }
        let row = PROGRAMS.iter().find(|p| p.names.contains(&name));
        let options = row.map(|row| Options::of(&stage[1..], row)).unwrap_or_default();
        match (name, &mut *intent) {
            ("head" | "tail", Intent::Read(read)) => slice(name, &options).narrow(read),
            ("head" | "tail", other) => {
                if let Some(out) = output(other) {
                    out.bounded |= slice(name, &options).bounds();
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
                let Some((patterns, _)) = split_pattern(&options) else { return };
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
            ("grep" | "egrep" | "fgrep" | "rg" | "sed" | "awk" | "cut" | "tr", other) => {
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
