//! What a session weighs, read from its transcript: the line for the person, the line for the model, and the state of the work that a
//! compaction may lose. Requests and answers are JSON (`docs/wire.md`); what it needs to know it asks for.
//!
//! Reading order: `line` (one line of a transcript), `reading` (figures), `task` (the state of the work), `feed` (byte ranges), `moment`
//! (what is decided when), `rubric` (whether a compaction waits), `words`, `overview` (for a person who looks), `wire`.
//!
//! Invariant: reads no file, no clock and no environment. But for the continuation, which is a quotation for the session that it came
//! from, nothing of a transcript's texts gets out, only names of tools and figures.
//!
//! ```
//! let answer = trimtab_weight::step(r#"{"v":1,"do":"weigh","path":"/p/session.jsonl","config":{}}"#);
//! assert!(answer.contains(r#""need":[{"ask":"text","#));
//! ```

pub mod config;
pub mod feed;
pub mod lenient;
pub mod line;
pub mod moment;
pub mod overview;
pub mod reading;
pub mod rubric;
pub mod task;
pub mod window;
pub mod wire;
pub mod words;

pub use wire::step;

trimtab_abi::export_text!(step);
