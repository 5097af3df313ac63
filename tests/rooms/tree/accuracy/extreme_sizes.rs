//! Parts of extreme sizes.

use boxwood::shape::{Mesh, Obb};
use boxwood::tree::{Build, Geometry, ObbTree};

use super::reported_slack::{parts_in_hard_poses, report};

use support::prelude::*;

/// Checks hand-made parts of sizes near the limits of the stored type or of the oracle's double
/// precision.
fn of_size<T: Scalar>(size: f64) {
    let mut random = Random(850);
    for kind in [[0, 1], [0, 3], [3, 2], [3, 3]] {
        let trees = kind.map(|kind| {
            let geometry = random_part::<f64>(&mut random, kind);
            ObbTree::build(scaled::<T>(&geometry, size), &Build::fast()).expect("a part")
        });
        let tally = parts_in_hard_poses(&trees, 6, 99);
        report(&format!("{size:e}: {kind:?}"), &tally);
    }
}

fn scaled<T: Scalar>(geometry: &Geometry<f64>, by: f64) -> Geometry<T> {
    match geometry {
        Geometry::Boxes(boxes) => {
            let solid = |b: &Obb<f64>| {
                let [center, half] = [b.center().coords, b.half_extents()];
                let axes = b.axes().map(T::nearest);
                let stored = |x: f64| T::nearest(x * by);
                Obb::new(center.map(stored).into(), axes, half.map(stored))
            };
            Geometry::Boxes(boxes.iter().map(|b| solid(b).expect("a box")).collect())
        }
        _ => {
            let mesh = geometry.mesh().expect("a mesh");
            let vertices = mesh.vertices().iter().map(|p| p.map(|x| T::nearest(x * by)));
            let mesh = Mesh::new(vertices.collect(), mesh.triangles().to_vec());
            Geometry::Surface(mesh.expect("a mesh"))
        }
    }
}

#[test]
fn parts_of_all_sizes_are_within_their_slack() {
    [1e-40, 1e-30, 1e-15, 1e15, 1e28].into_iter().for_each(of_size::<f32>);
    [1e-70, 1e-30, 1e30, 1e73].into_iter().for_each(of_size::<f64>);
}
