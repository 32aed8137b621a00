//! The parse itself: a tree-sitter tree within a counted amount of work.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{Language, ParseOptions, Parser};

use super::tree::{Names, Tree};

/// Work that one command may cost, shared by all texts in it (`bash -c '…'`). Counted, not timed.
pub struct Fuel {
    parsing: u32,
    walking: u32,
}

/// Progress callbacks of the parser, one for every hundred of its operations. Of 500 real commands the largest took 12,
/// and 10 KB of them in one text 4 for each KB.
const MAX_CALLBACKS: u32 = 200;
/// Texts that the grammar reads in many ways at once (`a=(a=(a=(`) take 16 callbacks and more for each KB, and each of
/// them longer than the one before. So a text may take so many at first, and one for each so many bytes.
const FIRST_CALLBACKS: u32 = 12;
const BYTES_PER_CALLBACK: usize = 150;
/// What a callback counts once the text has an error: recovery is dear, and no rule refuses such a text.
const CALLBACK_IN_ERROR: u32 = 70;
/// Nodes of the tree that are looked at; a statement counts ten.
const MAX_NODES: u32 = 50_000;
/// A longer text is not parsed, in bytes: the grammar's scanner looks ahead to the end again and again, and that is not
/// counted (60 KB of `a=(` took seconds although the parser was stopped after 1,700 operations).
const MAX_BYTES: usize = 8 * 1024;

/// A text above so many bytes that consists of brackets and operators to more than one part in so many is not parsed:
/// `for((for((` of 8 KB took a second in wasm within the limits above, and no command looks like that. Of 389 real
/// commands none of that length is so dense.
const SHORT_BYTES: usize = 1024;
const MAX_DENSITY: usize = 7;

impl Default for Fuel {
    fn default() -> Fuel {
        Fuel { parsing: MAX_CALLBACKS, walking: MAX_NODES }
    }
}

impl Fuel {
    /// Takes the work of looking at nodes off; false = none is left.
    pub fn burn(&mut self, nodes: u32) -> bool {
        self.walking = self.walking.saturating_sub(nodes);
        self.walking > 0
    }
}

thread_local! {
    // Making a parser costs more than reading an ordinary command, so one is kept.
    static PARSER: RefCell<Option<(Parser, Names)>> = const { RefCell::new(None) };
}

/// The tree of a text, or `None` when it was too much work.
pub fn parse(text: &str, fuel: &mut Fuel) -> Option<Tree> {
    if text.len() > MAX_BYTES || is_dense(text) {
        return None;
    }
    PARSER.with_borrow_mut(|kept| {
        let (parser, names) = kept.get_or_insert_with(|| {
            // Kept as long as the parser.
            let language: &Language = Box::leak(Box::new(tree_sitter_bash::LANGUAGE.into()));
            let mut parser = Parser::new();
            parser.set_language(language).expect("runtime and grammar are pinned together");
            (parser, Names::of(language))
        });
        let mut callbacks = 0;
        let mut burn = |state: &tree_sitter::ParseState| {
            fuel.parsing = fuel.parsing.saturating_sub(if state.has_error() { CALLBACK_IN_ERROR } else { 1 });
            callbacks += 1;
            let may_take = FIRST_CALLBACKS + (state.current_byte_offset() / BYTES_PER_CALLBACK) as u32;
            if fuel.parsing == 0 || callbacks > may_take { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut burn);
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(&mut |at, _| &bytes[at.min(bytes.len())..], None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree.map(|tree| Tree::of(&tree, names))
    })
}

fn is_dense(text: &str) -> bool {
    let special =
        || text.bytes().filter(|b| matches!(b, b'(' | b'<' | b'|' | b'&' | b'[' | b'$' | b'{' | b'`')).count();
    text.len() > SHORT_BYTES && special() * MAX_DENSITY > text.len()
}
