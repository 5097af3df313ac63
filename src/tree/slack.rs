//! How far apart the geometry of two trees can be where something of them touches: bounds that hold
//! wherever they are.

use super::{Accuracy, ObbTree};
use crate::num::{Scalar, tolerance};

/// What lengths in the frame of a part are rounded by at most, as a share of the reach of both
/// parts and of how far apart these are; also more than GJK leaves undecided of what is round, as
/// [`ConvexPair`](crate::pair::convex::ConvexPair) proves.
pub(super) const ROUNDING: f64 = 1.0 / (1u64 << 40) as f64;

/// What primitives that are closer than a margin, rounded, can be further apart. World units.
pub(super) fn primitive_slack<T: Scalar>([a, b]: [&ObbTree<T>; 2], margin: f64) -> T {
    let reach = a.wide_reach() + b.wide_reach();
    if margin == 0.0 {
        let round = [a, b].iter().any(|tree| tree.geometry().is_round());
        return if round { T::at_least(ROUNDING * reach) } else { T::zero() };
    }
    // Of two within the margin the origins are no further apart.
    let rounding = ROUNDING * (2.0 * reach + margin);
    let turned = match [a, b].iter().all(|tree| tree.geometry().mesh().is_some()) {
        true => 0.0,
        false => {
            let size = a.coarsest(u8::MAX).radius + b.coarsest(u8::MAX).radius;
            T::LEAF_SLACK * (size + T::REACH_SHARE * reach + margin)
        }
    };
    T::at_least(2.0 * (rounding + turned) * (1.0 + ROUNDING))
}

/// A slack that holds for everything of two trees that touches at that accuracy; with a budget, for
/// everything at any depth. The same both ways round. World units.
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

/// A slack that holds for every two nodes of the cuts at `depth`. The same both ways round.
pub(crate) fn cut_slack<T: Scalar>([a, b]: [&ObbTree<T>; 2], depth: u8, margin: f64) -> T {
    let (first, second) = (a.coarsest(depth), b.coarsest(depth));
    let size = first.radius + second.radius;
    let slack = T::LEAF_SLACK * (size + (T::REACH_SHARE * (a.reach + b.reach) + margin));
    let least = primitive_slack([a, b], margin).wide();
    T::at_least(first.bound + second.bound + tolerance::gap(slack, size, None) + least)
}
