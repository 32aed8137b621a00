//! PowerShell for trimtab: a text becomes a [`Script`] of commands, each with its words and where its output goes.
//!
//! A wasm of its own, because its grammar is larger than the rest of the core and few sessions need it. Reading cannot
//! fail: what could not be read is listed, and whoever judges stays silent then.
//!
//! What an expression does to an output is said as a command that does the same: `(gc f)[10..20]` comes as
//! `gc f | Select-Object -Skip 10 -First 11`, `(…).Name` as `… | Select-Object -ExpandProperty Name`. An operator, a
//! method or a cast is a stage of its own name (`-replace`, `.Trim()`).
//!
//! Invariant: does no IO and knows no rule; of commands only those that the language itself needs (`ForEach-Object`,
//! `Set-Location`, `Join-Path`, what prints its words).

mod flow;
mod parse;
#[path = "../../../src/shell/script.rs"]
#[allow(dead_code, reason = "the core uses the rest")]
mod script;
mod values;

pub use script::{Command, JOINT, Script, Sink, Stage, Stdin, Word};

/// Reads a text of PowerShell.
pub fn read(text: &str) -> Script {
    let mut script = Script::default();
    flow::read_into(text, &mut script);
    script
}

/// The script of a text, as JSON.
pub fn script(text: &str) -> String {
    serde_json::to_string(&read(text)).expect("a script has only texts, flags and lists")
}

trimtab_abi::export_text!(script);

#[cfg(test)]
mod tests {
    use super::*;

    /// `dir$ argv | downstream > sink` for each command, a line each.
    fn show(text: &str) -> String {
        let script = read(text);
        let words = |argv: &[Word]| argv.iter().map(|w| w.text.replace(JOINT, ",")).collect::<Vec<_>>().join(" ");
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
                if c.stdin == Stdin::Pipe {
                    line = format!("| {line}");
                }
                for stage in &c.downstream {
                    line += &format!(" | {}", words(stage));
                }
                line + match c.sink {
                    Sink::Captured => " > $()",
                    Sink::File => " > file",
                    Sink::Model => "",
                }
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
    fn words_lose_their_quotes_and_keep_their_backslashes() {
        check(r#"gc .\a.cs 'it''s' "a `"b`" ""c""""#, &[r#"gc .\a.cs it's a "b" "c""#]);
        check("gc `\n  src\\a.kt `\n  -TotalCount 5", &["gc src\\a.kt -TotalCount 5"]);
        check("git log --format=\"%h %s\" -- a", &["git log --format=%h %s -- a"]);
        check("& 'C:\\Program Files\\Git\\git.exe' log", &["C:\\Program Files\\Git\\git.exe log"]);
    }

    #[test]
    fn values_of_one_argument_stay_together() {
        check("sls -Path a.cs,b.cs 'x', 'y'", &["sls -Path a.cs , b.cs x , y"]);
        check("gc a -TotalCount:5", &["gc a -TotalCount: 5"]);
    }

    #[test]
    fn each_stage_knows_what_comes_behind_it() {
        check("gc a | select -First 5", &["gc a | select -First 5", "| select -First 5"]);
        check("gc a | sort > o", &["gc a | sort > file", "| sort > file"]);
        check("gc a 2>$null | Out-String", &["gc a | Out-String", "| Out-String"]);
        check("gc a *>&1; gc b > $null", &["gc a", "gc b > file"]);
    }

    #[test]
    fn an_expression_is_said_as_a_command() {
        check("(gc f)[10..50]", &["gc f | Select-Object -Skip 10 -First 41"]);
        check("(gc f)[-20..-1]", &["gc f | Select-Object -Last 20"]);
        check("(gc f)[$i]", &["gc f | []"]);
        check("(gc f).Count", &["gc f | Measure-Object"]);
        check("(gci).FullName", &["gci | Select-Object -ExpandProperty FullName"]);
        check("(gc f) -match 'x'", &["gc f | -match x"]);
        check("(gc f).Trim()", &["gc f | .trim()"]);
        check("[System.IO.File]::ReadAllText('f')", &["[io.file]::readalltext f"]);
    }

    #[test]
    fn variables_of_the_text_are_known() {
        check("$f = 'a.cs'; gc $f \"$f\" $g", &["gc a.cs a.cs $g"]);
        check("$base = 'src'; gc $base\\a.cs; gc $other\\a.cs", &["gc src\\a.cs", "gc $other\\a.cs"]);
        check("gc (Join-Path src 'a.cs')", &["gc src/a.cs", "Join-Path src a.cs > $()"]);
        check("foreach ($f in 'a', 'b') { gc $f }", &["gc a", "gc b"]);
        check("'a', 'b' | % { gc $_ }", &["| % { gc $_ }", "gc a", "gc b"]);
    }

    #[test]
    fn what_a_variable_holds_is_shown_where_the_variable_is() {
        check("$c = gc f", &["gc f > $()"]);
        check("$c = gc f; $c[0..9]", &["gc f > $()", "gc f | Select-Object -Skip 0 -First 10"]);
        check("$c = gc f; Write-Host $c", &["gc f > $()", "Write-Host $c", "gc f"]);
        check("$c = gc f; \"lines: $($c.Count)\"", &["gc f > $()", "gc f | Measure-Object"]);
        check("$c = gc f; $c = 1; $c", &["gc f > $()"]);
    }

    #[test]
    fn folders_are_followed() {
        check("cd src; gc a", &["cd src", "src$ gc a"]);
        check("Set-Location -Path C:\\x; sl y; gc a", &["Set-Location -Path C:\\x", "C:\\x$ sl y", "C:\\x/y$ gc a"]);
        check("cd $d; gc a", &["cd $d", "?$ gc a"]);
    }

    #[test]
    fn blocks_are_entered_where_they_run() {
        check("if (Test-Path a) { gc a } else { gc b }", &["Test-Path a > $()", "gc a", "gc b"]);
        check("& { gc a } | select -First 3", &["gc a | select -First 3", "| select -First 3"]);
        check("gci | ? { gc $_ }", &["gci | ? { gc $_ }", "| ? { gc $_ }", "gc $_ > $()"]);
        check("function f { gc a }", &[]);
        check("gc a; gc b &", &["gc a", "gc b > $()"]);
    }

    #[test]
    fn texts_are_data() {
        check("@'\ngc a\n'@ | Set-Content n.md", &["| Set-Content n.md"]);
        check("# gc a\nGet-Date", &["Get-Date"]);
        check("Write-Output 'gc a'", &["Write-Output gc a"]);
        check("Write-Output \"$(gc a)\"", &["Write-Output $(gc a)", "gc a"]);
    }

    #[test]
    fn what_cannot_be_read_is_listed() {
        check("gc 'a", &["gc", "unread gc 'a"]);
        check("gc a\"b c\"d", &["gc a\"b c\"d", "unread a\"b", "unread c\"d"]);
        check("iex 'gc a'", &["iex gc a", "unread a text that is run"]);
    }

    #[test]
    fn a_text_of_endless_work_runs_out_of_fuel() {
        for unit in ["$a(", "${", "((a)(", "$a=$b", "a;", "\"$a[", "{}", "@(", "if(a){"] {
            let script = read(&unit.repeat(8_000 / unit.len()));
            assert!(script.out_of_fuel || !script.unread.is_empty(), "{unit}");
        }
        assert!(read(&"gc a\n".repeat(2_000)).out_of_fuel);
        let loops = "foreach ($a in 1,2,3,4,5,6,7,8,9) { ".repeat(8) + "gc x " + &"}".repeat(8);
        assert!(read(&loops).out_of_fuel);
    }

    #[test]
    fn deep_nesting_is_unread_not_a_crash() {
        for (open, close) in
            [("(", ")"), ("$(", ")"), ("& { ", " }"), ("\"$(", ")\""), ("if (1) { ", " }"), ("@(", ")")]
        {
            for depth in [30, 61, 500, 3_000] {
                read(&format!("{}gc a{}", open.repeat(depth), close.repeat(depth)));
            }
        }
    }

    #[test]
    fn any_bytes_can_be_read() {
        let mut seed = 1u32;
        let alphabet: Vec<char> = "gc f|&;<>(){}[]$`\"'\\\n #=!*?~-,.:%@_\u{0}\u{e9}\u{1f600}".chars().collect();
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
