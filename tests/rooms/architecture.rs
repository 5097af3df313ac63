//! Rooms import only rooms below them, and some words stay out of them.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, lowest first.
const ROOMS: [&str; 19] = [
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
    "load",
    "draw",
    "accuracy",
];

/// Lines of a file, at most: what can be read in one sitting. A whole idea in one file beats five
/// files read together.
const FILE: usize = 450;

/// Lines of a function, at most: one that is one table may be long.
const FUNCTION: usize = 60;

fn rank(room: &str) -> Option<usize> {
    ROOMS.iter().position(|&known| known == room)
}

/// Faults of one file of a room.
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
    if text.lines().count() > FILE {
        faults.push(format!("a file of {room} can not be read in one sitting"));
    }
    let long = functions(text).into_iter().filter(|&(_, lines)| lines > FUNCTION);
    faults.extend(long.map(|(head, lines)| format!("{lines} lines of {room}: {head}")));
    faults
}

/// The functions of a file, and how many lines each has: formatted, it ends where a line stands out
/// as far as its first.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str| {
        let head = line.trim_start();
        let marked = ["pub", "const"].iter().any(|mark| head.starts_with(mark));
        head.starts_with("fn ") || marked && head.contains(" fn ")
    };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let length = |at: usize| {
        let first = lines[at];
        let ends = |line: &&str| {
            indent(line) == indent(first) && (line.trim_start() == "}" || line.ends_with(';'))
        };
        match first.ends_with([';', '}']) {
            true => 1,
            false => 2 + lines[at + 1..].iter().position(ends).expect("an end"),
        }
    };
    let starts = (0..lines.len()).filter(|&at| begins(lines[at]));
    starts.map(|at| (lines[at].trim(), length(at))).collect()
}

/// Every file with its room.
fn files(folder: &Path, room: Option<&str>, found: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let room = room.unwrap_or(&name);
        if path.is_dir() {
            files(&path, Some(room), found);
        } else if name != "lib" {
            found.push((room.to_owned(), path));
        }
    }
}

#[test]
fn imports_go_one_way() {
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
fn the_checker_finds_faults() {
    assert!(faults("tree", "use crate::pair::Contact;\n// crate::scene is above").is_empty());
    assert_eq!(faults("tree", "use crate::scene::Scene;").len(), 1);
    assert_eq!(faults("shape", "let x = crate::tree::LEVELS;").len(), 1);
    assert_eq!(faults("shape", "use crate::helpers::x;").len(), 1);
    assert_eq!(faults("shape", "use super::super::tree::ObbTree;").len(), 1);
    assert_eq!(faults("model", "gltf::import()").len(), 1);
    assert_eq!(faults("num", "unsafe { }").len(), 1);
    assert_eq!(faults("utils", "").len(), 1);
    assert_eq!(faults("num", &"\n".repeat(FILE + 1)).len(), 1);
    let function =
        |lines: usize| format!("    pub(crate) fn f(\n{}    }}\n", "\n".repeat(lines - 2));
    let text = format!("{}fn g() {{}}\n{}", function(FUNCTION), function(FUNCTION + 1));
    let lengths: Vec<usize> = functions(&text).into_iter().map(|(_, lines)| lines).collect();
    assert_eq!(lengths, [FUNCTION, 1, FUNCTION + 1]);
    assert_eq!(faults("num", &text).len(), 1);
}
