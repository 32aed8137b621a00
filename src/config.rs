//! Configuration: layers of JSON from weak to strong, merged over the defaults. A mistake becomes a warning, never a
//! failure, and the key keeps the value that it had.

use serde_json::{Map, Value};

use crate::rules;

/// Where a layer comes from, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// `~/.trimtab/config.json`.
    User,
    /// `<root>/.trimtab.json`.
    Project,
    /// `<root>/.trimtab.local.json`.
    Local,
    /// The plugin's options, where the person set them.
    Options,
    /// `TRIMTAB_*` variables.
    Env,
    /// The `config` of one `trimtab judge` line.
    Call,
}

impl Origin {
    pub fn name(self) -> &'static str {
        match self {
            Origin::User => "user",
            Origin::Project => "project",
            Origin::Local => "local",
            Origin::Options => "options",
            Origin::Env => "env",
            Origin::Call => "call",
        }
    }

    pub fn of(name: &str) -> Option<Origin> {
        [Origin::User, Origin::Project, Origin::Local, Origin::Options, Origin::Env, Origin::Call]
            .into_iter()
            .find(|o| o.name() == name)
    }

    /// A repository's file is not the person's own: it may only make trimtab quieter.
    fn is_repository(self) -> bool {
        matches!(self, Origin::Project | Origin::Local)
    }
}

/// One layer as the host found it.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub origin: Origin,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Text(String),
    /// The file is there and could not be read; the system's code for it.
    Unreadable(String),
    Value(Value),
}

/// How much trimtab does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Advise,
    Answer,
    Off,
    Redirect,
    Strict,
}

impl Mode {
    pub const ALL: [Mode; 5] = [Mode::Off, Mode::Advise, Mode::Redirect, Mode::Answer, Mode::Strict];

    pub fn name(self) -> &'static str {
        match self {
            Mode::Advise => "advise",
            Mode::Answer => "answer",
            Mode::Off => "off",
            Mode::Redirect => "redirect",
            Mode::Strict => "strict",
        }
    }

    fn of(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|m| m.name() == name.trim().to_ascii_lowercase())
    }
}

/// The effective configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    pub enabled: bool,
    pub mode: Mode,
    /// A file of so many lines is large. 300: the described systems' default.
    pub large_lines: u64,
    /// A file of so many bytes is large. 30 KB: what Bash shows at most is 30,000 characters.
    pub large_bytes: u64,
    /// A refusal needs an output of at least so many tokens.
    pub min_tokens: u64,
    /// And must save at least so many.
    pub min_saved: u64,
    /// The person let economy rules pass (`TRIMTAB_BYPASS=1`).
    pub bypass: bool,
    /// Rules with a mode of their own.
    pub rules: Vec<(&'static str, Mode)>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            enabled: true,
            mode: Mode::Answer,
            large_lines: 300,
            large_bytes: 30 * 1024,
            min_tokens: 2_000,
            min_saved: 1_500,
            bypass: false,
            rules: Vec::new(),
        }
    }
}

/// A mistake in a layer: what, where, and the nearest valid choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning(pub String);

/// `large.lines` never falls below this: shorter reads are the usual way to look at code.
pub const MIN_LARGE_LINES: u64 = 50;

/// Keys that take a whole number, by path.
const NUMBERS: &[&str] = &["large.lines", "large.bytes", "refuse.minTokens", "refuse.minSaved"];

impl Config {
    /// The effective mode of a rule.
    pub fn mode_of(&self, rule: &str) -> Mode {
        if !self.enabled {
            return Mode::Off;
        }
        self.rules.iter().rev().find(|(id, _)| *id == rule).map_or(self.mode, |(_, mode)| *mode)
    }

    /// Lays layers over the defaults.
    pub fn from_layers(layers: &[Layer]) -> (Config, Vec<Warning>) {
        let mut config = Config::default();
        let mut warnings = Vec::new();
        for layer in layers {
            config.lay(layer, &mut warnings);
        }
        (config, warnings)
    }

    /// Lays one layer over what is there.
    pub fn lay(&mut self, layer: &Layer, warnings: &mut Vec<Warning>) {
        let mut warn = |what: String| warnings.push(Warning(format!("{} configuration: {what}", layer.origin.name())));
        let parsed;
        let value = match &layer.content {
            Content::Unreadable(code) => {
                return warn(format!("cannot be read (`{code}`), going on without it"));
            }
            Content::Value(value) => value,
            Content::Text(text) => match serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) {
                Ok(value) => {
                    parsed = value;
                    &parsed
                }
                Err(error) => {
                    return warn(format!("is not JSON ({error}), going on without it"));
                }
            },
        };
        let Value::Object(keys) = value else {
            return warn("is no JSON object, going on without it".to_string());
        };
        if layer.origin == Origin::Env {
            return self.lay_env(keys, &mut warn);
        }
        for (key, value) in keys {
            match (key.as_str(), value) {
                ("$schema", _) | (_, Value::Null) => {}
                ("enabled", Value::Bool(on)) => {
                    if *on && !self.enabled && layer.origin.is_repository() {
                        warn("`enabled` cannot be switched on again by a repository's file".to_string());
                    } else {
                        self.enabled = *on;
                    }
                }
                ("mode", _) => {
                    if let Some(mode) = mode(value, "mode", self.mode, layer.origin, &mut warn) {
                        self.mode = mode;
                    }
                }
                ("large" | "refuse", Value::Object(inner)) => {
                    for (inner_key, value) in inner {
                        self.number(&format!("{key}.{inner_key}"), value, layer.origin, &mut warn);
                    }
                }
                ("rules", Value::Object(inner)) => {
                    for (id, value) in inner {
                        self.rule(id, value, layer.origin, &mut warn);
                    }
                }
                ("enabled", other) => warn(format!("`enabled` is `{}`, expected `true` or `false`", brief(other))),
                ("large" | "refuse" | "rules", other) => {
                    warn(format!("`{key}` is `{}`, expected an object", brief(other)))
                }
                _ => {
                    let known = ["enabled", "mode", "large", "refuse", "rules"];
                    warn(format!("unknown key `{key}`{}", nearest(key, known)));
                }
            }
        }
    }

    fn number(&mut self, path: &str, value: &Value, origin: Origin, warn: &mut impl FnMut(String)) {
        let field = match path {
            "large.lines" => &mut self.large_lines,
            "large.bytes" => &mut self.large_bytes,
            "refuse.minTokens" => &mut self.min_tokens,
            "refuse.minSaved" => &mut self.min_saved,
            _ => {
                return warn(format!("unknown key `{path}`{}", nearest(path, NUMBERS.iter().copied())));
            }
        };
        match value.as_u64() {
            _ if value.is_null() => {}
            Some(number) if origin.is_repository() && number < *field => {
                warn(format!("`{path}` is `{number}`: a repository's file can only raise it, keeping `{field}`"));
            }
            Some(number) if path == "large.lines" && number < MIN_LARGE_LINES => {
                *field = MIN_LARGE_LINES;
                warn(format!("`{path}` is `{number}`, using the least that it can be, `{MIN_LARGE_LINES}`"));
            }
            Some(number) => *field = number,
            None => warn(format!("`{path}` is `{}`, expected a whole number, keeping `{field}`", brief(value))),
        }
    }

    fn rule(&mut self, id: &str, value: &Value, origin: Origin, warn: &mut impl FnMut(String)) {
        let Some(rule) = rules::RULES.iter().find(|r| r.id == id) else {
            return warn(format!("unknown rule `{id}`{}", nearest(id, rules::RULES.iter().map(|r| r.id))));
        };
        let key = format!("rules.{id}");
        let value = match value {
            Value::Object(inner) => inner.get("mode").unwrap_or(&Value::Null),
            other => other,
        };
        if value.is_null() {
            return;
        }
        let before = self.rules.iter().rev().find(|(known, _)| *known == rule.id).map_or(self.mode, |(_, m)| *m);
        if let Some(mode) = mode(value, &key, before, origin, warn) {
            self.rules.retain(|(known, _)| *known != rule.id);
            self.rules.push((rule.id, mode));
        }
    }

    fn lay_env(&mut self, variables: &Map<String, Value>, warn: &mut impl FnMut(String)) {
        for (name, value) in variables {
            let text = value.as_str().unwrap_or_default().trim();
            match name.as_str() {
                "TRIMTAB_MODE" if !text.is_empty() => {
                    if let Some(found) = mode(value, name, self.mode, Origin::Env, warn) {
                        self.mode = found;
                    }
                }
                "TRIMTAB_HOOKS" if text.eq_ignore_ascii_case("off") => self.enabled = false,
                "TRIMTAB_BYPASS" => self.bypass = text == "1",
                _ => {}
            }
        }
    }
}

/// The mode that a value names, if this origin may choose it.
fn mode(value: &Value, key: &str, before: Mode, origin: Origin, warn: &mut impl FnMut(String)) -> Option<Mode> {
    let text = value.as_str().unwrap_or_default();
    // `false` is a natural way to say off.
    let found = if *value == Value::Bool(false) { Some(Mode::Off) } else { Mode::of(text) };
    match found {
        Some(mode) if origin.is_repository() && strength(mode) > strength(before) => {
            warn(format!(
                "`{key}` is `{}`: a repository's file can only make it milder, keeping `{}`",
                mode.name(),
                before.name()
            ));
            None
        }
        Some(mode) => Some(mode),
        None => {
            let names = Mode::ALL.map(Mode::name);
            warn(format!(
                "`{key}` is `{}`, expected one of {}{}, keeping `{}`",
                brief(value),
                names.join(", "),
                nearest(text, names),
                before.name()
            ));
            None
        }
    }
}

fn strength(mode: Mode) -> usize {
    Mode::ALL.iter().position(|m| *m == mode).expect("ALL holds every mode")
}

/// A value short enough for a message.
fn brief(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if text.chars().count() > 40 { text.chars().take(40).chain(['…']).collect() } else { text }
}

/// `; did you mean …?` for a near spelling.
fn nearest<'a>(text: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    known
        .into_iter()
        .map(|k| (strsim::jaro_winkler(&text.to_lowercase(), &k.to_lowercase()), k))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(likeness, _)| *likeness > 0.8)
        .map(|(_, k)| format!("; did you mean `{k}`?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layered(layers: &[(Origin, &str)]) -> (Config, Vec<String>) {
        let layers: Vec<Layer> = layers
            .iter()
            .map(|(origin, text)| Layer { origin: *origin, content: Content::Text(text.to_string()) })
            .collect();
        let (config, warnings) = Config::from_layers(&layers);
        (config, warnings.into_iter().map(|w| w.0).collect())
    }

    #[test]
    fn later_layers_win() {
        let (config, warnings) = layered(&[
            (Origin::User, r#"{"mode":"redirect","large":{"lines":200}}"#),
            (Origin::Project, r#"{"mode":"advise","large":{"lines":400},"rules":{"unbounded-log":"off"}}"#),
            (Origin::Env, r#"{"TRIMTAB_MODE":"strict"}"#),
        ]);
        assert_eq!(warnings, [""; 0]);
        assert_eq!((config.mode, config.large_lines), (Mode::Strict, 400));
        assert_eq!(config.mode_of("unbounded-log"), Mode::Off);
    }

    #[test]
    fn a_repository_can_only_make_it_quieter() {
        let (config, warnings) = layered(&[
            (Origin::User, r#"{"mode":"advise","enabled":false}"#),
            (
                Origin::Project,
                r#"{"mode":"strict","enabled":true,"large":{"lines":10},"rules":{"unbounded-diff":{"mode":"redirect"}}}"#,
            ),
        ]);
        assert_eq!(config, Config { mode: Mode::Advise, enabled: false, ..Config::default() });
        assert_eq!(warnings.len(), 4, "{warnings:?}");
    }

    #[test]
    fn mistakes_are_told_with_the_nearest_choice() {
        let (config, warnings) = layered(&[(
            Origin::User,
            r#"{"mode":"stirct","lagre":{},"large":{"lines":"many"},"rules":{"unbounded-lgo":"off"}}"#,
        )]);
        assert_eq!(config, Config::default());
        assert_eq!(
            warnings,
            [
                "user configuration: unknown key `lagre`; did you mean `large`?",
                "user configuration: `large.lines` is `many`, expected a whole number, keeping `300`",
                "user configuration: `mode` is `stirct`, expected one of off, advise, redirect, answer, strict; did you mean `strict`?, keeping `answer`",
                "user configuration: unknown rule `unbounded-lgo`; did you mean `unbounded-log`?",
            ]
        );
    }

    #[test]
    fn what_is_no_configuration_changes_nothing() {
        for text in [
            "",
            "{",
            "[]",
            "null",
            "3",
            "\u{feff}{",
            r#"{"mode":[],"enabled":"yes","large":[],"rules":7,"refuse":null}"#,
        ] {
            let (config, warnings) = layered(&[(Origin::User, text)]);
            assert_eq!(config, Config::default(), "{text}");
            assert!(!warnings.is_empty(), "{text}");
        }
        let unreadable = Layer { origin: Origin::User, content: Content::Unreadable("EACCES".into()) };
        let (config, warnings) = Config::from_layers(&[unreadable]);
        assert_eq!(config, Config::default());
        assert_eq!(warnings[0].0, "user configuration: cannot be read (`EACCES`), going on without it");
    }
}
