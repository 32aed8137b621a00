//! Rust for trimtab.

use trimtab_language::{Language, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("use_declaration", "import").field("argument").outer(),
        rule("extern_crate_declaration", "import"),
        rule("mod_item", "module"),
        rule("struct_item", "struct"),
        rule("union_item", "union"),
        rule("enum_item", "enum"),
        rule("enum_variant", "member"),
        rule("trait_item", "trait"),
        rule("impl_item", "impl").found(|node, _| {
            let mut at = node.child_by_field_name("type")?;
            while let Some(inner) = ["type", "element", "name"].iter().find_map(|field| at.child_by_field_name(field)) {
                at = inner;
            }
            Some(at)
        }),
        rule("type_item", "type"),
        rule("associated_type", "type"),
        rule("function_item", "function"),
        rule("function_signature_item", "function"),
        rule("field_declaration", "field"),
        rule("const_item", "constant"),
        rule("static_item", "variable"),
        rule("macro_definition", "macro"),
    ],
    bodies: &["block", "declaration_list", "field_declaration_list", "enum_variant_list", "macro_rule"],
    attributes: &["attribute_item"],
    comments: &["line_comment", "block_comment"],
    strings: &["string_content", "char_literal"],
    docs: &["///", "/**"],
    visibility: &[("pub", "public"), ("pub(crate)", "crate"), ("pub(super)", "module")],
    ..Language::new("rust", tree_sitter_rust::LANGUAGE)
});
