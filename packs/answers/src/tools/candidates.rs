//! Which files a tool looks into: git's answer, or where there is no git a walk and a search of our own.

use std::collections::BTreeMap;

use regex_lite::{Regex, RegexBuilder};

use super::asking::Host;
use super::git::{self, Line, Syntax};
use super::place::Scope;
use super::walk;
use crate::ask::{Ask, Fact};

/// A file with the lines that made it one.
#[derive(Clone, Debug, Default)]
pub struct Candidate {
    pub path: String,
    pub lines: Vec<(u64, String)>,
}

/// Candidates in the order of their paths; `complete` is false where there are more.
#[derive(Debug, Default)]
pub struct Candidates {
    pub files: Vec<Candidate>,
    pub complete: bool,
}

/// What is looked for in lines.
pub struct Search<'a> {
    pub pattern: &'a str,
    /// `Perl` where any regular expression is meant.
    pub syntax: Syntax,
    pub ignore_case: bool,
}

/// Files with lines that match.
pub async fn lines(host: &Host, scope: &Scope, search: &Search<'_>) -> Result<Candidates, String> {
    let &Search { pattern, syntax, ignore_case } = search;
    let mut syntaxes = vec![syntax];
    // Not every git reads Perl's expressions.
    if syntax == Syntax::Perl {
        syntaxes.push(Syntax::Extended);
    }
    for in_repository in [true, false] {
        for syntax in &syntaxes {
            let fact = host.ask_one(git::grep(scope, pattern, *syntax, ignore_case, in_repository)).await;
            let Some(ran) = git::output(&fact) else {
                return walked_lines(host, scope, search).await;
            };
            if matches!(ran.exit, Some(0 | 1)) || !ran.complete {
                return Ok(Candidates { files: by_file(git::lines(&ran.stdout)), complete: ran.complete });
            }
        }
    }
    if syntax == Syntax::Perl {
        return Err(format!("git could not search for `{pattern}`; is it a regular expression?"));
    }
    walked_lines(host, scope, search).await
}

/// All files, by path.
pub async fn files(host: &Host, scope: &Scope) -> (Vec<String>, bool) {
    for ask in [git::files(scope), git::files_anywhere(scope)] {
        let fact = host.ask_one(ask).await;
        match git::output(&fact) {
            Some(ran) if ran.exit == Some(0) || !ran.complete => {
                let mut names = git::names(&ran.stdout);
                names.sort();
                return (names, ran.complete);
            }
            Some(_) => {}
            None => break,
        }
    }
    walk::files(host, scope).await
}

/// Files that are read in one round of a search of our own, and how much of each.
const BATCH: usize = 64;
const MAX_BYTES: u64 = 1_048_576;

async fn walked_lines(host: &Host, scope: &Scope, search: &Search<'_>) -> Result<Candidates, String> {
    let pattern = expression(search)?;
    let (paths, mut complete) = walk::files(host, scope).await;
    let mut files = Vec::new();
    for batch in paths.chunks(BATCH) {
        let mut asks: Vec<Ask> =
            batch.iter().map(|path| Ask::Text { path: scope.absolute(path), from: 0, bytes: MAX_BYTES }).collect();
        asks.push(Ask::Elapsed);
        let facts = host.ask(asks).await;
        for (path, fact) in batch.iter().zip(&facts) {
            let Fact::Text(text) = fact else { continue };
            if text.text.contains('\0') {
                continue;
            }
            let lines: Vec<(u64, String)> = (1..)
                .zip(text.text.lines())
                .filter(|(_, line)| pattern.is_match(line))
                .map(|(number, line)| (number, line.to_string()))
                .collect();
            if !lines.is_empty() {
                files.push(Candidate { path: path.clone(), lines });
            }
        }
        if is_late(facts.last()) {
            complete = false;
            break;
        }
    }
    Ok(Candidates { files, complete })
}

fn expression(search: &Search) -> Result<Regex, String> {
    let pattern = match search.syntax {
        Syntax::Perl | Syntax::Extended => search.pattern.to_string(),
        Syntax::Text => regex_lite::escape(search.pattern),
        Syntax::Word => format!(r"(?:^|\W){}(?:\W|$)", regex_lite::escape(search.pattern)),
    };
    RegexBuilder::new(&pattern)
        .case_insensitive(search.ignore_case)
        .build()
        .map_err(|error| format!("`{}` is no regular expression: {error}", search.pattern))
}

fn by_file(lines: Vec<Line>) -> Vec<Candidate> {
    let mut files: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
    for Line { path, number, text } in lines {
        files.entry(path).or_default().push((number, text));
    }
    files.into_iter().map(|(path, lines)| Candidate { path, lines }).collect()
}

/// Work that takes longer than this is given back as it is, and marked.
pub const MAX_MS: u64 = 2_000;

/// Whether the fact for [`Ask::Elapsed`] says that it is time to end.
pub fn is_late(fact: Option<&Fact>) -> bool {
    matches!(fact, Some(Fact::Elapsed(ms)) if *ms >= MAX_MS)
}
