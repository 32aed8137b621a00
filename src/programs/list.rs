//! Listings of files: what they name, where they start, and how deep they go.

use super::follow::output;
use super::options::{Letters, Options};
use super::{of_command, placed};
use crate::fact::Measuring;
use crate::intent::{Intent, Output};
use crate::shell::{Command, Many, Sink, Stdin, Word};

/// A depth up to which a walk is a bound.
const BOUND_DEPTH: u64 = 3;

pub(super) fn roots_of(command: &Command, operands: &[Word]) -> Vec<String> {
    if operands.is_empty() {
        return vec![placed(command, ".").unwrap_or_else(|| ".".to_string())];
    }
    operands.iter().map(|w| placed(command, &w.text).unwrap_or_else(|| w.text.clone())).collect()
}

fn is_home(word: &Word) -> bool {
    matches!(word.text.as_str(), "$HOME" | "${HOME}")
}

/// A pattern that every name fits.
pub(super) fn fits_all(name: &str) -> bool {
    matches!(name, "" | "*" | "*.*" | "**" | "**/*" | "./*")
}

pub(super) fn find(command: &Command, _: &str, _: &Options) -> Vec<Intent> {
    let words = &command.argv[1..];
    let is_expression = |w: &Word| w.text.starts_with('-') || w.text == "(" || w.text == "!";
    let leading = words.iter().take_while(|w| matches!(w.text.as_str(), "-H" | "-L" | "-P")).count();
    let words = &words[leading..];
    let split = words.iter().position(is_expression).unwrap_or(words.len());
    let (roots, expression) = words.split_at(split);
    let mut out = Output { doubt: command.dir.is_none() || roots.iter().any(|w| w.glob), ..Output::default() };
    let mut names = Vec::new();
    let mut negated = false;
    let mut executed: Vec<Word> = Vec::new();
    let mut actions = 0;
    let mut rest = expression.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        let was_negated = std::mem::replace(&mut negated, matches!(text, "-not" | "!"));
        match text {
            "-maxdepth" => {
                let depth = rest.next().and_then(|w| w.text.parse::<u64>().ok());
                out.bounded |= depth.is_some_and(|depth| depth <= BOUND_DEPTH);
            }
            "-type" | "-xtype" => out.filtered |= rest.next().is_none_or(|w| w.text != "f"),
            "-exec" | "-execdir" | "-ok" => {
                executed = rest.by_ref().take_while(|w| !matches!(w.text.as_str(), ";" | "+")).cloned().collect();
                out.doubt = true;
                actions += 1;
            }
            "-quit" => actions += 1,
            text if FIND_VALUES.contains(&text) => {
                let Some(value) = rest.next() else {
                    out.doubt = true;
                    break;
                };
                let is_name = FIND_NAMES.contains(&text);
                if !was_negated && matches!(text, "-iname" | "-name") && !fits_all(&value.text) {
                    names.push(value.text.clone());
                }
                out.filtered |= !was_negated && (!is_name || !fits_all(&value.text));
            }
            text if FIND_PLAIN.contains(&text) => {}
            // Actions (`-delete`, `-printf`) and whatever is not known.
            _ => out.doubt = true,
        }
    }
    if !executed.is_empty() {
        let is_action = |w: &Word| matches!(w.text.as_str(), "-exec" | "-execdir" | "-ok");
        let listing: Vec<Word> = command.argv.iter().take_while(|w| !is_action(w)).cloned().collect();
        let mut intents = for_each(command, &executed, &listing, "{}");
        // One action decides whether the next is done.
        if actions > 1 {
            intents.iter_mut().filter_map(output).for_each(|out| out.doubt = true);
        }
        return intents;
    }
    out.doubt |= roots.iter().any(|w| w.dynamic && !is_home(w)) || expression.iter().any(|w| w.dynamic);
    if !out.doubt
        && command.assigned.is_empty()
        && let Some(dir) = command.dir.clone()
    {
        let argv = ["find".to_string()]
            .into_iter()
            .chain(command.argv[1..].iter().map(|w| if is_home(w) { "~".into() } else { w.text.clone() }));
        out.measure = Some((Measuring::List, argv.collect(), dir));
    }
    let roots: Vec<Word> = roots.iter().map(|w| if is_home(w) { Word::plain("~") } else { w.clone() }).collect();
    vec![Intent::List { names, roots: roots_of(command, &roots), out }]
}

/// What a command does that runs with each word of a listing, as `xargs` and `find -exec` have it.
fn for_each(command: &Command, words: &[Word], listing: &[Word], mark: &str) -> Vec<Intent> {
    let text = listing.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
    let each = Word::each(text, Many::Output(listing.into()));
    let mut argv: Vec<Word> = words.iter().map(|w| if w.text == mark { each.clone() } else { w.clone() }).collect();
    if mark.is_empty() {
        argv.push(each);
    }
    // Where its output goes is looked at once, for the command as a whole.
    let downstream = Vec::new();
    of_command(&Command {
        argv,
        stdin: Stdin::Inherited,
        upstream: None,
        downstream,
        sink: Sink::Model,
        ..command.clone()
    })
}

/// `xargs` runs a command with the words that it is given.
pub(super) fn xargs(command: &Command, _: &str, _: &Options) -> Vec<Intent> {
    const VALUES: &str = "adEILnPs";
    let mut mark = String::new();
    let mut words = command.argv[1..].iter().peekable();
    while let Some(word) = words.next_if(|w| w.text.starts_with('-')) {
        if let Some(long) = word.text.strip_prefix("--") {
            if long.starts_with("replace") {
                mark = "{}".to_string();
            }
            continue;
        }
        let letter = word.text[1..].chars().next().unwrap_or_default();
        let rest = word.text.get(1 + letter.len_utf8()..).unwrap_or_default();
        let value = match rest {
            "" if VALUES.contains(letter) => words.next().map(|w| w.text.clone()).unwrap_or_default(),
            rest => rest.to_string(),
        };
        if matches!(letter, 'I' | 'i') {
            mark = if value.is_empty() { "{}".to_string() } else { value };
        }
    }
    let inner: Vec<Word> = words.cloned().collect();
    match &command.upstream {
        Some(listing) if !inner.is_empty() => for_each(command, &inner, listing, &mark),
        _ => Vec::new(),
    }
}

/// What the words of a listing name, where it starts and how it is measured; `None` = not known.
pub(super) fn listed(command: &Command, words: &[Word]) -> Option<Intent> {
    let inner = Command {
        argv: words.to_vec(),
        stdin: Stdin::Inherited,
        upstream: None,
        downstream: Vec::new(),
        sink: Sink::Model,
        ..command.clone()
    };
    of_command(&inner).into_iter().next()
}

/// A listing whose options are all known, in the words by which it may be run.
pub(super) fn measured(
    command: &Command,
    program: &[&str],
    options: &Options,
) -> Option<(Measuring, Vec<String>, String)> {
    if options.unknown || !command.assigned.is_empty() || options.operands.iter().any(|w| !w.is_known()) {
        return None;
    }
    let argv = program
        .iter()
        .map(|word| word.to_string())
        .chain(options.rebuilt())
        .chain(["--".to_string()])
        .chain(options.operands.iter().map(|w| w.text.clone()));
    Some((Measuring::List, argv.collect(), command.dir.clone()?))
}

pub(super) fn ls(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    let is_deep = options.has(&["R", "recursive"]);
    let out = Output {
        bounded: !is_deep,
        doubt: options.unknown || command.dir.is_none() || options.operands.iter().any(|w| !w.is_known()),
        measure: is_deep.then(|| measured(command, &["ls"], options)).flatten(),
        ..Output::default()
    };
    let roots = roots_of(command, &options.operands);
    roots.into_iter().map(|root| Intent::List { names: Vec::new(), roots: vec![root], out: out.clone() }).collect()
}

pub(super) fn tree(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["help", "version"]) {
        return Vec::new();
    }
    let writes = options.has(&["o", "R"]);
    let out = Output {
        bounded: options.number(&["L"]).is_some_and(|depth| depth <= BOUND_DEPTH),
        filtered: options.has(&["P", "d"]),
        doubt: options.unknown || writes || command.dir.is_none(),
        // It takes every value from the next word, so only what has none is run.
        measure: options
            .given
            .iter()
            .all(|(_, value)| value.is_none())
            .then(|| measured(command, &["tree"], options))
            .flatten(),
        ..Output::default()
    };
    let out = if writes { Output { measure: None, ..out } } else { out };
    vec![Intent::List { names: Vec::new(), roots: roots_of(command, &options.operands), out }]
}

pub(super) fn fd(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["help", "version", "V"]) {
        return Vec::new();
    }
    let named = options.operands.first().map(|w| w.text.clone()).filter(|name| name != ".");
    let endings = options.values(&["e", "extension"]).map(|ending| format!("*.{ending}"));
    let names: Vec<String> = named.into_iter().chain(endings).collect();
    let runs = options.has(&["l", "list-details", "x", "X", "exec", "exec-batch"]);
    let depth = options.number(&["d", "max-depth"]);
    let out = Output {
        bounded: depth.is_some_and(|depth| depth <= BOUND_DEPTH) || options.has(&["1", "max-results"]),
        filtered: !names.is_empty() || options.has(&["t", "type", "S", "size", "changed-within"]),
        doubt: options.unknown || runs || command.dir.is_none(),
        measure: (!runs).then(|| measured(command, &["fd"], options)).flatten(),
        ..Output::default()
    };
    vec![Intent::List { names, roots: roots_of(command, options.operands.get(1..).unwrap_or_default()), out }]
}

/// `git ls-files` and `git ls-tree`.
pub(super) fn tracked(command: &Command, of: &str, words: &[Word]) -> Vec<Intent> {
    let letters = Letters { plain: "cdomsukztvrl", values: "xX", attached: "", numeric: false };
    const LONG: &[&str] = &[
        "cached",
        "deleted",
        "directory",
        "exclude-standard",
        "full-name",
        "full-tree",
        "killed",
        "long",
        "modified",
        "name-only",
        "name-status",
        "no-empty-directory",
        "others",
        "recurse-submodules",
        "stage",
        "unmerged",
    ];
    const CHANGED: &[&str] = &["d", "deleted", "m", "modified", "o", "others", "u", "unmerged"];
    let options = Options::parse(words, &letters, LONG, &["abbrev", "exclude", "exclude-from", "with-tree"]);
    let operands: Vec<Word> = options.operands.iter().skip(usize::from(of == "ls-tree")).cloned().collect();
    let (globs, folders): (Vec<Word>, Vec<Word>) = operands.into_iter().partition(|w| w.text.contains(['*', '?']));
    let program = ["git", "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", of];
    let out = Output {
        bounded: of == "ls-tree" && !options.has(&["r"]),
        filtered: !globs.is_empty() || !folders.is_empty() || options.has(CHANGED),
        doubt: options.unknown || command.dir.is_none(),
        measure: (of == "ls-files").then(|| measured(command, &program, &options)).flatten(),
        ..Output::default()
    };
    let names = globs.into_iter().map(|w| w.text).collect();
    vec![Intent::List { names, roots: roots_of(command, &folders), out }]
}

/// Tests and joints of `find` that need no value, and those that take one. Anything else is doubt.
pub(super) const FIND_PLAIN: &[&str] = &[
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

pub(super) const FIND_VALUES: &[&str] = &[
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
/// Those of them that take a pattern of names.
const FIND_NAMES: &[&str] = &["-iname", "-ipath", "-iregex", "-name", "-path", "-regex", "-wholename"];
