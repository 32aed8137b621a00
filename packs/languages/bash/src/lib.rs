//! Bash for trimtab.

use trimtab_language::{Language, Name, Node, rule};

trimtab_language::pack!(Language {
    rules: &[
        rule("function_definition", "function"),
        rule("command", "import").found(|node, text| argument(node, text, &["source", "."])),
        rule("variable_assignment", "variable")
            .where_field("name", &["variable_name"])
            .in_nodes(&["declaration_command", "program", "variable_assignments"])
            .outer(),
        rule("declaration_command", "variable").named(Name::Child(&["variable_name"])).in_nodes(&["program"]),
    ],
    bodies: &["array", "compound_statement", "command_substitution", "heredoc_body", "subshell"],
    scopes: &["command_substitution", "subshell"],
    wrappers: &["declaration_command", "variable_assignments"],
    strings: &["ansi_c_string", "heredoc_content", "raw_string", "string_content"],
    ..Language::new("bash", tree_sitter_bash::LANGUAGE)
});

/// The first argument of one of these commands.
fn argument<'t>(node: Node<'t>, text: &str, commands: &[&str]) -> Option<Node<'t>> {
    let name = node.child_by_field_name("name")?;
    commands.contains(&&text[name.byte_range()]).then(|| node.child_by_field_name("argument"))?
}
