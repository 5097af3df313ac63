//! FCL's recorded pair: colliding frames and triangles.

use std::ops::ControlFlow;

use boxwood::Accuracy;
use boxwood::shape::{Mesh, Pose};
use boxwood::tree::{Build, Geometry, ObbTree, TreePair, TreeScratch};
use nalgebra::{Quaternion, Translation3};

use support::exact_parts_by_hulls::{Body, touch, touching_primitives};
use support::fcl::{Recording, recording};
use support::placed_corners::Placed;
use support::prelude::*;

fn narrow<T: Scalar>(mesh: &Mesh<f64>) -> Mesh<T> {
    let vertices = mesh.vertices().iter().map(|p| p.map(T::nearest)).collect();
    Mesh::new(vertices, mesh.triangles().to_vec()).expect("a mesh")
}

fn narrow_pose<T: Scalar>(pose: &Pose<f64>) -> Pose<T> {
    let q = pose.rotation.coords.map(T::nearest);
    let turn = UnitQuaternion::new_unchecked(Quaternion::new(q.w, q.x, q.y, q.z));
    Pose::from_parts(Translation3::from(pose.translation.vector.map(T::nearest)), turn)
}

/// Returns the colliding frames, asserted equal by the crate and by the exact answer.
fn colliding<T: Scalar>(recording: &Recording) -> Vec<usize> {
    let geometry = recording.meshes.each_ref().map(|mesh| Geometry::Surface(narrow::<T>(mesh)));
    let bodies = geometry.each_ref().map(Body::of);
    let [a, b] = geometry.map(|g| ObbTree::build(g, &Build::fast()).expect("a tree"));
    let (mut scratch, mut list, mut pairs) = (TreeScratch::default(), Vec::new(), 0);
    for (index, frame) in recording.frames.iter().enumerate() {
        let [p, q] = frame.each_ref().map(narrow_pose::<T>);
        let pair = TreePair::new(&a, &p, &b, &q).expect("sound poses");
        let placed = Placed::of(&p, &q);
        let found = pair.intersects(Accuracy::Exact, &mut scratch).expect("an accuracy");
        assert_eq!(found, touch(&placed, &bodies[0], &bodies[1]), "frame {index}");
        if found {
            list.push(index);
        }
        if index % 50 == 0 {
            let mut touching = Vec::new();
            let flow = pair.visit_primitives(&mut scratch, |i, j| {
                touching.push((i, j));
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue());
            touching.sort_unstable();
            let mut expected = touching_primitives(&placed, &bodies[0], &bodies[1], false);
            expected.sort_unstable();
            assert_eq!(touching, expected, "frame {index}");
            pairs += touching.len();
        }
    }
    println!(
        "{} of {} frames collide (FCL: 476); {pairs} pairs of triangles compared; {} of {} pairs took exact arithmetic",
        list.len(),
        recording.frames.len(),
        scratch.counts.exact,
        scratch.counts.primitives
    );
    assert!(pairs > 300);
    list
}

#[test]
fn colliding_frames_equal_those_of_the_exact_answer() {
    let Some(recording) = recording() else { return };
    let list = colliding::<f64>(&recording);
    assert!(list.len() > 400 && list.len() < recording.frames.len());
    // Meshes rounded to f32 are different ones, with their own exact answer.
    colliding::<f32>(&recording);
}
