//! A syntax tree laid flat, in the order of its text: looking at a node then costs no call into the parser, and a walk
//! makes nothing. Invariant: says what the parser's own tree says, and knows no grammar.

use std::ops::Range;

use tree_sitter::{Language, TreeCursor};

/// The words by which a grammar names its nodes and their roles, by number.
pub struct Names {
    kinds: Vec<&'static str>,
    fields: Vec<&'static str>,
}

impl Names {
    pub fn of(language: &'static Language) -> Names {
        let kind = |id: usize| language.node_kind_for_id(id as u16).unwrap_or_default();
        let field = |id: usize| language.field_name_for_id(id as u16).unwrap_or_default();
        Names {
            kinds: (0..language.node_kind_count()).map(kind).collect(),
            fields: (0..=language.field_count()).map(field).collect(),
        }
    }
}

pub struct Tree {
    items: Vec<Item>,
    pub has_error: bool,
}

struct Item {
    kind: &'static str,
    field: &'static str,
    start: u32,
    end: u32,
    /// The place of the first item that is not inside this one.
    behind: u32,
    is_named: bool,
    is_missing: bool,
}

impl Tree {
    pub fn of(tree: &tree_sitter::Tree, names: &Names) -> Tree {
        let mut items = Vec::with_capacity(64);
        let mut open: Vec<usize> = Vec::new();
        let mut cursor = tree.walk();
        loop {
            items.push(Item::at(&cursor, names));
            if cursor.goto_first_child() {
                open.push(items.len() - 1);
                continue;
            }
            items.last_mut().expect("one was just added").behind = items.len() as u32;
            while !cursor.goto_next_sibling() {
                let Some(parent) = open.pop() else {
                    return Tree { items, has_error: tree.root_node().has_error() };
                };
                cursor.goto_parent();
                items[parent].behind = items.len() as u32;
            }
        }
    }

    pub fn root(&self) -> Node<'_> {
        Node { items: &self.items, at: 0 }
    }
}

impl Item {
    fn at(cursor: &TreeCursor, names: &Names) -> Item {
        let node = cursor.node();
        // An error has a number of its own beyond the grammar's.
        let kind = names.kinds.get(usize::from(node.kind_id())).copied().unwrap_or("ERROR");
        let field = cursor.field_id().map_or("", |id| names.fields[usize::from(id.get())]);
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        Item { kind, field, start, end, behind: 0, is_named: node.is_named(), is_missing: node.is_missing() }
    }
}

/// A node of a [`Tree`].
#[derive(Clone, Copy)]
pub struct Node<'tree> {
    items: &'tree [Item],
    at: usize,
}

impl<'tree> Node<'tree> {
    fn item(self) -> &'tree Item {
        &self.items[self.at]
    }

    pub fn kind(self) -> &'static str {
        self.item().kind
    }

    /// Its place in the text, in bytes.
    pub fn byte_range(self) -> Range<usize> {
        self.item().start as usize..self.item().end as usize
    }

    pub fn is_named(self) -> bool {
        self.item().is_named
    }

    /// Not in the text: the parser put it there to go on.
    pub fn is_missing(self) -> bool {
        self.item().is_missing
    }

    pub fn children(self) -> impl Iterator<Item = Node<'tree>> {
        let Node { items, at } = self;
        let end = self.item().behind as usize;
        let child = move |at: usize| (at < end).then_some(Node { items, at });
        std::iter::successors(child(at + 1), move |node| child(node.item().behind as usize))
    }

    pub fn named_children(self) -> impl Iterator<Item = Node<'tree>> {
        self.children().filter(|child| child.is_named())
    }

    pub fn child(self, field: &str) -> Option<Node<'tree>> {
        self.children().find(|child| child.item().field == field)
    }

    pub fn children_in(self, field: &str) -> impl Iterator<Item = Node<'tree>> {
        self.children().filter(move |child| child.item().field == field)
    }
}
