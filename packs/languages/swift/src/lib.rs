//! Swift for trimtab.

use trimtab_language::{Language, Name, Node, children, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("import_declaration", "import").child(&["identifier"]),
        rule("class_declaration", "extension").with(&["extension"]),
        rule("class_declaration", "struct").with(&["struct"]),
        rule("class_declaration", "enum").with(&["enum"]),
        rule("class_declaration", "class"),
        rule("protocol_declaration", "interface"),
        rule("enum_entry", "member").named(Name::Each("name")),
        rule("typealias_declaration", "type"),
        rule("associatedtype_declaration", "type"),
        rule("function_declaration", "function"),
        rule("protocol_function_declaration", "function"),
        rule("init_declaration", "constructor").found(|node, _| word(node, "init")),
        rule("deinit_declaration", "method").found(|node, _| word(node, "deinit")),
        rule("subscript_declaration", "method").found(|node, _| word(node, "subscript")),
        rule("property_declaration", "property").named(Name::All(bound)).outer(),
        rule("protocol_property_declaration", "property").named(Name::All(bound)),
        rule("macro_declaration", "macro").child(&["simple_identifier"]),
        rule("operator_declaration", "function").child(&["custom_operator"]),
        rule("precedence_group_declaration", "type").child(&["simple_identifier"]),
    ],
    bodies: &[
        "class_body",
        "computed_property",
        "enum_class_body",
        "function_body",
        "lambda_literal",
        "protocol_body",
        "protocol_property_requirements",
        "willset_didset_block",
    ],
    scopes: &["computed_property", "lambda_literal", "willset_didset_block"],
    attributes: &["attribute"],
    comments: &["comment", "multiline_comment"],
    strings: &["line_str_text", "multi_line_str_text", "raw_str_part"],
    docs: &["///", "/**"],
    visibility: &[
        ("fileprivate", "private"),
        ("internal", "internal"),
        ("open", "public"),
        ("package", "package"),
        ("private", "private"),
        ("public", "public"),
    ],
    ..Language::new("swift", tree_sitter_swift::LANGUAGE)
});

/// The keyword that stands where others have a name.
fn word<'t>(node: Node<'t>, word: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|one| one.kind() == word)
}

/// `let a = 1, b = 2`, `let (a, b) = …`
fn bound<'t>(node: Node<'t>, _: &str) -> Vec<Node<'t>> {
    let patterns = children(node, &[], &["pattern"]);
    patterns.into_iter().flat_map(|one| children(one, &["pattern"], &["simple_identifier"])).collect()
}
