//! What is asked of a pack, and what it answers. The only file that knows JSON.

use serde::{Deserialize, Serialize};

/// The request line; the source text follows behind it.
#[derive(Debug, Default, Deserialize)]
pub struct Request {
    /// Names whose occurrences are wanted.
    #[serde(default)]
    pub names: Vec<String>,
    /// Whether the language's table is to be held to its grammar.
    #[serde(default)]
    pub check: bool,
}

#[derive(Debug, Default, Serialize)]
pub struct Answer {
    pub language: &'static str,
    pub lines: usize,
    /// The text has parts that the grammar could not read; what it could is here.
    pub broken: bool,
    /// It was too much work, or there were too many declarations: what is here is only a part.
    pub cut: bool,
    /// In the order of the text. The parent of one is the nearest before it with a smaller depth.
    pub declarations: Vec<Declaration>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub occurrences: Vec<Occurrence>,
    /// What the table names and the grammar does not have, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<&'static str>,
}

/// Lines count from 1.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Declaration {
    pub kind: &'static str,
    pub name: String,
    pub depth: usize,
    /// The first line of what belongs to it: its comment, its attributes.
    pub lead: usize,
    /// The line of its name.
    pub from: usize,
    pub to: usize,
    /// The signature on one line, without body.
    pub head: String,
    /// The first line of its doc comment.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// Where the language says it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub visibility: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct Occurrence {
    pub name: String,
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    pub role: Role,
    /// The place in the list of the declaration around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Comment,
    Definition,
    Reference,
    String,
}

/// Bytes at the beginning of a text in which a NUL shows that it is none.
const BINARY_BYTES: usize = 8 * 1024;

/// Answers a request. A request line that is not understood is `null`; content that is no text has nothing to declare.
pub fn respond(request: &str, read: impl FnOnce(&str, &Request) -> Answer) -> String {
    let (line, text) = request.split_once('\n').unwrap_or((request, ""));
    let Ok(asked) = serde_json::from_str(line) else {
        return "null".to_string();
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_binary = text.as_bytes().iter().take(BINARY_BYTES).any(|byte| *byte == 0);
    let mut answer = read(if is_binary { "" } else { text }, &asked);
    answer.lines = text.lines().count();
    serde_json::to_string(&answer).expect("an answer has only texts, numbers and lists")
}
