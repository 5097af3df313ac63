//! Vertex welding: files repeat a corner for every triangle, normal and texture coordinate.

use std::collections::HashMap;

use nalgebra::Point3;

use crate::num::Scalar;

/// Vertices keyed by the bits of their coordinates, in order of insertion.
#[derive(Debug, Clone)]
pub(super) struct Weld<T: Scalar> {
    vertices: Vec<Point3<T>>,
    known: HashMap<[u64; 3], u32>,
}

impl<T: Scalar> Weld<T> {
    pub fn new() -> Self {
        Weld { vertices: Vec::new(), known: HashMap::new() }
    }

    /// Returns the index of the vertex at that corner, rounded to `T`; corners that are equal after
    /// rounding are one vertex.
    pub fn vertex(&mut self, corner: Point3<f64>) -> u32 {
        // Makes -0 equal to 0.
        let corner = corner.map(|x| T::nearest(x + 0.0));
        let next = self.vertices.len() as u32;
        let key = [corner.x.bits(), corner.y.bits(), corner.z.bits()];
        *self.known.entry(key).or_insert_with(|| {
            self.vertices.push(corner);
            next
        })
    }

    pub fn into_vertices(self) -> Vec<Point3<T>> {
        self.vertices
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn what_rounds_alike_is_one_vertex() {
        let mut weld = Weld::<f32>::new();
        let places = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [-0.0, 1.0, 2.0 + 1e-9], [0.0, 1.0, 2.1]];
        assert_eq!(places.map(|place| weld.vertex(place.into())), [0, 1, 0, 2]);
        assert_eq!(
            weld.into_vertices(),
            [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [0.0, 1.0, 2.1]].map(Point3::from)
        );
    }
}
