//! What declares something in TypeScript, and so in JavaScript: their grammars name alike what both have.

use trimtab_language::{Language, LanguageFn, Name, Node, Rule, children, rule};

const FUNCTIONS: &[&str] = &["arrow_function", "function_expression", "generator_function"];
const VALUES: &[&str] = &[
    "array",
    "as_expression",
    "await_expression",
    "binary_expression",
    "call_expression",
    "false",
    "identifier",
    "member_expression",
    "new_expression",
    "number",
    "object",
    "satisfies_expression",
    "string",
    "template_string",
    "ternary_expression",
    "true",
];

const RULES: &[Rule] = &[
    rule("import_statement", "import").field("source"),
    // `import fs = require('fs')`
    rule("import_statement", "import")
        .named(Name::All(|node, _| children(node, &["import_require_clause"], &["string"]))),
    rule("import_alias", "import").child(&["identifier"]),
    rule("export_statement", "export").named(Name::Whole).with(&["*", "export_clause", "namespace_export"]),
    rule("export_statement", "function").named(Name::Text("default")).where_field("value", FUNCTIONS),
    rule("export_statement", "class").named(Name::Text("default")).where_field("value", &["class"]),
    rule("export_statement", "export").named(Name::Text("default")).where_field("value", VALUES),
    rule("function_declaration", "function"),
    rule("generator_function_declaration", "function"),
    rule("function_signature", "function"),
    rule("class_declaration", "class"),
    rule("abstract_class_declaration", "class"),
    rule("interface_declaration", "interface"),
    rule("enum_declaration", "enum"),
    rule("enum_assignment", "member"),
    rule("property_identifier", "member").named(Name::Whole).in_nodes(&["enum_body"]),
    rule("string", "member").named(Name::Whole).in_nodes(&["enum_body"]),
    rule("type_alias_declaration", "type"),
    rule("internal_module", "namespace"),
    rule("module", "namespace"),
    rule("method_definition", "method"),
    // In the parameter of a function they are a part of its signature.
    rule("method_signature", "method").outer(),
    rule("abstract_method_signature", "method"),
    rule("property_signature", "property").outer(),
    rule("public_field_definition", "method").where_field("value", FUNCTIONS),
    rule("public_field_definition", "field"),
    // `constructor(private name: string)`
    rule("required_parameter", "field").field("pattern").with(&[
        "accessibility_modifier",
        "override_modifier",
        "readonly",
    ]),
    rule("optional_parameter", "field").field("pattern").with(&[
        "accessibility_modifier",
        "override_modifier",
        "readonly",
    ]),
    rule("field_definition", "method").field("property").where_field("value", FUNCTIONS),
    rule("field_definition", "field").field("property"),
    rule("variable_declarator", "function").where_field("value", FUNCTIONS),
    rule("variable_declarator", "class").where_field("value", &["class"]),
    rule("variable_declarator", "constant").where_field("name", &["identifier"]).after("const").outer(),
    rule("variable_declarator", "variable").where_field("name", &["identifier"]).outer(),
    rule("variable_declarator", "constant").named(Name::All(unpacked)).after("const").outer(),
    rule("variable_declarator", "variable").named(Name::All(unpacked)).outer(),
    rule("pair", "method").field("key").where_field("value", FUNCTIONS),
    rule("pair", "property").field("key").in_kinds(&["class", "constant", "export", "property", "variable"]).outer(),
    // `exports.name = …`, `Type.prototype.name = …`, `this.name = …`
    rule("assignment_expression", "method").found(|node, _| left_of(node, true)).where_field("right", FUNCTIONS),
    rule("assignment_expression", "function").found(|node, _| left_of(node, false)).where_field("right", FUNCTIONS),
    rule("assignment_expression", "class").found(|node, _| left_of(node, true)).where_field("right", &["class"]),
];

/// The names in `{ a, b: c, ...d } = value`; what is required counts as imported.
fn unpacked<'t>(node: Node<'t>, text: &str) -> Vec<Node<'t>> {
    let is_required =
        node.child_by_field_name("value").is_some_and(|value| text[value.byte_range()].starts_with("require("));
    let mut open: Vec<Node> = node.child_by_field_name("name").filter(|_| !is_required).into_iter().collect();
    let mut names = Vec::new();
    while let Some(one) = open.pop() {
        match one.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => names.push(one),
            "pair_pattern" => open.extend(one.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" => open.extend(one.child_by_field_name("left")),
            "array_pattern" | "object_pattern" | "rest_pattern" => {
                let mut cursor = one.walk();
                let inner: Vec<Node> = one.named_children(&mut cursor).collect();
                open.extend(inner.into_iter().rev());
            }
            _ => {}
        }
    }
    names
}

/// What is assigned to: the last word of a member, or a plain name.
fn left_of(node: Node, is_member: bool) -> Option<Node> {
    let left = node.child_by_field_name("left")?;
    match left.kind() {
        "identifier" if !is_member => Some(left),
        "member_expression" if is_member => left.child_by_field_name("property"),
        _ => None,
    }
}

pub const fn table(name: &'static str, grammar: LanguageFn) -> Language {
    Language {
        rules: RULES,
        bodies: &[
            "array",
            "class_body",
            "enum_body",
            "interface_body",
            "jsx_element",
            "jsx_self_closing_element",
            "object",
            "object_type",
            "parenthesized_expression",
            "statement_block",
            "template_string",
        ],
        scopes: &["arrow_function", "class_static_block", "function_expression", "generator_function"],
        wrappers: &[
            "ambient_declaration",
            "export_statement",
            "expression_statement",
            "lexical_declaration",
            "variable_declaration",
        ],
        attributes: &["decorator"],
        comments: &["comment", "html_comment"],
        strings: &["jsx_text", "regex_pattern", "string_fragment"],
        docs: &["/**"],
        visibility: &[("private", "private"), ("protected", "protected"), ("public", "public"), ("export", "public")],
        ..Language::new(name, grammar)
    }
}
