//! Parts as parry3d shapes, in f64. Its interface moves, so it is met only here.

use boxwood::model::Model;
use boxwood::num::Scalar;
use boxwood::tree::Geometry;
use nalgebra::{
    Isometry3, Matrix3, Matrix4, Point3, Quaternion, Rotation3, Translation3, UnitQuaternion,
    Vector3,
};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::{Compound, Cuboid, SharedShape, TriMesh};

use crate::plain_box::PlainBox;

/// One shape per part; none for joints without geometry. Meshes are surfaces there, solid or not.
pub struct Peers(Vec<Option<SharedShape>>);

impl Peers {
    pub fn of<T: Scalar>(model: &Model<T>) -> Self {
        let shape = |part: &boxwood::model::Part<T>| Some(shape(part.tree()?.geometry()));
        Peers(model.parts().iter().map(shape).collect())
    }

    /// Whether two parts share a point; `None` if one has no geometry.
    pub fn touch<T: Scalar>(
        (a, i, pose_a): (&Peers, usize, &boxwood::shape::Pose<T>),
        (b, j, pose_b): (&Peers, usize, &boxwood::shape::Pose<T>),
    ) -> Option<bool> {
        let (a, b) = (a.0[i].as_ref()?, b.0[j].as_ref()?);
        let answer = query::intersection_test(&pose(pose_a), &**a, &pose(pose_b), &**b);
        Some(answer.expect("supported").intersecting)
    }

    /// Distance of two parts, iterated to some `1e-7` of the sizes; `None` if one has no geometry.
    pub fn distance<T: Scalar>(
        (a, i, pose_a): (&Peers, usize, &boxwood::shape::Pose<T>),
        (b, j, pose_b): (&Peers, usize, &boxwood::shape::Pose<T>),
    ) -> Option<f64> {
        let (a, b) = (a.0[i].as_ref()?, b.0[j].as_ref()?);
        Some(query::distance(&pose(pose_a), &**a, &pose(pose_b), &**b).expect("supported").distance)
    }
}

fn shape<T: Scalar>(geometry: &Geometry<T>) -> SharedShape {
    let Geometry::Boxes(boxes) = geometry else {
        let mesh = geometry.mesh().expect("triangles");
        let corner = |p: &nalgebra::Point3<T>| Vector::new(p.x.wide(), p.y.wide(), p.z.wide());
        let corners = mesh.vertices().iter().map(corner).collect();
        return SharedShape::new(TriMesh::new(corners, mesh.triangles().to_vec()).expect("a mesh"));
    };
    let one = |block: PlainBox| {
        let axes = Matrix3::from_columns(&block.axes.map(Vector3::from));
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
        let place = Isometry3::from_parts(Translation3::from(Vector3::from(block.center)), turn);
        let [x, y, z] = block.half;
        (place.into(), SharedShape::new(Cuboid::new(Vector::new(x, y, z))))
    };
    SharedShape::new(Compound::new(boxes.iter().map(|b| one(PlainBox::of(b))).collect()))
}

/// A surface where it is.
pub fn placed_mesh(triangles: &[[Point3<f64>; 3]], pose: &Matrix4<f64>) -> TriMesh {
    let corners = triangles.iter().flatten().map(|corner| {
        let world = pose.transform_point(corner);
        Vector::new(world.x, world.y, world.z)
    });
    let triples = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    TriMesh::new(corners.collect(), triples.collect()).expect("a mesh")
}

fn pose<T: Scalar>(stored: &boxwood::shape::Pose<T>) -> Pose {
    let (q, p) = (stored.rotation.coords, stored.translation.vector);
    let q = Quaternion::new(q.w.wide(), q.x.wide(), q.y.wide(), q.z.wide());
    let at = Translation3::new(p.x.wide(), p.y.wide(), p.z.wide());
    Isometry3::from_parts(at, UnitQuaternion::from_quaternion(q)).into()
}

compiled_here! { Peers::of, Peers::touch, Peers::distance }
