//! All parts of a crowd of boxes in parry3d, and one tree over them.

use boxwood::nalgebra::Isometry3;
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use parry3d::query::{self, PointQuery, RayCast};
use parry3d::shape::{Ball, Cuboid, Shape};

use crate::people::parts;
use crate::regions::Placed;

/// All parts in parry3d, and a tree over them.
pub struct Peer {
    pub parts: Vec<(Pose, Cuboid)>,
    pub tree: Bvh,
}

impl Peer {
    pub fn new(poses: &[Isometry3<f32>]) -> Self {
        let cuboids: Vec<Cuboid> =
            parts().iter().map(|(_, h)| Cuboid::new(Vector::new(h.x, h.y, h.z))).collect();
        let parts: Vec<(Pose, Cuboid)> =
            poses.iter().map(|&pose| pose.into()).zip(cuboids.iter().cycle().copied()).collect();
        let mut peer = Peer { parts, tree: Bvh::new() };
        peer.tree = peer.tree();
        peer
    }

    /// The tree over where the parts are now.
    pub fn tree(&self) -> Bvh {
        let bounds = self.parts.iter().map(|(pose, part)| part.compute_aabb(pose));
        Bvh::from_leaves(BvhBuildStrategy::Binned, &bounds.collect::<Vec<Aabb>>())
    }

    /// How many of the rays hit something.
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

    /// How many of the rays hit something, whatever that is.
    pub fn any_hit(&self, rays: &[query::Ray]) -> usize {
        let hit = |ray: &&query::Ray| {
            let boxed = |node: &BvhNode| node.cast_ray(ray, f32::MAX) < f32::MAX;
            self.tree.leaves(boxed).any(|leaf| {
                let (pose, part) = &self.parts[leaf as usize];
                part.cast_ray(pose, ray, f32::MAX, true).is_some()
            })
        };
        rays.iter().filter(hit).count()
    }

    /// How many parts the points are in, all together.
    pub fn points(&self, points: &[Vector]) -> usize {
        let inside = |&point: &Vector| {
            let holds = |&leaf: &u32| {
                let (pose, part) = &self.parts[leaf as usize];
                part.contains_point(pose, point)
            };
            self.tree.intersect_aabb(&Aabb::new(point, point)).filter(holds).count()
        };
        points.iter().map(inside).sum()
    }

    /// How many parts the rays hit, all together.
    pub fn all_hit(&self, rays: &[query::Ray]) -> usize {
        let of_one = |ray: &query::Ray| {
            let mut count = 0;
            let boxed = |node: &BvhNode| node.cast_ray(ray, f32::MAX) < f32::MAX;
            for leaf in self.tree.leaves(boxed) {
                let (pose, part) = &self.parts[leaf as usize];
                count += usize::from(part.cast_ray(pose, ray, f32::MAX, true).is_some());
            }
            count
        };
        rays.iter().map(of_one).sum()
    }

    /// How many parts are in the regions, all together.
    pub fn regions(&self, regions: &[Placed]) -> usize {
        let inside = |(at, region): &Placed| {
            let bounds = region.compute_aabb(at);
            let touching = |&leaf: &u32| {
                let (pose, part) = &self.parts[leaf as usize];
                query::intersection_test(pose, part, at, region.as_ref())
                    .is_ok_and(|a| a.intersecting)
            };
            self.tree.intersect_aabb(&bounds).filter(touching).count()
        };
        regions.iter().map(inside).sum()
    }

    /// How many parts are in the balls, all together.
    pub fn balls(&self, balls: &[(Pose, Ball)]) -> usize {
        let inside = |(at, ball): &(Pose, Ball)| {
            let bounds = ball.compute_aabb(at);
            let touching = |&leaf: &u32| {
                let (pose, part) = &self.parts[leaf as usize];
                query::intersection_test(pose, part, at, ball).is_ok_and(|a| a.intersecting)
            };
            self.tree.intersect_aabb(&bounds).filter(touching).count()
        };
        balls.iter().map(inside).sum()
    }

    /// How many of the regions anyone has something in.
    pub fn any_in(&self, regions: &[Placed]) -> usize {
        let inside = |(at, region): &&Placed| {
            let bounds = region.compute_aabb(at);
            let mut near = self.tree.intersect_aabb(&bounds);
            near.any(|leaf| {
                let (pose, part) = &self.parts[leaf as usize];
                query::intersection_test(pose, part, at, region.as_ref())
                    .is_ok_and(|a| a.intersecting)
            })
        };
        regions.iter().filter(inside).count()
    }

    /// How many of the points anyone is at.
    pub fn any_at(&self, points: &[Vector]) -> usize {
        let inside = |&&point: &&Vector| {
            let bounds = Aabb::new(point, point);
            let mut near = self.tree.intersect_aabb(&bounds);
            near.any(|leaf| {
                let (pose, part) = &self.parts[leaf as usize];
                part.contains_point(pose, point)
            })
        };
        points.iter().filter(inside).count()
    }
}
