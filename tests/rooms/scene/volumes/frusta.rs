//! Frusta: the three constructors, and their errors.

use boxwood::Error;
use boxwood::shape::{Aabb, Frustum, Obb, Triangle};
use nalgebra::{Matrix4, Perspective3};

use support::prelude::*;

#[test]
fn a_frustum_by_eye_and_one_by_projection_are_equal() {
    let eye = Isometry3::new(Vector3::new(3.0, -2.0, 5.0), Vector3::new(0.2, 0.9, -0.4));
    let (near, far, half) = (0.5, 20.0, 0.4f64);
    let tangent = half.tan();
    let of_eye = Frustum::of_eye(&eye, [1.5 * tangent, tangent], [near, far]).expect("a frustum");
    let projection = Perspective3::new(1.5, 2.0 * half, near, far);
    let matrix = projection.as_matrix() * eye.inverse().to_homogeneous();
    let of_matrix = Frustum::of_projection(&matrix, [-1.0, 1.0]).expect("a frustum");
    for (a, b) in of_eye.corners().iter().zip(of_matrix.corners()) {
        assert!((a - b).norm() < 1e-9, "{a} {b}");
    }
}

#[test]
fn a_box_beyond_an_edge_of_a_frustum_does_not_overlap() {
    // No plane of the frustum separates the box; the test of planes alone would accept it.
    let eye = Isometry3::<f64>::identity();
    let frustum = Frustum::of_eye(&eye, [1.0, 1.0], [1.0, 10.0]).expect("a frustum");
    let bounds = Aabb::new(Point3::new(9.0, -30.0, -14.0), Point3::new(40.0, 30.0, -9.4));
    let planes = [
        (Vector3::new(0.0, 0.0, -1.0), 10.0),
        (Vector3::new(0.0, 0.0, 1.0), -1.0),
        (Vector3::new(1.0, 0.0, 1.0), 0.0),
        (Vector3::new(-1.0, 0.0, 1.0), 0.0),
        (Vector3::new(0.0, 1.0, 1.0), 0.0),
        (Vector3::new(0.0, -1.0, 1.0), 0.0),
    ];
    let kept = |b: &Aabb<f64, 3>| {
        planes.iter().all(|(n, offset)| b.corners().iter().any(|p| n.dot(&p.coords) <= *offset))
    };
    assert!(kept(&bounds) && frustum.intersects(&bounds));
    let aside = Aabb::new(Point3::new(9.0, -30.0, -30.0), Point3::new(40.0, 30.0, -9.0));
    assert!(kept(&aside) && frustum.intersects(&aside));
    let turn = Matrix3::new(0.6, 0.0, 0.8, 0.0, 1.0, 0.0, -0.8, 0.0, 0.6);
    let plate = Obb::new(Point3::new(13.0, 0.0, -13.0), turn, Vector3::new(9.0, 40.0, 0.1));
    let plate = plate.expect("a box");
    let corners = plate.corners();
    let by_planes = planes.iter().all(|(n, d)| corners.iter().any(|p| n.dot(&p.coords) <= *d));
    assert!(by_planes && !frustum.intersects(&plate));
    let triangle = Triangle::new(corners[0], corners[1], corners[2]).expect("a triangle");
    assert!(!frustum.intersects(&triangle) && !triangle.intersects(&frustum));
}

#[test]
fn invalid_frusta_are_refused() {
    let eye = Isometry3::<f32>::identity();
    let of = |tangents, depths| Frustum::of_eye(&eye, tangents, depths).expect_err("refused");
    assert_eq!(of([f32::NAN, 1.0], [1.0, 2.0]), Error::NotFinite { field: "tangent", index: 0 });
    assert_eq!(of([1.0, -1.0], [1.0, 2.0]), Error::Negative { field: "tangent", index: 1 });
    assert_eq!(of([1.0, 1.0], [2.0, 2.0]), Error::OutOfOrder { field: "depth", index: 1 });
    let flat = Frustum::of_projection(&Matrix4::<f32>::zeros(), [0.0, 1.0]);
    assert_eq!(flat, Err(Error::NotFinite { field: "inverse of matrix", index: 0 }));
    let corners = [Point3::new(0.0, f32::INFINITY, 0.0); 8];
    assert_eq!(Frustum::new(corners), Err(Error::NotFinite { field: "corner", index: 0 }));
}
