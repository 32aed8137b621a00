//! Flow: which commands a tree holds, in order, and where the output of each goes.

use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use crate::parse::{self, Fuel, bare, children, parts};
use crate::script::{Command, JOINT, Script, Sink, Stage, Stdin, Word};
use crate::values::{MAX_VALUES, Value, Variables, known, token, variable_name, word, words};

/// How deep a tree is followed; beyond that a part is unread. Far above what people write, and far below what the stack
/// of a wasm instance holds.
const MAX_DEPTH: usize = 60;
/// Stages of one pipeline; beyond that it is unread.
const MAX_STAGES: usize = 64;
/// Commands of one text, loops run through; a text of more is too much work for everyone behind.
const MAX_COMMANDS: usize = 500;

const FOR_EACH: &[&str] = &["%", "foreach", "foreach-object"];
const MOVES: &[&str] = &["cd", "chdir", "push-location", "pushd", "set-location", "sl"];
/// Statements with parts that may not run, or more than once.
const MAY_NOT_RUN: &[&str] =
    &["do_statement", "for_statement", "if_statement", "switch_statement", "try_statement", "while_statement"];
/// These give values to variables that they name, or take them away.
const SETS_VARIABLES: &[&str] =
    &["clear-variable", "clv", "new-variable", "nv", "remove-variable", "rv", "set", "set-variable", "sv"];
/// The same by an option.
const INTO_VARIABLE: &[&str] = &["-outvariable", "-ov", "-pipelinevariable", "-pv"];
const PRINTS_WORDS: &[&str] =
    &["echo", "out-default", "out-host", "write", "write-host", "write-information", "write-output"];

/// What a part of a tree inherits from around it.
#[derive(Clone)]
struct Context {
    dir: Option<String>,
    downstream: Vec<Stage>,
    sink: Sink,
    stdin: Stdin,
    /// Variables of the environment that were set.
    assigned: Vec<(String, String)>,
    variables: Rc<Variables>,
    /// How it was before the statement around it, one of [`MAY_NOT_RUN`].
    before: Option<Rc<Standing>>,
    depth: usize,
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

    /// What is not the same as in `other` is not known any more.
    fn doubt_changes(&mut self, other: &Standing) {
        if self.dir != other.dir {
            self.dir = None;
        }
        if !Rc::ptr_eq(&other.variables, &self.variables) {
            Rc::make_mut(&mut self.variables).retain(|name, value| other.variables.get(name) == Some(value));
        }
    }

    /// The same where the output is taken by the shell.
    fn captured(&self) -> Context {
        Context { downstream: Vec::new(), sink: Sink::Captured, stdin: Stdin::Inherited, ..self.clone() }
    }

    /// The same where the output runs through one more stage first.
    fn through(&self, stage: &[&str]) -> Context {
        let mut inner = self.clone();
        inner.downstream.insert(0, stage.iter().map(|text| Word::plain(*text)).collect());
        inner
    }
}

/// Reads `text` and adds its commands to `script`.
pub fn read_into(text: &str, script: &mut Script) {
    let Some(tree) = parse::parse(text) else {
        script.out_of_fuel = true;
        return;
    };
    let mut context = Context {
        dir: Some(String::new()),
        downstream: Vec::new(),
        sink: Sink::Model,
        stdin: Stdin::Inherited,
        assigned: Vec::new(),
        variables: Rc::default(),
        before: None,
        depth: 0,
    };
    let mut reader = Reader { source: text, script, fuel: Fuel::default(), forgiven: Vec::new() };
    reader.statement(tree.root_node(), &mut context);
    if tree.root_node().has_error() {
        reader.errors(tree.root_node());
    }
}

struct Reader<'a> {
    source: &'a str,
    script: &'a mut Script,
    fuel: Fuel,
    /// Parts that the grammar could not read, but `values::token` could.
    forgiven: Vec<Range<usize>>,
}

impl<'a> Reader<'a> {
    fn text(&self, node: Node) -> &'a str {
        &self.source[node.byte_range()]
    }

    fn unread(&mut self, text: &str) {
        self.script.unread.push(text.chars().take(200).collect());
    }

    /// Whether there is work left.
    fn may_go_on(&mut self, nodes: u32) -> bool {
        let may = self.fuel.burn(nodes) && self.script.commands.len() < MAX_COMMANDS;
        self.script.out_of_fuel |= !may;
        may
    }

    /// Lists the errors of a tree. Goes no deeper than there are errors, and not by recursion: trees can be deep.
    fn errors(&mut self, root: Node) {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if !self.may_go_on(1) {
                return;
            }
            let range = node.byte_range();
            if !node.has_error() || self.forgiven.iter().any(|f| f.start <= range.start && range.end <= f.end) {
                continue;
            }
            if node.is_error() || node.is_missing() {
                self.unread(self.text(node));
            } else {
                open.extend(children(node));
            }
        }
    }

    /// One statement, or anything that holds statements.
    fn statement(&mut self, node: Node, context: &mut Context) {
        // A statement costs more than a node: its context is copied.
        if !self.may_go_on(10) {
            return;
        }
        if context.depth >= MAX_DEPTH {
            return self.unread(self.text(node));
        }
        context.depth += 1;
        let kind = node.kind();
        // What one branch changes, the next does not see.
        if let Some(before) = context.before.clone().filter(|_| kind.ends_with("_clause")) {
            context.doubt_changes(&before);
        }
        let outer = MAY_NOT_RUN.contains(&kind).then(|| context.before.replace(Rc::new(context.standing())));
        match kind {
            "pipeline" => self.pipeline(node, context),
            "command" => self.stages(&[node], context),
            "foreach_statement" => self.for_each(node, context),
            // A function's body runs when it is called; where its output goes is not known here, and its name may be a
            // command's.
            "function_statement" => {
                let name = parts(node).into_iter().find(|n| n.kind() == "function_name");
                self.script.redefined.extend(name.map(|name| self.text(name).trim().to_string()));
            }
            "switch_condition" | "while_condition" | "for_initializer" | "for_condition" | "for_iterator" => {
                let mut inner = context.captured();
                self.statements(node, &mut inner);
                context.variables = inner.variables;
            }
            "class_statement" | "comment" | "data_statement" | "enum_statement" | "param_block" => {}
            _ if is_expression(node) => self.output(node, context),
            _ => self.statements(node, context),
        }
        if let Some(outer) = outer
            && let Some(before) = std::mem::replace(&mut context.before, outer)
        {
            context.doubt_changes(&before);
        }
        context.depth -= 1;
    }

    fn forget<'t>(&self, nodes: impl Iterator<Item = Node<'t>>, context: &mut Context) {
        for variable in nodes.filter(|node| node.kind() == "variable") {
            Rc::make_mut(&mut context.variables).remove(&variable_name(self.text(variable)));
        }
    }

    fn statements(&mut self, node: Node, context: &mut Context) {
        let condition = node.child_by_field_name("condition");
        let all = parts(node);
        for (i, part) in all.iter().enumerate() {
            let in_background = all.get(i + 1).is_some_and(|next| next.kind() == "background_operator");
            if in_background || condition == Some(*part) {
                let mut inner = context.captured();
                self.statement(*part, &mut inner);
                context.variables = inner.variables;
            } else {
                self.statement(*part, context);
            }
        }
    }

    fn pipeline(&mut self, node: Node, context: &mut Context) {
        for part in parts(node) {
            match part.kind() {
                "assignment_expression" => self.assignment(part, context),
                "pipeline_chain" => self.stages(&parts(part), context),
                _ => {}
            }
        }
    }

    /// The stages of a pipeline, each with what comes behind it.
    fn stages(&mut self, nodes: &[Node], context: &mut Context) {
        if nodes.len() > MAX_STAGES {
            return self.unread(self.text(nodes[0]));
        }
        let is_stage = |n: &&Node| !matches!(n.kind(), "redirections" | "verbatim_command_argument");
        let stages: Vec<Node> = nodes.iter().filter(is_stage).copied().collect();
        let mut base = context.clone();
        // An output that a stage writes into a file is that of all stages before it.
        let mut to_file = None;
        for node in nodes {
            let redirections = match node.kind() {
                "command" => node.child_by_field_name("command_elements"),
                "redirections" => Some(*node),
                _ => None,
            };
            if redirections.is_some_and(|r| parts(r).into_iter().any(|r| self.goes_into_a_file(r))) {
                to_file = stages.iter().rposition(|s| s.start_byte() <= node.start_byte());
            }
        }
        let mut behind: Vec<Stage> =
            stages.iter().map(|stage| self.argv(*stage, context).unwrap_or_default().into()).collect();
        if to_file.is_some() {
            base.sink = Sink::File;
            base.downstream.clear();
        }
        let values = stages.first().filter(|s| is_expression(**s)).map(|s| words(*s, self.source, &context.variables));
        for (i, stage) in stages.iter().enumerate() {
            let mut inner = base.clone();
            let last = to_file.filter(|file| *file >= i).unwrap_or(behind.len() - 1);
            inner.downstream = behind[i + 1..=last.max(i)].to_vec();
            inner.downstream.extend(base.downstream.iter().cloned());
            if i > 0 {
                inner.stdin = Stdin::Pipe;
            }
            if is_expression(*stage) {
                self.output(*stage, &inner);
                let counts = bare(*stage).kind().ends_with("crement_expression");
                self.forget(parts(bare(*stage)).into_iter().map(bare).filter(|_| counts), context);
            } else if stage.kind() == "command" {
                let piped = values.as_deref().filter(|values| i == 1 && known(values)).unwrap_or_default();
                self.command(*stage, std::mem::take(&mut behind[i]), piped, &mut inner);
                context.variables = inner.variables;
                base.variables = context.variables.clone();
                context.dir = inner.dir.clone();
                base.dir = inner.dir;
            }
        }
    }

    fn goes_into_a_file(&self, redirection: Node) -> bool {
        let operator = match redirection.kind() {
            "redirection" => parts(redirection).first().copied(),
            "generic_token" => Some(redirection),
            _ => None,
        };
        let to_file = |n: Node| n.kind() != "merging_redirection_operator" && redirected(self.text(n)) == Some(true);
        operator.is_some_and(to_file)
    }

    /// The words of a command; `None` for anything else.
    fn argv(&mut self, stage: Node, context: &Context) -> Option<Vec<Word>> {
        let name = stage.child_by_field_name("command_name").filter(|_| stage.kind() == "command")?;
        let mut argv = vec![self.name(name, context)];
        let Some(elements) = stage.child_by_field_name("command_elements") else {
            return Some(argv);
        };
        let elements = children(elements);
        let mut at = 0;
        while let Some(first) = elements.get(at) {
            let mut last = at;
            // What stands without a blank between is one word to the shell, whatever the grammar makes of it.
            while elements.get(last + 1).is_some_and(|next| {
                next.start_byte() == elements[last].end_byte() && is_argument(*next) && is_argument(elements[last])
            }) {
                last += 1;
            }
            match first.kind() {
                "redirection" | "comment" => {}
                "command_argument_sep" => {
                    if self.text(*first) == ":" && argv.len() > 1 {
                        argv.last_mut().expect("more than one").text.push(':');
                    }
                }
                "," => argv.push(Word::plain(JOINT)),
                "command_parameter" | "stop_parsing" if last == at => {
                    argv.push(token(self.text(*first), &context.variables))
                }
                "generic_token" if redirected(self.text(*first)).is_some() => {}
                _ => self.argument(&elements[at..=last], context, &mut argv),
            }
            at = last + 1;
        }
        Some(argv)
    }

    fn argument(&mut self, nodes: &[Node], context: &Context, argv: &mut Vec<Word>) {
        let range = nodes[0].start_byte()..nodes[nodes.len() - 1].end_byte();
        let text = &self.source[range.clone()];
        let has_error = nodes.iter().any(|n| n.has_error());
        if has_error || nodes.len() > 1 || nodes[0].kind() == "generic_token" {
            // `$base\a.cs` and `$base/a.cs` are errors to the grammar and plain words to the shell.
            if !text.contains(['(', ')', '{', '}', '@']) && text.matches(['"', '\'']).count().is_multiple_of(2) {
                self.forgiven.push(range);
                argv.push(token(text, &context.variables));
            } else if nodes.len() == 1 && has_error {
                argv.push(Word { text: text.to_string(), dynamic: true, ..Word::default() });
            } else {
                if nodes.len() == 1 {
                    self.unread(text);
                }
                argv.push(Word { text: text.to_string(), dynamic: true, ..Word::default() });
            }
            return;
        }
        for (i, word) in words(nodes[0], self.source, &context.variables).into_iter().enumerate() {
            if i > 0 {
                argv.push(Word::plain(JOINT));
            }
            argv.push(word);
        }
    }

    /// The name of a command.
    fn name(&self, node: Node, context: &Context) -> Word {
        let inner = if node.kind() == "command_name_expr" { node.named_child(0).unwrap_or(node) } else { node };
        word(inner, self.source, &context.variables)
    }

    fn command(&mut self, node: Node, argv: Stage, piped: &[Word], context: &mut Context) {
        let Some(first) = argv.first() else { return };
        let name = first.text.to_ascii_lowercase();
        let elements = node.child_by_field_name("command_elements").map(parts).unwrap_or_default();
        // `& { … }` and `. { … }`.
        let called = node.child_by_field_name("command_name").map(|n| n.named_child(0).map_or(n, bare));
        if let Some(block) = called.filter(|n| n.kind() == "script_block_expression") {
            let before = context.standing();
            self.statements(block, context);
            return context.doubt_changes(&before);
        }
        let command = Command {
            assigned: context.assigned.clone(),
            stdin: context.stdin.clone(),
            dir: context.dir.clone(),
            downstream: context.downstream.clone(),
            sink: context.sink,
            ..Command::plain(argv.to_vec())
        };
        self.script.commands.push(command);
        let name = name.as_str();
        match name {
            _ if MOVES.contains(&name) => {
                let to = argv[1..].iter().find(|w| !w.text.starts_with('-') || w.text.len() == 1);
                context.dir =
                    to.filter(|w| w.is_known()).and_then(|to| folder_after(context.dir.as_deref()?, &to.text));
            }
            "popd" | "pop-location" => context.dir = None,
            "iex" | "invoke-expression" => self.unread("a text that is run"),
            "set-alias" | "new-alias" | "sal" | "nal" => {
                self.script.redefined.extend(argv.get(1).map(|w| w.text.clone()));
            }
            // What it sets nobody sees here.
            _ if SETS_VARIABLES.contains(&name)
                || self.text(node).starts_with(". ")
                || argv.iter().any(|word| INTO_VARIABLE.contains(&word.text.to_ascii_lowercase().as_str())) =>
            {
                context.variables = Rc::default();
            }
            _ => {}
        }
        let mut inside = context.clone();
        inside.stdin = Stdin::Inherited;
        for element in &elements {
            let element = bare(*element);
            if element.kind() == "script_block_expression" {
                if FOR_EACH.contains(&name) {
                    self.for_each_block(element, piped, context);
                } else if matches!(name, "invoke-command" | "icm") {
                    self.statements(element, context);
                } else {
                    let mut captured = context.captured();
                    self.statements(element, &mut captured);
                }
            } else if PRINTS_WORDS.contains(&name) {
                self.output(element, &inside);
            } else {
                self.output(element, &inside.captured());
            }
        }
    }

    /// The block of `ForEach-Object`, once for each value where the text tells them.
    fn for_each_block(&mut self, block: Node, values: &[Word], context: &mut Context) {
        let stdin = std::mem::replace(&mut context.stdin, Stdin::Inherited);
        if values.is_empty() {
            Rc::make_mut(&mut context.variables).remove("_");
            let before = context.standing();
            self.statements(block, context);
            context.doubt_changes(&before);
        }
        for value in values {
            self.bind("_", std::slice::from_ref(value), context);
            self.statements(block, context);
        }
        Rc::make_mut(&mut context.variables).remove("_");
        context.stdin = stdin;
    }

    fn bind(&self, name: &str, values: &[Word], context: &mut Context) {
        Rc::make_mut(&mut context.variables).insert(name.to_string(), Value::Words(values.to_vec()));
    }

    fn for_each(&mut self, node: Node, context: &mut Context) {
        let all = parts(node);
        let of = |kind: &str| all.iter().find(|n| n.kind() == kind).copied();
        let (Some(variable), Some(list), Some(body)) = (of("variable"), of("pipeline"), of("statement_block")) else {
            return self.statements(node, context);
        };
        let name = variable_name(self.text(variable));
        let values = words(list, self.source, &context.variables);
        if known(&values) {
            for value in &values {
                self.bind(&name, std::slice::from_ref(value), context);
                self.statement(body, context);
            }
            return;
        }
        match self.captured_output(list, context) {
            // Each line in turn, of which nobody knows what becomes.
            Some(commands) => {
                let each = commands.into_iter().map(|c| through(c, &["[]"])).collect();
                Rc::make_mut(&mut context.variables).insert(name, Value::Output(each));
            }
            None => drop(Rc::make_mut(&mut context.variables).remove(&name)),
        }
        let before = context.standing();
        self.statement(body, context);
        context.doubt_changes(&before);
    }

    fn assignment(&mut self, node: Node, context: &mut Context) {
        let Some(value) = node.child_by_field_name("value") else { return };
        let all = parts(node);
        let mut left = all.first().copied().map(bare);
        while let Some(cast) = left.filter(|n| matches!(n.kind(), "cast_expression" | "left_assignment_expression")) {
            left = parts(cast).last().copied().map(bare);
        }
        let adds = all.iter().any(|n| n.kind() == "assignement_operator" && self.text(*n) != "=");
        let values = words(value, self.source, &context.variables);
        let output = self.captured_output(value, context);
        let Some(variable) = left.filter(|n| n.kind() == "variable") else {
            // Several at once.
            self.forget(left.map(children).into_iter().flatten().map(bare), context);
            return;
        };
        let name = variable_name(self.text(variable));
        if let Some(name) = name.strip_prefix("env:") {
            let value = values.first().map(|w| w.text.clone()).unwrap_or_default();
            context.assigned.push((name.to_ascii_uppercase(), value));
        }
        let variables = Rc::make_mut(&mut context.variables);
        if adds {
            variables.remove(&name);
        } else if values.len() <= MAX_VALUES && !values.is_empty() && values.iter().all(|w| !w.dynamic) {
            variables.insert(name, Value::Words(values));
        } else if let Some(commands) = output {
            variables.insert(name, Value::Output(commands));
        } else {
            variables.remove(&name);
        }
    }

    /// Reads what is captured, and gives the commands whose output the value is.
    fn captured_output(&mut self, node: Node, context: &mut Context) -> Option<Vec<Command>> {
        let from = self.script.commands.len();
        let mut inner = Context { sink: Sink::Model, ..context.captured() };
        self.statement(node, &mut inner);
        context.variables = inner.variables;
        context.dir = inner.dir;
        let mut commands = Vec::new();
        for command in &mut self.script.commands[from..] {
            if command.sink == Sink::Model {
                commands.push(command.clone());
                command.sink = Sink::Captured;
            }
        }
        (!commands.is_empty()).then_some(commands)
    }

    /// An expression whose value goes where the context says.
    fn output(&mut self, node: Node, context: &Context) {
        let node = bare(node);
        if !self.may_go_on(10) {
            return;
        }
        if context.depth >= MAX_DEPTH {
            return self.unread(self.text(node));
        }
        let mut inner = context.clone();
        inner.depth += 1;
        match node.kind() {
            "variable" => self.variable(node, &inner),
            "parenthesized_expression" | "sub_expression" | "array_expression" => {
                inner.stdin = Stdin::Inherited;
                self.statements(node, &mut inner);
            }
            "script_block_expression" | "type_literal" | "generic_token" => {}
            "element_access" => {
                if let [primary, index] = parts(node)[..] {
                    let stage = self.index(index, context);
                    let stage: Vec<&str> = stage.iter().map(String::as_str).collect();
                    self.output(primary, &inner.through(&stage));
                    self.output(index, &inner.captured());
                }
            }
            "member_access" => {
                if let [primary, member, ..] = parts(node)[..] {
                    let member = self.text(member);
                    match member.to_ascii_lowercase().as_str() {
                        "count" | "length" => self.output(primary, &inner.through(&["Measure-Object"])),
                        _ => self.output(primary, &inner.through(&["Select-Object", "-ExpandProperty", member])),
                    }
                }
            }
            "invokation_expression" => self.invocation(node, &inner),
            "cast_expression" => {
                if let [kind, value] = parts(node)[..] {
                    let stage = self.text(kind).to_ascii_lowercase();
                    self.output(value, &inner.through(&[&stage]));
                }
            }
            "expression_with_unary_operator" | "pre_increment_expression" | "post_increment_expression" => {
                self.each_part(node, &inner.captured());
            }
            _ => {
                // `a -op b`: what the operator makes of the left side; the right side is its argument.
                let operands = parts(node);
                match operands.as_slice() {
                    [left, rest @ ..] if is_operation(node) => {
                        let range = left.end_byte()..rest.last().map_or(left.end_byte(), |n| n.start_byte());
                        let operator = self.source[range].trim().to_ascii_lowercase();
                        let argument =
                            rest.last().map(|n| word(*n, self.source, &context.variables)).unwrap_or_default();
                        let mut through = inner.through(&[&operator]);
                        through.downstream[0] = [Word::plain(operator.as_str()), argument].into();
                        self.output(*left, &through);
                        let shows_right = matches!(operator.as_str(), "+" | "-f");
                        for right in rest.iter().filter(|n| n.kind() != "comparison_operator") {
                            self.output(*right, &if shows_right { through.clone() } else { inner.captured() });
                        }
                    }
                    _ => self.each_part(node, &inner),
                }
            }
        }
    }

    fn each_part(&mut self, node: Node, context: &Context) {
        for part in parts(node) {
            self.output(part, context);
        }
    }

    /// A variable that holds an output: the commands again, now with what becomes of it. Once for each such use.
    fn variable(&mut self, node: Node, context: &Context) {
        let Some(Value::Output(commands)) = context.variables.get(&variable_name(self.text(node))) else {
            return;
        };
        if context.sink == Sink::Captured {
            return;
        }
        for mut command in commands.clone() {
            if !self.may_go_on(10) {
                return;
            }
            command.downstream.extend(context.downstream.iter().cloned());
            command.sink = context.sink;
            if !self.script.commands.contains(&command) {
                self.script.commands.push(command);
            }
        }
    }

    /// `[IO.File]::ReadAllText('f')` is a command of that name; `$x.Trim()` is a stage `.Trim()`.
    fn invocation(&mut self, node: Node, context: &Context) {
        let all = parts(node);
        let arguments = all.iter().find(|n| n.kind() == "argument_list");
        let arguments: Vec<Node> =
            arguments.into_iter().flat_map(|list| parts(*list)).flat_map(|list| parts(list)).collect();
        for argument in &arguments {
            self.output(*argument, &context.captured());
        }
        match all.as_slice() {
            [each] if each.kind() == "invokation_foreach_expression" => {
                for block in parts(*each).into_iter().filter(|n| n.kind() == "script_block_expression") {
                    self.statements(block, &mut context.clone());
                }
            }
            [kind, member, ..] if kind.kind() == "type_literal" => {
                let kind = self.text(*kind).to_ascii_lowercase();
                let name = format!("{}::{}", kind.replace("[system.", "["), self.text(*member).to_ascii_lowercase());
                let values = arguments.iter().map(|argument| word(*argument, self.source, &context.variables));
                let command = Command {
                    assigned: context.assigned.clone(),
                    dir: context.dir.clone(),
                    downstream: context.downstream.clone(),
                    sink: context.sink,
                    ..Command::plain(std::iter::once(Word::plain(name)).chain(values).collect())
                };
                self.script.commands.push(command);
            }
            [primary, member, ..] => {
                let stage = format!(".{}()", self.text(*member).to_ascii_lowercase());
                let mut through = context.through(&[&stage]);
                let values = arguments.iter().map(|argument| word(*argument, self.source, &context.variables));
                through.downstream[0] = std::iter::once(Word::plain(stage.as_str())).chain(values).collect();
                self.output(*primary, &through);
            }
            _ => self.each_part(node, &context.captured()),
        }
    }

    /// What an index leaves of an output, as a command; `[]` where only the shell knows.
    fn index(&self, node: Node, context: &Context) -> Vec<String> {
        let node = bare(node);
        let number = |node: Node| word(node, self.source, &context.variables).text.parse::<i64>().ok();
        let (from, to) = match node.kind() {
            "range_expression" | "range_argument_expression" => match parts(node)[..] {
                [from, to] => (number(from), number(to)),
                _ => (None, None),
            },
            _ => (number(node), number(node)),
        };
        let select = |words: &[&str]| {
            std::iter::once("Select-Object").chain(words.iter().copied()).map(str::to_string).collect::<Vec<_>>()
        };
        match (from, to) {
            (Some(from), Some(to)) if 0 <= from && from <= to => {
                select(&["-Skip", &from.to_string(), "-First", &(to - from + 1).to_string()])
            }
            (Some(from), Some(-1)) if from < 0 => select(&["-Last", &from.unsigned_abs().to_string()]),
            _ => vec!["[]".to_string()],
        }
    }
}

/// Whether a word redirects (`2>$null` is one word to the grammar), and if it does, whether it takes the output.
fn redirected(text: &str) -> Option<bool> {
    let (stream, _) = text.split_once('>')?;
    match stream {
        "" | "1" | "*" => Some(true),
        "2" | "3" | "4" | "5" | "6" => Some(false),
        _ => None,
    }
}

fn through(mut command: Command, stage: &[&str]) -> Command {
    command.downstream.push(stage.iter().map(|text| Word::plain(*text)).collect());
    command
}

/// Whether a node is an expression at its outside.
fn is_expression(node: Node) -> bool {
    let kind = node.kind();
    kind.ends_with("_expression") && kind != "assignment_expression"
        || matches!(kind, "variable" | "element_access" | "member_access" | "string_literal")
}

/// Whether an expression has an operator between operands.
fn is_operation(node: Node) -> bool {
    node.kind() != "array_literal_expression" && is_expression(node) && node.child_count() > 2
}

fn is_argument(node: Node) -> bool {
    !matches!(node.kind(), "command_argument_sep" | "redirection" | "comment" | ",")
}

/// The folder after `cd to` in `from`; `None` where only the shell knows it.
fn folder_after(from: &str, to: &str) -> Option<String> {
    let is_absolute = to.starts_with(['/', '\\']) || to.get(1..2) == Some(":");
    if to == "-" || to.starts_with(['~', '+', '-']) || to.is_empty() {
        None
    } else if is_absolute || from.is_empty() {
        Some(to.to_string())
    } else {
        Some(format!("{}/{to}", from.trim_end_matches(['/', '\\'])))
    }
}
