//! Properties, tried with thousands of commands that a seeded generator makes: what must hold of every command.
//!
//! Never random: a run that fails names its command, and the next run makes the same ones.

// For the native core only: wasm-pack builds every test there is.
#![cfg(not(target_arch = "wasm32"))]

use serde_json::{Value, json};
use trimtab::wire::Wire;

/// How many commands each property is tried with.
const COMMANDS: usize = 2_000;

/// Xorshift: small, and the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.roll(words.len())]
    }
}

const FILES: &[&str] = &["big.rs", "src/a.ts", "lib/b.py", "src/*.rs", "README.md", "yarn.lock", "$F", "'a b.go'"];
const FOLDERS: &[&str] = &[".", "src", "lib/x", "/", "~", "\"$D\""];
const PATTERNS: &[&str] = &["order", "'class Foo'", "'a|b'", "'def .*('", "''", "TODO", "\"$P\""];
const FILTERS: &[&str] =
    &["sort", "grep x", "nl", "tr -d x", "awk 1", "cut -c1-400", "sed s/a/b/", "wc -l", "xargs cat", "tee log"];

/// One simple command.
fn simple(dice: &mut Dice) -> String {
    let file = dice.pick(FILES);
    let folder = dice.pick(FOLDERS);
    let pattern = dice.pick(PATTERNS);
    let n = [1, 20, 300, 5_000][dice.roll(4)];
    match dice.roll(22) {
        0 => format!("cat {file}"),
        1 => format!("cat {file} {}", dice.pick(FILES)),
        2 => format!("head -n {n} {file}"),
        3 => format!("tail -{n} {file}"),
        4 => format!("sed -n '1,{n}p' {file}"),
        5 => format!("awk 'NR<={n}' {file}"),
        6 => format!("grep -rn {pattern} {folder}"),
        7 => format!("rg {pattern} {folder}"),
        8 => format!("grep {pattern} {file}"),
        9 => format!("git grep -n {pattern}"),
        10 => format!("find {folder} -type f"),
        11 => format!("find {folder} -name '*.rs' -exec cat {{}} +"),
        12 => format!("ls -R {folder}"),
        13 => "git log".to_string(),
        14 => format!("git log -n {n} -p"),
        15 => "git diff".to_string(),
        16 => format!("git show HEAD:{file}"),
        17 => "git show HEAD".to_string(),
        18 => "npm test".to_string(),
        19 => format!("xxd {file}"),
        20 => format!("git ls-files | xargs head -n {n}"),
        _ => format!("echo {pattern}"),
    }
}

/// A command with some of what shells have around commands.
fn command(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return simple(dice);
    }
    let inner = command(dice, depth - 1);
    let other = simple(dice);
    match dice.roll(20) {
        0 => format!("{inner} && {other}"),
        1 => format!("{inner}; {other}"),
        2 => format!("{inner} || {other}"),
        3 => format!("{inner} | {}", dice.pick(FILTERS)),
        4 => format!("({inner})"),
        5 => format!("{{ {inner}; }}"),
        6 => format!("if true; then {inner}; fi"),
        7 => format!("for f in {} {}; do {inner}; done", dice.pick(FILES), dice.pick(FILES)),
        8 => format!("cd src && {inner}"),
        9 => format!("x=$({inner}); {other}"),
        10 => format!("echo \"$({inner})\""),
        11 => format!("{inner} > out.txt"),
        12 => format!("{inner} 2>/dev/null"),
        13 => format!("timeout 10 {inner}"),
        14 => format!("while read f; do {inner}; done < list.txt"),
        15 => format!("f() {{ {inner}; }}; f"),
        16 => format!("diff <({inner}) <({other})"),
        17 => format!("cat <<EOF\n{inner}\nEOF"),
        _ => inner,
    }
}

/// Thousands of commands, always the same.
fn commands() -> impl Iterator<Item = String> {
    let mut dice = Dice(0x7269_6d74_6162);
    (0..COMMANDS).map(move |i| command(&mut dice, i % 4))
}

fn judged(command: &str) -> Value {
    let call = json!({
        "tool": "Bash", "input": {"command": command}, "cwd": "/repo", "root": "/repo",
        "facts": {"files": {"*": {"lines": 600, "bytes": 24_000}}, "dirs": {"*": {"files": 300}}},
    });
    let request = json!({"v": 1, "do": "judge", "intents": true, "call": call}).to_string();
    serde_json::from_str(&Wire::new().step(&request)).expect("JSON")
}

/// 0 = passes, 1 = is advised, 2 = is refused.
fn strictness(answer: &Value) -> usize {
    match answer["done"]["verdict"].as_str() {
        Some("pass") => 0,
        Some("advise") => 1,
        Some("redirect") => 2,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_generator_makes_commands_of_every_verdict() {
    let mut count = [0; 3];
    for command in commands() {
        count[strictness(&judged(&command))] += 1;
    }
    assert!(count.iter().all(|n| *n > 20), "{count:?}");
}

#[test]
fn a_bounding_filter_never_makes_a_verdict_stricter() {
    for command in commands() {
        let before = strictness(&judged(&command));
        for bound in ["head -5", "tail -n 3", "wc -l", "head -c 200"] {
            // Behind a list a filter bounds the last command alone, so all of it is put into a group.
            let bounded = format!("{{ {command}\n}} | {bound}");
            assert!(strictness(&judged(&bounded)) <= before, "{bounded}");
        }
    }
}

#[test]
fn what_goes_into_a_file_is_never_refused() {
    for command in commands() {
        let writes = format!("{{ {command}\n}} > out.txt");
        assert!(strictness(&judged(&writes)) == 0, "{writes}");
    }
}

#[test]
fn a_command_that_is_quoted_passes() {
    for command in commands() {
        let quoted = format!("echo '{}'", command.replace('\'', "'\\''"));
        assert_eq!(strictness(&judged(&quoted)), 0, "{quoted}");
        let message = format!("git commit -m '{}'", command.replace('\'', "'\\''"));
        assert_eq!(strictness(&judged(&message)), 0, "{message}");
    }
}

#[test]
fn other_names_of_the_same_kind_change_no_verdict() {
    let names = [("big.rs", "zeta.rs"), ("src/a.ts", "lib/q.ts"), ("lib/b.py", "tools/w.py"), ("lib/x", "app/y")];
    for command in commands() {
        let renamed = names.iter().fold(command.clone(), |text, (old, new)| text.replace(old, new));
        assert_eq!(strictness(&judged(&command)), strictness(&judged(&renamed)), "{command}\n{renamed}");
    }
}

#[test]
fn a_refused_command_shows_its_output_to_the_model() {
    for command in commands() {
        let answer = judged(&command);
        if strictness(&answer) < 2 {
            continue;
        }
        let shown = |intent: &Value| intent["piped"] != true && intent["writes"] != true && intent["bounded"] != true;
        assert!(answer["done"]["intents"].as_array().into_iter().flatten().any(shown), "{command}");
    }
}

#[test]
fn any_bytes_are_read() {
    let mut dice = Dice(7);
    let parts = [
        "cat ", "\0", "|", "&&", "<<", "$(", "`", "\"", "'", "\\", "\n", "é", "\u{202e}", "{", "((", "a=(", ";;",
        "esac", "\r\n", "#",
    ];
    for _ in 0..COMMANDS {
        let text: String = (0..dice.roll(40)).map(|_| dice.pick(&parts)).collect();
        strictness(&judged(&text));
    }
}
