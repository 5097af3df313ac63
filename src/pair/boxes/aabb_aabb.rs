//! Pairs of axis-aligned boxes: intersection, closest points, contact.

use nalgebra::{Point, SVector};

use crate::num::Scalar;
use crate::pair::contact::{error_bound, ratio_point};
use crate::pair::queries::traits::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use crate::pair::results::ClosestPoints;
use crate::pair::results::Contact;
use crate::shape::Aabb;

impl<T: Scalar, const D: usize> IntersectsQuery for Aabb<T, D> {
    /// Compares `2 D` coordinates (6 in space) without a branch.
    #[inline]
    fn intersects(&self, other: &Self) -> bool {
        let on = |i: usize| (self.min[i] <= other.max[i]) & (other.min[i] <= self.max[i]);
        (0..D).fold(true, |all, i| all & on(i))
    }
}

impl<T: Scalar> ClosestPointsQuery for Aabb<T, 3> {
    type Scalar = T;
    /// Takes on every axis the ends that face each other, or the middle of the shared interval.
    fn closest_points(&self, other: &Self) -> ClosestPoints<T> {
        // Written so that NaN is not filled either.
        let filled = |b: &Self| (0..3).all(|i| b.min[i] <= b.max[i]);
        if !filled(self) || !filled(other) {
            let nowhere = Point::from(SVector::repeat(T::nearest(f64::NAN)));
            let (distance, slack) = (T::nearest(f64::INFINITY), T::zero());
            return ClosestPoints { a: (), b: (), distance, on_a: nowhere, on_b: nowhere, slack };
        }
        let (mut on_a, mut on_b, mut gap) = (self.min, self.min, [0.0; 3]);
        for i in 0..3 {
            (on_a[i], on_b[i]) =
                closest_coordinates([self.min[i], self.max[i]], [other.min[i], other.max[i]]);
            gap[i] = on_a[i].wide() - on_b[i].wide();
        }
        let (distance, slack) = (T::at_least(gap_length(gap)), T::zero());
        ClosestPoints { a: (), b: (), distance, on_a, on_b, slack }
    }
}

impl<T: Scalar, const D: usize> ContactQuery for Aabb<T, D> {
    type Answer = Contact<T, D>;
    /// Returns the contact; `None` if the boxes are disjoint or one is empty. The slack is zero:
    /// the comparisons are exact.
    ///
    /// The normal is the axis of the least translation that separates the boxes, the first of
    /// equals. `other.contact(self)` is the [reversed](Contact::reversed) answer, bit for bit,
    /// except for two boxes of the same bits, whose normal is the same from both sides. Source of
    /// test and point: CN1245934 (1998).
    fn contact(&self, other: &Self) -> Option<Contact<T, D>> {
        self.intersection(other)?;
        let (axis, depth, positive) = self.least_push(other);
        let mut normal = SVector::zeros();
        normal[axis] = if positive { T::one() } else { -T::one() };
        let (center_a, center_b) = (self.center()?, other.center()?);
        let (size_a, size_b) = (self.diagonal(), other.diagonal());
        let half = T::nearest(0.5);
        let rounding = T::nearest(8.0 * T::ROUNDING);
        let span = center_a.coords.amax() + center_b.coords.amax() + size_a + size_b;
        let distance = T::nearest((center_b - center_a).map(T::wide).norm());
        Some(Contact {
            point: ratio_point(center_a, size_a, center_b, size_b),
            point_error: error_bound(size_a * half, size_b * half, distance) + span * rounding,
            normal,
            depth,
            slack: T::zero(),
        })
    }
}

impl<T: Scalar, const D: usize> Aabb<T, D> {
    /// Returns the axis of the least translation of `other` until the boxes only touch, its length,
    /// and `true` if it points towards plus. If the boxes are concentric on that axis, the box with
    /// the lesser bits is behind.
    fn least_push(&self, other: &Self) -> (usize, T, bool) {
        let mut best = (0, T::nearest(f64::INFINITY), true);
        for i in 0..D {
            let (forward, backward) = (self.max[i] - other.min[i], other.max[i] - self.min[i]);
            let depth = if backward < forward { backward } else { forward };
            if depth < best.1 {
                let tied = forward == backward;
                best = (i, depth, if tied { self.precedes(other) } else { forward < backward });
            }
        }
        best
    }

    fn precedes(&self, other: &Self) -> bool {
        let ends = |b: &Self| [b.min.coords.map(T::bits), b.max.coords.map(T::bits)];
        ends(self).iter().flatten().le(ends(other).iter().flatten())
    }
}

/// Returns the closest coordinates of two intervals: the ends that face each other, or twice the
/// middle of the shared interval.
fn closest_coordinates<T: Scalar>(a: [T; 2], b: [T; 2]) -> (T, T) {
    if a[1] < b[0] {
        return (a[1], b[0]);
    }
    if b[1] < a[0] {
        return (a[0], b[1]);
    }
    let low = if b[0] > a[0] { b[0] } else { a[0] };
    let high = if b[1] < a[1] { b[1] } else { a[1] };
    let half = T::nearest(0.5);
    let middle = low * half + high * half;
    // Infinite and one-step intervals have no middle: one of their ends, or zero.
    let middle = if low <= middle && middle <= high { middle } else { low };
    let middle = if middle.wide().is_finite() { middle } else { high };
    let middle = if middle.wide().is_finite() { middle } else { T::zero() };
    (middle, middle)
}

/// Returns the length of a gap: positive if a coordinate is not zero, even if its square
/// underflows.
fn gap_length(gap: [f64; 3]) -> f64 {
    let length = (gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]).sqrt();
    let most = gap.iter().fold(0.0, |most, x| if x.abs() > most { x.abs() } else { most });
    if length > most { length } else { most }
}
