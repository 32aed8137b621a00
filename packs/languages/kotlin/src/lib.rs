//! Kotlin for trimtab.

use trimtab_language::{Language, Name, Node, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("package_header", "package").child(&["qualified_identifier"]),
        rule("import", "import").child(&["identifier", "qualified_identifier"]),
        rule("class_declaration", "interface").with(&["interface"]),
        rule("class_declaration", "enum").with(&["enum_class_body"]),
        rule("class_declaration", "class"),
        rule("object_declaration", "object"),
        rule("companion_object", "object"),
        rule("companion_object", "object").named(Name::Text("Companion")),
        rule("enum_entry", "member").child(&["identifier"]),
        rule("type_alias", "type").field("type"),
        rule("function_declaration", "function"),
        rule("secondary_constructor", "constructor").named(Name::Text("constructor")),
        rule("property_declaration", "property").named(Name::All(bound)).outer(),
        rule("class_parameter", "property").child(&["identifier"]).with(&["val", "var"]),
    ],
    bodies: &["block", "class_body", "enum_class_body", "function_body", "getter", "lambda_literal", "setter"],
    scopes: &["anonymous_function", "anonymous_initializer", "getter", "lambda_literal", "setter"],
    attributes: &["annotation", "file_annotation"],
    comments: &["block_comment", "line_comment"],
    strings: &["character_literal", "string_content"],
    docs: &["/**"],
    visibility: &[("internal", "internal"), ("private", "private"), ("protected", "protected"), ("public", "public"),],
    ..Language::new("kotlin", tree_sitter_kotlin_ng::LANGUAGE)
});

/// `val a`, `val (a, b)`
fn bound<'t>(node: Node<'t>, _: &str) -> Vec<Node<'t>> {
    let all = trimtab_language::children(node, &["multi_variable_declaration"], &["variable_declaration"]);
    all.iter().filter_map(|one| trimtab_language::children(*one, &[], &["identifier"]).first().copied()).collect()
}
