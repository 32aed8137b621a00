//! Whether a text is data that a program wrote for a program: JSON, YAML, XML, CSV. It is never condensed, because
//! nothing in it is a matter of lines. Each check is one walk through the text, and most end at the first lines.

use serde::de::IgnoredAny;

/// A table of fewer lines is none.
const MIN_ROWS: usize = 3;

pub fn is_structured(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim();
    is_json(text) || is_xml(text) || is_yaml(text) || is_table(text)
}

/// One value, or one on each line.
fn is_json(text: &str) -> bool {
    if !text.starts_with(['{', '[']) {
        return false;
    }
    let parses = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    if parses(text.lines().next().unwrap_or_default()) {
        return text.lines().filter(|line| !line.trim().is_empty()).all(parses);
    }
    parses(text)
}

/// Begins with a tag and ends with the same one closed.
fn is_xml(text: &str) -> bool {
    let Some(mut rest) = text.strip_prefix('<') else { return false };
    // Declarations and comments may stand before the first element.
    while rest.starts_with(['?', '!']) {
        let close = if rest.starts_with("!--") { "-->" } else { ">" };
        let Some((_, after)) = rest.split_once(close) else { return false };
        let Some(after) = after.trim_start().strip_prefix('<') else { return false };
        rest = after;
    }
    let name: &str = rest.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next().unwrap_or_default();
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let close = text.strip_suffix('>').map(str::trim_end);
    is_name && close.is_some_and(|text| text.ends_with('/') || text.ends_with(&format!("</{name}")))
}

/// Every line is a key, an item, a comment, or belongs to a value above it.
fn is_yaml(text: &str) -> bool {
    let mut keys = 0;
    let mut indent_of_key = None;
    for line in text.lines() {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        if bare.is_empty() || bare.starts_with('#') || matches!(line, "---" | "...") {
            continue;
        }
        let item = bare.trim_start_matches("- ");
        if is_key(item) || bare == "-" || bare.starts_with("- ") && keys > 0 {
            keys += 1;
            indent_of_key = Some(indent);
        } else if indent_of_key.is_none_or(|key| indent <= key) {
            return false;
        }
    }
    keys >= MIN_ROWS
}

/// `key:` or `key: value`.
fn is_key(text: &str) -> bool {
    let key = match text.split_once(": ") {
        Some((key, _)) => key,
        None => match text.strip_suffix(':') {
            Some(key) => key,
            None => return false,
        },
    };
    let inner = key.trim_matches('"').trim_matches('\'');
    inner.contains(char::is_alphabetic)
        && (inner.len() < key.len() || !key.contains(char::is_whitespace))
        && inner.chars().all(|c| c.is_alphanumeric() || " _-./*$~@".contains(c))
}

/// The same number of columns in every row, apart by commas, semicolons or tabs. One semicolon or tab in each line is no
/// table: statements and numbered lines have it, too.
fn is_table(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    // A comma before a space is one of prose.
    let least = if first.contains(", ") { 2 } else { 1 };
    [(',', least), (';', 2), ('\t', 2)].iter().any(|(mark, least)| {
        let columns = first.matches(*mark).count();
        columns >= *least && has_columns(text, *mark)
    })
}

fn has_columns(text: &str, mark: char) -> bool {
    let (mut rows, mut columns, mut expected, mut quoted) = (0, 0, None, false);
    for c in text.chars().chain(['\n']) {
        match c {
            '"' => quoted = !quoted,
            '\n' if !quoted => {
                if *expected.get_or_insert(columns) != columns {
                    return false;
                }
                rows += 1;
                columns = 0;
            }
            c if c == mark && !quoted => columns += 1,
            _ => {}
        }
    }
    rows >= MIN_ROWS && !quoted && expected > Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_seen() {
        for data in [
            "{\"a\": [1, 2]}",
            "{\"a\":1}\n{\"a\":2}\n",
            "[\n  1,\n  2\n]\n",
            "<?xml version=\"1.0\"?>\n<!-- x -->\n<a>\n<b/>\n</a>\n",
            "<a/>",
            "apiVersion: v1\nitems:\n- name: x\n  args:\n  - a b\n  text: |\n    some words\nkind: List\n",
            "---\na: 1\nb: two words\n\"c d\": 3\n",
            "id,name\n1,a\n2,\"b, c\"\n3,\"d\ne\"\n",
            "a\tb\tc\n1\t2\t3\n4\t5\t6\n",
        ] {
            assert!(is_structured(data), "{data}");
        }
    }

    #[test]
    fn what_only_looks_like_it_is_not() {
        for text in [
            "{\"a\": 1\nmore",
            "[INFO] building\n[INFO] done\n",
            "<unknown> at line 3\nnext",
            "src/a.rs:1: use a\nsrc/a.rs:2: use b\nsrc/b.rs:9: use c\n",
            "commit 1234\nAuthor: A <a@example.org>\nDate: today\n\n    Fix: all\n",
            "warning: unused\n  --> a.rs:1:2\n   |\n12 | let a = 1;\n",
            "one, two\nthree\nfour, five\n",
            "a.rs:1:let a = 1;\na.rs:2:let b = 2;\na.rs:3:let c = 3;\n",
            "12: let a = 1;\n13: let b = 2;\n19: let c = 3;\n",
            "part 1, done\npart 2, done\npart 3, done\n",
            "12\tsrc\n40\tdocs\n52\t.\n",
        ] {
            assert!(!is_structured(text), "{text}");
        }
    }
}
