//! Motion of two shapes, and the conservative rounding of a hit.

use nalgebra::{Point, SVector};

use crate::num::Scalar;
use crate::pair::results::CastHit;

/// Displacements of two shapes over the same time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Motion<const D: usize> {
    pub first: [f64; D],
    pub second: [f64; D],
    /// Displacement of the first shape relative to the second.
    pub relative: [f64; D],
    length: f64,
}

impl<const D: usize> Motion<D> {
    /// Returns `None` unless both displacements are finite and in range.
    pub fn new<T: Scalar>(first: SVector<T, D>, second: SVector<T, D>) -> Option<Self> {
        let wide = |v: &SVector<T, D>| std::array::from_fn(|i| v[i].wide());
        let (a, b): ([f64; D], [f64; D]) = (wide(&first), wide(&second));
        let sound = |x: f64| x.abs() <= T::MAX_COORDINATE;
        let all = (0..D).fold(true, |all, i| all & sound(a[i]) & sound(b[i]));
        let relative = minus(a, b);
        all.then(|| Motion { first: a, second: b, relative, length: length(relative) })
    }

    pub fn swapped(&self) -> Self {
        let relative = self.relative.map(|x| -x);
        Motion { first: self.second, second: self.first, relative, length: self.length }
    }

    /// Returns the length of the relative displacement.
    pub fn length(&self) -> f64 {
        self.length
    }
}

/// Hit before rounding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnroundedHit<const D: usize> {
    pub leave: f64,
    /// Unit normal from the first shape, which is the mover, to the second.
    pub normal: [f64; D],
    pub point: [f64; D],
    pub started_inside: bool,
    /// Upper bound on the distance at the time of impact, except for the rounding of the time.
    pub slack: f64,
}

impl<const D: usize> UnroundedHit<D> {
    /// Rounds the hit at a time of [`impact_time`], and turns the normal towards the mover.
    pub fn rounded<T: Scalar>(&self, time: T, motion: &Motion<D>) -> CastHit<T, D> {
        // One unit in the last place of the time, and its error in double precision.
        let early = motion.length() * time.wide() * (2.0 * T::ROUNDING + 1e-15);
        CastHit {
            target: (),
            time_of_impact: time,
            time_of_leaving: T::at_least(self.leave),
            point: Point::from(SVector::from(self.point.map(T::nearest))),
            normal: SVector::from(self.normal.map(|x| T::nearest(-x))),
            started_inside: self.started_inside,
            slack: T::at_least(self.slack + early),
        }
    }
}

/// Rounds the time of impact down, and clamps it to the start.
pub(crate) fn impact_time<T: Scalar>(enter: f64) -> T {
    if enter > 0.0 { T::at_most(enter) } else { T::zero() }
}

pub(crate) fn plus<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|i| a[i] + b[i])
}

pub(crate) fn minus<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(crate) fn times<const D: usize>(a: [f64; D], s: f64) -> [f64; D] {
    a.map(|x| x * s)
}

pub(crate) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).fold(0.0, |sum, i| sum + a[i] * b[i])
}

pub(crate) fn length<const D: usize>(a: [f64; D]) -> f64 {
    dot(a, a).sqrt()
}

/// Normalizes `a`. Returns the direction of `velocity` for a zero `a`, and the first axis if both
/// are zero.
pub(crate) fn unit_or<const D: usize>(a: [f64; D], velocity: [f64; D]) -> [f64; D] {
    let size = length(a);
    if size > 0.0 {
        return times(a, 1.0 / size);
    }
    let speed = length(velocity);
    if speed > 0.0 {
        times(velocity, 1.0 / speed)
    } else {
        std::array::from_fn(|i| if i == 0 { 1.0 } else { 0.0 })
    }
}
