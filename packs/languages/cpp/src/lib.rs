//! C++ for trimtab.

#[path = "../../c/src/declarator.rs"]
mod declarator;
#[path = "../../c/src/macros.rs"]
mod macros;

use declarator::{declared, function, variables};
use trimtab_language::{Language, Name, Node, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("preproc_include", "import").field("path"),
        rule("preproc_def", "macro"),
        rule("preproc_function_def", "macro"),
        rule("namespace_definition", "namespace"),
        rule("namespace_alias_definition", "namespace"),
        rule("class_specifier", "class").found(type_name).with(&["field_declaration_list"]),
        rule("struct_specifier", "struct").found(type_name).with(&["field_declaration_list"]),
        rule("union_specifier", "union").found(type_name).with(&["field_declaration_list"]),
        rule("enum_specifier", "enum").found(type_name).with(&["enumerator_list"]),
        rule("enumerator", "member"),
        rule("concept_definition", "type"),
        rule("alias_declaration", "type"),
        rule("type_definition", "type").named(Name::Each("declarator")).where_field("declarator", &["type_identifier"]),
        rule("type_definition", "type").found(|node, _| declared(node).map(|(name, _)| name)),
        rule("function_definition", "method")
            .found(|node, _| declared(node).filter(|_| is_member(node)).map(|(name, _)| name)),
        rule("function_definition", "function").found(|node, _| declared(node).map(|(name, _)| name)),
        rule("declaration", "function").found(function).outer(),
        rule("declaration", "variable").named(Name::All(variables)).outer(),
        rule("field_declaration", "method").found(function),
        rule("field_declaration", "field").named(Name::All(variables)),
    ],
    hidden: Some(macros::macros),
    bodies: &[
        "compound_statement",
        "declaration_list",
        "enumerator_list",
        "field_declaration_list",
        "field_initializer_list",
        "initializer_list",
        "lambda_expression",
    ],
    scopes: &["lambda_expression"],
    wrappers: &["friend_declaration", "template_declaration"],
    attributes: &["attribute_declaration", "attribute_specifier", "ms_declspec_modifier"],
    strings: &["char_literal", "raw_string_content", "string_content", "system_lib_string"],
    visibility: &[("private", "private"), ("protected", "protected"), ("public", "public")],
    access: &["access_specifier"],
    ..Language::new("cpp", tree_sitter_cpp::LANGUAGE)
});

fn type_name<'t>(node: Node<'t>, _: &str) -> Option<Node<'t>> {
    let mut at = node.child_by_field_name("name")?;
    while matches!(at.kind(), "qualified_identifier" | "template_type") {
        at = at.child_by_field_name("name")?;
    }
    Some(at)
}

/// `Type::name` is defined.
fn is_member(node: Node) -> bool {
    let mut at = Some(node);
    while let Some(one) = at {
        if one.kind() == "qualified_identifier" {
            return true;
        }
        at = one
            .child_by_field_name("declarator")
            .or_else(|| one.named_child(0).filter(|_| one.kind() == "reference_declarator"));
    }
    false
}
