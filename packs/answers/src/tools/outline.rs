//! `outline`: the declarations of a file, or the map of a folder: its files with what stands at their top.

use std::rc::Rc;

use serde_json::{Value, json};

use super::asking::Host;
use super::candidates::{self, Candidate};
use super::look::{self, Read, is_code, range, title};
use super::page::{Page, count};
use super::place::{Scope, may_show, scope, showable};
use super::{Answer, Request};
use crate::ask::{Ask, Declared, Fact, Text};
use crate::declarations::{Declaration, Declarations};
use crate::languages;
use crate::outline::{Options, head_and_tail, render};

/// A folder with more files is shown by its folders.
const MAX_FILES: usize = 400;
/// The shortest line of a file.
const LINE_TOKENS: u64 = 6;
/// Names of one file in a map, at most.
const MAX_NAMES: usize = 24;
/// The largest file without a language that is looked at.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

pub async fn run(host: &Host, request: &Request) -> Result<Answer, String> {
    let path = request.args.needed("path");
    let scope = scope(host, Some(path)).await?;
    if scope.is_file { file(host, request, &scope).await } else { map(host, request, &scope).await }
}

async fn file(host: &Host, request: &Request, scope: &Scope) -> Result<Answer, String> {
    let path = scope.at.clone().unwrap_or_default();
    let shown = scope.argument(&path);
    if !may_show(host, scope, std::slice::from_ref(&path)).await[0] {
        return Err(format!("`{shown}` is not readable without asking"));
    }
    let options = Options { file: shown.clone(), tokens: Some(request.budget), ..Options::default() };
    if languages::of_path(&path).is_none() {
        let text = Ask::Text { path: scope.absolute(&path), from: 0, bytes: MAX_BYTES };
        let Fact::Text(Text { text, bytes, .. }) = host.ask_one(text).await else {
            return Err(format!("`{shown}` could not be read"));
        };
        if bytes > MAX_BYTES || text.contains('\0') {
            return Err(format!("`{shown}` is no text, or a very large one: nothing to outline"));
        }
        let none =
            || format!("`{shown}` is in no language that has an outline ({}).", count(text.lines().count(), "line"));
        let text = head_and_tail(&text, &options).map_or_else(none, |outline| outline.text);
        return Ok(Answer::Shown { text, data: Value::Null, found: true });
    }
    let Fact::Declarations(declared) = host.ask_one(look::declarations(scope, &path, &[])).await else {
        return Err(format!("`{shown}` could not be read as {}", languages::of_path(&path).unwrap_or_default()));
    };
    let code = &declared.declarations;
    let options = Options { chars: declared.bytes, ..options };
    let text = render(code, &options).map(|outline| outline.text).or_else(|| whole(code, &shown, request.budget));
    let data = json!({"path": shown, "language": code.language, "lines": code.lines, "broken": code.broken, "cut": code.cut,
                      "declarations": code.declarations.iter().map(datum).collect::<Vec<_>>()});
    Ok(match text {
        Some(text) => Answer::Shown { text, data, found: true },
        None => Answer::Shown {
            text: format!("`{shown}` declares nothing ({}).", count(code.lines as usize, "line")),
            data,
            found: false,
        },
    })
}

/// Every declaration of a small file, of which an outline spares little.
fn whole(code: &Declarations, path: &str, budget: u64) -> Option<String> {
    let mut page = Page::new(budget);
    page.always(&format!("{path} ({})", count(code.lines as usize, "line")));
    let shown = code
        .declarations
        .iter()
        .take_while(|d| page.fits(&[format!("{}{} {}", "  ".repeat(d.depth as usize + 1), range(d), title(d))]))
        .count();
    if let Some(first) = code.declarations.get(shown) {
        page.always(&format!(
            "Left out: {} from line {} on.",
            count(code.declarations.len() - shown, "declaration"),
            first.from
        ));
    }
    (shown > 0).then(|| page.text())
}

async fn map(host: &Host, request: &Request, scope: &Scope) -> Result<Answer, String> {
    let (paths, complete) = candidates::files(host, scope).await;
    let of_code: Vec<String> = paths.iter().filter(|path| is_code(path)).cloned().collect();
    let mut page = Page::new(request.budget);
    let name = scope.at.clone().map_or_else(|| scope.base.clone(), |at| scope.argument(&at));
    page.always(&format!("{name}: {}, {} of code", count(paths.len(), "file"), of_code.len()));
    if paths.is_empty() {
        return Ok(Answer::nothing(format!("`{name}` has no file that is not ignored.")));
    }
    if of_code.len() > MAX_FILES || of_code.is_empty() {
        let folders = folders(scope, &paths);
        let shown = folders.iter().take_while(|line| page.fits(&[(*line).clone()])).count();
        if shown < folders.len() {
            page.always(&format!("{} more.", folders.len() - shown));
        }
        page.always("`outline` of a folder with fewer files shows what they declare.");
        return Ok(Answer::Shown { text: page.text(), data: json!({"path": name, "folders": folders}), found: true });
    }

    // A file takes a line at least, so no more are read than there is room for.
    let most = usize::try_from(request.budget / LINE_TOKENS).unwrap_or(usize::MAX);
    let all = of_code.len();
    let (shown, more) = showable(host, scope, of_code, |path| path, |_| 1, most).await;
    let hidden = if more { 0 } else { all - shown.len() };
    let candidates = shown.iter().map(|path| Candidate { path: path.clone(), lines: Vec::new() }).collect();
    let looked = look::look(host, scope, candidates, &[], |_| false).await;
    let (mut left, mut data) = (Vec::new(), Vec::new());
    for Read { candidate, declared } in &looked.files {
        data.push(json!({"path": scope.argument(&candidate.path), "lines": declared.declarations.lines,
                         "declarations": top(declared).map(datum).collect::<Vec<_>>()}));
        if !left.is_empty() || !page.fits(&[line(scope, &candidate.path, declared)]) {
            left.push(candidate.path.clone());
        }
    }
    if let Some(rest) = look::rest(scope, &left, more) {
        page.always(&rest);
    }
    for gap in look::gaps(host, scope, &looked, complete).await {
        page.always(&gap);
    }
    // Their names alone told that they are there.
    if hidden > 0 {
        page.always(&format!("{} left out: not readable without asking.", count(hidden, "file")));
    }
    Ok(Answer::Shown { text: page.text(), data: json!({"path": name, "files": data}), found: true })
}

/// What stands at the top of a file, inside of packages, namespaces and modules too.
fn top(declared: &Rc<Declared>) -> impl Iterator<Item = &Declaration> {
    let mut within = vec![];
    declared.declarations.declarations.iter().filter(move |d| {
        within.retain(|depth| *depth < d.depth);
        let is_top = within.len() as u64 == d.depth;
        if is_top && matches!(d.kind.as_str(), "namespace" | "module" | "package") {
            within.push(d.depth);
            return false;
        }
        is_top && !d.name.is_empty() && !matches!(d.kind.as_str(), "import" | "export" | "package")
    })
}

fn line(scope: &Scope, path: &str, declared: &Rc<Declared>) -> String {
    let names: Vec<String> = top(declared).map(|d| format!("{} {} {}", d.kind, d.name, range(d))).collect();
    let more = names.len().saturating_sub(MAX_NAMES);
    let mut line = format!("{} ({})", scope.argument(path), declared.declarations.lines);
    if !names.is_empty() {
        line += &format!(": {}", names[..names.len() - more].join(", "));
    }
    if more > 0 {
        line += &format!(", {more} more");
    }
    line
}

/// Folders right below the scope with the number of files in them, the largest first.
fn folders(scope: &Scope, paths: &[String]) -> Vec<String> {
    let from = scope.at.as_ref().map_or(0, |at| at.len() + 1);
    let mut counts: Vec<(String, usize)> = Vec::new();
    for path in paths {
        let folder = path.get(from..).and_then(|rest| rest.find('/')).map_or("", |at| &path[..from + at]);
        match counts.iter_mut().find(|(known, _)| known == folder) {
            Some((_, files)) => *files += 1,
            None => counts.push((folder.to_string(), 1)),
        }
    }
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let name = |folder: &str| if folder.is_empty() { "in it directly".to_string() } else { scope.argument(folder) };
    counts.iter().map(|(folder, files)| format!("  {}: {}", name(folder), count(*files, "file"))).collect()
}

fn datum(declaration: &Declaration) -> Value {
    json!({"kind": declaration.kind, "name": declaration.name, "depth": declaration.depth, "lead": declaration.first(),
           "from": declaration.from, "to": declaration.to, "head": declaration.head})
}
