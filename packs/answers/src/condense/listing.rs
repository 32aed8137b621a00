//! A listing of files: the tree of its folders, as deep as fits, with counts.
//!
//! Neighbouring lines that lie in the same folder make a run, whatever command printed them: paths (`find`,
//! `git ls-files`), sections (`ls -R`) or a drawing (`tree`).

use super::lines::{Lines, Pieces, counted, gap_cost};

/// Endings that are counted by name.
const ENDINGS: usize = 3;
/// A run of so few lines is shown rather than counted.
const FEW: usize = 2;
/// Characters of the line that names what does not fit.
const CUT: usize = 48;
/// Deeper folders are not told apart.
const MAX_DEPTH: usize = 12;

/// Where each line lies.
struct Places {
    /// How many names of its path, from the top, a line shares with the line before it.
    shared: Vec<usize>,
    /// How many names its path has.
    depth: Vec<usize>,
    form: Form,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Drawing,
    Paths,
    Sections,
}

pub fn condense(lines: &Lines, room: usize) -> Option<Pieces> {
    let places = Places::of(lines)?;
    let head = format!("{} listed", counted(places.entries(lines), "entry").replace("entrys", "entries"));
    let room = room.checked_sub(head.len() + 3)?;
    let mut pieces: Option<(Pieces, usize)> = None;
    for depth in 1..=MAX_DEPTH {
        let (tree, left) = places.tree(lines, depth, room);
        // A level that is cut tells more than the one above it, where that is all but empty.
        let is_poor = pieces.as_ref().is_none_or(|(_, left)| left * 4 > room * 3);
        match left {
            Some(left) => pieces = Some((tree, left)),
            None if is_poor => {
                pieces = Some((tree, 0));
                break;
            }
            None => break,
        }
    }
    let (mut pieces, _) = pieces?;
    pieces.remarks.push(head);
    Some(pieces)
}

impl Places {
    fn of(lines: &Lines) -> Option<Places> {
        let count = |test: &dyn Fn(&str) -> bool| lines.iter().filter(|(_, line)| test(line)).count();
        let drawn = count(&|line| line.contains("── "));
        let headers = count(&is_section);
        let paths = count(&|line| line.contains('/') && !line.starts_with(' '));
        if drawn * 10 >= lines.len() * 8 {
            Some(Places::of_drawing(lines))
        } else if headers > 1 && count(&str::is_empty) + 1 >= headers {
            Some(Places::of_sections(lines))
        } else if paths * 10 >= lines.len() * 7 {
            Some(Places::of_paths(lines))
        } else {
            None
        }
    }

    fn of_paths(lines: &Lines) -> Places {
        let mut places = Places::empty(Form::Paths);
        let mut before = "";
        for (_, line) in lines.iter() {
            places.push(shared(before, line), depth_of(line.as_bytes()));
            before = line;
        }
        places
    }

    fn of_sections(lines: &Lines) -> Places {
        let mut places = Places::empty(Form::Sections);
        let (mut section, mut depth) = ("", 0);
        for (_, line) in lines.iter() {
            if is_section(line) {
                let header = &line[..line.len() - 1];
                depth = depth_of(header.as_bytes());
                places.push(shared(section, header), depth);
                section = header;
            } else {
                // What lies in a folder shares the folder.
                places.push(depth, depth + 1);
            }
        }
        places
    }

    fn of_drawing(lines: &Lines) -> Places {
        let mut places = Places::empty(Form::Drawing);
        let mut before = 0;
        for (_, line) in lines.iter() {
            let indent = line.find("── ").map_or(0, |at| line[..at].chars().count());
            let depth = if line.contains("── ") { indent / 4 + 1 } else { 0 };
            places.push(depth.saturating_sub(1).min(before), depth);
            before = depth;
        }
        places
    }

    fn empty(form: Form) -> Places {
        Places { shared: Vec::new(), depth: Vec::new(), form }
    }

    fn push(&mut self, shared: usize, depth: usize) {
        self.shared.push(shared);
        self.depth.push(depth);
    }

    fn entries(&self, lines: &Lines) -> usize {
        lines.iter().filter(|(_, line)| is_entry(line)).count()
    }

    /// The runs of this depth; and the room that is left, if naming them all fits.
    fn tree(&self, lines: &Lines, depth: usize, room: usize) -> (Pieces, Option<usize>) {
        let mut pieces = Pieces::new();
        let mut left = room;
        let mut from = 1;
        while from <= lines.len() {
            let mut to = from;
            while to < lines.len() && self.shared[to] >= depth {
                to += 1;
            }
            let is_few = to - from < FEW;
            let what = if is_few { String::new() } else { self.summary(lines, from, to, depth) };
            let (shown, named) = (lines.costs(from, to), gap_cost(from, to, &what));
            let is_shown = is_few || shown <= named;
            let cost = if is_shown { shown } else { named };
            if cost + CUT > left {
                pieces.skip_to(lines.len(), "");
                return (pieces, None);
            }
            left -= cost;
            if is_shown {
                pieces.show_to(to)
            } else {
                pieces.skip_to(to, &what)
            }
            from = to + 1;
        }
        (pieces, Some(left))
    }

    fn summary(&self, lines: &Lines, from: usize, to: usize, depth: usize) -> String {
        let first = lines.at(from);
        let folder = match self.form {
            Form::Drawing => first.rsplit("── ").next().unwrap_or(first).to_string(),
            Form::Paths => prefix(first, depth),
            Form::Sections if is_section(first) => prefix(&first[..first.len() - 1], depth),
            Form::Sections => first.to_string(),
        };
        let mut endings: Vec<(&str, usize)> = Vec::new();
        let mut count = 0;
        for number in from..=to {
            let line = lines.at(number);
            // The folder's own line is none of what lies in it.
            let is_folder = self.form != Form::Sections && self.depth[number - 1] <= depth;
            if is_folder || !is_entry(line) {
                continue;
            }
            count += 1;
            let start = line.bytes().rposition(|byte| matches!(byte, b'/' | b' ')).map_or(0, |at| at + 1);
            let name = &line[start..];
            let Some((stem, ending)) = name.rsplit_once('.') else { continue };
            if stem.is_empty() || ending.is_empty() || ending.len() > 8 {
                continue;
            }
            // A folder of dumps may have an ending for each file; a walk through all of them would not be linear.
            match endings.iter().position(|(known, _)| *known == ending) {
                Some(at) => endings[at].1 += 1,
                None if endings.len() < 40 => endings.push((ending, 1)),
                None => {}
            }
        }
        endings.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let of: Vec<String> =
            endings.iter().take(ENDINGS).filter(|(_, n)| *n > 1).map(|(ending, n)| format!("{n} .{ending}")).collect();
        let of = if of.is_empty() { String::new() } else { format!(" ({})", of.join(", ")) };
        format!("{folder}/ {count}{of}").replace("//", "/")
    }
}

/// Not a header, an empty line, or the size that `ls -l` begins with.
fn is_entry(line: &str) -> bool {
    !line.is_empty() && !is_section(line) && !line.starts_with("total ")
}

/// The header of a folder in `ls -R`.
fn is_section(line: &str) -> bool {
    line.ends_with(':') && line.len() > 1 && (line.starts_with(['.', '/', '~']) || line.contains('/'))
        || line.ends_with(':') && !line.contains(char::is_whitespace)
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty())
}

/// How many names a path has.
fn depth_of(path: &[u8]) -> usize {
    (0..path.len()).filter(|at| path[*at] != b'/' && (*at == 0 || path[*at - 1] == b'/')).count()
}

/// How many names two paths share from the top.
fn shared(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let common = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let ends_a_name = |path: &[u8]| path.get(common).is_none_or(|byte| *byte == b'/');
    let is_whole = ends_a_name(one) && ends_a_name(other);
    let end = if is_whole { common } else { one[..common].iter().rposition(|byte| *byte == b'/').unwrap_or(0) };
    depth_of(&one[..end])
}

/// The first names of a path.
fn prefix(path: &str, depth: usize) -> String {
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", names(path).take(depth).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_with_the_same_beginning_are_two() {
        assert_eq!(shared("src/rules/a.rs", "src/rules.rs"), 1);
        assert_eq!(shared("./src", "./src/a.rs"), 2);
        assert_eq!(shared("src/a.rs", "srcs/a.rs"), 0);
        assert_eq!(depth_of(b"/usr//lib/a"), 3);
    }
}
