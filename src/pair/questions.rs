//! The questions two shapes are asked, and their answers.

use nalgebra::{Point3, Vector3};

use super::round::{WideClosest, WideTouch};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::nearest_point;

/// Whether two shapes share a point. The shapes have methods for it; nobody need import this.
///
/// Which pairs there are, and what rounding leaves undecided, says the table of [`pair`](super).
pub trait Overlap<B: ?Sized = Self> {
    /// Whether the two share a point; touching counts. `b.intersects(&a)` is the same.
    fn intersects(&self, other: &B) -> bool;
}

/// Where two shapes are closest. The shapes have methods for it; nobody need import this.
pub trait Nearest<B: ?Sized = Self> {
    /// The number type of the answer.
    type Scalar: Scalar;
    /// A point of each such that no others are closer, and their distance. `b.closest_points(&a)` is the
    /// [reversed](Closest::reversed) answer, bit for bit.
    fn closest_points(&self, other: &B) -> Closest<Self::Scalar>;
    /// The distance alone: zero exactly where they [intersect](Overlap). Units; infinite if one is empty.
    fn distance(&self, other: &B) -> Self::Scalar {
        self.closest_points(other).distance
    }
}

/// Where two shapes touch, which way they part and how far. The shapes have methods for it; nobody need import this.
pub trait Touching<B: ?Sized = Self> {
    /// [`Contact`](super::Contact) for two boxes, [`Touch`] for the rest.
    type Answer;
    /// `None` exactly where they do not [intersect](Overlap). `b.contact(&a)` is the reversed answer, bit for bit. (Two shapes of
    /// the same bits have no order; their normal is then the same from both sides.)
    fn contact(&self, other: &B) -> Option<Self::Answer>;
}

/// Closest points of two shapes, in the frame they were given in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closest<T: Scalar> {
    /// On the first; where they share points, one of these. Not a number if one of the two is empty.
    pub on_a: Point3<T>,
    /// On the second; the same as the other where they share points.
    pub on_b: Point3<T>,
    /// How far the two are apart, rounded up: zero exactly where they intersect. Units; infinite if one is empty.
    pub distance: T,
}

impl<T: Scalar> Closest<T> {
    /// The same told from the other side.
    pub fn reversed(&self) -> Self {
        Closest { on_a: self.on_b, on_b: self.on_a, ..*self }
    }

    pub(super) fn of((on_a, on_b, distance): WideClosest) -> Self {
        Closest {
            on_a: nearest_point(on_a),
            on_b: nearest_point(on_b),
            distance: T::at_least(distance),
        }
    }
}

/// Where two shapes touch, in the frame they were given in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch<T: Scalar> {
    /// Half way between the point of the first that lies deepest in the second and where that comes to lie when they part.
    pub point: Point3<T>,
    /// Unit: from the first to the second. Along it they part soonest.
    pub normal: Vector3<T>,
    /// How far to move the second along `normal` until the two only touch. Units, never negative.
    pub depth: T,
}

impl<T: Scalar> Touch<T> {
    /// The same told from the other side.
    pub fn reversed(&self) -> Self {
        Touch { normal: -self.normal, ..*self }
    }

    /// The point of the first that lies deepest in the second.
    pub fn on_a(&self) -> Point3<T> {
        self.point + self.normal * (self.depth * T::nearest(0.5))
    }

    /// The point of the second that lies deepest in the first.
    pub fn on_b(&self) -> Point3<T> {
        self.point - self.normal * (self.depth * T::nearest(0.5))
    }

    pub(super) fn of((point, normal, depth): WideTouch) -> Self {
        Touch { point: nearest_point(point), normal: rounded(normal), depth: T::at_least(depth) }
    }
}

pub(super) fn rounded<T: Scalar>(v: Vec3) -> Vector3<T> {
    nearest_point(v).coords
}
