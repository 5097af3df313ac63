//! Queries of two trees by one traversal; `Accuracy` sets the cut and the test at the cut.

use std::ops::ControlFlow;

use super::budget::BudgetTraversal;
use super::wide::{ANY_DEPTH, CutPair, TraversalGoal, TraversalOptions};
use crate::error::Error;
use crate::num::linear::dot;
use crate::num::sorting::move_least_to_end;
use crate::num::{Scalar, precompiled};
use crate::tree::pair::ancestors::PendingTests;
use crate::tree::pair::inside;
use crate::tree::pair::primitive_test::PrimitiveTest;
use crate::tree::{
    Accuracy, Counts, DecidedBy, LEVELS, Node, NodeId, NodePair, TreePair, TreeScratch,
};

precompiled! {
    fn visit<'a, T>(
        pair: &'a TreePair<'a, T>,
        accuracy: Accuracy,
        scratch: &'a mut TreeScratch,
        visit: &'a mut dyn FnMut(NodePair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        pair.visit_checked(accuracy, scratch, visit)
    }

    fn visit_primitives<'a, T>(
        pair: &'a TreePair<'a, T>,
        scratch: &'a mut TreeScratch,
        visit: &'a mut dyn FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        pair.visit_primitives_precompiled(scratch, visit)
    }

    fn intersects<'a, T>(
        pair: &'a TreePair<'a, T>,
        accuracy: Accuracy,
        scratch: &'a mut TreeScratch,
    ) -> bool {
        pair.touches_at(accuracy, scratch)
    }
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// Calls `visit` with every two nodes that touch at that accuracy, in no promised order, until
    /// it breaks.
    ///
    /// If the surfaces do not touch and one part is solid and contains the other, `visit` gets one
    /// [`DecidedBy::Inside`] of the two roots.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::Negative`] for a tolerance.
    ///
    /// ```
    /// # boxwood::fixture_tree!(cube, tree);
    /// use std::ops::ControlFlow;
    /// use boxwood::{Accuracy, tree::{TreePair, TreeScratch}};
    ///
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.9, 0.0, 0.0));
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// let mut deepest = 0.0_f32;
    /// let _ = pair.visit(Accuracy::default(), &mut TreeScratch::default(), |nodes| {
    ///     deepest = deepest.max(pair.contact(nodes.a, nodes.b).depth);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert!((deepest - 0.1).abs() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn visit(
        &self,
        accuracy: Accuracy,
        scratch: &mut TreeScratch,
        mut visit: impl FnMut(NodePair) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        accuracy.check()?;
        Ok(crate::tree::overlap::one_by_one::visit(self, accuracy, scratch, &mut visit))
    }

    /// Returns `true` if the trees touch at that accuracy.
    ///
    /// # Errors
    /// The errors of [`TreePair::visit`].
    ///
    /// ```
    /// # boxwood::fixture_tree!(cube, tree);
    /// use boxwood::{Accuracy, tree::{TreePair, TreeScratch}};
    ///
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(1.1, 0.0, 0.0));
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// assert!(!pair.intersects(Accuracy::Exact, &mut TreeScratch::default())?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn intersects(&self, accuracy: Accuracy, scratch: &mut TreeScratch) -> Result<bool, Error> {
        accuracy.check()?;
        Ok(intersects(self, accuracy, scratch))
    }

    pub(crate) fn touches_at(&self, accuracy: Accuracy, scratch: &mut TreeScratch) -> bool {
        if let Accuracy::Budget(tests) = accuracy {
            BudgetTraversal { pairs: 1, tests, first_only: true }.run(|_| *self, scratch);
            return !scratch.open_pairs.is_empty();
        }
        let options = TraversalOptions { accuracy, goal: TraversalGoal::First };
        let (mut exactly, deferred) = (None, std::mem::take(&mut scratch.deferred));
        let mut primitive_test =
            PrimitiveTest::new(self, &mut exactly).deferring_exact_tests(deferred);
        let flow = self.traverse(options, scratch, |reached, scratch| {
            match self.decide_cut_pair(accuracy, &reached, &mut primitive_test, scratch) {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        let touches = flow.is_break() || primitive_test.decide_deferred();
        primitive_test.count_into(&mut scratch.counts);
        scratch.deferred = primitive_test.into_deferred();
        touches || self.is_either_inside(scratch)
    }

    /// Like [`TreePair::visit`], for a valid accuracy.
    pub(crate) fn visit_checked(
        &self,
        accuracy: Accuracy,
        scratch: &mut TreeScratch,
        mut visit: impl FnMut(NodePair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_with_options(
            TraversalOptions { accuracy, goal: TraversalGoal::All },
            scratch,
            |touch, _| visit(touch),
        )
    }

    /// Like [`visit_checked`](Self::visit_checked), but only as far as the goal requires; passes an
    /// upper bound on the depth of each contact [world units].
    pub(in crate::tree) fn visit_with_options(
        &self,
        options: TraversalOptions,
        scratch: &mut TreeScratch,
        mut visit: impl FnMut(NodePair, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let accuracy = options.accuracy;
        if let Accuracy::Budget(tests) = accuracy {
            BudgetTraversal { pairs: 1, tests, first_only: false }.run(|_| *self, scratch);
            let open = scratch.open_pairs.iter();
            return open.map(|open| open.nodes).try_for_each(|touch| visit(touch, f32::INFINITY));
        }
        let mut exactly = None;
        let mut primitive_test = PrimitiveTest::new(self, &mut exactly);
        let mut any = false;
        let flow = self.traverse(options, scratch, |reached, scratch| {
            let Some(by) = self.decide_cut_pair(accuracy, &reached, &mut primitive_test, scratch)
            else {
                return ControlFlow::Continue(());
            };
            any = true;
            let [at_least, at_most] = reached.depth;
            if at_least > scratch.min_deepest {
                scratch.min_deepest = at_least;
            }
            visit(self.node_pair(reached.nodes.0, reached.nodes.1, by), at_most)
        });
        primitive_test.count_into(&mut scratch.counts);
        if !any && self.is_either_inside(scratch) {
            let inside = NodePair { a: NodeId::ROOT, b: NodeId::ROOT, by: DecidedBy::Inside };
            return visit(inside, f32::INFINITY);
        }
        flow
    }

    /// Traverses both trees from the roots to the cut of that accuracy and calls `at_cut` with each
    /// pair of nodes that no test on the way separates, until it breaks.
    fn traverse(
        &self,
        options: TraversalOptions,
        scratch: &mut TreeScratch,
        mut at_cut: impl FnMut(CutPair, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        scratch.clear_pair_cache();
        match scratch.one_at_a_time {
            true => self.traverse_pairwise(options, [(0, 0); 2], scratch, &mut at_cut),
            false => self.traverse_wide(options, scratch, at_cut),
        }
    }

    /// Returns `true` if one part is solid and contains the other, whose surface it does not touch.
    fn is_either_inside(&self, scratch: &mut TreeScratch) -> bool {
        self.has_inside()
            && self.cached_overlap((0, 0), PendingTests::All, scratch)
            && inside::either_inside(self, scratch)
    }

    /// Calls `visit` with every two primitives that share a point, in no promised order, until it
    /// breaks. Primitives are triangles of the meshes, or hand-made boxes, by index; the first
    /// tree's comes first.
    pub fn visit_primitives(
        &self,
        scratch: &mut TreeScratch,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        visit_primitives(self, scratch, &mut visit)
    }

    pub(in crate::tree) fn visit_primitives_precompiled(
        &self,
        scratch: &mut TreeScratch,
        visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut exactly = None;
        let mut primitive_test = PrimitiveTest::new(self, &mut exactly);
        let options = TraversalOptions { accuracy: Accuracy::Exact, goal: TraversalGoal::All };
        let flow = self.traverse(options, scratch, |reached, _| {
            let (a, b) = reached.nodes;
            let limit = self.primitive_distance_limit((a, b));
            self.primitive_pairs(a, b).try_for_each(|(i, j)| {
                match primitive_test.touches_within(i, j, limit) {
                    true if self.ordered_pair().swapped => visit(j, i),
                    true => visit(i, j),
                    false => ControlFlow::Continue(()),
                }
            })
        });
        primitive_test.count_into(&mut scratch.counts);
        flow
    }

    /// Returns `true` if two primitives share a point, exactly. Triangles have no inside, boxes do.
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn primitives_touch(&self, a: u32, b: u32) -> bool {
        let (first, second) = if self.ordered_pair().swapped { (b, a) } else { (a, b) };
        PrimitiveTest::new(self, &mut None).touches(first, second)
    }

    /// Decides two nodes of the cuts; `None` if they are separated.
    fn decide_cut_pair(
        &self,
        accuracy: Accuracy,
        cut_pair: &CutPair,
        primitive_test: &mut PrimitiveTest<'_, T>,
        scratch: &mut TreeScratch,
    ) -> Option<DecidedBy> {
        let (a, b) = cut_pair.nodes;
        let exactly = match accuracy {
            Accuracy::Exact => true,
            Accuracy::Within(t) => !self.within_tolerance((a, b), t, scratch),
            _ => false,
        };
        match exactly {
            // No test of boxes can separate nodes whose primitives share a point.
            true => {
                self.leaf_primitives_touch((a, b), primitive_test).then_some(DecidedBy::Primitives)
            }
            false => (self.boxes_overlap_at(cut_pair, &mut scratch.counts)
                && self.ancestors_overlap_at(cut_pair, scratch))
            .then_some(DecidedBy::Boxes),
        }
    }

    fn ancestors_overlap_at(&self, reached: &CutPair, scratch: &mut TreeScratch) -> bool {
        let above = if reached.aligned_overlap {
            PendingTests::OrientedAndHulls
        } else {
            PendingTests::All
        };
        reached.ancestors_overlap || self.ancestors_overlap(reached.nodes, above, scratch)
    }

    fn boxes_overlap_at(&self, reached: &CutPair, counts: &mut Counts) -> bool {
        reached.boxes_decided || self.boxes_overlap(reached.nodes.0, reached.nodes.1, counts)
    }

    pub(in crate::tree) fn leaf_primitives_touch(
        &self,
        (a, b): (u32, u32),
        primitive_test: &mut PrimitiveTest<'_, T>,
    ) -> bool {
        let limit = self.primitive_distance_limit((a, b));
        self.primitive_pairs(a, b).any(|(i, j)| primitive_test.touches_within(i, j, limit))
    }

    /// Traverses both trees together from two nodes, each given with its depth, to the cut of that
    /// accuracy, one pair at a time. Calls `at_cut` with each pair of nodes that no pair at equal
    /// depths on the way separates, until it breaks. Nodes are in canonical order. If any pair will
    /// do, those with the nearest centres come first.
    pub(in crate::tree) fn traverse_pairwise(
        &self,
        TraversalOptions { accuracy, goal }: TraversalOptions,
        from: [(u32, u8); 2],
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(CutPair, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (base, ancestors_overlap) = (scratch.stack.len(), from == [(0, 0); 2]);
        scratch.stack.push(from);
        while scratch.stack.len() > base {
            let Some([(a, depth_a), (b, depth_b)]) = scratch.stack.pop() else { break };
            let (first, second) = self.nodes(a, b);
            let depth = depth_a.max(depth_b);
            scratch.counts.boxes[usize::from(depth).min(LEVELS - 1)] += 1;
            let opens = [first.first_child > 0, second.first_child > 0];
            // The shallower node is opened alone until both are equally deep.
            let opens_alone = [opens[0] && depth_a < depth_b, opens[1] && depth_b < depth_a];
            let equal_depth = opens_alone == [false; 2];
            let separated = match equal_depth {
                true => !self.cached_overlap((a, b), PendingTests::All, scratch),
                false => self.is_pruned(first, second),
            };
            if separated {
                continue;
            }
            let within_tolerance = |most: f64| self.within_tolerance((a, b), most, scratch);
            if equal_depth
                && (opens == opens_alone || !accuracy.opens_pair(depth, within_tolerance))
            {
                let reached = CutPair {
                    nodes: (a, b),
                    boxes_decided: true,
                    aligned_overlap: false,
                    ancestors_overlap,
                    depth: ANY_DEPTH,
                };
                if at_cut(reached, scratch).is_break() {
                    scratch.stack.truncate(base);
                    return ControlFlow::Break(());
                }
                continue;
            }
            let [opens_a, opens_b] = if equal_depth { opens } else { opens_alone };
            let children = |(id, depth): (u32, u8), node: &Node<T>, opens: bool| {
                let (from, to, depth) = match opens {
                    true => (node.first_child, node.first_child + 2, depth + 1),
                    false => (id, id + 1, depth),
                };
                (from..to).map(move |id| (id, depth))
            };
            let pushed = scratch.stack.len();
            for x in children((a, depth_a), first, opens_a) {
                let pairs = children((b, depth_b), second, opens_b).map(|y| [x, y]);
                scratch.stack.extend(pairs);
            }
            if goal == TraversalGoal::First {
                // The nearest pair most likely touches.
                move_least_to_end(&mut scratch.stack[pushed..], |pair| {
                    self.squared_center_distance(pair)
                });
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the squared distance of the centres of two nodes.
    fn squared_center_distance(&self, [(a, _), (b, _)]: &[(u32, u8); 2]) -> f64 {
        let (first, second) = self.nodes(*a, *b);
        let (between, ..) = self.aligned_boxes(first, second);
        dot(between, between)
    }
}
