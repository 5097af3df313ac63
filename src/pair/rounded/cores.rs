//! Cores of rounded shapes, and closest points of two cores in double precision.
//!
//! A ball is a point grown by its radius, a capsule a segment grown by its radius. So every pair of
//! such shapes reduces to two of four cores (point, segment, triangle, box) and a sum of radii.

use super::signs;
use super::triangle_exact::{TriangleCorners, overlap_exactly};
use crate::num::exact::exact;
use crate::num::linear::{Vec3, add, dot, scale, sub};

/// Ends of a segment.
pub(crate) type CoreSegment = [Vec3; 2];

/// Closest points of two cores: a point of the first and the offset to a point of the second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClosestOnCores {
    pub on_a: Vec3,
    pub offset: Vec3,
    pub squared: f64,
}

impl ClosestOnCores {
    #[inline]
    pub fn new(on_a: Vec3, offset: Vec3) -> Self {
        ClosestOnCores { on_a, offset, squared: dot(offset, offset) }
    }

    /// Returns the closest points of cores that share `point`.
    #[inline]
    pub fn common(point: Vec3) -> Self {
        ClosestOnCores::new(point, [0.0; 3])
    }

    #[inline]
    pub fn on_b(&self) -> Vec3 {
        add(self.on_a, self.offset)
    }

    #[inline]
    pub fn reversed(self) -> Self {
        ClosestOnCores {
            on_a: self.on_b(),
            offset: scale(self.offset, -1.0),
            squared: self.squared,
        }
    }

    /// Returns the closer of two candidates, the first of equals.
    #[inline]
    pub fn nearer(self, other: ClosestOnCores) -> ClosestOnCores {
        if other.squared < self.squared { other } else { self }
    }
}

/// Core of a rounded shape: a point, segment, triangle or box.
pub(crate) trait CoreShape: Copy {
    /// Returns the point farthest along `direction`; the mean of equally far points.
    fn farthest(&self, direction: Vec3) -> Vec3;
    /// Returns a tight upper bound on the distance of any point of the core from `origin` [length
    /// units].
    #[inline]
    fn radius_about(&self, origin: Vec3) -> f64 {
        self.radius_squared_about(origin).sqrt()
    }
    /// Returns the square of [`CoreShape::radius_about`].
    fn radius_squared_about(&self, origin: Vec3) -> f64;
}

/// Pair of cores: closest points and overlap, without any radius.
pub(crate) trait CorePair<B> {
    /// Returns the closest points, rounded. If the cores share a point, the distance is zero up to
    /// rounding.
    fn closest(&self, other: &B) -> ClosestOnCores;
    /// Returns `true` if the cores share a point.
    fn overlaps(&self, other: &B) -> bool;
    /// Returns the closest points of disjoint cores; `None` if the cores share a point.
    #[inline]
    fn closest_if_disjoint(&self, other: &B) -> Option<ClosestOnCores>
    where
        Self: CoreShape,
        B: CoreShape,
    {
        let near = self.closest(other);
        (self.is_surely_disjoint(other, &near) || !self.overlaps(other)).then_some(near)
    }
    /// Returns the closest points, and `true` if the cores are disjoint.
    #[inline]
    fn closest_and_disjoint(&self, other: &B) -> (ClosestOnCores, bool)
    where
        Self: CoreShape,
        B: CoreShape,
    {
        self.closest_if_disjoint(other)
            .map_or_else(|| (self.closest(other), false), |near| (near, true))
    }
    /// Returns `true` if the rounded closest points prove that the cores are disjoint. Rounding
    /// changes a squared distance by some `2^-50` of the square of the sizes.
    #[inline]
    fn is_surely_disjoint(&self, other: &B, near: &ClosestOnCores) -> bool
    where
        Self: CoreShape,
        B: CoreShape,
    {
        // Bounds the square of the sum of the radii without a root.
        let size =
            2.0 * (self.radius_squared_about(near.on_a) + other.radius_squared_about(near.on_a));
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
        if along >= most - TIE_ERROR * span || along == most {
            (sum, count) = (add(sum, sub(*point, points[0])), count + 1.0);
        }
    }
    add(points[0], scale(sum, 1.0 / count))
}

/// Difference of projections below which two points count as equally far, as a share of the size.
const TIE_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

#[inline]
fn radius_squared_of_points<const N: usize>(points: &[Vec3; N], origin: Vec3) -> f64 {
    points.iter().fold(0.0, |most, p| {
        let from = sub(*p, origin);
        let squared = dot(from, from);
        if squared > most { squared } else { most }
    })
}

impl CoreShape for Vec3 {
    #[inline]
    fn farthest(&self, _: Vec3) -> Vec3 {
        *self
    }
    #[inline]
    fn radius_squared_about(&self, origin: Vec3) -> f64 {
        radius_squared_of_points(&[*self], origin)
    }
}

impl CoreShape for CoreSegment {
    #[inline]
    fn farthest(&self, direction: Vec3) -> Vec3 {
        farthest(self, direction)
    }
    #[inline]
    fn radius_squared_about(&self, origin: Vec3) -> f64 {
        radius_squared_of_points(self, origin)
    }
}

impl CoreShape for TriangleCorners {
    #[inline]
    fn farthest(&self, direction: Vec3) -> Vec3 {
        farthest(self, direction)
    }
    #[inline]
    fn radius_squared_about(&self, origin: Vec3) -> f64 {
        radius_squared_of_points(self, origin)
    }
}

/// Returns `true` if the offset of the closest points is a separating axis: all of `a` lies behind
/// it, all of `b` ahead, by more than rounding.
#[inline]
pub(crate) fn is_separating_offset<const N: usize, const M: usize>(
    a: &[Vec3; N],
    b: &[Vec3; M],
    near: &ClosestOnCores,
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
pub(crate) fn triangles_overlap_exactly(a: TriangleCorners, b: TriangleCorners) -> bool {
    match signs::are_in_range(&a) && signs::are_in_range(&b) {
        true => overlap_exactly(&a, &b),
        false => overlap_exactly(&a.map(exact), &b.map(exact)),
    }
}
