//! The one table of rules. Ids, documentation and configuration keys derive from it.
//!
//! A rule is one file: what it stops, why, an example, what instead, and when it stays quiet. It looks at one intent and
//! says that it is not concerned, asks for facts, or says what the output is and what to do instead. Whether that leads
//! to advice or a refusal is decided in `core`, the same way for every rule.

mod large_result;
mod long_listing;
mod other_checkout;
mod recursive_grep;
mod sliced_read;
mod unbounded_diff;
mod unbounded_log;
mod unbounded_test;
mod unbounded_walk;
mod uncapped_result;
mod unseen_edit;
mod unseen_write;
mod whole_file_read;

pub use whole_file_read::{CODE, is_saved_output};

use crate::config::Config;
use crate::core::Input;
use crate::fact::{Ask, Fact, FileKind, Measured, Measuring, Place, slashes};
use crate::intent::{Intent, Output};
use crate::outcome::{Basis, Why};
use crate::shell::joined;
use crate::size;

/// Every rule, by name.
pub static RULES: &[Rule] = &[
    rule("large-result", large_result::check),
    rule("long-listing", long_listing::check),
    Rule { is_guard: true, ..rule("other-checkout", other_checkout::check) },
    rule("recursive-grep", recursive_grep::check),
    Rule { advises_only: true, ..rule("sliced-read", sliced_read::check) },
    rule("unbounded-diff", unbounded_diff::check),
    rule("unbounded-log", unbounded_log::check),
    Rule { advises_only: true, ..rule("unbounded-test", unbounded_test::check) },
    Rule { takes_long: true, ..rule("unbounded-walk", unbounded_walk::check) },
    rule("uncapped-result", uncapped_result::check),
    Rule { is_guard: true, ..rule("unseen-edit", unseen_edit::check) },
    Rule { is_guard: true, ..rule("unseen-write", unseen_write::check) },
    rule("whole-file-read", whole_file_read::check),
];

/// A rule: its id is stable, and reads well after "allow".
#[derive(Debug)]
pub struct Rule {
    pub id: &'static str,
    /// It knows no fact that could carry a refusal.
    pub advises_only: bool,
    /// Its calls take long, which no smaller result gives back.
    pub takes_long: bool,
    /// It keeps something from being lost, and does not give way when the call comes again.
    pub is_guard: bool,
    check: fn(&Intent, &Scene) -> Check,
}

const fn rule(id: &'static str, check: fn(&Intent, &Scene) -> Check) -> Rule {
    Rule { id, advises_only: false, takes_long: false, is_guard: false, check }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.id == other.id
    }
}

impl Rule {
    /// The rule of a name that stands in the table.
    pub fn of(id: &str) -> Option<&'static Rule> {
        RULES.iter().find(|rule| rule.id == id)
    }

    /// `economy` gives way when the call comes again, `guard` does not.
    pub fn kind(&self) -> &'static str {
        if self.is_guard { "guard" } else { "economy" }
    }

    pub fn check(&self, intent: &Intent, scene: &Scene) -> Check {
        (self.check)(intent, scene)
    }
}

/// What a rule says of an intent.
#[derive(Debug, PartialEq)]
pub enum Check {
    Hit(Box<Hit>),
    Need(Vec<Ask>),
    No(Why),
}

/// A costly output, by facts.
#[derive(Debug, PartialEq)]
pub struct Hit {
    pub why: Why,
    /// What is remembered, so that the same act in other words is known again.
    pub subject: String,
    /// Tokens that the output asks for; decides.
    pub wanted: u64,
    /// Tokens that the client would really have shown; counted as saved.
    pub shown: u64,
    pub basis: Basis,
    /// The fact, a sentence.
    pub fact: String,
    /// The way on, a sentence.
    pub way: String,
    /// A call that does better, where one can be written out.
    pub tool: Option<String>,
    /// It counts only together with what was shown of the file before.
    pub slice: Option<Slice>,
}

/// Lines of a file that a call shows, from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    pub from: u64,
    pub to: u64,
    /// So many lines of it, shown in slices, are worth a word.
    pub enough: u64,
}

/// What a rule can see: the tool, the configuration, and the facts so far.
pub struct Scene<'a> {
    pub tool: Tool,
    pub config: &'a Config,
    pub facts: &'a dyn Fn(&Ask) -> Option<Fact>,
    /// The facts came with the call; nothing can be run.
    pub has_sheet: bool,
    /// The folder of the call, where the event told it; paths are relative to it, else to the session's own.
    pub cwd: Option<&'a str>,
    /// The command, where it is a single simple one: a bound can be put behind it.
    pub simple: Option<&'a str>,
}

/// The tool that is called, whose words a way on is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Bash,
    Grep,
    PowerShell,
    Read,
}

impl Tool {
    pub fn of(input: &Input) -> Tool {
        match input {
            Input::Bash { .. } | Input::Edit { .. } | Input::Mcp(_) | Input::Other | Input::Write { .. } => Tool::Bash,
            Input::Grep { .. } => Tool::Grep,
            Input::PowerShell { .. } => Tool::PowerShell,
            Input::Read { .. } => Tool::Read,
        }
    }
}

impl Scene<'_> {
    /// The facts for `asks`, or the asks that are still open.
    fn facts<const N: usize>(&self, asks: [Ask; N]) -> Result<[Fact; N], Check> {
        let found: Vec<Option<Fact>> = asks.iter().map(|ask| (self.facts)(ask)).collect();
        if found.iter().any(Option::is_none) {
            return Err(Check::Need(
                asks.into_iter().zip(found).filter(|(_, f)| f.is_none()).map(|(a, _)| a).collect(),
            ));
        }
        let found: Vec<Fact> = found.into_iter().flatten().collect();
        Ok(found.try_into().expect("one fact for each ask"))
    }

    /// A path as the host can find it.
    fn at(&self, path: &str) -> String {
        match self.cwd {
            Some(cwd) if !path.starts_with('~') => {
                let path = drive_path(cwd, path).unwrap_or_else(|| path.to_string());
                joined(cwd, if path.is_empty() { "." } else { &path })
            }
            _ => path.to_string(),
        }
    }

    fn place(&self) -> Result<Place, Check> {
        match self.facts([Ask::Place])? {
            [Fact::Place(place)] => Ok(place),
            _ => Err(Check::No(Why::UnknownFact)),
        }
    }

    /// Fails where a path is outside the project, or nobody can tell.
    fn inside(&self, path: &str) -> Result<Stat, Check> {
        let [place, stat] = self.facts([Ask::Place, Ask::Stat { path: self.at(path) }])?;
        let (Fact::Place(place), Fact::Stat { kind, bytes, real, .. }) = (place, stat) else {
            return Err(Check::No(Why::UnknownFact));
        };
        if kind == FileKind::None {
            return Err(Check::No(Why::NotConcerned));
        }
        let Some(below) = place.below(&real) else {
            return Err(Check::No(Why::Outside));
        };
        if self.config.ignores(&below) {
            return Err(Check::No(Why::Ignored));
        }
        Ok(Stat { kind, bytes, real })
    }

    /// Fails where one of these words is a file.
    fn none_exists(&self, words: &[String]) -> Result<(), Check> {
        for word in words {
            match self.facts([Ask::Stat { path: self.at(word) }])? {
                [Fact::Stat { kind: FileKind::None, .. }] => {}
                [Fact::Stat { .. }] => return Err(Check::No(Why::NotConcerned)),
                _ => return Err(Check::No(Why::UnknownFact)),
            }
        }
        Ok(())
    }

    /// Fails unless git would run in the project folder or the session's own: a folder below may be a repository of
    /// somebody else, whose configuration runs programs.
    fn at_home(&self, out: &Output) -> Result<Place, Check> {
        let place = self.place()?;
        let dir = out.measure.as_ref().map_or("", |(_, _, dir)| dir.as_str());
        let dir = slashes(&self.at(dir));
        if dir.is_empty() || dir == slashes(&place.cwd) || dir == slashes(&place.root) {
            return Ok(place);
        }
        Err(Check::No(Why::Outside))
    }

    /// The size of an open output that may be measured.
    fn measured(&self, out: &Output, scope: &[String]) -> Result<Measured, Check> {
        let Some((of, argv, cwd)) = &out.measure else {
            return Err(Check::No(Why::Doubt));
        };
        Ok(self.measure(*of, argv, cwd, scope)?.capped(out.at_most))
    }

    fn measure(&self, of: Measuring, argv: &[String], cwd: &str, scope: &[String]) -> Result<Measured, Check> {
        if argv.is_empty() && !self.has_sheet {
            return Err(Check::No(Why::Doubt));
        }
        let ask = Ask::Measure {
            of,
            argv: argv.to_vec(),
            cwd: self.at(cwd),
            scope: scope.iter().map(|path| self.at(path)).collect(),
            chars: size::BASH_MAX_CHARS + 1,
        };
        match self.facts([ask])? {
            [Fact::Measured(measured)] => Ok(measured),
            _ => Err(Check::No(Why::UnknownFact)),
        }
    }

    /// The call again with a bound behind it.
    fn bounded_call(&self) -> Option<String> {
        self.simple.map(|command| format!("{command} | {}", self.bound()))
    }

    /// A filter that bounds an output, in the words of the tool.
    fn bound(&self) -> &'static str {
        if self.tool == Tool::PowerShell { "Select-Object -First 50" } else { "head -n 50" }
    }
}

struct Stat {
    kind: FileKind,
    bytes: u64,
    real: String,
}

/// `/c/repo`, as the shells of Windows write `C:/repo`; `None` on other machines.
fn drive_path(cwd: &str, path: &str) -> Option<String> {
    let letter = path.strip_prefix('/')?.split('/').next()?;
    let is_drive = |text: &str| text.len() == 1 && text.starts_with(|c: char| c.is_ascii_alphabetic());
    let on_windows = cwd.get(1..2) == Some(":") && cwd.starts_with(|c: char| c.is_ascii_alphabetic());
    (on_windows && is_drive(letter)).then(|| format!("{}:{}", letter.to_ascii_uppercase(), &path[2..]))
}

/// A hit on a measured output of Bash.
fn output_hit(scene: &Scene, measured: Measured, subject: String, what: &str, way: &str) -> Check {
    let lines = match (measured.measured, measured.complete) {
        (true, true) => format!(" ({} lines)", size::grouped(measured.lines)),
        _ => String::new(),
    };
    let fact = if measured.chars > size::BASH_MAX_CHARS {
        format!("{what} prints more than 30,000 characters here, of which only the first 2 KB would be shown.")
    } else {
        format!("{what} would show {} tokens here{lines}.", size::about(size::bash_wanted(measured.chars)))
    };
    Check::Hit(Box::new(Hit {
        why: Why::LargeOutput,
        subject,
        wanted: size::bash_wanted(measured.chars),
        shown: size::bash_shown(measured.chars),
        basis: if measured.measured { Basis::Measured } else { Basis::Estimated },
        fact,
        way: way.to_string(),
        tool: scene.bounded_call(),
        slice: None,
    }))
}

/// A hit on what is judged whatever its size: nobody measured it, so nothing is claimed of it.
fn unmeasured_hit(scene: &Scene, subject: String, fact: &str, way: &str) -> Check {
    Check::Hit(Box::new(Hit {
        why: Why::EveryCall,
        subject,
        wanted: 0,
        shown: 0,
        basis: Basis::Estimated,
        fact: fact.to_string(),
        way: way.to_string(),
        tool: scene.bounded_call(),
        slice: None,
    }))
}

/// Unwraps a step of a rule, or answers with what stopped it.
macro_rules! step {
    ($step:expr) => {
        match $step {
            Ok(value) => value,
            Err(check) => return check,
        }
    };
}
use step;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_its_ids_are_the_files_names() {
        let ids: Vec<&str> = RULES.iter().map(|r| r.id).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        assert_eq!(ids, sorted);
        for id in ids {
            let file = format!("{}/src/rules/{}.rs", env!("CARGO_MANIFEST_DIR"), id.replace('-', "_"));
            assert!(std::path::Path::new(&file).exists(), "{file}");
        }
    }
}
