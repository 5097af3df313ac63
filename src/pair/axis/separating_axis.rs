//! Checks of a separating axis found earlier.

use crate::num::Scalar;
use crate::pair::queries::traits::SeparatingAxisQuery;
use crate::pair::results::SeparatingAxis;

impl<T: Scalar> SeparatingAxis<T> {
    /// Returns `true` if the axis certainly separates two shapes, which are usually moved since it
    /// was found. See [`gap_between`](Self::gap_between).
    #[inline]
    pub fn separates<A: SeparatingAxisQuery<B, Scalar = T>, B>(&self, a: &A, b: &B) -> bool {
        self.gap_between(a, b).is_some()
    }

    /// Returns a lower bound on the gap of two shapes along the direction, positive and rounded
    /// down [length units]; `None` if the axis does not separate them, with `a` behind `b`, or by
    /// less than rounding. For the shapes of which the axis was found it is [`gap`](Self::gap).
    ///
    /// Rounding is at most `2^-46` of the sizes and the distance of the two, wherever they are;
    /// with a cylinder, an ellipsoid or a k-DOP it is `2^-44` of sizes and coordinates.
    ///
    /// ```
    /// use boxwood::Sphere;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
    /// let axis = ball(0.0)?.separating_axis(&ball(5.0)?).expect("disjoint");
    /// let gap = axis.gap_between(&ball(0.5)?, &ball(4.0)?).expect("still disjoint");
    /// assert!(gap <= 1.5 && gap > 1.49999);
    /// assert_eq!(axis.gap_between(&ball(4.0)?, &ball(0.5)?), None); // on the other sides
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    #[inline]
    pub fn gap_between<A, B>(&self, a: &A, b: &B) -> Option<T>
    where
        A: SeparatingAxisQuery<B, Scalar = T>,
    {
        a.gap_along(b, self.direction)
    }
}
