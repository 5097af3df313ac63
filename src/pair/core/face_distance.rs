//! Lower bound on the distance of two boxes from six of the fifteen axes.

use crate::num::linear::{Mat3, Vec3, aabb_half_extents, dot, length};

/// Returns a lower bound on the distance of two boxes, up to rounding: the greater of the distances
/// of each box to the bounds of the other along its own axes. Zero where none of the six face axes
/// separates them.
///
/// The columns of `rotation` are the axes of the second box in the frame of the first, `t` is the
/// offset of the centres in that frame, `a` and `b` are the half extents. Source: the face axes of
/// Ericson, Real-Time Collision Detection (2005), 4.4.1, used as coordinates.
#[inline]
pub(crate) fn face_axes_distance(rotation: &Mat3, t: Vec3, a: Vec3, b: Vec3) -> f64 {
    let around = aabb_half_extents(rotation, b);
    let of_first = [0, 1, 2].map(|i| positive_part(t[i].abs() - a[i] - around[i]));
    let of_second = [0, 1, 2].map(|j| {
        let axis = rotation[j];
        let reach = axis[0].abs() * a[0] + axis[1].abs() * a[1] + axis[2].abs() * a[2];
        positive_part(dot(axis, t).abs() - b[j] - reach)
    });
    let (first, second) = (length(of_first), length(of_second));
    if second > first { second } else { first }
}

#[inline]
fn positive_part(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 }
}
