//! Pairs of convex primitives: verdicts at known gaps from far below to far above rounding, closest
//! points with proofs, parry3d, passages, and single precision against double.

use boxwood::NodeId;
use boxwood::nalgebra::{Rotation3, Translation3};
use boxwood::shape::Pose;
use boxwood::tree::{Accuracy, DecidedBy, Geometry, NodePair, ObbTree, TreePair, TreeScratch};

use support::convex_bodies::{Body, BodyKind};
use support::parry::Peer;
use support::prelude::*;
use support::random::apply;
use support::random_parts::{frame, put};

fn tree<T: Scalar>(body: &Body) -> ObbTree<T> {
    default_tree(Geometry::Convex(vec![body.shape()]))
}

/// Draws sizes and thinness of a regime.
fn regime(random: &mut Random, round: usize) -> (f64, f64) {
    match round % 4 {
        0 => (1.0, 0.3),
        1 => (random.decade(-5.0, 5.0), 1.0),
        2 => (1.0, 3.0),
        _ => (random.decade(-1.0, 1.0), 2.0),
    }
}

/// Returns axes whose first is the given one.
fn axes_from(x: V, random: &mut Random) -> [V; 3] {
    loop {
        let other = outer(x, random.direction());
        if norm(other) > 0.1 {
            let y = times(other, 1.0 / norm(other));
            return [x, y, outer(x, y)];
        }
    }
}

fn matrix(columns: &[V; 3]) -> Matrix3<f64> {
    Matrix3::from_columns(&columns.map(Vector3::from))
}

/// Returns the pose of the second body that puts its surface a gap above that of the first, point
/// over point and normal against normal: the two bodies are exactly that far apart, or overlap by
/// that much there.
fn facing([a, b]: [&Body; 2], pose_a: &Pose<f64>, gap: f64, random: &mut Random) -> (Pose<f64>, V) {
    let ((p, n), (q, m)) = (a.surface(random), b.surface(random));
    let (columns, _) = frame(pose_a);
    let (p, n) = (put(pose_a, p), apply(&columns, n));
    let turn =
        matrix(&axes_from(times(n, -1.0), random)) * matrix(&axes_from(m, random)).transpose();
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
    let at = Vector3::from(plus(p, times(n, gap))) - turn * Vector3::from(q);
    (Isometry3::from_parts(Translation3::from(at), turn), n)
}

/// Returns a lower bound on the thickness of a body: moved in by less, it does not come out at the
/// back.
fn thinnest(body: &Body) -> f64 {
    match body.kind {
        BodyKind::Hull | BodyKind::Triangle => 0.0,
        _ => body.half.iter().fold(f64::MAX, |least, &x| least.min(x)),
    }
}

const EXACT: NodePair = NodePair { a: NodeId::ROOT, b: NodeId::ROOT, by: DecidedBy::Primitives };

#[test]
fn touching_is_never_missed_and_pairs_beyond_the_slack_are_separated() {
    let (mut scratch, mut told, mut open) = (TreeScratch::default(), [0; 2], 0);
    for first in BodyKind::ALL {
        for second in BodyKind::ALL {
            let mut random = Random(11 + first as u64 * 8 + second as u64);
            for round in 0..cases(4_000) {
                let like = regime(&mut random, round);
                let other = regime(&mut random, round / 4);
                let a = Body::random(&mut random, first, like);
                let b = Body::random(&mut random, second, other);
                let far = if round % 7 == 0 { 1e4 * like.0 } else { like.0 };
                let pose_a = {
                    let at = times(random.direction(), far);
                    turned(&mut random, at)
                };
                let [x, y] = [&a, &b].map(tree::<f64>);
                let gap = match round % 6 {
                    0 => 0.0,
                    1 => -thinnest(&a).min(thinnest(&b)) * random.decade(-14.0, -1.0),
                    2 => {
                        1.01 * (x.radius_about_origin() + y.radius_about_origin())
                            / (1u64 << 40) as f64
                    }
                    _ => {
                        (x.radius_about_origin() + y.radius_about_origin())
                            * random.decade(-12.0, -1.0)
                    }
                };
                let (pose_b, _) = facing([&a, &b], &pose_a, gap, &mut random);
                let pair = TreePair::new(&x, &pose_a, &y, &pose_b).expect("sound poses");
                let touch = pair.intersects(Accuracy::Exact, &mut scratch).expect("an accuracy");
                let slack = pair.slack(EXACT);
                // Rounded poses change the gap by this much.
                let rounding = 1e-15 * (far + a.size() + b.size());
                let swapped = TreePair::new(&y, &pose_b, &x, &pose_a).expect("sound poses");
                assert_eq!(touch, swapped.intersects(Accuracy::Exact, &mut scratch).expect("one"));
                // Triangles and boxes are decided exactly, so by that test too.
                let flat = |kind| matches!(kind, BodyKind::Box | BodyKind::Triangle);
                let exactly = flat(first) && flat(second);
                let placed = if round % 7 == 0 || exactly { rounding } else { 0.0 };
                if gap <= -placed {
                    assert!(touch, "missed {gap:e} {a:?} {b:?}");
                    told[0] += 1;
                    // Coarser accuracies miss no touching pair either.
                    let accuracy = [Accuracy::Depth(0), Accuracy::Within(1e-3)][round / 6 % 2];
                    assert!(pair.intersects(accuracy, &mut scratch).expect("one"));
                } else if gap > slack + rounding {
                    assert!(!touch, "{gap:e} is more than {slack:e}: {a:?} {b:?}");
                    told[1] += 1;
                } else {
                    open += 1;
                }
            }
        }
    }
    println!("{told:?}, {open} open");
    assert!(told[0] > 2 * open && told[1] > 2 * open, "{told:?} {open}");
}

/// Proves closest points: they are in the bodies, and the vector between them is normal to planes
/// that separate the bodies.
fn prove(
    [a, b]: [&Body; 2],
    [pose_a, pose_b]: [&Pose<f64>; 2],
    (distance, on_a, on_b): (f64, V, V),
) {
    let far = norm(on_a) + norm(on_b) + a.size() + b.size();
    let close = far / (1u64 << 40) as f64;
    let local = |pose: &Pose<f64>, p: V| {
        let (columns, at) = frame(pose);
        columns.map(|axis| inner(axis, minus(p, at)))
    };
    for (body, pose, point) in [(a, pose_a, on_a), (b, pose_b, on_b)] {
        let outside = body.excess(local(pose, point));
        assert!(outside <= close, "{outside:e} {far:e} {a:?} {b:?}");
    }
    if distance == 0.0 {
        assert!(norm(minus(on_a, on_b)) <= close);
        return;
    }
    let way = minus(on_b, on_a);
    assert!((norm(way) - distance).abs() <= close, "{distance:e} {way:?}");
    // Closer bodies have no reliable direction.
    if distance > 1e-6 * far {
        let n = times(way, 1.0 / norm(way));
        let along = |pose: &Pose<f64>, body: &Body, n: V| {
            let (columns, at) = frame(pose);
            body.reach(columns.map(|axis| inner(axis, n))) + inner(at, n)
        };
        let gap = -along(pose_b, b, times(n, -1.0)) - along(pose_a, a, n);
        // On flat sides closest points are known to the root of rounding only.
        assert!((gap - distance).abs() <= 1e-7 * far, "{gap:e} {distance:e} {a:?} {b:?}");
    }
}

#[test]
fn closest_points_are_proved_by_separating_planes() {
    let (mut scratch, mut apart, mut together) = (TreeScratch::default(), 0, 0);
    for first in BodyKind::ALL {
        for second in BodyKind::ALL {
            let mut random = Random(511 + first as u64 * 8 + second as u64);
            for round in 0..cases(2_000) {
                let (like, other) = (regime(&mut random, round), regime(&mut random, round / 4));
                let a = Body::random(&mut random, first, like);
                let b = Body::random(&mut random, second, other);
                let pose_a = turned(&mut random, [0.5, -0.25, 4.0]);
                let gap = match round % 5 {
                    0 => -0.3 * thinnest(&a).min(thinnest(&b)),
                    other => [0.0, 1e-4, 0.1, 1.0, 30.0][other] * (a.size() + b.size()),
                };
                let (pose_b, _) = facing([&a, &b], &pose_a, gap, &mut random);
                let [x, y] = [&a, &b].map(tree::<f64>);
                let pair = TreePair::new(&x, &pose_a, &y, &pose_b).expect("sound poses");
                let far = f64::INFINITY;
                let closest = pair.distance(Accuracy::Exact, far, &mut scratch);
                let closest = closest.expect("an accuracy").expect("in reach");
                if gap > 0.0 {
                    let off = (closest.distance - gap).abs();
                    // Rounded poses change the gap by this much.
                    let room = closest.slack + 1e-13 * gap + 1e-14;
                    assert!(off <= room, "{off:e} {:e}", closest.slack);
                }
                let found =
                    (closest.distance, closest.on_a.coords.into(), closest.on_b.coords.into());
                prove([&a, &b], [&pose_a, &pose_b], found);
                apart += usize::from(closest.distance > 0.0);
                together += usize::from(closest.distance == 0.0);
                let back = TreePair::new(&y, &pose_b, &x, &pose_a).expect("sound poses");
                let back = back.distance(Accuracy::Exact, far, &mut scratch).expect("one");
                assert_eq!(back.map(|b| b.reversed()), Some(closest));
                // Margins on both sides of the distance.
                let over = closest.distance * (1.0 + 1e-9) + closest.slack;
                let within = pair.margin(over).expect("a margin");
                assert!(within.intersects(Accuracy::Exact, &mut scratch).expect("one"));
                let less = closest.distance - closest.slack;
                let beyond = pair.margin(less.max(0.0)).expect("a margin");
                let room = 2.0 * beyond.slack(EXACT);
                if less - room > 0.0 {
                    let beyond = pair.margin(less - room).expect("a margin");
                    assert!(!beyond.intersects(Accuracy::Exact, &mut scratch).expect("one"));
                }
            }
        }
    }
    println!("{apart} apart, {together} together");
    assert!(apart > 3 * together / 2 && together > apart / 50, "{apart} {together}");
}

#[test]
fn distances_equal_those_of_parry() {
    let (mut scratch, mut same, mut farther) = (TreeScratch::default(), 0, 0);
    for first in BodyKind::ALL {
        for second in BodyKind::ALL {
            let mut random = Random(901 + first as u64 * 8 + second as u64);
            for _ in 0..cases(500) {
                let a = Body::random(&mut random, first, (1.0, 0.5));
                let b = Body::random(&mut random, second, (1.0, 0.5));
                let (Some(peer_a), Some(peer_b)) = (Peer::body(&a), Peer::body(&b)) else {
                    continue;
                };
                let pose_a = turned(&mut random, [0.5, -0.25, 4.0]);
                let gap = random.between(-0.5, 2.0);
                let (pose_b, _) = facing([&a, &b], &pose_a, gap, &mut random);
                let [x, y] = [&a, &b].map(tree::<f64>);
                let pair = TreePair::new(&x, &pose_a, &y, &pose_b).expect("sound poses");
                let closest = pair.distance(Accuracy::Exact, f64::INFINITY, &mut scratch);
                let mine = closest.expect("an accuracy").expect("in reach").distance;
                let other = peer_a.placed(&pose_a).distance(&peer_b.placed(&pose_b));
                // Both are distances of true points, so the smaller one is better.
                match (mine - other).abs() < 1e-4 {
                    true => same += 1,
                    false => {
                        assert!(mine < other, "{mine} {other} {a:?} {b:?}");
                        farther += 1;
                    }
                }
            }
        }
    }
    assert!(same > 50 * farther, "{same} {farther}");
}

#[test]
fn single_precision_agrees_with_the_known_gap() {
    let (mut scratch, mut told) = (TreeScratch::default(), [0; 2]);
    for first in BodyKind::ALL {
        for second in BodyKind::ALL {
            let mut random = Random(77 + first as u64 * 8 + second as u64);
            for round in 0..cases(1_000) {
                let like = regime(&mut random, round);
                let a = Body::random(&mut random, first, like);
                let b = Body::random(&mut random, second, like);
                let pose_a: Pose<f64> = turned(&mut random, [0.0; 3]);
                let gap = match round % 2 {
                    0 => -thinnest(&a).min(thinnest(&b)) * random.decade(-2.0, 0.0),
                    _ => (a.size() + b.size()) * random.decade(-5.0, 0.0),
                };
                let (pose_b, _) = facing([&a, &b], &pose_a, gap, &mut random);
                let narrow = [&pose_a, &pose_b].map(|pose| pose.cast::<f32>());
                let [x, y] = [&a, &b].map(tree::<f32>);
                let pair = TreePair::new(&x, &narrow[0], &y, &narrow[1]).expect("sound poses");
                let touch = pair.intersects(Accuracy::Exact, &mut scratch).expect("one");
                assert!(
                    pair.slack(EXACT)
                        <= (x.radius_about_origin() + y.radius_about_origin()) / (1 << 20) as f32
                );
                if gap.abs() > 1e-6 * (a.size() + b.size()) {
                    assert_eq!(touch, gap <= 0.0, "{gap:e} {a:?} {b:?}");
                    told[usize::from(touch)] += 1;
                }
            }
        }
    }
    assert!(told[0] > 1000 && told[1] > 1000, "{told:?}");
}

#[test]
fn bodies_touch_at_both_ends_of_a_passage_and_never_beyond() {
    let (mut scratch, mut ends, mut faced) = (TreeScratch::default(), 0, 0);
    for first in BodyKind::ALL {
        for second in BodyKind::ALL {
            let mut random = Random(1_301 + first as u64 * 8 + second as u64);
            for round in 0..cases(400) {
                let like = regime(&mut random, round);
                let a = Body::random(&mut random, first, like);
                let b = Body::random(&mut random, second, like);
                let [x, y] = [&a, &b].map(tree::<f64>);
                let pose_a = turned(&mut random, [0.5, -0.25, 4.0]);
                let size = x.radius_about_origin() + y.radius_about_origin();
                let (touching, n) = facing([&a, &b], &pose_a, 0.0, &mut random);
                // Moved away along a direction by a known distance, which leads straight back.
                let way = [n, random.direction()][round % 2];
                let slope = inner(way, n);
                if slope.abs() < 0.05 {
                    continue;
                }
                let way = times(way, slope.signum());
                let by = size * random.between(0.0, 3.0);
                let mut pose_b = touching;
                pose_b.translation.vector += Vector3::from(times(way, by));
                let direction = Unit::new_normalize(Vector3::from(times(way, -1.0)));
                let pair = TreePair::new(&x, &pose_a, &y, &pose_b).expect("sound poses");
                let passage = pair.passage(direction, &mut scratch).expect("a direction");
                // Corners that touch at one moment pass each other, up to rounding.
                let Some(passage) = passage else { continue };
                let off = passage.first.shift - by;
                let room = 1e-9 * size / slope.abs();
                let moved = 1e-14 / slope.abs();
                assert!(
                    off <= 1e-13 * size + moved && off >= -room - moved,
                    "{off:e} {slope} {a:?} {b:?}"
                );
                for (shift, sign) in [(passage.first.shift, -1.0), (passage.last.shift, 1.0)] {
                    let mut moved = pose_b;
                    moved.translation.vector += *direction * (shift + sign * (1e-7 * size + 1e-13));
                    let pair = TreePair::new(&x, &pose_a, &y, &moved).expect("sound poses");
                    let touch = pair.intersects(Accuracy::Exact, &mut scratch).expect("one");
                    assert!(!touch, "touching beyond {shift}");
                    ends += 1;
                }
                if round % 4 == 0 {
                    let deep = facing(
                        [&a, &b],
                        &pose_a,
                        -0.1 * thinnest(&a).min(thinnest(&b)),
                        &mut random,
                    );
                    let pair = TreePair::new(&x, &pose_a, &y, &deep.0).expect("sound poses");
                    let push = boxwood::f64::Push::least();
                    let way = pair.separation(&push, &mut scratch).expect("a push");
                    let Some(way) = way else { continue };
                    let mut moved = deep.0;
                    moved.translation.vector += *way.normal * (way.depth + 1e-9 * size);
                    let pair = TreePair::new(&x, &pose_a, &y, &moved).expect("sound poses");
                    assert!(!pair.intersects(Accuracy::Exact, &mut scratch).expect("one"));
                    assert!(way.at_least <= way.depth);
                    faced += 1;
                }
            }
        }
    }
    assert!(ends > 5_000 && faced > 50, "{ends} {faced}");
}
