//! Wrappers: programs that run another command given in their words (`sudo`, `env`, `timeout`), and shells that run a
//! text (`bash -c`, `eval`).

use super::Word;

/// A wrapper: the words that name it, options that take the next word as value, and how many operands come before the
/// command.
struct Wrapper {
    /// A program, and its subcommand where only that is a wrapper (`uv run`).
    name: &'static [&'static str],
    short: &'static str,
    long: &'static [&'static str],
    operands: usize,
    place: Place,
}

/// Where the command of a wrapper runs.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Here,
    /// Where the wrapper's operand says, as words of a command.
    There,
    /// Where the wrapper's operand says, as a text for a shell.
    ThereAsText,
    /// In the Linux of a Windows machine.
    Wsl,
}

const fn wrapper(
    name: &'static [&'static str],
    short: &'static str,
    long: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper { name, short, long, operands, place: Place::Here }
}

const SUDO: &[&str] = &["chdir", "chroot", "close-from", "group", "host", "prompt", "role", "type", "user"];
const EXEC: &[&str] = &["container", "context", "env", "env-file", "file", "index", "namespace", "user", "workdir"];

const WRAPPERS: &[Wrapper] = &[
    wrapper(&["builtin"], "", &[], 0),
    wrapper(&["bundle", "exec"], "", &[], 0),
    wrapper(&["bunx"], "", &[], 0),
    wrapper(&["busybox"], "", &[], 0),
    wrapper(&["command"], "", &[], 0),
    wrapper(&["doas"], "Cu", &[], 0),
    Wrapper { place: Place::There, ..wrapper(&["docker", "compose", "exec"], "eufw", EXEC, 1) },
    Wrapper { place: Place::There, ..wrapper(&["docker", "exec"], "euw", EXEC, 1) },
    Wrapper { place: Place::There, ..wrapper(&["docker-compose", "exec"], "eufw", EXEC, 1) },
    wrapper(&["env"], "CSu", &["chdir", "split-string", "unset"], 0),
    wrapper(&["exec"], "a", &[], 0),
    wrapper(&["hatch", "run"], "", &[], 0),
    wrapper(&["ionice"], "cnpPu", &["class", "classdata"], 0),
    Wrapper { place: Place::There, ..wrapper(&["kubectl", "exec"], "cnf", EXEC, 1) },
    wrapper(&["nice"], "n", &["adjustment"], 0),
    wrapper(&["nohup"], "", &[], 0),
    wrapper(&["npm", "exec"], "p", &["package", "workspace"], 0),
    wrapper(&["npx"], "pw", &["package", "workspace"], 0),
    wrapper(&["pdm", "run"], "p", &["project"], 0),
    wrapper(&["pipenv", "run"], "", &[], 0),
    wrapper(&["pnpm", "dlx"], "", &["package"], 0),
    wrapper(&["pnpm", "exec"], "C", &["dir", "filter"], 0),
    Wrapper { place: Place::There, ..wrapper(&["podman", "exec"], "euw", EXEC, 1) },
    wrapper(&["poetry", "run"], "C", &["directory", "project"], 0),
    wrapper(&["rye", "run"], "", &[], 0),
    wrapper(&["setsid"], "", &[], 0),
    Wrapper { place: Place::ThereAsText, ..wrapper(&["ssh"], "BbcDEeFIiJLlmOopQRSWw", &[], 1) },
    wrapper(&["stdbuf"], "eio", &["error", "input", "output"], 0),
    wrapper(&["sudo"], "CDghpRrTtUu", SUDO, 0),
    wrapper(&["time"], "fo", &["format", "output"], 0),
    wrapper(&["timeout"], "ks", &["kill-after", "signal"], 1),
    wrapper(
        &["uv", "run"],
        "p",
        &["directory", "env-file", "extra", "group", "package", "project", "python", "with"],
        0,
    ),
    wrapper(&["watch"], "nd", &["interval"], 0),
    Wrapper { place: Place::Wsl, ..wrapper(&["wsl"], "du", &["cd", "distribution", "user"], 0) },
    wrapper(&["xvfb-run"], "ens", &["error-file", "server-args", "server-num"], 0),
];

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
    /// It runs on another machine, or in a container.
    pub remote: Option<String>,
}

/// Takes wrappers off the front. A wrapper alone (`env`, `time`) stays as it is.
pub fn unwrapped(mut argv: Vec<Word>) -> Unwrapped {
    let (mut assigned, mut moved, mut remote) = (Vec::new(), false, None);
    for _ in 0..8 {
        let Some(name) = argv.first().map(program) else { break };
        let Some(wrapper) = WRAPPERS.iter().find(|w| w.name[0] == name && is_named(w, &argv)) else {
            break;
        };
        let names = wrapper.name.len();
        let (words, operand) = skipped(wrapper, &argv[names..]);
        let start = names + words;
        if start >= argv.len() || (wrapper.name == ["command"] && argv[1].text.starts_with(['-'])) {
            break;
        }
        let is_text = wrapper.place == Place::ThereAsText;
        match wrapper.place {
            Place::Here => {}
            Place::Wsl => remote = Some("wsl".to_string()),
            Place::There | Place::ThereAsText => {
                remote = operand.map(|at| argv[names + at].text.clone()).or(Some(String::new()));
            }
        }
        for word in argv.drain(..start) {
            if let Some((name, value)) = word.text.split_once('=').filter(|_| is_assignment(&word.text)) {
                assigned.push((name.to_string(), value.to_string()));
            }
            let text = word.text.as_str();
            moved |= text.starts_with("-C") || text.starts_with("-D") || text.starts_with("--chdir");
        }
        if is_text {
            let text = argv.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
            let text = Word { text, dynamic: argv.iter().any(|w| w.dynamic), ..Word::default() };
            return Unwrapped { argv: vec![Word::plain("sh"), Word::plain("-c"), text], assigned, moved, remote };
        }
    }
    Unwrapped { argv, assigned, moved, remote }
}

/// Whether a command begins with a wrapper's names.
fn is_named(wrapper: &Wrapper, argv: &[Word]) -> bool {
    argv.len() >= wrapper.name.len() && wrapper.name[1..].iter().zip(&argv[1..]).all(|(name, word)| word.text == *name)
}

/// How many words of a wrapper come before the command, and which of them is its operand.
fn skipped(wrapper: &Wrapper, words: &[Word]) -> (usize, Option<usize>) {
    let mut at = 0;
    let mut operands = wrapper.operands;
    let mut operand = None;
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
        } else if matches!(wrapper.name[0], "env" | "sudo") && is_assignment(text) {
            continue;
        } else if operands > 0 {
            operands -= 1;
            operand = Some(at - 1);
        } else {
            return (at - 1, operand);
        }
    }
    ((at + operands).min(words.len()), operand)
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
