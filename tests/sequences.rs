//! Stories of several calls in a pretend world: what is remembered, what is asked, what happens without facts.

// For the native core only: wasm-pack builds every test there is.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use serde_json::json;
use support::World;

const LOG: &str = "git --no-pager --no-optional-locks -c core.fsmonitor=false -c log.showSignature=false -c gpg.program=false -c gpg.ssh.program=false -c gpg.x509.program=false log --no-color --no-ext-diff --no-textconv --submodule=short --ignore-submodules=dirty --";
const GREP: &str = "git --no-pager grep --no-index --exclude-standard --no-color -I -n -G -e";

#[test]
fn a_refused_read_comes_through_the_second_time_also_reworded() {
    let mut world = World::new();
    assert_eq!(world.read("", json!({"file_path": "/repo/big.rs"})), "redirect large-file");
    assert_eq!(world.read("", json!({"file_path": "/repo/big.rs"})), "pass insisted");
    assert_eq!(world.bash("", "cat ./big.rs"), "pass insisted");
    assert_eq!(world.bash("", "cd src/.. && bat -p big.rs"), "pass insisted");
    assert_eq!(world.bash("", "cat src/deep.rs"), "redirect large-file");
}

#[test]
fn a_refused_search_comes_through_in_other_words() {
    let mut world = World::new();
    for words in [
        format!("{GREP} order -- ."),
        "rg --no-config -n --regexp=order --".to_string(),
        "rg --no-config --regexp=order -- src/".to_string(),
    ] {
        world.outputs.insert(words, (12_000, 150));
    }
    assert_eq!(world.bash("", "grep -rn order ."), "redirect large-output");
    assert_eq!(world.bash("", "rg -n order"), "pass insisted");
    assert_eq!(world.bash("", "rg order src/"), "pass insisted");
}

#[test]
fn a_file_that_is_read_whole_in_slices_is_noticed_once() {
    let mut world = World::new();
    assert_eq!(world.bash("", "sed -n '1,200p' big.rs"), "pass not-concerned");
    assert_eq!(world.bash("", "sed -n '1,200p' big.rs"), "pass not-concerned", "the same lines are no more lines");
    assert_eq!(world.bash("a1", "sed -n '201,400p' big.rs"), "pass not-concerned", "another agent saw nothing");
    assert_eq!(world.read("", json!({"file_path": "/repo/big.rs", "offset": 201, "limit": 200})), "advise large-file");
    assert_eq!(world.bash("", "sed -n '401,600p' big.rs"), "pass told");
}

#[test]
fn small_slices_and_small_files_are_nobodys_concern() {
    let mut world = World::new();
    for from in (1..600).step_by(40) {
        let command = format!("sed -n '{from},{}p' big.rs", from + 39);
        assert_eq!(world.bash("", &command), "pass not-concerned");
    }
    assert_eq!(world.asked, Vec::<serde_json::Value>::new());
    assert_eq!(world.bash("", "sed -n '1,100p' small.rs"), "pass not-concerned");
}

#[test]
fn slices_are_remembered_by_the_next_core() {
    let mut world = World::new();
    assert_eq!(world.bash("", "sed -n '1,200p' big.rs"), "pass not-concerned");
    world.wire = support::Wire::new();
    assert_eq!(world.bash("", "sed -n '201,400p' big.rs"), "advise large-file");
}

#[test]
fn a_refused_listing_comes_through_in_other_words() {
    let mut world = World::new();
    for words in ["find . -type f", "find ./ -type f", "find /repo -type f"] {
        world.outputs.insert(words.into(), (12_000, 300));
    }
    assert_eq!(world.bash("", "find . -type f"), "redirect large-output");
    assert_eq!(world.bash("", "find ./ -type f"), "pass insisted");
    assert_eq!(world.bash("", "find /repo -type f"), "pass insisted");
}

#[test]
fn many_files_that_were_refused_come_through_in_other_words() {
    let mut world = World::new();
    for folder in ["src", "./src", "/repo/src"] {
        let words = format!("find {folder} -maxdepth 1 -type f -name *.rs -type f -exec cat {{}} +");
        world.outputs.insert(words, (40_000, 900));
    }
    assert_eq!(world.bash("", "cat src/*.rs"), "redirect large-output");
    assert_eq!(world.bash("", "cat ./src/*.rs"), "pass insisted");
    assert_eq!(world.bash("", "cat /repo/src/*.rs"), "pass insisted");
}

#[test]
fn each_agent_has_its_own_memory() {
    let mut world = World::new();
    assert_eq!(world.bash("", "cat big.rs"), "redirect large-file");
    assert_eq!(world.bash("a1", "cat big.rs"), "redirect large-file");
    assert_eq!(world.bash("a1", "cat big.rs"), "pass insisted");
    assert_eq!(world.bash("a2", "cat big.rs"), "redirect large-file");
}

#[test]
fn a_memory_is_given_back_to_a_new_core() {
    let mut world = World::new();
    assert_eq!(world.bash("", "cat big.rs"), "redirect large-file");
    world.wire = support::Wire::new();
    assert_eq!(world.bash("", "cat big.rs"), "pass insisted");
}

#[test]
fn without_a_memory_there_is_only_advice_until_the_next_prompt() {
    let mut world = World::new();
    let states = world.states.take();
    let call = json!({"tool": "Bash", "input": {"command": "cat big.rs"}, "session": "s"});
    let first = world.drive(json!({"v": 1, "do": "judge", "call": call}));
    assert_eq!(first["done"]["verdict"], "advise");
    assert_eq!(first["effects"], json!([{"effect": "record", "code": "no-memory"}]), "and nothing to save");
    // The same advice does not come again, nor the record, nor the question.
    world.asked.clear();
    let second = world.drive(json!({"v": 1, "do": "judge", "call": call}));
    assert_eq!((&second["done"]["why"], &second["effects"]), (&json!("told"), &json!(null)));
    assert!(!world.asked.iter().any(|ask| ask["ask"] == "state"));
    // The host can tell it again.
    world.states = states;
    assert_eq!(world.bash("", "cat src/deep.rs"), "pass told");
    world.step(&json!({"v": 1, "do": "refresh"}));
    assert_eq!(world.bash("", "cat src/deep.rs"), "redirect large-file");
    assert_eq!(world.bash("", "cat src/deep.rs"), "pass insisted");
}

#[test]
fn a_command_hook_without_a_memory_says_nothing() {
    let mut world = World::new();
    world.states = None;
    for _ in 0..2 {
        let answer = world.hook("cat big.rs");
        assert_eq!(answer["done"]["verdict"], "pass");
        assert_eq!(answer["effects"], json!([{"effect": "record", "code": "no-memory"}]));
    }
}

/// Five files, each of them large.
fn five_files() -> World {
    let mut world = World::new();
    for n in 1..=5 {
        world.files.insert(format!("/repo/f{n}.rs"), (24_000, 600));
    }
    world
}

#[test]
fn after_four_refusals_that_led_nowhere_there_is_silence_until_a_way_is_taken() {
    let mut world = five_files();
    for n in 1..=4 {
        assert_eq!(world.bash("", &format!("cat f{n}.rs")), "redirect large-file");
        assert_eq!(world.bash("", &format!("cat f{n}.rs")), "pass insisted");
    }
    let call = json!({"tool": "Bash", "input": {"command": "cat f5.rs"}, "session": "s"});
    let answer = world.drive(json!({"v": 1, "do": "judge", "call": call}));
    assert_eq!(answer["done"]["why"], "given-up");
    assert_eq!(answer["effects"][0], json!({"effect": "record", "code": "given-up"}));
    assert_eq!(world.bash("a1", "cat f5.rs"), "redirect large-file", "another agent has heard nothing yet");
    assert_eq!(world.bash("", "sed -n '1,20p' small.rs"), "pass not-concerned");
    assert_eq!(world.bash("", "cat f5.rs"), "pass given-up", "a part of another file is no way that was named");
    assert_eq!(world.read("", json!({"file_path": "/repo/f2.rs", "offset": 10, "limit": 20})), "pass not-concerned");
    assert_eq!(world.bash("", "cat f5.rs"), "redirect large-file");
}

#[test]
fn each_suggested_way_counts_when_it_is_taken() {
    for (refused, way) in [
        ("cat big.rs", "sed -n '1,50p' big.rs"),
        ("cat big.rs", "grep -n order ./big.rs"),
        ("cat big.rs", "cat big.rs | head -n 20"),
        ("git log", "git log -n 20"),
        ("git log", "git log | head -n 20"),
        ("grep -rn order .", "grep -rln order ."),
        ("grep -rn order .", "grep -rn order . | head -n 50"),
        ("grep -rn order .", "grep -rn order src"),
    ] {
        let mut world = five_files();
        world.layers = json!([{"from": "user", "value": {"giveUpAfter": 1}}]);
        world.outputs.insert(LOG.to_string(), (12_000, 300));
        world.outputs.insert(format!("{GREP} order -- ."), (12_000, 150));
        world.outputs.insert(format!("{GREP} order -- :(literal)src"), (400, 5));
        assert!(world.bash("", refused).starts_with("redirect"), "{refused}");
        assert_eq!(world.bash("", "cat f1.rs"), "pass given-up", "{refused}");
        assert!(world.bash("", way).starts_with("pass"), "{way}");
        assert_eq!(world.bash("", "cat f1.rs"), "redirect large-file", "{way}");
    }
}

#[test]
fn a_command_hook_notices_a_way_that_is_taken_too() {
    let mut world = five_files();
    world.layers = json!([{"from": "user", "value": {"giveUpAfter": 1}}]);
    let mut verdict = |command: &str| {
        // Each hook is a process of its own.
        world.wire = support::Wire::new();
        world.hook(command)["done"]["why"].as_str().unwrap_or("?").to_string()
    };
    assert_eq!(verdict("cat big.rs"), "large-file");
    assert_eq!(verdict("cat f1.rs"), "given-up");
    assert_eq!(verdict("head -n 20 big.rs"), "not-concerned");
    assert_eq!(verdict("cat f1.rs"), "large-file");
}

#[test]
fn a_way_is_noticed_without_a_question() {
    let mut world = World::new();
    assert_eq!(world.bash("", "cat big.rs"), "redirect large-file");
    world.asked.clear();
    let call = json!({"tool": "Bash", "input": {"command": "head -n 20 big.rs"}, "session": "s"});
    let answer = world.drive(json!({"v": 1, "do": "judge", "call": call}));
    assert_eq!(answer["effects"][0]["effect"], "save");
    assert_eq!(world.drive(json!({"v": 1, "do": "judge", "call": call}))["effects"], json!(null), "once is enough");
    assert_eq!(world.asked, Vec::<serde_json::Value>::new());
}

#[test]
fn a_session_hears_no_more_than_its_limits_allow() {
    for (limits, last) in [
        (json!({"maxPerSession": 2}), "pass capped"),
        (json!({"maxPerSession": 2, "mode": "advise", "adviceRepeat": "each"}), "pass capped"),
        (json!({"adviceTokens": 100, "mode": "advise", "adviceRepeat": "each"}), "pass capped"),
        (json!({"adviceTokens": 100}), "redirect large-file"),
    ] {
        let mut world = five_files();
        world.layers = json!([{"from": "user", "value": limits}]);
        for n in 1..=2 {
            assert!(!world.bash("", &format!("cat f{n}.rs")).starts_with("pass"), "{limits}");
        }
        assert_eq!(world.bash("", "cat f3.rs"), last, "{limits}");
        assert_eq!(world.bash("a1", "cat f4.rs"), last, "all agents of a session together: {limits}");
    }
}

#[test]
fn advice_for_each_call_comes_once_for_each_call() {
    let mut world = World::new();
    world.layers = json!([{"from": "user", "value": {"mode": "advise", "adviceRepeat": "each"}}]);
    assert_eq!(world.bash("", "cat big.rs"), "advise large-file");
    assert_eq!(world.bash("", "cat ./big.rs"), "pass told");
    assert_eq!(world.bash("", "cat src/deep.rs"), "advise large-file");
}

#[test]
fn limits_shrink_as_the_context_fills_up() {
    // 300 lines become 225, 150 and 90; none falls below 50.
    for (tokens, lines, verdict) in [
        (0, 299, "pass"),
        (59_999, 299, "pass"),
        (60_000, 225, "redirect"),
        (60_000, 224, "pass"),
        (120_000, 150, "redirect"),
        (120_000, 149, "pass"),
        (160_000, 90, "redirect"),
        (160_000, 89, "pass"),
        (900_000, 90, "redirect"),
    ] {
        for adaptive in [true, false] {
            let mut world = World::new();
            // 40 bytes a line, and no limit in tokens that would decide instead.
            world.files.insert("/repo/f.rs".into(), (lines * 40, lines));
            world.layers =
                json!([{"from": "user", "value": {"adaptive": adaptive, "refuse": {"minTokens": 0, "minSaved": 0}}}]);
            let call = json!({"tool": "Bash", "input": {"command": "cat f.rs"}, "session": "s",
                "context": {"tokens": tokens, "window": 200_000}});
            let wanted = if adaptive { verdict } else { "pass" };
            assert!(world.judge(call).starts_with(wanted), "{tokens} {lines} {adaptive}");
        }
    }
}

#[test]
fn a_rule_can_have_limits_of_its_own() {
    let mut world = World::new();
    world.outputs.insert(LOG.to_string(), (12_000, 300));
    world.layers = json!([{"from": "user", "value": {"rules": {
        "whole-file-read": {"large": {"lines": 601, "bytes": 1_000_000}},
        "unbounded-log": {"mode": "advise"},
    }}}]);
    assert_eq!(world.bash("", "cat big.rs"), "pass cheap");
    assert_eq!(world.bash("", "git log"), "advise large-output");
}

#[test]
fn paths_that_the_configuration_names_are_let_alone() {
    let mut world = World::new();
    world.layers = json!([{"from": "project", "value": {"ignore": ["src/**", "*.gen.rs"]}}]);
    assert_eq!(world.bash("", "cat src/deep.rs"), "pass ignored");
    assert_eq!(world.bash("", "cat big.rs"), "redirect large-file");
}

#[test]
fn what_is_judged_whatever_its_size_is_judged_from_the_first_call_that_knows_the_configuration() {
    let mut world = World::new();
    world.layers = json!([{"from": "user", "value": {"preset": "codeloupe"}}]);
    world.files.insert("/repo/Order.kt".into(), (6_000, 150));
    // Nothing is asked for a call that no rule concerns by default.
    assert_eq!(world.bash("", "rg -l Order -g '*.kt'"), "pass not-concerned");
    assert_eq!(world.bash("", "cat Order.kt"), "advise large-file");
    assert_eq!(world.bash("", "rg -l Order -g '*.kt'"), "advise every-call");
    assert_eq!(world.bash("", "find . -name '*.kt'"), "advise every-call");
    assert_eq!(world.bash("", "cat big.rs"), "pass not-concerned");
    world.step(&json!({"v": 1, "do": "refresh"}));
    assert_eq!(world.bash("", "rg -l Other -g '*.kt'"), "advise every-call");
}

#[test]
fn a_damaged_memory_is_an_empty_one() {
    let mut world = World::new();
    world.states.as_mut().unwrap().insert("s".to_string(), "{\"form\":99".to_string());
    assert_eq!(world.bash("", "cat big.rs"), "redirect large-file");
    assert_eq!(world.bash("", "cat big.rs"), "pass insisted");
}

#[test]
fn advice_comes_once_for_each_kind_and_agent() {
    let mut world = World::new();
    world.layers = json!([{"from": "user", "text": "{\"mode\":\"advise\"}"}]);
    assert_eq!(world.bash("", "cat big.rs"), "advise large-file");
    assert_eq!(world.bash("", "cat src/deep.rs"), "pass told");
    assert_eq!(world.bash("a1", "cat src/deep.rs"), "advise large-file");
}

#[test]
fn a_verdict_that_needs_no_fact_asks_nothing() {
    let mut world = World::new();
    for command in
        ["true", "git status", "cat big.rs | head -5", "grep -rn x . -l", "ls -la", "cat README.md", "git log -5"]
    {
        assert!(world.bash("", command).starts_with("pass"), "{command}");
    }
    assert!(world.read("", json!({"file_path": "/repo/big.rs", "offset": 1, "limit": 50})).starts_with("pass"));
    assert_eq!(world.asked, Vec::<serde_json::Value>::new());
}

#[test]
fn a_small_file_takes_one_round_of_questions_once_the_session_is_known() {
    let mut world = World::new();
    world.bash("", "cat small.rs");
    world.asked.clear();
    assert_eq!(world.bash("", "cat small.rs"), "pass cheap");
    let kinds: Vec<&str> = world.asked.iter().filter_map(|a| a["ask"].as_str()).collect();
    assert_eq!(kinds, ["place", "stat"]);
}

#[test]
fn every_fact_may_be_unknown() {
    for kind in ["place", "config", "stat", "lines", "measure"] {
        let mut world = World::new();
        world.silent.push(kind);
        world.outputs.insert(format!("{GREP} order -- ."), (12_000, 150));
        let read = world.bash("", "cat big.rs");
        let search = world.bash("", "grep -rn order .");
        let expected = |needs: &[&str], hit: &str| {
            if needs.contains(&kind) { "pass unknown-fact".to_string() } else { hit.to_string() }
        };
        assert_eq!(read, expected(&["place", "stat", "lines"], "redirect large-file"), "{kind}");
        assert_eq!(search, expected(&["place", "stat", "measure"], "redirect large-output"), "{kind}");
    }
}

#[test]
fn a_short_history_and_a_rare_word_pass() {
    let mut world = World::new();
    world.outputs.insert(LOG.to_string(), (900, 30));
    world.outputs.insert(format!("{GREP} rare -- ."), (120, 2));
    assert_eq!(world.bash("", "git log"), "pass cheap");
    assert_eq!(world.bash("", "grep -rn rare ."), "pass cheap");
    world.outputs.insert(LOG.to_string(), (30_001, 900));
    assert_eq!(world.bash("", "git log"), "redirect large-output");
}

#[test]
fn a_link_out_of_the_project_is_outside() {
    let mut world = World::new();
    world.links.insert("/repo/linked.rs".to_string(), "/elsewhere/big.rs".to_string());
    world.files.insert("/elsewhere/big.rs".to_string(), (24_000, 600));
    assert_eq!(world.read("", json!({"file_path": "/repo/linked.rs"})), "pass outside");
}

#[test]
fn a_configuration_is_read_again_after_a_refresh() {
    let mut world = World::new();
    assert_eq!(world.bash("", "cat big.rs"), "redirect large-file");
    world.layers = json!([{"from": "user", "text": "{\"mode\":\"off\"}"}]);
    assert_eq!(world.bash("", "cat src/deep.rs"), "redirect large-file");
    world.step(&json!({"v": 1, "do": "refresh"}));
    assert_eq!(world.bash("b", "cat big.rs"), "pass off");
}

#[test]
fn a_mistake_in_the_configuration_is_recorded_once_in_a_session() {
    let mut world = World::new();
    world.layers = json!([{"from": "user", "error": "EACCES"}]);
    let call =
        json!({"v": 1, "do": "judge", "call": {"tool": "Bash", "input": {"command": "cat big.rs"}, "session": "s"}});
    let first = world.drive(call.clone());
    assert_eq!(
        first["effects"][0],
        json!({"effect": "record", "code": "config", "detail": "user configuration: cannot be read (`EACCES`), going on without it"})
    );
    world.wire = support::Wire::new();
    let second = world.drive(call);
    assert!(!second.to_string().contains("EACCES"));
}

#[test]
fn a_bypass_in_the_environment_is_recorded() {
    let mut world = World::new();
    world.layers = json!([{"from": "env", "value": {"TRIMTAB_BYPASS": "1"}}]);
    let answer = world.drive(
        json!({"v": 1, "do": "judge", "call": {"tool": "Bash", "input": {"command": "cat big.rs"}, "session": "s"}}),
    );
    assert_eq!(answer["done"]["why"], "bypassed");
    assert_eq!(answer["effects"][0]["code"], "bypass");
}

#[test]
fn overlapping_calls_are_kept_apart() {
    let mut world = World::new();
    let request = |command: &str| json!({"v": 1, "do": "judge", "call": {"tool": "Bash", "input": {"command": command}, "session": "s"}});
    let first = world.step(&request("cat big.rs"));
    let second = world.step(&request("cat small.rs"));
    assert_ne!(first["call"], second["call"]);
    // The second is answered first; a third with the number of an answered call passes.
    let nothing = json!({"v": 1, "do": "facts", "call": second["call"], "facts": [null]});
    assert_eq!(world.step(&nothing)["done"]["verdict"], "pass");
    assert_eq!(world.step(&nothing)["done"]["verdict"], "pass");
    assert_eq!(world.bash("", "cat big.rs"), "redirect large-file");
}

#[test]
fn a_session_without_a_name_remembers_nothing_and_asks_for_nothing_to_remember() {
    let mut world = World::new();
    for _ in 0..2 {
        assert_eq!(world.judge(json!({"tool": "Bash", "input": {"command": "cat big.rs"}})), "redirect large-file");
    }
    assert!(!world.asked.iter().any(|a| a["ask"] == "state"));
}

#[test]
fn a_call_that_was_refused_once_for_each_of_its_files_runs_the_second_time() {
    let mut world = World::new();
    world.outputs.insert(LOG.to_string(), (12_000, 300));
    for command in ["for f in big.rs src/deep.rs; do cat $f; done", "cat big.rs src/deep.rs", "git log; cat big.rs"] {
        let mut world = World { outputs: world.outputs.clone(), ..World::new() };
        assert!(world.bash("", command).starts_with("redirect"), "{command}");
        assert_eq!(world.bash("", command), "pass insisted", "{command}");
    }
}

#[test]
fn nothing_is_measured_before_it_is_known_that_anything_is_judged() {
    for layer in
        [json!({"from": "user", "value": {"mode": "off"}}), json!({"from": "env", "value": {"TRIMTAB_BYPASS": "1"}})]
    {
        let mut world = World::new();
        world.layers = json!([layer]);
        assert!(world.bash("", "find / -name x; git log; grep -rn order .").starts_with("pass"));
        assert!(!world.asked.iter().any(|ask| ask["ask"] == "measure"), "{:?}", world.asked);
    }
}

#[test]
fn at_most_three_commands_are_run_for_one_call() {
    let mut world = World::new();
    let many: String = (0..12).map(|i| format!("grep -rn word{i} .; ")).collect();
    assert_eq!(world.bash("", &many), "pass doubt");
    assert!(!world.asked.iter().any(|ask| ask["ask"] == "measure"));
}

#[test]
fn the_memory_is_asked_for_last() {
    let mut world = World::new();
    world.outputs.insert(LOG.to_string(), (12_000, 300));
    world.bash("", "git log");
    let kinds: Vec<&str> = world.asked.iter().filter_map(|a| a["ask"].as_str()).collect();
    assert_eq!(kinds, ["place", "config", "measure", "state"]);
}

#[test]
fn a_memory_that_comes_late_does_not_undo_a_refusal() {
    let mut world = World::new();
    let request = |command: &str| json!({"v": 1, "do": "judge", "call": {"tool": "Bash", "input": {"command": command}, "session": "s"}});
    let slow = world.step(&request("cat big.rs"));
    assert_eq!(world.bash("", "cat src/deep.rs"), "redirect large-file");
    // The slow call goes on, up to a memory from before that refusal.
    let mut answer = slow;
    while let Some(asks) = answer["need"].as_array().cloned() {
        let facts: Vec<_> = asks
            .iter()
            .map(|ask| if ask["ask"] == "state" { json!({"state": null}) } else { world.answer(ask) })
            .collect();
        answer = world.step(&json!({"v": 1, "do": "facts", "call": answer["call"], "facts": facts}));
    }
    assert_eq!(answer["done"]["verdict"], "redirect");
    assert_eq!(world.bash("", "cat src/deep.rs"), "pass insisted");
}

#[test]
fn a_range_of_uneven_lines_is_measured() {
    let mut world = World::new();
    let words = "sed -n -e 1,310p -- big.rs";
    world.outputs.insert(words.to_string(), (4_030, 310));
    assert_eq!(world.bash("", "sed -n '1,310p' big.rs"), "pass cheap");
    world.outputs.insert(words.to_string(), (14_030, 310));
    assert_eq!(world.bash("", "sed -n '1,310p' big.rs"), "redirect large-file");
}

#[test]
fn a_limit_beyond_all_numbers_makes_nothing_stricter() {
    let mut world = World::new();
    world.layers = json!([{"from": "project", "value": {"refuse": {"minSaved": u64::MAX}}}]);
    assert_eq!(world.bash("", "cat big.rs"), "pass cheap");
}

/// The commands that are run to measure one, whatever they would print.
fn measured(command: &str) -> Vec<Vec<String>> {
    let mut world = World::new();
    world.files.insert("/repo/-ew OUT.rs".into(), (40_000, 1_000));
    world.bash("", command);
    let words = |ask: &serde_json::Value| {
        ask["argv"].as_array().map(|argv| argv.iter().map(|w| w.as_str().unwrap_or_default().to_string()).collect())
    };
    world.asked.iter().filter_map(words).collect()
}

#[test]
fn a_word_of_a_measured_command_is_never_read_as_an_option() {
    // An empty value made the pattern an option, and ripgrep started a program.
    assert_eq!(
        measured("rg -r '' -- '--pre=./evil' src"),
        [["rg", "--no-config", "-r", "", "--regexp=--pre=./evil", "--", "src"]]
    );
    // `tree` takes values from the next word only, and `-o` writes.
    for command in ["tree -a -I docs -L 4", "tree -I docs NOTES.txt", "tree --filelimit 2 -I no NOTES.txt", "tree -o x"]
    {
        assert_eq!(measured(command), Vec::<Vec<String>>::new(), "{command}");
    }
    // A file name that `sed` would take for a program.
    assert_eq!(measured("head -n 400 -- '-ew OUT.rs'"), [["sed", "-n", "-e", "1,400p", "--", "-ew OUT.rs"]]);
    // A pipe in a folder would hang its reader.
    let listing = measured("cat $(find src -name '*.rs')").remove(0).join(" ");
    assert!(listing.ends_with("-type f -exec cat {} +"), "{listing}");
    // What a repository configures for submodules and signatures is not started.
    let patch = measured("git diff --submodule=diff").remove(0).join(" ");
    assert!(patch.contains("--submodule=diff --submodule=short --ignore-submodules=dirty"), "{patch}");
    assert_eq!(measured("git log --format=%G?"), Vec::<Vec<String>>::new());
}
