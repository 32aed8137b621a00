//! How much a model's context holds, by its id. A model that nobody here knows has no window, and then no percentage is told.

const USUAL: u64 = 200_000;
const LARGE: u64 = 1_000_000;
/// No window is known to hold more; a figure beyond it proves nothing.
const MOST: u64 = 1_100_000;

/// What the id tells: `[1m]` asks for the large window; 5.5 has it (2.1.332 compacts `claude-opus-5-5` near 1,000,000); versions up to 4
/// have the usual one. Of any other nothing is known.
pub fn of_model(id: &str) -> Option<u64> {
    let id = id.to_ascii_lowercase();
    if id.contains("[1m]") {
        return Some(LARGE);
    }
    // Hosts put a region, a vendor or a path before it.
    let name = &id[id.find("claude-")? + "claude-".len()..];
    // `opus-4-5-20251101` and `3-5-sonnet` have two numbers; dates are none.
    let parts = name.split(['-', '@', ':', '.', '_']).map(|part| part.parse::<u32>().ok());
    let mut version = parts.skip_while(Option::is_none).map_while(|number| number.filter(|number| *number < 100));
    match (version.next()?, version.next()) {
        (..=4, _) => Some(USUAL),
        (5, Some(5)) => Some(LARGE),
        _ => None,
    }
}

/// The window that a context of so many tokens proves, where the model's would be too small for it.
pub fn proven(window: Option<u64>, largest: u64) -> Option<u64> {
    match window {
        Some(window) if largest <= window => Some(window),
        _ if largest > MOST => None,
        Some(_) => Some(LARGE),
        None if largest > USUAL => Some(LARGE),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_by_id() {
        for (id, window) in [
            ("claude-opus-4-5-20251101", Some(USUAL)),
            ("claude-sonnet-4-20250514", Some(USUAL)),
            ("claude-sonnet-4-6", Some(USUAL)),
            ("claude-3-5-sonnet-20241022", Some(USUAL)),
            ("us.anthropic.claude-haiku-4-5-20251001-v1:0", Some(USUAL)),
            ("claude-opus-4-5@20251101", Some(USUAL)),
            ("claude-opus-5-5", Some(LARGE)),
            ("claude-sonnet-4-6[1m]", Some(LARGE)),
            ("opus[1m]", Some(LARGE)),
            ("claude-opus-5", None),
            ("claude-opus-5-6", None),
            ("claude-opus-6-0", None),
            ("claude-20250514", None),
            ("claude-custom", None),
            ("gpt-5", None),
            ("", None),
        ] {
            assert_eq!(of_model(id), window, "{id}");
        }
    }

    #[test]
    fn a_larger_context_proves_a_larger_window() {
        for (window, largest, expect) in [
            (Some(USUAL), 150_000, Some(USUAL)),
            (Some(USUAL), 250_000, Some(LARGE)),
            (None, 150_000, None),
            (None, 250_000, Some(LARGE)),
            (Some(LARGE), 985_021, Some(LARGE)),
            (Some(USUAL), 1_517_046, None),
        ] {
            assert_eq!(proven(window, largest), expect, "{window:?} {largest}");
        }
    }
}
