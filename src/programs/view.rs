//! Viewers: programs that print files, whole or by lines.

use super::options::Options;
use super::{BOUND_LINES, placed};
use crate::intent::{Intent, Output, Read};
use crate::shell::{Command, Stdin, Word};

pub(super) fn whole(command: &Command, operand: &Word) -> Read {
    let placed = placed(command, &operand.text);
    Read {
        path: placed.clone().unwrap_or_else(|| operand.text.clone()),
        from: 1,
        to: None,
        last: None,
        whole: true,
        vague: !operand.is_known() || placed.is_none(),
        unjudged: false,
        out: Output::default(),
    }
}

/// The files that a viewer reads: its operands, else the file in its standard input.
pub(super) fn viewed(command: &Command, operands: &[Word]) -> Vec<Read> {
    let mut reads: Vec<Read> = operands.iter().filter(|w| w.text != "-").map(|w| whole(command, w)).collect();
    if operands.is_empty()
        && let Stdin::File(file) = &command.stdin
    {
        reads.push(whole(command, file));
    }
    reads
}

pub(super) fn view(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["help", "version"]) {
        return Vec::new();
    }
    let mut reads = viewed(command, &options.operands);
    reads.iter_mut().for_each(|read| read.out.doubt |= options.unknown);
    reads.into_iter().map(Intent::Read).collect()
}

pub(super) fn bat(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    let ranges: Vec<&str> = options.values(&["r", "line-range"]).collect();
    let mut reads = viewed(command, &options.operands);
    reads.iter_mut().for_each(|read| read.out.doubt |= options.unknown);
    let mut intents = Vec::new();
    for read in reads {
        if ranges.is_empty() {
            intents.push(Intent::Read(read));
            continue;
        }
        for range in &ranges {
            let (from, to) = range.split_once(':').unwrap_or((range, range));
            let mut part = Read { whole: false, from: from.parse().unwrap_or(1), ..read.clone() };
            part.to = to.parse().ok();
            part.unjudged = part.to.is_none();
            intents.push(Intent::Read(part));
        }
    }
    intents
}

/// What `head` or `tail` leave of what they get.
#[derive(Clone, Copy)]
pub(super) enum Slice {
    First(u64),
    From(u64),
    Last(u64),
    /// Everything, or nearly.
    All,
    /// By bytes.
    Bytes,
}

pub(super) fn slice(name: &str, options: &Options) -> Slice {
    if options.has(&["c", "bytes"]) {
        return Slice::Bytes;
    }
    let count = options.values(&["n", "lines", "#"]).last().unwrap_or("10");
    let number = |text: &str| text.parse::<u64>().ok();
    match (name, count.chars().next()) {
        ("head", Some('-')) => Slice::All,
        ("head", _) => number(count).map_or(Slice::Bytes, Slice::First),
        (_, Some('+')) => number(&count[1..]).map_or(Slice::Bytes, |n| Slice::From(n.max(1))),
        (_, _) => number(count.trim_start_matches('-')).map_or(Slice::Bytes, Slice::Last),
    }
}

impl Slice {
    pub(super) fn narrow(self, read: &mut Read) {
        match self {
            Slice::First(n) => {
                let end = read.from.saturating_add(n).saturating_sub(1);
                read.to = Some(read.to.map_or(end, |to| to.min(end)));
                read.whole = false;
            }
            Slice::From(n) => {
                read.from = read.from.saturating_add(n - 1);
                read.whole &= n == 1;
            }
            Slice::Last(n) => {
                read.last = Some(read.last.map_or(n, |last| last.min(n)));
                read.whole = false;
            }
            Slice::Bytes => {
                read.whole = false;
                read.unjudged = true;
            }
            Slice::All => {}
        }
    }

    /// Whether it bounds an output of unknown length.
    pub(super) fn bounds(self) -> bool {
        match self {
            Slice::First(n) | Slice::Last(n) => n <= BOUND_LINES,
            Slice::Bytes => true,
            Slice::All | Slice::From(_) => false,
        }
    }
}

pub(super) fn head_or_tail(command: &Command, name: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["f", "F", "follow"]) {
        return Vec::new();
    }
    // `tail +5` is the older spelling of `tail -n +5`.
    let mut operands = options.operands.clone();
    let mut slice = slice(name, options);
    if name == "tail"
        && let Some(n) = operands.first().and_then(|w| w.text.strip_prefix('+')).and_then(|n| n.parse::<u64>().ok())
    {
        operands.remove(0);
        slice = Slice::From(n.max(1));
    }
    let mut reads = viewed(command, &operands);
    for read in &mut reads {
        slice.narrow(read);
        read.out.doubt |= options.unknown;
    }
    reads.into_iter().map(Intent::Read).collect()
}

/// The line ranges that a `sed` program prints; `None` = not by lines alone.
pub(super) fn sed_ranges(options: &Options, script: &str) -> Option<Vec<(u64, Option<u64>)>> {
    let quiet = options.has(&["n", "quiet", "silent"]);
    let mut ranges = Vec::new();
    let mut end = None;
    for part in script.split([';', '\n']).map(str::trim).filter(|p| !p.is_empty()) {
        let (address, command) = part.split_at(part.len() - 1);
        let line = |text: &str| text.trim().parse::<u64>().ok();
        match command {
            "q" => end = Some(line(address)?),
            "p" if quiet && address.is_empty() => ranges.push((1, None)),
            "p" if quiet => match address.split_once(',') {
                None => ranges.push((line(address)?, Some(line(address)?))),
                Some((from, to)) => {
                    let from = line(from)?;
                    let to = match to.trim() {
                        "$" => None,
                        relative if relative.starts_with('+') => Some(from.saturating_add(line(&relative[1..])?)),
                        to => Some(line(to)?),
                    };
                    ranges.push((from, to));
                }
            },
            _ => return None,
        }
    }
    if !quiet {
        ranges = vec![(1, None)];
    }
    if let Some(end) = end {
        ranges.iter_mut().for_each(|(_, to)| *to = Some(to.map_or(end, |to| to.min(end))));
    }
    Some(ranges)
}

pub(super) fn sed(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    // `-i` may carry a suffix, so it is looked for in the words.
    let edits = command.argv[1..]
        .iter()
        .any(|w| w.text.starts_with("--in-place") || (w.text.starts_with("-i") || w.text.starts_with("-ni")));
    if edits || options.has(&["f", "file"]) || options.unknown {
        return Vec::new();
    }
    let mut operands = options.operands.clone();
    let scripts: Vec<String> = options.values(&["e", "expression"]).map(str::to_string).collect();
    let script = if scripts.is_empty() {
        if operands.is_empty() || operands[0].dynamic {
            return Vec::new();
        }
        operands.remove(0).text
    } else {
        scripts.join(";")
    };
    let reads = viewed(command, &operands);
    let quiet = options.has(&["n", "quiet", "silent"]);
    let ranges = sed_ranges(options, &script);
    let mut intents = Vec::new();
    for read in reads {
        match &ranges {
            Some(ranges) => {
                for (from, to) in ranges {
                    let bounded = *from > 1 || to.is_some();
                    intents.push(Intent::Read(Read { from: *from, to: *to, whole: !bounded, ..read.clone() }));
                }
            }
            // A substitution prints every line; an address by pattern prints what nobody knows.
            None => intents.push(Intent::Read(Read { whole: !quiet, unjudged: true, ..read })),
        }
    }
    intents
}
