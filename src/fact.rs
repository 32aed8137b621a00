//! What the core asks the host for, and what the host can answer. Both are closed sets.

use crate::intent::Intent;
use crate::shell::Script;

/// A question to the host. Paths are absolute or relative to the session's directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    /// Something smaller in the place of the result that the host has in hand, within so many characters.
    Condense { budget: u64, intents: Vec<Intent> },
    /// The configuration layers for the session's project.
    Config,
    /// Where a text stands in a file.
    Find { path: String, text: String },
    /// How many newline characters a file holds.
    Lines { path: String },
    /// How large the standard output of a read-only command would be, stopped after `chars` characters.
    /// The core makes `argv` from options that it knows, never from unread words.
    Measure { of: Measuring, argv: Vec<String>, cwd: String, scope: Vec<String>, chars: u64 },
    /// What a file declares, as a text; by the name it is told by.
    Outline { path: String, name: String },
    /// The session's directory and its project folder.
    Place,
    /// What a text of another language does, read by its pack.
    Script { language: &'static str, text: String },
    /// Kind, size and real path of a file or folder.
    Stat { path: String },
    /// What was saved of a session's memory.
    State { session: String },
    /// The text of a file, as far as a Read would show it.
    Text { path: String },
}

/// What a measured command is; a fact sheet without such outputs tells an ordinary size by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measuring {
    /// A file as it is in a revision, or with the history of each line.
    Blob,
    Diff,
    List,
    Log,
    /// So many lines of one file.
    Lines(u64),
    /// So many lines of each file of a folder.
    Many(u64),
    Search,
}

/// The host's answer to one [`Ask`]. `Unknown` ("could not tell") is an ordinary answer to each of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    Config(Vec<crate::config::Layer>),
    /// The lines of a text that was found once.
    Found {
        from: u64,
        to: u64,
    },
    /// A text that may be shown: an outline, a condensed result, a file.
    Given(String),
    Lines(u64),
    Measured(Measured),
    Place(Place),
    Script(Script),
    Stat {
        kind: FileKind,
        bytes: u64,
        real: String,
        /// When it was changed last, in ms since 1970; 0 = not told.
        mtime: u64,
    },
    /// The text of the last save; `None` = this session saved nothing yet.
    State(Option<String>),
    Unknown,
}

/// The size of an output, in characters and lines. Not complete = at least that much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    pub chars: u64,
    pub lines: u64,
    pub complete: bool,
    /// False where a fact sheet assumed the figure instead of measuring it.
    pub measured: bool,
}

impl Measured {
    /// What is left of it where only so many lines are handed on.
    pub fn capped(mut self, at_most: Option<u64>) -> Measured {
        if let Some(most) = at_most.filter(|most| self.lines > *most) {
            self.chars = (u128::from(self.chars) * u128::from(most) / u128::from(self.lines)) as u64;
            self.lines = most;
        }
        self
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Dir,
    File,
    None,
    Other,
}

/// Real paths, with `/` between names on every platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub cwd: String,
    pub root: String,
    /// The home folder, where the host knows it.
    pub home: Option<String>,
    /// The folder in which the session began and its servers run, where that is not `root`.
    pub start: Option<String>,
}

impl Place {
    /// A real path as it is seen from the project folder; `None` = outside of it.
    pub fn below(&self, real: &str) -> Option<String> {
        let (real, root) = (slashes(real), slashes(&self.root));
        let rest = real.strip_prefix(root.trim_end_matches('/'))?;
        (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_string())
    }
}

/// The last name of a path.
pub fn name_of(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A path with forward slashes only (Windows hosts give both).
pub fn slashes(path: &str) -> String {
    path.replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbour_with_the_same_beginning_is_outside() {
        let place = Place { cwd: "/p".into(), root: "/p".into(), home: None, start: None };
        assert_eq!(place.below("/p/b/a.rs").as_deref(), Some("b/a.rs"));
        assert_eq!(place.below("/p").as_deref(), Some(""));
        assert_eq!(place.below("/p-evil/a.rs"), None);
        assert_eq!(place.below("/a.rs"), None);
        let windows = Place { cwd: String::new(), root: "C:\\repo".into(), home: None, start: None };
        assert_eq!(windows.below("C:\\repo\\a.rs").as_deref(), Some("a.rs"));
    }
}
