//! The parts nearest to a point: distance and closest point of each.

use std::ops::Deref;

use nalgebra::Point3;

use crate::broad_phase::{AabbF32, DistanceLimit, NearChild, WordDistances};
use crate::error::Error;
use crate::model::PartId;
use crate::narrow_phase::{BestCandidate, BoundedCandidate, Evaluation, improve};
use crate::num::{Scalar, check_coordinates};
use crate::pair::ClosestPoints;
use crate::scene::state::character::Character;
use crate::scene::{NodeRef, QueryFilter, Report, Snapshot};
use crate::shape::{Aabb, Mesh, Pose, wide_point};
use crate::tree::{
    Accuracy, Build, Counts, Geometry, NodeId, ObbTree, OrderedPair, PlacedTree, TreePair,
    TreeScratch, check_distance, root_distance_from_point,
};

/// The closest point of a part to a point in space: `a` is the node of the part with `on_a`; `on_b`
/// is the point in space.
pub type ClosestPart<T> = ClosestPoints<T, NodeRef, ()>;

/// The answers of [`Snapshot::closest_parts`] and [`Snapshot::closest_characters`], a slice, the
/// nearest part first. Kept from tick to tick: no query allocates after the first few.
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
/// use boxwood::{ClosestParts, QueryFilter};
///
/// let mut closest = ClosestParts::new();
/// let above = Point3::new(0.0, 2.0, 0.0);
/// now.closest_parts(above, 10.0, &QueryFilter::all(), &mut closest)?;
/// assert_eq!((closest[0].a.character, closest[1].a.character), (red, blue));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ClosestParts<T: Scalar> {
    found: Vec<ClosestPart<T>>,
    candidates: Vec<BoundedCandidate<(u32, PartId)>>,
    /// The characters near the point, by index.
    characters: Vec<u32>,
    stack: Vec<NearChild>,
    scratch: TreeScratch,
    /// A tree of one point, the origin.
    point_tree: Option<ObbTree<T>>,
}

impl<T: Scalar> Default for ClosestParts<T> {
    fn default() -> Self {
        ClosestParts {
            found: Vec::new(),
            candidates: Vec::new(),
            characters: Vec::new(),
            stack: Vec::new(),
            scratch: TreeScratch::default(),
            point_tree: None,
        }
    }
}

impl<T: Scalar> ClosestParts<T> {
    /// Returns an empty value.
    pub fn new() -> Self {
        ClosestParts::default()
    }

    /// Returns the numbers of tests of the last query.
    pub fn counts(&self) -> &Counts {
        &self.scratch.counts
    }
}

impl<T: Scalar> Deref for ClosestParts<T> {
    type Target = [ClosestPart<T>];
    fn deref(&self) -> &[ClosestPart<T>] {
        &self.found
    }
}

impl<T: Scalar> Snapshot<'_, T> {
    /// Finds all parts no further from the point than `max_distance`, the nearest first, with their
    /// closest points and distances: the parts that an explosion hits, for example; it pushes along
    /// `on_a - on_b`.
    ///
    /// Each distance is that of [`TreePair::distance`]: by default between the point and the part's
    /// primitives, zero inside a solid part. At a coarser [`Accuracy`](crate::Accuracy) the boxes
    /// of the cut decide, and the distance never exceeds that of the geometry by more than the
    /// rounding stated there; a part whose geometry is certainly further than `max_distance` may
    /// then be missing, although a box of its cut is not. Equally near parts are sorted by order of
    /// the character, then part.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for the point; [`Error::NotFinite`] and
    /// [`Error::Negative`] for a tolerance or the largest distance, which may be infinite;
    /// [`Error::BadQuery`] for a budget; [`Error::StaleKey`], [`Error::ForeignKey`] and
    /// [`Error::IndexOutOfRange`] for what the filter names. Then there are no answers.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{ClosestParts, QueryFilter};
    ///
    /// // Two unit cubes, 0.9 apart along x; a blast 1.5 above the first, which reaches 1.52.
    /// let (mut closest, blast) = (ClosestParts::new(), Point3::new(0.0, 2.0, 0.0));
    /// now.closest_parts(blast, 1.52, &QueryFilter::all(), &mut closest)?;
    /// assert_eq!(closest.len(), 1);
    /// assert!((closest[0].distance - 1.5).abs() < 1e-5);
    /// let push = (closest[0].on_a - blast).normalize();
    /// assert!((push - -Vector3::y()).norm() < 1e-5);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn closest_parts(
        &self,
        point: Point3<T>,
        max_distance: impl Into<f64>,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<Report<T>, Error> {
        self.find_closest_parts(point, max_distance.into(), filter, closest)
    }

    fn find_closest_parts(
        &self,
        point: Point3<T>,
        max_distance: f64,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<Report<T>, Error> {
        let one = self.start_closest(point, max_distance, filter, closest)?;
        let ClosestParts { found, stack, scratch, point_tree, .. } = closest;
        let query =
            PointQuery { now: self, point_tree: point_tree.as_ref(), position: point, filter };
        let mut near = PartsNearPoint::new(&query, one, stack);
        let accuracy = filter.options.distance_accuracy();
        near.visit(max_distance, |parts, _| {
            for (part, _) in parts.lower_bounds() {
                let key = (parts.index, part);
                let bound = query.root_distance(key, accuracy, scratch);
                if bound.is_none_or(|bound| bound <= max_distance) {
                    found.extend(query.distance(key, accuracy, max_distance, scratch));
                }
            }
        });
        near.count_into(&mut scratch.counts);
        self.sort_nearest_first(found);
        Ok(closest.report())
    }

    /// Finds the part nearest to the point and no further than `max_distance`; `None` if there is
    /// none. Everything else is as for [`Snapshot::closest_parts`]. At an accuracy coarser than
    /// primitives it may differ from the first of [`Snapshot::closest_parts`], because parts
    /// certainly further than the best so far are skipped.
    ///
    /// The number of tests grows with the number of characters like the height of a tree over them,
    /// whatever `max_distance`: the search begins at the part whose AABB is nearest.
    ///
    /// # Errors
    /// The errors of [`Snapshot::closest_parts`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{ClosestParts, QueryFilter};
    ///
    /// let (mut closest, at) = (ClosestParts::new(), Point3::new(0.9, 2.0, 0.0));
    /// let near = now.closest_part(at, 10.0, &QueryFilter::all(), &mut closest)?;
    /// assert_eq!(near.map(|near| near.a.character), Some(blue));
    /// assert!(now.closest_part(at, 1.0, &QueryFilter::all(), &mut closest)?.is_none());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn closest_part(
        &self,
        point: Point3<T>,
        max_distance: impl Into<f64>,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<Option<ClosestPart<T>>, Error> {
        self.find_closest_part(point, max_distance.into(), filter, closest)
    }

    fn find_closest_part(
        &self,
        point: Point3<T>,
        max_distance: f64,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<Option<ClosestPart<T>>, Error> {
        let one = self.start_closest(point, max_distance, filter, closest)?;
        let ClosestParts { found, candidates, stack, scratch, point_tree, .. } = closest;
        let query =
            PointQuery { now: self, point_tree: point_tree.as_ref(), position: point, filter };
        let mut near = PartsNearPoint::new(&query, one, stack);
        found.extend(near.closest(max_distance, candidates, scratch));
        near.count_into(&mut scratch.counts);
        Ok(found.first().copied())
    }

    /// Finds all characters no further from the point than `max_distance`, the nearest first, one
    /// answer each: its nearest part, as of [`Snapshot::closest_part`] about that character alone.
    /// For what happens once to a character, such as the damage of an explosion.
    ///
    /// Equally near characters are sorted by order.
    ///
    /// The number of tests grows with the number of characters like the height of a tree over
    /// them, plus the number of characters found; of each, parts whose AABBs are further than its
    /// best so far are skipped.
    ///
    /// # Errors
    /// The errors of [`Snapshot::closest_parts`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{ClosestParts, QueryFilter};
    ///
    /// let (mut closest, blast) = (ClosestParts::new(), Point3::new(-1.0, 0.0, 0.0));
    /// now.closest_characters(blast, 3, &QueryFilter::all(), &mut closest)?;
    /// let hit: Vec<_> = closest.iter().map(|near| near.a.character).collect();
    /// assert_eq!(hit, [red, blue]);
    /// assert!((closest[0].distance - 0.5).abs() < 1e-5);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn closest_characters(
        &self,
        point: Point3<T>,
        max_distance: impl Into<f64>,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<Report<T>, Error> {
        self.find_closest_characters(point, max_distance.into(), filter, closest)
    }

    fn find_closest_characters(
        &self,
        point: Point3<T>,
        max_distance: f64,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<Report<T>, Error> {
        let one = self.start_closest(point, max_distance, filter, closest)?;
        let ClosestParts { found, candidates, characters, stack, scratch, point_tree } = closest;
        characters.clear();
        let mut compared = 0;
        match one {
            Some(index) => characters.push(index),
            None => {
                let around = AabbF32::new(&Aabb::new(point, point));
                let (stack, mut limit) = (&mut *stack, DistanceLimit::<T>::new(max_distance));
                let bvhs = self.buffers.character_bvhs();
                compared =
                    bvhs.visit_near(self.buffers.simd, stack, around, &mut limit, |index, _| {
                        characters.push(index)
                    });
            }
        }
        let query =
            PointQuery { now: self, point_tree: point_tree.as_ref(), position: point, filter };
        let mut parts_compared = 0;
        for &index in characters.iter() {
            let mut near = PartsNearPoint::new(&query, Some(index), stack);
            found.extend(near.closest(max_distance, candidates, scratch));
            parts_compared += near.compared[1];
        }
        compared += characters.len() as u64;
        [scratch.counts.characters, scratch.counts.parts] = [compared, parts_compared];
        self.sort_nearest_first(found);
        Ok(closest.report())
    }

    /// Sorts answers by distance, then by order of the character, then part.
    fn sort_nearest_first(&self, found: &mut [ClosestPart<T>]) {
        let order = |one: &ClosestPart<T>| (self.buffers.indices[one.a.character.slot], one.a.part);
        found.sort_unstable_by(|a, b| {
            let by_distance = a.distance.wide().total_cmp(&b.distance.wide());
            by_distance.then_with(|| order(a).cmp(&order(b)))
        });
    }

    /// Clears the answers and checks the query; returns the index of the only character that it is
    /// about, if there is one.
    fn start_closest(
        &self,
        point: Point3<T>,
        max_distance: f64,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<Option<u32>, Error> {
        closest.found.clear();
        (closest.scratch.counts, closest.scratch.simd) = (Counts::default(), self.buffers.simd);
        check_coordinates(point.coords.as_slice(), "point", 0)?;
        check_distance(filter.options.distance_accuracy(), max_distance)?;
        let one = filter.check(self)?;
        if closest.point_tree.is_none() {
            let mesh = Mesh::new(vec![Point3::origin()], vec![[0; 3]])?;
            closest.point_tree = Some(ObbTree::build(Geometry::Surface(mesh), &Build::fast())?);
        }
        Ok(one)
    }
}

/// A search for the parts near a point. Distances of AABBs are the lower bounds.
struct PartsNearPoint<'p, 'a, T: Scalar> {
    query: &'p PointQuery<'p, 'a, T>,
    /// The only character, if there is one.
    one: Option<u32>,
    /// Box of the point.
    around: AabbF32,
    stack: &'p mut Vec<NearChild>,
    /// Numbers of AABBs compared: of characters, of parts.
    compared: [u64; 2],
}

impl<'p, 'a, T: Scalar> PartsNearPoint<'p, 'a, T> {
    fn new(
        query: &'p PointQuery<'p, 'a, T>,
        one: Option<u32>,
        stack: &'p mut Vec<NearChild>,
    ) -> Self {
        let around = AabbF32::new(&Aabb::new(query.position, query.position));
        PartsNearPoint { query, one, around, stack, compared: [0; 2] }
    }

    /// Returns the part nearest to the point, unless it is further than `max_distance`.
    fn closest(
        &mut self,
        max_distance: f64,
        candidates: &mut Vec<BoundedCandidate<(u32, PartId)>>,
        scratch: &mut TreeScratch,
    ) -> Option<ClosestPart<T>> {
        let (query, mut best) = (self.query, None);
        let accuracy = query.filter.options.distance_accuracy();
        self.visit(max_distance, |parts, limit| {
            let candidate = |(part, bound)| BoundedCandidate::new(bound, (parts.index, part));
            candidates.clear();
            match parts.filter {
                // A part that the filter leaves out says nothing about how near another is.
                Some(_) => candidates.extend(parts.lower_bounds().map(candidate)),
                None => candidates.extend(parts.least_lower_bounds().map(candidate)),
            }
            if candidates.is_empty() {
                return;
            }
            // Equal distances are compared by key, so the order of characters has no effect.
            let limits = [limit.value(), f64::NEG_INFINITY];
            improve(&mut best, candidates, limits, |one, limit| {
                if !one.is_refined
                    && let Some(bound) = query.root_distance(one.key, accuracy, scratch)
                {
                    return Evaluation::LowerBound(bound);
                }
                let found = query.distance(one.key, accuracy, limit, scratch);
                Evaluation::new(found, |found| found.distance.wide())
            });
            if let Some(best) = &best {
                limit.lower_to(limit.value().min(best.value));
            }
        });
        best.map(|best: BestPart<T>| best.answer)
    }

    /// Calls `visit` with the parts of each character that may be within the limit, up to
    /// [`MASK_BITS`](crate::broad_phase::MASK_BITS) at a time, roughly the nearest character first.
    /// It may lower the limit, so that fewer follow.
    #[inline(always)]
    fn visit(
        &mut self,
        max_distance: f64,
        mut visit: impl FnMut(&PartDistances<'_, 'a, T>, &mut DistanceLimit<T>),
    ) {
        let PointQuery { now, filter, .. } = *self.query;
        let now = *now;
        let (buffers, around) = (now.buffers, self.around);
        let [characters, parts] = &mut self.compared;
        let mut visit_character = |index: u32, limit: &mut DistanceLimit<T>| {
            let (entry, character) = now.character(index);
            if entry.bounds.is_empty() || filter.rejects_all(now.key_at(index), character) {
                return;
            }
            let filter = (!filter.includes_all(character)).then_some(filter);
            let boxes = (buffers.simd, entry.range, around);
            *parts += buffers.part_aabbs.visit_lower_bounds(boxes, limit, |distances, limit| {
                visit(&PartDistances { now, filter, index, character, distances }, limit);
            });
        };
        let mut limit = DistanceLimit::new(max_distance);
        *characters += match self.one {
            Some(index) => {
                visit_character(index, &mut limit);
                1
            }
            None => buffers.character_bvhs().visit_near(
                buffers.simd,
                self.stack,
                around,
                &mut limit,
                visit_character,
            ),
        };
    }

    fn count_into(&self, counts: &mut Counts) {
        [counts.characters, counts.parts] = self.compared;
    }
}

/// Parts of a character that may be within the limit.
struct PartDistances<'w, 'a, T: Scalar> {
    now: Snapshot<'a, T>,
    /// The filter, unless it includes all parts of the character.
    filter: Option<&'w QueryFilter<'w>>,
    index: u32,
    character: &'a Character<T>,
    distances: &'w WordDistances<'w>,
}

impl<T: Scalar> PartDistances<'_, '_, T> {
    /// Returns the parts that the filter includes, each with a lower bound on its distance.
    #[inline(always)]
    fn lower_bounds(&self) -> impl Iterator<Item = (PartId, f64)> + '_ {
        let bounds = self.distances.lower_bounds();
        let bounds = bounds.map(|(slot, bound)| (self.character.model.part_at(slot), bound));
        bounds.filter(|&(part, _)| {
            let node = || self.now.node_ref([self.index, part.index() as u32, 0]);
            self.filter.is_none_or(|filter| filter.includes(self.character, part, node))
        })
    }

    /// Returns the parts that may be the nearest of all, whatever the filter, each with a lower
    /// bound on its distance.
    #[inline(always)]
    fn least_lower_bounds(&self) -> impl Iterator<Item = (PartId, f64)> + '_ {
        let bounds = self.distances.least_lower_bounds();
        bounds.map(|(slot, bound)| (self.character.model.part_at(slot), bound))
    }
}

/// The nearest part so far: by distance, then by index of the character and part.
type BestPart<T> = BestCandidate<(u32, PartId), ClosestPart<T>>;

impl<T: Scalar> ClosestParts<T> {
    fn report(&self) -> Report<T> {
        let slacks = self.found.iter().map(|one| one.slack);
        let slack = slacks.fold(T::zero(), |most, slack| if slack > most { slack } else { most });
        Report { slack, met: true, counts: self.scratch.counts }
    }
}

/// The distance query from one point to many parts.
struct PointQuery<'p, 'a, T: Scalar> {
    now: &'p Snapshot<'a, T>,
    point_tree: Option<&'p ObbTree<T>>,
    position: Point3<T>,
    filter: &'p QueryFilter<'p>,
}

impl<T: Scalar> PointQuery<'_, '_, T> {
    /// Returns a lower bound on the distance of a part by its root box, if that bounds it.
    fn root_distance(
        &self,
        (index, part): (u32, PartId),
        accuracy: Accuracy,
        scratch: &mut TreeScratch,
    ) -> Option<f64> {
        let tree = self.now.character(index).1.model.tree(part);
        let place = self.now.placement(index, part.index());
        let point = wide_point(self.position);
        root_distance_from_point((tree, &place), accuracy, point, &mut scratch.counts)
    }

    /// Returns the distance of a part from the point, unless it is more than `limit`.
    fn distance(
        &self,
        (index, part_id): (u32, PartId),
        accuracy: Accuracy,
        limit: f64,
        tree: &mut TreeScratch,
    ) -> Option<ClosestPart<T>> {
        let part = self.now.placed_tree((index, part_id));
        let pose =
            Pose::from_parts(self.position.coords.into(), nalgebra::UnitQuaternion::identity());
        let point_tree = self.point_tree?;
        let point =
            PlacedTree { tree: point_tree, pose, tie_break: (point_tree.fingerprint(), 0, 0) };
        let pair = TreePair::from_ordered(OrderedPair::new(part, point));
        let found = pair.distance_checked(accuracy, limit, tree)?;
        let node = |node: NodeId| [index, part_id.index() as u32, node.index() as u32];
        let mut found = found.with_owners(self.now.node_ref(node(found.a)), ());
        // Rounding must not move the caller's point.
        found.on_b = self.position;
        Some(found)
    }
}
