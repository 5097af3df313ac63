//! Tests: every SIMD level and every search path gives the same answers.

use super::search::{
    BoxPairInput, ClosestPointsKernel, DistanceKernel, ObbOverlapKernel, closest_of_all_edges,
};
use crate::num::SplitMix64;
use crate::num::linear::{Vec3, length, sub};
use crate::num::proof::cases;
use crate::num::simd::PlainTriple;
use crate::num::{Scalar, SimdLevel};
use crate::pair::ClosestPoints;
use crate::sat::boxes_overlap;
use crate::shape::{Aabb, Obb, wide_point};
use std::marker::PhantomData;

/// Returns the bits of the answer, which distinguish zeros of both signs.
fn bits<T: Scalar>(found: &ClosestPoints<T>) -> [u64; 7] {
    let (a, b) = (found.on_a, found.on_b);
    [a.x, a.y, a.z, b.x, b.y, b.z, found.distance].map(T::bits)
}

fn points<T: Scalar, G: BoxPairInput>(given: G, simd: SimdLevel) -> ClosestPoints<T> {
    simd.run_triples(ClosestPointsKernel { given, swapped: false, scalar: PhantomData })
}

/// Compares one pair at every level; `true` if it touches.
fn compare<T: Scalar, G: BoxPairInput + std::fmt::Debug>(given: G) -> bool {
    let (plain, far) = (
        points::<T, G>(given, SimdLevel::PLAIN),
        SimdLevel::PLAIN.run_triples(DistanceKernel(given)),
    );
    for simd in SimdLevel::all() {
        let found = points::<T, G>(given, simd);
        assert_eq!(bits(&found), bits(&plain), "{simd:?} {given:?}");
        assert_eq!(simd.run_triples(DistanceKernel(given)).to_bits(), far.to_bits(), "{simd:?}");
        assert_eq!(simd.run_triples(ObbOverlapKernel(given)), far == 0.0, "{simd:?} {given:?}");
        let turned = ClosestPointsKernel { given, swapped: true, scalar: PhantomData::<T> };
        assert_eq!(bits(&simd.run_triples(turned)), bits(&plain.reversed()), "{simd:?} {given:?}");
    }
    assert_eq!(T::at_least(far), plain.distance);
    far == 0.0
}

/// Counts the hard pairs that touch, as oriented boxes and with the first box aligned.
fn touching<T: Scalar>(sizes: [f64; 2], far: f64, count: usize) -> [usize; 2] {
    let (mut numbers, mut touching) = (SplitMix64(23), [0; 2]);
    for _ in 0..count {
        let size = sizes[0] * (sizes[1] / sizes[0]).powf(numbers.share());
        let far = far * size * numbers.share();
        let [a, b] = numbers.hard_boxes::<T>(size, far);
        let touch = compare::<T, _>([&a, &b]);
        assert_eq!(touch, touch_in_order(&a, &b), "{a:?} {b:?}");
        let upright = Aabb::new(a.center() - a.half_extents(), a.center() + a.half_extents());
        touching[0] += usize::from(touch);
        touching[1] += usize::from(compare::<T, _>((&upright, &b)));
    }
    touching
}

/// Tests the axes one by one in the frame of the first box.
fn touch_in_order<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> bool {
    use crate::sat::{BoxPair, sat_tolerance};
    let (a, b) = (a.wide(), b.wide());
    !BoxPair::new(&a, &b).apart(sat_tolerance::<T>(&a, &b))
}

pub fn lanes_give_the_bits_of_one_after_another() {
    let all = cases(10_000);
    for (sizes, far) in [([1e-3, 1e3], 0.0), ([1e-3, 1e3], 1e8), ([1e-60, 1e60], 10.0)] {
        let double = touching::<f64>(sizes, far, all);
        let single = touching::<f32>(sizes.map(|size| size.powf(0.4)), far, all);
        println!("sizes {sizes:?}, {far} sizes out: {single:?} and {double:?} of {all} touch");
        for count in [single[0], double[0]] {
            assert!(count > all / 5 && count < all / 20 * 19, "one-sided");
        }
    }
}

/// Compares the shortest distance over corners and edges with that over all edges, for boxes of all
/// proportions; counts the disjoint pairs.
fn as_by_all_edges<T: Scalar>(least: f64, count: usize) -> usize {
    let (mut numbers, mut apart) = (SplitMix64(31), 0);
    for k in 0..count {
        let [a, b] = numbers.hard_boxes::<T>(1.0, 0.0);
        let aside = numbers.decade(-6.0, 1.0);
        let by = numbers.point(aside).map(T::nearest);
        let b = Obb::new(b.center() + nalgebra::Vector3::from(by), b.axes(), b.half_extents());
        let b = b.expect("a sound box");
        let pair = [&a, &b];
        let all = [&a, &b].relative::<PlainTriple>(()).map(|both| closest_of_all_edges(&both));
        let expected = all.expect("oriented boxes have points").squared.sqrt();
        let size = a.wide().radius() + b.wide().radius() + expected;
        let far = SimdLevel::best().run_triples(DistanceKernel(pair));
        let ClosestPoints { on_a, on_b, .. } = points::<T, _>(pair, SimdLevel::best());
        let between: Vec3 = sub(wide_point(on_b), wide_point(on_a));
        if far == 0.0 {
            assert!(expected <= least * size, "{k}: {expected:e} apart {a:?} {b:?}");
            continue;
        }
        apart += 1;
        // Stored axes are not quite orthogonal, so the frame of the computation matters.
        let defect = 1e-13 + 16.0 * T::ROUNDING;
        assert!((far - expected).abs() < defect * size, "{far:e} {expected:e} {a:?} {b:?}");
        let rounding = 4.0 * T::ROUNDING * (size + length(wide_point(on_a)));
        assert!((length(between) - far).abs() < rounding, "{far:e} {between:?} {a:?} {b:?}");
    }
    apart
}

pub fn a_way_that_is_sure_is_the_shortest_of_all_edges() {
    let all = cases(20_000);
    let apart = [as_by_all_edges::<f32>(5e-3, all), as_by_all_edges::<f64>(1e-6, all)];
    println!("{apart:?} of {all} are apart");
    assert!(apart.iter().all(|&count| count > all / 5 * 2 && count < all / 20 * 19));
}

/// Boxes that are equal, nested, of zero size at one place, or that pierce each other without a
/// corner or centre in the other.
pub fn decide_agrees_where_a_common_point_is_found_first() {
    let (mut numbers, mut found, count) = (SplitMix64(3), 0, cases(40_000));
    for k in 0..count {
        let [a, b] = numbers.hard_boxes::<f32>(1.0, 0.0);
        let share = if k % 2 == 0 { 0.9 } else { numbers.share() };
        let middle = a.center() + (b.center() - a.center()) * share as f32;
        let b = Obb::new(middle, b.axes(), b.half_extents()).expect("a sound box");
        let touch = boxes_overlap(&a, &b);
        assert_eq!(a.intersects(&b), touch, "{a:?} {b:?}");
        assert_eq!(a.distance(&b) == 0.0, touch, "{a:?} {b:?}");
        assert_eq!(a.closest_points(&b).distance == 0.0, touch, "{a:?} {b:?}");
        found += usize::from(touch);
    }
    assert!(found > count / 8 * 3, "{found}");
}
