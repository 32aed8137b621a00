//! Kotlin for trimtab.

use std::ops::Range;

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
    hidden: Some(hidden),
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

/// The visibility in `class A @Inject internal constructor(`: behind an annotation the grammar has no place for it.
fn hidden(text: &str) -> Vec<Range<usize>> {
    let found = text.match_indices("constructor").filter_map(|(at, _)| {
        let before = text[..at].trim_end();
        let word = ["internal", "private", "protected", "public"].into_iter().find(|word| before.ends_with(word))?;
        let start = before.len() - word.len();
        is_annotation(text[..start].trim_end()).then_some(start..before.len())
    });
    found.collect()
}

/// Whether a text ends with an annotation.
fn is_annotation(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let word = line.split_whitespace().next_back().unwrap_or_default();
    word.starts_with('@') || line.trim_start().starts_with('@') && line.ends_with(')')
}
