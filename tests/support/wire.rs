//! The core as the tests hold it, which can write down what it was asked and what it said.
//!
//! `RECORD=<folder> cargo test --test cases --test sequences` leaves `<folder>/<test>.jsonl`: a line for each core, all its
//! requests and answers as texts. `tests/browser` puts the same requests to the wasm and wants the same bytes back.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// `trimtab::wire::Wire` with its story.
pub struct Wire {
    wire: trimtab::wire::Wire,
    story: Vec<(String, String)>,
}

/// How many cores with a story there were.
static WRITTEN: AtomicUsize = AtomicUsize::new(0);

fn folder() -> Option<PathBuf> {
    std::env::var_os("RECORD").map(PathBuf::from)
}

impl Wire {
    pub fn new() -> Wire {
        Wire { wire: trimtab::wire::Wire::new(), story: Vec::new() }
    }

    pub fn step(&mut self, request: &str) -> String {
        let answer = self.wire.step(request);
        if folder().is_some() {
            self.story.push((request.to_string(), answer.clone()));
        }
        answer
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        let Some(folder) = folder().filter(|_| !self.story.is_empty()) else {
            return;
        };
        let line = serde_json::json!(self.story).to_string() + "\n";
        let file = folder.join(concat!(env!("CARGO_CRATE_NAME"), ".jsonl"));
        // Tests run side by side: a line is one write to the end of the file.
        let mut file = OpenOptions::new().create(true).append(true).open(file).expect("a file in the folder of RECORD");
        file.write_all(line.as_bytes()).expect("a place to write to");
        WRITTEN.fetch_add(1, Ordering::Relaxed);
    }
}

/// Panics unless so many cores wrote their stories: those that did not would never be compared.
pub fn assert_recorded(count: usize) {
    let written = WRITTEN.load(Ordering::Relaxed);
    assert!(folder().is_none() || written >= count, "{written} stories of {count} were written down");
}
