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
use crate::fact::{Ask, Fact, FileKind, slashes};
use crate::intent::{Intent, Read};
use crate::outcome::{Basis, Why};
use crate::size;

/// Endings of source files. The described systems' lists together; prose, data and logs are left alone.
pub const CODE: &[&str] = &[
    "asd", "bash", "bsl", "c", "cc", "cjs", "cl", "clj", "cljs", "cpp", "cs", "css", "cts", "cxx", "dart", "elm", "erl", "ex",
    "exs", "fs", "go", "groovy", "h", "hpp", "hs", "java", "jl", "js", "jsx", "kt", "kts", "less", "lisp", "lua", "m", "mjs",
    "ml", "mm", "mts", "nim", "php", "pl", "pm", "proto", "ps1", "py", "pyi", "r", "rb", "rs", "scala", "scss", "sh", "sol",
    "sql", "svelte", "swift", "tf", "ts", "tsx", "vb", "vue", "zig", "zsh",
];

pub fn check(intent: &Intent, scene: &Scene) -> Check {
    let Intent::Read(read) = intent else { return Check::No(Why::NotConcerned) };
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
    let Fact::Lines(lines) = lines else { return Check::No(Why::UnknownFact) };
    let span = span(read, lines);
    let bytes = stat.bytes.checked_mul(span).map_or(stat.bytes, |product| product / lines.max(1)).min(stat.bytes);
    if span < scene.config.large_lines && bytes < scene.config.large_bytes {
        return Check::No(Why::Cheap);
    }
    let path = slashes(&read.path);
    let name = path.rsplit('/').next().unwrap_or(&path);
    let (wanted, shown) = if scene.by_read {
        let tokens = size::tokens(size::read_chars(bytes, span));
        (tokens, tokens)
    } else {
        (size::bash_wanted(bytes), size::bash_shown(bytes))
    };
    let (way, tool) = if scene.by_read {
        let call = format!("Read(file_path=\"{}\", offset=1, limit=120)", read.path);
        ("Read with `offset` and `limit` shows the lines that matter; a search in the file finds them.".to_string(), call)
    } else {
        let call = format!("sed -n '1,120p' {}", quoted(&read.path));
        (format!("`grep -n <name> {name}` finds the lines that matter, `sed -n '1,120p' {name}` shows a range."), call)
    };
    let amount = if span < lines { format!("{} of its {} lines", size::grouped(span), size::grouped(lines)) } else { "a whole read".to_string() };
    let fact = if shown < wanted {
        format!("`{name}` has {} lines ({} KB); {amount} would be cut to a preview of 2 KB.", size::grouped(lines), stat.bytes / 1024)
    } else {
        format!("`{name}` has {} lines; {amount} would show {} tokens.", size::grouped(lines), size::about(wanted))
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

/// How many lines a read shows of a file of `lines` lines.
fn span(read: &Read, lines: u64) -> u64 {
    let to = read.to.map_or(lines, |to| to.min(lines));
    let all = to.saturating_add(1).saturating_sub(read.from);
    read.last.map_or(all, |last| all.min(last))
}

fn is_code(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && CODE.contains(&ending.to_ascii_lowercase().as_str()))
}

/// A path as one word of a shell.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/@%+:,".contains(c);
    if path.chars().all(plain) { path.to_string() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}
