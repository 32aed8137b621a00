//! Macros where the grammars of C and C++ have no place for a word: `API int read(void);`, `class API Name {`,
//! `int read(void) NO_EXCEPT;`, `DEFINE_FLAG(int, size);`. What they are cannot be known, so it is told from how they are written.

use std::ops::Range;

/// How the names of macros end that stand before a declaration.
const ENDINGS: [&str; 14] = [
    "API",
    "CONSTEXPR",
    "DECL",
    "DEPRECATED",
    "EXPORT",
    "EXPORTS",
    "EXTERN",
    "HIDDEN",
    "IMPORT",
    "INLINE",
    "LOCAL",
    "NODISCARD",
    "NOINLINE",
    "PUBLIC",
];
const MIN_LETTERS: usize = 3;

/// Parts of the text that are better not shown to the grammar. None holds a newline.
pub fn macros(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut goes_on = false;
    for line in text.split_inclusive('\n') {
        let after = start + line.len();
        // A definition over several lines is left as it is.
        if !goes_on {
            let rest = &text[after..];
            let before = marks(line).or_else(|| call(line, rest)).or_else(|| in_type(line));
            found.extend(before.into_iter().chain(behind(line)).map(|at| start + at.start..start + at.end));
        }
        goes_on = line.trim_end().ends_with('\\');
        start = after;
    }
    found
}

/// `API ALLOC_SIZE(1) ` before a declaration.
fn marks(line: &str) -> Option<Range<usize>> {
    let start = line.len() - line.trim_start().len();
    let word = capitals(&line[start..])?;
    let ends = |end: &str| word.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('_'));
    if !ENDINGS.iter().any(|end| ends(end)) {
        return None;
    }
    let mut at = start + word.len();
    if !is_before_name(&line[at..]) {
        return None;
    }
    loop {
        let next = at + spaces(&line[at..]);
        let Some(word) = capitals(&line[next..]).filter(|word| word.contains('_')) else { break };
        let end = next + word.len() + parenthesized(&line[next + word.len()..]).unwrap_or(0);
        if !is_before_name(&line[end..]) {
            break;
        }
        at = end;
    }
    Some(start..at)
}

/// Of `int read(void) NO_EXCEPT;` the `NO_EXCEPT`, of `int count GUARDED_BY(lock);` the rest.
fn behind(line: &str) -> Option<Range<usize>> {
    if line.trim_start().starts_with('#') {
        return None;
    }
    for (start, _) in line.match_indices(|letter: char| letter.is_ascii_uppercase()) {
        let head = line[..start].trim_end();
        let Some(word) = capitals(&line[start..]).filter(|word| word.contains('_') && head.len() < start) else {
            continue;
        };
        let is_field = head.ends_with(is_word) && word.ends_with("_BY") && line[start + word.len()..].starts_with('(');
        if !is_field && !head.ends_with(')') && !head.ends_with(") const") {
            continue;
        }
        let end = start + word.len();
        let end = end + parenthesized(&line[end..]).unwrap_or(0);
        if line[end..].trim_start().starts_with([';', '{', ':']) || line[end..].trim().is_empty() {
            return Some(start..end);
        }
    }
    None
}

/// `DEFINE_FLAG(int, size)` as a whole line at the left, unless a body follows.
fn call(line: &str, rest: &str) -> Option<Range<usize>> {
    let word = capitals(line)?;
    let end = word.len() + parenthesized(&line[word.len()..])?;
    let is_whole = match line[end..].trim() {
        ";" => true,
        "" => !rest.trim_start().starts_with(['{', ':']),
        _ => false,
    };
    is_whole.then(|| 0..line.trim_end().len())
}

/// Of `class API Name : public Other {` the `API`.
fn in_type(line: &str) -> Option<Range<usize>> {
    let keyword = ["class ", "struct ", "union "].iter().find_map(|word| {
        let at = line.find(word)?;
        (!line[..at].ends_with(is_word)).then_some(at + word.len())
    })?;
    let start = keyword + spaces(&line[keyword..]);
    let word = capitals(&line[start..])?;
    let mut end = start + word.len();
    end += parenthesized(&line[end..]).unwrap_or(0);
    if !is_before_name(&line[end..]) {
        return None;
    }
    let name = line[end..].trim_start();
    let behind = name.trim_start_matches(is_word).trim();
    (behind.is_empty() || behind.starts_with(['{', ':']) || behind.starts_with("final")).then_some(start..end)
}

/// The word of capitals at the beginning.
fn capitals(text: &str) -> Option<&str> {
    let word = &text[..text.len() - text.trim_start_matches(is_word).len()];
    let is_macro = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
    (word.len() >= MIN_LETTERS
        && word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.chars().all(is_macro))
    .then_some(word)
}

/// The length of `(…)` at the beginning, on one line.
fn parenthesized(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(at + 1);
        }
    }
    None
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

fn is_before_name(text: &str) -> bool {
    let name = text.trim_start_matches([' ', '\t']);
    name.len() < text.len()
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '~')
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}
