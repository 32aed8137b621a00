//! PowerShell's commands: what each reads, searches or lists, and what it leaves of an output.
//!
//! Names come in lower case with aliases resolved (`shell::powershell`). A parameter may be shortened as long as it is
//! clear; one that is not known is doubt, and doubt is silence.

use super::view::Slice;
use super::{BOUND_LINES, PROGRAMS, Program, follow::output, of_command as of_other, placed};
use crate::fact::Measuring;
use crate::intent::{Intent, Output, Read, Search, Shape};
use crate::shell::powershell::{ALIASES, NAMES};
use crate::shell::{Command, JOINT, Stdin, Word, program};

/// A command: its parameters without a value, those with one (`spelling` or `spelling=name`), and which of them take
/// words without a name, in order.
struct Cmdlet {
    name: &'static str,
    switches: &'static [&'static str],
    values: &'static [&'static str],
    positions: &'static [&'static str],
}

const CMDLETS: &[Cmdlet] = &[
    Cmdlet {
        name: "get-content",
        switches: &["raw", "wait", "force", "asbytestream"],
        values: &[
            "path",
            "literalpath=path",
            "pspath=path",
            "lp=path",
            "totalcount",
            "first=totalcount",
            "head=totalcount",
            "tail",
            "last=tail",
            "encoding",
            "readcount",
            "delimiter",
            "stream",
            "filter",
            "include",
            "exclude",
        ],
        positions: &["path"],
    },
    Cmdlet {
        name: "select-string",
        switches: &["simplematch", "casesensitive", "list", "quiet", "notmatch", "allmatches", "raw", "noemphasis"],
        values: &[
            "pattern",
            "path",
            "literalpath=path",
            "pspath=path",
            "lp=path",
            "context",
            "include",
            "exclude",
            "encoding",
            "culture",
            "inputobject",
        ],
        positions: &["pattern", "path"],
    },
    Cmdlet {
        name: "get-childitem",
        // What begins like two parameters is the one that every provider has (`-r`, `-d`).
        switches: &[
            "recurse",
            "r=recurse",
            "s=recurse",
            "force",
            "name",
            "file",
            "af=file",
            "directory",
            "ad=directory",
            "hidden",
            "ah=hidden",
            "readonly",
            "system",
            "followsymlink",
        ],
        values: &[
            "path",
            "literalpath=path",
            "pspath=path",
            "lp=path",
            "filter",
            "include",
            "exclude",
            "depth",
            "d=depth",
            "attributes",
        ],
        positions: &["path", "filter"],
    },
    Cmdlet {
        name: "select-object",
        switches: &["unique", "wait"],
        values: &[
            "property",
            "excludeproperty",
            "expandproperty",
            "first",
            "last",
            "skip",
            "skiplast",
            "index",
            "skipindex",
            "inputobject",
        ],
        positions: &["property"],
    },
];

/// Parameters that every command has.
const COMMON: &[&str] = &[
    "erroraction",
    "ea=erroraction",
    "warningaction",
    "wa=warningaction",
    "informationaction",
    "errorvariable",
    "warningvariable",
    "outvariable",
    "outbuffer",
    "pipelinevariable",
    "progressaction",
];

/// Methods of .NET that read a file.
const READERS: &[&str] = &["[io.file]::readalllines", "[io.file]::readalltext", "[io.file]::readlines"];

/// The words of a command, sorted by parameter.
#[derive(Default)]
struct Arguments {
    given: Vec<(&'static str, Vec<Word>)>,
    /// A parameter that is not known or not clear, or words that only the shell knows.
    doubt: bool,
}

impl Arguments {
    fn of(cmdlet: &'static Cmdlet, words: &[Word]) -> Arguments {
        let mut arguments = Arguments::default();
        let mut rest = words;
        while let [word, behind @ ..] = rest {
            let here = rest;
            rest = behind;
            let name = word.text.strip_prefix(['-', '\u{2013}']).filter(|n| n.starts_with(|c: char| c.is_alphabetic()));
            if word.dynamic && word.text.starts_with('@') {
                arguments.doubt = true;
            } else if let Some(name) = name {
                let attached = name.ends_with(':');
                let name = name.trim_end_matches(':').to_ascii_lowercase();
                if let Some(switch) = parameter(&name, &[cmdlet.switches, &["verbose", "debug"]]) {
                    let off = attached && rest.first().is_some_and(|w| w.text.eq_ignore_ascii_case("$false"));
                    rest = if attached { rest.get(1..).unwrap_or_default() } else { rest };
                    if !off {
                        arguments.given.push((switch, Vec::new()));
                    }
                } else if let Some(parameter) = parameter(&name, &[cmdlet.values, COMMON]) {
                    let values = list(&mut rest);
                    arguments.given.push((parameter, values));
                } else {
                    arguments.doubt = true;
                    rest = if attached { rest.get(1..).unwrap_or_default() } else { rest };
                }
            } else {
                rest = here;
                let values = list(&mut rest);
                match cmdlet.positions.iter().find(|p| !arguments.has(p)) {
                    Some(position) => arguments.given.push((position, values)),
                    None => arguments.doubt = true,
                }
            }
        }
        arguments
    }

    fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| *given == name)
    }

    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Word> {
        self.given.iter().filter(move |(given, _)| *given == name).flat_map(|(_, values)| values)
    }

    fn texts(&self, name: &str) -> Vec<String> {
        self.values(name).map(|w| w.text.clone()).collect()
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.values(name).next().and_then(|w| w.text.parse().ok())
    }
}

/// Takes one argument off the front: a word, or several with joints between.
fn list(rest: &mut &[Word]) -> Vec<Word> {
    let mut values = Vec::new();
    while let [word, behind @ ..] = *rest {
        values.push(word.clone());
        *rest = behind;
        match behind {
            [joint, behind @ ..] if joint.text == JOINT => *rest = behind,
            _ => break,
        }
    }
    values
}

/// The parameter that a name means: spelled out, or the beginning of one only.
fn parameter(name: &str, tables: &[&[&'static str]]) -> Option<&'static str> {
    let entries =
        || tables.iter().flat_map(|table| table.iter()).map(|entry| entry.split_once('=').unwrap_or((entry, entry)));
    if let Some((_, meant)) = entries().find(|(spelling, _)| *spelling == name) {
        return Some(meant);
    }
    let mut meant = entries().filter(|(spelling, _)| spelling.starts_with(name)).map(|(_, meant)| meant);
    let first = meant.next()?;
    meant.all(|other| other == first).then_some(first)
}

/// Names that a rule could concern, in lower case: what the command hooks look for in a PowerShell call.
pub fn names() -> Vec<&'static str> {
    let aliases =
        ALIASES.iter().filter(|(_, command)| matches!(*command, "get-content" | "get-childitem" | "select-string"));
    let mut names: Vec<&str> = PROGRAMS
        .iter()
        .flat_map(|p: &Program| p.names)
        .copied()
        .chain(aliases.map(|(alias, _)| *alias))
        .chain(["get-content", "get-childitem", "select-string", "findstr", "readalllines", "readalltext", "readlines"])
        .chain(["bash", "sh", "wsl"])
        .chain(NAMES.iter().copied())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

thread_local! {
    static NAMED: Vec<&'static str> = names();
}

/// Whether a text names anything that a rule could concern. Makes nothing, because most texts do not.
pub fn may_concern(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let order = |name: &str, word: &str| name.bytes().cmp(word.bytes().map(|b| b.to_ascii_lowercase()));
    NAMED.with(|names| text.split(|c| !is_name(c)).any(|word| names.binary_search_by(|name| order(name, word)).is_ok()))
}

/// What a command of PowerShell does.
pub(super) fn of_command(command: &Command, name: &str) -> Vec<Intent> {
    let arguments =
        || CMDLETS.iter().find(|c| c.name == name).map(|c| Arguments::of(c, &command.argv[1..])).unwrap_or_default();
    match name {
        "get-content" => get_content(command, &arguments()),
        "select-string" => select_string(command, &arguments()),
        "get-childitem" => vec![get_childitem(command, &arguments())],
        "findstr" => findstr(command),
        "wsl" => in_wsl(command),
        _ if READERS.contains(&name) => match command.argv.get(1) {
            Some(path) => vec![Intent::Read(read(command, path, false))],
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// A path with the slashes that every host knows; PowerShell takes either kind on every system.
fn path_of(command: &Command, word: &Word) -> Option<String> {
    placed(command, &word.text.replace('\\', "/")).map(|path| path.replace('\\', "/"))
}

fn read(command: &Command, word: &Word, literal: bool) -> Read {
    let path = path_of(command, word);
    let has_wildcards = !literal && word.text.contains(['*', '?', '[']);
    Read {
        vague: word.dynamic || has_wildcards || path.is_none(),
        path: path.unwrap_or_else(|| word.text.clone()),
        from: 1,
        to: None,
        last: None,
        left_out: 0,
        whole: true,
        unjudged: false,
        many: None,
        out: Output::default(),
    }
}

fn get_content(command: &Command, arguments: &Arguments) -> Vec<Intent> {
    if arguments.has("wait") {
        return Vec::new();
    }
    let literal = command.argv.iter().any(|w| w.text.to_ascii_lowercase().starts_with("-l"));
    let mut reads: Vec<Read> = arguments.values("path").map(|path| read(command, path, literal)).collect();
    if reads.is_empty() && command.stdin == Stdin::Pipe {
        // The files that a listing names.
        reads.push(read(command, &Word { dynamic: true, ..Word::plain("") }, false));
    }
    for read in &mut reads {
        read.out.doubt |= arguments.doubt || ["include", "exclude", "filter"].iter().any(|name| arguments.has(name));
        read.unjudged |= arguments.has("stream") || arguments.has("asbytestream");
        for (name, slice) in [("totalcount", Slice::First as fn(u64) -> Slice), ("tail", Slice::Last)] {
            match arguments.number(name) {
                Some(n) => slice(n).narrow(read),
                None if arguments.has(name) => Slice::Bytes.narrow(read),
                None => {}
            }
        }
    }
    reads.into_iter().map(Intent::Read).collect()
}

fn select_string(command: &Command, arguments: &Arguments) -> Vec<Intent> {
    let paths: Vec<&Word> = arguments.values("path").collect();
    if paths.is_empty() || !arguments.has("pattern") {
        // A filter of what comes in, which `follow` sees from there.
        return Vec::new();
    }
    let (mut scope, mut globs) = (Vec::new(), Vec::new());
    let (mut recursive, mut doubt) = (false, command.dir.is_none());
    for path in paths {
        doubt |= path.dynamic;
        let text = path_of(command, path).unwrap_or_else(|| path.text.clone());
        let (folder, glob) = split_wildcards(&text);
        recursive |= glob.contains('/');
        scope.push(if glob.is_empty() || !folder.is_empty() { folder } else { ".".to_string() });
        globs.extend(Some(glob).filter(|g| !g.is_empty()));
    }
    doubt |= arguments.has("include") || arguments.has("exclude");
    // To PowerShell `**` is `*`.
    let globs: Vec<String> = globs.into_iter().map(|glob| glob.replace("**", "*")).collect();
    let mut search = search(arguments, scope, globs.clone(), recursive, doubt);
    search.globs = globs.iter().map(|glob| glob.rsplit('/').next().unwrap_or(glob).to_string()).collect();
    search.out.measure = measure(command, arguments, &search, &globs);
    vec![Intent::Search(search)]
}

/// The folder before the first part with a wildcard, and the rest.
fn split_wildcards(path: &str) -> (String, String) {
    let Some(at) = path.find(['*', '?', '[']) else {
        return (path.to_string(), String::new());
    };
    match path[..at].rfind('/') {
        Some(slash) => (path[..slash].to_string(), path[slash + 1..].to_string()),
        None => (String::new(), path.to_string()),
    }
}

fn search(arguments: &Arguments, scope: Vec<String>, globs: Vec<String>, recursive: bool, doubt: bool) -> Search {
    let patterns = arguments.texts("pattern");
    let fixed = arguments.has("simplematch");
    Search {
        shape: Shape::of(&patterns, fixed),
        fixed,
        ignore_case: !arguments.has("casesensitive"),
        scope,
        globs,
        types: Vec::new(),
        recursive,
        feeds_edit: false,
        by_cmdlet: true,
        out: Output {
            bounded: arguments.has("list") || arguments.has("quiet"),
            doubt: doubt || arguments.doubt || arguments.values("pattern").any(|w| w.dynamic),
            ..Output::default()
        },
        patterns,
    }
}

/// A command that prints what the search prints, or less: it honours ignore files, and starts nothing that a repository
/// configures. .NET's patterns are nearly those of Perl.
fn measure(
    command: &Command,
    arguments: &Arguments,
    search: &Search,
    globs: &[String],
) -> Option<(Measuring, Vec<String>, String)> {
    if search.out.doubt || arguments.has("notmatch") || !command.assigned.is_empty() {
        return None;
    }
    let mut argv: Vec<String> =
        ["git", "--no-pager", "grep", "--no-index", "--exclude-standard", "--no-color", "-I", "-n"]
            .map(String::from)
            .into();
    argv.extend(Some("-i".to_string()).filter(|_| search.ignore_case));
    argv.push(if search.fixed { "-F" } else { "-P" }.to_string());
    match arguments.texts("context").as_slice() {
        [] => {}
        [both] if is_count(both) => argv.push(format!("-C{both}")),
        [before, after] if is_count(before) && is_count(after) => {
            argv.extend([format!("-B{before}"), format!("-A{after}")]);
        }
        _ => return None,
    }
    for pattern in &search.patterns {
        argv.extend(["-e".to_string(), pattern.clone()]);
    }
    argv.push("--".to_string());
    let dir = command.dir.clone()?;
    for scope in &search.scope {
        let scope = scope.strip_prefix(&dir).map_or(scope.as_str(), |rest| rest.trim_start_matches('/'));
        let below = if matches!(scope, "" | ".") { String::new() } else { format!("{}/", scope.trim_end_matches('/')) };
        if globs.is_empty() {
            argv.push(if below.is_empty() { ".".into() } else { format!(":(literal){}", below.trim_end_matches('/')) });
        }
        argv.extend(globs.iter().map(|glob| format!(":(glob){below}{glob}")));
    }
    Some((Measuring::Search, argv, dir))
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn get_childitem(command: &Command, arguments: &Arguments) -> Intent {
    let paths: Vec<&Word> = arguments.values("path").collect();
    let mut names: Vec<String> = ["filter", "include"].iter().flat_map(|name| arguments.texts(name)).collect();
    let mut roots = Vec::new();
    for path in &paths {
        let text = path_of(command, path).unwrap_or_else(|| path.text.clone());
        let (folder, glob) = split_wildcards(&text);
        names.extend(glob.rsplit('/').next().filter(|n| !n.is_empty()).map(str::to_string));
        roots.push(if folder.is_empty() { ".".to_string() } else { folder });
    }
    if paths.is_empty() {
        roots.push(placed(command, ".").unwrap_or_else(|| ".".to_string()));
    }
    let out = Output {
        bounded: !arguments.has("recurse") || arguments.has("depth"),
        doubt: arguments.doubt || paths.iter().any(|w| w.dynamic) || arguments.has("exclude") || command.dir.is_none(),
        ..Output::default()
    };
    Intent::List { names, roots, out }
}

/// `findstr /s /n /i /c:"some words" *.cs`.
fn findstr(command: &Command) -> Vec<Intent> {
    let (mut patterns, mut files) = (Vec::new(), Vec::new());
    let (mut recursive, mut bounded) = (false, false);
    for word in &command.argv[1..] {
        match word.text.strip_prefix('/') {
            Some(option) if option.to_ascii_lowercase().starts_with("c:") => patterns.push(option[2..].to_string()),
            Some(option) => {
                recursive |= option.to_ascii_lowercase().contains('s');
                bounded |= option.eq_ignore_ascii_case("m");
            }
            None if patterns.is_empty() => patterns.push(word.text.clone()),
            None => files.push(word),
        }
    }
    if files.is_empty() || patterns.is_empty() {
        return Vec::new();
    }
    let scope = files.iter().map(|w| path_of(command, w).unwrap_or_else(|| w.text.clone())).collect();
    // How it prints is not measured, so it is never refused.
    vec![Intent::Search(Search {
        shape: Shape::of(&patterns, false),
        patterns,
        fixed: false,
        ignore_case: false,
        scope,
        globs: Vec::new(),
        types: Vec::new(),
        recursive,
        feeds_edit: false,
        by_cmdlet: true,
        out: Output { doubt: true, bounded, ..Output::default() },
    })]
}

/// `wsl -e cat f`: files of another machine.
fn in_wsl(command: &Command) -> Vec<Intent> {
    let mut rest = &command.argv[1..];
    while let [word, behind @ ..] = rest {
        match word.text.as_str() {
            "-e" | "--exec" | "--" => {
                rest = behind;
                break;
            }
            "-d" | "--distribution" | "-u" | "--user" | "--cd" => rest = behind.get(1..).unwrap_or_default(),
            text if text.starts_with('-') => return Vec::new(),
            _ => break,
        }
    }
    let inner = Command { argv: rest.to_vec(), ..command.clone() };
    let mut intents = of_other(&Command { downstream: Vec::new(), ..inner });
    for intent in &mut intents {
        if let Intent::Read(read) = intent {
            read.path.insert_str(0, "wsl:");
            read.unjudged = true;
        }
        if let Some(out) = output(intent) {
            out.doubt = true;
            out.measure = None;
        }
    }
    intents
}

/// What one stage leaves of an output; false = it is none of PowerShell's.
pub(super) fn follow(intent: &mut Intent, command: &Command, stage: &[Word]) -> bool {
    let Some(first) = stage.first() else { return false };
    let name = program(first);
    match name {
        "format-list" | "format-table" | "format-wide" | "out-default" | "out-host" | "out-string" | "sort-object"
        | "tee-object" | "write-output" | "-join" | ".trim()" | ".trimend()" | ".tostring()" => {}
        "-split" | ".split()" => {}
        "select-object" => select(intent, command, stage),
        "select-string" | "-match" | "-cmatch" | "-like" | "where-object" | "findstr" => filter(intent, command, stage),
        "foreach-object" => each(intent, command, stage),
        "-replace" | "-creplace" | "-f" | "+" | ".replace()" => with(intent, |out| out.doubt = true),
        "[]" | ".substring()" => match intent {
            Intent::Read(read) => Slice::Bytes.narrow(read),
            other => with(other, |out| out.doubt = true),
        },
        "set-content" | "add-content" | "out-file" | "export-csv" | "export-clixml" | "set-clipboard" => {
            if let Intent::Search(search) = intent {
                search.feeds_edit = true;
            }
            with(intent, |out| out.writes = true);
        }
        _ if name.starts_with(['-', '.', '[']) || name.contains('-') => with(intent, |out| out.piped = true),
        _ => return false,
    }
    true
}

fn with(intent: &mut Intent, change: impl FnOnce(&mut Output)) {
    if let Some(out) = output(intent) {
        change(out);
    }
}

/// Whether a file comes as one text, of which `Select-Object` takes the first whole.
fn is_one_text(command: &Command) -> bool {
    let splits = |stage: &[Word]| stage.first().is_some_and(|w| matches!(w.text.as_str(), "-split" | ".split()"));
    let is_raw = |w: &Word| "-raw".starts_with(&w.text.to_ascii_lowercase()) && w.text.len() > 1;
    let name = command.argv.first().map_or("", program);
    (name == "[io.file]::readalltext" || name == "get-content" && command.argv.iter().any(is_raw))
        && !command.downstream.iter().any(|stage| splits(stage))
}

fn select(intent: &mut Intent, command: &Command, stage: &[Word]) {
    let row = CMDLETS.iter().find(|c| c.name == "select-object").expect("the row is in the table");
    let arguments = Arguments::of(row, &stage[1..]);
    let slices = [("skip", Slice::From as fn(u64) -> Slice), ("first", Slice::First), ("last", Slice::Last)];
    let unclear =
        arguments.doubt || ["skiplast", "index", "skipindex", "unique"].iter().any(|name| arguments.has(name));
    let number = |name: &str| arguments.number(name).map(|n| if name == "skip" { n.saturating_add(1) } else { n });
    let is_counted = slices.iter().all(|(name, _)| !arguments.has(name) || number(name).is_some());
    match intent {
        Intent::Read(_) if is_one_text(command) => with(intent, |out| out.doubt |= unclear || arguments.has("skip")),
        Intent::Read(read) if is_counted && !unclear => {
            for (name, slice) in slices {
                if let Some(n) = number(name) {
                    slice(n).narrow(read);
                }
            }
            read.out.doubt |= arguments.has("expandproperty") || arguments.has("property");
        }
        Intent::Read(read) => Slice::Bytes.narrow(read),
        other => {
            let is_list = matches!(other, Intent::List { .. });
            with(other, |out| {
                for name in ["first", "last"] {
                    if let Some(n) = arguments.number(name) {
                        out.bounded |= n <= BOUND_LINES;
                        out.at_most = Some(out.at_most.map_or(n, |most| most.min(n)));
                    }
                }
                let of_parts = ["property", "expandproperty", "skip"].iter().any(|name| arguments.has(name));
                out.doubt |= unclear || !is_counted || of_parts && !is_list;
            });
        }
    }
}

/// A filter by a pattern: of a file's lines it is a search in that file, of a listing's files one in them.
fn filter(intent: &mut Intent, command: &Command, stage: &[Word]) {
    let name = program(&stage[0]);
    let mut arguments = Arguments::default();
    match name {
        "select-string" => {
            let row = CMDLETS.iter().find(|c| c.name == "select-string").expect("the row is in the table");
            arguments = Arguments::of(row, &stage[1..]);
        }
        "where-object" => {
            arguments.given.extend(pattern_in(stage).map(|pattern| ("pattern", vec![Word::plain(pattern)])))
        }
        "findstr" => {
            let pattern = stage[1..].iter().find(|w| !w.text.starts_with('/')).cloned();
            arguments.given.extend(pattern.map(|pattern| ("pattern", vec![pattern])));
            arguments.doubt = true;
        }
        _ => arguments.given.extend(stage.get(1).map(|w| ("pattern", vec![w.clone()]))),
    }
    let searches = arguments.has("pattern") && !(name.starts_with('-') && is_one_text(command));
    match intent {
        Intent::Read(read) if searches => {
            let doubt = read.out.doubt || read.vague;
            *intent = Intent::Search(search(&arguments, vec![read.path.clone()], Vec::new(), false, doubt));
        }
        // Which lines a block lets through is not known.
        Intent::Read(read) if name == "where-object" => read.out.doubt = true,
        Intent::Read(read) => read.out.piped = true,
        Intent::List { names, roots, out } if name == "select-string" && searches => {
            let globs: Vec<String> = names.clone();
            let recursive = !out.bounded;
            let mut search = search(&arguments, roots.clone(), globs.clone(), recursive, out.doubt);
            let below: Vec<String> = globs.iter().map(|glob| format!("**/{glob}")).collect();
            search.out.measure = measure(command, &arguments, &search, &below);
            *intent = Intent::Search(search);
        }
        other => with(other, |out| out.doubt = true),
    }
}

/// The pattern in `Where-Object { $_ -match 'pattern' }`.
fn pattern_in(stage: &[Word]) -> Option<String> {
    let text = stage.get(1..)?.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
    let at =
        ["-match", "-like", "-cmatch", "-clike", ".Contains("].iter().find_map(|op| Some(text.find(op)? + op.len()))?;
    let rest = text[at..].trim_start();
    let quote = rest.chars().next()?;
    match quote {
        '\'' | '"' => rest[1..].split(quote).next().map(str::to_string),
        _ => rest.split([' ', '}', ')']).next().map(str::to_string),
    }
}

/// A block for each line or file. What it does with them is read from its own commands; here it is only whether they
/// are shown, or handed to one of those.
fn each(intent: &mut Intent, command: &Command, stage: &[Word]) {
    let text = stage[1..].iter().map(|w| w.text.to_ascii_lowercase()).collect::<Vec<_>>().join(" ");
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let hands_on = text.split(|c| !is_name(c)).any(|word| {
        matches!(
            word,
            "get-content"
                | "gc"
                | "cat"
                | "type"
                | "select-string"
                | "sls"
                | "rg"
                | "git"
                | "readalltext"
                | "readalllines"
        )
    });
    match intent {
        Intent::Read(_) if pattern_in(stage).is_some() => {
            filter(intent, command, &[&[Word::plain("where-object")], &stage[1..]].concat())
        }
        Intent::List { out, .. } if hands_on => out.piped = true,
        other => with(other, |out| out.doubt = true),
    }
}
