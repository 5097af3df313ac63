//! Triangles cut into pieces, which lie on the whole.

use boxwood::Error;
use boxwood::num::Scalar;
use boxwood::shape::Mesh;
use nalgebra::{Point3, Vector3};

/// Returns the length of the longest edge.
pub fn longest(triangles: &[[Point3<f64>; 3]]) -> f64 {
    let edges = triangles.iter().flat_map(|&[a, b, c]| [a - b, b - c, c - a]);
    edges.map(|edge| edge.norm()).fold(0.0, f64::max)
}

/// Returns twice the vector area of a triangle.
pub fn cross(&[a, b, c]: &[Point3<f64>; 3]) -> Vector3<f64> {
    (b - a).cross(&(c - a))
}

/// Returns `true` if a piece lies in the plane and the outline of a triangle of the whole, with
/// equal winding.
pub fn lies_on(piece: &[Point3<f64>; 3], whole: &[[Point3<f64>; 3]], tolerance: f64) -> bool {
    whole.iter().any(|triangle| {
        let n = cross(triangle);
        let inside = |p: &Point3<f64>| {
            let height = n.dot(&(p - triangle[0])) / n.norm();
            let edge = |k: usize| {
                let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
                n.cross(&(to - from)).normalize().dot(&(p - from)) >= -tolerance
            };
            height.abs() <= tolerance && (0..3).all(edge)
        };
        piece.iter().all(inside) && n.dot(&cross(piece)) > 0.0
    })
}

fn subdivided<T: Scalar>(mesh: &Mesh<T>) -> Result<Mesh<T>, Error> {
    mesh.subdivided(1.0)
}

compiled_here! { subdivided }
