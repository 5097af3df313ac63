//! The geometry of a part: its primitives.

use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::num::scaling::check_factor;
use crate::pair::ConvexShape;
use crate::shape::{Aabb, Mesh, Obb, wide_point};

/// Geometry of a part, in the part's frame.
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
    /// Empty: a joint that only moves other parts.
    None,
    /// Triangles of a surface without an inside.
    Surface(Mesh<T>),
    /// Closed mesh with its inside, the volume it winds around. A mesh with holes is refused; see
    /// [`Mesh::capped`].
    Solid(Mesh<T>),
    /// Hand-made boxes: solid.
    Boxes(Vec<Obb<T>>),
    /// Convex shapes in any mixture, kept as they are: balls, capsules, cylinders, ellipsoids,
    /// boxes, convex hulls and triangles. All but the triangles are solid.
    ///
    /// [`Accuracy::Exact`](crate::tree::Accuracy::Exact) never misses. If round shapes decide, its
    /// slack is 2^-40 of the sizes, as their touching is decided up to rounding. Nodes have no
    /// convex hulls, and [`intersection_curve`](crate::tree::TreePair::intersection_curve) is
    /// empty: it needs the triangles of meshes.
    Convex(Vec<ConvexShape<T>>),
}

impl<T: Scalar> Geometry<T> {
    /// Returns the number of primitives.
    pub fn len(&self) -> usize {
        match self {
            Geometry::None => 0,
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => mesh.triangles().len(),
            Geometry::Boxes(boxes) => boxes.len(),
            Geometry::Convex(shapes) => shapes.len(),
        }
    }

    /// Returns `true` if there are no primitives.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if the geometry has an inside: a mesh given as a solid, boxes, or convex
    /// shapes that are not all triangles; `false` if it is empty.
    ///
    /// Nothing is guessed from the triangles. A surface has no inside even if it is closed, and a
    /// tree of a solid that is not closed is refused ([`Error::Open`]). A solid that is turned
    /// inside out has the same inside; only its [`Mesh::volume`] is negative.
    ///
    /// ```
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Build, Error, Geometry, Mesh, ObbTree};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let corners = corners.map(Point3::from).to_vec();
    /// let sides = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let closed = Mesh::new(corners.clone(), sides.clone())?;
    /// assert!(!Geometry::Surface(closed.clone()).is_solid());
    /// assert!(Geometry::Solid(closed).is_solid());
    /// let open = Geometry::Solid(Mesh::new(corners, sides[..3].to_vec())?);
    /// let refused = ObbTree::build(open, &Build::default());
    /// assert!(matches!(refused, Err(Error::Open { count: 3, .. })));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn is_solid(&self) -> bool {
        let encloses = |shape: &ConvexShape<T>| !matches!(shape, ConvexShape::Triangle(_));
        match self {
            Geometry::None | Geometry::Surface(_) => false,
            Geometry::Solid(_) | Geometry::Boxes(_) => !self.is_empty(),
            Geometry::Convex(shapes) => shapes.iter().any(encloses),
        }
    }

    /// Returns the mesh of a surface or a solid.
    pub fn mesh(&self) -> Option<&Mesh<T>> {
        match self {
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => Some(mesh),
            Geometry::None | Geometry::Boxes(_) | Geometry::Convex(_) => None,
        }
    }

    /// Returns the geometry with all lengths times `factor`, about the origin of the part's frame.
    /// Each number is rounded once; directions keep their bits.
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
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
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

    /// Returns the smallest aligned box of one primitive, rounded outward where it is not exact.
    pub(crate) fn aabb(&self, index: u32) -> Aabb<T, 3> {
        match self {
            Geometry::None => Aabb::empty(),
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                Aabb::from_points(mesh.corners(index as usize))
            }
            Geometry::Boxes(boxes) => boxes[index as usize].aabb(),
            Geometry::Convex(shapes) => shapes[index as usize].aabb(),
        }
    }

    /// Returns the oriented box that contains one primitive: the primitive itself for hand-made
    /// boxes; `None` for triangles of meshes.
    pub(crate) fn own_box(&self, index: u32) -> Option<Obb<T>> {
        match self {
            Geometry::Boxes(boxes) => boxes.get(index as usize).copied(),
            Geometry::Convex(shapes) => shapes.get(index as usize).map(ConvexShape::fitted),
            Geometry::None | Geometry::Surface(_) | Geometry::Solid(_) => None,
        }
    }

    /// Returns the convex shapes, if the geometry consists of them.
    pub(crate) fn convex_shapes(&self) -> Option<&[ConvexShape<T>]> {
        match self {
            Geometry::Convex(shapes) => Some(shapes),
            _ => None,
        }
    }

    /// Returns `true` if some shape is neither a triangle nor a box: such shapes are decided up to
    /// rounding.
    pub(crate) fn has_inexact_shapes(&self) -> bool {
        let flat = |s: &ConvexShape<T>| matches!(s, ConvexShape::Box(_) | ConvexShape::Triangle(_));
        self.convex_shapes().is_some_and(|shapes| !shapes.iter().all(flat))
    }

    /// Returns a point of one primitive [part units].
    pub(in crate::tree) fn primitive_point(&self, index: u32) -> Vec3 {
        match self {
            Geometry::None => [f64::NAN; 3],
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                mesh.triangle(index as usize).corners[0]
            }
            Geometry::Boxes(boxes) => wide_point(boxes[index as usize].center()),
            Geometry::Convex(shapes) => shapes[index as usize].body().core_point(),
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
