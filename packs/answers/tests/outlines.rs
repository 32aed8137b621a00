//! Outlines as data: `tests/answers/outline.txt`. A case is a title, the file with its size, its declarations a line
//! each (range, kind, name, head, comment, visibility, indented by depth), `---`, and the outline or `none`.
//! `UPDATE=1 cargo test` rewrites the outlines.

use serde_json::{Value, json};
use trimtab_answers::declarations::{Declaration, Declarations};
use trimtab_answers::outline::{Form, Options, Outline, render};

mod support;

fn declaration(line: &str) -> Declaration {
    let text = line.trim_start();
    let mut parts = text.split('|').map(str::trim);
    let mut words = parts.next().expect("a range, a kind, a name").splitn(3, ' ');
    let span = words.next().expect("a range");
    let (lead, span) = match span.strip_prefix('(').and_then(|span| span.split_once(')')) {
        Some((lead, span)) => (lead.parse().expect("a line"), span),
        None => (0, span),
    };
    let (from, to) = span.split_once('-').expect("a range");
    Declaration {
        kind: words.next().expect("a kind").to_string(),
        name: words.next().expect("a name").to_string(),
        depth: (line.len() - text.len()) as u64,
        lead,
        from: from.parse().expect("a line"),
        to: to.parse().expect("a line"),
        head: parts.next().unwrap_or_default().to_string(),
        doc: parts.next().unwrap_or_default().to_string(),
        visibility: parts.next().unwrap_or_default().to_string(),
    }
}

fn outline(case: &str) -> Option<(Declarations, Outline)> {
    let (file, rest) = case.split_once('\n').unwrap_or((case, ""));
    let words: Vec<&str> = file.split(", ").collect();
    let number = |ending: &str| {
        let word = words.iter().find(|word| word.ends_with(ending) && !word.starts_with("at most"))?;
        word.split(' ').next()?.parse::<u64>().ok()
    };
    let at_most = words.iter().find_map(|word| word.strip_prefix("at most "));
    let declared = Declarations {
        language: if words.contains(&"go") { "go" } else { "other" }.to_string(),
        lines: number(" lines").expect("lines"),
        broken: words.contains(&"broken"),
        cut: words.contains(&"cut"),
        declarations: rest.lines().map(declaration).collect(),
        occurrences: Vec::new(),
    };
    let options = Options {
        file: words[0].to_string(),
        chars: number(" characters").expect("characters"),
        form: if words.contains(&"read") { Form::Read } else { Form::Plain },
        tokens: number(" tokens"),
        max_chars: at_most.map(|text| text.split(' ').next().unwrap_or_default().parse().expect("a figure")),
        rest: None,
    };
    let outline = render(&declared, &options)?;
    assert!(outline.text.chars().count() <= options.max_chars.unwrap_or(usize::MAX), "{case}");
    assert!(outline.tokens * 4 * 3 <= options.chars + 12, "{case}");
    Some((declared, outline))
}

#[test]
fn every_outline_is_as_written() {
    support::check("outline.txt", |case| outline(case).map_or("none".to_string(), |(_, outline)| outline.text));
}

/// A declaration is a line, or lies in a range that is named.
#[test]
fn no_declaration_is_left_out_in_silence() {
    for case in support::cases("outline.txt") {
        let Some((declared, outline)) = outline(&case.input) else { continue };
        for it in declared.declarations.iter().filter(|it| it.kind != "import") {
            let title = it.title();
            let is_shown = outline.text.lines().any(|line| line.contains(&title));
            let is_named = outline.left_out.iter().any(|(from, to)| *from <= it.from && it.to <= *to);
            let is_body = declared.declarations.iter().any(|f| {
                matches!(f.kind.as_str(), "function" | "method")
                    && f.depth < it.depth
                    && f.from <= it.from
                    && it.to <= f.to
            });
            assert!(is_shown || is_named || is_body, "{}: {title}", case.title);
        }
    }
}

/// What a request for an outline comes to where the host knows this.
fn asked(call: Value, allowed: Value, declared: Value) -> Value {
    let text: String = (1..=2_000).map(|n| format!("a line of prose, number {n}\n")).collect();
    support::drive("outline", call, |ask| match ask["ask"].as_str() {
        Some("may-read") => json!({"allowed": [allowed]}),
        Some("declarations") => declared.clone(),
        Some("text") => json!({"text": text, "bytes": text.len(), "mtime": 5}),
        _ => Value::Null,
    })
}

#[test]
fn nothing_is_told_of_a_file_that_may_not_be_read() {
    for allowed in [json!(false), Value::Null] {
        let done = asked(json!({"path": "notes.txt"}), allowed.clone(), Value::Null);
        assert_eq!(done, json!({"verdict": "pass", "why": "not-allowed"}), "{allowed}");
    }
}

#[test]
fn a_file_without_a_pack_is_shown_by_its_ends() {
    let done = asked(json!({"path": "notes.txt", "form": "read"}), json!(true), Value::Null);
    let text = done["text"].as_str().expect("a text");
    assert!(text.contains("\na line of prose, number 1\n") && text.ends_with("\na line of prose, number 2000"));
    let [from, to] = [&done["left_out"][0][0], &done["left_out"][0][1]];
    assert!(text.contains(&format!("\n… lines {from}-{to}\n")), "{text}");
}

#[test]
fn a_pack_that_could_not_tell_leaves_the_read_alone() {
    let done = asked(json!({"path": "a.rs", "allowed": true}), Value::Null, Value::Null);
    assert_eq!(done["why"], "unknown-fact");
    let empty = json!({"bytes": 90_000, "mtime": 5, "declarations": {"language": "rust", "lines": 2_000}});
    assert_eq!(asked(json!({"path": "a.rs", "allowed": true}), Value::Null, empty)["why"], "poor");
}

#[test]
fn a_request_that_is_none_is_an_error_with_a_code() {
    let code = |request: &str| {
        let answer: Value = serde_json::from_str(&trimtab_answers::step(request)).expect("JSON");
        answer["error"]["code"].as_str().unwrap_or_default().to_string()
    };
    assert_eq!(code("{"), "request-not-json");
    assert_eq!(code(r#"{"v":2,"do":"outline"}"#), "unknown-version");
    assert_eq!(code(r#"{"v":1,"do":"outlook"}"#), "unknown-request");
    assert_eq!(code(r#"{"v":1,"do":"outline","call":{}}"#), "unreadable-request");
    assert_eq!(code(r#"{"v":1,"do":"facts","call":77,"facts":[]}"#), "unknown-call");
}
