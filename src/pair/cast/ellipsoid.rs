//! Rays against ellipsoids, as unit balls in coordinates scaled by the radii.

use super::{RayCastQuery, RayLine, ray_hit, unit_or_back};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, rotate, rotate_back, scale, sub};
use crate::pair::RayHit;
use crate::shape::{Ellipsoid, Ray};

impl<T: Scalar> RayCastQuery<Ellipsoid<T>> for Ray<T> {
    type Scalar = T;
    /// Scales each axis by its radius, which makes the ellipsoid a unit ball. A zero radius leaves
    /// one point of the ray: a disc is hit like a triangle, a segment or a point only where
    /// rounding leaves no gap. Source: Ericson, Real-Time Collision Detection (2005), 5.3.2, for
    /// the ball.
    fn cast(&self, other: &Ellipsoid<T>) -> Option<RayHit<T>> {
        if other.contains(self.origin()) {
            return Some(ray_hit(self, None));
        }
        let (line, wide) = (RayLine::from_ray(self), other.wide());
        let seen = rotate_back(&wide.axes, sub(line.origin, wide.center));
        let along = rotate_back(&wide.axes, line.along);
        // Relative to the point nearest the centre, so that numbers are small.
        let shift = -dot(seen, along) / dot(along, along);
        let near =
            LineInEllipsoid { point: add(seen, scale(along, shift)), along, radii: wide.radii };
        let (from, to) = near.interval()?;
        let t = if from + shift > 0.0 { from + shift } else { 0.0 };
        let normal = rotate(&wide.axes, near.outward_normal(from));
        let ahead = from <= to && to + shift >= 0.0;
        ahead.then(|| ray_hit(self, Some((t, unit_or_back(normal, &line)))))
    }
}

/// Line in the frame of an ellipsoid.
struct LineInEllipsoid {
    point: Vec3,
    along: Vec3,
    radii: Vec3,
}

impl LineInEllipsoid {
    /// Returns the interval of parameters inside; `None` if the line misses. The ends are reversed
    /// if zero radii are met at different parameters.
    fn interval(&self) -> Option<(f64, f64)> {
        let measured = |v: Vec3| -> Vec3 {
            std::array::from_fn(|i| if self.radii[i] > 0.0 { v[i] / self.radii[i] } else { 0.0 })
        };
        let (at, along) = (measured(self.point), measured(self.along));
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
                let only = -self.point[i] / self.along[i];
                from = if only > from { only } else { from };
                to = if only < to { only } else { to };
            } else if self.point[i] != 0.0 {
                return None;
            }
        }
        Some((from, to))
    }

    /// Returns the outward normal at the entry, of any length; of a disc, across it.
    fn outward_normal(&self, t: f64) -> Vec3 {
        let flat = |i: usize| self.radii[i] == 0.0 && self.along[i] != 0.0;
        let point = add(self.point, scale(self.along, t));
        match (0..3).any(flat) {
            true => std::array::from_fn(|i| if flat(i) { -self.along[i] } else { 0.0 }),
            // Divides by the least radius, so that no square of one underflows.
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
