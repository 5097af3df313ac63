//! Meshes, geometry of trees, and two trees: their poses and accuracies.

use boxwood::shape::Mesh;
use boxwood::tree::{Build, Geometry, ObbTree, TreePair, TreeScratch};
use boxwood::{Accuracy, Error};

use support::prelude::*;
use support::random_parts::pose;
use support::refuses;

fn cube<T: Scalar>() -> ObbTree<T> {
    let cube = Geometry::Boxes(vec![upright_solid::<T>([0.0; 3], [1.0; 3])]);
    default_tree(cube)
}

fn geometry_and_poses<T: Scalar>() {
    let point = |x: f64| Point3::new(T::nearest(x), T::zero(), T::zero());
    let good = || vec![point(0.0), point(1.0), point(2.0)];
    refuses! {
        Mesh::new(good(), vec![]) => Error::Empty { field: "triangles" },
        Mesh::new(good(), vec![[0, 1, 2], [0, 1, 3]])
            => Error::IndexOutOfRange { field: "triangle", index: 1, target: 3, len: 3 },
        ObbTree::<T>::build(Geometry::None, &Build::default())
            => Error::Empty { field: "geometry" },
        ObbTree::<T>::build(Geometry::Boxes(vec![]), &Build::default())
            => Error::Empty { field: "geometry" },
    }
    let (tree, unit, here) = (cube::<T>(), [0.0, 0.0, 0.0, 1.0], upright([0.0; 3]));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        refuses! {
            Mesh::new(vec![point(0.0), point(bad), point(1.0)], vec![[0, 1, 2]])
                => Error::NotFinite { field: "vertex", index: 1 },
        }
    }
    let infinite = [pose(unit, [f64::NAN, 0.0, 0.0]), pose([0.0, 0.0, f64::NAN, 1.0], [0.0; 3])];
    let long = [pose([0.0, 0.0, 0.0, 1.5], [0.0; 3]), pose([0.0; 4], [0.0; 3])];
    let out = pose(unit, [0.0, T::MAX_COORDINATE * 2.0, 0.0]);
    for at in [0, 1] {
        let two = |bad| {
            let poses = if at == 0 { [bad, &here] } else { [&here, bad] };
            TreePair::new(&tree, poses[0], &tree, poses[1])
        };
        refuses! {
            two(&infinite[0]) => Error::NotFinite { field: "pose", index } if *index == at,
            two(&infinite[1]) => Error::NotFinite { field: "pose", index } if *index == at,
            two(&long[0]) => Error::NotUnit { field: "pose", index, .. } if *index == at,
            two(&long[1]) => Error::NotUnit { field: "pose", index, .. } if *index == at,
            two(&out) => Error::OutOfRange { field: "pose", index, .. } if *index == at,
        }
    }
}

#[test]
fn invalid_budgets_and_lengths_of_distances_are_refused() {
    let (tree, [here, there]) = (cube::<f32>(), [0.0, 9.0].map(|x| upright([x, 0.0, 0.0])));
    let pair = TreePair::new(&tree, &here, &tree, &there).expect("sound poses");
    let ask = |accuracy, max_distance: f64| {
        pair.distance(accuracy, max_distance, &mut TreeScratch::default())
    };
    refuses! {
        ask(Accuracy::Budget(9), 1.0) => Error::BadQuery { .. },
        ask(Accuracy::Exact, f64::NAN) => Error::NotFinite { .. },
        ask(Accuracy::Exact, -1.0) => Error::Negative { .. },
        ask(Accuracy::Within(f64::NAN), 1.0) => Error::NotFinite { .. },
        ask(Accuracy::Within(-1.0), 1.0) => Error::Negative { .. },
    }
    assert!(ask(Accuracy::Exact, 0.0).expect("a query").is_none());
}

scalars! {
    invalid_geometry_and_poses_are_refused => geometry_and_poses();
}
