//! Cast of a character: its contacts along a straight line, the first or all.

use nalgebra::Vector3;

use crate::broad_phase::{AabbF32, BLOCK};
use crate::error::Error;
use crate::model::PartId;
use crate::narrow_phase::{BestCandidate, BoundedCandidate, Candidate, Evaluation, best_first};
use crate::num::{Scalar, check_coordinates, precompiled};
use crate::scene::filter::pair_filter::PairFilter;
use crate::scene::filter::pair_query::QueryScope;
use crate::scene::pairs::hits::{CharacterSets, PairScratch};
use crate::scene::{NodeRef, PairQuery, QueryScratch, Snapshot};
use crate::shape::WideObb;
use crate::tree::{
    Accuracy, OrderedPair, Path, ShiftContact, ShiftedContact, TranslationQuery, TreePair,
    TreeScratch,
};

precompiled! {
    fn cast<'a, T>(
        now: Snapshot<'a, T>,
        query: &'a PairQuery<'a>,
        displacement: Vector3<T>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<Option<ShiftedContact<T, NodeRef>>, Error> {
        now.cast_checked(query, displacement, scratch)
    }

    fn cast_all<'a, T>(
        now: Snapshot<'a, T>,
        query: &'a PairQuery<'a>,
        displacement: Vector3<T>,
        scratch: &'a mut QueryScratch<T>,
        passages: &'a mut Vec<PartPassage<T>>,
    ) -> Result<(), Error> {
        now.cast_all_checked(query, displacement, scratch, passages)
    }
}

/// Two parts that touch on the path of a moving character. See [`Snapshot::cast_all`].
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 3.0, buffers, now);
/// // Two unit cubes, 3 apart along x; the first stops inside the second.
/// let (mut scratch, mut passages) = (boxwood::QueryScratch::new(), Vec::new());
/// let way = Vector3::new(2.5, 0.0, 0.0);
/// now.cast_all(&PairQuery::of(red), way, &mut scratch, &mut passages)?;
/// assert!((passages[0].first.shift - 2.0).abs() < 1e-5);
/// assert!(passages[0].last.is_none()); // they still touch
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PartPassage<T: Scalar> {
    /// First contact, as of [`Snapshot::cast`]: its shift is never more than the true one.
    pub first: ShiftedContact<T, NodeRef>,
    /// Last contact: its shift is never less than the true one. `None` if the two touch at the end
    /// of the path.
    pub last: Option<ShiftedContact<T, NodeRef>>,
}

impl<T: Scalar> Snapshot<'_, T> {
    /// Casts the first of two posed characters along `displacement`, without rotation: computes
    /// when and where it first touches the second. `None` if they do not touch on the way.
    ///
    /// For a query about [one character](PairQuery::of) that one moves and all others are
    /// obstacles. Only the parts that the query names count: a thrown axe, the blade of a sword.
    /// Parts that touch before the motion, insides included, are hit at once.
    ///
    /// The contact's [shift](ShiftedContact::shift) is a length, never more than the true one; `a`
    /// and `on_a` are those of the moving character, before it is moved.
    ///
    /// # Errors
    /// The errors of [`Snapshot::separation`]; for the displacement [`Error::NotFinite`] and
    /// [`Error::OutOfRange`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 3.0, buffers, now);
    /// // Two unit cubes, 3 apart along x.
    /// let mut scratch = boxwood::QueryScratch::new();
    /// let query = PairQuery::between(red, blue);
    /// let met = now.cast(&query, Vector3::new(5.0, 0.0, 0.0), &mut scratch)?.expect("on the way");
    /// assert!((met.shift - 2.0).abs() < 1e-5);
    /// assert!((met.on_a.x - 0.5).abs() < 1e-5 && (met.on_b.x - 2.5).abs() < 1e-5);
    /// assert!(now.cast(&query, Vector3::new(1.0, 0.0, 0.0), &mut scratch)?.is_none());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn cast(
        &self,
        query: &PairQuery<'_>,
        displacement: Vector3<T>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ShiftedContact<T, NodeRef>>, Error> {
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        query.check(self.scene)?;
        cast(*self, query, displacement, scratch)
    }

    /// Casts the first of two posed characters through everything: writes to `passages` all pairs
    /// of parts that touch while it moves by `displacement`, without rotation, with the first and
    /// the last contact. Examples: triggers that a dash crosses within a tick, all whom a charge
    /// runs down.
    ///
    /// The query means what it does for [`Snapshot::cast`]. Between its first and its last contact
    /// a pair may be apart: a rod that leaves a ring and meets it again. Sorted by the shift of the
    /// first contact, then by order of the characters and parts, the moving one first.
    ///
    /// # Errors
    /// The errors of [`Snapshot::cast`]; then there are no passages.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 3.0, buffers, now);
    /// // Two unit cubes, 3 apart along x: the first passes through the second.
    /// let (mut scratch, mut passages) = (boxwood::QueryScratch::new(), Vec::new());
    /// let way = Vector3::new(8.0, 0.0, 0.0);
    /// now.cast_all(&PairQuery::of(red), way, &mut scratch, &mut passages)?;
    /// let (first, last) = (passages[0].first, passages[0].last.expect("it leaves"));
    /// assert!((first.shift - 2.0).abs() < 1e-5 && (last.shift - 4.0).abs() < 1e-5);
    /// assert_eq!((first.a.character, first.b.character), (red, blue));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn cast_all(
        &self,
        query: &PairQuery<'_>,
        displacement: Vector3<T>,
        scratch: &mut QueryScratch<T>,
        passages: &mut Vec<PartPassage<T>>,
    ) -> Result<(), Error> {
        passages.clear();
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        query.check(self.scene)?;
        cast_all(*self, query, displacement, scratch, passages)
    }

    pub(in crate::scene) fn cast_checked(
        &self,
        query: &PairQuery<'_>,
        displacement: Vector3<T>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ShiftedContact<T, NodeRef>>, Error> {
        let path = self.start_path(query, displacement, scratch)?;
        let QueryScratch { narrow, part_candidates, pairs: PairScratch { sets, .. }, .. } = scratch;
        let limits = [path.length, f64::NEG_INFINITY];
        let best = best_first(part_candidates, limits, |one, to| {
            let candidate = moving_first(sets, one.key);
            let touch = self.first_on_path(query, &candidate, &path, one, to, &mut narrow.tree);
            Evaluation::new(touch, |touch| touch.shift)
        });
        Ok(best.and_then(|BestCandidate { key, answer, .. }| {
            self.first_on_path_contact(&moving_first(sets, key), &path, answer, &mut narrow.tree)
        }))
    }

    fn cast_all_checked(
        &self,
        query: &PairQuery<'_>,
        displacement: Vector3<T>,
        scratch: &mut QueryScratch<T>,
        passages: &mut Vec<PartPassage<T>>,
    ) -> Result<(), Error> {
        let path = self.start_path(query, displacement, scratch)?;
        let QueryScratch { narrow, part_candidates, pairs: PairScratch { sets, .. }, .. } = scratch;
        let tree = &mut narrow.tree;
        for &one in &*part_candidates {
            let candidate = moving_first(sets, one.key);
            let Some(touch) = self.first_on_path(query, &candidate, &path, one, path.length, tree)
            else {
                continue;
            };
            let first = self.first_on_path_contact(&candidate, &path, touch, tree);
            let last = self.last_on_path(&candidate, &path, touch.shift, displacement, tree);
            passages.extend(first.map(|first| PartPassage { first, last }));
        }
        let order = |node: NodeRef| (self.buffers.indices[node.character.slot], node.part);
        passages.sort_unstable_by(|PartPassage { first: x, .. }, PartPassage { first: y, .. }| {
            let by_shift = x.shift.wide().total_cmp(&y.shift.wide());
            by_shift.then_with(|| (order(x.a), order(x.b)).cmp(&(order(y.a), order(y.b))))
        });
        Ok(())
    }

    /// Finds the characters of the query and collects the part pairs near the path.
    fn start_path(
        &self,
        query: &PairQuery<'_>,
        displacement: Vector3<T>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Path, Error> {
        scratch.clear(self.buffers.simd);
        query.two_sides()?;
        let mut sets = std::mem::take(&mut scratch.pairs.sets);
        let found = self.find_character_sets(query, &mut sets);
        let path = Path::new(displacement);
        if found.is_ok() {
            self.collect_cast_pairs(query, &sets, &path, scratch);
        }
        scratch.pairs.sets = sets;
        found.map(|()| path)
    }

    /// Converts the first contact of two parts to an answer.
    fn first_on_path_contact(
        &self,
        candidate: &Candidate,
        path: &Path,
        touch: ShiftContact,
        tree: &mut TreeScratch,
    ) -> Option<ShiftedContact<T, NodeRef>> {
        let trees = self.tree_pair(candidate);
        let shift = TranslationQuery::new(&trees, path.reversed_direction());
        let contact = match touch.is_inside() {
            true => shift.inside_contact(tree)?,
            false => shift.contact(&touch),
        };
        let (a, b) = self.node_refs(candidate.key(contact.a, contact.b));
        Some(contact.with_ids(a, b))
    }

    /// Finds the last contact of two parts that touch at a first shift; `None` if they touch at the
    /// end of the path.
    fn last_on_path(
        &self,
        candidate: &Candidate,
        path: &Path,
        first: f64,
        displacement: Vector3<T>,
        tree: &mut TreeScratch,
    ) -> Option<ShiftedContact<T, NodeRef>> {
        let trees = self.tree_pair(candidate);
        // The first contact of the way back, whose shifts are those of the path, negated.
        let back = TranslationQuery::new(&trees, path.direction);
        let touch = back.first_contact(-path.length..=-first, tree)?;
        if touch.shift <= -path.length {
            return None;
        }
        // The surfaces are apart at the end: rounding of the pose cannot undo an inside there.
        let mut moved = self.placed_tree(candidate.a);
        moved.pose.translation.vector += displacement;
        let end = TreePair::from_ordered(OrderedPair::new(moved, self.placed_tree(candidate.b)));
        if end.touches_at(Accuracy::Exact, tree) {
            return None;
        }
        let contact = back.contact(&touch).negated();
        let (a, b) = self.node_refs(candidate.key(contact.a, contact.b));
        Some(contact.with_ids(a, b))
    }

    /// Finds the first contact of two parts up to a shift, insides at the start included.
    fn first_on_path(
        &self,
        query: &PairQuery<'_>,
        candidate: &Candidate,
        path: &Path,
        one: BoundedCandidate<[(u32, PartId); 2]>,
        to: f64,
        tree: &mut TreeScratch,
    ) -> Option<ShiftContact> {
        if !self.predicate_accepts(query, candidate) {
            return None;
        }
        let trees = self.tree_pair(candidate);
        let shift = TranslationQuery::new(&trees, path.reversed_direction());
        // Shift 0 is the smallest possible, so any contact there suffices.
        let touch = shift.first_contact_or_below(0.0..=to, 0.0, &[], tree);
        let starts = one.lower_bound <= 0.0 && touch.is_none_or(|touch| touch.shift > 0.0);
        // A start inside a solid is a contact, even if the surfaces touch later or not at all.
        match starts && trees.touches_at(Accuracy::Exact, tree) {
            true => Some(ShiftContact::CONTAINMENT),
            false => touch,
        }
    }

    /// Collects the part pairs that may touch on the path, with lower bounds on the shift.
    fn collect_cast_pairs(
        &self,
        query: &PairQuery<'_>,
        [first, second]: &CharacterSets,
        path: &Path,
        scratch: &mut QueryScratch<T>,
    ) {
        let QueryScratch { part_candidates, moving_parts, entry_shifts, stack, pairs, .. } =
            scratch;
        let near = &mut pairs.near_indices;
        let everyone = matches!(query.scope, QueryScope::Of(_));
        part_candidates.clear();
        for &a in first {
            let Some(moving) = self.moving_parts(query, a, moving_parts) else { continue };
            near.clear();
            let size = match everyone {
                true => self.max_coordinate_sum(None),
                false => second
                    .iter()
                    .fold(0.0, |size: f32, &b| size.max(self.max_coordinate_sum(Some(b)))),
            };
            if everyone {
                let moving = WideObb::aligned(moving.corners());
                self.find_characters_on_path(&path.slabs(&moving, size), stack, near);
                near.retain(|b| !first.contains(b));
            } else {
                near.extend(second);
            }
            for &b in &*near {
                let filter = self.pair_filter(query, [a, b]);
                if filter.rejects_all() {
                    continue;
                }
                for &(part, bounds) in &*moving_parts {
                    let slabs = path.slabs(&WideObb::aligned(bounds.corners()), size);
                    self.find_slots_on_path(&slabs, b, entry_shifts);
                    let near = entry_shifts.iter();
                    part_candidates.extend(near.filter_map(|&(lower_bound, slot)| {
                        let other = self.cast_obstacle(&filter, part, slot as usize)?;
                        let key = Candidate { a: (a, part), b: (b, other) }.unordered();
                        Some(BoundedCandidate::new(lower_bound, key))
                    }));
                }
            }
        }
    }

    /// Writes the parts of a moving character that the query is about, with their AABBs; returns
    /// the AABB around these, `None` without any.
    fn moving_parts(
        &self,
        query: &PairQuery<'_>,
        index: u32,
        parts: &mut Vec<(PartId, AabbF32)>,
    ) -> Option<AabbF32> {
        let (entry, character) = self.character(index);
        // The boxes in single precision serve: to place the parts exactly costs more than the few
        // candidates that their tighter bounds would save.
        let blocks = self.buffers.part_aabbs.range_blocks(entry.range);
        parts.clear();
        parts.extend((0..entry.range.len).filter_map(|slot| {
            let bounds = AabbF32::from_block(&blocks[slot / BLOCK], slot);
            let part = character.model.part_at(slot);
            (!bounds.is_empty() && query.may_be_first(part)).then_some((part, bounds))
        }));
        parts.iter().map(|&(_, bounds)| bounds).reduce(AabbF32::merged)
    }

    /// Returns the part of an obstacle at a slot, if it has geometry and the filter accepts the
    /// pair.
    fn cast_obstacle(
        &self,
        filter: &PairFilter<'_, T>,
        moving: PartId,
        slot: usize,
    ) -> Option<PartId> {
        let obstacle = filter.characters[1];
        let part = obstacle.model.part_at(slot);
        let is_there = obstacle.tree(part.index()).is_some();
        (is_there && filter.may_accept(moving, part)).then_some(part)
    }
}

/// Returns the candidate of two parts, the moving one first.
fn moving_first(sets: &CharacterSets, [a, b]: [(u32, PartId); 2]) -> Candidate {
    match sets[0].contains(&a.0) {
        true => Candidate { a, b },
        false => Candidate { a: b, b: a },
    }
}
