//! Values: what an expression stands for where the text itself tells, and a mark on what only the shell knows.

use std::collections::HashMap;

use tree_sitter::Node;

use crate::parse::{bare, parts};
use crate::script::{Command, Word};

/// What a variable holds, as far as the text tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The output of commands that were captured.
    Output(Vec<Command>),
    Words(Vec<Word>),
}

pub type Variables = HashMap<String, Value>;

/// How deep a value is followed; what lies deeper only the shell knows.
const MAX_DEPTH: usize = 12;

/// Values of an array that are followed one by one.
pub const MAX_VALUES: usize = 20;

/// The name of a variable without its signs and scope, in lower case.
pub fn variable_name(text: &str) -> String {
    let name = text.trim_start_matches(['$', '@']).trim_start_matches('{').trim_end_matches('}').to_ascii_lowercase();
    for scope in ["global:", "local:", "private:", "script:", "using:"] {
        if let Some(bare) = name.strip_prefix(scope) {
            return bare.to_string();
        }
    }
    name
}

/// The words that an expression stands for: one, or those of an array. What only the shell knows stands as written.
pub fn words(node: Node, source: &str, variables: &Variables) -> Vec<Word> {
    words_at(0, node, source, variables)
}

fn words_at(depth: usize, node: Node, source: &str, variables: &Variables) -> Vec<Word> {
    let node = bare(node);
    let text = &source[node.byte_range()];
    if depth >= MAX_DEPTH {
        return vec![opaque(text)];
    }
    let words = |node: Node| words_at(depth + 1, node, source, variables);
    match node.kind() {
        "generic_token" | "redirected_file_name" | "command_name" | "path_command_name_token" => {
            vec![token(text, variables)]
        }
        "variable" => match variables.get(&variable_name(text)) {
            Some(Value::Words(known)) if !text.starts_with('@') => known.clone(),
            _ => vec![opaque(text)],
        },
        "string_literal" | "integer_literal" | "real_literal" | "path_command_name" => match node.named_child(0) {
            Some(inner) if node.named_child_count() == 1 => words(inner),
            _ => vec![Word::plain(text)],
        },
        "verbatim_string_characters" => vec![Word::plain(inside(text, 1, 1).replace("''", "'"))],
        "verbatim_here_string_characters" => vec![Word::plain(here_string(text))],
        "expandable_string_literal" => vec![expanded(depth, node, source, 1, variables)],
        "expandable_here_string_literal" => {
            let whole = expanded(depth, node, source, 2, variables);
            vec![Word { text: here_string(&format!("@\"{}\"@", whole.text)), ..whole }]
        }
        "decimal_integer_literal" | "hexadecimal_integer_literal" => vec![Word::plain(text)],
        "expression_with_unary_operator" if text.starts_with('-') => vec![Word::plain(text)],
        "array_literal_expression" => parts(node).into_iter().flat_map(&words).collect(),
        "parenthesized_expression" | "array_expression" | "sub_expression" => match single(node) {
            Some(inner) if inner.kind() == "command" => match joined_path(depth, inner, source, variables) {
                Some(word) => vec![word],
                None => vec![opaque(text)],
            },
            Some(inner) => words(inner),
            None => match newline_separated(node) {
                Some(inner) => inner.into_iter().flat_map(&words).collect(),
                None => vec![opaque(text)],
            },
        },
        "additive_expression" | "additive_argument_expression" => added(depth, node, source, variables),
        "cast_expression" => match parts(node).as_slice() {
            [kind, value] if source[kind.byte_range()].to_ascii_lowercase().contains("string") => words(*value),
            _ => vec![opaque(text)],
        },
        _ => vec![opaque(text)],
    }
}

/// One word for an expression.
pub fn word(node: Node, source: &str, variables: &Variables) -> Word {
    word_at(0, node, source, variables)
}

fn word_at(depth: usize, node: Node, source: &str, variables: &Variables) -> Word {
    let all = words_at(depth, node, source, variables);
    match <[Word; 1]>::try_from(all) {
        Ok([only]) => only,
        Err(_) => opaque(&source[node.byte_range()]),
    }
}

/// Words that the text itself tells.
pub fn known(words: &[Word]) -> bool {
    !words.is_empty() && words.len() <= MAX_VALUES && words.iter().all(|w| !w.dynamic)
}

/// An unquoted word: variables in, backticks off, wildcards marked.
pub fn token(text: &str, variables: &Variables) -> Word {
    let mut word = Word::default();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        match c {
            '`' => {
                if let Some(escaped) = rest[1..].chars().next() {
                    taken += escaped.len_utf8();
                    word.text.push(escaped);
                }
            }
            '"' | '\'' => {}
            '$' => {
                taken = variable_length(rest);
                match variables.get(&variable_name(&rest[..taken])) {
                    Some(Value::Words(known)) if known.len() == 1 => word.push(known[0].clone()),
                    _ => word.push(opaque(&rest[..taken])),
                }
            }
            _ => {
                word.glob |= matches!(c, '*' | '?' | '[');
                word.text.push(c);
            }
        }
        rest = &rest[taken..];
    }
    word
}

/// How many bytes of a text that begins with `$` are the variable.
fn variable_length(text: &str) -> usize {
    if text.starts_with("${") {
        return text.find('}').map_or(text.len(), |end| end + 1);
    }
    let name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    1 + text[1..].find(|c| !name(c)).unwrap_or(text.len() - 1)
}

fn opaque(text: &str) -> Word {
    Word { text: text.to_string(), dynamic: true, ..Word::default() }
}

/// The one statement inside brackets, where there is one and it is a pipeline of one stage.
fn single(node: Node) -> Option<Node> {
    let mut inner = node;
    loop {
        match parts(inner).as_slice() {
            [only] => inner = *only,
            _ => return None,
        }
        if inner.kind() == "command" || !matches!(inner.kind(), "statement_list" | "pipeline" | "pipeline_chain") {
            return Some(inner);
        }
    }
}

/// The values of an array that are written one a line.
fn newline_separated(node: Node) -> Option<Vec<Node>> {
    let list = parts(node).into_iter().next().filter(|n| n.kind() == "statement_list")?;
    let values: Vec<Node> = parts(list).into_iter().map(bare).collect();
    values.iter().all(|n| n.kind() == "string_literal" || n.kind().ends_with("_literal")).then_some(values)
}

/// `Join-Path a b` with known words.
fn joined_path(depth: usize, command: Node, source: &str, variables: &Variables) -> Option<Word> {
    let name = command.child_by_field_name("command_name")?;
    if !source[name.byte_range()].eq_ignore_ascii_case("join-path") {
        return None;
    }
    let elements = parts(command.child_by_field_name("command_elements")?);
    let mut all = Vec::new();
    for element in elements {
        match element.kind() {
            "command_argument_sep" => {}
            "command_parameter"
                if matches!(source[element.byte_range()].to_ascii_lowercase().as_str(), "-path" | "-childpath") => {}
            "command_parameter" | "redirection" => return None,
            _ => all.push(word_at(depth + 1, element, source, variables)),
        }
    }
    let ([first, second], false) = (all.as_slice(), all.iter().any(|w| w.dynamic)) else {
        return None;
    };
    Some(Word::plain(format!(
        "{}/{}",
        first.text.trim_end_matches(['/', '\\']),
        second.text.trim_start_matches(['/', '\\'])
    )))
}

/// `'a' + 'b'` with known words.
fn added(depth: usize, node: Node, source: &str, variables: &Variables) -> Vec<Word> {
    let text = &source[node.byte_range()];
    let [left, right] = parts(node)[..] else {
        return vec![opaque(text)];
    };
    let mut left = words_at(depth + 1, left, source, variables);
    let right = words_at(depth + 1, right, source, variables);
    let is_sum = source[left_end(node)..].trim_start().starts_with('+');
    match (left.as_mut_slice(), right.as_slice()) {
        ([left], [right]) if is_sum && !left.dynamic && !right.dynamic => {
            left.push(right.clone());
            vec![left.clone()]
        }
        _ => vec![opaque(text)],
    }
}

fn left_end(node: Node) -> usize {
    node.named_child(0).map_or(node.start_byte(), |left| left.end_byte())
}

/// A double-quoted string of quotes `n` characters long: its text and its expansions.
fn expanded(depth: usize, node: Node, source: &str, n: usize, variables: &Variables) -> Word {
    let range = node.byte_range();
    let mut whole = Word::default();
    let (mut at, end) = ((range.start + n).min(range.end), range.end.saturating_sub(n).max(range.start));
    for part in parts(node) {
        let inner = part.byte_range();
        if inner.start < at || inner.end > end {
            continue;
        }
        whole.push(Word::plain(unescaped(&source[at..inner.start])));
        let mut value = word_at(depth + 1, part, source, variables);
        value.glob = false;
        whole.push(value);
        at = inner.end;
    }
    if at <= end {
        whole.push(Word::plain(unescaped(&source[at..end])));
    }
    whole
}

/// Double-quoted text: backticks and doubled quotes off.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '`' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('\n') | None => {}
                Some(other) => out.push(other),
            },
            '"' if chars.peek() == Some(&'"') => {
                chars.next();
                out.push('"');
            }
            _ => out.push(c),
        }
    }
    out
}

/// The lines of a here-string.
fn here_string(text: &str) -> String {
    let inner = inside(text, 2, 2);
    let inner = inner.split_once('\n').map_or("", |(_, lines)| lines);
    inner.strip_suffix("\r\n").or(inner.strip_suffix('\n')).unwrap_or(inner).to_string()
}

/// The text without its first and last characters, which are ASCII.
fn inside(text: &str, first: usize, last: usize) -> &str {
    text.get(first..text.len().saturating_sub(last)).unwrap_or("")
}
