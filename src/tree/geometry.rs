//! The geometry of a part: primitives with corners.

use crate::num::Scalar;
use crate::shape::{Aabb, Mesh, Obb};

/// The geometry of a part, in its own frame.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Geometry, Obb};
///
/// let bone = Obb::from_pose(&Isometry3::identity(), Vector3::new(0.04, 0.15, 0.04))?;
/// let (arm, root): (Geometry, Geometry) = (Geometry::Boxes(vec![bone]), Geometry::None);
/// assert_eq!((arm.len(), root.is_empty()), (1, true));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Geometry<T: Scalar> {
    /// No geometry: a joint that only moves others.
    None,
    /// Triangles: a surface without an inside.
    Surface(Mesh<T>),
    /// A closed mesh with the volume it winds around: the inside belongs to the part. A mesh with
    /// holes is refused; see [`Mesh::capped`].
    Solid(Mesh<T>),
    /// Hand-made boxes: solid.
    Boxes(Vec<Obb<T>>),
}

impl<T: Scalar> Geometry<T> {
    /// The number of primitives.
    pub fn len(&self) -> usize {
        match self {
            Geometry::None => 0,
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => mesh.triangles().len(),
            Geometry::Boxes(boxes) => boxes.len(),
        }
    }

    /// Whether there are no primitives.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The mesh, if the geometry is made of triangles.
    pub fn mesh(&self) -> Option<&Mesh<T>> {
        match self {
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => Some(mesh),
            Geometry::None | Geometry::Boxes(_) => None,
        }
    }

    /// The smallest aligned box of one primitive, rounded outward where it is not exact.
    pub(crate) fn aabb(&self, index: u32) -> Aabb<T, 3> {
        match self {
            Geometry::None => Aabb::empty(),
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                Aabb::around(mesh.corners(index as usize))
            }
            Geometry::Boxes(boxes) => boxes[index as usize].aabb(),
        }
    }

    /// Calls `each` with the stored bits, in order.
    pub(crate) fn for_each_bits(&self, mut each: impl FnMut(u64)) {
        match self {
            Geometry::None => each(0),
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                each(u64::from(matches!(self, Geometry::Solid(_))));
                mesh.vertices().iter().flat_map(|v| v.iter()).for_each(|c| each(c.bits()));
                mesh.triangles().iter().flatten().for_each(|&v| each(u64::from(v)));
            }
            Geometry::Boxes(boxes) => boxes.iter().flat_map(|b| b.bits()).for_each(each),
        }
    }
}
