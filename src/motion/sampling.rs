//! Interpolation between two keys. Source: glTF 2.0 specification, appendix C.

use std::ops::{Add, Mul};

use nalgebra::{ComplexField, Quaternion, UnitQuaternion};

use crate::num::Scalar;

/// The position of a time among the keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum KeyPosition<T> {
    /// A key: `t` is before the first, after the last, or exactly at one.
    At(usize),
    /// The span between key `before` and the next key.
    Between {
        /// The earlier key.
        before: usize,
        /// 0 at the earlier key, 1 at the later one.
        share: T,
        /// Seconds between the two keys.
        span: T,
    },
}

/// Finds the position of `t` among at least one ascending times.
pub(super) fn locate<T: Scalar>(times: &[T], t: T) -> KeyPosition<T> {
    let after = times.partition_point(|&time| time <= t);
    if after == 0 || after == times.len() {
        return KeyPosition::At(after.saturating_sub(1));
    }
    let before = after - 1;
    // Never 0: the earlier key is at or before t, the later one after it.
    let span = times[after] - times[before];
    KeyPosition::Between { before, share: (t - times[before]) / span, span }
}

/// Linear interpolation from `a` to `b`.
pub(super) fn lerp<T: Scalar, V>(a: V, b: V, share: T) -> V
where
    V: Add<Output = V> + Mul<T, Output = V>,
{
    a * (T::one() - share) + b * share
}

/// Spherical linear interpolation from `a` to `b` the short way: `b` and `-b` are the same
/// rotation, and the nearer of the two is used.
pub(super) fn slerp<T: Scalar>(a: Quaternion<T>, b: Quaternion<T>, share: T) -> Quaternion<T> {
    let cosine = a.coords.dot(&b.coords).wide();
    let b = if cosine < 0.0 { -b } else { b };
    // Double precision for both scalars: the arc cosine near 1 loses half the digits.
    let angle = ComplexField::acos(cosine.abs().min(1.0));
    if angle < 1e-6 {
        return lerp(a, b, share);
    }
    let (share, sine) = (share.wide(), ComplexField::sin(angle));
    let near = T::nearest(ComplexField::sin((1.0 - share) * angle) / sine);
    let far = T::nearest(ComplexField::sin(share * angle) / sine);
    a * near + b * far
}

/// The cubic Hermite spline through `a` and `b`, `span` seconds apart, with the tangents `leaving`
/// of `a` and `arriving` of `b`, per second.
pub(super) fn hermite<T: Scalar, V>([a, leaving, arriving, b]: [V; 4], share: T, span: T) -> V
where
    V: Add<Output = V> + Mul<T, Output = V>,
{
    let (one, two, three) = (T::one(), T::nearest(2.0), T::nearest(3.0));
    let square = share * share;
    let cube = square * share;
    let end = three * square - two * cube;
    a * (one - end)
        + leaving * (span * (cube - two * square + share))
        + arriving * (span * (cube - square))
        + b * end
}

/// Returns `q / |q|`, or `otherwise` if `q` has no direction.
pub(super) fn unit<T: Scalar>(q: Quaternion<T>, otherwise: Quaternion<T>) -> UnitQuaternion<T> {
    let length = q.norm();
    let usable = length > T::nearest(1e-12) && length.wide().is_finite();
    UnitQuaternion::new_normalize(if usable { q } else { otherwise })
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::Vector3;

    use super::*;

    pub fn times_fall_on_keys_or_between_them() {
        let times = [1.0, 2.0, 2.0, 4.0];
        assert_eq!(locate(&times, 0.5), KeyPosition::At(0));
        assert_eq!(locate(&times, 1.5), KeyPosition::Between { before: 0, share: 0.5, span: 1.0 });
        // The later of two keys at one time applies from that time on.
        assert_eq!(locate(&times, 2.0), KeyPosition::Between { before: 2, share: 0.0, span: 2.0 });
        assert_eq!(locate(&times, 4.0), KeyPosition::At(3));
        assert_eq!(locate(&times, 9.0), KeyPosition::At(3));
    }

    pub fn slerp_turns_evenly_and_takes_the_short_way() {
        let a = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.2, -0.1));
        for angle in [1e-9, 1e-5, 0.1, 2.0, 3.1] {
            let b = a * UnitQuaternion::from_scaled_axis(Vector3::z() * angle);
            for b in [b.into_inner(), -b.into_inner()] {
                let found = slerp(a.into_inner(), b, 0.25);
                let quarter = a * UnitQuaternion::from_scaled_axis(Vector3::z() * (angle / 4.0));
                assert!((found.norm() - 1.0).abs() < 1e-12);
                assert!((found.coords - quarter.coords).norm() < 1e-12, "{angle}");
            }
        }
    }

    pub fn hermite_is_the_cubic_it_was_made_from() {
        let cubic = |t: f64| 2.0 * t * t * t - t * t + 3.0 * t - 5.0;
        let slope = |t: f64| 6.0 * t * t - 2.0 * t + 3.0;
        let (start, span) = (0.5, 1.5);
        let ends = [cubic(start), slope(start), slope(start + span), cubic(start + span)];
        for share in [0.0, 0.1, 0.5, 0.9, 1.0] {
            let expected = cubic(start + share * span);
            assert!((hermite(ends, share, span) - expected).abs() < 1e-12);
        }
    }

    pub fn no_direction_falls_back() {
        let zero = Quaternion::new(0.0, 0.0, 0.0, 0.0);
        let key = Quaternion::new(0.0, 1.0, 0.0, 0.0);
        assert_eq!(unit(zero, key).into_inner(), key);
        assert_eq!(unit(Quaternion::new(f64::MAX, f64::MAX, 0.0, 0.0), key).into_inner(), key);
        assert_eq!(unit(key * 3.0, zero).into_inner(), key);
    }
}
