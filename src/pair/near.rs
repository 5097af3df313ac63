//! Cores of rounded shapes, and closest points of two cores in double precision.
//!
//! A ball is a point grown by its radius, a capsule a segment grown by its radius. So every pair of
//! such shapes reduces to two of four cores (point, segment, triangle, box) and a sum of radii.

use super::signs;
use super::triangles::{Corners, touch_exactly};
use crate::num::exact::exact;
use crate::num::linear::{Vec3, add, dot, scale, sub};

/// Ends of a segment.
pub(crate) type Line = [Vec3; 2];

/// Closest points of two cores: a point of the first and the offset to a point of the second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    pub on_a: Vec3,
    pub offset: Vec3,
    pub squared: f64,
}

impl Near {
    #[inline]
    pub fn new(on_a: Vec3, offset: Vec3) -> Self {
        Near { on_a, offset, squared: dot(offset, offset) }
    }

    /// Returns the closest points of cores that share `point`.
    #[inline]
    pub fn common(point: Vec3) -> Self {
        Near::new(point, [0.0; 3])
    }

    #[inline]
    pub fn on_b(&self) -> Vec3 {
        add(self.on_a, self.offset)
    }

    #[inline]
    pub fn reversed(self) -> Self {
        Near { on_a: self.on_b(), offset: scale(self.offset, -1.0), squared: self.squared }
    }

    /// Returns the closer of two candidates, the first of equals.
    #[inline]
    pub fn or(self, other: Near) -> Near {
        if other.squared < self.squared { other } else { self }
    }
}

/// Core of a rounded shape: a point, segment, triangle or box.
pub(crate) trait Middle: Copy {
    /// Returns the point farthest along `direction`; the mean of equally far points.
    fn farthest(&self, direction: Vec3) -> Vec3;
    /// Returns a tight upper bound on the distance of any point of the core from `origin` [units].
    #[inline]
    fn reach(&self, origin: Vec3) -> f64 {
        self.reach_squared(origin).sqrt()
    }
    /// Returns the square of [`CoreShape::radius_about`].
    fn reach_squared(&self, origin: Vec3) -> f64;
}

/// Pair of cores: closest points and overlap, without any radius.
pub(crate) trait Between<B> {
    /// Returns the closest points, rounded. If the cores share a point, the distance is zero up to
    /// rounding.
    fn near(&self, other: &B) -> Near;
    /// Returns `true` if the cores share a point.
    fn meets(&self, other: &B) -> bool;
    /// Returns the closest points of disjoint cores; `None` if the cores share a point.
    #[inline]
    fn apart(&self, other: &B) -> Option<Near>
    where
        Self: Middle,
        B: Middle,
    {
        let near = self.near(other);
        (self.surely_apart(other, &near) || !self.meets(other)).then_some(near)
    }
    /// Returns the closest points, and `true` if the cores are disjoint.
    #[inline]
    fn near_and_apart(&self, other: &B) -> (Near, bool)
    where
        Self: Middle,
        B: Middle,
    {
        self.apart(other).map_or_else(|| (self.near(other), false), |near| (near, true))
    }
    /// Returns `true` if the rounded closest points prove that the cores are disjoint. Rounding
    /// changes a squared distance by some `2^-50` of the square of the sizes.
    #[inline]
    fn surely_apart(&self, other: &B, near: &Near) -> bool
    where
        Self: Middle,
        B: Middle,
    {
        // Bounds the square of the sum of the radii without a root.
        let size = 2.0 * (self.reach_squared(near.on_a) + other.reach_squared(near.on_a));
        near.squared > size * (1.0 / (1u64 << 40) as f64)
    }
}

/// Returns the mean of the points that are farthest along `direction`, up to rounding.
#[inline]
fn farthest<const N: usize>(points: &[Vec3; N], direction: Vec3) -> Vec3 {
    let along = points.map(|p| dot(direction, sub(p, points[0])));
    let most = along.iter().fold(along[0], |most, &x| if x > most { x } else { most });
    let span = along.iter().fold(0.0, |span, x| span + x.abs());
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for (point, along) in points.iter().zip(along) {
        if along >= most - EVEN * span || along == most {
            (sum, count) = (add(sum, sub(*point, points[0])), count + 1.0);
        }
    }
    add(points[0], scale(sum, 1.0 / count))
}

/// Difference of projections below which two points count as equally far, as a share of the size.
const EVEN: f64 = 1.0 / (1u64 << 40) as f64;

#[inline]
fn reach_squared<const N: usize>(points: &[Vec3; N], origin: Vec3) -> f64 {
    points.iter().fold(0.0, |most, p| {
        let from = sub(*p, origin);
        let squared = dot(from, from);
        if squared > most { squared } else { most }
    })
}

impl Middle for Vec3 {
    #[inline]
    fn farthest(&self, _: Vec3) -> Vec3 {
        *self
    }
    #[inline]
    fn reach_squared(&self, origin: Vec3) -> f64 {
        reach_squared(&[*self], origin)
    }
}

impl Middle for Line {
    #[inline]
    fn farthest(&self, direction: Vec3) -> Vec3 {
        farthest(self, direction)
    }
    #[inline]
    fn reach_squared(&self, origin: Vec3) -> f64 {
        reach_squared(self, origin)
    }
}

impl Middle for Corners {
    #[inline]
    fn farthest(&self, direction: Vec3) -> Vec3 {
        farthest(self, direction)
    }
    #[inline]
    fn reach_squared(&self, origin: Vec3) -> f64 {
        reach_squared(self, origin)
    }
}

/// Returns `true` if the offset of the closest points is a separating axis: all of `a` lies behind
/// it, all of `b` ahead, by more than rounding.
#[inline]
pub(crate) fn parted<const N: usize, const M: usize>(
    a: &[Vec3; N],
    b: &[Vec3; M],
    near: &Near,
) -> bool {
    let along = |p: &Vec3| {
        let from = sub(*p, near.on_a);
        let products = [0, 1, 2].map(|i| near.offset[i] * from[i]);
        let size = products[0].abs() + products[1].abs() + products[2].abs();
        (products[0] + products[1] + products[2], size)
    };
    let (mut last, mut first, mut size) = (f64::NEG_INFINITY, f64::INFINITY, 0.0);
    for (x, s) in a.iter().map(along) {
        (last, size) = (if x > last { x } else { last }, if s > size { s } else { size });
    }
    for (x, s) in b.iter().map(along) {
        (first, size) = (if x < first { x } else { first }, if s > size { s } else { size });
    }
    first - last > size * (1.0 / (1u64 << 48) as f64)
}

/// Tests exactly whether two points, segments or triangles, each given by three corners, share a
/// point.
#[cold]
pub(crate) fn meet_exactly(a: Corners, b: Corners) -> bool {
    match signs::are_in_range(&a) && signs::are_in_range(&b) {
        true => touch_exactly(&a, &b),
        false => touch_exactly(&a.map(exact), &b.map(exact)),
    }
}
