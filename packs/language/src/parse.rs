//! The parse itself: a tree-sitter tree within a counted amount of work.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::Language;

/// Progress callbacks of the parser, one for every hundred of its operations.
const FIRST_CALLBACKS: u64 = 2_000;
const CALLBACKS_PER_KB: u64 = 60;
/// What a callback counts once the text has an error: recovery is dear.
const CALLBACK_IN_ERROR: u64 = 4;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// The tree of a text, or `None` when it was too much work.
pub fn parse(language: &Language, text: &str) -> Option<Tree> {
    let mut fuel = FIRST_CALLBACKS + text.len() as u64 * CALLBACKS_PER_KB / 1024;
    let mut burn = |state: &ParseState| {
        fuel = fuel.saturating_sub(if state.has_error() { CALLBACK_IN_ERROR } else { 1 });
        if fuel == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    PARSER.with_borrow_mut(|kept| {
        let parser = kept.get_or_insert_with(|| {
            let mut parser = Parser::new();
            parser.set_language(&language.grammar.into()).expect("runtime and grammar are pinned together");
            parser
        });
        let options = ParseOptions::new().progress_callback(&mut burn);
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(&mut |at, _| &bytes[at.min(bytes.len())..], None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}
