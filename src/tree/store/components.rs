//! Connected components of a part's geometry.

use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::{Mesh, wide_point};
use crate::tree::Geometry;

/// Returns a point of each component: the first corner of its first triangle, the centre of a box,
/// or a point of a convex shape. Triangles are connected if they share a corner, by position if not
/// by index.
pub(in crate::tree) fn component_points<T: Scalar>(geometry: &Geometry<T>) -> Vec<Vec3> {
    match geometry {
        Geometry::None => Vec::new(),
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => mesh_component_points(mesh),
        Geometry::Boxes(_) | Geometry::Convex(_) => {
            (0..geometry.len() as u32).map(|index| geometry.primitive_point(index)).collect()
        }
    }
}

fn mesh_component_points<T: Scalar>(mesh: &Mesh<T>) -> Vec<Vec3> {
    let mut parent = mesh.weld_indices();
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|v| find_root(&mut parent, v));
        let least = a.min(b).min(c);
        [a, b, c].into_iter().for_each(|r| parent[r as usize] = least);
    }
    let mut seen = vec![false; parent.len()];
    let mut points = Vec::new();
    for triangle in mesh.triangles() {
        let piece = find_root(&mut parent, triangle[0]) as usize;
        if !std::mem::replace(&mut seen[piece], true) {
            points.push(wide_point(mesh.vertices()[triangle[0] as usize]));
        }
    }
    points
}

/// Returns the root of a corner's component in the union-find forest. Source: Tarjan and van
/// Leeuwen, path halving (1984).
fn find_root(parent: &mut [u32], mut corner: u32) -> u32 {
    while parent[corner as usize] != corner {
        let up = parent[parent[corner as usize] as usize];
        parent[corner as usize] = up;
        corner = up;
    }
    corner
}
