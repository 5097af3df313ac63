//! Distances of parts beside parry3d.

use boxwood::tree::Accuracy;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::{Cuboid, TriMesh};

use boxwood::tree::{Geometry, TreePair, TreeScratch};
use nalgebra::{Matrix3, Rotation3, Translation3, UnitQuaternion};

use super::random_parts::{Subject, subjects};
use support::random::Random;

enum Theirs {
    Mesh(Box<TriMesh>),
    Boxes(Vec<(boxwood::shape::Pose<f64>, Cuboid)>),
}

fn theirs(subject: &Subject<f64>) -> Theirs {
    match subject.tree.geometry() {
        Geometry::Boxes(boxes) => Theirs::Boxes(
            boxes
                .iter()
                .map(|solid| {
                    let axes: Matrix3<f64> = solid.axes();
                    let turn = Rotation3::from_matrix_unchecked(axes);
                    let turn = UnitQuaternion::from_rotation_matrix(&turn);
                    let at = Translation3::from(solid.center().coords);
                    let h = solid.half_extents();
                    let place = subject.pose * boxwood::shape::Pose::from_parts(at, turn);
                    (place, Cuboid::new(Vector::new(h.x, h.y, h.z)))
                })
                .collect(),
        ),
        geometry => {
            let mesh = geometry.mesh().expect("triangles");
            let vertices = mesh.vertices().iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
            Theirs::Mesh(Box::new(
                TriMesh::new(vertices, mesh.triangles().to_vec()).expect("a mesh"),
            ))
        }
    }
}

fn distance(pair: &[Subject<f64>; 2]) -> f64 {
    let poses: [Pose; 2] = [0, 1].map(|i| pair[i].pose.into());
    match [theirs(&pair[0]), theirs(&pair[1])] {
        [Theirs::Mesh(a), Theirs::Mesh(b)] => {
            query::distance(&poses[0], &*a, &poses[1], &*b).expect("meshes").distance
        }
        [Theirs::Mesh(mesh), Theirs::Boxes(boxes)] => to_boxes(&poses[0], &mesh, &boxes),
        [Theirs::Boxes(boxes), Theirs::Mesh(mesh)] => to_boxes(&poses[1], &mesh, &boxes),
        [Theirs::Boxes(a), Theirs::Boxes(b)] => {
            let each = a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
            let one = |(p, q): (&(_, Cuboid), &(_, Cuboid))| {
                let (at, to): (&boxwood::shape::Pose<f64>, &boxwood::shape::Pose<f64>) =
                    (&p.0, &q.0);
                query::distance(&(*at).into(), &p.1, &(*to).into(), &q.1).expect("boxes").distance
            };
            each.map(one).fold(f64::MAX, f64::min)
        }
    }
}

fn to_boxes(at: &Pose, mesh: &TriMesh, boxes: &[(boxwood::shape::Pose<f64>, Cuboid)]) -> f64 {
    let one = |(place, solid): &(boxwood::shape::Pose<f64>, Cuboid)| {
        query::distance(at, mesh, &(*place).into(), solid).expect("a mesh and a box").distance
    };
    boxes.iter().map(one).fold(f64::MAX, f64::min)
}

/// Its closest points are iterated to some `1e-7` of the sizes; where that matters brute force
/// decides.
#[test]
fn meshes_and_boxes_are_as_far_apart_as_there() {
    let (mut random, mut compared, mut worst) = (Random(71), 0, 0.0f64);
    for round in 0..256 {
        let pair = subjects::<f64>(&mut random, round);
        let [a, b] = &pair;
        let there = TreePair::new(&a.tree, &a.pose, &b.tree, &b.pose).expect("sound poses");
        let mut scratch = TreeScratch::default();
        let mine = there.distance(Accuracy::Exact, f64::INFINITY, &mut scratch);
        let mine = mine.expect("a question").expect("no cut-off").distance;
        let other = distance(&pair);
        let off = (mine - other).abs();
        worst = worst.max(off);
        compared += usize::from(other > 1e-3);
        assert!(off < 1e-5, "round {round}: {mine}, there {other}");
        let mut within = |margin: f64| {
            let there = there.margin(margin.max(0.0)).expect("a margin");
            there.intersects(Accuracy::Exact, &mut scratch).expect("a question")
        };
        assert!(within(other + 1e-5), "round {round}: misses what is {other} apart there");
        assert!(other < 2e-5 || !within(other - 1e-5), "round {round}: {other} apart there");
    }
    println!("{compared} of 256 apart, the worst differs by {worst:e}");
    assert!(compared > 64);
}
