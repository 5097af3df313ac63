//! The list of unit tests in `tests/units`: it names every function of a module `tests` of `src`
//! that nothing else calls.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Collects every Rust source below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Returns the words of a text, without comments.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
}

/// Returns the unit tests of a source file, given by its path below `src`, and its faults.
fn unit_tests(file: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let (mut tests, mut faults) = (Vec::new(), Vec::new());
    // The compiler drops such items, since the library has no test build of its own.
    for line in text.lines().map(str::trim) {
        let is_attribute = line.starts_with('#') || line.contains("cfg!(");
        if is_attribute && words(line).any(|word| word == "test") {
            faults.push(format!("{file} is never compiled after {line}"));
        }
        if line.starts_with("mod tests") {
            faults.push(format!("{file}: the module of unit tests is `pub`"));
        }
    }
    let path = file.trim_end_matches(".rs").replace('/', "::");
    let (path, tested, indent) = match text.split_once("pub mod tests {") {
        Some((_, tested)) => (path.as_str(), tested, "    "),
        None => match path.strip_suffix("::tests") {
            Some(folder) => (folder, text, ""),
            None => return (tests, faults),
        },
    };
    for line in tested.lines() {
        let Some(item) = line.strip_prefix(indent) else { continue };
        let Some((before, rest)) = item.split_once("fn ") else { continue };
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
        let name = name.unwrap_or_default();
        if before == "pub " {
            tests.push(format!("{path}::{name}"));
        } else if !before.starts_with([' ', '/'])
            && words(tested).filter(|w| *w == name).count() < 2
        {
            faults.push(format!("{path}::{name} is called by nothing: a unit test is `pub`"));
        }
    }
    (tests, faults)
}

/// Returns the tests of the list, by their paths.
fn listed(list: &str) -> Vec<String> {
    let (mut tests, mut path) = (Vec::new(), Vec::new());
    let lines = list.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("#[")) {
        if let Some(module) = line.strip_suffix(" {") {
            path.push(module);
        } else if line == "}" {
            path.pop();
        } else {
            tests.push([&path[..], &[line]].concat().join("::"));
        }
    }
    tests
}

#[test]
fn every_unit_test_is_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut found, mut tests, mut faults) = (Vec::new(), BTreeSet::new(), Vec::new());
    sources(&root.join("src"), &mut found);
    for path in found {
        let file = path.strip_prefix(root.join("src")).expect("a file of the crate");
        let file = file.to_string_lossy().replace('\\', "/");
        let (own, wrong) = unit_tests(&file, &fs::read_to_string(&path).expect("a source"));
        tests.extend(own);
        faults.extend(wrong);
    }
    assert!(tests.len() > 150, "only {} unit tests: the test sees nothing", tests.len());
    let list = fs::read_to_string(root.join("tests/units/main.rs")).expect("a source");
    let (_, list) = list.split_once("\nunits! {\n").expect("a list of tests");
    let listed = listed(list);
    faults.extend(listed.iter().filter(|test| !tests.contains(*test)).map(|test| {
        format!("tests/units/main.rs lists {test}, which is no function of a module `tests`")
    }));
    let listed: BTreeSet<String> = listed.into_iter().collect();
    faults.extend(
        tests
            .difference(&listed)
            .map(|test| format!("tests/units/main.rs does not list {test}: it is never run")),
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_checker_of_unit_tests_finds_faults() {
    let source = "use x::Y;\n#[cfg(feature = \"internals\")]\n#[doc(hidden)]\npub mod tests {\n    \
        use super::*;\n\n    /// fn of no one\n    fn helper() {}\n\n    pub fn first() {\n        \
        helper();\n        fn inner() {}\n    }\n\n    pub fn second() {}\n}\n";
    let names = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    let tests = names(["num::exact::first", "num::exact::second"]);
    assert_eq!(unit_tests("num/exact.rs", source), (tests.clone(), vec![]));
    assert_eq!(listed("num {\n    exact {\n#[cfg(x)]\nfirst\nsecond\n}\n}\n}"), tests);
    // A file of tests belongs to its folder.
    let file = "fn helper() {}\npub fn first() {\n    helper();\n}\npub fn second() {}\n";
    let tests = names(["num::first", "num::second"]);
    assert_eq!(unit_tests("num/tests.rs", file), (tests, vec![]));
    assert_eq!(unit_tests("num/exact.rs", file), (vec![], vec![]));
    for (from, to) in [
        ("        helper();\n", "        // helper();\n"), // a helper without a caller
        ("pub fn second", "fn second"),
        ("pub fn second", "#[test]\n    fn second"),
        ("use x::Y;", "#[cfg(test)]\nuse x::Y;"),
        ("use x::Y;", "#[cfg(any(test, feature = \"f64\"))]\nuse x::Y;"),
        ("use x::Y;", "const A: bool = cfg!(test);"),
        ("pub mod tests {", "mod tests {"),
    ] {
        let (_, faults) = unit_tests("num/exact.rs", &source.replace(from, to));
        assert!(!faults.is_empty(), "{from} {to}");
    }
}
