//! Parts placed in the world.

use super::{Model, PartId};
use crate::narrow_phase::LeafBoxes;
use crate::num::linear::{aabb_half_extents, length};
use crate::num::{Scalar, tolerance};
use crate::shape::{Aabb, Placement, Pose};
use crate::tree::{ObbTree, PlacedTree, TieBreak};

/// A part's pose as a matrix, and its world AABB.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedPart<T: Scalar> {
    pub placement: Placement,
    /// A box that contains the part's geometry, rounded outward. Empty for parts that have no
    /// geometry or are switched off.
    pub bounds: Aabb<T, 3>,
}

impl<T: Scalar> PlacedPart<T> {
    pub fn new(tree: Option<&ObbTree<T>>, pose: &Pose<T>) -> Self {
        let placement = Placement::new(pose);
        let bounds = tree.map_or_else(Aabb::empty, |tree| world_aabb(tree, &placement));
        PlacedPart { placement, bounds }
    }

    /// Returns the pose of a part as a matrix: from the placed parts of its character, if there are
    /// any, else computed.
    #[inline(always)]
    pub fn placement(all: Option<&[Self]>, part: usize, pose: &Pose<T>) -> Placement {
        all.map_or_else(|| Placement::new(pose), |all| all[part].placement)
    }
}

/// The world AABB of a part, padded by the distance at which boxes still count as touching along a
/// face normal. (Across nearly parallel edges, boxes that count as touching may be further apart:
/// either result is allowed there.)
pub(crate) fn padded_world_aabb<T: Scalar>(tree: &ObbTree<T>, pose: &Pose<T>) -> Aabb<T, 3> {
    let pad = 3.0 * T::LEAF_SLACK * tree.radius_about_origin().wide();
    PlacedPart::new(Some(tree), pose).bounds.grown(T::at_least(pad).wide())
}

/// The world AABB of a part: that of its root's box in the part's frame, rounded outward.
pub(super) fn world_aabb<T: Scalar>(tree: &ObbTree<T>, placement: &Placement) -> Aabb<T, 3> {
    let root = tree.node(crate::tree::NodeId::ROOT).aligned();
    let (center, half) = root.wide();
    let (center, half) = (placement.point(center), aabb_half_extents(&placement.rotation, half));
    let size = length(placement.position) + tree.radius_about_origin().wide();
    Aabb::outward(center, half, size * tolerance::WORLD_BOX_PAD)
}

impl<T: Scalar> Model<T> {
    /// The tree of a part.
    ///
    /// # Panics
    /// If the part has no geometry. Its box is then empty and overlaps nothing, so queries never
    /// need its tree.
    pub(crate) fn tree(&self, part: PartId) -> &ObbTree<T> {
        self.parts[part.index()].tree.as_ref().expect("a part whose box overlaps")
    }

    /// Returns the aligned boxes of a part.
    ///
    /// # Panics
    /// Panics if the model has no single-precision roots.
    pub(crate) fn leaf_boxes(&self, part: PartId) -> LeafBoxes<'_> {
        self.roots().expect("a model placed in single precision").leaf_boxes(part)
    }

    /// The tree of a part, placed by its pose.
    ///
    /// # Panics
    /// Panics like [`Model::tree`].
    pub(crate) fn placed_tree<'a>(
        &'a self,
        part: PartId,
        pose: &Pose<T>,
        order: u64,
    ) -> PlacedTree<'a, T> {
        let tree = self.tree(part);
        let tie_break: TieBreak = (self.fingerprint, part.index() as u32, order);
        PlacedTree { tree, pose: *pose, tie_break }
    }
}
