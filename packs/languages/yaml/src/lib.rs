//! The keys of YAML, two levels of them, for trimtab.

use trimtab_language::{Language, rule};

trimtab_language::pack!(Language {
    rules: &[rule("block_mapping_pair", "key").field("key"), rule("flow_pair", "key").field("key")],
    bodies: &["block_node", "block_scalar", "flow_mapping", "flow_sequence"],
    max_depth: 1,
    ..Language::new("yaml", tree_sitter_yaml::LANGUAGE)
});
