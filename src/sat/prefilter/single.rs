//! Prefilter of one pair of oriented boxes, by kernel 2. It has no early out: the separating axis
//! is as likely a face as an edge, and a mispredicted branch costs more than the remaining axes.

use super::pads::{EXTENT_PAD, MIN_SIZE, OVERLAP_PAD_F64, SEPARATION_PAD};
use crate::num::simd::{Coordinates, FloatTripleKernel};
use crate::num::{Scalar, SimdLevel};
use crate::sat::ThreeAxes;
use crate::shape::Obb;

/// Greatest size and distance tested here: larger products may overflow [length units].
const MAX_SIZE: f32 = 1e30;

/// Returns `true` if two boxes share a point, as the deciding test would; `None` if undecided.
// Never inlined: the callers would pass all numbers through memory. Measured: 28 ns instead of 19.
#[inline(never)]
pub(crate) fn intersects<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> Option<bool> {
    SimdLevel::best().run_float_triples(SinglePairKernel([a, b])).flatten()
}

struct SinglePairKernel<'a, T: Scalar>([&'a Obb<T>; 2]);

impl<T: Scalar> FloatTripleKernel for SinglePairKernel<'_, T> {
    type Output = Option<bool>;

    #[inline(always)]
    fn run<V: Coordinates<Element = f32>>(self, token: V::Token) -> Option<bool> {
        let [a, b] = self.0;
        let (from, to) = (a.center(), b.center());
        let [x, y, z] = [to.x - from.x, to.y - from.y, to.z - from.z].map(single);
        let (half_a, half_b) = (half_extents(a), half_extents(b));
        let sizes = [half_a[0] + half_a[1] + half_a[2], half_b[0] + half_b[1] + half_b[2]];
        let size = sizes[0] + sizes[1];
        let spare = EXTENT_PAD * size;
        let less = [half_a[0] - spare, half_a[1] - spare, half_a[2] - spare];
        let axes = [&columns(a), &columns(b)];
        let pair = ThreeAxes::<V>::new(token, axes, [x, y, z], [less, half_b]);
        let faces = pair.faces_of_first().separation().high(pair.faces_of_second().separation());
        let edges = pair.edges(0).separation().high(pair.edges(1).separation());
        let most = faces.high(edges).high(pair.edges(2).separation());
        let all = size + (x.abs() + y.abs() + z.abs());
        let deep = if T::IS_SINGLE { 0.0 } else { OVERLAP_PAD_F64 };
        let apart = V::any(most.above(V::splat(token, SEPARATION_PAD * all)));
        let overlap = V::all(most.at_most(V::splat(token, -deep * size)));
        let least = if sizes[1] < sizes[0] { sizes[1] } else { sizes[0] };
        let tells = least >= MIN_SIZE as f32 && all <= MAX_SIZE;
        (tells && (apart | overlap)).then_some(overlap)
    }
}

#[inline(always)]
fn single<T: Scalar>(x: T) -> f32 {
    x.wide() as f32
}

#[inline(always)]
fn half_extents<T: Scalar>(solid: &Obb<T>) -> [f32; 3] {
    let half = solid.half_extents();
    [single(half.x), single(half.y), single(half.z)]
}

#[inline(always)]
fn columns<T: Scalar>(solid: &Obb<T>) -> [[f32; 3]; 3] {
    let [x, y, z]: [[T; 3]; 3] = solid.axes().into();
    [
        [single(x[0]), single(x[1]), single(x[2])],
        [single(y[0]), single(y[1]), single(y[2])],
        [single(z[0]), single(z[1]), single(z[2])],
    ]
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::proof::cases;
    use crate::sat::boxes_overlap;

    /// Returns the number of pairs, each tested in both orders.
    fn pair_count() -> usize {
        cases(60_000)
    }

    /// Returns the numbers of overlapping, separated and undecided pairs.
    fn counts<T: Scalar>(sizes: [f64; 2], far: f64) -> [usize; 3] {
        let (mut chance, mut counts) = (SplitMix64(7), [0; 3]);
        for _ in 0..pair_count() {
            let size = sizes[0] * (sizes[1] / sizes[0]).powf(chance.share());
            let far = far * size * chance.share();
            let [a, b] = chance.hard_boxes::<T>(size, far);
            for [a, b] in [[&a, &b], [&b, &a]] {
                let closely = boxes_overlap(a, b);
                match intersects(a, b) {
                    Some(touch) => {
                        assert_eq!(touch, closely, "{a:?} {b:?}");
                        counts[usize::from(!touch)] += 1;
                    }
                    None => counts[2] += 1,
                }
            }
        }
        counts
    }

    pub fn what_it_tells_is_what_the_test_in_double_precision_says() {
        for (sizes, far) in [([1e-3, 1e3], 0.0), ([1e-3, 1e3], 1e8), ([1e-30, 1e14], 10.0)] {
            let of_all = [counts::<f32>(sizes, far), counts::<f64>(sizes, far)];
            println!("sizes {sizes:?}, {far} sizes out: touching, apart, left open {of_all:?}");
            let least = pair_count() / 30;
            assert!(of_all.as_flattened().iter().all(|&count| count > least), "one-sided");
        }
        let beyond = [counts::<f64>([1e-60, 1e-40], 10.0), counts::<f64>([1e45, 1e60], 10.0)];
        assert_eq!(
            beyond.map(|counts| counts[2]),
            [2 * pair_count(); 2],
            "single precision tells nothing of these"
        );
    }
}
