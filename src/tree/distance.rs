//! Distance and closest points of two trees: branch and bound over pairs of nodes.
//!
//! Source: Larsen, Gottschalk, Lin, Manocha, Fast Proximity Queries with Swept Sphere Volumes
//! (1999), with boxes for the spheres: the nearer of two pairs is visited first, and pairs whose
//! lower bound exceeds the incumbent are pruned. Down to the leaves the wide BVHs are searched,
//! eight nodes against eight; to a cut above them the binary trees.

use std::cmp::Ordering::Equal;

use super::pair::inside;
use super::pair::primitive_test::PrimitiveTest;
use super::pair::stack_entries::{DistanceStackEntry, SearchEntry};
use super::pair::wide_pair::{WidePair, child_indices, count_box_tests};
use super::store::wide_bvh::WideNode;
use super::{Accuracy, LEVELS, Node, NodeId, OrderedPair, TreePair, TreeScratch};
use crate::error::Error;
use crate::num::linear::{add, dot, length, relative_axes, rotate_back, scale, sub};
use crate::num::{Scalar, precompiled, set_bits};
use crate::pair::ClosestPoints;
use crate::pair::rounded::cores::{ClosestOnCores, CorePair};
use crate::pair::rounded::slack_box::SlackBox;
use crate::pair::rounded::slack_box::face_axes_distance;
use crate::sat::box_gaps::{BoxGaps, OrientedGaps};
use crate::sat::eight_boxes::{RelativeFrame, WIDTH, row_masks};
use crate::sat::oriented_batch::{OrientedBatch, QUEUE_LEN};
use crate::shape::nearest_point;

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
        let may_contain = self.has_inside() && self.chain_overlaps((0, 0), scratch.level);
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
        // With a tolerance, parts may count as touching though these boxes are disjoint.
        if best.distance <= tolerance && self.touches_at(accuracy, scratch) {
            best = best.as_touching(tolerance);
        }
        (best.distance <= max_distance).then(|| self.closest_points_answer(&best))
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
        match (self.ordered_pair().tied, self.are_single_boxes()) {
            (true, _) => search.search_tied(),
            (false, true) => search.search_single_boxes(scratch),
            (false, false) => match search.wide_frame(scratch) {
                Some(frame) => search.search_wide(&frame, scratch),
                None => search.search(scratch),
            },
        }
        search.primitive_test.count_into(&mut scratch.counts);
        search.incumbent
    }

    /// Returns `true` if both parts are one box each, so that there is nothing to search.
    fn are_single_boxes(&self) -> bool {
        let OrderedPair { first, second, .. } = self.ordered_pair();
        [first, second].iter().all(|placed| placed.tree.is_single_box())
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

    /// Returns the relative pose for a search of the wide BVHs; `None` if it cannot be used: the
    /// cut is above leaves, or sizes exceed single precision.
    fn wide_frame(&self, scratch: &TreeScratch) -> Option<RelativeFrame> {
        let OrderedPair { first, second, .. } = self.pair.ordered_pair();
        let to_leaves = match self.accuracy {
            Accuracy::Exact => true,
            Accuracy::Depth(cut) => cut >= first.tree.depth().max(second.tree.depth()),
            Accuracy::Within(_) | Accuracy::Budget(_) => false,
        };
        let is_wide = to_leaves && !scratch.one_at_a_time;
        is_wide.then(|| self.pair.relative_frame()).flatten().filter(RelativeFrame::has_gaps)
    }

    /// Searches the wide BVHs down to the leaves.
    fn search_wide(&mut self, frame: &RelativeFrame, scratch: &mut TreeScratch) {
        let pair = self.pair;
        scratch.search_stack.clear();
        scratch.search_stack.push(SearchEntry::ROOTS);
        while let Some(SearchEntry { children, lower_bound }) = scratch.search_stack.pop() {
            if self.incumbent.as_ref().is_some_and(|best| best.distance == 0.0) {
                return;
            }
            if self.is_pruned(f64::from(lower_bound) - self.error) {
                continue;
            }
            let step = |side, child: &_, number| pair.step_to_leaves(side, child, number);
            let opened =
                pair.open(children, step, |nodes| self.push_children(frame, nodes, scratch));
            if opened.is_none() {
                let leaves = pair.wide_children(children).map(|leaf| leaf.node);
                match self.accuracy {
                    Accuracy::Exact => self.test_primitives(leaves),
                    _ => self.test_boxes(leaves),
                }
            }
        }
    }

    /// Pushes the pairs of children of two wide nodes that may be closer than the incumbent, the
    /// closest on top.
    fn push_children(
        &self,
        frame: &RelativeFrame,
        wides: [&WideNode<T>; 2],
        scratch: &mut TreeScratch,
    ) {
        let TreeScratch { counts, search_stack: stack, level, .. } = scratch;
        // No incumbent is beyond the largest distance.
        let limit = self.incumbent.as_ref().map_or(self.max_distance, |best| best.distance);
        let limit = f32::at_least(limit + self.error);
        let mut lower_bounds = [0.0; WIDTH * WIDTH];
        let boxes = [&wides[0].boxes, &wides[1].boxes];
        let lens = count_box_tests(wides, counts);
        let gaps = BoxGaps { frame, boxes, counts: lens, limit, lower_bounds: &mut lower_bounds };
        let near = gaps.near_mask(*level);
        let leaves = near & row_masks(wides[0].leaf_mask, wides[1].leaf_mask);
        let entry = |bit: usize| SearchEntry {
            children: child_indices(wides, bit),
            lower_bound: lower_bounds[bit],
        };
        let start = stack.len();
        stack.extend(set_bits(leaves).map(entry));
        let records = self.pair.oriented_records();
        let mut kept = start;
        for from in (start..stack.len()).step_by(QUEUE_LEN) {
            let len = QUEUE_LEN.min(stack.len() - from);
            counts.oriented += len as u64;
            let (mut pairs, mut closer) = ([[0; QUEUE_LEN]; 2], [0.0; QUEUE_LEN]);
            for (lane, entry) in stack[from..from + len].iter().enumerate() {
                (pairs[0][lane], pairs[1][lane]) = (entry.children[0], entry.children[1]);
            }
            let batch = OrientedBatch { frame, records, pairs: &pairs, len };
            OrientedGaps { batch, lower_bounds: &mut closer }.run(*level);
            for (lane, &oriented) in closer[..len].iter().enumerate() {
                let SearchEntry { children, lower_bound } = stack[from + lane];
                let lower_bound = if oriented > lower_bound { oriented } else { lower_bound };
                if lower_bound <= limit {
                    stack[kept] = SearchEntry { children, lower_bound };
                    kept += 1;
                }
            }
        }
        stack.truncate(kept);
        stack.extend(set_bits(near & !leaves).map(entry));
        stack[start..].sort_unstable_by(|x, y| {
            // -0.0 and 0.0 compare as equal: the sign of zero depends on the SIMD level.
            let by_bound = y.lower_bound.partial_cmp(&x.lower_bound).unwrap_or(Equal);
            by_bound.then_with(|| y.children.cmp(&x.children))
        });
    }

    /// Searches the binary trees down to the cut, one pair of nodes at a time.
    fn search(&mut self, scratch: &mut TreeScratch) {
        scratch.pending.clear();
        let roots = self.stack_entry([(0, 0); 2], false, scratch);
        scratch.pending.push(roots);
        while let Some(next) = scratch.pending.pop() {
            if self.incumbent.as_ref().is_some_and(|best| best.distance == 0.0) {
                return;
            }
            if self.is_pruned(next.lower_bound) {
                continue;
            }
            match self.opened_pairs(&next) {
                Some(children) => {
                    let [x, y] =
                        children.map(|nodes| self.stack_entry(nodes, next.to_primitives, scratch));
                    let farther = (x.lower_bound, x.squared_center_distance)
                        > (y.lower_bound, y.squared_center_distance);
                    scratch.pending.extend(if farther { [x, y] } else { [y, x] });
                }
                None => self.test_cut_pair(next, scratch),
            }
        }
    }

    /// Returns `true` if pairs with this lower bound can be pruned.
    fn is_pruned(&self, lower_bound: f64) -> bool {
        lower_bound > self.max_distance
            || self.incumbent.as_ref().is_some_and(|best| lower_bound >= best.distance)
    }

    fn stack_entry(
        &self,
        nodes: [(u32, u8); 2],
        exactly: bool,
        scratch: &mut TreeScratch,
    ) -> DistanceStackEntry {
        let depth = usize::from(nodes[0].1.max(nodes[1].1));
        scratch.counts.boxes[depth.min(LEVELS - 1)] += 1;
        let (first, second) = self.pair.nodes(nodes[0].0, nodes[1].0);
        let (rotation, _) = self.pair.second_in_first();
        let (t, a, b) = self.pair.aligned_boxes(first, second);
        let mut lower_bound = face_axes_distance(rotation, t, a, b);
        let pad = T::LEAF_SLACK * (length(a) + length(b)) + self.error;
        // Oriented boxes contain the primitives, but need not contain the boxes of descendants.
        let to_primitives = exactly || self.accuracy == Accuracy::Exact;
        if to_primitives && !self.is_pruned(lower_bound - 2.0 * pad) {
            scratch.counts.oriented += 1;
            let oriented = self.oriented_lower_bound(first, second);
            lower_bound = if oriented > lower_bound { oriented } else { lower_bound };
        }
        DistanceStackEntry {
            nodes,
            to_primitives: exactly,
            lower_bound: lower_bound - 2.0 * pad,
            squared_center_distance: dot(t, t),
        }
    }

    fn oriented_lower_bound(&self, first: &Node<T>, second: &Node<T>) -> f64 {
        let (rotation, offset) = self.pair.second_in_first();
        let (a, b) = (first.oriented.wide(), second.oriented.wide().moved(rotation, offset));
        let t = rotate_back(&a.axes, sub(b.center, a.center));
        face_axes_distance(&relative_axes(&a.axes, &b.axes), t, a.half_extents, b.half_extents)
    }

    /// Returns the two pairs made by opening the larger of two nodes; `None` at the cut.
    fn opened_pairs(&self, at: &DistanceStackEntry) -> Option<[[(u32, u8); 2]; 2]> {
        let [(a, depth_a), (b, depth_b)] = at.nodes;
        let (first, second) = self.pair.nodes(a, b);
        let opens = |node: &Node<T>, depth| match at.to_primitives {
            true => node.first_child > 0,
            false => self.accuracy.opens_node(node, depth),
        };
        let size = |node: &Node<T>| node.oriented.wide().radius();
        match (opens(first, depth_a), opens(second, depth_b)) {
            (false, false) => None,
            (true, other) if !other || size(first) >= size(second) => {
                Some([0, 1].map(|half| [(first.first_child + half, depth_a + 1), at.nodes[1]]))
            }
            _ => Some([0, 1].map(|half| [at.nodes[0], (second.first_child + half, depth_b + 1)])),
        }
    }

    /// Handles two parts of one box each.
    fn search_single_boxes(&mut self, scratch: &mut TreeScratch) {
        if self.accuracy == Accuracy::Exact || self.too_coarse([0; 2]) {
            self.test_primitives([0; 2]);
        } else {
            scratch.counts.oriented += 1;
            self.test_boxes([0; 2]);
        }
    }

    fn test_cut_pair(&mut self, at: DistanceStackEntry, scratch: &mut TreeScratch) {
        let nodes = at.nodes.map(|(node, _)| node);
        if at.to_primitives || self.accuracy == Accuracy::Exact {
            self.test_primitives(nodes);
        } else if self.too_coarse(nodes) {
            scratch.pending.push(DistanceStackEntry { to_primitives: true, ..at });
        } else {
            self.test_boxes(nodes);
        }
    }

    /// Returns `true` if the boxes of two nodes are too coarse, so that primitives must decide.
    fn too_coarse(&self, nodes: [u32; 2]) -> bool {
        matches!(self.accuracy, Accuracy::Within(t) if self.pair.boxes_slack(nodes[0], nodes[1]) > t)
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
