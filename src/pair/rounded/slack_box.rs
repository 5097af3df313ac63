//! `f64` box, aligned or oriented, with the slack of its separating axes; closest point of a line
//! to a box.

use super::cores::{ClosestOnCores, CoreShape};
use crate::num::linear::{
    IDENTITY, Mat3, Vec3, aabb_half_extents, add, dot, length, rotate, rotate_back, scale, sub,
};
use crate::num::tolerance::LEAF_SLACK_F64;
use crate::num::{Scalar, tolerance};
use crate::shape::{Aabb, Obb, WideObb, wide_point};

/// Box of all points `center + axes * s` with `low <= s <= high`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlackBox {
    axes: Mat3,
    pub center: Vec3,
    pub(in crate::pair) low: Vec3,
    pub(in crate::pair) high: Vec3,
    /// Slack of the 15 axes as a share of the sizes.
    pub slack_share: f64,
    /// `true` if the box was made of an [`Aabb`]: its axes are those of the coordinates.
    pub(in crate::pair) is_aligned: bool,
}

impl SlackBox {
    #[inline]
    pub fn oriented<T: Scalar>(stored: &Obb<T>) -> Self {
        SlackBox::from_wide(&stored.wide(), T::LEAF_SLACK)
    }

    /// Makes a box of a [`WideObb`] whose axes have an error of `share` of its size.
    #[inline]
    pub fn from_wide(solid: &WideObb, slack_share: f64) -> Self {
        let WideObb { center, axes, half_extents: high } = *solid;
        SlackBox { axes, center, low: scale(high, -1.0), high, slack_share, is_aligned: false }
    }

    /// Makes a box of an aligned one; `None` if it is empty.
    #[inline]
    pub fn aligned<T: Scalar>(stored: &Aabb<T, 3>) -> Option<Self> {
        let [low, high] = SlackBox::finite_corners(stored)?;
        let (axes, center, slack_share) = (IDENTITY, [0.0; 3], LEAF_SLACK_F64);
        Some(SlackBox { axes, center, low, high, slack_share, is_aligned: true })
    }

    /// Returns the least and the greatest corner; `None` if the box is empty. Infinite sides are
    /// clipped beyond all coordinates of shapes.
    #[inline]
    pub(in crate::pair) fn finite_corners<T: Scalar>(stored: &Aabb<T, 3>) -> Option<[Vec3; 2]> {
        let max_coordinate = 4.0 * tolerance::MAX_COORDINATE_F64;
        let low =
            wide_point(stored.min).map(|x| if x < -max_coordinate { -max_coordinate } else { x });
        let high =
            wide_point(stored.max).map(|x| if x > max_coordinate { max_coordinate } else { x });
        let sound =
            |i: usize| low[i] <= high[i] && low[i] < max_coordinate && high[i] > -max_coordinate;
        let sound = sound(0) & sound(1) & sound(2);
        sound.then_some([low, high])
    }

    /// Returns the same box with its centre moved into it, so that coordinates near it are small.
    #[inline]
    pub fn recentered(&self) -> Self {
        if !self.is_aligned {
            return *self;
        }
        let center = clamp_to_box([0.0; 3], self.low, self.high);
        SlackBox { center, low: sub(self.low, center), high: sub(self.high, center), ..*self }
    }

    /// Returns an oriented box as it was given.
    #[inline(always)]
    pub(in crate::pair) fn to_wide_obb(&self) -> WideObb {
        WideObb { center: self.center, axes: self.axes, half_extents: self.high }
    }

    #[inline]
    pub(in crate::pair) fn to_local(&self, p: Vec3) -> Vec3 {
        self.to_local_direction(sub(p, self.center))
    }

    /// Rotates a direction into the axes of the box.
    #[inline]
    pub(in crate::pair) fn to_local_direction(&self, v: Vec3) -> Vec3 {
        if self.is_aligned { v } else { rotate_back(&self.axes, v) }
    }

    /// Rotates a direction along the axes back into the outer frame.
    #[inline]
    pub(in crate::pair) fn to_outer_direction(&self, v: Vec3) -> Vec3 {
        if self.is_aligned { v } else { rotate(&self.axes, v) }
    }

    /// Returns the closest points of `p` and the box; `local` is `p` in the frame of the box.
    #[inline]
    pub(in crate::pair) fn closest_from(&self, p: Vec3, local: Vec3) -> ClosestOnCores {
        ClosestOnCores::new(
            p,
            self.to_outer_direction(sub(clamp_to_box(local, self.low, self.high), local)),
        )
    }

    /// Returns the direction and length of the shortest way out of the box for a point inside.
    #[inline]
    pub fn least_translation(&self, p: Vec3) -> (Vec3, f64) {
        let local = self.to_local(p);
        let mut best = (self.axes[0], f64::INFINITY);
        for (i, x) in local.into_iter().enumerate() {
            let (up, down) = (self.high[i] - x, x - self.low[i]);
            if up < best.1 {
                best = (self.axes[i], up);
            }
            if down < best.1 {
                best = (scale(self.axes[i], -1.0), down);
            }
        }
        best
    }

    #[inline]
    pub fn axes(&self) -> &Mat3 {
        &self.axes
    }

    pub fn shifted(&self, by: Vec3) -> Self {
        SlackBox { center: add(self.center, by), ..*self }
    }

    /// Returns the least and the greatest product of `axis` with a point of the box.
    pub fn projection(&self, axis: Vec3) -> [f64; 2] {
        let (center, along) = (dot(axis, self.center), self.to_local_direction(axis));
        let mut span = [center; 2];
        for (i, x) in along.into_iter().enumerate() {
            let (one, other) = (x * self.low[i], x * self.high[i]);
            let (less, more) = if x < 0.0 { (other, one) } else { (one, other) };
            span = [span[0] + less, span[1] + more];
        }
        span
    }
}

#[inline]
pub(in crate::pair) fn clamp_to_box(p: Vec3, low: Vec3, high: Vec3) -> Vec3 {
    [
        clamp_to_interval(p[0], low[0], high[0]),
        clamp_to_interval(p[1], low[1], high[1]),
        clamp_to_interval(p[2], low[2], high[2]),
    ]
}

/// Clamps `x` by selection: a branch would be unpredictable here.
#[inline(always)]
fn clamp_to_interval(x: f64, low: f64, high: f64) -> f64 {
    let above = if x < low { low } else { x };
    if above > high { high } else { above }
}

impl CoreShape for SlackBox {
    #[inline]
    fn farthest(&self, direction: Vec3) -> Vec3 {
        let along = self.to_local_direction(direction);
        let tie_error = length(along) * (1.0 / (1u64 << 40) as f64);
        let end = [0, 1, 2].map(|i| match along[i] {
            x if x > tie_error => self.high[i],
            x if x < -tie_error => self.low[i],
            _ => 0.5 * (self.low[i] + self.high[i]),
        });
        add(self.center, self.to_outer_direction(end))
    }
    #[inline]
    fn radius_squared_about(&self, origin: Vec3) -> f64 {
        let local = self.to_local(origin);
        let far = [0, 1, 2].map(|i| {
            let (down, up) = ((local[i] - self.low[i]).abs(), (self.high[i] - local[i]).abs());
            if down > up { down } else { up }
        });
        dot(far, far)
    }
}

/// Returns the parameter of the point of the segment `p + t d`, `0 <= t <= 1`, nearest to a box;
/// the first of equals.
///
/// The squared distance is convex and piecewise parabolic; the pieces meet where the line crosses
/// the planes of the faces. Between the two crossings where the slope changes sign, the slope is
/// linear.
#[inline]
pub(in crate::pair) fn nearest_parameter(p: Vec3, d: Vec3, low: Vec3, high: Vec3) -> f64 {
    let slope = |t: f64| {
        let term = |i: usize| {
            let x = p[i] + t * d[i];
            (x - clamp_to_interval(x, low[i], high[i])) * d[i]
        };
        term(0) + term(1) + term(2)
    };
    let (mut from, mut to) = ((0.0, slope(0.0)), (1.0, slope(1.0)));
    if from.1 >= 0.0 {
        return 0.0;
    }
    if to.1 <= 0.0 {
        return 1.0;
    }
    for i in 0..3 {
        let inverse = 1.0 / d[i];
        for bound in [low[i], high[i]] {
            let t = (bound - p[i]) * inverse;
            // Written so that NaN fails.
            if t > from.0 && t < to.0 {
                let at = slope(t);
                if at < 0.0 { from = (t, at) } else { to = (t, at) }
            }
        }
    }
    from.0 + (to.0 - from.0) * (from.1 / (from.1 - to.1))
}

/// Returns a lower bound on the distance of two boxes, up to rounding: the greater of the distances
/// of each box to the bounds of the other along its own axes. Zero where none of the six face axes
/// separates them.
///
/// The columns of `rotation` are the axes of the second box in the frame of the first, `t` is the
/// offset of the centres in that frame, `a` and `b` are the half extents. Source: the face axes of
/// Ericson, Real-Time Collision Detection (2005), 4.4.1, used as coordinates.
#[inline]
pub(crate) fn face_axes_distance(rotation: &Mat3, t: Vec3, a: Vec3, b: Vec3) -> f64 {
    let around = aabb_half_extents(rotation, b);
    let of_first = [0, 1, 2].map(|i| positive_part(t[i].abs() - a[i] - around[i]));
    let of_second = [0, 1, 2].map(|j| {
        let axis = rotation[j];
        let reach = axis[0].abs() * a[0] + axis[1].abs() * a[1] + axis[2].abs() * a[2];
        positive_part(dot(axis, t).abs() - b[j] - reach)
    });
    let (first, second) = (length(of_first), length(of_second));
    if second > first { second } else { first }
}

/// Returns the number, or zero if it is negative.
#[inline]
pub(crate) fn positive_part(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 }
}
