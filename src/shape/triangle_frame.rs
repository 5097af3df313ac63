//! Box axes for a single triangle.

use crate::num::linear::{
    Mat3, Vec3, choose, cross, dot, length, orthogonal_part, scale, skew_at, sub,
};
use crate::num::simd::Doubles;
use crate::num::tolerance::AXES_ERROR;

/// Axes along the longest edge and the normal: the smallest box around a triangle has an edge along
/// a side. Their skew is at most [`AXES_ERROR`], for slivers too. The mask is `false` for corners
/// on one line or in one point, and for lengths whose square underflows.
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
    let one = D::splat(token, 1.0);
    let (x, z) = (scale(longest, one / along), scale(normal, one / up));
    let z = orthogonal_normal(token, z, x);
    let axes = [x, cross(z, x), z];
    let area = D::both(along.above(D::splat(token, 0.0)), up.above(noise));
    let straight = skew_at(token, &axes).at_most(D::splat(token, AXES_ERROR));
    (D::both(area, straight), axes)
}

/// The normal, made orthogonal to `x`. The cross product of a sliver's edges deviates from a right
/// angle by the rounding of the edges' products over its height: up to 4e-4 before it counts as
/// noise.
#[inline(always)]
fn orthogonal_normal<D: Doubles>(token: D::Token, normal: Vec3<D>, x: Vec3<D>) -> Vec3<D> {
    let square = orthogonal_part(normal, x);
    let square = scale(square, D::splat(token, 1.0) / length(square));
    let slanted = dot(normal, x).abs().above(D::splat(token, AXES_ERROR));
    choose(slanted, square, normal)
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::linear::{add, skew};
    use crate::num::proof::cases;

    /// A random triangle of about that size, with a height of that share of its length.
    fn sliver(chance: &mut SplitMix64, size: f64, height: f64) -> [Vec3; 3] {
        let [at, along, aside] = [0; 3].map(|_| chance.point(size));
        let foot = 1.4 * chance.share() - 0.2;
        let apex = add(scale(along, foot), scale(aside, height));
        [at, add(at, along), add(at, apex)]
    }

    pub fn axes_are_at_right_angles_whatever_the_height() {
        let (mut chance, count) = (SplitMix64(11), cases(40_000));
        let (mut slanted, mut sound) = (0, 0);
        for index in 0..count {
            let size = [1.0, 1e-30, 1e-70, 1e-90, 1e30, 1e70][index % 6];
            let height = 10f64.powi(-(index as i32 / 6 % 14));
            let [a, b, c] = sliver(&mut chance, size, height);
            let far = if index % 5 == 0 { scale([1.0, -0.4, 0.7], 100.0 * size) } else { [0.0; 3] };
            let corners = [a, b, c].map(|p| add(p, far));
            let (is_sound, axes) = triangle_frame((), corners);
            if !is_sound {
                continue;
            }
            sound += 1;
            assert!(skew(&axes) <= AXES_ERROR, "{corners:?}: {:e}", skew(&axes));
            assert!(dot(cross(axes[0], axes[1]), axes[2]) > 0.9);
            let edges = [sub(corners[1], corners[0]), sub(corners[2], corners[1])];
            let normal = cross(edges[0], edges[1]);
            let normal = scale(normal, 1.0 / length(normal));
            slanted += usize::from(dot(normal, axes[0]).abs() > AXES_ERROR);
            // The repair rotates the normal by no more than its error.
            assert!(dot(normal, axes[2]) > 1.0 - 1e-6);
        }
        assert!(sound > count / 2 && slanted > count / 8, "{sound} {slanted}");
    }

    pub fn the_triangle_of_issue_53_has_straight_axes() {
        let corners = [
            [0.06084498, 0.03865925455719156, -0.028430522585903412],
            [-0.01163033, 0.025674982651482346, -0.01784322813093473],
            [0.06015251, 0.038565484933099414, -0.02828886233707679],
        ];
        let (sound, axes) = triangle_frame((), corners);
        assert!(sound && skew(&axes) <= AXES_ERROR, "{:e}", skew(&axes));
        let edges = [sub(corners[1], corners[0]), sub(corners[2], corners[1])];
        let normal = cross(edges[0], edges[1]);
        let raw = dot(scale(normal, 1.0 / length(normal)), axes[0]).abs();
        assert!(raw > AXES_ERROR, "the cross product alone would do: {raw:e}");
    }

    pub fn corners_on_one_line_have_no_frame() {
        let [p, q] = [[1.0, 2.0, 3.0], [-2.0, 0.5, 1.0]];
        let half = scale(add(p, q), 0.5);
        for corners in
            [[p, p, p], [p, q, p], [p, q, half], [[1e-200; 3], [0.0; 3], [1e-200, 0.0, 0.0]]]
        {
            assert!(!triangle_frame((), corners).0, "{corners:?}");
        }
    }
}
