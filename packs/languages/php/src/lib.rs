//! PHP for trimtab.

use trimtab_language::{Language, Name, Node, children, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("namespace_definition", "namespace"),
        rule("namespace_use_declaration", "import").named(Name::All(used)),
        rule("class_declaration", "class"),
        rule("interface_declaration", "interface"),
        rule("trait_declaration", "trait"),
        rule("enum_declaration", "enum"),
        rule("enum_case", "member"),
        rule("function_definition", "function"),
        rule("method_declaration", "method"),
        rule("property_declaration", "field").named(Name::All(properties)),
        rule("property_promotion_parameter", "field").found(|node, _| plain(node.child_by_field_name("name")?)),
        rule("const_declaration", "constant").named(Name::All(constants)),
        rule("function_call_expression", "constant").found(defined),
        rule("assignment_expression", "variable")
            .found(|node, _| plain(node.child_by_field_name("left")?))
            .where_field("left", &["variable_name"])
            .in_nodes(&["expression_statement"])
            .outer(),
    ],
    bodies: &[
        "array_creation_expression",
        "compound_statement",
        "declaration_list",
        "enum_declaration_list",
        "match_block",
        "property_hook_list",
    ],
    scopes: &["anonymous_function", "arrow_function"],
    wrappers: &["expression_statement"],
    attributes: &["attribute_list"],
    strings: &["nowdoc_string", "string_content"],
    docs: &["/**"],
    visibility: &[("private", "private"), ("protected", "protected"), ("public", "public")],
    ..Language::new("php", tree_sitter_php::LANGUAGE_PHP)
});

/// A variable without its `$`.
fn plain(node: Node) -> Option<Node> {
    children(node, &[], &["name"]).first().copied()
}

fn properties<'t>(node: Node<'t>, _: &str) -> Vec<Node<'t>> {
    let all = children(node, &[], &["property_element"]);
    all.into_iter().filter_map(|one| plain(one.child_by_field_name("name")?)).collect()
}

fn constants<'t>(node: Node<'t>, _: &str) -> Vec<Node<'t>> {
    children(node, &[], &["const_element"]).into_iter().filter_map(plain).collect()
}

fn used<'t>(node: Node<'t>, _: &str) -> Vec<Node<'t>> {
    children(node, &["namespace_use_group"], &["namespace_use_clause"])
}

/// `define('NAME', …)`
fn defined<'t>(node: Node<'t>, text: &str) -> Option<Node<'t>> {
    let function = node.child_by_field_name("function")?;
    if &text[function.byte_range()] != "define" {
        return None;
    }
    let first = node.child_by_field_name("arguments")?.named_child(0)?.named_child(0)?;
    matches!(first.kind(), "encapsed_string" | "string").then_some(first)
}
