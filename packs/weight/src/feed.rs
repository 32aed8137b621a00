//! Follows a transcript by byte ranges: says which range it wants next, and takes its lines out of the text that comes.
//!
//! Invariant: a line is taken once and whole, whatever was written meanwhile. Where the place in the file is not certain (it shrank, or
//! holds something else there), it begins anew.

use serde::{Deserialize, Serialize};

use crate::line::{self, Line};
use crate::reading::hash;

/// A range, and the longest line: 1 MiB of text takes 3 ms in a warm pack, as a rule (`packs/weight/README.md`).
pub const RANGE: u64 = 1024 * 1024;
/// The first range; each is twice the one before, because a pack that was just started takes four times as long for its lines.
const FIRST: u64 = 32 * 1024;
/// So much behind is read later, and the end first.
const FAR: u64 = 2 * 1024 * 1024;
/// The end of the file, and how much of it is looked at where no answer is in that.
const TAILS: [u64; 2] = [256 * 1024, RANGE];
/// What was read last stands again before the next range, so that another file is noticed.
const MARK: usize = 512;

/// A range of the file; `bytes` is the size of the whole.
pub struct Text<'a> {
    pub text: &'a str,
    pub bytes: u64,
    /// Where the host had to put U+FFFD for bytes that are no text: how many bytes there are up to the first line's end, and up to the
    /// last's.
    pub first: Option<u64>,
    pub last: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Range {
    pub from: u64,
    pub bytes: u64,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Feed {
    /// Every line before this was taken.
    offset: u64,
    mark_bytes: u64,
    mark: u64,
    /// In the middle of a line that is too long.
    is_skipping: bool,
    /// The size of the file, as last told.
    size: u64,
    /// The last line is not whole yet.
    is_cut: bool,
    /// How long the last range was: of this instance of the pack, so it is not kept.
    #[serde(skip)]
    pub reach: u64,
}

/// What came of a range.
#[derive(Debug, PartialEq)]
pub enum Fed {
    /// All that is there was taken, or more is to come.
    End,
    More,
    /// It is another file; nothing that was read of it counts.
    Replaced,
}

impl Feed {
    pub fn next(&self) -> Range {
        let from = self.offset - self.mark_bytes;
        Range { from, bytes: (2 * self.reach).clamp(FIRST, RANGE) + self.mark_bytes }
    }

    /// True where the end should be looked at first.
    pub fn is_far(&self) -> bool {
        self.size - self.offset.min(self.size) > FAR
    }

    /// True when every line that is whole was taken, and the last one is.
    pub fn is_done(&self) -> bool {
        self.offset >= self.size && !self.is_cut
    }

    pub fn is_behind(&self) -> bool {
        self.offset < self.size && !self.is_cut
    }

    /// The range at the end of the file for the first look at it, then a larger one.
    pub fn tail(&self, look: usize) -> Option<Range> {
        let bytes = TAILS.get(look)?.min(&self.size);
        Some(Range { from: self.size - bytes, bytes: *bytes })
    }

    /// Takes the lines out of the text for [`Feed::next`].
    pub fn take(&mut self, fact: &Text<'_>, mut line: impl FnMut(&Line)) -> Fed {
        let Range { from, bytes } = self.next();
        self.size = fact.bytes;
        self.reach = bytes - self.mark_bytes;
        if fact.bytes < self.offset || !self.is_marked(fact) {
            *self = Feed { size: fact.bytes, reach: self.reach, ..Feed::default() };
            return Fed::Replaced;
        }
        let mut text = &fact.text[self.mark_bytes as usize..];
        let mut at = self.offset;
        self.is_cut = false;
        let was_skipping = self.is_skipping;
        if self.is_skipping {
            let Some(end) = text.find('\n') else {
                return self.skip_on(from, bytes);
            };
            let first = fact.first.filter(|_| self.mark_bytes == 0).unwrap_or(end as u64 + 1);
            at = from + first;
            text = &text[end + 1..];
            self.is_skipping = false;
        }
        let is_end = from + bytes >= fact.bytes;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        each_line(&text[..whole], &mut line);
        if whole > 0 {
            at = match fact.last {
                Some(last) => from + last,
                None => at + whole as u64,
            };
            self.mark_after(&text[..whole]);
        }
        self.offset = at;
        let rest = &text[whole..];
        if !rest.is_empty() && is_end {
            // Written without its end: what can be read is a line all the same.
            if let parsed @ Line::Record(_) = line::read(rest, &mut String::new()) {
                line(&parsed);
                // What was written since is in the text already.
                self.offset = if fact.last.is_some() { fact.bytes } else { at + rest.len() as u64 };
                self.mark_after(rest);
            } else {
                self.is_cut = true;
            }
            return Fed::End;
        }
        if whole == 0 && !is_end && !was_skipping && bytes >= RANGE {
            line(&Line::Broken);
            self.is_skipping = true;
            return self.skip_on(from, bytes);
        }
        if self.offset >= fact.bytes { Fed::End } else { Fed::More }
    }

    fn skip_on(&mut self, from: u64, bytes: u64) -> Fed {
        self.offset = (from + bytes).min(self.size);
        // In the middle of a line nothing tells one file from another, and characters may be cut.
        self.mark_bytes = 0;
        if self.offset >= self.size { Fed::End } else { Fed::More }
    }

    fn is_marked(&self, fact: &Text) -> bool {
        let bytes = self.mark_bytes as usize;
        bytes == 0 || fact.text.get(..bytes).is_some_and(|text| hash(text) == self.mark)
    }

    fn mark_after(&mut self, taken: &str) {
        // Nothing that stands for other bytes: of those nobody knows how many they were.
        let clean = taken.rfind('\u{fffd}').map_or(0, |at| at + '\u{fffd}'.len_utf8());
        let from = clean.max(taken.len() - line::floor_back(taken, MARK));
        self.mark_bytes = (taken.len() - from) as u64;
        self.mark = hash(&taken[from..]);
    }
}

/// The lines at the end of a file: the first one of the text was cut, unless it is the file's first.
pub fn tail_lines(range: &Range, text: &str, mut line: impl FnMut(&Line)) {
    let from = if range.from == 0 { 0 } else { text.find('\n').map_or(text.len(), |end| end + 1) };
    each_line(&text[from..], &mut line);
}

fn each_line(text: &str, line: &mut impl FnMut(&Line)) {
    let mut room = String::new();
    for text in text.split_terminator('\n') {
        line(&line::read(text, &mut room));
    }
}
