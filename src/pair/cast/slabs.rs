//! Rays against k-DOPs and frusta, clipped by pairs of parallel planes.

use super::{RayCastQuery, RayEntry, RayLine, ray_hit, unit_or_back};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, dot, scale, sub};
use crate::pair::RayHit;
use crate::shape::{Frustum, Kdop, Ray, Slabs, face_normals, wide_point};

/// Slab between two parallel planes, `low <= direction . x <= high`, with a direction of any
/// length.
type Slab = (Vec3, f64, f64);

impl<T: Scalar, const N: usize> RayCastQuery<Kdop<T, 3, N>> for Ray<T>
where
    Kdop<T, 3, N>: Slabs<3, N>,
{
    type Scalar = T;
    /// Clips by `N` slabs. An empty k-DOP is left before it is entered, so it is never hit. Source:
    /// Kay and Kajiya, Ray Tracing Complex Scenes (1986).
    fn cast(&self, other: &Kdop<T, 3, N>) -> Option<RayHit<T>> {
        let (low, high) = (other.low().map(T::wide), other.high().map(T::wide));
        let direction = |i: usize| Kdop::<T, 3, N>::DIRECTIONS[i].map(f64::from);
        let slabs = (0..N).map(|i| (direction(i), low[i], high[i]));
        clip_to_slabs(&RayLine::from_ray(self), slabs).map(|met| ray_hit(self, met))
    }
}

impl<T: Scalar> RayCastQuery<Frustum<T>> for Ray<T> {
    type Scalar = T;
    /// Clips by six slabs, each from a face to the corner farthest from it, and by the aligned box.
    /// It never misses the frustum. If the frustum has no volume or its faces are not flat, a hit
    /// of the slabs alone may be reported.
    fn cast(&self, other: &Frustum<T>) -> Option<RayHit<T>> {
        let corners = other.corners().map(wide_point);
        let line = RayLine::from_ray(self);
        // Relative to a corner, so that numbers are small.
        let origin = corners[0];
        let line = RayLine { origin: sub(line.origin, origin), along: line.along };
        let seen = corners.map(|p| sub(p, origin));
        let across = |way: Vec3| {
            let along = seen.map(|p| dot(way, p));
            (
                way,
                along.into_iter().fold(f64::MAX, f64::min),
                along.into_iter().fold(f64::MIN, f64::max),
            )
        };
        let faces = face_normals(&seen).into_iter().filter(|&n| n != [0.0; 3]);
        clip_to_slabs(&line, faces.chain(IDENTITY).map(across)).map(|met| ray_hit(self, met))
    }
}

/// Clips the ray by slabs: `None` if it misses, `Some(None)` if it starts inside.
fn clip_to_slabs(line: &RayLine, slabs: impl Iterator<Item = Slab>) -> Option<RayEntry> {
    let (mut from, mut to, mut out, mut inside) = (0.0, f64::INFINITY, [0.0; 3], true);
    for (direction, low, high) in slabs {
        let (at, rate) = (dot(direction, line.origin), dot(direction, line.along));
        let here = low <= at && at <= high;
        inside &= here;
        if rate == 0.0 {
            if here {
                continue;
            }
            return None;
        }
        let ends = [(low - at) / rate, (high - at) / rate];
        let (enters, leaves) = if rate > 0.0 { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
        let against = if rate > 0.0 { -1.0 } else { 1.0 };
        (from, out) = if enters > from { (enters, scale(direction, against)) } else { (from, out) };
        to = if leaves < to { leaves } else { to };
    }
    let met = if inside { None } else { Some((from, unit_or_back(out, line))) };
    (from <= to).then_some(met)
}
