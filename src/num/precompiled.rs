//! Functions compiled in this crate for `f32` and for `f64`, the only two scalars.

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

                fn single(($($argument,)*): Self::Arguments<'_, f32>) -> Self::Output<f32> {
                    $body
                }

                // Without the feature `inline` leaves compiling it to the calling crate.
                #[cfg_attr(not(feature = "f64"), inline)]
                fn double(($($argument,)*): Self::Arguments<'_, f64>) -> Self::Output<f64> {
                    $body
                }
            }

            $scalar::precompiled::<Function>(($($argument,)*))
        }
    )*};
}
pub(crate) use precompiled;
