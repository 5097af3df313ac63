//! All parts of a crowd of boxes in parry3d, one tree over them, and queries over all characters by
//! that tree.

use boxwood::nalgebra::Isometry3;
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use parry3d::query::{self, PointQuery, RayCast};
use parry3d::shape::{Cuboid, Shape, SupportMap};

use super::super::people::parts;
use super::people::lowest;
use super::solids::cuboid;

/// All parts in parry3d, and a tree over them.
pub struct Peer {
    pub parts: Vec<(Pose, Cuboid)>,
    pub tree: Bvh,
}

impl Peer {
    pub fn new(poses: &[Isometry3<f32>]) -> Self {
        let mut peer = Peer::placed(poses);
        peer.tree = peer.tree();
        peer
    }

    /// Creates the parts without the tree.
    pub fn placed(poses: &[Isometry3<f32>]) -> Self {
        let cuboids: Vec<Cuboid> = parts().iter().map(|&(_, half)| cuboid(half)).collect();
        let parts: Vec<(Pose, Cuboid)> =
            poses.iter().map(|&pose| pose.into()).zip(cuboids.iter().cycle().copied()).collect();
        Peer { parts, tree: Bvh::new() }
    }

    /// Builds the tree over the current poses of the parts.
    pub fn tree(&self) -> Bvh {
        let bounds = self.parts.iter().map(|(pose, part)| part.compute_aabb(pose));
        Bvh::from_leaves(BvhBuildStrategy::Binned, &bounds.collect::<Vec<Aabb>>())
    }

    /// Number of rays with a closest hit.
    pub fn rays(&self, rays: &[query::Ray]) -> usize {
        let hit = |ray: &&query::Ray| {
            let closest = self.tree.cast_ray(ray, f32::MAX, |leaf, best| {
                let (pose, part) = &self.parts[leaf as usize];
                part.cast_ray(pose, ray, best, true)
            });
            closest.is_some()
        };
        rays.iter().filter(hit).count()
    }

    /// Number of rays with any hit.
    pub fn any_hit(&self, rays: &[query::Ray]) -> usize {
        rays.iter().filter(|ray| self.hit(ray).next().is_some()).count()
    }

    /// Number of hits of all rays.
    pub fn all_hit(&self, rays: &[query::Ray]) -> usize {
        rays.iter().map(|ray| self.hit(ray).count()).sum()
    }

    /// Number of parts that contain the points, summed.
    pub fn points(&self, points: &[Vector]) -> usize {
        points.iter().map(|&at| self.around(at, &Aabb::new(at, at)).count()).sum()
    }

    /// Number of points inside any part.
    pub fn any_at(&self, points: &[Vector]) -> usize {
        let inside = |&&at: &&Vector| self.around(at, &Aabb::new(at, at)).next().is_some();
        points.iter().filter(inside).count()
    }

    /// Number of parts that overlap the query shapes, summed; the shapes are equal up to their
    /// pose.
    pub fn regions(&self, at: &[Pose], region: &dyn Shape) -> usize {
        let inside = |at: &Pose| self.touching((at, region), &region.compute_aabb(at)).count();
        at.iter().map(inside).sum()
    }

    /// Distance of the closest part to a point, if at most the given one.
    pub fn closest(&self, at: Vector, max_distance: f32) -> Option<f32> {
        let gap = |node: &BvhNode, _| {
            let (low, high) = (node.mins(), node.maxs());
            (low - at).max(at - high).max(Vector::ZERO).length()
        };
        let near = self.tree.find_best(max_distance, gap, |leaf, _| {
            let (pose, part) = &self.parts[leaf as usize];
            Some(part.distance_to_point(pose, at, true))
        });
        near.map(|(_, distance)| distance)
    }

    /// Number of query shapes that overlap any part.
    pub fn any_in(&self, at: &[Pose], region: &dyn Shape) -> usize {
        let inside =
            |at: &&Pose| self.touching((at, region), &region.compute_aabb(at)).next().is_some();
        at.iter().filter(inside).count()
    }

    /// Number of parts that overlap half-spaces (normal, height), summed. The tree is traversed by
    /// the deepest corner of each node.
    pub fn half_spaces(&self, of: &[(Vector, f32)]) -> usize {
        let below = |&(up, offset): &(Vector, f32)| {
            let low = |node: &BvhNode| lowest(up, node.mins(), node.maxs()) <= offset;
            let holds = |&leaf: &u32| {
                let (pose, solid) = &self.parts[leaf as usize];
                solid.support_point_toward(pose, -up).dot(up) <= offset
            };
            self.tree.leaves(low).filter(holds).count()
        };
        of.iter().map(below).sum()
    }

    /// The parts that a ray hits, in no order.
    fn hit(&self, ray: &query::Ray) -> impl Iterator<Item = u32> {
        let boxed = |node: &BvhNode| node.cast_ray(ray, f32::MAX) < f32::MAX;
        self.tree.leaves(boxed).filter(|&leaf| {
            let (pose, part) = &self.parts[leaf as usize];
            part.cast_ray(pose, ray, f32::MAX, true).is_some()
        })
    }

    /// Parts that contain a point; `bounds` contains only that point.
    fn around<'a>(&'a self, point: Vector, bounds: &'a Aabb) -> impl Iterator<Item = u32> + 'a {
        self.tree.intersect_aabb(bounds).filter(move |&leaf| {
            let (pose, part) = &self.parts[leaf as usize];
            part.contains_point(pose, point)
        })
    }

    /// Parts that overlap a query shape with the given bounds.
    fn touching<'a>(
        &'a self,
        (at, region): (&'a Pose, &'a dyn Shape),
        bounds: &'a Aabb,
    ) -> impl Iterator<Item = u32> + 'a {
        self.tree.intersect_aabb(bounds).filter(move |&leaf| {
            let (pose, part) = &self.parts[leaf as usize];
            query::intersection_test(pose, part, at, region).is_ok_and(|answer| answer.intersecting)
        })
    }
}
