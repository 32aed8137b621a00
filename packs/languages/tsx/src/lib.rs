//! TypeScript with JSX for trimtab.

#[path = "../../typescript/src/table.rs"]
mod table;

trimtab_language::pack!(table::table("tsx", tree_sitter_typescript::LANGUAGE_TSX));
