//! The tools' arguments: one table, from which validation and the listed schemas derive.

use serde_json::{Map, Value, json};

/// What a tool is called, says of itself and takes. All descriptions stand in every request of a session, so they are short.
pub struct Tool {
    pub name: &'static str,
    pub about: &'static str,
    pub args: &'static [Arg],
}

pub struct Arg {
    pub name: &'static str,
    pub kind: Kind,
    pub about: &'static str,
}

pub enum Kind {
    /// A text that must be there.
    Needed,
    Text,
    Switch,
    /// One of [`KINDS`].
    Declared,
    /// Only `none`.
    Since,
}

const fn arg(name: &'static str, kind: Kind, about: &'static str) -> Arg {
    Arg { name, kind, about }
}

const SINCE: Arg = arg("since", Kind::Since, "none = show again what is unchanged");

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "outline",
        about: "Declarations of a source file with signatures and line ranges, without bodies; of a folder, a map of its files.",
        args: &[arg("path", Kind::Needed, "file or folder"), SINCE],
    },
    Tool {
        name: "symbol",
        about: "Exact text of one declaration, with file line numbers.",
        args: &[
            arg("name", Kind::Needed, "parse or Container.parse"),
            arg("path", Kind::Text, "file or folder"),
            SINCE,
        ],
    },
    Tool {
        name: "find",
        about: "Where something is declared, by name or glob.",
        args: &[
            arg("name", Kind::Needed, "parse, *Service or Container.*"),
            arg("kind", Kind::Declared, "class, function, method, …"),
            arg("path", Kind::Text, ""),
            SINCE,
        ],
    },
    Tool {
        name: "usages",
        about: "Where a name is used: definitions first, each use under the declaration around it; comments and strings apart.",
        args: &[arg("name", Kind::Needed, ""), arg("path", Kind::Text, ""), SINCE],
    },
    Tool {
        name: "grep",
        about: "Lines with a text or regex, by file and the declaration around them; skips ignored files.",
        args: &[
            arg("pattern", Kind::Needed, ""),
            arg("regex", Kind::Switch, ""),
            arg("ignoreCase", Kind::Switch, ""),
            arg("path", Kind::Text, ""),
            SINCE,
        ],
    },
];

/// Every kind of declaration that a language pack may name.
pub const KINDS: &[&str] = &[
    "class",
    "constant",
    "constructor",
    "database",
    "enum",
    "event",
    "export",
    "extension",
    "field",
    "function",
    "heading",
    "impl",
    "import",
    "index",
    "interface",
    "key",
    "macro",
    "member",
    "method",
    "module",
    "namespace",
    "object",
    "package",
    "policy",
    "procedure",
    "property",
    "record",
    "role",
    "sequence",
    "struct",
    "table",
    "trait",
    "trigger",
    "type",
    "union",
    "variable",
    "view",
];

/// A longer text is no name and no pattern.
const MAX_TEXT: usize = 1_000;

impl Tool {
    pub fn of(name: &str) -> Option<&'static Tool> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// As the client lists it.
    pub fn listed(&self) -> Value {
        let properties: Map<String, Value> = self.args.iter().map(|arg| (arg.name.to_string(), arg.schema())).collect();
        let needed: Vec<&str> =
            self.args.iter().filter(|arg| matches!(arg.kind, Kind::Needed)).map(|arg| arg.name).collect();
        json!({"name": self.name, "description": self.about,
               "inputSchema": {"type": "object", "properties": properties, "required": needed}})
    }

    /// The arguments as they are meant, or what is wrong with them.
    pub fn read(&self, given: &Value) -> Result<Args, String> {
        let nothing = Map::new();
        let given = match given {
            Value::Null => &nothing,
            Value::Object(given) => given,
            _ => return Err(format!("`{}` takes an object of arguments", self.name)),
        };
        let mut args = Args::default();
        for (name, value) in given {
            let Some(arg) = self.args.iter().find(|arg| arg.name == name) else {
                let names: Vec<&str> = self.args.iter().map(|arg| arg.name).collect();
                let known = nearest(name, &names).unwrap_or_else(|| format!("; it takes {}", listed(&names)));
                return Err(format!("`{}` takes no `{}`{known}", self.name, brief(name)));
            };
            if !value.is_null() {
                arg.read(value, &mut args).map_err(|wrong| format!("`{name}` {wrong}"))?;
            }
        }
        for arg in self.args {
            if matches!(arg.kind, Kind::Needed) && !args.texts.iter().any(|(name, _)| *name == arg.name) {
                return Err(format!("`{}` needs `{}`{}", self.name, arg.name, meaning(arg.about)));
            }
        }
        Ok(args)
    }
}

impl Arg {
    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Needed | Kind::Text | Kind::Declared => json!({"type": "string"}),
            Kind::Switch => json!({"type": "boolean"}),
            Kind::Since => json!({"enum": ["none"]}),
        };
        if !self.about.is_empty() {
            schema["description"] = json!(self.about);
        }
        schema
    }

    fn read(&self, value: &Value, args: &mut Args) -> Result<(), String> {
        if let Kind::Switch = self.kind {
            let is_on = value.as_bool().ok_or_else(|| format!("is {}; it must be true or false", shown(value)))?;
            if is_on {
                args.switches.push(self.name);
            }
            return Ok(());
        }
        let text = value.as_str().ok_or_else(|| format!("is {}; it must be a text", shown(value)))?;
        if text.trim().is_empty() {
            return Err(format!("is empty{}", meaning(self.about)));
        }
        if text.len() > MAX_TEXT {
            return Err(format!("has {} bytes; {MAX_TEXT} are the most", text.len()));
        }
        if text.contains(['\0', '\n', '\r']) {
            return Err("has more than one line; it must be a single one".to_string());
        }
        match self.kind {
            Kind::Declared if !KINDS.contains(&text) => {
                let known = nearest(text, KINDS).unwrap_or_else(|| format!("; the kinds are {}", listed(KINDS)));
                Err(format!("is `{}`, which is no kind{known}", brief(text)))
            }
            Kind::Since if text != "none" => Err(format!("is `{}`; it must be `none`", brief(text))),
            _ => {
                args.texts.push((self.name, text.to_string()));
                Ok(())
            }
        }
    }
}

/// Arguments that were read.
#[derive(Clone, Default)]
pub struct Args {
    texts: Vec<(&'static str, String)>,
    switches: Vec<&'static str>,
}

impl Args {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|(known, _)| *known == name).map(|(_, text)| text.as_str())
    }

    /// One that the table says is needed.
    pub fn needed(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    pub fn is_on(&self, name: &str) -> bool {
        self.switches.contains(&name)
    }

    /// The same for the same question, in whatever order it was put; `since` is no part of it.
    pub fn key(&self) -> String {
        let mut parts: Vec<String> = self
            .texts
            .iter()
            .filter(|(name, _)| *name != "since")
            .map(|(name, text)| format!("{name}={text}"))
            .collect();
        parts.extend(self.switches.iter().map(|name| name.to_string()));
        parts.sort();
        parts.join("\n")
    }
}

/// The word that was probably meant.
pub fn nearest(word: &str, known: &[&str]) -> Option<String> {
    let score = |name: &&&str| (strsim::jaro_winkler(&word.to_lowercase(), &name.to_lowercase()) * 1000.0) as u32;
    let best = known.iter().max_by_key(score)?;
    (score(&best) >= 800).then(|| format!("; did you mean `{best}`?"))
}

/// A name as a message may repeat it.
pub fn brief(text: &str) -> String {
    if text.chars().count() <= 60 { text.to_string() } else { text.chars().take(59).chain(['…']).collect() }
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn shown(value: &Value) -> String {
    format!("`{}`", brief(&value.to_string()))
}

fn meaning(about: &str) -> String {
    if about.is_empty() { String::new() } else { format!(": {about}") }
}
