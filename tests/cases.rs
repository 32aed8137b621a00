//! Verdicts as data: every file under `tests/cases` is a list of calls and what is said of them.
//!
//! A case is a title, optional `%` lines (a JSON object laid over the call), the command or the tool's input, `---`,
//! and the expected answer: the verdict, the rule if one spoke, the reason code, and the text where it matters.
//! The facts that a case does not give are those of `WORLD`. `UPDATE=1 cargo test` rewrites the answers.

// For the native core only: wasm-pack builds every test there is.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::Wire;

/// A project with large and small files.
fn world() -> Value {
    json!({
        "files": {
            "small.rs": {"lines": 12, "bytes": 300},
            "long-lines.ts": {"lines": 40, "bytes": 29_000},
            "huge.ts": {"lines": 9_000, "bytes": 300_000},
            "*": {"lines": 600, "bytes": 24_000},
        },
        "dirs": {"docs": {"files": 3}, "*": {"files": 300}},
        "outside": ["/etc/other.rs"],
    })
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of cases") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
    found.sort();
}

/// The call of a case: the tool by its folder, the input as a command or as JSON.
fn call(tool: &str, input: &str) -> Value {
    let mut over = json!({});
    let mut body = Vec::new();
    for line in input.lines() {
        match line.strip_prefix('%') {
            Some(object) => over = serde_json::from_str(object).unwrap_or_else(|e| panic!("{object}: {e}")),
            None => body.push(line),
        }
    }
    let body = body.join("\n");
    let input = match tool {
        "bash" | "powershell" => json!({"command": body}),
        _ => serde_json::from_str(&body).unwrap_or_else(|e| panic!("{body}: {e}")),
    };
    let tool = match tool {
        "bash" => "Bash",
        "grep" => "Grep",
        "powershell" => "PowerShell",
        _ => "Read",
    };
    let mut call =
        json!({"tool": tool, "input": input, "cwd": "/repo", "root": "/repo", "session": "s", "facts": world()});
    for (key, value) in over.as_object().expect("an object behind %") {
        call[key] = value.clone();
    }
    call
}

/// The answer of one case, in a core of its own.
fn answer(tool: &str, input: &str) -> String {
    let request = json!({"v": 1, "do": "judge", "call": call(tool, input)});
    let mut wire = Wire::new();
    let mut step = |request: &Value| -> Value { serde_json::from_str(&wire.step(&request.to_string())).expect("JSON") };
    let mut answer = step(&request);
    // With facts only a text of another language is asked for.
    while let Some(asks) = answer["need"].as_array() {
        let facts: Vec<Value> = asks.iter().map(support::script).collect();
        answer = step(&json!({"v": 1, "do": "facts", "call": answer["call"], "facts": facts}));
    }
    let done = &answer["done"];
    let text = |key: &str| done[key].as_str().unwrap_or("?").to_string();
    if text("verdict") == "pass" {
        return format!("pass {}", text("why"));
    }
    let input = done["input"].as_object().map_or(String::new(), |input| format!("\n{}", json!(input)));
    let said = done["text"].as_str().map_or(String::new(), |text| format!("\n{text}"));
    format!("{} {} {}{input}{said}", text("verdict"), text("rule"), text("why"))
}

#[test]
fn every_case_is_answered_as_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut found = Vec::new();
    files(&root, &mut found);
    let update = std::env::var_os("UPDATE").is_some();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in found {
        let tool = file.parent().and_then(Path::file_name).and_then(|n| n.to_str()).expect("a folder").to_string();
        let text = fs::read_to_string(&file).expect("a case file");
        let mut rewritten = String::new();
        for case in text.split("=== ").skip(1) {
            let (title, rest) = case.split_once('\n').expect("a title");
            let (input, expected) = rest.split_once("\n---\n").unwrap_or_else(|| panic!("no --- in `{title}`"));
            // The first line decides; a text is compared where the case gives one.
            let said = answer(&tool, input);
            let expected = expected.trim_end();
            let said = if expected.contains('\n') || update {
                said
            } else {
                said.lines().next().unwrap_or_default().to_string()
            };
            count += 1;
            if said != expected {
                wrong.push(format!("{}: {title}\n{input}\n  expected: {expected}\n  said:     {said}", file.display()));
            }
            let said = if expected.contains('\n') { said } else { said.lines().next().unwrap_or_default().to_string() };
            rewritten += &format!("=== {title}\n{input}\n---\n{said}\n\n");
        }
        if update {
            fs::write(&file, rewritten.trim_end().to_string() + "\n").expect("a writable case file");
        }
    }
    assert!(update || wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(count > 100, "only {count} cases were found");
    support::assert_recorded(count);
}

/// The commands of the PowerShell cases that are one line and nothing else, with their answers.
fn powershell_lines() -> Vec<(String, String)> {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/powershell"), &mut found);
    let texts: Vec<String> = found.iter().map(|file| fs::read_to_string(file).expect("a case file")).collect();
    let cases = texts.iter().flat_map(|text| text.split("=== ").skip(1)).filter_map(|case| {
        let (input, _) = case.split_once('\n')?.1.split_once("\n---\n")?;
        (!input.contains('\n')).then(|| (input.to_string(), answer("powershell", input)))
    });
    cases.collect()
}

#[test]
fn a_refused_command_in_a_text_of_powershell_is_no_concern() {
    let refused: Vec<String> =
        powershell_lines().into_iter().filter(|(_, said)| !said.starts_with("pass")).map(|(line, _)| line).collect();
    assert!(refused.len() > 20, "{refused:?}");
    for line in refused {
        let quoted = line.replace('\'', "''");
        for text in [
            format!("Write-Output '{quoted}'"),
            format!("$x = '{quoted}'"),
            format!("# {line}"),
            format!("@'\n{line}\n'@ | Set-Content notes.md"),
            format!("git commit -m '{quoted}'"),
        ] {
            assert!(answer("powershell", &text).starts_with("pass"), "{text}");
        }
    }
}

#[test]
fn a_bound_behind_powershell_never_makes_a_verdict_stricter() {
    for (line, said) in powershell_lines() {
        let bounded = answer("powershell", &format!("{line} | Select-Object -First 5"));
        assert!(bounded.starts_with("pass") || !said.starts_with("pass"), "{line}: {bounded}");
    }
}
