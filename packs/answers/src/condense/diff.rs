//! A diff without paths: a line for each file, the declarations that changed in it, then hunks while the room lasts.

use std::collections::HashSet;

use super::command::Words;
use super::lines::{Lines, Pieces, counted, gap_cost};
use crate::ask::{Ask, Fact, Facts, Source};
use crate::declarations::Declarations;
use crate::languages;

/// The list of files takes this share of the room, in percent, and the rest goes to hunks.
const LIST_SHARE: usize = 50;
/// Files whose declarations are asked for, those with the most changes first.
const MAX_ASKED: usize = 12;
/// Names shown for a file.
const MAX_NAMES: usize = 8;
/// Changed lines of a file that are looked up among its declarations.
const MAX_LOOKED_UP: usize = 400;
/// Lines before the first file that are shown: a commit's message.
const MAX_BEFORE: usize = 20;
/// A part of a hunk is shown in no less room than this.
const MIN_CUT: usize = 200;
/// Files that a program wrote; their hunks come last.
const GENERATED: &[&str] = &[".lock", ".map", ".min.css", ".min.js", ".snap", "-lock.json", "-lock.yaml", "go.sum"];

pub struct File<'a> {
    path: &'a str,
    from: usize,
    to: usize,
    added: usize,
    removed: usize,
    /// The first line of the first hunk.
    hunks_from: usize,
    hunks: Vec<Hunk<'a>>,
}

struct Hunk<'a> {
    from: usize,
    to: usize,
    /// What git says that it stands in.
    inside: &'a str,
    /// The lines of the new file that changed.
    changed: Vec<u64>,
}

/// The files of a diff; none if the text is no diff.
pub fn files<'a>(lines: &'a Lines) -> Vec<File<'a>> {
    let mut files: Vec<File> = Vec::new();
    // Lines of the open hunk that are still to come, of the old file and the new.
    let (mut old, mut new, mut line_of_new) = (0, 0, 0);
    for (number, line) in lines.iter() {
        let names = line.strip_prefix("diff --git ").or_else(|| line.strip_prefix("diff --cc "));
        if let Some(names) = names.filter(|_| old == 0 && new == 0) {
            let path = names.rsplit(" b/").next().unwrap_or(names);
            files.push(File { path, from: number, to: number, added: 0, removed: 0, hunks_from: 0, hunks: Vec::new() });
            continue;
        }
        let Some(file) = files.last_mut() else { continue };
        if old == 0 && new == 0 {
            if let Some(path) = line.strip_prefix("+++ b/") {
                file.path = path.trim_end_matches('\t');
            }
            match hunk_head(line) {
                Some((olds, first, news, inside)) => {
                    (old, new, line_of_new) = (olds, news, first);
                    if file.hunks.is_empty() {
                        file.hunks_from = number;
                    }
                    file.hunks.push(Hunk { from: number, to: number, inside, changed: Vec::new() });
                    file.to = number;
                }
                // What follows the last hunk without a header belongs to nothing: the next commit of a log.
                None if file.hunks.is_empty() || line.starts_with('\\') => file.to = number,
                None => {}
            }
            continue;
        }
        file.to = number;
        let Some(hunk) = file.hunks.last_mut() else { continue };
        hunk.to = number;
        match line.as_bytes().first() {
            Some(b'+') => {
                file.added += 1;
                hunk.changed.push(line_of_new);
                line_of_new += 1;
                new = new.saturating_sub(1);
            }
            Some(b'-') => {
                file.removed += 1;
                hunk.changed.push(line_of_new);
                old = old.saturating_sub(1);
            }
            Some(b'\\') => {}
            _ => {
                line_of_new += 1;
                old = old.saturating_sub(1);
                new = new.saturating_sub(1);
            }
        }
    }
    files
}

/// `@@ -1,2 +3,4 @@ fn name` -> lines of the old file, first of the new, lines of the new, and where it stands.
fn hunk_head(line: &str) -> Option<(u64, u64, u64, &str)> {
    let (ranges, inside) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let span = |range: &str| -> Option<(u64, u64)> {
        let (first, count) = range.split_once(',').unwrap_or((range, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    let ((_, olds), (first, news)) = (span(old)?, span(new)?);
    Some((olds, first, news, inside.trim()))
}

/// Whether one of the command's words is a path of the diff.
pub fn is_named(files: &[File], words: &Words) -> bool {
    files.iter().any(|file| words.name_path(file.path))
}

/// The declarations of the files that changed most, where the files are as the diff has them.
pub fn declared(
    files: &[File],
    words: &Words,
    root: Option<&str>,
    facts: &Facts,
) -> Result<Vec<Option<Declarations>>, Vec<Ask>> {
    let mut found: Vec<Option<Declarations>> = files.iter().map(|_| None).collect();
    let Some(root) = root.filter(|_| words.is_diff_of_worktree()) else {
        return Ok(found);
    };
    let mut order: Vec<usize> = (0..files.len()).filter(|at| languages::of_path(files[*at].path).is_some()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(files[*at].added + files[*at].removed));
    order.truncate(MAX_ASKED);
    if order.is_empty() {
        return Ok(found);
    }
    let path = |at: &usize| format!("{}/{}", root.trim_end_matches('/'), files[*at].path);
    // Names of a file may be shown only where a Read of it would be.
    let Fact::Allowed(allowed) = facts.need(Ask::MayRead { paths: order.iter().map(path).collect() })? else {
        return Ok(found);
    };
    let mut allowed = allowed.iter();
    order.retain(|_| allowed.next() == Some(&Some(true)));
    let ask = |at: &usize| Ask::Declarations {
        of: Source::Path(path(at)),
        language: languages::of_path(files[*at].path).unwrap_or_default().to_string(),
        names: Vec::new(),
    };
    let asks: Vec<Ask> = order.iter().map(ask).collect();
    for (at, fact) in order.iter().zip(facts.need_all(&asks)?) {
        if let Fact::Declarations(declared) = fact {
            found[*at] = Some(declared.declarations.clone());
        }
    }
    Ok(found)
}

pub fn condense(lines: &Lines, files: &[File], declared: &[Option<Declarations>], room: usize) -> Option<Pieces> {
    let first = files.first()?;
    let mut pieces = Pieces::new();
    let sum = |of: fn(&File) -> usize| files.iter().map(of).sum::<usize>();
    pieces.remarks.push(format!("{}, +{} -{}", counted(files.len(), "file"), sum(|f| f.added), sum(|f| f.removed)));
    let mut left = room.checked_sub(120)?;
    let mut list = left * LIST_SHARE / 100;
    for (at, file) in files.iter().enumerate() {
        let names = names(file, declared.get(at).and_then(Option::as_ref));
        let mut remark = format!("{} +{} -{} (lines {}-{})", file.path, file.added, file.removed, file.from, file.to);
        if !names.is_empty() && remark.len() + names.len() + 2 < list {
            remark += &format!(": {names}");
        }
        let cost = remark.chars().count() + 3;
        if cost > list {
            pieces.remarks.push(format!("{} from line {} on", counted(files.len() - at, "more file"), file.from));
            break;
        }
        list -= cost;
        left -= cost;
        pieces.remarks.push(remark);
    }
    let before = (first.from - 1).min(MAX_BEFORE);
    let before = if lines.costs(1, before) * 4 <= left { before } else { 0 };
    left -= lines.costs(1, before);
    // The smallest hunks first: so most of them are seen.
    let gap = gap_cost(lines.len(), lines.len(), "");
    let mut hunks: Vec<(bool, usize, usize, usize)> = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let is_generated = GENERATED.iter().any(|ending| file.path.ends_with(ending));
        let cost = |hunk: &Hunk| lines.costs(hunk.from, hunk.to);
        hunks.extend(file.hunks.iter().enumerate().map(|(n, hunk)| (is_generated, cost(hunk), at, n)));
    }
    hunks.sort_unstable();
    // So many lines of each hunk are shown.
    let mut shown: Vec<Vec<usize>> = files.iter().map(|file| vec![0; file.hunks.len()]).collect();
    let mut is_cut = false;
    for (_, cost, at, n) in hunks {
        let (file, hunk) = (&files[at], &files[at].hunks[n]);
        let is_open = shown[at].iter().any(|lines| *lines > 0);
        let head = if is_open { 0 } else { lines.costs(file.from, file.hunks_from - 1) + gap };
        let Some(room) = left.checked_sub(head + gap) else { continue };
        if cost <= room {
            left = room - cost;
            shown[at][n] = hunk.to - hunk.from + 1;
        } else if !is_cut && room > MIN_CUT {
            // The beginning of the first one that is too large.
            is_cut = true;
            let mut cost = 0;
            shown[at][n] = (hunk.from..=hunk.to)
                .take_while(|number| {
                    cost += lines.cost(*number);
                    cost <= room
                })
                .count();
            left = 0;
        }
    }
    pieces.show_to(before);
    for (file, shown) in files.iter().zip(shown) {
        if shown.iter().any(|lines| *lines > 0) {
            pieces.skip_to(file.from - 1, "");
            pieces.show_to(file.hunks_from - 1);
        }
        for (hunk, shown) in file.hunks.iter().zip(shown).filter(|(_, shown)| *shown > 0) {
            pieces.skip_to(hunk.from - 1, "");
            pieces.show_to(hunk.from + shown - 1);
        }
    }
    Some(pieces)
}

/// What changed in a file, by name: its declarations, or what git says that the hunks stand in.
fn names(file: &File, declared: Option<&Declarations>) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    let mut add = |name: String| {
        if !name.is_empty() && seen.insert(name.clone()) {
            names.push(name);
        }
    };
    match declared {
        Some(declared) => {
            let changed = file.hunks.iter().flat_map(|hunk| &hunk.changed);
            changed.take(MAX_LOOKED_UP).filter_map(|line| around(declared, *line)).for_each(&mut add);
        }
        None if languages::of_path(file.path).is_some_and(languages::is_code) => {
            let short = |text: &str| text.chars().take(60).collect::<String>().trim_end_matches([' ', '{']).to_string();
            file.hunks.iter().map(|hunk| short(hunk.inside)).for_each(&mut add);
        }
        // Elsewhere git tells a line that happens to stand at the left.
        None => {}
    }
    if names.len() > MAX_NAMES {
        let more = names.len() - MAX_NAMES;
        names.truncate(MAX_NAMES);
        names.push(format!("{more} more"));
    }
    names.join(", ")
}

/// The innermost declaration around a line, with its range.
fn around(declared: &Declarations, line: u64) -> Option<String> {
    let is_around = |it: &&crate::declarations::Declaration| it.first() <= line && line <= it.to && it.kind != "import";
    let it = declared.declarations.iter().filter(is_around).max_by_key(|it| it.depth)?;
    Some(format!("{} {} {}-{}", it.kind, it.name, it.from, it.to))
}
