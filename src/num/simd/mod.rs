//! SIMD lanes: generic code runs one number at a time or a register at a time.
//!
//! One trait, [`Lanes`], covers every element and width: machine registers of `f32` and of `f64`,
//! eight `f32`, three `f64` in a register of four, and plain numbers. Equal operations in equal
//! order give equal bits in each lane, whatever the width: only `+ - * / sqrt` and comparisons.
//!
//! Deciding tests use lanes of `f64`. A prefilter in lanes of `f32` returns only results that are
//! certain beyond rounding and leaves the others to the deciding test, so no instruction set can
//! change an answer.

mod lanes;
mod plain;
#[cfg(feature = "simd")]
pub(crate) mod wide;

#[cfg(feature = "simd")]
pub(crate) use lanes::FloatTripleKernel;
pub(crate) use lanes::{
    Coordinates, DoubleKernel, DoubleTriple, Doubles, FloatKernel, Floats, Lanes, MAX_DOUBLES,
    MAX_FLOATS, TripleKernel, Zip,
};
pub(crate) use plain::PlainTriple;
