//! The boundary: any text in gives one JSON object out, and a hook answer is from a closed set.

// For the native core only: wasm-pack builds every test there is.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use serde_json::{Value, json};
use support::World;

fn payload(tool: &str, input: Value) -> Value {
    json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/repo", "tool_name": tool, "tool_input": input})
}

fn hook(world: &mut World, payload: &str) -> Value {
    world.drive(json!({"v": 1, "do": "hook", "payload": payload}))
}

#[test]
fn a_refusal_is_printed_as_a_denial() {
    let mut world = World::new();
    let payload = payload("Bash", json!({"command": "cat big.rs"})).to_string();
    let answer = hook(&mut world, &payload);
    let printed: Value = serde_json::from_str(answer["answer"].as_str().unwrap()).unwrap();
    assert_eq!(printed["hookSpecificOutput"]["permissionDecision"], "deny");
    assert!(printed["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap().contains("600 lines"));
    assert!(hook(&mut world, &payload)["answer"].is_null(), "the second time nothing is printed");
}

#[test]
fn advice_carries_no_decision() {
    let mut world = World::new();
    world.layers = json!([{"from": "options", "value": {"mode": "advise"}}]);
    let answer = hook(&mut world, &payload("Read", json!({"file_path": "/repo/big.rs"})).to_string());
    let printed: Value = serde_json::from_str(answer["answer"].as_str().unwrap()).unwrap();
    let keys: Vec<&String> = printed["hookSpecificOutput"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["additionalContext", "hookEventName"]);
}

#[test]
fn a_broken_payload_is_silence_and_a_record() {
    let whole = payload("Bash", json!({"command": "cat big.rs"})).to_string();
    for (broken, code) in [
        ("", "payload-not-json"),
        ("{", "payload-not-json"),
        (&whole[..whole.len() - 1], "payload-not-json"),
        ("[]", "payload-no-object"),
        ("null", "payload-no-object"),
        ("{}", "payload-without-session"),
        (r#"{"session_id":7}"#, "payload-without-session"),
        (r#"{"session_id":"s"}"#, "payload-without-tool"),
        (r#"{"session_id":"s","tool_name":"Bash"}"#, "payload-without-event"),
        (r#"{"session_id":"s","tool_name":"Bash","hook_event_name":"PreToolUse"}"#, "payload-bad-input"),
        (
            r#"{"session_id":"s","tool_name":"Bash","hook_event_name":"PreToolUse","tool_input":{"command":["x"]}}"#,
            "payload-bad-input",
        ),
        (
            r#"{"session_id":"s","tool_name":"Read","hook_event_name":"PreToolUse","tool_input":{"file_path":""}}"#,
            "payload-bad-input",
        ),
    ] {
        let answer = hook(&mut World::new(), broken);
        assert_eq!(answer["effects"], json!([{"effect": "record", "code": code}]), "{broken}");
        assert!(answer["answer"].is_null());
        assert_eq!(answer["done"]["verdict"], "pass");
    }
}

#[test]
fn a_tool_or_event_of_others_is_silence_without_a_record() {
    for (event, tool) in [("PreToolUse", "Write"), ("PreToolUse", "BashOutput"), ("PostToolUse", "Bash"), ("Stop", "x")]
    {
        let mut payload = payload(tool, json!({"command": "cat big.rs", "file_path": "/repo/big.rs"}));
        payload["hook_event_name"] = json!(event);
        let answer = hook(&mut World::new(), &payload.to_string());
        assert_eq!(answer["done"], json!({"verdict": "pass", "why": "not-concerned"}), "{event} {tool}");
        assert!(answer["effects"].is_null() && answer["answer"].is_null());
    }
}

#[test]
fn half_of_a_surrogate_pair_is_read_as_a_replacement() {
    for escape in ["\\ud800", "\\udc00", "\\uD83D", "\\ud83d\\ude00", "\\\\ud800", "\\ud800\\ud800"] {
        let text = payload("Bash", json!({"command": "cat big.rs # X"})).to_string().replace('X', escape);
        let answer = hook(&mut World::new(), &text);
        assert_eq!(answer["done"]["verdict"], "redirect", "{escape}: {answer}");
    }
}

#[test]
fn endless_commands_end() {
    for unit in
        ["x ", "y", "a | ", "((", "$(", "<", "a=( ", "${", "`", "<<E ", "cat f;", "case x in ", "\"'", "{", "\\\n"]
    {
        for length in [8 << 10, 100 << 10, 1 << 20] {
            let command = format!("cat big.rs; {}", unit.repeat(length / unit.len()));
            let answer = hook(&mut World::new(), &payload("Bash", json!({"command": command})).to_string());
            let done = &answer["done"];
            // One that can be read in time is judged like any other.
            assert!(done["verdict"] == "pass" || done["why"] == "large-file", "{unit}: {done}");
        }
    }
}

#[test]
fn endless_powershell_ends() {
    for unit in ["$a(", "${", "((", "@{", "gc b;", "a | ", "\"$(", "& {", "`\n", "'", "@'\n", "<#", "if(1){"] {
        for length in [8 << 10, 100 << 10, 1 << 20] {
            let command = format!("gc big.rs; {}", unit.repeat(length / unit.len()));
            let answer = hook(&mut World::new(), &payload("PowerShell", json!({"command": command})).to_string());
            assert_eq!(answer["done"]["verdict"], "pass", "{unit}: {answer}");
        }
    }
}

#[test]
fn a_script_of_another_shape_is_no_fact() {
    for script in [json!(7), json!({}), json!({"commands": 7}), json!({"commands": [{"argv": [{"text": 7}]}]})] {
        let mut world = World::new();
        let call = json!({"tool": "PowerShell", "input": {"command": "gc big.rs"}, "session": "s"});
        let asked = world.step(&json!({"v": 1, "do": "judge", "call": call}));
        assert_eq!(asked["need"][0]["ask"], "script");
        let facts = json!([{"script": script}]);
        let answer = world.step(&json!({"v": 1, "do": "facts", "call": asked["call"], "facts": facts}));
        assert_eq!(answer["done"], json!({"verdict": "pass", "why": "not-concerned"}), "{answer}");
        assert_eq!(answer["effects"], json!([{"effect": "record", "code": "no-script", "detail": "powershell"}]));
    }
}

#[test]
fn powershell_that_names_nothing_of_concern_is_asked_of_nobody() {
    for command in ["Get-Date", "Get-Process | Sort-Object CPU", "Write-Host hi", "$concatenate = 1", ""] {
        let mut world = World::new();
        hook(&mut world, &payload("PowerShell", json!({"command": command})).to_string());
        assert_eq!(world.asked, Vec::<Value>::new(), "{command}");
    }
}

#[test]
fn no_request_is_answered_with_anything_but_one_object() {
    let mut world = World::new();
    for request in [
        "",
        "{",
        "[]",
        "null",
        "7",
        "\"x\"",
        "{}",
        r#"{"v":2}"#,
        r#"{"v":1}"#,
        r#"{"v":1,"do":"x"}"#,
        r#"{"v":1,"do":"facts"}"#,
        r#"{"v":1,"do":"facts","call":-1}"#,
        r#"{"v":1,"do":"facts","call":99999999999}"#,
        r#"{"v":1,"do":"judge"}"#,
        r#"{"v":1,"do":"judge","call":[]}"#,
        r#"{"v":1,"do":"judge","call":{"tool":""}}"#,
        r#"{"v":1,"do":"hook"}"#,
        r#"{"v":1,"do":"judge","call":{"tool":"Bash"}}"#,
        r#"{"v":1,"do":"judge","call":{"tool":"Bash","input":{"command":"cat a.rs"},"facts":7}}"#,
        r#"{"v":1,"do":"judge","call":{"tool":"Bash","input":{"command":"cat a.rs"},"facts":{"files":[],"dirs":"x","outside":{}}}}"#,
        r#"{"v":1,"do":"judge","call":{"tool":"Bash","input":{"command":"cat a.rs"},"config":[],"facts":{"files":{"*":{"lines":-5,"bytes":"x"}}}}}"#,
    ] {
        let answer: Value =
            serde_json::from_str(&world.wire.step(request)).unwrap_or_else(|e| panic!("{request}: {e}"));
        assert!(answer["error"]["code"].is_string() || answer["done"]["verdict"] == "pass", "{request}: {answer}");
    }
}

/// Names and words of commands, for made-up ones.
const WORDS: &[&str] = &[
    "cat",
    "big.rs",
    "small.rs",
    "|",
    "&&",
    ";",
    "grep",
    "-rn",
    "order",
    ".",
    "git",
    "log",
    "diff",
    "find",
    "/",
    "~",
    ">",
    "out",
    "<<EOF",
    "\n",
    "EOF",
    "'",
    "\"",
    "$(",
    ")",
    "{",
    "}",
    "sudo",
    "timeout",
    "5",
    "head",
    "-n",
    "500",
    "sed",
    "1,500p",
    "if",
    "then",
    "fi",
    "for",
    "x",
    "in",
    "do",
    "done",
    "TRIMTAB_BYPASS=1",
    "allow",
    "\\",
    "&",
    "2>&1",
    "rg",
    "src",
];

#[test]
fn no_payload_is_ever_answered_with_a_permission() {
    let mut seed = 7u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut world = World::new();
    for words in ["grep -rn order .", "rg --no-config order"] {
        world.outputs.insert(words.to_string(), (12_000, 150));
    }
    let mut refused = 0;
    for i in 0..5_000 {
        let count = 1 + random(9);
        let mut command: Vec<&str> = (0..count).map(|_| WORDS[random(WORDS.len())]).collect();
        // Half of them begin or end with something heavy.
        match random(4) {
            0 => command.insert(0, "cat big.rs ;"),
            1 => command.push("\n grep -rn order ."),
            _ => {}
        }
        let mode = ["off", "advise", "redirect", "answer", "strict"][random(5)];
        world.layers = json!([{"from": "user", "value": {"mode": mode}}]);
        let mut payload = payload("Bash", json!({"command": command.join(" ")}));
        payload["session_id"] = json!(format!("s{i}"));
        world.step(&json!({"v": 1, "do": "refresh"}));
        let answer = hook(&mut world, &payload.to_string());
        let Some(text) = answer["answer"].as_str() else {
            continue;
        };
        let printed: Value = serde_json::from_str(text).unwrap();
        let decision = &printed["hookSpecificOutput"]["permissionDecision"];
        assert!(decision.is_null() || decision == "deny", "{text}");
        assert!(mode != "off");
        assert!(mode != "advise" || decision.is_null(), "advice decided: {text}");
        refused += usize::from(decision == "deny");
    }
    assert!(refused > 20, "only {refused} refusals were tried");
}

#[test]
fn a_configuration_can_be_looked_at() {
    let layers = json!([{"from": "user", "text": "{\"mode\":\"advise\",\"lagre\":1}"}, {"from": "project", "text": "{\"rules\":{\"unbounded-log\":\"off\"}}"}]);
    let answer = World::new().step(&json!({"v": 1, "do": "config", "layers": layers}));
    assert_eq!(answer["config"]["rules"]["unbounded-log"], "off");
    assert_eq!(answer["config"]["rules"]["recursive-grep"], "advise");
    assert_eq!(answer["warnings"], json!(["user configuration: unknown key `lagre`; did you mean `large`?"]));
}
