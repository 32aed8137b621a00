//! Lines of a made-up transcript, as a client writes them.

use serde_json::{Value, json};

pub const SESSION: &str = "22222222-2222-4222-8222-222222222222";

/// Where such a transcript lies.
pub fn path() -> String {
    format!("/p/{SESSION}.jsonl")
}

/// A transcript that is being written.
#[derive(Default, Clone)]
pub struct Transcript {
    pub lines: Vec<Value>,
    last: Option<String>,
    ids: usize,
}

impl Transcript {
    fn add(&mut self, mut line: Value) -> String {
        self.ids += 1;
        let uuid = format!("line-{}", self.ids);
        line["uuid"] = uuid.clone().into();
        if line.get("parentUuid").is_none() {
            line["parentUuid"] = json!(self.last);
        }
        line["sessionId"] = SESSION.into();
        self.last = Some(uuid.clone());
        self.lines.push(line);
        uuid
    }

    pub fn prompt(&mut self, text: &str) -> String {
        self.add(json!({"type": "user", "message": {"role": "user", "content": text}}))
    }

    pub fn prompt_on(&mut self, parent: &str, text: &str) -> String {
        self.add(json!({"type": "user", "parentUuid": parent, "message": {"role": "user", "content": text}}))
    }

    /// An answer with calls: tool, input. Gives the ids of the calls.
    pub fn answer(&mut self, tokens: u64, calls: &[(&str, Value)]) -> Vec<String> {
        let id = format!("msg_{}", self.ids);
        let (mut blocks, mut ids) = (vec![json!({"type": "text", "text": "So."})], Vec::new());
        for (tool, input) in calls {
            ids.push(format!("toolu_{}_{}", self.ids, ids.len()));
            blocks.push(json!({"type": "tool_use", "id": ids.last(), "name": tool, "input": input}));
        }
        // One line for each block, the figures on each.
        for block in blocks {
            self.add(json!({"type": "assistant", "message": {
                "id": id, "model": "claude-opus-4-5", "content": [block],
                "usage": {"input_tokens": 3, "cache_creation_input_tokens": 0, "cache_read_input_tokens": tokens - 3, "output_tokens": 20},
            }}));
        }
        ids
    }

    pub fn result(&mut self, call: &str, content: Value, is_error: bool) -> String {
        self.add(json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call, "content": content, "is_error": is_error},
        ]}}))
    }

    /// One answer with one call and its result.
    pub fn call(&mut self, tokens: u64, tool: &str, input: Value, result: &str, is_error: bool) {
        let ids = self.answer(tokens, &[(tool, input)]);
        self.result(&ids[0], result.into(), is_error);
    }

    pub fn compaction(&mut self, left: Option<u64>) {
        self.last = None;
        let boundary = self.add(json!({"type": "system", "subtype": "compact_boundary", "parentUuid": null,
            "compactMetadata": {"trigger": "auto", "preTokens": 180_000, "postTokens": left}}));
        self.add(json!({"type": "user", "parentUuid": boundary, "isCompactSummary": true,
            "message": {"role": "user", "content": "What happened so far."}}));
    }

    pub fn line(&mut self, line: Value) {
        self.add(line);
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
    }
}
