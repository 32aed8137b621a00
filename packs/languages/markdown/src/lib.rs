//! The headings of Markdown for trimtab.

use trimtab_language::{Language, Node, children, rule};

trimtab_language::pack!(Language {
    rules: &[rule("section", "heading").found(title), rule("setext_heading", "heading").field("heading_content")],
    bodies: &[
        "block_quote",
        "fenced_code_block",
        "html_block",
        "indented_code_block",
        "link_reference_definition",
        "list",
        "paragraph",
        "pipe_table",
        "section",
        "thematic_break",
    ],
    comments: &[],
    ..Language::new("markdown", tree_sitter_md::LANGUAGE)
});

fn title<'t>(node: Node<'t>, _: &str) -> Option<Node<'t>> {
    let heading = children(node, &[], &["atx_heading"]).first().copied()?;
    heading.child_by_field_name("heading_content")
}
