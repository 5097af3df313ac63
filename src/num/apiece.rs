//! Work that is compiled once for each of the two scalars; there are no others.

use super::Scalar;

/// Work on what there is of either scalar. It is compiled here, once: what is generic would be compiled again in every crate that asks
/// for it, and by that crate's settings, which while a game is written are mostly those without optimisation.
pub trait Apiece: Sized {
    type Given<'a, T: Scalar>;
    type Answer<T: Scalar>;
    fn single(self, given: Self::Given<'_, f32>) -> Self::Answer<f32>;
    fn double(self, given: Self::Given<'_, f64>) -> Self::Answer<f64>;
}

/// The two functions of [`Apiece`], from what they do alike with the work and what is given.
macro_rules! for_both {
    (|$work:pat_param, $given:pat_param| $answer:expr) => {
        fn single(self, given: Self::Given<'_, f32>) -> Self::Answer<f32> {
            let ($work, $given) = (self, given);
            $answer
        }

        // Without the feature nothing is compiled here: `inline` leaves that to whoever calls.
        #[cfg_attr(not(feature = "f64"), inline)]
        fn double(self, given: Self::Given<'_, f64>) -> Self::Answer<f64> {
            let ($work, $given) = (self, given);
            $answer
        }
    };
}
pub(crate) use for_both;

/// The two scalars: nothing else has [`Scalar`].
pub trait Sealed: Sized {
    /// Does the work on what is of this scalar.
    fn apiece<A: Apiece>(work: A, given: A::Given<'_, Self>) -> A::Answer<Self>
    where
        Self: Scalar;
}

impl Sealed for f32 {
    #[inline]
    fn apiece<A: Apiece>(work: A, given: A::Given<'_, f32>) -> A::Answer<f32> {
        work.single(given)
    }
}

impl Sealed for f64 {
    #[inline]
    fn apiece<A: Apiece>(work: A, given: A::Given<'_, f64>) -> A::Answer<f64> {
        work.double(given)
    }
}
