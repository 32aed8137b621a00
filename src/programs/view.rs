//! Viewers: programs that print files, whole or by lines.

use super::follow::is_plain_perl;
use super::list::listed;
use super::options::Options;
use super::{BOUND_LINES, placed};
use crate::fact::Measuring;
use crate::intent::{Intent, Output, Read, Search, Shape};
use crate::shell::{Command, Many, Stdin, Word};

pub(super) fn whole(command: &Command, operand: &Word) -> Read {
    let placed = placed(command, &operand.text);
    let mut read = Read {
        path: placed.clone().unwrap_or_else(|| operand.text.clone()),
        from: 1,
        to: None,
        last: None,
        left_out: 0,
        whole: true,
        vague: !operand.is_known() || placed.is_none(),
        unjudged: false,
        many: None,
        out: Output::default(),
    };
    let source = match &operand.many {
        Some(source) => Some(source.clone()),
        None if operand.glob && !operand.dynamic => Some(Many::Glob(operand.text.clone())),
        None => None,
    };
    if let Some(source) = source {
        gather(command, &mut read, &source);
    }
    read
}

/// Many files at once: where they lie, and a `find` that names them, by which their size may be measured.
fn gather(command: &Command, read: &mut Read, source: &Many) {
    let mut listing = None;
    match source {
        Many::Glob(glob) => listing = gather_glob(command, read, glob),
        Many::Lines(_) => read.many = Some(String::new()),
        Many::Output(argv) => {
            if let Some(Intent::List { names, roots, out }) = listed(command, argv) {
                match roots.as_slice() {
                    [glob] if glob.contains(['*', '?']) => listing = gather_glob(command, read, glob),
                    [root] => {
                        read.many = Some(root.clone());
                        listing = out.measure.map(|(_, argv, dir)| (argv, dir)).filter(|(argv, _)| argv[0] == "find");
                    }
                    _ => {}
                }
                if let [name] = names.as_slice() {
                    read.path = name.clone();
                }
            }
        }
    }
    let (argv, dir) = listing.unwrap_or_default();
    read.out.measure = Some((Measuring::Many(u64::MAX), argv, dir));
}

fn gather_glob(command: &Command, read: &mut Read, glob: &str) -> Option<(Vec<String>, String)> {
    let glob = placed(command, glob)?;
    let (folder, name) = glob.rsplit_once('/').unwrap_or((".", &glob));
    let folder = if folder.is_empty() { "/" } else { folder };
    read.path = glob.clone();
    // The shell's braces, and wildcards in folders, are no patterns of `find`.
    if folder.contains(['*', '?', '[', '{', '~']) || name.contains('{') || folder.starts_with('-') {
        return None;
    }
    read.many = Some(folder.to_string());
    let argv = ["find", folder, "-maxdepth", "1", "-type", "f", "-name", name];
    Some((argv.map(str::to_string).to_vec(), String::new()))
}

/// The files that a viewer reads: its operands, else the file in its standard input.
pub(super) fn viewed(command: &Command, operands: &[Word]) -> Vec<Read> {
    let files = operands.iter().filter(|w| w.text != "-").take(MAX_FILES);
    let mut reads: Vec<Read> = files.map(|w| whole(command, w)).collect();
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

/// Files of one command that are looked at, and ranges of one `sed` program.
const MAX_FILES: usize = 100;
const MAX_RANGES: usize = 20;

/// So many bytes are no bound: what Bash shows at most is 30,000 characters.
const BOUND_BYTES: u64 = 30_000;

/// What `head` or `tail` leave of what they get.
#[derive(Clone, Copy)]
pub(super) enum Slice {
    First(u64),
    From(u64),
    Last(u64),
    /// Everything.
    All,
    /// All but so many of the last lines.
    AllBut(u64),
    /// By bytes.
    Bytes,
}

pub(super) fn slice(name: &str, options: &Options) -> Slice {
    if let Some(bytes) = options.values(&["c", "bytes"]).last() {
        let is_long = bytes.parse::<u64>().is_ok_and(|n| n > BOUND_BYTES);
        return if is_long && name == "head" { Slice::All } else { Slice::Bytes };
    }
    let count = options.values(&["n", "lines", "#"]).last().unwrap_or("10");
    let number = |text: &str| text.parse::<u64>().ok();
    match (name, count.chars().next()) {
        ("head", Some('-')) => number(&count[1..]).map_or(Slice::Bytes, Slice::AllBut),
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
            Slice::AllBut(n) => {
                read.left_out = n;
                read.whole &= n == 0;
            }
        }
    }

    /// Whether it bounds an output of unknown length.
    pub(super) fn bounds(self) -> bool {
        match self {
            Slice::First(n) | Slice::Last(n) => n <= BOUND_LINES,
            Slice::Bytes => true,
            Slice::All => false,
            // How much they leave depends on how much there is.
            Slice::AllBut(n) | Slice::From(n) => n > 1,
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

/// The pattern of a `sed` program that prints the lines which match it.
pub(super) fn sed_pattern(options: &Options, script: &str) -> Option<String> {
    let quiet = options.has(&["n", "quiet", "silent"]);
    let pattern = script.trim().strip_prefix('/')?.strip_suffix("/p")?;
    (quiet && !pattern.contains('/')).then(|| pattern.to_string())
}

/// Whether a pattern matches every line.
pub(super) fn matches_all(pattern: &str) -> bool {
    matches!(pattern, "" | "." | "^" | "$" | ".*" | "^.*$" | "^.*" | ".*$")
}

/// A `sed` program that prints every line, changed or not.
pub(super) fn sed_prints_all(options: &Options, script: &str) -> bool {
    let quiet = options.has(&["n", "quiet", "silent"]);
    let mut parts = script.split([';', '\n']).map(str::trim).filter(|p| !p.is_empty());
    !quiet && parts.all(|part| part.starts_with(['s', 'y']) && part.len() > 3 && !part.contains(".*"))
}

/// The line ranges that a `sed` program prints; `None` = not by lines alone.
pub(super) fn sed_ranges(options: &Options, script: &str) -> Option<Vec<(u64, Option<u64>)>> {
    let quiet = options.has(&["n", "quiet", "silent"]);
    let mut ranges = Vec::new();
    let mut end = None;
    for part in script.split([';', '\n']).map(str::trim).filter(|p| !p.is_empty()) {
        let (at, _) = part.char_indices().last()?;
        let (address, command) = part.split_at(at);
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
    if ranges.len() > MAX_RANGES {
        return None;
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
    let mut ranges = sed_ranges(options, &script);
    let pattern = sed_pattern(options, &script);
    if pattern.as_deref().is_some_and(matches_all) || sed_prints_all(options, &script) {
        ranges = Some(vec![(1, None)]);
    }
    let mut intents = Vec::new();
    for read in reads {
        match &ranges {
            None if pattern.is_some() => intents.push(found_in(&read, pattern.iter().cloned().collect(), false, false)),
            Some(ranges) => {
                for (from, to) in ranges {
                    let bounded = *from > 1 || to.is_some();
                    let mut part = Read { from: *from, to: *to, whole: !bounded, ..read.clone() };
                    through_all(&mut part, &operands, options.has(&["s", "separate"]));
                    intents.push(Intent::Read(part));
                }
            }
            // A substitution prints every line; an address by pattern prints what nobody knows.
            None => intents.push(Intent::Read(Read { whole: !quiet, unjudged: true, ..read })),
        }
    }
    intents
}

/// A search in one file, made of a read of it that a pattern filters.
pub(super) fn found_in(read: &Read, patterns: Vec<String>, fixed: bool, ignore_case: bool) -> Intent {
    Intent::Search(Search {
        shape: Shape::of(&patterns, fixed),
        patterns,
        fixed,
        ignore_case,
        scope: vec![read.path.clone()],
        globs: Vec::new(),
        types: Vec::new(),
        recursive: false,
        feeds_edit: false,
        by_cmdlet: false,
        out: Output { doubt: read.out.doubt, ..Output::default() },
    })
}

/// Programs that print a file whole in another form: `xxd`, `base64`, `sort`. An option that skips or bounds is not
/// judged.
pub(super) fn dump(command: &Command, name: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["help", "version", "o", "output", "c", "C", "check"]) && name != "xxd" {
        return Vec::new();
    }
    // Its second operand is written.
    if name == "xxd" && (options.operands.len() > 1 || options.has(&["r"])) {
        return Vec::new();
    }
    const BOUNDS: &[&str] =
        &["l", "len", "s", "seek", "skip", "N", "n", "read-bytes", "skip-bytes", "length", "j", "u", "unique"];
    let mut reads = viewed(command, &options.operands);
    for read in &mut reads {
        read.unjudged |= options.has(BOUNDS);
        read.whole &= !read.unjudged;
        read.out.doubt |= options.unknown;
    }
    reads.into_iter().map(Intent::Read).collect()
}

/// `jq . file` prints all of it; what another filter prints is not known.
pub(super) fn jq(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    match options.operands.split_first() {
        Some((filter, files))
            if filter.text == "." && !options.unknown && !options.has(&["c", "compact-output", "n", "R", "s"]) =>
        {
            viewed(command, files).into_iter().map(Intent::Read).collect()
        }
        _ => Vec::new(),
    }
}

/// `dd if=file`.
pub(super) fn dd(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    let value = |name: &str| options.operands.iter().find_map(|w| w.text.strip_prefix(name));
    let Some(file) = value("if=").filter(|_| value("of=").is_none_or(is_screen)) else {
        return Vec::new();
    };
    let mut read = whole(command, &Word::plain(file));
    read.unjudged = value("count=").is_some() || value("skip=").is_some();
    read.whole &= !read.unjudged;
    vec![Intent::Read(read)]
}

/// `cp file /dev/stdout`.
pub(super) fn copy(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    match options.operands.as_slice() {
        [file, to] if is_screen(&to.text) => vec![Intent::Read(whole(command, file))],
        _ => Vec::new(),
    }
}

/// `perl -pe` prints every line; what `perl -ne` prints is not known.
pub(super) fn perl(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    if !options.has(&["e", "E"]) || options.has(&["i"]) || !options.has(&["p", "n"]) {
        return Vec::new();
    }
    let mut reads = viewed(command, &options.operands);
    for read in &mut reads {
        read.out.doubt |= options.unknown;
        let script = options.values(&["e", "E"]).last().unwrap_or_default();
        read.unjudged |= !options.has(&["p"]) || !is_plain_perl(script);
        read.whole &= !read.unjudged;
    }
    reads.into_iter().map(Intent::Read).collect()
}

pub(super) fn awk(command: &Command, _: &str, options: &Options) -> Vec<Intent> {
    if options.has(&["f", "file", "help", "version"]) {
        return Vec::new();
    }
    let Some((program, operands)) = options.operands.split_first() else {
        return Vec::new();
    };
    let files: Vec<Word> = operands.iter().filter(|w| !w.text.contains('=')).cloned().collect();
    let lines = awk_lines(&program.text);
    let of = |mut read: Read| {
        read.out.doubt |= options.unknown || program.dynamic;
        match &lines {
            AwkLines::Matching(pattern) => return found_in(&read, vec![pattern.clone()], false, false),
            AwkLines::Range(from, to) => {
                read.whole = *from <= 1 && to.is_none();
                read.from = (*from).max(1);
                read.to = *to;
                through_all(&mut read, &files, program.text.contains("FNR"));
            }
            AwkLines::Unknown => {
                read.whole = false;
                read.unjudged = true;
            }
        }
        Intent::Read(read)
    };
    viewed(command, &files).into_iter().map(of).collect()
}

/// The lines that an `awk` program prints whole.
#[derive(Debug, PartialEq)]
pub(super) enum AwkLines {
    Matching(String),
    Range(u64, Option<u64>),
    /// Parts of lines, a computation, or what could not be read.
    Unknown,
}

/// A program of `awk` with its strings emptied.
fn without_strings(text: &str) -> String {
    text.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
}

/// Whether a statement prints the line, with its number or name at most.
fn prints_line(statement: &str) -> bool {
    let statement = statement.trim();
    let Some(rest) = statement.strip_prefix("printf").or_else(|| statement.strip_prefix("print")) else {
        return false;
    };
    let mut words =
        rest.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '"')).filter(|w| !w.is_empty());
    let known = words.clone().all(|word| matches!(word, "$0" | "NR" | "FNR" | "FILENAME" | "NR$0"));
    known && (rest.trim().is_empty() || words.any(|word| word.ends_with("$0")))
}

pub(super) fn awk_lines(program: &str) -> AwkLines {
    let program = program.trim();
    let (condition, action) = match program.split_once('{') {
        Some((condition, action)) => (condition.trim(), action.trim_end().trim_end_matches('}').trim()),
        None => (program, ""),
    };
    let bare = without_strings(action);
    let stops = ["exit", "next", "getline", "if", "while", ">", "|", "{", "~"].iter().any(|word| bare.contains(word));
    if stops || !(bare.is_empty() || bare.split(';').any(prints_line)) {
        return AwkLines::Unknown;
    }
    let squeezed: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    if matches!(squeezed.as_str(), "" | "1" | "NR" | "true") {
        return AwkLines::Range(1, None);
    }
    if let Some(pattern) = squeezed.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        return match pattern.contains('/') {
            false if matches_all(pattern) => AwkLines::Range(1, None),
            false => AwkLines::Matching(condition.trim_matches('/').to_string()),
            true => AwkLines::Unknown,
        };
    }
    let (mut from, mut to) = (1, None);
    for part in squeezed.split("&&") {
        for (i, bound) in part.split(',').enumerate() {
            let Some(rest) = bound.strip_prefix("NR").or_else(|| bound.strip_prefix("FNR")) else {
                return AwkLines::Unknown;
            };
            let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
            let (operator, number) = rest.split_at(digits);
            let Ok(number) = number.parse::<u64>() else {
                return AwkLines::Unknown;
            };
            match (operator, i) {
                ("==", 0) => (from, to) = (number, Some(number)),
                ("==", 1) => to = Some(number),
                (">=", 0) => from = number,
                (">", 0) => from = number.saturating_add(1),
                ("<=", 0) => to = Some(number),
                ("<", 0) => to = Some(number.saturating_sub(1)),
                _ => return AwkLines::Unknown,
            }
        }
    }
    AwkLines::Range(from, to)
}

/// Of many files in one command these programs count the lines through all of them.
fn through_all(read: &mut Read, operands: &[Word], is_separate: bool) {
    let is_one_command = operands.iter().any(|w| w.glob && !w.dynamic);
    if read.out.measure.is_none() || is_separate || !is_one_command {
        return;
    }
    match read.to {
        Some(to) => {
            let lines = to.saturating_add(1).saturating_sub(read.from);
            read.out.at_most = Some(lines);
            read.out.bounded |= lines <= BOUND_LINES;
        }
        None if read.from > 1 => read.unjudged = true,
        None => {}
    }
    (read.from, read.to) = (1, None);
}

fn is_screen(path: &str) -> bool {
    matches!(path, "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "/dev/fd/1" | "/dev/fd/2" | "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_awk_prints() {
        for (program, lines) in [
            ("1", AwkLines::Range(1, None)),
            ("{print}", AwkLines::Range(1, None)),
            ("{print NR\": \"$0}", AwkLines::Range(1, None)),
            ("NR==229{print length($0); print}", AwkLines::Range(229, Some(229))),
            ("NR>=10 && NR<=20", AwkLines::Range(10, Some(20))),
            ("NR==10,NR==20 {print $0}", AwkLines::Range(10, Some(20))),
            ("NR<=5000", AwkLines::Range(1, Some(5000))),
            ("/foo bar/", AwkLines::Matching("foo bar".to_string())),
            ("/a/,/b/", AwkLines::Unknown),
            ("{print $1}", AwkLines::Unknown),
            ("{print length($0)}", AwkLines::Unknown),
            ("{print substr($0,1,5)}", AwkLines::Unknown),
            ("{print $0 > \"out.txt\"}", AwkLines::Unknown),
            ("{print; exit}", AwkLines::Unknown),
            ("{printf \"%d: %s\\n\", NR, $0}", AwkLines::Range(1, None)),
            ("{s+=$1} END {print s}", AwkLines::Unknown),
            ("BEGIN{while(1){}}", AwkLines::Unknown),
        ] {
            assert_eq!(awk_lines(program), lines, "{program}");
        }
    }
}
