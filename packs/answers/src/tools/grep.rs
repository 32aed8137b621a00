//! `grep`: lines with a text or a regular expression, by file and by the declaration around them.

use serde_json::{Value, json};

use super::asking::Host;
use super::candidates::{self, Candidate, Search};
use super::git::Syntax;
use super::look::{self, around, declarations, is_code, range, title};
use super::page::Page;
use super::place::{scope, showable};
use super::{Answer, Request};
use crate::ask::{Ask, Fact};
use crate::declarations::Declarations;

/// A line takes about so many tokens: no more are looked for than fit.
const LINE_TOKENS: usize = 14;
/// Lines of one file, where not all of them fit.
const MAX_LINES: usize = 5;
/// Of a line, and how much of it stands before what was found.
const MAX_CHARS: usize = 160;
const BEFORE: usize = 40;

pub async fn run(host: &Host, request: &Request) -> Result<Answer, String> {
    let pattern = request.args.needed("pattern");
    let scope = scope(host, request.args.text("path")).await?;
    let (is_regex, ignore_case) = (request.args.is_on("regex"), request.args.is_on("ignoreCase"));
    let search = Search { pattern, syntax: if is_regex { Syntax::Perl } else { Syntax::Text }, ignore_case };
    let found = candidates::lines(host, &scope, &search).await?;
    let most = usize::try_from(request.budget).unwrap_or(usize::MAX) / LINE_TOKENS;
    let weight = |file: &Candidate| file.lines.len().min(MAX_LINES);
    let (files, more) = showable(host, &scope, found.files, |file| &file.path, weight, most).await;
    let total: usize = files.iter().map(|file| file.lines.len()).sum();
    let most_in_file = if total > most && files.len() > 1 { MAX_LINES } else { usize::MAX };
    let of_code: Vec<Ask> =
        files.iter().filter(|file| is_code(&file.path)).map(|file| declarations(&scope, &file.path, &[])).collect();
    let mut facts = host.ask(of_code).await.into_iter();

    let mut page = Page::new(request.budget);
    let (mut data, mut left) = (Vec::new(), Vec::<String>::new());
    for file in &files {
        let fact = if is_code(&file.path) { facts.next() } else { None };
        let code = match &fact {
            Some(Fact::Declarations(declared)) => Some(&declared.declarations),
            _ => None,
        };
        let path = scope.argument(&file.path);
        let mut lines = vec![path.clone()];
        let mut within = None;
        for (at, (number, text)) in file.lines.iter().enumerate() {
            let holder = code.and_then(|code| around(code, *number));
            if at < most_in_file {
                // A line that begins a declaration says itself where it stands.
                let is_head = code.zip(holder).is_some_and(|(code, at)| code.declarations[at].from == *number);
                if code.is_some() && within != Some(holder) && !is_head {
                    lines.push(heading(code, holder));
                }
                within = Some(holder);
                lines.push(format!("    {number}  {}", excerpt(text, pattern, ignore_case)));
                if !left.is_empty() || !page.fits(&lines) {
                    left.push(file.path.clone());
                }
            } else if at == most_in_file && left.is_empty() {
                page.always(&format!("    {} more in this file", file.lines.len() - at));
            }
            lines.clear();
            let name = code.zip(holder).map(|(code, at)| look::names_around(code, at).join("."));
            data.push(json!({"path": path, "line": number, "text": text, "within": name}));
        }
    }
    if files.is_empty() {
        let kind = if is_regex { "match for" } else { "line with" };
        let is_taken_as_text = looks_like_regex(pattern) && !is_regex;
        let hint =
            if is_taken_as_text { " It was taken as text; `regex: true` takes it as an expression." } else { "" };
        page.always(&format!("No {kind} `{pattern}` in what is readable without asking.{hint}"));
    }
    if let Some(rest) = look::rest(&scope, &left, more) {
        page.always(&rest);
    }
    if !found.complete {
        page.always("Not complete: not every file was looked at; `path` narrows.");
    }
    Ok(Answer::Shown { text: page.text(), data: Value::Array(data), found: !files.is_empty() })
}

fn heading(code: Option<&Declarations>, holder: Option<usize>) -> String {
    match code.zip(holder) {
        Some((code, at)) => {
            format!("  {} ({})", look::cut(&title(&code.declarations[at]), 100), range(&code.declarations[at]))
        }
        None => "  top level".to_string(),
    }
}

/// The part of a line in which the text stands.
fn excerpt(line: &str, pattern: &str, ignore_case: bool) -> String {
    let line = line.trim();
    let fold = |text: &str| if ignore_case { text.to_lowercase() } else { text.to_string() };
    let found = fold(line).find(&fold(pattern)).filter(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let before = line[..found].chars().count();
    if line.chars().count() <= MAX_CHARS || before + pattern.chars().count() <= MAX_CHARS {
        return look::cut(line, MAX_CHARS);
    }
    let rest: String = line.chars().skip(before - BEFORE.min(before)).collect();
    format!("…{}", look::cut(&rest, MAX_CHARS))
}

fn looks_like_regex(pattern: &str) -> bool {
    pattern.contains(['|', '*', '+', '\\', '^', '$', '['])
}
