//! The traps of the format and bad input: a figure that is marked incomplete, or silence; never an error, never a wrong number.

mod support;

use serde_json::{Value, json};
use support::World;
use support::transcript::{SESSION, Transcript, path};

fn weigh(bytes: Vec<u8>) -> Value {
    World::of(bytes).weigh(&path())
}

/// Context, turns, the heaviest as `tool turn`, and whether that is all.
fn brief(figures: &Value) -> (Option<u64>, Option<u64>, Vec<String>, bool) {
    let heavy = figures["heavy"].as_array().unwrap().iter();
    let names = heavy.map(|heavy| format!("{} {}", heavy["tool"].as_str().unwrap(), heavy["turn"])).collect();
    (figures["contextTokens"].as_u64(), figures["turns"].as_u64(), names, figures["complete"] == true)
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| name.to_string()).collect()
}

fn usual() -> Transcript {
    let mut t = Transcript::default();
    t.prompt("Look.");
    t.call(20_000, "Read", json!({"file_path": "/repo/a"}), &"x".repeat(9_000), false);
    t.call(23_000, "Bash", json!({"command": "ls"}), &"y".repeat(16_000), false);
    t.answer(28_000, &[]);
    t
}

#[test]
fn results_are_ranked_by_size_times_the_turns_that_carried_them() {
    let mut t = Transcript::default();
    t.prompt("Look.");
    t.call(10_000, "Read", json!({}), &"x".repeat(400), false);
    t.call(11_000, "Read", json!({}), &"x".repeat(40_000), false);
    t.call(22_000, "Bash", json!({}), "", false);
    t.call(23_000, "Grep", json!({}), &"x".repeat(60_000), false);
    assert_eq!(brief(&weigh(t.bytes())), (Some(23_000), Some(4), names(&["Read 2", "Grep 4", "Read 1"]), true));
}

#[test]
fn a_message_counts_once_whatever_its_lines_and_its_last_line_counts() {
    let mut t = usual();
    let usage = |tokens: u64| json!({"input_tokens": tokens, "output_tokens": 1});
    for tokens in [30_000, 31_000, 32_000] {
        t.line(json!({"type": "assistant", "message": {"id": "msg_last", "content": [], "usage": usage(tokens)}}));
    }
    assert_eq!(brief(&weigh(t.bytes())).0, Some(32_000));
    // A late line of an older message is not the last request.
    t.line(json!({"type": "assistant", "message": {"id": "msg_4", "content": [], "usage": usage(9)}}));
    assert_eq!(brief(&weigh(t.bytes())), (Some(32_000), Some(4), names(&["Bash 2", "Read 1"]), true));
}

#[test]
fn lines_of_the_client_of_agents_and_without_usage_are_no_answers() {
    let usage = json!({"input_tokens": 7, "cache_read_input_tokens": 70_000});
    for line in [
        json!({"type": "assistant", "message": {"id": "a", "model": "<synthetic>", "usage": usage}}),
        json!({"type": "assistant", "isApiErrorMessage": true, "message": {"id": "b", "model": "m", "usage": usage}}),
        json!({"type": "assistant", "isSidechain": true, "message": {"id": "c", "usage": usage}}),
        json!({"type": "assistant", "message": {"id": "d", "usage": {"input_tokens": 0, "output_tokens": 9}}}),
        json!({"type": "assistant", "message": {"id": "e"}}),
        json!({"type": "summary", "message": {"id": "f", "usage": usage}}),
    ] {
        let mut t = usual();
        t.line(line.clone());
        assert_eq!(brief(&weigh(t.bytes())), (Some(28_000), Some(3), names(&["Bash 2", "Read 1"]), true), "{line}");
    }
}

#[test]
fn after_a_compaction_what_is_left_counts_else_nothing_is_known_and_nothing_from_before_is_named() {
    for left in [Some(13_958), None] {
        let mut t = usual();
        t.compaction(left);
        assert_eq!(brief(&weigh(t.bytes())), (left, Some(3), names(&[]), true));
        // A client's own line and an answer's late one change nothing.
        t.line(
            json!({"type": "assistant", "message": {"id": "s", "model": "<synthetic>", "usage": {"input_tokens": 0}}}),
        );
        t.line(json!({"type": "assistant", "message": {"id": "msg_7", "usage": {"input_tokens": 28_000}}}));
        assert_eq!(brief(&weigh(t.bytes())).0, left);
        t.call(15_000, "Read", json!({}), "xxxx", false);
        assert_eq!(brief(&weigh(t.bytes())), (Some(15_000), Some(4), names(&["Read 4"]), true));
    }
}

#[test]
fn what_a_rewind_left_behind_is_neither_named_nor_counted() {
    let mut t = Transcript::default();
    t.prompt("One.");
    t.call(20_000, "Read", json!({}), &"x".repeat(9_000), false);
    t.answer(23_000, &[]);
    let place = t.lines.last().unwrap()["uuid"].as_str().unwrap().to_string();
    t.prompt("Two.");
    t.call(24_000, "Bash", json!({}), &"y".repeat(80_000), false);
    t.answer(45_000, &[]);
    t.prompt_on(&place, "Another two.");
    assert_eq!(brief(&weigh(t.bytes())), (Some(23_000), Some(4), names(&["Read 1"]), true));
    t.call(24_100, "Grep", json!({}), "zzzz", false);
    assert_eq!(brief(&weigh(t.bytes())), (Some(24_100), Some(5), names(&["Read 1", "Grep 5"]), true));
}

#[test]
fn a_writer_that_goes_on_where_another_turned_away_makes_the_figures_incomplete() {
    let mut t = usual();
    let place = t.prompt("Two.");
    t.answer(30_000, &[]);
    let theirs = t.lines.last().unwrap()["uuid"].as_str().unwrap().to_string();
    t.prompt_on(&place, "By the other client.");
    t.answer(30_500, &[]);
    assert!(brief(&weigh(t.bytes())).3);
    t.prompt_on(&theirs, "By the first client again.");
    assert!(!brief(&weigh(t.bytes())).3);
}

#[test]
fn a_cut_last_line_is_incomplete_until_its_rest_is_there() {
    let mut t = usual();
    let whole = t.bytes();
    t.answer(90_000, &[]);
    let more = t.bytes();
    let mut world = World::of(whole.clone());
    for cut in [whole.len() + 1, whole.len() + 40, more.len() - 9] {
        world.file = more[..cut].to_vec();
        assert_eq!(brief(&world.weigh(&path())), (Some(28_000), Some(3), names(&["Bash 2", "Read 1"]), false), "{cut}");
    }
    // Only the line's end is missing: it says what it says.
    world.file = more[..more.len() - 1].to_vec();
    assert_eq!(brief(&world.weigh(&path())).0, Some(90_000));
    world.file = more;
    assert_eq!(brief(&world.weigh(&path())), (Some(90_000), Some(4), names(&["Bash 2", "Read 1"]), true));
}

#[test]
fn a_file_that_shrank_or_is_another_is_read_anew() {
    let mut world = World::of(usual().bytes());
    world.weigh(&path());
    let mut other = Transcript::default();
    other.prompt("Another.");
    other.call(5_000, "Glob", json!({}), "xxxx", false);
    let small = other.bytes();
    other.line(json!({"type": "user", "message": {"content": "x".repeat(50_000)}}));
    other.answer(17_000, &[]);
    for (file, tokens) in [(other.bytes(), 17_000), (small, 5_000), (other.bytes(), 17_000)] {
        world.file = file;
        let figures = world.weigh(&path());
        assert_eq!((brief(&figures).0, brief(&figures).2), (Some(tokens), names(&["Glob 1"])));
    }
}

#[test]
fn a_line_of_twenty_megabytes_is_stepped_over_and_the_figures_are_marked() {
    let mut t = usual();
    let before = t.bytes();
    t.line(json!({"type": "attachment", "attachment": {"content": "ö".repeat(10_000_000)}}));
    t.call(40_000, "WebFetch", json!({}), &"z".repeat(20_000), false);
    let mut world = World::of(t.bytes());
    assert_eq!(
        brief(&world.weigh(&path())),
        (Some(40_000), Some(4), names(&["Bash 2", "Read 1", "WebFetch 4"]), false)
    );
    let largest = world.asked.iter().map(|range| range.1).max();
    assert!(largest <= Some(1_048_576 + 512), "{largest:?}");

    // The same by a reader that had read what was before it.
    let mut world = World::of(before);
    world.weigh(&path());
    world.file = t.bytes();
    assert_eq!(
        brief(&world.weigh(&path())),
        (Some(40_000), Some(4), names(&["Bash 2", "Read 1", "WebFetch 4"]), false)
    );
}

#[test]
fn bytes_that_are_no_text_do_not_lead_astray() {
    let mut t = usual();
    let mut bytes = t.bytes();
    for _ in 0..3 {
        bytes.extend(b"{\"type\":\"user\",\"message\":{\"content\":\"\xff\xfe\xc3 \xe2\x82 and on\"}}\n");
    }
    t.lines.clear();
    t.answer(31_000, &[]);
    bytes.extend(t.bytes());
    let mut world = World::of(bytes.clone());
    assert_eq!(brief(&world.weigh(&path())).0, Some(31_000));
    t.lines.clear();
    t.answer(32_000, &[]);
    world.file.extend(t.bytes());
    assert_eq!(brief(&world.weigh(&path())), (Some(32_000), Some(5), names(&["Bash 2", "Read 1"]), true));
}

#[test]
fn a_line_that_is_no_json_marks_the_figures() {
    let mut bytes = usual().bytes();
    bytes.extend(b"{\"type\":\"user\",{\"type\":\"assis\n");
    assert_eq!(brief(&weigh(bytes)), (Some(28_000), Some(3), names(&["Bash 2", "Read 1"]), false));
}

#[test]
fn a_large_file_answers_from_its_end_at_once_and_completes_in_slices() {
    let mut t = Transcript::default();
    t.prompt("Look.");
    let mut tokens = 10_000;
    for at in 0..400 {
        tokens += 300;
        let tool = if at % 7 == 0 { "Bash" } else { "Read" };
        t.call(tokens, tool, json!({}), &"x".repeat(30_000 + (at * 7919) % 1000), false);
    }
    let mut world = World::of(t.bytes());
    let request = json!({"v": 1, "do": "weigh", "path": path(), "config": {}, "holds": true});
    let first = world.run(request.clone())["done"].clone();
    let figures = &first["figures"];
    assert_eq!((brief(figures), &first["more"]), ((Some(130_000), None, names(&[]), false), &json!(true)));
    assert_eq!(world.asked.len(), 2);
    let figures = world.run_on(request)["done"]["figures"].clone();
    assert_eq!(figures, World::of(t.bytes()).weigh(&path()));
    assert_eq!(
        (figures["contextTokens"].as_u64(), figures["turns"].as_u64(), &figures["complete"]),
        (Some(130_000), Some(400), &json!(true))
    );
}

#[test]
fn the_first_ranges_of_a_pack_that_was_just_started_took_longer_than_a_slice_may() {
    let ranges = |t: &Transcript| {
        let mut world = World::of(t.bytes());
        world.weigh(&path());
        world.asked.iter().map(|(_, bytes)| bytes / 1024).collect::<Vec<_>>()
    };
    let mut t = Transcript::default();
    for at in 0..110 {
        t.call(20_000 + at, "Read", json!({}), &"x".repeat(10_000), false);
    }
    assert_eq!(ranges(&t), [32, 64, 128, 256, 512, 1024]);
    // It is no longer cold.
    assert_eq!(ranges(&t), [1024]);
}

#[test]
fn a_line_that_is_longer_than_the_first_ranges_is_read_whole() {
    let mut t = usual();
    t.call(40_000, "WebFetch", json!({}), &"z".repeat(900_000), false);
    assert_eq!(brief(&weigh(t.bytes())), (Some(40_000), Some(4), names(&["WebFetch 4", "Bash 2", "Read 1"]), true));
}

#[test]
fn what_is_kept_between_two_processes_is_enough_to_go_on() {
    let t = usual();
    let mut world = World::of(Vec::new());
    let request = json!({"v": 1, "do": "moment", "moment": "stop", "path": path(), "now": 1, "holds": false});
    let mut written = Vec::new();
    for line in &t.lines {
        written.extend(format!("{line}\n").into_bytes());
        world.file = written.clone();
        world.run(request.clone());
    }
    let overview = json!({"v": 1, "do": "overview", "path": path(), "now": 1});
    world.asked.clear();
    let answer = world.run(overview.clone());
    let figures = weigh(t.bytes());
    for key in ["contextTokens", "turns", "heavy", "complete"] {
        assert_eq!(answer["done"]["overview"][key], figures[key]);
    }
    assert!(world.asked.len() == 1 && world.asked[0].0 >= written.len() as u64 - 512, "{:?}", world.asked);
    // What nobody can read is as if nothing had been kept.
    world.states.insert(SESSION.into(), "{\"figures\":7}".into());
    assert_eq!(world.run(overview)["done"]["overview"]["turns"], figures["turns"]);
}

#[test]
fn only_names_of_tools_and_figures_leave_a_transcript() {
    let secret = "SECRET";
    let mut t = Transcript::default();
    t.prompt(secret);
    let ids = t.answer(
        160_000,
        &[
            ("Bash", json!({"command": secret, "file_path": secret})),
            ("SECRET tool of SECRET", json!({"SECRET": secret})),
        ],
    );
    t.result(&ids[0], secret.repeat(4_000).into(), false);
    t.result(&ids[1], json!([{"type": "text", "text": secret.repeat(5_000)}]), true);
    for key in
        ["cwd", "gitBranch", "version", "slug", "toolUseResult", "type", "subtype", "requestId", "agentId", "timestamp"]
    {
        t.line(json!({"type": "assistant", key: secret, "message": {"id": secret, "model": "SECRET[1m]", "content": secret, "usage": {"input_tokens": 160_000, "service_tier": secret}}}));
    }
    t.compaction(Some(9));
    t.call(170_000, "Read", json!({"file_path": secret}), &secret.repeat(9_000), false);
    let mut world = World::of(t.bytes());
    world.weigh(&path());
    for request in [
        json!({"do": "overview"}),
        json!({"do": "moment", "moment": "tick", "live": {"tokens": 190_000, "window": 200_000}}),
        json!({"do": "moment", "moment": "end"}),
    ] {
        let mut request = request;
        request
            .as_object_mut()
            .unwrap()
            .extend(json!({"v": 1, "path": path(), "holds": true, "now": 1}).as_object().unwrap().clone());
        world.run(request);
    }
    // Another process, which knows nothing of what was claimed.
    world.claimed.clear();
    let prompt = world.run(json!({"v": 1, "do": "moment", "moment": "prompt", "path": path(), "now": 1}));
    assert!(prompt["done"]["person"].is_string() && prompt["done"]["model"].is_string(), "{prompt}");
    world.said.pop();
    world.said.push(prompt["done"].to_string());
    for said in &world.said {
        assert!(!said.contains(secret), "{said}");
    }
    // What lies in the person's folder: the state of the work is a quotation, the figures hold no text.
    let kept: Value = serde_json::from_str(&world.states[SESSION]).unwrap();
    assert!(!kept["figures"].to_string().contains(secret));
    assert!(kept["task"].to_string().contains(secret));
}
