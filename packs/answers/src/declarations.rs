//! What a language pack says of a source: its declarations in file order, as plain data.

use serde::Deserialize;

/// The answer of a language pack. Fields that are empty are left out of it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Declarations {
    pub language: String,
    pub lines: u64,
    /// The text has errors; what could be read is here all the same.
    pub broken: bool,
    /// The reading was given up somewhere; later declarations are missing.
    pub cut: bool,
    pub declarations: Vec<Declaration>,
    pub occurrences: Vec<Occurrence>,
}

/// One declaration. Lines count from 1, and `to` is the last one. The parent is the nearest earlier one of less depth.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Declaration {
    pub kind: String,
    pub name: String,
    pub depth: u64,
    /// The first line of comments, attributes and decorators that belong to it; 0 = `from`.
    pub lead: u64,
    pub from: u64,
    pub to: u64,
    /// The signature on one line, without the body.
    pub head: String,
    /// The first line of its comment.
    pub doc: String,
    /// Only where the language says it.
    pub visibility: String,
}

/// A place where a name stands.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Occurrence {
    pub name: String,
    pub line: u64,
    pub column: u64,
    /// `definition`, `reference`, `comment` or `string`.
    pub role: String,
    /// The number of the declaration around it.
    pub within: Option<u64>,
}

impl Declaration {
    /// Where it begins, comments and attributes included.
    pub fn first(&self) -> u64 {
        if self.lead == 0 { self.from } else { self.lead.min(self.from) }
    }

    /// What is shown of it: its head, or kind and name where there is none.
    pub fn title(&self) -> String {
        if self.head.is_empty() { format!("{} {}", self.kind, self.name) } else { self.head.clone() }
    }

    /// Not meant to be used from outside.
    pub fn is_private(&self) -> bool {
        matches!(self.visibility.as_str(), "private" | "fileprivate" | "file") || self.name.starts_with('#')
    }
}
