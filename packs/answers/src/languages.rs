//! Which language a file is written in, by its ending.

/// Endings and the packs that read them.
const ENDINGS: &[(&str, &[&str])] = &[
    ("bash", &["bash", "bats", "sh", "zsh"]),
    ("c", &["c", "h"]),
    ("cpp", &["cc", "cpp", "cxx", "h++", "hh", "hpp", "hxx"]),
    ("csharp", &["cs", "csx"]),
    ("go", &["go"]),
    ("java", &["java"]),
    ("javascript", &["cjs", "js", "jsx", "mjs"]),
    ("json", &["json", "jsonc"]),
    ("kotlin", &["kt", "kts"]),
    ("markdown", &["markdown", "md"]),
    ("php", &["php"]),
    ("python", &["py", "pyi"]),
    ("ruby", &["rake", "rb"]),
    ("rust", &["rs"]),
    ("scala", &["sbt", "sc", "scala"]),
    ("sql", &["sql"]),
    ("swift", &["swift"]),
    ("toml", &["toml"]),
    ("tsx", &["tsx"]),
    ("typescript", &["cts", "mts", "ts"]),
    ("yaml", &["yaml", "yml"]),
];

/// The language of a path, in lower or upper case; `None` where no pack reads it.
pub fn of_path(path: &str) -> Option<&'static str> {
    let name = path.rsplit(['/', '\\']).next()?;
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    ENDINGS.iter().find(|(_, endings)| endings.contains(&ending.as_str())).map(|(language, _)| *language)
}

/// Whether a language declares functions and types, so that what stands around a line says something.
pub fn is_code(language: &str) -> bool {
    !matches!(language, "json" | "markdown" | "sql" | "toml" | "yaml")
}
