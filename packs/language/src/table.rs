//! What a language's table says, and nothing of any language.

use std::ops::Range;

use tree_sitter::Node;
use tree_sitter_language::LanguageFn;

/// The parts of a text, in bytes, that a grammar is not shown.
pub type Hidden = fn(&str) -> Vec<Range<usize>>;

/// A language. Everything named is a node kind of its grammar, unless said otherwise.
pub struct Language {
    pub name: &'static str,
    pub grammar: LanguageFn,
    pub rules: &'static [Rule],
    /// What a signature ends before.
    pub bodies: &'static [&'static str],
    /// What begins a place whose variables are nobody else's concern, beside the declarations that have one anyway.
    pub scopes: &'static [&'static str],
    /// What stands around a declaration and belongs to it (`export …`).
    pub wrappers: &'static [&'static str],
    /// What belongs to the declaration behind it, or stands at its beginning, and to no signature.
    pub attributes: &'static [&'static str],
    /// Parts of a text that its grammar has no place for, if the language has a way to tell; it is shown spaces there.
    pub hidden: Option<Hidden>,
    pub comments: &'static [&'static str],
    pub strings: &'static [&'static str],
    /// How a doc comment begins, as text; empty: any comment is one.
    pub docs: &'static [&'static str],
    /// Where a doc comment stands inside of a body.
    pub doc_inside: Option<for<'t> fn(Node<'t>) -> Option<Node<'t>>>,
    /// Words before the name, and the visibility that they say.
    pub visibility: &'static [(&'static str, &'static str)],
    /// Other ways to say it: of the signature before the name, and the name.
    pub visible: Option<fn(&str, &str) -> &'static str>,
    /// Nodes that say the visibility of what comes after them, by a word of that list.
    pub access: &'static [&'static str],
    /// Declarations nested deeper are left out.
    pub max_depth: usize,
}

impl Language {
    pub const fn new(name: &'static str, grammar: LanguageFn) -> Language {
        Language {
            name,
            grammar,
            rules: &[],
            bodies: &[],
            scopes: &[],
            wrappers: &[],
            attributes: &[],
            hidden: None,
            comments: &["comment"],
            strings: &[],
            docs: &[],
            doc_inside: None,
            visibility: &[],
            visible: None,
            access: &[],
            max_depth: usize::MAX,
        }
    }
}

/// One kind of node that declares something. Of the rules for a node the first counts that fits and finds a name.
#[derive(Clone, Copy)]
pub struct Rule {
    pub node: &'static str,
    pub kind: &'static str,
    pub name: Name,
    /// Not inside of functions.
    pub is_outer: bool,
    /// Only directly in one of these nodes.
    pub parents: &'static [&'static str],
    /// Only directly in a declaration of one of these kinds; "" stands for none at all.
    pub owners: &'static [&'static str],
    /// Only where a field of the node is one of these nodes: the field, the nodes.
    pub where_field: Option<(&'static str, &'static [&'static str])>,
    /// Only with one of these directly in it, words of the language too.
    pub with: &'static [&'static str],
    /// Only where the wrapper around it begins with a text that has this word; "" asks for nothing.
    pub after: &'static str,
}

/// Where the name stands.
#[derive(Clone, Copy)]
pub enum Name {
    /// What a function finds, which gets the node and the text.
    All(for<'t> fn(Node<'t>, &str) -> Vec<Node<'t>>),
    /// The first child of one of these kinds.
    Child(&'static [&'static str]),
    /// Each child in a field.
    Each(&'static str),
    /// The child in a field.
    Field(&'static str),
    /// The one that a function finds.
    Found(for<'t> fn(Node<'t>, &str) -> Option<Node<'t>>),
    /// There is none; this text stands for it.
    Text(&'static str),
    /// The node itself.
    Whole,
}

/// A rule with the name in the field `name`.
pub const fn rule(node: &'static str, kind: &'static str) -> Rule {
    Rule {
        node,
        kind,
        name: Name::Field("name"),
        is_outer: false,
        parents: &[],
        owners: &[],
        where_field: None,
        with: &[],
        after: "",
    }
}

impl Rule {
    pub const fn named(self, name: Name) -> Rule {
        Rule { name, ..self }
    }

    pub const fn field(self, field: &'static str) -> Rule {
        self.named(Name::Field(field))
    }

    pub const fn child(self, kinds: &'static [&'static str]) -> Rule {
        self.named(Name::Child(kinds))
    }

    pub const fn found(self, find: for<'t> fn(Node<'t>, &str) -> Option<Node<'t>>) -> Rule {
        self.named(Name::Found(find))
    }

    pub const fn outer(self) -> Rule {
        Rule { is_outer: true, ..self }
    }

    pub const fn in_nodes(self, parents: &'static [&'static str]) -> Rule {
        Rule { parents, ..self }
    }

    pub const fn in_kinds(self, owners: &'static [&'static str]) -> Rule {
        Rule { owners, ..self }
    }

    pub const fn with(self, with: &'static [&'static str]) -> Rule {
        Rule { with, ..self }
    }

    pub const fn after(self, after: &'static str) -> Rule {
        Rule { after, ..self }
    }

    pub const fn where_field(self, field: &'static str, kinds: &'static [&'static str]) -> Rule {
        Rule { where_field: Some((field, kinds)), ..self }
    }
}

/// All children of these kinds, or where a child is in one of `inside`, the children of that.
pub fn children<'t>(node: Node<'t>, inside: &[&str], kinds: &[&str]) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        if kinds.contains(&child.kind()) {
            found.push(child);
        } else if inside.contains(&child.kind()) {
            found.extend(children(child, &[], kinds));
        }
    }
    found
}

/// The nodes, words and fields that a table names and its grammar does not have. What functions look for is not seen here.
pub fn unknown(language: &Language) -> Vec<&'static str> {
    let grammar = tree_sitter::Language::from(language.grammar);
    let mut unknown = Vec::new();
    let mut expect = |kinds: &[&'static str], may_be_word: bool| {
        let is_kind = |kind, is_named| {
            let id = grammar.id_for_node_kind(kind, is_named);
            id != 0 && grammar.node_kind_is_visible(id)
        };
        unknown.extend(kinds.iter().filter(|kind| !(is_kind(kind, true) || may_be_word && is_kind(kind, false))));
    };
    let mut fields = Vec::new();
    for rule in language.rules {
        expect(&[rule.node], false);
        expect(rule.parents, false);
        expect(rule.with, true);
        if let Some((field, kinds)) = rule.where_field {
            fields.push(field);
            expect(kinds, false);
        }
        match rule.name {
            Name::Child(kinds) => expect(kinds, false),
            Name::Each(field) | Name::Field(field) => fields.push(field),
            Name::All(_) | Name::Found(_) | Name::Text(_) | Name::Whole => {}
        }
    }
    let Language { bodies, scopes, wrappers, attributes, comments, strings, access, .. } = language;
    for kinds in [bodies, scopes, wrappers, attributes, comments, strings, access] {
        expect(kinds, false);
    }
    unknown.extend(fields.into_iter().filter(|field| grammar.field_id_for_name(field).is_none()));
    unknown
}
