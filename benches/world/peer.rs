//! World in parry3d: a tree over the bodies at rest, built once.

use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{Ray, intersection_test};
use parry3d::shape::{Shape, SharedShape, TriMesh};

use super::{Thing, Things};
use crate::support::crowd::Body;
use crate::support::peer::people::bodies;
use crate::support::peer::solids::{InParry, point};
use crate::support::people::PARTS;

pub struct Peer {
    world: Vec<(Pose, SharedShape)>,
    tree: Bvh,
    parts: Vec<SharedShape>,
    bounds: Vec<Aabb>,
}

impl Peer {
    pub fn new(things: &Things) -> Self {
        let corners = things.ground.vertices().iter().map(|&p| point(p)).collect();
        let ground = TriMesh::new(corners, things.ground.triangles().to_vec()).expect("a mesh");
        let mut world = vec![(Pose::identity(), SharedShape::new(ground))];
        world.extend(things.bodies.iter().map(|thing| match thing {
            Thing::Box(block) => shared(block.in_parry()),
            Thing::Ball(ball) => shared(ball.in_parry()),
        }));
        let leaves: Vec<Aabb> =
            world.iter().map(|(pose, shape)| shape.compute_aabb(pose)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        Peer { world, tree, parts: bodies(Body::Box), bounds: Vec::new() }
    }

    /// Computes the world boxes of all parts of the people.
    pub fn placed(&mut self, poses: &[Pose]) -> usize {
        let parts = poses.iter().enumerate();
        self.bounds.clear();
        self.bounds.extend(parts.map(|(i, pose)| self.parts[i % PARTS].compute_aabb(pose)));
        self.world.len()
    }

    /// Number of pairs of parts and bodies of the world that touch.
    pub fn pairs(&mut self, poses: &[Pose]) -> usize {
        self.placed(poses);
        let mut count = 0;
        for (index, (pose, bounds)) in poses.iter().zip(&self.bounds).enumerate() {
            let part = &*self.parts[index % PARTS];
            for leaf in self.tree.intersect_aabb(bounds) {
                let (at, body) = &self.world[leaf as usize];
                let answer = intersection_test(pose, part, at, &**body).expect("supported");
                count += usize::from(answer.intersecting);
            }
        }
        count
    }

    /// Number of rays, straight down from the first part of each person, that hit the world.
    pub fn rays(&mut self, poses: &[Pose]) -> usize {
        self.placed(poses);
        let first = poses.iter().step_by(PARTS);
        let met = |pose: &&Pose| {
            let ray = Ray::new(pose.translation, -Vector::Y);
            let cast = |leaf: u32, best: f32| {
                let (at, body) = &self.world[leaf as usize];
                body.cast_ray(at, &ray, best, true)
            };
            self.tree.cast_ray(&ray, f32::MAX, cast).is_some()
        };
        first.filter(met).count()
    }
}

fn shared<S: Shape>((pose, shape): (Pose, S)) -> (Pose, SharedShape) {
    (pose, SharedShape::new(shape))
}
