//! The three kinds of results in space: a contact, closest points, the hit of a cast.
//!
//! Between two free shapes a result names nobody; of trees, models and scenes it says what met, by
//! the parameters: a node, a part with its node, or a [`NodeRef`](crate::scene::NodeRef).

use nalgebra::{Point, Point3, SVector, Vector3};

use super::round::{WideClosest, WideTouch};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::nearest_point;

/// Where two shapes touch and how deep (penetration depth), in the frame they were given in (the
/// world, for parts of a scene).
///
/// Of two boxes, the point divides the segment of the centres in the ratio of the diagonals. Of any
/// other two shapes it lies half way between the two [deepest points](Contact::on_a).
///
/// Where the boxes are nodes of trees, `normal` and `depth` are those of the two boxes and say
/// nothing about what else the trees hold: see [`scene::Hit`](crate::scene::Hit).
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
    /// In or near the overlap: see above. Of two boxes nearer the smaller one.
    pub point: Point<T, D>,
    /// No point of the overlap is further from `point` than this; infinite where no such bound is
    /// known, as of shapes that are not both boxes. Units.
    pub point_error: T,
    /// Unit: the direction in which the two overlap least, from the first to the second.
    pub normal: SVector<T, D>,
    /// How far to move the second along `normal` until the two only touch. Units, never negative.
    pub depth: T,
    /// The geometry of the two is no further apart than this. Units, never negative.
    pub slack: T,
}

impl<T: Scalar, const D: usize> Contact<T, D> {
    /// The same contact with the two swapped.
    pub fn reversed(&self) -> Self {
        Contact { normal: -self.normal, ..*self }
    }

    /// Half the depth along the normal from the point: unless both are boxes, the point of the
    /// first that lies deepest in the second.
    pub fn on_a(&self) -> Point<T, D> {
        self.point + self.normal * (self.depth * T::nearest(0.5))
    }

    /// Half the depth against the normal from the point: unless both are boxes, the point of the
    /// second that lies deepest in the first.
    pub fn on_b(&self) -> Point<T, D> {
        self.point - self.normal * (self.depth * T::nearest(0.5))
    }
}

impl<T: Scalar> Contact<T> {
    pub(super) fn of((point, normal, depth): WideTouch) -> Self {
        Contact {
            point: nearest_point(point),
            point_error: T::nearest(f64::INFINITY),
            normal: rounded(normal),
            depth: T::at_least(depth),
            slack: T::zero(),
        }
    }
}

/// A point of each of two things such that no others are closer, and their distance.
///
/// In the frame the two were given in; the world, for parts. `A` and `B` say what the points lie
/// on: nothing for two free shapes, a [`NodeId`](crate::NodeId) of each of two trees, a
/// [`PartNode`](crate::model::PartNode) of a model, a [`NodeRef`](crate::scene::NodeRef) of a
/// scene.
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
    /// What `on_a` lies on.
    pub a: A,
    /// What `on_b` lies on.
    pub b: B,
    /// How far the two are apart, rounded up: zero exactly where they intersect. Units; infinite if
    /// one is empty. Of trees see [`TreePair::distance`](crate::tree::TreePair::distance).
    pub distance: T,
    /// On the first, or on the box of its node; where they share points, one of these, rounded. Not
    /// a number if one of the two is empty.
    pub on_a: Point3<T>,
    /// On the second; the same as the other where they share points.
    pub on_b: Point3<T>,
    /// The geometry is no further apart than `distance + slack`. Zero between free shapes; between
    /// trees at the exact end the rounding, elsewhere the [bounds](crate::tree::Node::bound) of
    /// both nodes come to it. Units.
    pub slack: T,
}

impl<T: Scalar, A: Copy, B: Copy> ClosestPoints<T, A, B> {
    /// The same with the two swapped.
    pub fn reversed(&self) -> ClosestPoints<T, B, A> {
        let ClosestPoints { a, b, distance, on_a, on_b, slack } = *self;
        ClosestPoints { a: b, b: a, distance, on_a: on_b, on_b: on_a, slack }
    }

    /// The same between other names.
    pub(crate) fn between<C, D>(&self, a: C, b: D) -> ClosestPoints<T, C, D> {
        let ClosestPoints { distance, on_a, on_b, slack, .. } = *self;
        ClosestPoints { a, b, distance, on_a, on_b, slack }
    }
}

impl<T: Scalar> ClosestPoints<T> {
    pub(super) fn of((on_a, on_b, distance): WideClosest) -> Self {
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

/// Where a ray or a moving shape first meets something, and when: the answer of ray casts and
/// sweeps.
///
/// `R` says what is hit: nothing for a free shape, a [`NodeRef`](crate::scene::NodeRef) of a scene.
///
/// ```
/// use boxwood::Sphere;
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::pair::Sweep;
///
/// // A ball that moves by 8 reaches another after 3: a sweep has a share of the way.
/// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
/// let (a, b) = (ball(0.0)?, ball(5.0)?);
/// let hit = a.sweep(Vector3::new(8.0, 0.0, 0.0), &b).expect("on the way");
/// assert!((hit.time_of_impact - 3.0 / 8.0).abs() < 1e-6 && !hit.started_inside);
/// assert!((hit.normal - Vector3::x()).norm() < 1e-6);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CastHit<T: Scalar, const D: usize = 3, R = ()> {
    /// What is hit. Of a scene: the node whose box is met, or whose primitive is; the root for a
    /// start inside a solid mesh; of a part as a whole, the node met first.
    pub target: R,
    /// When the two first touch. Of a ray how far along it, a length; of a sweep the share of the
    /// displacement, 0..=1, never later than they truly touch; of a shape cast through a scene too.
    /// Zero for a start inside.
    pub time_of_impact: T,
    /// When they part again, in the same measure: past 1 if they still touch at the end of a sweep,
    /// infinite if they do not move against each other. Never earlier than they truly do. Not
    /// worked out for rays and shape casts: infinite.
    pub time_of_leaving: T,
    /// Where they first touch. Of a ray the point of it there. Of a sweep a point that both have in
    /// common then, up to the slack: the middle of where they touch if that is a face or an edge;
    /// for a start inside, the point of the contact.
    pub point: Point<T, D>,
    /// Unit. Of a ray: out of the shape where it is met, against the ray; of a triangle, on the
    /// side the ray comes from; for a start inside, back along the ray. Of a sweep: across the
    /// faces, edges or corners that meet, from the first to the second; for a start inside, the
    /// direction in which they overlap least. Of a shape cast: out of what is hit, see
    /// [`Snapshot::shape_cast`](crate::scene::Snapshot::shape_cast).
    pub normal: SVector<T, D>,
    /// Whether they touch before anything moves, surfaces included.
    pub started_inside: bool,
    /// At the time of impact the two are no further apart than this. Units, never negative; zero
    /// for a ray against a free shape, whose answer is rounded.
    pub slack: T,
}

impl<T: Scalar, const D: usize, R: Copy> CastHit<T, D, R> {
    /// The same sweep with the two swapped.
    pub fn reversed(&self) -> Self {
        CastHit { normal: -self.normal, ..*self }
    }

    /// The same hit of something that has a name.
    pub(crate) fn of<S>(&self, target: S) -> CastHit<T, D, S> {
        let CastHit { time_of_impact, time_of_leaving, point, normal, .. } = *self;
        let CastHit { started_inside, slack, .. } = *self;
        CastHit { target, time_of_impact, time_of_leaving, point, normal, started_inside, slack }
    }
}

pub(crate) fn rounded<T: Scalar>(v: Vec3) -> Vector3<T> {
    nearest_point(v).coords
}
