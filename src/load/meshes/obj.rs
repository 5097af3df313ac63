//! Wavefront OBJ, by the `tobj` crate. Groups and materials are ignored: all triangles are one
//! mesh.

use nalgebra::Point3;
use tobj::{LoadError, LoadOptions, Mesh};

/// The most characters of a line that an error quotes.
const QUOTED: usize = 60;

/// Parses the triangles; larger faces become fans, points and lines are left out, material files
/// are not opened.
pub(super) fn triangles(bytes: &[u8]) -> Result<Vec<[Point3<f64>; 3]>, String> {
    let options = LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..LoadOptions::default()
    };
    let unread = |_: &std::path::Path| Err(LoadError::OpenFileFailed);
    let mut rest = bytes;
    let (models, _) = tobj::load_obj_buf(&mut rest, &options, unread).map_err(|error| {
        // The reader stopped at the end of the line it refused.
        let taken = String::from_utf8_lossy(&bytes[..bytes.len() - rest.len()]);
        let (line, text) = blamed(&taken, error);
        let text: String = text.trim().chars().take(QUOTED).collect();
        format!("line {line}: not a readable OBJ file: {error}: '{text}'")
    })?;
    let mut triangles = Vec::new();
    for model in &models {
        for corners in model.mesh.indices.chunks_exact(3) {
            let corner = |index: usize| corner(&model.mesh, corners[index]);
            triangles.push([corner(0)?, corner(1)?, corner(2)?]);
        }
    }
    Ok(triangles)
}

/// The invalid line, counted from 1, of those read up to an error. `tobj` checks indices only where
/// an object ends, so the invalid face has to be found; every other error is in the last line.
fn blamed(taken: &str, error: LoadError) -> (usize, &str) {
    let counts = ElementCounts::of(taken.lines());
    let bad: &dyn Fn(&str, &ElementCounts) -> bool = match error {
        LoadError::FaceVertexOutOfBounds => &|face, known| known.lacks(face, 0, &counts),
        LoadError::FaceTexCoordOutOfBounds => &|face, known| known.lacks(face, 1, &counts),
        LoadError::FaceNormalOutOfBounds => &|face, known| known.lacks(face, 2, &counts),
        LoadError::InvalidPolygon => &|face, _| face.split_whitespace().count() < 2,
        _ => &|_, _| false,
    };
    let (mut known, mut last) = (ElementCounts::default(), (1, ""));
    for (line, number) in taken.lines().zip(1..) {
        last = (number, line);
        known.add(line);
        let face = matches!(line.split_whitespace().next(), Some("f" | "l"));
        if face && bad(line, &known) {
            return last;
        }
    }
    last
}

/// The number of positions, texture coordinates and normals.
#[derive(Default)]
struct ElementCounts([i64; 3]);

impl ElementCounts {
    fn of<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let mut counts = ElementCounts::default();
        lines.for_each(|line| counts.add(line));
        counts
    }

    fn add(&mut self, line: &str) {
        let kinds = ["v", "vt", "vn"];
        let kind = kinds.iter().position(|kind| line.split_whitespace().next() == Some(kind));
        kind.into_iter().for_each(|kind| self.0[kind] += 1);
    }

    /// Whether a face points past `all` elements of a kind; negative indices count back from the
    /// elements before its line.
    fn lacks(&self, face: &str, kind: usize, all: &ElementCounts) -> bool {
        let index = |corner: &str| corner.split('/').nth(kind)?.parse::<i64>().ok();
        let out = |index: i64| match index {
            0 => true,
            1.. => index > all.0[kind],
            _ => -index > self.0[kind],
        };
        face.split_whitespace().skip(1).filter_map(index).any(out)
    }
}

/// A corner of a mesh, in either of the two number types that `tobj` can be built for.
#[allow(clippy::useless_conversion)]
fn corner(mesh: &Mesh, index: u32) -> Result<Point3<f64>, String> {
    let start = 3 * index as usize;
    let place = mesh.positions.get(start..start + 3);
    let place =
        place.ok_or_else(|| format!("a face points at vertex {index}, which is missing"))?;
    Ok(Point3::new(place[0].into(), place[1].into(), place[2].into()))
}
