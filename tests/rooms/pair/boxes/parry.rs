//! Boxes of f32 and of f64 against parry3d in f64, on the stored numbers: equal wherever the gap
//! exceeds the rounding of both. (The bench `speed` counts answers against parry3d in f32.)

use boxwood::shape::Obb;

use super::box_pairs::{self, Regime};
use support::f64_sat;
use support::parry::Peer;
use support::prelude::*;

const CASES: usize = 8_000;

/// Numbers of pairs compared, separate and intersecting.
#[derive(Default, Debug)]
struct Compared {
    apart: usize,
    together: usize,
    inside_band: usize,
    reported_within_slack: usize,
}

/// Compares pairs whose gap by the f64 SAT is outside of the band. `band` is a fraction of the
/// size, `far` of the distance from the origin, where parry3d's poses are rounded.
fn compare<T: Scalar>(
    regimes: &[Regime],
    band: f64,
    far: f64,
    theirs: impl Fn(&Obb<T>, &Obb<T>) -> bool,
) -> Compared {
    let mut compared = Compared::default();
    for &regime in regimes {
        let mut random = Random(0xbad ^ regime as u64);
        for _ in 0..cases(CASES) {
            let Some((a, b)) = box_pairs::pair::<T>(regime, &mut random) else { continue };
            let (first, second) = (PlainBox::of(&a), PlainBox::of(&b));
            let size = first.radius() + second.radius();
            let reach = norm(first.center).max(norm(second.center));
            let gap = f64_sat::separation(&first, &second);
            if gap.abs() <= band * size + far * reach {
                compared.inside_band += 1;
                continue;
            }
            let (mine, other) = (a.contact(&b), theirs(&a, &b));
            assert_eq!(other, gap < 0.0, "the other library and the twin: {gap:e} {a:?} {b:?}");
            match (mine, other) {
                (None, false) => compared.apart += 1,
                (Some(_), true) => compared.together += 1,
                (Some(contact), false) if gap <= contact.slack.wide() => {
                    compared.reported_within_slack += 1;
                }
                (mine, _) => panic!("{mine:?}, they say {other}, gap {gap:e}: {a:?} {b:?}"),
            }
        }
    }
    println!("{compared:?}");
    compared
}

fn intersect<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> bool {
    Peer::solid(&PlainBox::of(a)).intersects(&Peer::solid(&PlainBox::of(b)))
}

#[test]
fn agrees_with_parry_in_f64() {
    let compared = compare::<f64>(&Regime::ALL, 1e-7, 1e-14, intersect);
    assert!(compared.apart > cases(CASES) && compared.together > cases(CASES), "{compared:?}");
}

#[test]
fn boxes_of_f32_agree_with_parry_in_f64() {
    let compared = compare::<f32>(&Regime::ALL, 2e-6, 1e-14, intersect);
    assert!(compared.apart > cases(CASES) && compared.together > cases(CASES), "{compared:?}");
}

/// Compares the brute-force distance, on which the proof of the slack is based.
#[test]
fn the_distance_oracle_agrees_with_parry() {
    let mut random = Random(7);
    let mut compared = 0;
    while compared < cases(3_000) {
        let Some((a, b)) = box_pairs::pair::<f64>(Regime::Plain, &mut random) else { continue };
        let (first, second) = (PlainBox::of(&a), PlainBox::of(&b));
        let size = first.radius() + second.radius();
        if f64_sat::separation(&first, &second) < 1e-6 * size {
            continue;
        }
        let mine = support::box_distance::distance(&first, &second);
        let theirs = Peer::solid(&first).distance(&Peer::solid(&second));
        assert!((mine - theirs).abs() < 1e-6 * size, "{mine:e} {theirs:e}: {a:?} {b:?}");
        compared += 1;
    }
}

#[test]
fn depths_of_f32_agree_with_parry_in_f64() {
    let mut random = Random(8);
    let (mut compared, mut worst) = (0, 0.0f64);
    while compared < cases(3_000) {
        let Some((a, b)) = box_pairs::pair::<f32>(Regime::Plain, &mut random) else { continue };
        let (first, second) = (PlainBox::of(&a), PlainBox::of(&b));
        let size = first.radius() + second.radius();
        if f64_sat::separation(&first, &second) > -1e-3 * size {
            continue;
        }
        let mine = a.contact(&b).expect("they overlap").depth;
        let theirs = Peer::solid(&first).depth(&Peer::solid(&second)).expect("they overlap");
        worst = worst.max((f64::from(mine) - theirs).abs() / size);
        compared += 1;
    }
    println!("depths differ by at most {worst:.1e} of the size");
    assert!(worst < 1e-4, "{worst:e}");
}
