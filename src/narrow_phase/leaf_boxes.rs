//! Parts of few boxes: their leaves against the root of the other part, many at a time in single
//! precision.
//!
//! A part of boxes far apart, such as the furniture of a room, has a root box that everything near
//! it reaches. Where the leaves are the cut and all of their aligned boxes are separated from the
//! other root, no pair of nodes touches: the other nodes lie in their root, and all aligned boxes
//! of two parts have the same 15 axes, so the same axis separates each pair, by no less.

use super::candidates::QueuedCandidate;
use super::part_id::PartId;
use super::placed_trees::PlacedTrees;
use super::root_traits::{LeafBoxes, MAX_LEAF_BOXES};
use crate::num::linear::{Vec3, length, rotate_back, sub};
use crate::num::{Scalar, SimdLevel};
use crate::sat::prefilter::{PartBox, PosedBox, PrefilterQueue};
use crate::shape::Placement;
use crate::tree::{Accuracy, LEVELS, ObbTree, TreeScratch};

/// Returns `true` if the cut consists of the leaves of every tree with few of them.
pub(super) fn cuts_at_leaves(accuracy: Accuracy) -> bool {
    match accuracy {
        Accuracy::Exact => true,
        // A binary tree is less deep than it has leaves.
        Accuracy::Depth(cut) => usize::from(cut) >= MAX_LEAF_BOXES,
        Accuracy::Within(_) | Accuracy::Budget(_) => false,
    }
}

/// Bound on the error of a ball in the frame of another part, and on what the deciding test allows,
/// as a share of all lengths: `512 u` of single precision. Needed is less than `64 u`.
const BALL_PAD: f64 = 1.0 / (1 << 15) as f64;

/// A ball around a root box in the frame of another part. Where it is separated from a leaf along a
/// coordinate of that frame, so is the box, along the same axis of the deciding test.
struct RootBall {
    center: Vec3,
    /// Radius with the margin and the pad. [world units]
    reach: f64,
}

impl RootBall {
    #[inline]
    fn new<T: Scalar>(
        frame: &Placement,
        root: &PosedBox<'_, T>,
        trees: [&ObbTree<T>; 2],
        margin: f64,
    ) -> Self {
        let [center, half] = root.aligned_box.center_and_half();
        let center = sub(Placement::new(root.pose).point(center), frame.position);
        let radii = trees[0].wide_radius_about_origin() + trees[1].wide_radius_about_origin();
        let pad = BALL_PAD * (length(center) + radii + margin);
        let reach = length(half) + margin + if margin > 0.0 { 4.0 * pad } else { pad };
        RootBall { center: rotate_back(&frame.rotation, center), reach }
    }

    /// Returns `true` if a face of the box certainly separates it from the ball.
    #[inline]
    fn is_separated(&self, leaf: &PartBox) -> bool {
        let [center, half] = leaf.center_and_half();
        let apart = |i: usize| (self.center[i] - center[i]).abs() - half[i];
        apart(0).max(apart(1)).max(apart(2)) > self.reach
    }
}

/// Queue of pairs of a leaf and a root.
#[derive(Debug, Clone, Default)]
pub(super) struct LeafBoxFilter {
    queue: PrefilterQueue,
    /// Index of the candidate of each queued pair.
    owners: Vec<u32>,
    /// Flag of each candidate: `true` unless all of its leaves are separated.
    is_near: Vec<bool>,
}

impl LeafBoxFilter {
    /// Drops the candidates with a part of few boxes whose leaves are all separated from the other
    /// root. Their cut must be the [leaves](cuts_at_leaves).
    pub fn drop_separated<'a, T: Scalar>(
        &mut self,
        candidates: &mut Vec<QueuedCandidate>,
        placed: &impl PlacedTrees<'a, T>,
        tree: &mut TreeScratch,
    ) {
        self.is_near.clear();
        self.is_near.resize(candidates.len(), true);
        // The frame of the last part of few boxes: most candidates have the same one.
        let mut frame: Option<((u32, PartId), Placement)> = None;
        for (index, QueuedCandidate { parts, root_traits, .. }) in candidates.iter().enumerate() {
            if !root_traits.is_some_and(|traits| traits.has_leaf_boxes) {
                continue;
            }
            self.is_near[index] = false;
            // The part with more leaves first; of equally many, whichever order the query has.
            let mut sides = parts.unordered().map(|part| (part, placed.leaf_boxes(part)));
            if sides[1].1.leaves.len() > sides[0].1.leaves.len() {
                sides.swap(0, 1);
            }
            let [(first, LeafBoxes { leaves, .. }), (second, other)] = sides;
            let root = PosedBox { aligned_box: other.root, pose: placed.pose(second) };
            let (pose, margin) = (placed.pose(first), placed.margin(parts));
            let trees = [first, second].map(|part| placed.tree(part));
            let depth = usize::from(trees[0].depth()).min(LEVELS - 1);
            tree.counts.boxes[depth] += leaves.len() as u64;
            if frame.as_ref().is_none_or(|(of, _)| *of != first) {
                frame = Some((first, Placement::new(pose)));
            }
            let ball = frame.as_ref().map(|(_, frame)| RootBall::new(frame, &root, trees, margin));
            for aligned_box in leaves {
                if ball.as_ref().is_some_and(|ball| ball.is_separated(aligned_box)) {
                    continue;
                }
                self.queue.push_posed(&PosedBox { aligned_box, pose }, &root, margin);
                self.owners.push(index as u32);
                if self.queue.is_full() {
                    self.flush(tree.simd);
                }
            }
        }
        self.flush(tree.simd);
        let mut is_near = self.is_near.iter();
        candidates.retain(|_| is_near.next() != Some(&false));
    }

    /// Tests the queued pairs.
    fn flush(&mut self, simd: SimdLevel) {
        if self.owners.is_empty() {
            return;
        }
        let masks = self.queue.masks_posed(simd);
        for (lane, owner) in self.owners.drain(..).enumerate() {
            self.is_near[owner as usize] |= masks.apart >> lane & 1 == 0;
        }
    }
}
