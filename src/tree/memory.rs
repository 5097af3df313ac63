//! The memory use of trees.

use super::{Geometry, ObbTree};
use crate::num::Scalar;

impl<T: Scalar> ObbTree<T> {
    /// The heap memory of the tree in bytes, its geometry included; spare capacity of vectors is
    /// not counted.
    pub fn bytes(&self) -> usize {
        let geometry = match &self.geometry {
            Geometry::None => 0,
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                size_of_val(mesh.vertices()) + size_of_val(mesh.triangles())
            }
            Geometry::Boxes(boxes) => size_of_val(&boxes[..]),
        };
        geometry
            + size_of_val(&self.nodes[..])
            + size_of_val(&self.order[..])
            + size_of_val(&self.coarsest[..])
            + size_of_val(&self.components[..])
            + self.wide_bvh.bytes()
            + self.hulls.bytes()
    }
}
