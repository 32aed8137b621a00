//! # `large-result`
//!
//! **What it replaces.** The result of a Bash, PowerShell, Grep or Glob call above the budget (`answer.chars`),
//! after the call ran.
//!
//! **Why.** Most of it is not looked at, and every later turn pays for it again.
//!
//! **Example.** `grep -rn token src` with 900 hits
//!
//! **Instead.** The same, condensed: hits by file with counts, a history by line, an outline for a file. The whole lies in a
//! file that the text names.
//!
//! **When it stays quiet.** Failed calls, structured data, an exact range, a command with a bound of its own, the second
//! time, and where less than a third would be saved.

use super::{Check, Scene};
use crate::intent::Intent;
use crate::outcome::Why;

/// Before a call there is no result; `after` judges it.
pub fn check(_: &Intent, _: &Scene) -> Check {
    Check::No(Why::NotConcerned)
}
