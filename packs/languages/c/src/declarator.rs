//! The names in a declarator of C and C++.

use trimtab_language::Node;

/// The name, and whether it is a function's.
pub fn declared(node: Node) -> Option<(Node, bool)> {
    let mut at = node;
    let mut is_function = false;
    loop {
        if at.kind() == "operator_cast" {
            return at.child_by_field_name("type").map(|to| (to, true));
        }
        match at.kind() {
            // A pointer to a function is none.
            "function_declarator" => is_function = true,
            "parenthesized_declarator" => is_function = false,
            _ => {}
        }
        let next = match at.kind() {
            "destructor_name" | "operator_name" => None,
            "attributed_declarator" | "parenthesized_declarator" | "reference_declarator" => at.named_child(0),
            "qualified_identifier" | "template_function" | "template_method" | "template_type" => {
                at.child_by_field_name("name")
            }
            _ => at.child_by_field_name("declarator"),
        };
        match next {
            Some(next) => at = next,
            None => return (at != node).then_some((at, is_function)),
        }
    }
}

pub fn function<'t>(node: Node<'t>, _: &str) -> Option<Node<'t>> {
    declared(node).filter(|(_, is_function)| *is_function).map(|(name, _)| name)
}

pub fn variables<'t>(node: Node<'t>, _: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let all = node.children_by_field_name("declarator", &mut cursor);
    let named = all.map(|one| declared(one).unwrap_or((one, false)));
    named.filter(|(_, is_function)| !is_function).map(|(name, _)| name).collect()
}
