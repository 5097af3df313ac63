//! The same distances from the other library: a mesh or a cuboid in the world, and the point put to
//! it.

use boxwood::scene::{Buffers, ClosestParts, QueryFilter, Scene};
use boxwood::tree::Geometry;
use nalgebra::{Isometry3, Point3, Rotation3, Translation3, UnitQuaternion};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{Cuboid, TriMesh, TriMeshFlags};

use boxwood::{CharacterKey, PartId};

use super::bodies::{bodies, plain, spot, stage};
use support::proof::at_least;
use support::random::Random;

fn vector(p: Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

/// How far the other library has the point from the part.
fn theirs(scene: &Scene<f64>, key: CharacterKey, part: PartId, point: Point3<f64>) -> f64 {
    let tree = scene.part(key, part).expect("a part").tree().expect("geometry");
    let pose: Isometry3<f64> = *scene.pose(key, part).expect("a pose");
    let Geometry::Boxes(boxes) = tree.geometry() else {
        let mesh = tree.geometry().mesh().expect("triangles");
        let vertices = mesh.vertices().iter().copied().map(vector).collect();
        let solid = matches!(tree.geometry(), Geometry::Solid(_));
        let flags = if solid { TriMeshFlags::ORIENTED } else { TriMeshFlags::empty() };
        let theirs = TriMesh::with_flags(vertices, mesh.triangles().to_vec(), flags);
        let found = theirs.expect("a mesh").project_point(&pose.into(), vector(point), solid);
        let outside = !(solid && found.is_inside);
        return if outside { (found.point - vector(point)).length() } else { 0.0 };
    };
    let of_one = |solid: &boxwood::f64::Obb| {
        let turn = Rotation3::from_matrix_unchecked(solid.axes());
        let turn = UnitQuaternion::from_rotation_matrix(&turn);
        let at = Isometry3::from_parts(Translation3::from(solid.center().coords), turn);
        let (half, at): (_, Pose) = (solid.half_extents(), (pose * at).into());
        let cuboid = Cuboid::new(Vector::new(half.x, half.y, half.z));
        cuboid.distance_to_point(&at, vector(point), true)
    };
    boxes.iter().map(of_one).fold(f64::MAX, f64::min)
}

#[test]
fn distances_are_those_of_parry3d() {
    let (mut random, mut closest, mut compared) = (Random(783), ClosestParts::new(), [0; 2]);
    for round in 0..at_least(2_000, 100) {
        let far = [0.0, 30.0][round % 2];
        let (scene, _, off) = stage::<f64>(&mut random, far);
        let bodies = bodies(&scene, &off);
        if bodies.is_empty() {
            continue;
        }
        let (point, mut buffers) = (spot(&mut random, &bodies, far), Buffers::new());
        let now = scene.snapshot(&mut buffers);
        now.closest_parts(point, f64::INFINITY, &QueryFilter::all(), &mut closest).expect("asked");
        assert_eq!(closest.len(), bodies.len());
        for found in closest.iter() {
            let there = theirs(&scene, found.a.character, found.a.part, point);
            let doubt = 1e-11 * (1.0 + plain(point).iter().map(|x| x.abs()).sum::<f64>());
            assert!((found.distance - there).abs() < doubt, "{} is not {there}", found.distance);
            compared[usize::from(there > 0.0)] += 1;
        }
    }
    println!("{compared:?} inside and outside");
    assert!(compared[0] > 20 && compared[1] > 200);
}
