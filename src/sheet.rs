//! A fact sheet: facts that come with a call (`trimtab judge`), so that no disk is looked at.
//!
//! What a sheet does not tell is unknown, with one exception: the size of an output. A sheet has folders by number of
//! files, and no outputs; those are assumed to be of an ordinary size and count as estimated.

use serde_json::Value;

use crate::fact::{Ask, Fact, FileKind, Measured, Measuring, Place, slashes};

/// Characters that an unbounded search prints per file of its folders: half a line of 80.
const SEARCH_CHARS_PER_FILE: u64 = 40;
/// Characters that a listing prints per file.
const LIST_CHARS_PER_FILE: u64 = 50;
/// Characters of a history or diff that nobody measured: about 5,000 tokens.
const ASSUMED_CHARS: u64 = 20_000;

/// The `facts` of a call.
#[derive(Clone, Debug)]
pub struct Sheet {
    value: Value,
    place: Place,
}

impl Sheet {
    pub fn new(value: Value, cwd: Option<&str>, root: Option<&str>) -> Sheet {
        let root = root.or(cwd).unwrap_or("/repo").to_string();
        let place = Place { cwd: cwd.unwrap_or(&root).to_string(), root, home: Some("~".to_string()), start: None };
        Sheet { value, place }
    }

    pub fn answer(&self, ask: &Ask) -> Fact {
        match ask {
            Ask::Place => Fact::Place(self.place.clone()),
            Ask::Condense { .. }
            | Ask::Config
            | Ask::Find { .. }
            | Ask::Outline { .. }
            | Ask::Script { .. }
            | Ask::State { .. }
            | Ask::Text { .. } => Fact::Unknown,
            Ask::Stat { path } => self.stat(path),
            Ask::Lines { path } => match self.file(path).and_then(|f| f["lines"].as_u64()) {
                Some(lines) => Fact::Lines(lines),
                None => Fact::Unknown,
            },
            Ask::Measure { of, scope, .. } => self.measure(*of, scope),
        }
    }

    /// A path as the sheet may spell it: below the root without the root.
    fn spelled(&self, path: &str) -> String {
        let path = slashes(path);
        let root = slashes(&self.place.root);
        match path.strip_prefix(root.trim_end_matches('/')) {
            Some("") => ".".to_string(),
            Some(below) if below.starts_with('/') => below[1..].to_string(),
            _ => path,
        }
    }

    fn named(&self, table: &str, path: &str) -> Option<&Value> {
        let table = &self.value[table];
        table.get(path).or_else(|| table.get(self.spelled(path)))
    }

    fn file(&self, path: &str) -> Option<&Value> {
        self.named("files", path).or_else(|| self.value["files"].get("*"))
    }

    fn dir(&self, path: &str) -> Option<&Value> {
        self.named("dirs", path).or_else(|| self.value["dirs"].get("*"))
    }

    fn is_outside(&self, path: &str) -> bool {
        let spelled = self.spelled(path);
        let listed = self.value["outside"].as_array();
        listed.is_some_and(|l| l.iter().filter_map(Value::as_str).any(|o| o == "*" || o == path || o == spelled))
            || path.starts_with("..")
            || (path.starts_with('/') || path.get(1..2) == Some(":")) && spelled == slashes(path)
    }

    fn stat(&self, path: &str) -> Fact {
        if let (Some(folder), Some(checkouts)) = (path.strip_suffix("/.git"), self.value["checkouts"].as_array()) {
            let kind = if checkouts.iter().any(|c| c == folder) { FileKind::Dir } else { FileKind::None };
            return Fact::Stat { kind, bytes: 0, real: path.to_string(), mtime: 0 };
        }
        let real = if self.is_outside(path) {
            format!("/outside/{path}")
        } else {
            format!("{}/{}", self.place.root, self.spelled(path))
        };
        let is_dir = self.named("files", path).is_none()
            && (self.named("dirs", path).is_some() || !looks_like_file(&self.spelled(path)));
        if is_dir {
            return match self.dir(path) {
                Some(_) => Fact::Stat { kind: FileKind::Dir, bytes: 0, real, mtime: 0 },
                None => Fact::Unknown,
            };
        }
        match self.file(path) {
            Some(file) => {
                let lines = file["lines"].as_u64().unwrap_or(0);
                Fact::Stat {
                    kind: FileKind::File,
                    bytes: file["bytes"].as_u64().unwrap_or(lines.saturating_mul(40)),
                    real,
                    mtime: 0,
                }
            }
            None => Fact::Unknown,
        }
    }

    fn measure(&self, of: Measuring, scope: &[String]) -> Fact {
        if let Measuring::Lines(span) = of {
            // A sheet has lines and bytes only, so each line counts the same.
            let file = scope.first().and_then(|path| self.file(path));
            let Some((lines, bytes)) = file.and_then(|f| Some((f["lines"].as_u64()?, f["bytes"].as_u64()?))) else {
                return Fact::Unknown;
            };
            let chars = (u128::from(bytes) * u128::from(span.min(lines)) / u128::from(lines.max(1))) as u64;
            return Fact::Measured(Measured { chars, lines: span.min(lines), complete: true, measured: false });
        }
        if of == Measuring::Blob {
            return self.measure(Measuring::Lines(u64::MAX), scope);
        }
        if let Measuring::Many(span) = of {
            let files = scope.first().and_then(|path| self.dir(path)).and_then(|d| d["files"].as_u64());
            let Fact::Measured(one) = self.measure(Measuring::Lines(span), &["*".to_string()]) else {
                return Fact::Unknown;
            };
            let files = files.unwrap_or(1);
            return Fact::Measured(Measured {
                chars: one.chars.saturating_mul(files),
                lines: one.lines.saturating_mul(files),
                ..one
            });
        }
        let files: Option<u64> = scope
            .iter()
            .map(|path| self.dir(path).and_then(|d| d["files"].as_u64()))
            .try_fold(0u64, |sum, files| files.map(|n| sum.saturating_add(n)));
        let chars = match (of, files) {
            (Measuring::Search, Some(files)) => files.saturating_mul(SEARCH_CHARS_PER_FILE),
            (Measuring::List, Some(files)) => files.saturating_mul(LIST_CHARS_PER_FILE),
            (Measuring::Diff | Measuring::Log, _) => ASSUMED_CHARS,
            _ => return Fact::Unknown,
        };
        Fact::Measured(Measured { chars, lines: 0, complete: true, measured: false })
    }
}

/// Whether a name is a file's by its looks, for sheets that do not say.
fn looks_like_file(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    if path.ends_with('/') || name.is_empty() || name == "." || name == ".." {
        return false;
    }
    const DATA: &[&str] = &[
        "conf", "csv", "gradle", "html", "ini", "json", "jsonl", "lock", "log", "md", "mod", "sum", "toml", "txt",
        "xml", "yaml", "yml",
    ];
    match name.rsplit_once('.') {
        Some((_, ending)) => {
            let ending = ending.to_ascii_lowercase();
            crate::rules::CODE.contains(&ending.as_str()) || DATA.contains(&ending.as_str()) || name.starts_with('.')
        }
        // `Makefile`, `LICENSE`.
        None => name.starts_with(|c: char| c.is_uppercase()),
    }
}
