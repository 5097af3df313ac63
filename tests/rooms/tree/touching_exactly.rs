//! Parts that touch exactly, or miss by about the slack.

use boxwood::Accuracy;
use boxwood::shape::Pose;
use boxwood::tree::{Build, Geometry, ObbTree, TreePair, TreeScratch};

use support::node_pairs::same_without_a_tree;
use support::prelude::*;
use support::random_parts::mesh;
use support::triangle_distance::Triangle;

fn touches_at_every_depth<T: Scalar>(a: (&ObbTree<T>, &Pose<T>), b: (&ObbTree<T>, &Pose<T>)) {
    let pair = TreePair::new(a.0, a.1, b.0, b.1).expect("sound poses");
    let mut scratch = TreeScratch::default();
    for depth in 0..=a.0.depth().max(b.0.depth()) {
        let found = pair.intersects(Accuracy::Depth(depth), &mut scratch);
        assert!(found.expect("a depth"), "missed at depth {depth}: {:?} {:?}", a.1, b.1);
    }
}

/// Builds boxes that all have the origin as a corner, or a point of one that does.
fn cornered<T: Scalar>(random: &mut Random) -> ObbTree<T> {
    let side = |random: &mut Random| 2f64.powi(random.below(12) as i32 - 9);
    let boxes = (0..4).map(|i| {
        let high: V = std::array::from_fn(|_| side(random));
        let low = if i == 0 { [0.0; 3] } else { high.map(|h| h * 0.5) };
        upright_solid(low, high)
    });
    default_tree(Geometry::Boxes(boxes.collect()))
}

/// Builds triangles, one of which has a corner at the origin.
fn fan<T: Scalar>(random: &mut Random) -> ObbTree<T> {
    let point = |random: &mut Random| -> V { std::array::from_fn(|_| random.between(0.0, 1.0)) };
    let mut triangles: Vec<Triangle> =
        (0..5).map(|_| std::array::from_fn(|_| point(random))).collect();
    triangles[0][random.below(3)] = [0.0; 3];
    default_tree(mesh(&triangles))
}

fn share_the_origin<T: Scalar>() {
    let mut random = Random(21);
    for round in 0..cases(4_000) {
        let part: fn(&mut Random) -> ObbTree<T> = if round % 2 == 0 { cornered } else { fan };
        let (a, b) = (part(&mut random), part(&mut random));
        let far = if round % 3 == 0 { 1e4 } else { 1.0 };
        let at = std::array::from_fn(|_| far * random.between(-1.0, 1.0));
        let (pose_a, pose_b) = (turned(&mut random, at), turned(&mut random, at));
        touches_at_every_depth((&a, &pose_a), (&b, &pose_b));
    }
}

/// Builds a box and a copy smaller by a hair: parent and children of about one size.
fn nested<T: Scalar>(sign: f64, hair: f64) -> ObbTree<T> {
    let between = |near: f64| {
        let (p, q) = ([sign * near; 3], [sign; 3]);
        let low = std::array::from_fn(|i| p[i].min(q[i]));
        upright_solid(low, std::array::from_fn(|i| p[i].max(q[i])))
    };
    let boxes = vec![between(0.0), between(hair)];
    default_tree(Geometry::Boxes(boxes))
}

/// Checks parts separate by 0.3 to 3 times the slack of the leaves: no pruning above may change
/// their verdict.
fn about_the_slack<T: Scalar>() {
    let (a, b) = (nested::<T>(-1.0, 1.0 / 4096.0), nested::<T>(1.0, 1.0 / 4096.0));
    let slack = T::LEAF_SLACK * (3f64.sqrt() + T::REACH_SHARE * 2.0 * 3f64.sqrt());
    let (mut touching, mut apart) = (0, 0);
    for step in 0..=270 {
        let gap = slack * (0.3 + 0.01 * f64::from(step));
        for axis in 0..3 {
            let mut at = [0.0; 3];
            at[axis] = gap;
            let found = same_without_a_tree((&a, &upright([0.0; 3])), (&b, &upright(at)));
            if found > 0 { touching += 1 } else { apart += 1 }
        }
    }
    assert!(touching > 150 && apart > 150, "{touching} {apart}");
}

fn flush<T: Scalar>() {
    let mut random = Random(22);
    for _ in 0..500 {
        let side = 2f64.powi(random.below(20) as i32 - 10);
        let shift = 2f64.powi(random.below(10) as i32);
        let cube = |low: V| Geometry::Boxes(vec![upright_solid::<T>(low, low.map(|x| x + side))]);
        let a = default_tree(cube([-side, 0.0, 0.0]));
        let b = default_tree(cube([0.0; 3]));
        let place = upright([shift, -shift, 2.0 * shift]);
        touches_at_every_depth((&a, &place), (&b, &place));
    }
}

/// Two sheets in one plane, each with a triangle in every cell of a grid of `side` cells a row: in
/// no cell do the two share a point, but in `touching` the second reaches a corner of the first.
/// Double precision decides no pair of them. Leaves of several triangles overlap as boxes.
fn interlocking<T: Scalar>(
    (side, leaf): (usize, usize),
    touching: Option<usize>,
    more: &[Triangle],
) -> [ObbTree<T>; 2] {
    let cells = || (0..side * side).map(|cell| [(cell % side) as f64, (cell / side) as f64]);
    let at = |[x, y]: [f64; 2], u: f64, v: f64| [x + u, y + v, 0.0];
    let lower =
        cells().map(|cell| [at(cell, 0.0, 0.0), at(cell, 0.625, 0.0), at(cell, 0.0, 0.625)]);
    let upper = cells().enumerate().map(|(number, cell)| {
        let near = if touching == Some(number) { 0.0 } else { 0.3125 };
        [at(cell, 0.9375, 0.9375), at(cell, near, 0.9375), at(cell, 0.625 + near, near)]
    });
    let build = Build::default().leaf_primitives(leaf);
    let tree =
        |triangles: Vec<Triangle>| ObbTree::build(mesh(&triangles), &build).expect("a sheet");
    [tree(lower.collect()), tree(upper.chain(more.iter().copied()).collect())]
}

/// Tests two parts in both orders, and returns the number of pairs that took exact arithmetic.
fn exact_pairs<T: Scalar>([a, b]: &[ObbTree<T>; 2], place: &Pose<T>, expected: bool) -> [u64; 2] {
    [(a, b), (b, a)].map(|(a, b)| {
        let pair = TreePair::new(a, place, b, place).expect("sound poses");
        let mut scratch = TreeScratch::default();
        assert_eq!(pair.intersects(Accuracy::Exact, &mut scratch), Ok(expected));
        let exact = scratch.counts.exact;
        let mut twin = TreeScratch::one_at_a_time();
        assert_eq!(pair.intersects(Accuracy::Exact, &mut twin), Ok(expected));
        exact
    })
}

/// Checks parts of which double precision decides no pair, many times as many as are deferred.
fn sheets_in_one_plane<T: Scalar>() {
    let mut random = Random(23);
    for cell in (0..100).step_by(step(1, 7)) {
        let place = turned(&mut random, [10.0, -20.0, 0.5]);
        exact_pairs(&interlocking::<T>((10, 4), Some(cell), &[]), &place, true);
    }
    let apart =
        exact_pairs(&interlocking::<T>((10, 4), None, &[]), &turned(&mut random, [5.0; 3]), false);
    assert!(apart.iter().all(|&exact| exact >= 400), "{apart:?}");
}

/// Checks that exact arithmetic waits for pairs that need none.
fn crossing_decides<T: Scalar>() {
    let mut random = Random(24);
    let crossing = [[0.1, 0.12, -1.0], [0.3, 0.17, -1.1], [0.15, 0.2, 1.0]];
    for round in 0..cases(100) {
        let place = turned(&mut random, [round as f64, 3.0, -1.0]);
        let apart = exact_pairs(&interlocking::<T>((2, 8), None, &[]), &place, false);
        assert_eq!(apart, [16, 16]);
        let crossed = exact_pairs(&interlocking::<T>((2, 8), None, &[crossing]), &place, true);
        assert_eq!(crossed, [0, 0]);
    }
}

scalars! {
    parts_that_share_their_origin_touch_whatever_the_turn => share_the_origin();
    pruning_drops_no_pair_that_the_leaves_report => about_the_slack();
    flush_faces_touch => flush();
    parts_in_one_plane_are_decided_exactly_however_many_pairs_there_are => sheets_in_one_plane();
    a_crossing_is_found_without_the_exact_tests_of_faces_in_one_plane => crossing_decides();
}
