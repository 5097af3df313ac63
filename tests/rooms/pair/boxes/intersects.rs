//! Verdict of two boxes and its slack, in every regime and both scalars.

use boxwood::shape::Obb;

use super::box_pairs::{self, Regime};
use super::gap_histogram::{Census, NEAR};
use support::prelude::*;
use support::{box_distance, exact_boxes, f64_sat};

/// Pairs of each regime and number type. Number of cases.
const CASES: usize = 30_000;

/// Greatest slack of an answer as a fraction of the size: about `sqrt(3.5 * LEAF_SLACK / 3.2)`.
trait Stated: Scalar {
    const MOST: f64;
}

impl Stated for f32 {
    const MOST: f64 = 5e-3;
}

impl Stated for f64 {
    const MOST: f64 = 1e-6;
}

/// Checks one pair against the exact verdict, the f64 test and the stated slack.
fn check<T: Stated>(a: &Obb<T>, b: &Obb<T>, census: &mut Census) {
    let (first, second) = (PlainBox::of(a), PlainBox::of(b));
    let size = first.radius() + second.radius();
    let shared = exact_boxes::share_a_point(&first, &second);
    let separation = f64_sat::separation(&first, &second);
    let said = a.intersects(b);
    // Two points: at one position, or far apart.
    census.note(if separation == 0.0 { 0.0 } else { separation / size });
    census.shared += usize::from(shared);
    assert!(said || !shared, "a shared point is called apart:\n{a:?}\n{b:?}\ngap {separation:e}");
    assert!(shared || separation >= -1e-7 * size, "the twin is wrong: {a:?} {b:?}");
    assert!(!said || separation <= T::MOST * size, "apart by {separation:e}: {a:?} {b:?}");
    let contact = a.contact(b);
    assert_eq!(contact.is_some(), said, "yes and no: {a:?} {b:?}");
    let Some(contact) = contact else { return };
    let slack = contact.slack.wide();
    assert!(slack <= T::MOST * size, "slack of {slack:e} for a size of {size:e}: {a:?} {b:?}");
    if !shared {
        // Brute force rounds too, by a few units in the last place of the sizes.
        let apart = box_distance::distance(&first, &second);
        let rounding = 1e-15 * size;
        assert!(apart <= slack + rounding, "{apart:e} apart, slack {slack:e}: {a:?} {b:?}");
        census.excess += 1;
        census.farthest = census.farthest.max(apart / size);
        census.slack_used = census.slack_used.max(apart / slack);
    }
}

fn every_regime<T: Stated>(seed: u64) {
    let mut all = Census::default();
    for regime in Regime::ALL {
        let mut random = Random(seed ^ regime as u64);
        let mut census = Census::default();
        while census.tried < cases(CASES) {
            if let Some((a, b)) = box_pairs::pair::<T>(regime, &mut random) {
                check(&a, &b, &mut census);
            }
        }
        census.print(&format!("{regime:?}"));
        for count in [census.apart, census.deep] {
            assert!(count >= cases(CASES) / 10, "{regime:?} is starved: {count} of one verdict");
        }
        assert!(
            census.touching >= cases(CASES) / 2,
            "{regime:?}: {} near touching",
            census.touching
        );
        assert!(
            census.shared > cases(CASES) / 5 && census.shared < cases(CASES),
            "{regime:?} is one-sided"
        );
        all.add(&census);
    }
    all.print("all");
    all.print_decades();
    assert!(2 * all.touching >= all.tried, "less than half lie within {NEAR:e} of touching");
}

/// Turned boxes that share exactly the origin, or more.
fn origin_is_shared<T: Stated>(seed: u64) {
    let mut random = Random(seed);
    let mut census = Census::default();
    let mut missing = 0;
    while census.tried < 2 * cases(CASES) {
        match box_pairs::through_origin::<T>(&mut random) {
            Some((a, b)) => {
                check(&a, &b, &mut census);
                assert_eq!(census.shared, census.tried, "the construction: {a:?} {b:?}");
            }
            None => missing += 1,
        }
    }
    census.print("through the origin");
    assert!(census.touching > census.tried / 5 && missing < 10 * census.tried);
}

/// Pairs that naive tests miss: identical, nested and piercing boxes.
fn named_cases<T: Stated>(seed: u64) {
    let mut random = Random(seed);
    let mut census = Census::default();
    while census.tried < 9_000 {
        let (axes, center) = (random.rotation(), random.direction());
        let half = std::array::from_fn(|_| random.between(0.1, 1.0));
        let stored = |axes, half| box_pairs::stored::<T>(&PlainBox { center, axes, half });
        let (a, small) = (stored(axes, half), half.map(|h| h * 0.1));
        check(&a, &a, &mut census);
        check(&a, &stored(random.rotation(), small), &mut census);
        let through = stored(axes, [half[0] * 3.0, half[1] / 3.0, half[2] / 3.0]);
        check(&through, &stored(axes, [half[0] / 3.0, half[1] * 3.0, half[2] * 0.5]), &mut census);
        // A swap cannot reverse the normal of two equal boxes: the answer is the same, and unit.
        let twice = a.contact(&a).expect("a box touches itself");
        assert!((twice.normal.norm().wide() - 1.0).abs() < 4.0 * T::ROUNDING + 1e-13);
        assert!(twice.depth.wide() > 0.0);
    }
    census.print("same, inside, through");
    assert_eq!((census.shared, census.deep), (census.tried, census.tried));
}

scalars! {
    shared_points_are_never_called_apart_and_slack_holds => every_regime(0x5eed; 0xf64);
    turned_boxes_that_share_the_origin_touch => origin_is_shared(1; 2);
    identical_nested_and_piercing_boxes_are_found => named_cases(3; 4);
}
