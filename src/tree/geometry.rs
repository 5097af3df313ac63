//! The geometry of a part: primitives with corners.

use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::num::scaling::check_factor;
use crate::pair::ConvexShape;
use crate::shape::{Aabb, Mesh, Obb, wide_point};

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
    /// Balls, capsules, cylinders, ellipsoids, boxes, convex hulls and triangles as they are, in
    /// any mixture: each but the triangles is solid.
    ///
    /// [`Accuracy::Exact`](super::Accuracy::Exact) never misses; where something round decides, its
    /// slack is 2^-40 of the sizes, as touching is then decided up to rounding. Nodes have no
    /// convex hulls, and [`intersection_curve`](super::TreePair::intersection_curve) finds nothing:
    /// a curve is one of triangles of meshes.
    Convex(Vec<ConvexShape<T>>),
}

impl<T: Scalar> Geometry<T> {
    /// The number of primitives.
    pub fn len(&self) -> usize {
        match self {
            Geometry::None => 0,
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => mesh.triangles().len(),
            Geometry::Boxes(boxes) => boxes.len(),
            Geometry::Convex(shapes) => shapes.len(),
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
            Geometry::None | Geometry::Boxes(_) | Geometry::Convex(_) => None,
        }
    }

    /// The geometry with all lengths times `factor`, about the origin of the part's frame, each
    /// number rounded once; directions stay, bit for bit.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number would overflow.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Geometry, Obb};
    ///
    /// let bone = Obb::from_pose(&Isometry3::identity(), Vector3::new(0.04, 0.15, 0.04))?;
    /// let arm = Geometry::Boxes(vec![bone]);
    /// assert_eq!(arm.scaled(2.0)?, Geometry::Boxes(vec![bone.scaled(2.0)?]));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scaled(&self, factor: f64) -> Result<Self, Error> {
        check_factor(factor)?;
        Ok(match self {
            Geometry::None => Geometry::None,
            Geometry::Surface(mesh) => Geometry::Surface(mesh.scaled(factor)?),
            Geometry::Solid(mesh) => Geometry::Solid(mesh.scaled(factor)?),
            Geometry::Boxes(boxes) => {
                Geometry::Boxes(boxes.iter().map(|b| b.scaled(factor)).collect::<Result<_, _>>()?)
            }
            Geometry::Convex(shapes) => {
                let shapes = shapes.iter().map(|shape| shape.scaled(factor));
                Geometry::Convex(shapes.collect::<Result<_, _>>()?)
            }
        })
    }

    /// The smallest aligned box of one primitive, rounded outward where it is not exact.
    pub(crate) fn aabb(&self, index: u32) -> Aabb<T, 3> {
        match self {
            Geometry::None => Aabb::empty(),
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                Aabb::around(mesh.corners(index as usize))
            }
            Geometry::Boxes(boxes) => boxes[index as usize].aabb(),
            Geometry::Convex(shapes) => shapes[index as usize].aabb(),
        }
    }

    /// The box of one primitive that its nodes have to hold: the primitive itself of hand-made
    /// boxes. `None` of triangles of meshes.
    pub(crate) fn own_box(&self, index: u32) -> Option<Obb<T>> {
        match self {
            Geometry::Boxes(boxes) => boxes.get(index as usize).copied(),
            Geometry::Convex(shapes) => shapes.get(index as usize).map(ConvexShape::fitted),
            Geometry::None | Geometry::Surface(_) | Geometry::Solid(_) => None,
        }
    }

    /// The convex primitives, if it is made of these.
    pub(crate) fn convex(&self) -> Option<&[ConvexShape<T>]> {
        match self {
            Geometry::Convex(shapes) => Some(shapes),
            _ => None,
        }
    }

    /// Whether something in it is decided up to rounding: all that is neither triangle nor box.
    pub(crate) fn is_round(&self) -> bool {
        let flat = |s: &ConvexShape<T>| matches!(s, ConvexShape::Box(_) | ConvexShape::Triangle(_));
        self.convex().is_some_and(|shapes| !shapes.iter().all(flat))
    }

    /// A point of one primitive.
    pub(super) fn point_of(&self, index: u32) -> Vec3 {
        match self {
            Geometry::None => [f64::NAN; 3],
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                mesh.triangle(index as usize).corners[0]
            }
            Geometry::Boxes(boxes) => wide_point(boxes[index as usize].center()),
            Geometry::Convex(shapes) => shapes[index as usize].body().middle(),
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
            Geometry::Convex(shapes) => {
                each(2);
                shapes.iter().for_each(|shape| shape.for_each_bits(&mut each));
            }
        }
    }
}
