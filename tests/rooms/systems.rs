//! The page `docs/systems.md`: every item, test file, test and example that it names exists, and
//! every row has its cells.

use std::fs;
use std::path::{Path, PathBuf};

/// Start of the links to items.
const DOCS: &str = "https://docs.rs/boxwood/latest/boxwood/";

/// Title of the columns of a table of systems.
const HEAD: &str = "| system | item | proof | example | difference |";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the texts of all Rust files of a folder and below.
fn sources(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            texts.push(read(&path));
        }
    }
    texts
}

/// Returns the text between backquotes.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns `true` if the text declares this name after this keyword.
fn declares(text: &str, keyword: &str, name: &str) -> bool {
    let start = format!("{keyword} {name}");
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.match_indices(&start).any(|(at, _)| ends(&text[at + start.len()..]))
}

/// Returns `true` if the sources have the item of a link such as
/// `shape/struct.Aabb.html#method.new`: a method in a file that names its type.
fn has_item(files: &[String], link: &str) -> bool {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let (_, item) = file.rsplit_once('/').unwrap_or(("", file));
    let mut words = item.split('.');
    let (Some(kind), Some(name), Some("html"), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return false;
    };
    let keyword = format!("pub {kind}");
    let (member, of) = anchor.split_once('.').unwrap_or(("", ""));
    let has_member = |text: &String| match member {
        "" => true,
        "method" => declares(text, "", name) && declares(text, "pub fn", of),
        "structfield" => declares(text, &keyword, name) && text.contains(&format!("pub {of}: ")),
        "variant" => declares(text, &keyword, name) && declares(text, "\n   ", of),
        _ => false,
    };
    files.iter().any(|text| declares(text, &keyword, name)) && files.iter().any(has_member)
}

/// Returns the faults of a page of systems, and the numbers of its items, tests and examples.
fn faults(page: &str, library: &[String]) -> (Vec<String>, [usize; 3]) {
    let (mut faults, mut counts) = (Vec::new(), [0; 3]);
    let is_row = |line: &&str| line.starts_with("| ");
    let mut systems = false;
    for line in page.lines() {
        if line == HEAD {
            systems = true;
            continue;
        }
        systems &= line.starts_with('|');
        if !systems || !is_row(&line) {
            continue;
        }
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [system, items, proof, example, difference] = cells[..] else {
            faults.push(format!("{} cells: {line}", cells.len()));
            continue;
        };
        if [system, items, proof, example, difference].contains(&"") {
            faults.push(format!("an empty cell: {line}"));
        }
        for item in items.split("[`").skip(1).filter_map(|rest| rest.split_once("`]")) {
            counts[0] += 1;
            let definition = format!("\n[`{}`]: {DOCS}", item.0);
            let link = page.split_once(&definition).map(|(_, rest)| rest.lines().next());
            if !link.flatten().is_some_and(|link| has_item(library, link)) {
                faults.push(format!("no item {}", item.0));
            }
        }
        let (files, names): (Vec<&str>, Vec<&str>) =
            code(proof).partition(|name| name.ends_with(".rs"));
        let mut text = String::new();
        for file in files {
            counts[1] += 1;
            let places = ["tests/rooms", "tests"].map(|folder| root().join(folder).join(file));
            match places.iter().find(|path| path.exists()) {
                Some(path) => text += &read(path),
                None => faults.push(format!("no file {file}")),
            }
        }
        for name in names {
            counts[1] += 1;
            if !declares(&text, "fn", name) && !text.contains(&format!("    {name} =>")) {
                faults.push(format!("no test {name} in the files of its cell"));
            }
        }
        for name in code(example) {
            counts[2] += 1;
            if !root().join("examples").join(name).join("main.rs").exists() {
                faults.push(format!("no example {name}"));
            }
        }
    }
    (faults, counts)
}

#[test]
fn every_item_test_and_example_of_the_page_of_systems_exists() {
    let library = sources(&root().join("src"));
    let page = read(&root().join("docs/systems.md"));
    let (faults, [items, tests, examples]) = faults(&page, &library);
    assert!(faults.is_empty(), "docs/systems.md:\n{}", faults.join("\n"));
    assert!(items > 70 && tests > 80 && examples > 20, "{items} {tests} {examples}");
}

#[test]
fn the_checker_of_systems_finds_faults() {
    let library = sources(&root().join("src"));
    let row = |cells: &str| {
        let link = "[`Aabb::new`]: https://docs.rs/boxwood/latest/boxwood/shape/struct.Aabb.html#method.new";
        faults(&format!("{HEAD}\n|---|\n{cells}\n\n{link}\n"), &library).0
    };
    let good =
        "| a | [`Aabb::new`] | `pair/boxes/aabb.rs`: `nan_overlaps_nothing` | `duel` | none |";
    assert_eq!(row(good), Vec::<String>::new());
    for (from, to, fault) in [
        ("Aabb::new", "Aabb::old", "no item Aabb::old"),
        ("aabb.rs", "aabbs.rs", "no file pair/boxes/aabbs.rs"),
        ("nan_overlaps", "nan_overlap", "no test nan_overlap_nothing"),
        ("duel", "dual", "no example dual"),
        ("none", "", "an empty cell"),
        (" | none", "", "4 cells"),
    ] {
        let found = row(&good.replace(from, to)).join("\n");
        assert!(found.contains(fault), "{fault}: {found}");
    }
    for bad in [
        "shape/struct.Aabb.html#method.newest",
        "shape/struct.Aab.html",
        "shape/Aabb.html",
        "brush/enum.Expansion.html#variant.Arc",
        "scene/struct.Hit.html#structfield.points",
    ] {
        assert!(!has_item(&library, bad), "{bad}");
    }
}
