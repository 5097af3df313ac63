//! Sums rounded outward; exact sums are not rounded.

use super::Scalar;

/// Returns an upper bound on the sum of the terms in `T`. It is the least one if at most one of the
/// additions is inexact, as with two terms or on a lattice.
pub(crate) fn sum_at_least<T: Scalar>(terms: &[f64]) -> T {
    let (mut sum, mut size, mut lost, mut losses) = (0.0, 0.0, 0.0, 0);
    for &term in terms {
        let (next, loss) = exact_sum(sum, term);
        if loss != 0.0 {
            (lost, losses) = (loss, losses + 1);
        }
        (sum, size) = (next, size + term.abs());
    }
    if losses > 1 {
        // Each loss is at most half a unit in the last place of the sum of sizes up to its term.
        return T::at_least(sum + size * (terms.len() as f64 * f64::EPSILON));
    }
    // Adds the loss, rounding up: after cancellation it may exceed the last place of the sum.
    let (whole, rest) = if lost == 0.0 { (sum, 0.0) } else { exact_sum(sum, lost) };
    T::at_least(if rest > 0.0 { whole.next_up() } else { whole })
}

/// Returns a rounded sum and its exact rounding error (TwoSum). Source: Knuth, The Art of Computer
/// Programming, volume 2, 4.2.2.
fn exact_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// Returns a lower bound on the sum of the terms in `T`; see [`sum_at_least`].
pub(crate) fn sum_at_most<T: Scalar, const N: usize>(terms: [f64; N]) -> T {
    -sum_at_least::<T>(&terms.map(|term| -term))
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn exact_sums_stay_and_others_go_outward() {
        assert_eq!(sum_at_least::<f64>(&[1.0, 2.0, -5.0]), -2.0);
        assert_eq!(sum_at_least::<f64>(&[1.0, 1e-30]), 1.0f64.next_up());
        assert_eq!(sum_at_least::<f64>(&[1.0, -1e-30]), 1.0);
        assert_eq!(sum_at_most::<f64, 2>([1.0, -1e-30]), 1.0f64.next_down());
        assert!(sum_at_least::<f64>(&[1.0, 1e-30, 1e-30]) > 1.0);
        assert!(sum_at_most::<f64, 3>([1.0, -1e-30, -1e-30]) < 1.0);
        assert_eq!(sum_at_least::<f32>(&[1.0, 1e-30]), 1.0f32.next_up());
        assert_eq!(sum_at_most::<f32, 2>([0.5, 0.25]), 0.75);
        // An early loss exceeds the last place of the final sum.
        assert_eq!(sum_at_least::<f64>(&[1.0, 1e-17, -1.0]), 1e-17);
        assert_eq!(sum_at_most::<f64, 3>([1.0, -1e-17, -1.0]), -1e-17);
        let infinite = sum_at_least::<f64>(&[f64::INFINITY, 1.0]);
        assert_eq!(infinite, f64::INFINITY);
    }
}
