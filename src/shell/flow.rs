//! Flow: which commands a tree holds, in order, and where the output of each goes.

use std::collections::HashMap;
use std::rc::Rc;

use super::tree::Node;
use super::words::{Variables, belongs, elements, set_elements, word, words};
use super::wrappers::{self, Nested};
use super::{Command, Many, Script, Sink, Stage, Stdin, Word, parse};

/// How deep a tree or shells in shells are followed; beyond that a part is unread. Far above what people write, and
/// far below what the stack of a wasm instance holds.
const MAX_DEPTH: usize = 120;
const MAX_SHELLS: usize = 3;
/// Values of a `for` loop that are followed one by one.
const MAX_LOOP_VALUES: usize = 20;
/// A folder that `cd`s lead to, in bytes; beyond that only the shell knows it.
const MAX_FOLDER: usize = 1_000;
/// Stages of one pipeline; beyond that it is unread.
const MAX_STAGES: usize = 64;

/// A text of Python that is looked at, in bytes; one that only prints a file is short.
const MAX_PYTHON: usize = 1_000;

/// What a part of a tree inherits from around it.
#[derive(Clone)]
pub struct Context {
    dir: Option<String>,
    downstream: Vec<Stage>,
    sink: Sink,
    stdin: Stdin,
    variables: Rc<Variables>,
    /// How it was before the statement around it, where that has parts that may not run.
    before: Option<Rc<Standing>>,
    upstream: Option<Stage>,
    remote: Option<String>,
    output: Option<Word>,
    /// Something else runs if this fails.
    has_alternative: bool,
    is_conditional: bool,
    depth: usize,
    shells: usize,
}

/// Where a shell stands: its folder and its variables.
struct Standing {
    dir: Option<String>,
    variables: Rc<Variables>,
}

impl Context {
    fn standing(&self) -> Standing {
        Standing { dir: self.dir.clone(), variables: Rc::clone(&self.variables) }
    }
}

impl Default for Context {
    fn default() -> Context {
        Context {
            dir: Some(String::new()),
            downstream: Vec::new(),
            sink: Sink::Model,
            stdin: Stdin::Inherited,
            variables: Rc::default(),
            before: None,
            upstream: None,
            remote: None,
            output: None,
            has_alternative: false,
            is_conditional: false,
            depth: 0,
            shells: 0,
        }
    }
}

/// Reads `text` and adds its commands to `script`.
pub fn read_into(text: &str, mut context: Context, script: &mut Script, fuel: &mut parse::Fuel) {
    match parse::parse(text, fuel) {
        Some(tree) => {
            Reader { source: text, script, fuel, functions: HashMap::new() }.statement(tree.root(), &mut context);
            // An error may sit where no statement is looked for, as in a second here-document.
            if tree.has_error && script.unread.is_empty() {
                script.unread.push("a part".to_string());
            }
        }
        None => script.out_of_fuel = true,
    }
}

struct Reader<'a, 'tree> {
    source: &'a str,
    script: &'a mut Script,
    /// Bodies of the functions that the text defines, walked where they are called.
    functions: HashMap<String, Node<'tree>>,
    fuel: &'a mut parse::Fuel,
}

impl<'a, 'tree> Reader<'a, 'tree> {
    fn text(&self, node: Node) -> &'a str {
        &self.source[node.byte_range()]
    }

    fn unread(&mut self, node: Node<'tree>) {
        let text: String = self.text(node).chars().take(200).collect();
        self.script.unread.push(text);
    }

    /// One statement, or anything that holds statements.
    fn statement(&mut self, node: Node<'tree>, context: &mut Context) {
        // A statement costs more than a node: its context is copied.
        if !self.fuel.burn(10) {
            self.script.out_of_fuel = true;
            return;
        }
        if context.depth >= MAX_DEPTH {
            return self.unread(node);
        }
        context.depth += 1;
        let kind = node.kind();
        // What one branch changes, the next does not see.
        if matches!(kind, "elif_clause" | "else_clause" | "case_item")
            && let Some(before) = context.before.clone()
        {
            doubt_changes(&before, context);
        }
        let may_not_run = matches!(kind, "if_statement" | "case_statement" | "c_style_for_statement");
        let outer = may_not_run.then(|| context.before.replace(Rc::new(context.standing())));
        match kind {
            "command" => self.command(node, context, &[]),
            "pipeline" => {
                let stages: Vec<Node> = node.named_children().filter(|n| n.kind() != "comment").collect();
                self.pipeline(&stages, context);
            }
            "redirected_statement" => self.redirected(node, context),
            "subshell" => {
                let mut inner = context.clone();
                self.children(node, &mut inner);
            }
            "for_statement" => self.for_statement(node, context),
            "variable_assignment" => self.assignment(node, context),
            "declaration_command" | "variable_assignments" => {
                for child in node.children() {
                    match child.kind() {
                        "variable_assignment" => self.assignment(child, context),
                        _ => self.substitutions(child, context, Sink::Captured),
                    }
                }
            }
            // A function's body runs when it is called; its name may be a program's.
            "function_definition" => {
                if let (Some(name), Some(body)) = (node.child("name"), node.child("body")) {
                    let name = self.text(name).to_string();
                    self.script.redefined.push(name.clone());
                    // Each call of a redirected one is redirected too.
                    if !node.children().any(|part| part.kind().ends_with("_redirect")) {
                        self.functions.insert(name, body);
                    }
                }
            }
            "list" => {
                let mut sure = None;
                self.list(node, context, &mut sure);
                if let Some(sure) = sure {
                    doubt_changes(&sure, context);
                }
            }
            "if_statement" => {
                let was_conditional = std::mem::replace(&mut context.is_conditional, true);
                self.children(node, context);
                context.is_conditional = was_conditional;
            }
            "c_style_for_statement" => self.counting_loop(node, context),
            "while_statement" => self.while_statement(node, context),
            "test_command" => self.substitutions(node, context, Sink::Captured),
            "unset_command" => {
                self.substitutions(node, context, Sink::Captured);
                for child in node.named_children() {
                    let name = word(child, self.source, &context.variables);
                    forget(&name.text, context);
                }
            }
            "compound_statement" if self.text(node).starts_with("((") => {
                self.count(node, context);
                self.children(node, context);
            }
            "case_item" => {
                for child in node.children() {
                    if is_statement(child) && child.kind() != "word" {
                        self.statement(child, context);
                    }
                }
            }
            "ERROR" => {
                self.unread(node);
                self.children(node, context);
            }
            // Reached as a part of a test, an arithmetic expression or a `case`: the shell looks at it, nobody else.
            "command_substitution" | "process_substitution" => self.substitutions(node, context, Sink::Captured),
            "comment" | "heredoc_body" | "heredoc_content" => {}
            _ if node.is_missing() => self.unread(node),
            _ => self.children(node, context),
        }
        if let Some(outer) = outer
            && let Some(before) = std::mem::replace(&mut context.before, outer)
        {
            doubt_changes(&before, context);
        }
        context.depth -= 1;
    }

    /// `a && b`, `a || b`; of three parts the first two are a list of their own. Where the first leaves the shell is
    /// `sure`, whatever becomes of the others.
    fn list(&mut self, node: Node<'tree>, context: &mut Context, sure: &mut Option<Standing>) {
        if context.depth >= MAX_DEPTH {
            return self.unread(node);
        }
        context.depth += 1;
        let (had, was_conditional) = (context.has_alternative, context.is_conditional);
        let parts: Vec<Node> = node.children().collect();
        for (i, &child) in parts.iter().enumerate() {
            if child.is_missing() {
                self.unread(node);
            } else if child.is_named() {
                // `|| true` only keeps the shell from stopping.
                let is_or = parts.get(i + 1).is_some_and(|next| next.kind() == "||");
                let other = parts[i + 1..].iter().find(|part| is_or && part.is_named() && !part.is_missing());
                context.has_alternative = had || other.is_some_and(|n| !matches!(self.text(*n), "true" | ":"));
                if i == 0 && child.kind() == "list" {
                    self.list(child, context, sure);
                } else {
                    self.statement(child, context);
                }
                sure.get_or_insert_with(|| context.standing());
                // `cd x && cat f` shows f wherever x is.
                let is_cd = self.text(child).starts_with("cd ");
                context.is_conditional |= !is_cd;
            }
        }
        (context.has_alternative, context.is_conditional) = (had, was_conditional);
        context.depth -= 1;
    }

    /// Arithmetic: any name in it may get another value.
    fn count(&self, node: Node<'tree>, context: &mut Context) {
        let mut rest = self.text(node);
        while !rest.is_empty() {
            let name = forget(rest, context);
            rest = rest[name..].trim_start_matches(|c| !is_of_name(c));
        }
    }

    /// `for ((i = 0; i < 3; i++)); do ...; done`.
    fn counting_loop(&mut self, node: Node<'tree>, context: &mut Context) {
        let body = node.child("body").map(|body| body.byte_range());
        for part in node.named_children() {
            if Some(part.byte_range()) == body {
                self.statement(part, context);
            } else {
                self.count(part, context);
                self.substitutions(part, context, Sink::Captured);
            }
        }
    }

    /// `while read f; do ...; done < list`: its variable is one line after the other.
    fn while_statement(&mut self, node: Node<'tree>, context: &mut Context) {
        let condition = node.child("condition").filter(|n| n.kind() == "command");
        let source = match (&context.stdin, &context.upstream) {
            (Stdin::File(file), _) if file.is_known() => Some(Many::Lines(file.text.clone())),
            (Stdin::Pipe, Some(stage)) => Some(Many::Output(stage.clone())),
            _ => None,
        };
        if let (Some(condition), Some(source)) = (condition, source) {
            let argv = self.argv_of(condition, context);
            if argv.first().is_some_and(|w| w.text == "read")
                && let Some(name) = argv.last().filter(|w| argv.len() > 1 && !w.text.starts_with('-'))
            {
                let line = Word::each(format!("${}", name.text), source);
                Rc::make_mut(&mut context.variables).insert(name.text.clone(), line);
            }
        }
        // What the loop reads, its body does not see.
        let mut inner = context.clone();
        inner.stdin = Stdin::Inherited;
        inner.upstream = None;
        self.children(node, &mut inner);
        doubt_changes(&inner.standing(), context);
    }

    fn children(&mut self, node: Node<'tree>, context: &mut Context) {
        for child in node.children() {
            if child.is_missing() {
                // A here-document at the end of a text needs no closing line; the tree has a missing node then.
                if child.kind() != "heredoc_end" {
                    self.unread(node);
                }
            } else if child.is_named() {
                self.statement(child, context);
            }
        }
    }

    /// Stages of a pipeline, each with what comes behind it.
    fn pipeline(&mut self, stages: &[Node<'tree>], context: &mut Context) {
        if stages.len() > MAX_STAGES {
            return self.unread(stages[0]);
        }
        let behind: Vec<Stage> = stages.iter().map(|stage| self.argv_of(*stage, context)).collect();
        for (i, stage) in stages.iter().enumerate() {
            let mut inner = context.clone();
            inner.downstream.splice(0..0, behind[i + 1..].iter().cloned());
            if i > 0 {
                inner.stdin = Stdin::Pipe;
                inner.upstream = Some(behind[i - 1].clone());
            }
            self.statement(*stage, &mut inner);
        }
    }

    /// The words of a stage, wrappers off; empty for a group.
    fn argv_of(&self, stage: Node<'tree>, context: &Context) -> Stage {
        let command = match stage.kind() {
            "redirected_statement" => stage.child("body").filter(|body| body.kind() == "command"),
            "command" => Some(stage),
            _ => None,
        };
        let Some(command) = command else {
            return Rc::default();
        };
        let argv = command
            .children()
            .filter(|n| {
                n.is_named() && !matches!(n.kind(), "variable_assignment" | "file_redirect" | "herestring_redirect")
            })
            .map(|n| word(n, self.source, &context.variables))
            .collect();
        wrappers::unwrapped(argv).argv.into()
    }

    /// A statement with redirections. The tree puts those behind a list or pipeline around the whole of it, while
    /// they belong to its last command.
    fn redirected(&mut self, node: Node<'tree>, context: &mut Context) {
        let redirects: Vec<Node> = node.children().filter(|n| n.kind().ends_with("_redirect")).collect();
        match node.child("body") {
            Some(body) => self.with_redirects(body, &redirects, context),
            None => {
                for redirect in redirects {
                    self.substitutions(redirect, context, Sink::Captured);
                }
            }
        }
    }

    fn with_redirects(&mut self, body: Node<'tree>, redirects: &[Node<'tree>], context: &mut Context) {
        match body.kind() {
            "list" | "negated_command" => {
                let parts: Vec<Node> = body.named_children().collect();
                if let Some((last, before)) = parts.split_last() {
                    for part in before {
                        self.statement(*part, context);
                    }
                    self.with_redirects(*last, redirects, context);
                }
            }
            "command" => self.command(body, context, redirects),
            _ => {
                let mut inner = context.clone();
                let effect = self.redirections(redirects, context);
                effect.apply(&mut inner);
                if body.kind() == "pipeline" {
                    // Only the last stage is redirected; its output is the pipeline's.
                    inner.stdin = context.stdin.clone();
                }
                self.statement(body, &mut inner);
                context.dir = inner.dir;
                context.variables = inner.variables;
                self.behind_heredocs(redirects, context);
            }
        }
    }

    fn command(&mut self, node: Node<'tree>, context: &mut Context, outer_redirects: &[Node<'tree>]) {
        let mut argv = Vec::new();
        let mut assigned = Vec::new();
        let mut redirects: Vec<Node> = Vec::new();
        for child in node.children() {
            match child.kind() {
                "variable_assignment" => {
                    if let (Some(name), Some(value)) = (child.child("name"), child.child("value")) {
                        let value = word(value, self.source, &context.variables);
                        assigned.push((self.text(name).to_string(), value.text));
                    }
                }
                "file_redirect" | "herestring_redirect" => redirects.push(child),
                _ => argv.extend(words(child, self.source, &context.variables)),
            }
        }
        // `> file cmd` puts words of the command behind its redirections.
        redirects.extend_from_slice(outer_redirects);
        let mut inner = context.clone();
        self.redirections(&redirects, context).apply(&mut inner);
        let piped_out = heredoc_pipeline(&redirects).is_some();
        if let Some(stages) = heredoc_pipeline(&redirects) {
            let behind: Vec<Stage> = stages.iter().map(|stage| self.argv_of(*stage, context)).collect();
            inner.downstream = behind.into_iter().chain(inner.downstream).collect();
        }
        let wrappers::Unwrapped { mut argv, assigned: by_wrappers, moved, remote } = wrappers::unwrapped(argv);
        assigned.extend(by_wrappers);
        if remote.is_some() {
            inner.remote = remote;
            inner.dir = Some(String::new());
        }
        let body = argv.first().and_then(|w| self.functions.get(&w.text)).copied();
        if let Some(body) = body {
            let after = self.call(body, &argv[1..], inner);
            return doubt_changes(&after, context);
        }
        let tried = context.has_alternative && redirects.iter().any(|r| self.throws_errors_away(*r));
        let shows_words = argv.first().is_some_and(|w| matches!(w.text.as_str(), "echo" | "printf"))
            && argv.get(1).is_none_or(|w| w.text != "-v");
        match argv.first().map(|w| w.text.as_str()) {
            // These give values to the variables that they name.
            Some("getopts" | "let" | "mapfile" | "read" | "readarray") => {
                for word in &argv[1..] {
                    // The variable of a loop was given its source already.
                    if context.variables.get(&word.text).is_none_or(|value| value.many.is_none()) {
                        forget(&word.text, context);
                    }
                }
            }
            Some("printf") if !shows_words => {
                forget(argv.get(2).map_or("", |word| &word.text), context);
            }
            // What it sets nobody sees here.
            Some("." | "eval" | "source") => context.variables = Rc::default(),
            // Everything after it goes elsewhere.
            Some("exec") => self.script.unread.push("exec with redirections".to_string()),
            Some("alias") => self
                .script
                .redefined
                .extend(argv[1..].iter().map(|w| w.text.split('=').next().unwrap_or("").to_string())),
            _ => {}
        }
        if let Some(text) = self.python_text(&argv, &inner, &redirects) {
            argv.truncate(1);
            argv.extend([Word::plain("-c"), text]);
        }
        let nested = wrappers::nested(&argv);
        let changes_dir = argv.first().is_some_and(|w| matches!(w.text.as_str(), "cd" | "popd" | "pushd"));
        let target = argv.get(1).cloned();
        let command = Command {
            argv,
            assigned,
            stdin: inner.stdin.clone(),
            dir: inner.dir.clone().filter(|_| !moved),
            downstream: inner.downstream.clone(),
            sink: inner.sink,
            upstream: inner.upstream.clone(),
            remote: inner.remote.clone(),
            output: inner.output.clone(),
            conditional: inner.is_conditional,
            tried,
        };
        if !command.argv.is_empty() {
            self.script.commands.push(command);
        }
        if changes_dir {
            context.dir = target.filter(Word::is_known).and_then(|to| folder_after(context.dir.as_deref()?, &to.text));
        }
        match nested {
            Nested::Text(Some(text)) => self.shell(&text, &inner),
            Nested::Text(None) => self.script.unread.push("shell text".to_string()),
            Nested::Stdin if inner.stdin == Stdin::Pipe => match inner.upstream.as_deref().map(printed) {
                Some(Some(text)) => self.shell(&text, &inner),
                _ => self.script.unread.push("shell text".to_string()),
            },
            Nested::Stdin => {
                let body = redirects.iter().filter(|r| r.kind() == "heredoc_redirect").find_map(|r| heredoc_body(*r));
                if let Some(body) = body {
                    let text = self.text(body).to_string();
                    self.shell(&text, &inner);
                }
            }
            Nested::No => {}
        }
        if piped_out || !redirects.is_empty() {
            self.behind_heredocs(&redirects, context);
        }
        // `echo $(cat f)` shows what it captured; any other command only takes it, or gets it as its input.
        let mut captured = inner;
        captured.stdin = Stdin::Inherited;
        captured.upstream = None;
        let sink = if shows_words { captured.sink } else { Sink::Captured };
        for child in node.children().chain(outer_redirects.iter().copied()) {
            match child.kind() {
                "herestring_redirect" => {
                    let mut taken = captured.clone();
                    taken.downstream.insert(0, self.argv_of(node, context));
                    self.substitutions(child, &taken, taken.sink);
                }
                _ => self.substitutions(child, &captured, sink),
            }
        }
    }

    /// The short text that a Python gets as a here-document, as `-c` would give it.
    fn python_text(&self, argv: &[Word], context: &Context, redirects: &[Node<'tree>]) -> Option<Word> {
        let is_python = matches!(argv.first().map(wrappers::program), Some("python" | "python3"));
        let reads_stdin = argv.len() == 1 || argv.len() == 2 && argv[1].text == "-";
        if !is_python || !reads_stdin || context.stdin != Stdin::Text {
            return None;
        }
        let text = self.text(redirects.iter().find_map(|redirect| heredoc_body(*redirect))?);
        let dynamic = text.contains(['$', '`', '\\']);
        (text.len() <= MAX_PYTHON).then(|| Word { dynamic, ..Word::plain(text) })
    }

    /// A function of the text is called; gives where it leaves the shell.
    fn call(&mut self, body: Node<'tree>, words: &[Word], mut context: Context) -> Standing {
        let variables = Rc::make_mut(&mut context.variables);
        for (i, word) in words.iter().enumerate().take(9) {
            variables.insert((i + 1).to_string(), word.clone());
        }
        if let [only] = words {
            variables.insert("@".to_string(), only.clone());
            variables.insert("*".to_string(), only.clone());
        }
        self.statement(body, &mut context);
        context.standing()
    }

    fn throws_errors_away(&self, redirect: Node) -> bool {
        let text = self.text(redirect);
        (text.starts_with("2>") || text.starts_with("&>")) && text.ends_with("/dev/null")
    }

    /// A text that another shell runs.
    fn shell(&mut self, text: &str, context: &Context) {
        if context.shells >= MAX_SHELLS {
            return self.script.unread.push("a shell in a shell".to_string());
        }
        let mut inner = context.clone();
        inner.shells += 1;
        inner.stdin = Stdin::Inherited;
        inner.upstream = None;
        read_into(text, inner, self.script, self.fuel);
    }

    /// What a here-document's line holds behind the marker: `cat <<EOF | grep x && ls`.
    fn behind_heredocs(&mut self, redirects: &[Node<'tree>], context: &mut Context) {
        for redirect in redirects.iter().filter(|r| r.kind() == "heredoc_redirect") {
            for child in redirect.children() {
                match child.kind() {
                    "pipeline" => {
                        let stages = pipeline_stages(child);
                        let mut piped = context.clone();
                        piped.stdin = Stdin::Pipe;
                        self.pipeline_behind(&stages, &mut piped);
                        // The tree hangs `&& more` into the pipeline.
                        for rest in behind_first(child) {
                            self.statement(rest, context);
                        }
                    }
                    _ if is_statement(child) => self.statement(child, context),
                    _ => {}
                }
            }
        }
    }

    fn pipeline_behind(&mut self, stages: &[Node<'tree>], context: &mut Context) {
        let behind: Vec<Stage> = stages.iter().map(|stage| self.argv_of(*stage, context)).collect();
        for (i, stage) in stages.iter().enumerate() {
            let mut inner = context.clone();
            inner.downstream = behind[i + 1..].iter().cloned().chain(context.downstream.iter().cloned()).collect();
            self.statement(*stage, &mut inner);
        }
    }

    fn for_statement(&mut self, node: Node<'tree>, context: &mut Context) {
        let values: Vec<Node> = node.children_in("value").collect();
        for value in &values {
            self.substitutions(*value, context, Sink::Captured);
        }
        let words: Vec<Word> = values.iter().flat_map(|v| words(*v, self.source, &context.variables)).collect();
        let (Some(variable), Some(body)) = (node.child("variable"), node.child("body")) else {
            return self.children(node, context);
        };
        let name = self.text(variable).to_string();
        let was_conditional = context.is_conditional;
        context.is_conditional |= self.text(body).split(|c: char| !c.is_alphanumeric()).any(|word| word == "break");
        let each = words.len() <= MAX_LOOP_VALUES && words.iter().all(|w| !w.dynamic) && !words.is_empty();
        if !each {
            match words.as_slice() {
                [Word { text, many: Some(many), .. }] => {
                    let word = Word::each(text.clone(), many.clone());
                    Rc::make_mut(&mut context.variables).insert(name, word);
                }
                _ => {
                    forget(&name, context);
                }
            }
            let before = context.standing();
            self.statement(body, context);
            doubt_changes(&before, context);
            context.is_conditional = was_conditional;
            return;
        }
        for value in words {
            // Quotes around the variable keep a glob from the shell, but it was expanded before.
            let value = if value.glob { Word::each(value.text.clone(), Many::Glob(value.text)) } else { value };
            Rc::make_mut(&mut context.variables).insert(name.clone(), value);
            self.statement(body, context);
        }
        context.is_conditional = was_conditional;
    }

    fn assignment(&mut self, node: Node<'tree>, context: &mut Context) {
        let Some(name) = node.child("name") else {
            return;
        };
        let name = self.text(name).to_string();
        if name.starts_with("GIT_") {
            // Git may look at another repository.
            self.script.redefined.push("git".to_string());
        }
        let is_more = self.text(node).contains("+=");
        match node.child("value") {
            Some(value) if value.kind() == "array" => {
                self.substitutions(value, context, Sink::Captured);
                let held: Vec<Word> =
                    value.named_children().flat_map(|n| words(n, self.source, &context.variables)).collect();
                let variables = Rc::make_mut(&mut context.variables);
                let before = if is_more { elements(&name, variables) } else { Some(Vec::new()) };
                // `[1]=x` stands where it says.
                let is_placed = held.iter().any(|word| word.text.starts_with('[') && word.text.contains("]="));
                let all = before.filter(|_| !is_placed).map(|before| [before, held].concat()).unwrap_or_default();
                set_elements(&name, all, variables);
            }
            Some(value) => {
                self.substitutions(value, context, Sink::Captured);
                let value = word(value, self.source, &context.variables);
                let is_unknown = value.dynamic && value.many.is_none() || is_more || name.contains('$');
                // Of an array that gets one more only that one is known.
                if is_unknown || name.contains('[') && !context.variables.contains_key(&name) {
                    forget(&name, context);
                }
                if !is_unknown {
                    Rc::make_mut(&mut context.variables).insert(name, value);
                }
            }
            None => {
                Rc::make_mut(&mut context.variables).insert(name, Word::plain(""));
            }
        }
    }

    /// The commands inside a word: `$(…)`, backticks, `<(…)`. Their output goes to `sink`.
    fn substitutions(&mut self, node: Node<'tree>, context: &Context, sink: Sink) {
        // Most words have none, and a context is dear to copy.
        if !may_substitute(self.text(node)) {
            return;
        }
        let mut inner = context.clone();
        if sink == Sink::Captured {
            inner.downstream.clear();
        }
        inner.sink = sink;
        self.find_substitutions(node, &inner, 0);
    }

    fn find_substitutions(&mut self, node: Node<'tree>, context: &Context, depth: usize) {
        if !self.fuel.burn(1) {
            self.script.out_of_fuel = true;
            return;
        }
        match node.kind() {
            "command_substitution" | "process_substitution" => {
                let mut inner = context.clone();
                inner.depth += 1;
                if node.kind() == "process_substitution" {
                    inner.sink = Sink::Captured;
                    inner.downstream.clear();
                }
                self.children(node, &mut inner);
            }
            "heredoc_redirect" => {
                if let Some(body) = heredoc_body(node) {
                    let mut inner = context.clone();
                    inner.sink = Sink::Captured;
                    inner.downstream.clear();
                    self.find_substitutions(body, &inner, depth + 1);
                }
            }
            _ if depth > MAX_DEPTH => self.unread(node),
            _ => {
                for child in node.children() {
                    self.find_substitutions(child, context, depth + 1);
                }
            }
        }
    }

    /// What redirections do to standard input and output.
    fn redirections(&self, redirects: &[Node<'tree>], context: &Context) -> Redirection {
        let mut effect = Redirection { output: None, stdin: None, file: false };
        for redirect in redirects {
            match redirect.kind() {
                "heredoc_redirect" => {
                    effect.stdin = Some(Stdin::Text);
                    for inner in redirect.children().filter(|n| n.kind() == "file_redirect") {
                        self.file_redirect(inner, context, &mut effect);
                    }
                }
                "herestring_redirect" => effect.stdin = Some(Stdin::Text),
                "file_redirect" => self.file_redirect(*redirect, context, &mut effect),
                _ => {}
            }
        }
        effect
    }

    fn file_redirect(&self, node: Node<'tree>, context: &Context, effect: &mut Redirection) {
        let descriptor = node.child("descriptor").map(|d| self.text(d));
        let operator = node.children().find(|n| !n.is_named()).map(|n| self.text(n)).unwrap_or("");
        let Some(destination) = node.child("destination") else {
            return;
        };
        let destination = word(destination, self.source, &context.variables);
        match operator {
            "<" if descriptor.is_none_or(|d| d == "0") => effect.stdin = Some(Stdin::File(destination)),
            ">" | ">>" | ">|" | "&>" | "&>>" if operator.starts_with('&') || descriptor.is_none_or(|d| d == "1") => {
                effect.file = !is_screen(&destination.text);
                effect.output = Some(destination);
            }
            ">&" if descriptor.is_none_or(|d| d == "1") => {
                // `>&2` still reaches the model; a file, or a descriptor that was opened for one, does not.
                effect.file = !matches!(destination.text.as_str(), "1" | "2");
            }
            _ => {}
        }
    }
}

/// The variable that a text begins with is not known any more, of an element the whole array; gives how long its name is.
fn forget(text: &str, context: &mut Context) -> usize {
    let length = text.find(|c| !is_of_name(c)).unwrap_or(text.len());
    let name = &text[..length];
    if length > 0 && context.variables.keys().any(|key| belongs(key, name)) {
        set_elements(name, Vec::new(), Rc::make_mut(&mut context.variables));
    }
    length
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What is not the same as in `other` is not known any more.
fn doubt_changes(other: &Standing, context: &mut Context) {
    if context.dir != other.dir {
        context.dir = None;
    }
    if !Rc::ptr_eq(&other.variables, &context.variables) {
        Rc::make_mut(&mut context.variables).retain(|name, value| other.variables.get(name) == Some(value));
    }
}

/// What `echo` or `printf` prints, where that is known.
fn printed(stage: &[Word]) -> Option<String> {
    let (name, words) = stage.split_first()?;
    if !matches!(name.text.as_str(), "echo" | "printf") || words.iter().any(|w| !w.is_known()) {
        return None;
    }
    let plain = |w: &&Word| !w.text.starts_with('-') && (name.text == "echo" || !w.text.contains('%'));
    Some(words.iter().filter(plain).map(|w| w.text.as_str()).collect::<Vec<_>>().join(" "))
}

struct Redirection {
    /// The file of standard output.
    output: Option<Word>,
    stdin: Option<Stdin>,
    /// Standard output goes into a file.
    file: bool,
}

impl Redirection {
    fn apply(self, context: &mut Context) {
        if let Some(stdin) = self.stdin {
            context.stdin = stdin;
        }
        if self.file {
            context.output = self.output;
            context.sink = Sink::File;
            context.downstream.clear();
        }
    }
}

/// Whether a text has the sign of a substitution or an expansion somewhere.
fn may_substitute(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.contains(&b'`') || bytes.windows(2).any(|pair| matches!(pair, b"$(" | b"<(" | b">(" | b"${"))
}

fn is_screen(path: &str) -> bool {
    matches!(path, "/dev/stdout" | "/dev/stderr" | "/dev/fd/1" | "/dev/fd/2" | "/proc/self/fd/1")
}

fn is_statement(node: Node) -> bool {
    node.is_named()
        && (node.kind().ends_with("_statement")
            || matches!(
                node.kind(),
                "command"
                    | "pipeline"
                    | "list"
                    | "subshell"
                    | "negated_command"
                    | "test_command"
                    | "declaration_command"
                    | "unset_command"
                    | "variable_assignment"
                    | "variable_assignments"
                    | "function_definition"
            ))
}

/// The stages that a here-document's line pipes into.
fn heredoc_pipeline<'a>(redirects: &[Node<'a>]) -> Option<Vec<Node<'a>>> {
    redirects
        .iter()
        .filter(|r| r.kind() == "heredoc_redirect")
        .find_map(|r| r.children().find(|n| n.kind() == "pipeline"))
        .map(pipeline_stages)
}

fn pipeline_stages<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    node.named_children().map(|stage| leftmost(stage)).collect()
}

/// The first command of a list.
fn leftmost<'tree>(mut node: Node<'tree>) -> Node<'tree> {
    while node.kind() == "list"
        && let Some(first) = node.named_children().next()
    {
        node = first;
    }
    node
}

/// What follows the first command in the lists of a here-document's pipeline.
fn behind_first<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    let mut rest = Vec::new();
    for stage in node.named_children() {
        let mut part = stage;
        while part.kind() == "list" {
            let parts: Vec<Node> = part.named_children().collect();
            rest.splice(0..0, parts[1..].iter().copied());
            part = parts[0];
        }
    }
    rest
}

fn heredoc_body<'tree>(node: Node<'tree>) -> Option<Node<'tree>> {
    node.children().find(|n| n.kind() == "heredoc_body")
}

/// The folder after `cd to` in `from`; `None` where only the shell knows it.
fn folder_after(from: &str, to: &str) -> Option<String> {
    if to == "-" || to.starts_with(['~', '+', '-']) {
        return None;
    }
    (from.len() + to.len() < MAX_FOLDER).then(|| joined(from, to))
}

/// `path` seen from `dir`, with `.` and `..` taken out where that needs no file system.
pub fn joined(dir: &str, path: &str) -> String {
    let absolute = path.starts_with('/') || path.get(1..3).is_some_and(|s| s == ":/" || s == ":\\");
    let whole = if absolute || dir.is_empty() { path.to_string() } else { format!("{dir}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            ".." if whole.starts_with('/') => {}
            _ => parts.push(part),
        }
    }
    let body = parts.join("/");
    if whole.starts_with('/') { format!("/{body}") } else { body }
}
