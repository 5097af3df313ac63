//! Invalid geometry and poses are refused by name.

use boxwood::Error;
use boxwood::num::Scalar;
use boxwood::shape::{Mesh, Pose};
use boxwood::tree::{Build, Geometry, ObbTree, TreePair};
use nalgebra::Point3;

use support::random_parts::{pose, upright, upright_solid};

fn refused<T: Scalar>() {
    let point = |x: f64| Point3::new(T::nearest(x), T::zero(), T::zero());
    let good = vec![point(0.0), point(1.0), point(2.0)];
    let empty = Mesh::new(good.clone(), vec![]);
    assert_eq!(empty, Err(Error::Empty { field: "triangles" }));
    let far = Mesh::new(good.clone(), vec![[0, 1, 2], [0, 1, 3]]);
    let expected = Error::IndexOutOfRange { field: "triangle", index: 1, target: 3, len: 3 };
    assert_eq!(far, Err(expected));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mesh = Mesh::new(vec![point(0.0), point(bad), point(1.0)], vec![[0, 1, 2]]);
        assert_eq!(mesh, Err(Error::NotFinite { field: "vertex", index: 1 }));
    }
    for nothing in [Geometry::None, Geometry::Boxes(vec![])] {
        let tree = ObbTree::<T>::build(nothing, &Build::default());
        assert_eq!(tree.expect_err("nothing"), Error::Empty { field: "geometry" });
    }
    let cube = Geometry::Boxes(vec![upright_solid::<T>([0.0; 3], [1.0; 3])]);
    let tree = ObbTree::build(cube, &Build::default()).expect("a box");
    let place = |bad: &Pose<T>| {
        let first = TreePair::new(&tree, bad, &tree, &upright([0.0; 3])).map(|_| ());
        let second = TreePair::new(&tree, &upright([0.0; 3]), &tree, bad).map(|_| ());
        [first.expect_err("a bad pose"), second.expect_err("a bad pose")]
    };
    let unit = [0.0, 0.0, 0.0, 1.0];
    for (index, error) in place(&pose(unit, [f64::NAN, 0.0, 0.0])).into_iter().enumerate() {
        assert_eq!(error, Error::NotFinite { field: "pose", index });
    }
    for (index, error) in place(&pose([0.0, 0.0, f64::NAN, 1.0], [0.0; 3])).into_iter().enumerate()
    {
        assert_eq!(error, Error::NotFinite { field: "pose", index });
    }
    for (at, error) in place(&pose([0.0, 0.0, 0.0, 1.5], [0.0; 3])).into_iter().enumerate() {
        assert!(matches!(error, Error::NotUnit { field: "pose", index, .. } if index == at));
    }
    for (at, error) in place(&pose([0.0; 4], [0.0; 3])).into_iter().enumerate() {
        assert!(matches!(error, Error::NotUnit { field: "pose", index, .. } if index == at));
    }
    let out = T::MAX_COORDINATE * 2.0;
    for (at, error) in place(&pose(unit, [0.0, out, 0.0])).into_iter().enumerate() {
        assert!(matches!(error, Error::OutOfRange { field: "pose", index, .. } if index == at));
    }
}

#[test]
fn bad_geometry_and_poses_are_refused_f32() {
    refused::<f32>();
}

#[test]
fn bad_geometry_and_poses_are_refused_f64() {
    refused::<f64>();
}
