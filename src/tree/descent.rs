//! Queries of two trees by one traversal; `Accuracy` sets the cut and the test at the cut.

use std::ops::ControlFlow;

use super::ancestors::Left;
use super::budget::Spending;
use super::judge::Judge;
use super::traverse_wide::{Aim, Manner, Reached, UNKNOWN};
use super::{
    Accuracy, Counts, DecidedBy, LEVELS, Node, NodeId, NodePair, TreePair, TreeScratch, inside,
};
use crate::error::Error;
use crate::num::{Precompiled, Scalar, precompile};

/// Argument pack of [`TreePair::visit`].
struct Visiting<'v> {
    accuracy: Accuracy,
    scratch: &'v mut TreeScratch,
    visit: &'v mut dyn FnMut(NodePair) -> ControlFlow<()>,
}

impl Precompiled for Visiting<'_> {
    type Given<'a, T: Scalar> = &'a TreePair<'a, T>;
    type Answer<T: Scalar> = ControlFlow<()>;

    precompile!(|Visiting { accuracy, scratch, visit }, pair| {
        pair.visit_checked(accuracy, scratch, visit)
    });
}

/// Argument pack of [`TreePair::visit_primitives`].
struct VisitingPrimitives<'v> {
    scratch: &'v mut TreeScratch,
    visit: &'v mut dyn FnMut(u32, u32) -> ControlFlow<()>,
}

impl Precompiled for VisitingPrimitives<'_> {
    type Given<'a, T: Scalar> = &'a TreePair<'a, T>;
    type Answer<T: Scalar> = ControlFlow<()>;

    precompile!(|VisitingPrimitives { scratch, visit }, pair| {
        pair.each_two_primitives(scratch, visit)
    });
}

/// Argument pack of [`TreePair::intersects`].
struct TreesTouch<'v> {
    accuracy: Accuracy,
    scratch: &'v mut TreeScratch,
}

impl Precompiled for TreesTouch<'_> {
    type Given<'a, T: Scalar> = &'a TreePair<'a, T>;
    type Answer<T: Scalar> = bool;

    precompile!(|TreesTouch { accuracy, scratch }, pair| pair.touches_at(accuracy, scratch));
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
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Build, Geometry, Obb, ObbTree};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
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
        Ok(T::precompiled(Visiting { accuracy, scratch, visit: &mut visit }, self))
    }

    /// Returns `true` if the trees touch at that accuracy.
    ///
    /// # Errors
    /// Those of [`TreePair::visit`].
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Build, Geometry, Obb, ObbTree};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
    /// use boxwood::{Accuracy, tree::{TreePair, TreeScratch}};
    ///
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(1.1, 0.0, 0.0));
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// assert!(!pair.intersects(Accuracy::Exact, &mut TreeScratch::default())?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn intersects(&self, accuracy: Accuracy, scratch: &mut TreeScratch) -> Result<bool, Error> {
        accuracy.check()?;
        Ok(T::precompiled(TreesTouch { accuracy, scratch }, self))
    }

    pub(crate) fn touches_at(&self, accuracy: Accuracy, scratch: &mut TreeScratch) -> bool {
        if let Accuracy::Budget(tests) = accuracy {
            Spending { pairs: 1, tests, first_only: true }.run(|_| *self, scratch);
            return !scratch.left_open.is_empty();
        }
        self.any_touch(accuracy, scratch).is_some()
    }

    /// Finds any two nodes of the cuts that touch (leaves for [`Accuracy::Exact`]), or the two
    /// roots if one part is inside the other.
    pub(crate) fn any_touch(
        &self,
        accuracy: Accuracy,
        scratch: &mut TreeScratch,
    ) -> Option<NodePair> {
        let manner = Manner { accuracy, aim: Aim::First };
        let mut any = None;
        let _ = self.visit_in(manner, scratch, |touch, _| {
            any = Some(touch);
            ControlFlow::Break(())
        });
        any
    }

    /// Like [`TreePair::visit`], for a valid accuracy.
    pub(crate) fn visit_checked(
        &self,
        accuracy: Accuracy,
        scratch: &mut TreeScratch,
        mut visit: impl FnMut(NodePair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_in(Manner { accuracy, aim: Aim::All }, scratch, |touch, _| visit(touch))
    }

    /// Like [`visit_checked`](Self::visit_checked), but only as far as the goal requires; passes an
    /// upper bound on the depth of each contact [world units].
    pub(super) fn visit_in(
        &self,
        manner: Manner,
        scratch: &mut TreeScratch,
        mut visit: impl FnMut(NodePair, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let accuracy = manner.accuracy;
        if let Accuracy::Budget(tests) = accuracy {
            Spending { pairs: 1, tests, first_only: false }.run(|_| *self, scratch);
            let open = scratch.left_open.iter();
            return open.map(|&(_, touch)| touch).try_for_each(|touch| visit(touch, f32::INFINITY));
        }
        let mut exactly = None;
        let mut judge = Judge::new(self, &mut exactly);
        let mut any = false;
        scratch.forget();
        let mut at_cut = |reached: Reached, scratch: &mut TreeScratch| {
            let Some(by) = self.decide(accuracy, &reached, &mut judge, scratch) else {
                return ControlFlow::Continue(());
            };
            any = true;
            let [at_least, at_most] = reached.depth;
            if at_least > scratch.deepest {
                scratch.deepest = at_least;
            }
            visit(self.touch(reached.nodes.0, reached.nodes.1, by), at_most)
        };
        let flow = match scratch.one_at_a_time {
            true => self.descend_to(accuracy, [(0, 0); 2], scratch, &mut at_cut),
            false => self.traverse_wide(manner, scratch, at_cut),
        };
        judge.count_into(&mut scratch.counts);
        let holds = |scratch: &mut TreeScratch| {
            self.known_touch(((0, 0), Left::All), scratch) && inside::either(self, scratch)
        };
        if !any && self.has_inside() && holds(scratch) {
            let inside = NodePair { a: NodeId::ROOT, b: NodeId::ROOT, by: DecidedBy::Inside };
            return visit(inside, f32::INFINITY);
        }
        flow
    }

    /// Calls `visit` with every two primitives that share a point, in no promised order, until it
    /// breaks. Primitives are triangles of the meshes, or hand-made boxes, by index; the first
    /// tree's comes first.
    pub fn visit_primitives(
        &self,
        scratch: &mut TreeScratch,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        T::precompiled(VisitingPrimitives { scratch, visit: &mut visit }, self)
    }

    pub(super) fn each_two_primitives(
        &self,
        scratch: &mut TreeScratch,
        visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut exactly = None;
        let mut judge = Judge::new(self, &mut exactly);
        scratch.forget();
        let mut at_cut = |reached: Reached, scratch: &mut TreeScratch| {
            let (a, b) = reached.nodes;
            if !self.boxes_touch_at(&reached, &mut scratch.counts) {
                return ControlFlow::Continue(());
            }
            let limit = self.primitives_limit((a, b));
            self.primitive_pairs(a, b).try_for_each(|(i, j)| match judge.meet(i, j, limit) {
                true if self.seats().swapped => visit(j, i),
                true => visit(i, j),
                false => ControlFlow::Continue(()),
            })
        };
        let flow = match scratch.one_at_a_time {
            true => self.descend_to(Accuracy::Exact, [(0, 0); 2], scratch, &mut at_cut),
            false => {
                let manner = Manner { accuracy: Accuracy::Exact, aim: Aim::All };
                self.traverse_wide(manner, scratch, at_cut)
            }
        };
        judge.count_into(&mut scratch.counts);
        flow
    }

    /// Returns `true` if two primitives share a point, exactly. Triangles have no inside, boxes do.
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn primitives_touch(&self, a: u32, b: u32) -> bool {
        let (first, second) = if self.seats().swapped { (b, a) } else { (a, b) };
        Judge::new(self, &mut None).touch(first, second)
    }

    /// Decides two nodes of the cuts; `None` if they are separated.
    fn decide(
        &self,
        accuracy: Accuracy,
        reached: &Reached,
        judge: &mut Judge<'_, T>,
        scratch: &mut TreeScratch,
    ) -> Option<DecidedBy> {
        // Boxes cull before the exact test too: they contain the primitives.
        if !self.boxes_touch_at(reached, &mut scratch.counts) {
            return None;
        }
        let (a, b) = reached.nodes;
        let exactly = match accuracy {
            // No ancestor test can separate nodes whose primitives share a point.
            Accuracy::Exact => true,
            Accuracy::Within(t) if !self.meets((a, b), t, scratch) => true,
            _ if !self.ancestors_touch_at(reached, scratch) => return None,
            _ => false,
        };
        match exactly {
            true => self.leaves_meet((a, b), judge).then_some(DecidedBy::Primitives),
            false => Some(DecidedBy::Boxes),
        }
    }

    fn ancestors_touch_at(&self, reached: &Reached, scratch: &mut TreeScratch) -> bool {
        let above = if reached.aligned { Left::OrientedAndHulls } else { Left::All };
        reached.ancestors || self.ancestors_touch(reached.nodes, above, scratch)
    }

    fn boxes_touch_at(&self, reached: &Reached, counts: &mut Counts) -> bool {
        reached.decided || self.boxes_touch(reached.nodes.0, reached.nodes.1, counts)
    }

    pub(super) fn leaves_meet(&self, (a, b): (u32, u32), judge: &mut Judge<'_, T>) -> bool {
        let limit = self.primitives_limit((a, b));
        self.primitive_pairs(a, b).any(|(i, j)| judge.meet(i, j, limit))
    }

    /// Traverses both trees together from two nodes, each given with its depth, to the cut of that
    /// accuracy, one pair at a time. Calls `at_cut` with each pair of nodes that no pair at equal
    /// depths on the way separates, until it breaks. Nodes are in canonical order.
    pub(super) fn descend_to(
        &self,
        accuracy: Accuracy,
        from: [(u32, u8); 2],
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (base, ancestors) = (scratch.stack.len(), from == [(0, 0); 2]);
        scratch.stack.push(from);
        while scratch.stack.len() > base {
            let Some([(a, depth_a), (b, depth_b)]) = scratch.stack.pop() else { break };
            let (first, second) = self.nodes(a, b);
            let depth = depth_a.max(depth_b);
            scratch.counts.boxes[usize::from(depth).min(LEVELS - 1)] += 1;
            let opens = [first.child > 0, second.child > 0];
            // The shallower node is opened alone until both are equally deep.
            let behind = [opens[0] && depth_a < depth_b, opens[1] && depth_b < depth_a];
            let is_level = behind == [false; 2];
            let apart = match is_level {
                true => !self.known_touch(((a, b), Left::All), scratch),
                false => self.culled(first, second),
            };
            if apart {
                continue;
            }
            let meets = |most: f64| self.meets((a, b), most, scratch);
            if is_level && (opens == behind || !accuracy.opens_pair(depth, meets)) {
                let reached = Reached {
                    nodes: (a, b),
                    decided: true,
                    aligned: false,
                    ancestors,
                    depth: UNKNOWN,
                };
                if at_cut(reached, scratch).is_break() {
                    scratch.stack.truncate(base);
                    return ControlFlow::Break(());
                }
                continue;
            }
            let [opens_a, opens_b] = if is_level { opens } else { behind };
            let finer = |(id, depth): (u32, u8), node: &Node<T>, opens: bool| {
                let (from, to, depth) = match opens {
                    true => (node.child, node.child + 2, depth + 1),
                    false => (id, id + 1, depth),
                };
                (from..to).map(move |id| (id, depth))
            };
            for x in finer((a, depth_a), first, opens_a) {
                let pairs = finer((b, depth_b), second, opens_b).map(|y| [x, y]);
                scratch.stack.extend(pairs);
            }
        }
        ControlFlow::Continue(())
    }
}
