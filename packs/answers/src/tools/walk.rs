//! Candidates where there is no git: a walk through folders that leaves out what their ignore files name.
//!
//! Invariant: follows no link, and gives up beyond a number of files instead of going on.

use std::path::Path;

use gix_ignore::Search;
use gix_ignore::glob::pattern::Case;

use super::asking::Host;
use super::place::Scope;
use crate::ask::{Ask, Entry, Fact};

const MAX_FILES: usize = 20_000;
/// Folders that are listed in one round.
const BATCH: usize = 64;
/// More bytes are no ignore file.
const MAX_IGNORE_BYTES: u64 = 262_144;

/// Files below the scope, relative to its checkout; false where there are more.
pub async fn files(host: &Host, scope: &Scope) -> (Vec<String>, bool) {
    if scope.is_file {
        return (scope.at.iter().cloned().collect(), true);
    }
    let mut ignored = Search::default();
    let mut files = Vec::new();
    let mut level = vec![scope.at.clone().unwrap_or_default()];
    // Ignore files above a folder count in it.
    let mut above: Vec<String> = vec![String::new()];
    above.extend(level[0].match_indices('/').map(|(at, _)| level[0][..at].to_string()));
    if !level[0].is_empty() {
        read_ignore_files(host, scope, &above, &mut ignored).await;
    }
    while !level.is_empty() {
        let mut next = Vec::new();
        for folders in level.chunks(BATCH) {
            let asks = folders.iter().map(|folder| Ask::List { path: scope.absolute(folder) }).collect();
            let lists = host.ask(asks).await;
            let has_ignore = |list: &Fact| entries(list).iter().any(|entry| entry.name == ".gitignore");
            let with: Vec<String> = folders
                .iter()
                .zip(&lists)
                .filter(|(_, list)| has_ignore(list))
                .map(|(folder, _)| folder.clone())
                .collect();
            read_ignore_files(host, scope, &with, &mut ignored).await;
            for (folder, list) in folders.iter().zip(&lists) {
                for entry in entries(list) {
                    let Entry { name, kind, .. } = entry;
                    if entry.link || name == ".git" {
                        continue;
                    }
                    let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                    let hit = ignored.pattern_matching_relative_path(
                        path.as_str().into(),
                        Some(kind == "dir"),
                        Case::Sensitive,
                    );
                    if hit.is_some_and(|hit| !hit.pattern.is_negative()) {
                        continue;
                    }
                    match kind.as_str() {
                        "dir" => next.push(path),
                        "file" => files.push(path),
                        _ => {}
                    }
                }
            }
            if files.len() > MAX_FILES {
                files.truncate(MAX_FILES);
                return (files, false);
            }
        }
        level = next;
    }
    files.sort();
    (files, true)
}

async fn read_ignore_files(host: &Host, scope: &Scope, folders: &[String], ignored: &mut Search) {
    let file =
        |folder: &String| if folder.is_empty() { ".gitignore".to_string() } else { format!("{folder}/.gitignore") };
    let asks = folders
        .iter()
        .map(|folder| Ask::Text { path: scope.absolute(&file(folder)), from: 0, bytes: MAX_IGNORE_BYTES })
        .collect();
    for (folder, fact) in folders.iter().zip(host.ask(asks).await) {
        if let Fact::Text(ignore) = fact {
            // Fails for no text; a line that is no pattern is left out.
            let _ = ignored.add_patterns_buffer(
                ignore.text.as_bytes(),
                file(folder),
                Some(Path::new("")),
                Default::default(),
            );
        }
    }
}

fn entries(list: &Fact) -> &[Entry] {
    if let Fact::Entries(entries) = list { entries } else { &[] }
}
