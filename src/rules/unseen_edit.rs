//! # `unseen-edit`
//!
//! **What it notices.** An Edit of lines that this agent was never shown, in a file of which it saw an outline or other
//! ranges. A note; in the mode `strict` a refusal, which does not give way.
//!
//! **Why.** The text to be replaced was guessed.
//!
//! **Example.** `Edit(orders.rs)` of line 900 after a Read of lines 1 to 120
//!
//! **Instead.** A Read of those lines.
//!
//! **When it stays quiet.** As `unseen-write`, and where the text stands in the file more than once or not at all.

use super::{Check, Scene};
use crate::intent::Intent;
use crate::outcome::Why;

/// No intent edits a file; `guard` judges the call.
pub fn check(_: &Intent, _: &Scene) -> Check {
    Check::No(Why::NotConcerned)
}
