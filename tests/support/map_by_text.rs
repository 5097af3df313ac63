//! Brushes of a Quake map, by splitting its text: a reader that only knows planes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::brushes::unit;
use crate::cylinder_distance::HalfSpace;
use crate::plain_box::{V, inner, minus, outer};

/// Returns the maps below a data folder, sorted by name.
pub fn maps(data: &Path) -> Vec<PathBuf> {
    let inside = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    let folders = inside(&data.join("levels")).into_iter().filter(|path| path.is_dir());
    let mut maps: Vec<PathBuf> = folders.flat_map(|folder| inside(&folder)).collect();
    maps.retain(|path| path.extension().is_some_and(|end| end == "map"));
    maps.sort();
    maps
}

/// Returns every brush of a map, of all entities, with unit normals, in the units of the file.
pub fn brushes(map: &Path) -> Vec<Vec<HalfSpace>> {
    let text = fs::read_to_string(map).expect("a map");
    let (mut brushes, mut depth) = (Vec::new(), 0);
    for line in text.lines().map(str::trim) {
        match line.chars().next() {
            Some('{') => {
                depth += 1;
                if depth == 2 {
                    brushes.push(Vec::new());
                }
            }
            Some('}') => depth -= 1,
            Some('(') if depth == 2 => brushes.last_mut().expect("a brush").push(side(line)),
            _ => {}
        }
    }
    brushes.iter().filter(|planes| !planes.is_empty()).map(|planes| unit(planes)).collect()
}

/// Returns the plane of a side: three points clockwise seen from outside.
fn side(line: &str) -> HalfSpace {
    let words = line.split_whitespace().filter(|word| !["(", ")"].contains(word)).take(9);
    let numbers: Vec<f64> = words.map(|word| word.parse().expect("a number")).collect();
    let point = |i: usize| -> V { std::array::from_fn(|k| numbers[3 * i + k]) };
    let (a, b, c) = (point(0), point(1), point(2));
    let normal = outer(minus(a, b), minus(c, b));
    (normal, inner(normal, b))
}
