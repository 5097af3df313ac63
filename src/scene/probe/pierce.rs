//! One ray against the nodes of a part's tree.

use std::ops::ControlFlow::{self, Continue};

use super::line::{Line, Met, Piece};
use super::walk::{Seat, Walk, decides, opens};
use crate::num::Scalar;
use crate::tree::{Accuracy, Geometry, LEVELS, Node, NodeId};

impl<T: Scalar> Walk<'_, '_, T> {
    /// A ray that may start inside.
    #[inline(always)]
    pub(super) fn shoot_part(
        &mut self,
        seat: &Seat<'_, T>,
        line: &Line,
        inside: bool,
    ) -> ControlFlow<()> {
        if inside {
            let met = Met { t: 0.0, normal: None };
            self.take(seat, NodeId::ROOT, (met, 0.0))?;
            if !self.takes_boxes() {
                return Continue(());
            }
        }
        let root = seat.tree.node(NodeId::ROOT);
        let Some(piece) = line.through_aligned(root.aligned()) else {
            return Continue(());
        };
        if self.is_behind(piece.from + line.shift, line.pad) {
            return Continue(());
        }
        let slack = self.slack(root, line.pad);
        if opens(self.targets.overlap_accuracy(), root, 0, || slack) {
            return self.shoot_below(seat, line, root);
        }
        self.report.counts.oriented += 1;
        if inside {
            return Continue(());
        }
        match decides(self.targets.overlap_accuracy(), slack) && line.spares_oriented(seat.tree) {
            true => self.take(seat, NodeId::ROOT, (line.met(&piece), slack)),
            false => self.shoot_leaf(seat, line, NodeId::ROOT),
        }
    }

    /// A node of the cut.
    #[inline(never)]
    fn shoot_leaf(&mut self, seat: &Seat<'_, T>, line: &Line, id: NodeId) -> ControlFlow<()> {
        let aligned = line.through_aligned(seat.tree.node(id).aligned());
        match aligned.and_then(|piece| self.meets(seat, line, (id, piece))) {
            Some(met) => self.take(seat, id, met),
            None => Continue(()),
        }
    }

    /// What is below the root.
    #[inline(never)]
    fn shoot_below(&mut self, seat: &Seat<'_, T>, line: &Line, root: &Node<T>) -> ControlFlow<()> {
        self.work.stack.clear();
        self.open(seat, line, root, 0);
        while let Some((id, depth, from)) = self.work.stack.pop() {
            if self.is_behind(from + line.shift, line.pad) {
                continue;
            }
            let node = seat.tree.node(NodeId::new(id as usize));
            if opens(self.targets.overlap_accuracy(), node, depth, || self.slack(node, line.pad)) {
                self.open(seat, line, node, depth);
                continue;
            }
            self.report.counts.oriented += 1;
            self.shoot_leaf(seat, line, NodeId::new(id as usize))?;
        }
        Continue(())
    }

    /// The nearer child is looked at first.
    fn open(&mut self, seat: &Seat<'_, T>, line: &Line, node: &Node<T>, depth: u8) {
        let exact = self.targets.overlap_accuracy() == Accuracy::Exact;
        let from = |child: NodeId| {
            let child = seat.tree.node(child);
            let piece = line.through_aligned(child.aligned())?;
            // Its primitives are in both boxes; those of its children need not be.
            let kept =
                if exact { line.through_oriented(child.oriented(), piece) } else { Some(piece) };
            kept.map(|piece| piece.from)
        };
        let Some(children) = node.children() else { return };
        self.report.counts.boxes[usize::from(depth + 1).min(LEVELS - 1)] += 2;
        let [a, b] =
            children.map(|child| from(child).map(|t| (child.index() as u32, depth + 1, t)));
        let nearer = a.zip(b).is_some_and(|(a, b)| a.2 <= b.2);
        let order = if nearer { [b, a] } else { [a, b] };
        self.work.stack.extend(order.into_iter().flatten());
    }

    /// Where the ray meets a node of the cut, through whose aligned box it goes, and the slack.
    fn meets(
        &mut self,
        seat: &Seat<'_, T>,
        line: &Line,
        (id, piece): (NodeId, Piece),
    ) -> Option<(Met, f64)> {
        let node = seat.tree.node(id);
        let piece = line.through_oriented(node.oriented(), piece)?;
        let slack = self.slack(node, line.pad);
        if decides(self.targets.overlap_accuracy(), slack) {
            return Some((line.met(&piece), slack));
        }
        self.first_primitive(seat, line, id)
    }

    /// Where the ray meets a primitive of a node first, and the slack.
    #[inline(never)]
    fn first_primitive(
        &mut self,
        seat: &Seat<'_, T>,
        line: &Line,
        id: NodeId,
    ) -> Option<(Met, f64)> {
        let node = seat.tree.node(id);
        let primitives = seat.tree.primitives(id);
        self.report.counts.primitives += primitives.len() as u64;
        let meet = |&index: &u32| match seat.tree.geometry() {
            Geometry::Boxes(boxes) => {
                line.through_solid(&boxes[index as usize]).map(|piece| line.met(&piece))
            }
            Geometry::Convex(shapes) => line.meets_convex(shapes[index as usize].body()),
            geometry => {
                let corners = geometry.mesh()?.triangle(index as usize).corners;
                line.meets_triangle(&corners)
            }
        };
        let first = primitives.iter().filter_map(meet);
        let first = first.reduce(|a, b| if b.t < a.t { b } else { a })?;
        Some((first, self.pad(node, 4.0 * line.pad)))
    }

    #[inline(always)]
    fn slack(&self, node: &Node<T>, pad: f64) -> f64 {
        node.bound().wide() + self.pad(node, pad)
    }

    /// No point that a box grown by all there is to spare holds is further from it.
    #[inline(always)]
    fn pad(&self, node: &Node<T>, pad: f64) -> f64 {
        2.0 * (pad + T::LEAF_SLACK * node.oriented().wide().radius())
    }
}
