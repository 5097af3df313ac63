//! Triangle soups: three corners per triangle, no shared vertices.

use nalgebra::Point3;

use crate::error::Error;
use crate::load::weld::Weld;
use crate::num::Scalar;
use crate::shape::Mesh;

/// A triangle soup, as files store it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::load) struct Soup(pub Vec<[Point3<f64>; 3]>);

impl Soup {
    /// The mesh with equal corners, to the bit, welded.
    pub fn mesh<T: Scalar>(&self) -> Result<Mesh<T>, Error> {
        let mut weld = Weld::new();
        let triangles = self.0.iter().map(|corners| corners.map(|corner| weld.vertex(corner)));
        let triangles = triangles.collect();
        Mesh::new(weld.into_vertices(), triangles)
    }

    /// Returns the mesh closed by caps and facing outward, and the number of edges that were open,
    /// if any.
    pub fn solid<T: Scalar>(&self) -> Result<(Mesh<T>, Option<usize>), Error> {
        let mesh: Mesh<T> = self.mesh()?;
        let open = mesh.open_edges().len();
        let mesh = if open > 0 { mesh.capped() } else { mesh };
        let mesh = if mesh.volume() < T::zero() { reversed(&mesh)? } else { mesh };
        Ok((mesh, (open > 0).then_some(open)))
    }
}

/// Reverses the winding of every triangle.
fn reversed<T: Scalar>(mesh: &Mesh<T>) -> Result<Mesh<T>, Error> {
    let triangles = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    Mesh::new(mesh.vertices().to_vec(), triangles)
}
