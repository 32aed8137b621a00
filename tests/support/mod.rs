//! A pretend host for tests: files, outputs and a saved memory, answered over the wire in any order.

#![allow(dead_code, unused_imports, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;

mod wire;

use serde_json::{Value, json};
pub use wire::{Wire, assert_recorded};

/// The fact for a `script` ask, as the pack gives it.
pub fn script(ask: &Value) -> Value {
    assert_eq!(ask["language"], "powershell", "{ask}");
    let script: Value = serde_json::from_str(&trimtab_powershell::script(ask["text"].as_str().expect("a text")))
        .expect("a pack answers JSON");
    json!({"script": script})
}

/// What the pretend machine holds.
pub struct World {
    pub wire: Wire,
    /// Real path -> (bytes, lines). Folders end with `/`.
    pub files: BTreeMap<String, (u64, u64)>,
    /// Path -> real path.
    pub links: BTreeMap<String, String>,
    /// Characters and lines of measured commands, by their words.
    pub outputs: BTreeMap<String, (u64, u64)>,
    /// Where the session works; the project unless told.
    pub place: Option<Value>,
    pub layers: Value,
    /// Saved memories by session; `None` in place of the map = the memory cannot be told.
    pub states: Option<BTreeMap<String, String>>,
    /// Every ask that came.
    pub asked: Vec<Value>,
    /// What packs give: outlines by path, and one condensed result.
    pub outlines: BTreeMap<String, String>,
    pub condensed: Option<String>,
    /// Path -> when it was changed, in ms.
    pub times: BTreeMap<String, u64>,
    /// Text -> its lines, in whatever file.
    pub found: BTreeMap<String, (u64, u64)>,
    /// Asks that are answered by `null`.
    pub silent: Vec<&'static str>,
}

impl World {
    pub fn new() -> World {
        let files = [
            ("/repo/", 0, 0),
            ("/repo/src/", 0, 0),
            ("/repo/big.rs", 24_000, 600),
            ("/repo/src/deep.rs", 24_000, 600),
            ("/repo/small.rs", 300, 12),
        ];
        World {
            wire: Wire::new(),
            files: files.into_iter().map(|(path, bytes, lines)| (path.to_string(), (bytes, lines))).collect(),
            links: BTreeMap::new(),
            outputs: BTreeMap::new(),
            place: None,
            layers: json!([]),
            states: Some(BTreeMap::new()),
            asked: Vec::new(),
            outlines: BTreeMap::new(),
            condensed: None,
            times: BTreeMap::new(),
            found: BTreeMap::new(),
            silent: Vec::new(),
        }
    }

    pub fn bash(&mut self, agent: &str, command: &str) -> String {
        self.judge(json!({"tool": "Bash", "input": {"command": command}, "session": "s", "agent": agent}))
    }

    pub fn read(&mut self, agent: &str, input: Value) -> String {
        self.judge(json!({"tool": "Read", "input": input, "session": "s", "agent": agent}))
    }

    /// A Bash call as a command hook gets it.
    pub fn hook(&mut self, command: &str) -> Value {
        let payload = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/repo", "tool_name": "Bash", "tool_input": {"command": command}});
        self.drive(json!({"v": 1, "do": "hook", "payload": payload.to_string()}))
    }

    /// `verdict why`, for a call.
    pub fn judge(&mut self, call: Value) -> String {
        let answer = self.drive(json!({"v": 1, "do": "judge", "call": call}));
        let text = |key: &str| answer["done"][key].as_str().unwrap_or("?").to_string();
        format!("{} {}", text("verdict"), text("why"))
    }

    /// A request to its end: asks are answered, effects carried out.
    pub fn drive(&mut self, request: Value) -> Value {
        let mut answer = self.step(&request);
        while let Some(asks) = answer["need"].as_array().cloned() {
            let facts: Vec<Value> = asks.iter().map(|ask| self.answer(ask)).collect();
            answer = self.step(&json!({"v": 1, "do": "facts", "call": answer["call"], "facts": facts}));
        }
        for effect in answer["effects"].as_array().cloned().unwrap_or_default() {
            if let (Some(states), Some(state)) = (&mut self.states, effect["state"].as_str()) {
                states.insert(effect["session"].as_str().unwrap_or_default().to_string(), state.to_string());
            }
        }
        answer
    }

    pub fn step(&mut self, request: &Value) -> Value {
        serde_json::from_str(&self.wire.step(&request.to_string())).expect("the wire always answers JSON")
    }

    pub fn answer(&mut self, ask: &Value) -> Value {
        self.asked.push(ask.clone());
        let kind = ask["ask"].as_str().unwrap_or_default();
        if self.silent.contains(&kind) {
            return Value::Null;
        }
        let path = |key: &str| {
            let path = ask[key].as_str().unwrap_or_default();
            let path = if path.starts_with('/') { path.to_string() } else { format!("/repo/{path}") };
            let path = path.replace("/./", "/").trim_end_matches("/.").trim_end_matches('/').to_string();
            self.links.get(&path).cloned().unwrap_or(path)
        };
        match kind {
            "place" => self.place.clone().unwrap_or_else(|| json!({"cwd": "/repo", "root": "/repo"})),
            "config" => json!({"layers": self.layers}),
            "state" => match &self.states {
                Some(states) => {
                    json!({"state": states.get(ask["session"].as_str().unwrap_or_default())})
                }
                None => Value::Null,
            },
            "stat" => {
                let real = path("path");
                match (self.files.get(&real), self.files.get(&format!("{real}/"))) {
                    (Some((bytes, _)), _) => {
                        json!({"kind": "file", "bytes": bytes, "real": real, "mtime": self.times.get(&real)})
                    }
                    (None, Some(_)) => json!({"kind": "dir", "bytes": 0, "real": real}),
                    (None, None) => json!({"kind": "none", "bytes": 0, "real": real}),
                }
            }
            "condense" => self.condensed.as_ref().map_or(Value::Null, |text| json!({"given": text})),
            "outline" => self.outlines.get(&path("path")).map_or(Value::Null, |text| json!({"given": text})),
            "whole" => json!({"given": "the whole file"}),
            "find" => match self.found.get(ask["text"].as_str().unwrap_or_default()) {
                Some((from, to)) => json!({"from": from, "to": to}),
                None => Value::Null,
            },
            "script" => script(ask),
            "lines" => self.files.get(&path("path")).map_or(Value::Null, |(_, lines)| json!({"lines": lines})),
            "measure" => {
                let words: Vec<&str> = ask["argv"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                match self.outputs.get(&words.join(" ")) {
                    Some((chars, lines)) => {
                        json!({"chars": chars, "lines": lines, "complete": true, "exit": 0})
                    }
                    None => Value::Null,
                }
            }
            other => panic!("an ask that no host knows: {other}"),
        }
    }
}
