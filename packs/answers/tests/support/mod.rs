//! Files of cases: `=== title`, an input, `---`, what is expected.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use trimtab_answers::condense::Lines;
use trimtab_answers::wire::Wire;

pub struct Case {
    pub title: String,
    pub input: String,
    pub expected: String,
}

fn path(file: &str) -> PathBuf {
    // Of the pack's own tests, and of those that need the core, too.
    let folders =
        ["../../tests/answers", "tests/answers"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    folders.into_iter().find(|folder| folder.is_dir()).expect("the folder of answers").join(file)
}

pub fn cases(file: &str) -> Vec<Case> {
    let text = fs::read_to_string(path(file)).expect("a file of cases");
    format!("\n{text}")
        .split("\n=== ")
        .skip(1)
        .map(|case| {
            let (title, rest) = case.split_once('\n').expect("a title");
            let (input, expected) = rest.split_once("\n---\n").expect("an input and what is expected");
            Case { title: title.to_string(), input: input.to_string(), expected: expected.trim_end().to_string() }
        })
        .collect()
}

/// Compares what is said of each input with what is written; with `UPDATE` set it is written anew.
pub fn check(file: &str, say: impl Fn(&str) -> String) {
    let cases = cases(file);
    assert!(!cases.is_empty());
    let mut written = String::new();
    let mut misses = String::new();
    for case in &cases {
        let said = say(&case.input).trim_end().to_string();
        written += &format!("=== {}\n{}\n---\n{said}\n\n", case.title, case.input);
        if said != case.expected {
            misses += &format!("=== {}\nexpected:\n{}\nsaid:\n{said}\n\n", case.title, case.expected);
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path(file), written.trim_end().to_string() + "\n").expect("written");
    } else {
        assert!(misses.is_empty(), "{misses}");
    }
}

/// Takes a request to its end.
pub fn drive(name: &str, call: Value, answer: impl Fn(&Value) -> Value) -> Value {
    let mut wire = Wire::default();
    let mut step = |request: Value| serde_json::from_str::<Value>(&wire.step(&request.to_string())).expect("JSON");
    let mut said = step(json!({"v": 1, "do": name, "call": call}));
    while let Some(asks) = said["need"].as_array() {
        let facts: Vec<Value> = asks.iter().map(&answer).collect();
        said = step(json!({"v": 1, "do": "facts", "call": said["call"], "facts": facts}));
    }
    assert!(said["done"].is_object(), "{said}");
    said["done"].take()
}

/// Every line of a condensed text is a line of the output, or one of ours; and those that are named as left out lie
/// where the text says.
pub fn account(output: &str, shown: &str, title: &str) {
    let lines = Lines::of(output);
    let mut next = 1;
    assert!(shown.chars().count() * 3 <= output.chars().count() * 2, "{title}: too long");
    assert!(shown.starts_with("[trimtab] "), "{title}");
    for line in shown.lines().skip(1) {
        if line.starts_with("· ") {
            continue;
        }
        if let Some(gap) = line.strip_prefix("… line") {
            let range = gap.trim_start_matches('s').trim_start().split(':').next().unwrap_or_default();
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            assert_eq!(from.parse(), Ok(next), "{title}: {line}");
            next = to.parse::<usize>().expect("a line") + 1;
            continue;
        }
        let whole = lines.at(next);
        let is_cut = line
            .split_once(" … ")
            .is_some_and(|(head, more)| whole.starts_with(head) && more.ends_with(" more characters"));
        assert!(line == whole || is_cut, "{title}: line {next} is not `{line}`");
        next += 1;
    }
    assert_eq!(next, lines.len() + 1, "{title}: the end");
}
