//! Results of queries: contact, closest points, separating axis, ray hit, cast hit.
//!
//! The parameters of a result name what touches: nothing for free shapes, a node for trees, a part
//! and node for models, a [`NodeRef`](crate::scene::NodeRef) for scenes.

use nalgebra::{Point, Point3, SVector, Vector3};

use super::rounded::rounded_shape::{WideClosest, WideContact};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::nearest_point;

/// Contact of two overlapping shapes: point, normal and penetration depth, in the frame of the
/// shapes (for parts of a scene, the world).
///
/// For two boxes the point divides the segment of the centres in the ratio of the diagonals. For
/// all other pairs it lies half way between the two [deepest points](Contact::on_a).
///
/// For nodes of trees, `normal` and `depth` are those of the two boxes only; see
/// [`scene::Hit`](crate::scene::Hit).
///
/// ```
/// use boxwood::Sphere;
/// use boxwood::nalgebra::{Point3, Vector3};
///
/// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
/// let (a, b) = (ball(0.0)?, ball(1.5)?);
/// let contact = a.contact(&b).expect("they touch");
/// assert_eq!((contact.normal, contact.depth), (Vector3::x(), 0.5));
/// assert_eq!((contact.on_a().x, contact.on_b().x), (1.0, 0.5)); // the deepest point of each
/// assert_eq!(contact.reversed().normal, -Vector3::x());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact<T: Scalar, const D: usize = 3> {
    /// Contact point, in or near the overlap; for two boxes nearer the smaller one.
    pub point: Point<T, D>,
    /// Upper bound on the distance from `point` to any point of the overlap [length units];
    /// infinite unless both shapes are boxes.
    pub point_error: T,
    /// Unit direction of least overlap, from the first shape to the second.
    pub normal: SVector<T, D>,
    /// Translation of the second shape along `normal` until the two only touch [units, never
    /// negative].
    pub depth: T,
    /// Upper bound on the distance of the two geometries [units, never negative]. For two nodes it
    /// is that of [`TreePair::slack`](crate::tree::TreePair::slack): true for the two parts, never
    /// greater than that of their ancestors.
    pub slack: T,
}

impl<T: Scalar, const D: usize> Contact<T, D> {
    /// Returns the contact with the two shapes swapped.
    pub fn reversed(&self) -> Self {
        Contact { normal: -self.normal, ..*self }
    }

    /// Returns the point half the depth along the normal: unless both shapes are boxes, the point
    /// of the first that lies deepest in the second.
    pub fn on_a(&self) -> Point<T, D> {
        self.point + self.normal * (self.depth * T::nearest(0.5))
    }

    /// Returns the point half the depth against the normal: unless both shapes are boxes, the point
    /// of the second that lies deepest in the first.
    pub fn on_b(&self) -> Point<T, D> {
        self.point - self.normal * (self.depth * T::nearest(0.5))
    }
}

impl<T: Scalar> Contact<T> {
    pub(super) fn from_wide((point, normal, depth): WideContact) -> Self {
        Contact {
            point: nearest_point(point),
            point_error: T::nearest(f64::INFINITY),
            normal: rounded_vector(normal),
            depth: T::at_least(depth),
            slack: T::zero(),
        }
    }
}

/// Closest points of two shapes, and their distance, in the frame of the shapes (for parts, the
/// world).
///
/// `A` and `B` name what the points lie on: nothing for free shapes, a [`NodeId`](crate::NodeId)
/// for trees, a [`PartNode`](crate::model::PartNode) for a model, a
/// [`NodeRef`](crate::scene::NodeRef) for a scene.
///
/// ```
/// use boxwood::Sphere;
/// use boxwood::nalgebra::Point3;
///
/// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
/// let (a, b) = (ball(0.0)?, ball(5.0)?);
/// let closest = a.closest_points(&b);
/// assert_eq!((closest.distance, closest.on_a.x, closest.on_b.x), (3.0, 1.0, 4.0));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPoints<T: Scalar, A = (), B = A> {
    /// Owner of `on_a`.
    pub a: A,
    /// Owner of `on_b`.
    pub b: B,
    /// Distance, rounded up [length units]; zero exactly where the shapes intersect, infinite if
    /// one is empty. For trees see [`TreePair::distance`](crate::tree::TreePair::distance).
    pub distance: T,
    /// Point of the first shape, or of the box of its node; a rounded common point where the shapes
    /// intersect. NaN if one shape is empty.
    pub on_a: Point3<T>,
    /// Point of the second shape; equal to `on_a` where the shapes intersect.
    pub on_b: Point3<T>,
    /// Error bound: the geometries are no further apart than `distance + slack` [length units].
    /// Zero for free shapes, up to the rounding of `distance`. For trees it is the sum of the
    /// [bounds](crate::tree::Node::bound) of two nodes, or the proved error of two primitives: zero
    /// for triangles and boxes that share a point, never zero for other shapes, which may be apart
    /// by that where `distance` is zero.
    pub slack: T,
}

impl<T: Scalar, A: Copy, B: Copy> ClosestPoints<T, A, B> {
    /// Returns the result with the two shapes swapped.
    pub fn reversed(&self) -> ClosestPoints<T, B, A> {
        let ClosestPoints { a, b, distance, on_a, on_b, slack } = *self;
        ClosestPoints { a: b, b: a, distance, on_a: on_b, on_b: on_a, slack }
    }

    /// Returns the result with other names.
    pub(crate) fn with_owners<C, D>(&self, a: C, b: D) -> ClosestPoints<T, C, D> {
        let ClosestPoints { distance, on_a, on_b, slack, .. } = *self;
        ClosestPoints { a, b, distance, on_a, on_b, slack }
    }
}

impl<T: Scalar> ClosestPoints<T> {
    pub(super) fn from_wide((on_a, on_b, distance): WideClosest) -> Self {
        ClosestPoints {
            a: (),
            b: (),
            on_a: nearest_point(on_a),
            on_b: nearest_point(on_b),
            distance: T::at_least(distance),
            slack: T::zero(),
        }
    }
}

/// First contact of a ray with a shape: a distance along the ray, the point and the normal.
///
/// `R` names what is hit: nothing for a free shape, a [`NodeRef`](crate::scene::NodeRef) for a
/// scene, a `BrushId` for a level.
///
/// ```
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Ray, Sphere};
///
/// let ray = Ray::through(Point3::origin(), Point3::new(8.0, 0.0, 0.0))?.expect("two points");
/// let hit = ray.cast(&Sphere::new(Point3::new(4.0, 0.0, 0.0), 1.0)?).expect("in the way");
/// assert_eq!((hit.distance, hit.point.x), (3.0, 3.0)); // a length, not a share
/// assert_eq!(hit.normal, -Vector3::x()); // out of the ball
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RayHit<T: Scalar, R = ()> {
    /// Target of the hit. In a scene: the node whose box or primitive is hit, the root if the start
    /// is inside a solid mesh; for a whole part, the node hit first.
    pub target: R,
    /// Distance from the origin along the unit direction [length units]; zero for a start inside.
    pub distance: T,
    /// Point of the ray at that distance.
    pub point: Point3<T>,
    /// Unit normal, out of the shape that is hit, against the ray; on a triangle, towards the side
    /// of the origin. For a start inside it is opposite to the ray; in a level it is the normal of
    /// the nearest plane.
    pub normal: Vector3<T>,
    /// `true` if the origin lies in the shape, surface included.
    pub started_inside: bool,
    /// Upper bound on the distance of `point` from the shape [length units]; zero for a free shape,
    /// whose answer is rounded.
    pub slack: T,
}

impl<T: Scalar, R> RayHit<T, R> {
    /// Returns the hit with another target: the caller's own name of what was hit.
    ///
    /// ```
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Ray, Sphere};
    ///
    /// let ray = Ray::through(Point3::origin(), Point3::new(8.0, 0.0, 0.0))?.expect("two points");
    /// let hit = ray.cast(&Sphere::new(Point3::new(4.0, 0.0, 0.0), 1.0)?).expect("in the way");
    /// assert_eq!(hit.with_target("crate").target, "crate");
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn with_target<S>(&self, target: S) -> RayHit<T, S> {
        let RayHit { distance, point, normal, started_inside, slack, .. } = *self;
        RayHit { target, distance, point, normal, started_inside, slack }
    }
}

/// First contact of a moving shape, the *mover*, with the shape that it hits.
///
/// In `a.sweep(displacement, &b)` the mover is `a`, also where both move.
///
/// `R` names what is hit: nothing for a free shape, a [`NodeRef`](crate::scene::NodeRef) for a
/// scene, the index of a triangle for a mesh, a `BrushId` for a level.
///
/// ```
/// use boxwood::Sphere;
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::pair::Sweep;
///
/// // A ball that moves by 8 touches another after 3.
/// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
/// let (a, b) = (ball(0.0)?, ball(5.0)?);
/// let way = Vector3::new(8.0, 0.0, 0.0);
/// let hit = a.sweep(way, &b).expect("on the way");
/// assert!((hit.time_of_impact - 3.0 / 8.0).abs() < 1e-6 && !hit.started_inside); // a share
/// assert!((hit.length(way) - 3.0).abs() < 1e-5);
/// assert!((hit.normal + Vector3::x()).norm() < 1e-6); // out of `b`, towards `a`
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CastHit<T: Scalar, const D: usize = 3, R = ()> {
    /// Target of the hit. In a scene: the node whose primitive is hit, the root if the start is
    /// inside a solid mesh.
    pub target: R,
    /// Time of the first contact, a share of the displacement, `0..=1`; never later than the true
    /// contact; zero for a start inside. See [`CastHit::length`].
    pub time_of_impact: T,
    /// Time of the last contact, a share of the displacement, never earlier than the true one.
    /// If the motion ends in contact: greater than 1 for free shapes, infinite in levels and
    /// scenes. Infinite without relative motion, and for `shape_cast` at a tree or in a scene,
    /// which does not compute it;
    /// [`Snapshot::shape_cast_all`](crate::scene::Snapshot::shape_cast_all) does.
    pub time_of_leaving: T,
    /// Point of the first contact, common to both up to the slack; the middle of a common face or
    /// edge; for a start inside, the point of the contact.
    pub point: Point<T, D>,
    /// Unit normal, **out of what is hit, towards the mover**, across the touching features; for a
    /// start inside, the direction of least overlap, in which the mover gets out.
    ///
    /// The displacement of the mover, relative to what is hit, has no positive part along the
    /// normal, up to rounding. Exceptions are starts inside, and starts within the slack, which may
    /// be on their way out: both have time 0.
    pub normal: SVector<T, D>,
    /// `true` if the shapes touch before any motion, surfaces included.
    pub started_inside: bool,
    /// Upper bound on the distance of the shapes at the time of impact [length units].
    pub slack: T,
}

impl<T: Scalar, const D: usize, R> CastHit<T, D, R> {
    /// Returns the length of the mover's way until the first contact: the time of impact times the
    /// length of `displacement`, rounded down [length units]. Like the time, it is never more than
    /// the true one. `displacement` is that of the cast.
    ///
    /// ```
    /// use boxwood::Aabb;
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::pair::Sweep;
    ///
    /// let cube = |x: f32| Aabb::new(Point3::new(x, 0.0, 0.0), Point3::new(x + 1.0, 1.0, 1.0));
    /// let way = Vector3::new(4.0, 0.0, 0.0);
    /// let hit = cube(0.0).sweep(way, &cube(2.0)).expect("in the way");
    /// assert!(hit.length(way) <= 1.0 && hit.length(way) > 0.99999);
    /// ```
    pub fn length(&self, displacement: SVector<T, D>) -> T {
        let squared = displacement.iter().fold(0.0, |sum, x| sum + x.wide() * x.wide());
        // The sum, its root and both products are off by less than one unit in the last place a
        // dimension.
        let down = 1.0 - (D as f64 + 4.0) * f64::EPSILON;
        T::at_most(self.time_of_impact.wide() * squared.sqrt() * down)
    }

    /// Returns the hit with another target: the caller's own name of what was hit.
    ///
    /// ```
    /// use boxwood::Sphere;
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::pair::Sweep;
    ///
    /// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
    /// let hit = ball(0.0)?.sweep(Vector3::new(8.0, 0.0, 0.0), &ball(5.0)?).expect("on the way");
    /// assert_eq!(hit.with_target("crate").target, "crate");
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn with_target<S>(&self, target: S) -> CastHit<T, D, S> {
        let CastHit { time_of_impact, time_of_leaving, point, normal, .. } = *self;
        let CastHit { started_inside, slack, .. } = *self;
        CastHit { target, time_of_impact, time_of_leaving, point, normal, started_inside, slack }
    }
}

impl<T: Scalar, const D: usize> CastHit<T, D> {
    /// Returns the hit of the same motion with mover and target exchanged: that of
    /// `b.sweep_both(b_displacement, &a, a_displacement)`. Only the normal changes its sign.
    pub fn reversed(&self) -> Self {
        CastHit { normal: -self.normal, ..*self }
    }
}

/// Axis that separates two shapes: a direction, and a certified gap along it.
///
/// An axis found in one frame often separates the two in the next frame, too.
/// [`separates`](Self::separates) checks that by support points alone: `true` is a proof that the
/// shapes share no point, `false` says nothing. A caller keeps an axis a pair and tests the shapes
/// only where it fails.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Obb, SeparatingAxis};
///
/// let cube = |x| Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(0.5));
/// let (a, b) = (cube(0.0)?, cube(3.0)?);
/// let mut kept: Option<SeparatingAxis> = None;
/// let mut full_tests = 0;
/// for frame in 0..100 {
///     let moved = cube(3.0 - 0.0175 * frame as f32)?;
///     if !kept.is_some_and(|axis| axis.separates(&a, &moved)) {
///         (kept, full_tests) = (a.separating_axis(&moved), full_tests + 1);
///     }
/// }
/// assert_eq!(full_tests, 1);
/// let axis = a.separating_axis(&b).expect("disjoint");
/// assert_eq!(axis.direction, Vector3::x()); // from a towards b
/// assert!(axis.gap <= 2.0 && axis.gap > 1.9999);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeparatingAxis<T: Scalar> {
    /// Direction from the first shape towards the second, of length 1 up to rounding.
    pub direction: Vector3<T>,
    /// Lower bound on the gap of the two along the direction, and so on their distance: positive,
    /// and never more than the true gap [length units].
    pub gap: T,
}

impl<T: Scalar> SeparatingAxis<T> {
    /// Returns the axis with the two shapes swapped.
    pub fn reversed(&self) -> Self {
        SeparatingAxis { direction: -self.direction, gap: self.gap }
    }
}

pub(crate) fn rounded_vector<T: Scalar>(v: Vec3) -> Vector3<T> {
    nearest_point(v).coords
}
