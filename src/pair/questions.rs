//! The queries of two shapes as traits: intersection, closest points, contact.

use super::results::ClosestPoints;
use crate::num::Scalar;

/// Whether two shapes share a point. The shapes have methods for it; nobody need import this.
///
/// Which pairs there are, and what rounding leaves undecided, says the table of [`pair`](super).
pub trait IntersectsQuery<B: ?Sized = Self> {
    /// Whether the two share a point; touching counts. `b.intersects(&a)` is the same.
    fn intersects(&self, other: &B) -> bool;
}

/// Where two shapes are closest. The shapes have methods for it; nobody need import this.
pub trait ClosestPointsQuery<B: ?Sized = Self> {
    /// The number type of the answer.
    type Scalar: Scalar;
    /// A point of each such that no others are closer, and their distance. `b.closest_points(&a)` is the
    /// [reversed](ClosestPoints::reversed) answer, bit for bit.
    fn closest_points(&self, other: &B) -> ClosestPoints<Self::Scalar>;
    /// The distance alone: zero exactly where they [intersect](IntersectsQuery). Units; infinite if one is empty.
    fn distance(&self, other: &B) -> Self::Scalar {
        self.closest_points(other).distance
    }
}

/// Where two shapes touch, which way they part and how far. The shapes have methods for it; nobody need import this.
pub trait ContactQuery<B: ?Sized = Self> {
    /// [`Contact`](super::Contact), in the plane or in space.
    type Answer;
    /// `None` exactly where they do not [intersect](IntersectsQuery). `b.contact(&a)` is the reversed answer, bit for bit. (Two shapes of
    /// the same bits have no order; their normal is then the same from both sides.)
    fn contact(&self, other: &B) -> Option<Self::Answer>;
}
