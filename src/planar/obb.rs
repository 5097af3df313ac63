//! Oriented boxes in the plane: rectangles.

use nalgebra::{Point2, Vector2};

use super::vector::{
    Vec2, add, dot, greater, left, length, lesser, nearest_point, nearest_vector, scale, sub,
    wide_point,
};
use crate::error::Error;
use crate::num::{Scalar, check_coordinates, tolerance};
use crate::shape::Aabb;

/// Oriented box in the plane: all points `center + axis * s + left(axis) * t` with `|s|`, `|t|` up
/// to the half extents, where `left` is a quarter turn counter-clockwise. Closed, solid; half
/// extents may be zero.
///
/// ```
/// use boxwood::Obb2;
/// use boxwood::nalgebra::{Point2, Vector2};
///
/// let board = Obb2::from_angle(Point2::origin(), 0.5, Vector2::new(2.0, 1.0))?; // half sizes
/// assert_eq!(board.area(), 8.0);
/// assert!(board.contains(Point2::new(1.7, 0.9))); // along its first edge, radians above x
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obb2<T: Scalar> {
    center: Point2<T>,
    axis: Vector2<T>,
    half_extents: Vector2<T>,
}

impl<T: Scalar> Obb2<T> {
    /// Creates a rectangle from its centre, the direction of its first edge and its half extents
    /// along that edge and across.
    ///
    /// The length of the axis may be off by [`tolerance::UNIT`]; it is normalized again.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for a half extent,
    /// [`Error::NotUnit`].
    pub fn new(
        center: Point2<T>,
        axis: Vector2<T>,
        half_extents: Vector2<T>,
    ) -> Result<Self, Error> {
        check_coordinates(center.coords.as_slice(), "center", 0)?;
        check_coordinates(axis.as_slice(), "axis", 0)?;
        check_coordinates(half_extents.as_slice(), "half extents", 0)?;
        if let Some(index) = (0..2).find(|&i| half_extents[i].wide() < 0.0) {
            return Err(Error::Negative { field: "half extent", index });
        }
        let wide = [axis.x.wide(), axis.y.wide()];
        let length = length(wide);
        if (length - 1.0).abs() > tolerance::UNIT {
            return Err(Error::NotUnit { field: "axis", index: 0, length });
        }
        let axis = nearest_vector(scale(wide, 1.0 / length));
        Ok(Obb2 { center, axis, half_extents })
    }

    /// Creates a rectangle from its centre, the angle of its first edge and its half extents. The
    /// angle is counter-clockwise from the x axis [in radians].
    ///
    /// Uses sine and cosine, which may differ in the last bit between platforms; [`Obb2::new`] does
    /// not.
    ///
    /// # Errors
    /// The errors of [`Obb2::new`].
    pub fn from_angle(
        center: Point2<T>,
        angle: T,
        half_extents: Vector2<T>,
    ) -> Result<Self, Error> {
        check_coordinates(&[angle], "angle", 0)?;
        let (sine, cosine) = angle.sin_cos();
        Obb2::new(center, Vector2::new(cosine, sine), half_extents)
    }

    /// Returns the centre.
    pub fn center(&self) -> Point2<T> {
        self.center
    }

    /// Returns the direction of the first edge; the second edge is a quarter turn to the left of
    /// it.
    pub fn axis(&self) -> Vector2<T> {
        self.axis
    }

    /// Returns the half extents, along the axis and across.
    pub fn half_extents(&self) -> Vector2<T> {
        self.half_extents
    }

    /// Returns the length of the diagonal.
    pub fn diagonal(&self) -> T {
        T::nearest(2.0 * length(self.wide_half()))
    }

    /// Returns the area [square units].
    pub fn area(&self) -> T {
        let [h, k] = self.wide_half();
        T::nearest(4.0 * h * k)
    }

    /// Returns the area, under the name that shapes in space have.
    pub fn volume(&self) -> T {
        self.area()
    }

    /// Returns the four corners, counter-clockwise, from the one with the least coordinates along
    /// both edges.
    pub fn corners(&self) -> [Point2<T>; 4] {
        let center = wide_point(self.center);
        self.corner_offsets().map(|corner| nearest_point(add(center, corner)))
    }

    /// Returns `true` if the point is in the rectangle, its edges included, up to the rounding of
    /// `f64`.
    pub fn contains(&self, point: Point2<T>) -> bool {
        let from = sub(wide_point(point), wide_point(self.center));
        let axes = self.wide_axes();
        let ahead = [dot(axes[0], from), dot(axes[1], from)];
        contains_coordinates(ahead, self.wide_half(), dot(axes[0], axes[0]))
    }

    /// Returns the point of the rectangle nearest to `point`, itself if inside; rounded to `T`.
    pub fn closest_point(&self, point: Point2<T>) -> Point2<T> {
        let center = wide_point(self.center);
        let (from, axes, half) =
            (sub(wide_point(point), center), self.wide_axes(), self.wide_half());
        let (ahead, square) = ([dot(axes[0], from), dot(axes[1], from)], dot(axes[0], axes[0]));
        if contains_coordinates(ahead, half, square) {
            return point;
        }
        // NaN stays NaN.
        let cut = |i: usize| greater(-half[i], lesser(half[i], ahead[i] / square));
        nearest_point(add(center, add(scale(axes[0], cut(0)), scale(axes[1], cut(1)))))
    }

    /// Returns the corner farthest along `direction`, which need not be unit. Of two equal ends of
    /// an edge it is the one with the greater coordinate along the edge.
    pub fn support(&self, direction: Vector2<T>) -> Point2<T> {
        let (way, axes, half) = (wide_point(direction.into()), self.wide_axes(), self.wide_half());
        let end =
            |i: usize| scale(axes[i], if dot(axes[i], way) < 0.0 { -half[i] } else { half[i] });
        nearest_point(add(wide_point(self.center), add(end(0), end(1))))
    }

    /// Returns the smallest axis-aligned box around the rectangle, rounded outward.
    pub fn aabb(&self) -> Aabb<T, 2> {
        let (center, corners) = (wide_point(self.center), self.corner_offsets());
        let reach = length(self.wide_half()) + length(center);
        let pad = reach * tolerance::WORLD_BOX_PAD;
        let most = |i: usize| corners.iter().fold(0.0f64, |most, corner| most.max(corner[i]));
        let low = |i: usize| T::at_most(center[i] - (most(i) + pad));
        let high = |i: usize| T::at_least(center[i] + (most(i) + pad));
        Aabb::new(Point2::new(low(0), low(1)), Point2::new(high(0), high(1)))
    }

    pub(super) fn wide_axes(&self) -> [Vec2; 2] {
        let axis = [self.axis.x.wide(), self.axis.y.wide()];
        [axis, left(axis)]
    }

    pub(super) fn wide_half(&self) -> Vec2 {
        [self.half_extents.x.wide(), self.half_extents.y.wide()]
    }

    /// Returns the corners relative to the centre.
    pub(super) fn corner_offsets(&self) -> [Vec2; 4] {
        let ([u, v], [h, k]) = (self.wide_axes(), self.wide_half());
        let (u, v) = (scale(u, h), scale(v, k));
        [scale(add(u, v), -1.0), sub(u, v), add(u, v), sub(v, u)]
    }
}

/// Returns `true` if a point with these coordinates along both axes is in the rectangle. Along a
/// stored axis the corners are at the half extent times its squared length.
#[inline(always)]
fn contains_coordinates(ahead: Vec2, half: Vec2, square: f64) -> bool {
    ahead[0].abs() <= half[0] * square && ahead[1].abs() <= half[1] * square
}
