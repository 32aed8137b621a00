//! Python for trimtab.

use trimtab_language::{Language, Name, Node, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("import_statement", "import").named(Name::Each("name")).outer(),
        rule("import_from_statement", "import").field("module_name").outer(),
        rule("future_import_statement", "import"),
        rule("class_definition", "class"),
        rule("function_definition", "function"),
        rule("type_alias_statement", "type").field("left"),
        rule("assignment", "variable").field("left").where_field("left", &["identifier"]).outer(),
        rule("assignment", "variable").named(Name::All(listed)).where_field("left", &["pattern_list"]).outer(),
    ],
    bodies: &["block", "dictionary", "list", "set", "tuple"],
    scopes: &["lambda"],
    wrappers: &["decorated_definition", "expression_statement"],
    attributes: &["decorator"],
    strings: &["string_content"],
    docs: &["#"],
    doc_inside: Some(docstring),
    ..Language::new("python", tree_sitter_python::LANGUAGE)
});

/// `a, b = …`
fn listed<'t>(node: Node<'t>, _: &str) -> Vec<Node<'t>> {
    node.child_by_field_name("left").map_or(Vec::new(), |left| trimtab_language::children(left, &[], &["identifier"]))
}

fn docstring(body: Node) -> Option<Node> {
    let first = body.named_child(0)?;
    let text = if first.kind() == "expression_statement" { first.named_child(0)? } else { first };
    (text.kind() == "string").then_some(text)
}
