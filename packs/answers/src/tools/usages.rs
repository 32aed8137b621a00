//! `usages`: where a name is used. Definitions come first, then each use under the declaration around it; comments and
//! strings are told apart. A name is a word, not a binding: two things of one name are both listed.

use serde_json::{Value, json};

use super::asking::Host;
use super::candidates::{self, Search};
use super::git::Syntax;
use super::look::{self, Read, Wanted, around, looks_declared, names_around, range, shown, title};
use super::page::{Page, count};
use super::place::{Scope, scope, showable};
use super::{Answer, Request};

/// Files of other kinds that are counted.
const MAX_OTHERS: usize = 15;
/// A use takes about so many tokens: no more are looked for than fit.
const USE_TOKENS: u64 = 12;

/// A line with the name in it.
struct Use {
    file: usize,
    line: u64,
    within: Option<usize>,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Definition,
    Reference,
    Mention,
}

pub async fn run(host: &Host, request: &Request) -> Result<Answer, String> {
    let given = request.args.needed("name");
    let wanted = Wanted::of(given)?;
    if !wanted.is_exact() {
        return Err(format!("`name` is `{given}`; `usages` takes one name, `find` takes a glob"));
    }
    let name = wanted.name();
    let scope = scope(host, request.args.text("path")).await?;
    let search = Search { pattern: name, syntax: Syntax::Word, ignore_case: false };
    let found = candidates::lines(host, &scope, &search).await?;
    let others: Vec<String> =
        found.files.iter().filter(|file| !look::is_code(&file.path)).map(|file| file.path.clone()).collect();

    let most = usize::try_from(request.budget / USE_TOKENS).unwrap_or(usize::MAX);
    let mut seen = 0;
    let looked = look::look(host, &scope, look::ranked(found.files, &wanted), &[name], |read| {
        seen += read.code().occurrences.len();
        seen > most && !read.candidate.lines.iter().any(|(_, text)| looks_declared(text, name))
    })
    .await;

    let uses = looked.files.iter().enumerate().map(|(at, read)| (read.candidate.path.clone(), uses_of(at, read)));
    let mut files: Vec<(String, Vec<Use>)> = uses.filter(|(_, uses)| !uses.is_empty()).collect();
    files.sort_by_cached_key(|(path, uses)| (uses.iter().map(|used| used.role).min(), path.clone()));
    let (files, more) = showable(host, &scope, files, |(path, _)| path, |(_, uses)| uses.len(), most).await;
    let uses: Vec<Use> = files.into_iter().flat_map(|(_, uses)| uses).collect();
    let (others, more_others) = showable(host, &scope, others, |path| path, |_| 1, MAX_OTHERS).await;

    let mut page = Page::new(request.budget);
    let is_found = !uses.is_empty();
    if given != name && is_found {
        page.always(&format!("Every `{name}`, of whatever it is a part."));
    }
    let mut data = Vec::new();
    let mut left = Vec::new();
    for (role, heading) in
        [(Role::Definition, "Definitions"), (Role::Reference, "References"), (Role::Mention, "In comments and strings")]
    {
        let of_role: Vec<&Use> = uses.iter().filter(|used| used.role == role).collect();
        data.extend(of_role.iter().map(|used| datum(&scope, &looked.files[used.file], used)));
        section(&mut page, &scope, &looked.files, heading, &of_role, &mut left);
    }
    if !is_found {
        page.always(&format!("No use of `{name}` in code that is readable without asking."));
    }
    if let Some(rest) = look::rest(&scope, &left, more) {
        page.always(&rest);
    }
    if !others.is_empty() {
        let more = if more_others { " and more" } else { "" };
        page.always(&format!("`grep` shows it in {}{more} of other kinds.", count(others.len(), "file")));
    }
    for gap in look::gaps(host, &scope, &looked, found.complete).await {
        page.always(&gap);
    }
    Ok(Answer::Shown { text: page.text(), data: Value::Array(data), found: is_found })
}

/// A use for each line and role, in order.
fn uses_of(file: usize, read: &Read) -> Vec<Use> {
    let code = read.code();
    let mut uses: Vec<Use> = code
        .occurrences
        .iter()
        .map(|found| Use {
            file,
            line: found.line,
            within: found
                .within
                .and_then(|at| usize::try_from(at).ok())
                .filter(|at| *at < code.declarations.len())
                .or_else(|| around(code, found.line)),
            role: match found.role.as_str() {
                "definition" => Role::Definition,
                "reference" => Role::Reference,
                _ => Role::Mention,
            },
        })
        .collect();
    uses.sort_by_key(|used| (used.line, used.role));
    uses.dedup_by_key(|used| (used.line, used.role));
    uses
}

fn section(page: &mut Page, scope: &Scope, files: &[Read], heading: &str, uses: &[&Use], left: &mut Vec<String>) {
    if uses.is_empty() {
        return;
    }
    let mut count_of_files = 1;
    for pair in uses.windows(2) {
        count_of_files += usize::from(pair[0].file != pair[1].file);
    }
    let mut lines = vec![format!("{heading}: {} in {}", uses.len(), count(count_of_files, "file"))];
    let (mut file, mut within) = (None, None);
    for used in uses {
        let read = &files[used.file];
        if file != Some(used.file) {
            (file, within) = (Some(used.file), None);
            lines.push(scope.argument(&read.candidate.path));
        }
        let declaration = used.within.map(|at| &read.code().declarations[at]);
        if used.role == Role::Definition {
            let title = declaration.filter(|d| d.first() <= used.line && used.line <= d.to);
            lines.push(match title {
                // A parameter or a local name is defined in the middle of the declaration around it.
                Some(d) if d.from <= used.line && d.name == name_at(read, used.line) => {
                    format!("  {} {}{}", range(d), title_of(d), inside(read, used.within))
                }
                _ => format!("  {}  {}", used.line, text_at(read, used.line)),
            });
        } else {
            if within != Some(used.within) {
                within = Some(used.within);
                lines.push(
                    declaration.map_or("  top level".to_string(), |d| format!("  {} ({})", title_of(d), range(d))),
                );
            }
            lines.push(format!("    {}  {}", used.line, text_at(read, used.line)));
        }
        if !left.is_empty() || !page.fits(&lines) {
            left.push(files[used.file].candidate.path.clone());
        }
        lines.clear();
    }
}

fn title_of(declaration: &crate::declarations::Declaration) -> String {
    look::cut(&title(declaration), 100)
}

fn inside(read: &Read, at: Option<usize>) -> String {
    let names = at.map(|at| names_around(read.code(), at)).unwrap_or_default();
    match names.split_last() {
        Some((_, around)) if !around.is_empty() => format!("  (in {})", around.join(".")),
        _ => String::new(),
    }
}

fn name_at(read: &Read, line: u64) -> &str {
    read.code().occurrences.iter().find(|found| found.line == line).map_or("", |found| found.name.as_str())
}

fn text_at(read: &Read, line: u64) -> String {
    read.candidate.lines.iter().find(|(number, _)| *number == line).map_or(String::new(), |(_, text)| shown(text))
}

fn datum(scope: &Scope, read: &Read, used: &Use) -> Value {
    let within = used.within.map(|at| names_around(read.code(), at).join("."));
    let role = ["definition", "reference", "mention"][used.role as usize];
    json!({"path": scope.argument(&read.candidate.path), "line": used.line, "role": role, "within": within, "text": text_at(read, used.line)})
}
