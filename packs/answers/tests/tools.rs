//! The code tools as data: `tests/answers/tools.txt`. A case is a title, conditions a line each, the calls a line each
//! (tool and arguments), `---`, and what the model reads. The world is pretended: a few files in a language of braces, a
//! git that searches them, and rules on what may be read. `UPDATE=1 cargo test` rewrites the answers.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use trimtab_answers::wire::Wire;

mod support;

const FILES: &[(&str, &str)] = &[
    (
        "src/parse.rs",
        "use std::fs;\n\n/// Parses a text.\npub fn parse(text: &str) -> Value {\n    let tree = read(text);\n    tree.value()\n}\n\npub class Parser {\n    // calls parse\n    fn next(&self) {\n        parse(\"parse it\")\n    }\n    fn peek(&self) {\n        self.next()\n    }\n}\n",
    ),
    ("src/main.rs", "fn main() {\n    let value = parse(\"x\");\n    Parser.next();\n    parse(\"y\")\n}\n"),
    (
        "src/deep/reader.rs",
        "pub class Reader {\n    fn next(&self) {\n        one()\n    }\n}\nfn parse_all() {\n    parse(\"z\")\n}\n",
    ),
    ("secret/key.rs", "fn parse_key() {\n    parse(\"a secret\")\n}\nfn hidden() {\n}\n"),
    ("ask/later.rs", "fn later() {\n    parse(\"unknown\")\n}\n"),
    ("notes.md", "# Notes\nCall parse first.\n"),
    ("windows.rs", "\u{feff}fn windows() {\r\n    one()\r\n}\r\n"),
    ("gone.rs", ""),
    ("binary.bin", "a\0b"),
    (".gitignore", "target/\n*.log\n"),
    ("target/out.rs", "fn parse() {\n}\n"),
    ("build.log", "parse\n"),
    ("src/.gitignore", "made.rs\n"),
    ("src/made.rs", "fn parse() {\n}\n"),
];

/// Symbolic links, and where they lead.
const LINKS: &[(&str, &str)] = &[("src/link.rs", "/elsewhere/private.rs"), ("inside.rs", "/repo/src/main.rs")];

struct World {
    files: BTreeMap<String, String>,
    cwd: String,
    git: bool,
    repository: bool,
    perl: bool,
    slow: bool,
    changing: bool,
    ms: u64,
    reads: u64,
}

impl World {
    fn new() -> World {
        let mut files: BTreeMap<String, String> =
            FILES.iter().map(|(path, text)| (format!("/repo/{path}"), text.to_string())).collect();
        files.insert("/repo-other/src/side.rs".into(), "fn side() {\n    parse(\"w\")\n}\n".into());
        files.insert("/elsewhere/private.rs".into(), "fn private() {\n}\n".into());
        let cwd = "/repo".to_string();
        World { files, cwd, git: true, repository: true, perl: true, slow: false, changing: false, ms: 0, reads: 0 }
    }

    fn condition(&mut self, line: &str) -> bool {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("without", "git") => self.git = false,
            ("without", "a repository") => self.repository = false,
            ("without", "perl") => self.perl = false,
            ("slow", _) => self.slow = true,
            ("changing", _) => self.changing = true,
            ("at", folder) => self.cwd = folder.to_string(),
            ("many", count) => {
                for at in 0..count.parse::<usize>().expect("a number") {
                    let path = format!("/repo/many/{}/file{at:03}.rs", ["a", "b", "c"][at % 3]);
                    self.files.insert(path, format!("fn number{at}() {{\n    parse({at})\n}}\n"));
                }
            }
            ("file", rest) => {
                let (path, text) = rest.split_once(' ').expect("a path and a text");
                self.files.insert(format!("/repo/{path}"), text.to_string());
            }
            ("long", lines) => {
                let body = "    one()\n".repeat(lines.parse().expect("a number"));
                self.files.insert("/repo/long.rs".into(), format!("fn long() {{\n{body}}}\n"));
            }
            _ => return false,
        }
        true
    }

    fn real(&self, path: &str) -> String {
        let path = if path.starts_with('/') { path.to_string() } else { format!("{}/{path}", self.cwd) };
        let link = LINKS.iter().find(|(link, _)| path == format!("/repo/{link}"));
        link.map_or(path, |(_, target)| target.to_string())
    }

    fn text(&self, path: &str) -> Option<&String> {
        self.files.get(&self.real(path)).filter(|_| !path.ends_with("gone.rs"))
    }

    fn answer(&mut self, ask: &Value) -> Value {
        let path = ask["path"].as_str().unwrap_or_default();
        match ask["ask"].as_str().unwrap_or_default() {
            "place" => json!({"cwd": self.cwd, "root": "/repo"}),
            "elapsed" => {
                self.ms += if self.slow { 1_500 } else { 1 };
                json!({"ms": self.ms})
            }
            "stat" => {
                let real = self.real(path);
                let is_dir =
                    self.files.keys().any(|file| file.starts_with(&format!("{}/", real.trim_end_matches('/'))));
                let kind = if self.files.contains_key(&real) {
                    "file"
                } else if is_dir {
                    "dir"
                } else {
                    "none"
                };
                json!({"kind": kind, "bytes": 1, "real": real})
            }
            "may-read" => {
                let allowed = |path: &Value| match path.as_str().unwrap_or_default() {
                    path if path.contains("/secret/") => json!(false),
                    path if path.contains("/ask/") || path.starts_with("/elsewhere") => Value::Null,
                    _ => json!(true),
                };
                json!({"allowed": ask["paths"].as_array().expect("paths").iter().map(allowed).collect::<Vec<_>>()})
            }
            "declarations" => {
                self.reads += 1;
                let Some(text) = self.text(path).filter(|text| !text.contains('\0')) else { return Value::Null };
                json!({"bytes": text.len(), "mtime": 1, "declarations": declarations(text, &ask["names"])})
            }
            "text" => {
                let Some(text) = self.text(path) else { return Value::Null };
                let mtime = if self.changing { 2 } else { 1 };
                json!({"text": text, "bytes": text.len(), "mtime": mtime})
            }
            "list" => {
                let folder = format!("{}/", path.trim_end_matches('/'));
                let mut entries = BTreeMap::new();
                for file in self.files.keys().filter_map(|file| file.strip_prefix(&folder)) {
                    let (name, kind) = file.split_once('/').map_or((file, "file"), |(name, _)| (name, "dir"));
                    entries.insert(name.to_string(), json!({"name": name, "kind": kind}));
                }
                for name in LINKS
                    .iter()
                    .filter_map(|(link, _)| format!("/repo/{link}").strip_prefix(&folder).map(str::to_string))
                {
                    if !name.contains('/') {
                        entries.insert(name.clone(), json!({"name": name, "kind": "file", "link": true}));
                    }
                }
                json!({"entries": entries.into_values().collect::<Vec<_>>()})
            }
            "run" if self.git => self.run(ask),
            _ => Value::Null,
        }
    }

    /// Git, as far as the tools use it; whatever else it is told is an error.
    fn run(&self, ask: &Value) -> Value {
        let argv: Vec<&str> = ask["argv"].as_array().expect("argv").iter().filter_map(Value::as_str).collect();
        let base = ask["cwd"].as_str().expect("cwd");
        let done = |stdout: String, exit: u64| json!({"stdout": stdout, "exit": exit, "complete": true});
        assert_eq!(argv[0], "git");
        if argv.contains(&"worktree") {
            return done("worktree /repo\0HEAD 1\0\0worktree /repo-other\0HEAD 2\0\0".into(), 0);
        }
        let end = argv.iter().position(|word| *word == "--").expect("paths stand behind `--`");
        let within = argv.get(end + 1).copied().unwrap_or_default();
        let is_ignored = |path: &str| path.starts_with("target/") || path.ends_with(".log") || path == "src/made.rs";
        let files = self.files.iter().filter_map(|(path, text)| Some((path.strip_prefix(&format!("{base}/"))?, text)));
        let files: Vec<(&str, &String)> = files
            .filter(|(path, text)| !is_ignored(path) && (argv.contains(&"ls-files") || !text.contains('\0')))
            .filter(|(path, _)| within.is_empty() || path == &within || path.starts_with(&format!("{within}/")))
            .collect();
        if argv.contains(&"ls-files") || argv.contains(&"-l") {
            if self.repository == argv.contains(&"-l") {
                return done(String::new(), 128);
            }
            let mut names: Vec<String> = files.iter().map(|(path, _)| path.to_string()).collect();
            if base == "/repo" && within.is_empty() && argv.contains(&"ls-files") {
                names.extend(LINKS.iter().map(|(link, _)| link.to_string()));
            }
            return done(names.iter().map(|name| format!("{name}\0")).collect(), 0);
        }
        let is_there = argv.contains(&"--no-index") != self.repository && (self.perl || !argv.contains(&"-P"));
        if !is_there {
            return done(String::new(), 128);
        }
        let pattern = argv[argv.iter().position(|word| *word == "-e").expect("`-e`") + 1];
        let source = if argv.contains(&"-F") { regex_lite::escape(pattern) } else { pattern.to_string() };
        let source = if argv.contains(&"-w") { format!(r"(^|\W){source}(\W|$)") } else { source };
        let Ok(regex) = regex_lite::RegexBuilder::new(&source).case_insensitive(argv.contains(&"-i")).build() else {
            return done(String::new(), 128);
        };
        let mut out = String::new();
        for (path, text) in files {
            for (number, line) in (1..).zip(text.split_terminator('\n')).filter(|(_, line)| regex.is_match(line)) {
                out += &format!("{path}\0{number}\0{line}\n");
            }
        }
        let exit = u64::from(out.is_empty());
        done(out, exit)
    }
}

/// A language pack for a language of braces.
fn declarations(text: &str, names: &Value) -> Value {
    let (mut found, mut occurrences, mut open) = (Vec::<Value>::new(), Vec::new(), Vec::<usize>::new());
    let mut lead = None;
    for (number, line) in (1u64..).zip(text.lines()) {
        let trimmed = line.trim_start_matches('\u{feff}').trim();
        let bare = trimmed.trim_start_matches("pub ");
        let kind = [("fn ", "function"), ("class ", "class"), ("use ", "import")]
            .iter()
            .find(|(word, _)| bare.starts_with(word));
        if let Some((word, kind)) = kind {
            let name: String = bare[word.len()..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let kind = if *kind == "function" && !open.is_empty() { "method" } else { kind };
            found.push(json!({"kind": kind, "name": name, "depth": open.len(), "lead": lead.unwrap_or(number), "from": number, "to": number,
                              "head": trimmed.trim_end_matches(" {")}));
            if line.trim_end().ends_with('{') {
                open.push(found.len() - 1);
            }
        } else if trimmed == "}" {
            let at = open.pop().expect("an open brace");
            found[at]["to"] = json!(number);
        }
        lead = trimmed.starts_with("///").then_some(number);
        for name in names.as_array().into_iter().flatten().filter_map(Value::as_str) {
            let word = regex_lite::Regex::new(&format!(r"\b{name}\b")).expect("a name");
            for hit in word.find_iter(line) {
                let before = &line[..hit.start()];
                let role = match () {
                    _ if before.contains("//") => "comment",
                    _ if before.matches('"').count() % 2 == 1 => "string",
                    _ if before.ends_with("fn ") || before.ends_with("class ") => "definition",
                    _ => "reference",
                };
                let within = if role == "definition" { Some(found.len() - 1) } else { open.last().copied() };
                occurrences.push(
                    json!({"name": name, "line": number, "column": hit.start() + 1, "role": role, "within": within}),
                );
            }
        }
    }
    json!({"language": "braces", "lines": text.lines().count(), "declarations": found, "occurrences": occurrences})
}

/// Plays a case's calls one after the other and tells the last one's answer.
fn say(case: &str) -> String {
    let (mut world, mut wire) = (World::new(), Wire::default());
    let mut said = String::new();
    let mut budget = Value::Null;
    for line in case.lines() {
        if let Some(tokens) = line.strip_prefix("budget ") {
            budget = json!(tokens.parse::<u64>().expect("a number"));
            continue;
        }
        if world.condition(line) {
            continue;
        }
        let (caller, line) = line.strip_prefix("agent: ").map_or((Value::Null, line), |line| (json!("a1"), line));
        let (tool, args) = line.split_once(' ').unwrap_or((line, "{}"));
        let args: Value = serde_json::from_str(args).expect("arguments");
        let call = json!({"tool": tool, "args": args, "session": "s1", "agent": caller, "budget": budget});
        said = play(&mut wire, &mut world, call);
    }
    said
}

fn play(wire: &mut Wire, world: &mut World, call: Value) -> String {
    let mut answer = step(wire, json!({"v": 1, "do": "tool", "call": call}));
    while let Some(asks) = answer["need"].as_array() {
        let facts: Vec<Value> = asks.iter().map(|ask| world.answer(ask)).collect();
        answer = step(wire, json!({"v": 1, "do": "facts", "call": answer["call"], "facts": facts}));
    }
    let done = &answer["done"];
    match done["error"].as_str() {
        Some(wrong) => format!("error: {wrong}"),
        None => done["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_string(),
    }
}

fn step(wire: &mut Wire, request: Value) -> Value {
    serde_json::from_str(&wire.step(&request.to_string())).expect("JSON")
}

#[test]
fn every_answer_is_as_written() {
    support::check("tools.txt", say);
}

#[test]
fn nothing_is_shown_of_a_file_that_must_not_be_read() {
    for case in support::cases("tools.txt") {
        let said = say(&case.input);
        for word in ["key.rs", "parse_key", "a secret", "hidden", "later.rs", "unknown", "private"] {
            assert!(!said.contains(word) || case.input.contains(word), "{}: {said}", case.title);
        }
    }
}

/// Not even by a count: an answer is the same whatever stands in such a file.
#[test]
fn what_is_in_a_file_that_must_not_be_read_changes_no_answer() {
    let calls = [
        r#"find {"name":"parse*"}"#,
        r#"find {"name":"hidden"}"#,
        r#"find {"name":"hidden","kind":"class"}"#,
        r#"usages {"name":"parse"}"#,
        r#"usages {"name":"hidden"}"#,
        r#"grep {"pattern":"parse("}"#,
        r#"grep {"pattern":"a secret"}"#,
        r#"symbol {"name":"hidden"}"#,
        r#"outline {"path":"."}"#,
    ];
    for call in calls {
        for (path, text) in [("secret/key.rs", "one\n"), ("ask/later.rs", "one\n"), ("secret/key.rs", "a\0b")] {
            assert_eq!(
                say(&format!("file {path} {text}\n{call}").replace("one\n", "one")),
                say(call),
                "{call}: {path}"
            );
        }
    }
}

#[test]
fn a_budget_holds_whatever_there_is_to_show() {
    for tokens in [200, 500, 2_000] {
        for call in [
            r#"usages {"name":"parse"}"#,
            r#"grep {"pattern":"parse"}"#,
            r#"find {"name":"num*"}"#,
            r#"outline {"path":"many"}"#,
        ] {
            let said = say(&format!("many 300\nbudget {tokens}\n{call}"));
            assert!(said.len() <= tokens * 4 + 200, "{call}: {} of {tokens} tokens", said.len());
            assert!(said.contains("`path` narrows"), "{call}: {said}");
        }
    }
}

#[test]
fn what_was_shown_is_forgotten_with_the_conversation() {
    let (mut wire, mut world) = (Wire::default(), World::new());
    world.condition("long 100");
    let call = json!({"tool": "symbol", "args": {"name": "long"}, "session": "s1"});
    let first = play(&mut wire, &mut world, call.clone());
    assert!(play(&mut wire, &mut world, call.clone()).starts_with("Unchanged"));
    step(&mut wire, json!({"v": 1, "do": "forget", "session": "s1"}));
    assert_eq!(play(&mut wire, &mut world, call), first);
}

#[test]
fn facts_that_never_come_end_every_tool() {
    for tool in ["outline", "symbol", "find", "usages", "grep"] {
        for args in [
            json!({"path": "src", "name": "a", "pattern": "a"}),
            json!({"path": "src/main.rs"}),
            json!({"name": "parse"}),
            json!({"pattern": "parse"}),
        ] {
            let mut wire = Wire::default();
            let mut answer = step(&mut wire, json!({"v": 1, "do": "tool", "call": {"tool": tool, "args": args}}));
            for _ in 0..500 {
                if answer["need"].is_null() {
                    break;
                }
                answer = step(&mut wire, json!({"v": 1, "do": "facts", "call": answer["call"], "facts": []}));
            }
            assert!(answer["done"].is_object(), "{tool} {args}: {answer}");
        }
    }
}
