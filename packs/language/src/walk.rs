//! One walk over the tree: what declares something by the language's table, and where names occur.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::{Node, Tree, TreeCursor};

use crate::answer::{Answer, Declaration, Occurrence, Role};
use crate::head::{before, doc, head, one_line};
use crate::{Language, Name, Rule};

pub const MAX_DECLARATIONS: usize = 20_000;
const MAX_OCCURRENCES: usize = 20_000;
const MAX_NAME_CHARS: usize = 200;
const MAX_COUNTED_BYTES: usize = 10_000;

/// Kinds of declarations whose functions are methods, and whose variables are fields.
const TYPES: [&str; 10] =
    ["class", "enum", "extension", "impl", "interface", "object", "record", "struct", "trait", "union"];
/// Kinds whose variables are nobody else's concern.
const FUNCTIONS: [&str; 3] = ["constructor", "function", "method"];

#[derive(Clone, Copy)]
pub enum Mark {
    Attribute = 1,
    Body = 2,
    Comment = 4,
    Scope = 8,
    String = 16,
    Wrapper = 32,
}

/// The language's table by the numbers that its grammar has for nodes.
pub struct Marks {
    marks: Vec<u8>,
    rules: Vec<Vec<&'static Rule>>,
}

impl Marks {
    fn new(language: &Language) -> Marks {
        let grammar = tree_sitter::Language::from(language.grammar);
        let lists = [
            (Mark::Attribute, language.attributes),
            (Mark::Body, language.bodies),
            (Mark::Comment, language.comments),
            (Mark::Scope, language.scopes),
            (Mark::String, language.strings),
            (Mark::Wrapper, language.wrappers),
        ];
        let count = grammar.node_kind_count();
        let mut all = Marks { marks: vec![0; count], rules: vec![Vec::new(); count] };
        for id in 0..count {
            let number = u16::try_from(id).expect("grammars number their nodes in 16 bits");
            let Some(kind) = grammar.node_kind_for_id(number).filter(|_| grammar.node_kind_is_named(number)) else {
                continue;
            };
            all.rules[id] = language.rules.iter().filter(|rule| rule.node == kind).collect();
            for (mark, _) in lists.iter().filter(|(_, kinds)| kinds.contains(&kind)) {
                all.marks[id] |= *mark as u8;
            }
        }
        all
    }

    pub fn has(&self, node: Node, mark: Mark) -> bool {
        self.marks.get(usize::from(node.kind_id())).is_some_and(|marks| marks & mark as u8 != 0)
    }

    fn rules(&self, node: Node) -> &[&'static Rule] {
        self.rules.get(usize::from(node.kind_id())).map_or(&[], Vec::as_slice)
    }
}

thread_local! {
    // A pack has one language.
    static MARKS: RefCell<Option<Rc<Marks>>> = const { RefCell::new(None) };
}

/// What was seen of the children of one node so far.
struct Level<'a> {
    parent: &'a str,
    lead: Option<Lead>,
    last_row: Option<usize>,
    access: &'static str,
}

/// What stands before a declaration and belongs to it.
#[derive(Clone)]
struct Lead {
    row: usize,
    last_row: usize,
    doc: Option<Range<usize>>,
    /// Where the wrapper around the declaration begins.
    start: Option<usize>,
}

/// A node around the one that is looked at, which declares something or has variables of its own.
struct Open {
    level: usize,
    declared: Option<usize>,
    is_local: bool,
}

struct Walk<'a> {
    language: &'a Language,
    marks: &'a Marks,
    text: &'a str,
    names: &'a [String],
    levels: Vec<Level<'a>>,
    open: Vec<Open>,
    /// Where the names of declarations begin.
    defined: HashSet<usize>,
    answer: &'a mut Answer,
}

pub fn walk<'a>(language: &'a Language, text: &'a str, tree: &'a Tree, names: &'a [String], answer: &'a mut Answer) {
    let marks = MARKS.with_borrow_mut(|kept| Rc::clone(kept.get_or_insert_with(|| Rc::new(Marks::new(language)))));
    answer.broken = tree.root_node().has_error();
    let level = Level { parent: "", lead: None, last_row: None, access: "" };
    let mut walk = Walk {
        language,
        marks: &marks,
        text,
        names,
        levels: vec![level],
        open: Vec::new(),
        defined: HashSet::new(),
        answer,
    };
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let passed_down = walk.visit(node);
        if cursor.goto_first_child() {
            walk.levels.push(Level { parent: node.kind(), lead: passed_down, last_row: None, access: "" });
        } else if !walk.go_on(&mut cursor) {
            return;
        }
    }
}

impl Walk<'_> {
    /// To the next node that is not below this one; false at the end.
    fn go_on(&mut self, cursor: &mut TreeCursor) -> bool {
        while !cursor.goto_next_sibling() {
            self.levels.pop();
            if !cursor.goto_parent() {
                return false;
            }
        }
        !self.answer.cut
    }

    /// Looks at a node; gives what its first child has before it, where that is the same.
    fn visit(&mut self, node: Node) -> Option<Lead> {
        let depth = self.levels.len();
        while self.open.last().is_some_and(|open| open.level >= depth) {
            self.open.pop();
        }
        if !self.names.is_empty() {
            self.look_for_names(node);
        }
        let level = self.levels.last_mut().expect("the root has a level");
        let (row, last_row) = (node.start_position().row, last_row(node));
        let is_behind = level.last_row.is_some_and(|last| last == row);
        level.last_row = Some(last_row);
        if !node.is_named() {
            return None;
        }
        if self.marks.has(node, Mark::Comment) {
            if !is_behind || level.lead.is_some() {
                self.note_comment(node, row, last_row);
            }
            return None;
        }
        if let Some(access) = self.access_of(node) {
            self.levels.last_mut().expect("the root has a level").access = access;
            return None;
        }
        let level = self.levels.last_mut().expect("the root has a level");
        let mut lead = level.lead.take().filter(|lead| lead.last_row + 1 >= row);
        if self.marks.has(node, Mark::Attribute) {
            let lead = lead.get_or_insert(Lead { row, last_row, doc: None, start: None });
            lead.last_row = last_row;
            lead.start = lead.start.map(|_| node.end_byte());
            level.lead = Some(lead.clone());
            return None;
        }
        if let Some(lead) = &mut lead {
            lead.start = lead.start.map(|start| skip_space(self.text, start)).filter(|start| {
                // A wrapper around many (`const ( … )`) says nothing of one.
                !self.text[*start..node.start_byte().max(*start)].contains('(')
            });
        }
        if let Some((rule, names)) = self.rule_for(node, lead.as_ref()) {
            self.declare(node, rule, names, lead.as_ref());
        } else if self.marks.has(node, Mark::Scope) {
            self.open.push(Open { level: depth, declared: None, is_local: true });
        } else if self.marks.has(node, Mark::Wrapper) {
            let mut lead = lead.unwrap_or(Lead { row, last_row: row, doc: None, start: None });
            lead.start = lead.start.or(Some(node.start_byte()));
            lead.last_row = last_row;
            return Some(lead);
        } else if let Some(lead) = lead.filter(|lead| lead.start.is_some()) {
            // `<T>` of a template; the declaration is still to come.
            self.levels.last_mut().expect("the root has a level").lead = Some(lead);
        }
        None
    }

    fn note_comment(&mut self, node: Node, row: usize, last_row: usize) {
        let range = node.byte_range();
        let text = before(&self.text[range.clone()], 8);
        if text.starts_with("#!") {
            return;
        }
        let docs = self.language.docs;
        let is_doc = docs.is_empty() || docs.iter().any(|open| text.starts_with(open));
        let level = self.levels.last_mut().expect("the root has a level");
        let mut lead = level.lead.take().filter(|lead| lead.last_row + 1 >= row).unwrap_or(Lead {
            row,
            last_row,
            doc: None,
            start: None,
        });
        lead.last_row = lead.last_row.max(last_row);
        if is_doc {
            lead.doc = match lead.doc {
                // Lines are one comment; of blocks the last counts.
                Some(doc) if !text.starts_with("/*") => Some(doc.start..range.end),
                _ => Some(range),
            };
        }
        level.lead = Some(lead);
    }

    fn owner(&self) -> &'static str {
        let declared = self.open.iter().rev().find_map(|open| open.declared);
        declared.map_or("", |index| self.answer.declarations[index].kind)
    }

    fn rule_for<'t>(&self, node: Node<'t>, lead: Option<&Lead>) -> Option<(&'static Rule, Vec<Node<'t>>)> {
        let rules = self.marks.rules(node);
        if rules.is_empty() {
            return None;
        }
        let parent = self.levels.last().map_or("", |level| level.parent);
        let wrapper = || lead.and_then(|lead| self.text.get(lead.start?..node.start_byte())).unwrap_or("");
        let has = |kinds: &[&str]| {
            let mut cursor = node.walk();
            node.children(&mut cursor).any(|child| kinds.contains(&child.kind()))
        };
        let fits = |rule: &&&Rule| {
            (rule.parents.is_empty() || rule.parents.contains(&parent))
                && (rule.owners.is_empty() || rule.owners.contains(&self.owner()))
                && !(rule.is_outer && self.open.iter().any(|open| open.is_local))
                && (rule.after.is_empty() || wrapper().split_whitespace().any(|word| word == rule.after))
                && (rule.with.is_empty() || has(rule.with))
                && rule.where_field.is_none_or(|(field, kinds)| {
                    node.child_by_field_name(field).is_some_and(|child| kinds.contains(&child.kind()))
                })
        };
        rules.iter().filter(fits).find_map(|rule| {
            let names = self.names_of(node, rule);
            (!names.is_empty()).then_some((*rule, names))
        })
    }

    fn names_of<'t>(&self, node: Node<'t>, rule: &Rule) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        match rule.name {
            Name::All(find) => find(node, self.text),
            Name::Child(kinds) => {
                node.children(&mut cursor).find(|child| kinds.contains(&child.kind())).into_iter().collect()
            }
            Name::Each(field) => node.children_by_field_name(field, &mut cursor).filter(Node::is_named).collect(),
            Name::Field(field) => node.child_by_field_name(field).into_iter().collect(),
            Name::Found(find) => find(node, self.text).into_iter().collect(),
            Name::Text(_) | Name::Whole => vec![node],
        }
    }

    /// The visibility that a node gives to all that come after it.
    fn access_of(&self, node: Node) -> Option<&'static str> {
        if !self.language.access.contains(&node.kind()) {
            return None;
        }
        let written = before(&self.text[node.byte_range()], MAX_NAME_CHARS);
        self.language.visibility.iter().find(|(word, _)| *word == written).map(|(_, visibility)| *visibility)
    }

    fn declare(&mut self, node: Node, rule: &'static Rule, names: Vec<Node>, lead: Option<&Lead>) {
        let level = self.levels.len();
        let depth = self.open.iter().filter(|open| open.declared.is_some()).count();
        if depth > self.language.max_depth {
            return;
        }
        let kind = match (rule.kind, self.owner()) {
            ("function", owner) if TYPES.contains(&owner) => "method",
            ("variable", owner) if TYPES.contains(&owner) => "field",
            (kind, _) => kind,
        };
        let mut first = None;
        for name in names {
            if self.answer.declarations.len() == MAX_DECLARATIONS {
                self.answer.cut = true;
                return;
            }
            let written = match rule.name {
                Name::Text(text) => text.to_string(),
                // `import a.b` is named by what comes behind the word.
                Name::Whole if ["export", "import"].contains(&kind) => {
                    let said = one_line(before(&self.text[name.byte_range()], 8 * MAX_NAME_CHARS), MAX_NAME_CHARS);
                    said.split_once(' ').map_or("", |(_, what)| what).trim_end_matches(';').to_string()
                }
                _ => unquoted(&one_line(before(&self.text[name.byte_range()], 8 * MAX_NAME_CHARS), MAX_NAME_CHARS)),
            };
            if written.is_empty() {
                continue;
            }
            let has_name = !matches!(rule.name, Name::Text(_) | Name::Whole);
            let name_end = if has_name { name.end_byte() } else { node.start_byte() };
            let start = lead.and_then(|lead| lead.start).unwrap_or(node.start_byte());
            let shown = head(self.marks, self.text, node, start, name_end);
            let prefix = if has_name { self.text.get(start..name.start_byte()).unwrap_or("") } else { "" };
            self.defined.insert(name.start_byte());
            let from = name.start_position().row;
            first.get_or_insert(self.answer.declarations.len());
            self.answer.declarations.push(Declaration {
                kind,
                depth,
                lead: lead.map_or(node.start_position().row, |lead| lead.row.min(node.start_position().row)).min(from)
                    + 1,
                from: from + 1,
                to: last_row(node).max(from) + 1,
                head: shown,
                doc: self.doc_of(node, lead),
                visibility: self.visibility(prefix, &written),
                name: written,
            });
        }
        if first.is_some() {
            self.open.push(Open { level, declared: first, is_local: FUNCTIONS.contains(&kind) });
        }
    }

    fn doc_of(&self, node: Node, lead: Option<&Lead>) -> String {
        let inside = || node.child_by_field_name("body").and_then(|body| (self.language.doc_inside?)(body));
        match lead.and_then(|lead| lead.doc.clone()).or_else(|| inside().map(|doc| doc.byte_range())) {
            Some(range) => doc(&self.text[range]),
            None => String::new(),
        }
    }

    fn visibility(&self, prefix: &str, name: &str) -> &'static str {
        let said = self.language.visible.map_or("", |visible| visible(prefix, name));
        if !said.is_empty() || self.language.visibility.is_empty() {
            return said;
        }
        let words = || prefix.split(|c: char| !(c.is_alphanumeric() || c == '(' || c == ')' || c == '_'));
        words()
            .find_map(|word| self.language.visibility.iter().find(|(written, _)| *written == word))
            .map_or_else(|| self.levels.last().map_or("", |level| level.access), |(_, visibility)| visibility)
    }

    fn look_for_names(&mut self, node: Node) {
        let is_comment = self.marks.has(node, Mark::Comment);
        if is_comment || self.marks.has(node, Mark::String) {
            // Of a string with parts, the parts are looked at.
            if node.named_child_count() == 0 {
                let role = if is_comment { Role::Comment } else { Role::String };
                let mut start = node.start_byte();
                for (line, text) in self.text[node.byte_range()].split('\n').enumerate() {
                    let column = if line == 0 { node.start_position().column } else { 0 };
                    for name in self.names {
                        for at in words_in(text, name) {
                            self.occurs(name, node.start_position().row + line, column + at, start + at, role);
                        }
                    }
                    start += text.len() + 1;
                }
            }
        } else if node.is_named() && node.child_count() == 0 {
            let text = &self.text[node.byte_range()];
            // `:name` is a symbol.
            let plain = text.strip_prefix(':').unwrap_or(text);
            if let Some(name) = self.names.iter().find(|name| *name == plain) {
                let colon = text.len() - plain.len();
                let role = if self.defined.contains(&node.start_byte()) { Role::Definition } else { Role::Reference };
                let place = node.start_position();
                self.occurs(name, place.row, place.column + colon, node.start_byte() + colon, role);
            }
        }
    }

    /// Notes one at byte `at`, which is byte `column` of row `row`.
    fn occurs(&mut self, name: &str, row: usize, column: usize, at: usize, role: Role) {
        if self.answer.occurrences.len() == MAX_OCCURRENCES {
            self.answer.cut = true;
            return;
        }
        // Of an endless line, the bytes.
        let is_counted = column < MAX_COUNTED_BYTES;
        let column = if is_counted { self.text[at - column..at].chars().count() } else { column };
        self.answer.occurrences.push(Occurrence {
            name: name.to_string(),
            line: row + 1,
            column: column + 1,
            role,
            within: self.open.iter().rev().find_map(|open| open.declared),
        });
    }
}

/// The row of a node's last character; a line break at its end is not one of its own.
fn last_row(node: Node) -> usize {
    let end = node.end_position();
    if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row }
}

fn skip_space(text: &str, at: usize) -> usize {
    text.get(at..).map_or(at, |rest| at + rest.len() - rest.trim_start().len())
}

fn unquoted(name: &str) -> String {
    let inner = ['"', '\'', '`'].iter().find_map(|quote| name.strip_prefix(*quote)?.strip_suffix(*quote));
    // `:name` is a symbol.
    inner.or_else(|| name.strip_prefix(':')).unwrap_or(name).to_string()
}

/// Where a name stands in a text as a word of its own.
fn words_in<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .map(|(at, _)| at)
        .filter(move |at| !text[..*at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
}
