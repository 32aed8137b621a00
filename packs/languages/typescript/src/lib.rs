//! TypeScript for trimtab.

mod table;

trimtab_language::pack!(table::table("typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT));
