//! The tables of TOML and their keys for trimtab.

use trimtab_language::{Language, rule};

const KEYS: &[&str] = &["bare_key", "dotted_key", "quoted_key"];

trimtab_language::pack!(Language {
    rules: &[
        rule("table", "table").child(KEYS),
        rule("table_array_element", "table").child(KEYS),
        rule("pair", "key").child(KEYS),
    ],
    bodies: &["array", "inline_table", "pair"],
    max_depth: 1,
    ..Language::new("toml", tree_sitter_toml_ng::LANGUAGE)
});
