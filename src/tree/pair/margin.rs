//! Margins: two parts count as touching if they are closer than a length.
//!
//! # Errors and pads
//! Two nodes are separated if their part-aligned boxes, their oriented boxes or their hulls are
//! further apart than the margin `d`. Where one of the 15 axes separates two boxes, their distance
//! is computed in double precision, because no set of axes measures the distance of two corners.
//! Hulls are separated by a direction.
//!
//! Let `s = 32 u (|a| + |b| + d)` be the pad of the 15 axes (in `f32`; in `f64` it is `512 e` times
//! the same sizes). Stored axes are off right angles and off their lengths by `4 u` at most (`37 e`
//! in `f64`). This moves points of a box by `12 u` of its size (`111 e`) and changes a length by
//! `8 u` of itself (`74 e`): a distance is off by less than `2/3 s`. *Boxes* are separated by a
//! distance above `d + 2.5 s`. Other boxes are less than `3.2 s` further apart than `d`, which is
//! less than [`gap`](crate::num::tolerance::gap), the bound for touching boxes. *Primitives* touch
//! at a computed distance of at most `d + s` if one of them is a box, which is a true distance of
//! at most `d + 1.7 s`. Boxes around such primitives are never separated, so the reported
//! primitives do not depend on the boxes that were tested. For triangles the rounding of lengths
//! replaces `s`: `2^-40` of the parts' radii and offset, added to all of the above.
//!
//! Prefilters grow one of the two boxes by `d` on every side. The grown box contains all points
//! within `d`, so an axis that separates the grown boxes by more than `2.5 s` is sufficient.

use super::tree_slack::{LENGTH_ERROR, primitive_slack};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, length};
use crate::pair::rounded::cores::CorePair;
use crate::pair::rounded::slack_box::SlackBox;
use crate::pair::rounded::slack_box::face_axes_distance;
use crate::shape::WideObb;
use crate::tree::{Node, TreePair};

/// Checks that a margin is finite and not negative.
pub(crate) fn check_margin(margin: f64, index: usize) -> Result<(), Error> {
    match margin {
        d if !d.is_finite() => Err(Error::NotFinite { field: "margin", index }),
        d if d < 0.0 => Err(Error::Negative { field: "margin", index }),
        _ => Ok(()),
    }
}

impl<T: Scalar> TreePair<'_, T> {
    /// Returns the pair with a margin: parts no further apart count as touching [world units]; 0 by
    /// default.
    ///
    /// At any accuracy, [`visit`](TreePair::visit), [`intersects`](TreePair::intersects),
    /// [`visit_primitives`](TreePair::visit_primitives) and [`touches`](TreePair::touches) then
    /// never miss what is no further apart than the margin. [`slack`](TreePair::slack) is then the
    /// distance beyond the margin: at [`Accuracy::Exact`](crate::tree::Accuracy::Exact), only
    /// rounding. A point inside a solid is at distance zero. Distances and contacts do not depend
    /// on the margin.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`].
    ///
    /// ```
    /// # boxwood::fixture_tree!(cube, tree);
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
    pub fn margin(self, margin: impl Into<f64>) -> Result<Self, Error> {
        let margin = margin.into();
        check_margin(margin, 0)?;
        Ok(self.with_margin(margin))
    }

    /// Returns the pair with a margin that was checked.
    #[inline]
    pub(crate) fn with_margin(mut self, margin: f64) -> Self {
        (self.margin, self.size_pad) = (margin, self.ordered_pair().size_pad() + margin);
        self
    }

    /// Returns an upper bound on the part of a distance beyond the margin.
    #[inline]
    pub(crate) fn beyond_margin(&self, distance: f64) -> f64 {
        let excess = distance - self.margin * (1.0 - f64::EPSILON);
        if excess > 0.0 { excess } else { 0.0 }
    }

    /// Returns `true` if two boxes in the frame of the first part are further apart than the
    /// margin, given the pad of the axes that separate them.
    #[inline(never)]
    fn boxes_exceed_margin(&self, boxes: [&WideObb; 2], pad: f64) -> bool {
        box_distance::<T>(boxes) > self.margin + (2.5 * pad + 2.0 * self.rounding_error())
    }

    /// Returns `true` if the part-aligned boxes of two nodes are further apart than the margin,
    /// given the pad of the axes that separate them.
    pub(in crate::tree) fn aligned_boxes_exceed_margin(
        &self,
        nodes: [&Node<T>; 2],
        pad: f64,
    ) -> bool {
        let (rotation, _) = self.second_in_first();
        let (t, a, b) = self.aligned_boxes(nodes[0], nodes[1]);
        // Face axes first: they separate most pairs.
        if face_axes_distance(rotation, t, a, b) > self.margin + 4.0 * (pad + self.rounding_error())
        {
            return true;
        }
        let obb = |center: Vec3, axes, half_extents| WideObb { center, axes, half_extents };
        self.boxes_exceed_margin([&obb([0.0; 3], IDENTITY, a), &obb(t, *rotation, b)], pad)
    }

    /// Returns `true` if two oriented boxes are further apart than the margin, given the pad of the
    /// axes that separate them.
    pub(in crate::tree) fn oriented_boxes_exceed_margin(
        &self,
        [a, b]: [&WideObb; 2],
        pad: f64,
    ) -> bool {
        let (rotation, offset) = self.second_in_first();
        self.boxes_exceed_margin([a, &b.moved(rotation, offset)], pad)
    }

    /// Returns an upper bound on the distance of two oriented boxes, given the pad of the axes that
    /// separate them.
    pub(in crate::tree) fn oriented_distance(&self, [a, b]: [&WideObb; 2], pad: f64) -> f64 {
        let (rotation, offset) = self.second_in_first();
        box_distance::<T>([a, &b.moved(rotation, offset)]) + (pad + self.rounding_error())
    }

    /// Returns the distance beyond their pads at which hulls are separated, given the sum of their
    /// units.
    pub(in crate::tree) fn hull_pad(&self, units: f64) -> f64 {
        match self.margin > 0.0 {
            true => {
                self.margin
                    + 4.0 * (T::LEAF_SLACK * (units + self.size_pad) + self.rounding_error())
            }
            false => 0.0,
        }
    }

    /// Returns the computed distance up to which primitives may be within the margin; `None`
    /// without a margin.
    pub(in crate::tree) fn primitive_distance_limit(&self, nodes: (u32, u32)) -> Option<f64> {
        let limit = || self.margin + (self.rounding_error() + 0.25 * self.skew_pad(nodes));
        (self.margin > 0.0).then(limit)
    }

    /// Returns the rounding error of lengths in the frame of the first part.
    pub(in crate::tree) fn rounding_error(&self) -> f64 {
        LENGTH_ERROR
            * (self.ordered_pair().radii_about_origins() + length(self.second_in_first().1))
    }

    /// Returns the pad for hand-made boxes, whose axes are not orthogonal.
    pub(in crate::tree) fn skew_pad(&self, (a, b): (u32, u32)) -> f64 {
        let (ordered, (first, second)) = (self.ordered_pair(), self.nodes(a, b));
        if [ordered.first, ordered.second]
            .iter()
            .all(|placed| placed.tree.geometry().mesh().is_some())
        {
            return 0.0;
        }
        4.0 * self.leaf_error(&first.oriented.wide(), &second.oriented.wide())
    }

    /// Returns the slack of primitives that decide, beyond the margin.
    pub(in crate::tree) fn primitive_slack(&self) -> T {
        primitive_slack(
            [self.ordered_pair().first.tree, self.ordered_pair().second.tree],
            self.margin,
        )
    }
}

fn box_distance<T: Scalar>([a, b]: [&WideObb; 2]) -> f64 {
    SlackBox::from_wide(a, T::LEAF_SLACK)
        .closest(&SlackBox::from_wide(b, T::LEAF_SLACK))
        .squared
        .sqrt()
}
