//! Separation of characters: the least translation out of an overlap.

use super::separation_scratch::{ListedPart, SeparatedPart, SeparationScratch};
use crate::broad_phase::Nearness;
use crate::error::Error;
use crate::model::PartId;
use crate::narrow_phase::{BoundedCandidate, Candidate, Evaluation, best_first};
use crate::num::linear::{Mat3, Vec3, cross, dot, length, perpendicular, scale};
use crate::num::{Scalar, precompiled};
use crate::scene::filter::pair_query::QueryScope;
use crate::scene::pairs::hits::PairScratch;
use crate::scene::{NodeRef, PairQuery, QueryScratch, Snapshot};
use crate::tree::{
    Accuracy, BOX_COUNT, Incumbent, LastContact, Push, Separation, SeparationPair, ShiftContact,
    TranslationQuery, WitnessCache, search_separation,
};

/// Bound on the rounding of positions along a direction, as a share of these: `2^13 e`.
const PROJECTION_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

precompiled! {
    fn separation<'a, T>(
        now: Snapshot<'a, T>,
        query: &'a PairQuery<'a>,
        push: &'a Push<T>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<Option<Separation<T, NodeRef>>, Error> {
        now.separation_checked(query, push, scratch)
    }
}

impl<T: Scalar> Snapshot<'_, T> {
    /// Computes a short translation of the second of two characters after which nothing that the
    /// query is about touches; `None` if nothing touches now, by the exact test, insides included.
    ///
    /// For a query about [one character](PairQuery::of) that one is the first; the second are all
    /// characters whose world AABBs overlap its own now, as one body: moving the first by
    /// `-normal * depth` separates it from them. All part pairs that the query names count,
    /// touching or not: the translation leads into none of them. The query's accuracy, detail and
    /// attacker order are ignored.
    ///
    /// The answer is a pure function of the snapshot, the query and the push. Swapped characters
    /// and the opposite direction of the push give the [reversed](Separation::reversed) answer, bit
    /// for bit.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part;
    /// [`Error::BadQuery`] for a query about all characters, or about one and itself;
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for the push.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Push, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
    /// # let mut buffers = Buffers::new();
    /// # let now = scene.snapshot(&mut buffers);
    /// // Two unit cubes, 0.9 apart along x: along the ground, where y is up.
    /// let mut scratch = boxwood::QueryScratch::new();
    /// let push = Push::across(Vector3::y_axis());
    /// let way = now.separation(&PairQuery::between(red, blue), &push, &mut scratch)?;
    /// let way = way.expect("they touch");
    /// assert_eq!(way.normal, Vector3::x_axis()); // to move blue
    /// assert!((way.depth - 0.1).abs() < 1e-6);
    /// // The next frame keeps to it.
    /// let _steady = push.near(way.normal);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn separation(
        &self,
        query: &PairQuery<'_>,
        push: &Push<T>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<Separation<T, NodeRef>>, Error> {
        push.check()?;
        query.check(self.scene)?;
        separation(*self, query, push, scratch)
    }

    pub(in crate::scene) fn separation_checked(
        &self,
        query: &PairQuery<'_>,
        push: &Push<T>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<Separation<T, NodeRef>>, Error> {
        scratch.clear(self.buffers.simd);
        let swapped = self.collect_parts(query, scratch)?;
        let Some(witnesses) = self.find_witness(scratch) else { return Ok(None) };
        let mut part_pairs = MovingPartPairs { now: self, scratch, witnesses };
        let Some(best) = search_separation::<T>(&mut part_pairs, &push.wide(swapped)) else {
            return Ok(None);
        };
        let candidate = part_pairs.candidate(best.contact.pair);
        let pair = self.tree_pair(&candidate);
        let last =
            TranslationQuery::new(&pair, scale(best.normal, -1.0)).contact(&best.contact.contact);
        let at_least =
            push.separation_lower_bound(&pair, [last.on_a, last.on_b], &mut scratch.narrow.tree);
        let separation = Separation::new(best.normal, last.negated(), at_least);
        let (a, b) = self.node_refs(candidate.key(separation.a, separation.b));
        let way = separation.with_ids(a, b);
        Ok(Some(if swapped { way.reversed() } else { way }))
    }

    /// Collects the parts of the query's characters and the part pairs that it is about. The second
    /// side of one character are those whose AABBs overlap its own. Returns `true` if the sides are
    /// swapped: of two characters the one of lower index is the first side.
    fn collect_parts(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        let swapped = match query.two_sides()? {
            (a, Some(b)) => self.find_character(b)?.0 < self.find_character(a)?.0,
            (_, None) => false,
        };
        let QueryScratch { separation, pairs: PairScratch { sets, near_indices, .. }, .. } =
            scratch;
        separation.clear();
        self.find_character_sets(query, sets)?;
        let [first, second] = &mut *sets;
        if let QueryScope::Of(_) = query.scope {
            for &a in &*first {
                let entry = self.character(a).0;
                let one = (entry.bounds_f32, Nearness::OVERLAP);
                self.buffers.character_list().find_near(self.buffers.simd, one, near_indices);
                let overlaps = |b: &u32| entry.bounds.intersects(&self.character(*b).0.bounds);
                second.extend(near_indices.iter().filter(|b| !first.contains(b) && overlaps(b)));
            }
            second.sort_unstable();
            second.dedup();
        }
        // Lists no parts of characters that the filter rejects as a whole.
        let may_pair = |a: u32, b: u32| !self.pair_filter(query, [a, b]).rejects_all();
        second.retain(|&b| first.iter().any(|&a| may_pair(a, b)));
        first.retain(|&a| second.iter().any(|&b| may_pair(a, b)));
        if swapped {
            std::mem::swap(first, second);
        }
        first.iter().for_each(|&index| self.list_parts(index, &mut separation.listed[0]));
        second.iter().for_each(|&index| self.list_parts(index, &mut separation.listed[1]));
        self.collect_pairs(query, swapped, separation);
        Ok(swapped)
    }

    /// Collects the part pairs that the query is about, and the parts that occur in any: others
    /// must not influence the answer.
    fn collect_pairs(
        &self,
        query: &PairQuery<'_>,
        swapped: bool,
        SeparationScratch { listed: [one, other], sides, pairs, .. }: &mut SeparationScratch,
    ) {
        let of_one = |x: &ListedPart, y: &ListedPart| x.part.0 == y.part.0;
        for ones in one.chunk_by_mut(of_one) {
            for others in other.chunk_by_mut(of_one) {
                let indices = [ones[0].part.0, others[0].part.0];
                // The query's parts are those of its first and second character, before swapping.
                let indices = if swapped { [indices[1], indices[0]] } else { indices };
                let filter = self.pair_filter(query, indices);
                if filter.rejects_all() {
                    continue;
                }
                for x in ones.iter_mut() {
                    for y in others.iter_mut() {
                        let (a, b) = (x.part.1, y.part.1);
                        let [a, b] = if swapped { [b, a] } else { [a, b] };
                        if filter.accepts(a, b) {
                            pairs.push([
                                self.side_index(x, &mut sides[0]),
                                self.side_index(y, &mut sides[1]),
                            ]);
                        }
                    }
                }
            }
        }
    }

    /// Lists the parts of a character that have geometry and are not switched off.
    fn list_parts(&self, character_index: u32, listed: &mut Vec<ListedPart>) {
        let parts = self.parts(character_index).iter().enumerate();
        let with_geometry = parts.filter(|(_, placed)| !placed.bounds.is_empty());
        listed.extend(with_geometry.map(|(index, _)| ListedPart {
            part: (character_index, PartId::new(index)),
            side_index: None,
        }));
    }

    /// Returns the index of a part in its side; appends it, if no pair before contained it.
    fn side_index(&self, listed: &mut ListedPart, side: &mut Vec<SeparatedPart>) -> u32 {
        *listed.side_index.get_or_insert_with(|| {
            let (character, part) = listed.part;
            let placement = &self.parts(character)[part.index()].placement;
            let root_box = self.character(character).1.model.tree(part).root_obb();
            side.push(SeparatedPart {
                part: listed.part,
                root_box: root_box.placed(placement),
                intervals: [[0.0; 2]; 3],
            });
            side.len() as u32 - 1
        })
    }

    /// Finds any pair that touches without translation, by the exact test, insides included.
    fn find_witness(&self, scratch: &mut QueryScratch<T>) -> Option<WitnessCache> {
        let SeparationScratch { sides, pairs, .. } = &scratch.separation;
        let bounds = |(place, part): (u32, PartId)| &self.parts(place)[part.index()].bounds;
        pairs.iter().enumerate().find_map(|(number, &[i, j])| {
            let (a, b) = (sides[0][i as usize].part, sides[1][j as usize].part);
            if !bounds(a).intersects(bounds(b)) {
                return None;
            }
            let trees = self.tree_pair(&Candidate { a, b });
            let touches = trees.touches_at(Accuracy::Exact, &mut scratch.narrow.tree);
            touches.then(|| WitnessCache::new(number as u32))
        })
    }
}

/// The part pairs of a query; the second sides move.
struct MovingPartPairs<'s, 'a, T: Scalar> {
    now: &'s Snapshot<'a, T>,
    scratch: &'s mut QueryScratch<T>,
    witnesses: WitnessCache,
}

impl<T: Scalar> MovingPartPairs<'_, '_, T> {
    fn candidate(&self, pair: u32) -> Candidate {
        let SeparationScratch { sides, pairs, .. } = &self.scratch.separation;
        let [i, j] = pairs[pair as usize];
        Candidate { a: sides[0][i as usize].part, b: sides[1][j as usize].part }
    }

    /// Collects the pairs that may touch while the second sides are translated along a direction,
    /// with lower bounds on the shift of their contact.
    fn collect_candidates(&mut self, direction: Vec3) {
        let SeparationScratch { sides, pairs, candidates, .. } = &mut self.scratch.separation;
        let axes = shift_frame(direction);
        for side in sides.iter_mut().flatten() {
            side.intervals = axes.map(|axis| {
                let (center, padded_radius) =
                    (dot(axis, side.root_box.center), side.root_box.projected_radius(axis));
                // The shift itself moves boxes across the direction by rounding, at most this much.
                let far = length(side.root_box.center) + side.root_box.radius();
                let projected_radius = padded_radius + PROJECTION_ERROR * far * length(axis);
                [center - projected_radius, center + projected_radius]
            });
        }
        candidates.clear();
        for (index, &[i, j]) in pairs.iter().enumerate() {
            let (a, b) = (&sides[0][i as usize].intervals, &sides[1][j as usize].intervals);
            let is_separated = |k: usize| a[k][0] > b[k][1] || b[k][0] > a[k][1];
            if !is_separated(0) && !is_separated(1) {
                let lower_bound = a[2][0] - b[2][1];
                candidates.push(BoundedCandidate::new(lower_bound, index as u32));
            }
        }
    }

    /// Finds the contact at the smallest shift of all pairs, along the whole line in both
    /// directions; or any contact at a shift of at most `enough`.
    fn contact_on_line(&mut self, direction: Vec3, enough: f64) -> Option<(u32, ShiftContact)> {
        self.collect_candidates(direction);
        let mut candidates = std::mem::take(&mut self.scratch.separation.candidates);
        let best = best_first(&mut candidates, [f64::INFINITY, enough], |one, to| {
            let pair = one.key;
            let trees = self.now.tree_pair(&self.candidate(pair));
            let (shift, range) = (TranslationQuery::new(&trees, direction), f64::NEG_INFINITY..=to);
            let (leaves, len) = self.witnesses.leaves(pair);
            let tree = &mut self.scratch.narrow.tree;
            let touch = shift.first_contact_or_below(range, enough, &leaves[..len], tree);
            Evaluation::new(touch, |touch| touch.shift)
        });
        self.scratch.separation.candidates = candidates;
        best.map(|best| (best.key, best.answer))
    }
}

impl<T: Scalar> SeparationPair for MovingPartPairs<'_, '_, T> {
    fn last_contact(&mut self, normal: Vec3, enough: f64) -> Option<LastContact> {
        let back = scale(normal, -1.0);
        let (pair, contact) = self.contact_on_line(back, -enough)?;
        self.witnesses.store(pair, contact);
        Some(LastContact { shift: -contact.shift, pair, contact })
    }

    fn supporting_plane(&self, Incumbent { normal, contact }: &Incumbent) -> Option<(Vec3, f64)> {
        let trees = self.now.tree_pair(&self.candidate(contact.pair));
        TranslationQuery::new(&trees, scale(*normal, -1.0)).contact_face(&contact.contact)
    }

    fn is_at_least(&mut self, normal: Vec3, shift: f64) -> bool {
        let back = scale(normal, -1.0);
        self.witnesses.witnesses().any(|(pair, touch)| {
            let trees = self.now.tree_pair(&self.candidate(pair));
            let least = TranslationQuery::new(&trees, back).least_shift(&touch);
            least.is_some_and(|least| -least >= shift)
        })
    }

    fn box_axes(&self) -> [Mat3; BOX_COUNT] {
        self.now.tree_pair(&self.candidate(self.witnesses.touching_pair())).box_axes()
    }

    fn estimate_overlaps(&mut self, normals: &[Vec3], overlaps: &mut [f64]) {
        let sides = &self.scratch.separation.sides;
        for (overlap, &normal) in overlaps.iter_mut().zip(normals) {
            let reach = |sides: &[SeparatedPart], sign: f64| {
                let reaches = sides.iter().map(|side| {
                    sign * dot(normal, side.root_box.center)
                        + side.root_box.projected_radius(normal)
                });
                reaches
                    .fold(f64::NEG_INFINITY, |most, reach| if reach > most { reach } else { most })
            };
            *overlap = reach(&sides[0], 1.0) + reach(&sides[1], -1.0);
        }
    }
}

/// Returns two axes across a direction, and one along it that measures shifts in units of its
/// length.
fn shift_frame(direction: Vec3) -> [Vec3; 3] {
    let across = perpendicular(direction);
    [across, cross(direction, across), scale(direction, 1.0 / dot(direction, direction))]
}
