//! Rays against balls, capsules and segments.

use super::{RayCastQuery, RayEntry, RayLine, ray_hit, unit_or_back};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, scale, sub};
use crate::pair::RayHit;
use crate::pair::rounded::cores::CorePair;
use crate::shape::{Capsule, Ray, Segment, Sphere, wide_point};

impl<T: Scalar> RayCastQuery<Sphere<T, 3>> for Ray<T> {
    type Scalar = T;
    /// Source: Haines, Günther, Akenine-Möller, Precision Improvements for Ray/Sphere Intersection,
    /// Ray Tracing Gems (2019).
    #[inline]
    fn cast(&self, other: &Sphere<T, 3>) -> Option<RayHit<T>> {
        let line = RayLine::from_ray(self);
        cast_ball(line, wide_point(other.center()), other.radius().wide())
            .map(|met| ray_hit(self, met))
    }
}

impl<T: Scalar> RayCastQuery<Capsule<T>> for Ray<T> {
    type Scalar = T;
    /// Takes the entry into the infinite cylinder if it lies between the ends; else the ball at the
    /// end that the entry lies beyond.
    #[inline]
    fn cast(&self, other: &Capsule<T>) -> Option<RayHit<T>> {
        let (line, ends, radius) =
            (RayLine::from_ray(self), other.segment().wide(), other.radius().wide());
        if line.origin.closest(&ends).squared <= radius * radius {
            return Some(ray_hit(self, None));
        }
        cast_capsule(line, ends, radius).map(|met| ray_hit(self, Some(met)))
    }
}

impl<T: Scalar> RayCastQuery<Segment<T>> for Ray<T> {
    type Scalar = T;
    /// Casts against a capsule of radius zero: a hit only where not even rounding leaves a gap.
    /// Lines in space hardly ever cross; give the segment a radius instead.
    #[inline]
    fn cast(&self, other: &Segment<T>) -> Option<RayHit<T>> {
        self.cast(&Capsule::from(*other))
    }
}

/// Casts a ray that starts outside against a capsule.
#[inline]
fn cast_capsule(line: RayLine, ends: [Vec3; 2], radius: f64) -> Option<(f64, Vec3)> {
    let ball = |end: usize| cast_ball(line, ends[end], radius).flatten();
    let Some(tube) = RayAboutAxis::new(line, ends) else {
        return ball(0).into_iter().chain(ball(1)).reduce(|a, b| if b.0 < a.0 { b } else { a });
    };
    let (enters, leaves) = tube.interval(radius)?;
    if leaves < 0.0 {
        return None;
    }
    let t = if enters > 0.0 { enters } else { 0.0 };
    let (share, out) = tube.axis_position(t);
    match share {
        s if s < 0.0 => ball(0),
        s if s > 1.0 => ball(1),
        _ => Some((t, unit_or_back(out, &line))),
    }
}

/// Casts against a ball: `None` if the ray misses, `Some(None)` if it starts inside.
#[inline]
fn cast_ball(line: RayLine, center: Vec3, radius: f64) -> Option<RayEntry> {
    let to = sub(center, line.origin);
    if dot(to, to) <= radius * radius {
        return Some(None);
    }
    let square = dot(line.along, line.along);
    let middle = dot(to, line.along) / square;
    // Offset from the centre to the nearest point of the line: small even where `to` is large.
    let aside = sub(scale(line.along, middle), to);
    let rest = radius * radius - dot(aside, aside);
    if middle < 0.0 || rest < 0.0 {
        return None;
    }
    let t = middle - (rest / square).sqrt();
    let t = if t > 0.0 { t } else { 0.0 };
    Some(Some((t, unit_or_back(sub(scale(line.along, t), to), &line))))
}

/// Ray relative to the line through the ends of a capsule.
struct RayAboutAxis {
    axis: Vec3,
    length: f64,
    from: Vec3,
    along: Vec3,
    /// Components of `from` and `along` across the axis.
    across: [Vec3; 2],
}

/// Squared sine to the axis below which a ray counts as parallel: its component across is rounding,
/// and it enters at an end.
const PARALLEL_SINE_SQUARED: f64 = 1e-28;

impl RayAboutAxis {
    /// Returns `None` if the axis has no length or the ray is parallel to it.
    #[inline]
    fn new(line: RayLine, ends: [Vec3; 2]) -> Option<Self> {
        let (axis, from) = (sub(ends[1], ends[0]), sub(line.origin, ends[0]));
        let length = dot(axis, axis);
        let across = |v: Vec3| sub(v, scale(axis, dot(v, axis) / length));
        let across = [across(from), across(line.along)];
        let turned = dot(across[1], across[1]) > PARALLEL_SINE_SQUARED;
        // Written so that NaN fails.
        turned.then_some(RayAboutAxis { axis, length, from, along: line.along, across })
    }

    /// Returns the interval of parameters inside the infinite cylinder.
    #[inline]
    fn interval(&self, radius: f64) -> Option<(f64, f64)> {
        let [from, along] = self.across;
        let square = dot(along, along);
        let middle = -dot(from, along) / square;
        let aside = add(from, scale(along, middle));
        let rest = radius * radius - dot(aside, aside);
        let half = (rest / square).sqrt();
        (rest >= 0.0).then_some((middle - half, middle + half))
    }

    /// Returns the position along the axis, as a share of its length, and the offset from the axis.
    #[inline]
    fn axis_position(&self, t: f64) -> (f64, Vec3) {
        let point = add(self.from, scale(self.along, t));
        let share = dot(point, self.axis) / self.length;
        (share, sub(point, scale(self.axis, share)))
    }
}
