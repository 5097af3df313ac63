//! Rays against balls and capsules.

use super::{Cast, Line, Met, RayHit, hit, unit};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, scale, sub};
use crate::pair::near::Between;
use crate::shape::{Capsule, Ray, Sphere, wide_point};

impl<T: Scalar> Cast<Sphere<T, 3>> for Ray<T> {
    type Scalar = T;
    /// Source: Haines, Günther, Akenine-Möller, Precision Improvements for Ray/Sphere Intersection, Ray Tracing Gems (2019).
    fn cast(&self, other: &Sphere<T, 3>) -> Option<RayHit<T>> {
        let line = Line::of(self);
        ball(line, wide_point(other.center()), other.radius().wide()).map(|met| hit(self, met))
    }
}

impl<T: Scalar> Cast<Capsule<T>> for Ray<T> {
    type Scalar = T;
    /// The first of the two balls at the ends and the wall between.
    fn cast(&self, other: &Capsule<T>) -> Option<RayHit<T>> {
        let (line, ends, radius) = (Line::of(self), other.segment().wide(), other.radius().wide());
        if line.origin.near(&ends).squared <= radius * radius {
            return Some(hit(self, None));
        }
        let met =
            [ball(line, ends[0], radius), ball(line, ends[1], radius), wall(line, ends, radius)];
        let first =
            met.into_iter().flatten().flatten().reduce(|a, b| if b.0 < a.0 { b } else { a });
        first.map(|met| hit(self, Some(met)))
    }
}

/// Nothing if it passes; no place if it starts inside.
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
    Some(Some((t, unit(sub(scale(line.along, t), to)))))
}

/// The wall of the cylinder around a segment, without its ends, for a ray that starts outside the capsule.
fn wall(line: Line, ends: [Vec3; 2], radius: f64) -> Option<Met> {
    let axis = sub(ends[1], ends[0]);
    let length = dot(axis, axis);
    let across = |v: Vec3| sub(v, scale(axis, dot(v, axis) / length));
    let from = sub(line.origin, ends[0]);
    let (start, along) = (across(from), across(line.along));
    let square = dot(along, along);
    // Neither a cylinder nor a way across it; also what is not a number.
    if !(length > 0.0 && square > 0.0) {
        return None;
    }
    let middle = -dot(start, along) / square;
    let aside = add(start, scale(along, middle));
    let rest = radius * radius - dot(aside, aside);
    if rest < 0.0 {
        return None;
    }
    let t = middle - (rest / square).sqrt();
    let point = add(from, scale(line.along, t));
    let share = dot(point, axis) / length;
    (t >= 0.0 && (0.0..=1.0).contains(&share)).then(|| Some((t, unit(across(point)))))
}
