//! Condensed results as data: every other file under `tests/answers`. A case is a title, the call, its result, `---`,
//! and what the model reads instead, or `pass:` with the reason.
//!
//! The call is `$ command`, or a tool with its input as JSON. `# …` below it sets what is known of the result (`budget
//! 3000`, `exit 1`, `interrupted`, `background`, `saved`, `stderr`). `%40 text {n}` stands for 40 lines, `␛` for an
//! escape, `␍` for a carriage return, `␀` for a zero byte. A word beginning with `fn` at the left of a file's line
//! declares a function. `UPDATE=1 cargo test` rewrites what is expected.

// For the native core only: wasm-pack builds every test there is.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;

use serde_json::{Value, json};
use trimtab::wire::Wire;

#[path = "../packs/answers/tests/support/mod.rs"]
mod support;

use support::drive;

/// What the core reads from a command.
fn intents(command: &str) -> Value {
    let call = json!({"tool": "Bash", "input": {"command": command}, "cwd": "/repo", "root": "/repo", "facts": {}});
    let request = json!({"v": 1, "do": "judge", "intents": true, "call": call});
    let mut answer: Value = serde_json::from_str(&Wire::new().step(&request.to_string())).expect("JSON");
    answer["done"]["intents"].take()
}

fn output(lines: &[&str]) -> String {
    let mut out = String::new();
    for line in lines {
        let line = line.replace('␛', "\u{1b}").replace('␍', "\r").replace('␀', "\0");
        match line.strip_prefix('%').and_then(|rest| rest.split_once(' ')) {
            Some((count, text)) if count.bytes().all(|b| b.is_ascii_digit()) => {
                for n in 1..=count.parse().expect("a count") {
                    out += &format!("{}\n", text.replace("{n}", &usize::to_string(&n)));
                }
            }
            _ => out += &format!("{line}\n"),
        }
    }
    out
}

/// What the host knows of made-up files: each has two functions.
fn fact(ask: &Value) -> Value {
    let function = |name: &str, from: usize, to: usize| json!({"kind": "function", "name": name, "from": from, "to": to, "head": format!("fn {name}()")});
    match (ask["ask"].as_str(), ask["text"].as_str()) {
        (Some("keep"), _) => json!({"path": "/scratch/kept.txt"}),
        (Some("may-read"), _) => {
            json!({"allowed": ask["paths"].as_array().expect("paths").iter().map(|p| !p.to_string().contains("secret")).collect::<Vec<_>>()})
        }
        (Some("declarations"), None) => {
            json!({"bytes": 9_000, "mtime": 1, "declarations": {"lines": 400, "declarations": [function("first", 1, 20), function("second", 21, 400)]}})
        }
        (Some("declarations"), Some(text)) => {
            let starts: Vec<usize> =
                text.lines().enumerate().filter(|(_, l)| l.starts_with("fn ")).map(|(at, _)| at + 1).collect();
            let lines = text.lines().count();
            let declarations: Vec<Value> = starts
                .iter()
                .enumerate()
                .map(|(n, from)| function(&format!("f{n}"), *from, starts.get(n + 1).map_or(lines, |next| next - 1)))
                .collect();
            json!({"declarations": {"lines": lines, "declarations": declarations}})
        }
        _ => Value::Null,
    }
}

/// The result of a case and what is said of it.
fn condensed(case: &str) -> (String, Value) {
    let lines: Vec<&str> = case.lines().collect();
    let (settings, rest) = match lines.get(1).and_then(|line| line.strip_prefix("# ")) {
        Some(settings) => (settings, &lines[2..]),
        None => ("", &lines[1..]),
    };
    let settings: Vec<&str> = settings.split(", ").collect();
    let number = |key: &str| {
        settings.iter().find_map(|s| s.strip_prefix(key)).map(|n| n.trim().parse::<u64>().expect("a figure"))
    };
    let text = output(rest);
    let mut call = json!({"root": "/repo", "budget": number("budget").unwrap_or(16_000), "exit": number("exit")});
    if let Some(command) = lines[0].strip_prefix("$ ") {
        call["tool"] = json!("Bash");
        call["input"] = json!({"command": command});
        call["intents"] = intents(command);
        call["result"] = json!({"stdout": text.trim_end_matches('\n'), "stderr": "", "interrupted": settings.contains(&"interrupted")});
        if settings.contains(&"background") {
            call["result"]["backgroundTaskId"] = json!("b1");
        }
        if settings.contains(&"stderr") {
            call["result"]["stderr"] = json!("a word on the error stream");
        }
        if settings.contains(&"saved") {
            call["result"]["stdout"] = json!(text.chars().take(30_000).collect::<String>());
            call["result"]["persistedOutputPath"] = json!("/saved/output.txt");
            call["result"]["persistedOutputSize"] = json!(text.len());
        }
    } else {
        let (tool, input) = lines[0].split_once(' ').expect("a tool and its input");
        call["tool"] = json!(tool);
        call["input"] = serde_json::from_str(input).expect("JSON");
        call["result"] = match tool {
            "Grep" => json!({"mode": "content", "content": text, "numLines": text.lines().count()}),
            "Glob" => json!({"filenames": text.lines().collect::<Vec<_>>(), "truncated": false}),
            _ => json!([{"type": "text", "text": text}]),
        };
    }
    let saved = text.clone();
    let done = drive("condense", call, move |ask| match ask["path"].as_str() {
        Some("/saved/output.txt") => json!({"text": saved, "bytes": saved.len(), "mtime": 1}),
        _ => fact(ask),
    });
    let errors = if settings.contains(&"stderr") { "a word on the error stream" } else { "" };
    (text + errors, done)
}

/// The text that the model reads, by the tool's own shape.
fn shown(done: &Value) -> Option<String> {
    let result = done.get("result")?;
    let names = |names: &Vec<Value>| names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n");
    let text =
        result["stdout"].as_str().or(result["content"].as_str()).or(result[0]["text"].as_str()).map(str::to_string);
    text.or_else(|| result["filenames"].as_array().map(names))
}

fn said(case: &str) -> String {
    let (_, done) = condensed(case);
    shown(&done).unwrap_or_else(|| format!("pass: {}", done["why"].as_str().unwrap_or_default()))
}

fn files() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/answers");
    let names = fs::read_dir(folder).expect("the folder of answers").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().expect("a name")).collect();
    names.retain(|name| !["outline.txt", "tools.txt"].contains(&name.as_str()));
    names.sort();
    names
}

#[test]
fn every_result_is_condensed_as_written() {
    let files = files();
    assert!(files.len() > 1);
    files.iter().for_each(|file| support::check(file, said));
}

#[test]
fn what_is_shown_and_what_is_named_add_up() {
    for case in files().iter().flat_map(|file| support::cases(file)) {
        let (text, done) = condensed(&case.input);
        // An outline is no choice of lines.
        if let Some(shown) = shown(&done).filter(|text| !text.contains("Outline of")) {
            support::account(&text, &shown, &case.title);
        }
    }
}

#[test]
fn a_replaced_result_names_no_saved_copy_of_its_own() {
    let (_, done) = condensed("$ ./report\n# saved\n%4000 a line of the report, number {n}");
    assert_eq!(done["rest"], "/saved/output.txt");
    let fields: Vec<&String> = done["result"].as_object().expect("a result").keys().collect();
    assert_eq!(fields, ["interrupted", "stderr", "stdout"]);
}

#[test]
fn nothing_is_shown_of_what_could_not_be_kept() {
    let output = "a line\n".repeat(4_000);
    let call = json!({"tool": "Bash", "input": {"command": "./report"}, "result": {"stdout": output}});
    assert_eq!(drive("condense", call, |_| Value::Null)["why"], "not-kept");
}
