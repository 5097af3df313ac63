//! Arithmetic operators for the wrappers of SIMD vectors.

/// Implements `+ - * /` and negation lane by lane.
macro_rules! lanewise {
    ($lanes:ident) => {
        lanewise!($lanes: Add add +, Sub sub -, Mul mul *, Div div /);

        impl<S: fearless_simd::Simd> std::ops::Neg for $lanes<S> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                $lanes(-self.0)
            }
        }
    };
    ($lanes:ident: $($name:ident $method:ident $op:tt),*) => {$(
        impl<S: fearless_simd::Simd> std::ops::$name for $lanes<S> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $lanes(self.0 $op other.0)
            }
        }
    )*};
}

pub(super) use lanewise;
