//! Rays against balls and capsules.

use super::{Line, Met, RayCastQuery, hit, unit};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, scale, sub};
use crate::pair::CastHit;
use crate::pair::near::Between;
use crate::shape::{Capsule, Ray, Segment, Sphere, wide_point};

impl<T: Scalar> RayCastQuery<Sphere<T, 3>> for Ray<T> {
    type Scalar = T;
    /// Source: Haines, Günther, Akenine-Möller, Precision Improvements for Ray/Sphere Intersection,
    /// Ray Tracing Gems (2019).
    #[inline]
    fn cast(&self, other: &Sphere<T, 3>) -> Option<CastHit<T>> {
        let line = Line::of(self);
        ball(line, wide_point(other.center()), other.radius().wide()).map(|met| hit(self, met))
    }
}

impl<T: Scalar> RayCastQuery<Capsule<T>> for Ray<T> {
    type Scalar = T;
    /// Where it enters the cylinder without ends, if that is between the ends; else the ball at the
    /// end that is there.
    #[inline]
    fn cast(&self, other: &Capsule<T>) -> Option<CastHit<T>> {
        let (line, ends, radius) = (Line::of(self), other.segment().wide(), other.radius().wide());
        if line.origin.near(&ends).squared <= radius * radius {
            return Some(hit(self, None));
        }
        around(line, ends, radius).map(|met| hit(self, Some(met)))
    }
}

impl<T: Scalar> RayCastQuery<Segment<T>> for Ray<T> {
    type Scalar = T;
    /// As a capsule without a radius: met where not even rounding leaves a gap. Lines in space
    /// hardly ever do; for more give it a radius.
    #[inline]
    fn cast(&self, other: &Segment<T>) -> Option<CastHit<T>> {
        self.cast(&Capsule::from(*other))
    }
}

/// A capsule, for a ray that starts outside.
#[inline]
fn around(line: Line, ends: [Vec3; 2], radius: f64) -> Option<(f64, Vec3)> {
    let ball = |end: usize| ball(line, ends[end], radius).flatten();
    let Some(tube) = Tube::new(line, ends) else {
        return ball(0).into_iter().chain(ball(1)).reduce(|a, b| if b.0 < a.0 { b } else { a });
    };
    let (enters, leaves) = tube.within(radius)?;
    if leaves < 0.0 {
        return None;
    }
    let t = if enters > 0.0 { enters } else { 0.0 };
    let (share, out) = tube.at(t);
    match share {
        s if s < 0.0 => ball(0),
        s if s > 1.0 => ball(1),
        _ => Some((t, unit(out, &line))),
    }
}

/// Nothing if it passes; no place if it starts inside.
#[inline]
fn ball(line: Line, center: Vec3, radius: f64) -> Option<Met> {
    let to = sub(center, line.origin);
    if dot(to, to) <= radius * radius {
        return Some(None);
    }
    let square = dot(line.along, line.along);
    let middle = dot(to, line.along) / square;
    // From the centre to the nearest point of the line: small numbers where `to` is large.
    let aside = sub(scale(line.along, middle), to);
    let rest = radius * radius - dot(aside, aside);
    if middle < 0.0 || rest < 0.0 {
        return None;
    }
    let t = middle - (rest / square).sqrt();
    let t = if t > 0.0 { t } else { 0.0 };
    Some(Some((t, unit(sub(scale(line.along, t), to), &line))))
}

/// A ray seen from the line through the ends of a capsule.
struct Tube {
    axis: Vec3,
    length: f64,
    from: Vec3,
    along: Vec3,
    /// What goes across of both.
    across: [Vec3; 2],
}

/// Rays of a smaller squared sine to the axis count as along it: what goes across is rounding, and
/// they enter by an end.
const PARALLEL: f64 = 1e-28;

impl Tube {
    /// `None` if there is no line, or the ray goes along it.
    #[inline]
    fn new(line: Line, ends: [Vec3; 2]) -> Option<Self> {
        let (axis, from) = (sub(ends[1], ends[0]), sub(line.origin, ends[0]));
        let length = dot(axis, axis);
        let across = |v: Vec3| sub(v, scale(axis, dot(v, axis) / length));
        let across = [across(from), across(line.along)];
        let turned = dot(across[1], across[1]) > PARALLEL;
        // Also false for what is not a number.
        turned.then_some(Tube { axis, length, from, along: line.along, across })
    }

    /// When the ray enters and leaves the cylinder of that radius.
    #[inline]
    fn within(&self, radius: f64) -> Option<(f64, f64)> {
        let [from, along] = self.across;
        let square = dot(along, along);
        let middle = -dot(from, along) / square;
        let aside = add(from, scale(along, middle));
        let rest = radius * radius - dot(aside, aside);
        let half = (rest / square).sqrt();
        (rest >= 0.0).then_some((middle - half, middle + half))
    }

    /// Where along the axis it is then, as a share of that, and the way from there to it.
    #[inline]
    fn at(&self, t: f64) -> (f64, Vec3) {
        let point = add(self.from, scale(self.along, t));
        let share = dot(point, self.axis) / self.length;
        (share, sub(point, scale(self.axis, share)))
    }
}
