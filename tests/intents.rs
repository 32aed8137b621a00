//! What commands do, as data: every file under `tests/intents` is a list of commands and the intents read from them.
//!
//! A case is a title, the command, `---`, and a line for each intent. `UPDATE=1 cargo test` rewrites the lines.

// For the native core only: wasm-pack builds every test there is.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use trimtab::wire::Wire;

/// An intent in one line.
fn line(intent: &Value) -> String {
    let text = |key: &str| intent[key].as_str().unwrap_or_default().to_string();
    let list = |key: &str| {
        let words: Vec<&str> = intent[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        words.join(" ")
    };
    let mut line = match intent["kind"].as_str().unwrap_or_default() {
        "install" => format!("install by {}: {}", text("manager"), list("packages")),
        "list" => format!("list {} in {}", list("names"), list("roots")),
        "read" if intent["whole"] == true => format!("read {} whole", text("path")),
        "read" => format!(
            "read {} {}-{}",
            text("path"),
            intent["from"],
            intent["to"].as_u64().map_or("end".to_string(), |n| n.to_string())
        ),
        "search" => format!("search {} `{}` in {} {}", text("shape"), list("patterns"), list("scope"), list("globs")),
        "test" => format!("test by {}", text("runner")),
        "unread" => format!("unread {}", text("text")),
        kind => kind.to_string(),
    };
    for flag in ["recursive", "bounded", "piped", "writes", "feeds_edit"] {
        if intent[flag] == true {
            line = format!("{} [{flag}]", line.trim_end());
        }
    }
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn intents(command: &str) -> String {
    let call = json!({"tool": "Bash", "input": {"command": command}, "cwd": "/repo", "root": "/repo", "facts": {}});
    let request = json!({"v": 1, "do": "judge", "intents": true, "call": call});
    let answer: Value = serde_json::from_str(&Wire::new().step(&request.to_string())).expect("JSON");
    let lines: Vec<String> = answer["done"]["intents"].as_array().into_iter().flatten().map(line).collect();
    if lines.is_empty() { "nothing".to_string() } else { lines.join("\n") }
}

#[test]
fn every_command_is_read_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/intents");
    let mut misses = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder of intents") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a file of intents");
        let mut written = String::new();
        for case in text.split("=== ").skip(1) {
            let (title, rest) = case.split_once('\n').expect("a title");
            let (command, expected) = rest.split_once("\n---\n").expect("a command and its intents");
            let said = intents(command);
            count += 1;
            if said != expected.trim() {
                misses.push(format!("{title}\n{command}\n  expected:\n{}\n  said:\n{said}\n", expected.trim()));
            }
            written += &format!("=== {title}\n{command}\n---\n{said}\n\n");
        }
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, written.trim_end().to_string() + "\n").expect("written");
        }
    }
    assert!(count > 0);
    assert!(misses.is_empty(), "{} of {count} commands:\n{}", misses.len(), misses.join("\n"));
}
