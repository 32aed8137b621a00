//! Sizes and the only conversions between them: lines, bytes, characters, tokens.

/// Characters per token, as the client's own limits relate them: 30,000 characters of Bash output are about 7,500
/// tokens (measured on 2.1.332).
const CHARS_PER_TOKEN: u64 = 4;

/// What Bash shows at most, in characters; above that the client saves the output and shows a preview (measured on
/// 2.1.277, 2.1.287 and 2.1.332). PowerShell shows as much (2.1.332: 28,700 were shown, of 30,340 a preview).
pub const BASH_MAX_CHARS: u64 = 30_000;

/// What the client shows of a Bash output above [`BASH_MAX_CHARS`]: a preview of 2 KB and a path, about 550 tokens.
const BASH_PREVIEW_CHARS: u64 = 2_200;

/// A whole Read of a file above this size, in bytes, is refused by the client itself (measured on the same versions).
pub const READ_MAX_BYTES: u64 = 256 * 1024;

/// What Read shows at most, in tokens: of a file of 5,000 lines and 98 KB it showed 99,972 characters (measured on 2.1.332).
const READ_MAX_TOKENS: u64 = 25_000;

/// Tokens that Read shows of `lines` lines with `bytes` bytes.
pub fn read_shown(bytes: u64, lines: u64) -> u64 {
    tokens(read_chars(bytes, lines)).min(READ_MAX_TOKENS)
}

/// Tokens of a text of `chars` characters, rounded up.
pub fn tokens(chars: u64) -> u64 {
    chars.div_ceil(CHARS_PER_TOKEN)
}

/// Tokens that Bash would really show the model of an output of `chars` characters.
pub fn bash_shown(chars: u64) -> u64 {
    tokens(if chars > BASH_MAX_CHARS { BASH_PREVIEW_CHARS } else { chars })
}

/// Tokens that an output of `chars` characters asks for: what Bash would show if it did not cut at a preview. A cut
/// output is a call to be made again, so refusals are decided by this and savings are counted by [`bash_shown`].
pub fn bash_wanted(chars: u64) -> u64 {
    tokens(chars.min(BASH_MAX_CHARS))
}

/// Characters of `lines` lines with `bytes` bytes as Read shows them, with its gutter of line number and tab.
fn read_chars(bytes: u64, lines: u64) -> u64 {
    bytes.saturating_add(lines.saturating_mul(u64::from(lines.max(1).ilog10()) + 2))
}

/// A number for people: `12,345`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A figure as an estimate is told: two digits that count, `about 5,200`.
pub fn about(n: u64) -> String {
    let step = 10u64.pow(n.max(1).ilog10().saturating_sub(1));
    format!("about {}", grouped((n + step / 2) / step * step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_above_the_limit_costs_a_preview_only() {
        assert_eq!(bash_shown(30_000), 7_500);
        assert_eq!(bash_shown(30_001), 550);
        assert_eq!(bash_wanted(5_000_000), 7_500);
    }

    #[test]
    fn figures_are_told_with_two_digits() {
        assert_eq!(about(5_234), "about 5,200");
        assert_eq!(about(7), "about 7");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn a_read_of_107_kb_came_as_115_thousand_characters_once() {
        // 2.1.332: 107 KB in about 1,150 lines came as 115,208 characters.
        assert_eq!(read_chars(109_568, 1_150), 115_318);
    }
}
