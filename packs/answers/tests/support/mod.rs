//! Files of cases: `=== title`, an input, `---`, what is expected.

use std::fs;
use std::path::PathBuf;

pub struct Case {
    pub title: String,
    pub input: String,
    pub expected: String,
}

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/answers").join(file)
}

pub fn cases(file: &str) -> Vec<Case> {
    let text = fs::read_to_string(path(file)).expect("a file of cases");
    text.split("=== ")
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
