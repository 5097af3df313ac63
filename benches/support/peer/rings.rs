//! Meshes in parry3d: intersecting pairs of triangles in f64, because it misjudges small ones in
//! f32; and building in f32.

use boxwood::nalgebra::{Isometry3, Point3};
use parry3d_f64::bounding_volume::BoundingVolume;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::partitioning::BvhNode;
use parry3d_f64::query::intersection_test;
use parry3d_f64::shape::TriMesh;

use super::super::rings::Triangles;

pub fn poses(places: &[Isometry3<f64>]) -> Vec<Pose> {
    places.iter().map(|&place| place.into()).collect()
}

/// A ring against a moved copy of itself.
pub struct Peer {
    ring: TriMesh,
    pairs: Vec<[u32; 2]>,
}

impl Peer {
    pub fn new((vertices, triangles): Triangles) -> Self {
        let vertices = vertices.into_iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        Peer { ring: TriMesh::new(vertices, triangles).expect("a mesh"), pairs: Vec::new() }
    }

    /// Number of poses at which the rings touch, by the library's own test.
    pub fn touching(&self, places: &[Pose]) -> usize {
        let touches = |place: &&Pose| {
            intersection_test(&Pose::identity(), &self.ring, place, &self.ring)
                .is_ok_and(|answer| answer.intersecting)
        };
        places.iter().filter(touches).count()
    }

    /// Number of poses at which the rings touch, by simultaneous traversal of both trees.
    pub fn touching_by_walk(&self, places: &[Pose]) -> usize {
        let touches = |place: &&Pose| touching_triangles(place, &self.ring).next().is_some();
        places.iter().filter(touches).count()
    }

    /// Number of intersecting pairs of triangles over all poses.
    pub fn pairs(&mut self, places: &[Pose]) -> usize {
        let Peer { ring, pairs } = self;
        pairs.clear();
        pairs.extend(places.iter().flat_map(|place| touching_triangles(place, ring)));
        pairs.len()
    }
}

/// Triangles of a ring that touch those of the ring moved by `place`.
fn touching_triangles<'a>(
    place: &'a Pose,
    ring: &'a TriMesh,
) -> impl Iterator<Item = [u32; 2]> + 'a {
    let near = |a: &BvhNode, b: &BvhNode| a.aabb().intersects(&b.aabb().transform_by(place));
    ring.bvh().leaf_pairs(ring.bvh(), near).map(|(i, j)| [i, j]).filter(move |&[i, j]| {
        let (a, b) = (ring.triangle(i), ring.triangle(j));
        intersection_test(&Pose::identity(), &a, place, &b).is_ok_and(|answer| answer.intersecting)
    })
}

/// A mesh in f32, with its tree.
pub type Single = parry3d::shape::TriMesh;

type Corners = Vec<parry3d::math::Vector>;

pub fn corners(mesh: &boxwood::Mesh) -> (Corners, Vec<[u32; 3]>) {
    let corner = |p: &Point3<f32>| parry3d::math::Vector::new(p.x, p.y, p.z);
    (mesh.vertices().iter().map(corner).collect(), mesh.triangles().to_vec())
}

pub fn build((corners, triangles): (Corners, Vec<[u32; 3]>)) -> Single {
    Single::new(corners, triangles).expect("a mesh")
}

/// Number of intersecting pairs of triangles of a mesh and a moved copy. The library misjudges some
/// small ones in f32.
pub fn pairs_of(mesh: &Single, place: &Isometry3<f32>) -> usize {
    use parry3d::bounding_volume::BoundingVolume;
    use parry3d::partitioning::BvhNode;
    let place: parry3d::math::Pose = (*place).into();
    let near = |a: &BvhNode, b: &BvhNode| a.aabb().intersects(&b.aabb().transform_by(&place));
    let touch = |&(i, j): &(u32, u32)| {
        let (a, b) = (mesh.triangle(i), mesh.triangle(j));
        let here = parry3d::math::Pose::identity();
        parry3d::query::intersection_test(&here, &a, &place, &b)
            .is_ok_and(|answer| answer.intersecting)
    };
    mesh.bvh().leaf_pairs(mesh.bvh(), near).filter(touch).count()
}
