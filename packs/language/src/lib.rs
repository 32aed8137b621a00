//! Declarations of a source text: a table for its language, one walk over the tree, an answer as JSON.
//!
//! A language is a [`Language`]: which nodes of its grammar declare what ([`Rule`]), where their names stand, what
//! a body is and what a doc comment looks like. `packs/languages/<language>` holds one each. What is asked and answered is
//! written down in `docs/wire.md`.
//!
//! Invariant: does no IO, and no text is an error: what cannot be read is left out, and the answer says so. Work is counted,
//! never timed. The walk keeps its own stack, so a deep tree overflows nothing.

use std::borrow::Cow;

mod answer;
mod head;
mod parse;
mod table;
mod walk;

pub use answer::{Answer, Declaration, Occurrence, Request, Role, respond};
pub use head::one_line;
pub use table::{Language, Name, Rule, children, rule};
pub use tree_sitter::Node;
pub use tree_sitter_language::LanguageFn;

/// Makes a crate the pack of its language.
#[macro_export]
macro_rules! pack {
    ($language:expr) => {
        static LANGUAGE: $crate::Language = $language;
        trimtab_abi::export_text!(|request| $crate::respond(request, |text, names| $crate::read(
            &LANGUAGE, text, names
        )));
    };
}

/// The text as the grammar is shown it, with every byte at its place.
fn shown<'t>(language: &Language, text: &'t str) -> Cow<'t, str> {
    let hidden = language.hidden.map_or_else(Vec::new, |find| find(text));
    if hidden.is_empty() {
        return text.into();
    }
    let mut shown = text.to_string();
    for range in hidden {
        let spaces = " ".repeat(range.len());
        shown.replace_range(range, &spaces);
    }
    shown.into()
}

/// Reads a source text.
pub fn read(language: &Language, text: &str, names: &[String]) -> Answer {
    let mut answer = Answer { language: language.name, ..Answer::default() };
    match parse::parse(language, &shown(language, text)) {
        Some(tree) => walk::walk(language, text, &tree, names, &mut answer),
        None => answer.cut = true,
    }
    answer
}
