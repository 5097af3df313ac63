//! Scaling by one positive factor: products in double precision, rounded once to the stored type.

use super::Scalar;
use crate::error::Error;

/// Rejects factors that are not finite or not above zero.
pub(crate) fn check_factor(factor: f64) -> Result<(), Error> {
    check_positive(factor, "factor")
}

/// Rejects numbers that are not finite or not above zero, naming `field`.
pub(crate) fn check_positive(number: f64, field: &'static str) -> Result<(), Error> {
    match number {
        x if !x.is_finite() => Err(Error::NotFinite { field, index: 0 }),
        x if x <= 0.0 => Err(Error::NotPositive { field, index: 0 }),
        _ => Ok(()),
    }
}

/// Multiplies numbers by a checked factor; rejects products that would overflow, naming `field` and
/// `index`.
pub(crate) fn scale_checked<T: Scalar, const N: usize>(
    numbers: [T; N],
    factor: f64,
    field: &'static str,
    index: usize,
) -> Result<[T; N], Error> {
    let products = numbers.map(|x| x.wide() * factor);
    // The comparison is false for infinite products.
    match products.iter().all(|x| x.abs() <= T::MAX_COORDINATE) {
        true => Ok(products.map(T::nearest)),
        false => Err(Error::OutOfRange { field, index, limit: T::MAX_COORDINATE }),
    }
}

/// Returns the greatest power of two that is at most a positive number; 0 for subnormal numbers,
/// infinity for numbers that are not finite.
pub(crate) fn power_of_two(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & f64::INFINITY.to_bits())
}

/// Returns a power of two about as large as a length. Squares of lengths divided by it neither
/// overflow nor vanish, and its inverse does not overflow.
pub(crate) fn length_unit(length: f64) -> f64 {
    power_of_two(length).max(f64::MIN_POSITIVE)
}

/// Returns `true` if the factor is a power of two: products are then exact, unless they underflow.
pub(crate) fn is_power_of_two(factor: f64) -> bool {
    factor.is_normal() && power_of_two(factor) == factor
}

/// Error bounds of [`scale_checked`]: the relative one (the rounding to the type, and a little for
/// the product in double precision), and the absolute one for tiny numbers (the least number of the
/// type). The error is at most the sum of both.
pub(crate) fn scaling_error<T: Scalar>() -> (f64, f64) {
    (1.001 * T::ROUNDING, T::at_least(f64::from_bits(1)).wide())
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::exact::Exact;
    use crate::num::proof::cases;

    fn test_error<T: Scalar>(sizes: [f64; 3], factors: [f64; 3]) {
        let (share, least) = scaling_error::<T>();
        let mut chance = SplitMix64(11);
        for round in 0..cases(20_000) {
            let [x, f, _] = chance.point(1.0);
            let x = T::nearest(x * sizes[round % 3]);
            let factor = (f.abs() + 1e-9) * factors[round / 3 % 3];
            let [scaled] = scale_checked([x], factor, "x", 0).expect("in range");
            let exact = &Exact::new(x.wide()) * &Exact::new(factor);
            let off = (&exact - &Exact::new(scaled.wide())).abs();
            let most = Exact::new(share * (x.wide() * factor).abs() + least);
            assert!((&most - &off).sign() as i32 >= 0, "{x:?} {factor}");
        }
    }

    pub fn no_product_is_further_off_than_stated() {
        test_error::<f32>([1.0, 1e20, 1e-30], [1.0, 1e8, 1e-14]);
        test_error::<f64>([1.0, 1e60, 1e-300], [1.0, 1e8, 1e-20]);
    }

    pub fn powers_of_two_are_told_from_others() {
        for factor in [1.0, 2.0, 0.25, 2f64.powi(-900)] {
            assert!(is_power_of_two(factor));
        }
        for factor in [3.0, 1.5, f64::NAN, 0.0, f64::INFINITY, 2f64.powi(-1040)] {
            assert!(!is_power_of_two(factor));
        }
    }

    pub fn factors_and_products_out_of_range_are_refused() {
        for factor in [0.0, -0.0, -2.0] {
            assert_eq!(check_factor(factor), Err(Error::NotPositive { field: "factor", index: 0 }));
        }
        for factor in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(check_factor(factor), Err(Error::NotFinite { .. })));
        }
        let far = scale_checked([1e20_f32, 0.0], 1e300, "vertex", 3);
        assert_eq!(far, Err(Error::OutOfRange { field: "vertex", index: 3, limit: 1e30 }));
    }
}
