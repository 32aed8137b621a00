//! Wrappers: programs that run another command given in their words (`sudo`, `env`, `timeout`), and shells that run a
//! text (`bash -c`, `eval`).

use super::Word;

/// A wrapper: options that take the next word as value, and how many operands come before the command.
struct Wrapper {
    name: &'static str,
    short: &'static str,
    long: &'static [&'static str],
    operands: usize,
}

const fn wrapper(name: &'static str, short: &'static str, long: &'static [&'static str], operands: usize) -> Wrapper {
    Wrapper { name, short, long, operands }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper("builtin", "", &[], 0),
    wrapper("busybox", "", &[], 0),
    wrapper("command", "", &[], 0),
    wrapper("doas", "Cu", &[], 0),
    wrapper("env", "CSu", &["chdir", "split-string", "unset"], 0),
    wrapper("exec", "a", &[], 0),
    wrapper("ionice", "cnpPu", &["class", "classdata"], 0),
    wrapper("nice", "n", &["adjustment"], 0),
    wrapper("nohup", "", &[], 0),
    wrapper("setsid", "", &[], 0),
    wrapper("stdbuf", "eio", &["error", "input", "output"], 0),
    wrapper(
        "sudo",
        "CDghpRrTtUu",
        &["chdir", "chroot", "close-from", "group", "host", "prompt", "role", "type", "user"],
        0,
    ),
    wrapper("time", "fo", &["format", "output"], 0),
    wrapper("timeout", "ks", &["kill-after", "signal"], 1),
];

/// The names of all wrappers and shells; the command hooks' filters need them.
pub fn names() -> impl Iterator<Item = &'static str> {
    WRAPPERS.iter().map(|w| w.name).chain(SHELLS.iter().copied()).chain(["eval"])
}

const SHELLS: &[&str] = &["bash", "dash", "ksh", "sh", "zsh"];

/// The name of a program: the last part of its path.
pub fn program(word: &Word) -> &str {
    let name = word.text.rsplit(['/', '\\']).next().unwrap_or("");
    name.strip_suffix(".exe").unwrap_or(name)
}

/// A command without its wrappers, and what they change for it.
pub struct Unwrapped {
    pub argv: Vec<Word>,
    /// Variables that `env` or `sudo` set.
    pub assigned: Vec<(String, String)>,
    /// It runs in another folder (`env -C`, `sudo -D`).
    pub moved: bool,
}

/// Takes wrappers off the front. A wrapper alone (`env`, `time`) stays as it is.
pub fn unwrapped(mut argv: Vec<Word>) -> Unwrapped {
    let (mut assigned, mut moved) = (Vec::new(), false);
    for _ in 0..8 {
        let Some(first) = argv.first() else { break };
        let Some(wrapper) = WRAPPERS.iter().find(|w| w.name == program(first)) else {
            break;
        };
        let start = 1 + skipped(wrapper, &argv[1..]);
        if start >= argv.len() || (wrapper.name == "command" && argv[1].text.starts_with(['-'])) {
            break;
        }
        for word in argv.drain(..start) {
            if let Some((name, value)) = word.text.split_once('=').filter(|_| is_assignment(&word.text)) {
                assigned.push((name.to_string(), value.to_string()));
            }
            moved |= word.text.starts_with("-C") || word.text.starts_with("-D") || word.text.starts_with("--chdir");
        }
    }
    Unwrapped { argv, assigned, moved }
}

/// How many words of a wrapper come before the command.
fn skipped(wrapper: &Wrapper, words: &[Word]) -> usize {
    let mut at = 0;
    let mut operands = wrapper.operands;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        at += 1;
        if text == "--" {
            break;
        } else if let Some(long) = text.strip_prefix("--") {
            if wrapper.long.contains(&long) {
                at += 1;
            }
        } else if let Some(cluster) = text.strip_prefix('-').filter(|c| !c.is_empty()) {
            // The value is the rest of the cluster, or the next word where nothing is left.
            if let Some(i) = cluster.find(|c| wrapper.short.contains(c))
                && i + 1 == cluster.len()
            {
                at += 1;
            }
        } else if wrapper.name == "env" && is_assignment(text) || wrapper.name == "sudo" && is_assignment(text) {
            continue;
        } else if operands > 0 {
            operands -= 1;
        } else {
            return at - 1;
        }
    }
    (at + operands).min(words.len())
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// What a command runs as shell.
pub enum Nested {
    /// The text in its words; `None` = only the shell knows it.
    Text(Option<String>),
    /// Its standard input.
    Stdin,
    No,
}

/// Whether a command is a shell, and what it runs.
pub fn nested(argv: &[Word]) -> Nested {
    let Some(first) = argv.first() else {
        return Nested::No;
    };
    let name = program(first);
    if name == "eval" {
        let known = argv[1..].iter().all(|w| !w.dynamic);
        let text = argv[1..].iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
        return Nested::Text(known.then_some(text));
    }
    if !SHELLS.contains(&name) {
        return Nested::No;
    }
    let mut words = argv[1..].iter();
    while let Some(word) = words.next() {
        match word.text.strip_prefix('-').filter(|c| !c.is_empty() && !c.starts_with('-')) {
            // Only checks the syntax.
            Some(cluster) if cluster.contains('n') => return Nested::No,
            Some(cluster) if cluster.contains('c') => {
                return Nested::Text(words.next().filter(|w| !w.dynamic).map(|w| w.text.clone()));
            }
            Some("o") => {
                words.next();
            }
            Some(_) => {}
            None if word.text == "-" || word.text.starts_with("--") => {}
            None => return Nested::No, // A script file.
        }
    }
    Nested::Stdin
}
