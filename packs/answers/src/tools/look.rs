//! From candidates to declarations: files are read by their language packs in batches, those first in which a line looks
//! like a declaration, until all are read or time is up.

use std::rc::Rc;

use super::asking::Host;
use super::candidates::{self, Candidate, Search, is_late};
use super::git::Syntax;
use super::place::{Scope, showable};
use crate::ask::{Ask, Declared, Fact, Source};
use crate::declarations::{Declaration, Declarations};
use crate::languages;
use crate::size::grouped;

/// Files that are read in one round.
pub const BATCH: usize = 64;

/// A file that was read.
#[derive(Clone)]
pub struct Read {
    pub candidate: Candidate,
    pub declared: Rc<Declared>,
}

impl Read {
    pub fn code(&self) -> &Declarations {
        &self.declared.declarations
    }
}

/// What became of a list of candidates.
#[derive(Default)]
pub struct Looked {
    pub files: Vec<Read>,
    /// Files that no pack could read, or that were gone.
    pub unreadable: Vec<String>,
    /// Whether there are files that were not looked at any more.
    pub is_cut: bool,
}

/// Reads candidates until `is_enough` or the time is up. `names`: where they stand is wanted too.
pub async fn look(
    host: &Host,
    scope: &Scope,
    files: Vec<Candidate>,
    names: &[&str],
    mut is_enough: impl FnMut(&Read) -> bool,
) -> Looked {
    let mut looked = Looked::default();
    let mut files = files.into_iter();
    let mut is_over = false;
    while !is_over && files.len() > 0 {
        let batch: Vec<Candidate> = files.by_ref().take(BATCH).collect();
        let mut asks: Vec<Ask> = batch.iter().map(|file| declarations(scope, &file.path, names)).collect();
        asks.push(Ask::Elapsed);
        let facts = host.ask(asks).await;
        let is_late = is_late(facts.last());
        is_over = is_late;
        for (candidate, fact) in batch.into_iter().zip(facts) {
            let Fact::Declarations(declared) = fact else {
                // When time is up the host answers no more.
                match is_late {
                    true => looked.is_cut = true,
                    false => looked.unreadable.push(candidate.path),
                }
                continue;
            };
            let read = Read { candidate, declared };
            is_over |= is_enough(&read);
            looked.files.push(read);
        }
    }
    looked.is_cut |= files.len() > 0;
    looked
}

/// The ask for the declarations of a file whose language is known.
pub fn declarations(scope: &Scope, path: &str, names: &[&str]) -> Ask {
    Ask::Declarations {
        of: Source::Path(scope.absolute(path)),
        language: languages::of_path(path).unwrap_or_default().to_string(),
        names: names.iter().map(|name| name.to_string()).collect(),
    }
}

/// A language in which names are declared and used; the others have an outline only.
pub fn is_code(path: &str) -> bool {
    languages::of_path(path).is_some_and(languages::is_code)
}

/// A declaration that is looked for: `parse`, `*Service`, `Container.parse`.
pub struct Wanted {
    containers: Vec<String>,
    name: String,
}

/// A declaration that was found.
#[derive(Clone)]
pub struct Hit {
    pub read: Read,
    pub at: usize,
}

impl Hit {
    pub fn declaration(&self) -> &Declaration {
        &self.read.code().declarations[self.at]
    }

    pub fn path(&self) -> &str {
        &self.read.candidate.path
    }

    /// The name with those of the declarations around it.
    pub fn full_name(&self) -> String {
        names_around(self.read.code(), self.at).join(".")
    }
}

#[derive(Default)]
pub struct Found {
    pub hits: Vec<Hit>,
    pub looked: Looked,
    /// False where git's own answer was cut.
    pub complete: bool,
}

/// Lines that say what was not looked at. They count nothing that depends on what is in a file which may not be shown.
pub async fn gaps(host: &Host, scope: &Scope, looked: &Looked, complete: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if looked.is_cut || !complete {
        lines.push("Not complete: not every file was looked at; `path` narrows.".to_string());
    }
    let (unreadable, more) =
        showable(host, scope, looked.unreadable.iter().collect(), |path| path, |_| 1, MAX_NAMED).await;
    if !unreadable.is_empty() {
        let names: Vec<String> =
            unreadable.iter().take(MAX_NAMED).map(|path| format!("`{}`", scope.argument(path))).collect();
        let more = if more || unreadable.len() > MAX_NAMED { " and others" } else { "" };
        lines.push(format!("Could not be read: {}{more}.", names.join(", ")));
    }
    lines
}

/// Files that are named where something is wrong with them.
const MAX_NAMED: usize = 3;

/// The line that says how the rest is reached: `left` are the files of what may be shown and did not fit.
pub fn rest(scope: &Scope, left: &[String], more: bool) -> Option<String> {
    let count = match (left.len(), more) {
        (0, false) => return None,
        (0, true) => "There is more".to_string(),
        (n, false) => format!("{} more", grouped(n as u64)),
        (n, true) => format!("At least {} more", grouped(n as u64)),
    };
    let folders = if scope.is_file { String::new() } else { folders(scope, left) };
    Some(match (scope.is_file, folders.is_empty()) {
        (true, _) => format!("{count} in this file."),
        (_, true) => format!("{count}; `path` narrows."),
        _ => format!("{count}; `path` narrows: {folders}."),
    })
}

impl Wanted {
    pub fn of(name: &str) -> Result<Wanted, String> {
        let name = name.trim().trim_end_matches("()");
        if let Some((before, last)) = name.rsplit_once(char::is_whitespace) {
            return Err(format!(
                "`name` is `{name}`; it takes one name, such as `{last}`, without `{}`",
                before.trim()
            ));
        }
        let split: Vec<String> = name.replace("::", ".").replace('#', ".").split('.').map(str::to_string).collect();
        let is_private_name = name.starts_with('#');
        let parts: Vec<String> = split.into_iter().filter(|part| !part.is_empty()).collect();
        let Some((last, containers)) = parts.split_last() else {
            return Err(format!("`name` is `{name}`, which names nothing"));
        };
        let last = if is_private_name && containers.is_empty() { format!("#{last}") } else { last.clone() };
        Ok(Wanted { containers: containers.to_vec(), name: last })
    }

    /// Without the names around it.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn is_exact(&self) -> bool {
        !self.name.contains(['*', '?'])
    }

    /// What lines of a file must have for it to be a candidate; `None` = any file is one.
    fn search(&self) -> Option<Search<'_>> {
        if self.is_exact() {
            return Some(Search { pattern: &self.name, syntax: Syntax::Word, ignore_case: false });
        }
        let pieces = std::iter::once(&self.name)
            .chain(self.containers.last())
            .map(|part| part.split(['*', '?']).max_by_key(|p| p.len()));
        let pattern = pieces.flatten().find(|piece| !piece.is_empty())?;
        Some(Search { pattern, syntax: Syntax::Text, ignore_case: false })
    }

    fn matches(&self, code: &Declarations, at: usize) -> bool {
        let declaration = &code.declarations[at];
        if declaration.name.is_empty() || !glob(&self.name, &declaration.name) {
            return false;
        }
        if self.containers.is_empty() {
            return true;
        }
        let around = names_around(code, at);
        let around = &around[..around.len() - 1];
        let is_within = around.len() >= self.containers.len()
            && self.containers.iter().rev().zip(around.iter().rev()).all(|(wanted, name)| glob(wanted, bare(name)));
        // Go's methods and C++'s definitions stand outside of their type, which their head names.
        let outside = || {
            let before = declaration.head.split(declaration.name.as_str()).next().unwrap_or_default();
            self.containers.last().is_some_and(|wanted| words(before).any(|word| glob(wanted, word)))
        };
        is_within || outside()
    }
}

/// Declarations of a name in the scope. Imports of it are none. `is_enough` is asked after each file.
pub async fn find(
    host: &Host,
    scope: &Scope,
    wanted: &Wanted,
    is_enough: impl Fn(&[Hit]) -> bool,
) -> Result<Found, String> {
    let (files, complete) = match wanted.search() {
        Some(search) => {
            let found = candidates::lines(host, scope, &search).await?;
            (found.files, found.complete)
        }
        None => {
            let (paths, complete) = candidates::files(host, scope).await;
            (paths.into_iter().map(|path| Candidate { path, lines: Vec::new() }).collect(), complete)
        }
    };
    let files = ranked(files, wanted);
    let mut hits = Vec::new();
    let looked = look(host, scope, files, &[], |read| {
        let code = read.code();
        for at in 0..code.declarations.len() {
            if !matches!(code.declarations[at].kind.as_str(), "import" | "export") && wanted.matches(code, at) {
                hits.push(Hit { read: read.clone(), at });
            }
        }
        is_enough(&hits)
    })
    .await;
    hits.sort_by(|a, b| (a.path(), a.declaration().from).cmp(&(b.path(), b.declaration().from)));
    Ok(Found { hits, looked: Looked { files: Vec::new(), ..looked }, complete })
}

/// Files of code, those first in which a line looks like a declaration of the name.
pub fn ranked(files: Vec<Candidate>, wanted: &Wanted) -> Vec<Candidate> {
    let mut files: Vec<Candidate> = files.into_iter().filter(|file| is_code(&file.path)).collect();
    let piece = wanted.name.split(['*', '?']).max_by_key(|piece| piece.len()).unwrap_or_default().to_string();
    files.sort_by_cached_key(|file| !file.lines.iter().any(|(_, text)| looks_declared(text, &piece)));
    files
}

/// Whether a line may declare the name. It only orders the work: tree-sitter decides.
pub fn looks_declared(line: &str, name: &str) -> bool {
    const WORDS: &[&str] = &[
        "actor",
        "class",
        "const",
        "constructor",
        "data",
        "def",
        "enum",
        "extension",
        "fn",
        "fun",
        "func",
        "function",
        "impl",
        "interface",
        "let",
        "macro_rules",
        "mod",
        "module",
        "namespace",
        "object",
        "package",
        "protocol",
        "record",
        "static",
        "struct",
        "trait",
        "type",
        "typealias",
        "typedef",
        "union",
        "val",
        "var",
        "define",
    ];
    let Some((before, _)) = line.split_once(name) else { return false };
    words(before).any(|word| WORDS.contains(&word))
}

/// The names of the declarations around one, the outermost first, and its own.
pub fn names_around(code: &Declarations, at: usize) -> Vec<&str> {
    let mut path = Vec::new();
    let mut depth = u64::MAX;
    for declaration in code.declarations[..=at].iter().rev() {
        if declaration.depth < depth {
            path.push(declaration.name.as_str());
            depth = declaration.depth;
        }
        if depth == 0 {
            break;
        }
    }
    path.reverse();
    path
}

/// The innermost declaration that holds a line.
pub fn around(code: &Declarations, line: u64) -> Option<usize> {
    let holds = |d: &Declaration| {
        d.first() <= line && line <= d.to && !matches!(d.kind.as_str(), "import" | "export" | "package")
    };
    let holding = code.declarations.iter().enumerate().filter(|(_, d)| holds(d));
    holding.max_by_key(|(at, d)| (d.depth, *at)).map(|(at, _)| at)
}

/// A declaration on one line.
pub fn title(declaration: &Declaration) -> String {
    cut(&declaration.title(), MAX_LINE)
}

/// `12-40`, or `12`.
pub fn range(declaration: &Declaration) -> String {
    let Declaration { from, to, .. } = declaration;
    if to > from { format!("{from}-{to}") } else { from.to_string() }
}

/// Longer lines are shown by their beginning.
const MAX_LINE: usize = 160;

pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}

/// A line of a file as it is shown.
pub fn shown(line: &str) -> String {
    cut(line.trim(), MAX_LINE)
}

/// A name without its type parameters: `Map<K, V>` is `Map`.
fn bare(name: &str) -> &str {
    name.split(['<', '[', '(']).next().unwrap_or(name).trim()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// `*` is any part of a name, `?` any character.
fn glob(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut in_name) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while in_name < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, in_name));
                at += 1;
            }
            Some(&c) if c == '?' || c == name[in_name] => {
                at += 1;
                in_name += 1;
            }
            _ => match star {
                Some((back, from)) => {
                    star = Some((back, from + 1));
                    at = back + 1;
                    in_name = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

/// Folders that hold the most of these files, as a narrower call may name them.
fn folders(scope: &Scope, paths: &[String]) -> String {
    let from = scope.at.as_deref().filter(|_| !scope.is_file).map_or(0, |at| at.len() + 1);
    let mut counts: Vec<(String, usize)> = Vec::new();
    for path in paths {
        let rest = path.get(from..).unwrap_or_default();
        let end = rest.find('/').map_or(path.len(), |at| from + at);
        match counts.iter_mut().find(|(folder, _)| *folder == path[..end]) {
            Some((_, count)) => *count += 1,
            None => counts.push((path[..end].to_string(), 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.iter().take(3).map(|(folder, _)| format!("`{}`", scope.argument(folder))).collect::<Vec<_>>().join(", ")
}
