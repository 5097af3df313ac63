//! Distance and closest points of two trees: branch and bound over pairs of nodes.
//!
//! Source: Larsen, Gottschalk, Lin, Manocha, Fast Proximity Queries with Swept Sphere Volumes
//! (1999), with boxes for the spheres: the nearer of two pairs is visited first, and pairs whose
//! lower bound exceeds the incumbent are pruned. At every accuracy the wide BVHs are searched,
//! eight nodes against eight, down to the cut of each tree.

use super::pair::cut_node::{CutChildren, CutNode, CutWideNode, TreeCut};
use super::pair::inside;
use super::pair::primitive_test::PrimitiveTest;
use super::pair::stack_entries::DistanceStackEntry;
use super::pair::wide_pair::{WidePair, count_box_tests};
use super::store::wide_bvh::WideNode;
use super::{Accuracy, Node, NodeId, ObbTree, OrderedPair, TreePair, TreeScratch};
use crate::error::Error;
use crate::num::linear::{IDENTITY, add, length, scale};
use crate::num::sorting::ascending_bits;
use crate::num::{Scalar, precompiled, set_bits};
use crate::pair::ClosestPoints;
use crate::pair::rounded::cores::{ClosestOnCores, CorePair};
use crate::pair::rounded::slack_box::SlackBox;
use crate::sat::BoxPair;
use crate::sat::box_gaps::{BoxGaps, OrientedGaps};
use crate::sat::eight_boxes::{RelativeFrame, WIDTH, row_masks};
use crate::sat::oriented_batch::{OrientedBatch, QUEUE_LEN};
use crate::shape::{WideObb, nearest_point};

/// Closest pair found so far, in canonical order and in the frame of the first part.
pub(in crate::tree) struct DistanceIncumbent {
    nodes: [u32; 2],
    pub closest: ClosestOnCores,
    pub distance: f64,
    slack: f64,
}

impl DistanceIncumbent {
    /// Returns the same pair as touching, with the midpoint as the common point.
    fn as_touching(self, slack: f64) -> Self {
        let closest =
            ClosestOnCores::common(add(self.closest.on_a, scale(self.closest.offset, 0.5)));
        DistanceIncumbent { closest, distance: 0.0, slack, ..self }
    }
}

struct DistanceSearch<'p, 'a, T: Scalar> {
    pair: &'p TreePair<'a, T>,
    primitive_test: PrimitiveTest<'p, T>,
    accuracy: Accuracy,
    max_distance: f64,
    incumbent: Option<DistanceIncumbent>,
    /// Rounding error of lengths in the frame of the first part. [world units]
    error: f64,
    /// Relative pose of the parts for bounds of many pairs at once; without it, they are computed
    /// one pair at a time in double precision: for sizes beyond single precision, and as a
    /// reference.
    frame: Option<RelativeFrame>,
    /// Length of which lower bounds are multiples [world units].
    unit: f64,
}

/// Checks the parameters of a distance query: rejects a budget, which has no distance, and lengths
/// that are NaN or negative.
pub(crate) fn check_distance_query(accuracy: Accuracy, max_distance: f64) -> Result<(), Error> {
    accuracy.check()?;
    match (accuracy, max_distance) {
        (Accuracy::Budget(_), _) => {
            Err(Error::BadQuery { reason: "distances do not support a budget" })
        }
        (_, far) if far.is_nan() => Err(Error::NotFinite { field: "largest distance", index: 0 }),
        (_, far) if far < 0.0 => Err(Error::Negative { field: "largest distance", index: 0 }),
        _ => Ok(()),
    }
}

precompiled! {
    fn distance<'a, T>(
        pair: &'a TreePair<'a, T>,
        accuracy: Accuracy,
        max_distance: f64,
        scratch: &'a mut TreeScratch,
    ) -> Option<ClosestPoints<T, NodeId>> {
        pair.distance_checked(accuracy, max_distance, scratch)
    }
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// Computes the distance of the two trees at that accuracy: that of the closest oriented boxes
    /// of the cuts, except boxes that the part-aligned ones prune; for [`Accuracy::Exact`] that of
    /// the closest primitives. `None` if the geometry is further apart than `max_distance`, up to
    /// rounding; `max_distance` may be infinite.
    ///
    /// Zero wherever the trees [intersect](TreePair::intersects) at that accuracy, hence also if a
    /// solid part contains the other; with [`Accuracy::Exact`] nowhere else. Swapped trees give the
    /// [reversed](ClosestPoints::reversed) answer, bit for bit.
    ///
    /// # Errors
    /// [`Error::BadQuery`] for a budget; [`Error::NotFinite`] and [`Error::Negative`] for a
    /// tolerance or `max_distance`.
    ///
    /// ```
    /// # boxwood::fixture_tree!(cube, tree);
    /// use boxwood::{Accuracy, tree::{TreePair, TreeScratch}};
    ///
    /// // Two unit cubes, 3 apart along x.
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(3.0, 0.0, 0.0));
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// let mut scratch = TreeScratch::default();
    /// let closest = pair.distance(Accuracy::Exact, 100.0, &mut scratch)?.expect("in reach");
    /// assert!((closest.distance - 2.0).abs() < 1e-5);
    /// assert_eq!(pair.distance(Accuracy::Exact, 1.0, &mut scratch)?, None); // further than that
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn distance(
        &self,
        accuracy: Accuracy,
        max_distance: impl Into<f64>,
        scratch: &mut TreeScratch,
    ) -> Result<Option<ClosestPoints<T, NodeId>>, Error> {
        let max_distance = max_distance.into();
        check_distance_query(accuracy, max_distance)?;
        let pair = self.with_margin(0.0);
        Ok(distance(&pair, accuracy, max_distance, scratch))
    }

    /// Like [`TreePair::distance`], for valid parameters.
    pub(crate) fn distance_checked(
        &self,
        accuracy: Accuracy,
        max_distance: f64,
        scratch: &mut TreeScratch,
    ) -> Option<ClosestPoints<T, NodeId>> {
        let tolerance = if let Accuracy::Within(t) = accuracy { t } else { 0.0 };
        let best = self.closest_incumbent(accuracy, max_distance.max(tolerance), scratch);
        if best.as_ref().is_some_and(|best| best.distance == 0.0) {
            return best.map(|best| self.closest_points_answer(&best));
        }
        let may_contain = self.has_inside() && self.chain_overlaps((0, 0), scratch.simd);
        if let Some(point) = may_contain.then(|| inside::common_point(self, scratch)).flatten() {
            return Some(ClosestPoints {
                a: NodeId::ROOT,
                b: NodeId::ROOT,
                distance: T::zero(),
                on_a: nearest_point(point),
                on_b: nearest_point(point),
                slack: T::zero(),
            });
        }
        let mut best = best?;
        // Parts may count as touching within the tolerance though these boxes are disjoint.
        if best.distance <= tolerance && self.touches_at(accuracy, scratch) {
            best = best.as_touching(tolerance);
        }
        (best.distance <= max_distance).then(|| self.closest_points_answer(&best))
    }

    /// Returns the exact distance of two trees that touch, or are within the margin. Where each is
    /// a single primitive, these are what touches, and are not tested again.
    pub(crate) fn distance_of_touching(
        &self,
        scratch: &mut TreeScratch,
    ) -> Option<ClosestPoints<T, NodeId>> {
        let OrderedPair { first, second, tied, .. } = self.ordered_pair();
        let is_single = |tree: &ObbTree<T>| tree.primitives(NodeId::ROOT).len() == 1;
        let is_single = is_single(first.tree) && is_single(second.tree);
        if !is_single || *tied || self.has_inside() || self.margin > 0.0 {
            return self.distance_checked(Accuracy::Exact, f64::INFINITY, scratch);
        }
        let mut exactly = None;
        let mut search = DistanceSearch::new(self, Accuracy::Exact, f64::INFINITY, &mut exactly);
        let (a, b) = self.primitive_pairs(0, 0).next()?;
        let (near, _) = search.primitive_test.closest_points(a, b);
        search.set_touching([0; 2], near, self.primitive_slack().wide());
        search.primitive_test.count_into(&mut scratch.counts);
        search.incumbent.map(|best| self.closest_points_answer(&best))
    }

    /// Searches the closest pair of nodes or primitives no further apart than `max_distance`; knows
    /// no insides.
    pub(in crate::tree) fn closest_incumbent(
        &self,
        accuracy: Accuracy,
        max_distance: f64,
        scratch: &mut TreeScratch,
    ) -> Option<DistanceIncumbent> {
        let mut exactly = None;
        let mut search = DistanceSearch::new(self, accuracy, max_distance, &mut exactly);
        match self.ordered_pair().tied {
            true => search.search_tied(),
            false => search.search_from_roots(scratch),
        }
        search.primitive_test.count_into(&mut scratch.counts);
        search.incumbent
    }

    fn closest_points_answer(&self, best: &DistanceIncumbent) -> ClosestPoints<T, NodeId> {
        let placement = &self.placements()[0];
        let distance = T::at_least(best.distance);
        let answer = ClosestPoints {
            a: NodeId::new(best.nodes[0] as usize),
            b: NodeId::new(best.nodes[1] as usize),
            distance,
            on_a: nearest_point(placement.point(best.closest.on_a)),
            on_b: nearest_point(placement.point(best.closest.on_b())),
            slack: T::at_least(best.slack + 2.0 * T::ROUNDING * distance.wide()),
        };
        if self.ordered_pair().swapped { answer.reversed() } else { answer }
    }
}

impl<'p, 'a, T: Scalar> DistanceSearch<'p, 'a, T> {
    fn new(
        pair: &'p TreePair<'a, T>,
        accuracy: Accuracy,
        max_distance: f64,
        exactly: &'p mut Option<crate::shape::ExactRelativePose>,
    ) -> Self {
        DistanceSearch {
            primitive_test: PrimitiveTest::new(pair, exactly),
            pair,
            accuracy,
            max_distance,
            incumbent: None,
            error: pair.rounding_error(),
            frame: None,
            unit: 1.0,
        }
    }

    /// Handles two equal trees in one pose: the closest pair is the first node of the cut and
    /// itself.
    fn search_tied(&mut self) {
        let (mut id, mut depth) = (0, 0);
        let mut node = self.pair.node_at(0, id);
        while self.accuracy.opens_node(node, depth) {
            (id, depth) = (node.first_child, depth + 1);
            node = self.pair.node_at(0, id);
        }
        let primitive = self.pair.primitive_pairs(id, id).next().map_or(0, |(first, _)| first);
        let closest = ClosestOnCores::common(self.primitive_test.point_of_first(primitive));
        self.incumbent =
            Some(DistanceIncumbent { nodes: [id; 2], closest, distance: 0.0, slack: 0.0 });
    }

    /// Searches both trees from their roots down to the cuts of the accuracy.
    fn search_from_roots(&mut self, scratch: &mut TreeScratch) {
        let cuts = self.cuts(self.accuracy);
        let roots = [cuts[0].root(), cuts[1].root()];
        let is_decided = roots.iter().all(|root| root.is_cut);
        scratch.counts.oriented += u64::from(is_decided && !cuts[0].reaches_leaves());
        if is_decided && self.pair.bvhs().iter().all(|bvh| bvh.child(0).is_leaf()) {
            self.test_cut_pair(cuts, roots);
            return;
        }
        let frame = (!scratch.one_at_a_time).then(|| self.pair.relative_frame()).flatten();
        self.frame = frame.filter(RelativeFrame::has_gaps);
        if self.frame.is_none() {
            let [first, second] = self.pair.bvhs().map(|bvh| bvh.half_extent_sum);
            let size = first + second + length(self.pair.second_in_first().1);
            self.unit = if size > 0.0 { size } else { 1.0 };
        }
        scratch.distance_stack.clear();
        let mut made = [CutWideNode::empty(), CutWideNode::empty()];
        self.search((cuts, &mut made), roots, scratch);
    }

    /// Searches both trees from two nodes down to the given cuts: those of the query, or the
    /// leaves. Takes only entries of its own from the stack, so searches nest.
    fn search(
        &mut self,
        (cuts, made): ([TreeCut<'p, T>; 2], &mut [CutWideNode<T>; 2]),
        from: [CutNode; 2],
        scratch: &mut TreeScratch,
    ) {
        let base = scratch.distance_stack.len();
        let start = DistanceStackEntry { nodes: from, lower_bound: f32::NEG_INFINITY };
        scratch.distance_stack.push(start);
        while scratch.distance_stack.len() > base {
            let Some(DistanceStackEntry { nodes, lower_bound }) = scratch.distance_stack.pop()
            else {
                break;
            };
            if self.incumbent.as_ref().is_some_and(|best| best.distance == 0.0) {
                return scratch.distance_stack.truncate(base);
            }
            if self.is_pruned(self.unit * f64::from(lower_bound) - self.error) {
                continue;
            }
            if nodes[0].is_cut && nodes[1].is_cut {
                if let Some(below) = self.test_cut_pair(cuts, nodes) {
                    self.search((self.cuts(Accuracy::Exact), &mut *made), below, scratch);
                }
                continue;
            }
            // A node of the cut stands in for nodes below it.
            let filled = [0, 1].map(|side| cuts[side].fill(nodes[side], &mut made[side]));
            let made = [0, 1].map(|side| filled[side].then_some(&made[side]));
            let step = |side: usize, _: &_, _| cuts[side].step(nodes[side], made[side]);
            self.pair.open(nodes.map(|node| node.child), step, |wides| {
                let first = cuts[0].children(nodes[0], wides[0], made[0]);
                let second = cuts[1].children(nodes[1], wides[1], made[1]);
                self.push_children(cuts, wides, [first, second], scratch);
            });
        }
    }

    /// Pushes the pairs of nodes in two wide nodes that may be closer than the incumbent, the
    /// closest on top.
    #[inline(always)]
    fn push_children(
        &self,
        cuts: [TreeCut<'p, T>; 2],
        wides: [&WideNode<T>; 2],
        children: [CutChildren<'_, T>; 2],
        scratch: &mut TreeScratch,
    ) {
        let TreeScratch { counts, distance_stack: stack, distance_keys: keys, simd, .. } = scratch;
        // No incumbent is beyond the largest distance.
        let limit = self.incumbent.as_ref().map_or(self.max_distance, |best| best.distance);
        let limit = f32::at_least((limit + self.error) / self.unit);
        let mut lower_bounds = [0.0; WIDTH * WIDTH];
        let lens = count_box_tests(wides, counts);
        let near = match &self.frame {
            Some(frame) => {
                let boxes = [&wides[0].boxes, &wides[1].boxes];
                let lower_bounds = &mut lower_bounds;
                BoxGaps { frame, boxes, counts: lens, limit, lower_bounds }.near_mask(*simd)
            }
            None => self.near_mask_in_double(cuts, &children, lens, limit, &mut lower_bounds),
        };
        // Sorted by bound, then by lanes: most pairs are sorted and never visited.
        let key = |bound: f32, bit: usize| u64::from(ascending_bits(bound)) << 8 | bit as u64;
        keys.clear();
        let cut_mask = row_masks(children[0].cut_mask, children[1].cut_mask);
        let mut at_cut = near & cut_mask;
        keys.extend(set_bits(near & !at_cut).map(|bit| key(lower_bounds[bit], bit)));
        while at_cut != 0 {
            let (mut bits, mut len) = ([0; QUEUE_LEN], 0);
            let mut indices = [0, 1].map(|side| [children[side].first_record; QUEUE_LEN]);
            for bit in set_bits(at_cut).take(QUEUE_LEN) {
                indices[0][len] += (bit / WIDTH) as u32;
                indices[1][len] += (bit % WIDTH) as u32;
                bits[len] = bit as u8;
                at_cut &= at_cut - 1;
                len += 1;
            }
            counts.oriented += len as u64;
            let mut closer = [0.0; QUEUE_LEN];
            match &self.frame {
                Some(frame) => {
                    let records = [children[0].records, children[1].records];
                    let batch = OrientedBatch { frame, records, pairs: &indices, len };
                    OrientedGaps { batch, lower_bounds: &mut closer }.run(*simd);
                }
                None => self.oriented_bounds_in_double(cuts, &children, &bits[..len], &mut closer),
            }
            for (&bit, &oriented) in bits[..len].iter().zip(&closer) {
                let bit = usize::from(bit);
                let aligned = lower_bounds[bit];
                let bound = if oriented > aligned { oriented } else { aligned };
                if bound <= limit {
                    lower_bounds[bit] = bound;
                    keys.push(key(bound, bit));
                }
            }
        }
        keys.sort_unstable();
        stack.extend(keys.iter().rev().map(|key| {
            let bit = (key & 0xff) as usize;
            let nodes = [children[0].node(bit / WIDTH), children[1].node(bit % WIDTH)];
            DistanceStackEntry { nodes, lower_bound: lower_bounds[bit] }
        }));
    }

    /// Like [`BoxGaps`], one pair at a time in double precision.
    #[cold]
    fn near_mask_in_double(
        &self,
        cuts: [TreeCut<'p, T>; 2],
        children: &[CutChildren<'_, T>; 2],
        lens: [usize; 2],
        limit: f32,
        lower_bounds: &mut [f32; WIDTH * WIDTH],
    ) -> u64 {
        let pairs = (0..lens[0]).flat_map(|row| (0..lens[1]).map(move |lane| row * WIDTH + lane));
        pairs.fold(0, |near, bit| {
            let boxes = self.nodes_of_bit(cuts, children, bit).map(|node| {
                let (center, half_extents) = node.aligned.wide();
                WideObb { center, axes: IDENTITY, half_extents }
            });
            lower_bounds[bit] = self.bound_in_double(&boxes);
            near | u64::from(lower_bounds[bit] <= limit) << bit
        })
    }

    /// Like [`OrientedGaps`], one pair at a time in double precision.
    #[cold]
    fn oriented_bounds_in_double(
        &self,
        cuts: [TreeCut<'p, T>; 2],
        children: &[CutChildren<'_, T>; 2],
        bits: &[u8],
        lower_bounds: &mut [f32; QUEUE_LEN],
    ) {
        for (bound, &bit) in lower_bounds.iter_mut().zip(bits) {
            let nodes = self.nodes_of_bit(cuts, children, usize::from(bit));
            *bound = self.bound_in_double(&nodes.map(|node| node.oriented.wide()));
        }
    }

    fn nodes_of_bit(
        &self,
        cuts: [TreeCut<'p, T>; 2],
        children: &[CutChildren<'_, T>; 2],
        bit: usize,
    ) -> [&'p Node<T>; 2] {
        let [row, lane] = [children[0].node(bit / WIDTH), children[1].node(bit % WIDTH)];
        self.pair.nodes(cuts[0].node(row), cuts[1].node(lane)).into()
    }

    /// Returns a lower bound on the distance of two boxes, each in the frame of its part; the
    /// greatest separation, which is negative, where no face separates them.
    fn bound_in_double(&self, [a, b]: &[WideObb; 2]) -> f32 {
        let (rotation, offset) = self.pair.second_in_first();
        let pad = 2.0 * T::LEAF_SLACK * (a.radius() + b.radius()) + self.error;
        let bound = BoxPair::from_frames(a, b, rotation, offset).face_axes_bound();
        f32::at_most((bound - pad) / self.unit)
    }

    /// Returns `true` if pairs with this lower bound can be pruned.
    fn is_pruned(&self, lower_bound: f64) -> bool {
        lower_bound > self.max_distance
            || self.incumbent.as_ref().is_some_and(|best| lower_bound >= best.distance)
    }

    /// Returns both trees with their cuts at an accuracy.
    fn cuts(&self, accuracy: Accuracy) -> [TreeCut<'p, T>; 2] {
        let OrderedPair { first, second, .. } = self.pair.ordered_pair();
        [TreeCut::new(first.tree, accuracy), TreeCut::new(second.tree, accuracy)]
    }

    /// Tests two nodes of the cuts; returns them if they are too coarse, so that primitives below
    /// must decide.
    fn test_cut_pair(
        &mut self,
        cuts: [TreeCut<'p, T>; 2],
        nodes: [CutNode; 2],
    ) -> Option<[CutNode; 2]> {
        let ids = [cuts[0].node(nodes[0]), cuts[1].node(nodes[1])];
        if cuts[0].reaches_leaves() {
            self.test_primitives(ids);
            return None;
        }
        if !self.too_coarse(ids) {
            self.test_boxes(ids);
            return None;
        }
        let cuts = self.cuts(Accuracy::Exact);
        let below = [cuts[0].with_cut(nodes[0]), cuts[1].with_cut(nodes[1])];
        let are_leaves = below.iter().all(|node| node.is_cut);
        if are_leaves {
            self.test_primitives(ids);
        }
        (!are_leaves).then_some(below)
    }

    /// Returns `true` if the boxes of two nodes are too coarse, so that primitives must decide.
    fn too_coarse(&self, nodes: [u32; 2]) -> bool {
        let Accuracy::Within(tolerance) = self.accuracy else { return false };
        let (first, second) = self.pair.nodes(nodes[0], nodes[1]);
        // Their slack is no less than the sum, which costs no square root.
        first.bound.wide() + second.bound.wide() > tolerance
            || self.pair.boxes_slack(nodes[0], nodes[1]) > tolerance
    }

    /// Tests the oriented boxes of two nodes.
    fn test_boxes(&mut self, nodes: [u32; 2]) {
        let (first, second) = self.pair.nodes(nodes[0], nodes[1]);
        let (rotation, offset) = self.pair.second_in_first();
        let (a, b) = (first.oriented.wide(), second.oriented.wide());
        let moved = b.moved(rotation, offset);
        let near = SlackBox::from_wide(&a, T::LEAF_SLACK)
            .closest(&SlackBox::from_wide(&moved, T::LEAF_SLACK));
        let rounding = self.error + 4.0 * self.pair.leaf_error(&a, &b);
        if self.pair.oriented_separated(first, second) {
            let bounds = first.bound.wide() + second.bound.wide();
            self.update_incumbent(nodes, near, bounds + rounding);
        } else {
            self.set_touching(nodes, near, self.pair.node_slack(first, second) + rounding);
        }
    }

    /// Tests all pairs of primitives of two leaves.
    fn test_primitives(&mut self, nodes: [u32; 2]) {
        let slack = self.error + self.pair.skew_pad((nodes[0], nodes[1]));
        for (i, j) in self.pair.primitive_pairs(nodes[0], nodes[1]) {
            let (near, surely_apart) = self.primitive_test.closest_points(i, j);
            if surely_apart || !self.primitive_test.touches_exactly(i, j) {
                self.update_incumbent(nodes, near, slack);
            } else {
                return self.set_touching(nodes, near, self.pair.primitive_slack().wide());
            }
        }
    }

    fn set_touching(&mut self, nodes: [u32; 2], closest: ClosestOnCores, slack: f64) {
        self.incumbent = Some(
            DistanceIncumbent { nodes, closest, distance: 0.0, slack: 0.0 }.as_touching(slack),
        );
    }

    /// Makes a disjoint pair the incumbent if it is closer.
    fn update_incumbent(&mut self, nodes: [u32; 2], closest: ClosestOnCores, slack: f64) {
        let root = closest.squared.sqrt();
        // Disjoint, though the distance underflows.
        let distance = if root > 0.0 { root } else { f64::MIN_POSITIVE };
        if distance <= self.max_distance
            && self.incumbent.as_ref().is_none_or(|best| distance < best.distance)
        {
            self.incumbent = Some(DistanceIncumbent { nodes, closest, distance, slack });
        }
    }
}
