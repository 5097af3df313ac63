//! Intersection tests in the plane against exact clipping, also with swapped arguments.

use super::distance_oracle::distance;
use super::exact_clipping::share_a_point;
use support::pair_regime::{REGIMES, Regime, Tally};
use support::planar::any_shape::{Any, contact, intersects, norm};
use support::planar::random_pairs::pair;
use support::prelude::*;

const CASES: usize = 12_000;

fn agrees_with_clipping<T: Scalar>(seed: u64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    let (mut sharing, mut close) = (0, 0);
    for round in 0..cases(CASES) {
        let regime = REGIMES[round % 4];
        let (a, b) = pair::<T>(&mut random, regime);
        let (found, truth) = (intersects(&a, &b), share_a_point(&a, &b));
        assert!(found || !truth, "missed: {a:?} {b:?}");
        assert_eq!(found, intersects(&b, &a));
        if let (Any::Aabb(p), Any::Aabb(q)) = (&a, &b) {
            assert_eq!(p.intersects(q), truth);
        }
        let answer = contact(&a, &b);
        assert_eq!(answer.is_some(), found);
        let answered = contact(&b, &a).map(|c| c.reversed());
        let same = format!("{:?}", a) == format!("{:?}", b);
        assert!(answer == answered || same, "{answer:?} {answered:?}");
        let size = a.seen().size() + b.seen().size();
        let far = norm(a.seen().center());
        if let (Some(contact), false) = (answer, truth) {
            let gap = distance(&a.seen(), &b.seen());
            assert!(gap <= contact.slack.wide() + 1e-15 * (size + far), "{gap:e}: {a:?} {b:?}");
            close += 1;
        }
        sharing += usize::from(truth);
        match regime {
            Regime::Apart => assert!(!truth),
            Regime::Deep => assert!(truth, "{a:?} {b:?}"),
            _ => {}
        }
        tally.add(regime);
    }
    tally.finish("verdicts");
    println!("  {sharing} share a point, {close} are within the slack");
    assert!(sharing > cases(CASES) / 4 && sharing < 3 * cases(CASES) / 4, "{sharing}");
}

scalars! {
    verdicts_agree_with_exact_clipping => agrees_with_clipping(1; 2);
}
