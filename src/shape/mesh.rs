//! Triangle meshes with shared vertices.

use nalgebra::Point3;

use super::WideTriangle;
use crate::error::Error;
use crate::num::{Scalar, check_coordinates};

/// A triangle mesh in the frame of its part.
///
/// Degenerate and repeated triangles and open meshes are allowed.
///
/// ```
/// use boxwood::Mesh;
/// use boxwood::nalgebra::Point3;
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let vertices = corners.map(Point3::from).to_vec();
/// let open = Mesh::new(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2]])?; // of 4 sides
/// assert_eq!(open.open_edges().len(), 3);
/// let solid = open.capped();
/// assert!(solid.open_edges().is_empty());
/// assert!((solid.volume() - 1.0 / 6.0_f32).abs() < 1e-6); // positive: it faces outward
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh<T: Scalar> {
    pub(super) vertices: Vec<Point3<T>>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl<T: Scalar> Mesh<T> {
    /// A mesh of at least one triangle, each a triple of indices into `vertices`.
    ///
    /// # Errors
    /// [`Error::Empty`] without a triangle, [`Error::NotFinite`] and [`Error::OutOfRange`] naming
    /// the vertex, [`Error::IndexOutOfRange`] naming the triangle.
    pub fn new(vertices: Vec<Point3<T>>, triangles: Vec<[u32; 3]>) -> Result<Self, Error> {
        if triangles.is_empty() {
            return Err(Error::Empty { field: "triangles" });
        }
        for (index, vertex) in vertices.iter().enumerate() {
            check_coordinates(vertex.coords.as_slice(), "vertex", index)?;
        }
        for (index, triangle) in triangles.iter().enumerate() {
            if let Some(&far) = triangle.iter().find(|&&v| v as usize >= vertices.len()) {
                let (target, len) = (far as usize, vertices.len());
                return Err(Error::IndexOutOfRange { field: "triangle", index, target, len });
            }
        }
        Ok(Mesh { vertices, triangles })
    }

    /// The vertices, in the frame of the part.
    pub fn vertices(&self) -> &[Point3<T>] {
        &self.vertices
    }

    /// The triangles, as indices into [`Mesh::vertices`].
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The three corners of one triangle.
    ///
    /// Panics if there is no such triangle.
    pub fn corners(&self, triangle: usize) -> [Point3<T>; 3] {
        let [a, b, c] = self.triangles[triangle];
        [self.vertices[a as usize], self.vertices[b as usize], self.vertices[c as usize]]
    }

    /// A triangle in double precision.
    pub(crate) fn triangle(&self, index: usize) -> WideTriangle {
        WideTriangle::new(self.corners(index))
    }
}
