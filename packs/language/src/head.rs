//! What is shown of a declaration in words: its signature on one line, and the first line of its doc comment.

use tree_sitter::Node;

use crate::walk::{Mark, Marks};

pub const MAX_HEAD_CHARS: usize = 200;
const MAX_DOC_CHARS: usize = 120;
/// Nodes that are looked at for one signature; a parameter takes about five.
const MAX_NODES: usize = 600;

/// The text from `start` to the body, on one line, without attributes and comments.
pub fn head(marks: &Marks, text: &str, node: Node, start: usize, name_end: usize) -> String {
    let body = node.child_by_field_name("body").map(|body| body.start_byte());
    let end = body.filter(|body| *body >= name_end).unwrap_or(node.end_byte());
    let mut gaps = Vec::new();
    let mut cursor = node.walk();
    let mut part = node;
    let mut may_enter = true;
    // How deep the cursor stands in parameters, whose default values are no body.
    let mut inner = 0;
    for _ in 0..MAX_NODES {
        if may_enter && cursor.goto_first_child() {
            inner += usize::from(inner > 0 || part.kind().contains("param") || part.kind().contains("argument"));
        } else {
            while !cursor.goto_next_sibling() {
                inner = usize::saturating_sub(inner, 1);
                if !cursor.goto_parent() {
                    return line(text, start, first_line(text, name_end, end), &gaps);
                }
            }
        }
        part = cursor.node();
        may_enter = true;
        if part.start_byte() >= end || part.start_byte() > start + 4 * MAX_HEAD_CHARS {
            break;
        }
        let is_body = inner == 0 && marks.has(part, Mark::Body);
        // A body before the name is that of a type which is named besides (`typedef struct { … } name;`).
        if marks.has(part, Mark::Attribute) || marks.has(part, Mark::Comment) || is_body && part.end_byte() < name_end {
            gaps.push(part.byte_range());
            may_enter = false;
        } else if is_body && part.start_byte() >= name_end {
            return line(text, start, part.start_byte(), &gaps);
        }
    }
    line(text, start, first_line(text, name_end, end), &gaps)
}

/// Where the line that the name ends in ends itself, brackets closed: what is behind that and no body in the table is one all the same.
fn first_line(text: &str, name_end: usize, end: usize) -> usize {
    let mut depth = 0;
    let rest = text.as_bytes().get(name_end..end).unwrap_or_default();
    let newline = rest.iter().position(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        *byte == b'\n' && depth <= 0
    });
    newline.map_or(end, |newline| name_end + newline)
}

fn line(text: &str, start: usize, end: usize, gaps: &[std::ops::Range<usize>]) -> String {
    let mut shown = String::new();
    let mut at = start;
    for gap in gaps.iter().filter(|gap| gap.start >= start && gap.end <= end) {
        shown.push_str(&text[at.min(gap.start)..gap.start]);
        shown.push(' ');
        at = gap.end;
    }
    // A long body that is none in the table: more is never shown.
    shown.push_str(before(&text[at.min(end)..end], 8 * MAX_HEAD_CHARS));
    let mut shown = one_line(&shown, MAX_HEAD_CHARS);
    while let Some(shorter) = ["=>", "{", "=", ":", ";", ","].iter().find_map(|tail| shown.strip_suffix(tail)) {
        shown = shorter.trim_end().to_string();
    }
    shown
}

/// The text with one space for each white space, at most so many characters.
pub fn one_line(text: &str, max_chars: usize) -> String {
    let mut shown = String::new();
    for word in text.split_whitespace() {
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.push_str(before(word, 4 * max_chars));
        if shown.len() > 4 * max_chars {
            break;
        }
    }
    if let Some((cut, _)) = shown.char_indices().nth(max_chars) {
        shown.truncate(cut);
        shown.push('…');
    }
    shown
}

/// At most so many bytes of a text, cut between characters.
pub fn before(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The first line of a comment that says something.
pub fn doc(comment: &str) -> String {
    const OPENS: [&str; 13] = ["/**", "/*!", "/*", "///", "//!", "//", "#", "--", "*/", "*", "\"\"\"", "'''", "\""];
    for line in comment.lines().take(20) {
        let mut said = line.trim().trim_start_matches(['r', 'R', 'u', 'U']);
        let opens = OPENS.iter().find_map(|open| said.strip_prefix(open));
        said = if let Some(rest) = opens { rest } else { line.trim() };
        for close in ["*/", "\"\"\"", "'''", "\""] {
            said = said.strip_suffix(close).unwrap_or(said);
        }
        let said = without_tags(said);
        if said.starts_with('@') {
            break;
        }
        if said.chars().any(char::is_alphanumeric) {
            return one_line(&said, MAX_DOC_CHARS);
        }
    }
    String::new()
}

/// Without `<summary>` and the like.
fn without_tags(text: &str) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let is_tag = rest[open + 1..].starts_with(|c: char| c == '/' || c.is_ascii_lowercase());
        let Some(close) = rest[open..].find('>').filter(|_| is_tag) else { break };
        left.push_str(&rest[..open]);
        rest = &rest[open + close + 1..];
    }
    left.push_str(rest);
    left.trim().to_string()
}
