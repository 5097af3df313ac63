//! Containment in solids made of unit cubes, where the inside of a point is known, and rays along
//! the axes run through corners, along edges and in faces.

use std::collections::HashMap;
use std::ops::ControlFlow;

use boxwood::Accuracy;
use boxwood::shape::{Mesh, Pose};
use boxwood::tree::{Build, DecidedBy, Geometry, ObbTree, TreePair, TreeScratch};

use super::coincident_poses::{Place, local, poses};
use support::exact_parts::touch;
use support::prelude::*;
use support::random_parts::mesh;

const SIDE: usize = 4;

/// The full unit cubes.
struct Voxels([bool; SIDE * SIDE * SIDE]);

impl Voxels {
    fn any(random: &mut Random) -> Self {
        let share = random.between(0.2, 0.7);
        Voxels(std::array::from_fn(|_| random.chance(share)))
    }

    fn full(&self, cell: [i32; 3]) -> bool {
        let inside = cell.iter().all(|&c| (0..SIDE as i32).contains(&c));
        inside && self.0[cell.iter().fold(0, |at, &c| at * SIDE + c as usize)]
    }

    /// Returns the faces between full and empty cubes.
    fn boundary<T: Scalar>(&self) -> Option<Mesh<T>> {
        let (mut corners, mut known, mut triangles) = (Vec::new(), HashMap::new(), Vec::new());
        for at in 0..SIDE * SIDE * SIDE {
            let cell = [at / (SIDE * SIDE), at / SIDE % SIDE, at % SIDE].map(|c| c as i32);
            for face in (0..6).filter(|_| self.full(cell)) {
                let (axis, up) = (face / 2, face as i32 % 2);
                let mut beside = cell;
                beside[axis] += 2 * up - 1;
                if self.full(beside) {
                    continue;
                }
                let corner = |u: i32, v: i32| {
                    let mut p = cell;
                    (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) =
                        (p[axis] + up, p[(axis + 1) % 3] + u, p[(axis + 2) % 3] + v);
                    p
                };
                let square = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                let [a, b, c, d] = square.map(|p| {
                    *known.entry(p).or_insert_with(|| {
                        corners.push(Point3::from(vector::<T>(p.map(f64::from))));
                        corners.len() as u32 - 1
                    })
                });
                let halves = [[a, b, c], [a, c, d]];
                triangles
                    .extend(halves.map(|[a, b, c]| if up == 1 { [a, b, c] } else { [a, c, b] }));
            }
        }
        Mesh::new(corners, triangles).ok()
    }
}

/// Draws a point of the quarter lattice that is on no face, and returns `true` with it if it is
/// inside.
fn lattice_point(random: &mut Random, voxels: &Voxels) -> (V, bool) {
    let quarters: [i32; 3] = std::array::from_fn(|_| random.below(4 * SIDE + 4) as i32 - 2);
    let cells = |lift: [i32; 3]| {
        let cell: [i32; 3] = std::array::from_fn(|k| (quarters[k] + lift[k]).div_euclid(4));
        voxels.full(cell)
    };
    // All cells around the point; it is on a face if they differ.
    let around: Vec<bool> = (0..8).map(|bits| cells([0, 1, 2].map(|k| -(bits >> k & 1)))).collect();
    match around.iter().all(|&full| full == around[0]) {
        true => (quarters.map(|q| f64::from(q) / 4.0), around[0]),
        false => lattice_point(random, voxels),
    }
}

/// Returns a point, or a triangle too small to reach a face.
fn speck<T: Scalar>(random: &mut Random, at: V, put: impl Fn(V) -> V) -> Geometry<T> {
    let far = |random: &mut Random, size: f64| {
        let step: V = std::array::from_fn(|_| size * random.between(-1.0, 1.0));
        put(support::plain_box::plus(at, step))
    };
    let p = put(at);
    match random.below(3) {
        0 => mesh(&[[p; 3]]),
        1 => mesh(&[[p, p, far(random, 1e-3)]]),
        _ => mesh(&[[p, far(random, 0.1), far(random, 0.1)]]),
    }
}

/// Returns what decides that they touch, if they do.
fn how<T: Scalar>(
    (tree, p): (&ObbTree<T>, &Pose<T>),
    (other, q): (Geometry<T>, &Pose<T>),
    scratch: &mut TreeScratch,
) -> Option<DecidedBy> {
    let speck = ObbTree::build(other, &Build::fast()).expect("a part");
    let pair = TreePair::new(tree, p, &speck, q).expect("sound poses");
    let mut by = None;
    let _ = pair.visit(Accuracy::Exact, scratch, |touch| {
        by = Some(touch.by);
        ControlFlow::Continue(())
    });
    assert_eq!(pair.intersects(Accuracy::Within(0.0), scratch), Ok(by.is_some()));
    by
}

fn in_voxels<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut inside, mut count, mut scratch) = (0, 0, TreeScratch::default());
    for round in 0..150 {
        let voxels = Voxels::any(&mut random);
        let Some(mesh) = voxels.boundary::<T>() else { continue };
        assert!(mesh.open_edges().is_empty());
        let geometry = Geometry::Solid(mesh);
        let tree = ObbTree::build(geometry.clone(), &Build::fast()).expect("a part");
        for index in 0..40 {
            let places = [Place::Same, Place::Thirds, Place::Free(2.0), Place::Free(1e4)];
            let place = places[(round + index) % 4];
            let [p, q] = poses::<T>(&mut random, place);
            let (at, expected) = lattice_point(&mut random, &voxels);
            let put = |point: V| across(point, [&p, &q], place);
            let other = speck::<T>(&mut random, at, put);
            // The oracle is checked only sometimes, since the answer is known.
            if index % 4 == 0 {
                assert_eq!(touch((&geometry, &p), (&other, &q)), expected);
            }
            let answer = how((&tree, &p), (other, &q), &mut scratch);
            assert_eq!(answer, expected.then_some(DecidedBy::Inside), "{at:?} {p:?} {q:?}");
            (inside, count) = (inside + usize::from(expected), count + 1);
        }
    }
    println!("{inside} of {count} specks inside");
    assert!(inside > count / 10 && inside < count * 9 / 10);
}

/// Point of the frame of the first part in that of the second.
fn across<T: Scalar>(point: V, [p, q]: [&Pose<T>; 2], place: Place) -> V {
    match place {
        Place::Same => point,
        _ => local(support::random_parts::put(p, point), q, place, [0.0; 3]),
    }
}

/// Checks points on faces, edges and corners, and a hair beside them: the exact answer decides.
fn at_the_faces<T: Scalar>(seed: u64) {
    let (mut random, mut scratch) = (Random(seed), TreeScratch::default());
    let mut counts = [0; 2];
    let rounds = at_least(120, 30);
    for round in 0..rounds {
        let Some(mesh) = Voxels::any(&mut random).boundary::<T>() else { continue };
        let geometry = Geometry::Solid(mesh);
        let tree = ObbTree::build(geometry.clone(), &Build::fast()).expect("a part");
        for index in 0..40 {
            let place = [Place::Same, Place::Thirds, Place::Free(2.0)][(round + index) % 3];
            let [p, q] = poses::<T>(&mut random, place);
            let hair = [0.0, random.decade(-17.0, -6.0), 0.25][random.below(3)];
            let at: V = std::array::from_fn(|_| {
                random.below(2 * SIDE + 1) as f64 / 2.0 + hair * random.between(-1.0, 1.0)
            });
            let other = support::random_parts::mesh::<T>(&[[across(at, [&p, &q], place); 3]]);
            let expected = touch((&geometry, &p), (&other, &q));
            let found = how((&tree, &p), (other, &q), &mut scratch);
            assert_eq!(found.is_some(), expected, "{at:?} {p:?} {q:?}");
            counts[usize::from(expected)] += 1;
        }
    }
    println!("{counts:?} points beside and in voxels");
    assert!(counts[0] > 4 * rounds && counts[1] > 4 * rounds);
}

scalars! {
    tiny_triangles_in_voxels => in_voxels(1001; 1002);
    points_at_the_faces_of_voxels => at_the_faces(1003; 1004);
}
