//! A host for the pack: answers its asks out of a pretend file, and drives one request to its end.

#![allow(dead_code)] // Each test uses its part of it.

pub mod transcript;

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

#[derive(Default)]
pub struct World {
    pub file: Vec<u8>,
    pub config: Value,
    pub from: Vec<&'static str>,
    pub states: HashMap<String, String>,
    pub claimed: HashSet<String>,
    pub git: String,
    /// How often a claim was asked for, and `git status`.
    pub claims: usize,
    pub statuses: usize,
    /// No claim can be told.
    pub is_unable: bool,
    /// The ranges that were asked for: from where, and how many bytes.
    pub asked: Vec<(u64, u64)>,
    pub left: Vec<Value>,
    /// Everything that came out of the pack.
    pub said: Vec<String>,
}

impl World {
    pub fn of(file: impl Into<Vec<u8>>) -> World {
        World { file: file.into(), config: json!({}), ..World::default() }
    }

    fn fact(&mut self, ask: &Value) -> Value {
        match ask["ask"].as_str().unwrap() {
            "config" => json!({"config": self.config, "from": self.from}),
            "state" => json!({"state": self.states.get(ask["session"].as_str().unwrap())}),
            "claim" => {
                self.claims += 1;
                if self.is_unable {
                    return Value::Null;
                }
                let name = |key: &str| ask[key].as_str().unwrap();
                json!({"won": self.claimed.insert(format!("{} {}", name("session"), name("name")))})
            }
            "run" => {
                self.statuses += 1;
                json!({"stdout": self.git, "exit": 0, "complete": true})
            }
            "text" => {
                let (from, bytes) = (ask["from"].as_u64().unwrap(), ask["bytes"].as_u64().unwrap());
                self.asked.push((from, bytes));
                text_fact(&self.file, from as usize, bytes as usize)
            }
            other => panic!("asked for {other}"),
        }
    }

    /// One request with all its rounds.
    pub fn run(&mut self, request: Value) -> Value {
        let mut answer = self.step(request);
        for _ in 0..8 {
            let Some(asks) = answer["need"].as_array() else { break };
            let mut facts: Vec<Value> = asks.clone().iter().map(|ask| self.fact(ask)).collect();
            // As glue/weight.js does.
            let text = facts.iter_mut().find_map(|fact| fact.as_object_mut()?.remove("text"));
            let head = json!({"v": 1, "do": "facts", "call": answer["call"], "facts": facts});
            answer = self.step_on(head, text.as_ref().and_then(Value::as_str));
        }
        for effect in answer["effects"].as_array().cloned().unwrap_or_default() {
            match effect["effect"].as_str().unwrap() {
                "save" => {
                    self.states
                        .insert(effect["session"].as_str().unwrap().into(), effect["state"].as_str().unwrap().into());
                }
                _ => self.left.push(effect),
            }
        }
        assert!(answer["done"].is_object(), "{answer}");
        answer
    }

    /// Until nothing more is to be read.
    pub fn run_on(&mut self, request: Value) -> Value {
        loop {
            let answer = self.run(request.clone());
            if answer["done"]["more"] != true {
                return answer;
            }
        }
    }

    pub fn weigh(&mut self, path: &str) -> Value {
        self.run_on(json!({"v": 1, "do": "weigh", "path": path, "config": self.config, "holds": true}))["done"]["figures"].clone()
    }

    fn step(&mut self, request: Value) -> Value {
        self.step_on(request, None)
    }

    fn step_on(&mut self, head: Value, text: Option<&str>) -> Value {
        let request = text.map_or(head.to_string(), |text| format!("{head}\n{text}"));
        let answer = trimtab_weight::step(&request);
        self.said.push(answer.clone());
        serde_json::from_str(&answer).unwrap()
    }
}

/// As a host gives it: bytes that are no text become U+FFFD, and then the places of the ends of lines are told.
pub fn text_fact(file: &[u8], from: usize, bytes: usize) -> Value {
    let start = from.min(file.len());
    let range = &file[start..(start + bytes).min(file.len())];
    let place = |at: Option<usize>| at.map(|at| at + 1);
    json!({
        "text": String::from_utf8_lossy(range),
        "bytes": file.len(),
        "first": place(range.iter().position(|byte| *byte == b'\n')),
        "last": place(range.iter().rposition(|byte| *byte == b'\n')),
    })
}
