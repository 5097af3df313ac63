//! Two axis-aligned boxes.

use nalgebra::SVector;

use super::contact::{Contact, error_bound, ratio_point};
use crate::num::Scalar;
use crate::shape::Aabb;

impl<T: Scalar, const D: usize> Aabb<T, D> {
    /// Where the two boxes touch; `None` if they are apart or one is empty. The slack is zero: the comparisons are exact.
    ///
    /// The normal is the axis on which the least movement parts them, the first of equals;
    /// `other.contact(self)` is the [reversed](Contact::reversed) answer, bit for bit. (Two boxes of the same bits have no
    /// order; their normal is then the same from both sides.)
    /// Source of test and point: CN1245934 (1998).
    pub fn contact(&self, other: &Self) -> Option<Contact<T, D>> {
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

    /// The axis on which `other` has to move least to only touch, how far, and whether towards
    /// plus. Concentric on that axis: the box with the lesser bits stays behind.
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
