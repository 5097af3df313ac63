//! Passages: the first and the last contact of two placed trees along a direction.
//!
//! The first is found by [branch and bound](super::first_contact) over pairs of nodes, and by the
//! slabs of all axes for eight pairs of primitives at once. The last is the first against the
//! direction.

use std::ops::RangeInclusive;

use nalgebra::{Point3, Unit, Vector3};

use super::first_contact::{FirstContactSearch, ShiftContact, ShiftScratch, TranslationPair};
use crate::error::Error;
use crate::num::linear::{Vec3, dot, length, rotate, rotate_back, scale, sub};
use crate::num::{Scalar, check_unit, precompiled};
use crate::sat::box_slabs::ShiftedFrame;
use crate::sat::primitive_slabs::{FirstContactFace, PAIRS, ShiftFrame};
use crate::shape::{nearest_point, wide_point};
use crate::tree::pair::inside;
use crate::tree::pair::primitive_test::PrimitiveTest;
use crate::tree::pair::wide_pair::WidePair;
use crate::tree::{Counts, Geometry, NodeId, TreePair, TreeScratch};

/// First and last contact of two bodies while the second is shifted along a direction.
///
/// With the second shifted by `normal * t` the two share no point for any `t` below `first.shift`
/// or above `last.shift`; near both they touch. Between the two they may be disjoint: a ring around
/// a rod. Only surfaces count, and boxes as solids: a body wholly inside a solid touches it only
/// when it crosses the surface on the way out.
///
/// Source: directional contact range; Dobkin, Hershberger, Kirkpatrick, Suri, Computing the
/// intersection-depth of polyhedra (1993), for convex bodies.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Build, Geometry, Obb, ObbTree};
/// use boxwood::tree::{TreePair, TreeScratch};
///
/// let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
/// let (here, there) = (Isometry3::identity(), Isometry3::translation(3.0, 0.0, 0.0));
/// let pair = TreePair::new(&tree, &here, &tree, &there)?;
/// let passage = pair.passage(Vector3::x_axis(), &mut TreeScratch::default())?.expect("in line");
/// assert!((passage.first.shift + 4.0).abs() < 1e-5 && (passage.last.shift + 2.0).abs() < 1e-5);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Passage<T: Scalar, R = NodeId> {
    /// Direction of the shift of the second, as given.
    pub normal: Unit<Vector3<T>>,
    /// Contact of the least shift, rounded down.
    pub first: ShiftedContact<T, R>,
    /// Contact of the greatest shift, rounded up.
    pub last: ShiftedContact<T, R>,
}

impl<T: Scalar, R: Copy> Passage<T, R> {
    /// Returns the passage with the two swapped: the first is shifted the other way.
    pub fn reversed(&self) -> Self {
        let Passage { normal, first, last } = *self;
        Passage { normal: -normal, first: first.reversed(), last: last.reversed() }
    }
}

/// Contact of two bodies while the second is shifted along a direction.
///
/// See [`Passage`] for an example.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ShiftedContact<T: Scalar, R = NodeId> {
    /// Shift of the second [world units], negative against the direction.
    pub shift: T,
    /// Leaf of the first that touches.
    pub a: R,
    /// Leaf of the second that touches.
    pub b: R,
    /// Contact point on the first [world frame].
    pub on_a: Point3<T>,
    /// Contact point on the second, before the shift [world frame].
    pub on_b: Point3<T>,
}

impl<T: Scalar, R: Copy> ShiftedContact<T, R> {
    /// Returns the contact with the two swapped.
    pub fn reversed(&self) -> Self {
        let ShiftedContact { shift, a, b, on_a, on_b } = *self;
        ShiftedContact { shift, a: b, b: a, on_a: on_b, on_b: on_a }
    }

    /// Returns the contact with the shift negated.
    pub(crate) fn negated(&self) -> Self {
        ShiftedContact { shift: -self.shift, ..*self }
    }

    /// Returns the contact with other identifiers.
    pub(crate) fn with_ids<S>(&self, a: S, b: S) -> ShiftedContact<T, S> {
        let ShiftedContact { shift, on_a, on_b, .. } = *self;
        ShiftedContact { shift, a, b, on_a, on_b }
    }
}

/// Bit of the positions in lists that stand in for the nodes of a contact.
const LIST_POSITION_BIT: u32 = 1 << 31;

/// Translational query of two placed trees: the second in canonical order is shifted along a
/// direction.
pub(crate) struct TranslationQuery<'p, 'a, T: Scalar> {
    pair: &'p TreePair<'a, T>,
    /// Direction in the frame of the first.
    direction: Vec3,
    /// `true` if the tree given first is shifted, the other way.
    swapped: bool,
    boxes: Option<ShiftedFrame>,
    frame: ShiftFrame,
}

precompiled! {
    fn passage<'a, T>(
        pair: &'a TreePair<'a, T>,
        direction: Unit<Vector3<T>>,
        scratch: &'a mut TreeScratch,
    ) -> Option<Passage<T>> {
        pair.passage_checked(direction, scratch)
    }
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// Computes the first and the last contact of the two while the second is shifted along a
    /// direction, back and forth; `None` if it passes the first without touching. Exact up to
    /// rounding, whatever the accuracy of other queries.
    ///
    /// Swapped trees and the opposite direction give the [reversed](Passage::reversed) answer, bit
    /// for bit.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for the direction.
    ///
    /// ```
    /// # boxwood::fixture_tree!(cube, tree);
    /// use boxwood::tree::{TreePair, TreeScratch};
    ///
    /// // Two unit cubes, 0.7 apart along x: to part them takes 0.3.
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.7, 0.0, 0.0));
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// let mut scratch = TreeScratch::default();
    /// let passage = pair.passage(Vector3::x_axis(), &mut scratch)?.expect("they touch");
    /// assert!((passage.last.shift - 0.3).abs() < 1e-6);
    /// let last = passage.last;
    /// assert!((last.on_a.x - 0.5).abs() < 1e-6 && (last.on_b.x - 0.2).abs() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn passage(
        &self,
        direction: Unit<Vector3<T>>,
        scratch: &mut TreeScratch,
    ) -> Result<Option<Passage<T>>, Error> {
        check_unit(&direction, "direction")?;
        Ok(passage(self, direction, scratch))
    }

    /// Like [`TreePair::passage`], for a valid direction.
    pub(in crate::tree) fn passage_checked(
        &self,
        direction: Unit<Vector3<T>>,
        scratch: &mut TreeScratch,
    ) -> Option<Passage<T>> {
        let way = wide_point(direction.into_inner().into());
        let always = f64::NEG_INFINITY..=f64::INFINITY;
        let forth = TranslationQuery::new(self, way);
        let first = forth.first_contact(always.clone(), scratch)?;
        let back = TranslationQuery::new(self, scale(way, -1.0));
        let last = back.first_contact(always, scratch)?;
        let (first, last) = (forth.contact(&first), back.contact(&last).negated());
        Some(Passage { normal: direction, first, last })
    }
}

impl<'p, 'a, T: Scalar> TranslationQuery<'p, 'a, T> {
    /// Creates a query. `way`: direction of the shift of the tree given second, in the world,
    /// length near 1.
    pub fn new(pair: &'p TreePair<'a, T>, way: Vec3) -> Self {
        let ordered = pair.ordered_pair();
        // Two equal trees in one pose have no order, so the direction decides.
        let swapped = if ordered.tied { is_negative_direction(way) } else { ordered.swapped };
        let way = if swapped { scale(way, -1.0) } else { way };
        let [direction, other] = [0, 1].map(|i| rotate_back(&pair.placements()[i].rotation, way));
        let (rotation, offset) = pair.second_in_first();
        let boxes = pair.relative_frame();
        TranslationQuery {
            pair,
            direction,
            swapped,
            boxes: boxes.map(|frame| ShiftedFrame::new(frame, [direction, other])),
            frame: ShiftFrame::new(
                direction,
                rotation,
                offset,
                ordered.radii_about_origins() + length(offset),
            ),
        }
    }

    /// Finds the contact of the least shift in a range; `None` if there is none. The shift is a
    /// lower bound on the true one, within the range. [world units]
    pub fn first_contact(
        &self,
        range: RangeInclusive<f64>,
        scratch: &mut TreeScratch,
    ) -> Option<ShiftContact> {
        self.first_contact_or_below(range, f64::NEG_INFINITY, &[], scratch)
    }

    /// Like [`first_contact`](Self::first_contact), but accepts any contact whose shift in the
    /// range is at most `stop_at`. `witnesses`: leaves likely to touch early, by their nodes.
    pub fn first_contact_or_below(
        &self,
        range: RangeInclusive<f64>,
        stop_at: f64,
        witnesses: &[[u32; 2]],
        scratch: &mut TreeScratch,
    ) -> Option<ShiftContact> {
        let TreeScratch { passage, counts, simd, .. } = scratch;
        let mut search = FirstContactSearch {
            simd: *simd,
            from: *range.start(),
            to: *range.end(),
            stop_at,
            witnesses,
            incumbent: None,
            counts,
            scratch: passage,
        };
        search.run(self);
        search.incumbent
    }

    /// Like [`first_contact_or_below`](Self::first_contact_or_below) in an unlimited range, for two
    /// parts whose lists are [placed](TreePair::place_lists).
    pub fn first_listed_contact(
        &self,
        stop_at: f64,
        witnesses: &[[u32; 2]],
        scratch: &mut TreeScratch,
    ) -> Option<ShiftContact> {
        let TreeScratch { passage, counts, simd, mesh_lists, .. } = scratch;
        let [Some(first), Some(second)] = self.pair.geometries().map(Geometry::mesh) else {
            return None;
        };
        let (primitives, mut list_counts) = (self.pair.listed_primitives(), Counts::default());
        let mut search = FirstContactSearch {
            simd: *simd,
            from: f64::NEG_INFINITY,
            to: f64::INFINITY,
            stop_at,
            witnesses,
            incumbent: None,
            counts,
            scratch: passage,
        };
        search.begin(self);
        if !search.may_stop() {
            let (direction, to) = (self.direction, search.to);
            mesh_lists.visit_shifted(direction, to, *simd, &mut list_counts, |positions| {
                let Some(positions) = positions else {
                    self.flush(&mut search);
                    return (!search.may_stop()).then_some(search.to);
                };
                let [i, j] = [primitives[0][positions[0]], primitives[1][positions[1]]];
                let [a, b] = [first.triangle(i as usize), second.triangle(j as usize)];
                let [x, y] = positions.map(|position| position as u32 | LIST_POSITION_BIT);
                search.push_triangles([a.corners, b.corners], [x, y, i, j], &self.frame);
                (!search.may_stop()).then_some(search.to)
            });
        }
        let incumbent = search.incumbent;
        *counts += list_counts;
        incumbent.map(|contact| match contact.nodes {
            [a, b] if a & LIST_POSITION_BIT != 0 => {
                let nodes = self.pair.listed_leaves([a ^ LIST_POSITION_BIT, b ^ LIST_POSITION_BIT]);
                ShiftContact { nodes, ..contact }
            }
            _ => contact,
        })
    }

    /// Converts a contact to an answer, with the trees in the order given.
    pub fn contact(&self, touch: &ShiftContact) -> ShiftedContact<T> {
        let moved = scale(self.direction, touch.shift);
        let mut exactly = None;
        let mut judge = PrimitiveTest::new(self.pair, &mut exactly).with_shift(moved);
        let [a, b] = touch.primitives;
        let (near, _) = judge.closest_points(a, b);
        let point = |p| nearest_point(self.pair.placements()[0].point(p));
        let contact = ShiftedContact {
            shift: T::at_most(touch.shift),
            a: NodeId::new(touch.nodes[0] as usize),
            b: NodeId::new(touch.nodes[1] as usize),
            on_a: point(near.on_a),
            on_b: point(sub(near.on_b(), moved)),
        };
        if self.swapped { contact.reversed() } else { contact }
    }

    /// Returns a common point of two bodies one of which is inside the other, as a contact of the
    /// roots.
    pub fn inside_contact(&self, scratch: &mut TreeScratch) -> Option<ShiftedContact<T>> {
        let point = nearest_point(inside::common_point(self.pair, scratch)?);
        let (a, b) = (NodeId::ROOT, NodeId::ROOT);
        Some(ShiftedContact { shift: T::zero(), a, b, on_a: point, on_b: point })
    }

    /// Returns the face on which the primitives of a contact touch: its normal in the world, from
    /// the first tree given towards the second, and the shift along it. The two primitives are
    /// disjoint once shifted at least that far along the normal.
    pub fn contact_face(&self, touch: &ShiftContact) -> Option<(Vec3, f64)> {
        let (normal, _) = self.contact_axis(touch)?;
        let along = dot(normal, self.direction) * touch.shift;
        let normal = rotate(&self.pair.placements()[0].rotation, normal);
        Some((if self.swapped { scale(normal, -1.0) } else { normal }, along))
    }

    /// Returns the least shift at which the primitives of a contact touch; `None` if they never do.
    /// [world units]
    pub fn least_shift(&self, touch: &ShiftContact) -> Option<f64> {
        self.contact_axis(touch).map(|(_, shift)| shift)
    }

    /// Returns `true` if the primitives of one of a few contacts touch at a shift of at most `by`.
    /// [world units]
    pub fn any_touches_by(
        &self,
        contacts: impl Iterator<Item = ShiftContact>,
        by: f64,
        scratch: &mut TreeScratch,
    ) -> bool {
        let TreeScratch { passage: ShiftScratch { pairs, .. }, simd, .. } = scratch;
        pairs.clear();
        for contact in contacts.take(PAIRS) {
            let stored = self.pair.stored_pair(contact.primitives);
            match stored.as_flat() {
                Some(flat) => pairs.push(flat),
                None if self.least_shift(&contact).is_some_and(|shift| shift <= by) => return true,
                None => {}
            }
        }
        let unit = self.frame.unit;
        let [enter, leave] = pairs.spans(&self.frame, by / unit, *simd);
        (0..pairs.len()).any(|pair| enter[pair] <= leave[pair] && enter[pair] * unit <= by)
    }

    /// Returns the normal of the face on which two primitives touch, in the frame of the first, and
    /// the shift.
    fn contact_axis(&self, touch: &ShiftContact) -> Option<(Vec3, f64)> {
        let stored = self.pair.stored_pair(touch.primitives);
        let Some(flat) = stored.as_flat() else {
            let (shift, axis) = stored.first_shift(self.pair, self.direction, f64::NEG_INFINITY)?;
            // The axis points from the second to the first; it is zero if they touch from the
            // start.
            return (axis != [0.0; 3]).then(|| (scale(axis, -1.0), shift));
        };
        let met = FirstContactFace::find(flat, &self.frame)?;
        Some((self.frame.normal(met.axis), met.shift * self.frame.unit))
    }
}

impl<T: Scalar> TranslationPair<T> for TranslationQuery<'_, '_, T> {
    fn shifted_frame(&self) -> Option<&ShiftedFrame> {
        self.boxes.as_ref()
    }

    fn wide_pair(&self) -> &impl WidePair<T> {
        self.pair
    }

    fn visit_leaf_pairs(&self, visit: &mut dyn FnMut([u32; 2])) {
        let [first, second] = [0, 1].map(|side| self.pair.leaves(side));
        for a in first {
            second.clone().for_each(|b| visit([a, b]));
        }
    }

    fn test_leaves(&self, nodes: [u32; 2], search: &mut FirstContactSearch<'_>) {
        let geometry = self.pair.geometries();
        if let [Some(first), Some(second)] = geometry.map(Geometry::mesh) {
            // Shortcut for the most frequent case: no dispatch on the kind of primitive.
            for (i, j) in self.pair.primitive_pairs(nodes[0], nodes[1]) {
                let [a, b] = [first.triangle(i as usize), second.triangle(j as usize)];
                let of = [nodes[0], nodes[1], i, j];
                search.push_triangles([a.corners, b.corners], of, &self.frame);
            }
            return;
        }
        for (i, j) in self.pair.primitive_pairs(nodes[0], nodes[1]) {
            let stored = self.pair.stored_pair([i, j]);
            let Some(flat) = stored.as_flat() else {
                search.counts.primitives += 1;
                let first = stored.first_shift(self.pair, self.direction, search.from);
                if let Some((shift, _)) = first {
                    search.update_incumbent([shift, f64::INFINITY], [nodes[0], nodes[1], i, j]);
                }
                continue;
            };
            search.push_pair(flat, [nodes[0], nodes[1], i, j], &self.frame);
        }
    }

    fn flush(&self, search: &mut FirstContactSearch<'_>) {
        search.test_pairs(&self.frame);
    }
}

/// Returns `true` if the first nonzero coordinate is negative.
fn is_negative_direction(v: Vec3) -> bool {
    v.iter().find(|&&x| x != 0.0).is_some_and(|&x| x < 0.0)
}
