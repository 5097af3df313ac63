//! The parts nearest to a point: distance and closest point of each.

use std::ops::Deref;

use nalgebra::Point3;

use crate::error::Error;
use crate::model::{DistanceLimit, PartId};
use crate::num::{Scalar, check_coordinates};
use crate::pair::ClosestPoints;
use crate::scene::{NodeRef, QueryFilter, Report, Snapshot};
use crate::shape::{Aabb, Mesh, Pose};
use crate::tree::{
    Build, Counts, Geometry, NodeId, ObbTree, OrderedPair, PlacedTree, TreePair, TreeScratch,
    check_distance,
};

/// The closest point of a part to a point in space: `a` is the node of the part with `on_a`; `on_b`
/// is the point in space.
pub type ClosestPart<T> = ClosestPoints<T, NodeRef, ()>;

/// The answers of [`Snapshot::closest_parts`], a slice, the nearest part first. Kept from tick to
/// tick: no query allocates after the first few.
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
    candidates: Vec<PartCandidate>,
    scratch: TreeScratch,
    /// A tree of one point, the origin.
    point_tree: Option<ObbTree<T>>,
}

/// A part that may be near enough, with the distance of its world AABB as lower bound.
#[derive(Debug, Clone, Copy)]
struct PartCandidate {
    lower_bound: f64,
    index: u32,
    part: PartId,
}

impl<T: Scalar> Default for ClosestParts<T> {
    fn default() -> Self {
        let (found, candidates) = (Vec::new(), Vec::new());
        ClosestParts { found, candidates, scratch: TreeScratch::default(), point_tree: None }
    }
}

impl<T: Scalar> ClosestParts<T> {
    /// Returns an empty value.
    pub fn new() -> Self {
        ClosestParts::default()
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
        max_distance: f64,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<Report<T>, Error> {
        self.collect_part_candidates(point, max_distance, filter, closest)?;
        let ClosestParts { found, candidates, scratch, point_tree } = closest;
        let probe =
            PointQuery { now: self, point_tree: point_tree.as_ref(), position: point, filter };
        found
            .extend(candidates.iter().filter_map(|one| probe.distance(one, max_distance, scratch)));
        let order = |one: &ClosestPart<T>| (self.buffers.indices[one.a.character.slot], one.a.part);
        found.sort_unstable_by(|a, b| {
            let by_distance = a.distance.wide().total_cmp(&b.distance.wide());
            by_distance.then_with(|| order(a).cmp(&order(b)))
        });
        Ok(closest.report())
    }

    /// Finds the part nearest to the point and no further than `max_distance`; `None` if there is
    /// none. Everything else is as for [`Snapshot::closest_parts`]. Of equally near parts it
    /// returns the one whose world AABB is nearer, then the first. At an accuracy coarser than
    /// primitives it may differ from the first of [`Snapshot::closest_parts`], because parts
    /// certainly further than the best so far are skipped.
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
        max_distance: f64,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<Option<ClosestPart<T>>, Error> {
        self.collect_part_candidates(point, max_distance, filter, closest)?;
        let ClosestParts { found, candidates, scratch, point_tree } = closest;
        candidates.sort_unstable_by(|a, b| {
            let by_box = a.lower_bound.total_cmp(&b.lower_bound);
            by_box.then_with(|| (a.index, a.part).cmp(&(b.index, b.part)))
        });
        let probe =
            PointQuery { now: self, point_tree: point_tree.as_ref(), position: point, filter };
        for one in candidates {
            let limit = found.first().map_or(max_distance, |best| best.distance.wide());
            if one.lower_bound > limit {
                break;
            }
            if let Some(next) = probe.distance(one, limit, scratch)
                && found.first().is_none_or(|best| next.distance < best.distance)
            {
                found.clear();
                found.push(next);
            }
        }
        Ok(found.first().copied())
    }

    /// Collects the parts whose AABB is near enough, in the order of characters and parts.
    fn collect_part_candidates(
        &self,
        point: Point3<T>,
        max_distance: f64,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<(), Error> {
        closest.found.clear();
        closest.candidates.clear();
        closest.scratch.counts = Counts::default();
        check_coordinates(point.coords.as_slice(), "point", 0)?;
        check_distance(filter.distance_accuracy(), max_distance)?;
        let one = filter.check(self)?;
        if closest.point_tree.is_none() {
            let mesh = Mesh::new(vec![Point3::origin()], vec![[0; 3]])?;
            closest.point_tree = Some(ObbTree::build(Geometry::Surface(mesh), &Build::fast())?);
        }
        let (limit, point_aabb) = (DistanceLimit::new(max_distance), Aabb::new(point, point));
        let indices = one.map_or(0..self.buffers.entries.len() as u32, |one| one..one + 1);
        for index in indices {
            let (entry, character) = self.character(index);
            closest.scratch.counts.characters += 1;
            if entry.bounds.is_empty()
                || limit.exceeded_by(&entry.bounds, &point_aabb)
                || filter.excludes(self.key_at(index))
            {
                continue;
            }
            for (part, placed) in self.parts(index).iter().enumerate() {
                let id = PartId::new(part);
                let node = || self.node_ref([index, part as u32, 0]);
                if placed.bounds.is_empty() {
                    continue;
                }
                closest.scratch.counts.parts += 1;
                if let Some(lower_bound) = limit.lower_bound_within(&placed.bounds, &point_aabb)
                    && filter.includes(character, id, node)
                {
                    closest.candidates.push(PartCandidate { lower_bound, index, part: id });
                }
            }
        }
        Ok(())
    }
}

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
    /// Returns the distance of a part from the point, unless it is more than `limit`.
    fn distance(
        &self,
        one: &PartCandidate,
        limit: f64,
        tree: &mut TreeScratch,
    ) -> Option<ClosestPart<T>> {
        let (entry, character) = self.now.character(one.index);
        let pose = &character.poses[one.part.index()];
        let part = character.model.placed_tree(one.part, pose, entry.order);
        let pose =
            Pose::from_parts(self.position.coords.into(), nalgebra::UnitQuaternion::identity());
        let point_tree = self.point_tree?;
        let point =
            PlacedTree { tree: point_tree, pose, tie_break: (point_tree.fingerprint(), 0, 0) };
        let pair = TreePair::from_ordered(OrderedPair::new(part, point));
        let found = pair.distance_checked(self.filter.distance_accuracy(), limit, tree)?;
        let node = |node: NodeId| [one.index, one.part.index() as u32, node.index() as u32];
        let mut found = found.with_owners(self.now.node_ref(node(found.a)), ());
        // Rounding must not move the caller's point.
        found.on_b = self.position;
        Some(found)
    }
}
