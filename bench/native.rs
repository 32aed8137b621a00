//! The native half of `npm run bench`: the requests that the wasm was given, put before the same core without wasm.
//!
//! Standard input: one request a line, an empty line behind each decision. Standard output: the nanoseconds of each
//! decision, one a line. Judges nothing itself, and ends with a panic where a decision came to no end.

use std::io::Read;
use std::time::Instant;

use trimtab::wire::Wire;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("the requests are text");
    let mut wire = Wire::new();
    for decision in text.split_terminator("\n\n") {
        let requests: Vec<&str> = decision.lines().collect();
        let start = Instant::now();
        let answers: Vec<String> = requests.iter().map(|request| wire.step(request)).collect();
        let spent = start.elapsed();
        let last = answers.last().expect("a decision has a request");
        assert!(last.contains("\"done\"") || last.contains("\"value\""), "no outcome: {last}");
        println!("{}", spent.as_nanos());
    }
}
