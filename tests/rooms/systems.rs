//! The page `docs/systems.md`: every item, test file, test and example that it names exists, an
//! example uses an item of its row, and every row has its cells: an example, a program in the
//! documentation, or the reason why there is neither.

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

/// Returns the name of a declaration of a link, the keyword before it, and the type of a method.
fn declared(link: &str) -> Option<(String, &str, Option<&str>)> {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let mut words = file.rsplit('/').next()?.split('.');
    let (kind, name) = (words.next()?, words.next()?);
    match anchor.split_once('.') {
        None => Some((format!("pub {kind}"), name, None)),
        Some(("method", method)) => Some(("pub fn".to_owned(), method, Some(name))),
        Some(_) => None,
    }
}

/// Returns `true` if the documentation of the item of a link has a program.
fn has_program(files: &[String], link: &str) -> bool {
    let Some((keyword, name, owner)) = declared(link) else { return false };
    has_item(files, link)
        && files.iter().any(|text| {
            let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
            let is_declared =
                |line: &str| line.starts_with(&keyword) && declares(line, &keyword, name);
            let is_of_owner = |at: usize| {
                let before = lines[..at].iter().rev().find(|line| line.starts_with("impl"));
                owner.is_none_or(|owner| before.is_some_and(|line| declares(line, "", owner)))
            };
            let at = (0..lines.len()).filter(|&at| is_declared(lines[at]) && is_of_owner(at));
            let is_before = |line: &&&str| line.starts_with("///") || line.starts_with("#[");
            let mut documents =
                at.map(|at| lines[..at].iter().rev().take_while(is_before).collect::<Vec<_>>());
            documents.any(|lines| lines.iter().any(|line| line.contains("```")))
        })
}

/// Returns `true` if the sources of an example, or what it shares with others, use one of these
/// items.
fn uses_one(example: &str, items: &[&str]) -> bool {
    let mut texts = sources(&root().join("examples").join(example));
    if texts.iter().any(|text| text.contains("shared::")) {
        let shared = ["examples/shared", "examples/fighter", "cli/src"];
        texts.extend(shared.iter().flat_map(|folder| sources(&root().join(folder))));
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words: Vec<&str> = texts.iter().flat_map(|text| text.split(|c| !is_word(c))).collect();
    // An owner may be hidden in the name of a function that returns it, such as `aabb`.
    let names = |name: &str| {
        let name = name.to_lowercase();
        texts.iter().any(|text| text.to_lowercase().contains(&name))
    };
    items.iter().any(|item| match item.rsplit_once("::") {
        Some((owner, member)) => words.contains(&member) && names(owner),
        None => words.contains(item),
    })
}

/// Returns the faults of the cell of examples of a row with these items, and the number of
/// examples.
fn example_faults(
    page: &str,
    library: &[String],
    cell: &str,
    items: &[&str],
) -> (Vec<String>, usize) {
    let mut faults = Vec::new();
    if let Some(reason) = cell.strip_prefix("none: ") {
        if reason.split_whitespace().count() < 3 {
            faults.push(format!("no reason: {cell}"));
        }
        return (faults, 0);
    }
    if let Some(programs) = cell.strip_prefix("program of ") {
        for item in linked(programs) {
            if !link(page, item).is_some_and(|link| has_program(library, link)) {
                faults.push(format!("no program of {item}"));
            }
        }
        if linked(programs).next().is_none() {
            faults.push(format!("no item: {cell}"));
        }
        return (faults, 0);
    }
    for name in code(cell) {
        if !root().join("examples").join(name).join("main.rs").exists() {
            faults.push(format!("no example {name}"));
        } else if !items.is_empty() && !uses_one(name, items) {
            faults.push(format!("{name} uses none of {items:?}"));
        }
    }
    if code(cell).next().is_none() {
        faults.push(format!("neither an example nor a reason: {cell}"));
    }
    (faults, code(cell).count())
}

/// Returns the items of the links of a cell.
fn linked(cell: &str) -> impl Iterator<Item = &str> {
    cell.split("[`").skip(1).filter_map(|rest| Some(rest.split_once("`]")?.0))
}

/// Returns the link of an item, from the end of the page.
fn link<'a>(page: &'a str, item: &str) -> Option<&'a str> {
    page.split_once(&format!("\n[`{item}`]: {DOCS}"))?.1.lines().next()
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
        let items: Vec<&str> = linked(items).collect();
        for item in &items {
            counts[0] += 1;
            if !link(page, item).is_some_and(|link| has_item(library, link)) {
                faults.push(format!("no item {item}"));
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
        let (wrong, examples) = example_faults(page, library, example, &items);
        faults.extend(wrong);
        counts[2] += examples;
    }
    (faults, counts)
}

#[test]
fn every_item_test_and_example_of_the_page_of_systems_exists() {
    let library = sources(&root().join("src"));
    let page = read(&root().join("docs/systems.md"));
    let (faults, [items, tests, examples]) = faults(&page, &library);
    assert!(faults.is_empty(), "docs/systems.md:\n{}", faults.join("\n"));
    assert!(items > 70 && tests > 80 && examples > 30, "{items} {tests} {examples}");
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
        ("`duel`", "`dual`", "no example dual"),
        ("`duel`", "`leaf_pairs`", "leaf_pairs uses none of"),
        ("`duel`", "-", "neither an example nor a reason"),
        ("`duel`", "none: not here", "no reason"),
        ("`duel`", "program of `duel`", "no item"),
        ("`duel`", "program of [`Aabb::old`]", "no program of Aabb::old"),
        ("`duel`", "program of [`Aabb::new`]", "no program of Aabb::new"),
        ("none", "", "an empty cell"),
        (" | none", "", "4 cells"),
    ] {
        let found = row(&good.replace(from, to)).join("\n");
        assert!(found.contains(fault), "{fault}: {found}");
    }
    let sweep = format!("\n[`Sweep`]: {DOCS}pair/trait.Sweep.html");
    for cell in ["`static_world`", "none: it is only counted", "program of [`Sweep`]"] {
        let found = row(&format!("{}{sweep}", good.replace("`duel`", cell)));
        assert_eq!(found, Vec::<String>::new(), "{cell}");
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
