//! Sweep of a capsule against every triangle of a mesh.

use nalgebra::Vector3;

use super::Sweep;
use crate::error::Error;
use crate::num::{Scalar, check_coordinates};
use crate::pair::results::CastHit;
use crate::shape::{Capsule, Mesh, Triangle};

impl<T: Scalar> Mesh<T> {
    /// Returns the first triangle that a capsule hits while it moves by `displacement`, both in the
    /// frame of the mesh; `None` if it hits none. Tests every triangle: for more than a few, use
    /// [`ObbTree::shape_cast`](crate::tree::ObbTree::shape_cast). For a ball, use `Capsule::from`.
    ///
    /// [`CastHit::target`] is the triangle's index, the lowest of those hit at equal times. The
    /// rest is that of [`Sweep`] against this triangle, the time of leaving included: the time is
    /// never late, touching counts, and the normal points out of the triangle, towards the capsule.
    /// Only the surface counts: a capsule wholly inside a closed mesh hits nothing.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for the displacement.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Capsule, Mesh, Segment};
    ///
    /// let corners = [[0.0, -9.0, -9.0], [0.0, 9.0, -9.0], [0.0, 0.0, 9.0]];
    /// let wall = Mesh::new(corners.map(Point3::from).to_vec(), vec![[0, 1, 2]])?;
    /// let spine = Segment::new(Point3::new(3.0, 0.0, 0.0), Point3::new(3.0, 0.0, 1.0))?;
    /// let body = Capsule::new(spine, 1.0)?;
    /// let hit = wall.sweep_capsule(&body, Vector3::new(-4.0, 0.0, 0.0))?.expect("in the way");
    /// assert!((hit.time_of_impact - 0.5).abs() < 1e-6 && hit.target == 0);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn sweep_capsule(
        &self,
        capsule: &Capsule<T>,
        displacement: Vector3<T>,
    ) -> Result<Option<CastHit<T, 3, u32>>, Error> {
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        let mut first: Option<CastHit<T, 3, u32>> = None;
        for index in 0..self.triangles().len() {
            let triangle = Triangle::new_unchecked(self.corners(index));
            let Some(hit) = capsule.sweep(displacement, &triangle) else { continue };
            if first.as_ref().is_none_or(|best| hit.time_of_impact < best.time_of_impact) {
                first = Some(hit.with_target(index as u32));
            }
        }
        Ok(first)
    }
}
