//! Declarations of a source text: a table for its language, one walk over the tree, an answer as JSON.
//!
//! A language is a [`Language`]: which nodes of its grammar declare what ([`Rule`]), where their names stand, what
//! a body is and what a doc comment looks like. `packs/languages/<language>` holds one each. What is asked and answered is
//! written down in `docs/wire.md`.
//!
//! Invariant: does no IO, and no text is an error: what cannot be read is left out, and the answer says so. Work is counted,
//! never timed. The walk keeps its own stack, so a deep tree overflows nothing.

use std::borrow::Cow;
use std::ops::Range;

mod answer;
mod head;
mod parse;
mod table;
mod walk;

pub use answer::{Answer, Declaration, Request, respond};
pub use head::{MAX_HEAD_CHARS, doc, one_line};
pub use table::{Language, Name, Rule, children, rule};
pub use tree_sitter::Node;
pub use tree_sitter_language::LanguageFn;
pub use walk::MAX_DECLARATIONS;

/// Makes a crate the pack of its language.
#[macro_export]
macro_rules! pack {
    ($language:expr) => {
        static LANGUAGE: $crate::Language = $language;
        trimtab_abi::export_text!(|request| $crate::respond(request, |text, asked| $crate::read(
            &LANGUAGE, text, asked
        )));
    };
}

/// The text with spaces in these places, and every other byte at its own.
fn hide(text: &str, places: Vec<Range<usize>>) -> Cow<'_, str> {
    if places.is_empty() {
        return text.into();
    }
    let mut shown = text.to_string();
    for place in places {
        let spaces = " ".repeat(place.len());
        shown.replace_range(place, &spaces);
    }
    shown.into()
}

/// Reads a source text.
pub fn read(language: &Language, text: &str, asked: &Request) -> Answer {
    let mut answer = Answer { language: language.name, ..Answer::default() };
    let shown = hide(text, language.hidden.map_or_else(Vec::new, |find| find(text)));
    match parse::parse(language, &shown) {
        Some(tree) => walk::walk(language, text, &tree, &asked.names, &mut answer),
        None => answer.cut = true,
    }
    if asked.check {
        answer.unknown = table::unknown(language);
    }
    answer
}
