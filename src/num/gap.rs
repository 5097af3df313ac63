//! Largest distance of two boxes that no axis separates by more than a slack.

use super::simd::Doubles;

/// Returns an upper bound on the distance of two boxes that no axis separates by more than `slack`.
/// World units.
///
/// `slack` is that of the test, `size = |a| + |b|` the sum of the half diagonals, `least_sine` the
/// least `|A_i x B_j|` of the nine edge pairs if known; the worst case is assumed for `None`.
///
/// Proof. The computed test passed, so on every axis truly `|t.L| <= r + s`, with `s = 2 slack`.
/// *Growing*: let all nine sines be at least `k`. Grow every half extent by `s / 2k`: a face axis
/// gains `s / k >= s` of radius, an edge axis at least `2 (s / 2k) sine >= s`. No axis separates
/// the grown boxes, so they overlap, and the boxes are at most `2 sqrt(3) s / 2k` apart.
/// *Rotating*: let some sine be `k`. Rotate one box about its centre by the angle `f` that makes
/// those two edges parallel; every edge axis is then a face axis or zero, and each face axis is
/// exceeded by at most `s + f (|t| + |a|)`, so growing by half of that makes the boxes overlap.
/// Undoing the rotation moves points by at most `f |b|`. With `|t| <= size + d`, rotating whichever
/// box is cheaper: `d <= (sqrt(3) s + 3.2 f size) / (1 - sqrt(3) f)`. The bound by growing shrinks
/// with `k` and that by rotating grows, so the larger of the two at any one `k` bounds every case.
///
/// ```
/// use boxwood::num::tolerance::{LEAF_SLACK_F64, gap};
///
/// let size = 2.0; // of both boxes together
/// let square = gap(LEAF_SLACK_F64 * size, size, Some(1.0)); // all edges at right angles
/// assert!(square > 0.0 && square < 1e-11);
/// assert!(gap(LEAF_SLACK_F64 * size, size, None) >= square); // whatever the angles
/// ```
pub fn gap(slack: f64, size: f64, least_sine: Option<f64>) -> f64 {
    least_sine.map_or_else(|| worst_gap(slack, size), |k| gap_at((), slack, size, k))
}

/// Returns [`gap`] for a known least sine.
#[inline(always)]
pub(crate) fn gap_at<D: Doubles>(token: D::Token, slack: D, size: D, k: D) -> D {
    let face = D::splat(token, 3f64.sqrt() * 2.0) * slack;
    // The angle exceeds its sine by less than 0.2 % up to k = 0.1.
    let turned = (face + D::splat(token, 3.3) * k * size)
        / (D::splat(token, 1.0) - D::splat(token, 1.8) * k);
    let small = D::splat(token, 0.1).above(k);
    let turned = D::choose(small, turned, D::splat(token, f64::INFINITY));
    // Covers the rounding of this sum itself.
    turned.lesser(face / k) * D::splat(token, 1.0 + 1e-12)
}

/// Returns the bound without a known sine: the larger of both bounds where they are equal.
fn worst_gap(slack: f64, size: f64) -> f64 {
    let face = 3f64.sqrt() * 2.0 * slack;
    let balance = (face / (3.2 * size)).sqrt().min(0.05);
    let turned = (face + 3.3 * balance * size) / (1.0 - 1.8 * balance);
    (face / balance).max(turned) * (1.0 + 1e-12)
}
