//! Rays against boxes, clipped by three pairs of planes.

use super::{RayCastQuery, RayEntry, RayLine, ray_hit};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Mat3, Vec3, rotate_back, scale, sub};
use crate::pair::RayHit;
use crate::shape::{Aabb, Obb, Ray, wide_point};

impl<T: Scalar> RayCastQuery<Aabb<T, 3>> for Ray<T> {
    type Scalar = T;
    /// Source: Ericson, Real-Time Collision Detection (2005), 5.3.3.
    #[inline]
    fn cast(&self, other: &Aabb<T, 3>) -> Option<RayHit<T>> {
        let (low, high) = (wide_point(other.min), wide_point(other.max));
        // Written so that NaN is empty as well.
        if !(0..3).all(|i| low[i] <= high[i]) {
            return None;
        }
        clip_to_slabs(RayLine::from_ray(self), low, high, &IDENTITY).map(|met| ray_hit(self, met))
    }
}

impl<T: Scalar> RayCastQuery<Obb<T>> for Ray<T> {
    type Scalar = T;
    /// Like [`Aabb`], in the frame of the box.
    #[inline]
    fn cast(&self, other: &Obb<T>) -> Option<RayHit<T>> {
        let (line, wide) = (RayLine::from_ray(self), other.wide());
        let local = RayLine {
            origin: rotate_back(&wide.axes, sub(line.origin, wide.center)),
            along: rotate_back(&wide.axes, line.along),
        };
        let high = wide.half_extents;
        clip_to_slabs(local, high.map(|h| -h), high, &wide.axes).map(|met| ray_hit(self, met))
    }
}

/// Component of a unit direction below which the ray counts as parallel to a slab.
const MIN_COMPONENT: f64 = 1e-200;

/// Clips the ray by three slabs: `None` if it misses, `Some(None)` if it starts inside. The normal
/// is one of the axes.
#[inline]
fn clip_to_slabs(line: RayLine, low: Vec3, high: Vec3, axes: &Mat3) -> Option<RayEntry> {
    let (mut from, mut to, mut out, mut inside) = (0.0, f64::INFINITY, 0, true);
    for i in 0..3 {
        let (x, d) = (line.origin[i], line.along[i]);
        let here = low[i] <= x && x <= high[i];
        inside &= here;
        if d.abs() < MIN_COMPONENT {
            if here {
                continue;
            }
            return None;
        }
        let inverse = 1.0 / d;
        let ends = [(low[i] - x) * inverse, (high[i] - x) * inverse];
        let (enters, leaves) = if d > 0.0 { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
        (from, out) = if enters > from { (enters, i) } else { (from, out) };
        to = if leaves < to { leaves } else { to };
    }
    if to < from {
        return None;
    }
    if inside {
        return Some(None);
    }
    let sign = if line.along[out] > 0.0 { -1.0 } else { 1.0 };
    Some(Some((from, scale(axes[out], sign))))
}
