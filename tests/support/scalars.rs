//! Tests of both number types.

/// Makes two tests of each generic function, `name::f32` and `name::f64`, by rows
/// `name => function(arguments);`, or `name => function(arguments of f32; arguments of f64);`.
#[macro_export]
macro_rules! scalars {
    () => {};
    ($(#[$doc:meta])* $name:ident => $test:ident($($a:expr),*); $($rest:tt)*) => {
        $crate::scalars! { $(#[$doc])* $name => $test($($a),*; $($a),*); $($rest)* }
    };
    (
        $(#[$doc:meta])* $name:ident => $test:ident($($a:expr),*; $($b:expr),*);
        $($rest:tt)*
    ) => {
        $(#[$doc])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn f32() {
                super::$test::<f32>($($a),*);
            }

            #[test]
            fn f64() {
                super::$test::<f64>($($b),*);
            }
        }
        $crate::scalars! { $($rest)* }
    };
}
