//! The parse itself: a tree-sitter tree within a counted amount of work.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::Language;

/// Progress callbacks of the parser, one for every hundred of its operations: at first, for each KB, and in all. Of 20 large
/// files of five languages the most took 11 for each KB, minified ones 19, `a<b` without end 34.
const FIRST_CALLBACKS: u64 = 2_000;
const CALLBACKS_PER_KB: u64 = 60;
const MAX_CALLBACKS: u64 = 40_000;
/// The same while the text has an error, when one takes a millisecond and more: those files took up to 3 for each KB,
/// characters without sense 24.
const FIRST_IN_ERROR: u64 = 200;
const IN_ERROR_PER_KB: u64 = 4;
const MAX_IN_ERROR: u64 = 1_000;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// The tree of a text, or `None` when it was too much work.
pub fn parse(language: &Language, text: &str) -> Option<Tree> {
    let kb = text.len() as u64 / 1024;
    let mut fuel = (FIRST_CALLBACKS + kb * CALLBACKS_PER_KB).min(MAX_CALLBACKS);
    let mut in_error = (FIRST_IN_ERROR + kb * IN_ERROR_PER_KB).min(MAX_IN_ERROR);
    let mut burn = |state: &ParseState| {
        let left = if state.has_error() { &mut in_error } else { &mut fuel };
        *left = left.saturating_sub(1);
        if *left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
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
