//! Where a tool looks: the session's own checkout, or a sibling worktree of the same repository by absolute path.
//!
//! Invariant: a path that leads out of both, by name or by a symbolic link, is refused before anything in it is read.

use super::args::brief;
use super::asking::Host;
use super::git;
use crate::ask::{Ask, Fact, Place, Stat};

/// A file or folder in a checkout.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The checkout's folder, a real path. Paths that are shown are relative to it.
    pub base: String,
    /// Below it; `None` is all of it.
    pub at: Option<String>,
    pub is_file: bool,
    /// Not the session's own checkout.
    pub is_sibling: bool,
}

impl Scope {
    pub fn absolute(&self, path: &str) -> String {
        format!("{}/{path}", self.base.trim_end_matches('/'))
    }

    /// What a `path` argument would be to name `path` again.
    pub fn argument(&self, path: &str) -> String {
        if self.is_sibling { self.absolute(path) } else { path.to_string() }
    }
}

/// Resolves a `path` argument; without one it is the whole checkout.
pub async fn scope(host: &Host, path: Option<&str>) -> Result<Scope, String> {
    let Fact::Place(Place { cwd, root, .. }) = host.ask_one(Ask::Place).await else {
        return Err("the session's folder could not be told".to_string());
    };
    // A session that stands outside of its project looks at what is around it.
    let base = if below(&cwd, &root).is_some() { root } else { cwd.clone() };
    let whole = Scope { base: base.clone(), at: None, is_file: false, is_sibling: false };
    let Some(path) = path else {
        return Ok(whole);
    };
    let path = path.replace('\\', if base.get(1..2) == Some(":") { "/" } else { "\\" });
    let wanted = lexical(&path, &cwd);
    if path.trim_matches('/').split('/').any(|part| part == "..") && below(&wanted, &base).is_none() {
        return Err(outside(&path, &base));
    }

    // A name from a result is relative to the checkout, wherever in it the session stands.
    let other = lexical(&path, &base);
    let facts = host.ask(vec![Ask::Stat { path: wanted.clone() }, Ask::Stat { path: other }]).await;
    let stats: Vec<&Stat> =
        facts.iter().filter_map(|fact| if let Fact::Stat(stat) = fact { Some(stat) } else { None }).collect();
    let Some(found) = stats.iter().find(|stat| matches!(stat.kind.as_str(), "file" | "dir")) else {
        return Err(match stats.first().map(|stat| stat.kind.as_str()) {
            Some("none") if below(&wanted, &base).is_none() => outside(&path, &base),
            Some("none") => format!("there is no `{}` in {base}", brief(&path)),
            Some(_) => format!("`{}` is neither a file nor a folder", brief(&path)),
            None => format!("`{}` could not be looked at", brief(&path)),
        });
    };
    let (real, is_file) = (found.real.as_str(), found.kind == "file");
    if let Some(at) = below(real, &base) {
        return Ok(Scope { at: (!at.is_empty()).then(|| at.to_string()), is_file, ..whole });
    }
    let list =
        git::output(&host.ask_one(git::worktrees(&base)).await).map_or(String::new(), |ran| ran.stdout.to_string());
    for sibling in list.split('\0').filter_map(|line| line.strip_prefix("worktree ")) {
        if let Some(at) = below(real, sibling) {
            let at = (!at.is_empty()).then(|| at.to_string());
            return Ok(Scope { base: sibling.to_string(), at, is_file, is_sibling: true });
        }
    }
    Err(outside(&path, &base))
}

/// The part of a path below a folder; empty for the folder itself.
pub fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Which of these may be shown, one for each: a Read of it would be allowed without asking, and it lies in the checkout
/// with its links followed.
pub async fn may_show(host: &Host, scope: &Scope, paths: &[String]) -> Vec<bool> {
    if paths.is_empty() {
        return Vec::new();
    }
    let full: Vec<String> = paths.iter().map(|path| scope.absolute(path)).collect();
    let mut asks = vec![Ask::MayRead { paths: full.clone() }];
    asks.extend(full.into_iter().map(|path| Ask::Stat { path }));
    let facts = host.ask(asks).await;
    let leads_inside = |fact: &Fact| matches!(fact, Fact::Stat(stat) if below(&stat.real, &scope.base).is_some());
    let allowed = |at: usize| matches!(&facts[0], Fact::Allowed(all) if all.get(at) == Some(&Some(true)));
    (0..paths.len()).map(|at| allowed(at) && leads_inside(&facts[at + 1])).collect()
}

/// Files that are asked about at once.
const BATCH: usize = 16;

/// Those of the items whose file may be shown, in their order, until they weigh enough; and whether some were not asked
/// about. Nothing is told of the others, not even how many: a count would tell what is in them.
pub async fn showable<T>(
    host: &Host,
    scope: &Scope,
    items: Vec<T>,
    path: impl Fn(&T) -> &str,
    weight: impl Fn(&T) -> usize,
    most: usize,
) -> (Vec<T>, bool) {
    let mut shown = Vec::new();
    let mut sum = 0;
    let mut items = items.into_iter();
    while sum <= most && items.len() > 0 {
        let part: Vec<T> = items.by_ref().take(BATCH).collect();
        let paths: Vec<String> = part.iter().map(|item| path(item).to_string()).collect();
        let allowed = may_show(host, scope, &paths).await;
        for item in part.into_iter().zip(allowed).filter_map(|(item, allowed)| allowed.then_some(item)) {
            sum += weight(&item);
            shown.push(item);
        }
    }
    (shown, items.len() > 0)
}

fn outside(path: &str, base: &str) -> String {
    format!("`{}` is outside of this checkout, {base}", brief(path))
}

/// An absolute path without `.` and `..`, by its words alone.
fn lexical(path: &str, from: &str) -> String {
    let is_absolute = path.starts_with('/') || path.get(1..3) == Some(":/");
    let full = if is_absolute { path.to_string() } else { format!("{from}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if joined.get(1..2) == Some(":") { joined } else { format!("/{joined}") }
}
