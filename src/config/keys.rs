//! The one table of configuration keys: how a value is checked, where it goes, and what a repository's file may do with
//! it. `docs/configuration.md` and `schema/config.schema.json` say the same, and a test compares the schema with it.

use serde_json::{Value, json};

use super::{Config, Mode, Preset, Repeat, brief, nearest};
use crate::rules::CODE;

/// A pattern's characters and a list's entries at most: matching stays cheap whatever is written.
const MAX_PATTERN: usize = 200;
const MAX_LIST: usize = 100;

/// One key.
pub struct Key {
    /// As in the files, groups joined by dots.
    pub path: &'static str,
    /// May stand in an entry of `rules` too, for that rule alone.
    pub per_rule: bool,
    pub kind: Kind,
}

/// What a key takes. Each kind knows which of two values is the quieter one.
pub enum Kind {
    /// One of several names, the quietest first.
    Choice { names: &'static [&'static str], get: fn(&Config) -> &'static str, set: fn(&mut Config, &str) },
    /// Endings of source files, out of those that the rules know; fewer are quieter.
    Endings,
    /// Patterns of paths that are let alone; more are quieter.
    Globs,
    /// A whole number from `least` to `most`; `quieter` says in which direction it gets quieter.
    Number { least: u64, most: u64, quieter: Quieter, field: fn(&mut Config) -> &mut u64 },
    /// Sizes from 1 on, each once and the smallest first; higher ones and fewer are quieter.
    Sizes(fn(&mut Config) -> &mut Vec<u64>),
    /// `true` or `false`; `false` is quieter.
    Switch(fn(&mut Config) -> &mut bool),
    /// Words that a model may say; only the person chooses them.
    Words(fn(&mut Config) -> &mut Vec<String>),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Quieter {
    Higher,
    Lower,
    Never,
}

const fn key(path: &'static str, kind: Kind) -> Key {
    Key { path, per_rule: false, kind }
}

const fn rule_key(path: &'static str, kind: Kind) -> Key {
    Key { path, per_rule: true, kind }
}

/// Every key but `preset` and `rules`, by name.
pub const KEYS: &[Key] = &[
    key("adaptive", Kind::Switch(|c| &mut c.adaptive)),
    rule_key(
        "adviceRepeat",
        Kind::Choice {
            names: &["once", "each"],
            get: |c| c.advice_repeat.name(),
            set: |c, name| c.advice_repeat = if name == "each" { Repeat::Each } else { Repeat::Once },
        },
    ),
    key(
        "adviceTokens",
        Kind::Number { least: 0, most: u64::MAX, quieter: Quieter::Lower, field: |c| &mut c.advice_tokens },
    ),
    key(
        "answer.chars",
        Kind::Number {
            least: super::MIN_ANSWER_CHARS,
            most: u64::MAX,
            quieter: Quieter::Higher,
            field: |c| &mut c.answer_chars,
        },
    ),
    key("compaction.closed", Kind::Words(|c| &mut c.compaction_words[0])),
    key("compaction.progress", Kind::Words(|c| &mut c.compaction_words[1])),
    key("compaction.reducible", Kind::Words(|c| &mut c.compaction_words[2])),
    key("compaction.stuck", Kind::Words(|c| &mut c.compaction_words[3])),
    key("compaction.wait", Kind::Switch(|c| &mut c.compaction_wait)),
    key(
        "contextLimit",
        Kind::Number { least: 0, most: u64::MAX, quieter: Quieter::Never, field: |c| &mut c.context_limit },
    ),
    key(
        "contextMonitor.threshold",
        Kind::Number { least: 50, most: 95, quieter: Quieter::Higher, field: |c| &mut c.context_threshold },
    ),
    key("enabled", Kind::Switch(|c| &mut c.enabled)),
    key("every.listing", Kind::Switch(|c| &mut c.every_listing)),
    key("every.range", Kind::Switch(|c| &mut c.every_range)),
    key("every.search", Kind::Switch(|c| &mut c.every_search)),
    key(
        "giveUpAfter",
        Kind::Number { least: 1, most: u64::MAX, quieter: Quieter::Lower, field: |c| &mut c.give_up_after },
    ),
    key("ignore", Kind::Globs),
    rule_key(
        "large.bytes",
        Kind::Number { least: 0, most: u64::MAX, quieter: Quieter::Higher, field: |c| &mut c.large_bytes },
    ),
    rule_key(
        "large.lines",
        Kind::Number {
            least: super::MIN_LARGE_LINES,
            most: u64::MAX,
            quieter: Quieter::Higher,
            field: |c| &mut c.large_lines,
        },
    ),
    key(
        "maxPerSession",
        Kind::Number { least: 0, most: u64::MAX, quieter: Quieter::Lower, field: |c| &mut c.max_per_session },
    ),
    rule_key(
        "mode",
        Kind::Choice {
            names: &Mode::NAMES,
            get: |c| c.mode.name(),
            set: |c, name| c.mode = Mode::of(name).unwrap_or(c.mode),
        },
    ),
    rule_key(
        "refuse.minSaved",
        Kind::Number { least: 0, most: u64::MAX, quieter: Quieter::Higher, field: |c| &mut c.min_saved },
    ),
    rule_key(
        "refuse.minTokens",
        Kind::Number { least: 0, most: u64::MAX, quieter: Quieter::Higher, field: |c| &mut c.min_tokens },
    ),
    rule_key("refuse.weak", Kind::Switch(|c| &mut c.refuse_weak)),
    key("source", Kind::Endings),
    key("tools.enabled", Kind::Switch(|c| &mut c.tools_enabled)),
    key("ui.band", Kind::Switch(|c| &mut c.ui_band)),
    key("ui.status", Kind::Switch(|c| &mut c.ui_status)),
    key("weight.enabled", Kind::Switch(|c| &mut c.weight_enabled)),
    key("weight.top", Kind::Number { least: 1, most: 10, quieter: Quieter::Lower, field: |c| &mut c.weight_top }),
    key("weight.warnAt", Kind::Sizes(|c| &mut c.weight_warn_at)),
];

impl Key {
    pub fn of(path: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.path == path)
    }

    pub fn get(&self, config: &Config) -> Value {
        match &self.kind {
            Kind::Choice { get, .. } => json!(get(config)),
            Kind::Endings => json!(config.source),
            Kind::Globs => json!(config.ignore),
            Kind::Number { field, .. } => json!(*field(&mut config.clone())),
            Kind::Sizes(field) => json!(*field(&mut config.clone())),
            Kind::Switch(field) => json!(*field(&mut config.clone())),
            Kind::Words(field) => json!(*field(&mut config.clone())),
        }
    }

    /// Puts a value in that [`Key::read`] gave.
    pub fn set(&self, config: &mut Config, value: &Value) {
        match &self.kind {
            Kind::Choice { set, .. } => set(config, value.as_str().unwrap_or_default()),
            Kind::Endings => {
                let has = |ending: &&&str| texts(value).iter().any(|text| text == **ending);
                config.source = CODE.iter().filter(has).copied().collect();
            }
            Kind::Globs => config.ignore = texts(value),
            Kind::Number { field, .. } => *field(config) = value.as_u64().unwrap_or_default(),
            Kind::Sizes(field) => *field(config) = sizes(value),
            Kind::Switch(field) => *field(config) = *value == Value::Bool(true),
            Kind::Words(field) => *field(config) = texts(value),
        }
    }

    /// The value that is meant, or what is wrong with it. A number below the least is the least, with a complaint; above the most likewise.
    pub fn read(&self, value: &Value) -> Result<(Value, Option<String>), String> {
        let fine = |value: Value| Ok((value, None));
        match &self.kind {
            Kind::Choice { names, .. } => {
                // `false` is a natural way to say off.
                let text = if *value == Value::Bool(false) { "off" } else { value.as_str().unwrap_or_default() };
                let meant = text.trim().to_ascii_lowercase();
                match names.iter().find(|name| **name == meant) {
                    Some(name) => fine(json!(name)),
                    None => {
                        Err(format!("expected one of {}{}", names.join(", "), nearest(text, names.iter().copied())))
                    }
                }
            }
            Kind::Endings => self.read_list(value, "an array of endings such as `rs`", |text| {
                let ending = text.trim_start_matches('.').to_ascii_lowercase();
                match CODE.contains(&ending.as_str()) {
                    true => Ok(ending),
                    false => Err(format!(
                        "`{}` is no ending that is known{}",
                        brief(&json!(text)),
                        nearest(text, CODE.iter().copied())
                    )),
                }
            }),
            Kind::Globs => self.read_list(value, "an array of patterns such as `gen/**`", |text| {
                if text.len() > MAX_PATTERN || text.contains(['{', '!', '\\']) {
                    return Err(format!(
                        "`{}` is no pattern: at most {MAX_PATTERN} characters of names, `/`, `*`, `**`, `?` and `[…]`",
                        brief(&json!(text))
                    ));
                }
                let pattern = text.trim_start_matches("./").to_string();
                match fast_glob::validate(&pattern) {
                    Ok(()) => Ok(pattern),
                    Err(error) => Err(format!("`{}` is no pattern: {error}", brief(&json!(text)))),
                }
            }),
            Kind::Number { least, most, .. } => match value.as_u64() {
                Some(number) if number < *least => {
                    Ok((json!(least), Some(format!("using the least that it can be, `{least}`"))))
                }
                Some(number) if number > *most => {
                    Ok((json!(most), Some(format!("using the most that it can be, `{most}`"))))
                }
                Some(number) => fine(json!(number)),
                None => Err("expected a whole number".to_string()),
            },
            Kind::Sizes(_) => {
                let entries = value.as_array().map_or(&[][..], Vec::as_slice);
                let is_size = |entry: &Value| entry.as_u64().is_some_and(|size| size > 0);
                if entries.is_empty() || entries.len() > MAX_LIST || !entries.iter().all(is_size) {
                    return Err("expected an array of whole numbers from 1 on".to_string());
                }
                fine(json!(sizes(value)))
            }
            Kind::Switch(_) => match value.as_bool() {
                Some(_) => fine(value.clone()),
                None => Err("expected `true` or `false`".to_string()),
            },
            Kind::Words(_) => self.read_list(value, "an array of words such as `done`", |text| {
                let is_word = !text.trim().is_empty() && text.len() <= MAX_PATTERN;
                let wrong = || format!("`{}` is no word of 1 to {MAX_PATTERN} characters", brief(&json!(text)));
                is_word.then(|| text.trim().to_string()).ok_or_else(wrong)
            }),
        }
    }

    /// The entries that are fine; the first that is not is told.
    fn read_list(
        &self,
        value: &Value,
        what: &str,
        entry: impl Fn(&str) -> Result<String, String>,
    ) -> Result<(Value, Option<String>), String> {
        let Some(entries) = value.as_array() else {
            return Err(format!("expected {what}"));
        };
        if entries.len() > MAX_LIST {
            return Err(format!("expected at most {MAX_LIST} entries"));
        }
        let (mut read, mut complaint) = (Vec::new(), None);
        for value in entries {
            match value.as_str().ok_or_else(|| format!("`{}` is no text", brief(value))).and_then(&entry) {
                Ok(text) => read.push(text),
                Err(wrong) => complaint = complaint.or(Some(format!("left out: {wrong}"))),
            }
        }
        Ok((json!(read), complaint))
    }

    /// What a repository's file may make of `before` by asking for `wanted`; `None` = nothing.
    pub fn quieter(&self, before: &Value, wanted: &Value) -> Option<Value> {
        let is_quieter = match &self.kind {
            Kind::Choice { names, .. } => {
                let place = |value: &Value| names.iter().position(|name| value == name);
                place(wanted) <= place(before)
            }
            Kind::Endings => texts(wanted).iter().all(|ending| texts(before).contains(ending)),
            // Added, not put in the place of the person's own.
            Kind::Globs => {
                let mut all = texts(before);
                all.extend(texts(wanted));
                all.dedup();
                all.truncate(2 * MAX_LIST);
                return Some(json!(all));
            }
            Kind::Number { quieter: Quieter::Higher, .. } => wanted.as_u64() >= before.as_u64(),
            Kind::Number { quieter: Quieter::Lower, .. } => wanted.as_u64() <= before.as_u64(),
            Kind::Number { quieter: Quieter::Never, .. } | Kind::Words(_) => wanted == before,
            // Each of them at or above one of its own that was there.
            Kind::Sizes(_) => {
                let (before, wanted) = (sizes(before), sizes(wanted));
                wanted.len() <= before.len() && wanted.iter().zip(&before).all(|(wanted, before)| wanted >= before)
            }
            Kind::Switch(_) => *wanted == Value::Bool(false) || wanted == before,
        };
        is_quieter.then(|| wanted.clone())
    }

    /// In which direction a repository's file may go, for a message.
    pub fn direction(&self) -> &'static str {
        match &self.kind {
            Kind::Choice { .. } => "can only make it milder",
            Kind::Endings => "can only shorten it",
            Kind::Globs => "can only add to it",
            Kind::Number { quieter: Quieter::Higher, .. } => "can only raise it",
            Kind::Number { quieter: Quieter::Lower, .. } => "can only lower it",
            Kind::Number { quieter: Quieter::Never, .. } | Kind::Words(_) => "cannot set it",
            Kind::Sizes(_) => "can only raise and shorten it",
            Kind::Switch(_) => "can only switch it off",
        }
    }
}

impl Preset {
    /// The defaults of a described system, where it names them.
    pub fn config(self) -> Config {
        let plain = Config { preset: Some(self), ..Config::default() };
        match self {
            Preset::Codeloupe => Config {
                mode: Mode::Advise,
                large_lines: 150,
                // That system counts lines only, and no tokens.
                large_bytes: NO_LIMIT,
                min_tokens: 0,
                min_saved: 0,
                refuse_weak: false,
                advice_repeat: Repeat::Each,
                advice_tokens: NO_LIMIT,
                max_per_session: 40,
                give_up_after: 4,
                adaptive: false,
                every_listing: true,
                every_search: true,
                source: vec!["java", "kt", "kts"],
                // It knows no test runner.
                rules: vec![("unbounded-test", "mode", Value::from("off"))],
                ..plain
            },
            Preset::TokenPilot => Config {
                mode: Mode::Redirect,
                // More than 300 lines, or more than 100 bytes for each of them.
                large_lines: 301,
                large_bytes: 30_001,
                min_tokens: 0,
                min_saved: 0,
                advice_repeat: Repeat::Each,
                advice_tokens: NO_LIMIT,
                max_per_session: NO_LIMIT,
                give_up_after: NO_LIMIT,
                every_range: true,
                source: TOKEN_PILOT_SOURCE.to_vec(),
                ..plain
            },
        }
    }
}

/// As good as none, and still a number that JavaScript can hold.
const NO_LIMIT: u64 = 1_000_000_000;

/// Its list as of 1.0.2, but for `lsp`.
const TOKEN_PILOT_SOURCE: &[&str] = &[
    "asd", "bash", "bsl", "c", "cc", "cjs", "cl", "clj", "cpp", "cs", "cts", "cxx", "dart", "elm", "ex", "exs", "fs",
    "go", "groovy", "h", "hpp", "java", "js", "jsx", "kt", "kts", "lisp", "lua", "m", "mjs", "ml", "mts", "php", "pl",
    "pm", "proto", "py", "r", "rb", "rs", "scala", "sh", "sql", "svelte", "swift", "ts", "tsx", "vue", "zsh",
];

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}

fn sizes(value: &Value) -> Vec<u64> {
    let each = value.as_array().into_iter().flatten().filter_map(Value::as_u64);
    each.collect::<std::collections::BTreeSet<u64>>().into_iter().collect()
}
