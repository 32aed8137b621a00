//! Searches in files, and the commands by which their output may be measured.

use super::list::{listed, measured, roots_of};
use super::options::Options;
use super::view::{matches_all, whole};
use super::{BOUND_MATCHES, placed};
use crate::fact::Measuring;
use crate::intent::{Intent, Output, Search, Shape};
use crate::shell::{Command, Many, Stdin, Word, program};

/// A search, with the parts that its program's options gave.
pub(super) fn search(
    command: &Command,
    options: &Options,
    patterns: Vec<String>,
    scope: Vec<Word>,
    recursive: bool,
) -> Search {
    let mut recursive = recursive;
    let named = options.has(&["e", "regexp", "f", "file"]);
    let mut doubtful = command.dir.is_none() || options.unknown;
    doubtful |= !named && options.operands.first().is_some_and(|w| w.dynamic);
    let mut listed_names = Vec::new();
    let mut places = Vec::new();
    for word in &scope {
        // `find . -name '*.rs' | xargs grep x` searches what a `grep -r` with the same names would.
        if let Some(Many::Output(argv)) = &word.many
            && let Some(Intent::List { names, roots, out }) = listed(command, argv)
        {
            recursive |= !roots.iter().any(|root| root.contains('*'));
            doubtful |= out.doubt || out.filtered && names.is_empty();
            listed_names.extend(names);
            places.extend(roots);
            continue;
        }
        doubtful |= word.dynamic || word.glob && recursive;
        places.push(placed(command, &word.text).unwrap_or_else(|| word.text.clone()));
    }
    let scope = places;
    let fixed = options.has(&["F", "fixed-strings"]) || command.argv.first().is_some_and(|w| program(w) == "fgrep");
    let mut globs: Vec<String> = options.values(&["include", "g", "glob", "iglob"]).map(str::to_string).collect();
    globs.extend(listed_names);
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
        types: options.values(&["t", "type"]).map(str::to_string).collect(),
        recursive,
        feeds_edit: false,
        by_cmdlet: false,
    }
}

/// Patterns and operands: the first operand is the pattern unless `-e` or `-f` gave it.
pub(super) fn split_pattern(options: &Options) -> Option<(Vec<String>, Vec<Word>)> {
    let given: Vec<String> = options.values(&["e", "regexp"]).map(str::to_string).collect();
    if !given.is_empty() || options.has(&["f", "file"]) {
        return Some((given, options.operands.clone()));
    }
    let (first, rest) = options.operands.split_first()?;
    Some((vec![first.text.clone()], rest.to_vec()))
}

/// Options that print names, counts or nothing, or stop early, in `rg`; `-d` is a depth there.
fn is_bounded_rg(options: &Options) -> bool {
    is_bounded_grep(options) || options.has(&["max-depth", "d"])
}

/// A command that prints what a `grep` through folders prints, or less: the client has a `grep` of its own that honours
/// ignore files, and so does this one; `git grep` looks at `tracked` files only. It starts nothing that a repository configures. `None` = it cannot be said this way.
pub(super) fn grep_measure(
    command: &Command,
    options: &Options,
    search: &Search,
    tracked: bool,
) -> Option<(Measuring, Vec<String>, String)> {
    if search.out.doubt || !command.assigned.is_empty() {
        return None;
    }
    let mut argv: Vec<String> = ["git", "--no-pager", "grep"].map(str::to_string).to_vec();
    if !tracked {
        argv.extend(["--no-index", "--exclude-standard"].map(str::to_string));
    }
    argv.extend(["--no-color", "-I"].map(str::to_string));
    let mut syntax = if search.fixed { "-F" } else { "-G" };
    if command.argv.first().is_some_and(|w| program(w) == "egrep") {
        syntax = "-E";
    }
    let given: Vec<&str> = options.values(&["include"]).collect();
    let mut globs: Vec<String> = search.globs.iter().filter(|g| !given.contains(&g.as_str())).cloned().collect();
    let mut excluded = Vec::new();
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
        // Above or beside the folder it would be another one.
        let scope = match scope.strip_prefix(&dir) {
            _ if dir.is_empty() => scope.as_str(),
            Some("") => "",
            Some(rest) => rest.strip_prefix('/')?,
            None => return None,
        };
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
pub(super) fn rg_measure(
    command: &Command,
    options: &Options,
    search: &Search,
) -> Option<(Measuring, Vec<String>, String)> {
    if search.out.doubt || !command.assigned.is_empty() || options.has(&["f", "file", "z", "ignore-file"]) {
        return None;
    }
    let named = options.given.iter().any(|(name, _)| name == "e" || name == "regexp");
    let patterns = search.patterns.iter().map(|p| format!("--regexp={p}")).filter(|_| !named);
    let fixed = ["rg", "--no-config"].map(str::to_string);
    let argv = fixed
        .into_iter()
        .chain(options.rebuilt())
        .chain(patterns)
        .chain(["--".to_string()])
        .chain(options.operands_behind(!named));
    Some((Measuring::Search, argv.collect(), command.dir.clone()?))
}

pub(super) fn grep(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
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
    if let Some(reads) = whole_files(command, options, &patterns, &scope, recursive) {
        return reads;
    }
    let mut search = search(command, options, patterns, scope, recursive);
    search.out.bounded |= is_bounded_grep(options);
    search.out.measure = grep_measure(command, options, &search, false);
    vec![Intent::Search(search)]
}

/// A search in single files for what every line has is a read of them.
fn whole_files(
    command: &Command,
    options: &Options,
    patterns: &[String],
    scope: &[Word],
    recursive: bool,
) -> Option<Vec<Intent>> {
    let all = !patterns.is_empty() && patterns.iter().all(|p| matches_all(p));
    let exact = options.has(&["F", "fixed-strings", "w", "word-regexp", "x", "line-regexp"]);
    let all = all && (!exact || patterns.iter().all(String::is_empty));
    let plain = !options.unknown && !is_bounded_grep(options) && !options.has(&["m", "max-count", "v", "o"]);
    if recursive || !all || !plain {
        return None;
    }
    Some(scope.iter().map(|file| Intent::Read(whole(command, file))).collect())
}

/// Whether a name has an ending, as files have it and folders do not.
fn has_ending(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty())
}

/// `ag`, `ack` and `ugrep` search folders by themselves, as `rg` does; their options differ, so nothing is measured.
pub(super) fn walking_search(command: &Command, name: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["help", "version", "g", "filename-pattern", "list-file-types", "help-types"]) {
        return Vec::new();
    }
    let Some((patterns, mut scope)) = split_pattern(options) else {
        return Vec::new();
    };
    let recursive = name != "ugrep" || options.has(&["r", "R", "recursive"]) || scope.is_empty();
    if scope.is_empty() {
        if command.stdin != Stdin::Inherited {
            return Vec::new();
        }
        scope.push(Word::plain("."));
    }
    let mut search = search(command, options, patterns, scope, recursive);
    search.out.bounded |= is_bounded_grep(options);
    search.out.measure = Some((Measuring::Search, Vec::new(), String::new()));
    vec![Intent::Search(search)]
}

/// Options that print names, counts or nothing, or stop early; `-d` of grep is no depth.
pub(super) fn is_bounded_grep(options: &Options) -> bool {
    const QUIET: &[&str] = &[
        "l",
        "L",
        "c",
        "q",
        "count",
        "count-matches",
        "files",
        "files-with-matches",
        "files-without-match",
        "name-only",
        "quiet",
        "silent",
    ];
    options.has(QUIET) || options.number(&["m", "max-count"]).is_some_and(|n| n <= BOUND_MATCHES)
}

pub(super) fn rg(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["help", "version", "type-list", "V"]) {
        return Vec::new();
    }
    if options.has(&["files"]) {
        let roots = roots_of(command, &options.operands);
        let names = options.values(&["g", "glob", "iglob"]).map(str::to_string).collect();
        let out = Output {
            bounded: options.has(&["max-depth", "d"]),
            filtered: options.has(&["g", "glob", "iglob", "t", "type", "T", "type-not"]),
            doubt: options.unknown || command.dir.is_none(),
            measure: measured(command, &["rg", "--no-config"], options),
            ..Output::default()
        };
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
    let in_files = !scope.is_empty() && scope.iter().all(|w| w.is_known() && has_ending(&w.text));
    if let Some(reads) = whole_files(command, options, &patterns, &scope, !in_files) {
        return reads;
    }
    let mut search = search(command, options, patterns, scope, true);
    search.out.bounded |= is_bounded_rg(options);
    search.out.measure = rg_measure(command, options, &search);
    vec![Intent::Search(search)]
}

pub(super) const GREP_LONG: &[&str] = &[
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

pub(super) const GREP_LONG_VALUES: &[&str] = &[
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

pub(super) const RG_LONG: &[&str] = &[
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

pub(super) const RG_LONG_VALUES: &[&str] = &[
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
