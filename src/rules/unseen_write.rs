//! # `unseen-write`
//!
//! **What it stops.** A Write over an existing file of which this agent saw only an outline or ranges. A guard: it does not give
//! way when the call comes again.
//!
//! **Why.** What was never seen would be lost.
//!
//! **Example.** `Write(orders.rs)` after its outline
//!
//! **Instead.** A whole Read of the file; then the Write runs.
//!
//! **When it stays quiet.** Files that were never read, were read whole, were written by the agent, are new or empty, or
//! were changed by another program since their outline; and in the mode `off`.

use super::{Check, Scene};
use crate::intent::Intent;
use crate::outcome::Why;

/// No intent writes a file; `guard` judges the call.
pub fn check(_: &Intent, _: &Scene) -> Check {
    Check::No(Why::NotConcerned)
}
