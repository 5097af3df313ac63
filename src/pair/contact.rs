//! Contact points of two boxes: the point that contacts use, alternatives, and an error bound.

use nalgebra::{Point, Point3, SVector};

use crate::num::Scalar;
use crate::num::linear::{Vec3, add, length, scale, sub};
use crate::num::simd::Doubles;
use crate::shape::{Aabb, Obb, WideObb, nearest_point};

/// Returns the point that divides the segment of the two centres in the ratio of two sizes, nearer
/// the smaller box.
///
/// A size is any measure of a box: diagonal, longest side, volume. Two zero sizes give the
/// midpoint. Source: CN1245934 (1998), which leaves the direction open; `(c1 s2 + c2 s1) / (s1 +
/// s2)` is ours and symmetric.
///
/// ```
/// use boxwood::nalgebra::Point3;
/// use boxwood::pair::contact;
///
/// let (large, small) = (Point3::origin(), Point3::new(4.0, 0.0, 0.0));
/// assert_eq!(contact::ratio_point(large, 3.0, small, 1.0).x, 3.0); // nearer the smaller
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn ratio_point<T: Scalar, const D: usize>(
    center_a: Point<T, D>,
    size_a: T,
    center_b: Point<T, D>,
    size_b: T,
) -> Point<T, D> {
    let (size_a, size_b) = (size_a.wide(), size_b.wide());
    let share = shares((), size_a, size_b);
    let mix = |i: usize| center_a[i].wide() * share.0 + center_b[i].wide() * share.1;
    Point::from(SVector::from_fn(|i, _| T::nearest(mix(i))))
}

/// Returns the weights of the two centres: `s2 / (s1 + s2)` and `s1 / (s1 + s2)`, or halves if both
/// sizes are zero.
#[inline(always)]
pub(crate) fn shares<D: Doubles>(token: D::Token, size_a: D, size_b: D) -> (D, D) {
    let (sum, half) = (size_a + size_b, D::splat(token, 0.5));
    let any = sum.above(D::splat(token, 0.0));
    (D::choose(any, size_b / sum, half), D::choose(any, size_a / sum, half))
}

/// Returns [`ratio_point`] for the diagonals of two boxes: the point of [`Obb::contact`].
///
/// ```
/// use boxwood::Obb;
/// use boxwood::nalgebra::{Isometry3, Point3, Vector3};
/// use boxwood::pair::contact;
///
/// let at = |x| Isometry3::translation(x, 0.0, 0.0);
/// let cube = |x, half| Obb::from_pose(&at(x), Vector3::repeat(half));
/// let (large, small) = (cube(0.0, 3.0)?, cube(4.0, 1.0)?);
/// let point = contact::diagonal_ratio(&large, &small);
/// assert!((point - Point3::new(3.0, 0.0, 0.0)).norm() < 1e-6); // nearer the smaller
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn diagonal_ratio<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> Point3<T> {
    nearest_point(wide_diagonal_ratio((), &a.wide(), &b.wide()))
}

#[inline(always)]
pub(super) fn wide_diagonal_ratio<D: Doubles>(
    token: D::Token,
    a: &WideObb<D>,
    b: &WideObb<D>,
) -> Vec3<D> {
    let share = shares(token, a.radius(), b.radius());
    add(scale(a.center, share.0), scale(b.center, share.1))
}

/// Returns the midpoint of the two centres, each first clamped into the other box. It is often
/// closer to the middle of the overlap than [`diagonal_ratio`], and more often inside both boxes,
/// but has no error bound.
///
/// ```
/// use boxwood::Obb;
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::pair::contact;
///
/// let cube = |x| Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(0.5));
/// // The centres clamped: x = 0.5 and x = 0.4.
/// assert!((contact::clamped_centers(&cube(0.0)?, &cube(0.9)?).x - 0.45).abs() < 1e-6);
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn clamped_centers<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> Point3<T> {
    let (a, b) = (a.wide(), b.wide());
    nearest_point(scale(add(a.closest_point(b.center), b.closest_point(a.center)), 0.5))
}

/// Returns the centre of the shared region; `None` if the boxes are disjoint.
///
/// ```
/// use boxwood::Aabb;
/// use boxwood::nalgebra::Point3;
/// use boxwood::pair::contact;
///
/// let cube = |x: f32| Aabb::new(Point3::new(x, 0.0, 0.0), Point3::new(x + 2.0, 2.0, 2.0));
/// let center = contact::region_center(&cube(0.0), &cube(1.0));
/// assert_eq!(center, Some(Point3::new(1.5, 1.0, 1.0)));
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn region_center<T: Scalar, const D: usize>(
    a: &Aabb<T, D>,
    b: &Aabb<T, D>,
) -> Option<Point<T, D>> {
    a.intersection(b)?.center()
}

/// Returns an upper bound on the distance from the point that divides the centres of two balls in
/// the ratio of their radii to any common point of the balls. With half diagonals as radii it
/// bounds the error of [`diagonal_ratio`].
///
/// With `D` the distance of the centres, it is the lesser of `sqrt(r1 r2 (1 - (D / (r1 + r2))^2))`
/// (Stewart's theorem) and `r (1 + D / (r1 + r2))` with the lesser radius `r` (triangle
/// inequality).
///
/// ```
/// use boxwood::pair::contact;
///
/// let bound = contact::error_bound(1.0_f32, 1.0, 1.2); // radii, distance of the centres
/// assert!((bound - 0.8).abs() < 1e-6); // the lens is 1.6 wide
/// ```
pub fn error_bound<T: Scalar>(radius_a: T, radius_b: T, distance: T) -> T {
    T::at_least(wide_error_bound((), radius_a.wide(), radius_b.wide(), distance.wide()))
}

#[inline(always)]
pub(crate) fn wide_error_bound<D: Doubles>(
    token: D::Token,
    radius_a: D,
    radius_b: D,
    distance: D,
) -> D {
    let (zero, one) = (D::splat(token, 0.0), D::splat(token, 1.0));
    let sum = radius_a + radius_b;
    let part = distance / sum;
    // Adds 1e-15 for the cancellation between 1 and the square.
    let left = zero.greater(one - part * part + D::splat(token, 1e-15));
    let stewart = (radius_a * radius_b * left).sqrt();
    let triangle = radius_a.lesser(radius_b) * (one + part);
    D::choose(sum.above(zero), stewart.lesser(triangle), zero)
}

/// Returns the point, rounded to `T`, and the error bound of a contact of two boxes in one frame.
/// The bound includes the rounding.
#[inline(always)]
pub(crate) fn point_and_error<T: Scalar, D: Doubles>(
    token: D::Token,
    a: &WideObb<D>,
    b: &WideObb<D>,
) -> (Vec3<D>, D) {
    let exact = wide_diagonal_ratio(token, a, b);
    let point =
        [exact[0].rounded::<T>(token), exact[1].rounded::<T>(token), exact[2].rounded::<T>(token)];
    let distance = length(sub(b.center, a.center));
    // Stored axes are not quite orthogonal: corners lie up to 2.6 u further out.
    let grown = D::splat(token, 1.0 + 4.0 * T::ROUNDING);
    let bound = wide_error_bound(token, a.radius() * grown, b.radius() * grown, distance);
    let rounding = length(sub(point, exact)) + D::splat(token, 1e-15) * (length(exact) + bound);
    (point, bound + rounding)
}
