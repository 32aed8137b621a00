//! # `recursive-grep`
//!
//! **What it stops.** A search through folders that prints every matching line: `grep -rn`, `rg`, `git grep`.
//!
//! **Why.** Nobody knows before how much it prints; the lines that matter are few.
//!
//! **Example.** `grep -rn order .`
//!
//! **Instead.** The names first (`-l`), or a bound (`| head -n 50`, `-m 3`), or a folder.
//!
//! **When it stays quiet.** With a bound or a filter behind it, in a single file, outside the project, into a file, with
//! an option that is not known, and whenever the same search was measured and prints little.

use super::{Check, Scene, Tool, output_hit, step, unmeasured_hit};
use crate::fact::FileKind;
use crate::intent::{Intent, Search};
use crate::outcome::Why;

pub fn check(intent: &Intent, scene: &Scene) -> Check {
    let Intent::Search(search) = intent else {
        return Check::No(Why::NotConcerned);
    };
    if scene.config.every_search {
        return every_search(search, scene);
    }
    if !search.recursive || !search.out.is_open() {
        return Check::No(if search.out.doubt { Why::Doubt } else { Why::NotConcerned });
    }
    let mut folders = false;
    for path in &search.scope {
        let stat = step!(scene.inside(path));
        folders |= stat.kind == FileKind::Dir;
    }
    if !folders {
        return Check::No(Why::NotConcerned);
    }
    let measured = step!(scene.measured(&search.out, &search.scope));
    let mut patterns: Vec<String> = search.patterns.iter().map(|pattern| pattern.replace("\\|", "|")).collect();
    patterns.sort();
    let subject = format!("search:{}", patterns.join("\n"));
    if scene.tool == Tool::Grep {
        // It bounds itself; where nothing was measured, only a name that many files have is worth a word.
        let is_bounded = search.out.at_most.is_some() && !measured.measured;
        let is_filtered = !search.globs.is_empty() || !search.types.is_empty();
        let is_prose = is_filtered && !search.names_source(scene.config);
        if is_bounded && (is_prose || !search.patterns.iter().all(|pattern| is_compound_name(pattern))) {
            return Check::No(Why::Doubt);
        }
        let way = "`output_mode: \"files_with_matches\"` lists the files, `glob`, `type` or a folder narrows it, `head_limit` bounds it.";
        return output_hit(scene, measured, subject, "this search", way);
    }
    let names = if search.by_cmdlet { "`-List` shows one line of each file" } else { "`-l` lists the files" };
    let way = format!("{names}, a folder or file type narrows it, `| {}` bounds it.", scene.bound());
    output_hit(scene, measured, subject, "this search", &way)
}

/// A name of several words: `parseHeader`, `parse_header`, `MAX_SIZE`.
fn is_compound_name(pattern: &str) -> bool {
    let is_name = pattern.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && pattern.chars().all(|c| c.is_alphanumeric() || c == '_');
    let has_hump = pattern.chars().zip(pattern.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    is_name && (has_hump || pattern.trim_matches('_').contains('_'))
}

/// Under `every.search`: any search of source files whose output reaches the model, whatever its size.
fn every_search(search: &Search, scene: &Scene) -> Check {
    let out = &search.out;
    let is_filtered = search.globs.iter().any(|glob| !glob.starts_with('!')) || !search.types.is_empty();
    if out.piped || out.writes || search.feeds_edit || search.patterns.iter().all(|pattern| pattern.trim().is_empty()) {
        return Check::No(Why::NotConcerned);
    }
    if is_filtered && !search.names_source(scene.config) {
        return Check::No(Why::NotConcerned);
    }
    if out.doubt {
        return Check::No(Why::Doubt);
    }
    for path in &search.scope {
        let stat = step!(scene.inside(path));
        if stat.kind != FileKind::Dir && !scene.config.is_source(path) {
            return Check::No(Why::NotConcerned);
        }
    }
    let subject = format!("search:{}", search.patterns.join("\n"));
    let way = "a whole word (`-w`), a folder or a file type narrows it, and `-m 5` bounds it.";
    unmeasured_hit(scene, subject, "this searches source files for a text.", way)
}
