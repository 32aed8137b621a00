//! Stories of several calls in a pretend world: what is remembered, what is asked, what happens without facts.

mod support;

use serde_json::json;
use support::World;

const LOG: &str = "git --no-pager --no-optional-locks -c core.fsmonitor=false -c log.showSignature=false log --no-color --no-ext-diff --no-textconv --";
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
        "rg --no-config -n -e order --".to_string(),
        "rg --no-config -e order -- src/".to_string(),
    ] {
        world.outputs.insert(words, (12_000, 150));
    }
    assert_eq!(world.bash("", "grep -rn order ."), "redirect large-output");
    assert_eq!(world.bash("", "rg -n order"), "pass insisted");
    assert_eq!(world.bash("", "rg order src/"), "pass insisted");
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
    world.wire = trimtab::wire::Wire::new();
    assert_eq!(world.bash("", "cat big.rs"), "pass insisted");
}

#[test]
fn without_a_memory_nothing_is_refused() {
    let mut world = World::new();
    world.states = None;
    for _ in 0..2 {
        let answer = world.drive(json!({"v": 1, "do": "judge", "call": {"tool": "Bash", "input": {"command": "cat big.rs"}, "session": "s"}}));
        assert_eq!(answer["done"]["verdict"], "pass");
        assert_eq!(answer["effects"][0]["code"], "no-memory");
    }
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
    world.wire = trimtab::wire::Wire::new();
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
    let words = "sed -n 1,310p big.rs";
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
