//! FCL's meshes against the second exact oracle: colliding frames, colliding triangles, and a robot
//! anywhere in its surroundings.

use std::ops::ControlFlow;

use boxwood::Accuracy;
use boxwood::shape::{Mesh, Pose};
use boxwood::tree::{Build, Geometry, ObbTree, TreePair, TreeScratch};

use support::exact_parts::{ExactPair, Part};
use support::fcl::{recording, scenery};
use support::prelude::*;
use support::random_parts::pose;

fn narrow<T: Scalar>(mesh: &Mesh<f64>) -> Mesh<T> {
    let vertices = mesh.vertices().iter().map(|p| p.map(T::nearest)).collect();
    Mesh::new(vertices, mesh.triangles().to_vec()).expect("a mesh")
}

fn narrow_pose<T: Scalar>(wide: &Pose<f64>) -> Pose<T> {
    let (q, p) = (wide.rotation.coords, wide.translation.vector);
    pose([q.x, q.y, q.z, q.w], [p.x, p.y, p.z])
}

/// Two parts, in the crate and in the oracle.
struct Both<T: Scalar> {
    trees: [ObbTree<T>; 2],
    parts: [Part; 2],
    scratch: TreeScratch,
    /// Pairs of triangles that share a point, over all poses compared.
    pairs: usize,
}

impl<T: Scalar> Both<T> {
    fn new(geometry: [Geometry<T>; 2]) -> Self {
        let parts = geometry.each_ref().map(Part::of);
        let trees = geometry.map(|g| ObbTree::build(g, &Build::fast()).expect("a tree"));
        Both { trees, parts, scratch: TreeScratch::default(), pairs: 0 }
    }

    /// Returns `true` if they touch, asserted equal by both; compares the touching triangles too,
    /// if requested.
    fn touch(&mut self, poses: [&Pose<T>; 2], primitives: bool) -> bool {
        let [a, b] = &self.trees;
        let pair = TreePair::new(a, poses[0], b, poses[1]).expect("sound poses");
        let exact_pair = ExactPair::new(&self.parts[0], poses[0], &self.parts[1], poses[1]);
        let expected = exact_pair.touch();
        for accuracy in [Accuracy::Exact, Accuracy::Within(0.0)] {
            let found = pair.intersects(accuracy, &mut self.scratch).expect("an accuracy");
            assert_eq!(found, expected, "{accuracy:?} {poses:?}");
        }
        if primitives {
            let mut found = Vec::new();
            let flow = pair.visit_primitives(&mut self.scratch, |i, j| {
                found.push((i, j));
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue());
            found.sort_unstable();
            assert_eq!(found, exact_pair.pairs(usize::MAX), "{poses:?}");
            self.pairs += found.len();
        }
        expected
    }
}

/// Returns the colliding frames: without rotation, or each with the first mesh rotated by its own
/// rotation.
fn colliding<T: Scalar>(turning: bool) -> Option<Vec<usize>> {
    let recording = recording()?;
    let meshes = recording.meshes.each_ref().map(|mesh| Geometry::Surface(narrow::<T>(mesh)));
    let (mut both, mut random) = (Both::new(meshes), Random(602));
    let mut list = Vec::new();
    for (index, frame) in recording.frames.iter().enumerate() {
        let [mut p, q] = frame.each_ref().map(narrow_pose::<T>);
        if turning {
            p.rotation = turned::<T>(&mut random, [0.0; 3]).rotation;
        }
        if both.touch([&p, &q], index % 5 == 0) {
            list.push(index);
        }
    }
    let (count, pairs) = (list.len(), both.pairs);
    println!("turning {turning}: {count} of 501 frames, {pairs} pairs of triangles");
    assert!(pairs > 5_000 && count > 250 && count < 501);
    Some(list)
}

#[test]
fn recorded_frames_f64() {
    let Some(list) = colliding::<f64>(false) else { return };
    println!("FCL: 476 frames, here {}", list.len());
    colliding::<f64>(true);
}

#[test]
fn recorded_frames_f32() {
    colliding::<f32>(false);
    colliding::<f32>(true);
}

/// Checks random poses as in FCL's tests: any rotation, up to 3000 from the origin along each axis.
fn anywhere<T: Scalar>(solid: bool) {
    let (Some(rob), Some(env)) = (scenery("rob"), scenery("env")) else { return };
    let (rob, env) = (narrow::<T>(&rob), narrow::<T>(&env));
    let open = rob.open_edges().len();
    let rob = if solid { Geometry::Solid(rob.capped()) } else { Geometry::Surface(rob) };
    let mut both = Both::new([rob, Geometry::Surface(env)]);
    let (mut random, mut touching) = (Random(601), 0);
    let places = at_least(600, 150);
    for index in 0..places {
        let at = std::array::from_fn(|_| random.between(-3000.0, 3000.0));
        let (moved, fixed) = (turned::<T>(&mut random, at), turned::<T>(&mut random, [0.0; 3]));
        let fixed = if index % 2 == 0 { fixed } else { support::random_parts::upright([0.0; 3]) };
        touching += usize::from(both.touch([&moved, &fixed], true));
    }
    let pairs = both.pairs;
    println!("solid {solid} ({open} open edges): {touching} of {places} places, {pairs} pairs");
    assert!(touching > places / 10 && touching < places * 9 / 10 && pairs > 5 * places / 3);
}

#[test]
fn a_robot_anywhere_in_its_surroundings() {
    anywhere::<f32>(false);
    anywhere::<f64>(false);
    anywhere::<f32>(true);
    anywhere::<f64>(true);
}
