//! Stories of calls that ran: what is put in the place of a large result, what comes whole, and what an agent may not
//! overwrite because it never saw it.

// For the native core only: wasm-pack builds every test there is.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use serde_json::{Value, json};
use support::World;

/// A host that brings results, over one large file and its outline.
fn world() -> World {
    let mut world = World::new();
    world.outlines.insert("/repo/big.rs".into(), "Outline of big.rs".into());
    world.condensed = Some("condensed".into());
    world.times.insert("/repo/big.rs".into(), 5);
    world
}

/// `verdict why` of a call that is about to run.
fn before(world: &mut World, tool: &str, input: Value) -> String {
    world.judge(json!({"tool": tool, "input": input, "session": "s", "agent": "", "answers": true}))
}

/// `verdict why text` of a call that ran.
fn after(world: &mut World, tool: &str, input: Value, result: Value) -> String {
    let call =
        json!({"event": "PostToolUse", "tool": tool, "input": input, "session": "s", "agent": "", "result": result});
    let answer = world.drive(json!({"v": 1, "do": "judge", "call": call}));
    let text = |key: &str| answer["done"][key].as_str().unwrap_or_default().to_string();
    format!("{} {} {}", text("verdict"), text("why"), text("text")).trim_end().to_string()
}

fn big() -> Value {
    json!({"file_path": "/repo/big.rs"})
}

fn large() -> Value {
    json!({"chars": 27_000, "lines": 600})
}

#[test]
fn a_large_read_runs_and_becomes_an_outline_and_comes_whole_the_second_time() {
    let mut world = world();
    assert_eq!(before(&mut world, "Read", big()), "pass not-concerned");
    assert_eq!(after(&mut world, "Read", big(), large()), "answer large-file Outline of big.rs");
    assert_eq!(before(&mut world, "Read", big()), "pass not-concerned");
    assert_eq!(after(&mut world, "Read", big(), large()), "pass insisted");
    let unchanged = json!({"type": "file_unchanged", "file": {"filePath": "/repo/big.rs"}});
    assert_eq!(after(&mut world, "Read", big(), unchanged), "answer insisted the whole file");
}

#[test]
fn a_file_that_was_outlined_comes_whole_in_other_words_too() {
    let mut world = world();
    world.files.insert("/repo/src/big.rs".into(), (24_000, 600));
    world.outlines.insert("/repo/src/big.rs".into(), "Outline of src/big.rs".into());
    let cat = |command: &str| json!({"command": command});
    assert_eq!(after(&mut world, "Bash", cat("cat src/big.rs"), large()), "answer large-output condensed");
    assert_eq!(after(&mut world, "Bash", cat("bat -p ./src/big.rs"), large()), "pass insisted");
    assert_eq!(after(&mut world, "Read", json!({"file_path": "/repo/src/big.rs"}), large()), "pass insisted");
    assert_eq!(
        after(&mut world, "Read", big(), large()),
        "answer large-file Outline of big.rs",
        "another file of that name"
    );
}

#[test]
fn reads_that_are_left_as_they_are() {
    let mut world = world();
    for (input, result) in [
        (json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 500}), large()),
        (json!({"file_path": "/repo/big.rs", "allow_large": true}), large()),
        (json!({"file_path": "/repo/small.rs"}), json!({"chars": 300, "lines": 12})),
        (json!({"file_path": "/repo/notes.md"}), large()),
        (json!({"file_path": "/elsewhere/big.rs"}), large()),
        (json!({"file_path": "/repo/src/deep.rs"}), large()), // It has no outline.
    ] {
        let answer = after(&mut world, "Read", input.clone(), result);
        assert!(answer.starts_with("pass "), "{input}: {answer}");
    }
}

#[test]
fn an_outline_that_spares_too_little_is_not_given() {
    let mut world = world();
    world.outlines.insert("/repo/big.rs".into(), "x".repeat(9_001));
    assert_eq!(after(&mut world, "Read", big(), large()), "pass cheap");
}

#[test]
fn what_the_client_refused_for_its_size_keeps_its_words_and_gets_an_outline() {
    let mut world = world();
    world.files.insert("/repo/big.rs".into(), (300_000, 9_000));
    let refused = json!({"chars": 370, "lines": 0, "failed": true, "kept": "File content (293KB) exceeds"});
    let answer = after(&mut world, "Read", big(), refused.clone());
    assert_eq!(answer, "answer large-file File content (293KB) exceeds\n\nOutline of big.rs");
    world.files.insert("/repo/big.rs".into(), (3_000, 900));
    let mut other = self::world();
    other.files = world.files;
    assert_eq!(after(&mut other, "Read", big(), refused), "pass not-concerned", "it failed for another reason");
}

#[test]
fn a_large_output_is_condensed_once() {
    let mut world = world();
    let grep = || json!({"command": "grep -rn order src"});
    assert_eq!(before(&mut world, "Bash", grep()), "pass not-concerned");
    assert_eq!(after(&mut world, "Bash", grep(), json!({"chars": 15_000, "lines": 300})), "pass not-concerned");
    assert_eq!(
        after(&mut world, "Bash", grep(), json!({"chars": 29_000, "lines": 300})),
        "answer large-output condensed"
    );
    assert_eq!(after(&mut world, "Bash", grep(), json!({"chars": 29_000, "lines": 300})), "pass insisted");
    assert_eq!(world.asked.iter().filter(|ask| ask["ask"] == "measure").count(), 0, "nothing is run to be measured");
}

#[test]
fn what_the_client_saved_because_it_was_large_is_condensed() {
    let preview = |head: &str| json!({"chars": 2_300, "lines": 40, "head": head});
    let grep = json!({"command": "grep -rn order ."});
    let saved = preview("<persisted-output>\nOutput too large (52.7KB). Full output saved to: /h/tool-results/b.txt");
    assert_eq!(after(&mut world(), "Bash", grep.clone(), saved), "answer large-output condensed");
    assert_eq!(after(&mut world(), "Bash", grep, preview("src/a.rs:1: an order")), "pass not-concerned");
}

#[test]
fn a_large_source_that_a_shell_prints_whole_is_condensed_below_the_budget() {
    for (command, expected) in [
        ("cat big.rs", "answer large-output condensed"),
        ("cat notes.txt", "pass not-concerned"),
        ("sed -n '1,700p' big.rs", "pass not-concerned"),
        ("cat big.rs small.rs", "pass not-concerned"),
    ] {
        let shown = json!({"chars": 12_000, "lines": 600});
        assert_eq!(after(&mut world(), "Bash", json!({"command": command}), shown), expected, "{command}");
    }
    let small = json!({"chars": 9_000, "lines": 200});
    assert_eq!(after(&mut world(), "Bash", json!({"command": "cat big.rs"}), small), "pass not-concerned");
}

#[test]
fn outputs_that_are_left_as_they_are() {
    let mut world = world();
    let large = json!({"chars": 29_000, "lines": 300});
    let failed = json!({"chars": 10_040, "lines": 300, "failed": true});
    assert_eq!(after(&mut world, "Bash", json!({"command": "make"}), failed), "pass not-concerned");
    world.condensed = None;
    assert_eq!(after(&mut world, "Bash", json!({"command": "make"}), large.clone()), "pass doubt");
    for mode in ["advise", "off", "redirect"] {
        let mut world = self::world();
        world.layers = json!([{"from": "user", "value": {"mode": mode}}]);
        assert_eq!(after(&mut world, "Bash", json!({"command": "make"}), large.clone()), "pass off", "{mode}");
        assert_eq!(after(&mut world, "Read", big(), self::large()), "pass off", "{mode}");
    }
}

#[test]
fn other_modes_refuse_before_the_call_and_a_walk_over_the_disk_is_refused_in_each() {
    let mut world = world();
    world.layers = json!([{"from": "user", "value": {"mode": "redirect"}}]);
    assert_eq!(before(&mut world, "Read", big()), "redirect large-file");
    let mut world = self::world();
    world.outputs.insert("find / -name *.rs".into(), (12_000, 300));
    let walk = before(&mut world, "Bash", json!({"command": "find / -name '*.rs'"}));
    assert!(walk.starts_with("redirect"), "{walk}");
}

#[test]
fn a_memory_that_cannot_be_told_replaces_nothing() {
    let mut world = world();
    world.states = None;
    assert_eq!(after(&mut world, "Read", big(), large()), "pass unknown-fact");
}

#[test]
fn a_file_that_was_only_outlined_is_not_overwritten_until_it_was_read() {
    let mut world = world();
    let write = || json!({"file_path": "/repo/big.rs", "content": "x"});
    assert_eq!(before(&mut world, "Write", write()), "pass not-concerned", "a file that was never read");
    let mut world = self::world();
    before(&mut world, "Read", big());
    after(&mut world, "Read", big(), large());
    assert_eq!(before(&mut world, "Write", write()), "redirect unseen");
    assert_eq!(before(&mut world, "Write", write()), "redirect unseen", "a guard does not give way");
    before(&mut world, "Read", big());
    assert_eq!(after(&mut world, "Read", big(), large()), "pass insisted");
    assert_eq!(before(&mut world, "Write", write()), "pass not-concerned");
}

#[test]
fn the_read_that_a_guard_names_opens_the_file_at_once() {
    let mut world = world();
    let range = |from: u64, lines: u64| json!({"file_path": "/repo/big.rs", "offset": from, "limit": lines});
    before(&mut world, "Read", range(1, 120));
    assert_eq!(before(&mut world, "Write", json!({"file_path": "/repo/big.rs", "content": "x"})), "redirect unseen");
    before(&mut world, "Read", big());
    assert_eq!(after(&mut world, "Read", big(), large()), "pass insisted");
    assert_eq!(before(&mut world, "Write", json!({"file_path": "/repo/big.rs", "content": "x"})), "pass not-concerned");
}

#[test]
fn ranges_that_make_up_the_whole_file_are_the_whole_file() {
    let mut world = world();
    for from in [1, 201, 401] {
        before(&mut world, "Read", json!({"file_path": "/repo/big.rs", "offset": from, "limit": 200}));
    }
    assert_eq!(before(&mut world, "Write", json!({"file_path": "/repo/big.rs", "content": "x"})), "pass not-concerned");
}

#[test]
fn what_is_no_business_of_a_guard() {
    let write = json!({"file_path": "/repo/big.rs", "content": "x"});
    // The agent wrote it itself.
    let mut world = world();
    before(&mut world, "Write", write.clone());
    before(&mut world, "Read", big());
    after(&mut world, "Read", big(), large());
    assert_eq!(before(&mut world, "Write", write.clone()), "pass not-concerned");
    // Somebody else changed it since.
    let mut world = self::world();
    before(&mut world, "Read", big());
    after(&mut world, "Read", big(), large());
    world.times.insert("/repo/big.rs".into(), 6);
    assert_eq!(before(&mut world, "Write", write.clone()), "pass not-concerned");
    // It was printed by a shell, however it was named there.
    let mut world = self::world();
    before(&mut world, "Read", json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 10}));
    before(&mut world, "Bash", json!({"command": "cd src/.. && cat ./big.rs"}));
    assert_eq!(before(&mut world, "Write", write.clone()), "pass not-concerned");
    // It is gone, or another agent saw the outline.
    let mut world = self::world();
    before(&mut world, "Read", json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 10}));
    let other = json!({"tool": "Write", "input": write, "session": "s", "agent": "a1", "answers": true});
    assert_eq!(world.judge(other), "pass not-concerned");
    world.files.remove("/repo/big.rs");
    assert_eq!(before(&mut world, "Write", write.clone()), "pass not-concerned");
    // It is switched off.
    let mut world = self::world();
    world.layers = json!([{"from": "user", "value": {"mode": "off"}}]);
    before(&mut world, "Read", json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 10}));
    assert_eq!(before(&mut world, "Write", write), "pass not-concerned");
}

#[test]
fn an_edit_of_lines_that_were_not_shown_gets_a_note_and_in_strict_a_refusal() {
    let edit = |old: &str| json!({"file_path": "/repo/big.rs", "old_string": old, "new_string": "y"});
    for (mode, verdict) in [("answer", "advise unseen"), ("strict", "redirect unseen")] {
        let mut world = world();
        world.layers = json!([{"from": "user", "value": {"mode": mode}}]);
        world.found.insert("shown".into(), (5, 6));
        world.found.insert("hidden".into(), (300, 301));
        before(&mut world, "Read", json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 10}));
        assert_eq!(before(&mut world, "Edit", edit("shown")), "pass not-concerned");
        assert_eq!(before(&mut world, "Edit", edit("twice, or nowhere")), "pass not-concerned");
        assert_eq!(before(&mut world, "Edit", edit("hidden")), verdict);
    }
}

#[test]
fn lines_that_an_edit_moved_were_still_shown() {
    let mut world = world();
    world.layers = json!([{"from": "user", "value": {"mode": "strict"}}]);
    let edit = |old: &str, new: &str| json!({"file_path": "/repo/big.rs", "old_string": old, "new_string": new});
    before(&mut world, "Read", json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 50}));
    world.found.insert("ten".into(), (10, 10));
    assert_eq!(before(&mut world, "Edit", edit("ten", &"more\n".repeat(30))), "pass not-concerned");
    world.found.insert("was forty".into(), (70, 70));
    assert_eq!(before(&mut world, "Edit", edit("was forty", "x")), "pass not-concerned");
    world.found.insert("was sixty".into(), (90, 90));
    assert_eq!(before(&mut world, "Edit", edit("was sixty", "x")), "redirect unseen");
}

#[test]
fn a_guard_that_speaks_in_a_new_process_loses_nothing_that_was_saved() {
    let mut world = world();
    assert_eq!(
        after(&mut world, "Bash", json!({"command": "make"}), json!({"chars": 29_000})),
        "answer large-output condensed"
    );
    world.wire = support::Wire::new();
    before(&mut world, "Read", json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 10}));
    let write = json!({"file_path": "/repo/big.rs", "content": "x"});
    assert_eq!(before(&mut world, "Write", write), "redirect unseen");
    world.wire = support::Wire::new();
    assert_eq!(after(&mut world, "Bash", json!({"command": "make"}), json!({"chars": 29_000})), "pass insisted");
}

#[test]
fn a_file_that_was_read_whole_after_its_outline_is_open_in_a_new_process_too() {
    let mut world = world();
    before(&mut world, "Read", big());
    after(&mut world, "Read", big(), large());
    before(&mut world, "Read", big());
    assert_eq!(after(&mut world, "Read", big(), large()), "pass insisted");
    world.wire = support::Wire::new();
    before(&mut world, "Read", json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 10}));
    assert_eq!(before(&mut world, "Write", json!({"file_path": "/repo/big.rs", "content": "x"})), "pass not-concerned");
}

#[test]
fn a_range_of_a_file_that_was_written_in_an_earlier_process_takes_nothing_away() {
    let mut world = world();
    let write = || json!({"file_path": "/repo/big.rs", "content": "x"});
    before(&mut world, "Write", write());
    after(&mut world, "Bash", json!({"command": "make"}), json!({"chars": 29_000})); // Saves the memory.
    world.wire = support::Wire::new();
    before(&mut world, "Read", json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 10}));
    assert_eq!(before(&mut world, "Write", write()), "pass not-concerned");
}

#[test]
fn a_file_too_large_for_a_read_is_opened_by_the_read_that_the_client_takes() {
    let mut world = world();
    world.files.insert("/repo/big.rs".into(), (300_000, 9_000));
    before(&mut world, "Read", json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 10}));
    let call = json!({"tool": "Write", "input": {"file_path": "/repo/big.rs", "content": "x"}, "session": "s", "agent": "", "answers": true});
    let answer = world.drive(json!({"v": 1, "do": "judge", "call": call}));
    assert_eq!(answer["done"]["tool"], "Read(file_path=\"/repo/big.rs\", allow_large=true)");
}

#[test]
fn a_bypass_before_a_command_leaves_its_result_alone_and_is_recorded_once() {
    let mut world = world();
    let cat = || json!({"command": "TRIMTAB_BYPASS=1 cat big.rs"});
    let call = json!({"event": "PostToolUse", "tool": "Bash", "input": cat(), "session": "s", "result": large()});
    let answer = world.drive(json!({"v": 1, "do": "judge", "call": call}));
    assert_eq!((&answer["done"]["why"], answer.get("effects")), (&json!("bypassed"), None));
}

#[test]
fn a_source_that_a_shell_prints_is_judged_as_a_read_of_it() {
    let cat = |world: &mut World, path: &str| after(world, "Bash", json!({"command": format!("cat {path}")}), large());
    let with = |config: Value| {
        let mut world = world();
        world.layers = json!([{"from": "user", "value": config}]);
        world
    };
    assert_eq!(cat(&mut with(json!({"ignore": ["big.rs"]})), "big.rs"), "pass ignored");
    // As any other output then, whose budget is 16,000 characters.
    assert_eq!(
        cat(&mut with(json!({"rules": {"whole-file-read": "off"}, "answer": {"chars": 90_000}})), "big.rs"),
        "pass not-concerned"
    );
    let mut world = with(json!({"answer": {"chars": 90_000}}));
    world.files.insert("/elsewhere/big.rs".into(), (24_000, 600));
    assert_eq!(cat(&mut world, "/elsewhere/big.rs"), "pass outside");
}

#[test]
fn a_read_that_a_person_denied_gets_no_outline() {
    let mut world = world();
    world.files.insert("/repo/big.rs".into(), (300_000, 9_000));
    let denied = json!({"chars": 9_000, "failed": true, "kept": "Permission to use Read has been denied."});
    assert_eq!(after(&mut world, "Read", big(), denied), "pass not-concerned");
}

#[test]
fn a_mistake_in_the_configuration_that_is_read_for_a_result_is_recorded() {
    let mut world = world();
    world.layers = json!([{"from": "user", "value": {"mdoe": "off"}}]);
    let call = json!({"event": "PostToolUse", "tool": "Read", "input": big(), "session": "s", "result": large()});
    let answer = world.drive(json!({"v": 1, "do": "judge", "call": call}));
    let effects = answer["effects"].as_array().cloned().unwrap_or_default();
    assert!(effects.iter().any(|effect| effect["code"] == "config"), "{answer}");
}

#[test]
fn results_without_a_session_are_no_memory_of_each_other() {
    let mut world = world();
    let call =
        json!({"event": "PostToolUse", "tool": "Bash", "input": {"command": "make"}, "result": {"chars": 29_000}});
    for _ in 0..2 {
        assert_eq!(world.judge(call.clone()), "answer large-output");
    }
}

#[test]
fn the_module_brings_whatever_the_core_could_replace() {
    let module = include_str!("../mod/register.ts");
    assert!(module.contains("[^]{8000}"), "MIN_ANSWER_CHARS of src/config and the pattern of the module");
    let at = |chars: u64| json!({"chars": chars, "lines": 600});
    let cat = || json!({"command": "cat big.rs"});
    assert_eq!(after(&mut world(), "Bash", cat(), at(7_999)), "pass not-concerned");
    assert_eq!(after(&mut world(), "Bash", cat(), at(8_000)), "answer large-output condensed");
}

#[test]
fn a_change_of_a_file_that_was_never_read_asks_nothing() {
    let mut world = world();
    before(&mut world, "Edit", json!({"file_path": "/repo/big.rs", "old_string": "a", "new_string": "b"}));
    before(&mut world, "Write", json!({"file_path": "/repo/new.rs", "content": "x"}));
    assert_eq!(world.asked, Vec::<Value>::new());
}

/// What the memory of a session counted, by rule.
fn tally(world: &mut World) -> Value {
    let state = world.states.as_ref().unwrap().values().next().cloned();
    world.step(&json!({"v": 1, "do": "tally", "state": state}))["rules"].clone()
}

#[test]
fn what_was_said_and_what_it_spared_is_counted_and_taken_back_when_it_comes_whole_after_all() {
    let mut world = world();
    assert_eq!(tally(&mut world), json!([]));
    after(&mut world, "Read", big(), large());
    after(&mut world, "Bash", json!({"command": "grep -rn order src"}), json!({"chars": 40_000, "lines": 900}));
    // 27,000 and 40,000 characters; in their place "Outline of big.rs" and "condensed"; four to a token.
    let search = json!({"rule": "large-result", "answered": 1, "spared": 10_000, "given": 3});
    let read = json!({"rule": "whole-file-read", "answered": 1, "spared": 6_750, "given": 5});
    assert_eq!(tally(&mut world), json!([read, search]));
    let read = json!({"rule": "whole-file-read", "answered": 1, "spared": 0, "given": 5, "again": 1});
    for _ in 0..2 {
        assert_eq!(after(&mut world, "Read", big(), large()), "pass insisted");
        assert_eq!(tally(&mut world), json!([read, search]), "taken back once");
    }
    let unchanged = json!({"type": "file_unchanged", "file": {"filePath": "/repo/big.rs"}});
    after(&mut world, "Read", big(), unchanged);
    assert_eq!(tally(&mut world), json!([read, search]));
}

#[test]
fn refusals_are_counted_for_all_agents_together_and_a_memory_that_is_none_counts_nothing() {
    let mut world = World::new();
    world.layers = json!([{"from": "user", "value": {"mode": "redirect"}}]);
    assert_eq!(world.read("a1", json!({"file_path": "/repo/big.rs"})), "redirect large-file");
    let first = tally(&mut world)[0].clone();
    let (spared, given) = (first["spared"].as_u64().unwrap(), first["given"].as_u64().unwrap());
    assert!(spared > 1_500 && given > 10, "{first}");
    assert_eq!(world.read("", json!({"file_path": "/repo/big.rs"})), "redirect large-file", "another agent");
    assert_eq!(world.read("a1", json!({"file_path": "/repo/big.rs"})), "pass insisted");
    let row = json!({"rule": "whole-file-read", "refused": 2, "again": 1, "spared": spared, "given": 2 * given});
    assert_eq!(tally(&mut world), json!([row]));
    for state in [json!(null), json!("{"), json!(r#"{"form":99,"agents":{}}"#)] {
        assert_eq!(world.step(&json!({"v": 1, "do": "tally", "state": state})), json!({"v": 1, "rules": []}));
    }
}

/// A host in a mode that asks before each call, over a long file.
fn strict() -> World {
    let mut world = world();
    world.layers = json!([{"from": "user", "value": {"mode": "strict"}}]);
    world.files.insert("/repo/big.rs".into(), (120_000, 3_000));
    world
}

fn range(from: u64, lines: u64) -> Value {
    json!({"file_path": "/repo/big.rs", "offset": from, "limit": lines})
}

fn edit(old: &str) -> Value {
    json!({"file_path": "/repo/big.rs", "old_string": old, "new_string": "new"})
}

#[test]
fn however_many_ranges_were_shown_the_read_that_a_guard_names_opens_the_edit() {
    let mut world = strict();
    for at in 0..40 {
        before(&mut world, "Read", range(1 + at * 50, 5));
    }
    world.found.insert("behind".into(), (2_501, 2_501));
    assert_eq!(before(&mut world, "Edit", edit("behind")), "redirect unseen");
    before(&mut world, "Read", range(2_501, 1));
    assert_eq!(before(&mut world, "Edit", edit("behind")), "pass not-concerned");
}

#[test]
fn the_read_that_a_guard_names_is_not_refused_itself() {
    for mode in ["redirect", "strict"] {
        let mut world = strict();
        world.layers = json!([{"from": "user", "value": {"mode": mode}}]);
        before(&mut world, "Read", range(1, 10));
        let write = json!({"file_path": "/repo/big.rs", "content": "new"});
        assert_eq!(before(&mut world, "Write", write.clone()), "redirect unseen", "{mode}");
        assert!(before(&mut world, "Read", big()).starts_with("pass"), "{mode}");
        assert!(before(&mut world, "Write", write).starts_with("pass"), "{mode}");
    }
}

#[test]
fn lines_that_were_shown_before_an_outline_and_before_a_restart_were_shown() {
    let mut world = strict();
    world.layers = json!([]);
    before(&mut world, "Read", range(1, 100));
    before(&mut world, "Read", big());
    assert!(after(&mut world, "Read", big(), large()).starts_with("answer"));
    world.found.insert("shown".into(), (51, 51));
    world.found.insert("hidden".into(), (400, 400));
    world.layers = json!([{"from": "user", "value": {"mode": "strict"}}]);
    world.wire = support::Wire::new();
    before(&mut world, "Read", range(300, 10));
    assert_eq!(before(&mut world, "Edit", edit("hidden")), "redirect unseen");
    assert_eq!(before(&mut world, "Edit", edit("shown")), "pass not-concerned");
}

#[test]
fn paths_of_another_checkout_are_put_right_where_economy_rules_are_let_pass_and_what_is_said_is_counted() {
    let mut world = World::new();
    world.files.insert("/repo/.git/".into(), (0, 0));
    world.files.insert("/repo/wt/.git".into(), (9, 1));
    world.files.insert("/repo/wt/src/".into(), (0, 0));
    world.layers =
        json!([{"from": "user", "value": {"mode": "strict"}}, {"from": "env", "value": {"TRIMTAB_BYPASS": "1"}}]);
    let call = json!({"tool": "mcp__codes__smart_log", "input": {"path": "src"}, "session": "s", "cwd": "/repo/wt"});
    let done = |world: &mut World| world.drive(json!({"v": 1, "do": "judge", "call": call}))["done"].clone();
    world.place = Some(json!({"cwd": "/repo/wt", "root": "/repo"}));
    let first = done(&mut world);
    assert_eq!((&first["verdict"], &first["input"]), (&json!("rewrite"), &json!({"path": "/repo/wt/src"})));
    assert!(first["text"].as_str().is_some_and(|text| text.contains("answers from `/repo`")));
    let again = done(&mut world);
    assert_eq!((&again["input"], &again["text"]), (&json!({"path": "/repo/wt/src"}), &Value::Null));
    assert_eq!(tally(&mut world)[0]["rule"], "other-checkout");
}
