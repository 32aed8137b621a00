//! Configuration: layers of JSON from weak to strong, laid over the defaults or a preset. A mistake becomes a warning,
//! never a failure, and the key keeps the value that it had.
//!
//! Nested objects merge, arrays replace, `null` takes back what weaker layers said. A repository's file may only make
//! trimtab quieter, so there a list is added to instead.

mod keys;

use std::borrow::Cow;

use serde_json::{Map, Value, json};

pub use self::keys::{KEYS, Key};
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
    /// The mildest first.
    pub const NAMES: [&str; 5] = ["off", "advise", "redirect", "answer", "strict"];

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
        [Mode::Off, Mode::Advise, Mode::Redirect, Mode::Answer, Mode::Strict].into_iter().find(|m| m.name() == name)
    }
}

/// When the same advice may come again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// For each call that is not the same as one before.
    Each,
    /// Never: once for each rule, session and agent.
    Once,
}

impl Repeat {
    pub fn name(self) -> &'static str {
        match self {
            Repeat::Each => "each",
            Repeat::Once => "once",
        }
    }
}

/// The defaults of another system, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    Codeloupe,
    TokenPilot,
}

impl Preset {
    const NAMES: [&str; 2] = ["codeloupe", "token-pilot"];

    pub fn name(self) -> &'static str {
        match self {
            Preset::Codeloupe => "codeloupe",
            Preset::TokenPilot => "token-pilot",
        }
    }

    fn of(name: &str) -> Option<Preset> {
        [Preset::Codeloupe, Preset::TokenPilot].into_iter().find(|preset| preset.name() == name)
    }
}

/// The effective configuration. `docs/configuration.md` says of each key what it is for and where its default comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    pub enabled: bool,
    pub preset: Option<Preset>,
    pub mode: Mode,
    /// A file of so many lines is large. 300: the described systems' default.
    pub large_lines: u64,
    /// A file of so many bytes is large. 30 KB: what Bash shows at most is 30,000 characters.
    pub large_bytes: u64,
    /// A refusal needs an output of at least so many tokens.
    pub min_tokens: u64,
    /// And must save at least so many.
    pub min_saved: u64,
    /// A weak call may be refused too, where its size is known.
    pub refuse_weak: bool,
    pub advice_repeat: Repeat,
    /// Advice may cost a session so many tokens.
    pub advice_tokens: u64,
    /// Advice and refusals of a session. 40: a described system's default, and so is the next.
    pub max_per_session: u64,
    /// Silent after so many in a row that led nowhere.
    pub give_up_after: u64,
    /// Limits shrink as the context fills up.
    pub adaptive: bool,
    /// A result of so many characters stays as it is.
    pub answer_chars: u64,
    /// Listings, ranged reads and searches of source are judged whatever their size.
    pub every_listing: bool,
    pub every_range: bool,
    pub every_search: bool,
    /// The model is offered the code tools.
    pub tools_enabled: bool,
    /// A band above the prompt shows the session's figures; a row below it does. Read by the module.
    pub ui_band: bool,
    pub ui_status: bool,
    /// The person is told how heavy the session is; read by `packs/weight`, as are the next six.
    pub weight_enabled: bool,
    /// At so many tokens of context, and with so many of the heaviest results. A described system's defaults.
    pub weight_warn_at: Vec<u64>,
    pub weight_top: u64,
    /// Percent of the window at which the model is told.
    pub context_threshold: u64,
    /// The window in tokens; 0 = as the client or the model's id tells.
    pub context_limit: u64,
    /// An automatic compaction waits for a better moment, and words for the four conditions of one: closed, progress, reducible, stuck.
    pub compaction_wait: bool,
    pub compaction_words: [Vec<String>; 4],
    /// Endings of source files, out of [`rules::CODE`].
    pub source: Vec<&'static str>,
    /// Paths below the project that are let alone.
    pub ignore: Vec<String>,
    /// The person let economy rules pass (`TRIMTAB_BYPASS=1`).
    pub bypass: bool,
    /// Values of single rules: rule, key, value.
    pub rules: Vec<(&'static str, &'static str, Value)>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            enabled: true,
            preset: None,
            mode: Mode::Answer,
            large_lines: 300,
            large_bytes: 30 * 1024,
            min_tokens: 2_000,
            min_saved: 1_500,
            refuse_weak: true,
            advice_repeat: Repeat::Once,
            advice_tokens: 4_000,
            max_per_session: 40,
            give_up_after: 4,
            adaptive: true,
            answer_chars: crate::after::DEFAULT_CHARS,
            every_listing: false,
            every_range: false,
            every_search: false,
            tools_enabled: true,
            ui_band: true,
            ui_status: false,
            weight_enabled: true,
            weight_warn_at: vec![150_000, 300_000],
            weight_top: 3,
            context_threshold: 80,
            context_limit: 0,
            compaction_wait: false,
            compaction_words: Default::default(),
            source: rules::CODE.to_vec(),
            ignore: Vec::new(),
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
/// `answer.chars` never falls below this: what is put in the place of a result needs room.
pub const MIN_ANSWER_CHARS: u64 = 8_000;

/// A file of another program has endless mistakes; so many are told.
const MAX_WARNINGS: usize = 20;

/// Of the context's fill in percent: what is left of the limits, in percent. A described system's curve.
const CURVE: [(u64, u64); 3] = [(80, 30), (60, 50), (30, 75)];

impl Config {
    /// The effective mode of a rule.
    pub fn mode_of(&self, rule: &str) -> Mode {
        if self.enabled { self.of_rule(rule).mode } else { Mode::Off }
    }

    /// The configuration as one rule has it.
    pub fn of_rule(&self, rule: &str) -> Cow<'_, Config> {
        if !self.rules.iter().any(|(of, ..)| *of == rule) {
            return Cow::Borrowed(self);
        }
        let mut config = self.clone();
        for (_, path, value) in self.rules.iter().filter(|(of, ..)| *of == rule) {
            if let Some(key) = Key::of(path) {
                key.set(&mut config, value);
            }
        }
        Cow::Owned(config)
    }

    /// With limits for a context of which so many percent are full.
    pub fn at_fill(&self, percent: u64) -> Cow<'_, Config> {
        let Some((_, left)) = CURVE.iter().find(|(from, _)| self.adaptive && percent >= *from) else {
            return Cow::Borrowed(self);
        };
        let mut config = self.clone();
        let shrink = |limit: &mut u64, least: u64| *limit = (limit.saturating_mul(*left) / 100).max(least);
        shrink(&mut config.large_lines, MIN_LARGE_LINES);
        shrink(&mut config.large_bytes, 0);
        shrink(&mut config.answer_chars, MIN_ANSWER_CHARS);
        shrink(&mut config.min_tokens, 0);
        shrink(&mut config.min_saved, 0);
        Cow::Owned(config)
    }

    /// Whether a path below the project is to be let alone; a folder is where all that is in it is.
    pub fn ignores(&self, path: &str) -> bool {
        let matches =
            |pattern: &String| fast_glob::glob_match(pattern, path) || pattern.strip_suffix("/**") == Some(path);
        self.ignore.iter().any(matches)
    }

    /// Whether a name is a source file's.
    pub fn is_source(&self, path: &str) -> bool {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        name.rsplit_once('.')
            .is_some_and(|(stem, ending)| !stem.is_empty() && self.source.contains(&&*ending.to_ascii_lowercase()))
    }

    /// Lays layers over the defaults.
    pub fn from_layers(layers: &[Layer]) -> (Config, Vec<Warning>) {
        let effective = Effective::of(layers);
        (effective.config, effective.warnings)
    }
}

/// The configuration as it works out, with the origin of each value.
pub struct Effective {
    pub config: Config,
    pub warnings: Vec<Warning>,
    /// The defaults, or the preset's.
    base: Config,
    /// By key; what is not in it is a default or the preset's.
    origins: Vec<(String, Origin)>,
}

impl Effective {
    pub fn of(layers: &[Layer]) -> Effective {
        let mut warnings = Vec::new();
        let parsed: Vec<(Origin, Map<String, Value>)> = layers
            .iter()
            .filter_map(|layer| match keys_of(layer) {
                Ok(keys) => Some((layer.origin, keys)),
                Err(what) => {
                    warnings.push(warning(layer.origin, &what));
                    None
                }
            })
            .collect();
        let mut all = Effective { config: Config::default(), warnings, base: Config::default(), origins: Vec::new() };
        // The preset is what everything else is laid over, wherever it is named.
        for (origin, keys) in &parsed {
            if let Some(value) = keys.get("preset").filter(|_| *origin != Origin::Env) {
                all.choose(value, *origin);
            }
        }
        all.config = all.base.clone();
        for (origin, keys) in &parsed {
            match origin {
                Origin::Env => all.lay_variables(keys),
                _ => all.lay(keys, "", *origin),
            }
        }
        if let Some(more) = all.warnings.len().checked_sub(MAX_WARNINGS).filter(|more| *more > 0) {
            all.warnings.truncate(MAX_WARNINGS);
            all.warnings.push(Warning(format!("{more} more mistakes in the configuration")));
        }
        all
    }

    /// Each key with its value and its origin: a layer's name, `preset` or `default`. Rules have their mode, and what
    /// else is theirs alone.
    pub fn rows(&self) -> Vec<(String, Value, &'static str)> {
        let mut rows = vec![(
            "preset".to_string(),
            json!(self.config.preset.map(Preset::name)),
            self.origin("preset").map_or("default", Origin::name),
        )];
        let default = Config::default();
        let origin = |path: &str| {
            let is_preset = Key::of(path).is_some_and(|key| key.get(&self.base) != key.get(&default));
            let base = if is_preset { "preset" } else { "default" };
            self.origin(path).map_or(base, Origin::name)
        };
        rows.extend(KEYS.iter().map(|key| (key.path.to_string(), key.get(&self.config), origin(key.path))));
        for rule in rules::RULES {
            let mode = spelled(rule.id, "mode");
            let from = if self.origin(&mode).is_some() { origin(&mode) } else { origin("mode") };
            rows.push((mode, json!(self.config.of_rule(rule.id).mode.name()), from));
            for (_, path, value) in self.config.rules.iter().filter(|(of, path, _)| *of == rule.id && *path != "mode") {
                let name = spelled(rule.id, path);
                rows.push((name.clone(), value.clone(), origin(&name)));
            }
        }
        rows
    }

    fn origin(&self, path: &str) -> Option<Origin> {
        self.origins.iter().find(|(of, _)| of == path).map(|(_, origin)| *origin)
    }

    /// Notes who set a value last; nobody, if it was taken back.
    fn set_origin(&mut self, path: String, origin: Option<Origin>) {
        self.origins.retain(|(of, _)| *of != path);
        self.origins.extend(origin.map(|origin| (path, origin)));
    }

    fn warn(&mut self, origin: Origin, what: &str) {
        self.warnings.push(warning(origin, what));
    }

    fn choose(&mut self, value: &Value, origin: Origin) {
        let text = value.as_str().unwrap_or_default();
        let preset = Preset::of(text.trim());
        if origin.is_repository() {
            self.warn(origin, &format!("`preset` is `{}`: a repository's file cannot choose one", brief(value)));
        } else if preset.is_some() || value.is_null() {
            self.base = preset.map_or_else(Config::default, Preset::config);
            self.set_origin("preset".into(), preset.map(|_| origin));
        } else {
            let near = nearest(text, Preset::NAMES);
            self.warn(
                origin,
                &format!("`preset` is `{}`, expected one of {}{near}", brief(value), Preset::NAMES.join(", ")),
            );
        }
    }

    /// Lays an object of a layer over what is there; `group` is its path with a dot behind it, or nothing.
    fn lay(&mut self, keys: &Map<String, Value>, group: &str, origin: Origin) {
        for (name, value) in keys {
            let path = format!("{group}{name}");
            let is_group =
                KEYS.iter().any(|key| key.path.strip_prefix(&path).is_some_and(|rest| rest.starts_with('.')));
            match (path.as_str(), value) {
                ("$schema" | "preset", _) => {}
                // Whose calls are brought to the core at all is the module's to know.
                ("mcp", _) if origin == Origin::Options => {
                    for name in value.as_str().unwrap_or_default().split([',', ' ']).filter(|name| !name.is_empty()) {
                        if !name.strip_prefix("mcp__").is_some_and(|rest| rest.contains("__")) {
                            let text =
                                format!("`mcp` names `{}`, expected `mcp__<server>__<tool>`", brief(&json!(name)));
                            self.warn(origin, &text);
                        }
                    }
                }
                ("rules", Value::Object(rules)) => self.lay_rules(rules, origin),
                ("rules", Value::Null) => {
                    for rule in rules::RULES {
                        self.lay_rule(rule.id, &Value::Null, origin);
                    }
                }
                ("rules", _) => self.warn(origin, &format!("`rules` is `{}`, expected an object", brief(value))),
                (_, Value::Object(inner)) if is_group => self.lay(inner, &format!("{path}."), origin),
                (_, Value::Null) if is_group => {
                    for key in KEYS.iter().filter(|key| key.path.starts_with(&format!("{path}."))) {
                        self.put(key, &path_of(None, key), value, None, origin);
                    }
                }
                _ if is_group => {
                    self.warn(origin, &format!("`{path}` is `{}`, expected an object", brief(value)));
                }
                _ => match Key::of(&path) {
                    Some(key) => self.put(key, &path, value, None, origin),
                    None => {
                        let near = nearest(&path, known(group));
                        self.warn(origin, &format!("unknown key `{path}`{near}"));
                    }
                },
            }
        }
    }

    fn lay_rules(&mut self, rules: &Map<String, Value>, origin: Origin) {
        for (id, value) in rules {
            match rules::RULES.iter().find(|rule| rule.id == id) {
                Some(rule) => self.lay_rule(rule.id, value, origin),
                None => {
                    let near = nearest(id, rules::RULES.iter().map(|rule| rule.id));
                    self.warn(origin, &format!("unknown rule `{id}`{near}"));
                }
            }
        }
    }

    /// A rule's entry: a mode, or an object of the keys that a rule can have for itself.
    fn lay_rule(&mut self, rule: &'static str, value: &Value, origin: Origin) {
        let of_rule = || KEYS.iter().filter(|key| key.per_rule);
        match value {
            Value::Null => {
                for key in of_rule() {
                    self.put(key, &path_of(Some(rule), key), value, Some(rule), origin);
                }
            }
            Value::Object(inner) => {
                for (name, value) in flat(inner) {
                    match of_rule().find(|key| key.path == name) {
                        Some(key) => self.put(key, &path_of(Some(rule), key), &value, Some(rule), origin),
                        None => {
                            let near = nearest(&name, of_rule().map(|key| key.path));
                            self.warn(origin, &format!("unknown key `rules.{rule}.{name}`{near}"));
                        }
                    }
                }
            }
            mode => {
                let key = Key::of("mode").expect("the table has a mode");
                self.put(key, &path_of(Some(rule), key), mode, Some(rule), origin);
            }
        }
    }

    fn lay_variables(&mut self, variables: &Map<String, Value>) {
        for (name, value) in variables {
            let text = value.as_str().unwrap_or_default().trim();
            match name.as_str() {
                "TRIMTAB_MODE" if !text.is_empty() => {
                    let key = Key::of("mode").expect("the table has a mode");
                    self.put(key, name, value, None, Origin::Env);
                }
                "TRIMTAB_HOOKS" if text.eq_ignore_ascii_case("off") => {
                    self.config.enabled = false;
                    self.set_origin("enabled".into(), Some(Origin::Env));
                }
                "TRIMTAB_BYPASS" => self.config.bypass = text == "1",
                _ => {}
            }
        }
    }

    /// Puts one value in, if it can be read and its layer may set it; `name` is how the layer spells the key.
    fn put(&mut self, key: &'static Key, name: &str, value: &Value, rule: Option<&'static str>, origin: Origin) {
        let before = match rule {
            Some(rule) => key.get(&self.config.of_rule(rule)),
            None => key.get(&self.config),
        };
        let (mut wanted, complaint) = match value {
            Value::Null if rule.is_some() => (key.get(&self.config), None),
            Value::Null => (key.get(&self.base), None),
            value => match key.read(&typed(value, origin)) {
                Ok(read) => read,
                Err(wrong) => {
                    let text = format!("`{name}` is `{}`, {wrong}, keeping `{}`", brief(value), brief(&before));
                    return self.warn(origin, &text);
                }
            },
        };
        if origin.is_repository() {
            let Some(quieter) = key.quieter(&before, &wanted) else {
                let text = format!(
                    "`{name}` is `{}`: a repository's file {}, keeping `{}`",
                    brief(value),
                    key.direction(),
                    brief(&before)
                );
                return self.warn(origin, &text);
            };
            wanted = quieter;
        }
        if let Some(complaint) = complaint {
            self.warn(origin, &format!("`{name}` is `{}`, {complaint}", brief(value)));
        }
        match rule {
            Some(rule) => {
                self.config.rules.retain(|(of, path, _)| *of != rule || *path != key.path);
                if !value.is_null() {
                    self.config.rules.push((rule, key.path, wanted));
                }
            }
            None => key.set(&mut self.config, &wanted),
        }
        self.set_origin(path_of(rule, key), (!value.is_null()).then_some(origin));
    }
}

fn warning(origin: Origin, what: &str) -> Warning {
    Warning(format!("{} configuration: {what}", origin.name()))
}

/// The object of a layer, or why it has none.
fn keys_of(layer: &Layer) -> Result<Map<String, Value>, String> {
    let value = match &layer.content {
        Content::Unreadable(code) => return Err(format!("cannot be read (`{code}`), going on without it")),
        Content::Value(value) => value.clone(),
        Content::Text(text) => serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| format!("is not JSON ({error}), going on without it"))?,
    };
    match value {
        Value::Object(keys) => Ok(keys),
        _ => Err("is no JSON object, going on without it".to_string()),
    }
}

/// A value of the plugin's options is a text in command hooks, whatever it was where the person set it.
fn typed(value: &Value, origin: Origin) -> Value {
    match value.as_str().map(str::trim) {
        Some(text @ ("true" | "false")) if origin == Origin::Options => json!(text == "true"),
        Some(text) if origin == Origin::Options => text.parse().map_or_else(|_| value.clone(), |n: u64| json!(n)),
        _ => value.clone(),
    }
}

/// Nested objects as paths with dots.
fn flat(object: &Map<String, Value>) -> Vec<(String, Value)> {
    let below = |(name, value): (&String, &Value)| match value {
        Value::Object(inner) => {
            flat(inner).into_iter().map(|(path, value)| (format!("{name}.{path}"), value)).collect()
        }
        value => vec![(name.clone(), value.clone())],
    };
    object.iter().flat_map(below).collect()
}

/// A key's full path, by which its origin is kept; a rule's mode is the rule's entry itself.
fn path_of(rule: Option<&str>, key: &Key) -> String {
    rule.map_or_else(|| key.path.to_string(), |rule| spelled(rule, key.path))
}

fn spelled(rule: &str, path: &str) -> String {
    if path == "mode" { format!("rules.{rule}") } else { format!("rules.{rule}.{path}") }
}

/// What could have been meant in a group, or at the top.
fn known(group: &str) -> Vec<&'static str> {
    let mut names: Vec<&str> = match group {
        "" => {
            KEYS.iter().map(|key| key.path.split('.').next().unwrap_or(key.path)).chain(["preset", "rules"]).collect()
        }
        group => KEYS.iter().map(|key| key.path).filter(|path| path.starts_with(group)).collect(),
    };
    names.dedup();
    names
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
    fn patterns_are_of_paths_below_the_project() {
        let (config, warnings) = layered(&[(Origin::User, r#"{"ignore":["gen/**","./*.rs","**/a?b.[ct]s"]}"#)]);
        assert_eq!(warnings, [""; 0]);
        for path in ["gen", "gen/a", "gen/a/b.c", "x.rs", "a/b/axb.ts", "axb.cs"] {
            assert!(config.ignores(path), "{path}");
        }
        for path in ["", "general/a", "src/gen/a", "src/x.rs", "a/b/ab.ts", "axb.rss"] {
            assert!(!config.ignores(path), "{path}");
        }
    }

    #[test]
    fn a_long_pattern_of_wildcards_ends() {
        let pattern = "*a".repeat(99);
        let (config, warnings) =
            layered(&[(Origin::User, &format!(r#"{{"ignore":["{pattern}b","{}"]}}"#, "**/".repeat(60)))]);
        assert_eq!(warnings, [""; 0]);
        assert!(!config.ignores(&"a".repeat(4_000)));
        assert!(!config.ignores(&"a/".repeat(2_000)[..3_999]));
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
