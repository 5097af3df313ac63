//! Parts of slivers: their boxes have axes at right angles, contain them, and never separate
//! triangles that share a point.

use boxwood::Accuracy;
use boxwood::pair::ConvexShape;
use boxwood::shape::{Obb, Pose, Triangle};
use boxwood::tree::{Build, Geometry, NodeId, ObbTree, TreePair, TreeScratch};

use super::invariants::holds_everything;
use support::exact_boxes::share_a_point;
use support::exact_parts::{ExactPair, Part};
use support::prelude::*;
use support::random_parts::{mesh, put};
use support::slivers::{OF_THE_ISSUE, SIZES, sliver, slivers};

const BUILDS: [Build; 3] = [Build::new(), Build::tight(), Build::fast()];

/// Returns the largest entry of `|U^T U - 1|` for the stored axes.
fn skew<T: Scalar>(stored: &Obb<T>) -> f64 {
    let axes = stored.axes().map(T::wide);
    (axes.tr_mul(&axes) - Matrix3::identity()).amax()
}

/// Returns the bound from which `num::tolerance` proves the slack.
fn limit<T: Scalar>() -> f64 {
    2.0 * T::ROUNDING + 35.0 * 0.5 * f64::EPSILON
}

fn straight<T: Scalar>(tree: &ObbTree<T>) {
    for id in (0..tree.len()).map(NodeId::new) {
        let skew = skew(tree.node(id).oriented());
        assert!(skew <= limit::<T>(), "{id:?}: {skew:e} of {:?}", tree.geometry());
    }
}

fn right_angles<T: Scalar>() {
    let mut random = Random(5301);
    let mut parts = vec![mesh::<T>(&[OF_THE_ISSUE]), mesh(&[OF_THE_ISSUE; 3])];
    for round in 0..cases(6_000) {
        let size = SIZES[round % 3];
        let away = if round % 4 == 0 { [30.0 * size, -7.0 * size, 11.0 * size] } else { [0.0; 3] };
        parts.push(slivers(&mut random, size, away));
    }
    for (round, part) in parts.into_iter().enumerate() {
        for build in BUILDS {
            let tree = ObbTree::build(part.clone(), &build).expect("triangles");
            straight(&tree);
            assert_eq!(tree.validate(), Ok(()), "{part:?}");
            if round < 200 {
                holds_everything(&tree, &build);
            }
        }
    }
}

/// Checks triangles as convex primitives, whose boxes are computed in another way.
fn right_angles_of_convex_ones<T: Scalar>() {
    let mut random = Random(5302);
    for round in 0..cases(6_000) {
        let away = if round % 4 == 0 { [30.0, -7.0, 11.0] } else { [0.0; 3] };
        let size = SIZES[round % 3];
        let given = if round == 0 { OF_THE_ISSUE } else { sliver(&mut random, size) };
        let corners = given.map(|p| Point3::from(vector::<T>(plus(p, times(away, size)))));
        let [a, b, c] = corners;
        let shape = ConvexShape::from(Triangle::new(a, b, c).expect("a triangle"));
        let tree = ObbTree::build(Geometry::Convex(vec![shape]), &Build::new()).expect("a tree");
        straight(&tree);
        let stored = PlainBox::of(tree.node(NodeId::ROOT).oriented());
        for corner in corners {
            let center: V = [corner.x, corner.y, corner.z].map(T::wide);
            let point = PlainBox { center, half: [0.0; 3], ..stored };
            assert!(share_a_point(&stored, &point), "{corners:?}: {corner} is outside");
        }
    }
}

fn touches_at_every_depth<T: Scalar>(a: (&ObbTree<T>, &Pose<T>), b: (&ObbTree<T>, &Pose<T>)) {
    let pair = TreePair::new(a.0, a.1, b.0, b.1).expect("sound poses");
    let mut scratch = TreeScratch::default();
    let depths = (0..=a.0.depth().max(b.0.depth())).map(Accuracy::Depth);
    for accuracy in depths.chain([Accuracy::Exact, Accuracy::Within(0.0), Accuracy::Budget(1)]) {
        let found = pair.intersects(accuracy, &mut scratch).expect("an answer");
        let parts = [a.0.geometry(), b.0.geometry()];
        assert!(found, "missed at {accuracy:?}: {parts:?} at {:?} {:?}", a.1, b.1);
    }
}

/// Checks parts whose triangles share the origin of their frames, at one position.
fn share_the_origin<T: Scalar>() {
    let mut random = Random(5303);
    for round in 0..cases(40_000) {
        let size = SIZES[round % 3];
        let far = if round % 5 == 0 { 1e3 * size } else { size };
        let mut part = || slivers::<T>(&mut random, size, [0.0; 3]);
        let parts = [part(), part()];
        let build = &BUILDS[round % 3];
        let [a, b] = parts.map(|part| ObbTree::build(part, build).expect("triangles"));
        let at = std::array::from_fn(|_| far * random.between(-1.0, 1.0));
        let (pose_a, pose_b) = (turned(&mut random, at), turned(&mut random, at));
        touches_at_every_depth((&a, &pose_a), (&b, &pose_b));
    }
}

/// Returns a corner of the first triangle, or a point within it.
fn point_of<T: Scalar>(part: &Geometry<T>, within: bool) -> V {
    let corners = part.mesh().expect("triangles").corners(0);
    let [a, b, c] = corners.map(|p| [p.x, p.y, p.z].map(T::wide));
    if within { times(plus(plus(a, b), c), 1.0 / 3.0) } else { a }
}

/// Moves one part along a direction, from where two triangles cross or share a corner, up to the
/// last position where exact arithmetic finds a shared point: for at least one of `share` rounds.
fn touch_at_the_last_place<T: Scalar>(share: usize) {
    let mut random = Random(5304);
    let mut met = 0;
    for round in 0..cases(6_000) {
        let size = SIZES[round % 3];
        let away = if round % 4 == 0 { [3.0 * size, -0.7 * size, size] } else { [0.0; 3] };
        let parts = [away, [0.0; 3]].map(|away| slivers::<T>(&mut random, size, away));
        let shared = parts.each_ref().map(|part| point_of(part, round % 2 == 0));
        let exact = parts.each_ref().map(Part::of);
        let build = &BUILDS[round % 3];
        let [a, b] = parts.map(|part| ObbTree::build(part, build).expect("triangles"));
        let (pose, turn) = (turned::<T>(&mut random, [0.0; 3]), turned(&mut random, [0.0; 3]));
        let start = minus(put(&pose, shared[0]), put(&turn, shared[1]));
        let direction = random.direction();
        let at = |distance: f64| {
            let mut other: Pose<T> = turn;
            other.translation.vector = vector(plus(start, times(direction, distance)));
            other
        };
        let touch = |pose_b: &Pose<T>| ExactPair::new(&exact[0], &pose, &exact[1], pose_b).touch();
        let (mut near, mut far) = (0.0, 3.0 * size);
        if !touch(&at(near)) {
            continue;
        }
        for _ in 0..80 {
            let middle = 0.5 * (near + far);
            if touch(&at(middle)) { near = middle } else { far = middle }
        }
        met += 1;
        touches_at_every_depth((&a, &pose), (&b, &at(near)));
        touches_at_every_depth((&b, &at(near)), (&a, &pose));
    }
    assert!(met >= cases(6_000) / share, "{met}");
}

#[test]
fn trees_of_slivers_can_be_scaled() {
    let mut random = Random(5305);
    for _ in 0..cases(2_000) {
        let tree = ObbTree::build(slivers::<f64>(&mut random, 1.0, [0.0; 3]), &Build::new());
        let tree = tree.expect("triangles");
        for factor in [2.0, 0.37] {
            let scaled = tree.scaled(factor).expect("the same axes");
            assert_eq!(scaled.validate(), Ok(()));
        }
    }
}

scalars! {
    slivers_touch_at_the_last_place_where_they_share_a_point
        => touch_at_the_last_place(20; 5);
    boxes_of_slivers_have_right_angles => right_angles();
    boxes_of_convex_slivers_hold_them => right_angles_of_convex_ones();
    slivers_that_share_their_origin_touch => share_the_origin();
}
