//! What a person who looks is shown of a session: one line, and the sections of a pane, which are text as well. A figure that nobody
//! told is left out.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::Config;
use crate::moment::Size;
use crate::reading::{ByTool, Heavy};
use crate::words::{self, percent};

/// Of the chart, in characters. With the figures at its side it fits a pane of 48 columns.
const COLUMNS: usize = 40;
const ROWS: usize = 6;
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const MAX_NAME: usize = 20;
const MAX_TOOLS: usize = 8;
/// So many results at least, however few are named in a sentence.
pub const HEAVY: usize = 5;
const BAR: u64 = 8;
/// A percent beyond this is a mistake of whoever told it.
const MOST_PERCENT: u64 = 1_000;

/// What the host knows besides the transcript.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Told {
    /// The core's `tally` of the session.
    pub rules: Option<Vec<Count>>,
    /// Windows of the account's limits, as the client tells them.
    pub limits: Vec<Limit>,
    /// Who judges the calls, as a person reads it.
    pub route: Option<String>,
    /// The model was offered the code tools.
    pub tools: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Count {
    pub rule: String,
    pub advised: u64,
    pub answered: u64,
    pub refused: u64,
    pub again: u64,
    /// Tokens that were not shown, and tokens of what was said.
    pub spared: u64,
    pub given: u64,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Limit {
    pub kind: String,
    pub percent: f64,
}

/// What is known of the session.
pub struct Seen<'a> {
    pub size: Size,
    /// `None`: the transcript is still being read, and what follows is empty.
    pub turns: Option<u32>,
    pub compactions: u32,
    pub is_complete: bool,
    pub curve: &'a [(u32, u64)],
    /// Percent of the window, and the turn that reached it.
    pub levels: &'a [(u64, u32)],
    pub by_tool: &'a [ByTool],
    pub heavy: &'a [Heavy],
    pub config: &'a Config,
    /// The configuration as the core worked it out; null where nobody told.
    pub settings: &'a Value,
}

/// Lines that belong together. Without a title they are sentences, with one the lines of a table or a chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Section {
    pub title: Option<String>,
    pub lines: Vec<String>,
}

/// One line for a band or a status line; `None` where there is no figure.
pub fn line(size: Size, told: &Told) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    if let Some(tokens) = size.tokens {
        let of = window(size).map(|window| format!(" of {} ({} %)", short(window), percent(tokens, window)));
        parts.push(format!("context {}{}", short(tokens), of.unwrap_or_default()));
    }
    parts.extend(told.rules.as_deref().and_then(saved));
    parts.extend(limits(told).map(|(name, _, percent)| format!("{name} {percent} %")));
    (!parts.is_empty()).then(|| format!("trimtab · {}", parts.join(" · ")))
}

/// Whether the line stands above the prompt, and whether below it.
pub fn places(config: &Value) -> (bool, bool) {
    let is_on = config["enabled"] != false && config["mode"] != "off";
    (is_on && config["ui"]["band"] != false, is_on && config["ui"]["status"] == true)
}

/// What a pane shows, from the top down.
pub fn sections(seen: &Seen, told: &Told) -> Vec<Section> {
    let mut sections = vec![Section { title: None, lines: head(seen) }];
    let mut add = |title: String, lines: Vec<String>| {
        if !lines.is_empty() {
            sections.push(Section { title: Some(title), lines });
        }
    };
    let turns = seen.turns.unwrap_or_default();
    add(format!("Context over {}", counted(u64::from(turns), "turn")), chart(seen));
    add("Results in it, by tool".to_string(), by_tool(seen));
    add("The heaviest, by size times the turns that carried them".to_string(), heavy(seen));
    add("Said by rule".to_string(), told.rules.as_deref().map(said).unwrap_or_default());
    let used = |(_, name, percent): (_, &str, u64)| format!("{name}: {percent} % used");
    add("Limits of the account".to_string(), limits(told).map(used).collect());
    add("On".to_string(), on(seen, told));
    sections
}

/// The same for where there is no pane.
pub fn text(sections: &[Section]) -> String {
    let part = |section: &Section| match &section.title {
        None => section.lines.join("\n"),
        Some(title) => format!("{title}\n  {}", section.lines.join("\n  ")),
    };
    sections.iter().map(part).collect::<Vec<_>>().join("\n\n")
}

fn head(seen: &Seen) -> Vec<String> {
    let mut lines = Vec::new();
    let named = &seen.heavy[..seen.heavy.len().min(seen.config.top)];
    match (seen.size.tokens, seen.turns) {
        (Some(tokens), _) => lines.push(words::notice(tokens, window(seen.size), named)),
        (None, Some(0)) => lines.push("There is no answer of a model in this session yet.".to_string()),
        (None, _) => lines.push("How large the context is cannot be told until the next answer.".to_string()),
    }
    if let Some(turns) = seen.turns.filter(|turns| *turns > 0) {
        let compactions = counted(u64::from(seen.compactions), "compaction");
        lines.push(format!("{}, {compactions}.", counted(u64::from(turns), "turn")));
    }
    if !seen.is_complete {
        lines.push("Something in it could not be read, so this may not be all.".to_string());
    }
    lines
}

/// Tokens from the bottom up, turns from left to right. A compaction is a step down.
fn chart(seen: &Seen) -> Vec<String> {
    let (Some(first), Some(last)) = (seen.curve.first(), seen.curve.last()) else {
        return Vec::new();
    };
    let top = seen.curve.iter().map(|point| point.1).max().unwrap_or_default();
    let place = |turn: u32| turn.saturating_sub(first.0) as usize;
    let span = place(last.0) + 1;
    if span < 2 || top == 0 {
        return Vec::new();
    }
    let columns = span.min(COLUMNS);
    let mut heights: Vec<Option<u64>> = vec![None; columns];
    for (turn, tokens) in seen.curve {
        let at = (place(*turn) * columns / span).min(columns - 1);
        heights[at] = heights[at].max(Some(*tokens));
    }
    // A turn that was thinned out stands as high as the one before it.
    let mut height = 0;
    let eighths: Vec<u64> = heights
        .into_iter()
        .map(|tokens| {
            height = tokens.unwrap_or(height);
            height.saturating_mul(ROWS as u64 * 8).div_ceil(top)
        })
        .collect();
    let mut lines: Vec<String> = (0..ROWS as u64)
        .rev()
        .map(|row| {
            let label = if row + 1 == ROWS as u64 { short(top) } else { String::new() };
            let cells: String = eighths.iter().map(|h| BLOCKS[h.saturating_sub(row * 8).min(8) as usize]).collect();
            format!("{label:>5} │{}", cells.trim_end())
        })
        .collect();
    lines.push(format!("{:>5} └{}", "0", "─".repeat(columns)));
    let levels: Vec<String> = seen.levels.iter().map(|(percent, turn)| format!("{percent} % in turn {turn}")).collect();
    if !levels.is_empty() {
        lines.push(format!("Of the window: {}", levels.join(", ")));
    }
    lines
}

fn by_tool(seen: &Seen) -> Vec<String> {
    let most = seen.by_tool.first().map_or(0, |tool| tool.tokens);
    let mut lines: Vec<String> = seen
        .by_tool
        .iter()
        .take(MAX_TOOLS)
        .map(|tool| {
            let bar = "█".repeat((tool.tokens * BAR).div_ceil(most.max(1)) as usize);
            let row = format!("{:<MAX_NAME$} {:>4}×", name(&tool.tool), tool.results);
            format!("{row} {:>5}{} {bar}", short(tool.tokens), share(seen, tool.tokens)).trim_end().to_string()
        })
        .collect();
    let more = seen.by_tool.len().saturating_sub(MAX_TOOLS);
    if more > 0 {
        lines.push(format!("… {more} more"));
    }
    lines
}

fn heavy(seen: &Seen) -> Vec<String> {
    let row = |heavy: &Heavy| {
        let turn = format!("turn {}", heavy.turn);
        format!("{:<MAX_NAME$} {turn:<10} {:>5}{}", name(&heavy.tool), short(heavy.tokens), share(seen, heavy.tokens))
    };
    seen.heavy.iter().map(row).collect()
}

fn said(rules: &[Count]) -> Vec<String> {
    if rules.is_empty() {
        return vec!["Nothing so far.".to_string()];
    }
    let mut lines: Vec<String> = rules
        .iter()
        .map(|count| {
            let counts = [
                (count.answered, "made smaller"),
                (count.refused, "refused"),
                (count.advised, "advised"),
                (count.again, "asked again"),
            ];
            let counts: Vec<String> =
                counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
            let saved = saved(std::slice::from_ref(count)).map_or(String::new(), |saved| format!(", {saved}"));
            format!("{:<MAX_NAME$} {}{saved}", name(&count.rule), counts.join(", "))
        })
        .collect();
    lines.push(match net(rules) {
        (Ordering::Less, cost) => format!("In all cost about {} tokens.", short(cost)),
        (Ordering::Equal, _) => "In all nothing was saved.".to_string(),
        (Ordering::Greater, saved) => {
            format!("In all saved about {} tokens, less what was said instead.", short(saved))
        }
    });
    lines
}

fn on(seen: &Seen, told: &Told) -> Vec<String> {
    let settings = seen.settings;
    let Some(mode) = settings["mode"].as_str() else {
        return Vec::new();
    };
    let mode = if settings["enabled"] == false { "off" } else { mode };
    let route = told.route.as_ref().map_or(String::new(), |route| format!(", by {route}"));
    let mut lines = vec![format!("Calls and results: mode {mode}{route}")];
    let rules = settings["rules"].as_object().into_iter().flatten();
    let off: Vec<&str> = rules.filter(|(_, rule)| *rule == "off").map(|(id, _)| id.as_str()).collect();
    if mode != "off" && !off.is_empty() {
        lines.push(format!("Rules that are off: {}", off.join(", ")));
    }
    if let Some(is_offered) = told.tools {
        lines.push(format!("Code tools: {}", if is_offered { "offered" } else { "not offered" }));
    }
    let sizes: Vec<String> = seen.config.sizes(seen.size.window).into_iter().map(short).collect();
    let weight = if seen.config.is_enabled { format!("told at {}", sizes.join(" and ")) } else { "not told".into() };
    lines.push(format!("Weight: {weight}"));
    lines
}

fn saved(rules: &[Count]) -> Option<String> {
    match net(rules) {
        (Ordering::Less, cost) => Some(format!("cost about {}", short(cost))),
        (Ordering::Equal, _) => None,
        (Ordering::Greater, saved) => Some(format!("saved about {}", short(saved))),
    }
}

/// What was spared, less what was said instead: whether it is below or above nothing, and by how much.
fn net(rules: &[Count]) -> (Ordering, u64) {
    let sum = |of: fn(&Count) -> u64| rules.iter().map(of).fold(0, u64::saturating_add);
    let (spared, given) = (sum(|count| count.spared), sum(|count| count.given));
    (spared.cmp(&given), spared.abs_diff(given))
}

/// The window, where the context can be one in it.
fn window(size: Size) -> Option<u64> {
    size.window.filter(|window| size.tokens.is_none_or(|tokens| percent(tokens, *window) <= MOST_PERCENT))
}

/// Short name, name, percent.
fn limits(told: &Told) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
    [("5h", "5 hours", "five_hour"), ("7d", "7 days", "seven_day")].into_iter().filter_map(|(short, name, kind)| {
        let limit = told.limits.iter().find(|limit| limit.kind == kind)?;
        let is_one = (0.0..=MOST_PERCENT as f64).contains(&limit.percent);
        is_one.then_some((short, name, limit.percent.round() as u64))
    })
}

fn share(seen: &Seen, tokens: u64) -> String {
    let share = |context: u64| format!(" {:>3} %", percent(tokens.min(context), context));
    seen.size.tokens.map(share).unwrap_or_default()
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn name(name: &str) -> String {
    if name.chars().count() <= MAX_NAME {
        return name.to_string();
    }
    // The end tells tools of one server apart.
    let end: String = name.chars().rev().take(MAX_NAME - 1).collect();
    format!("…{}", end.chars().rev().collect::<String>())
}

/// `170`, `12k`, `1M`, `1.2M`.
fn short(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..999_500 => format!("{}k", (tokens + 500) / 1_000),
        _ => format!("{:.1}M", tokens as f64 / 1e6).replace(".0M", "M"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_people_write_them() {
        for (tokens, text) in [
            (0, "0"),
            (999, "999"),
            (1_499, "1k"),
            (170_600, "171k"),
            (999_500, "1M"),
            (1_000_000, "1M"),
            (1_240_000, "1.2M"),
        ] {
            assert_eq!(short(tokens), text);
        }
    }
}
