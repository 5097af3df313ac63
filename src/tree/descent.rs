//! From two trees to what of them touches: one descent, told by the accuracy where to stop and how to decide.

use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::budget::{Open, Spending};
use super::judge::Judge;
use super::{Accuracy, By, Counts, LEVELS, Node, NodeId, Touch, TreePair, inside};
use crate::error::Error;
use crate::num::Scalar;

/// What a descent writes on; keep it, and no query allocates after the first few.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    pub(super) stack: Vec<(u32, u32, u8)>,
    pub(super) heap: BinaryHeap<Open>,
    pub(crate) left_open: Vec<(u32, Touch)>,
    /// The tests made so far by the descents that used this scratch.
    pub counts: Counts,
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// Calls `visit` with every two nodes that touch at that accuracy, in no promised order, until it breaks.
    ///
    /// Where nothing of the surfaces touches and one part lies inside the other, which is solid, that is
    /// one [`By::Inside`] of the two roots.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::Negative`] for a tolerance.
    pub fn visit(
        &self,
        accuracy: Accuracy,
        scratch: &mut Scratch,
        visit: impl FnMut(Touch) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        accuracy.check()?;
        Ok(self.visit_checked(accuracy, scratch, visit))
    }

    /// Whether anything touches at that accuracy.
    ///
    /// # Errors
    /// As [`TreePair::visit`].
    pub fn intersects(&self, accuracy: Accuracy, scratch: &mut Scratch) -> Result<bool, Error> {
        accuracy.check()?;
        Ok(self.touches_at(accuracy, scratch))
    }

    pub(crate) fn touches_at(&self, accuracy: Accuracy, scratch: &mut Scratch) -> bool {
        if let Accuracy::Budget(tests) = accuracy {
            Spending { pairs: 1, tests, first_only: true }.run(|_| *self, scratch);
            return !scratch.left_open.is_empty();
        }
        self.visit_checked(accuracy, scratch, |_| ControlFlow::Break(())).is_break()
    }

    /// As [`TreePair::visit`], for an accuracy that was checked.
    pub(crate) fn visit_checked(
        &self,
        accuracy: Accuracy,
        scratch: &mut Scratch,
        mut visit: impl FnMut(Touch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Accuracy::Budget(tests) = accuracy {
            Spending { pairs: 1, tests, first_only: false }.run(|_| *self, scratch);
            return scratch.left_open.iter().try_for_each(|&(_, touch)| visit(touch));
        }
        let mut exactly = None;
        let mut judge = Judge::new(self, &mut exactly);
        let mut any = false;
        let open = |node: &Node<T>, level| opens(accuracy, node, level);
        let flow = self.descend((0, 0), &open, scratch, |a, b, scratch| {
            match self.decide(accuracy, (a, b), &mut judge, scratch) {
                Some(by) => {
                    any = true;
                    visit(self.touch(a, b, by))
                }
                None => ControlFlow::Continue(()),
            }
        });
        judge.count_into(&mut scratch.counts);
        if !any && inside::either(self, scratch) {
            return visit(Touch { a: NodeId::ROOT, b: NodeId::ROOT, by: By::Inside });
        }
        flow
    }

    /// Calls `visit` with every two primitives that share a point, in no promised order, until it breaks: triangles of the
    /// meshes, or hand-made boxes, by index; that of the first tree given first.
    pub fn visit_primitives(
        &self,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut exactly = None;
        let mut judge = Judge::new(self, &mut exactly);
        let flow = self.descend((0, 0), &|node, _| node.child > 0, scratch, |a, b, scratch| {
            if !self.boxes_touch(a, b, &mut scratch.counts) {
                return ControlFlow::Continue(());
            }
            self.primitive_pairs(a, b).try_for_each(|(i, j)| match judge.touch(i, j) {
                true if self.is_turned() => visit(j, i),
                true => visit(i, j),
                false => ControlFlow::Continue(()),
            })
        });
        judge.count_into(&mut scratch.counts);
        flow
    }

    /// Whether two primitives share a point, exactly. Triangles have no inside, boxes do.
    ///
    /// # Panics
    /// If there are no such primitives.
    pub fn primitives_touch(&self, a: u32, b: u32) -> bool {
        let (first, second) = if self.is_turned() { (b, a) } else { (a, b) };
        Judge::new(self, &mut None).touch(first, second)
    }

    /// What says that two nodes of the cuts touch, if anything does.
    fn decide(
        &self,
        accuracy: Accuracy,
        (a, b): (u32, u32),
        judge: &mut Judge<'_, T>,
        scratch: &mut Scratch,
    ) -> Option<By> {
        // At the exact end too: boxes that hold the primitives may cull.
        if !self.boxes_touch(a, b, &mut scratch.counts) {
            return None;
        }
        match accuracy {
            Accuracy::Within(t) if self.boxes_slack(a, b) > t => {
                self.meet_below((a, b), judge, scratch).then_some(By::Primitives)
            }
            Accuracy::Exact => self.leaves_meet((a, b), judge).then_some(By::Primitives),
            _ => Some(By::Boxes),
        }
    }

    /// Whether primitives of two nodes share a point.
    fn meet_below(
        &self,
        nodes: (u32, u32),
        judge: &mut Judge<'_, T>,
        scratch: &mut Scratch,
    ) -> bool {
        let to_leaves = |node: &Node<T>, _| node.child > 0;
        self.descend(nodes, &to_leaves, scratch, |a, b, scratch| {
            match self.boxes_touch(a, b, &mut scratch.counts) && self.leaves_meet((a, b), judge) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
        .is_break()
    }

    pub(super) fn leaves_meet(&self, (a, b): (u32, u32), judge: &mut Judge<'_, T>) -> bool {
        self.primitive_pairs(a, b).any(|(i, j)| judge.touch(i, j))
    }

    /// Descends both trees together from two nodes to those that do not open, and calls `at_cut` with each two that
    /// no box on the way tells apart, until it breaks. Nodes are in the order of the arithmetic.
    fn descend(
        &self,
        from: (u32, u32),
        open: &impl Fn(&Node<T>, u8) -> bool,
        scratch: &mut Scratch,
        mut at_cut: impl FnMut(u32, u32, &mut Scratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let base = scratch.stack.len();
        scratch.stack.push((from.0, from.1, 0));
        while scratch.stack.len() > base {
            let Some((a, b, level)) = scratch.stack.pop() else { break };
            let (first, second) = self.nodes(a, b);
            scratch.counts.boxes[usize::from(level).min(LEVELS - 1)] += 1;
            let (opens_a, opens_b) = (open(first, level), open(second, level));
            if !opens_a && !opens_b {
                if at_cut(a, b, scratch).is_break() {
                    scratch.stack.truncate(base);
                    return ControlFlow::Break(());
                }
            } else if !self.culled(first, second) {
                let finer = |id: u32, node: &Node<T>, opens: bool| match opens {
                    true => node.child..node.child + 2,
                    false => id..id + 1,
                };
                for x in finer(a, first, opens_a) {
                    let pairs = finer(b, second, opens_b).map(|y| (x, y, level + 1));
                    scratch.stack.extend(pairs);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether the cut lies below the node.
fn opens<T: Scalar>(accuracy: Accuracy, node: &Node<T>, level: u8) -> bool {
    node.child > 0
        && match accuracy {
            Accuracy::Depth(depth) => level < depth,
            Accuracy::Within(t) => node.bound.wide() > 0.5 * t,
            Accuracy::Exact | Accuracy::Budget(_) => true,
        }
}
