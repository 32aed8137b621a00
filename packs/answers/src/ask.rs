//! What a job asks the host for, and what the host can answer. Both are closed sets.

use std::rc::Rc;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::declarations::Declarations;

/// A question to the host. Paths are absolute or relative to the session's directory; bytes are counted in UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// What a file, or a text, declares; read by the pack of its language. With names, where they occur too.
    Declarations { of: Source, language: String, names: Vec<String> },
    /// Milliseconds since the call came in; the pack has no clock.
    Elapsed,
    /// A text is put into the session's scratch folder.
    Keep { name: String, text: Rc<str> },
    /// How many newline characters a file holds.
    Lines { path: String },
    /// What lies in a folder.
    List { path: String },
    /// Whether a Read of each path would be allowed without asking.
    MayRead { paths: Vec<String> },
    /// The session's directory and its project folder.
    Place,
    /// The output of a read-only command, built here from options that are known, cut after so many bytes.
    Run { argv: Vec<String>, cwd: String, bytes: u64 },
    /// Kind, size and real path of a file or folder.
    Stat { path: String },
    /// Bytes of a file, from an offset on.
    Text { path: String, from: u64, bytes: u64 },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Path(String),
    Text(Rc<str>),
}

/// The host's answer to one [`Ask`]. `Unknown` ("could not tell") is an ordinary answer to each of them.
#[derive(Clone, Debug)]
pub enum Fact {
    /// True, false, or not known, for each path.
    Allowed(Vec<Option<bool>>),
    Declarations(Rc<Declared>),
    Elapsed(u64),
    Entries(Vec<Entry>),
    Kept(String),
    Lines(u64),
    Place(Place),
    Ran(Ran),
    Stat(Stat),
    Text(Text),
    Unknown,
}

/// What a source declares, and the size and age that its file had; zero for a text.
#[derive(Debug, Deserialize)]
pub struct Declared {
    #[serde(default)]
    pub bytes: u64,
    #[serde(default)]
    pub mtime: f64,
    pub declarations: Declarations,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Entry {
    pub name: String,
    /// `file`, `dir` or `other`.
    pub kind: String,
    #[serde(default)]
    pub bytes: u64,
    #[serde(default)]
    pub link: bool,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Place {
    pub cwd: String,
    pub root: String,
    #[serde(default)]
    pub home: Option<String>,
}

/// What a command printed. Not complete = cut, stopped, or not ended by itself.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Ran {
    pub stdout: Rc<str>,
    #[serde(default)]
    pub exit: Option<i64>,
    #[serde(default)]
    pub complete: bool,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Stat {
    /// `file`, `dir`, `other` or `none`.
    pub kind: String,
    #[serde(default)]
    pub bytes: u64,
    #[serde(default)]
    pub real: String,
}

/// A part of a file; `bytes` is the size of the whole file.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Text {
    pub text: Rc<str>,
    #[serde(default)]
    pub bytes: u64,
    #[serde(default)]
    pub mtime: f64,
}

impl Ask {
    pub fn to_json(&self) -> Value {
        match self {
            Ask::Declarations { of, language, names } => {
                let mut ask = json!({"ask": "declarations", "language": language});
                match of {
                    Source::Path(path) => ask["path"] = json!(path),
                    Source::Text(text) => ask["text"] = json!(text),
                }
                if !names.is_empty() {
                    ask["names"] = json!(names);
                }
                ask
            }
            Ask::Elapsed => json!({"ask": "elapsed"}),
            Ask::Keep { name, text } => json!({"ask": "keep", "name": name, "text": text}),
            Ask::Lines { path } => json!({"ask": "lines", "path": path}),
            Ask::List { path } => json!({"ask": "list", "path": path}),
            Ask::MayRead { paths } => json!({"ask": "may-read", "paths": paths}),
            Ask::Place => json!({"ask": "place"}),
            Ask::Run { argv, cwd, bytes } => json!({"ask": "run", "argv": argv, "cwd": cwd, "bytes": bytes}),
            Ask::Stat { path } => json!({"ask": "stat", "path": path}),
            Ask::Text { path, from, bytes } => json!({"ask": "text", "path": path, "from": from, "bytes": bytes}),
        }
    }

    /// The fact that a host's answer stands for; one of another shape is unknown.
    pub fn fact(&self, answer: Value) -> Fact {
        fn read<T: serde::de::DeserializeOwned>(answer: Value, fact: impl Fn(T) -> Fact) -> Fact {
            serde_json::from_value(answer).map_or(Fact::Unknown, fact)
        }
        match self {
            Ask::Declarations { .. } => read(answer, |declared| Fact::Declarations(Rc::new(declared))),
            Ask::Elapsed => answer["ms"].as_f64().map_or(Fact::Unknown, |ms| Fact::Elapsed(ms as u64)),
            Ask::Keep { .. } => answer["path"].as_str().map_or(Fact::Unknown, |path| Fact::Kept(path.to_string())),
            Ask::Lines { .. } => answer["lines"].as_u64().map_or(Fact::Unknown, Fact::Lines),
            Ask::List { .. } => read(answer["entries"].clone(), Fact::Entries),
            Ask::MayRead { .. } => read(answer["allowed"].clone(), Fact::Allowed),
            Ask::Place => read(answer, Fact::Place),
            Ask::Run { .. } => read(answer, Fact::Ran),
            Ask::Stat { .. } => read(answer, Fact::Stat),
            Ask::Text { .. } => read(answer, Fact::Text),
        }
    }
}

/// What is known so far. A job is run again with more of it, so the order in which facts come in does not matter.
#[derive(Debug, Default)]
pub struct Facts(Vec<(Ask, Fact)>);

impl Facts {
    pub fn add(&mut self, ask: Ask, fact: Fact) {
        self.0.push((ask, fact));
    }

    /// The fact for an ask, or the ask as what is needed.
    pub fn need(&self, ask: Ask) -> Result<&Fact, Vec<Ask>> {
        self.get(&ask).ok_or_else(|| vec![ask])
    }

    /// The facts for several asks, or all of them that are not known yet.
    pub fn need_all(&self, asks: &[Ask]) -> Result<Vec<&Fact>, Vec<Ask>> {
        let mut missing: Vec<Ask> = Vec::new();
        for ask in asks {
            if self.get(ask).is_none() && !missing.contains(ask) {
                missing.push(ask.clone());
            }
        }
        if !missing.is_empty() {
            return Err(missing);
        }
        Ok(asks.iter().filter_map(|ask| self.get(ask)).collect())
    }

    fn get(&self, ask: &Ask) -> Option<&Fact> {
        self.0.iter().find(|(known, _)| known == ask).map(|(_, fact)| fact)
    }
}
