//! The objects that SQL creates, and the columns of its tables, for trimtab.
//!
//! By words instead of a grammar: every database has its own, and what begins with `CREATE` is alike in all of them.

use sqlparser::dialect::GenericDialect;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Whitespace};
use trimtab_language::{Answer, Declaration, MAX_DECLARATIONS, MAX_HEAD_CHARS, doc, one_line, respond};

/// The word for an object, and its kind.
const OBJECTS: [(&str, &str); 14] = [
    ("DATABASE", "database"),
    ("DOMAIN", "type"),
    ("EXTENSION", "extension"),
    ("FUNCTION", "function"),
    ("INDEX", "index"),
    ("POLICY", "policy"),
    ("PROCEDURE", "procedure"),
    ("ROLE", "role"),
    ("SCHEMA", "namespace"),
    ("SEQUENCE", "sequence"),
    ("TABLE", "table"),
    ("TRIGGER", "trigger"),
    ("TYPE", "type"),
    ("VIEW", "view"),
];
/// Words between `CREATE` and the object's: `OR REPLACE`, `UNIQUE`, `DEFINER = a@b`.
const MAX_BEFORE: usize = 12;
/// What begins a part of a table that is no column.
const NO_COLUMN: [&str; 9] = ["CHECK", "CONSTRAINT", "EXCLUDE", "FOREIGN", "INDEX", "KEY", "LIKE", "PRIMARY", "UNIQUE"];
const MAX_HEAD_LINES: usize = 20;

/// The comment before a statement, whose lines count from 1.
#[derive(Default)]
struct Comment {
    from: usize,
    to: usize,
    doc: String,
}

trimtab_abi::export_text!(|request| respond(request, |text, _| read(text)));

fn read(text: &str) -> Answer {
    let mut tokens = Vec::new();
    let is_read = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location_into_buf(&mut tokens).is_ok();
    let mut answer = Answer { language: "sql", broken: !is_read, ..Answer::default() };
    let lines: Vec<&str> = text.lines().collect();
    let mut before = Comment::default();
    let mut words: Vec<&TokenWithSpan> = Vec::new();
    for token in &tokens {
        match &token.token {
            Token::Whitespace(
                Whitespace::SingleLineComment { comment, .. } | Whitespace::MultiLineComment(comment),
            ) => {
                if words.is_empty() {
                    let (from, to) =
                        (line(token), token.span.end.line as usize - usize::from(token.span.end.column == 1));
                    if before.to + 1 < from || before.doc.is_empty() {
                        before = Comment { from, to, doc: doc(comment) };
                    }
                    before.to = to.max(from);
                }
            }
            Token::Whitespace(_) => {}
            Token::SemiColon => {
                statement(&lines, &words, std::mem::take(&mut before), &mut answer);
                words.clear();
            }
            _ => words.push(token),
        }
    }
    statement(&lines, &words, before, &mut answer);
    answer
}

fn statement(lines: &[&str], words: &[&TokenWithSpan], before: Comment, answer: &mut Answer) {
    if words.first().is_none_or(|first| !is(first, "CREATE")) {
        return;
    }
    let object = |token: &TokenWithSpan| OBJECTS.iter().find(|(word, _)| is(token, word));
    let found = words.iter().take(MAX_BEFORE).enumerate().skip(1).find_map(|(at, token)| Some((at, object(token)?.1)));
    let Some((at, kind)) = found else { return };
    let mut rest = &words[at + 1..];
    while let Some((_, after)) = rest
        .split_first()
        .filter(|(word, _)| ["CONCURRENTLY", "IF", "NOT", "EXISTS"].iter().any(|skipped| is(word, skipped)))
    {
        rest = after;
    }
    let Some((named, mut rest)) = rest.split_first() else { return };
    let mut name = written(named);
    while let [dot, next, after @ ..] = rest {
        if dot.token != Token::Period {
            break;
        }
        name = format!("{name}.{}", written(next));
        rest = after;
    }
    let end = words.last().expect("there is a first").span.end;
    let last = end.line as usize;
    let first = line(words[0]);
    let head_to = rest.first().map_or(last, |next| line(next));
    // Without what else stands on its first and on its last line.
    let part = |at: usize| -> String {
        let from = if at == first { words[0].span.start.column as usize - 1 } else { 0 };
        let to = if at == last { end.column as usize - 1 } else { usize::MAX };
        lines.get(at - 1).map_or(String::new(), |line| line.chars().take(to).skip(from).collect())
    };
    let head = (first..=head_to).take(MAX_HEAD_LINES).map(part).collect::<Vec<_>>().join(" ");
    let head = one_line(head.trim_end_matches(['(', ' ', ';']), MAX_HEAD_CHARS);
    let is_its_own = before.from > 0 && before.to + 1 >= first;
    let (lead, doc) = if is_its_own { (before.from, before.doc) } else { (first, String::new()) };
    push(answer, Declaration { kind, name, lead, from: line(named), to: last, head, doc, ..Declaration::default() });
    if kind == "table" {
        columns(lines, rest, answer);
    }
}

fn columns(lines: &[&str], words: &[&TokenWithSpan], answer: &mut Answer) {
    let mut depth = 0;
    let mut is_start = false;
    for (at, token) in words.iter().enumerate() {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        let is_column = is_start
            && depth == 1
            && matches!(token.token, Token::Word(_))
            && !NO_COLUMN.iter().any(|word| is(token, word));
        is_start = depth == 1 && matches!(token.token, Token::LParen | Token::Comma);
        if is_column {
            let to = words[at..]
                .iter()
                .take_while(|word| word.token != Token::Comma)
                .last()
                .map_or(line(token), |word| line(word));
            let head = one_line(
                lines.get(line(token) - 1).copied().unwrap_or("").trim().trim_end_matches(','),
                MAX_HEAD_CHARS,
            );
            push(
                answer,
                Declaration {
                    kind: "field",
                    name: written(token),
                    depth: 1,
                    lead: line(token),
                    from: line(token),
                    to,
                    head,
                    ..Declaration::default()
                },
            );
        }
        if depth == 0 && at > 0 && token.token == Token::RParen {
            return;
        }
    }
}

fn push(answer: &mut Answer, declaration: Declaration) {
    if answer.declarations.len() < MAX_DECLARATIONS {
        answer.declarations.push(declaration);
    } else {
        answer.cut = true;
    }
}

fn line(token: &TokenWithSpan) -> usize {
    token.span.start.line as usize
}

fn is(token: &TokenWithSpan, word: &str) -> bool {
    matches!(&token.token, Token::Word(one) if one.quote_style.is_none() && one.value.eq_ignore_ascii_case(word))
}

fn written(token: &TokenWithSpan) -> String {
    match &token.token {
        Token::Word(word) => word.value.clone(),
        other => other.to_string(),
    }
}
