//! What was read from a call's input: its intents, and what keeps rules from refusing it.
//!
//! Bash is read here; PowerShell by a pack of the host, so such a text is asked for first. Invariant: judges nothing.

use crate::config::{Config, Preset};
use crate::core::Input;
use crate::fact::{Ask, Fact};
use crate::intent::{Intent, Output, Read};
use crate::outcome::{Effect, Why};
use crate::programs;
use crate::shell::{self, Command, Nested, Script, Sink, powershell};

/// Texts of other languages in one call.
const MAX_TEXTS: usize = 3;
/// A command longer than this is not suggested again with a bound behind it, in characters.
const MAX_SUGGESTED: usize = 160;

/// What was read from a call's input.
#[derive(Default)]
pub struct Reading {
    pub intents: Vec<Intent>,
    /// The command, where it is a single simple one.
    pub simple: Option<String>,
    /// There are other commands in it than the judged one and `cd`.
    pub has_parts: bool,
    /// Why no rule may refuse this call.
    pub stays_out: Option<Why>,
    /// A described system's own bypass stands before it; counts under its preset.
    has_their_bypass: bool,
    pub records: Vec<Effect>,
    /// The text, where it is short enough to be suggested again.
    text: String,
    script: Script,
    open: Vec<Open>,
    texts: usize,
}

/// A text that only a pack can read.
struct Open {
    text: String,
    /// The command that runs it, by its place in the script; `None` = it is the call.
    outer: Option<usize>,
}

impl Reading {
    /// A bypass stands before the command: ours, or that of the described system whose preset is on.
    pub fn is_bypassed(&self, config: &Config) -> bool {
        self.stays_out == Some(Why::Bypassed) || self.has_their_bypass && config.preset == Some(Preset::TokenPilot)
    }

    pub fn of(input: &Input) -> Reading {
        match input {
            Input::Bash { command } => {
                let mut reading = Reading { text: kept(command), script: shell::read(command), ..Reading::default() };
                reading.open_texts();
                reading
            }
            Input::Grep { pattern, path, glob, file_type, ignore_case, head_limit } => {
                let folder = path.as_deref().unwrap_or(".");
                let mut search = programs::grep_tool(pattern, folder, glob.as_deref(), *ignore_case);
                search.types.extend(file_type.clone());
                let has_folder = glob.as_deref().is_some_and(|glob| glob.contains(['/', '{']));
                if file_type.is_some() || has_folder || !is_plain(pattern) {
                    // Types and patterns that another `grep` reads in its own way are not measured.
                    search.out.measure = search.out.measure.map(|(of, ..)| (of, Vec::new(), String::new()));
                }
                search.out.at_most = Some(*head_limit).filter(|most| *most > 0);
                Reading { intents: vec![Intent::Search(search)], ..Reading::default() }
            }
            Input::Edit { .. } | Input::Mcp(_) | Input::Other | Input::Write { .. } => Reading::default(),
            Input::PowerShell { command } if !programs::may_concern_powershell(command) => Reading::default(),
            Input::PowerShell { command } => {
                let open = vec![Open { text: command.clone(), outer: None }];
                Reading { text: kept(command), open, texts: 1, ..Reading::default() }
            }
            Input::Read { path, from, to, ranged, allow_large } => {
                let read = Read {
                    path: path.clone(),
                    from: *from,
                    to: *to,
                    last: None,
                    left_out: 0,
                    whole: !ranged,
                    vague: false,
                    unjudged: *ranged,
                    many: None,
                    out: Output::default(),
                };
                let stays_out = allow_large.then_some(Why::Insisted);
                Reading { intents: vec![Intent::Read(read)], stays_out, ..Reading::default() }
            }
        }
    }

    /// Takes in what packs have read, or says what they are to read. Afterwards the intents are there.
    pub fn complete(&mut self, facts: &dyn Fn(&Ask) -> Option<Fact>) -> Result<(), Vec<Ask>> {
        while !self.open.is_empty() {
            let asks: Vec<Ask> = self.open.iter().map(Open::ask).collect();
            let missing: Vec<Ask> = asks.iter().filter(|ask| facts(ask).is_none()).cloned().collect();
            if !missing.is_empty() {
                return Err(missing);
            }
            // From the back, so that places in the script stay as they are.
            for open in std::mem::take(&mut self.open).into_iter().rev() {
                let script = match facts(&open.ask()) {
                    Some(Fact::Script(script)) => powershell::with_plain_names(script),
                    _ => {
                        self.records.push(Effect::Record { code: "no-script", detail: Some("powershell".into()) });
                        Script { unread: vec![open.text.chars().take(200).collect()], ..Script::default() }
                    }
                };
                self.insert(script, open.outer);
            }
            self.open_texts();
        }
        Ok(())
    }

    fn insert(&mut self, mut script: Script, outer: Option<usize>) {
        let mut at = 0;
        if let Some(place) = outer {
            let outer = &self.script.commands[place];
            powershell::inside(outer, &mut script);
            at = place + 1;
        }
        // A shell in PowerShell; one in Bash was entered when it was read.
        let mut i = 0;
        while i < script.commands.len() {
            if let Nested::Text(Some(text)) = shell::nested(&script.commands[i].argv) {
                let mut inner = shell::read(&text);
                powershell::inside(&script.commands[i], &mut inner);
                script.take(inner, i + 1);
            }
            i += 1;
        }
        self.script.take(script, at);
    }

    /// Finds the texts that are still to be read, and ends the reading where there are none.
    fn open_texts(&mut self) {
        for (place, command) in self.script.commands.iter_mut().enumerate() {
            match powershell::nested(&command.argv) {
                powershell::Nested::Text(text) if programs::may_concern_powershell(&text) => {
                    // Each is read once.
                    command.argv.truncate(1);
                    if self.texts == MAX_TEXTS {
                        self.script.unread.push("a shell in a shell".to_string());
                        continue;
                    }
                    self.texts += 1;
                    self.open.push(Open { text, outer: Some(place) });
                }
                powershell::Nested::Unread => self.script.unread.push("shell text".to_string()),
                _ => {}
            }
        }
        if self.open.is_empty() {
            self.finish();
        }
    }

    fn finish(&mut self) {
        let script = std::mem::take(&mut self.script);
        self.intents = programs::intents(&script);
        if script.out_of_fuel {
            self.stays_out = Some(Why::OutOfFuel);
            self.intents.clear();
            self.records.push(Effect::Record { code: "out-of-fuel", detail: None });
        } else if !script.unread.is_empty() || script.commands.iter().any(|c| is_redefined(c, &script.redefined)) {
            self.stays_out = Some(Why::Unread);
        }
        let has_bypass = |named: &str| {
            script.commands.iter().any(|c| c.assigned.iter().any(|(name, value)| name == named && value == "1"))
        };
        self.has_their_bypass = has_bypass("TOKEN_PILOT_BYPASS");
        if has_bypass("TRIMTAB_BYPASS") {
            self.stays_out = Some(Why::Bypassed);
            self.records.push(Effect::Record { code: "bypass", detail: None });
        }
        let is_stage = |c: &Command| c.stdin == shell::Stdin::Pipe;
        let is_folder = |c: &Command| c.argv.first().is_some_and(|w| matches!(w.text.as_str(), "cd" | "set-location"));
        self.has_parts = script.commands.iter().filter(|c| !is_stage(c) && !is_folder(c)).count() > 1;
        let text = self.text.trim();
        if let [only] = script.commands.as_slice()
            && only.downstream.is_empty()
            && only.sink == Sink::Model
            && !text.is_empty()
            && !text.contains(['\n', ';', '&', '>', '<', '#'])
        {
            self.simple = Some(text.to_string());
        }
    }
}

/// Whether a pattern means the same to every `grep`.
fn is_plain(pattern: &str) -> bool {
    pattern.chars().all(|c| c.is_alphanumeric() || " _-/:,;=<>@'\"!%&~#|".contains(c))
}

/// A text as it is kept until all of it is read: a long one is not suggested again.
fn kept(command: &str) -> String {
    if command.trim().len() <= MAX_SUGGESTED { command.to_string() } else { String::new() }
}

impl Open {
    fn ask(&self) -> Ask {
        Ask::Script { language: "powershell", text: self.text.clone() }
    }
}

/// Whether a command, or one behind it, has a name that the text itself gives another meaning.
fn is_redefined(command: &Command, redefined: &[String]) -> bool {
    let names = command.argv.first().into_iter().chain(command.downstream.iter().filter_map(|stage| stage.first()));
    names.into_iter().any(|word| redefined.contains(&word.text))
}
