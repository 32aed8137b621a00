//! The configuration over the wire: every key, every kind of mistake, every origin, and the schema beside the table.

// For the native core only: wasm-pack builds every test there is.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use trimtab::rules::RULES;
use trimtab::wire::Wire;

fn worked_out(layers: Value) -> Value {
    let request = json!({"v": 1, "do": "config", "layers": layers});
    serde_json::from_str(&Wire::new().step(&request.to_string())).expect("the wire always answers JSON")
}

fn of_user(config: Value) -> Value {
    worked_out(json!([{"from": "user", "text": config.to_string()}]))
}

/// Key -> (value, origin).
fn rows(answer: &Value) -> BTreeMap<String, (Value, String)> {
    let rows = answer["keys"].as_array().expect("rows").iter();
    rows.map(|row| {
        let text = |name: &str| row[name].as_str().expect("a text").to_string();
        (text("key"), (row["value"].clone(), text("from")))
    })
    .collect()
}

fn warnings(answer: &Value) -> Vec<String> {
    answer["warnings"].as_array().expect("a list").iter().map(|w| w.as_str().expect("a text").to_string()).collect()
}

/// A value in its groups: `large.lines` and 7 -> `{"large":{"lines":7}}`.
fn nested(path: &str, value: Value) -> Value {
    path.rsplit('.').fold(value, |inner, name| json!({name: inner}))
}

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/config.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON")
}

/// The keys of the schema with what it says of each, references filled in.
fn flat(schema: &Value, of: &Value, group: &str, found: &mut BTreeMap<String, Value>) {
    for (name, said) in of["properties"].as_object().into_iter().flatten() {
        let mut all = Map::new();
        if let Some(reference) = said["$ref"].as_str() {
            let definition = schema.pointer(&reference[1..]).expect("a definition");
            all.extend(definition.as_object().expect("an object").clone());
        }
        all.extend(said.as_object().expect("an object").clone());
        let said = Value::Object(all);
        match said["properties"].is_object() {
            true => flat(schema, &said, &format!("{group}{name}."), found),
            false => drop(found.insert(format!("{group}{name}"), said)),
        }
    }
}

fn keys_of_the_schema() -> BTreeMap<String, Value> {
    let (schema, mut found) = (schema(), BTreeMap::new());
    flat(&schema, &schema, "", &mut found);
    found.retain(|key, _| key != "$schema" && key != "rules");
    found
}

#[test]
fn the_schema_and_the_table_have_the_same_keys_with_the_same_defaults() {
    let mut table = rows(&worked_out(json!([])));
    table.retain(|key, _| !key.starts_with("rules."));
    let schema = keys_of_the_schema();
    assert_eq!(table.keys().collect::<Vec<_>>(), schema.keys().collect::<Vec<_>>());
    for (key, said) in schema.iter().filter(|(key, _)| *key != "source") {
        assert_eq!(table[key], (said["default"].clone(), "default".to_string()), "{key}");
    }
}

#[test]
fn the_schema_names_every_rule() {
    let named: BTreeSet<String> = schema()["properties"]["rules"]["propertyNames"]["enum"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|id| id.as_str().expect("a text").to_string())
        .collect();
    assert_eq!(named, RULES.iter().map(|rule| rule.id.to_string()).collect());
}

#[test]
fn what_the_schema_allows_is_read_and_its_limits_are_the_core_s() {
    for (key, said) in keys_of_the_schema() {
        for value in said["enum"].as_array().into_iter().flatten() {
            assert_eq!(warnings(&of_user(nested(&key, value.clone()))), [""; 0], "{key} {value}");
        }
        if let Some(least) = said["minimum"].as_u64() {
            assert_eq!(warnings(&of_user(nested(&key, json!(least)))), [""; 0], "{key}");
            let below = of_user(nested(&key, json!(least as i64 - 1)));
            assert_eq!(warnings(&below).len(), 1, "{key}");
        }
        if let Some(most) = said["maximum"].as_u64() {
            assert_eq!(warnings(&of_user(nested(&key, json!(most)))), [""; 0], "{key}");
            let above = of_user(nested(&key, json!(most + 1)));
            assert_eq!((warnings(&above).len(), &rows(&above)[&key].0), (1, &json!(most)), "{key}");
        }
    }
    let too_many = of_user(json!({"ignore": vec!["a"; 101]}));
    let too_long = of_user(json!({"ignore": ["a".repeat(201)]}));
    for answer in [too_many, too_long, of_user(json!({"ignore": ["{a,b}", "!c"]}))] {
        assert_eq!((warnings(&answer).len(), &answer["config"]["ignore"]), (1, &json!([])));
    }
}

#[test]
fn a_value_of_the_wrong_type_is_one_warning_and_keeps_what_was() {
    let values = [json!(true), json!("x"), json!(7), json!(-1), json!(1.5), json!([]), json!([7]), json!({"x": 1})];
    for (key, said) in keys_of_the_schema() {
        let allowed = |value: &Value| {
            let types: Vec<&str> = said["type"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let kind = match value {
                Value::Bool(_) => "boolean",
                Value::Number(number) if number.is_u64() => "integer",
                Value::Array(entries) if entries.is_empty() => "array",
                Value::Array(entries) if entries[0].is_u64() && said["items"]["type"] == "integer" => "array",
                _ => "none",
            };
            types.contains(&kind)
        };
        for value in values.iter().filter(|value| !allowed(value)) {
            let answer = of_user(nested(&key, value.clone()));
            assert_eq!(warnings(&answer).len(), 1, "{key} {value}: {answer}");
            assert!(warnings(&answer)[0].contains(&format!("`{key}`")), "{answer}");
            // A list keeps what is fine in it, which here is nothing.
            if !value.is_array() {
                assert_eq!(rows(&answer)[&key], rows(&worked_out(json!([])))[&key], "{key} {value}");
            }
        }
    }
}

#[test]
fn no_configuration_is_a_failure() {
    let mut seed = 11u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let names =
        ["mode", "large", "lines", "rules", "whole-file-read", "refuse", "preset", "every", "ignore", "x", "enabled"];
    let leaves =
        [json!(null), json!(false), json!("off"), json!("strict"), json!(0), json!(u64::MAX), json!(-3), json!(["*"])];
    let froms = ["user", "project", "local", "options", "env", "nobody"];
    for _ in 0..3_000 {
        let layers: Vec<Value> = (0..random(4))
            .map(|_| {
                let mut value = leaves[random(leaves.len())].clone();
                for _ in 0..random(4) {
                    value = json!({names[random(names.len())]: value, names[random(names.len())]: leaves[random(leaves.len())]});
                }
                json!({"from": froms[random(froms.len())], "value": value})
            })
            .collect();
        let answer = worked_out(json!(layers));
        assert!(answer["config"]["large"]["lines"].as_u64() >= Some(50), "{layers:?}");
        // A repository alone can never make it louder than the defaults.
        if layers.iter().all(|layer| layer["from"] == "project" || layer["from"] == "local") {
            assert!(answer["config"]["large"]["lines"].as_u64() >= Some(300), "{layers:?}");
            assert!(answer["config"]["mode"] != "strict" && answer["config"]["preset"].is_null(), "{layers:?}");
        }
    }
}

#[test]
fn a_file_of_another_program_leaves_twenty_warnings_and_their_number() {
    let keys: Map<String, Value> = (0..500).map(|n| (format!("k{n}"), json!(n))).collect();
    let told = warnings(&of_user(Value::Object(keys)));
    assert_eq!((told.len(), told[20].as_str()), (21, "480 more mistakes in the configuration"));
}

#[test]
fn each_value_has_the_origin_of_the_layer_that_set_it() {
    let answer = worked_out(json!([
        {"from": "user", "text": "{\"preset\":\"codeloupe\",\"mode\":\"redirect\",\"large\":{\"lines\":200},\"giveUpAfter\":2,\"ignore\":[\"a\"]}"},
        {"from": "project", "text": "{\"large\":{\"lines\":400,\"bytes\":null},\"ignore\":[\"b\"],\"rules\":{\"unbounded-log\":\"off\"}}"},
        {"from": "local", "text": "{\"rules\":{\"whole-file-read\":{\"large\":{\"lines\":500}}}}"},
        {"from": "options", "value": {"mode": "strict", "maxPerSession": "7"}},
        {"from": "env", "value": {"TRIMTAB_MODE": "advise"}},
    ]));
    assert_eq!(warnings(&answer), [""; 0]);
    let rows = rows(&answer);
    for (key, value, from) in [
        ("preset", json!("codeloupe"), "user"),
        ("mode", json!("advise"), "env"),
        ("large.lines", json!(400), "project"),
        ("refuse.minTokens", json!(0), "preset"),
        ("source", json!(["java", "kt", "kts"]), "preset"),
        ("giveUpAfter", json!(2), "user"),
        ("ignore", json!(["a", "b"]), "project"),
        ("maxPerSession", json!(7), "options"),
        ("adviceTokens", json!(1_000_000_000), "preset"),
        ("enabled", json!(true), "default"),
        ("rules.unbounded-log", json!("off"), "project"),
        ("rules.recursive-grep", json!("advise"), "env"),
        ("rules.whole-file-read", json!("advise"), "env"),
        ("rules.whole-file-read.large.lines", json!(500), "local"),
    ] {
        assert_eq!(rows.get(key), Some(&(value, from.to_string())), "{key}");
    }
}

#[test]
fn null_takes_back_what_a_weaker_layer_said() {
    for (key, value, default) in [
        ("large.lines", json!(900), json!(300)),
        ("mode", json!("off"), json!("answer")),
        ("ignore", json!(["a"]), json!([])),
        ("preset", json!("codeloupe"), json!(null)),
    ] {
        let answer = worked_out(json!([
            {"from": "user", "value": nested(key, value)},
            {"from": "options", "value": nested(key, json!(null))},
        ]));
        assert_eq!((&rows(&answer)[key], warnings(&answer).len()), (&(default, "default".to_string()), 0), "{key}");
    }
    let whole = [json!({"large": null}), json!({"rules": null}), json!({"rules": {"unbounded-log": null}})];
    for taken_back in whole {
        let user =
            json!({"large": {"lines": 900}, "rules": {"unbounded-log": {"mode": "off", "refuse": {"minTokens": 9}}}});
        let answer = worked_out(json!([{"from": "user", "value": user}, {"from": "options", "value": taken_back}]));
        let of_rule = taken_back["rules"].is_null() && taken_back.get("rules").is_none();
        assert_eq!(rows(&answer)["large.lines"].0, json!(if of_rule { 300 } else { 900 }));
        assert_eq!(rows(&answer)["rules.unbounded-log"].0, json!(if of_rule { "off" } else { "answer" }));
    }
}

#[test]
fn a_repository_can_make_it_quieter_and_never_louder() {
    // Key -> what it may, what it may not.
    for (key, quieter, louder) in [
        ("adaptive", json!(false), None),
        ("adviceRepeat", json!("once"), Some(json!("each"))),
        ("adviceTokens", json!(10), Some(json!(9_000))),
        ("answer.chars", json!(90_000), Some(json!(9_000))),
        ("compaction.closed", json!([]), Some(json!(["done"]))),
        ("compaction.progress", json!([]), Some(json!(["done"]))),
        ("compaction.reducible", json!([]), Some(json!(["done"]))),
        ("compaction.stuck", json!([]), Some(json!(["done"]))),
        ("compaction.wait", json!(false), Some(json!(true))),
        ("contextLimit", json!(0), Some(json!(200_000))),
        ("contextMonitor.threshold", json!(90), Some(json!(50))),
        ("enabled", json!(false), None),
        ("every.listing", json!(false), Some(json!(true))),
        ("every.range", json!(false), Some(json!(true))),
        ("every.search", json!(false), Some(json!(true))),
        ("giveUpAfter", json!(1), Some(json!(9))),
        ("ignore", json!(["gen/**"]), None),
        ("large.bytes", json!(90_000), Some(json!(10))),
        ("large.lines", json!(900), Some(json!(60))),
        ("maxPerSession", json!(0), Some(json!(41))),
        ("mode", json!("advise"), Some(json!("strict"))),
        ("preset", json!(null), Some(json!("codeloupe"))),
        ("refuse.minSaved", json!(9_000), Some(json!(0))),
        ("refuse.minTokens", json!(9_000), Some(json!(0))),
        ("refuse.weak", json!(false), None),
        ("source", json!(["rs"]), None),
        ("tools.enabled", json!(false), None),
        ("ui.band", json!(false), None),
        ("ui.status", json!(false), Some(json!(true))),
        ("weight.enabled", json!(false), None),
        ("weight.top", json!(1), Some(json!(9))),
        ("weight.warnAt", json!([200_000]), Some(json!([100_000, 400_000]))),
    ] {
        let of_project = |value: &Value| worked_out(json!([{"from": "project", "value": nested(key, value.clone())}]));
        let quiet = of_project(&quieter);
        if key != "preset" {
            assert_eq!((&rows(&quiet)[key].0, warnings(&quiet).len()), (&quieter, 0), "{key}");
        }
        if let Some(louder) = louder {
            let answer = of_project(&louder);
            assert_eq!(warnings(&answer).len(), 1, "{key}");
            assert!(warnings(&answer)[0].contains("a repository's file"), "{answer}");
            assert_eq!(rows(&answer)[key], rows(&worked_out(json!([])))[key], "{key}");
        }
    }
    let keys: BTreeSet<String> = keys_of_the_schema().into_keys().collect();
    assert_eq!(keys.len(), 32, "a new key has a row here");
    // Taking back the person's own value is no way around it.
    let answer = worked_out(json!([
        {"from": "user", "value": {"mode": "off", "large": {"lines": 900}, "source": ["rs"], "rules": {"unbounded-log": "off"}}},
        {"from": "project", "value": {"mode": null, "large": null, "source": null, "rules": null}},
    ]));
    assert_eq!((&answer["config"]["mode"], &answer["config"]["large"]["lines"]), (&json!("off"), &json!(900)));
    assert_eq!(
        (&answer["config"]["source"], &answer["config"]["rules"]["unbounded-log"]),
        (&json!(["rs"]), &json!("off"))
    );
}

#[test]
fn sizes_that_stood_in_another_order_were_compared_by_it() {
    let of = |project: Value| {
        worked_out(json!([
            {"from": "user", "value": {"weight": {"warnAt": [300_000, 150_000, 300_000]}}},
            {"from": "project", "value": {"weight": {"warnAt": project}}},
        ]))["config"]["weight"]["warnAt"]
            .clone()
    };
    assert_eq!(of(json!(null)), json!([150_000, 300_000]));
    assert_eq!(of(json!([400_000, 200_000])), json!([200_000, 400_000]));
    assert_eq!(of(json!([100_000, 400_000])), json!([150_000, 300_000]), "louder");
}

#[test]
fn words_are_the_persons_own_and_what_is_none_is_left_out() {
    let answer = of_user(json!({"compaction": {"stuck": [" same error ", "", 7]}}));
    assert_eq!(answer["config"]["compaction"]["stuck"], json!(["same error"]));
    assert_eq!(warnings(&answer).len(), 1, "{answer}");
}

#[test]
fn the_presets_have_the_numbers_of_their_systems() {
    let of = |preset: &str| of_user(json!({"preset": preset}))["config"].clone();
    let (codeloupe, token_pilot) = (of("codeloupe"), of("token-pilot"));
    assert_eq!(codeloupe["large"]["lines"], 150);
    assert_eq!((&codeloupe["maxPerSession"], &codeloupe["giveUpAfter"]), (&json!(40), &json!(4)));
    assert_eq!((&codeloupe["mode"], &codeloupe["adviceRepeat"]), (&json!("advise"), &json!("each")));
    // More than 300 lines are large there.
    assert_eq!((&token_pilot["large"]["lines"], &token_pilot["mode"]), (&json!(301), &json!("redirect")));
    // What the person says is laid over them, wherever it stands.
    let answer = worked_out(json!([
        {"from": "user", "value": {"large": {"lines": 700}}},
        {"from": "options", "value": {"preset": "codeloupe"}},
    ]));
    assert_eq!((&answer["config"]["large"]["lines"], &answer["config"]["mode"]), (&json!(700), &json!("advise")));
    assert_eq!(
        warnings(&of_user(json!({"preset": "codelupe"}))),
        [
            "user configuration: `preset` is `codelupe`, expected one of codeloupe, token-pilot; did you mean `codeloupe`?"
        ]
    );
}
