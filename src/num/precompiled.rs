//! Functions compiled in this crate for `f32` and for `f64`, the only two scalars.

use super::Scalar;

/// A function of either scalar, written by [`precompiled!`].
pub trait Precompiled {
    /// Arguments of the function.
    type Arguments<'a, T: Scalar>;
    /// Result of the function.
    type Output<T: Scalar>;
    /// Calls the function for `f32`.
    fn single(arguments: Self::Arguments<'_, f32>) -> Self::Output<f32>;
    /// Calls the function for `f64`.
    fn double(arguments: Self::Arguments<'_, f64>) -> Self::Output<f64>;
}

/// Defines functions of either scalar that are compiled in this crate. A generic function would be
/// compiled again in every crate that calls it, and by that crate's settings, which while a game is
/// written mostly have no optimisation.
///
/// All lifetimes of the arguments are the one that is named.
macro_rules! precompiled {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident<$life:lifetime, $scalar:ident>(
            $($argument:ident: $type:ty),* $(,)?
        ) -> $output:ty $body:block
    )*) => {$(
        $(#[$attribute])*
        #[inline]
        $visibility fn $name<$life, $scalar: $crate::num::Scalar>(
            $($argument: $type),*
        ) -> $output {
            struct Function;

            impl $crate::num::Precompiled for Function {
                type Arguments<$life, $scalar: $crate::num::Scalar> = ($($type,)*);
                type Output<$scalar: $crate::num::Scalar> = $output;

                // Unit tests compile what they call.
                #[cfg_attr(test, inline)]
                fn single(($($argument,)*): Self::Arguments<'_, f32>) -> Self::Output<f32> {
                    $body
                }

                // Without the feature `inline` leaves compiling it to the calling crate.
                #[cfg_attr(any(test, not(feature = "f64")), inline)]
                fn double(($($argument,)*): Self::Arguments<'_, f64>) -> Self::Output<f64> {
                    $body
                }
            }

            $scalar::precompiled::<Function>(($($argument,)*))
        }
    )*};
}
pub(crate) use precompiled;

/// Restricts [`Scalar`] to `f32` and `f64`, and selects the function compiled for each.
pub trait SealedScalar: Sized {
    /// Calls `F` as compiled for this scalar.
    fn precompiled<F: Precompiled>(arguments: F::Arguments<'_, Self>) -> F::Output<Self>
    where
        Self: Scalar;
}

impl SealedScalar for f32 {
    #[inline]
    fn precompiled<F: Precompiled>(arguments: F::Arguments<'_, f32>) -> F::Output<f32> {
        F::single(arguments)
    }
}

impl SealedScalar for f64 {
    #[inline]
    fn precompiled<F: Precompiled>(arguments: F::Arguments<'_, f64>) -> F::Output<f64> {
        F::double(arguments)
    }
}
