//! Listings of files.

use super::options::Options;
use super::placed;
use crate::fact::Measuring;
use crate::intent::{Intent, Output};
use crate::shell::{Command, Word};

pub(super) fn roots_of(command: &Command, operands: &[Word]) -> Vec<String> {
    if operands.is_empty() {
        return vec![placed(command, ".").unwrap_or_else(|| ".".to_string())];
    }
    operands.iter().map(|w| placed(command, &w.text).unwrap_or_else(|| w.text.clone())).collect()
}

pub(super) fn find(command: &Command, _: &str, _: &Options) -> Vec<Intent> {
    let words = &command.argv[1..];
    let is_expression = |w: &Word| w.text.starts_with('-') || w.text == "(" || w.text == "!";
    let leading = words.iter().take_while(|w| matches!(w.text.as_str(), "-H" | "-L" | "-P")).count();
    let words = &words[leading..];
    let split = words.iter().position(is_expression).unwrap_or(words.len());
    let (roots, expression) = words.split_at(split);
    let mut out = Output { doubt: command.dir.is_none() || roots.iter().any(|w| w.glob), ..Output::default() };
    let mut names = Vec::new();
    let mut rest = expression.iter();
    while let Some(word) = rest.next() {
        match word.text.as_str() {
            "-maxdepth" => {
                rest.next();
                out.bounded = true;
            }
            "-name" | "-iname" => names.extend(rest.next().map(|w| w.text.clone())),
            text if FIND_VALUES.contains(&text) => out.doubt |= rest.next().is_none(),
            text if FIND_PLAIN.contains(&text) => {}
            // Actions (`-exec`, `-delete`) and whatever is not known.
            _ => out.doubt = true,
        }
    }
    let home = |w: &Word| matches!(w.text.as_str(), "$HOME" | "${HOME}");
    out.doubt |= roots.iter().any(|w| w.dynamic && !home(w)) || expression.iter().any(|w| w.dynamic);
    if !out.doubt
        && command.assigned.is_empty()
        && let Some(dir) = command.dir.clone()
    {
        let argv = ["find".to_string()]
            .into_iter()
            .chain(command.argv[1..].iter().map(|w| if home(w) { "~".into() } else { w.text.clone() }));
        out.measure = Some((Measuring::List, argv.collect(), dir));
    }
    let roots: Vec<Word> = roots.iter().map(|w| if home(w) { Word::plain("~") } else { w.clone() }).collect();
    vec![Intent::List { names, roots: roots_of(command, &roots), out }]
}

/// Tests and joints of `find` that need no value, and those that take one. Anything else is doubt.
pub(super) const FIND_PLAIN: &[&str] = &[
    "-print",
    "-prune",
    "-o",
    "-or",
    "-a",
    "-and",
    "-not",
    "!",
    "(",
    ")",
    "-empty",
    "-readable",
    "-writable",
    "-executable",
    "-xdev",
    "-mount",
    "-follow",
    "-nouser",
    "-nogroup",
    "-depth",
];

pub(super) const FIND_VALUES: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-xtype",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-newer",
    "-user",
    "-group",
    "-perm",
    "-links",
    "-inum",
    "-samefile",
    "-mindepth",
    "-maxdepth",
    "-uid",
    "-gid",
];
