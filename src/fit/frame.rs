//! Box axes for a single triangle.

use crate::num::linear::{Mat3, Vec3, choose, cross, dot, length, scale, sub};
use crate::num::simd::Doubles;

/// Axes along the longest edge and the normal: the least box around a triangle has an edge along a
/// side. The mask is false where corners are on one line or in one point.
#[inline(always)]
pub(crate) fn triangle_frame<D: Doubles>(
    token: D::Token,
    [a, b, c]: [Vec3<D>; 3],
) -> (D::Mask, Mat3<D>) {
    let edges = [sub(b, a), sub(c, b), sub(a, c)];
    let mut longest = edges[0];
    for edge in [edges[1], edges[2]] {
        let longer = dot(edge, edge).above(dot(longest, longest));
        longest = choose(longer, edge, longest);
    }
    let normal = cross(edges[0], edges[1]);
    let (along, up) = (length(longest), length(normal));
    // Below this share of the edge squared the normal is rounding noise.
    let noise = D::splat(token, 1e-12) * along * along;
    let sound = D::both(along.above(D::splat(token, 0.0)), up.above(noise));
    let one = D::splat(token, 1.0);
    let (x, z) = (scale(longest, one / along), scale(normal, one / up));
    (sound, [x, cross(z, x), z])
}
