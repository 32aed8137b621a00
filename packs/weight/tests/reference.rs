//! The reader against a slow, plain implementation that reads the whole file at once, on every transcript of the corpus, growing and cut at
//! seeded places.

mod support;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::World;

/// What a transcript says, by the rules as they are written and without a thought for speed: the whole file as values, in one list.
fn reference(path: &str, file: &[u8]) -> Value {
    let name = Path::new(path).file_name().unwrap().to_str().unwrap();
    let stem = name.trim_end_matches(".jsonl");
    let is_agent = name.starts_with("agent-");
    let mut session = (stem.len() == 36 && stem.matches('-').count() == 4 && !is_agent).then(|| stem.to_string());
    let text = String::from_utf8_lossy(file).replace('\0', "");
    let mut complete = true;
    let mut records = Vec::new();
    let pieces: Vec<&str> = text.split('\n').collect();
    for (at, piece) in pieces.iter().enumerate() {
        let line = piece.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let whole = halves_mended(line);
        match serde_json::from_str::<Value>(&whole) {
            Ok(value) if value.is_object() => records.push(value),
            Ok(_) => {}
            // The last one may still be on its way.
            Err(_) => {
                complete = false;
                let _ = at;
            }
        }
    }
    let records: Vec<&Value> = records
        .iter()
        .filter(|record| match record["sessionId"].as_str() {
            Some(id) => session.get_or_insert(id.to_string()) == id,
            None => true,
        })
        .filter(|record| is_agent || record["isSidechain"] != true)
        .collect();

    // A compaction takes everything before it away.
    let is_boundary = |record: &Value| record["type"] == "system" && record["subtype"] == "compact_boundary";
    let mut start = 0;
    let mut left = Value::Null;
    for (at, record) in records.iter().enumerate() {
        if is_boundary(record) {
            start = at;
            let tokens = record["compactMetadata"]["postTokens"].as_u64().unwrap_or(0);
            left = if tokens > 0 { json!(tokens) } else { Value::Null };
        }
    }

    // A prompt on an older line takes away what lies between, if any of it was said or shown.
    let mut dead = HashSet::new();
    let blocks = |record: &Value| record["message"]["content"].as_array().cloned().unwrap_or_default();
    let has_result = |record: &Value| blocks(record).iter().any(|block| block["type"] == "tool_result");
    for at in start..records.len() {
        if records[at]["type"] != "user" || has_result(records[at]) {
            continue;
        }
        let Some(parent) = records[at]["parentUuid"].as_str() else { continue };
        let before = |from: &usize| records[*from]["uuid"].as_str().is_some() && !dead.contains(from);
        let living: Vec<usize> = (start..at).filter(before).collect();
        let Some(place) = living.iter().rposition(|from| records[*from]["uuid"] == parent) else { continue };
        let between = &living[place + 1..];
        if between.iter().any(|from| figure(records[*from]) > 0 || has_result(records[*from])) {
            dead.extend(between.iter().copied());
        }
    }

    // Turns: messages in the order of their first lines; of each the last line counts.
    let mut turns: Vec<(String, u64, bool)> = Vec::new();
    let mut call_turns: HashMap<String, (String, usize)> = HashMap::new();
    let mut results = Vec::new();
    for (at, record) in records.iter().enumerate() {
        if record["type"] == "assistant"
            && record["isApiErrorMessage"] != true
            && record["message"]["model"] != "<synthetic>"
        {
            let id =
                [&record["message"]["id"], &record["requestId"], &record["uuid"]].into_iter().find_map(Value::as_str);
            if let (Some(id), true) = (id, figure(record) > 0) {
                let in_context = at > start && !dead.contains(&at);
                match turns.iter_mut().find(|turn| turn.0 == id) {
                    Some(turn) => turn.1 = figure(record),
                    None => turns.push((id.to_string(), figure(record), in_context)),
                }
            }
            for block in blocks(record).iter().filter(|block| block["type"] == "tool_use") {
                if let (Some(id), Some(name)) = (block["id"].as_str(), block["name"].as_str()) {
                    call_turns.insert(id.to_string(), (name.to_string(), turns.len()));
                }
            }
        } else if record["type"] == "user" {
            for block in blocks(record).iter().filter(|block| block["type"] == "tool_result") {
                let Some((tool, turn)) = block["tool_use_id"].as_str().and_then(|id| call_turns.remove(id)) else {
                    continue;
                };
                if at >= start && !dead.contains(&at) {
                    results.push((tool, turn, characters(&block["content"])));
                }
            }
        }
    }
    let context = turns.iter().rev().find(|turn| turn.2).map_or(left, |turn| json!(turn.1));

    let count = turns.len();
    results.retain(|result| result.2 > 0);
    results.sort_by_key(|(_, turn, characters)| std::cmp::Reverse(*characters * (count - *turn + 1)));
    let heavy: Vec<Value> = results
        .iter()
        .take(3)
        .map(|(tool, turn, characters)| json!({"tool": tool, "turn": turn, "tokens": characters.div_ceil(4)}))
        .collect();
    json!({"contextTokens": context, "turns": count, "heavy": heavy, "complete": complete})
}

fn figure(record: &Value) -> u64 {
    let usage = &record["message"]["usage"];
    ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]
        .iter()
        .filter_map(|key| usage[key].as_u64())
        .sum()
}

fn characters(content: &Value) -> usize {
    let units = |text: &str| text.encode_utf16().count();
    match content {
        Value::String(text) => units(text),
        Value::Array(parts) => parts
            .iter()
            .map(|part| units(part["text"].as_str().unwrap_or("")) + if part["type"] == "image" { 6_000 } else { 0 })
            .sum(),
        _ => 0,
    }
}

/// Half a pair of surrogates as another character of one unit.
fn halves_mended(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let unit = |text: &str| {
            text.strip_prefix("\\u").and_then(|d| d.get(..4)).and_then(|d| u32::from_str_radix(d, 16).ok())
        };
        match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => {
                out.push_str(&rest[..12]);
                rest = &rest[12..];
            }
            (Some(0xd800..0xe000), _) => {
                out.push_str("\\ufffd");
                rest = &rest[6..];
            }
            _ => {
                let next = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
                out.push_str(&rest[..next]);
                rest = &rest[next..];
            }
        }
    }
    out + rest
}

fn corpus() -> Vec<PathBuf> {
    fn add(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "jsonl") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    add(Path::new("../../tests/transcripts"), &mut found);
    found.sort();
    assert!(found.len() > 80, "{}", found.len());
    found
}

/// The figures that the reference knows too.
fn known(figures: &Value) -> Value {
    let heavy: Vec<Value> = figures["heavy"]
        .as_array()
        .unwrap()
        .iter()
        .map(|heavy| json!({"tool": heavy["tool"], "turn": heavy["turn"], "tokens": heavy["tokens"]}))
        .collect();
    json!({"contextTokens": figures["contextTokens"], "turns": figures["turns"], "heavy": heavy, "complete": figures["complete"]})
}

#[test]
fn every_transcript_of_the_corpus_weighs_what_the_reference_says() {
    for path in corpus() {
        let file = std::fs::read(&path).unwrap();
        let path = path.to_str().unwrap();
        assert_eq!(known(&World::of(file.clone()).weigh(path)), reference(path, &file), "{path}");
    }
}

#[test]
fn a_transcript_that_grows_line_by_line_weighs_the_same_at_every_line() {
    for path in corpus().iter().step_by(3) {
        let file = std::fs::read(path).unwrap();
        let path = path.to_str().unwrap();
        let mut world = World::of(Vec::new());
        let ends: Vec<usize> =
            file.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        for end in ends {
            world.file = file[..end].to_vec();
            assert_eq!(known(&world.weigh(path)), reference(path, &world.file), "{path} {end}");
        }
    }
}

#[test]
fn a_transcript_that_is_cut_anywhere_is_read_to_its_end_later() {
    let mut seed = 7_u64;
    let mut random = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % most
    };
    for path in corpus().iter().step_by(2) {
        let file = std::fs::read(path).unwrap();
        let path = path.to_str().unwrap();
        let mut world = World::of(Vec::new());
        let mut cuts: Vec<usize> = (0..6).map(|_| random(file.len())).collect();
        cuts.sort_unstable();
        for cut in cuts {
            world.file = file[..cut].to_vec();
            world.weigh(path);
        }
        world.file = file.clone();
        assert_eq!(known(&world.weigh(path)), reference(path, &file), "{path}");
    }
}
