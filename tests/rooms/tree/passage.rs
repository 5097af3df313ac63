//! Passages: at both ends the bodies touch and beyond them never again, by the exact test of moved
//! bodies; the ends by shadows of triangles, by sweeps of boxes, and by closed forms for cubes of
//! any mesh.

use boxwood::num::SimdLevel;
use boxwood::pair::Sweep;
use boxwood::shape::{Mesh, Obb, Pose};
use boxwood::tree::{Accuracy, Geometry, ObbTree, Passage, Push, TreePair, TreeScratch};
use boxwood::{Error, NodeId};

use support::closed_meshes::{cube, cut_cube, surface, torus};
use support::prelude::*;

fn unit<T: Scalar>(v: V) -> Unit<Vector3<T>> {
    Unit::new_normalize(vector(v))
}

/// Direction along an axis, or at random.
fn direction<T: Scalar>(random: &mut Random) -> Unit<Vector3<T>> {
    let axis = [Vector3::x_axis(), Vector3::y_axis(), -Vector3::z_axis()][random.below(3)];
    if random.chance(0.2) { axis } else { unit(random.direction()) }
}

/// Moves the pose along a direction.
fn moved(pose: &Pose<f64>, direction: &Vector3<f64>, by: f64) -> Pose<f64> {
    let mut pose = *pose;
    pose.translation.vector += direction * by;
    pose
}

struct Ends {
    touching: usize,
    beyond: usize,
}

/// Checks by the exact test that the two touch just before the end, and nowhere beyond it.
fn judge(
    [a, b]: [&ObbTree<f64>; 2],
    [pose_a, pose_b]: [&Pose<f64>; 2],
    passage: &Passage<f64>,
    (random, ends): (&mut Random, &mut Ends),
) {
    let mut scratch = TreeScratch::default();
    let mut touch = |by: f64| {
        let pose = moved(pose_b, &passage.normal, by);
        let pair = TreePair::new(a, pose_a, b, &pose).expect("sound poses");
        pair.intersects(Accuracy::Exact, &mut scratch).expect("an accuracy")
    };
    let size = a.radius_about_origin() + b.radius_about_origin();
    for (shift, sign) in [(passage.last.shift, 1.0), (passage.first.shift, -1.0)] {
        let share = f64::EPSILON.sqrt() * (shift.abs() + 1e-3 * size);
        assert!(touch(shift - sign * share), "apart before the end at {shift}");
        assert!(!touch(shift + sign * share * 1e-3), "touching beyond the end at {shift}");
        ends.touching += 1;
        for _ in 0..6 {
            assert!(!touch(shift + sign * size * random.decade(-6.0, 0.5)), "touching beyond");
            ends.beyond += 1;
        }
    }
}

#[test]
fn bodies_touch_at_both_ends_and_never_beyond() {
    let (mut random, mut scratch) = (Random(301), TreeScratch::default());
    let (mut ends, mut missed) = (Ends { touching: 0, beyond: 0 }, 0);
    for round in 0..cases(1_500) {
        let a = default_tree::<f64>(random_part(&mut random, round));
        let b = default_tree::<f64>(random_part(&mut random, round / 4));
        let at = if round % 5 == 0 { [900.0, -400.0, 2_000.0] } else { [0.3, -0.2, 0.5] };
        let pose_a = turned(&mut random, at);
        let offset = times(random.direction(), random.between(0.0, 1.5));
        let pose_b = turned(&mut random, plus(at, offset));
        let pair = TreePair::new(&a, &pose_a, &b, &pose_b).expect("sound poses");
        for _ in 0..4 {
            let way = direction(&mut random);
            match pair.passage(way, &mut scratch).expect("a direction") {
                None => missed += 1,
                Some(found) => {
                    assert!(found.first.shift <= found.last.shift);
                    judge([&a, &b], [&pose_a, &pose_b], &found, (&mut random, &mut ends));
                }
            }
        }
    }
    println!("{} ends, {} places beyond, {missed} ways past", ends.touching, ends.beyond);
    assert!(ends.touching > cases(5_000) && missed > cases(30));
}

/// Draws triangles on a lattice, up to four apart, of any shape.
fn lattice(random: &mut Random, count: usize) -> (Vec<[V; 3]>, Geometry<f64>) {
    let mut corner = || std::array::from_fn(|_| random.below(9) as f64 - 4.0);
    let triangles: Vec<[V; 3]> = (0..count).map(|_| [corner(), corner(), corner()]).collect();
    let corners = triangles.iter().flatten().map(|&p| Point3::from(p)).collect();
    let faces = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    (triangles, Geometry::Surface(Mesh::new(corners, faces).expect("a mesh")))
}

/// Computes the heights along z at which two triangles, of `b` over `a`, share a point of their
/// shadows: where a corner of one lies in the shadow of the other, and where shadows of edges
/// cross. Triangles parallel to z have only edges. The numbers are quotients of small integers.
fn heights(a: &[V; 3], b: &[V; 3]) -> Vec<f64> {
    let cross = |u: V, v: V| u[0] * v[1] - u[1] * v[0];
    let mut found = Vec::new();
    let mut corners = |p: &[V; 3], q: &[V; 3], sign: f64| {
        let area = cross(minus(q[1], q[0]), minus(q[2], q[0]));
        for &c in p.iter().filter(|_| area != 0.0) {
            let share =
                [0, 1, 2].map(|i| cross(minus(q[(i + 1) % 3], c), minus(q[(i + 2) % 3], c)) / area);
            if share.iter().all(|&x| x >= 0.0) {
                let height = share[0] * q[0][2] + share[1] * q[1][2] + share[2] * q[2][2];
                found.push(sign * (c[2] - height));
            }
        }
    };
    corners(a, b, 1.0);
    corners(b, a, -1.0);
    for i in 0..3 {
        for j in 0..3 {
            let ((p, u), (q, v)) =
                ((a[i], minus(a[(i + 1) % 3], a[i])), (b[j], minus(b[(j + 1) % 3], b[j])));
            let (area, off) = (cross(u, v), minus(q, p));
            let ends = |from: V, to: V, at: V| {
                // Position of a point's shadow on that of an edge, if any.
                let along = minus(to, from);
                let size = along[0] * along[0] + along[1] * along[1];
                if size == 0.0 {
                    let same = at[0] == from[0] && at[1] == from[1];
                    return if same { vec![from[2], to[2]] } else { vec![] };
                }
                let off = minus(at, from);
                let share = (off[0] * along[0] + off[1] * along[1]) / size;
                let on = cross(along, off) == 0.0 && (0.0..=1.0).contains(&share);
                if on { vec![from[2] + share * along[2]] } else { vec![] }
            };
            if area != 0.0 {
                let (s, t) = (cross(off, v) / area, cross(off, u) / area);
                if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
                    found.push(p[2] + s * u[2] - q[2] - t * v[2]);
                }
            } else {
                for at in [p, plus(p, u)] {
                    found.extend(ends(q, plus(q, v), at).iter().map(|h| at[2] - h));
                }
                for at in [q, plus(q, v)] {
                    found.extend(ends(p, plus(p, u), at).iter().map(|h| h - at[2]));
                }
            }
        }
    }
    found
}

#[test]
fn passages_end_where_the_shadows_of_triangles_end() {
    let (mut random, mut scratch, here) = (Random(302), TreeScratch::default(), Pose::identity());
    let (mut met, mut missed) = (0, 0);
    for round in 0..cases(20_000) {
        let counts = [[1, 1], [1, 3], [4, 9]][round % 3];
        let (a, geometry_a) = lattice(&mut random, counts[0]);
        let (b, geometry_b) = lattice(&mut random, counts[1]);
        let (tree_a, tree_b) = (default_tree(geometry_a), default_tree(geometry_b));
        let shift: V = std::array::from_fn(|_| random.below(9) as f64 - 4.0);
        let there = Isometry3::translation(shift[0], shift[1], shift[2]);
        let b: Vec<_> = b.iter().map(|t| t.map(|p| plus(p, shift))).collect();
        let pair = TreePair::new(&tree_a, &here, &tree_b, &there).expect("sound poses");
        let found = pair.passage(Vector3::z_axis(), &mut scratch).expect("a direction");
        let all = a.iter().flat_map(|x| b.iter().flat_map(|y| heights(x, y)));
        let ends = all.fold(None, |ends: Option<[f64; 2]>, h| {
            Some(ends.map_or([h, h], |[low, high]| [low.min(h), high.max(h)]))
        });
        let ends_found = found.map(|passage| [passage.first.shift, passage.last.shift]);
        match (ends, ends_found) {
            (Some(expected), Some(found)) => {
                assert!(
                    (found[0] - expected[0]).abs() < 1e-9,
                    "{expected:?} {found:?} {a:?} {b:?}"
                );
                assert!(
                    (found[1] - expected[1]).abs() < 1e-9,
                    "{expected:?} {found:?} {a:?} {b:?}"
                );
                met += 1;
            }
            (None, None) => missed += 1,
            other => panic!("{other:?} {a:?} {b:?}"),
        }
    }
    println!("{met} met, {missed} passed by");
    assert!(met > cases(5_000) && missed > cases(500));
}

#[test]
fn the_passage_of_cubes_does_not_depend_on_the_mesh() {
    let mut scratch = TreeScratch::default();
    for n in [1, 8, 32] {
        let cube = default_tree::<f64>(surface(cut_cube(n)));
        let (here, there) = (Pose::identity(), Isometry3::translation(0.7, 0.1, -0.05));
        let pair = TreePair::new(&cube, &here, &cube, &there).expect("sound poses");
        let passage = pair.passage(Vector3::x_axis(), &mut scratch).expect("a direction");
        let Passage { first, last, .. } = passage.expect("in line");
        assert!((last.shift - 0.3).abs() < 1e-12, "{n}: {last:?}");
        assert!((first.shift + 1.7).abs() < 1e-12, "{n}: {first:?}");
        assert!((last.on_a.x - 0.5).abs() < 1e-12 && (last.on_b.x - 0.2).abs() < 1e-12);
        assert!((last.on_a - last.on_b - Vector3::x() * last.shift).norm() < 1e-9);
    }
}

#[test]
fn passages_of_boxes_agree_with_sweeps() {
    let (mut random, mut scratch, mut met) = (Random(303), TreeScratch::default(), 0);
    for round in 0..cases(20_000) {
        let mut half = || Vector3::from_fn(|_, _| random.between(0.0, 1.0));
        let halves = [half(), half()];
        let [a, b] =
            halves.map(|half| Obb::from_pose(&Pose::<f64>::identity(), half).expect("a box"));
        let [tree_a, tree_b] = [&a, &b].map(|solid| default_tree(Geometry::Boxes(vec![*solid])));
        let pose_a = turned::<f64>(&mut random, [0.2, 0.1, 0.0]);
        let far = times(random.direction(), random.between(0.0, 3.0));
        let pose_b = if round % 4 == 0 {
            moved(&pose_a, &vector(far), 1.0)
        } else {
            turned(&mut random, far)
        };
        let way = direction::<f64>(&mut random);
        let pair = TreePair::new(&tree_a, &pose_a, &tree_b, &pose_b).expect("sound poses");
        let found = pair.passage(way, &mut scratch).expect("a direction");
        // From well before to well behind.
        let from = moved(&pose_b, &way, -20.0);
        let [a, b] =
            [(a, pose_a), (b, from)].map(|(s, pose)| s.transformed(&pose).expect("finite"));
        let hit = b.sweep(way.into_inner() * 40.0, &a);
        match (found, hit) {
            (Some(found), Some(hit)) => {
                let [enter, leave] =
                    [hit.time_of_impact, hit.time_of_leaving].map(|time| time * 40.0 - 20.0);
                assert!((found.first.shift - enter).abs() < 1e-8, "{found:?} {enter}");
                assert!((found.last.shift - leave).abs() < 1e-8, "{found:?} {leave}");
                met += 1;
            }
            (None, None) => {}
            // Grazing within rounding.
            (one, other) => panic!("{one:?} {other:?}"),
        }
    }
    assert!(met > cases(5_000));
}

fn bits<T: Scalar>(passage: &Passage<T>) -> Vec<u64> {
    let ends = [&passage.first, &passage.last];
    let numbers = ends.iter().flat_map(|end| {
        let places = end.on_a.iter().chain(end.on_b.iter()).copied();
        places.chain([end.shift]).collect::<Vec<T>>()
    });
    let nodes = ends.iter().flat_map(|end| [end.a, end.b]).map(|id: NodeId| id.index() as u64);
    numbers.map(T::bits).chain(nodes).collect()
}

/// Checks that swapped trees with the opposite direction give the reversed answer, and every SIMD
/// level the same.
fn one_answer<T: Scalar>(seed: u64) {
    let (mut random, mut compared) = (Random(seed), 0);
    for round in 0..at_least(600, 200) {
        let a = default_tree::<T>(random_part(&mut random, round));
        let b = if round % 3 == 0 {
            a.clone()
        } else {
            default_tree(random_part(&mut random, round / 4))
        };
        let pose_a = turned::<T>(&mut random, [0.5, 0.0, 0.2]);
        let pose_b =
            if round % 2 == 0 { pose_a } else { turned::<T>(&mut random, [0.7, 0.3, 0.0]) };
        let way = direction::<T>(&mut random);
        let there = TreePair::new(&a, &pose_a, &b, &pose_b).expect("sound poses");
        let back = TreePair::new(&b, &pose_b, &a, &pose_a).expect("sound poses");
        let answers: Vec<_> = SimdLevel::all()
            .into_iter()
            .map(|simd| {
                let mut scratch = TreeScratch::with_simd_level(simd);
                let one = there.passage(way, &mut scratch).expect("a direction");
                let two = back.passage(-way, &mut scratch).expect("a direction");
                let two = two.map(|passage| passage.reversed());
                assert_eq!(one.as_ref().map(bits), two.as_ref().map(bits), "round {round}");
                (one.as_ref().map(bits), scratch.counts)
            })
            .collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "round {round}");
        compared += usize::from(answers[0].0.is_some());
    }
    assert!(compared > cases(100), "{compared}");
}

/// A separation is the last contact along its normal as it is stored, named alike, whichever of the
/// orders, at every SIMD level and for traversals of one pair of nodes at a time.
fn along_the_stored_normal<T: Scalar>(seed: u64) {
    let (mut random, mut found) = (Random(seed), 0);
    for round in 0..at_least(600, 200) {
        let [a, b] = [0, 1].map(|side| default_tree::<T>(random_part(&mut random, round + side)));
        let pose_a = turned::<T>(&mut random, [0.5, 0.0, 0.2]);
        let pose_b = turned::<T>(&mut random, [0.6, 0.1, 0.2]);
        let way = direction::<T>(&mut random);
        let there = TreePair::new(&a, &pose_a, &b, &pose_b).expect("sound poses");
        let back = TreePair::new(&b, &pose_b, &a, &pose_a).expect("sound poses");
        let pushes = |way: Unit<Vector3<T>>| {
            let within = Push::within(way, 0.3);
            [Push::least(), Push::along(way), within, Push::across(way).near(way)]
        };
        for (push, other) in pushes(way).into_iter().zip(pushes(-way)) {
            let levels = SimdLevel::all().into_iter().map(TreeScratch::with_simd_level);
            let mut answers = levels.chain([TreeScratch::one_at_a_time()]).map(|mut scratch| {
                let one = there.separation(&push, &mut scratch).expect("a push");
                let two = back.separation(&other, &mut scratch).expect("a push");
                let two = two.map(|way| way.reversed());
                assert_eq!(format!("{one:?}"), format!("{two:?}"), "round {round}, {push:?}");
                let one = one?;
                let passage = there.passage(one.normal, &mut scratch).expect("a direction");
                let last = passage.expect("they touch").last;
                assert!(last.shift == one.depth || one.depth == T::zero(), "{last:?} {one:?}");
                assert_eq!(
                    (last.a, last.b, last.on_a, last.on_b),
                    (one.a, one.b, one.on_a, one.on_b)
                );
                Some(format!("{one:?}"))
            });
            let first = answers.next().expect("a level");
            found += usize::from(first.is_some());
            assert!(answers.all(|other| other == first), "round {round}, {push:?}");
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn moving_one_body_takes_as_much_off_its_passage() {
    let (mut random, mut scratch) = (Random(306), TreeScratch::default());
    for _ in 0..cases(300) {
        let (a, b) = (
            default_tree(surface(torus(1.0, 0.3, 12, 8))),
            default_tree(surface(cube([0.2, 0.2, 2.0]))),
        );
        let (pose_a, pose_b) =
            (turned(&mut random, [0.0; 3]), turned(&mut random, [0.3, 0.1, 0.0]));
        let way = direction::<f64>(&mut random);
        let by = random.between(-2.0, 2.0);
        let ends = |pose_b: &Pose<f64>, scratch: &mut TreeScratch| {
            let pair = TreePair::new(&a, &pose_a, &b, pose_b).expect("sound poses");
            let passage = pair.passage(way, scratch).expect("a direction").expect("in line");
            [passage.first.shift, passage.last.shift]
        };
        let before = ends(&pose_b, &mut scratch);
        let after = ends(&moved(&pose_b, &way, by), &mut scratch);
        for i in 0..2 {
            assert!((before[i] - by - after[i]).abs() < 1e-9, "{before:?} {by} {after:?}");
        }
    }
}

#[test]
fn sizes_at_the_limits_and_invalid_directions() {
    let mut scratch = TreeScratch::default();
    for size in [1e-60, 1e-28, 1e-20, 1.0, 1e20, 1e40] {
        let cube = default_tree(surface(cube([0.5 * size; 3])));
        let there = Isometry3::translation(0.7 * size, 0.0, 0.0);
        let pair = TreePair::new(&cube, &Pose::identity(), &cube, &there).expect("sound poses");
        let passage = pair.passage(Vector3::x_axis(), &mut scratch).expect("a direction");
        let last = passage.expect("they touch").last.shift;
        assert!((last / size - 0.3).abs() < 1e-9, "{size}: {last}");
    }
    let cube = default_tree(surface(cube([0.5; 3])));
    let pair = TreePair::new(&cube, &Pose::identity(), &cube, &Pose::identity()).expect("poses");
    let mut ask = |v: [f64; 3]| pair.passage(Unit::new_unchecked(Vector3::from(v)), &mut scratch);
    assert_eq!(ask([f64::NAN, 0.0, 0.0]), Err(Error::NotFinite { field: "direction", index: 0 }));
    let length = Err(Error::NotUnit { field: "direction", index: 0, length: 2.0 });
    assert_eq!(ask([0.0, 2.0, 0.0]), length);
    // Two bodies at one position.
    let last = ask([0.0, 0.0, 1.0]).expect("a direction").expect("one place").last;
    assert!((last.shift - 1.0).abs() < 1e-12);
}

scalars! {
    swapped_trees_and_every_simd_level_give_one_answer => one_answer(304; 305);
    separations_are_passages_along_the_stored_normal => along_the_stored_normal(307; 308);
}
