//! Ruby for trimtab.

use trimtab_language::{Language, Name, Node, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("module", "module").found(last_name),
        rule("class", "class").found(last_name),
        rule("method", "method"),
        rule("singleton_method", "method"),
        rule("alias", "method"),
        rule("assignment", "constant").field("left").where_field("left", &["constant"]).outer(),
        rule("operator_assignment", "constant").field("left").where_field("left", &["constant"]).outer(),
        rule("call", "method").named(Name::All(methods)),
        rule("call", "property").named(Name::All(attributes)),
        rule("call", "import").named(Name::All(required)),
    ],
    bodies: &["array", "body_statement", "do_block", "hash"],
    strings: &["heredoc_content", "string_content"],
    visibility: &[("private", "private"), ("protected", "protected"), ("public", "public")],
    access: &["identifier"],
    ..Language::new("ruby", tree_sitter_ruby::LANGUAGE)
});

/// Of `A::B` the `B`.
fn last_name<'t>(node: Node<'t>, _: &str) -> Option<Node<'t>> {
    let name = node.child_by_field_name("name")?;
    if name.kind() == "scope_resolution" { name.child_by_field_name("name") } else { Some(name) }
}

fn arguments<'t>(node: Node<'t>, text: &str, methods: &[&str], kind: &str) -> Vec<Node<'t>> {
    let method = node.child_by_field_name("method").map_or("", |method| &text[method.byte_range()]);
    match node.child_by_field_name("arguments") {
        Some(arguments) if methods.contains(&method) => trimtab_language::children(arguments, &[], &[kind]),
        _ => Vec::new(),
    }
}

fn attributes<'t>(node: Node<'t>, text: &str) -> Vec<Node<'t>> {
    arguments(node, text, &["attr_accessor", "attr_reader", "attr_writer"], "simple_symbol")
}

/// Of `alias_method :new, :old` and `define_method(:new) { … }` the `new`.
fn methods<'t>(node: Node<'t>, text: &str) -> Vec<Node<'t>> {
    let mut names = arguments(node, text, &["alias_method", "define_method"], "simple_symbol");
    names.truncate(1);
    names
}

fn required<'t>(node: Node<'t>, text: &str) -> Vec<Node<'t>> {
    arguments(node, text, &["require", "require_relative"], "string")
}
