//! The words of a command behind its name, sorted into options and operands by the row of its program.

use super::Program;
use crate::shell::Word;

/// Options of a letter: without a value, with one (`-m5`, `-m 5`), with one in the same word or none (`-M`, `-M90`).
pub(super) struct Letters {
    pub(super) plain: &'static str,
    pub(super) values: &'static str,
    pub(super) attached: &'static str,
    /// `-5` is an option.
    pub(super) numeric: bool,
}

/// The words of a command behind its name, sorted out.
#[derive(Default)]
pub(super) struct Options {
    /// Options by name without dashes, with their values.
    pub(super) given: Vec<(String, Option<String>)>,
    pub(super) operands: Vec<Word>,
    /// Index in `operands` of the first word behind `--`.
    pub(super) after_dashes: Option<usize>,
    /// An option that the row does not know.
    pub(super) unknown: bool,
}

impl Options {
    pub(super) fn of(words: &[Word], row: &Program) -> Options {
        let Program { short, short_values, long, long_values, numeric, .. } = *row;
        Options::parse(words, &Letters { plain: short, values: short_values, attached: "", numeric }, long, long_values)
    }

    pub(super) fn parse(words: &[Word], letters: &Letters, long: &[&str], long_values: &[&str]) -> Options {
        let mut options = Options::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            if options.after_dashes.is_some() || text == "-" || !text.starts_with('-') {
                options.operands.push(word.clone());
            } else if text == "--" {
                options.after_dashes = Some(options.operands.len());
            } else if let Some(name) = text.strip_prefix("--") {
                options.unknown |= word.dynamic;
                let (name, value) = match name.split_once('=') {
                    Some((name, value)) => (name, Some(value.to_string())),
                    None => (name, None),
                };
                if long_values.contains(&name) && !(value.is_none() && long.contains(&name)) {
                    let value = value.or_else(|| options.value(words.next()));
                    options.given.push((name.to_string(), value));
                } else {
                    options.unknown |= !long.contains(&name);
                    options.given.push((name.to_string(), value));
                }
            } else {
                options.unknown |= word.dynamic;
                options.cluster(&text[1..], &mut words, letters);
            }
        }
        options
    }

    pub(super) fn cluster(&mut self, cluster: &str, words: &mut std::slice::Iter<Word>, letters: &Letters) {
        if letters.numeric && cluster.chars().all(|c| c.is_ascii_digit()) {
            return self.given.push(("#".to_string(), Some(cluster.to_string())));
        }
        for (i, c) in cluster.char_indices() {
            let rest = &cluster[i + c.len_utf8()..];
            if letters.attached.contains(c) {
                return self.given.push((c.to_string(), Some(rest.to_string()).filter(|r| !r.is_empty())));
            }
            if letters.values.contains(c) {
                let value = if rest.is_empty() { self.value(words.next()) } else { Some(rest.to_string()) };
                return self.given.push((c.to_string(), value));
            }
            self.unknown |= !letters.plain.contains(c);
            self.given.push((c.to_string(), None));
        }
    }

    /// A value that only the shell knows is doubt.
    fn value(&mut self, word: Option<&Word>) -> Option<String> {
        self.unknown |= word.is_some_and(|w| w.dynamic);
        word.map(|w| w.text.clone())
    }

    /// The operands before and behind `--`.
    pub(super) fn split_at_dashes(&self) -> (&[Word], &[Word]) {
        self.operands.split_at(self.after_dashes.unwrap_or(self.operands.len()))
    }

    /// The operands that are paths: without the pattern where it is the first of them.
    pub(super) fn operands_behind(&self, pattern: bool) -> impl Iterator<Item = String> {
        self.operands.iter().skip(usize::from(pattern)).filter(|w| w.text != "-").map(|w| w.text.clone())
    }

    /// The options as words again, each value in the word of its option, so that no value can be read as an option. An
    /// empty value is a word of its own: without it, the option would take the next.
    pub(super) fn rebuilt(&self) -> impl Iterator<Item = String> {
        self.given.iter().flat_map(|(name, value)| match (name.chars().count(), value.as_deref()) {
            (1, Some(count)) if name == "#" => vec![format!("-{count}")],
            (1, None) => vec![format!("-{name}")],
            (1, Some("")) => vec![format!("-{name}"), String::new()],
            (1, Some(value)) => vec![format!("-{name}{value}")],
            (_, None) => vec![format!("--{name}")],
            (_, Some(value)) => vec![format!("--{name}={value}")],
        })
    }

    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    pub(super) fn values<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = &'a str> {
        self.given.iter().filter(|(name, _)| names.contains(&name.as_str())).filter_map(|(_, value)| value.as_deref())
    }

    pub(super) fn number(&self, names: &[&str]) -> Option<u64> {
        self.values(names).filter_map(|v| v.parse().ok()).last()
    }
}
