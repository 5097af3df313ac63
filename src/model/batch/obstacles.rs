//! Static models around a robot: their placed boxes for the filter, and the exact query against
//! them.

use std::sync::Arc;

use crate::error::Error;
use crate::model::{Model, PartId, SelfQuery};
use crate::narrow_phase::{
    Candidate, Goal, LeafBoxes, MAX_LEAF_BOXES, NarrowPhase, NarrowPhaseScratch, PlacedTrees,
};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Mat3, Vec3, add, axes_along, length, scale, sub};
use crate::pair::convex::{ClosedCore, Rounded};
use crate::shape::{Placement, Pose, WideObb};
use crate::tree::{Geometry, NodeId, ObbTree, PlacedTree};

/// A static model with the poses of its parts, part to world.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Obstacle<T: Scalar> {
    pub model: Arc<Model<T>>,
    pub poses: Vec<Pose<T>>,
}

/// A box in the world, in double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlacedBox {
    /// Columns: the axes of the box.
    pub axes: Mat3,
    pub center: Vec3,
    pub half: Vec3,
}

/// A box in the world, grown by a radius. Its half extents and its radius may be zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlacedSolid {
    pub block: PlacedBox,
    pub radius: f64,
}

impl<T: Scalar> Obstacle<T> {
    /// Checks the poses.
    ///
    /// # Errors
    /// [`Error::WrongCount`], [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn new(model: &Arc<Model<T>>, poses: &[Pose<T>]) -> Result<Self, Error> {
        model.check_part_poses(poses)?;
        Ok(Obstacle { model: Arc::clone(model), poses: poses.to_vec() })
    }

    /// Returns boxes that together contain a part: those of its leaves if they are few.
    ///
    /// # Panics
    /// Panics for a part without geometry.
    pub fn boxes(&self, part: PartId) -> Vec<PlacedBox> {
        let tree = self.model.tree(part);
        let placement = Placement::new(&self.poses[part.index()]);
        let placed = |node: NodeId| {
            let (center, half) = tree.node(node).aligned().wide();
            PlacedBox { axes: placement.rotation, center: placement.point(center), half }
        };
        // The inside of a solid mesh lies outside the leaves.
        let leaves = tree.len().div_ceil(2);
        let has_few = leaves <= MAX_LEAF_BOXES && !matches!(tree.geometry(), Geometry::Solid(_));
        let nodes = if has_few { tree.cut(u8::MAX) } else { vec![NodeId::ROOT] };
        nodes.into_iter().map(placed).collect()
    }

    /// Returns solids within a part, if it has few primitives: its boxes, and the inscribed balls,
    /// capsules and boxes of its convex shapes. Hulls, surfaces and solid meshes have none.
    ///
    /// # Panics
    /// Panics for a part without geometry.
    pub fn inner_solids(&self, part: PartId) -> Vec<PlacedSolid> {
        let geometry = self.model.tree(part).geometry();
        if geometry.len() > MAX_LEAF_BOXES {
            return Vec::new();
        }
        let placement = Placement::new(&self.poses[part.index()]);
        let solid = |core: ClosedCore, radius| {
            let block = match core {
                ClosedCore::Point(center) => (center, IDENTITY, [0.0; 3]),
                ClosedCore::Line([a, b]) => {
                    let along = sub(b, a);
                    (scale(add(a, b), 0.5), axes_along(along), [0.5 * length(along), 0.0, 0.0])
                }
                ClosedCore::Block(WideObb { center, axes, half_extents }, _) => {
                    (center, axes, half_extents)
                }
                ClosedCore::Triangle(_) => return None,
            };
            let (center, axes, half) = block;
            let axes = axes.map(|axis| placement.direction(axis));
            let block = PlacedBox { axes, center: placement.point(center), half };
            Some(PlacedSolid { block, radius })
        };
        match geometry {
            Geometry::Boxes(boxes) => boxes
                .iter()
                .filter_map(|own| solid(ClosedCore::Block(own.wide(), 0.0), 0.0))
                .collect(),
            Geometry::Convex(shapes) => {
                let rounded = shapes.iter().filter_map(|shape| shape.body().inner_rounded());
                rounded.filter_map(|Rounded { core, radius }| solid(core, radius)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Parts of a robot, and of obstacles by index, that may touch.
pub(super) type ObstaclePair = (PartId, (u32, PartId));

/// A posed robot among obstacles, for the narrow phase. The robot is character 0, and obstacle `i`
/// is character `i + 1`.
#[derive(Clone, Copy)]
pub(super) struct PosedRobot<'a, T: Scalar> {
    pub model: &'a Model<T>,
    pub poses: &'a [Pose<T>],
    pub obstacles: &'a [Obstacle<T>],
    pub query: SelfQuery,
}

impl<'a, T: Scalar> PosedRobot<'a, T> {
    /// Finds the pairs that touch, ascending, or any one of them; a budget is spent on all of them
    /// together.
    pub fn touching<'s>(
        self,
        pairs: &[ObstaclePair],
        goal: Goal,
        scratch: &'s mut NarrowPhaseScratch<T>,
    ) -> impl Iterator<Item = ObstaclePair> + use<'s, T> {
        let simd = scratch.tree.simd;
        scratch.clear(simd);
        let mut narrow = NarrowPhase::new(self, goal, self.query.accuracy(), &mut *scratch);
        for &(part, (obstacle, other)) in pairs {
            let (a, b) = ((0, part), (obstacle + 1, other));
            narrow.work.candidates.push(Candidate { a, b });
        }
        narrow.finish();
        scratch.found.sort();
        let part = |index: u32| PartId::new(index as usize);
        let found = scratch.found.iter();
        found.map(move |found| (part(found.key[1]), (found.key[3] - 1, part(found.key[4]))))
    }

    /// Returns `true` if a pair touches, as [`PosedRobot::touching`] says without a budget.
    pub fn touches(
        self,
        (part, (obstacle, other)): ObstaclePair,
        scratch: &mut NarrowPhaseScratch<T>,
    ) -> bool {
        let pair = self.tree_pair(&Candidate { a: (0, part), b: (obstacle + 1, other) });
        pair.touches_at(self.query.accuracy(), &mut scratch.tree)
    }

    fn placed(&self, character: u32) -> (&'a Model<T>, &'a [Pose<T>]) {
        match character.checked_sub(1) {
            None => (self.model, self.poses),
            Some(index) => {
                let Obstacle { model, poses } = &self.obstacles[index as usize];
                (model, poses)
            }
        }
    }
}

impl<'a, T: Scalar> PlacedTrees<'a, T> for PosedRobot<'a, T> {
    fn tree(&self, (character, part): (u32, PartId)) -> &'a ObbTree<T> {
        self.placed(character).0.tree(part)
    }

    fn pose(&self, (character, part): (u32, PartId)) -> &'a Pose<T> {
        &self.placed(character).1[part.index()]
    }

    fn placed_tree(&self, (character, part): (u32, PartId)) -> PlacedTree<'a, T> {
        let (model, poses) = self.placed(character);
        model.placed_tree(part, &poses[part.index()], u64::from(character))
    }

    fn margin(&self, _: &Candidate) -> f64 {
        self.query.own_margin()
    }

    fn leaf_boxes(&self, (character, part): (u32, PartId)) -> LeafBoxes<'a> {
        self.placed(character).0.leaf_boxes(part)
    }
}
