//! One pair of oriented boxes at a glance: axes side by side, by instructions that every machine of
//! the target has.
//!
//! What is certain is what [`glance`](super) says of boxes placed in double precision: these are
//! rounded as often at most.

use fearless_simd::{Level, dispatch};

use super::{APART, DEEP, LEAST, SPARE};
use crate::num::Scalar;
use crate::num::simd::Coordinates;
use crate::num::simd::wide::SingleTriple;
use crate::pair::three_axes::ThreeAxes;
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
    dispatch!(Level::baseline(), simd => look::<SingleTriple<_>>(simd, [&a, &b], offset, deep))
}

#[inline(always)]
fn look<V: Coordinates<Element = f32>>(
    token: V::Token,
    [a, b]: [&Narrow; 2],
    [x, y, z]: [f32; 3],
    deep: f32,
) -> Option<bool> {
    let size = a.size + b.size;
    let spare = SPARE * size;
    let less = [a.half[0] - spare, a.half[1] - spare, a.half[2] - spare];
    let pair = ThreeAxes::<V>::new(token, [&a.axes, &b.axes], [x, y, z], [less, b.half]);
    let mut most = pair.faces_of_first().excess().high(pair.faces_of_second().excess());
    let all = size + (x.abs() + y.abs() + z.abs());
    let tells = a.size.min(b.size) >= LEAST as f32 && all <= MOST;
    let far = V::splat(token, APART * all);
    if V::any(most.above(far)) {
        return tells.then_some(false);
    }
    for i in 0..3 {
        most = most.high(pair.edges(i).excess());
    }
    if V::any(most.above(far)) {
        return tells.then_some(false);
    }
    (tells && V::all(most.within(V::splat(token, -deep * size)))).then_some(true)
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
