//! Contacts of two outlines at rest: direction of least overlap, depth and point.

use nalgebra::Point2;

use super::core::PlanarCore;
use super::outline::Outline2;
use super::outline_pair::{OutlineAxis, OutlinePair};
use super::vector::{
    Vec2, add, dot, length, nearest_point, nearest_vector, scale, sub, wide_point,
};
use crate::num::Scalar;
use crate::pair::Contact;
use crate::pair::contact::{shares, wide_error_bound};

/// Separating push: its unit direction from the first to the second, and the length of the second's
/// displacement along it until the two only touch.
type PlanarPush = (Vec2, f64);

impl<A: PlanarCore, B: PlanarCore> OutlinePair<'_, A, B> {
    /// Returns the least push that separates the two; negative if they are apart.
    pub fn least_overlap(&self) -> PlanarPush {
        self.least_push(None).unwrap_or(NO_PUSH)
    }

    /// Returns the least push; `None` if the two are apart, which is not tested if `known`.
    fn touching_push(&self, known: bool) -> Option<PlanarPush> {
        if known { self.least_push(None) } else { self.least_push(Some(self.slack_bound())) }
    }

    /// Returns the least push; with a band, `None` if the two are apart.
    #[inline(always)]
    fn least_push(&self, band: Option<f64>) -> Option<PlanarPush> {
        if Self::ROUND {
            return self.with_circle(
                |center, of| self.circle_push(of, center, band.is_some()),
                |center, of| {
                    let (direction, depth) = self.circle_push(of, center, band.is_some())?;
                    Some((scale(direction, -1.0), depth))
                },
            );
        }
        let mut best = NO_PUSH;
        for axis in self.axes() {
            if band.is_some_and(|band| self.separates(&axis, band)) {
                return None;
            }
            keep_shorter(&mut best, &axis);
        }
        Some(best)
    }

    /// Returns the push of a circle around `center` out of the other shape; with `test`, `None` if
    /// they are apart.
    #[inline(always)]
    fn circle_push<C: PlanarCore>(
        &self,
        other: &Outline2<C>,
        center: Vec2,
        test: bool,
    ) -> Option<PlanarPush> {
        let radius = self.a.radius + self.b.radius;
        if C::POINT || !other.contains(center) {
            let ((away, outward), slack) = (other.distance_and_direction(center), self.slack());
            if test && away > radius + slack {
                return None;
            }
            if C::POINT {
                return Some((if away > 0.0 { outward } else { NO_PUSH.0 }, radius - away));
            }
            if away > slack {
                return Some((outward, radius - away));
            }
        }
        let mut best = NO_PUSH;
        for index in 0..other.core.axis_count() {
            let axis = other.core.axis(index);
            let ([low, high], at) = (axis.ends, dot(axis.along, center));
            keep_shorter(
                &mut best,
                &OutlineAxis {
                    along: axis.along,
                    size: axis.size,
                    overlap_range: [at - high, at - low],
                },
            );
        }
        Some((best.0, best.1 + radius))
    }
}

const NO_PUSH: PlanarPush = ([1.0, 0.0], f64::INFINITY);

/// Replaces the push by a shorter one; the first of equals stays.
#[inline(always)]
fn keep_shorter(best: &mut PlanarPush, axis: &OutlineAxis) {
    // The length of the shortest sides may underflow; the comparison then fails.
    let ([low, high], size) = (axis.overlap_range, axis.size);
    let (push, sign) = if -low <= high { (-low / size, 1.0) } else { (high / size, -1.0) };
    if push < best.1 {
        *best = (scale(axis.along, sign / size), push);
    }
}

/// Returns the point that divides the centres in the ratio of the radii about them, in double
/// precision.
pub(super) fn ratio_point<A: PlanarCore, B: PlanarCore>(a: &Outline2<A>, b: &Outline2<B>) -> Vec2 {
    let share = shares((), a.radius_about_center(), b.radius_about_center());
    add(scale(a.center, share.0), scale(b.center, share.1))
}

/// Returns an upper bound on the distance of two shapes that no axis separates by more than
/// `slack`.
///
/// The offset of such a pair is within `2 slack` of the Minkowski sum of one outline and the
/// reflected other, across each of its edges. The nearest feature is an edge or a corner. At a
/// corner the angle between the direction to it and the normal of an edge is at most half the turn
/// of the corner, and the turn is no sharper than the sharpest of the blunter of the two.
pub(super) fn distance_bound<A: PlanarCore, B: PlanarCore>(
    a: &Outline2<A>,
    b: &Outline2<B>,
    slack: f64,
) -> f64 {
    let away = length(sub(b.center, a.center)) + a.radius_about_center() + b.radius_about_center();
    let bound = 2.0 * slack / a.core.bluntness().max(b.core.bluntness());
    if bound < away { bound } else { away }
}

/// Returns the contact of two outlines; `None` if they are apart, which is not tested if `known`.
pub(super) fn contact<T: Scalar, A: PlanarCore, B: PlanarCore>(
    a: &Outline2<A>,
    b: &Outline2<B>,
    known: bool,
) -> Option<Contact<T, 2>> {
    let pair = OutlinePair::new(a, b);
    let (direction, depth) = pair.touching_push(known)?;
    let exact = ratio_point(a, b);
    let point: Point2<T> = nearest_point(exact);
    let bound =
        wide_error_bound((), a.radius_about_center(), b.radius_about_center(), length(pair.offset));
    let rounding = length(sub(wide_point(point), exact)) + 1e-14 * (length(exact) + bound);
    Some(Contact {
        point,
        point_error: T::at_least(bound + rounding),
        normal: nearest_vector(direction),
        // A comparison: the sign of the zero that `max` returns for minus zero and zero depends on
        // the optimization.
        depth: T::at_least(if depth > 0.0 { depth } else { 0.0 }),
        slack: T::at_least(distance_bound(a, b, pair.slack())),
    })
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::Vector2;

    use super::*;
    use crate::planar::outline::Outlined;
    use crate::planar::{ConvexPolygon, Obb2};

    pub fn rectangles_need_four_axes_and_with_a_triangle_five() {
        let solid = Obb2::new(Point2::origin(), Vector2::x(), Vector2::new(2.0, 1.0));
        let solid = solid.expect("a box");
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Point2::from);
        let triangle = ConvexPolygon::new(corners.to_vec()).expect("a triangle");
        let (a, b) = (solid.outline().expect("one"), triangle.outline().expect("one"));
        assert_eq!(OutlinePair::new(&a, &a).axes().count(), 4);
        assert_eq!(OutlinePair::new(&a, &b).axes().count(), 5);
        assert_eq!(OutlinePair::new(&b, &a).axes().count(), 5);
        assert_eq!(OutlinePair::new(&b, &b).axes().count(), 6);
    }
}
