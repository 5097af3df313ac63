//! How far apart two boxes are at least, at the price of six of the fifteen axes.

use crate::num::linear::{Mat3, Vec3, aabb_half_extents, dot, length};

/// No two points of the boxes are closer, but for rounding: the distance of the first to the box
/// along its axes around the second, or the same told from the second, whichever is more. Zero
/// where none of the six faces tells them apart.
///
/// `rotation` has the axes of the second seen from the first as columns, `t` is the way between the
/// centres, `a` and `b` are the half extents. Source: the face axes of Ericson, Real-Time Collision
/// Detection (2005), 4.4.1, taken as coordinates.
#[inline]
pub(crate) fn at_least_apart(rotation: &Mat3, t: Vec3, a: Vec3, b: Vec3) -> f64 {
    let around = aabb_half_extents(rotation, b);
    let of_first = [0, 1, 2].map(|i| positive(t[i].abs() - a[i] - around[i]));
    let of_second = [0, 1, 2].map(|j| {
        let axis = rotation[j];
        let reach = axis[0].abs() * a[0] + axis[1].abs() * a[1] + axis[2].abs() * a[2];
        positive(dot(axis, t).abs() - b[j] - reach)
    });
    let (first, second) = (length(of_first), length(of_second));
    if second > first { second } else { first }
}

#[inline]
fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 }
}
