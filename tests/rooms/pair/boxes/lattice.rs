//! Boxes on an integer lattice, where touching is exact: no miss, no false positive beyond slack.

use boxwood::shape::{Aabb, Obb};

use super::box_pairs;
use support::exact_boxes;
use support::prelude::*;

/// Lattice steps per unit.
const STEPS: f64 = 65536.0;

/// Box by centre and half sizes [lattice steps].
#[derive(Clone, Copy, Debug)]
struct Lattice {
    center: [i64; 3],
    half: [i64; 3],
}

impl Lattice {
    fn random(random: &mut Random, sizes: i64) -> Lattice {
        let mut any = |least: i64| least + random.below((sizes - least + 1) as usize) as i64;
        Lattice { half: [any(0), any(0), any(0)], center: [any(-sizes), any(-sizes), any(-sizes)] }
    }

    /// Returns 0 for separate, 1 for touching, 2 for overlapping along each axis.
    fn meet(&self, other: &Lattice) -> [usize; 3] {
        std::array::from_fn(|i| {
            let between = (self.center[i] - other.center[i]).abs();
            ((self.half[i] + other.half[i] - between).signum() + 1) as usize
        })
    }

    fn shares(&self, other: &Lattice) -> bool {
        (0..3).all(|i| (self.center[i] - other.center[i]).abs() <= self.half[i] + other.half[i])
    }

    fn aabb<T: Scalar>(&self) -> Aabb<T, 3> {
        let end = |sign: i64| {
            Point3::from(std::array::from_fn(|i| {
                T::nearest((self.center[i] + sign * self.half[i]) as f64 / STEPS)
            }))
        };
        Aabb::new(end(-1), end(1))
    }

    /// Box with its axes named in another order and sign.
    fn obb<T: Scalar>(&self, random: &mut Random) -> Obb<T> {
        let axes = random.quarter();
        let half = axes.map(|axis| {
            let along = axis.iter().position(|&x| x != 0.0).expect("a unit vector");
            self.half[along] as f64 / STEPS
        });
        let center = times(self.center.map(|c| c as f64), 1.0 / STEPS);
        box_pairs::stored(&PlainBox { center, axes, half })
    }
}

/// Counts random pairs by the number of axes that only touch: overlap, face, edge, vertex.
fn try_lattice<T: Scalar>(pairs: usize, seed: u64) {
    let mut random = Random(seed);
    let (mut shared, mut reported, mut touching) = (0, 0, [0; 4]);
    for index in 0..pairs {
        let sizes = [3, 8, 300, 40_000][index % 4];
        let (p, q) = (Lattice::random(&mut random, sizes), Lattice::random(&mut random, sizes));
        let truth = p.shares(&q);
        let (a, b) = (p.aabb::<T>(), q.aabb::<T>());
        assert_eq!(a.intersects(&b), truth, "{p:?} {q:?}");
        assert_eq!(a.intersection(&b).is_some(), truth, "{p:?} {q:?}");
        let (a, b) = (p.obb::<T>(&mut random), q.obb::<T>(&mut random));
        let said = a.intersects(&b);
        assert!(said || !truth, "a shared point is called apart: {p:?} {q:?}");
        if index % 16 == 0 {
            assert_eq!(
                exact_boxes::share_a_point(&PlainBox::of(&a), &PlainBox::of(&b)),
                truth,
                "{p:?} {q:?}"
            );
        }
        shared += usize::from(truth);
        reported += usize::from(said);
        if truth {
            touching[p.meet(&q).iter().filter(|&&state| state == 1).count()] += 1;
        }
    }
    println!("{pairs} lattice pairs, {shared} share a point, {reported} reported");
    println!(
        "overlapping {}, face {}, edge {}, vertex {}",
        touching[0], touching[1], touching[2], touching[3]
    );
    assert!(touching.iter().all(|&count| count > pairs / 2000), "starved: {touching:?}");
    // A step of the lattice exceeds the slack, except for the largest f32 boxes.
    assert!(reported - shared < pairs / 1000, "{reported} for {shared}");
}

/// The two whole-number widths agree, so the verdicts of the short one can be trusted, and the
/// and that the signs are right.
#[test]
fn the_exact_oracle_agrees_with_itself() {
    let mut random = Random(13);
    let mut signs = [0; 3];
    for _ in 0..cases(20_000) {
        let (p, q) = (Lattice::random(&mut random, 3), Lattice::random(&mut random, 3));
        let (a, b) = (p.obb::<f32>(&mut random), q.obb::<f32>(&mut random));
        let (a, b) = (PlainBox::of(&a), PlainBox::of(&b));
        assert!(exact_boxes::fits_i128(&a, &b));
        let axes = exact_boxes::axes();
        let axis = axes[random.below(axes.len())];
        let sign = exact_boxes::exact_sign(&a, &b, axis);
        assert_eq!(sign, exact_boxes::exact_sign_long(&a, &b, axis));
        signs[(sign + 1) as usize] += 1;
        let any = axes.into_iter().any(|axis| exact_boxes::exact_sign(&a, &b, axis) > 0);
        assert_eq!(any, !p.shares(&q), "{p:?} {q:?}");
    }
    assert!(signs.iter().all(|&count| 46 * count > cases(20_000)), "{signs:?}");
}

scalars! {
    no_lattice_pair_is_missed => try_lattice(cases(1_500_000), 11; cases(1_000_000), 12);
}
