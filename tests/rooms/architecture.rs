//! Imports between rooms, which run in one direction only, and words that stay out of some rooms.

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms, lowest first.
const ROOMS: [&str; 20] = [
    "error",
    "num",
    "shape",
    "sat",
    "pair",
    "planar",
    "fit",
    "hull",
    "broad_phase",
    "tree",
    "narrow_phase",
    "motion",
    "model",
    "response",
    "brush",
    "scene",
    "robot",
    "load",
    "draw",
    "accuracy",
];

fn rank(room: &str) -> Option<usize> {
    ROOMS.iter().position(|&known| known == room)
}

/// Returns the faults of one file of a room.
fn faults(room: &str, text: &str) -> Vec<String> {
    let Some(own) = rank(room) else { return vec![format!("'{room}' is not a room")] };
    let mut faults = Vec::new();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    for line in code {
        for (at, _) in line.match_indices("crate::") {
            let name: String = line[at + "crate::".len()..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            match rank(&name) {
                Some(other) if other <= own => {}
                _ => faults.push(format!("{room} imports '{name}': {}", line.trim())),
            }
        }
        if line.contains("super::super") {
            faults.push(format!("{room} leaves its room unnamed: {}", line.trim()));
        }
        if room != "load" && line.contains("gltf") {
            faults.push(format!("{room} knows files: {}", line.trim()));
        }
        if line.contains("unsafe") {
            faults.push(format!("{room} is unsafe: {}", line.trim()));
        }
    }
    faults
}

/// Collects every file with its room.
fn files(folder: &Path, room: Option<&str>, found: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let room = room.unwrap_or(&name);
        if path.is_dir() {
            files(&path, Some(room), found);
        } else if !["lib", "doc_fixtures"].contains(&name.as_str()) {
            found.push((room.to_owned(), path));
        }
    }
}

#[test]
fn rooms_import_only_lower_rooms() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../src"), None, &mut found);
    assert!(found.len() > 40, "only {} files: the test sees nothing", found.len());
    let faults: Vec<String> = found
        .iter()
        .flat_map(|(room, path)| faults(room, &fs::read_to_string(path).expect("a source")))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_checker_of_imports_finds_faults() {
    assert!(faults("tree", "use crate::pair::Contact;\n// crate::scene is above").is_empty());
    assert_eq!(faults("tree", "use crate::scene::Scene;").len(), 1);
    assert_eq!(faults("shape", "let x = crate::tree::LEVELS;").len(), 1);
    assert_eq!(faults("shape", "use crate::helpers::x;").len(), 1);
    assert_eq!(faults("shape", "use super::super::tree::ObbTree;").len(), 1);
    assert_eq!(faults("model", "gltf::import()").len(), 1);
    assert_eq!(faults("num", "unsafe { }").len(), 1);
    assert_eq!(faults("utils", "").len(), 1);
}

/// Returns the first item of a `mod.rs` file that is neither a module nor an import.
fn first_definition(text: &str) -> Option<&str> {
    let starts =
        ["fn ", "const ", "struct ", "enum ", "trait ", "type ", "static ", "impl", "macro_rules!"];
    text.lines().find(|line| {
        let item = line.strip_prefix("pub").map_or(*line, |rest| {
            let rest = rest.strip_prefix('(').and_then(|scope| scope.split_once(')'));
            rest.map_or(&line[3..], |(_, rest)| rest).trim_start()
        });
        starts.iter().any(|start| item.starts_with(start))
    })
}

#[test]
fn module_files_declare_and_re_export_only() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../src"), None, &mut found);
    let found: Vec<_> = found.iter().filter(|(_, path)| path.ends_with("mod.rs")).collect();
    assert!(found.len() > 30, "only {} files: the test sees nothing", found.len());
    for (_, path) in found {
        let text = fs::read_to_string(path).expect("a source");
        assert_eq!(first_definition(&text), None, "{}", path.display());
    }
    for text in [
        "fn f() {}",
        "pub(crate) struct A;",
        "pub trait T {",
        "impl A {",
        "pub(in crate::a) const B: u8 = 1;",
    ] {
        assert_eq!(first_definition(text), Some(text));
    }
    assert_eq!(
        first_definition("//! fn\nmod a;\npub(crate) use a::A;\n#[cfg(x)]\npub mod b;"),
        None
    );
}

/// Files that choose a SIMD level themselves, and how often: builds, free shapes, and public methods
/// without scratch memory. All else takes the level of the query.
const CHOOSE_A_LEVEL: [(&str, usize); 11] = [
    ("num/simd_level.rs", 1), // the default
    ("pair/boxes/box_contact.rs", 1),
    ("pair/obb_distance/search.rs", 4),
    ("sat/prefilter/single.rs", 1),
    ("tree/bound/bounds.rs", 1),
    ("tree/bound/cells.rs", 1),
    ("tree/bound/hull.rs", 1),
    ("tree/build/boxes.rs", 1),
    ("tree/build/split.rs", 1),
    ("tree/pair/tree_pair.rs", 3), // `touches`, `contact`, `slack`
    ("tree/store/hulls.rs", 1),
];

/// Returns how often the code of a file chooses a SIMD level, without its tests and documentation.
fn chosen_levels(text: &str) -> usize {
    let code = text.split("#[cfg(feature = \"internals\")]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| line.matches("SimdLevel::best()").count()).sum()
}

#[test]
fn queries_take_the_simd_level_that_they_are_given() {
    let (mut found, mut chosen) = (Vec::new(), Vec::new());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
    files(&folder, None, &mut found);
    for (_, path) in found {
        let name = path.strip_prefix(&folder).expect("a file below").to_string_lossy().into_owned();
        let count = chosen_levels(&fs::read_to_string(&path).expect("a source"));
        if count > 0 && !name.ends_with("tests.rs") {
            chosen.push((name.replace('\\', "/"), count));
        }
    }
    chosen.sort();
    let allowed = CHOOSE_A_LEVEL.map(|(name, count)| (name.to_owned(), count));
    assert_eq!(chosen, allowed);
    assert_eq!(chosen_levels("f(SimdLevel::best()); // x"), 1);
    let test = "/// SimdLevel::best()\n#[cfg(feature = \"internals\")]\nf(SimdLevel::best())";
    assert_eq!(chosen_levels(test), 0);
}

/// Returns the imports of the library of tests by a file, outside the bodies of its tests.
fn imports_of_support(text: &str) -> Vec<&str> {
    let imports =
        |line: &&str| line.starts_with("use support::") || line.starts_with("pub use support::");
    text.lines().filter(imports).collect()
}

#[test]
fn files_that_the_fuzz_targets_include_do_without_the_library_of_tests() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/src");
    let mut included = 0;
    for entry in fs::read_dir(&fuzz).expect("the fuzz targets") {
        let target = fs::read_to_string(entry.expect("an entry").path()).expect("a target");
        for line in target.lines().filter_map(|line| line.strip_prefix("#[path = \"")) {
            let path = fuzz.join(line.trim_end_matches("\"]"));
            let text = fs::read_to_string(&path).expect("a file that is included");
            assert_eq!(imports_of_support(&text), [""; 0], "{}", path.display());
            included += 1;
        }
    }
    assert!(included > 0, "no target includes a file of the tests");
    let bad = "use support::prelude::*;\nfn test() {\n    use support::random::Random;\n}\n";
    assert_eq!(imports_of_support(bad), ["use support::prelude::*;"]);
}
