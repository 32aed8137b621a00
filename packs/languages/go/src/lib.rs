//! Go for trimtab.

use trimtab_language::{Language, Name, Node, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("package_clause", "package").child(&["package_identifier"]),
        rule("import_spec", "import").field("path"),
        rule("function_declaration", "function"),
        rule("method_declaration", "method"),
        rule("type_spec", "struct").where_field("type", &["struct_type"]),
        rule("type_spec", "interface").where_field("type", &["interface_type"]),
        rule("type_spec", "type"),
        rule("type_alias", "type"),
        rule("const_spec", "constant").named(Name::Each("name")).outer(),
        rule("var_spec", "variable").named(Name::Each("name")).outer(),
        rule("field_declaration", "field").named(Name::Each("name")).outer(),
        rule("field_declaration", "field").found(embedded).outer(),
        rule("method_elem", "method"),
    ],
    bodies: &["block", "field_declaration_list", "func_literal", "literal_value", "method_elem", "type_elem"],
    scopes: &["func_literal"],
    wrappers: &["const_declaration", "import_declaration", "type_declaration", "var_declaration", "var_spec_list"],
    strings: &["interpreted_string_literal_content", "raw_string_literal_content", "rune_literal"],
    visible: Some(|_, name| if name.starts_with(char::is_uppercase) { "public" } else { "" }),
    ..Language::new("go", tree_sitter_go::LANGUAGE)
});

/// The name of a field that has only a type: of `*other.Type[T]` the `Type`.
fn embedded<'t>(node: Node<'t>, _: &str) -> Option<Node<'t>> {
    let mut at = node.child_by_field_name("type")?;
    while let Some(inner) = at.child_by_field_name("name").or_else(|| at.child_by_field_name("type")) {
        at = inner;
    }
    Some(at)
}
