//! The core of trimtab: judges the tool calls of a coding agent.
//!
//! It does no IO: no file, no clock, no environment, no randomness. Events and facts come in as values, a verdict and
//! effects go out, and the same values in give the same bytes out. Hosts (the mod inside Claude Code, the command
//! hooks, the CLI, a browser page) carry out what it says and have no rule of their own.
//!
//! ```
//! use trimtab::{Call, Core, Fact, Step, Verdict};
//!
//! let mut core = Core::new();
//! let call = Call::bash("s1", "cat src/big.rs");
//! // The core asks for what it does not know; the host answers, or says that it could not tell.
//! let Step::Need { call, asks } = core.handle_call(call) else { panic!() };
//! let facts = vec![Fact::Unknown; asks.len()];
//! let Step::Done { outcome, .. } = core.handle_facts(call, facts) else { panic!() };
//! assert_eq!(outcome.verdict, Verdict::Pass); // no fact, no refusal
//! ```
//!
//! Reading order: `core` (what happens to a call), `reading` and `shell` (a text becomes commands), `programs` (what each program
//! does), `rules` (what is judged), `wire` and `hook` (the only files that know JSON, but
//! for `mcp`, which keeps the arguments of tools that it does not know).

mod after;
#[cfg(target_arch = "wasm32")]
mod blocks;
mod config;
mod core;
mod fact;
mod guard;
mod hook;
mod intent;
mod mcp;
mod outcome;
mod programs;
mod reading;
pub mod rules;
mod sheet;
pub mod shell;
mod size;
mod state;
mod tally;
#[cfg(target_arch = "wasm32")]
mod wasm;
pub mod wire;

pub use config::{Config, Mode, Warning};
pub use core::{Call, CallId, Core, Step};
pub use fact::{Ask, Fact, FileKind, Measured, Place};
pub use intent::{Intent, Shape};
pub use outcome::{Basis, Effect, Outcome, Saves, Verdict, Why};

/// The version that `check` answers and records carry; `Cargo.toml` is where it is written.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
