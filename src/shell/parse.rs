//! The parse itself: a tree-sitter tree within a counted amount of work.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

/// How many progress callbacks a parse may take. The callback comes every hundred parser operations, so the limit
/// counts work and not time; `docs/architecture.md` tells how it relates to 200 ms.
const FUEL: u32 = 12_000;

thread_local! {
    // Making a parser costs more than reading an ordinary command, so one is kept.
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// The tree of a text, or `None` when it was too much work.
pub fn parse(text: &str) -> Option<Tree> {
    PARSER.with_borrow_mut(|kept| {
        let parser = kept.get_or_insert_with(|| {
            let mut parser = Parser::new();
            parser.set_language(&tree_sitter_bash::LANGUAGE.into()).expect("runtime and grammar are pinned together");
            parser
        });
        let mut fuel = FUEL;
        let mut burn = |_: &tree_sitter::ParseState| {
            fuel = fuel.saturating_sub(1);
            if fuel == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut burn);
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(&mut |at, _| &bytes[at.min(bytes.len())..], None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}
