//! Programs as a table: which options take values, and what a command of each program does.
//!
//! Adding a program is a row of [`PROGRAMS`] and its cases. An option that is not in its row is doubt, and doubt is
//! silence. Invariant: knows no rule and no limit but how many lines still count as a bound.

mod follow;
mod git;
mod list;
mod options;
mod powershell;
mod run;
mod search;
mod view;

use self::options::Options;
use self::search::{GREP_LONG, GREP_LONG_VALUES, RG_LONG, RG_LONG_VALUES};
use crate::intent::{Intent, Search};
use crate::shell::{Command, Script, Word, joined, program};

/// A `head`, `tail` or count up to so many lines is a bound; a longer one bounds nothing that matters. The described
/// systems use the same figure for a long read.
const BOUND_LINES: u64 = 300;

/// Matches per file (`grep -m`) up to so many are a bound.
const BOUND_MATCHES: u64 = 20;

/// Acts of one text that are looked at.
const MAX_INTENTS: usize = 1_000;
/// Beyond so many intents none is compared with all before it.
const MAX_COMPARED: usize = 100;

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
    /// Words that stand in every command of it that a rule could concern, where its names stand in many others.
    needles: Option<&'static [&'static str]>,
    understand: fn(&Command, &str, &Options) -> Vec<Intent>,
}

const fn row(names: &'static [&'static str], understand: fn(&Command, &str, &Options) -> Vec<Intent>) -> Program {
    Program {
        names,
        short: "",
        short_values: "",
        long: &[],
        long_values: &[],
        numeric: false,
        needles: None,
        understand,
    }
}

const PROGRAMS: &[Program] = &[
    Program {
        short: "AbeEnNrRsStTuvXFi",
        long: &[
            "number",
            "number-nonblank",
            "show-all",
            "show-ends",
            "show-tabs",
            "squeeze-blank",
            "RAW-CONTROL-CHARS",
            "help",
            "version",
        ],
        ..row(&["cat", "less", "more", "tac"], view::view)
    },
    Program {
        short: "p",
        short_values: "bdfhilnsvw",
        long: &["no-renumber"],
        long_values: &["body-numbering", "number-width", "number-format", "number-separator", "starting-line-number"],
        ..row(&["nl"], view::view)
    },
    Program {
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
        ..row(&["bat", "batcat"], view::bat)
    },
    Program {
        short: "fFqvz",
        short_values: "nc",
        long: &["follow", "quiet", "silent", "verbose", "retry"],
        long_values: &["lines", "bytes", "pid"],
        numeric: true,
        ..row(&["head", "tail"], view::head_or_tail)
    },
    Program {
        short: "nErsuz",
        short_values: "efl",
        long: &["quiet", "silent", "regexp-extended", "posix", "separate", "unbuffered"],
        long_values: &["expression", "file", "line-length"],
        ..row(&["sed", "gsed"], view::sed)
    },
    Program {
        short_values: "Fvf",
        long: &["help", "version"],
        long_values: &["field-separator", "assign", "file"],
        ..row(&["awk", "gawk", "mawk"], view::awk)
    },
    Program { short: "pnliw0aE", short_values: "eIMm", ..row(&["perl"], view::perl) },
    Program {
        short: "abCdeEfghimMnprRtuVvxXzw",
        short_values: "AcgjklNosStw",
        long: &["decode", "help", "version", "numeric-sort", "reverse", "canonical"],
        long_values: &["wrap", "key", "output", "width", "read-bytes", "skip-bytes", "length", "format"],
        ..row(&["base64", "expand", "fmt", "fold", "hexdump", "od", "pr", "rev", "sort", "strings", "xxd"], view::dump)
    },
    row(&["dd"], view::dd),
    Program {
        short: "acCejMnrRsS",
        long: &["compact-output", "monochrome-output", "raw-output", "sort-keys", "tab", "color-output"],
        long_values: &["indent"],
        ..row(&["jq", "yq"], view::jq)
    },
    Program { short: "afipRruvn", needles: Some(&["/dev/stdout"]), ..row(&["cp"], view::copy) },
    Program {
        short: "abcEFGHhIiLlnoPqRrsTUvwxyZz",
        short_values: "ABCDdefm",
        long: GREP_LONG,
        long_values: GREP_LONG_VALUES,
        numeric: true,
        ..row(&["grep", "egrep", "fgrep", "ggrep"], search::grep)
    },
    Program {
        short: "aFHhiIlLnNoPpqSsuUvwxz0c.",
        short_values: "ABCEefgjmMrtTd",
        long: RG_LONG,
        long_values: RG_LONG_VALUES,
        ..row(&["rg"], search::rg)
    },
    Program {
        short: "abcEFGHhIiLlnoPQqRrsTUvwxyZz0",
        short_values: "ABCegGmtT",
        long: &[
            "ignore-case",
            "hidden",
            "heading",
            "noheading",
            "nogroup",
            "group",
            "column",
            "help",
            "version",
            "literal",
        ],
        long_values: &["ignore", "ignore-dir", "type", "context", "max-count", "depth", "file-search-regex", "include"],
        ..row(&["ack", "ag", "ugrep"], search::walking_search)
    },
    row(&["find", "gfind", "bfs"], list::find),
    Program {
        short: "HILaspl0gi1uFq",
        short_values: "deEtSxXjc",
        long: &["hidden", "no-ignore", "absolute-path", "full-path", "glob", "follow", "print0", "help", "version"],
        long_values: &[
            "extension",
            "type",
            "exclude",
            "max-depth",
            "exec",
            "exec-batch",
            "size",
            "changed-within",
            "max-results",
            "color",
        ],
        ..row(&["fd", "fdfind"], list::fd)
    },
    Program {
        short: "1aAbBcCdFgGhHiklLmnNopqQrRsStuUvxXZ",
        short_values: "IwT",
        long: &[
            "all",
            "almost-all",
            "directory",
            "human-readable",
            "recursive",
            "reverse",
            "size",
            "color",
            "group-directories-first",
            "full-time",
            "classify",
        ],
        long_values: &["sort", "time", "time-style", "format", "ignore", "hide", "block-size"],
        needles: Some(&["--recursive", "-1R", "-R", "-Ra", "-Rl", "-aR", "-alR", "-lR", "-laR"]),
        ..row(&["ls", "gls"], list::ls)
    },
    Program {
        short: "adfhilpsugDtrvRACSnFqNQ",
        short_values: "LPIoHT",
        long: &["dirsfirst", "noreport", "gitignore", "prune", "du", "si", "help", "version"],
        long_values: &["filelimit", "charset", "sort"],
        ..row(&["tree"], list::tree)
    },
    row(&["xargs"], list::xargs),
    row(&["git"], git::git),
    row(run::RUNNERS, run::runner),
    row(
        &[
            "ant", "bazel", "bazelisk", "cargo", "deno", "dotnet", "flutter", "forge", "gmake", "go", "gradle",
            "gradlew", "just", "lein", "make", "mix", "mvn", "mvnd", "mvnw", "rails", "rake", "sbt", "swift", "task",
            "zig",
        ],
        run::task,
    ),
    row(&["bun", "npm", "pnpm", "yarn"], run::node_manager),
    Program {
        needles: Some(&[]),
        ..row(&["apt", "apt-get", "brew", "composer", "gem", "pip", "pip3", "poetry", "uv"], run::installer)
    },
    Program { needles: Some(&["nose", "open", "unittest"]), ..row(&["python", "python3"], run::python) },
];

/// The row of a program.
fn row_of(name: &str) -> Option<&'static Program> {
    PROGRAMS.iter().find(|row| row.names.contains(&name))
}

/// Words of which one stands in every command that a rule could concern: what the command hooks' filters are made of.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = PROGRAMS
        .iter()
        .flat_map(|p| p.needles.unwrap_or(p.names))
        .copied()
        .chain(crate::shell::powershell::NAMES.iter().copied())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

pub use powershell::{may_concern as may_concern_powershell, names as powershell_names};

/// What the Grep tool does: a `grep` through a folder, with line numbers.
pub fn grep_tool(pattern: &str, folder: &str, glob: Option<&str>, ignore_case: bool) -> Search {
    let mut words = vec!["grep".to_string(), "-rnE".to_string()];
    words.extend(ignore_case.then(|| "-i".to_string()));
    words.extend(glob.map(|glob| format!("--include={}", glob.rsplit('/').next().unwrap_or(glob))));
    words.extend(["-e", pattern, "--", folder].map(str::to_string));
    let command = Command::plain(words.into_iter().map(Word::plain).collect());
    match of_command(&command).into_iter().next() {
        Some(Intent::Search(search)) => search,
        _ => unreachable!("a grep with a pattern and a folder is a search"),
    }
}

/// What a script does, in order.
pub fn intents(script: &Script) -> Vec<Intent> {
    let mut all = Vec::new();
    let mut changes = Changes::default();
    for command in &script.commands {
        for mut intent in of_command(command) {
            if changes.concern(&intent)
                && let Some(out) = follow::output(&mut intent)
            {
                out.doubt = true;
            }
            // The rounds of a loop that do the same are one act.
            if all.len() < MAX_INTENTS && (all.len() > MAX_COMPARED || !all.contains(&intent)) {
                all.push(intent);
            }
        }
        changes.add(command);
    }
    all.extend(script.unread.iter().map(|text| Intent::Unread { text: text.clone() }));
    all
}

/// What the commands of a text change before others of it look: then nothing is known of what those show.
#[derive(Default)]
struct Changes {
    /// Files that are written.
    files: Vec<String>,
    /// A branch, the index or the work tree.
    repository: bool,
}

impl Changes {
    fn add(&mut self, command: &Command) {
        let mut written: Vec<&Word> = command.output.iter().collect();
        for stage in std::iter::once(&command.argv[..]).chain(command.downstream.iter().map(|stage| &stage[..])) {
            if stage.first().is_some_and(|w| program(w) == "tee") {
                written.extend(stage[1..].iter().filter(|w| !w.text.starts_with('-')));
            }
        }
        self.files.extend(written.into_iter().filter_map(|word| placed(command, &word.text)));
        let verb = command.argv.get(1).map_or("", |w| w.text.as_str());
        const CHANGING: &[&str] = &[
            "add",
            "am",
            "apply",
            "checkout",
            "cherry-pick",
            "clean",
            "commit",
            "merge",
            "mv",
            "pull",
            "rebase",
            "reset",
            "restore",
            "revert",
            "rm",
            "stash",
            "switch",
        ];
        let shows = verb == "stash" && command.argv.get(2).is_some_and(|w| matches!(w.text.as_str(), "list" | "show"));
        self.repository |=
            program(command.argv.first().unwrap_or(&Word::default())) == "git" && CHANGING.contains(&verb) && !shows;
    }

    fn concern(&self, intent: &Intent) -> bool {
        match intent {
            Intent::Diff(_) | Intent::Log(_) => self.repository,
            Intent::Read(read) => self.files.contains(&read.path),
            _ => false,
        }
    }
}

fn of_command(command: &Command) -> Vec<Intent> {
    let Some(first) = command.argv.first() else {
        return Vec::new();
    };
    let name = program(first);
    let mut intents = match row_of(name) {
        Some(row) => (row.understand)(command, name, &Options::of(&command.argv[1..], row)),
        None => powershell::of_command(command, name),
    };
    for intent in &mut intents {
        follow::follow(intent, command);
        // Of many files a condition may show none.
        let is_many = matches!(intent, Intent::Read(read) if read.out.measure.is_some());
        if (command.tried || command.conditional && is_many)
            && let Some(out) = follow::output(intent)
        {
            out.doubt = true;
        }
        if let Some(host) = &command.remote {
            put_elsewhere(intent, host);
        }
    }
    intents
}

/// An intent of a command that runs on another machine: its paths are told with it, and nothing of it is judged.
fn put_elsewhere(intent: &mut Intent, host: &str) {
    let mark = |path: &mut String| *path = format!("{host}:{path}");
    match intent {
        Intent::List { roots, .. } => roots.iter_mut().for_each(mark),
        Intent::Read(read) => {
            mark(&mut read.path);
            read.unjudged = true;
        }
        Intent::Search(search) => search.scope.iter_mut().for_each(mark),
        _ => {}
    }
    if let Some(out) = follow::output(intent) {
        out.doubt = true;
        out.measure = None;
    }
}

/// A path as written, seen from where the text starts; `None` = only the shell knows the folder.
fn placed(command: &Command, path: &str) -> Option<String> {
    if path.starts_with(['/', '~']) {
        return Some(path.to_string());
    }
    command.dir.as_deref().map(|dir| if dir.is_empty() { path.to_string() } else { joined(dir, path) })
}
