//! What a person who looks is shown: one line, and the sections of a pane, in the same words as text.

mod support;

use serde_json::{Value, json};
use support::World;
use support::transcript::{SESSION, Transcript, path};

fn line(request: Value) -> Value {
    let mut request = request;
    request.as_object_mut().unwrap().extend(json!({"v": 1, "do": "line"}).as_object().unwrap().clone());
    World::of(Vec::new()).run(request)["done"]["text"].clone()
}

fn overview(world: &mut World, told: Value) -> Value {
    let request = json!({"v": 1, "do": "overview", "path": path(), "session": SESSION, "holds": true, "told": told});
    world.run_on(request)["done"]["overview"].clone()
}

fn count(rule: &str, spared: u64, given: u64) -> Value {
    json!({"rule": rule, "answered": 1, "spared": spared, "given": given})
}

#[test]
fn a_line_has_the_figures_that_were_told_and_no_others() {
    let limits = json!([
        {"kind": "seven_day", "percent": 41.2}, {"kind": "five_hour", "percent": 23.5}, {"kind": "spend_limit", "percent": 9},
    ]);
    let rules = json!([count("large-result", 12_700, 300), count("unseen-write", 0, 100)]);
    for (request, text) in [
        (
            json!({"live": {"tokens": 171_000, "window": 200_000}, "told": {"rules": rules, "limits": limits}}),
            json!("trimtab · context 171k of 200k (86 %) · saved about 12k · 5h 24 % · 7d 41 %"),
        ),
        (json!({"live": {"tokens": 850}}), json!("trimtab · context 850")),
        (
            json!({"live": {"window": 200_000}, "told": {"limits": [{"kind": "seven_day", "percent": 104}]}}),
            json!("trimtab · 7d 104 %"),
        ),
        (json!({"told": {"rules": [count("unseen-write", 0, 1_600)]}}), json!("trimtab · cost about 2k")),
        (json!({"told": {"rules": []}}), Value::Null),
        (json!({"live": {"window": 200_000}}), Value::Null),
        (json!({}), Value::Null),
    ] {
        assert_eq!(line(request.clone()), text, "{request}");
    }
}

#[test]
fn figures_that_cannot_be_were_shown() {
    let limits = |five: f64, seven: f64| json!([{"kind": "five_hour", "percent": five}, {"kind": "seven_day", "percent": seven}]);
    for (request, text) in [
        (json!({"told": {"limits": limits(1e300, -3.0)}}), Value::Null),
        (json!({"told": {"limits": limits(1_000.1, -0.1)}}), Value::Null),
        (json!({"told": {"limits": limits(1_000.0, 0.0)}}), json!("trimtab · 5h 1000 % · 7d 0 %")),
        (json!({"live": {"tokens": 9_007_199_254_740_991_u64, "window": 1}}), json!("trimtab · context 9007199254.7M")),
        (json!({"live": {"tokens": 10_060, "window": 1_000}}), json!("trimtab · context 10k")),
        (json!({"live": {"tokens": 10_000, "window": 1_000}}), json!("trimtab · context 10k of 1k (1000 %)")),
    ] {
        assert_eq!(line(request.clone()), text, "{request}");
    }
    let mut world = World::of(session().bytes());
    for (window, is_shown) in [(1, false), (4_000, true)] {
        world.config = json!({"contextLimit": window});
        let shown = overview(&mut world, json!({}))["text"].as_str().unwrap().contains("% of the window");
        assert_eq!(shown, is_shown, "{window}");
    }
}

#[test]
fn what_was_lost_in_all_was_less_what_was_said_instead() {
    for (spared, given, last) in [
        (1_000, 3_000, "In all cost about 2k tokens."),
        (3_000, 3_000, "In all nothing was saved."),
        (3_000, 1_000, "In all saved about 2k tokens, less what was said instead."),
    ] {
        let told = json!({"rules": [count("large-result", spared, given)]});
        let shown = overview(&mut World::of(session().bytes()), told);
        let line = shown["text"].as_str().unwrap().lines().find(|line| line.contains("In all"));
        assert_eq!(line.map(str::trim), Some(last));
    }
}

#[test]
fn a_line_stands_where_the_configuration_has_it() {
    let mut world = World::of(Vec::new());
    for (config, band, status) in [
        (json!(null), true, false),
        (json!({"enabled": true, "mode": "answer", "ui": {"band": true, "status": false}}), true, false),
        (json!({"ui": {"band": false, "status": true}}), false, true),
        (json!({"mode": "off", "ui": {"band": true, "status": true}}), false, false),
        (json!({"enabled": false, "ui": {"band": true, "status": true}}), false, false),
    ] {
        let request = json!({"v": 1, "do": "line", "config": config, "live": {"tokens": 9_000}});
        let done = world.run(request)["done"].clone();
        let at = |key: &str| done[key] == json!("trimtab · context 9k");
        assert_eq!((at("text"), at("band"), at("status")), (true, band, status), "{config}");
    }
}

/// Ten turns up to 100,000 tokens, a compaction, and two more.
fn session() -> Transcript {
    let mut t = Transcript::default();
    t.prompt("Go.");
    for turn in 1..=9 {
        t.call(turn * 10_000, "Bash", json!({}), &"x".repeat(4_000), false);
    }
    t.answer(100_000, &[]);
    t.compaction(Some(9_000));
    t.call(20_000, "Read", json!({}), &"x".repeat(40_000), false);
    t.call(30_000, "mcp__a_long_server_name__tool_name", json!({}), &"x".repeat(8_000), false);
    t.answer(40_000, &[]);
    t
}

#[test]
fn a_session_as_it_is_shown() {
    let mut world = World::of(session().bytes());
    world.config = json!({
        "enabled": true, "mode": "answer", "rules": {"recursive-grep": "off", "whole-file-read": "answer"},
        "weight": {"enabled": true, "warnAt": [150_000, 300_000]},
    });
    let told = json!({
        "rules": [
            {"rule": "large-result", "answered": 3, "again": 1, "spared": 12_700, "given": 300},
            {"rule": "whole-file-read", "refused": 2, "advised": 1, "given": 60},
        ],
        "limits": [{"kind": "five_hour", "percent": 23.5}],
        "route": "the module", "tools": true,
    });
    let overview = overview(&mut world, told);
    let shown = overview["text"].as_str().unwrap();
    assert_eq!(
        shown,
        "\
This session's context is about 40k tokens, 20 % of the window, and every turn reads it again. About 30 % of it is 2 tool results (Read in turn 11, mcp__a_long_server_name__tool_name in turn 12). `/compact` makes it smaller, a new session starts without it.
13 turns, 1 compaction.

Context over 13 turns
   100k │        ▄█
        │      ▂▇██
        │     ▅████
        │   ▄██████  ▄
        │ ▂▇███████▂▇█
        │▅████████████
      0 └─────────────
  Of the window: 50 % in turn 10

Results in it, by tool
  Read                    1×   10k  25 % ████████
  …ver_name__tool_name    1×    2k   5 % ██

The heaviest, by size times the turns that carried them
  Read                 turn 11      10k  25 %
  …ver_name__tool_name turn 12       2k   5 %

Said by rule
  large-result         3 made smaller, 1 asked again, saved about 12k
  whole-file-read      2 refused, 1 advised, cost about 60
  In all saved about 12k tokens, less what was said instead.

Limits of the account
  5 hours: 24 % used

On
  Calls and results: mode answer, by the module
  Rules that are off: recursive-grep
  Code tools: offered
  Weight: told at 100k and 160k"
    );
}
