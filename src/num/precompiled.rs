//! Functions compiled in this crate once for `f32` and once for `f64`, the only two scalars.

use super::Scalar;

/// A function of either scalar that is compiled in this crate. A generic function would be compiled
/// again in every crate that calls it, and by that crate's settings, which while a game is written
/// mostly have no optimisation.
pub trait Precompiled: Sized {
    /// Arguments of the function.
    type Given<'a, T: Scalar>;
    /// Result of the function.
    type Answer<T: Scalar>;
    /// The function for `f32`.
    fn single(self, given: Self::Given<'_, f32>) -> Self::Answer<f32>;
    /// The function for `f64`.
    fn double(self, given: Self::Given<'_, f64>) -> Self::Answer<f64>;
}

/// Implements both functions of [`Precompiled`] by one expression.
macro_rules! precompile {
    (|$work:pat_param, $given:pat_param| $answer:expr) => {
        // Unit tests compile what they call.
        #[cfg_attr(test, inline)]
        fn single(self, given: Self::Given<'_, f32>) -> Self::Answer<f32> {
            let ($work, $given) = (self, given);
            $answer
        }

        // Without the feature `inline` leaves compiling it to the calling crate.
        #[cfg_attr(any(test, not(feature = "f64")), inline)]
        fn double(self, given: Self::Given<'_, f64>) -> Self::Answer<f64> {
            let ($work, $given) = (self, given);
            $answer
        }
    };
}
pub(crate) use precompile;

/// Restricts [`Scalar`] to `f32` and `f64`, and selects the function compiled for each.
pub trait SealedScalar: Sized {
    /// Runs `work` as compiled for this scalar.
    fn precompiled<A: Precompiled>(work: A, given: A::Given<'_, Self>) -> A::Answer<Self>
    where
        Self: Scalar;
}

impl SealedScalar for f32 {
    #[inline]
    fn precompiled<A: Precompiled>(work: A, given: A::Given<'_, f32>) -> A::Answer<f32> {
        work.single(given)
    }
}

impl SealedScalar for f64 {
    #[inline]
    fn precompiled<A: Precompiled>(work: A, given: A::Given<'_, f64>) -> A::Answer<f64> {
        work.double(given)
    }
}
