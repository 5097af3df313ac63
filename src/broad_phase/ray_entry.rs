//! Where a ray enters world boxes in double precision, one box after the other.

use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::Aabb;

/// A ray in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorldRay {
    pub from: Vec3,
    pub along: Vec3,
    pub end: f64,
}

/// A ray that is put to many boxes, one after the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RatedRay {
    ray: WorldRay,
    /// Units of the ray for one of the coordinate.
    rate: Vec3,
    /// Whether it goes along no coordinate so slowly that products overflow.
    sure: bool,
}

impl RatedRay {
    pub fn new(ray: WorldRay) -> Self {
        let rate = ray.along.map(|x| 1.0 / x);
        let quick = |i: usize| rate[i].abs() < 1e150;
        RatedRay { ray, rate, sure: quick(0) & quick(1) & quick(2) }
    }

    /// How far along it enters the box, never too far; `None` if it passes it, or ends before.
    #[inline]
    pub fn enters<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> Option<f64> {
        let (mut from, mut to) = (0.0f64, self.ray.end);
        for i in 0..3 {
            let start = self.ray.from[i];
            let (low, high) = (bounds.min[i].wide() - start, bounds.max[i].wide() - start);
            let ends = [low * self.rate[i], high * self.rate[i]];
            from = greater(from, lesser(ends[0], ends[1]));
            to = lesser(to, greater(ends[0], ends[1]));
        }
        // Off by less than `2 e` of themselves, where the quotients below leave `4 e` to spare.
        match self.sure && !bounds.is_empty() {
            true if from <= to => Some(from - from * f64::EPSILON * 8.0),
            true if from > to + to.abs() * f64::EPSILON * 16.0 => None,
            _ => self.enters_exactly(bounds),
        }
    }

    /// The same, where little decides.
    #[cold]
    fn enters_exactly<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> Option<f64> {
        // Differences and quotients are off by `2 e` of themselves.
        let less = |x: f64| x - x.abs() * f64::EPSILON * 4.0;
        let more = |x: f64| x + x.abs() * f64::EPSILON * 4.0;
        let WorldRay { from: start, along, end } = self.ray;
        let (mut from, mut to) = (0.0f64, end);
        for i in 0..3 {
            let (low, high) = (bounds.min[i].wide(), bounds.max[i].wide());
            let (x, d) = (start[i], along[i]);
            if d == 0.0 {
                if x < low || x > high {
                    return None;
                }
                continue;
            }
            let (first, last) = if d > 0.0 { (low, high) } else { (high, low) };
            from = from.max(less((first - x) / d));
            to = to.min(more((last - x) / d));
        }
        (from <= to && !bounds.is_empty()).then_some(from)
    }
}

// Of numbers alone, in one instruction each: ways are as often one way as the other, and no branch
// could be foretold.
#[inline(always)]
pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

#[inline(always)]
pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}
