//! Margins: two parts closer than a length count as touching.
//!
//! # Never misses, and what is in excess
//! Two nodes are told apart where their part-aligned boxes, their oriented boxes or their hulls are
//! further apart than the margin `d`: boxes that one of the 15 axes tells apart by their distance,
//! found in double precision, as no set of axes measures how far apart two corners are; hulls by a
//! direction.
//!
//! Let `s = 32 u (|a| + |b| + d)` be the slack of the 15 axes (in `f32`; in `f64` it is `512 e` of
//! the same). Stored axes are off right angles and off their lengths by `4 u` at most (`37 e` in
//! `f64`), which moves points of a box by `12 u` of its size (`111 e`) and changes a length by `8 u`
//! of itself (`74 e`): a distance is off by less than `2/3 s`. *Boxes* are told apart by a distance above `d + 2.5 s`; so those that are
//! not are less than `3.2 s` further apart than `d`, and [`gap`](crate::num::tolerance::gap), which
//! stands for those that touch, is more. *Primitives* count where their distance is at most `d + s`
//! if one of them is a box, so truly `d + 1.7 s`: no box around them is told apart then, and what
//! is reported does not depend on the boxes looked at. Of triangles the rounding of lengths takes
//! the place of `s`: `2^-40` of the parts' reach and offset, added to all of the above.
//!
//! Prefilters take the axes of boxes of which one is grown by `d` to every side: it holds all that
//! is within `d`, so what tells these apart, by more than `2.5 s`, tells more than is asked.

use super::slack::{ROUNDING, primitive_slack};
use super::{Node, TreePair};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, length};
use crate::pair::apart::at_least_apart;
use crate::pair::block::Block;
use crate::pair::near::Between;
use crate::shape::WideObb;

/// Refuses a margin that is not finite or is negative.
pub(crate) fn check_margin(margin: f64, index: usize) -> Result<(), Error> {
    match margin {
        d if !d.is_finite() => Err(Error::NotFinite { field: "margin", index }),
        d if d < 0.0 => Err(Error::Negative { field: "margin", index }),
        _ => Ok(()),
    }
}

impl<T: Scalar> TreePair<'_, T> {
    /// The same pair, asked about with a margin: what is closer than that counts as touching. World
    /// units; 0 by default.
    ///
    /// [`visit`](TreePair::visit), [`intersects`](TreePair::intersects),
    /// [`visit_primitives`](TreePair::visit_primitives) and [`touches`](TreePair::touches) then
    /// never miss what is no further apart than the margin, at any accuracy, and
    /// [`slack`](TreePair::slack) is how much further apart than the margin it can be: at
    /// [`Accuracy::Exact`](super::Accuracy::Exact) that is rounding. Of a solid the inside counts,
    /// which is at no distance. Distances and contacts do not depend on a margin.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`].
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Build, Geometry, Obb, ObbTree};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
    /// use boxwood::{Accuracy, tree::{TreePair, TreeScratch}};
    ///
    /// // Two unit cubes, 3 apart along x: a gap of 2.
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(3.0, 0.0, 0.0));
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// let mut scratch = TreeScratch::default();
    /// assert!(!pair.intersects(Accuracy::Exact, &mut scratch)?);
    /// assert!(!pair.margin(1.9)?.intersects(Accuracy::Exact, &mut scratch)?);
    /// let just = pair.margin(2.0)?; // no further than that
    /// assert!(just.intersects(Accuracy::Exact, &mut scratch)?);
    /// assert!(pair.margin(-1.0).is_err());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn margin(self, margin: f64) -> Result<Self, Error> {
        check_margin(margin, 0)?;
        Ok(self.with_margin(margin))
    }

    /// As [`TreePair::margin`], for one that was checked.
    #[inline]
    pub(crate) fn with_margin(mut self, margin: f64) -> Self {
        (self.margin, self.reach) = (margin, self.seats().reach() + margin);
        self
    }

    /// How much further apart than the margin something can be that is no further apart than that.
    #[inline]
    pub(super) fn excess(&self, distance: f64) -> f64 {
        let excess = distance - self.margin * (1.0 - f64::EPSILON);
        if excess > 0.0 { excess } else { 0.0 }
    }

    /// Whether two boxes in the frame of the first part, which are told apart by that slack, are
    /// further apart than the margin.
    #[inline(never)]
    fn boxes_beyond(&self, boxes: [&WideObb; 2], slack: f64) -> bool {
        distance::<T>(boxes) > self.margin + (2.5 * slack + 2.0 * self.rounding())
    }

    /// Whether the part-aligned boxes of two nodes, told apart by that slack, are.
    pub(super) fn aligned_beyond(&self, nodes: [&Node<T>; 2], slack: f64) -> bool {
        let (rotation, _) = self.frame();
        let (t, a, b) = self.aligned(nodes[0], nodes[1]);
        // Faces tell most.
        if at_least_apart(rotation, t, a, b) > self.margin + 4.0 * (slack + self.rounding()) {
            return true;
        }
        let of = |center: Vec3, axes, half_extents| WideObb { center, axes, half_extents };
        self.boxes_beyond([&of([0.0; 3], IDENTITY, a), &of(t, *rotation, b)], slack)
    }

    /// The same of their oriented boxes.
    pub(super) fn oriented_beyond(&self, [a, b]: [&WideObb; 2], slack: f64) -> bool {
        let (rotation, offset) = self.frame();
        self.boxes_beyond([a, &b.moved(rotation, offset)], slack)
    }

    /// No less than the distance of two oriented boxes that are told apart by that slack.
    pub(super) fn oriented_distance(&self, [a, b]: [&WideObb; 2], slack: f64) -> f64 {
        let (rotation, offset) = self.frame();
        distance::<T>([a, &b.moved(rotation, offset)]) + (slack + self.rounding())
    }

    /// What hulls have to be further apart, beside their pads, to be told apart; given the units
    /// of both.
    pub(super) fn hull_pad(&self, units: f64) -> f64 {
        match self.margin > 0.0 {
            true => self.margin + 4.0 * (T::LEAF_SLACK * (units + self.reach) + self.rounding()),
            false => 0.0,
        }
    }

    /// Primitives whose rounded distance is no more than this are all that may be within the
    /// margin; `None` without a margin.
    pub(super) fn primitives_limit(&self, nodes: (u32, u32)) -> Option<f64> {
        let limit = || self.margin + (self.rounding() + 0.25 * self.turned(nodes));
        (self.margin > 0.0).then(limit)
    }

    /// The rounding of lengths in the frame of the first.
    pub(super) fn rounding(&self) -> f64 {
        ROUNDING * (self.seats().reaches() + length(self.frame().1))
    }

    /// What hand-made boxes add to it, whose axes are not quite at right angles.
    pub(super) fn turned(&self, (a, b): (u32, u32)) -> f64 {
        let (seats, (first, second)) = (self.seats(), self.nodes(a, b));
        if [seats.first, seats.second].iter().all(|seat| seat.tree.geometry().mesh().is_some()) {
            return 0.0;
        }
        4.0 * self.leaf_slack(&first.oriented.wide(), &second.oriented.wide())
    }

    /// How much further apart than the margin primitives can be that decide.
    pub(super) fn slack_of_primitives(&self) -> T {
        primitive_slack([self.seats().first.tree, self.seats().second.tree], self.margin)
    }
}

fn distance<T: Scalar>([a, b]: [&WideObb; 2]) -> f64 {
    Block::wide(a, T::LEAF_SLACK).near(&Block::wide(b, T::LEAF_SLACK)).squared.sqrt()
}
