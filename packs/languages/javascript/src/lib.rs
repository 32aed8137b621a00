//! JavaScript, with JSX, for trimtab: its grammar has the nodes of TypeScript's, less those for types.

#[path = "../../typescript/src/table.rs"]
mod table;

trimtab_language::pack!(table::table("javascript", tree_sitter_javascript::LANGUAGE));
