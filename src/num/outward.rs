//! Sums rounded outward: exact where they are exact.

use super::Scalar;

/// A value of `T` not below the sum of the terms; the least one where the sum of doubles is exact or has two terms.
///
/// What a sum loses is known exactly (Knuth, The Art of Computer Programming, volume 2, 4.2.2), so that sums of few bits, as
/// on a lattice, are not made larger.
pub(crate) fn sum_at_least<T: Scalar>(terms: &[f64]) -> T {
    let (mut sum, mut size, mut last) = (0.0f64, 0.0, 0.0);
    let mut losses = 0;
    for &term in terms {
        let next = sum + term;
        let part = next - sum;
        let lost = (sum - (next - part)) + (term - part);
        (losses, last) = if lost == 0.0 { (losses, last) } else { (losses + 1, lost) };
        (sum, size) = (next, size + term.abs());
    }
    match losses {
        0 => T::at_least(sum),
        1 if last < 0.0 => T::at_least(sum),
        1 => T::at_least(sum.next_up()),
        // Each loss is at most half a unit in the last place of what was added so far.
        _ => T::at_least(sum + size * (terms.len() as f64 * f64::EPSILON)),
    }
}

/// A value of `T` not above the sum of the terms; see [`sum_at_least`].
pub(crate) fn sum_at_most<T: Scalar, const N: usize>(terms: [f64; N]) -> T {
    -sum_at_least::<T>(&terms.map(|term| -term))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_sums_stay_and_others_go_outward() {
        assert_eq!(sum_at_least::<f64>(&[1.0, 2.0, -5.0]), -2.0);
        assert_eq!(sum_at_least::<f64>(&[1.0, 1e-30]), 1.0f64.next_up());
        assert_eq!(sum_at_least::<f64>(&[1.0, -1e-30]), 1.0);
        assert_eq!(sum_at_most::<f64, 2>([1.0, -1e-30]), 1.0f64.next_down());
        assert!(sum_at_least::<f64>(&[1.0, 1e-30, 1e-30]) > 1.0);
        assert!(sum_at_most::<f64, 3>([1.0, -1e-30, -1e-30]) < 1.0);
        assert_eq!(sum_at_least::<f32>(&[1.0, 1e-30]), 1.0f32.next_up());
        assert_eq!(sum_at_most::<f32, 2>([0.5, 0.25]), 0.75);
        let infinite = sum_at_least::<f64>(&[f64::INFINITY, 1.0]);
        assert_eq!(infinite, f64::INFINITY);
    }
}
