//! Axes for a single triangle.

use crate::num::linear::{Mat3, cross, dot, length, scale, sub};
use crate::shape::WideTriangle;

/// Axes along the longest edge and the normal: the least box around a triangle has one edge on a side.
/// `None` if its corners are on one line or in one point.
pub(crate) fn triangle_frame(triangle: &WideTriangle) -> Option<Mat3> {
    let [a, b, c] = triangle.corners;
    let edges = [sub(b, a), sub(c, b), sub(a, c)];
    let mut longest = edges[0];
    for edge in &edges[1..] {
        if dot(*edge, *edge) > dot(longest, longest) {
            longest = *edge;
        }
    }
    let normal = cross(edges[0], edges[1]);
    let (along, up) = (length(longest), length(normal));
    // Below this share of the edge squared the normal is rounding noise.
    if !(along > 0.0 && up > 1e-12 * along * along) {
        return None;
    }
    let (x, z) = (scale(longest, 1.0 / along), scale(normal, 1.0 / up));
    Some([x, cross(z, x), z])
}
