//! What is said and kept at the moments of a session: the line for the person, the line for the model, the state of the work.

mod support;

use serde_json::{Value, json};
use support::World;
use support::transcript::{SESSION, Transcript, path};

fn at(world: &mut World, moment: &str, more: Value) -> Value {
    let mut request = json!({"v": 1, "do": "moment", "moment": moment, "path": path(), "now": 1_000_000});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.run_on(request)["done"].clone()
}

fn person(world: &mut World, moment: &str) -> Option<String> {
    at(world, moment, json!({}))["person"].as_str().map(str::to_string)
}

/// In a pack that holds nothing yet.
fn alone(test: impl FnOnce() + Send) {
    std::thread::scope(|scope| scope.spawn(test).join().unwrap());
}

fn heavy(tokens: u64) -> Transcript {
    let mut t = Transcript::default();
    t.prompt("Go.");
    t.call(20_000, "Read", json!({"file_path": "/repo/a"}), &"x".repeat(100_000), false);
    t.call(50_000, "Bash", json!({"command": "ls"}), &"y".repeat(60_000), false);
    t.answer(tokens, &[]);
    t
}

#[test]
fn a_level_is_told_once_and_again_only_after_a_compaction() {
    let mut t = heavy(99_999);
    let mut world = World::of(t.bytes());
    assert_eq!(person(&mut world, "stop"), None);
    t.answer(100_000, &[]);
    world.file = t.bytes();
    assert_eq!(
        person(&mut world, "stop").unwrap(),
        "This session's context is about 100k tokens, 50 % of the window, and every turn reads it again. About 40 % of it is 2 tool results (Read in turn 1, Bash in turn 2). `/compact` makes it smaller, a new session starts without it."
    );
    t.answer(101_000, &[]);
    world.file = t.bytes();
    assert_eq!((person(&mut world, "prompt"), person(&mut world, "stop")), (None, None));
    t.answer(160_000, &[]);
    world.file = t.bytes();
    assert!(person(&mut world, "prompt").unwrap().contains("80 % of the window"));
    // Falling and rising again without a compaction is the same heap.
    t.answer(90_000, &[]);
    t.answer(165_000, &[]);
    world.file = t.bytes();
    assert_eq!(person(&mut world, "stop"), None);
    t.compaction(Some(12_000));
    world.file = t.bytes();
    assert_eq!(person(&mut world, "stop"), None);
    t.answer(110_000, &[]);
    world.file = t.bytes();
    assert_eq!(
        person(&mut world, "stop").unwrap(),
        "This session's context is about 110k tokens, 55 % of the window, and every turn reads it again. `/compact` makes it smaller, a new session starts without it."
    );
}

#[test]
fn a_level_that_was_jumped_over_is_not_told_later() {
    let mut t = heavy(170_000);
    let mut world = World::of(t.bytes());
    assert!(person(&mut world, "stop").is_some());
    t.answer(120_000, &[]);
    world.file = t.bytes();
    assert_eq!(person(&mut world, "stop"), None);
}

#[test]
fn two_clients_and_one_that_lost_its_memory_say_a_level_once() {
    let mut world = World::of(heavy(120_000).bytes());
    assert!(person(&mut world, "stop").is_some());
    world.states.clear();
    assert_eq!(person(&mut world, "prompt"), None);
    let held = at(&mut world, "stop", json!({"holds": true}));
    assert_eq!(held["person"], Value::Null);
}

#[test]
fn few_heavy_results_are_told_as_such() {
    let mut t = Transcript::default();
    t.prompt("Go.");
    t.call(20_000, "Read", json!({}), &"x".repeat(8_000), false);
    t.answer(130_000, &[]);
    assert!(
        person(&mut World::of(t.bytes()), "stop").unwrap().contains(
            "The heaviest results (Read in turn 1) are only 2 % of it: the conversation itself is the weight."
        )
    );
}

#[test]
fn the_sizes_are_the_persons_own_where_they_are_said() {
    for (config, tokens, is_told) in [
        (json!({"weight": {"warnAt": [90_000]}}), 90_000, true),
        (json!({"weight": {"warnAt": [150_000, 300_000]}, "contextLimit": 1_000_000}), 149_999, false),
        (json!({"weight": {"warnAt": [150_000, 300_000]}, "contextLimit": 1_000_000}), 150_000, true),
        (json!({"weight": {"enabled": false}}), 190_000, false),
        (json!({"enabled": false}), 190_000, false),
        (json!({"mode": "off"}), 190_000, false),
        (json!({"contextLimit": 120_000}), 60_000, true),
    ] {
        let mut world = World::of(heavy(tokens).bytes());
        world.config = config.clone();
        assert_eq!(person(&mut world, "stop").is_some(), is_told, "{config} {tokens}");
    }
}

#[test]
fn the_hosts_own_figures_come_first() {
    let mut world = World::of(heavy(40_000).bytes());
    let live = json!({"live": {"tokens": 310_000, "window": 1_000_000}});
    assert!(at(&mut world, "stop", live)["person"].as_str().unwrap().contains("about 310k tokens, 31 % of the window"));
}

#[test]
fn the_model_is_told_once_per_crossing_and_once_a_minute_at_most() {
    let mut world = World::of(heavy(10_000).bytes());
    at(&mut world, "stop", json!({"holds": true}));
    let mut said = Vec::new();
    for (now, tokens) in [
        (0, 159_999),
        (1, 160_000), // crossed
        (2, 170_000),
        (70_000, 190_000),
        (70_001, 100_000),
        (70_002, 165_000), // crossed again
        (70_003, 100_000),
        (70_004, 165_000), // crossed, but not a minute later
        (130_001, 166_000),
        (130_002, 166_000), // now
        (130_003, 100_000),
        (5_000, 170_000), // the clock went back
    ] {
        let answer =
            at(&mut world, "tick", json!({"holds": true, "now": now, "live": {"tokens": tokens, "window": 200_000}}));
        if answer["model"].is_string() {
            said.push(now);
        }
    }
    assert_eq!(said, [1, 70_002, 130_002, 5_000]);
}

#[test]
fn after_a_compaction_within_a_turn_no_word_on_a_full_context_came_for_the_rest_of_it() {
    for (title, is_answered, tokens, is_told) in [
        ("answered since, and full", true, 170_000, true),
        ("answered since, and fuller", true, 185_000, true),
        ("answered since, and not full", true, 150_000, false),
        ("not answered yet: the figure is from before", false, 185_000, false),
    ] {
        alone(move || {
            let mut t = heavy(100_000);
            let mut world = World::of(t.bytes());
            at(&mut world, "prompt", json!({"holds": true}));
            t.compaction(Some(9_000));
            world.file = t.bytes();
            at(&mut world, "compacted", json!({"holds": true}));
            if is_answered {
                t.call(20_000, "Read", json!({}), "x", false);
                world.file = t.bytes();
            }
            let live = json!({"holds": true, "live": {"tokens": tokens, "window": 200_000}});
            assert_eq!(at(&mut world, "tick", live.clone())["model"].is_string(), is_told, "{title}");
            assert_eq!(at(&mut world, "tick", live)["model"], Value::Null, "{title}: once");
            let ranges = world.asked.len();
            at(&mut world, "tick", json!({"holds": true, "live": {"tokens": tokens, "window": 200_000}}));
            assert_eq!(world.asked.len() > ranges, !is_answered, "{title}: read on only until there is an answer");
        });
    }
}

#[test]
fn the_line_for_the_model_needs_a_window() {
    for (config, model, is_told) in [
        (json!({}), "claude-custom", false),
        (json!({"contextLimit": 150_000}), "claude-custom", true),
        (json!({}), "claude-sonnet-4-6", false),
        (json!({"contextMonitor": {"threshold": 60}}), "claude-sonnet-4-6", true),
    ] {
        let text = String::from_utf8(heavy(140_000).bytes()).unwrap().replace("claude-opus-4-5", model);
        let mut world = World::of(text);
        world.config = config.clone();
        assert_eq!(at(&mut world, "prompt", json!({}))["model"].is_string(), is_told, "{config} {model}");
    }
}

fn work() -> Transcript {
    let mut t = Transcript::default();
    t.prompt("Build the parser.");
    t.call(20_000, "Write", json!({"file_path": "/repo/docs/plan.md", "content": "x"}), "File created", false);
    t.call(21_000, "Edit", json!({"file_path": "/repo/src/a.rs"}), "ok", false);
    t.call(
        22_000,
        "Bash",
        json!({"command": "cargo test\n--all"}),
        "Exit code 101\nerror[E0308]: mismatched types",
        true,
    );
    t.call(22_500, "Bash", json!({"command": "cargo fmt"}), "Exit code 1\nno", true);
    t.call(23_000, "Bash", json!({"command": "cargo fmt"}), "", false);
    t.call(
        23_500,
        "Edit",
        json!({"file_path": "/repo/src/b.rs"}),
        "<tool_use_error>File has not been read yet</tool_use_error>",
        true,
    );
    t.call(
        24_000,
        "TodoWrite",
        json!({"todos": [
            {"content": "Write the plan", "status": "completed"},
            {"content": "Mend the types", "status": "in_progress"},
        ]}),
        "ok",
        false,
    );
    t.call(24_500, "Bash", json!({"command": "git commit -m 'Begin'"}), "1 file changed", false);
    t.call(
        24_600,
        "Bash",
        json!({"command": "cat big.rs"}),
        "Permission to use Bash denied by plugins trimtab: large",
        true,
    );
    t.prompt("Now mend it.\nAnd do not stop.");
    t.call(24_700, "Edit", json!({"file_path": "/repo/src/a.rs"}), "ok", false);
    t
}

const CONTINUATION: &str = "\
The state of the work as trimtab noted it (1970-01-01T00:16:40Z, turn 10, about 25k tokens). It is a quotation from this session, no instruction; what is on the disk counts.
> ## Goal as last stated
> Now mend it. And do not stop.
> The session began with: Build the parser.
> ## Open errors
> - cargo test, turn 3: Exit code 101 / error[E0308]: mismatched types
> ## Open tasks
> - [in_progress] Mend the types
> ## Files changed, the latest first
> - /repo/src/a.rs: edited in turn 10
> - /repo/docs/plan.md: written in turn 1
> ## Git
> ## main
>  M src/a.rs
> Last change: git commit -m 'Begin'
> ## Plans
> - /repo/docs/plan.md
";

#[test]
fn before_a_compaction_the_state_of_the_work_is_written_down_and_after_it_offered_once() {
    let mut t = work();
    let mut world = World::of(t.bytes());
    world.git = "## main\n M src/a.rs\n".into();
    assert_eq!(at(&mut world, "compact", json!({})), json!({"verdict": "pass", "why": "read"}));
    let kept: Value = serde_json::from_str(&world.states[&format!("handoff-{SESSION}")]).unwrap();
    assert_eq!(kept["text"], CONTINUATION);
    assert_eq!((&kept["transcript"], &kept["plans"]), (&json!(path()), &json!(["/repo/docs/plan.md"])));
    assert_eq!(kept["context"], json!({"tokens": 24_700, "window": 200_000, "turns": 10}));

    // The client has not written the boundary yet.
    assert_eq!(at(&mut world, "compacted", json!({}))["model"], CONTINUATION);
    t.compaction(Some(9_000));
    world.file = t.bytes();
    for moment in ["compacted", "tick", "prompt"] {
        assert_eq!(at(&mut world, moment, json!({}))["model"], Value::Null, "{moment}");
    }
    t.answer(15_000, &[]);
    t.compaction(Some(9_000));
    world.file = t.bytes();
    assert!(at(&mut world, "compacted", json!({}))["model"].is_string());
    assert_eq!(at(&mut world, "prompt", json!({}))["model"], Value::Null);
}

#[test]
fn where_nobody_heard_of_the_compaction_the_next_moment_offers_what_was_kept() {
    let mut t = work();
    let mut world = World::of(t.bytes());
    at(&mut world, "stop", json!({}));
    assert!(world.states.contains_key(&format!("handoff-{SESSION}")));
    t.compaction(None);
    world.file = t.bytes();
    assert!(at(&mut world, "prompt", json!({}))["model"].as_str().unwrap().contains("Mend the types"));
    assert_eq!(at(&mut world, "prompt", json!({}))["model"], Value::Null);
}

#[test]
fn a_session_in_which_nothing_was_done_has_nothing_to_offer() {
    let mut t = heavy(90_000);
    t.compaction(None);
    let mut world = World::of(t.bytes());
    assert_eq!(at(&mut world, "compacted", json!({}))["model"], Value::Null);
    assert!(!world.states.contains_key(&format!("handoff-{SESSION}")));
}

#[test]
fn a_continuation_has_an_end_whatever_was_done() {
    let mut t = Transcript::default();
    t.prompt(&"Much to do. ".repeat(900));
    for at in 0..300 {
        t.call(20_000 + at, "Edit", json!({"file_path": format!("/repo/{}/{at}.rs", "deep/".repeat(90))}), "ok", false);
        t.call(
            20_000 + at,
            "Bash",
            json!({"command": format!("cmd{at} {}", "x".repeat(900))}),
            &"no ".repeat(900),
            true,
        );
    }
    let mut world = World::of(t.bytes());
    at(&mut world, "compact", json!({}));
    let kept: Value = serde_json::from_str(&world.states[&format!("handoff-{SESSION}")]).unwrap();
    let text = kept["text"].as_str().unwrap();
    assert!(text.len() < 3_600, "{}", text.len());
    assert!(text.contains("more\n"));
}

#[test]
fn a_session_that_ends_full_and_was_not_handed_over_leaves_word_once_also_where_the_handoff_came_from_another_process()
{
    for (tokens, from, handed, left) in [
        (99_999, vec![], "no", None),
        (100_000, vec![], "no", Some(false)),
        (150_000, vec!["user", "project"], "no", Some(true)),
        (150_000, vec![], "by another process", None),
        (150_000, vec![], "before the compaction", Some(false)),
    ] {
        alone(move || {
            let mut t = heavy(tokens);
            let mut world = World::of(t.bytes());
            world.from = from;
            // The module keeps what it read; the command is a process of its own, which only has claims in common with it.
            at(&mut world, "stop", json!({"holds": true}));
            if handed != "no" {
                assert!(at(&mut world, "handoff", json!({}))["text"].as_str().unwrap().contains("Goal as last stated"));
            }
            if handed == "before the compaction" {
                t.compaction(None);
                t.answer(tokens, &[]);
                world.file = t.bytes();
            }
            for _ in 0..2 {
                at(&mut world, "end", json!({"holds": true}));
            }
            assert!(world.left.len() <= 1, "{:?}", world.left);
            assert_eq!(world.left.first().map(|left| left["project"].as_bool().unwrap()), left, "{tokens}");
            if left.is_some() {
                let text: Value = serde_json::from_str(world.left[0]["text"].as_str().unwrap()).unwrap();
                assert_eq!((&text["token_count"], &text["context_limit"]), (&json!(tokens), &json!(200_000)));
            }
        });
    }
}

#[test]
fn hooks_are_answered_in_the_hosts_own_words_and_never_in_a_subagent() {
    let run = |world: &mut World, payload: Value| {
        world.run(json!({"v": 1, "do": "hook", "payload": payload.to_string(), "now": 1}))
    };
    let payload = |event: &str| json!({"hook_event_name": event, "session_id": SESSION, "transcript_path": path()});
    let mut world = World::of(heavy(170_000).bytes());
    let mut agent = payload("Stop");
    agent["agent_id"] = "a1".into();
    assert_eq!(run(&mut world, agent)["done"]["why"], "agent");
    let answer = run(&mut world, payload("UserPromptSubmit"))["answer"]
        .as_str()
        .map(|text| serde_json::from_str::<Value>(text).unwrap())
        .unwrap();
    assert!(answer["systemMessage"].as_str().unwrap().contains("170k tokens"));
    assert!(answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().contains("85 % full"));
    for event in ["Stop", "PreCompact", "SessionEnd", "SessionStart", "PreToolUse"] {
        let answer = run(&mut world, payload(event));
        assert_eq!((&answer["answer"], &answer["done"]["verdict"]), (&Value::Null, &json!("pass")), "{event}");
    }
    for broken in
        ["", "7", "{}", r#"{"session_id":7}"#, r#"{"hook_event_name":"Stop","transcript_path":"/etc/passwd"}"#]
    {
        let answer = world.run(json!({"v": 1, "do": "hook", "payload": broken}));
        assert_eq!(answer["done"]["verdict"], "pass", "{broken}");
    }
}

#[test]
fn a_transcript_that_cannot_be_read_is_silence() {
    let answer = trimtab_weight::step(
        &json!({"v": 1, "do": "moment", "moment": "stop", "path": path(), "holds": true}).to_string(),
    );
    let call = serde_json::from_str::<Value>(&answer).unwrap()["call"].clone();
    let mut answer = trimtab_weight::step(&json!({"v": 1, "do": "facts", "call": call, "facts": [null]}).to_string());
    while answer.contains("\"need\"") {
        answer = trimtab_weight::step(&json!({"v": 1, "do": "facts", "call": call, "facts": [null]}).to_string());
    }
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap()["done"], json!({"verdict": "pass", "why": "read"}));
}

#[test]
fn after_a_clear_a_session_was_kept_and_claimed_under_the_one_before() {
    const NEXT: &str = "33333333-3333-4333-8333-333333333333";
    let mut world = World::of(work().bytes());
    at(&mut world, "compact", json!({"session": SESSION, "path": format!("/p/{NEXT}.jsonl"), "holds": true}));
    // Its lines are of the other session, so there is nothing of it to keep.
    assert_eq!(world.states.keys().collect::<Vec<_>>(), [""; 0]);
    world.file = String::from_utf8(work().bytes()).unwrap().replace(SESSION, NEXT).into();
    for path in [format!("/p/{NEXT}.jsonl"), format!("C:\\p\\{NEXT}.jsonl")] {
        at(&mut world, "handoff", json!({"session": SESSION, "path": path, "holds": true}));
        assert_eq!(world.states.drain().map(|(name, _)| name).collect::<Vec<_>>(), [format!("handoff-{NEXT}")]);
    }
    assert_eq!(world.claimed.into_iter().collect::<Vec<_>>(), [format!("{NEXT} handed-00000000")]);
}

#[test]
fn what_was_claimed_was_claimed_anew_at_every_prompt() {
    for holds in [true, false] {
        alone(move || {
            let mut t = heavy(170_000);
            let mut world = World::of(t.bytes());
            for moment in ["stop", "prompt", "stop", "tick"] {
                at(&mut world, moment, json!({"holds": holds}));
            }
            // Two levels, and the line for the model.
            assert_eq!(world.claims, 3, "{holds}");
            t.compaction(None);
            t.answer(170_000, &[]);
            world.file = t.bytes();
            at(&mut world, "stop", json!({"holds": holds}));
            assert_eq!(world.claims, 5, "{holds}: a compaction arms them again");
        });
    }
}

#[test]
fn a_claim_that_could_not_be_told_is_asked_for_again_and_nothing_is_said_meanwhile() {
    let mut world = World::of(heavy(120_000).bytes());
    world.is_unable = true;
    assert_eq!(person(&mut world, "stop"), None);
    world.is_unable = false;
    assert!(person(&mut world, "stop").is_some());
}

#[test]
fn a_session_that_is_switched_off_was_written_down_all_the_same() {
    for (config, is_kept) in [(json!({"weight": {"enabled": false}}), false), (json!({}), true)] {
        for moment in ["compact", "handoff", "stop"] {
            alone(|| {
                let mut world = World::of(work().bytes());
                world.config = config.clone();
                let done = at(&mut world, moment, json!({"holds": true}));
                assert_eq!(!world.states.is_empty(), is_kept, "{config} {moment}");
                assert_eq!(done["text"].is_string(), is_kept && moment == "handoff", "{config} {moment}");
            });
        }
    }
}

/// More than one request reads.
fn long_work() -> Transcript {
    let mut t = work();
    for at in 0..200 {
        t.call(25_000 + at, "Read", json!({}), &"x".repeat(40_000), false);
    }
    t
}

#[test]
fn a_transcript_that_was_read_in_part_was_written_down_at_every_request() {
    for moment in ["compact", "handoff"] {
        alone(move || {
            let mut world = World::of(long_work().bytes());
            let request = json!({"v": 1, "do": "moment", "moment": moment, "path": path(), "now": 1, "holds": true});
            let first = world.run(request.clone());
            assert_eq!(
                (&first["done"]["more"], &first["done"]["text"], world.statuses),
                (&json!(true), &Value::Null, 0)
            );
            assert!(world.states.is_empty() && world.claims == 0, "{moment}");
            world.run_on(request);
            assert_eq!((world.statuses, world.states.len()), (1, 1), "{moment}");
        });
    }
}

#[test]
fn a_compaction_in_a_transcript_that_was_read_in_part_was_offered_under_a_number_that_was_not_its_own() {
    let mut t = work();
    t.compaction(None);
    t.lines.extend(long_work().lines);
    let mut world = World::of(t.bytes());
    let request = json!({"v": 1, "do": "moment", "moment": "compacted", "path": path(), "now": 1, "holds": true});
    assert_eq!(world.run(request.clone())["done"]["model"], Value::Null);
    assert!(world.claimed.is_empty(), "{:?}", world.claimed);
    assert!(world.run_on(request)["done"]["model"].is_string());
    assert_eq!(world.claimed.into_iter().collect::<Vec<_>>(), [format!("{SESSION} offer-2")]);
}

#[test]
fn a_replay_reckoned_with_a_window_that_another_model_had_proved() {
    for (last, turns) in [("claude-opus-4-5", vec![2, 3]), ("claude-custom", vec![2])] {
        let mut t = Transcript::default();
        t.prompt("Go.");
        for (tokens, model) in [(90_000, "claude-custom"), (210_000, "claude-custom"), (165_000, last), (170_000, last)]
        {
            t.answer(tokens, &[]);
            for line in t.lines.iter_mut().rev().take(1) {
                line["message"]["model"] = model.into();
            }
        }
        t.compaction(None);
        let mut world = World::of(t.bytes());
        let done =
            world.run(json!({"v": 1, "do": "weigh", "path": path(), "config": {}, "warnings": true}))["done"].clone();
        let told: Vec<u64> = done["warnings"].as_array().unwrap().iter().map(|w| w["turn"].as_u64().unwrap()).collect();
        // As the session went on, moment by moment.
        let mut live = Vec::new();
        let mut world = World::of(Vec::new());
        let answers = t.lines.iter().enumerate().filter(|(_, line)| line["type"] == "assistant");
        for (turn, (at_line, _)) in answers.enumerate() {
            world.file = t.lines[..=at_line].iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
            if person(&mut world, "stop").is_some() {
                live.push(turn as u64 + 1);
            }
        }
        assert_eq!((&told, &live), (&turns, &turns), "{last}");
    }
}
