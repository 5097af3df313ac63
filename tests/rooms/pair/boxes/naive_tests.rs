//! The three naive box tests: comparisons counted, and pairs they miss that SAT finds.

use boxwood::shape::{Aabb, Obb};

use support::naive_box_tests::Counter;
use support::prelude::*;

type Solid = Aabb<f64, 3>;

fn solid(min: [f64; 3], max: [f64; 3]) -> Solid {
    Aabb::new(Point3::from(min), Point3::from(max))
}

/// Returns the answer and the comparisons of each: corners, corners as printed, edges, rotated
/// edges, overlap region.
fn answers(a: &Solid, b: &Solid) -> [(bool, usize); 5] {
    let block = |s: &Solid| {
        let center = s.center().expect("not empty");
        PlainBox::of(&Obb::new(center, Matrix3::identity(), s.half_extents()).expect("a box"))
    };
    let counted = |test: &dyn Fn(&mut Counter) -> bool| {
        let mut count = Counter::default();
        (test(&mut count), count.0)
    };
    [
        counted(&|n| support::naive_box_tests::corners_in_box(a, b, n)),
        counted(&|n| support::naive_box_tests::corners_in_open_box(a, b, n)),
        counted(&|n| support::naive_box_tests::edges_through_box(a, b, n)),
        counted(&|n| support::naive_box_tests::edges_through_faces(&block(a), &block(b), n)),
        counted(&|n| support::naive_box_tests::region_test(a, b, n).is_some()),
    ]
}

fn verdicts(a: &Solid, b: &Solid) -> [bool; 5] {
    answers(a, b).map(|(answer, _)| answer)
}

#[test]
fn the_naive_tests_miss_pairs_that_sat_finds() {
    let cube = solid([-1.0; 3], [1.0; 3]);
    // A plus sign: each pierces the other, and no corner is inside.
    let (lying, standing) =
        (solid([-3.0, -1.0, -1.0], [3.0, 1.0, 1.0]), solid([-0.5, -3.0, -0.5], [0.5, 3.0, 0.5]));
    assert!(lying.intersects(&standing));
    assert_eq!(verdicts(&lying, &standing), [false, false, true, true, true]);
    // One inside the other: no edge crosses the surface.
    let nested = solid([-0.5; 3], [0.5; 3]);
    assert!(cube.intersects(&nested));
    assert_eq!(verdicts(&cube, &nested), [true, true, false, false, true]);
    // Identical: every corner of each is on the other.
    assert!(cube.intersects(&cube));
    assert_eq!(verdicts(&cube, &cube), [true, false, true, true, true]);
    // Touching in a face only: the source's own example.
    let (a, b) = (solid([4.0, 0.0, 1.0], [8.0, 4.0, 5.0]), solid([0.0, 3.0, 0.0], [4.0, 7.0, 4.0]));
    assert!(a.intersects(&b));
    assert_eq!(verdicts(&a, &b), [true, false, true, true, true]);
}

#[test]
fn the_naive_tests_make_the_stated_number_of_comparisons() {
    let mut random = Random(5);
    let mut most = 0;
    for _ in 0..cases(1_000) {
        let mut any = || {
            let low: [f64; 3] = std::array::from_fn(|_| random.between(-2.0, 2.0));
            solid(low, low.map(|x| x + random.between(0.0, 2.0)))
        };
        let (a, b) = (any(), any());
        let counts = answers(&a, &b).map(|(_, count)| count);
        assert_eq!([counts[0], counts[1], counts[3], counts[4]], [96, 96, 144, 9]);
        assert!(counts[2] >= 144, "24 edges of at least 6: {}", counts[2]);
        let mut count = Counter::default();
        assert_eq!(support::naive_box_tests::interval_test(&a, &b, &mut count), a.intersects(&b));
        assert!(count.0 <= 6);
        most = most.max(count.0);
    }
    assert_eq!(most, 6);
}

/// Checks that, with closed intervals, the first and the second test together are right; each alone
/// is not.
#[test]
fn corners_or_edges_together_are_right() {
    let mut random = Random(6);
    let (mut missed, count) = ([0; 2], cases(20_000));
    for _ in 0..count {
        let mut any = || {
            let low: [f64; 3] = std::array::from_fn(|_| random.below(6) as f64);
            // Long and short sides, so that boxes pierce and contain each other.
            solid(low, low.map(|x| x + if random.chance(0.5) { 1.0 } else { 8.0 }))
        };
        let (a, b) = (any(), any());
        let truth = a.intersects(&b);
        let answers = verdicts(&a, &b);
        assert_eq!(answers[0] || answers[2], truth, "{a:?} {b:?}");
        assert_eq!(answers[4], truth);
        missed[0] += usize::from(truth && !answers[0]);
        missed[1] += usize::from(truth && !answers[2]);
    }
    println!("of {count} the corner test misses {}, the edge test {}", missed[0], missed[1]);
    assert!(missed.iter().all(|&missed| missed > count / 600), "{missed:?}");
}

/// Checks rotated boxes: edges through faces miss nothing but nesting.
#[test]
fn rotated_edges_through_faces_miss_nesting_only() {
    let mut random = Random(9);
    let (mut missed, count) = (0, cases(5_000));
    for _ in 0..count {
        let mut any = |most: f64| {
            let axes = random.rotation();
            let axes = Matrix3::from_fn(|i, j| axes[j][i]);
            let half = Vector3::from_fn(|_, _| random.between(0.1, most));
            let center = Point3::from(Vector3::from(random.direction()) * random.share());
            Obb::new(center, axes, half).expect("a box")
        };
        let (a, b) = (any(2.0), any(0.3));
        let found = support::naive_box_tests::edges_through_faces(
            &PlainBox::of(&a),
            &PlainBox::of(&b),
            &mut Counter::default(),
        );
        let nested = |p: &Obb<f64>, q: &Obb<f64>| q.corners().iter().all(|&c| p.contains(c));
        assert_eq!(a.intersects(&b), found || nested(&a, &b) || nested(&b, &a), "{a:?} {b:?}");
        missed += usize::from(a.intersects(&b) && !found);
    }
    println!("of {count} turned pairs the edge-face test misses {missed}");
    assert!(missed > count / 50);
}
