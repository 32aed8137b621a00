//! `symbol`: the exact text of one declaration, with the line numbers of its file.

use serde_json::{Value, json};

use super::asking::Host;
use super::find::datum;
use super::look::{self, Hit, Wanted, range, title};
use super::page::Page;
use super::place::{Scope, scope, showable};
use super::{Answer, Request};
use crate::ask::{Ask, Fact, Text};

/// The hosts read no larger file into declarations.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// More declarations of one name are listed, not shown.
const MAX_SHOWN: usize = 8;
/// And no more than so many.
const MAX_LISTED: usize = 64;

pub async fn run(host: &Host, request: &Request) -> Result<Answer, String> {
    let name = request.args.needed("name");
    let wanted = Wanted::of(name)?;
    if !wanted.is_exact() {
        return Err(format!("`name` is `{name}`; `symbol` takes one name, `find` takes a glob"));
    }
    let scope = scope(host, request.args.text("path")).await?;
    let found = look::find(host, &scope, &wanted, |_| false).await?;
    let files: Vec<Vec<Hit>> = found.hits.chunk_by(|a, b| a.path() == b.path()).map(<[Hit]>::to_vec).collect();
    let (files, more) = showable(host, &scope, files, |hits| hits[0].path(), Vec::len, MAX_LISTED).await;
    let hits: Vec<Hit> = files.into_iter().flatten().collect();

    let mut page = Page::new(request.budget);
    if hits.is_empty() {
        page.always(&format!("No declaration of `{name}` in what is readable without asking."));
        page.always("`find` takes a glob, `grep` any text.");
    }
    let mut data = Vec::new();
    // A part of a declaration that is shown is shown with it.
    let outer: Vec<&Hit> = hits.iter().filter(|hit| !hits.iter().any(|other| holds(other, hit))).collect();
    if outer.len() > MAX_SHOWN {
        page.always(&format!("Many declarations of `{name}`; `path` or `Container.{name}` names one:"));
        let fitting = outer.iter().take_while(|hit| page.fits(&[place(&scope, hit)])).count();
        let left: Vec<String> = outer[fitting..].iter().map(|hit| hit.path().to_string()).collect();
        if let Some(rest) = look::rest(&scope, &left, more) {
            page.always(&rest);
        }
        data.extend(outer.iter().map(|hit| datum(&scope.argument(hit.path()), hit)));
    } else {
        for hit in &outer {
            let text = text_of(host, &scope, hit).await?;
            write(&mut page, &scope, hit, &text);
            let mut datum = datum(&scope.argument(hit.path()), hit);
            datum["text"] = json!(text.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n"));
            datum["lead"] = json!(hit.declaration().first());
            data.push(datum);
        }
    }
    for gap in look::gaps(host, &scope, &found.looked, found.complete).await {
        page.always(&gap);
    }
    let is_found = !hits.is_empty();
    Ok(Answer::Shown { text: page.text(), data: Value::Array(data), found: is_found })
}

fn holds(outer: &Hit, inner: &Hit) -> bool {
    let (a, b) = (outer.declaration(), inner.declaration());
    outer.path() == inner.path() && a.first() <= b.first() && b.to <= a.to && (a.first(), a.to) != (b.first(), b.to)
}

fn place(scope: &Scope, hit: &Hit) -> String {
    format!(
        "{}:{} {} {}",
        scope.argument(hit.path()),
        range(hit.declaration()),
        hit.declaration().kind,
        hit.full_name()
    )
}

/// The lines of a declaration, out of the same state of the file in which it was found.
async fn text_of(host: &Host, scope: &Scope, hit: &Hit) -> Result<Vec<(u64, String)>, String> {
    let path = scope.absolute(hit.path());
    let Fact::Text(Text { text, bytes, mtime }) = host.ask_one(Ask::Text { path, from: 0, bytes: MAX_BYTES }).await
    else {
        return Err(format!("`{}` could not be read", hit.path()));
    };
    if (bytes, mtime) != (hit.read.declared.bytes, hit.read.declared.mtime) {
        return Err(format!("`{}` changed while it was read; call again", hit.path()));
    }
    let declaration = hit.declaration();
    let lines = (1..).zip(text.split('\n')).skip_while(|(number, _)| *number < declaration.first());
    Ok(lines
        .take_while(|(number, _)| *number <= declaration.to)
        .map(|(number, line)| (number, line.trim_end_matches('\r').trim_start_matches('\u{feff}').to_string()))
        .collect())
}

fn write(page: &mut Page, scope: &Scope, hit: &Hit, text: &[(u64, String)]) {
    if !page.fits(&[place(scope, hit)]) {
        page.always(&format!("Left out: {}: {}.", place(scope, hit), title(hit.declaration())));
        return;
    }
    for (at, (number, line)) in text.iter().enumerate() {
        if !page.fits(&[format!("{number}\t{line}")]) {
            let (last, path) = (hit.declaration().to, scope.absolute(hit.path()));
            page.always(&format!(
                "Left out: lines {number}-{last}. Read {path} with `offset` {number} and `limit` {} shows them.",
                text.len() - at
            ));
            return;
        }
    }
}
