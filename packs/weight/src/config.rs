//! What the configuration says of weight; the core has checked it (`docs/configuration.md`).

use serde_json::Value;

use crate::reading::MAX_TOP;
use crate::rubric::Words;

/// Tokens at which the person is told. A described system's are these two.
pub const WARN_AT: [u64; 2] = [150_000, 300_000];
/// In a window that the larger one does not fit in, in percent of it.
const WARN_AT_PERCENT: [u64; 2] = [50, 80];

#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    pub is_enabled: bool,
    pub warn_at: Vec<u64>,
    pub top: usize,
    /// Percent of the window at which the model is told.
    pub threshold: u64,
    /// The window, where the person says it.
    pub limit: Option<u64>,
    /// A good moment is waited for before an automatic compaction.
    pub is_waiting: bool,
    /// By which the model's last text says that it is one, or is none.
    pub words: Words,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            is_enabled: true,
            warn_at: WARN_AT.to_vec(),
            top: 3,
            threshold: 80,
            limit: None,
            is_waiting: false,
            words: Words::default(),
        }
    }
}

impl Config {
    /// Out of the core's answer to `config`; what is missing has its default.
    pub fn of(value: &Value) -> Config {
        let plain = Config::default();
        let number = |pointer: &str| value.pointer(pointer).and_then(Value::as_u64);
        let list = value.pointer("/weight/warnAt").and_then(Value::as_array);
        let warn_at: Vec<u64> = list.into_iter().flatten().filter_map(Value::as_u64).collect();
        let words = |kind: &str| {
            let list = value.pointer(&format!("/compaction/{kind}")).and_then(Value::as_array);
            list.into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
        };
        Config {
            is_enabled: ["/enabled", "/weight/enabled"]
                .iter()
                .all(|key| value.pointer(key) != Some(&Value::Bool(false)))
                && value.pointer("/mode") != Some(&Value::from("off")),
            warn_at: if warn_at.is_empty() { plain.warn_at } else { warn_at },
            top: number("/weight/top").map_or(plain.top, |top| (top as usize).clamp(1, MAX_TOP)),
            threshold: number("/contextMonitor/threshold").map_or(plain.threshold, |percent| percent.clamp(50, 95)),
            limit: number("/contextLimit").filter(|limit| *limit > 0),
            is_waiting: value.pointer("/compaction/wait") == Some(&Value::Bool(true)),
            words: Words {
                closed: words("closed"),
                progress: words("progress"),
                reducible: words("reducible"),
                stuck: words("stuck"),
            },
        }
    }

    /// The sizes that count in this window.
    pub fn sizes(&self, window: Option<u64>) -> Vec<u64> {
        match window {
            Some(window) if self.warn_at == WARN_AT && window < WARN_AT[1] => {
                WARN_AT_PERCENT.iter().map(|percent| window * percent / 100).collect()
            }
            _ => self.warn_at.clone(),
        }
    }

    /// How many of them a context has reached.
    pub fn level(&self, window: Option<u64>, tokens: u64) -> usize {
        self.sizes(window).iter().filter(|size| **size <= tokens).count()
    }
}
