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

use super::{Check, Hit, Scene, step};
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

pub fn check(intent: &Intent, scene: &Scene) -> Check {
    let Intent::Read(read) = intent else {
        return Check::No(Why::NotConcerned);
    };
    if !read.out.is_open() || read.unjudged || read.vague {
        return Check::No(if read.vague || read.out.doubt { Why::Doubt } else { Why::NotConcerned });
    }
    // Few lines need no look at the file.
    let asked = span(read, u64::MAX);
    if !is_code(&read.path) || asked < scene.config.large_lines {
        return Check::No(Why::NotConcerned);
    }
    let stat = step!(scene.inside(&read.path));
    if stat.kind != FileKind::File || size::tokens(stat.bytes) < scene.config.min_tokens / 2 {
        return Check::No(if stat.kind == FileKind::File { Why::Cheap } else { Why::NotConcerned });
    }
    if scene.by_read && stat.bytes > size::READ_MAX_BYTES {
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
            format!("{},{}p", first(read, lines), first(read, lines) + span.max(1) - 1),
            scene.at(&read.path),
        ];
        bytes = step!(scene.measure(Measuring::Lines(span), &argv, "", std::slice::from_ref(&read.path))).chars;
    }
    if span < scene.config.large_lines && bytes < scene.config.large_bytes {
        return Check::No(Why::Cheap);
    }
    let path = slashes(&read.path);
    let name = path.rsplit('/').next().unwrap_or(&path);
    let is_dense = stat.bytes / lines > DENSE_LINE_BYTES;
    let shell_path = quoted(&read.path);
    let (wanted, shown, way, tool) = if scene.by_read {
        if is_dense {
            // A range of such lines is no smaller, and Read has no other way.
            return Check::No(Why::Doubt);
        }
        let tokens = size::read_shown(bytes, span);
        let way =
            "Read with `offset` and `limit` shows the lines that matter; a search in the file finds them.".to_string();
        (tokens, tokens, way, format!("Read(file_path=\"{}\", offset=1, limit=120)", read.path))
    } else {
        let (way, tool) = if is_dense {
            let tool = format!("head -c 4000 {shell_path}");
            (
                format!(
                    "its lines are long: `{tool}` shows the beginning, `grep -o '.\\{{0,80\\}}<name>.\\{{0,80\\}}' {shell_path}` what matters."
                ),
                tool,
            )
        } else {
            let tool = format!("sed -n '1,120p' {shell_path}");
            (format!("`grep -n <name> {shell_path}` finds the lines that matter, `{tool}` shows a range."), tool)
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
    Check::Hit(Hit {
        why: Why::LargeFile,
        subject: format!("read:{}", slashes(&stat.real)),
        wanted,
        shown,
        basis: Basis::Measured,
        fact,
        way,
        tool: Some(tool),
    })
}

/// Above so many bytes a line a range of lines is no way on.
const DENSE_LINE_BYTES: u64 = 500;

/// The first line that a read shows of a file of `lines` lines.
fn first(read: &Read, lines: u64) -> u64 {
    let to = read.to.map_or(lines, |to| to.min(lines));
    read.last.map_or(read.from, |last| read.from.max(to.saturating_add(1).saturating_sub(last)))
}

/// How many lines a read shows of a file of `lines` lines.
fn span(read: &Read, lines: u64) -> u64 {
    let to = read.to.map_or(lines, |to| to.min(lines));
    let all = to.saturating_add(1).saturating_sub(read.from);
    read.last.map_or(all, |last| all.min(last))
}

fn is_code(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && CODE.contains(&ending.to_ascii_lowercase().as_str()))
}

/// A path as one word of a shell.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/@%+:,".contains(c);
    if path.chars().all(plain) { path.to_string() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}
