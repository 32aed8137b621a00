//! C# for trimtab.

use trimtab_language::{Language, Name, Node, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("using_directive", "import").child(&["alias_qualified_name", "identifier", "qualified_name"]),
        rule("namespace_declaration", "namespace"),
        rule("file_scoped_namespace_declaration", "namespace"),
        rule("class_declaration", "class"),
        rule("interface_declaration", "interface"),
        rule("struct_declaration", "struct"),
        rule("record_declaration", "record"),
        rule("enum_declaration", "enum"),
        rule("enum_member_declaration", "member"),
        rule("delegate_declaration", "type"),
        rule("constructor_declaration", "constructor"),
        rule("destructor_declaration", "method"),
        rule("method_declaration", "method"),
        rule("local_function_statement", "function"),
        rule("operator_declaration", "method").field("operator"),
        rule("conversion_operator_declaration", "method").field("type"),
        rule("property_declaration", "property"),
        rule("indexer_declaration", "property").named(Name::Text("this")),
        rule("parameter", "property").in_nodes(&["parameter_list"]).in_kinds(&["record"]),
        rule("event_declaration", "event"),
        rule("event_field_declaration", "event").named(Name::All(declared)),
        rule("field_declaration", "field").named(Name::All(declared)),
    ],
    bodies: &[
        "accessor_list",
        "arrow_expression_clause",
        "block",
        "constructor_initializer",
        "declaration_list",
        "enum_member_declaration_list",
        "initializer_expression",
    ],
    scopes: &["accessor_list", "anonymous_method_expression", "lambda_expression"],
    attributes: &["attribute_list"],
    strings: &[
        "character_literal_content",
        "raw_string_content",
        "string_content",
        "string_literal_content",
        "verbatim_string_literal",
    ],
    docs: &["///", "/**"],
    visibility: &[("internal", "internal"), ("private", "private"), ("protected", "protected"), ("public", "public"),],
    ..Language::new("csharp", tree_sitter_c_sharp::LANGUAGE)
});

/// `int a, b;`
fn declared<'t>(node: Node<'t>, _: &str) -> Vec<Node<'t>> {
    let all = trimtab_language::children(node, &["variable_declaration"], &["variable_declarator"]);
    all.into_iter().filter_map(|one| one.child_by_field_name("name")).collect()
}
