//! # `uncapped-result`
//!
//! **What it bounds.** A call of an MCP tool whose bound is known and was left out: `smart_read` (`max_tokens` 2,000),
//! `explore_area` (`include` `["outline"]`), `find_usages` (`mode` `"list"`), `smart_log` (`count` 20). With a note.
//!
//! **Why.** What such a tool gives by itself can be very long. The figures are token-pilot's.
//!
//! **Example.** `smart_log(path: "src")`
//!
//! **Instead.** The same call with the bound.
//!
//! **When it stays quiet.** In every mode but `strict`, for tools that the plugin's option `mcp` does not name, and where
//! the caller named a bound.

use super::{Check, Scene};
use crate::intent::Intent;
use crate::outcome::Why;

/// No intent calls a server; `mcp` judges the call.
pub fn check(_: &Intent, _: &Scene) -> Check {
    Check::No(Why::NotConcerned)
}
