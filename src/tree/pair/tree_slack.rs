//! Slack of two whole trees, valid in any pose; [`TreePair::slack`](crate::tree::TreePair::slack)
//! is that of one reported pair.

use crate::num::{Scalar, tolerance};
use crate::tree::{Accuracy, ObbTree};

/// Rounding error of lengths in the frame of a part, as a share of the radii of both parts about
/// their origins and of the distance of these. Also covers what GJK leaves undecided of round
/// shapes, as [`ConvexPair`](crate::pair::convex::ConvexPair) proves.
pub(in crate::tree) const LENGTH_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

/// Returns the slack of primitives whose computed distance is within a margin [world units].
pub(in crate::tree) fn primitive_slack<T: Scalar>([a, b]: [&ObbTree<T>; 2], margin: f64) -> T {
    let reach = a.wide_radius_about_origin() + b.wide_radius_about_origin();
    if margin == 0.0 {
        let has_round_shapes = a.has_inexact_shapes || b.has_inexact_shapes;
        return if has_round_shapes { T::at_least(LENGTH_ERROR * reach) } else { T::zero() };
    }
    // The origins of primitives within the margin are no further apart than radii and margin
    // together.
    let rounding = LENGTH_ERROR * (2.0 * reach + margin);
    let skew_pad = match [a, b].iter().all(|tree| tree.geometry().mesh().is_some()) {
        true => 0.0,
        false => {
            let size = a.cut_bounds(u8::MAX).radius + b.cut_bounds(u8::MAX).radius;
            T::LEAF_SLACK * (size + T::REACH_SHARE * reach + margin)
        }
    };
    T::at_least(2.0 * (rounding + skew_pad) * (1.0 + LENGTH_ERROR))
}

/// Returns a slack of two trees that are reported at that accuracy; with a budget, whatever its
/// frontier has completed [world units]. Symmetric in the trees.
pub(crate) fn part_slack<T: Scalar>(
    [a, b]: [&ObbTree<T>; 2],
    accuracy: Accuracy,
    margin: f64,
) -> T {
    match accuracy {
        Accuracy::Depth(depth) => cut_slack([a, b], depth, margin),
        Accuracy::Within(t) => {
            let (t, exactly) = (T::at_most(t), primitive_slack([a, b], margin));
            if exactly > t { exactly } else { t }
        }
        Accuracy::Budget(_) => cut_slack([a, b], 0, margin),
        Accuracy::Exact => primitive_slack([a, b], margin),
    }
}

/// Returns a slack of two trees that are reported at a cut: the least, over the depths up to
/// `depth`, of the largest bounds of both cuts at that depth with what rounding can hide there
/// [world units]. Symmetric in the trees, and never greater for a greater depth.
///
/// A reported pair of nodes has a pair of ancestors at each of these depths that no test separates,
/// and the bounds of both are at most the largest of their cuts.
pub(crate) fn cut_slack<T: Scalar>([a, b]: [&ObbTree<T>; 2], depth: u8, margin: f64) -> T {
    let of_primitives = primitive_slack([a, b], margin).wide();
    let size_pad = T::REACH_SHARE * (a.radius_about_origin + b.radius_about_origin) + margin;
    let (mut depth, mut least) = (depth.min(a.depth.max(b.depth)), f64::INFINITY);
    loop {
        let (first, second) = (a.cut_bounds(depth), b.cut_bounds(depth));
        let bounds = first.bound + second.bound;
        if bounds < least {
            let size = first.radius + second.radius;
            let gap = tolerance::gap(T::LEAF_SLACK * (size + size_pad), size, None);
            least = least.min(bounds + gap + of_primitives);
        }
        // Bounds mostly fall with depth: then this ends at the first step.
        let Some(above) = depth.checked_sub(1) else { break };
        if a.cut_bounds(above).least_bound + b.cut_bounds(above).least_bound >= least {
            break;
        }
        depth = above;
    }
    T::at_least(least)
}
