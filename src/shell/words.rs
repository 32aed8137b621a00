//! Words: quotes off, known variables in, and a mark on what only the shell knows.

use std::collections::HashMap;
use std::rc::Rc;

use super::tree::Node;
use super::{Many, Word};

pub type Variables = HashMap<String, Word>;

/// Words that one word, of braces or of an array, may become; more stay as written.
const MAX_EXPANDED: usize = 20;

/// The words that the shell makes of a node: the elements of a known array, what its braces stand for, else one.
pub fn words(node: Node, source: &str, variables: &Variables) -> Vec<Word> {
    let text = source[node.byte_range()].trim_matches('"');
    let array = text.strip_suffix("[@]}").and_then(|rest| rest.strip_prefix("${"));
    match array.and_then(|name| elements(name, variables)) {
        Some(elements) => elements,
        None => expanded(word(node, source, variables)),
    }
}

/// What an array holds, where that is known. Its elements are variables of their own, `a[0]` and so on.
pub fn elements(name: &str, variables: &Variables) -> Option<Vec<Word>> {
    let known: Vec<Word> = (0..).map_while(|i| variables.get(&format!("{name}[{i}]"))).cloned().collect();
    Some(known).filter(|known| !known.is_empty())
}

/// Makes an array known, or unknown where it is empty, too long or holds what only the shell knows.
pub fn set_elements(name: &str, elements: Vec<Word>, variables: &mut Variables) {
    variables.retain(|key, _| !belongs(key, name));
    if elements.len() <= MAX_EXPANDED && elements.iter().all(|word| !word.dynamic) {
        variables.extend(elements.first().map(|first| (name.to_string(), first.clone())));
        variables.extend(elements.into_iter().enumerate().map(|(i, word)| (format!("{name}[{i}]"), word)));
    }
}

/// Whether a variable is this one, or an element of it.
pub fn belongs(key: &str, name: &str) -> bool {
    key.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// The words that braces make of one: `{a,b}.rs`. Ranges and nested braces stay as written.
fn expanded(word: Word) -> Vec<Word> {
    if !word.glob || word.dynamic || !word.text.contains('{') {
        return vec![word];
    }
    let mut done: Vec<String> = vec![String::new()];
    let mut rest = word.text.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((inside, after)) = behind.split_once('}').filter(|(inside, _)| inside.contains(',')) else {
            return vec![word];
        };
        let parts: Vec<&str> = inside.split(',').collect();
        if inside.contains('{') || done.len() * parts.len() > MAX_EXPANDED {
            return vec![word];
        }
        done = done.iter().flat_map(|head| parts.iter().map(move |part| format!("{head}{before}{part}"))).collect();
        rest = after;
    }
    let glob = |text: &str| text.contains(['*', '?', '[']);
    done.into_iter().map(|head| head + rest).map(|text| Word { glob: glob(&text), text, ..Word::default() }).collect()
}

/// The word that a node stands for.
pub fn word(node: Node, source: &str, variables: &Variables) -> Word {
    let text = &source[node.byte_range()];
    match node.kind() {
        "word" | "number" | "variable_name" | "regex" | "extglob_pattern" | "test_operator" => bare(text),
        "raw_string" => Word::plain(inside(text, 1)),
        "ansi_c_string" => Word::plain(ansi_c(inside(&text[1..], 1))),
        "translated_string" => match node.named_children().next() {
            Some(string) => word(string, source, variables),
            None => opaque(text),
        },
        "string" => string(node, source, variables),
        "concatenation" => {
            let mut whole = Word::default();
            for part in node.children() {
                whole.push(word(part, source, variables));
            }
            // `{a,b}` comes as single words; the braces tell.
            whole.glob |= text.contains('{') && text.contains('}') && !whole.dynamic;
            whole
        }
        "command_name" => match node.children().next() {
            Some(part) => word(part, source, variables),
            None => opaque(text),
        },
        "simple_expansion" => variable(text, &text[1..], variables),
        "expansion" => variable(text, text.trim_start_matches("${").trim_end_matches('}'), variables),
        "brace_expression" => Word { text: text.to_string(), glob: true, ..Word::default() },
        "command_substitution" => Word { many: source_of(node, source, variables), ..opaque(text) },
        _ if !node.is_named() && node.named_children().next().is_none() => bare(text),
        _ => opaque(text),
    }
}

/// The known value of a variable, else the text as written.
fn variable(text: &str, name: &str, variables: &Variables) -> Word {
    match (variables.get(name), name) {
        (Some(value), _) => value.clone(),
        // Paths are told from the folder of the command.
        (None, "PWD") => Word::plain("."),
        (None, _) => opaque(text),
    }
}

fn opaque(text: &str) -> Word {
    Word { text: text.to_string(), dynamic: true, ..Word::default() }
}

/// The single command, or the file, that a substitution takes its text from.
fn source_of(node: Node, source: &str, variables: &Variables) -> Option<Many> {
    let mut parts = node.named_children();
    let only = parts.next().filter(|_| parts.next().is_none())?;
    match only.kind() {
        "command" => {
            let words: Rc<[Word]> = only.named_children().map(|n| word(n, source, variables)).collect();
            Some(match &*words {
                [cat, file] if cat.text == "cat" && file.is_known() => Many::Lines(file.text.clone()),
                _ => Many::Output(words),
            })
        }
        "file_redirect" => {
            let file = word(only.child("destination")?, source, variables);
            file.is_known().then_some(Many::Lines(file.text))
        }
        _ => None,
    }
}

/// An unquoted word: backslashes go, wildcards stay and are marked.
fn bare(text: &str) -> Word {
    let mut word = Word::default();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some(escaped) => word.text.push(escaped),
            },
            '*' | '?' | '[' => {
                word.glob = true;
                word.text.push(c);
            }
            _ => word.text.push(c),
        }
    }
    word
}

/// A double-quoted string: its text and its expansions. Blanks between expansions are no nodes of the tree, so the text
/// is taken between the nodes.
fn string(node: Node, source: &str, variables: &Variables) -> Word {
    let range = node.byte_range();
    let mut whole = Word::default();
    let mut at = (range.start + 1).min(range.end);
    let end = if source[range.clone()].len() >= 2 && source[range.clone()].ends_with('"') {
        range.end - 1
    } else {
        range.end
    };
    for part in node.named_children() {
        if part.kind() == "string_content" {
            continue;
        }
        let part_range = part.byte_range();
        if part_range.start < at || part_range.end > end {
            continue;
        }
        whole.push(Word::plain(unescaped(&source[at..part_range.start])));
        let mut value = word(part, source, variables);
        value.glob = false; // Quotes keep wildcards from the shell.
        whole.push(value);
        at = part_range.end;
    }
    whole.push(Word::plain(unescaped(&source[at.min(end)..end])));
    whole
}

/// Double-quoted text: a backslash goes only before the characters that it protects there.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('\n')) => {
                chars.next();
            }
            ('\\', Some(&protected @ ('"' | '\\' | '$' | '`'))) => {
                chars.next();
                out.push(protected);
            }
            _ => out.push(c),
        }
    }
    out
}

/// The text of `$'…'`. Escapes of bytes and code points beyond the common ones stay as written.
fn ansi_c(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('e') => out.push('\u{1b}'),
            Some(same @ ('\\' | '\'' | '"' | '?')) => out.push(same),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

/// The text without `n` characters of quote on each side.
fn inside(text: &str, n: usize) -> &str {
    text.get(n..text.len().saturating_sub(n)).unwrap_or("")
}
