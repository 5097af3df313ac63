//! Circular imports: no file of a room imports one that imports it, directly or through others.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

/// Module by its path: `["pair", "sweep", "motion"]`.
type Module = Vec<String>;

/// Returns the code of a source, line by line.
fn without_comments(source: &str) -> String {
    let code = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.map(|line| format!("{line}\n")).collect()
}

/// Collects all modules of the crate with their code, without tests.
fn modules(folder: &Path, path: &Module, found: &mut HashMap<Module, String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let file = entry.expect("an entry").path();
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let own: Module = path.iter().cloned().chain([name.clone()]).collect();
        if file.is_dir() {
            modules(&file, &own, found);
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = code.split("pub mod tests {").next().unwrap_or_default();
        let is_parent = ["mod", "lib"].contains(&name.as_str());
        found.insert(if is_parent { path.clone() } else { own }, without_comments(code));
    }
}

/// Returns the paths of a tree of imports: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let names = |path: &str| -> Vec<String> {
        let path = path.split(" as ").next().unwrap_or_default();
        path.split("::").map(|name| name.trim().to_owned()).filter(|n| !n.is_empty()).collect()
    };
    let Some((before, rest)) = tree.split_once('{') else { return vec![names(tree)] };
    let inner = rest.trim_end().trim_end_matches('}');
    let (mut pieces, mut depth) = (vec![String::new()], 0);
    for c in inner.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => pieces.push(String::new()),
            _ => pieces.last_mut().expect("a piece").push(c),
        }
    }
    let pieces = pieces.iter().filter(|piece| !piece.trim().is_empty());
    let under = |path: Vec<String>| [names(before), path].concat();
    pieces.flat_map(|piece| paths(piece)).map(under).collect()
}

/// Converts a path in a module to one from the root of the crate.
fn absolute(module: &Module, path: Vec<String>) -> Vec<String> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let base = match path.first().map(String::as_str) {
        Some("crate") => Vec::new(),
        _ => module[..module.len().saturating_sub(ups)].to_vec(),
    };
    let is_start = |name: &String| ["super", "crate", "self"].contains(&name.as_str());
    base.into_iter().chain(path.into_iter().skip_while(is_start)).collect()
}

/// Returns the imports of a module, from the root of the crate, with `true` for re-exports.
fn imports(module: &Module, code: &str) -> Vec<(Vec<String>, bool)> {
    let mut found = Vec::new();
    for statement in code.split(';') {
        let Some((before, tree)) = statement.rsplit_once("use ") else { continue };
        let line = before.rsplit('\n').next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with("pub") {
            let absolute = paths(tree).into_iter().map(|path| absolute(module, path));
            found.extend(absolute.map(|path| (path, line.starts_with("pub"))));
        }
    }
    found
}

/// Returns the paths that the code of a module names outside of `use`: `super::a::f()`,
/// `child::g()`. `children` are the names of its modules.
fn named_in_code(module: &Module, code: &str, children: &HashSet<&String>) -> Vec<Vec<String>> {
    // A `use` may follow its attributes, on lines of their own.
    let is_statement = |statement: &&str| {
        !statement.lines().any(|line| {
            let line = line.trim_start();
            line.starts_with("use ") || line.starts_with("pub") && line.contains(" use ")
        })
    };
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut found = Vec::new();
    // `pub(in crate::tree)` names a scope, no module that is needed.
    let outside_scopes: Vec<&str> = code.split("(in crate").collect();
    let code = outside_scopes.join("(in ");
    for statement in code.split_inclusive([';', '}', '{']).filter(is_statement) {
        for path in statement.split(|c| !is_of_path(c)).filter(|path| path.contains("::")) {
            let names = path.split("::").filter(|name| !name.is_empty()).map(str::to_owned);
            let names: Vec<String> = names.collect();
            let starts = |first: &String| {
                ["super", "crate", "self"].contains(&first.as_str()) || children.contains(first)
            };
            if !path.starts_with("::") && names.first().is_some_and(starts) {
                found.push(absolute(module, names));
            }
        }
    }
    found
}

/// Returns the module that defines the item of a path, through all re-exports.
fn target(all: &HashMap<Module, String>, path: &[String], depth: usize) -> Option<Module> {
    let module =
        (1..=path.len()).rev().map(|n| path[..n].to_vec()).find(|m| all.contains_key(m))?;
    let Some(name) = path.get(module.len()) else { return Some(module) };
    let handed = imports(&module, &all[&module]).into_iter().filter(|(_, on)| *on);
    let handed = handed.map(|(path, _)| path).find(|path| path.last() == Some(name));
    match handed {
        Some(path) if depth < 8 => target(all, &path, depth + 1).or(Some(module)),
        _ => Some(module),
    }
}

/// Returns the imports of each module of a room, or of a folder of one, within it.
fn arrows(all: &HashMap<Module, String>, room: &str) -> HashMap<Module, HashSet<Module>> {
    let folder: Module = room.split("::").filter(|x| !x.is_empty()).map(str::to_owned).collect();
    let is_within = |module: &Module| module.starts_with(&folder);
    let of_room = all.keys().filter(|module| is_within(module));
    let arrows = of_room.map(|module| {
        let child = |other: &&Module| other.len() > module.len() && other.starts_with(module);
        let children = all.keys().filter(child).map(|other| &other[module.len()]).collect();
        let imports = imports(module, &all[module]).into_iter().filter(|(_, on)| !on);
        let named = named_in_code(module, &all[module], &children);
        let to = imports.map(|(path, _)| path).chain(named);
        let to = to.filter_map(|path| target(all, &path, 0));
        (module.clone(), to.filter(|to| is_within(to) && to != module).collect())
    });
    arrows.collect()
}

/// Returns the modules that can be reached from themselves.
fn in_circles(arrows: &HashMap<Module, HashSet<Module>>) -> Vec<&Module> {
    let comes_back = |start: &&Module| {
        let (mut seen, mut ahead) = (HashSet::new(), vec![*start]);
        while let Some(module) = ahead.pop() {
            for to in arrows.get(module).into_iter().flatten() {
                if to == *start {
                    return true;
                }
                if seen.insert(to) {
                    ahead.push(to);
                }
            }
        }
        false
    };
    arrows.keys().filter(comes_back).collect()
}

/// Returns the modules of a crate below its root.
fn modules_of_crate(source: &str) -> HashMap<Module, String> {
    let mut all = HashMap::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(source), &Vec::new(), &mut all);
    all.remove(&Vec::new());
    all
}

#[test]
fn no_circle_of_imports_in_a_room() {
    let all = modules_of_crate("src");
    let rooms: BTreeSet<&String> = all.keys().filter_map(|module| module.first()).collect();
    assert!(rooms.len() > 15, "only {} rooms: the test sees nothing", rooms.len());
    let count = |room: &&String| -> usize { arrows(&all, room).values().map(HashSet::len).sum() };
    let count: usize = rooms.iter().map(count).sum();
    assert!(count > 1_000, "only {count} imports: the test sees nothing");
    for room in rooms {
        let circles = arrows(&all, room);
        assert_eq!(in_circles(&circles), Vec::<&Module>::new(), "{room}");
    }
}

#[test]
fn no_circle_of_imports_in_the_tool_and_the_bindings() {
    for source in ["cli/src", "bindings/python/src", "bindings/bevy/src", "web/wasm/src"] {
        let all = modules_of_crate(source);
        let circles = arrows(&all, "");
        let count: usize = circles.values().map(HashSet::len).sum();
        assert!(count > 3, "{source}: only {count} imports: the test sees nothing");
        assert_eq!(in_circles(&circles), Vec::<&Module>::new(), "{source}");
    }
}

#[test]
fn the_checker_finds_circles() {
    let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
    let code = |texts: &[(&str, &str)]| -> HashMap<Module, String> {
        texts.iter().map(|(path, text)| (module(path), without_comments(text))).collect()
    };
    // Through a re-export of a parent.
    let all = code(&[
        ("r", "mod a;\nmod b;\npub(crate) use a::{A, Other as B};"),
        ("r::a", "use super::b::C;"),
        ("r::b", "use crate::num::x;\nuse super::{A,\n    c};"),
        ("r::c", "// use super::b::C;"),
    ]);
    let found = arrows(&all, "r");
    let mut circles = in_circles(&found);
    circles.sort();
    assert_eq!(circles, [&module("r::a"), &module("r::b")]);
    // Through `self`, through the path of a child in code, and after an attribute.
    for (parent, child) in [
        ("mod a;\nuse self::a::A;\npub struct B;", "use super::B;"),
        ("mod a;\nfn f() { a::g(); }\npub struct B;", "use crate::r::B;"),
        ("mod a;\nfn f() -> a::A { todo() }", "#[cfg(feature = \"x\")]\nuse super::f;"),
        ("mod a;\nuse a::A;", "fn g(b: super::B) {}"),
    ] {
        let both = code(&[("r", parent), ("r::a", child)]);
        assert_eq!(in_circles(&arrows(&both, "r")).len(), 2, "{parent} {child}");
    }
    let scope = code(&[("r", "mod a;\nuse a::A;"), ("r::a", "pub(in crate::r) struct A;")]);
    assert!(in_circles(&arrows(&scope, "r")).is_empty());
    let straight = code(&[("r", "use a::A;"), ("r::a", "use super::b::C;"), ("r::b", "")]);
    assert!(in_circles(&arrows(&straight, "r")).is_empty());
}
