//! Shell commands, read through tree-sitter: text becomes a [`Script`] of commands, each with its words and where its
//! output goes. Reading cannot fail: what could not be read is listed, and whoever judges stays silent then.
//!
//! Invariant: knows no rule, no program's options and no file system.

mod flow;
mod parse;
pub mod powershell;
mod script;
mod tree;
mod words;
mod wrappers;

pub use flow::joined;
pub use script::{Command, JOINT, Many, Script, Sink, Stage, Stdin, Word};
pub use wrappers::{Nested, nested, program};

/// A folder as `cd` in `from` leads to it.
fn folder_in(from: &str, to: &str) -> Option<String> {
    if to.is_empty() { Some(from.to_string()) } else { Some(joined(from, to)) }
}

/// Reads a text of shell.
pub fn read(text: &str) -> Script {
    let mut script = Script::default();
    flow::read_into(text, flow::Context::default(), &mut script, &mut parse::Fuel::default());
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `dir$ argv < stdin | downstream > sink` for each command, a line each.
    fn show(text: &str) -> String {
        let script = read(text);
        let words = |argv: &[Word]| argv.iter().map(|w| w.text.clone()).collect::<Vec<_>>().join(" ");
        let mut lines: Vec<String> = script
            .commands
            .iter()
            .map(|c| {
                let mut line = match &c.dir {
                    Some(dir) if dir.is_empty() => String::new(),
                    Some(dir) => format!("{dir}$ "),
                    None => "?$ ".to_string(),
                };
                line += &words(&c.argv);
                match &c.stdin {
                    Stdin::File(word) => line += &format!(" < {}", word.text),
                    Stdin::Text => line += " << text",
                    Stdin::Pipe => line = format!("| {line}"),
                    Stdin::Inherited => {}
                }
                for stage in &c.downstream {
                    line += &format!(" | {}", words(stage));
                }
                match c.sink {
                    Sink::Captured => line += " > $()",
                    Sink::File => line += " > file",
                    Sink::Model => {}
                }
                line
            })
            .collect();
        lines.extend(script.unread.iter().map(|text| format!("unread {text}")));
        if script.out_of_fuel {
            lines.push("out of fuel".to_string());
        }
        lines.join("\n")
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(show(text), expected.join("\n"), "{text}");
    }

    #[test]
    fn words_lose_their_quotes() {
        check(r#"cat "a b"c'd' e\ f $'g\th'"#, &["cat a bcd e f g\th"]);
        check("cat '$F' \"$F\" `ls`", &["cat $F $F `ls`", "ls > $()"]);
    }

    #[test]
    fn only_the_last_stage_of_a_pipeline_reaches_the_model() {
        check("cat f | head -5", &["cat f | head -5", "| head -5"]);
        check("cat f | sort | wc -l", &["cat f | sort | wc -l", "| sort | wc -l", "| wc -l"]);
        check("for f in a b; do cat $f; done | head -3", &["cat a | head -3", "cat b | head -3", "| head -3"]);
    }

    #[test]
    fn a_redirection_behind_a_list_belongs_to_its_last_command() {
        check("cat a && cat b > o", &["cat a", "cat b > file"]);
        check("cat a | sort > o; ls", &["cat a | sort > file", "| sort > file", "ls"]);
        check("{ cat a; cat b; } > o", &["cat a > file", "cat b > file"]);
        check("cat a > o | wc", &["cat a > file", "| wc"]);
    }

    #[test]
    fn screens_are_no_files_and_errors_are_no_output() {
        check("cat a 2>/dev/null", &["cat a"]);
        check("cat a > /dev/stderr", &["cat a"]);
        check("cat a >&2", &["cat a"]);
        check("cat a &> o", &["cat a > file"]);
        check("cat a > /dev/null", &["cat a > file"]);
    }

    #[test]
    fn here_documents_are_data() {
        check("cat > n.md <<'EOF'\ngrep -r foo .\nEOF\nls", &["cat << text > file", "ls"]);
        check(
            "cat <<EOF | grep x && ls\nhello $(cat f)\nEOF\n",
            &["cat << text | grep x", "| grep x", "ls", "cat f > $()"],
        );
        check(
            "git commit -m \"$(cat <<'EOF'\nfix: cd a && git log\nEOF\n)\"",
            &["git commit -m $(cat <<'EOF'\nfix: cd a && git log\nEOF\n)", "cat << text > $()"],
        );
        check("cat <<< word", &["cat << text"]);
    }

    #[test]
    fn a_here_document_for_a_shell_is_shell() {
        check("bash <<'EOF'\ncat a\nEOF", &["bash << text", "cat a"]);
    }

    #[test]
    fn folders_are_followed() {
        check("cd src && cat a", &["cd src", "src$ cat a"]);
        check("(cd src; cat a); cat b", &["cd src", "src$ cat a", "cat b"]);
        check("cd /x; cd y/..; cat a", &["cd /x", "/x$ cd y/..", "/x$ cat a"]);
        check("cd $D && cat a", &["cd $D", "?$ cat a"]);
    }

    #[test]
    fn wrappers_are_taken_off() {
        check("sudo -u root cat a", &["cat a"]);
        check("env -u X A=b timeout -k 5 10s nice -n 5 cat a", &["cat a"]);
        check("stdbuf -o L cat a; command cat b; \\cat c", &["cat a", "cat b", "cat c"]);
        check("TRIMTAB_BYPASS=1 cat a", &["cat a"]);
    }

    #[test]
    fn shells_are_entered() {
        check("bash -lc 'cat a | head'", &["bash -lc cat a | head", "cat a | head", "| head"]);
        check("eval \"cat a\" > o", &["eval cat a > file", "cat a > file"]);
        check("echo 'cat a'", &["echo cat a"]);
    }

    #[test]
    fn variables_of_the_text_are_known() {
        check("F=a.rs; cat $F ${F} $G", &["cat a.rs a.rs $G"]);
        check("F=$(ls); cat $F", &["ls > $()", "cat $(ls)"]);
    }

    #[test]
    fn what_echo_captures_reaches_the_model() {
        check("echo $(cat a)", &["echo $(cat a)", "cat a"]);
        check("X=$(cat a)", &["cat a > $()"]);
        check("diff <(cat a) b", &["diff <(cat a) b", "cat a > $()"]);
    }

    #[test]
    fn what_cannot_be_read_is_listed() {
        check("cat a; echo \"unterminated", &["cat a", "echo", "unread \"unterminated"]);
    }

    #[test]
    fn deep_nesting_is_unread_not_a_crash() {
        let script = read(&format!("{}cat a{}", "(".repeat(5_000), ")".repeat(5_000)));
        assert!(script.commands.is_empty() && (script.out_of_fuel || !script.unread.is_empty()));
    }

    #[test]
    fn ten_thousand_pipes_are_unread() {
        for text in ["a | ".repeat(10_000), "a | ".repeat(10_000) + "b"] {
            let script = read(&text);
            assert!(script.out_of_fuel || !script.unread.is_empty());
        }
    }

    #[test]
    fn loops_in_loops_end() {
        let loops = "for a in 1 2 3 4 5 6 7 8 9; do ".repeat(8) + "x=1; " + &"done; ".repeat(8);
        assert!(read(&loops).out_of_fuel);
    }

    #[test]
    fn a_text_of_endless_work_runs_out_of_fuel() {
        assert!(read(&"a $(b `c ${d} <(e) ".repeat(60_000)).out_of_fuel);
    }

    #[test]
    fn a_long_text_of_brackets_is_not_read_and_a_long_text_of_code_is() {
        for unit in ["for((", "a=(", "<", "a+=(", "$[", "|&", "||a"] {
            assert!(read(&unit.repeat(3_000 / unit.len())).out_of_fuel, "{unit}");
        }
        let code = "cat > a.py <<'EOF'\n".to_string()
            + &"for i, x in enumerate(rows[1:]):\n    total += f(x[i]) if x else g({}, i)\n".repeat(60)
            + "EOF\ncat big.rs";
        let script = read(&code);
        assert!(!script.out_of_fuel && script.commands.len() == 2);
    }

    #[test]
    fn any_bytes_can_be_read() {
        let mut seed = 1u32;
        let alphabet: Vec<char> = "cat f|&;<>(){}[]$`\"'\\\n #=!*?~-\u{0}\u{e9}\u{1f600}EOF".chars().collect();
        for _ in 0..3_000 {
            let text: String = (0..40)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    alphabet[(seed >> 16) as usize % alphabet.len()]
                })
                .collect();
            read(&text);
        }
    }
}
