//! What is put in the place of a heavy result: an outline of a file, a condensed output.
//!
//! A wasm of its own, because most sessions never need it. It speaks the wire of the core: a request comes in, asks go
//! out, facts come in, and at last there is what the model reads instead, or nothing. Whether a result is to be replaced
//! at all is decided elsewhere.
//!
//! Reading order: `wire` (texts in and out), `job` (what can be asked for), `ask`, `declarations`, `outline`, `condense`.
//!
//! Invariant: does no IO, knows no clock and no environment; leaves nothing out without naming where it lies.

pub mod ask;
pub mod condense;
pub mod declarations;
pub mod job;
pub mod languages;
pub mod outline;
#[path = "../../../src/size.rs"]
#[allow(dead_code, reason = "the core uses the rest")]
pub mod size;
pub mod wire;

use std::cell::RefCell;

/// One request of the wire, one answer. Requests that wait for facts are kept between calls.
pub fn step(request: &str) -> String {
    thread_local! {
        static WIRE: RefCell<wire::Wire> = RefCell::default();
    }
    WIRE.with_borrow_mut(|wire| wire.step(request))
}

trimtab_abi::export_text!(step);
