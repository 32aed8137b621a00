//! What a call does, read from its syntax: the intents of `trimtab judge`.

use crate::config::Config;
use crate::fact::Measuring;

/// One thing that a command does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    Diff(Output),
    Install {
        manager: String,
        packages: Vec<String>,
    },
    List {
        names: Vec<String>,
        roots: Vec<String>,
        out: Output,
    },
    Log(Output),
    Read(Read),
    Search(Search),
    Test {
        runner: String,
        out: Output,
    },
    /// A part whose syntax could not be read.
    Unread {
        text: String,
    },
}

/// File content that is read. Lines count from 1; `to` absent = to the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Read {
    pub path: String,
    pub from: u64,
    pub to: Option<u64>,
    /// Of the lines selected by `from` and `to`, only the last so many.
    pub last: Option<u64>,
    /// So many of the last lines are left out (`head -n -5`).
    pub left_out: u64,
    /// Without any bound.
    pub whole: bool,
    /// The path has wildcards or parts that only the shell knows.
    pub vague: bool,
    /// The output is bounded by bytes, filtered, or remote: not judged.
    pub unjudged: bool,
    /// It stands for many files; the folder that they lie in, as far as the words tell.
    pub many: Option<String>,
    pub out: Output,
}

/// A search in files.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Search {
    pub patterns: Vec<String>,
    pub shape: Shape,
    pub fixed: bool,
    pub ignore_case: bool,
    pub scope: Vec<String>,
    pub globs: Vec<String>,
    /// Types by name, as `rg` knows them.
    pub types: Vec<String>,
    pub recursive: bool,
    pub feeds_edit: bool,
    /// By `Select-String`, whose options have other names.
    pub by_cmdlet: bool,
    pub out: Output,
}

impl Search {
    /// Whether a glob or type mentions source files.
    pub fn names_source(&self, config: &Config) -> bool {
        let is_ending = |word: &str| config.source.contains(&word);
        let of_glob = |glob: &String| glob.split(|c: char| !c.is_alphanumeric()).any(is_ending);
        let of_type =
            |name: &String| is_ending(name) || TYPES.iter().any(|(known, ending)| known == name && is_ending(ending));
        self.globs.iter().filter(|glob| !glob.starts_with('!')).any(of_glob) || self.types.iter().any(of_type)
    }
}

/// Types that are not named like their files' ending.
const TYPES: &[(&str, &str)] = &[
    ("cpp", "cc"),
    ("csharp", "cs"),
    ("elixir", "ex"),
    ("haskell", "hs"),
    ("kotlin", "kt"),
    ("perl", "pl"),
    ("python", "py"),
    ("ruby", "rb"),
    ("rust", "rs"),
    ("typescript", "ts"),
];

/// Where an output goes and how it could be measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Output {
    /// Goes into another command that is no mere pass-through.
    pub piped: bool,
    /// Goes into a file.
    pub writes: bool,
    /// A bound that the command carries or a filter behind it.
    pub bounded: bool,
    /// Names only what fits something: an estimate by the number of files says nothing.
    pub filtered: bool,
    /// Only so many lines of it are handed on, by a `head` or `tail` that is too long to count as a bound.
    pub at_most: Option<u64>,
    /// An option that is not known, or a word that only the shell knows: silence.
    pub doubt: bool,
    /// Words that are revisions unless a file of that name exists; a file would be a bound.
    pub unless_files: Vec<String>,
    /// The read-only command whose output this is, and its folder, if it may be run to be measured. Without words only a
    /// fact sheet can tell.
    pub measure: Option<(Measuring, Vec<String>, String)>,
}

impl Output {
    /// Whether it reaches the model without a bound and without doubt.
    pub fn is_open(&self) -> bool {
        !(self.piped || self.writes || self.bounded || self.doubt)
    }
}

/// What a search pattern asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Declaration,
    Name,
    Regex,
    Text,
}

impl Shape {
    pub fn name(self) -> &'static str {
        match self {
            Shape::Declaration => "declaration",
            Shape::Name => "name",
            Shape::Regex => "regex",
            Shape::Text => "text",
        }
    }

    /// The shape of all alternatives of all patterns together.
    pub fn of(patterns: &[String], fixed: bool) -> Shape {
        if patterns.is_empty() {
            // They come from a file.
            return Shape::Text;
        }
        let mut all = Shape::Declaration;
        for alternative in patterns.iter().flat_map(|p| alternatives(p, fixed)) {
            match Shape::of_one(alternative, fixed) {
                Shape::Declaration => {}
                Shape::Name if all != Shape::Text => all = Shape::Name,
                Shape::Name => {}
                Shape::Text => all = Shape::Text,
                Shape::Regex => return Shape::Regex,
            }
        }
        all
    }

    fn of_one(pattern: &str, fixed: bool) -> Shape {
        let bare = pattern.trim_start_matches('^').trim_end_matches('$');
        let bare = bare.trim_start_matches("\\b").trim_end_matches("\\b");
        let bare = bare.trim_end_matches("\\(").trim_end_matches('(');
        let (head, rest) = bare.split_once(' ').unwrap_or(("", bare));
        if DECLARING.contains(&head) && is_name(rest.trim()) {
            return Shape::Declaration;
        }
        if is_name(bare) {
            return Shape::Name;
        }
        let special = |c: char| "*+?[]{}^$".contains(c);
        let classes = ["\\s", "\\w", "\\d", "\\S", "\\W", ".*", ".+"];
        if !fixed && (bare.contains(special) || classes.iter().any(|class| bare.contains(class))) {
            return Shape::Regex;
        }
        Shape::Text
    }
}

/// Words that declare something in the languages that outlines are planned for.
const DECLARING: &[&str] = &[
    "class",
    "const",
    "def",
    "enum",
    "fn",
    "fun",
    "func",
    "function",
    "impl",
    "import",
    "interface",
    "let",
    "mod",
    "module",
    "namespace",
    "object",
    "package",
    "protocol",
    "record",
    "static",
    "struct",
    "trait",
    "type",
    "val",
    "var",
];

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// The alternatives of a pattern at its top level: `A\|B` and `A|B`.
fn alternatives(pattern: &str, fixed: bool) -> Vec<&str> {
    if fixed || pattern.contains(['(', '[']) {
        return vec![pattern];
    }
    let separator = if pattern.contains("\\|") { "\\|" } else { "|" };
    pattern.split(separator).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_patterns() {
        for (pattern, shape) in [
            ("class Foo", Shape::Declaration),
            ("fn main", Shape::Declaration),
            ("order_id", Shape::Name),
            ("MAX_SIZE", Shape::Name),
            ("parseConfig(", Shape::Name),
            ("A\\|B\\|C", Shape::Name),
            ("class A|B", Shape::Name),
            ("not found", Shape::Text),
            ("a.b", Shape::Text),
            ("def test_.*", Shape::Regex),
            ("foo\\s+bar", Shape::Regex),
        ] {
            assert_eq!(Shape::of(&[pattern.to_string()], false), shape, "{pattern}");
        }
    }
}
