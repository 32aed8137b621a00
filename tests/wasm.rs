//! The wasm build in its own engine: the same answers, and the stack of an instance holds.
#![cfg(target_arch = "wasm32")]

use trimtab::wire::Wire;
use wasm_bindgen_test::wasm_bindgen_test;

fn judged(command: &str) -> String {
    let request = serde_json::json!({"v": 1, "do": "judge", "call": {
        "tool": "Bash", "input": {"command": command}, "cwd": "/repo", "root": "/repo",
        "facts": {"files": {"*": {"lines": 600, "bytes": 24_000}}},
    }});
    let answer: serde_json::Value = serde_json::from_str(&Wire::new().step(&request.to_string())).expect("JSON");
    format!("{} {}", answer["done"]["verdict"].as_str().unwrap_or("?"), answer["done"]["why"].as_str().unwrap_or("?"))
}

#[wasm_bindgen_test]
fn a_large_file_is_refused_and_a_bounded_read_passes() {
    assert_eq!(judged("cat big.rs"), "redirect large-file");
    assert_eq!(judged("cat big.rs | head -5"), "pass not-concerned");
}

#[wasm_bindgen_test]
fn deep_nesting_does_not_overflow_the_stack() {
    for (open, close) in [("(", ")"), ("$(", ")"), ("{ ", "; }"), ("if true; then ", "; fi"), ("\"$(", ")\"")] {
        for depth in [50, 119, 121, 2_000, 20_000] {
            let command = format!("{}cat big.rs{}", open.repeat(depth), close.repeat(depth));
            assert!(!judged(&command).starts_with('?'), "{open} {depth}");
        }
    }
}

#[wasm_bindgen_test]
fn endless_work_is_out_of_fuel() {
    assert_eq!(judged(&"a $(b `c ${d} <(e) ".repeat(60_000)), "pass out-of-fuel");
}
