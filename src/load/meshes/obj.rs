//! Wavefront OBJ, by the `tobj` crate. Groups and materials do not matter here: all triangles are one mesh.

use nalgebra::Point3;
use tobj::{LoadError, LoadOptions, Mesh};

/// The triangles; larger faces become fans, points and lines are left out, material files stay closed.
pub(super) fn triangles(bytes: &[u8]) -> Result<Vec<[Point3<f64>; 3]>, String> {
    let options = LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..LoadOptions::default()
    };
    let unread = |_: &std::path::Path| Err(LoadError::OpenFileFailed);
    let (models, _) = tobj::load_obj_buf(&mut &bytes[..], &options, unread)
        .map_err(|error| format!("not a readable OBJ file: {error}"))?;
    let mut triangles = Vec::new();
    for model in &models {
        for corners in model.mesh.indices.chunks_exact(3) {
            let corner = |index: usize| corner(&model.mesh, corners[index]);
            triangles.push([corner(0)?, corner(1)?, corner(2)?]);
        }
    }
    Ok(triangles)
}

/// Written so that it reads either of the two number types the crate can be built for.
#[allow(clippy::useless_conversion)]
fn corner(mesh: &Mesh, index: u32) -> Result<Point3<f64>, String> {
    let start = 3 * index as usize;
    let place = mesh.positions.get(start..start + 3);
    let place =
        place.ok_or_else(|| format!("a face points at vertex {index}, which is missing"))?;
    Ok(Point3::new(place[0].into(), place[1].into(), place[2].into()))
}
