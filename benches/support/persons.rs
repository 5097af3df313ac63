//! The people of a crowd in parry3d: 20 parts each, boxes or trees of them.

use boxwood::nalgebra::{Isometry3, Vector3};
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::shape::{Compound, Cuboid, SharedShape};

use crate::people::{PARTS, leaves, parts};

pub fn cuboid(half: Vector3<f32>) -> Cuboid {
    Cuboid::new(Vector::new(half.x, half.y, half.z))
}

/// The parts of a person in the other library: boxes, or trees.
pub fn bodies(trees: bool) -> Vec<SharedShape> {
    let body = |(index, (_, half)): (usize, (_, Vector3<f32>))| {
        if !trees {
            return SharedShape::new(cuboid(half));
        }
        let leaf =
            |(pose, half): (Isometry3<f32>, _)| (pose.into(), SharedShape::new(cuboid(half)));
        SharedShape::new(Compound::new(leaves(half, index as u64).into_iter().map(leaf).collect()))
    };
    parts().into_iter().enumerate().map(body).collect()
}

/// One person in the other library.
#[derive(Clone, Copy)]
pub struct Person<'a> {
    pub poses: &'a [Pose],
    pub bodies: &'a [SharedShape],
}

impl Person<'_> {
    pub fn bounds(&self) -> [Aabb; PARTS] {
        std::array::from_fn(|part| self.bodies[part].compute_aabb(&self.poses[part]))
    }
}

/// All people of a crowd.
pub fn everyone<'a>(poses: &'a [Pose], bodies: &'a [SharedShape]) -> Vec<Person<'a>> {
    poses.chunks_exact(PARTS).map(|poses| Person { poses, bodies }).collect()
}
