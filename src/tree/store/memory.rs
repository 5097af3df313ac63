//! Memory use of trees.

use crate::num::Scalar;
use crate::pair::ConvexShape;
use crate::tree::{Geometry, ObbTree};

impl<T: Scalar> ObbTree<T> {
    /// Returns the heap memory of the tree in bytes, geometry included, spare capacity excluded.
    pub fn bytes(&self) -> usize {
        let geometry = match &self.geometry {
            Geometry::None => 0,
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                size_of_val(mesh.vertices()) + size_of_val(mesh.triangles())
            }
            Geometry::Boxes(boxes) => size_of_val(&boxes[..]),
            Geometry::Convex(shapes) => {
                let hull_bytes = shapes.iter().map(|shape| match shape {
                    ConvexShape::Hull(hull) => {
                        size_of_val(hull.corners()) + size_of_val(hull.triangles())
                    }
                    _ => 0,
                });
                size_of_val(&shapes[..]) + hull_bytes.sum::<usize>()
            }
        };
        geometry
            + size_of_val(&self.nodes[..])
            + size_of_val(&self.order[..])
            + size_of_val(&self.cut_bounds[..])
            + size_of_val(&self.components[..])
            + self.wide_bvh.bytes()
            + self.hulls.bytes()
    }
}
