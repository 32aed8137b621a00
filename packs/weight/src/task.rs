//! The state of the work, as a transcript tells it: the goal, what was edited, what failed, what is planned. It is what a
//! compaction may lose, so it is kept up to date line by line.
//!
//! Invariant: of each subject only its last state is kept, and every list has an end. Unlike [`crate::reading`] this holds
//! texts of the session; they go to the person's own folder and back into the same session, as a quotation.

use serde::{Deserialize, Serialize};

use crate::line::{Block, Record, floor, floor_back};
use crate::reading::hash;

const MAX_FILES: usize = 40;
const MAX_ERRORS: usize = 12;
const MAX_TASKS: usize = 40;
const MAX_OPEN: usize = 64;
const GOAL_BYTES: usize = 600;
const LINE_BYTES: usize = 200;
const SAID_BYTES: usize = 4_000;
/// What failed before that is given up.
const STUCK_TURNS: u32 = 10;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Task {
    /// The first prompt and the last one.
    pub began: String,
    pub goal: String,
    /// The latest last.
    pub files: Vec<File>,
    pub errors: Vec<Failure>,
    pub tasks: Vec<Todo>,
    /// The last command that changed the repository's history or branch.
    pub git: String,
    open: Vec<(u64, Act, u32)>,
    /// For [`crate::rubric`], which only judges what was read in one life: edited since the last commit or task that was ticked off; whether
    /// anything was done since the last compaction; the model's last text.
    #[serde(skip)]
    pub is_unit_open: bool,
    #[serde(skip)]
    pub has_progress: bool,
    #[serde(skip)]
    pub said: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct File {
    pub path: String,
    pub action: String,
    pub turn: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    pub subject: String,
    pub said: String,
    pub turn: u32,
    /// A hash of all that the subject names the beginning of.
    key: u64,
    /// In a row.
    #[serde(skip)]
    pub times: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Todo {
    pub id: String,
    pub content: String,
    pub status: String,
}

/// What a call was about, until its result is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Act {
    Change {
        path: String,
        action: String,
    },
    /// Its first line, and the one that changes the repository's history or branch, if any does.
    Command {
        key: u64,
        line: String,
        git: String,
        is_commit: bool,
    },
    NewTask {
        content: String,
    },
}

impl Task {
    /// Takes in one line of the main line; `turn` is the answer that it belongs to.
    pub fn take(&mut self, record: &Record, turn: u32) {
        match record.kind.get() {
            Some("assistant") if record.is_answer() => {
                for block in &record.message.content.blocks {
                    self.call(block, turn);
                    if let Some(text) = block.text.get() {
                        // What matters stands at the end.
                        self.said = text[text.len() - floor_back(text, SAID_BYTES)..].to_string();
                    }
                }
            }
            Some("user") if record.has_results() => {
                for block in &record.message.content.blocks {
                    self.result(block);
                }
            }
            Some("user") if record.is_summary.0 => self.has_progress = false,
            Some("user") if !record.is_meta.0 => self.prompt(record),
            Some("system") if record.is_boundary() => self.has_progress = false,
            _ => {}
        }
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.errors.is_empty() && self.tasks.is_empty() && self.git.is_empty()
    }

    /// True where something has failed twice without success since, and lately.
    pub fn is_stuck(&self, turn: u32) -> bool {
        self.errors.iter().any(|failure| failure.times >= 2 && turn.saturating_sub(failure.turn) <= STUCK_TURNS)
    }

    /// What is not done yet.
    pub fn open_tasks(&self) -> impl Iterator<Item = &Todo> {
        self.tasks.iter().filter(|todo| !matches!(todo.status.as_str(), "completed" | "deleted" | "cancelled"))
    }

    /// Plans that were written or changed in this session, the latest first.
    pub fn plans(&self) -> impl Iterator<Item = &str> {
        let is_plan = |path: &&str| {
            let path = path.to_ascii_lowercase();
            path.ends_with(".md") && path.contains("plan")
        };
        self.files.iter().rev().map(|file| file.path.as_str()).filter(is_plan)
    }

    fn prompt(&mut self, record: &Record) {
        let content = &record.message.content;
        let texts = content.blocks.iter().filter_map(|block| block.text.get()).chain(content.text.get());
        // What the client writes itself stands in brackets of one kind or the other.
        let Some(text) = texts.map(str::trim).find(|text| !text.is_empty() && !text.starts_with(['<', '['])) else {
            return;
        };
        self.said.clear();
        self.goal = brief(text, GOAL_BYTES);
        if self.began.is_empty() {
            self.began = self.goal.clone();
        }
    }

    fn call(&mut self, block: &Block, turn: u32) {
        let (Some("tool_use"), Some(id), Some(tool)) = (block.kind.get(), block.id.get(), block.name.get()) else {
            return;
        };
        let input = &block.input;
        let act = match tool {
            "Edit" | "MultiEdit" | "NotebookEdit" | "Write" => {
                let Some(path) = input.file.get().or(input.notebook.get()) else { return };
                let action = if tool == "Write" { "written" } else { "edited" };
                Act::Change { path: brief(path, LINE_BYTES), action: action.to_string() }
            }
            "Bash" | "PowerShell" => {
                let Some(command) = input.command.get() else { return };
                let first = command.trim_start().lines().next().unwrap_or_default();
                let changes = git_changes(command);
                let is_change = |line: &&str| !git_changes(line).is_empty();
                let git = command.lines().find(is_change).unwrap_or(first);
                Act::Command {
                    key: hash(command),
                    line: brief(first, LINE_BYTES),
                    git: if changes.is_empty() { String::new() } else { brief(git, LINE_BYTES) },
                    is_commit: changes.contains(&"commit"),
                }
            }
            "TodoWrite" => {
                let todo = |(at, todo): (usize, &crate::line::Todo)| Todo {
                    id: at.to_string(),
                    content: brief(todo.content.get().unwrap_or_default(), LINE_BYTES),
                    status: brief(todo.status.get().unwrap_or_default(), 20),
                };
                let before = std::mem::take(&mut self.tasks);
                self.tasks = input.todos.0.iter().take(MAX_TASKS).enumerate().map(todo).collect();
                let was_open = |todo: &&Todo| !before.iter().any(|old| old.content == todo.content && old.is_done());
                if self.tasks.iter().filter(|todo| todo.is_done()).any(|todo| was_open(&todo)) {
                    self.close();
                }
                return;
            }
            "TaskCreate" => Act::NewTask { content: brief(input.subject.get().unwrap_or_default(), LINE_BYTES) },
            "TaskUpdate" => {
                let (Some(id), Some(status)) = (input.task.get(), input.status.get()) else { return };
                if let Some(todo) = self.tasks.iter_mut().find(|todo| todo.id == id) {
                    let was_done = todo.is_done();
                    todo.status = brief(status, 20);
                    if todo.is_done() && !was_done {
                        self.close();
                    }
                }
                return;
            }
            _ => return,
        };
        self.open.push((hash(id), act, turn));
        let over = self.open.len().saturating_sub(MAX_OPEN);
        self.open.drain(..over);
    }

    fn result(&mut self, block: &Block) {
        let Some(id) = block.call.get().map(hash) else { return };
        let Some(at) = self.open.iter().position(|call| call.0 == id) else { return };
        let (_, act, turn) = self.open.remove(at);
        let said = &block.content.head;
        let is_error = block.is_error.0;
        // A refusal is no fault of the work, and nothing was done.
        const REFUSALS: [&str; 4] = ["Permission to use", "The user doesn't want", "<tool_use_error>", "PreToolUse:"];
        if is_error && REFUSALS.iter().any(|start| said.starts_with(start)) {
            return;
        }
        match act {
            Act::Change { path, action } => {
                self.settle(hash(&path), &path, is_error.then_some(said), turn);
                if !is_error {
                    self.files.retain(|file| file.path != path);
                    (self.is_unit_open, self.has_progress) = (true, true);
                    self.files.push(File { path, action, turn });
                    let over = self.files.len().saturating_sub(MAX_FILES);
                    self.files.drain(..over);
                }
            }
            Act::Command { key, line, git, is_commit } => {
                self.settle(key, &line, is_error.then_some(said), turn);
                if is_commit && !is_error {
                    self.close();
                }
                if !git.is_empty() && !is_error {
                    self.git = git;
                }
            }
            Act::NewTask { content } if !is_error => {
                // "Task #3 created successfully"
                let id = said.split('#').nth(1).unwrap_or_default();
                let id: String = id.chars().take_while(char::is_ascii_digit).collect();
                if self.tasks.len() < MAX_TASKS {
                    self.tasks.push(Todo { id, content, status: "pending".to_string() });
                }
            }
            Act::NewTask { .. } => {}
        }
    }

    /// A unit of the work came to its end.
    fn close(&mut self) {
        (self.is_unit_open, self.has_progress) = (false, true);
    }

    /// The last event of a subject is its state.
    fn settle(&mut self, key: u64, subject: &str, said: Option<&String>, turn: u32) {
        let before = self.errors.iter().position(|failure| failure.key == key).map(|at| self.errors.remove(at));
        self.has_progress |= before.is_some() && said.is_none();
        if let Some(said) = said {
            // The code stands first, what went wrong behind it.
            let telling = said.lines().map(str::trim).filter(|line| !line.is_empty());
            let said = telling.take(3).collect::<Vec<_>>().join(" / ");
            let times = 1 + before.map_or(0, |failure| failure.times);
            self.errors.push(Failure {
                subject: subject.to_string(),
                said: brief(&said, LINE_BYTES),
                turn,
                key,
                times,
            });
            let over = self.errors.len().saturating_sub(MAX_ERRORS);
            self.errors.drain(..over);
        }
    }
}

impl Todo {
    fn is_done(&self) -> bool {
        self.status == "completed"
    }
}

/// The commands of git that change the history or the branch, looked for in each line. No shell is read here: a text that is fed in, or
/// quoted over several lines, counts as commands, with which a compaction waits less.
fn git_changes(command: &str) -> Vec<&'static str> {
    command.lines().flat_map(changes_in).collect()
}

fn changes_in(line: &str) -> Vec<&'static str> {
    const CHANGES: [&str; 9] =
        ["commit", "checkout", "switch", "merge", "rebase", "cherry-pick", "revert", "reset", "push"];
    let (mut changes, mut before) = (Vec::new(), "");
    for (at, word) in words(line) {
        // In quotes it is a text, and behind another word an argument.
        let is_quoted = line[..at].matches(['"', '\'']).count() % 2 == 1;
        let is_start = before.is_empty()
            || before.ends_with([';', '&', '|', '('])
            || (before.contains('=') && !before.starts_with('-'))
            || matches!(before, "!" | "command" | "do" | "else" | "env" | "sudo" | "then" | "time" | "{");
        if word == "git" && is_start && !is_quoted {
            let subcommand = subcommand(words(&line[at..]).skip(1).map(|(_, word)| word));
            changes.extend(CHANGES.iter().find(|change| **change == subcommand));
        }
        before = word;
    }
    changes
}

/// The first word that is no option of git's own, and no value of one.
fn subcommand<'a>(mut words: impl Iterator<Item = &'a str>) -> &'a str {
    const WITH_VALUE: [&str; 5] = ["-C", "-c", "--git-dir", "--namespace", "--work-tree"];
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word) {
            words.next();
        } else if !word.starts_with('-') {
            return word.trim_end_matches([';', '&', '|', ')']);
        }
    }
    ""
}

/// Each word with the place where it begins.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(|word| (word.as_ptr() as usize - line.as_ptr() as usize, word))
}

/// On one line, without control characters, and not longer than that.
pub fn brief(text: &str, most: usize) -> String {
    plain(text.trim_start_matches(|c: char| c.is_whitespace() || c.is_control()), most)
}

/// The same with the room in front, which says something in columns.
pub fn plain(text: &str, most: usize) -> String {
    let plain: String = text
        .chars()
        .take(most)
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(
            |c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'),
        )
        .collect();
    let plain = plain.trim_end();
    let end = floor(plain, most);
    if end < plain.len() || text.chars().nth(most).is_some() {
        format!("{}…", &plain[..end])
    } else {
        plain.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_git_command_was_taken_for_a_change_for_any_later_word() {
        for (line, is_change) in [
            ("git commit -m 'Begin'", true),
            ("git log --grep commit", false),
            ("git -C /repo -c user.name=x commit -m y", true),
            ("git -C commit status", false),
            ("git --no-pager push", true),
            ("git stash list && git push;", true),
            ("cd /repo && git switch main", true),
            ("cargo test && echo \"then git push\"", false),
            ("echo git push", false),
            ("GIT_EDITOR=true git rebase --continue", true),
            ("(git reset --hard)", false), // The bracket is a part of the word; a subshell is rare enough.
            ("git", false),
            ("git diff commit..main", false),
            ("legit commit", false),
            ("# Don't wait.\ngit commit -m x", true),
            ("# Next:\n# git commit", false),
            ("cat > a <<'EOF'\nit's\nEOF\ngit commit -m x", true),
        ] {
            assert_eq!(!git_changes(line).is_empty(), is_change, "{line}");
        }
    }

    #[test]
    fn the_columns_of_git_status_keep_their_room_and_other_texts_have_none() {
        assert_eq!((plain(" M a.rs \n", 120).as_str(), brief(" \t M a.rs ", 120).as_str()), (" M a.rs", "M a.rs"));
        assert_eq!((plain(" M abc", 4).as_str(), brief("  abcdef", 4).as_str()), (" M a…", "abcd…"));
    }
}
