//! Declarations -> the outline of a file, in a budget; where a file has none, its head and tail.
//!
//! Every line carries its range of file lines. What does not fit is named as a range, the least useful first: private
//! members, fields, what is nested deeply, then public members, and last what stands at the top.
//!
//! Invariant: an outline that does not spare two thirds of the file, or tells little about it, is none.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::ask::{Ask, Fact, Facts, Source};
use crate::declarations::{Declaration, Declarations};
use crate::job::Done;
use crate::languages;
use crate::size::{about, grouped, tokens};

/// An outline may take this share of its file, in percent, if nothing else is said.
const SHARE: u64 = 10;
/// And never less than the first, nor more than the second, in tokens.
const MIN_TOKENS: u64 = 250;
const MAX_TOKENS: u64 = 4_000;
/// An outline of which one range without a name inside takes more than this share of the file, in percent, is poor.
const POOR_SHARE: u64 = 60;
/// And so is one with fewer declarations than one in so many lines.
const POOR_LINES: u64 = 200;
/// Lines at the top that belong to no declaration are named from so many on.
const MIN_GAP: u64 = 20;
/// What a signature is cut to where not everything fits.
const SHORT_HEAD: usize = 100;
/// What is shown of a comment.
const MAX_DOC: usize = 90;
/// What is shown of the names that are imported.
const MAX_IMPORTS: usize = 120;
/// Characters of the line that names a range which was left out, and of the remark that all of a body was.
const FOLD_CHARS: usize = 34;
const INSIDE_CHARS: usize = 12;

/// How an outline is to look.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The file's name as it is told.
    pub file: String,
    /// The size of the file, in characters or bytes.
    pub chars: u64,
    pub form: Form,
    /// The budget in tokens; absent = a share of the file.
    pub tokens: Option<u64>,
    /// No more characters than this, whatever the budget.
    pub max_chars: Option<usize>,
    /// How the rest is to be had, in place of the usual sentence.
    pub rest: Option<String>,
}

/// Where the text will stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    #[default]
    Plain,
    /// As the result of a Read, where the client numbers our lines at the left.
    Read,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    pub text: String,
    pub tokens: u64,
    /// The file's lines in it that are known by their range alone.
    pub left_out: Vec<(u64, u64)>,
}

/// A request for the outline of a file.
pub struct Request {
    path: String,
    language: Option<String>,
    options: Options,
    /// That a Read of the file would be allowed is known already.
    is_allowed: bool,
}

impl Request {
    pub fn of(call: &Value) -> Result<Request, String> {
        let path = call["path"].as_str().filter(|path| !path.is_empty()).ok_or("`path` is missing")?.to_string();
        let language = call["language"].as_str().or_else(|| languages::of_path(&path)).map(str::to_string);
        let options = Options {
            file: call["file"].as_str().unwrap_or(&path).to_string(),
            chars: 0,
            form: if call["form"] == "read" { Form::Read } else { Form::Plain },
            tokens: call["tokens"].as_u64(),
            max_chars: call["chars"].as_u64().map(|chars| chars as usize),
            rest: call["rest"].as_str().map(str::to_string),
        };
        Ok(Request { path, language, options, is_allowed: call["allowed"] == true })
    }
}

/// The outline of a file, or its head and tail; nothing where that is poor or must not be shown.
pub fn run(request: &Request, facts: &Facts) -> Result<Done, Vec<Ask>> {
    if !request.is_allowed {
        let may = facts.need(Ask::MayRead { paths: vec![request.path.clone()] })?;
        if !matches!(may, Fact::Allowed(allowed) if allowed.first() == Some(&Some(true))) {
            return Ok(Done::pass("not-allowed"));
        }
    }
    let mut options = request.options.clone();
    let (outline, lines, mtime) = match &request.language {
        Some(language) => {
            let of = Source::Path(request.path.clone());
            let ask = Ask::Declarations { of, language: language.clone(), names: Vec::new() };
            let Fact::Declarations(declared) = facts.need(ask)? else {
                return Ok(Done::pass("unknown-fact"));
            };
            options.chars = declared.bytes;
            (render(&declared.declarations, &options), declared.declarations.lines, declared.mtime)
        }
        None => {
            // What a Read shows at most; of a longer file head and tail would leave out what nobody counted.
            let ask = Ask::Text { path: request.path.clone(), from: 0, bytes: MAX_TEXT };
            let Fact::Text(text) = facts.need(ask)? else {
                return Ok(Done::pass("unknown-fact"));
            };
            if text.bytes > MAX_TEXT || text.text.contains('\0') {
                return Ok(Done::pass("not-text"));
            }
            (head_and_tail(&text.text, &options), text.text.lines().count() as u64, text.mtime)
        }
    };
    let Some(outline) = outline else {
        return Ok(Done::pass("poor"));
    };
    let mut done = Done::answer();
    let left_out: Vec<Value> = outline.left_out.iter().map(|(from, to)| serde_json::json!([from, to])).collect();
    done.put("text", outline.text).put("tokens", outline.tokens).put("lines", lines).put("mtime", mtime);
    done.put("left_out", left_out);
    Ok(done)
}

/// The largest file without a language that is looked at: as much as the client reads whole.
const MAX_TEXT: u64 = 4 << 20;

/// The outline of a file with these declarations.
pub fn render(declared: &Declarations, options: &Options) -> Option<Outline> {
    let file_tokens = tokens(options.chars);
    let room = room(file_tokens, options);
    let first = first_line(declared, options, file_tokens);
    let tree = Tree::of(declared);
    if tree.nodes.is_empty() || tree.nodes.len() as u64 * POOR_LINES < declared.lines {
        return None;
    }
    let room = room.saturating_sub(length(&first) + 1);
    let (picked, left) = tree.pick(room, usize::MAX).or_else(|| tree.without_bodies(declared.lines).pick_some(room))?;
    if picked.largest_range(declared.lines) * 100 > declared.lines * POOR_SHARE {
        return None;
    }
    let mut page = Page { text: first, left_out: Vec::new() };
    picked.write(left, declared.lines, &mut page);
    let used = tokens(length(&page.text) as u64);
    let is_small = used * 3 <= file_tokens && options.max_chars.is_none_or(|max| length(&page.text) <= max);
    is_small.then_some(Outline { text: page.text, tokens: used, left_out: page.left_out })
}

/// The first and the last lines of a text, with what lies between named.
pub fn head_and_tail(text: &str, options: &Options) -> Option<Outline> {
    let lines: Vec<&str> = text.lines().collect();
    let total = length(text) as u64;
    let room = room(tokens(total), options);
    let what = format!("Head and tail of {}", options.file);
    let first = opening(&what, lines.len() as u64, tokens(total), "the middle was not seen", "", options);
    let room = room.checked_sub(length(&first) + FOLD_CHARS)?;
    let count = |lines: &mut dyn Iterator<Item = &&str>, room: usize| {
        let mut used = 0;
        lines
            .take_while(|line| {
                used += length(line) + 1;
                used <= room
            })
            .count()
    };
    let head = count(&mut lines.iter(), room * 2 / 3);
    let tail = count(&mut lines[head..].iter().rev(), room / 3);
    if head + tail == 0 || head + tail >= lines.len() {
        return None;
    }
    let gap = (head as u64 + 1, (lines.len() - tail) as u64);
    let mut text = first;
    for line in &lines[..head] {
        text += &format!("\n{line}");
    }
    text += &format!("\n… lines {}-{}", gap.0, gap.1);
    for line in &lines[lines.len() - tail..] {
        text += &format!("\n{line}");
    }
    let used = tokens(length(&text) as u64);
    (used * 3 <= tokens(total)).then_some(Outline { text, tokens: used, left_out: vec![gap] })
}

/// The characters that an outline of so large a file may take.
fn room(file_tokens: u64, options: &Options) -> usize {
    let share = (file_tokens * SHARE / 100).clamp(MIN_TOKENS, MAX_TOKENS);
    let budget = options.tokens.unwrap_or(share).min(file_tokens / 3);
    (budget as usize * 4).min(options.max_chars.unwrap_or(usize::MAX))
}

fn first_line(declared: &Declarations, options: &Options, file_tokens: u64) -> String {
    let mut also = String::new();
    if declared.broken {
        also += " It has syntax errors; parts may be missing.";
    }
    if declared.cut {
        let last = declared.declarations.iter().map(|d| d.to).max().unwrap_or(0);
        also += &format!(" Declarations after line {last} were not read.");
    }
    let what = format!("Outline of {}", options.file);
    opening(&what, declared.lines, file_tokens, "bodies were not seen", &also, options)
}

fn opening(what: &str, lines: u64, file_tokens: u64, unseen: &str, also: &str, options: &Options) -> String {
    let size = format!("{} lines, {} tokens", grouped(lines), about(file_tokens));
    let gutter = match options.form {
        Form::Plain => "",
        Form::Read => " The numbers at the left are not file lines, the ranges are.",
    };
    let rest = options.rest.as_deref().unwrap_or("Read with `offset` and `limit` shows exact lines.");
    format!("[trimtab] {what} ({size}): {unseen}.{gutter}{also} {rest}")
}

/// The declarations as a tree, and which of them are shown.
struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    /// The first node of each sibling list: children of the root, and of each node.
    roots: Vec<usize>,
    imports: Vec<&'a Declaration>,
    max_head: usize,
    marks_exports: bool,
}

#[derive(Clone)]
struct Node<'a> {
    it: &'a Declaration,
    parent: Option<usize>,
    children: Vec<usize>,
    /// Its place among its siblings.
    place: usize,
    /// How many types and functions it stands in.
    nesting: usize,
    tier: usize,
    shown: bool,
}

impl<'a> Tree<'a> {
    fn of(declared: &'a Declarations) -> Tree<'a> {
        let is_import = |d: &&Declaration| d.kind == "import";
        let imports = declared.declarations.iter().filter(|d| is_import(d) && d.depth == 0).collect();
        let list = declared.declarations.iter().filter(|d| !is_import(d));
        Tree::build(list, imports, declared.lines, marks_exports(declared))
    }

    fn build(
        list: impl Iterator<Item = &'a Declaration>,
        imports: Vec<&'a Declaration>,
        lines: u64,
        marks_exports: bool,
    ) -> Tree<'a> {
        let mut tree = Tree { nodes: Vec::new(), roots: Vec::new(), imports, max_head: usize::MAX, marks_exports };
        let length = |it: &Declaration| (it.to + 1).saturating_sub(it.first());
        let mut open: Vec<usize> = Vec::new();
        for it in list {
            while open.last().is_some_and(|last| tree.nodes[*last].it.depth >= it.depth) {
                open.pop();
            }
            let parent = open.last().copied();
            let at = tree.nodes.len();
            let (nesting, floor) = parent.map_or((0, 0), |parent| {
                let parent = &tree.nodes[parent];
                (parent.nesting + usize::from(!is_space(&parent.it.kind)), parent.tier)
            });
            let siblings = match parent {
                Some(parent) => &mut tree.nodes[parent].children,
                None => &mut tree.roots,
            };
            siblings.push(at);
            let place = siblings.len() - 1;
            // A type that takes most of the file is no more than the file to its members.
            let is_main = parent.is_some_and(|parent| length(tree.nodes[parent].it) * 2 > lines);
            let tier = if is_main { tier(it, nesting).saturating_sub(3) } else { tier(it, nesting) }.max(floor);
            tree.nodes.push(Node { it, parent, children: Vec::new(), place, nesting, tier, shown: false });
            open.push(at);
        }
        tree
    }

    /// Without what is declared inside of functions: the function's own range names it.
    fn without_bodies(&self, lines: u64) -> Tree<'a> {
        let inside = |mut at: usize| {
            while let Some(parent) = self.nodes[at].parent {
                if is_function(&self.nodes[parent].it.kind) {
                    return true;
                }
                at = parent;
            }
            false
        };
        let list = (0..self.nodes.len()).filter(|at| !inside(*at)).map(|at| self.nodes[at].it);
        Tree::build(list, self.imports.clone(), lines, self.marks_exports)
    }

    /// Everything, if it fits; and the room that is left.
    fn pick(&self, room: usize, max_head: usize) -> Option<(Tree<'a>, usize)> {
        let mut tree =
            Tree { nodes: self.nodes.clone(), roots: self.roots.clone(), imports: self.imports.clone(), ..*self };
        tree.max_head = max_head;
        let used: usize = (0..tree.nodes.len()).map(|at| length(&tree.line(at)) + 1).sum::<usize>() + tree.fixed();
        tree.nodes.iter_mut().for_each(|node| node.shown = true);
        room.checked_sub(used).map(|left| (tree, left))
    }

    /// As much as fits, the most useful first; and the room that is left.
    fn pick_some(&self, room: usize) -> Option<(Tree<'a>, usize)> {
        if let Some(all) = self.pick(room, SHORT_HEAD) {
            return Some(all);
        }
        let mut tree =
            Tree { nodes: self.nodes.clone(), roots: self.roots.clone(), imports: self.imports.clone(), ..*self };
        tree.max_head = SHORT_HEAD;
        let mut left = room.checked_sub(tree.fixed() + FOLD_CHARS)? as i64;
        let mut order: Vec<usize> = (0..tree.nodes.len()).collect();
        order.sort_by_key(|at| {
            (tree.nodes[*at].tier, Reverse(tree.nodes[*at].it.to.saturating_sub(tree.nodes[*at].it.first())), *at)
        });
        for at in order {
            let cost = tree.cost(at);
            if cost <= left && tree.nodes[at].parent.is_none_or(|parent| tree.nodes[parent].shown) {
                left -= cost;
                tree.nodes[at].shown = true;
            }
        }
        Some((tree, left.max(0) as usize))
    }

    /// What showing a node costs, with the lines that name its neighbours as left out.
    fn cost(&self, at: usize) -> i64 {
        let node = &self.nodes[at];
        let siblings = self.siblings(node.parent);
        let hidden = |place: Option<usize>| place.and_then(|p| siblings.get(p)).map(|s| !self.nodes[*s].shown);
        let sides = [hidden(node.place.checked_sub(1)), hidden(Some(node.place + 1))];
        let is_first = siblings.iter().all(|s| !self.nodes[*s].shown);
        // One line names a run of hidden ones; it is cut in two, shortened or gone.
        let before = if is_first && node.parent.is_some() { 0 } else { 1 };
        let after = sides.iter().filter(|side| **side == Some(true)).count() as i64;
        let mut cost = (length(&self.line(at)) + 1) as i64;
        cost += (after - before) * (FOLD_CHARS + 2 * node.it.depth as usize) as i64;
        if is_first && node.parent.is_some() {
            cost -= INSIDE_CHARS as i64;
        }
        if !node.children.is_empty() {
            cost += INSIDE_CHARS as i64;
        }
        cost
    }

    fn siblings(&self, parent: Option<usize>) -> &[usize] {
        parent.map_or(&self.roots, |parent| &self.nodes[parent].children)
    }

    /// Characters of what is always there: the imports and the gaps.
    fn fixed(&self) -> usize {
        self.imports_line().map_or(0, |line| length(&line) + 1) + (self.gaps(u64::MAX).len() + 1) * (FOLD_CHARS + 8)
    }

    fn line(&self, at: usize) -> String {
        let node = &self.nodes[at];
        let mark = if self.marks_exports && matches!(node.it.visibility.as_str(), "export" | "exported" | "public") {
            " (exported)"
        } else {
            ""
        };
        let title = one_line(&node.it.title(), self.max_head);
        format!("{}{} {title}{mark}", "  ".repeat(node.it.depth.min(12) as usize), range(node.it.first(), node.it.to))
    }

    fn imports_line(&self) -> Option<String> {
        let (first, last) = (self.imports.first()?, self.imports.last()?);
        let mut names = String::new();
        let mut count = 0;
        for import in &self.imports {
            let name = if import.name.is_empty() { import.title() } else { import.name.clone() };
            if length(&names) + length(&name) > MAX_IMPORTS {
                break;
            }
            names += if names.is_empty() { "" } else { ", " };
            names += &one_line(&name, MAX_IMPORTS);
            count += 1;
        }
        let more = match self.imports.len() - count {
            0 => String::new(),
            more => format!(", {more} more"),
        };
        let to = self.imports.iter().map(|i| i.to).max().unwrap_or(last.to);
        Some(format!("{} imports: {names}{more}", range(first.first(), to)))
    }

    /// Runs of lines at the top that belong to no declaration.
    fn gaps(&self, lines: u64) -> Vec<(u64, u64)> {
        let mut spans: Vec<(u64, u64)> =
            self.roots.iter().map(|at| self.nodes[*at].it).map(|d| (d.first(), d.to)).collect();
        spans.extend(self.imports.iter().map(|d| (d.first(), d.to)));
        spans.sort_unstable();
        let mut gaps = Vec::new();
        let mut next = 1;
        let end = if lines == u64::MAX { spans.last().map_or(0, |last| last.1) } else { lines };
        for (from, to) in spans.into_iter().chain([(end + 1, end + 1)]) {
            if from >= next + MIN_GAP.max(end / 50) {
                gaps.push((next, from - 1));
            }
            next = next.max(to + 1);
        }
        gaps
    }

    /// The longest run of lines in which nothing that is shown begins.
    fn largest_range(&self, lines: u64) -> u64 {
        let mut starts: Vec<u64> = self.nodes.iter().filter(|node| node.shown).map(|node| node.it.first()).collect();
        starts.sort_unstable();
        starts.push(lines + 1);
        starts.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).max().unwrap_or(lines)
    }

    fn write(&self, room: usize, lines: u64, page: &mut Page) {
        let docs = self.docs(room);
        // The lines at the top by where they begin: imports, gaps, declarations.
        let mut top: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        if let Some(line) = self.imports_line() {
            top.entry(self.imports[0].first()).or_default().push(line);
        }
        for (from, to) in self.gaps(lines) {
            page.left_out.push((from, to));
            top.entry(from).or_default().push(format!("… lines {}: in no declaration", range(from, to)));
        }
        let mut below = Vec::new();
        self.write_siblings(&self.roots, &docs, &mut below, page);
        for (from, line) in below {
            top.entry(from).or_default().push(line);
        }
        for line in top.into_values().flatten() {
            page.text.push('\n');
            page.text += &line;
        }
    }

    /// The lines of siblings, each block under the line where it begins.
    fn write_siblings(&self, siblings: &[usize], docs: &[bool], lines: &mut Vec<(u64, String)>, page: &mut Page) {
        let mut at = 0;
        while at < siblings.len() {
            let node = &self.nodes[siblings[at]];
            if !node.shown {
                let run = siblings[at..].iter().take_while(|s| !self.nodes[**s].shown).count();
                let to = siblings[at..at + run].iter().map(|s| self.nodes[*s].it.to).max().unwrap_or(node.it.to);
                let indent = "  ".repeat(node.it.depth.min(12) as usize);
                lines
                    .push((node.it.first(), format!("{indent}… lines {}: {run} left out", range(node.it.first(), to))));
                page.left_out.push((node.it.first(), to));
                at += run;
                continue;
            }
            let mut line = self.line(siblings[at]);
            if docs[siblings[at]] {
                line += &format!(" — {}", one_line(&node.it.doc, MAX_DOC));
            }
            let is_open = node.children.iter().any(|child| self.nodes[*child].shown);
            if !is_open && !node.children.is_empty() {
                line += &format!(" … {} inside", node.children.len());
                page.left_out.push((node.it.from, node.it.to));
            }
            // Two of the same line stay in their order.
            let from = node.it.first();
            let mut inner = vec![(from, line)];
            if is_open {
                self.write_siblings(&node.children, docs, &mut inner, page);
            }
            let block = inner.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n");
            lines.push((from, block));
            at += 1;
        }
    }

    /// Which comments are shown while the room lasts.
    fn docs(&self, mut room: usize) -> Vec<bool> {
        let mut order: Vec<usize> = (0..self.nodes.len()).filter(|at| self.nodes[*at].shown).collect();
        order.sort_by_key(|at| self.nodes[*at].tier);
        let mut docs = vec![false; self.nodes.len()];
        for at in order {
            let doc = &self.nodes[at].it.doc;
            let cost = length(doc).min(MAX_DOC) + 3;
            if !doc.is_empty() && cost <= room {
                room -= cost;
                docs[at] = true;
            }
        }
        docs
    }
}

struct Page {
    text: String,
    left_out: Vec<(u64, u64)>,
}

/// How useful a declaration is, 0 the most; its parent's figure is a floor.
fn tier(it: &Declaration, nesting: usize) -> usize {
    let is_field = matches!(it.kind.as_str(), "constant" | "field" | "member" | "property" | "variable");
    if matches!(it.kind.as_str(), "heading" | "key" | "table") {
        return (it.depth as usize).min(7);
    }
    match (nesting, it.is_private(), is_field) {
        (0, false, false) => 0,
        (0, true, false) => 1,
        (0, _, true) => 2,
        (1, false, false) => 3,
        (_, false, false) => 4,
        (_, false, true) => 5,
        (_, true, _) => 6,
    }
}

/// Groups declarations without being one of the things that a reader looks for.
fn is_space(kind: &str) -> bool {
    matches!(kind, "impl" | "module" | "namespace" | "package")
}

fn is_function(kind: &str) -> bool {
    matches!(kind, "constructor" | "function" | "method")
}

/// Whether exports have to be told: only some are, and their heads do not say so. In Go the name itself does.
fn marks_exports(declared: &Declarations) -> bool {
    let is_exported = |d: &&Declaration| matches!(d.visibility.as_str(), "export" | "exported" | "public");
    let says = |d: &Declaration| {
        d.head.split_whitespace().take(3).any(|w| w.starts_with("pub") || w == "export" || w == "open")
    };
    let top = || declared.declarations.iter().filter(|d| d.depth == 0 && d.kind != "import");
    declared.language != "go" && top().filter(is_exported).any(|d| !says(d)) && top().any(|d| !is_exported(&d))
}

fn range(from: u64, to: u64) -> String {
    if to <= from { from.to_string() } else { format!("{from}-{to}") }
}

/// A text on one line, cut to so many characters.
fn one_line(text: &str, max: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}
