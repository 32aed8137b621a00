//! When an automatic compaction waits: each of the four conditions with what meets it and what nearly does, and what always lets it through.

mod support;

use serde_json::{Value, json};
use support::World;
use support::transcript::{SESSION, Transcript, path};

/// The reason to wait, in its last words; `None` = it goes through.
fn reason(world: &mut World, more: Value) -> Option<String> {
    let mut request = json!({"v": 1, "do": "moment", "moment": "compact", "trigger": "auto", "path": path(), "now": 1, "holds": true});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let done = world.run_on(request)["done"].clone();
    done["skip"].as_str().map(|text| text.rsplit(": ").next().unwrap().to_string())
}

fn waits(t: &Transcript, config: Value) -> Option<String> {
    let bytes = t.bytes();
    // In a pack that holds nothing yet.
    std::thread::spawn(move || {
        let mut world = World::of(bytes);
        world.config = json!({"compaction": {"wait": true}});
        world.config["compaction"].as_object_mut().unwrap().extend(config.as_object().unwrap().clone());
        reason(&mut world, json!({}))
    })
    .join()
    .unwrap()
}

const OPEN: Option<&str> = Some("something was edited and is neither committed nor ticked off");
const IDLE: Option<&str> = Some("nothing was finished since the last one");
const UNUSED: Option<&str> = Some("what was read last has not been used yet");
const STUCK: Option<&str> = Some("the same thing has failed again");

type Step<'a> = (&'a str, Value, &'a str, bool);

fn edit(path: &str) -> Step<'_> {
    ("Edit", json!({"file_path": path}), "ok", false)
}

fn bash(command: &str) -> Step<'_> {
    ("Bash", json!({"command": command}), "ok", false)
}

fn fails(command: &str) -> Step<'_> {
    ("Bash", json!({"command": command}), "Exit code 1", true)
}

fn todos(statuses: &[&str]) -> Step<'static> {
    let todo = |(at, status)| json!({"content": format!("Task {at}"), "status": status});
    ("TodoWrite", json!({"todos": statuses.iter().enumerate().map(todo).collect::<Vec<_>>()}), "ok", false)
}

fn session(steps: &[Step]) -> Transcript {
    let mut t = Transcript::default();
    t.prompt("Go.");
    for (at, (tool, input, result, is_error)) in steps.iter().enumerate() {
        t.call(150_000 + at as u64, tool, input.clone(), result, *is_error);
    }
    t.answer(160_000, &[]);
    t
}

#[test]
fn closed() {
    for (title, steps, expect) in [
        ("an edit, and a commit after it", vec![edit("/a"), bash("git add -A && git commit -m x")], None),
        ("an edit after the commit", vec![edit("/a"), bash("git commit -m x"), edit("/a")], OPEN),
        ("a look at commits is none", vec![edit("/a"), bash("git log --grep commit")], OPEN),
        ("another branch is no commit", vec![edit("/a"), bash("git switch -c new")], OPEN),
        ("a commit on a later line was none", vec![edit("/a"), bash("cd /r\ngit add -A\ngit commit -m done")], None),
        ("far behind was none", vec![edit("/a"), bash(&format!("cd /{} && git commit -m x", "r".repeat(300)))], None),
        ("a commit that failed", vec![edit("/a"), fails("git commit -m x")], OPEN),
        (
            "an edit that failed opens nothing",
            vec![bash("git commit -m x"), ("Edit", json!({"file_path": "/a"}), "no", true)],
            None,
        ),
        (
            "a task that was ticked off",
            vec![todos(&["in_progress", "pending"]), edit("/a"), todos(&["completed", "in_progress"])],
            None,
        ),
        (
            "a task that had been ticked off before",
            vec![todos(&["completed", "pending"]), edit("/a"), todos(&["completed", "in_progress"])],
            OPEN,
        ),
        (
            "a task by its number",
            vec![
                ("TaskCreate", json!({"subject": "One"}), "Task #1 created successfully", false),
                edit("/a"),
                ("TaskUpdate", json!({"taskId": "1", "status": "completed"}), "ok", false),
            ],
            None,
        ),
        (
            "a task that has begun",
            vec![
                ("TaskCreate", json!({"subject": "One"}), "Task #1 created successfully", false),
                edit("/a"),
                ("TaskUpdate", json!({"taskId": "1", "status": "in_progress"}), "ok", false),
            ],
            OPEN,
        ),
    ] {
        assert_eq!(waits(&session(&steps), json!({})).as_deref(), expect, "{title}");
    }
}

#[test]
fn progress() {
    let done = [edit("/a"), bash("git commit -m x")];
    for (title, steps, expect) in [
        ("only looked at", vec![bash("ls"), ("Read", json!({"file_path": "/a"}), "x", false)], IDLE),
        ("committed", done.to_vec(), None),
        ("mended", vec![fails("make"), bash("make")], None),
        ("failed once", vec![fails("make"), bash("ls")], IDLE),
    ] {
        assert_eq!(waits(&session(&steps), json!({})).as_deref(), expect, "{title}");
    }
    let mut t = session(&done);
    t.compaction(None);
    t.answer(150_000, &[]);
    assert_eq!(waits(&t, json!({})).as_deref(), IDLE, "done before the last compaction");
    t.call(151_000, "Bash", json!({"command": "git commit -m y"}), "ok", false);
    t.answer(152_000, &[]);
    assert_eq!(waits(&t, json!({})), None, "and after it");
}

#[test]
fn reducible() {
    for (old, new, is_answered, expect) in [
        (40_000, 41_000, false, UNUSED),
        (41_000, 40_000, false, None),
        (40_000, 40_000, false, None),
        (0, 41_000, true, None),
        (0, 0, false, None),
    ] {
        let mut t = session(&[edit("/a"), bash("git commit -m x")]);
        t.lines.iter_mut().for_each(|line| {
            if line["message"]["content"][0]["type"] == "tool_result" {
                line["message"]["content"][0]["content"] = "".into();
            }
        });
        t.call(161_000, "Read", json!({}), &"x".repeat(old), false);
        t.call(162_000, "Read", json!({}), &"x".repeat(new), false);
        if is_answered {
            t.answer(163_000, &[]);
        }
        assert_eq!(waits(&t, json!({})).as_deref(), expect, "{old} {new} {is_answered}");
    }
}

#[test]
fn not_stuck() {
    let closed = [edit("/a"), bash("git commit -m x")];
    for (title, steps, expect) in [
        ("failed twice", vec![fails("make"), edit("/b"), fails("make")], STUCK),
        (
            "two things that begin alike were taken for one",
            vec![fails("set -e\ngrep foo a"), fails("set -e\nls /nope")],
            None,
        ),
        ("one of more lines, twice", vec![fails("set -e\nls /nope"), fails("ls"), fails("set -e\nls /nope")], STUCK),
        ("failed once, and another thing once", vec![fails("make"), fails("make test")], None),
        ("failed twice and works", vec![fails("make"), fails("make"), bash("make")], None),
        ("failed, worked and failed", vec![fails("make"), bash("make"), fails("make")], None),
        ("failed twice, long ago", [vec![fails("make"), fails("make")], vec![bash("ls"); 10]].concat(), None),
    ] {
        let steps = [steps, closed.to_vec()].concat();
        assert_eq!(waits(&session(&steps), json!({})).as_deref(), expect, "{title}");
    }
}

#[test]
fn the_persons_words_say_it_too() {
    let (closing, opening) = (format!("{} Done.", "ä".repeat(3_000)), format!("Done. {}", "ä".repeat(3_000)));
    for (said, key, words, steps, expect) in [
        // Only the beginning of a long text was kept.
        (closing.as_str(), "closed", json!(["done"]), vec![edit("/a")], None),
        (opening.as_str(), "closed", json!(["done"]), vec![edit("/a")], OPEN),
        ("All is Done.", "closed", json!(["done"]), vec![edit("/a")], None),
        ("It is undone.", "closed", json!(["done"]), vec![edit("/a")], OPEN),
        ("All is done.", "closed", json!([]), vec![edit("/a")], OPEN),
        ("I found out much.", "progress", json!(["found out"]), vec![bash("ls")], None),
        ("In summary: no.", "reducible", json!(["in summary"]), vec![edit("/a"), bash("git commit -m x")], None),
        ("Still failing!", "stuck", json!(["still failing"]), vec![edit("/a"), bash("git commit -m x")], STUCK),
    ] {
        let mut t = session(&steps);
        for line in t.lines.iter_mut().rev().take(1) {
            line["message"]["content"][0]["text"] = said.into();
        }
        let mut config = json!({});
        config[key] = words;
        assert_eq!(waits(&t, config).as_deref(), expect, "{said} {key}");
        t.prompt("Something else.");
        assert_ne!(
            waits(&t, json!({"stuck": ["still failing"]})).as_deref(),
            STUCK,
            "what was said before a prompt is over"
        );
    }
    let mut t = session(&[edit("/a"), bash("git commit -m x")]);
    let ids = t.answer(161_000, &[("Read", json!({}))]);
    t.lines.iter_mut().for_each(|line| {
        if line["message"]["content"][0]["type"] == "text" {
            line["message"]["content"][0]["text"] = "In summary: much.".into();
        }
    });
    t.result(&ids[0], "x".repeat(9_000).into(), false);
    assert_eq!(waits(&t, json!({})).as_deref(), UNUSED);
    assert_eq!(waits(&t, json!({"reducible": ["in summary"]})), None);
}

#[test]
fn only_an_automatic_compaction_of_a_known_size_below_the_ceiling_waits_and_only_where_it_was_switched_on() {
    let live = |tokens: u64| json!({"live": {"tokens": tokens, "window": 200_000}});
    for (title, config, more, does_wait) in [
        ("switched on", json!({"compaction": {"wait": true}}), live(150_000), true),
        ("the default", json!({}), live(150_000), false),
        ("weight is off", json!({"compaction": {"wait": true}, "weight": {"enabled": false}}), live(150_000), false),
        ("below the ceiling", json!({"compaction": {"wait": true}}), live(189_979), true),
        ("at the ceiling with its last answer", json!({"compaction": {"wait": true}}), live(189_980), false),
        ("asked for", json!({"compaction": {"wait": true}}), json!({"trigger": "manual"}), false),
        ("by a plugin", json!({"compaction": {"wait": true}}), json!({"trigger": "plugin"}), false),
        ("of a host that cannot", json!({"compaction": {"wait": true}}), json!({"trigger": null}), false),
        ("at another moment", json!({"compaction": {"wait": true}}), json!({"moment": "stop"}), false),
    ] {
        std::thread::spawn(move || {
            let mut world = World::of(session(&[edit("/a")]).bytes());
            world.config = config;
            assert_eq!(reason(&mut world, more).is_some(), does_wait, "{title}");
        })
        .join()
        .unwrap();
    }
    // Nobody knows the window of this model.
    let text = String::from_utf8(session(&[edit("/a")]).bytes()).unwrap().replace("claude-opus-4-5", "claude-custom");
    let mut world = World::of(text);
    world.config = json!({"compaction": {"wait": true}});
    assert_eq!(reason(&mut world, json!({})), None);
}

#[test]
fn what_came_since_the_last_request_was_not_reckoned_into_the_ceiling() {
    for (title, result, is_answered, is_compacted, does_wait) in [
        ("a result of 20,000 tokens", 80_000, false, false, false),
        ("one that fits below it", 79_916, false, false, true),
        ("one that the last request held", 80_000, true, false, true),
        ("one that a compaction took away", 80_000, false, true, true),
    ] {
        std::thread::spawn(move || {
            let mut t = session(&[edit("/a")]);
            t.call(170_000, "Read", json!({}), &"x".repeat(result), false);
            if is_answered {
                t.answer(170_000, &[]);
            }
            if is_compacted {
                t.compaction(Some(170_000));
            }
            let mut world = World::of(t.bytes());
            world.config = json!({"compaction": {"wait": true}});
            assert_eq!(reason(&mut world, json!({})).is_some(), does_wait, "{title}");
        })
        .join()
        .unwrap();
    }
}

#[test]
fn a_command_hook_never_makes_one_wait() {
    let mut world = World::of(session(&[edit("/a")]).bytes());
    world.config = json!({"compaction": {"wait": true}});
    let payload =
        json!({"hook_event_name": "PreCompact", "trigger": "auto", "session_id": SESSION, "transcript_path": path()});
    let answer = world.run(json!({"v": 1, "do": "hook", "trigger": "auto", "payload": payload.to_string(), "now": 1}));
    assert_eq!((&answer["done"], &answer["answer"]), (&json!({"verdict": "pass", "why": "read"}), &Value::Null));
    assert_eq!(world.claims, 0);
}

#[test]
fn a_session_waits_twice_whoever_asks() {
    let mut world = World::of(session(&[edit("/a")]).bytes());
    world.config = json!({"compaction": {"wait": true}});
    assert_eq!([(); 4].map(|()| reason(&mut world, json!({})).is_some()), [true, true, false, false]);
    // A client that took the session up, and knows only what was claimed.
    let (claimed, file) = (world.claimed, world.file);
    std::thread::spawn(move || {
        let mut world = World::of(file);
        world.config = json!({"compaction": {"wait": true}});
        world.claimed = claimed;
        assert_eq!([(); 4].map(|()| reason(&mut world, json!({})).is_some()), [false; 4]);
    })
    .join()
    .unwrap();
    let mut world = World::of(session(&[edit("/a")]).bytes());
    world.config = json!({"compaction": {"wait": true}});
    world.is_unable = true;
    assert_eq!(reason(&mut world, json!({})), None, "what cannot be counted does not wait");
}
