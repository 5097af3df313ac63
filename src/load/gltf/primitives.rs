//! The triangles of a primitive.

use ::gltf::mesh::{Mode, Primitive, Semantic};
use nalgebra::{Point3, Vector3};

use super::accessor::numbers;
use super::buffers::GltfBuffers;
use super::document::NO_BYTES_OFFSET;

/// Vertices and triples of indices into them.
pub(super) struct IndexedTriangles {
    pub vertices: Vec<Point3<f64>>,
    pub triangles: Vec<[usize; 3]>,
}

/// Reads a primitive with morph targets at those weights; `None` for points and lines. Without an
/// index buffer, the vertices are used in order.
pub(super) fn read(
    buffers: &GltfBuffers,
    primitive: &Primitive<'_>,
    weights: &[f32],
) -> Result<Option<IndexedTriangles>, String> {
    let mode = primitive.mode();
    if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
        return Ok(None);
    }
    let positions = primitive.get(&Semantic::Positions).ok_or("POSITION is missing")?;
    let positions = numbers::<3>(buffers, &positions).map_err(|e| format!("POSITION: {e}"))?;
    let mut vertices: Vec<_> = positions.into_iter().map(Point3::from).collect();
    morph(buffers, primitive, weights, &mut vertices)?;
    let indices = match primitive.indices() {
        None => (0..vertices.len()).collect(),
        Some(accessor) => {
            let found = numbers::<1>(buffers, &accessor).map_err(|e| format!("indices: {e}"))?;
            checked(&found, vertices.len())?
        }
    };
    let triangles = triangulated(mode, &indices)?;
    Ok(Some(IndexedTriangles { vertices, triangles }))
}

/// Adds the displacements of morph targets times their weights.
fn morph(
    buffers: &GltfBuffers,
    primitive: &Primitive<'_>,
    weights: &[f32],
    vertices: &mut [Point3<f64>],
) -> Result<(), String> {
    for (index, (target, &weight)) in primitive.morph_targets().zip(weights).enumerate() {
        // Accessors without bytes are all zeros.
        let moved =
            target.positions().filter(|accessor| accessor.offset() as u64 != NO_BYTES_OFFSET);
        let Some(accessor) = moved.filter(|_| weight != 0.0) else { continue };
        let at = |trouble: String| format!("morph target {index}: {trouble}");
        let moved = numbers::<3>(buffers, &accessor).map_err(at)?;
        if moved.len() != vertices.len() {
            return Err(at(format!(
                "{} displacements for {} vertices",
                moved.len(),
                vertices.len()
            )));
        }
        for (vertex, moved) in vertices.iter_mut().zip(moved) {
            *vertex += Vector3::from(moved) * f64::from(weight);
        }
    }
    Ok(())
}

fn checked(indices: &[[f64; 1]], vertices: usize) -> Result<Vec<usize>, String> {
    let inside = |&[index]: &[f64; 1]| (0.0..vertices as f64).contains(&index);
    match indices.iter().position(|index| !inside(index)) {
        Some(bad) => {
            let [far] = indices[bad];
            Err(format!("index {bad} refers to vertex {far}, but there are only {vertices}"))
        }
        None => Ok(indices.iter().map(|&[index]| index as usize).collect()),
    }
}

/// The triples of indices of a mode. Strips reverse every other triangle, so that all have the same
/// winding.
fn triangulated(mode: Mode, indices: &[usize]) -> Result<Vec<[usize; 3]>, String> {
    let triple = |w: &[usize]| [w[0], w[1], w[2]];
    match mode {
        Mode::TriangleStrip => {
            let turned = |(i, w): (usize, &[usize])| {
                if i % 2 == 0 { triple(w) } else { [w[1], w[0], w[2]] }
            };
            Ok(indices.windows(3).enumerate().map(turned).collect())
        }
        Mode::TriangleFan => {
            let rim = indices.get(1..).unwrap_or_default();
            Ok(rim.windows(2).map(|pair| [indices[0], pair[0], pair[1]]).collect())
        }
        _ if !indices.len().is_multiple_of(3) => {
            Err(format!("{} indices do not make whole triangles", indices.len()))
        }
        _ => Ok(indices.chunks_exact(3).map(triple).collect()),
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn strips_and_fans_become_triangles_that_face_one_way() {
        let five = [4, 5, 6, 7, 8];
        let strip = triangulated(Mode::TriangleStrip, &five);
        assert_eq!(strip, Ok(vec![[4, 5, 6], [6, 5, 7], [6, 7, 8]]));
        let fan = triangulated(Mode::TriangleFan, &five);
        assert_eq!(fan, Ok(vec![[4, 5, 6], [4, 6, 7], [4, 7, 8]]));
        assert_eq!(triangulated(Mode::TriangleFan, &[]), Ok(vec![]));
        assert_eq!(triangulated(Mode::Triangles, &[1, 2, 3]), Ok(vec![[1, 2, 3]]));
        assert!(triangulated(Mode::Triangles, &five).is_err());
    }
}
