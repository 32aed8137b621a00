//! The wasm exports, nothing else: decode, call the core, encode.

use std::cell::RefCell;

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::blocks::Blocks;
use crate::wire::Wire;

#[global_allocator]
static ALLOCATOR: Blocks = Blocks::new();

thread_local! {
    static WIRE: RefCell<Wire> = RefCell::new(Wire::new());
}

/// Runs once for each instance: a panic then says where it was before the instance traps.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
    // Taken and given back: what sessions remember is bounded, and grows into this instead of asking for pages one by one.
    drop(std::hint::black_box(Vec::<u8>::with_capacity(RESERVE_BYTES)));
}

/// What the memories of 50 sessions came to at most, twice: they stood still at 128 KB above the first 10,000 calls
/// (300,000 calls, measured in Node).
const RESERVE_BYTES: usize = 384 * 1024;

/// One request of `docs/wire.md` in, its answer out. An exception means that the instance is dead.
#[wasm_bindgen]
pub fn step(request: &str) -> String {
    WIRE.with_borrow_mut(|wire| wire.step(request))
}

/// The same with values in the place of texts: a plain object in, a plain object out. What is no plain data throws, and
/// the instance lives on.
#[wasm_bindgen(js_name = stepValue)]
pub fn step_value(request: JsValue) -> Result<JsValue, JsValue> {
    let request = serde_wasm_bindgen::from_value(request)?;
    let answer = WIRE.with_borrow_mut(|wire| wire.request(&request));
    Ok(answer.serialize(&Serializer::json_compatible())?)
}
