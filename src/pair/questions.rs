//! The queries of two shapes as traits: intersection, closest points, contact.

use super::results::ClosestPoints;
use crate::num::Scalar;

/// Whether two shapes share a point. The shapes have methods for it; nobody need import this.
///
/// Which pairs there are, and what rounding leaves undecided, says the table of [`pair`](super).
///
/// ```
/// use boxwood::pair::IntersectsQuery;
/// use boxwood::{Sphere, nalgebra::Point3};
///
/// fn hits_any<A: IntersectsQuery<B>, B>(a: &A, others: &[B]) -> bool {
///     others.iter().any(|other| a.intersects(other))
/// }
/// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
/// assert!(hits_any(&ball(0.0)?, &[ball(5.0)?, ball(2.0)?])); // touching counts
/// # Ok::<(), boxwood::Error>(())
/// ```
pub trait IntersectsQuery<B: ?Sized = Self> {
    /// Whether the two share a point; touching counts. `b.intersects(&a)` is the same.
    fn intersects(&self, other: &B) -> bool;
}

/// Where two shapes are closest. The shapes have methods for it; nobody need import this.
///
/// ```
/// use boxwood::pair::ClosestPointsQuery;
/// use boxwood::{Sphere, nalgebra::Point3};
///
/// fn is_near<A: ClosestPointsQuery<B, Scalar = f32>, B>(a: &A, b: &B, reach: f32) -> bool {
///     a.distance(b) <= reach
/// }
/// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
/// assert!(is_near(&ball(0.0)?, &ball(5.0)?, 3.0));
/// # Ok::<(), boxwood::Error>(())
/// ```
pub trait ClosestPointsQuery<B: ?Sized = Self> {
    /// The number type of the answer.
    type Scalar: Scalar;
    /// A point of each such that no others are closer, and their distance. `b.closest_points(&a)`
    /// is the [reversed](ClosestPoints::reversed) answer, bit for bit.
    fn closest_points(&self, other: &B) -> ClosestPoints<Self::Scalar>;
    /// The distance alone: zero exactly where they [intersect](IntersectsQuery). Units; infinite if
    /// one is empty.
    fn distance(&self, other: &B) -> Self::Scalar {
        self.closest_points(other).distance
    }
}

/// Where two shapes touch, which way they part and how far. The shapes have methods for it; nobody
/// need import this.
///
/// ```
/// use boxwood::pair::{Contact, ContactQuery};
/// use boxwood::{Sphere, nalgebra::Point3};
///
/// fn depth<A: ContactQuery<B, Answer = Contact<f32>>, B>(a: &A, b: &B) -> f32 {
///     a.contact(b).map_or(0.0, |contact| contact.depth)
/// }
/// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
/// assert_eq!((depth(&ball(0.0)?, &ball(1.5)?), depth(&ball(0.0)?, &ball(5.0)?)), (0.5, 0.0));
/// # Ok::<(), boxwood::Error>(())
/// ```
pub trait ContactQuery<B: ?Sized = Self> {
    /// [`Contact`](super::Contact), in the plane or in space.
    type Answer;
    /// `None` exactly where they do not [intersect](IntersectsQuery). `b.contact(&a)` is the
    /// reversed answer, bit for bit. (Two shapes of the same bits have no order; their normal is
    /// then the same from both sides.)
    fn contact(&self, other: &B) -> Option<Self::Answer>;
}
