//! Rays against planes and triangles.

use super::{RayCastQuery, RayEntry, RayLine, ray_hit, unit_or_back};
use crate::num::Scalar;
use crate::num::linear::{Vec3, cross, dot, scale, sub};
use crate::pair::RayHit;
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::shape::{Plane, Ray, Triangle};

impl<T: Scalar> RayCastQuery<Plane<T>> for Ray<T> {
    type Scalar = T;
    /// Casts against the solid side: a ray that starts behind the plane starts inside.
    #[inline]
    fn cast(&self, other: &Plane<T>) -> Option<RayHit<T>> {
        let (line, plane) = (RayLine::from_ray(self), other.wide());
        let height = plane.height(line.origin);
        if height <= 0.0 {
            return Some(ray_hit(self, None));
        }
        let normal = scale(plane.normal, 1.0 / plane.length);
        let sinks = -dot(normal, line.along);
        (sinks > 0.0).then(|| ray_hit(self, Some((height / sinks, normal))))
    }
}

impl<T: Scalar> RayCastQuery<Triangle<T>> for Ray<T> {
    type Scalar = T;
    /// Hits either side. A ray in the plane of the triangle hits an edge, or starts inside; a
    /// triangle without area is never hit. Source: Möller and Trumbore, Fast, Minimum Storage
    /// Ray/Triangle Intersection (1997), with the signs of the three edges, so that no ray slips
    /// between two triangles that share an edge.
    #[inline]
    fn cast(&self, other: &Triangle<T>) -> Option<RayHit<T>> {
        let line = RayLine::from_ray(self);
        // Relative to the origin of the ray.
        let corners = other.wide().corners.map(|p| sub(p, line.origin));
        let [a, b, c] = corners;
        let normal = cross(sub(b, a), sub(c, a));
        let (height, rate) = (dot(normal, a), dot(normal, line.along));
        if rate == 0.0 {
            let flat = height == 0.0 && dot(normal, normal) > 0.0;
            return flat
                .then(|| clip_in_plane(&line, &corners, normal))?
                .map(|met| ray_hit(self, met));
        }
        let t = height / rate;
        // The product of an edge is the same number, up to its sign, for both triangles that share
        // the edge.
        let sides = [(a, b), (b, c), (c, a)].map(|(p, q)| edge_side(line.along, p, q));
        let passes = sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0);
        if !passes || t < 0.0 {
            return None;
        }
        let out = if rate > 0.0 { scale(normal, -1.0) } else { normal };
        let met = if t == 0.0 { None } else { Some((t, unit_or_back(out, &line))) };
        Some(ray_hit(self, met))
    }
}

/// Returns the side of an edge that a ray from zero passes on; the reversed edge gives the negated
/// number.
#[inline]
fn edge_side(along: Vec3, p: Vec3, q: Vec3) -> f64 {
    dot(along, cross(p, q))
}

/// Clips a ray in the plane of a triangle by the three edges, relative to its origin. Source: Cyrus
/// and Beck, Generalized Two- and Three-Dimensional Clipping (1978).
fn clip_in_plane(line: &RayLine, corners: &TriangleCorners, normal: Vec3) -> Option<RayEntry> {
    let (mut from, mut to, mut out) = (0.0, f64::INFINITY, None);
    for i in 0..3 {
        let outward = cross(sub(corners[(i + 1) % 3], corners[i]), normal);
        let (inside, rate) = (dot(outward, corners[i]), dot(outward, line.along));
        if rate == 0.0 && inside < 0.0 {
            return None;
        }
        let t = inside / rate;
        if rate < 0.0 && t > from {
            (from, out) = (t, Some(unit_or_back(outward, line)));
        }
        if rate > 0.0 && t < to {
            to = t;
        }
    }
    (from <= to).then(|| out.map(|out| (from, out)))
}
