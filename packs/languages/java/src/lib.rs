//! Java for trimtab.

use trimtab_language::{Language, Name, Node, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("package_declaration", "package").child(&["identifier", "scoped_identifier"]),
        rule("import_declaration", "import").child(&["identifier", "scoped_identifier"]),
        rule("module_declaration", "module"),
        rule("class_declaration", "class"),
        rule("interface_declaration", "interface"),
        rule("annotation_type_declaration", "interface"),
        rule("enum_declaration", "enum"),
        rule("record_declaration", "record"),
        rule("enum_constant", "member"),
        rule("method_declaration", "method"),
        rule("annotation_type_element_declaration", "method"),
        rule("constructor_declaration", "constructor"),
        rule("compact_constructor_declaration", "constructor"),
        rule("field_declaration", "field").named(Name::All(declared)),
        rule("constant_declaration", "field").named(Name::All(declared)),
        rule("formal_parameter", "field").in_nodes(&["formal_parameters"]).in_kinds(&["record"]),
    ],
    bodies: &[
        "annotation_type_body",
        "array_initializer",
        "block",
        "class_body",
        "constructor_body",
        "enum_body",
        "interface_body",
        "module_body",
    ],
    scopes: &["lambda_expression"],
    attributes: &["annotation", "marker_annotation"],
    comments: &["block_comment", "line_comment"],
    strings: &["multiline_string_fragment", "string_fragment"],
    docs: &["/**"],
    visibility: &[("private", "private"), ("protected", "protected"), ("public", "public")],
    ..Language::new("java", tree_sitter_java::LANGUAGE)
});

/// `int a, b;`
fn declared<'t>(node: Node<'t>, _: &str) -> Vec<Node<'t>> {
    let all = trimtab_language::children(node, &[], &["variable_declarator"]);
    all.into_iter().filter_map(|one| one.child_by_field_name("name")).collect()
}
