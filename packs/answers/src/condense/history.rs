//! A history: one line a commit, the newest first, as it came.

use super::lines::{Lines, Pieces, counted, gap, gap_cost};

struct Commit<'a> {
    from: usize,
    to: usize,
    hash: &'a str,
    date: String,
    subject: &'a str,
}

pub fn condense(lines: &Lines, room: usize) -> Option<Pieces> {
    let commits = commits(lines);
    if commits.len() > 1 { told(lines, &commits, room) } else { one_each(lines, room) }
}

/// The commits of an output that takes several lines for each.
fn commits<'a>(lines: &'a Lines) -> Vec<Commit<'a>> {
    let mut commits: Vec<Commit> = Vec::new();
    for (number, line) in lines.iter() {
        let bare = without_graph(line);
        if let Some(hash) = bare.strip_prefix("commit ").and_then(hash) {
            commits.push(Commit { from: number, to: number, hash, date: String::new(), subject: "" });
            continue;
        }
        let Some(commit) = commits.last_mut() else { continue };
        commit.to = number;
        if commit.subject.is_empty() {
            if let Some(date) = ["Date:", "AuthorDate:"].iter().find_map(|key| bare.strip_prefix(key)) {
                commit.date = day(date);
            } else if let Some(subject) = bare.strip_prefix("    ") {
                commit.subject = subject.trim();
            }
        }
    }
    commits
}

fn told(lines: &Lines, commits: &[Commit], room: usize) -> Option<Pieces> {
    let mut pieces = Pieces::new();
    pieces.skip_to(commits[0].from - 1, "");
    pieces.remarks.push(counted(commits.len(), "commit"));
    // The line for those that do not fit, and the count above.
    let mut left = room.checked_sub(140)?;
    for (at, commit) in commits.iter().enumerate() {
        let subject: String = commit.subject.chars().take(100).collect();
        let words = [&commit.hash[..commit.hash.len().min(9)], &commit.date, &subject];
        let what = words.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ");
        let cost = gap_cost(commit.from, commit.to, &what);
        if cost > left {
            let last = commits.last()?;
            let more = format!("{}, down to {} {}", counted(commits.len() - at, "older commit"), last.hash, last.date);
            pieces.skip_to(lines.len(), &more);
            break;
        }
        left -= cost;
        pieces.skip_to(commit.to, &what);
    }
    Some(pieces)
}

/// An output with a line for each commit: the first ones, and how many follow.
fn one_each(lines: &Lines, room: usize) -> Option<Pieces> {
    let is_commit = |line: &str| hash(without_graph(line)).is_some();
    let named = lines.iter().filter(|(_, line)| is_commit(line)).count();
    // A graph has lines of its own between them.
    if named * 2 < lines.len() {
        return None;
    }
    let mut pieces = Pieces::new();
    let mut left = room.checked_sub(gap(lines.len(), lines.len(), "12,345 older commits").len() + 8)?;
    let mut shown = 0;
    while shown < lines.len() && lines.cost(shown + 1) <= left {
        shown += 1;
        left -= lines.cost(shown);
    }
    let rest = lines.iter().filter(|(number, line)| *number > shown && is_commit(line)).count();
    pieces.show_to(shown);
    pieces.skip_to(lines.len(), &counted(rest, "older commit"));
    Some(pieces)
}

/// A line without what `--graph` draws before it. The indentation of a message is kept.
fn without_graph(line: &str) -> &str {
    if !line.starts_with(['*', '|', '/', '\\']) {
        return line;
    }
    let end = line.find(|c: char| !"*|/\\_. ".contains(c)).unwrap_or(line.len());
    // A message stands four deeper than the drawing, which ends with one space.
    let drawn = line[..end].trim_end().len();
    let start = (drawn + 1).min(end);
    if end - start < 4 { &line[end..] } else { &line[start..] }
}

/// The commit's name that a text begins with.
fn hash(text: &str) -> Option<&str> {
    let end = text.bytes().take_while(u8::is_ascii_hexdigit).count();
    let is_end = text[end..].is_empty() || text[end..].starts_with(' ');
    ((7..=64).contains(&end) && is_end).then(|| &text[..end])
}

/// `Mon Nov 30 18:13:08 2026 +0000` -> `Nov 30 2026`; other forms by their first word.
fn day(date: &str) -> String {
    let words: Vec<&str> = date.split_whitespace().collect();
    match words.as_slice() {
        [_, month, day, time, year, ..] if time.contains(':') => format!("{month} {day} {year}"),
        [first, ..] => first.to_string(),
        [] => String::new(),
    }
}
