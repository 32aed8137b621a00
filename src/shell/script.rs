//! What a text of commands does, whatever its language: the commands, their words, and where each output goes.
//!
//! The one shape that crosses from a language pack (`packs/`) to the core, so it serialises itself. Packs include this
//! very file. What is as usual is left out. Invariant: knows no language, no program and no rule.

use std::fmt;
use std::rc::Rc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a text does, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Script {
    pub commands: Vec<Command>,
    /// Parts whose syntax could not be read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unread: Vec<String>,
    /// Names that functions and aliases of the text give another meaning.
    #[serde(default, skip_serializing_if = "is_default")]
    pub redefined: Vec<String>,
    /// The text was too much work; what is here is only a part.
    #[serde(default, skip_serializing_if = "is_default")]
    pub out_of_fuel: bool,
}

/// One simple command, wrappers (`sudo`, `env`, `timeout`) taken off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Command {
    pub argv: Vec<Word>,
    /// Assignments before the command (`A=1 cmd`), as written.
    #[serde(default, skip_serializing_if = "is_default")]
    pub assigned: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub stdin: Stdin,
    /// The folder that `cd`s before it lead to, relative to where the text starts; `None` = only the shell knows.
    pub dir: Option<String>,
    /// The commands that its output runs through, in order. An empty one could not be read or is a group.
    #[serde(default, skip_serializing_if = "is_default")]
    pub downstream: Vec<Stage>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub sink: Sink,
    /// The words of the stage before it in its pipeline.
    #[serde(default, skip_serializing_if = "is_default")]
    pub upstream: Option<Stage>,
    /// The host on which it runs, where that is not this one (`ssh`, `wsl`, `docker exec`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub remote: Option<String>,
    /// The file that its output goes into.
    #[serde(default, skip_serializing_if = "is_default")]
    pub output: Option<Word>,
    /// Runs only if something before it, or a test, says so.
    #[serde(default, skip_serializing_if = "is_default")]
    pub conditional: bool,
    /// Only tried: its errors are thrown away and something else stands behind `||`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tried: bool,
}

/// The words of one stage of a pipeline.
pub type Stage = Rc<[Word]>;

/// Where standard input comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Stdin {
    File(Word),
    #[default]
    Inherited,
    Pipe,
    /// A here-document or here-string.
    Text,
}

/// Where an output ends, behind everything downstream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sink {
    /// Taken by the shell: `$(…)`, `<(…)`, a variable.
    Captured,
    File,
    #[default]
    Model,
}

/// One word of a command. One that is only its text crosses as a string.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Word {
    /// The text without quotes; what only the shell knows stands as written.
    pub text: String,
    /// Has a part that only the shell knows (an unknown variable, a substitution).
    #[serde(default, skip_serializing_if = "is_default")]
    pub dynamic: bool,
    /// Has wildcards or braces that the shell expands.
    #[serde(default, skip_serializing_if = "is_default")]
    pub glob: bool,
    /// Where the words come from that the shell makes of this one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub many: Option<Many>,
}

/// A source of words: how many there are, only the shell knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Many {
    /// A glob, one value after the other.
    Glob(String),
    /// The lines of a file.
    Lines(String),
    /// What a command prints.
    Output(Rc<[Word]>),
}

/// A word grows to so many bytes at most; what is put behind it then is only known to be there.
const MAX_WORD: usize = 8 * 1024;

/// The text of a word that says: the words on both sides of it are values of one argument (`a,b` in PowerShell).
pub const JOINT: &str = "\u{1f}";

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Script {
    /// Puts the commands of another text in at a place, and what else is known of it.
    pub fn take(&mut self, other: Script, at: usize) {
        self.commands.splice(at..at, other.commands);
        self.unread.extend(other.unread);
        self.redefined.extend(other.redefined);
        self.out_of_fuel |= other.out_of_fuel;
    }
}

impl Command {
    /// A command by its words alone.
    pub fn plain(argv: Vec<Word>) -> Command {
        Command {
            argv,
            assigned: Vec::new(),
            stdin: Stdin::Inherited,
            dir: Some(String::new()),
            downstream: Vec::new(),
            sink: Sink::Model,
            upstream: None,
            remote: None,
            output: None,
            conditional: false,
            tried: false,
        }
    }
}

impl Word {
    pub fn plain(text: impl Into<String>) -> Word {
        Word { text: text.into(), ..Word::default() }
    }

    /// A word that stands for one of many.
    pub fn each(text: impl Into<String>, many: Many) -> Word {
        Word { text: text.into(), dynamic: true, glob: false, many: Some(many) }
    }

    /// Exactly one word of known text.
    pub fn is_known(&self) -> bool {
        !(self.dynamic || self.glob)
    }

    /// Puts a part behind it. A word with something around it names other files than its source does.
    pub fn push(&mut self, part: Word) {
        if self.text.len() + part.text.len() > MAX_WORD {
            // `a=$a$a` again and again; no path and no pattern is that long.
            self.dynamic = true;
            return;
        }
        let alone = self.text.is_empty() || part.text.is_empty();
        self.many = self.many.take().or(part.many).filter(|_| alone);
        self.text += &part.text;
        self.dynamic |= part.dynamic;
        self.glob |= part.glob;
    }
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Word { text, dynamic: false, glob: false, many: None } => serializer.serialize_str(text),
            marked => Word::serialize(marked, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
        deserializer.deserialize_any(TextOrWord)
    }
}

struct TextOrWord;

impl<'de> Visitor<'de> for TextOrWord {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a word")
    }

    fn visit_str<E>(self, text: &str) -> Result<Word, E> {
        Ok(Word::plain(text))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Word, M::Error> {
        Word::deserialize(MapAccessDeserializer::new(map))
    }
}
