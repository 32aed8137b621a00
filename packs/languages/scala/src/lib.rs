//! Scala for trimtab.

use trimtab_language::{Language, Name, Node, children, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("package_clause", "package"),
        rule("import_declaration", "import").named(Name::Whole).outer(),
        rule("export_declaration", "export").named(Name::Whole).outer(),
        rule("class_definition", "class"),
        rule("object_definition", "object"),
        rule("package_object", "object"),
        rule("trait_definition", "trait"),
        rule("enum_definition", "enum"),
        rule("simple_enum_case", "member"),
        rule("full_enum_case", "member"),
        rule("type_definition", "type"),
        rule("function_definition", "function"),
        rule("function_declaration", "function"),
        rule("given_definition", "constant"),
        rule("given_definition", "constant").named(Name::Text("given")),
        rule("extension_definition", "extension").named(Name::Text("extension")),
        rule("val_definition", "variable").named(Name::All(bound)).outer(),
        rule("var_definition", "variable").named(Name::All(bound)).outer(),
        rule("val_declaration", "variable").named(Name::Each("name")).outer(),
        rule("var_declaration", "variable").named(Name::Each("name")).outer(),
        rule("class_parameter", "field").with(&["val", "var"]),
    ],
    bodies: &["block", "enum_body", "indented_block", "template_body", "with_template_body"],
    scopes: &["case_block", "lambda_expression"],
    attributes: &["annotation"],
    comments: &["block_comment", "comment"],
    strings: &["character_literal", "string"],
    docs: &["/**"],
    visibility: &[("private", "private"), ("protected", "protected")],
    ..Language::new("scala", tree_sitter_scala::LANGUAGE)
});

/// `val a`, `val a, b`, `val (a, b)`
fn bound<'t>(node: Node<'t>, _: &str) -> Vec<Node<'t>> {
    match node.child_by_field_name("pattern") {
        Some(name) if matches!(name.kind(), "identifier" | "operator_identifier") => vec![name],
        Some(pattern) => children(pattern, &[], &["identifier"]),
        None => Vec::new(),
    }
}
