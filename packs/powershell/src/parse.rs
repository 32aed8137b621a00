//! The parse itself: a tree-sitter tree within a counted amount of work.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

/// Work that one text may cost. Counted, not timed.
pub struct Fuel {
    nodes: u32,
}

/// Nodes of the tree that are looked at; a statement counts ten.
const MAX_NODES: u32 = 200_000;
/// Progress callbacks of the parser, one for every hundred of its operations. The largest of 47 real commands took 13 for
/// 916 bytes; a text of short statements takes 95 for each KB, at 0.03 ms each.
const FIRST_CALLBACKS: u32 = 20;
const BYTES_PER_CALLBACK: usize = 8;
/// Callbacks once the text has an error: recovery is dear (`$a($a(` 1.2 ms each at 4 KB, `${${` 5 ms each at 16 KB), and
/// no rule refuses such a text.
const MAX_IN_ERROR: u32 = 20;
/// A longer text is not parsed, in bytes.
const MAX_BYTES: usize = 8 * 1024;
/// A text above so many bytes that consists of brackets, quotes and signs to more than one part in so many is not parsed:
/// `$a($a(` of 8 KB took half a second in wasm within the limits above. The densest of 47 real commands has one in six
/// at 228 bytes, and one in thirteen above 300.
const SHORT_BYTES: usize = 1024;
const MAX_DENSITY: usize = 5;
/// So many `${` without an end are looked through to the end of the text, each of them, and that is not counted.
const MAX_OPEN_NAMES: usize = 20;

impl Default for Fuel {
    fn default() -> Fuel {
        Fuel { nodes: MAX_NODES }
    }
}

impl Fuel {
    /// Takes the work of looking at nodes off; false = none is left.
    pub fn burn(&mut self, nodes: u32) -> bool {
        self.nodes = self.nodes.saturating_sub(nodes);
        self.nodes > 0
    }
}

thread_local! {
    // Making a parser costs more than reading an ordinary command, so one is kept.
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// The tree of a text, or `None` when it was too much work.
pub fn parse(text: &str) -> Option<Tree> {
    if text.len() > MAX_BYTES || is_dense(text) || has_open_names(text) {
        return None;
    }
    PARSER.with_borrow_mut(|kept| {
        let parser = kept.get_or_insert_with(|| {
            let mut parser = Parser::new();
            let language = tree_sitter_powershell::LANGUAGE.into();
            parser.set_language(&language).expect("runtime and grammar are pinned together");
            parser
        });
        let (mut taken, mut in_error) = (0, 0);
        let mut burn = |state: &ParseState| {
            taken += 1;
            in_error += u32::from(state.has_error());
            let may_take = FIRST_CALLBACKS + (state.current_byte_offset() / BYTES_PER_CALLBACK) as u32;
            if taken > may_take || in_error > MAX_IN_ERROR { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
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

fn is_dense(text: &str) -> bool {
    let special =
        || text.bytes().filter(|b| matches!(b, b'$' | b'(' | b'[' | b'{' | b'"' | b'@' | b'`' | b'+')).count();
    text.len() > SHORT_BYTES && special() * MAX_DENSITY > text.len()
}

fn has_open_names(text: &str) -> bool {
    text.rsplit('}').next().is_some_and(|behind| behind.matches("${").count() > MAX_OPEN_NAMES)
}

/// All children of a node.
pub fn children(node: Node) -> Vec<Node> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// The children of a node that mean something.
pub fn parts(node: Node) -> Vec<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect()
}

/// An expression without the levels of the grammar around it that hold nothing else.
pub fn bare(mut node: Node) -> Node {
    while node.child_count() == 1
        && (node.kind().ends_with("_expression") || matches!(node.kind(), "pipeline" | "pipeline_chain"))
        && let Some(only) = node.named_child(0)
    {
        node = only;
    }
    node
}
