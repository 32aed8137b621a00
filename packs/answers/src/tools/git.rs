//! The git commands that name candidates, one for each call of a tool, and the reading of their output.
//!
//! Invariant: every command only reads, takes no lock, runs no program of a configuration, and has a person's text
//! behind `-e` and a person's path behind `--`.

use super::place::Scope;
use crate::ask::{Ask, Fact, Ran};

/// Output beyond this is cut by the hosts too (4 MiB, what the client keeps of a process on 2.1.332).
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// How a line is looked for.
#[derive(Clone, Copy, PartialEq)]
pub enum Syntax {
    /// The text as it is.
    Text,
    /// The text as it is, with no letter beside it.
    Word,
    /// A regular expression, Perl's.
    Perl,
    /// A regular expression as every git has it.
    Extended,
}

/// A line that git found.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub path: String,
    pub number: u64,
    pub text: String,
}

/// `git grep` for lines, in a repository (`untracked` files too) or in any folder. Binary files are left out.
pub fn grep(scope: &Scope, pattern: &str, syntax: Syntax, ignore_case: bool, in_repository: bool) -> Ask {
    let mut argv = vec!["git", "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false", "grep"];
    // Each of these can be set otherwise in a configuration.
    argv.extend(["--no-color", "--no-column", "--no-textconv", "--no-recurse-submodules"]);
    argv.extend(if in_repository {
        ["--untracked"].as_slice()
    } else {
        ["--no-index", "--exclude-standard"].as_slice()
    });
    argv.extend(["-n", "-z", "-I"]);
    argv.extend(match syntax {
        Syntax::Text => ["-F"].as_slice(),
        Syntax::Word => &["-F", "-w"],
        Syntax::Perl => &["-P"],
        Syntax::Extended => &["-E"],
    });
    if ignore_case {
        argv.push("-i");
    }
    argv.extend(["-e", pattern, "--"]);
    argv.extend(scope.at.as_deref());
    run(argv, &scope.base)
}

/// Tracked and untracked files.
pub fn files(scope: &Scope) -> Ask {
    let mut argv = vec!["git", "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false", "ls-files"];
    argv.extend(["-z", "-c", "-o", "--exclude-standard", "--deduplicate", "--"]);
    argv.extend(scope.at.as_deref());
    run(argv, &scope.base)
}

/// The same in a folder that is no repository's: every file with a line in it.
pub fn files_anywhere(scope: &Scope) -> Ask {
    let mut argv = vec!["git", "--literal-pathspecs", "grep", "--no-color", "--no-textconv", "--no-recurse-submodules"];
    argv.extend(["--no-index", "--exclude-standard", "-l", "-z", "-I", "-F", "-e", "", "--"]);
    argv.extend(scope.at.as_deref());
    run(argv, &scope.base)
}

pub fn worktrees(base: &str) -> Ask {
    run(vec!["git", "--no-optional-locks", "worktree", "list", "--porcelain", "-z"], base)
}

fn run(argv: Vec<&str>, cwd: &str) -> Ask {
    Ask::Run { argv: argv.into_iter().map(str::to_string).collect(), cwd: cwd.to_string(), bytes: MAX_BYTES }
}

/// What a command printed, where it could be started.
pub fn output(fact: &Fact) -> Option<&Ran> {
    if let Fact::Ran(ran) = fact { Some(ran) } else { None }
}

/// The lines of `grep -n -z`: path, NUL, number, NUL, text, newline. A part that was cut off is left out.
pub fn lines(output: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut rest = output;
    while let Some((path, after)) = rest.split_once('\0') {
        let Some((number, after)) = after.split_once('\0') else { break };
        let Some((text, after)) = after.split_once('\n') else { break };
        rest = after;
        if let Ok(number) = number.parse() {
            lines.push(Line { path: path.to_string(), number, text: text.trim_end_matches('\r').to_string() });
        }
    }
    lines
}

/// The names of a list that is separated by NUL.
pub fn names(output: &str) -> Vec<String> {
    let Some((whole, _)) = output.rsplit_once('\0') else { return Vec::new() };
    whole.split('\0').map(str::to_string).collect()
}
