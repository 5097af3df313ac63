//! Vocabulary: no retired identifier is used again, no public type shares its name, and
//! documentation begins with a verb or the thing that it describes.
//!
//! `docs/internals/history.md` lists the replacement of each retired name, `GLOSSARY.md` defines the words.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Retired identifiers and their replacements, a pair per line.
const RETIRED_NAMES: &str = include_str!("retired_names.txt");

/// Returns the replacement of every retired identifier.
fn retired_names() -> HashMap<&'static str, &'static str> {
    RETIRED_NAMES.lines().map(|line| line.split_once(' ').expect("two names")).collect()
}

/// Collects every Rust source below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the identifiers of a line of code, without its comment and strings.
fn identifiers(line: &str) -> Vec<&str> {
    let code = line.split("//").next().unwrap_or_default();
    let outside = code.split('"').step_by(2);
    let words = outside.flat_map(|piece| piece.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| !word.is_empty()).collect()
}

#[test]
fn no_retired_identifier_is_used() {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    let retired = retired_names();
    assert!(retired.len() > 200, "only {} names: the test sees nothing", retired.len());
    for folder in ["src", "tests", "benches", "examples", "fuzz/src", "cli/src", "cli/tests"] {
        sources(&root().join(folder), &mut found);
    }
    assert!(found.len() > 300, "only {} files: the test sees nothing", found.len());
    for path in found {
        let text = fs::read_to_string(&path).expect("a source");
        for (line, code) in text.lines().enumerate() {
            for word in identifiers(code) {
                if let Some((retired, now)) = retired.get_key_value(word) {
                    let place = format!("{}:{}", path.display(), line + 1);
                    faults.push(format!("{place}: '{retired}' is called '{now}' now"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_checker_reads_only_code() {
    let line = format!("let keeping = near_parts({:?}, x); // Beam", "Site");
    assert_eq!(identifiers(&line), ["let", "keeping", "near_parts", "x"]);
    assert_eq!(identifiers("/// a Site"), [""; 0]);
}

/// Names of functions that have no object or are a mood of one, and the files that may have each:
/// a public method reads as a sentence with its type, such as `PairQuery::within`.
const BARE_NAMES: [(&str, &[&str]); 18] = [
    ("along", &["tree/translation/push.rs"]),
    ("around", &[]),
    ("asks", &[]),
    ("holds", &[]),
    ("keeps", &[]),
    ("lets", &[]),
    ("level", &["tree/build/options.rs"]),
    ("meet", &[]),
    ("meets", &[]),
    ("middle", &[]),
    ("near", &["tree/translation/push.rs"]),
    (
        "of",
        &["scene/filter/pair_query.rs", "scene/filter/query_filter.rs", "scene/volumes/results.rs"],
    ),
    ("put", &[]),
    ("take", &[]),
    ("tells", &[]),
    ("turned", &[]),
    ("way", &[]),
    ("within", &["scene/filter/pair_query.rs", "tree/translation/push.rs"]),
];

/// Returns the name of the function that a line declares.
fn declared_function(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let scope = before.trim_start().strip_prefix("pub").map(|scope| {
        scope.strip_prefix('(').and_then(|scope| scope.split_once(')')).map_or(scope, |of| of.1)
    });
    let is_declaration = ["", "const"].contains(&scope.unwrap_or(before).trim());
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
    name.filter(|name| is_declaration && !name.is_empty())
}

#[test]
fn functions_have_a_verb_with_an_object() {
    let (mut found, mut faults, mut count) = (Vec::new(), Vec::new(), 0);
    let mut unused: Vec<(&str, &str)> = BARE_NAMES
        .iter()
        .flat_map(|(name, files)| files.iter().map(move |file| (*name, *file)))
        .collect();
    sources(&root().join("src"), &mut found);
    for path in found {
        let text = fs::read_to_string(&path).expect("a source");
        for (index, line) in text.lines().enumerate() {
            let Some(name) = declared_function(line) else { continue };
            count += 1;
            unused.retain(|(bare, file)| *bare != name || !path.ends_with(file));
            let bare = BARE_NAMES.iter().find(|(bare, _)| *bare == name);
            if bare.is_some_and(|(_, files)| !files.iter().any(|file| path.ends_with(file))) {
                faults.push(format!("{}:{}: fn {name}", path.display(), index + 1));
            }
        }
    }
    assert!(count > 5_000, "only {count} functions: the test sees nothing");
    assert!(unused.is_empty(), "exceptions without a function: {unused:?}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for (line, name) in [
        ("    pub(in crate::tree) fn meet(&mut self) -> bool {", Some("meet")),
        ("pub const fn of<T>(x: T)", Some("of")),
        ("/// Calls fn near(x).", None),
        ("struct A(fn (u8));", None),
    ] {
        assert_eq!(declared_function(line), name, "{line}");
    }
}

/// Returns a type that a line defines, with `true` if it is public.
fn defined(line: &str) -> Option<(&str, bool)> {
    let public = line.starts_with("pub ");
    let rest = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
    let rest = rest.trim_start_matches("pub(super) ");
    let (kind, rest) = rest.split_once(' ')?;
    let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    ["struct", "enum", "trait", "type"].contains(&kind).then_some((name, public))
}

#[test]
fn no_type_shares_the_name_of_a_public_one() {
    let mut found = Vec::new();
    sources(&root().join("src"), &mut found);
    let mut types: HashMap<String, Vec<(PathBuf, bool)>> = HashMap::new();
    for path in found.into_iter().filter(|path| !path.ends_with("src/lib.rs")) {
        let text = fs::read_to_string(&path).expect("a source");
        for (name, public) in text.lines().filter_map(defined) {
            types.entry(name.to_owned()).or_default().push((path.clone(), public));
        }
    }
    assert!(types.len() > 300, "only {} types: the test sees nothing", types.len());
    // The traits that seal others are in private modules.
    types.remove("Sealed");
    let shared =
        |places: &[(PathBuf, bool)]| places.len() > 1 && places.iter().any(|(_, public)| *public);
    let faults: Vec<String> = types
        .iter()
        .filter(|(_, places)| shared(places))
        .map(|(name, places)| format!("{name}: {places:?}"))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Words that a doc line must not begin with: question words, prepositions, and words that refer to
/// another line.
const FORBIDDEN_BEGINNINGS: [&str; 63] = [
    "Whether", "What", "How", "Where", "Which", "Who", "Whose", "When", "Why", "If", "As", "That",
    "Those", "This", "These", "It", "Its", "They", "Their", "So", "Nor", "Of", "In", "On", "At",
    "By", "With", "Without", "For", "From", "To", "Into", "Under", "Over", "Between", "Among",
    "Around", "Along", "Within", "Near", "Beyond", "Against", "After", "Before", "Until", "Unless",
    "Also", "Only", "Not", "No", "Neither", "None", "Nothing", "Nowhere", "Both", "And", "Or",
    "But", "Then", "There", "Here", "Such", "Likewise",
];

/// Returns the first line of every documented item of a source, with its line number.
fn documented_items(source: &str) -> Vec<(usize, &str)> {
    let (mut found, mut previous) = (Vec::new(), None);
    for (index, line) in source.lines().enumerate() {
        let line = line.trim();
        let doc = ["//!", "///"].into_iter().find(|mark| line.starts_with(mark));
        let doc = doc.filter(|_| !line.starts_with("////"));
        if let Some(mark) = doc
            && previous != Some(mark)
        {
            found.push((index + 1, line[mark.len()..].trim()));
        }
        let is_attribute = line.starts_with("#[");
        previous = if is_attribute { previous } else { doc };
    }
    found
}

/// Returns the forbidden beginning of a doc line; an empty line is one.
fn forbidden_beginning(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['*', '_', '"', '(']);
    let word = line.split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap_or_default();
    let is_forbidden = line.starts_with("The same") || FORBIDDEN_BEGINNINGS.contains(&word);
    (is_forbidden || line.is_empty()).then_some(word)
}

#[test]
fn documentation_begins_with_a_verb_or_a_noun() {
    let (mut found, mut faults, mut items) = (Vec::new(), Vec::new(), 0);
    let folders = ["src", "tests", "benches", "examples", "fuzz", "cli", "bindings", "web"];
    for folder in folders {
        sources(&root().join(folder), &mut found);
    }
    for path in found {
        let text = fs::read_to_string(&path).expect("a source");
        for (line, doc) in documented_items(&text) {
            items += 1;
            if forbidden_beginning(doc).is_some() {
                faults.push(format!("{}:{line}: {doc}", path.display()));
            }
        }
    }
    assert!(items > 5_000, "only {items} documented items: the test sees nothing");
    assert!(faults.is_empty(), "{} items:\n{}", faults.len(), faults.join("\n"));
}

/// Words that point to another line or ask a question, and must not begin a paragraph either.
const POINTERS: [&str; 13] = [
    "As", "Those", "That", "What", "Whether", "How", "Where", "Of", "So", "Nor", "Which", "Whose",
    "Who",
];

/// The first line of every paragraph of documentation outside of code, with its line number.
fn paragraphs(source: &str) -> Vec<(usize, &str)> {
    let (mut found, mut is_start, mut in_code) = (Vec::new(), true, false);
    for (index, line) in source.lines().enumerate() {
        let line = line.trim();
        let Some(doc) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            (is_start, in_code) = (true, false);
            continue;
        };
        let doc = doc.trim();
        in_code ^= doc.starts_with("```");
        if is_start && !in_code && !doc.is_empty() {
            found.push((index + 1, doc));
        }
        is_start = doc.is_empty() || doc.starts_with('#');
    }
    found
}

#[test]
fn no_paragraph_of_documentation_points_to_another_line() {
    let (mut found, mut faults, mut count) = (Vec::new(), Vec::new(), 0);
    sources(&root().join("src"), &mut found);
    for path in found {
        let text = fs::read_to_string(&path).expect("a source");
        for (line, doc) in paragraphs(&text) {
            count += 1;
            let word = doc.split(|c: char| !c.is_alphanumeric() && c != '-').next();
            if doc.starts_with("The same") || word.is_some_and(|word| POINTERS.contains(&word)) {
                faults.push(format!("{}:{line}: {doc}", path.display()));
            }
        }
    }
    assert!(count > 6_000, "only {count} paragraphs: the test sees nothing");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let source =
        "/// Adds.\n///\n/// # Errors\n/// As [`x`].\n/// So.\n///\n/// ```\n/// So\n/// ```\n";
    assert_eq!(paragraphs(source), [(1, "Adds."), (3, "# Errors"), (4, "As [`x`].")]);
}

/// Prepositions, which no comment of the crate begins with: what follows has mostly no verb.
const PREPOSITIONS: [&str; 19] = [
    "In", "On", "At", "By", "With", "From", "To", "Into", "For", "Under", "Over", "Between",
    "Among", "Around", "Along", "Within", "Near", "Beyond", "Against",
];

/// Returns the first line of every comment that is not documentation and has a line of its own,
/// with its line number.
fn comments(source: &str) -> Vec<(usize, &str)> {
    let (mut found, mut is_inside) = (Vec::new(), false);
    for (index, line) in source.lines().enumerate() {
        let text = line.trim().strip_prefix("//");
        let text = text.filter(|text| !text.starts_with(['/', '!']));
        if let Some(text) = text
            && !is_inside
        {
            found.push((index + 1, text.trim()));
        }
        is_inside = text.is_some();
    }
    found
}

#[test]
fn no_comment_begins_with_a_question_word_or_a_pointer() {
    let (mut faults, mut count) = (Vec::new(), 0);
    let folders = ["src", "tests", "benches", "examples", "fuzz", "cli", "bindings", "web"];
    for folder in folders {
        let mut found = Vec::new();
        sources(&root().join(folder), &mut found);
        let more: &[&str] = if folder == "src" { &PREPOSITIONS } else { &[] };
        for path in found {
            let text = fs::read_to_string(&path).expect("a source");
            for (line, comment) in comments(&text) {
                count += 1;
                let word = comment.trim_start_matches(['*', '_', '"', '(']);
                let word = word.split(|c: char| !c.is_alphanumeric() && c != '-').next();
                let is_forbidden = |word| POINTERS.contains(&word) || more.contains(&word);
                if comment.starts_with("The same") || word.is_some_and(is_forbidden) {
                    faults.push(format!("{}:{line}: {comment}", path.display()));
                }
            }
        }
    }
    assert!(count > 1_500, "only {count} comments: the test sees nothing");
    assert!(faults.is_empty(), "{} comments:\n{}", faults.len(), faults.join("\n"));
    let source = "//! Doc.\n/// Doc.\n// Of one,\n// of two.\nlet x = 1; // So.\n    //What\n";
    assert_eq!(comments(source), [(3, "Of one,"), (6, "What")]);
}

#[test]
fn comments_fit_the_width_of_the_code() {
    let mut found = Vec::new();
    sources(&root().join("src"), &mut found);
    let mut faults = Vec::new();
    for path in found {
        let text = fs::read_to_string(&path).expect("a source");
        for (index, line) in text.lines().enumerate() {
            // The formatter wraps code but not comments. Rows of tables and addresses stay whole.
            let is_breakable = !line.contains('|') && !line.contains("://");
            if line.trim_start().starts_with("//") && is_breakable && line.chars().count() > 100 {
                faults.push(format!("{}:{}", path.display(), index + 1));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn beginnings_of_documentation_are_read() {
    let source = "//! A room.\n//! Whether.\n\n/// Returns one.\n#[inline]\n/// How.\nfn a() {}\n";
    let source = format!("{source}    /// What it is.\n    x: f32, // Of code.\n//// No doc.\n");
    let found = documented_items(&source);
    assert_eq!(found, [(1, "A room."), (4, "Returns one."), (8, "What it is.")]);
    for forbidden in ["What it is.", "The same.", "*Of* two.", "", "No box."] {
        assert!(forbidden_beginning(forbidden).is_some(), "{forbidden}");
    }
    for accepted in ["Returns `true`.", "In-place sort.", "Notes.", "The box.", "[`Obb`] of two."] {
        assert_eq!(forbidden_beginning(accepted), None, "{accepted}");
    }
}
