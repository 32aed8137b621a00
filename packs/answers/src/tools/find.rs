//! `find`: where something is declared, by name or glob.

use serde_json::{Value, json};

use super::asking::Host;
use super::look::{self, Hit, Wanted, range, title};
use super::page::Page;
use super::place::{scope, showable};
use super::{Answer, Request};

/// The shortest line of a hit in tokens, so that no more is looked for than fits.
const HIT_TOKENS: u64 = 8;

pub async fn run(host: &Host, request: &Request) -> Result<Answer, String> {
    let (name, kind) = (request.args.needed("name"), request.args.text("kind"));
    let wanted = Wanted::of(name)?;
    let scope = scope(host, request.args.text("path")).await?;
    let most = usize::try_from(request.budget / HIT_TOKENS).unwrap_or(usize::MAX);
    let of_kind = |hit: &Hit| kind.is_none_or(|kind| hit.declaration().kind == kind);
    let found = look::find(host, &scope, &wanted, |hits| {
        !wanted.is_exact() && hits.iter().filter(|hit| of_kind(hit)).count() > most
    });
    let found = found.await?;
    let files: Vec<Vec<Hit>> = found.hits.chunk_by(|a, b| a.path() == b.path()).map(<[Hit]>::to_vec).collect();
    let weight = |hits: &Vec<Hit>| hits.iter().filter(|hit| of_kind(hit)).count();
    let (files, more) = showable(host, &scope, files, |hits| hits[0].path(), weight, most).await;
    let (hits, others): (Vec<Hit>, Vec<Hit>) = files.into_iter().flatten().partition(of_kind);

    let mut page = Page::new(request.budget);
    let mut left = Vec::new();
    let mut file = "";
    for hit in &hits {
        let mut lines = if file == hit.path() { Vec::new() } else { vec![scope.argument(hit.path())] };
        lines.push(line(hit));
        file = hit.path();
        if !left.is_empty() || !page.fits(&lines) {
            left.push(hit.path().to_string());
        }
    }
    if let Some(rest) = look::rest(&scope, &left, more) {
        page.always(&rest);
    }
    if hits.is_empty() {
        let what = kind.map_or("declaration of".to_string(), |kind| format!("{kind} named"));
        page.always(&format!("No {what} `{name}` in what is readable without asking."));
        let mut kinds: Vec<&str> = others.iter().map(|hit| hit.declaration().kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if !kinds.is_empty() {
            page.always(&format!("Other kinds have the name: {}.", kinds.join(", ")));
        } else if wanted.is_exact() {
            page.always(&format!("`find` with `*{}*` looks for a part of a name, `grep` for text.", wanted.name()));
        }
    }
    for gap in look::gaps(host, &scope, &found.looked, found.complete).await {
        page.always(&gap);
    }
    let data = hits.iter().map(|hit| datum(&scope.argument(hit.path()), hit)).collect();
    Ok(Answer::Shown { text: page.text(), data, found: !hits.is_empty() })
}

fn line(hit: &Hit) -> String {
    let full = hit.full_name();
    let inside = full.rsplit_once('.').map_or(String::new(), |(around, _)| format!("  (in {around})"));
    format!("  {} {}{inside}", range(hit.declaration()), title(hit.declaration()))
}

pub fn datum(path: &str, hit: &Hit) -> Value {
    let declaration = hit.declaration();
    json!({"path": path, "kind": declaration.kind, "name": hit.full_name(), "from": declaration.from, "to": declaration.to, "head": declaration.head})
}
