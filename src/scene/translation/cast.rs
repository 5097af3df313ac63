//! Cast of a character: its first contact along a straight line.

use nalgebra::Vector3;

use crate::broad_phase::{AabbF32, RayBoxesKernel, RayCharactersKernel, RaySlabs, WorldRay};
use crate::error::Error;
use crate::model::PartId;
use crate::narrow_phase::{Best, Bounded, Candidate, best_first};
use crate::num::linear::{Vec3, length, scale};
use crate::num::{Scalar, check_coordinates, precompiled};
use crate::scene::filter::pair_filter::PairFilter;
use crate::scene::filter::pair_query::QueryScope;
use crate::scene::pairs::hits::CharacterSets;
use crate::scene::{NodeRef, PairQuery, QueryScratch, Snapshot};
use crate::shape::{Aabb, wide_point};
use crate::tree::{Accuracy, ShiftContact, ShiftedContact, TranslationQuery, TreeScratch};

precompiled! {
    fn cast<'a, T>(
        now: Snapshot<'a, T>,
        query: &'a PairQuery<'a>,
        displacement: Vector3<T>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<Option<ShiftedContact<T, NodeRef>>, Error> {
        now.cast_checked(query, displacement, scratch)
    }
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

    pub(in crate::scene) fn cast_checked(
        &self,
        query: &PairQuery<'_>,
        displacement: Vector3<T>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ShiftedContact<T, NodeRef>>, Error> {
        scratch.clear(self.buffers.simd);
        query.two_sides()?;
        let mut sets = std::mem::take(&mut scratch.pairs.sets);
        let found = self.find_character_sets(query, &mut sets);
        let contact = found.map(|()| self.cast_sets(query, &sets, displacement, scratch));
        scratch.pairs.sets = sets;
        contact
    }

    /// Casts the characters of the first set.
    fn cast_sets(
        &self,
        query: &PairQuery<'_>,
        sets: &CharacterSets,
        displacement: Vector3<T>,
        scratch: &mut QueryScratch<T>,
    ) -> Option<ShiftedContact<T, NodeRef>> {
        let path = Path::new(wide_point(displacement.into()));
        self.collect_cast_pairs(query, sets, &path, scratch);
        // The second part moves the opposite way.
        let direction = scale(path.direction, -1.0);
        let moving_first = |[a, b]: [(u32, PartId); 2]| match sets[0].contains(&a.0) {
            true => Candidate { a, b },
            false => Candidate { a: b, b: a },
        };
        let QueryScratch { narrow, part_candidates, .. } = scratch;
        let limits = [path.length, f64::NEG_INFINITY];
        let best = best_first(part_candidates, limits, None, |one, to| {
            let (candidate, tree) = (moving_first(one.key), &mut narrow.tree);
            if !self.predicate_accepts(query, &candidate) {
                return None;
            }
            let starts = one.lower_bound <= 0.0;
            let touch = self.first_cast_contact(&candidate, (direction, to), starts, tree)?;
            Some((touch.shift, touch))
        });
        let Best { key, answer: touch, .. } = best?;
        let candidate = moving_first(key);
        let trees = self.tree_pair(&candidate);
        let shift = TranslationQuery::new(&trees, direction);
        let contact = match touch.is_inside() {
            true => shift.inside_contact(&mut narrow.tree)?,
            false => shift.contact(&touch),
        };
        let (a, b) = self.node_refs(candidate.key(contact.a, contact.b));
        Some(contact.with_ids(a, b))
    }

    /// Finds the first contact of two parts on the path. `starts`: their AABBs overlap at its start,
    /// where insides count.
    fn first_cast_contact(
        &self,
        candidate: &Candidate,
        (direction, to): (Vec3, f64),
        starts: bool,
        tree: &mut TreeScratch,
    ) -> Option<ShiftContact> {
        let trees = self.tree_pair(candidate);
        let shift = TranslationQuery::new(&trees, direction);
        // Shift 0 is the smallest possible, so any contact there suffices.
        let touch = shift.first_contact_or_below(0.0..=to, 0.0, &[], tree);
        if touch.is_some_and(|touch| touch.shift == 0.0) {
            return touch;
        }
        // A start inside a solid is a contact, even if the surfaces touch later or not at all.
        match starts && trees.touches_at(Accuracy::Exact, tree) {
            true => Some(ShiftContact::INSIDE),
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
        let (near, buffers, simd) = (&mut pairs.near_indices, self.buffers, self.buffers.simd);
        let everyone = matches!(query.scope, QueryScope::Of(_));
        part_candidates.clear();
        for &a in first {
            let moving = self.moving_parts(query, a, moving_parts);
            if moving.is_empty() {
                continue;
            }
            near.clear();
            let size = match everyone {
                true => self.max_coordinate_sum(None),
                false => second
                    .iter()
                    .fold(0.0, |size: f32, &b| size.max(self.max_coordinate_sum(Some(b)))),
            };
            let slabs = path.slabs([moving.min, moving.max].map(wide_point), size);
            match everyone {
                true => {
                    let bvhs = buffers.character_bvhs();
                    simd.run(RayCharactersKernel { bvhs, slabs: &slabs, stack, found: near });
                    near.retain(|b| !first.contains(b));
                }
                false => near.extend(second),
            }
            for &b in &*near {
                let filter = self.pair_filter(query, [a, b]);
                if filter.rejects_all(&query.excluded) {
                    continue;
                }
                let range = self.character(b).0.range;
                let blocks = buffers.part_aabbs.range_blocks(range);
                for &(part, bounds) in &*moving_parts {
                    let slabs = &path.slabs(bounds.corners(), size);
                    let len = range.len;
                    simd.run(RayBoxesKernel { slabs, blocks, len, found: entry_shifts });
                    let near = entry_shifts.iter();
                    part_candidates.extend(near.filter_map(|&(lower_bound, slot)| {
                        let other = self.cast_obstacle(&filter, part, slot as usize)?;
                        let key = Candidate { a: (a, part), b: (b, other) }.unordered();
                        Some(Bounded { lower_bound, key })
                    }));
                }
            }
        }
    }

    /// Writes the parts of a moving character that the query is about, with their AABBs; returns
    /// the AABB around these.
    fn moving_parts(
        &self,
        query: &PairQuery<'_>,
        index: u32,
        parts: &mut Vec<(PartId, AabbF32)>,
    ) -> Aabb<T, 3> {
        parts.clear();
        let mut around = Aabb::empty();
        for (part, placed) in self.parts(index).iter().enumerate() {
            let id = PartId::new(part);
            if !placed.bounds.is_empty() && query.may_be_first(id) {
                around = around.merged(&placed.bounds);
                parts.push((id, AabbF32::new(&placed.bounds)));
            }
        }
        around
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

/// A straight path in the world.
struct Path {
    /// Direction of length 1; any, if the path has no length.
    direction: Vec3,
    length: f64,
}

impl Path {
    fn new(displacement: Vec3) -> Self {
        let length = length(displacement);
        let direction =
            if length > 0.0 { scale(displacement, 1.0 / length) } else { [1.0, 0.0, 0.0] };
        Path { direction, length }
    }

    /// Prepares the motion of a box, given by its corners, for boxes whose
    /// [`l1_radius`](crate::broad_phase::l1_radius) is at most `size`.
    fn slabs(&self, [low, high]: [Vec3; 2], size: f32) -> RaySlabs {
        let center = [0, 1, 2].map(|i| 0.5 * low[i] + 0.5 * high[i]);
        let half = [0, 1, 2].map(|i| {
            let (up, down) = (high[i] - center[i], center[i] - low[i]);
            if down > up { down } else { up }
        });
        let ray = WorldRay { from: center, direction: self.direction, end: self.length };
        RaySlabs::swept(&ray, half, size)
    }
}
