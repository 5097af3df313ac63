//! The two scalars, and work that is compiled for each of them once.

use super::Scalar;

/// Work on what there is of either scalar. It is compiled here, not once more in every crate that asks for it: what is
/// generic would be.
pub trait Apiece: Sized {
    type Given<T: Scalar>;
    type Answer<T: Scalar>;
    fn single(self, given: Self::Given<f32>) -> Self::Answer<f32>;
    fn double(self, given: Self::Given<f64>) -> Self::Answer<f64>;
}

/// The two there are.
pub trait Sealed: Sized {
    /// Does the work on what is of this scalar.
    fn apiece<A: Apiece>(work: A, given: A::Given<Self>) -> A::Answer<Self>
    where
        Self: Scalar;
}

impl Sealed for f32 {
    #[inline]
    fn apiece<A: Apiece>(work: A, given: A::Given<f32>) -> A::Answer<f32> {
        work.single(given)
    }
}

impl Sealed for f64 {
    #[inline]
    fn apiece<A: Apiece>(work: A, given: A::Given<f64>) -> A::Answer<f64> {
        work.double(given)
    }
}
