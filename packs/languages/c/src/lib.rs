//! C for trimtab.

mod declarator;
mod macros;

use declarator::{function, variables};
use trimtab_language::{Language, Name, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("preproc_include", "import").field("path"),
        rule("preproc_def", "macro"),
        rule("preproc_function_def", "macro"),
        rule("struct_specifier", "struct").with(&["field_declaration_list"]),
        rule("union_specifier", "union").with(&["field_declaration_list"]),
        rule("enum_specifier", "enum").with(&["enumerator_list"]),
        rule("enumerator", "member"),
        rule("type_definition", "type").named(Name::Each("declarator")).where_field("declarator", &["type_identifier"]),
        rule("type_definition", "type").found(|node, _| declarator::declared(node).map(|(name, _)| name)),
        rule("function_definition", "function").found(|node, _| declarator::declared(node).map(|(name, _)| name)),
        rule("declaration", "function").found(function).outer(),
        rule("declaration", "variable").named(Name::All(variables)).outer(),
        rule("field_declaration", "field").named(Name::All(variables)),
        rule("field_declaration", "field").found(function),
    ],
    hidden: Some(macros::macros),
    bodies: &["compound_statement", "enumerator_list", "field_declaration_list", "initializer_list"],
    attributes: &["attribute_declaration", "attribute_specifier", "ms_declspec_modifier"],
    strings: &["char_literal", "string_content", "system_lib_string"],
    ..Language::new("c", tree_sitter_c::LANGUAGE)
});
