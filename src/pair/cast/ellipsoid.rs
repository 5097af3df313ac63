//! Rays against ellipsoids: against a ball, once everything is measured in radii.

use super::{Line, RayCastQuery, hit, unit};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, scale, sub, turn, turn_back};
use crate::pair::CastHit;
use crate::shape::{Ellipsoid, Ray};

impl<T: Scalar> RayCastQuery<Ellipsoid<T>> for Ray<T> {
    type Scalar = T;
    /// Along its axes, each measured in its radius, it is a ball of radius one. An axis without
    /// width lets the ray through at one place only: a disc is met like a triangle, a segment or a
    /// point where rounding leaves no gap. Source: Ericson, Real-Time Collision Detection (2005),
    /// 5.3.2, for the ball.
    fn cast(&self, other: &Ellipsoid<T>) -> Option<CastHit<T>> {
        if other.contains(self.origin()) {
            return Some(hit(self, None));
        }
        let (line, wide) = (Line::of(self), other.wide());
        let seen = turn_back(&wide.axes, sub(line.origin, wide.center));
        let along = turn_back(&wide.axes, line.along);
        // From where it passes the middle, where numbers are small.
        let shift = -dot(seen, along) / dot(along, along);
        let near = Seen { at: add(seen, scale(along, shift)), along, radii: wide.radii };
        let (from, to) = near.inside()?;
        let t = if from + shift > 0.0 { from + shift } else { 0.0 };
        let normal = turn(&wide.axes, near.outward(from));
        let ahead = from <= to && to + shift >= 0.0;
        ahead.then(|| hit(self, Some((t, unit(normal, &line)))))
    }
}

/// A line seen along the axes of an ellipsoid, from its middle.
struct Seen {
    at: Vec3,
    along: Vec3,
    radii: Vec3,
}

impl Seen {
    /// From when to when it is inside, the other way round if it is not at once along all axes;
    /// `None` if never.
    fn inside(&self) -> Option<(f64, f64)> {
        let measured = |v: Vec3| -> Vec3 {
            std::array::from_fn(|i| if self.radii[i] > 0.0 { v[i] / self.radii[i] } else { 0.0 })
        };
        let (at, along) = (measured(self.at), measured(self.along));
        let square = dot(along, along);
        let middle = if square > 0.0 { -dot(at, along) / square } else { 0.0 };
        let aside = add(at, scale(along, middle));
        let rest = 1.0 - dot(aside, aside);
        if rest < 0.0 {
            return None;
        }
        let half = if square > 0.0 { (rest / square).sqrt() } else { f64::INFINITY };
        let (mut from, mut to) = (middle - half, middle + half);
        for i in (0..3).filter(|&i| self.radii[i] == 0.0) {
            if self.along[i] != 0.0 {
                let only = -self.at[i] / self.along[i];
                from = if only > from { only } else { from };
                to = if only < to { only } else { to };
            } else if self.at[i] != 0.0 {
                return None;
            }
        }
        Some((from, to))
    }

    /// Out of it where it is entered, not of length one; of a disc met from aside, across it.
    fn outward(&self, t: f64) -> Vec3 {
        let flat = |i: usize| self.radii[i] == 0.0 && self.along[i] != 0.0;
        let point = add(self.at, scale(self.along, t));
        match (0..3).any(flat) {
            true => std::array::from_fn(|i| if flat(i) { -self.along[i] } else { 0.0 }),
            // The smallest radius is divided out of all, so that no square of one vanishes.
            false => {
                let least =
                    self.radii.into_iter().filter(|&r| r > 0.0).fold(f64::INFINITY, f64::min);
                std::array::from_fn(|i| match self.radii[i] > 0.0 {
                    true => point[i] * (least / self.radii[i]) * (least / self.radii[i]),
                    false => 0.0,
                })
            }
        }
    }
}
