//! Levels from maps: real ones, small ones with every feature, hostile ones.

mod hostile;
mod real;
mod small;

use boxwood::load::{Level, MapOptions, map_bytes};

/// Reads a map with Quake's rules.
fn read(text: &str) -> Level {
    map_bytes(text.as_bytes(), &MapOptions::quake()).expect("a level")
}

/// Returns the faces of a box in the classic format, with one texture.
fn cuboid(min: [f64; 3], max: [f64; 3], texture: &str) -> String {
    cuboid_of(min, max, [texture; 6])
}

/// Like [`cuboid`], with a texture for each face: -x, +x, -y, +y, -z, +z.
fn cuboid_of(min: [f64; 3], max: [f64; 3], textures: [&str; 6]) -> String {
    let mut faces = String::from("{\n");
    for (face, texture) in textures.into_iter().enumerate() {
        let (axis, front) = (face / 2, face % 2 == 1);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut points = [if front { max } else { min }; 3];
        points[if front { 0 } else { 2 }][u] += 1.0;
        points[if front { 2 } else { 0 }][v] += 1.0;
        for [x, y, z] in points {
            faces += &format!("( {x} {y} {z} ) ");
        }
        faces += &format!("{texture} 0 0 0 1 1\n");
    }
    faces + "}\n"
}
