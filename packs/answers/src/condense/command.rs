//! Signs in a command's words that its output is to be left alone. A guess by the words, not a reading: the core's
//! intents say what a command does. Doubt leaves the output alone.

/// Options with which a command bounds its own output.
const BOUNDS: &[&str] = &[
    "--first",
    "--head",
    "--last",
    "--limit",
    "--lines",
    "--max-count",
    "--max-results",
    "--tail",
    "--top",
    "-First",
    "-Head",
    "-Last",
    "-Tail",
    "-TotalCount",
];

/// Programs that hand on a part of what comes in.
const CUTTERS: &[&str] = &["awk", "gawk", "head", "sed", "select", "select-object", "tail"];

/// Programs that a person talks to.
const INTERACTIVE: &[&str] =
    &["emacs", "expect", "htop", "nano", "nvim", "screen", "script", "tmux", "top", "vi", "vim", "watch"];

/// Options that ask a person.
const ASKING: &[&str] = &["--interactive", "--patch", "-it", "-ti"];

/// The commands of a text, each with its words and whether it takes in another's output.
pub struct Words(Vec<(bool, Vec<String>)>);

impl Words {
    pub fn of(text: &str) -> Words {
        let mut commands = vec![(false, Vec::new())];
        let mut word = String::new();
        let mut chars = text.chars().peekable();
        let mut quote = None;
        let end = |word: &mut String, commands: &mut Vec<(bool, Vec<String>)>| {
            if !word.is_empty()
                && let Some((_, words)) = commands.last_mut()
            {
                words.push(std::mem::take(word));
            }
        };
        while let Some(c) = chars.next() {
            match (c, quote) {
                (c, Some(open)) if c == open => quote = None,
                ('\\', None | Some('"')) => word.extend(chars.next()),
                (c, Some(_)) => word.push(c),
                ('"' | '\'', None) => quote = Some(c),
                ('|' | ';' | '&' | '\n' | '(' | ')', None) => {
                    end(&mut word, &mut commands);
                    let is_pipe = c == '|' && chars.next_if_eq(&'|').is_none();
                    commands.push((is_pipe, Vec::new()));
                }
                (c, None) if c.is_whitespace() => end(&mut word, &mut commands),
                (c, None) => word.push(c),
            }
        }
        end(&mut word, &mut commands);
        Words(commands)
    }

    /// Whether a command bounds its own output.
    pub fn is_bounded(&self) -> bool {
        self.0.iter().any(|(is_fed, words)| {
            let Some(program) = words.first() else { return false };
            let program = name(program);
            let is_figure = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
            // `ls -1` and `xargs -0` bound nothing.
            let is_count = |word: &str| is_figure(word) && !matches!(word, "0" | "1");
            let has_count = words.windows(2).any(|pair| pair[0] == "-n" && is_figure(&pair[1]))
                || words.iter().any(|w| w.strip_prefix('-').is_some_and(is_count));
            let has_bound = words.iter().any(|w| BOUNDS.contains(&w.split('=').next().unwrap_or(w)));
            matches!(program, "head" | "tail") || *is_fed && CUTTERS.contains(&program) || has_count || has_bound
        })
    }

    pub fn is_interactive(&self) -> bool {
        self.0.iter().any(|(_, words)| {
            let program = words.first().map_or("", |word| name(word));
            let asks = words.iter().any(|w| ASKING.contains(&w.as_str()));
            let asks_git = program == "git"
                && words
                    .get(1)
                    .is_some_and(|w| matches!(w.as_str(), "add" | "checkout" | "rebase" | "reset" | "stash"))
                && words.iter().any(|w| w == "-i" || w == "-p");
            INTERACTIVE.contains(&program) || asks || asks_git
        })
    }

    /// Whether it is a diff of the files as they are now.
    pub fn is_diff_of_worktree(&self) -> bool {
        let words: Vec<&String> = self.0.iter().flat_map(|(_, words)| words).collect();
        let staged = ["--cached", "--staged", "-R"];
        matches!(words.as_slice(), [git, diff, rest @ ..]
            if *git == "git" && *diff == "diff" && rest.iter().all(|w| w.starts_with('-') && !staged.contains(&w.as_str())))
    }

    /// Whether one of the words is this path or a folder of it.
    pub fn name_path(&self, path: &str) -> bool {
        let words = self.0.iter().flat_map(|(_, words)| words);
        words.map(|word| word.trim_start_matches("./").trim_end_matches('/')).any(|word| {
            let rest = path.strip_prefix(word).or_else(|| path.strip_suffix(word));
            !word.is_empty()
                && word.len() > 1
                && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || rest.ends_with('/'))
        })
    }

    pub fn starts_with(&self, program: &str) -> bool {
        self.0.iter().any(|(_, words)| words.first().is_some_and(|word| name(word) == program))
    }
}

/// A program's name without its folder.
fn name(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_seen_where_they_stand_as_words() {
        for bounded in [
            "docker logs app | tail -200",
            "journalctl -n 500",
            "kubectl logs pod --tail=400",
            "head -c 40000 a.rs",
            "make 2>&1 | sed -n 1,80p",
            "gh run list --limit 30",
        ] {
            assert!(Words::of(bounded).is_bounded(), "{bounded}");
        }
        for open in ["grep -rn 'a | head' src", "grep -rn \"head\\|tail\" .", "cargo build", "git log || head_of"] {
            assert!(!Words::of(open).is_bounded(), "{open}");
        }
    }

    #[test]
    fn a_diff_of_the_files_as_they_are() {
        assert!(Words::of("git diff -w").is_diff_of_worktree());
        for other in ["git diff HEAD~2", "git diff --cached", "git show", "git diff; git log"] {
            assert!(!Words::of(other).is_diff_of_worktree(), "{other}");
        }
    }

    #[test]
    fn a_folder_names_what_lies_in_it() {
        let words = Words::of("git diff main src/");
        assert!(words.name_path("src/a.rs"));
        assert!(!words.name_path("tests/src.rs"));
    }
}
