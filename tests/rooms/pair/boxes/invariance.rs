//! Invariance of box tests: pairs scaled, mirrored in pairs of axes, renamed, moved, rotated.

use boxwood::pair::Contact;
use boxwood::shape::Obb;

use super::box_pairs::{self, Regime};
use support::f64_sat;
use support::prelude::*;
use support::random::{apply, compose};

const CASES: usize = 4_000;

/// Rebuilds a stored box from its axes, rotated and scaled by exact factors.
fn again<T: Scalar>(stored: &Obb<T>, turn: &Matrix3<T>, scale: T, shift: Vector3<T>) -> Obb<T> {
    let center = Point3::from(turn * stored.center().coords * scale + shift);
    Obb::new(center, turn * stored.axes(), stored.half_extents() * scale).expect("a box")
}

/// Box with axes that handing in no longer changes; `None` where they keep changing.
fn settled<T: Scalar>(stored: &Obb<T>) -> Option<Obb<T>> {
    let mut now = *stored;
    for _ in 0..8 {
        let next = again(&now, &Matrix3::identity(), T::one(), Vector3::zeros());
        if next == now {
            return Some(now);
        }
        now = next;
    }
    None
}

fn pairs<T: Scalar>(
    seed: u64,
    skip: &[Regime],
    mut each: impl FnMut(&Obb<T>, &Obb<T>, &mut Random),
) {
    let mut random = Random(seed);
    let mut count = 0;
    for regime in Regime::ALL.into_iter().filter(|r| !skip.contains(r)) {
        for _ in 0..cases(CASES) {
            let Some((a, b)) = box_pairs::pair::<T>(regime, &mut random) else { continue };
            if let (Some(a), Some(b)) = (settled(&a), settled(&b)) {
                each(&a, &b, &mut random);
                count += 1;
            }
        }
    }
    assert!(count > 3 * cases(CASES), "{count}");
}

/// Checks that powers of two change exponents only.
fn scaled_exactly<T: Scalar>(seed: u64) {
    pairs::<T>(seed, &[], |a, b, random| {
        let factor = T::nearest(2f64.powi(random.below(41) as i32 - 20));
        let grow = |stored: &Obb<T>| again(stored, &Matrix3::identity(), factor, Vector3::zeros());
        let found = grow(a).contact(&grow(b));
        let expected = a.contact(b).map(|c| Contact {
            point: Point3::from(c.point.coords * factor),
            point_error: c.point_error * factor,
            depth: c.depth * factor,
            slack: c.slack * factor,
            ..c
        });
        assert_eq!(found, expected, "{factor}: {a:?} {b:?}");
    });
}

/// The box with its centre on a grid of a few bits, so that there is room to move it without
/// rounding.
fn snapped<T: Scalar>(stored: &Obb<T>, other: &Obb<T>) -> Obb<T> {
    let size = stored.diagonal().wide() + other.diagonal().wide();
    let grid = 2f64.powi(size.log2().floor() as i32 - 14);
    let center = stored.center().map(|x| T::nearest((x.wide() / grid).round() * grid));
    Obb::new(center, stored.axes(), stored.half_extents()).expect("a box")
}

/// Draws half a turn about a coordinate axis: two signs change, no sum changes its order.
fn half_turn(random: &mut Random) -> [support::plain_box::V; 3] {
    let kept = random.below(3);
    let sign = |i: usize| if i == kept { 1.0 } else { -1.0 };
    std::array::from_fn(|j| std::array::from_fn(|i| if i == j { sign(i) } else { 0.0 }))
}

/// Checks renamed and mirrored coordinate axes, and exact translations: the same verdict; the same
/// numbers except for the order of sums.
fn renamed<T: Scalar>(seed: u64) {
    let (mut same, mut differ, mut decided) = (0, 0, 0);
    pairs::<T>(seed, &[Regime::Far], |a, b, random| {
        if a.diagonal() + b.diagonal() == T::zero() {
            return;
        }
        let (a, b) = (&snapped(a, b), &snapped(b, a));
        let quarter = if random.chance(0.5) { random.quarter() } else { half_turn(random) };
        let turn = Matrix3::from_fn(|i, j| T::nearest(quarter[j][i]));
        let size = a.diagonal().wide() + b.diagonal().wide();
        let reach = a.center().coords.amax().wide();
        let step = T::nearest(2f64.powi(size.log2().floor() as i32 + random.below(3) as i32));
        let shift = Vector3::from_fn(|_, _| step * T::nearest(random.sign()));
        let (p, q) = (again(a, &turn, T::one(), shift), again(b, &turn, T::one(), shift));
        // Rebuilding rounds again, and the translation may: then it is a different pair.
        let back = |x: &Obb<T>| turn.transpose() * (x.center().coords - shift);
        let exact = back(&p) == a.center().coords && back(&q) == b.center().coords;
        if !exact || p.axes() != turn * a.axes() || q.axes() != turn * b.axes() {
            differ += 1;
            return;
        }
        same += 1;
        let (found, expected) = (p.contact(&q), a.contact(b));
        // In between, slack and the order of the two boxes by their bits decide.
        let gap = f64_sat::separation(&PlainBox::of(a), &PlainBox::of(b));
        if gap < -1e-12 * size || gap > 5e-3 * size {
            assert_eq!(found.is_some(), expected.is_some(), "{a:?} {b:?}");
            assert_eq!(found.is_some(), gap < 0.0, "{a:?} {b:?}");
            decided += 1;
        }
        if let (Some(found), Some(expected)) = (found, expected) {
            // Stored axes are rounded; edges that cross at a small sine magnify that.
            let parallel = f64_sat::nearly_parallel(&PlainBox::of(a), &PlainBox::of(b), 1e-2);
            let blurred = T::ROUNDING * if parallel { 1e4 } else { 64.0 };
            let near = |x: T, y: T, share: f64| (x.wide() - y.wide()).abs() <= share * size;
            let point = turn.transpose() * (found.point.coords - shift) - expected.point.coords;
            assert!(
                point.amax().wide() <= 32.0 * T::ROUNDING * (size + reach),
                "{found:?} {expected:?}"
            );
            assert!(near(found.depth, expected.depth, blurred), "{found:?} {expected:?}");
            assert!(near(found.slack, expected.slack, 1e-6), "{found:?} {expected:?}");
        }
    });
    println!("{same} exact copies, {differ} rounded, {decided} decided");
    assert!(same > cases(CASES), "{same} of {differ}");
}

/// Any rigid motion: the verdict stays outside of what slack and rounding may decide.
#[test]
fn rigid_motions_keep_the_verdict() {
    let mut random = Random(63);
    let mut decided = 0;
    for index in 0..cases(2_000) {
        let regime = Regime::ALL[index % Regime::ALL.len()];
        let Some((a, b)) = box_pairs::pair::<f64>(regime, &mut random) else { continue };
        let shift = random.between(-4.0, 4.0);
        let (first, second) = (PlainBox::of(&a), PlainBox::of(&b));
        let size = first.radius() + second.radius();
        let turn = random.rotation();
        let place = |block: &PlainBox| PlainBox {
            center: plus(apply(&turn, block.center), [shift * size; 3]),
            axes: compose(&turn, &block.axes),
            ..*block
        };
        let p = box_pairs::stored::<f64>(&place(&first));
        let q = box_pairs::stored::<f64>(&place(&second));
        let reach = norm(first.center) + norm(second.center) + shift.abs() * size;
        let gap = f64_sat::separation(&first, &second);
        // Above, the slack: a fraction of 1e-6; below, the rounding of the pose.
        if gap > 1e-6 * size + 1e-14 * reach || gap < -1e-13 * size - 1e-14 * reach {
            assert_eq!(p.intersects(&q), a.intersects(&b), "{a:?} {b:?}");
            assert_eq!(p.intersects(&q), gap < 0.0, "{a:?} {b:?}");
            decided += 1;
        }
    }
    assert!(6 * decided > cases(2_000), "only {decided} decided");
}

/// Checks that concentric boxes touch, whatever their shape, and that the point is the common
/// centre.
#[test]
fn concentric_boxes_touch() {
    let mut random = Random(64);
    for _ in 0..2_000 {
        let at = random.between(-1e3, 1e3) as f32;
        let mut any = || {
            let axes = random.rotation();
            let half = std::array::from_fn(|_| random.between(0.0, 1e3));
            box_pairs::stored::<f32>(&PlainBox { center: [f64::from(at); 3], axes, half })
        };
        let (a, b) = (any(), any());
        assert!(a.intersects(&b), "{a:?} {b:?}");
        let contact = a.contact(&b).expect("they touch");
        assert!((contact.point - a.center()).norm() <= 1e-6 * at.abs(), "{a:?} {b:?}");
        assert!((contact.normal.norm() - 1.0).abs() < 1e-6, "{a:?} {b:?}");
        assert_eq!(b.contact(&a), Some(contact.reversed()), "{a:?} {b:?}");
    }
}

scalars! {
    powers_of_two_scale_every_number => scaled_exactly(51; 52);
    exact_motions_keep_verdict_and_numbers => renamed(61; 62);
}
