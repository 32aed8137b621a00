//! What the pack takes for granted where the configuration says nothing is what the schema says, and the document beside it.

use serde_json::{Value, json};
use trimtab_weight::config::{Config, WARN_AT};

fn text(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// What the schema says of a key.
fn said(schema: &Value, key: &str) -> Value {
    let (group, name) = key.split_once('.').unwrap_or(("", key));
    let of = if group.is_empty() { schema } else { &schema["properties"][group] };
    of["properties"][name].clone()
}

#[test]
fn the_defaults_are_those_of_the_schema() {
    let schema: Value = serde_json::from_str(&text("schema/config.schema.json")).unwrap();
    let mut config = json!({});
    for key in
        ["weight.enabled", "weight.warnAt", "weight.top", "contextMonitor.threshold", "contextLimit", "compaction.wait"]
    {
        let default = said(&schema, key)["default"].clone();
        assert!(!default.is_null(), "{key}");
        match key.split_once('.') {
            Some((group, name)) => config[group][name] = default,
            None => config[key] = default,
        }
    }
    assert_eq!(Config::of(&config), Config::default());
    assert_eq!(Config::of(&json!({})), Config::default());
}

#[test]
fn the_limits_are_those_of_the_schema() {
    let schema: Value = serde_json::from_str(&text("schema/config.schema.json")).unwrap();
    for (key, of) in [
        ("weight.top", (|config: &Config| config.top as u64) as fn(&Config) -> u64),
        ("contextMonitor.threshold", |config| config.threshold),
    ] {
        let (group, name) = key.split_once('.').unwrap();
        let (least, most) = (&said(&schema, key)["minimum"], &said(&schema, key)["maximum"]);
        for (value, expect) in [(json!(0), least), (least.clone(), least), (most.clone(), most), (json!(10_000), most)]
        {
            assert_eq!(json!(of(&Config::of(&json!({group: {name: value}})))), *expect, "{key} {value}");
        }
    }
}

#[test]
fn the_document_says_the_same() {
    let plain = Config::default();
    let document = text("docs/configuration.md");
    let row = |key: &str| {
        let start = format!("| `{key}` | ");
        let row = document.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row for {key}"));
        row[start.len()..].replace(',', "")
    };
    let percents: Vec<u64> = plain.sizes(Some(100_000)).iter().map(|size| size / 1_000).collect();
    for (key, start) in [
        ("weight.enabled", format!("`{}` |", plain.is_enabled)),
        (
            "weight.warnAt",
            format!(
                "{} and {}; in a window below {} {} and {} percent of it |",
                WARN_AT[0], WARN_AT[1], WARN_AT[1], percents[0], percents[1]
            ),
        ),
        ("weight.top", format!("{} from 1 to 10 |", plain.top)),
        ("contextMonitor.threshold", format!("{} from 50 to 95 |", plain.threshold)),
        ("contextLimit", "0: ".to_string()),
        ("compaction.wait", format!("`{}` |", plain.is_waiting)),
    ] {
        assert!(row(key).starts_with(&start), "{key}: {} / {start}", row(key));
    }
}
