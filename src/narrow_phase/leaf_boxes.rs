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
use crate::broad_phase::{Aabb16, AabbF32, BLOCK, MASK_BLOCKS};
use crate::num::linear::{
    Vec3, absolute_sum, absolute_values, add, dot, length, rotate_back, scale, sub,
};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::{Scalar, SimdLevel};
use crate::sat::prefilter::{PartBox, PosedBox, PrefilterQueue};
use crate::shape::{Placement, Pose};
use crate::tree::{Accuracy, LEVELS, ObbTree, TreeScratch};

/// Returns `true` if the cut consists of the leaves of every tree with few of them.
pub(crate) fn cuts_at_leaves(accuracy: Accuracy) -> bool {
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

/// The leaves of a part of few boxes, for a test of all parts of another character at once, by
/// their world boxes. Where the world box of a part is separated from a leaf along a coordinate of
/// the leaves' frame, so is its root box, along the same axis of the deciding test.
pub(crate) struct LeafBoxTest<'a> {
    frame: Placement,
    leaves: &'a [PartBox],
    /// Radius of the part about its origin. [units]
    radius: f64,
    margin: f64,
}

impl<'a> LeafBoxTest<'a> {
    pub fn new<T: Scalar>(
        pose: &Pose<T>,
        (tree, leaves): (&ObbTree<T>, &'a [PartBox]),
        margin: f64,
    ) -> Self {
        let (frame, radius) = (Placement::new(pose), tree.wide_radius_about_origin());
        LeafBoxTest { frame, leaves, radius, margin }
    }

    /// Returns `true` if a leaf may touch a box, or be within the margin of it. Adds the number of
    /// comparisons to `compared`.
    pub fn is_near(&self, around: AabbF32, compared: &mut u64) -> bool {
        *compared += self.leaves.len() as u64;
        let bounds = self.bounds_in_frame(around);
        self.leaves.iter().any(|leaf| bounds.is_near(leaf))
    }

    /// Returns a bit for each of the first 64 boxes that a leaf may touch, or be within the margin
    /// of. `around` contains all boxes. Bits of empty boxes are unspecified. Adds the number of
    /// comparisons to `compared`.
    pub fn near_mask(
        &self,
        simd: SimdLevel,
        (around, blocks): (AabbF32, &[Aabb16]),
        compared: &mut u64,
    ) -> u64 {
        let bounds = self.bounds_in_frame(around);
        let (mut near, mut len) = ([[[0.0; 3]; 2]; MAX_LEAF_BOXES], 0);
        for leaf in self.leaves.iter().take(MAX_LEAF_BOXES) {
            if bounds.is_near(leaf) {
                near[len] = leaf.center_and_half().map(|v| v.map(|x| x as f32));
                len += 1;
            }
        }
        *compared += self.leaves.len() as u64;
        if len == 0 {
            return 0;
        }
        *compared += (len * blocks.len().min(MASK_BLOCKS) * BLOCK) as u64;
        simd.run(LeafBoxesKernel {
            axes: self.frame.rotation.map(|axis| axis.map(|x| x as f32)),
            position: self.frame.position.map(|x| x as f32),
            // Rounded by much less than the pad.
            reach: self.reach(0.0) as f32,
            pad_share: self.pad_share() as f32,
            leaves: &near[..len],
            blocks,
        })
    }

    fn bounds_in_frame(&self, around: AabbF32) -> BoundsInFrame {
        let [low, high] = around.corners();
        let (center, half) = (scale(add(low, high), 0.5), scale(sub(high, low), 0.5));
        let Placement { rotation, position } = &self.frame;
        BoundsInFrame {
            center: rotate_back(rotation, sub(center, *position)),
            extent: [0, 1, 2].map(|i| dot(absolute_values(rotation[i]), half)),
            reach: self.reach(absolute_sum(center) + absolute_sum(half)),
        }
    }

    /// Returns the margin and the pad for a box, given the sum of the coordinates of its centre and
    /// its half extents. Depends on no other box, so that each pair is decided alone.
    fn reach(&self, sum: f64) -> f64 {
        let size = sum + absolute_sum(self.frame.position) + self.radius + self.margin;
        self.margin + self.pad_share() * size
    }

    fn pad_share(&self) -> f64 {
        // The deciding test allows more with a margin.
        BALL_PAD * if self.margin > 0.0 { 4.0 } else { 1.0 }
    }
}

/// A world box in the frame of a part.
struct BoundsInFrame {
    center: Vec3,
    /// Half extents of its bounds in that frame.
    extent: Vec3,
    /// Margin and pad. [world units]
    reach: f64,
}

impl BoundsInFrame {
    /// Returns `true` unless a face of the leaf certainly separates it from the box.
    #[inline(always)]
    fn is_near(&self, leaf: &PartBox) -> bool {
        let [center, half] = leaf.center_and_half();
        let apart = |i: usize| (self.center[i] - center[i]).abs() - half[i] - self.extent[i];
        apart(0).max(apart(1)).max(apart(2)) <= self.reach
    }
}

/// Kernel of [`LeafBoxTest::near_mask`].
struct LeafBoxesKernel<'a> {
    /// Axes and origin of the frame. [world]
    axes: [[f32; 3]; 3],
    position: [f32; 3],
    /// Distance along an axis up to which a leaf is near a box at the origin without a size, and
    /// what each box adds, as a share of its coordinates. [world units]
    reach: f32,
    pad_share: f32,
    /// Centre and half extents of the leaves.
    leaves: &'a [[[f32; 3]; 2]],
    blocks: &'a [Aabb16],
}

impl FloatKernel for LeafBoxesKernel<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let LeafBoxesKernel { axes, position, reach, pad_share, leaves, blocks } = self;
        let splat = |x: f32| L::splat(token, x);
        let (axes, position) = (axes.map(|axis| axis.map(splat)), position.map(splat));
        let (reach, share, half, mut mask) = (splat(reach), splat(pad_share), splat(0.5), 0);
        for (j, block) in blocks.iter().enumerate().take(MASK_BLOCKS) {
            for lane in (0..BLOCK).step_by(L::LEN) {
                let ends = [0, 1, 2, 3, 4, 5].map(|row| L::load(token, &block[row][lane..]));
                let (mut center, mut offset, mut size) = ([half; 3], [half; 3], [half; 3]);
                for i in 0..3 {
                    center[i] = (ends[i] + ends[i + 3]) * half;
                    offset[i] = center[i] - position[i];
                    size[i] = (ends[i + 3] - ends[i]) * half;
                }
                let reach = reach + share * (absolute_sum(center) + absolute_sum(size));
                let (mut along, mut most) = ([half; 3], [half; 3]);
                for i in 0..3 {
                    along[i] = dot(axes[i], offset);
                    most[i] = dot(absolute_values(axes[i]), size) + reach;
                }
                let mut near = 0;
                for [center, half] in leaves {
                    let is_near = |i: usize| {
                        ((along[i] - splat(center[i])).abs() - splat(half[i])).at_most(most[i])
                    };
                    near |= L::bits(L::both(L::both(is_near(0), is_near(1)), is_near(2)));
                }
                mask |= u64::from(near) << (j * BLOCK + lane);
            }
        }
        mask
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
