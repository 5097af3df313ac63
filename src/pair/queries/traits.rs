//! Traits of the queries of two shapes: intersection, closest points, contact, separating axis.

use nalgebra::Vector3;

use crate::num::Scalar;
use crate::pair::results::{ClosestPoints, SeparatingAxis};

/// Overlap test of two shapes. Only generic code imports it: the shapes have the method themselves.
///
/// [`pair`](crate::pair) lists the pairs, and what rounding leaves undecided.
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
    /// Returns `true` if the shapes share a point; touching counts. `b.intersects(&a)` is the same.
    ///
    /// ```
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Aabb, Sphere};
    ///
    /// let wall = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
    /// let ball = Sphere::new(Point3::new(0.0, 3.0, 0.0), 2.0)?;
    /// assert!(ball.intersects(&wall) && wall.intersects(&ball)); // touching counts
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    fn intersects(&self, other: &B) -> bool;
}

/// Closest points and distance of two shapes. Only generic code imports it: the shapes have the
/// methods themselves.
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
    /// Number type of the result.
    type Scalar: Scalar;
    /// Returns the closest points and their distance; a common point if the shapes intersect.
    /// `b.closest_points(&a)` is the [reversed](ClosestPoints::reversed) answer, bit for bit.
    ///
    /// ```
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Aabb, Sphere};
    ///
    /// let wall = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
    /// let ball = Sphere::new(Point3::new(0.0, 3.0, 0.0), 1.5)?;
    /// let closest = ball.closest_points(&wall);
    /// assert_eq!(closest.distance, 0.5);
    /// assert_eq!((closest.on_a.y, closest.on_b.y), (1.5, 1.0)); // of ball, of wall
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    fn closest_points(&self, other: &B) -> ClosestPoints<Self::Scalar>;
    /// Returns the distance, rounded up [length units]: zero exactly where the shapes
    /// [intersect](IntersectsQuery), infinite if one is empty.
    ///
    /// ```
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Aabb, Sphere};
    ///
    /// let wall = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
    /// assert_eq!(wall.distance(&Sphere::new(Point3::new(0.0, 3.0, 0.0), 1.5)?), 0.5);
    /// assert_eq!(wall.distance(&Sphere::new(Point3::origin(), 0.1)?), 0.0); // inside
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    fn distance(&self, other: &B) -> Self::Scalar {
        self.closest_points(other).distance
    }
}

/// Contact of two shapes: point, normal and depth. Only generic code imports it: the shapes have
/// the method themselves.
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
    /// Type of the contact: [`Contact`](crate::pair::Contact), in the plane or in space.
    type Answer;
    /// Returns the contact; `None` exactly where the shapes do not [intersect](IntersectsQuery).
    /// `b.contact(&a)` is the reversed answer, bit for bit, except for two shapes of the same bits,
    /// whose normal is the same from both sides.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Aabb, Sphere};
    ///
    /// let wall = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
    /// let ball = Sphere::new(Point3::new(0.0, 2.0, 0.0), 1.5)?;
    /// let contact = wall.contact(&ball).expect("they touch");
    /// assert_eq!((contact.normal, contact.depth), (Vector3::y(), 0.5)); // wall to ball
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    fn contact(&self, other: &B) -> Option<Self::Answer>;
}

/// Separating axis of two shapes. Only generic code imports it: the shapes have the method
/// themselves, and an axis checks itself.
///
/// ```
/// use boxwood::pair::SeparatingAxisQuery;
/// use boxwood::{SeparatingAxis, Sphere, nalgebra::Point3};
///
/// fn are_apart<A: SeparatingAxisQuery<B, Scalar = f32>, B>(
///     (a, b): (&A, &B),
///     kept: &mut Option<SeparatingAxis>,
/// ) -> bool {
///     if !kept.is_some_and(|axis| axis.separates(a, b)) {
///         *kept = a.separating_axis(b);
///     }
///     kept.is_some()
/// }
/// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
/// let mut kept = None;
/// assert!(are_apart((&ball(0.0)?, &ball(5.0)?), &mut kept));
/// assert!(are_apart((&ball(0.0)?, &ball(2.1)?), &mut kept)); // by the same axis
/// assert!(!are_apart((&ball(0.0)?, &ball(2.0)?), &mut kept)); // touching counts
/// # Ok::<(), boxwood::Error>(())
/// ```
pub trait SeparatingAxisQuery<B: ?Sized = Self> {
    /// Number type of the result.
    type Scalar: Scalar;
    /// Returns an axis that separates the shapes, with a certified gap: for two boxes that of the
    /// axes of their test along which they are farthest apart, for others the direction of the
    /// closest points. `None` if the shapes touch, if the gap is within rounding, or if one is
    /// empty. `b.separating_axis(&a)` is the [reversed](SeparatingAxis::reversed) answer, bit for
    /// bit.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Aabb, Sphere};
    ///
    /// let wall = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
    /// let ball = |y| Sphere::new(Point3::new(0.0, y, 0.0), 1.5);
    /// let axis = ball(3.0)?.separating_axis(&wall).expect("disjoint");
    /// assert_eq!(axis.direction, -Vector3::y()); // ball to wall
    /// assert!(axis.gap <= 0.5 && axis.gap > 0.49999);
    /// assert!(ball(2.5)?.separating_axis(&wall).is_none()); // they touch
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    fn separating_axis(&self, other: &B) -> Option<SeparatingAxis<Self::Scalar>>;
    /// Returns a lower bound on the gap along a direction of any length, from this shape towards
    /// the other; `None` if it is not certainly positive. See [`SeparatingAxis::gap_between`].
    ///
    /// ```
    /// use boxwood::Sphere;
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::pair::SeparatingAxisQuery;
    ///
    /// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
    /// let (a, b) = (ball(0.0)?, ball(5.0)?);
    /// let gap = a.gap_along(&b, Vector3::x()).expect("apart along x");
    /// assert!(gap <= 3.0 && gap > 2.99999);
    /// assert_eq!(a.gap_along(&b, Vector3::y()), None);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    fn gap_along(&self, other: &B, direction: Vector3<Self::Scalar>) -> Option<Self::Scalar>;
}
