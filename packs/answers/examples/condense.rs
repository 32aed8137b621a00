//! Tries an output: `condense '<call as JSON, without the result>' < output`. Prints the text, and sizes on stderr.
//! `keep` is answered with a made-up path, `stat` with the disk's, everything else with "could not tell".

use std::io::Read;
use std::time::Duration;

use serde_json::{Value, json};

fn main() {
    let mut call: Value = serde_json::from_str(&std::env::args().nth(1).expect("a call")).expect("JSON");
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).expect("input");
    let output = String::from_utf8_lossy(&bytes);
    call["result"] = json!({"stdout": output, "stderr": "", "interrupted": false});
    let mut request = json!({"v": 1, "do": "condense", "call": call}).to_string();
    let mut took = Duration::ZERO;
    loop {
        let start = on_cpu();
        let answer = trimtab_answers::step(&request);
        took += on_cpu() - start;
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        let Some(asks) = answer["need"].as_array() else {
            let done = &answer["done"];
            let (from, to) = (&done["chars"]["from"], &done["chars"]["to"]);
            eprintln!("{} {} {from} -> {to} in {:?}", done["verdict"], done.get("kind").unwrap_or(&done["why"]), took);
            println!("{}", done["result"]["stdout"].as_str().unwrap_or_default());
            return;
        };
        let facts: Vec<Value> = asks.iter().map(fact).collect();
        request = json!({"v": 1, "do": "facts", "call": answer["call"], "facts": facts}).to_string();
    }
}

/// Time that this process had a core, because others want it, too.
fn on_cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    Duration::from_nanos(stat.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
}

fn fact(ask: &Value) -> Value {
    match ask["ask"].as_str() {
        Some("keep") => json!({"path": format!("/scratch/{}", ask["name"].as_str().unwrap_or_default())}),
        Some("stat") => std::fs::metadata(ask["path"].as_str().unwrap_or_default())
            .map_or(Value::Null, |meta| json!({"kind": "file", "bytes": meta.len(), "real": ask["path"]})),
        _ => Value::Null,
    }
}
