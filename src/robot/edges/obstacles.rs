//! The parts of a world, which stand still.

use crate::broad_phase::{Aabb16List, AabbF32, AabbRange, Nearness};
use crate::error::Error;
use crate::model::{CollisionGroups, PartId};
use crate::motion::RigidMotion;
use crate::num::linear::{add, length, rotate};
use crate::num::{Scalar, SimdLevel};
use crate::robot::part_ball::PartBall;
use crate::scene::{CharacterKey, Snapshot};
use crate::shape::Pose;
use crate::tree::PlacedTree;

/// A part of the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Obstacle<'a, T: Scalar> {
    pub character: CharacterKey,
    pub part: PartId,
    /// Tree at its pose in the robot's frame.
    pub placed: PlacedTree<'a, T>,
    pub groups: CollisionGroups,
    /// Ball in the robot's frame.
    pub ball: PartBall,
    /// Upper bound on the distance by which the pose puts points off.
    pub error: f64,
    /// Pose in the world.
    pose: Pose<T>,
}

/// The parts of a world that have geometry and are switched on.
#[derive(Debug, Clone)]
pub(super) struct Obstacles<'a, T: Scalar> {
    parts: Vec<Obstacle<'a, T>>,
    boxes: Aabb16List,
    range: AabbRange,
}

/// Share of its size by which the placement of a part is off.
const PLACEMENT_ERROR: f64 = 128.0 * f64::EPSILON;

impl<'a, T: Scalar> Obstacles<'a, T> {
    /// Creates a world without parts.
    pub fn none() -> Self {
        Obstacles { parts: Vec::new(), boxes: Aabb16List::default(), range: AabbRange::default() }
    }

    /// Collects the parts of a snapshot, without those of some characters, and
    /// [places](Self::place) them.
    pub fn new(
        now: &Snapshot<'a, T>,
        without: &[CharacterKey],
        base: Option<&Pose<T>>,
    ) -> Result<Self, Error> {
        let scene = now.scene();
        for &key in without {
            scene.order(key)?;
        }
        let mut parts = Vec::new();
        for character in now.characters().filter(|key| !without.contains(key)) {
            let (model, order) = (scene.model(character)?, scene.order(character)?);
            let (poses, groups) = (scene.poses(character)?, scene.groups(character)?);
            for (at, part) in model.parts().iter().enumerate() {
                let Some(tree) = part.tree() else { continue };
                if now.part_aabb(character, part.id())?.is_empty() {
                    continue;
                }
                let placed = model.placed_tree(part.id(), &poses[at], order);
                let ball = PartBall::of_tree(tree);
                let (part, groups, pose) = (part.id(), groups[at], poses[at]);
                parts.push(Obstacle { character, part, placed, groups, ball, error: 0.0, pose });
            }
        }
        let mut obstacles = Obstacles { parts, ..Obstacles::none() };
        obstacles.set_base(base);
        Ok(obstacles)
    }

    /// Places the parts in the frame of a robot whose base is at a pose in the world, `None` for
    /// the frame of the world.
    pub fn set_base(&mut self, base: Option<&Pose<T>>) {
        let base = base.map(RigidMotion::normalised);
        for obstacle in &mut self.parts {
            let world = &obstacle.pose;
            obstacle.placed.pose = match &base {
                None => *world,
                Some(base) => base.relative(&RigidMotion::normalised(world)).pose(),
            };
            let (placement, tree) = (obstacle.placed.placement(), obstacle.placed.tree);
            let own = PartBall::of_tree(tree);
            let center = add(rotate(&placement.rotation, own.center), placement.position);
            let size = length(placement.position) + tree.wide_radius_about_origin();
            obstacle.ball = PartBall { center, radius: own.radius };
            obstacle.error = PLACEMENT_ERROR * size;
        }
        self.range =
            self.boxes.fill(self.parts.iter().map(|part| ball_aabb(&part.ball, part.error)));
    }

    /// Returns a part by its index.
    pub fn part(&self, index: u32) -> &Obstacle<'a, T> {
        &self.parts[index as usize]
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Finds the parts whose balls may reach a ball, ascending.
    pub fn find_near(&self, simd: SimdLevel, ball: &PartBall, found: &mut Vec<u32>) {
        let one = ball_aabb(ball, 0.0);
        self.boxes.find_near_box(simd, self.range, one, Nearness::OVERLAP, found);
    }
}

/// Returns a box around a ball, rounded outward.
fn ball_aabb(ball: &PartBall, error: f64) -> AabbF32 {
    AabbF32::from_ball(ball.center, ball.radius + error)
}
