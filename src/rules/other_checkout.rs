//! # `other-checkout`
//!
//! **What it puts right.** A relative path of an MCP call, where the server and the session work in different checkouts of
//! a repository: it is taken from the session's. Of a tool that answers on the whole tree there is a note.
//!
//! **Why.** The server stays where the session began, and shows the file of another branch without a sign of it.
//!
//! **Example.** `smart_read(path: "src/a.ts")` in a worktree
//!
//! **Instead.** The same call with the absolute path.
//!
//! **When it stays quiet.** For tools that the plugin's option `mcp` does not name, for absolute paths, in one checkout,
//! and where nobody can tell. In the mode `advise` there is the note alone.

use super::{Check, Scene};
use crate::intent::Intent;
use crate::outcome::Why;

/// No intent calls a server; `mcp` judges the call.
pub fn check(_: &Intent, _: &Scene) -> Check {
    Check::No(Why::NotConcerned)
}
