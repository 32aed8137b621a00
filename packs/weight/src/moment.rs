//! What is said and kept at the moments of a session. Times and sizes come in; nothing is asked of the world here.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::feed::Feed;
use crate::reading::Reading;
use crate::task::Task;

/// Between two lines for the model.
const QUIET_MS: u64 = 60_000;
/// A session that ends this full, in percent, and was not handed over leaves word of it.
pub const FULL_PERCENT: u64 = 50;
/// Names of claims that are remembered: more than a configuration has levels.
const MAX_CLAIMED: usize = 128;
/// What a chart marks.
pub const LEVELS: [u64; 5] = [50, 75, 80, 90, 100];

/// Everything that is kept of a transcript between two moments.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    pub figures: Reading,
    pub feed: Feed,
    pub tail: Option<Tail>,
    pub task: Task,
    pub standing: Standing,
}

/// What the end of a file told, while the rest of it is still being read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tail {
    pub size: u64,
    pub context: Option<u64>,
    pub window: Option<u64>,
}

/// What was said before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Standing {
    /// Over the threshold of the model's line, as of the last moment; how often it was crossed, and whether that was told.
    is_over: bool,
    crossings: u32,
    is_told: bool,
    told_at: Option<u64>,
    /// Names that were claimed, by whomever, so that nobody is asked for them again.
    claimed: VecDeque<String>,
    /// What was last written down of the work.
    pub noted: u64,
}

/// How large the context is, and in which window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    pub tokens: Option<u64>,
    pub window: Option<u64>,
}

impl Size {
    pub fn is_at_least(&self, percent: u64) -> bool {
        matches!((self.tokens, self.window), (Some(tokens), Some(window)) if tokens.saturating_mul(100) >= window.saturating_mul(percent))
    }
}

impl Kept {
    pub fn of_file(path: &str) -> Kept {
        Kept { figures: Reading::of_file(path), ..Kept::default() }
    }

    /// The figures of the host where it has them, else the transcript's; the person's word on the window before all.
    pub fn size(&self, config: &Config, live: Size) -> Size {
        let (tokens, window) = match &self.tail {
            Some(tail) if self.feed.is_behind() => (tail.context, tail.window),
            _ => (self.figures.context(), self.figures.window()),
        };
        Size { tokens: live.tokens.or(tokens), window: config.limit.or(live.window).or(window) }
    }

    /// True where every line was read and understood.
    pub fn is_complete(&self) -> bool {
        self.feed.is_done() && self.figures.is_sure()
    }

    /// Names of what must be claimed before the person is told of a level: that level last, and those below it, so that none of them is
    /// told of later. Empty = there is nothing to tell.
    pub fn levels(&self, config: &Config, size: Size) -> Vec<String> {
        // While the file is being read nobody knows the last compaction.
        if !config.is_enabled || self.feed.is_behind() {
            return Vec::new();
        }
        let level = size.tokens.map_or(0, |tokens| config.level(size.window, tokens));
        (1..=level).map(|level| format!("level-{}-{level}", self.figures.epoch())).collect()
    }

    /// The name of what must be claimed before the model is told that the context is nearly full.
    pub fn pressure(&mut self, config: &Config, size: Size, now: u64) -> Option<String> {
        if !config.is_enabled || size.tokens.is_none() || size.window.is_none() || self.feed.is_behind() {
            return None;
        }
        let standing = &mut self.standing;
        let is_over = size.is_at_least(config.threshold);
        if is_over && !standing.is_over {
            standing.crossings += 1;
            standing.is_told = false;
        }
        standing.is_over = is_over;
        // A clock that went back must not make the silence last.
        let told_at = standing.told_at.filter(|told_at| *told_at <= now);
        let is_quiet = told_at.is_some_and(|told_at| now - told_at < QUIET_MS);
        if !is_over || standing.is_told || is_quiet {
            return None;
        }
        standing.is_told = true;
        standing.told_at = Some(now);
        Some(format!("pressure-{}-{}", self.figures.epoch(), standing.crossings))
    }

    /// The name of what must be claimed before the state of the work is offered after a compaction, the same for every reader.
    pub fn offer(&self, is_written: bool) -> Option<String> {
        // At the moment itself the client may not have written the boundary yet.
        let number = self.figures.compactions + u32::from(!is_written);
        (number > 0 && !self.task.is_empty() && !self.feed.is_behind()).then(|| format!("offer-{number}"))
    }

    /// True where the transcript's last word is a compaction.
    pub fn is_just_compacted(&self) -> bool {
        self.figures.compactions > 0 && self.figures.is_at_boundary()
    }

    /// The name of what is claimed by who writes down where the session stands, and by who leaves word that nobody did.
    pub fn handed(&self) -> String {
        format!("handed-{}", self.figures.epoch())
    }

    /// True for a session that should not end like this, unless somebody wrote down where it stands: half full or more.
    pub fn is_left_full(&self, config: &Config, size: Size) -> bool {
        // While the file is being read nobody knows before which compaction.
        config.is_enabled && size.is_at_least(FULL_PERCENT) && !self.feed.is_behind()
    }

    /// The name of what must be claimed before a compaction waits; the session has so many and no more.
    pub fn next_wait(&self) -> Option<String> {
        (1..=crate::rubric::MOST).map(|number| format!("wait-{number}")).find(|name| !self.is_claimed(name))
    }

    pub fn is_claimed(&self, name: &str) -> bool {
        self.standing.claimed.iter().any(|claimed| claimed == name)
    }

    pub fn claimed(&mut self, name: String) {
        self.standing.claimed.push_back(name);
        if self.standing.claimed.len() > MAX_CLAIMED {
            self.standing.claimed.pop_front();
        }
    }
}

/// At which turns a session would have been warned, and how large it was.
pub fn warnings(config: &Config, moments: &[crate::reading::Moment]) -> Vec<(u32, usize, u64)> {
    use crate::reading::Moment;
    let (mut warned, mut reached) = (Vec::new(), 0);
    for moment in moments {
        match *moment {
            Moment::Compaction => reached = 0,
            Moment::Answer { turn, tokens, window } => {
                let level = config.level(config.limit.or(window), tokens);
                if level > reached {
                    warned.push((turn, level, tokens));
                    reached = level;
                }
            }
        }
    }
    warned
}
