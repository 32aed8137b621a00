//! The keys of JSON, two levels of them, for trimtab.

use trimtab_language::{Language, rule};

trimtab_language::pack!(Language {
    rules: &[rule("pair", "key").field("key")],
    bodies: &["array", "object"],
    max_depth: 1,
    ..Language::new("json", tree_sitter_json::LANGUAGE)
});
