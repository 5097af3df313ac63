//! Root boxes of a model's parts as structure of arrays, in f32: the input for placing many parts
//! at once.

use super::{Part, PartId};
use crate::broad_phase::{BLOCK, MAX_F32_DISTANCE, PartBox16, part_at_slot};
use crate::narrow_phase::{LeafBoxes, MAX_LEAF_BOXES, PosedRoot, RootTraits};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::sat::prefilter::{PartBox, PosedBox};
use crate::shape::Pose;
use crate::tree::{Geometry, ObbTree};

/// The root boxes of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct RootBoxes {
    /// The boxes in blocks, in the order of the world boxes.
    pub blocks: Vec<PartBox16>,
    /// The boxes part by part, and their properties.
    roots: Vec<PartBox>,
    traits: Vec<RootTraits>,
    /// The boxes of the leaves of all parts that have [few](MAX_LEAF_BOXES).
    leaves: Vec<PartBox>,
    /// Index of the first leaf of each part, and of the next part; empty if no part has leaves.
    leaf_starts: Vec<u32>,
}

/// Least radius, except 0, at which single precision is used; also the least size of boxes for the
/// SAT prefilter. Products of smaller numbers underflow. Units.
const MIN_F32_RADIUS: f64 = 1e-20;

impl RootBoxes {
    /// The heap memory in bytes.
    pub fn bytes(&self) -> usize {
        let blocks = size_of_val(&self.blocks[..]);
        let leaves = size_of_val(&self.leaves[..]) + size_of_val(&self.leaf_starts[..]);
        blocks + size_of_val(&self.roots[..]) + size_of_val(&self.traits[..]) + leaves
    }

    /// Builds the boxes, in the `order` of [`part_at_slot`]; `None` for parts that require double
    /// precision.
    pub fn new<T: Scalar>(parts: &[Part<T>], order: &[u32]) -> Option<Self> {
        let mut roots = RootBoxes {
            blocks: vec![PartBox16::EMPTY; parts.len().div_ceil(BLOCK)],
            roots: vec![PartBox::UNDECIDED; parts.len()],
            traits: vec![RootTraits::default(); parts.len()],
            leaves: Vec::new(),
            leaf_starts: Vec::new(),
        };
        for at in 0..parts.len() {
            let index = part_at_slot(order, at);
            let Some(tree) = &parts[index].tree else { continue };
            let (center, half) = tree.root_box();
            let sum = |v: Vec3| v[0].abs() + v[1].abs() + v[2].abs();
            let radius = (sum(center) + sum(half)) * (1.0 + 1e-6);
            if radius != 0.0 && !(MIN_F32_RADIUS..=MAX_F32_DISTANCE).contains(&radius) {
                return None;
            }
            let (block, lane) = (&mut roots.blocks[at / BLOCK], at % BLOCK);
            for i in 0..3 {
                block.center[i][lane] = center[i] as f32;
                block.half[i][lane] = half[i] as f32;
            }
            block.radius_about_origin[lane] = radius as f32;
            block.geometry_mask |= 1 << lane;
            roots.roots[index] = single_precision_box(tree, (center, half));
            roots.traits[index] = RootTraits {
                box_is_geometry: tree.box_is_geometry(),
                has_leaf_boxes: has_few_leaves(tree),
                ..RootTraits::from_tree(tree)
            };
        }
        roots.add_leaves(parts);
        Some(roots)
    }

    /// Adds the boxes of the leaves of all parts that have few.
    fn add_leaves<T: Scalar>(&mut self, parts: &[Part<T>]) {
        if !self.traits.iter().any(|traits| traits.has_leaf_boxes) {
            return;
        }
        for (part, traits) in parts.iter().zip(&self.traits) {
            self.leaf_starts.push(self.leaves.len() as u32);
            if let Some(tree) = part.tree.as_ref().filter(|_| traits.has_leaf_boxes) {
                let leaves = tree.cut(u8::MAX).into_iter();
                let boxes = leaves.map(|leaf| tree.node(leaf).aligned().wide());
                self.leaves.extend(boxes.map(|of| single_precision_box(tree, of)));
            }
        }
        self.leaf_starts.push(self.leaves.len() as u32);
    }

    /// Returns `true` if a part has few leaves.
    #[inline]
    pub fn has_leaf_boxes(&self) -> bool {
        !self.leaf_starts.is_empty()
    }

    /// Returns the root box of a part, and the boxes of its leaves if they are few.
    pub fn leaf_boxes(&self, part: PartId) -> LeafBoxes<'_> {
        let root = &self.roots[part.index()];
        let leaves = match self.leaf_starts.get(part.index()..part.index() + 2) {
            Some(&[start, end]) => &self.leaves[start as usize..end as usize],
            _ => &[],
        };
        LeafBoxes { root, leaves }
    }

    /// Returns a part's root box with its pose, for the SAT prefilter.
    #[inline]
    pub fn posed_root<'a, T: Scalar>(
        &'a self,
        part: PartId,
        poses: &'a [Pose<T>],
    ) -> PosedRoot<'a, T> {
        let index = part.index();
        let posed = PosedBox { aligned_box: &self.roots[index], pose: &poses[index] };
        PosedRoot { posed, traits: self.traits[index] }
    }
}

/// Returns an aligned box of a tree, in single precision.
fn single_precision_box<T: Scalar>(tree: &ObbTree<T>, (center, half): (Vec3, Vec3)) -> PartBox {
    let sum = half[0] + half[1] + half[2];
    let size = match sum >= MIN_F32_RADIUS {
        true => (sum + T::REACH_SHARE * tree.radius_about_origin().wide()) as f32,
        false => f32::INFINITY,
    };
    let single = |v: Vec3| v.map(|x| x as f32);
    PartBox::new(single(center), single(half), size)
}

/// Returns `true` if a tree has several leaves, few enough to test one by one, whose boxes contain
/// all points of the part.
fn has_few_leaves<T: Scalar>(tree: &ObbTree<T>) -> bool {
    let leaves = tree.len().div_ceil(2);
    // The inside of a solid mesh lies outside the leaves.
    (2..=MAX_LEAF_BOXES).contains(&leaves) && !matches!(tree.geometry(), Geometry::Solid(_))
}
