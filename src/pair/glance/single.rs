//! One pair of oriented boxes at a glance: axes side by side, by instructions that every machine of
//! the target has.
//!
//! What is certain is what [`glance`](super) says of boxes placed in double precision: these are
//! rounded as often at most.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x4, mask32x4};

use super::{APART, DEEP, LEAST, SPARE};
use crate::num::Scalar;
use crate::shape::Obb;

/// Larger boxes, or further apart, are not looked at: products may overflow. Units.
const MOST: f32 = 1e30;

/// A box in single precision, without the centre.
struct Narrow {
    axes: [[f32; 3]; 3],
    half: [f32; 3],
    /// The sum of the half extents.
    size: f32,
}

impl Narrow {
    #[inline(always)]
    fn new<T: Scalar>(solid: &Obb<T>) -> Self {
        let (axes, half) = (solid.axes(), solid.half_extents());
        let axis = |j: usize| [0, 1, 2].map(|i| axes[(i, j)].wide() as f32);
        let half = [0, 1, 2].map(|i| half[i].wide() as f32);
        Narrow { axes: [axis(0), axis(1), axis(2)], half, size: half[0] + half[1] + half[2] }
    }
}

/// Whether two boxes share a point, as the test in double precision would have it; `None` for close
/// calls.
// A call of its own: with two callers, what comes next would be one, and be given all numbers
// through memory. Measured: 28 ns for 19.
#[inline(never)]
pub(crate) fn touch<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> Option<bool> {
    let (from, to) = (a.center(), b.center());
    let offset = [0, 1, 2].map(|i| (to[i].wide() - from[i].wide()) as f32);
    let deep = if T::IS_SINGLE { 0.0 } else { DEEP };
    let (a, b) = (Narrow::new(a), Narrow::new(b));
    dispatch!(Level::baseline(), simd => look(simd, [&a, &b], offset, deep))
}

/// Vectors have a lane for each coordinate; the last is the first again, or means nothing.
#[inline(always)]
fn look<S: Simd>(simd: S, [a, b]: [&Narrow; 2], d: [f32; 3], deep: f32) -> Option<bool> {
    let splat = |x: f32| f32x4::splat(simd, x);
    let (on_a, on_b) = (across(simd, &a.axes), across(simd, &b.axes));
    let size = a.size + b.size;
    let less = a.half.map(|half| half - SPARE * size);
    let (half_a, half_b) = (vector(simd, less), vector(simd, b.half));
    // Row `i`: axis `i` of the first along those of the second.
    let rows = [0, 1, 2].map(|i| along(simd, &on_b, &a.axes[i]));
    let lengths = rows.map(|row| row.abs());
    let t = along(simd, &on_a, &d);
    let [x, y, z] = transposed(lengths.map(|row| row * half_b));
    let of_a = t.abs() - (half_a + x + y + z);
    let of_b = along(simd, &on_b, &d).abs() - (half_b + along(simd, &lengths, &less));
    let mut most = of_a.max(of_b);
    let all = size + (d[0].abs() + d[1].abs() + d[2].abs());
    let tells = a.size.min(b.size) >= LEAST as f32 && all <= MOST;
    let far = splat(APART * all);
    if most.simd_gt(far).any_true() {
        return tells.then_some(false);
    }
    let t: [f32; 4] = t.into();
    let next_b = half_b.slide::<1>(half_b);
    let other_b = half_b.slide::<2>(next_b);
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let next = lengths[i].slide::<1>(lengths[i]);
        let other = lengths[i].slide::<2>(next);
        let distance = splat(t[i2]) * rows[i1] - splat(t[i1]) * rows[i2];
        let reach_a = splat(less[i1]) * lengths[i2] + splat(less[i2]) * lengths[i1];
        let reach_b = next_b * other + other_b * next;
        most = most.max(distance.abs() - (reach_a + reach_b));
    }
    let three = |mask: mask32x4<S>| mask.to_bitmask() & 0b111;
    if three(most.simd_gt(far)) != 0 {
        return tells.then_some(false);
    }
    (tells && three(most.simd_le(splat(-deep * size))) == 0b111).then_some(true)
}

#[inline(always)]
fn vector<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> f32x4<S> {
    [x, y, z, x].simd_into(simd)
}

/// Coordinate by coordinate those of three vectors.
#[inline(always)]
fn across<S: Simd>(simd: S, [x, y, z]: &[[f32; 3]; 3]) -> [f32x4<S>; 3] {
    [0, 1, 2].map(|k| vector(simd, [x[k], y[k], z[k]]))
}

/// A vector along three of which those are the coordinates.
#[inline(always)]
fn along<S: Simd>(simd: S, [x, y, z]: &[f32x4<S>; 3], v: &[f32; 3]) -> f32x4<S> {
    let splat = |x: f32| f32x4::splat(simd, x);
    *x * splat(v[0]) + *y * splat(v[1]) + *z * splat(v[2])
}

/// Rows of four as columns; the last row means nothing.
#[inline(always)]
pub(crate) fn transposed<S: Simd, V: SimdBase<S>>([x, y, z]: [V; 3]) -> [V; 3] {
    let (low, high) = ([x.zip_low(z), y.zip_low(x)], [x.zip_high(z), y.zip_high(x)]);
    [low[0].zip_low(low[1]), low[0].zip_high(low[1]), high[0].zip_low(high[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::chance::Chance;
    use crate::pair::obb_obb::touch_closely;

    /// Touching, apart, not told of so many.
    fn told<T: Scalar>(sizes: [f64; 2], far: f64) -> [usize; 3] {
        let (mut chance, mut told) = (Chance(7), [0; 3]);
        for _ in 0..60_000 {
            let size = sizes[0] * (sizes[1] / sizes[0]).powf(chance.share());
            let far = far * size * chance.share();
            let [a, b] = chance.boxes::<T>(size, far);
            for [a, b] in [[&a, &b], [&b, &a]] {
                let closely = touch_closely(a, b);
                match touch(a, b) {
                    Some(touch) => {
                        assert_eq!(touch, closely, "{a:?} {b:?}");
                        told[usize::from(!touch)] += 1;
                    }
                    None => told[2] += 1,
                }
            }
        }
        told
    }

    #[test]
    fn what_it_tells_is_what_the_test_in_double_precision_says() {
        for (sizes, far) in [([1e-3, 1e3], 0.0), ([1e-3, 1e3], 1e8), ([1e-30, 1e14], 10.0)] {
            let of_all = [told::<f32>(sizes, far), told::<f64>(sizes, far)];
            println!("sizes {sizes:?}, {far} sizes out: touching, apart, not told {of_all:?}");
            assert!(of_all.as_flattened().iter().all(|&count| count > 2_000), "one-sided");
        }
        let beyond = [told::<f64>([1e-60, 1e-40], 10.0), told::<f64>([1e45, 1e60], 10.0)];
        assert_eq!(
            beyond.map(|told| told[2]),
            [120_000; 2],
            "single precision tells nothing of these"
        );
    }
}
