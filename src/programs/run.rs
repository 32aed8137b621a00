//! Test runners and package managers: what they run or install. Options that run nothing (`--help`, `--list`) are known.

use super::options::Options;
use super::view::whole;
use crate::intent::{Intent, Output};
use crate::shell::{Command, Word, program};

/// Programs whose only business is to run tests.
pub(super) const RUNNERS: &[&str] =
    &["ava", "ctest", "jest", "mocha", "nosetests", "nox", "phpunit", "py.test", "pytest", "rspec", "tox", "vitest"];

/// Programs that run tests by a subcommand, task or target, and which those are.
const BY_TASK: &[(&[&str], &[&str])] = &[
    (
        &[
            "ant", "bazel", "bazelisk", "deno", "dotnet", "flutter", "forge", "go", "just", "lein", "mix", "swift",
            "task", "zig",
        ],
        &["test"],
    ),
    (&["cargo"], &["nextest", "t", "test"]),
    (&["gmake", "make"], &["check", "test", "tests"]),
    (&["gradle", "gradlew"], &["check", "test"]),
    (&["mvn", "mvnw", "mvnd"], &["integration-test", "test", "verify"]),
    (&["rake", "rails"], &["spec", "test"]),
    (&["sbt"], &["test"]),
];

/// Their options that take the next word.
const VALUES: &[&str] = &[
    "-C",
    "-D",
    "-I",
    "-P",
    "-W",
    "-X",
    "-b",
    "-f",
    "-j",
    "-p",
    "-r",
    "-s",
    "--bin",
    "--config",
    "--cwd",
    "--dir",
    "--directory",
    "--features",
    "--file",
    "--filter",
    "--jobs",
    "--manifest-path",
    "--package",
    "--prefix",
    "--profile",
    "--project-dir",
    "--target",
    "--target-dir",
    "--workspace",
];

/// Options with which nothing is run.
const IDLE: &[&str] = &[
    "--collect-only",
    "--dry-run",
    "--fixtures",
    "--help",
    "--list",
    "--list-tests",
    "--listTests",
    "--markers",
    "--no-run",
    "--showConfig",
    "--version",
    "-V",
    "-h",
];

fn is_idle(words: &[Word]) -> bool {
    words.iter().take_while(|w| w.text != "--").any(|w| IDLE.contains(&w.text.as_str()))
}

/// The words that are no options and no values of options.
fn operands(words: &[Word]) -> impl Iterator<Item = &str> {
    let mut skip = false;
    words.iter().map(|w| w.text.as_str()).filter(move |text| {
        let is_value = std::mem::replace(&mut skip, VALUES.contains(text));
        !is_value && !text.starts_with('-')
    })
}

fn test(runner: &str) -> Vec<Intent> {
    vec![Intent::Test { runner: runner.to_string(), out: Output::default() }]
}

pub(super) fn runner(command: &Command, name: &str, _: &Options) -> Vec<Intent> {
    if is_idle(&command.argv[1..]) { Vec::new() } else { test(name) }
}

pub(super) fn task(command: &Command, name: &str, _: &Options) -> Vec<Intent> {
    let words = &command.argv[1..];
    let Some((_, tasks)) = BY_TASK.iter().find(|(names, _)| names.contains(&name)) else {
        return Vec::new();
    };
    // Gradle and Maven take several tasks; of the others the first word says what is done.
    let several = matches!(name, "gmake" | "gradle" | "gradlew" | "make" | "mvn" | "mvnd" | "mvnw" | "rake" | "sbt");
    let count = if several { usize::MAX } else { 1 };
    let is_test = operands(words).take(count).any(|word| tasks.contains(&word.rsplit(':').next().unwrap_or(word)));
    if name == "cargo" && operands(words).next() == Some("add") {
        return install(name, operands(words).skip(1));
    }
    let is_shown_only =
        name.ends_with("make") && words.iter().any(|w| matches!(w.text.as_str(), "-n" | "--just-print"));
    if is_test && !is_shown_only && !is_idle(words) { test(name) } else { Vec::new() }
}

fn install<'a>(manager: &str, packages: impl Iterator<Item = &'a str>) -> Vec<Intent> {
    vec![Intent::Install { manager: manager.to_string(), packages: packages.map(str::to_string).collect() }]
}

/// `npm`, `pnpm`, `yarn`, `bun`: scripts and packages.
pub(super) fn node_manager(command: &Command, name: &str, _: &Options) -> Vec<Intent> {
    let words = &command.argv[1..];
    let mut rest = operands(words);
    let mut verb = rest.next().unwrap_or_default();
    if matches!(verb, "run" | "run-script") {
        verb = rest.next().unwrap_or_default();
        let is_test = verb == "test" || verb.starts_with("test:") || verb.starts_with("test-") || verb == "tests";
        return if is_test && !is_idle(words) { test(name) } else { Vec::new() };
    }
    match verb {
        "test" | "t" | "tst" if verb == "test" || name != "yarn" => {
            if is_idle(words) {
                Vec::new()
            } else {
                test(name)
            }
        }
        "add" | "ci" | "i" | "install" => install(name, rest),
        "" if name == "yarn" && !is_idle(words) => install(name, rest),
        // `yarn vitest` runs a program of the project.
        script
            if matches!(name, "bun" | "pnpm" | "yarn")
                && (RUNNERS.contains(&script) || script.starts_with("test:")) =>
        {
            if is_idle(words) {
                Vec::new()
            } else {
                test(script)
            }
        }
        _ => Vec::new(),
    }
}

/// `pip install`, `uv add`, `poetry add`, `gem install`, `apt-get install`.
pub(super) fn installer(command: &Command, name: &str, _: &Options) -> Vec<Intent> {
    let mut words = operands(&command.argv[1..]);
    let mut verb = words.next().unwrap_or_default();
    if name == "uv" && verb == "pip" {
        verb = words.next().unwrap_or_default();
    }
    match verb {
        "add" | "install" if !is_idle(&command.argv[1..]) => install(name, words),
        _ => Vec::new(),
    }
}

/// `python -m pytest`, and a text of `python -c` that prints a file.
pub(super) fn python(command: &Command, _: &str, _: &Options) -> Vec<Intent> {
    let words = &command.argv[1..];
    if let [option, text, ..] = words
        && option.text == "-c"
        && let Some(file) = printed_file(&text.text).filter(|_| !text.dynamic)
    {
        return vec![Intent::Read(whole(command, &Word::plain(file)))];
    }
    let Some(at) = words.iter().position(|w| w.text == "-m") else {
        return Vec::new();
    };
    let Some(module) = words.get(at + 1).map(program) else {
        return Vec::new();
    };
    let rest = &words[at + 2..];
    match module {
        "pytest" | "unittest" | "nose" | "tox" | "nox" if !is_idle(rest) => test(module),
        "pip" => match operands(rest).next() {
            Some("install") => install("pip", operands(rest).skip(1)),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The file whose text is all that a text of Python prints.
fn printed_file(text: &str) -> Option<&str> {
    let is_idle = |line: &str| {
        line.is_empty() || line.starts_with('#') || line.starts_with("import ") || line.starts_with("from ")
    };
    let mut lines = text.split(['\n', ';']).map(str::trim).filter(|line| !is_idle(line));
    let (first, second) = (lines.next()?, lines.next());
    if lines.next().is_some() {
        return None;
    }
    let Some(line) = second else {
        let (file, method) = opened(printed(first)?)?;
        return [".read()", ".read_text()"].contains(&method).then_some(file);
    };
    let (file, name) = opened(first.strip_prefix("with ")?)?;
    let name = name.strip_prefix(" as ")?.strip_suffix(':')?;
    (printed(line)?.strip_suffix(".read()")? == name).then_some(file)
}

/// What a line of Python prints.
fn printed(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("print(").or_else(|| line.strip_prefix("sys.stdout.write("))?;
    let rest = rest.strip_suffix(')')?;
    Some(rest.strip_suffix(", end=''").or_else(|| rest.strip_suffix(", end=\"\"")).unwrap_or(rest))
}

/// The file that an expression of Python opens, and what is done with it.
fn opened(text: &str) -> Option<(&str, &str)> {
    let rest = ["open(", "Path(", "pathlib.Path("].iter().find_map(|open| text.strip_prefix(open))?;
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (file, behind) = rest[1..].split_once(quote)?;
    let (how, then) = behind.split_once(')')?;
    (how.is_empty() || how.starts_with(',')).then_some((file, then))
}
