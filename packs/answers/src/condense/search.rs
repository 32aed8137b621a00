//! What a search found: the first hits of each file with a count of the rest, or counts alone where there are too many
//! files.

use super::lines::{Lines, Pieces, counted, gap_cost};

/// So many hits of each file are shown, if they fit; else fewer.
const HITS: &[usize] = &[20, 10, 5, 3, 2, 1];
/// A text of which less than this share, in percent, names a file is no search through files.
const MIN_SHARE: usize = 90;
/// A longer text is no path.
const MAX_PATH: usize = 400;

/// The lines of one file, one behind the other.
struct Group<'a> {
    path: &'a str,
    from: usize,
    to: usize,
    /// Lines that fit, without those around them.
    hits: usize,
}

pub fn condense(lines: &Lines, room: usize) -> Option<Pieces> {
    let groups = groups(lines)?;
    let mut pieces = Pieces::new();
    let total: usize = groups.iter().map(|group| group.hits).sum();
    let files: usize = groups.iter().filter(|group| !group.path.is_empty()).count();
    let head = format!("{} in {}", counted(total, "hit"), counted(files, "file"));
    let room = room.checked_sub(head.len() + 3)?;
    pieces.remarks.push(head);
    let some = |most: usize| groups.iter().map(|group| group.cost(lines, most)).sum::<usize>() <= room;
    if let Some(most) = HITS.iter().find(|most| some(**most)) {
        for group in &groups {
            group.shown(lines, *most).for_each(|number| pieces.show_only(number));
            pieces.skip_to(group.to, &group.rest(*most));
        }
        return Some(pieces);
    }
    // Files as long as they fit; the last line says how many follow.
    let mut left = room.checked_sub(60)?;
    for (at, group) in groups.iter().enumerate() {
        let what = group.summary();
        let cost = gap_cost(group.from, group.to, &what);
        if cost > left {
            let hits: usize = groups[at..].iter().map(|group| group.hits).sum();
            let more = format!("{} in {}", counted(hits, "hit"), counted(groups.len() - at, "more file"));
            pieces.skip_to(lines.len(), &more);
            break;
        }
        left -= cost;
        pieces.skip_to(group.to, &what);
    }
    Some(pieces)
}

impl Group<'_> {
    fn len(&self) -> usize {
        self.to - self.from + 1
    }

    /// The first hits; all lines where hardly one would be left out.
    fn shown<'a>(&'a self, lines: &'a Lines, most: usize) -> impl Iterator<Item = usize> + 'a {
        let is_short = self.len() <= most + 1;
        let is_shown = move |number: &usize| is_short || is_hit(lines.at(*number), self.path);
        (self.from..=self.to).filter(is_shown).take(if is_short { self.len() } else { most })
    }

    fn rest(&self, most: usize) -> String {
        match self.hits.saturating_sub(most) {
            0 => String::new(),
            rest => format!("{rest} more in this file"),
        }
    }

    fn cost(&self, lines: &Lines, most: usize) -> usize {
        let mut next = self.from;
        let mut cost = 0;
        for number in self.shown(lines, most) {
            cost += lines.cost(number) + if number > next { gap_cost(next, number - 1, "") } else { 0 };
            next = number + 1;
        }
        cost + if next <= self.to { gap_cost(next, self.to, &self.rest(most)) } else { 0 }
    }

    fn summary(&self) -> String {
        if self.path.is_empty() {
            "other lines".to_string()
        } else {
            format!("{}, {}", self.path, counted(self.hits, "hit"))
        }
    }
}

/// The lines by the files that they name; `None` if most name none, or all the same.
fn groups<'a>(lines: &'a Lines) -> Option<Vec<Group<'a>>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut named = 0;
    for (number, line) in lines.iter() {
        if let Some(last) = groups.last_mut()
            && (line == "--" || belongs(line, last.path))
        {
            last.to = number;
            named += 1;
            last.hits += usize::from(is_hit(line, last.path));
            continue;
        }
        let path = path_of(line).unwrap_or_default();
        named += usize::from(!path.is_empty());
        match groups.last_mut() {
            Some(last) if path.is_empty() && last.path.is_empty() => last.to = number,
            _ => groups.push(Group { path, from: number, to: number, hits: usize::from(is_hit(line, path)) }),
        }
    }
    (groups.len() > 1 && named * 100 >= lines.len() * MIN_SHARE).then_some(groups)
}

fn belongs(line: &str, path: &str) -> bool {
    !path.is_empty() && line.strip_prefix(path).is_some_and(|rest| rest.starts_with([':', '-']))
}

/// A line that fits, not one around it.
fn is_hit(line: &str, path: &str) -> bool {
    !path.is_empty() && line.strip_prefix(path).is_some_and(|rest| rest.starts_with(':'))
}

/// The file that a line of `grep` or `rg` names: `path:12:text`, `path:text`, and `path-12-text` for a line around a hit.
fn path_of(line: &str) -> Option<&str> {
    // The drive of a path on Windows.
    let skip = if line.get(1..3).is_some_and(|rest| rest == ":\\" || rest == ":/") { 2 } else { 0 };
    let colon = line[skip..].find(':').map(|at| at + skip);
    if let Some(at) = colon {
        let path = &line[..at];
        let digits = line[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let is_numbered = digits > 0 && line[at + 1 + digits..].starts_with([':', '-']);
        if is_numbered && !path.is_empty() || is_path(path) {
            return Some(path);
        }
    }
    let mut from = 0;
    while let Some(at) = line[from..].find('-').map(|at| at + from).filter(|at| *at < MAX_PATH) {
        let rest = &line[at + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && rest[digits..].starts_with('-') && is_path(&line[..at]) {
            return Some(&line[..at]);
        }
        from = at + 1;
    }
    None
}

fn is_path(text: &str) -> bool {
    text.len() < MAX_PATH && text.contains(['/', '.', '\\']) && !text.contains(char::is_whitespace)
}
