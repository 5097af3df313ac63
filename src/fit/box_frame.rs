//! Oriented boxes fitted to points.

use crate::num::linear::{
    IDENTITY, Mat3, Vec3, add, choose, choose_matrix, cross, dot, length, pack, rotate, scale,
    splat_matrix, unpack,
};
use crate::num::simd::{Doubles, MAX_DOUBLES};
use crate::num::{Scalar, tolerance};
use crate::shape::{Aabb, Obb, WideObb, nearest_point};

/// Bounds of points along three axes: the least and the greatest coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AxisBounds<D = f64> {
    pub low: Vec3<D>,
    pub high: Vec3<D>,
}

impl AxisBounds {
    /// The axis-aligned box of the bounds, rounded to nearest.
    pub fn to_aabb<T: Scalar>(&self) -> Aabb<T, 3> {
        // The sign of a zero depends on the SIMD level; adding zero makes minus zero plus zero.
        let end = |end: Vec3| nearest_point(add(end, [0.0; 3]));
        Aabb::new(end(self.low), end(self.high))
    }

    /// The bounds of no points.
    pub const EMPTY: AxisBounds =
        AxisBounds { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// Returns the bounds of points.
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut ends = AxisBounds::EMPTY;
        points.into_iter().for_each(|point| ends.add(point));
        ends
    }

    /// Distance of a point from the box of the bounds; 0 inside.
    pub fn distance(&self, point: Vec3) -> f64 {
        let AxisBounds { low, high } = self;
        let beside = |i: usize| (low[i] - point[i]).max(point[i] - high[i]).max(0.0);
        length([beside(0), beside(1), beside(2)])
    }

    /// Distance of a point from the farthest corner of the box of the bounds.
    pub fn farthest_distance(&self, point: Vec3) -> f64 {
        let AxisBounds { low, high } = self;
        let beside = |i: usize| (point[i] - low[i]).max(high[i] - point[i]);
        length([beside(0), beside(1), beside(2)])
    }
}

impl<D: Doubles> AxisBounds<D> {
    /// Bounds of no points in each lane.
    #[inline(always)]
    pub fn no_points(token: D::Token) -> Self {
        let (low, high) = (D::splat(token, f64::INFINITY), D::splat(token, f64::NEG_INFINITY));
        AxisBounds { low: [low; 3], high: [high; 3] }
    }

    /// Bounds of the points of all lanes.
    #[inline(always)]
    pub fn merged_lanes(&self) -> AxisBounds {
        let mut ends = AxisBounds::EMPTY;
        let (low, high) = (unpack(self.low), unpack(self.high));
        for lane in 0..D::LEN {
            ends.add(low[lane]);
            ends.add(high[lane]);
        }
        ends
    }

    /// Packs bounds, one a lane.
    #[inline(always)]
    pub fn pack(token: D::Token, ends: &[AxisBounds; MAX_DOUBLES]) -> Self {
        let (mut low, mut high) = ([[0.0; 3]; MAX_DOUBLES], [[0.0; 3]; MAX_DOUBLES]);
        for (lane, ends) in ends.iter().enumerate() {
            (low[lane], high[lane]) = (ends.low, ends.high);
        }
        AxisBounds { low: pack(token, &low), high: pack(token, &high) }
    }

    #[inline(always)]
    pub fn add(&mut self, point: Vec3<D>) {
        for (i, x) in point.into_iter().enumerate() {
            self.low[i] = self.low[i].low(x);
            self.high[i] = self.high[i].high(x);
        }
    }
}

/// A box frame: stored axes, and their inverse, which gives coordinates along them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxFrame<D = f64> {
    axes: Mat3<D>,
    /// The inverse matrix of the axes, by columns.
    inverse: Mat3<D>,
}

impl<D: Doubles> BoxFrame<D> {
    /// Creates a frame of axes rounded to `T`.
    #[inline(always)]
    pub fn new<T: Scalar>(token: D::Token, axes: &Mat3<D>) -> Self {
        let mut axes = *axes;
        for axis in &mut axes {
            for entry in axis {
                *entry = entry.rounded::<T>(token);
            }
        }
        BoxFrame { axes, inverse: inverse_axes(token, &axes) }
    }

    /// The frame of the part: identity axes.
    #[inline(always)]
    pub fn axis_aligned(token: D::Token) -> Self {
        let axes = splat_matrix(token, &IDENTITY);
        BoxFrame { axes, inverse: axes }
    }

    /// Unpacks the lanes to one frame each.
    #[inline(always)]
    pub fn unpack(&self) -> [BoxFrame; MAX_DOUBLES] {
        let [x, y, z] = [unpack(self.axes[0]), unpack(self.axes[1]), unpack(self.axes[2])];
        let [u, v, w] = [unpack(self.inverse[0]), unpack(self.inverse[1]), unpack(self.inverse[2])];
        let mut frames = [BoxFrame::axis_aligned(()); MAX_DOUBLES];
        for (lane, frame) in frames.iter_mut().enumerate() {
            frame.axes = [x[lane], y[lane], z[lane]];
            frame.inverse = [u[lane], v[lane], w[lane]];
        }
        frames
    }

    /// Returns the coordinates of a point along the axes.
    #[inline(always)]
    pub fn coordinates(&self, point: Vec3<D>) -> Vec3<D> {
        rotate(&self.inverse, point)
    }

    /// Returns the smallest box along the axes around at least one point, with extents rounded
    /// outward, so that it certainly contains the points. `plain` are the bounds of the points in
    /// the frame of the part, `along` those along the axes.
    #[inline(always)]
    pub fn bounding_box<T: Scalar>(
        &self,
        token: D::Token,
        plain: &AxisBounds<D>,
        along: &AxisBounds<D>,
    ) -> WideObb<D> {
        let (AxisBounds { low, high }, half) = (along, D::splat(token, 0.5));
        let mut center = [D::splat(token, 0.0); 3];
        for i in 0..3 {
            center = add(center, scale(self.axes[i], half * low[i] + half * high[i]));
        }
        for coordinate in &mut center {
            *coordinate = coordinate.rounded::<T>(token);
        }
        let pad = extent_pad(token, plain, center);
        let (at, mut half_extents) = (self.coordinates(center), center);
        for i in 0..3 {
            let half = (high[i] - at[i]).greater(at[i] - low[i]) + pad;
            half_extents[i] = half.rounded_up::<T>(token);
        }
        WideObb { center, axes: self.axes, half_extents }
    }
}

impl BoxFrame {
    /// Copies the frame to all lanes.
    #[inline(always)]
    pub fn splat<D: Doubles>(&self, token: D::Token) -> BoxFrame<D> {
        BoxFrame {
            axes: splat_matrix(token, &self.axes),
            inverse: splat_matrix(token, &self.inverse),
        }
    }

    /// Returns [`BoxFrame::bounding_box`] rounded to the stored type.
    pub fn rounded_box<T: Scalar>(&self, plain: &AxisBounds, along: &AxisBounds) -> Obb<T> {
        self.bounding_box::<T>((), plain, along).narrow()
    }
}

/// Returns the inverse of the axes; its rows are dual to them. Stored axes are not exactly
/// orthogonal, so coordinates along them are not exactly dot products with them.
#[inline(always)]
pub(super) fn inverse_axes<D: Doubles>(token: D::Token, axes: &Mat3<D>) -> Mat3<D> {
    let crosses = [cross(axes[1], axes[2]), cross(axes[2], axes[0]), cross(axes[0], axes[1])];
    let share = D::splat(token, 1.0) / dot(axes[0], crosses[0]);
    let [x, y, z] = [scale(crosses[0], share), scale(crosses[1], share), scale(crosses[2], share)];
    [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]
}

/// Upper bound on the rounding error of an extent.
#[inline(always)]
pub(super) fn extent_pad<D: Doubles>(token: D::Token, plain: &AxisBounds<D>, center: Vec3<D>) -> D {
    let AxisBounds { low, high } = plain;
    let mut farthest = D::splat(token, 0.0);
    for i in 0..3 {
        farthest = farthest + low[i].abs().greater(high[i].abs());
    }
    D::splat(token, tolerance::FIT_PAD) * (farthest + D::splat(token, 3.0) * length(center))
}

/// Cost that fits minimise: an eighth of the surface of the box. Unlike the volume it distinguishes
/// flat boxes.
#[inline(always)]
pub(crate) fn surface_cost<D: Doubles>(half: Vec3<D>) -> D {
    half[0] * half[1] + half[1] * half[2] + half[2] * half[0]
}

/// Returns the box with less surface, the first for a tie.
#[inline(always)]
pub(crate) fn smaller_box<D: Doubles>(a: &WideObb<D>, b: &WideObb<D>) -> WideObb<D> {
    let less = surface_cost(a.half_extents).above(surface_cost(b.half_extents));
    WideObb {
        center: choose(less, b.center, a.center),
        axes: choose_matrix(less, &b.axes, &a.axes),
        half_extents: choose(less, b.half_extents, a.half_extents),
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::linear::rotation_of;

    fn fitted<T: Scalar>(axes: &Mat3, points: impl Iterator<Item = Vec3>) -> Obb<T> {
        let frame = BoxFrame::new::<T>((), axes);
        let (mut plain, mut along) = (AxisBounds::EMPTY, AxisBounds::EMPTY);
        for point in points {
            plain.add(point);
            along.add(frame.coordinates(point));
        }
        frame.rounded_box(&plain, &along)
    }

    pub fn holds_its_points_and_is_tight() {
        let axes = rotation_of([0.3, -0.4, 0.2, 0.7]);
        let corner = |i: usize| {
            let s = [1.0, 2.0, 3.0].map(|h| h * 0.1);
            let sign = |k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
            add(
                [5.0, 6.0, 7.0],
                crate::num::linear::rotate(&axes, [s[0] * sign(0), s[1] * sign(1), s[2] * sign(2)]),
            )
        };
        let b: Obb<f32> = fitted(&axes, (0..8).map(corner));
        let h = b.half_extents();
        assert!((h.x - 0.1).abs() < 1e-6 && (h.y - 0.2).abs() < 1e-6 && (h.z - 0.3).abs() < 1e-6);
    }

    pub fn a_single_point_is_a_box_without_size() {
        let b: Obb<f64> =
            fitted(&rotation_of([0.0, 0.0, 0.0, 1.0]), std::iter::once([1.0, 2.0, 3.0]));
        assert!(b.half_extents().max() < 1e-13);
    }
}
