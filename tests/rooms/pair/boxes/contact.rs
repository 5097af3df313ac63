//! Contacts of two boxes: normal, depth, point and its error; and the answer for swapped boxes.

use boxwood::num::tolerance::PARALLEL_SINE;
use boxwood::pair::Contact;
use boxwood::shape::Obb;

use super::box_pairs::{self, Regime};
use support::f64_sat;
use support::plain_box::UPRIGHT;
use support::prelude::*;

const CASES: usize = 6_000;

pub fn wide<T: Scalar, const D: usize>(values: &nalgebra::SVector<T, D>) -> [f64; D] {
    std::array::from_fn(|i| values[i].wide())
}

/// Calls `each` with pairs of every regime that intersect by the crate.
pub fn contacts<T: Scalar>(seed: u64, mut each: impl FnMut(Regime, &Obb<T>, &Obb<T>)) {
    for regime in Regime::ALL {
        let mut random = Random(seed ^ (regime as u64) << 8);
        let mut count = 0;
        while count < cases(CASES) {
            if let Some((a, b)) = box_pairs::pair::<T>(regime, &mut random)
                && a.intersects(&b)
            {
                each(regime, &a, &b);
                count += 1;
            }
        }
    }
}

/// Worst errors of each regime, as fractions of the size.
#[derive(Default)]
struct Worst {
    /// Overlap left after the second box is moved out.
    left: f64,
    /// Depth above the oracle's least overlap.
    beyond: f64,
    /// Depth below the oracle's least overlap.
    short: f64,
}

/// Compares depth and normal with the oracle; moving the second box out by them leaves the boxes
/// touching.
fn pushed_apart<T: Scalar>(seed: u64) {
    let mut tells = 0;
    let mut worst: Vec<Worst> = Vec::new();
    worst.resize_with(Regime::ALL.len(), Worst::default);
    contacts::<T>(seed, |regime, a, b| {
        let contact = a.contact(b).expect("they touch");
        let (first, second) = (PlainBox::of(a), PlainBox::of(b));
        let size = first.radius() + second.radius();
        let (normal, depth) = (wide(&contact.normal), contact.depth.wide());
        let rounding = 4.0 * T::ROUNDING + 1e-13;
        assert!((norm(normal) - 1.0).abs() < rounding, "{normal:?}");
        assert!(depth >= 0.0);
        let forward = inner(normal, minus(second.center, first.center));
        assert!(forward >= -1e-6 * size, "not from first to second: {a:?} {b:?}");
        let worst = &mut worst[regime as usize];
        let overlap = (-f64_sat::separation(&first, &second)).max(0.0);
        worst.beyond = worst.beyond.max((depth - overlap) / size);
        worst.short = worst.short.max((overlap - depth) / size);
        // From the first centre, so that nothing is rounded away far from the origin.
        let here = times(first.center, -1.0);
        let (first, second) = (first.moved(here), second.moved(here));
        let moved = |by: f64| f64_sat::separation(&first, &second.moved(times(normal, by)));
        worst.left = worst.left.max(-moved(depth * (1.0 + 1e-4)) / size);
        // Moving the opposite way leaves them overlapping: the check can fail.
        tells += usize::from(moved(-depth) < -1e-3 * size);
    });
    for (regime, worst) in Regime::ALL.iter().zip(&worst) {
        let name = format!("{regime:?}");
        let Worst { left, beyond, short } = worst;
        println!("{name:>20}: {left:.1e} left, depth {beyond:.1e} beyond, {short:.1e} short");
    }
    for (regime, worst) in Regime::ALL.iter().zip(&worst) {
        let rounding = 4.0 * T::ROUNDING + 1e-12;
        assert!(worst.left <= rounding, "{regime:?}: {:e} of the size left", worst.left);
        assert!(worst.short <= 1e-5, "{regime:?}: {:e} of the size short", worst.short);
        // Cost of edges skipped as parallel.
        let regular =
            matches!(regime, Regime::Plain | Regime::Aligned | Regime::Huge | Regime::Tiny);
        let allowed = if regular { 1e-5 } else { PARALLEL_SINE };
        assert!(worst.beyond <= allowed, "{regime:?}: {:e} of the size beyond", worst.beyond);
    }
    assert!(tells > cases(CASES), "only {tells} would tell a backward normal");
}

/// The corners of the overlap, relative to the first centre: corners of one in the other, and edges
/// and edges of one through faces of the other.
pub fn shared_corners(a: &PlainBox, b: &PlainBox) -> Vec<V> {
    let mut corners = Vec::new();
    let origin = a.center;
    let (a, b) = (a.moved(times(origin, -1.0)), b.moved(times(origin, -1.0)));
    for (edges, solid) in [(&a, &b), (&b, &a)] {
        let size = 1e-12 * (a.radius() + b.radius());
        let mut add = |point: V| {
            if solid.excess(point) <= size {
                corners.push(point);
            }
        };
        for [p, q] in edges.edges([0.0; 3]) {
            add(p);
            add(q);
            for i in 0..3 {
                let (u, v) = (
                    inner(minus(p, solid.center), solid.axes[i]),
                    inner(minus(q, p), solid.axes[i]),
                );
                for face in [-solid.half[i], solid.half[i]] {
                    let share = (face - u) / v;
                    if (0.0..=1.0).contains(&share) {
                        add(plus(p, times(minus(q, p), share)));
                    }
                }
            }
        }
    }
    corners
}

/// Checks that no point of the overlap is further from the point than stated.
fn point_error_holds<T: Scalar>(seed: u64) {
    let mut checked = 0;
    let mut worst_share: f64 = 0.0;
    contacts::<T>(seed, |regime, a, b| {
        let contact = a.contact(b).expect("they touch");
        let (first, second) = (PlainBox::of(a), PlainBox::of(b));
        let size = first.radius() + second.radius();
        let corners = shared_corners(&first, &second);
        let point = minus(wide(&contact.point.coords), first.center);
        let error = contact.point_error.wide();
        for &corner in &corners {
            let away = norm(minus(corner, point));
            let rounding = 1e-12 * size;
            assert!(away <= error + rounding, "{regime:?}: {away:e} > {error:e}: {a:?} {b:?}");
            worst_share = worst_share.max(away / (error + rounding));
        }
        checked += usize::from(!corners.is_empty());
    });
    println!("largest share of point_error in use: {worst_share:.3}");
    assert!(checked > 4 * cases(CASES), "only {checked} regions");
    assert!(worst_share > 0.9, "the bound is never approached: {worst_share}");
}

/// Compares the answer from the other side, bit for bit.
fn reversed<T: Scalar>(seed: u64) {
    let mut asked = 0;
    for regime in Regime::ALL {
        let mut random = Random(seed ^ (regime as u64) << 8);
        for _ in 0..cases(CASES) {
            let Some((a, b)) = box_pairs::pair::<T>(regime, &mut random) else { continue };
            assert_eq!(a.intersects(&b), b.intersects(&a), "{a:?} {b:?}");
            let (there, back) = (a.contact(&b), b.contact(&a));
            assert_eq!(there.map(|c| bits(&c.reversed())), back.map(|c| bits(&c)), "{a:?} {b:?}");
            asked += usize::from(there.is_some());
        }
    }
    assert!(asked > cases(CASES), "{asked}");
}

/// Returns all numbers of a contact by their bits; minus zero and zero differ.
fn bits<T: Scalar>(c: &Contact<T>) -> [u64; 9] {
    let [x, y, z] = c.point.coords.map(T::bits).into();
    let [i, j, k] = c.normal.map(T::bits).into();
    [x, y, z, i, j, k, c.depth.bits(), c.slack.bits(), c.point_error.bits()]
}

/// Overlaps are compared by their squares, which vanish where boxes are tiny.
#[test]
fn the_least_overlap_is_found_at_any_size() {
    let upright = UPRIGHT;
    for size in [1e70, 1.0, 1e-100, 1e-150, 1e-165, 1e-200] {
        let solid = |y: f64| {
            let axes = nalgebra::Matrix3::from_columns(&upright.map(nalgebra::Vector3::from));
            let center = nalgebra::Point3::new(0.0, y * size, 0.0);
            Obb::<f64>::new(center, axes, nalgebra::Vector3::repeat(size)).expect("a box")
        };
        let contact = solid(0.0).contact(&solid(-1.9)).expect("they touch");
        assert_eq!(wide(&contact.normal), [0.0, -1.0, 0.0], "{size}");
        assert!((contact.depth / size - 0.1).abs() < 1e-12, "{size}: {}", contact.depth);
    }
}

scalars! {
    normal_and_depth_part_the_boxes => pushed_apart(21; 22);
    overlap_lies_within_point_error => point_error_holds(31; 32);
    swapping_reverses_every_bit => reversed(41; 42);
}
