//! The wasm export, nothing else: decode, call the core, encode.

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::wire::Wire;

thread_local! {
    static WIRE: RefCell<Wire> = RefCell::new(Wire::new());
}

/// Runs once for each instance: a panic then says where it was before the instance traps.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// One request of `docs/wire.md` in, its answer out. An exception means that the instance is dead.
#[wasm_bindgen]
pub fn step(request: &str) -> String {
    WIRE.with_borrow_mut(|wire| wire.step(request))
}
