//! The lines of an output as a terminal would have left them, and the pieces that a condensed text is made of.
//!
//! Invariant: the pieces follow each other without a hole, so what is shown and what is named as left out add up to
//! all lines.

use std::borrow::Cow;

use crate::size::grouped;

/// A longer line is cut to the second figure.
const LONG_LINE: usize = 400;
const CUT_LINE: usize = 300;
/// Characters of the remark behind a cut line.
const CUT_CHARS: usize = 40;

/// A text, by lines. They count from 1, as `\n` ends them.
pub struct Lines<'a>(Vec<Cow<'a, str>>);

impl<'a> Lines<'a> {
    pub fn of(text: &'a str) -> Lines<'a> {
        // Looked for once, because most texts have none.
        let is_plain = !text.as_bytes().iter().any(|byte| matches!(byte, b'\r' | 0x1b | 0x08));
        let as_shown = |line| if is_plain { Cow::Borrowed(line) } else { as_shown(line) };
        let mut lines: Vec<Cow<str>> = text.split('\n').map(as_shown).collect();
        if lines.last().is_some_and(|last| last.is_empty()) {
            lines.pop();
        }
        Lines(lines)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A line by its number.
    pub fn at(&self, number: usize) -> &str {
        &self.0[number - 1]
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &str)> {
        self.0.iter().enumerate().map(|(at, line)| (at + 1, line.as_ref()))
    }

    /// Characters that showing a line costs.
    pub fn cost(&self, number: usize) -> usize {
        let line = self.at(number);
        // Bytes are never fewer than characters, and most lines are short.
        let chars = if line.len() <= LONG_LINE { line.len() } else { line.chars().take(LONG_LINE + 1).count() };
        if chars > LONG_LINE { CUT_LINE + CUT_CHARS } else { chars + 1 }
    }

    pub fn costs(&self, from: usize, to: usize) -> usize {
        (from..=to).map(|number| self.cost(number)).sum()
    }

    fn shown(&self, number: usize) -> Cow<'_, str> {
        let line = self.at(number);
        if line.len() <= LONG_LINE || line.chars().nth(LONG_LINE).is_none() {
            return Cow::Borrowed(line);
        }
        let (end, _) = line.char_indices().nth(CUT_LINE).unwrap_or((line.len(), ' '));
        let more = line[end..].chars().count();
        Cow::Owned(format!("{} … {} more characters", &line[..end], grouped(more as u64)))
    }
}

/// What a terminal leaves of a line: nothing that a carriage return wrote over, and no codes for colours.
fn as_shown(line: &str) -> Cow<'_, str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let line = line.rsplit('\r').find(|part| !part.is_empty()).unwrap_or(line);
    if line.bytes().any(|byte| matches!(byte, 0x1b | 0x08)) {
        Cow::Owned(without_codes(line))
    } else {
        Cow::Borrowed(line)
    }
}

fn without_codes(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{8}' => drop(out.pop()),
            '\u{1b}' => match chars.next() {
                // A control sequence ends at a letter, a title or link at a bell or at `ESC \`.
                Some('[') => while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
                Some(']') => {
                    while let Some(c) = chars.next() {
                        if c == '\u{7}' || c == '\u{1b}' && chars.next_if_eq(&'\\').is_some() {
                            break;
                        }
                    }
                }
                _ => {}
            },
            c => out.push(c),
        }
    }
    out
}

/// A condensed text in the making.
#[derive(Default)]
pub struct Pieces {
    /// Ours, before everything else.
    pub remarks: Vec<String>,
    pieces: Vec<Piece>,
    /// The first line that no piece covers.
    next: usize,
}

enum Piece {
    /// Left out; up to this line, with a word on what it is.
    Gap(usize, usize, String),
    Shown(usize, usize),
}

impl Pieces {
    pub fn new() -> Pieces {
        Pieces { next: 1, ..Pieces::default() }
    }

    /// Shows all lines up to this one.
    pub fn show_to(&mut self, to: usize) {
        if to >= self.next {
            self.pieces.push(Piece::Shown(self.next, to));
            self.next = to + 1;
        }
    }

    /// Leaves out all lines up to this one.
    pub fn skip_to(&mut self, to: usize, what: &str) {
        if to >= self.next {
            self.pieces.push(Piece::Gap(self.next, to, what.to_string()));
            self.next = to + 1;
        }
    }

    /// Shows one line and leaves out what lies before it.
    pub fn show_only(&mut self, number: usize) {
        self.skip_to(number - 1, "");
        self.show_to(number);
    }

    /// The text below its first line. Whatever no piece covered is left out at the end.
    pub fn write(mut self, lines: &Lines, text: &mut String) {
        self.skip_to(lines.len(), "");
        for remark in &self.remarks {
            text.push_str("\n· ");
            text.push_str(remark);
        }
        for piece in &self.pieces {
            match piece {
                Piece::Gap(from, to, what) => {
                    text.push('\n');
                    text.push_str(&gap(*from, *to, what));
                }
                Piece::Shown(from, to) => {
                    for number in *from..=*to {
                        text.push('\n');
                        text.push_str(&lines.shown(number));
                    }
                }
            }
        }
    }
}

/// The line that names what is left out.
pub fn gap(from: usize, to: usize, what: &str) -> String {
    let range = if from == to { format!("… line {from}") } else { format!("… lines {from}-{to}") };
    if what.is_empty() { range } else { format!("{range}: {what}") }
}

/// Characters that naming a gap costs.
pub fn gap_cost(from: usize, to: usize, what: &str) -> usize {
    gap(from, to, what).chars().count() + 1
}

/// The first and the last lines that fit, two thirds of the room for the first.
pub fn ends(lines: &Lines, room: usize) -> Pieces {
    let mut pieces = Pieces::new();
    let room = room.saturating_sub(gap_cost(lines.len(), lines.len(), ""));
    let (head, left) = first_that_fit(lines, room * 2 / 3);
    let tail = last_that_fit(lines, head, room / 3 + left);
    pieces.show_to(head);
    pieces.skip_to(lines.len() - tail, "");
    pieces.show_to(lines.len());
    pieces
}

/// The same of a text of which only the beginning and the end are at hand.
pub fn write_ends(head: &Lines, tail: &Lines, total: usize, room: usize, text: &mut String) {
    let (first, left) = first_that_fit(head, room * 2 / 3);
    let last = last_that_fit(tail, 0, room / 3 + left);
    let mut show = |lines: &Lines, numbers: std::ops::RangeInclusive<usize>| {
        numbers.for_each(|number| {
            text.push('\n');
            text.push_str(&lines.shown(number));
        });
    };
    show(head, 1..=first);
    let hole = gap(first + 1, total.saturating_sub(last), "");
    show(&Lines(vec![Cow::Owned(hole)]), 1..=1);
    show(tail, tail.len() + 1 - last..=tail.len());
}

/// How many lines fit, and the room that is left.
fn first_that_fit(lines: &Lines, room: usize) -> (usize, usize) {
    let mut left = room;
    let mut count = 0;
    while count < lines.len() && lines.cost(count + 1) <= left {
        count += 1;
        left -= lines.cost(count);
    }
    (count, left)
}

fn last_that_fit(lines: &Lines, head: usize, room: usize) -> usize {
    let mut left = room;
    let mut count = 0;
    while count + head < lines.len() && lines.cost(lines.len() - count) <= left {
        left -= lines.cost(lines.len() - count);
        count += 1;
    }
    count
}

/// `1 file`, `1,200 files`.
pub fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count if one.ends_with("ch") => format!("{} {one}es", grouped(count as u64)),
        count => format!("{} {one}s", grouped(count as u64)),
    }
}
