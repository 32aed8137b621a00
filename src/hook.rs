//! Command hooks: the client's payload becomes a call, the outcome becomes the client's answer.
//!
//! The answers are a closed set: nothing, a refusal with its reason, or text beside the result. Invariant: no path
//! grants a permission.

use serde_json::{Value, json};

use crate::core::{Call, Input};
use crate::intent::Intent;
use crate::outcome::{Outcome, Verdict};
use crate::wire;

/// The call in a payload, or the code of what is wrong with it.
pub fn call(payload: &str) -> Result<Call, &'static str> {
    let value = wire::parse(payload).map_err(|_| "payload-not-json")?;
    if !value.is_object() {
        return Err("payload-no-object");
    }
    let text = |key: &str| value[key].as_str().filter(|s| !s.is_empty()).map(str::to_string);
    // Without a session nothing can be remembered, and a refusal would come again and again.
    let session = text("session_id").ok_or("payload-without-session")?;
    let tool = text("tool_name").ok_or("payload-without-tool")?;
    let after = value["hook_event_name"] == "PostToolUse";
    let input = match value["hook_event_name"].as_str() {
        Some("PostToolUse" | "PreToolUse") => tool_input(&tool, &value["tool_input"])?,
        Some(_) => Input::Other,
        None => return Err("payload-without-event"),
    };
    Ok(Call {
        input,
        cwd: text("cwd"),
        session: Some(session),
        agent: text("agent_id").unwrap_or_default(),
        config: None,
        sheet: None,
        fill: None,
        window: None,
        shown: after.then(|| wire::shown(&value["tool_response"])),
        words: if after { wire::words(&tool, &value["tool_input"]) } else { String::new() },
        // Its result comes to PostToolUse.
        answers: tool == "Read",
        alone: true,
    })
}

/// The arguments of a tool that is judged; of the wrong type they are a fault worth a record.
fn tool_input(tool: &str, input: &Value) -> Result<Input, &'static str> {
    match wire::input(tool, input) {
        Input::Other if matches!(tool, "Bash" | "PowerShell") && !input["command"].is_string() => {
            Err("payload-bad-input")
        }
        Input::Other if tool == "Read" => Err("payload-bad-input"),
        input => Ok(input),
    }
}

/// What a command hook prints; `None` = nothing.
pub fn answer(outcome: &Outcome) -> Option<String> {
    let text = outcome.text.as_ref()?;
    let specific = match outcome.verdict {
        Verdict::Advise => json!({"hookEventName": "PreToolUse", "additionalContext": text}),
        Verdict::Answer => {
            let file = outcome.intents.iter().find_map(|intent| match intent {
                Intent::Read(read) => Some(&read.path),
                _ => None,
            })?;
            let lines = text.matches('\n').count() + 1;
            let file =
                json!({"filePath": file, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines});
            json!({"hookEventName": "PostToolUse", "updatedToolOutput": {"type": "text", "file": file}})
        }
        // A client takes other arguments with a permission only.
        Verdict::Pass | Verdict::Rewrite => return None,
        Verdict::Redirect => {
            json!({"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": text})
        }
    };
    Some(json!({"hookSpecificOutput": specific}).to_string())
}
