//! A result under a token budget. What does not fit is counted by whoever writes; nothing is cut silently.

use crate::size;

/// Room at the end for the lines that say what is missing, in tokens.
const RESERVE: u64 = 100;

pub struct Page {
    text: String,
    chars: u64,
    budget: u64,
}

impl Page {
    /// A page of about so many tokens.
    pub fn new(tokens: u64) -> Page {
        Page { text: String::new(), chars: 0, budget: tokens.saturating_sub(RESERVE).max(RESERVE) }
    }

    /// Writes these lines if all of them fit.
    pub fn fits(&mut self, lines: &[String]) -> bool {
        let chars = self.chars + lines.iter().map(|line| line.chars().count() as u64 + 1).sum::<u64>();
        if size::tokens(chars) > self.budget {
            return false;
        }
        self.chars = chars;
        for line in lines {
            self.always(line);
        }
        true
    }

    /// Writes a line whatever the room: it says what is missing.
    pub fn always(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub fn text(self) -> String {
        self.text.trim_end().to_string()
    }
}

/// `1 file`, `1,200 files`.
pub fn count(n: usize, one: &str) -> String {
    let ending = match one {
        _ if n == 1 => "",
        _ if one.ends_with('s') || one.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {one}{ending}", size::grouped(n as u64))
}
