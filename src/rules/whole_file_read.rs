//! # `whole-file-read`
//!
//! **What it stops.** A whole or very long read of a large source file: Read without a range, `cat`, `head -n 2000`.
//!
//! **Why.** Most of the lines are not looked at, and every later turn pays for them again.
//!
//! **Example.** `cat src/orders.rs`
//!
//! **Instead.** The lines that matter: a search in the file, then a range.
//!
//! **When it stays quiet.** Small files, files that are no source, files outside the project, ranges given to Read,
//! `allow_large`, anything behind a filter or into a file, and the second time.

use super::{Check, Hit, Scene, Tool, output_hit, step};
use crate::fact::{Ask, Fact, FileKind, Measuring, slashes};
use crate::intent::{Intent, Read};
use crate::outcome::{Basis, Why};
use crate::size;

/// Endings of source files. The described systems' lists together; prose, data and logs are left alone.
pub const CODE: &[&str] = &[
    "asd", "bash", "bsl", "c", "cc", "cjs", "cl", "clj", "cljs", "cpp", "cs", "css", "cts", "cxx", "dart", "elm",
    "erl", "ex", "exs", "fs", "go", "groovy", "h", "hpp", "hs", "java", "jl", "js", "jsx", "kt", "kts", "less", "lisp",
    "lua", "m", "mjs", "ml", "mm", "mts", "nim", "php", "pl", "pm", "proto", "ps1", "py", "pyi", "r", "rb", "rs",
    "scala", "scss", "sh", "sol", "sql", "svelte", "swift", "tf", "ts", "tsx", "vb", "vue", "zig", "zsh",
];

/// Endings of data, logs and lockfiles. A view of one is judged where Bash would cut it to a preview.
const DATA: &[&str] = &[
    "csv", "geojson", "html", "ipynb", "json", "jsonl", "lock", "log", "map", "ndjson", "out", "plist", "svg", "toml",
    "tsv", "txt", "xml", "yaml", "yml",
];

pub fn check(intent: &Intent, scene: &Scene) -> Check {
    let Intent::Read(read) = intent else {
        return Check::No(Why::NotConcerned);
    };
    let unjudged = read.unjudged && !(scene.tool == Tool::Read && scene.config.every_range);
    if !read.out.is_open() || unjudged {
        return Check::No(if read.out.doubt { Why::Doubt } else { Why::NotConcerned });
    }
    if read.out.measure.is_some() {
        return check_output(read, scene);
    }
    // What the client or trimtab saved because it was large: its reader was sent there.
    if is_saved_output(&read.path) {
        return Check::No(Why::NotConcerned);
    }
    if read.vague {
        return Check::No(Why::Doubt);
    }
    // Few lines need no look at the file.
    let asked = span(read, u64::MAX);
    let is_data = scene.tool != Tool::Read && has_ending(&read.path, DATA);
    if !(is_data || scene.config.is_source(&read.path)) || asked < scene.config.large_lines {
        return Check::No(Why::NotConcerned);
    }
    let stat = step!(scene.inside(&read.path));
    if stat.kind != FileKind::File || size::tokens(stat.bytes) < scene.config.min_tokens / 2 {
        return Check::No(if stat.kind == FileKind::File { Why::Cheap } else { Why::NotConcerned });
    }
    if is_data && stat.bytes <= size::BASH_MAX_CHARS {
        return Check::No(Why::Cheap);
    }
    if scene.tool == Tool::Read && stat.bytes > size::READ_MAX_BYTES {
        return Check::No(Why::ClientRefuses);
    }
    let [lines] = step!(scene.facts([Ask::Lines { path: scene.at(&read.path) }]));
    let Fact::Lines(newlines) = lines else {
        return Check::No(Why::UnknownFact);
    };
    let lines = newlines.max(1);
    let span = span(read, lines);
    let mut bytes = stat.bytes;
    if span < lines {
        let argv = vec![
            "sed".to_string(),
            "-n".to_string(),
            "-e".to_string(),
            format!("{},{}p", first(read, lines), first(read, lines) + span.max(1) - 1),
            "--".to_string(),
            scene.at(&read.path),
        ];
        bytes = step!(scene.measure(Measuring::Lines(span), &argv, "", std::slice::from_ref(&read.path))).chars;
    }
    if is_data && bytes <= size::BASH_MAX_CHARS || span < scene.config.large_lines && bytes < scene.config.large_bytes {
        return Check::No(Why::Cheap);
    }
    let path = slashes(&read.path);
    let name = path.rsplit('/').next().unwrap_or(&path);
    let is_dense = stat.bytes / lines > DENSE_LINE_BYTES;
    let (wanted, shown, way, tool) = if scene.tool == Tool::Read {
        if is_dense {
            // A range of such lines is no smaller, and Read has no other way.
            return Check::No(Why::Doubt);
        }
        let tokens = size::read_shown(bytes, span);
        let way =
            "Read with `offset` and `limit` shows the lines that matter; a search in the file finds them.".to_string();
        (tokens, tokens, way, format!("Read(file_path=\"{}\", offset=1, limit=120)", read.path))
    } else {
        let (way, tool) = match scene.tool {
            Tool::PowerShell => in_powershell(&read.path, is_dense),
            _ => in_bash(&read.path, is_dense),
        };
        (size::bash_wanted(bytes), size::bash_shown(bytes), way, tool)
    };
    let of_lines = if lines == 1 { "1 line".to_string() } else { format!("{} lines", size::grouped(lines)) };
    let amount = if span < lines { format!("{} of them", size::grouped(span)) } else { "a whole read".to_string() };
    let fact = if shown < wanted {
        format!("`{name}` has {of_lines} ({} KB); {amount} would be cut to a preview of 2 KB.", stat.bytes / 1024)
    } else {
        format!("`{name}` has {of_lines}; {amount} would show {} tokens.", size::about(wanted))
    };
    Check::Hit(Box::new(Hit {
        why: Why::LargeFile,
        subject: format!("read:{}", slashes(&stat.real)),
        wanted,
        shown,
        basis: Basis::Measured,
        fact,
        way,
        tool: Some(tool),
        slice: None,
    }))
}

/// Above so many bytes a line a range of lines is no way on.
const DENSE_LINE_BYTES: u64 = 500;

/// The first line that a read shows of a file of `lines` lines.
pub fn first(read: &Read, lines: u64) -> u64 {
    let to = read.to.map_or(lines, |to| to.min(lines));
    read.last.map_or(read.from, |last| read.from.max(to.saturating_add(1).saturating_sub(last)))
}

/// How many lines a read shows of a file of `lines` lines.
pub fn span(read: &Read, lines: u64) -> u64 {
    let lines = lines.saturating_sub(read.left_out);
    let to = read.to.map_or(lines, |to| to.min(lines));
    let all = to.saturating_add(1).saturating_sub(read.from);
    read.last.map_or(all, |last| all.min(last))
}

/// The client saves outputs in `tool-results`, trimtab in `trimtab-results` of a scratch folder.
pub fn is_saved_output(path: &str) -> bool {
    slashes(path).split('/').any(|part| matches!(part, "tool-results" | "trimtab-results" | ".trimtab"))
}

fn has_ending(path: &str, endings: &[&str]) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && endings.contains(&ending.to_ascii_lowercase().as_str()))
}

/// Many files at once, or a file as it was: what is printed is no file's own size, so the output is measured.
fn check_output(read: &Read, scene: &Scene) -> Check {
    let Some((of, argv, dir)) = &read.out.measure else {
        return Check::No(Why::Doubt);
    };
    let asked = span(read, u64::MAX);
    if *of == Measuring::Blob {
        let file = read.path.split_once(':').map_or("", |(_, file)| file);
        if !scene.config.is_source(file) || asked < scene.config.large_lines {
            return Check::No(Why::NotConcerned);
        }
        step!(scene.at_home(&read.out));
        let measured = step!(scene.measure(Measuring::Blob, argv, dir, &[file.to_string()]));
        let measured = measured.capped(Some(asked)).capped(read.out.at_most);
        if measured.lines < scene.config.large_lines && measured.chars < scene.config.large_bytes {
            return Check::No(Why::Cheap);
        }
        let what = format!("`{}`", read.path);
        let way = "`| sed -n '1,120p'` shows a range, `git diff` what changed.";
        return output_hit(scene, measured, format!("blob:{}", read.path.replace(":./", ":")), &what, way);
    }
    let Some(folder) = &read.many else {
        return Check::No(Why::Doubt);
    };
    // Names that end in nothing may be anything; others have to be source or data.
    let name = read.path.rsplit('/').next().unwrap_or_default();
    if name.contains('.') && !scene.config.is_source(&format!("x{name}")) && !has_ending(&format!("x{name}"), DATA) {
        return Check::No(Why::NotConcerned);
    }
    let stat = step!(scene.inside(folder));
    let mut argv = argv.clone();
    if !argv.is_empty() {
        argv.extend(["-type", "f", "-exec"].map(str::to_string));
        argv.extend(viewer(read));
        argv.extend(["{}".to_string(), "+".to_string()]);
    }
    let measured = step!(scene.measure(Measuring::Many(asked), &argv, dir, std::slice::from_ref(folder)));
    let measured = measured.capped(read.out.at_most);
    let what = format!("`{}` one after the other", read.path);
    let way = "`wc -l` tells the sizes, `grep -n <name>` finds the lines that matter, `sed -n '1,120p' <file>` shows a range.";
    output_hit(scene, measured, format!("read:{}/{name}", slashes(&stat.real)), &what, way)
}

/// A viewer that prints of each file what this read does, or a little more.
fn viewer(read: &Read) -> Vec<String> {
    let words: &[&str] = match (read.last, read.from, read.to) {
        (Some(last), ..) => return vec!["tail".to_string(), "-qn".to_string(), last.to_string()],
        (None, 1, None) => &["cat"],
        (None, 1, Some(to)) => return vec!["head".to_string(), "-qn".to_string(), to.to_string()],
        (None, from, None) => return vec!["tail".to_string(), "-qn".to_string(), format!("+{from}")],
        (None, from, Some(to)) => {
            return vec!["sed".to_string(), "-sn".to_string(), format!("{from},{to}p")];
        }
    };
    words.iter().map(|word| word.to_string()).collect()
}

/// A way on in Bash, and its call.
fn in_bash(path: &str, is_dense: bool) -> (String, String) {
    let path = quoted(path, "._-/@%+:,", "'\\''");
    if is_dense {
        let tool = format!("head -c 4000 {path}");
        let matching = format!("grep -o '.\\{{0,80\\}}<name>.\\{{0,80\\}}' {path}");
        return (format!("its lines are long: `{tool}` shows the beginning, `{matching}` what matters."), tool);
    }
    let tool = format!("sed -n '1,120p' {path}");
    (format!("`grep -n <name> {path}` finds the lines that matter, `{tool}` shows a range."), tool)
}

/// A way on in PowerShell, and its call.
fn in_powershell(path: &str, is_dense: bool) -> (String, String) {
    let path = quoted(path, "._-/:", "''");
    if is_dense {
        let tool = format!("(Get-Content {path} -Raw).Substring(0, 4000)");
        let matching = format!("(Select-String '.{{0,80}}<name>.{{0,80}}' {path} -AllMatches).Matches.Value");
        return (format!("its lines are long: `{tool}` shows the beginning, `{matching}` what matters."), tool);
    }
    let tool = format!("Get-Content {path} -TotalCount 120");
    let range = format!("Get-Content {path} | Select-Object -Skip 120 -First 120");
    (format!("`Select-String <name> {path}` finds the lines that matter, `{tool}` or `{range}` shows a range."), tool)
}

/// A path as one word of a shell in which `signs` are ordinary and a quote in quotes is `quote`.
fn quoted(path: &str, signs: &str, quote: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || signs.contains(c);
    if path.chars().all(plain) { path.to_string() } else { format!("'{}'", path.replace('\'', quote)) }
}
