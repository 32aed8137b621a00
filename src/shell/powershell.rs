//! PowerShell as far as the core knows it: which text a `pwsh -Command` runs, and one name for each command.
//!
//! The language itself is read by a pack (`packs/powershell`), which the host loads at the first such text.

use super::{Command, Script, Word, folder_in, program};

/// The programs that run PowerShell.
pub const NAMES: &[&str] = &["powershell", "pwsh"];

/// Names that PowerShell gives to its commands, and the commands, for those that a row or a rule knows.
pub const ALIASES: &[(&str, &str)] = &[
    ("%", "foreach-object"),
    ("?", "where-object"),
    ("ac", "add-content"),
    ("cat", "get-content"),
    ("cd", "set-location"),
    ("chdir", "set-location"),
    ("dir", "get-childitem"),
    ("echo", "write-output"),
    ("fl", "format-list"),
    ("foreach", "foreach-object"),
    ("ft", "format-table"),
    ("fw", "format-wide"),
    ("gc", "get-content"),
    ("gci", "get-childitem"),
    ("group", "group-object"),
    ("ls", "get-childitem"),
    ("measure", "measure-object"),
    ("oh", "out-host"),
    ("pushd", "push-location"),
    ("sc", "set-content"),
    ("select", "select-object"),
    ("sl", "set-location"),
    ("sls", "select-string"),
    ("sort", "sort-object"),
    ("tee", "tee-object"),
    ("type", "get-content"),
    ("where", "where-object"),
    ("write", "write-output"),
];

/// What a command runs as PowerShell.
#[derive(Debug, PartialEq)]
pub enum Nested {
    No,
    Text(String),
    /// A text that only the shell knows, or that is encoded.
    Unread,
}

/// Whether a command is PowerShell, and what it runs. Parameters may be shortened and have any case.
pub fn nested(argv: &[Word]) -> Nested {
    let Some(first) = argv.first() else { return Nested::No };
    if !NAMES.iter().any(|name| name.eq_ignore_ascii_case(program(first))) {
        return Nested::No;
    }
    let mut words = argv[1..].iter();
    while let Some(word) = words.next() {
        let name = word.text.strip_prefix(['-', '/']).unwrap_or_default().to_ascii_lowercase();
        let is = |long: &str, least: usize| name.len() >= least && long.starts_with(&name);
        if !word.text.starts_with('-') && name.is_empty() {
            // Windows PowerShell takes what has no name for a command, the newer one for a file.
            let is_file = word.text.to_ascii_lowercase().ends_with(".ps1") || program(first) == "pwsh";
            return if is_file { Nested::No } else { text(std::iter::once(word).chain(words)) };
        } else if is("command", 1) || name == "cwa" {
            return text(words);
        } else if is("encodedcommand", 1) || name == "ec" {
            return Nested::Unread;
        } else if is("file", 1) {
            return Nested::No;
        } else if is("executionpolicy", 2)
            || name == "ep"
            || is("inputformat", 2)
            || is("outputformat", 1)
            || is("windowstyle", 1)
            || is("workingdirectory", 2)
            || name == "wd"
            || is("configurationname", 6)
            || is("custompipename", 2)
            || is("settingsfile", 2)
            || is("psconsolefile", 1)
        {
            words.next();
        }
    }
    Nested::No
}

fn text<'a>(words: impl Iterator<Item = &'a Word>) -> Nested {
    let words: Vec<&Word> = words.collect();
    match words.as_slice() {
        [] => Nested::No,
        [only] if only.text == "-" => Nested::Unread,
        words if words.iter().any(|w| w.dynamic) => Nested::Unread,
        words => {
            let text = words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
            // `-Command { … }` runs the block.
            let block = text.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            Nested::Text(block.unwrap_or(&text).to_string())
        }
    }
}

/// The script with one name for each command: in lower case, aliases resolved.
pub fn with_plain_names(mut script: Script) -> Script {
    for name in &mut script.redefined {
        *name = plain_name(name);
    }
    for command in &mut script.commands {
        if let Some(first) = command.argv.first_mut() {
            first.text = plain_name(&first.text);
        }
        for stage in &mut command.downstream {
            if let Some(first) = stage.first().filter(|first| plain_name(&first.text) != first.text) {
                let first = Word { text: plain_name(&first.text), ..first.clone() };
                *stage = std::iter::once(first).chain(stage[1..].iter().cloned()).collect();
            }
        }
    }
    script
}

fn plain_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, command)| command.to_string())
}

/// The commands of a text that `outer` runs, as they do their work there: in its folder, into its output.
pub fn inside(outer: &Command, script: &mut Script) {
    for command in &mut script.commands {
        command.dir = command.dir.as_deref().and_then(|dir| folder_in(outer.dir.as_deref()?, dir));
        if command.sink == super::Sink::Model {
            command.downstream.extend(outer.downstream.iter().cloned());
            command.sink = outer.sink;
        }
        command.assigned.extend(outer.assigned.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_powershell_in_a_shell_runs() {
        let text = |text: &str| Nested::Text(text.to_string());
        for (command, expected) in [
            ("pwsh -c|gc a.cs", text("gc a.cs")),
            ("powershell.exe|-NoProfile|-ExecutionPolicy|Bypass|-Command|gc a.cs", text("gc a.cs")),
            ("/usr/bin/pwsh|-nop|-com|gc|a.cs", text("gc a.cs")),
            ("PowerShell|gc a.cs", text("gc a.cs")),
            ("pwsh|-Command|{ gc a.cs }", text(" gc a.cs ")),
            ("pwsh|a.ps1", Nested::No),
            ("pwsh|-File|a.ps1", Nested::No),
            ("powershell|-ExecutionPolicy|Bypass|-File|a.ps1", Nested::No),
            ("powershell|-EncodedCommand|RwBlAHQA", Nested::Unread),
            ("powershell|-e|RwBlAHQA", Nested::Unread),
            ("pwsh|-c|-", Nested::Unread),
            ("pwsh|--version", Nested::No),
            ("bash|-c|gc a.cs", Nested::No),
        ] {
            let command = command.replacen("pwsh -c", "pwsh|-c", 1);
            let argv: Vec<Word> = command.split('|').map(Word::plain).collect();
            assert_eq!(nested(&argv), expected, "{command}");
        }
        let unknown = Word { text: "$x".into(), dynamic: true, glob: false, many: None };
        assert_eq!(nested(&[Word::plain("pwsh"), Word::plain("-c"), unknown]), Nested::Unread);
    }
}
