//! One line of a transcript, as far as anybody here asks for it.
//!
//! Invariant: never fails. A line says what it says, nothing ([`Line::Silent`]), or cannot be read ([`Line::Broken`]).

use std::borrow::Cow;

use serde::de::SeqAccess;

use crate::lenient::{Any, Figure, Flag, Lenient, List, Text, object};

/// An image costs so many characters, whatever its bytes: 1,500 tokens, a described system's estimate.
pub const IMAGE_CHARS: u64 = 6_000;

/// What is kept of a result's text, in bytes: enough for the line that says what went wrong.
const HEAD_BYTES: usize = 300;

pub enum Line<'a> {
    Record(Box<Record<'a>>),
    /// Empty, or JSON that is no object.
    Silent,
    Broken,
}

object! {
    /// A line that is an object.
    Record {
        "type" => kind: Text<'a>,
        "subtype" => subtype: Text<'a>,
        "uuid" => uuid: Text<'a>,
        "parentUuid" => parent: Parent<'a>,
        "sessionId" => session: Text<'a>,
        "requestId" => request: Text<'a>,
        "isSidechain" => is_sidechain: Flag,
        "isMeta" => is_meta: Flag,
        "isApiErrorMessage" => is_api_error: Flag,
        "isCompactSummary" => is_summary: Flag,
        "compactMetadata" => compaction: Compaction<'a>,
        "message" => message: Message<'a>,
    }
}

object! {
    Compaction {
        "postTokens" => post_tokens: Figure,
    }
}

object! {
    Message {
        "id" => id: Text<'a>,
        "model" => model: Text<'a>,
        "usage" => usage: Usage<'a>,
        "content" => content: Content<'a>,
    }
}

object! {
    Usage {
        "input_tokens" => input: Figure,
        "cache_creation_input_tokens" => written: Figure,
        "cache_read_input_tokens" => read: Figure,
        "output_tokens" => output: Figure,
    }
}

object! {
    /// A block of a message, whichever it is.
    Block {
        "type" => kind: Text<'a>,
        "text" => text: Text<'a>,
        "id" => id: Text<'a>,
        "name" => name: Text<'a>,
        "input" => input: Input<'a>,
        "tool_use_id" => call: Text<'a>,
        "is_error" => is_error: Flag,
        "content" => content: Shown,
    }
}

object! {
    /// What of a call's arguments tells the state of the work.
    Input {
        "file_path" => file: Text<'a>,
        "notebook_path" => notebook: Text<'a>,
        "command" => command: Text<'a>,
        "todos" => todos: List<Todo<'a>>,
        "subject" => subject: Text<'a>,
        "taskId" => task: Text<'a>,
        "status" => status: Text<'a>,
    }
}

object! {
    Todo {
        "content" => content: Text<'a>,
        "status" => status: Text<'a>,
    }
}

/// The line that this one hangs on: told, told to be none, or not told.
#[derive(Default, Debug)]
pub struct Parent<'a> {
    pub id: Text<'a>,
    pub is_root: bool,
}

impl<'de> Lenient<'de> for Parent<'de> {
    fn borrowed(self, text: &'de str) -> Self {
        Parent { id: Text(Some(Cow::Borrowed(text))), ..self }
    }
    fn text(self, text: &str) -> Self {
        Parent { id: Text(Some(Cow::Owned(text.to_string()))), ..self }
    }
    fn null(self) -> Self {
        Parent { is_root: true, ..self }
    }
}

/// A content: one text, or blocks.
#[derive(Default, Debug)]
pub struct Content<'a> {
    pub text: Text<'a>,
    pub blocks: Vec<Block<'a>>,
}

impl<'de> Lenient<'de> for Content<'de> {
    fn borrowed(self, text: &'de str) -> Self {
        Content { text: Text(Some(Cow::Borrowed(text))), ..self }
    }
    fn text(self, text: &str) -> Self {
        Content { text: Text(Some(Cow::Owned(text.to_string()))), ..self }
    }
    fn list<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Self, A::Error> {
        while let Some(Any(block)) = list.next_element()? {
            self.blocks.push(block);
        }
        Ok(self)
    }
}

/// The size of what a result showed, and how it begins.
#[derive(Default, Debug)]
pub struct Shown {
    /// In UTF-16 units, as JavaScript counts.
    pub chars: u64,
    pub head: String,
}

impl<'de> Lenient<'de> for Shown {
    fn text(mut self, text: &str) -> Self {
        self.chars += units(text);
        let room = HEAD_BYTES.saturating_sub(self.head.len());
        self.head.push_str(&text[..floor(text, room)]);
        self
    }
    fn list<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Self, A::Error> {
        while let Some(Any(part)) = list.next_element::<Any<Part>>()? {
            if part.kind.get() == Some("image") {
                self.chars += IMAGE_CHARS;
            }
            self = self.text(part.text.get().unwrap_or_default());
        }
        Ok(self)
    }
}

object! {
    Part {
        "type" => kind: Text<'a>,
        "text" => text: Text<'a>,
    }
}

impl Record<'_> {
    /// What the request held that this answer was given to.
    pub fn context(&self) -> u64 {
        let Usage { input, written, read, .. } = &self.message.usage;
        input.0.saturating_add(written.0).saturating_add(read.0)
    }

    /// True for an answer of the model, as opposed to a line of the client's own: an error, an interruption.
    pub fn is_answer(&self) -> bool {
        self.kind.get() == Some("assistant") && !self.is_api_error.0 && self.message.model.get() != Some("<synthetic>")
    }

    pub fn is_boundary(&self) -> bool {
        self.kind.get() == Some("system") && self.subtype.get() == Some("compact_boundary")
    }

    pub fn has_results(&self) -> bool {
        self.message.content.blocks.iter().any(|block| block.kind.get() == Some("tool_result"))
    }
}

/// Reads a line without its end. `room` serves texts that have to be mended first.
pub fn read<'a>(line: &'a str, room: &'a mut String) -> Line<'a> {
    // Nearly every line can be read as it is, so what might be wrong with it is looked for only then.
    if let Some(line) = parsed(line) {
        return line;
    }
    mend(line, room).then(|| parsed(room)).flatten().unwrap_or(Line::Broken)
}

fn parsed(line: &str) -> Option<Line<'_>> {
    let text = line.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Some(Line::Silent);
    }
    let Any(record) = serde_json::from_str::<Any<Box<Record>>>(text).ok()?;
    Some(if text.starts_with('{') { Line::Record(record) } else { Line::Silent })
}

impl<'de, T: Lenient<'de>> Lenient<'de> for Box<T> {
    fn object<A: serde::de::MapAccess<'de>>(self, object: A) -> Result<Self, A::Error> {
        T::default().object(object).map(Box::new)
    }
}

/// Writes the line anew, without the NULs that a crash of the machine leaves, and with U+FFFD for half a pair of surrogates, which
/// JavaScript writes as an escape and strict parsers refuse. False where there is none of either.
fn mend(line: &str, room: &mut String) -> bool {
    if !line.contains('\0') && !line.contains("\\ud") && !line.contains("\\uD") {
        return false;
    }
    room.clear();
    room.reserve(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['\\', '\0']) {
        room.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(behind) = rest.strip_prefix('\0') {
            rest = behind;
            continue;
        }
        let taken = match surrogate(rest) {
            // A pair is left as it is.
            Some(high) if high < 0xdc00 && surrogate(&rest[6..]).is_some_and(|low| low >= 0xdc00) => 12,
            Some(_) => {
                room.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            None => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        room.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    room.push_str(rest);
    true
}

/// The half of a pair that an escape at the start of the text stands for.
fn surrogate(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let unit = u32::from_str_radix(digits, 16).ok()?;
    (0xd800..0xe000).contains(&unit).then_some(unit)
}

fn units(text: &str) -> u64 {
    // Every character is one unit, and one beyond the first plane, which takes four bytes, is two.
    text.bytes().map(|byte| u64::from(byte & 0xc0 != 0x80) + u64::from(byte >= 0xf0)).sum()
}

/// The end of a character at `most` bytes or before.
pub fn floor(text: &str, most: usize) -> usize {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// How many bytes from the end, at most, begin a character.
pub fn floor_back(text: &str, most: usize) -> usize {
    let mut from = text.len().saturating_sub(most);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text.len() - from
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Option<u64> {
        match read(line, &mut String::new()) {
            Line::Record(record) => Some(record.message.content.blocks.iter().map(|block| block.content.chars).sum()),
            _ => None,
        }
    }

    #[test]
    fn a_result_is_as_long_as_javascript_says() {
        for (content, chars) in [
            (r#""abc""#, 3),
            (r#""äö€""#, 3),
            (r#""😀""#, 2),
            (r#""\ud83d\ude00""#, 2),
            (r#""\ud83d""#, 1),
            (r#""\ude00\ud83d x""#, 4),
            (r#""\\ud83d""#, 6),
            (
                r#"[{"type":"text","text":"ab"},{"type":"image","source":{}},{"type":"tool_reference"},7]"#,
                2 + IMAGE_CHARS,
            ),
            ("7", 0),
            ("null", 0),
        ] {
            let line = format!(r#"{{"message":{{"content":[{{"type":"tool_result","content":{content}}}]}}}}"#);
            assert_eq!(shown(&line), Some(chars), "{content}");
        }
    }

    #[test]
    fn fields_of_another_type_are_as_if_they_were_not_there() {
        for value in ["7", "\"x\"", "null", "true", "[]", "{}", "[[1]]", r#"{"a":{"b":[]}}"#] {
            for key in ["type", "message", "uuid", "isSidechain", "compactMetadata", "parentUuid"] {
                let line = format!(r#"{{"{key}":{value},"{key}":{value}}}"#);
                assert!(matches!(read(&line, &mut String::new()), Line::Record(_)), "{line}");
            }
        }
    }

    #[test]
    fn what_is_no_object_is_silent_and_what_is_no_json_is_broken() {
        for line in ["", "  \r", "\0\0\0", "7", "null", "[{}]", "\"{}\"", "\u{feff}"] {
            assert!(matches!(read(line, &mut String::new()), Line::Silent), "{line:?}");
        }
        for line in ["{", r#"{"a":1"#, "{} {}", "nul", r#"{"a":"\x"}"#] {
            assert!(matches!(read(line, &mut String::new()), Line::Broken), "{line:?}");
        }
        for line in ["\u{feff}{}", "\0{\"a\":\0\"b\0\"}\0", " {} \r"] {
            assert!(matches!(read(line, &mut String::new()), Line::Record(_)), "{line:?}");
        }
    }
}
