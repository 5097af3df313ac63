//! The parts nearest to a point: distance and closest point of each.

use std::ops::Deref;

use nalgebra::Point3;

use super::{NodeRef, QueryFilter, Report, Snapshot};
use crate::error::Error;
use crate::model::{Most, PartId};
use crate::num::{Scalar, check_coordinates};
use crate::pair::ClosestPoints;
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
/// # boxwood::fixture_snapshot!(scene, red, blue at 0.9, buffers, now);
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
    candidates: Vec<NearPart>,
    tree: TreeScratch,
    /// A tree of one point, the origin.
    point: Option<ObbTree<T>>,
}

/// A part that may be near enough, with the distance of its world AABB as lower bound.
#[derive(Debug, Clone, Copy)]
struct NearPart {
    least: f64,
    place: u32,
    part: PartId,
}

impl<T: Scalar> Default for ClosestParts<T> {
    fn default() -> Self {
        let (found, candidates) = (Vec::new(), Vec::new());
        ClosestParts { found, candidates, tree: TreeScratch::default(), point: None }
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
    /// # boxwood::fixture_snapshot!(scene, red, blue at 0.9, buffers, now);
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
        self.rank(point, max_distance, filter, closest)?;
        let ClosestParts { found, candidates, tree, point: held } = closest;
        let probe = PointProbe { now: self, held: held.as_ref(), at: point, filter };
        found.extend(candidates.iter().filter_map(|one| probe.distance(one, max_distance, tree)));
        let place = |one: &ClosestPart<T>| (self.buffers.index[one.a.character.slot], one.a.part);
        found.sort_unstable_by(|a, b| {
            let by_distance = a.distance.wide().total_cmp(&b.distance.wide());
            by_distance.then_with(|| place(a).cmp(&place(b)))
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
    /// Those of [`Snapshot::closest_parts`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(scene, red, blue at 0.9, buffers, now);
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
        self.rank(point, max_distance, filter, closest)?;
        let ClosestParts { found, candidates, tree, point: held } = closest;
        candidates.sort_unstable_by(|a, b| {
            let by_box = a.least.total_cmp(&b.least);
            by_box.then_with(|| (a.place, a.part).cmp(&(b.place, b.part)))
        });
        let probe = PointProbe { now: self, held: held.as_ref(), at: point, filter };
        for one in candidates {
            let most = found.first().map_or(max_distance, |best| best.distance.wide());
            if one.least > most {
                break;
            }
            if let Some(next) = probe.distance(one, most, tree)
                && found.first().is_none_or(|best| next.distance < best.distance)
            {
                found.clear();
                found.push(next);
            }
        }
        Ok(found.first().copied())
    }

    /// Collects the parts whose AABB is near enough, in the order of characters and parts.
    fn rank(
        &self,
        point: Point3<T>,
        max_distance: f64,
        filter: &QueryFilter<'_>,
        closest: &mut ClosestParts<T>,
    ) -> Result<(), Error> {
        closest.found.clear();
        closest.candidates.clear();
        closest.tree.counts = Counts::default();
        check_coordinates(point.coords.as_slice(), "point", 0)?;
        check_distance(filter.distance_accuracy(), max_distance)?;
        let one = filter.checked(self)?;
        if closest.point.is_none() {
            let mesh = Mesh::new(vec![Point3::origin()], vec![[0; 3]])?;
            closest.point = Some(ObbTree::build(Geometry::Surface(mesh), &Build::fast())?);
        }
        let (most, at) = (Most::new(max_distance), Aabb::new(point, point));
        let places = one.map_or(0..self.buffers.entries.len() as u32, |one| one..one + 1);
        for place in places {
            let (entry, character) = self.character(place);
            closest.tree.counts.characters += 1;
            if entry.bounds.is_empty()
                || most.are_beyond(&entry.bounds, &at)
                || filter.excludes(self.key(place))
            {
                continue;
            }
            for (part, placed) in self.parts(place).iter().enumerate() {
                let id = PartId::new(part);
                let node = || self.node_ref([place, part as u32, 0]);
                if placed.bounds.is_empty() {
                    continue;
                }
                closest.tree.counts.parts += 1;
                if let Some(least) = most.holds(&placed.bounds, &at)
                    && filter.includes(character, id, node)
                {
                    closest.candidates.push(NearPart { least, place, part: id });
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
        Report { slack, met: true, counts: self.tree.counts }
    }
}

/// The distance query from one point to many parts.
struct PointProbe<'p, 'a, T: Scalar> {
    now: &'p Snapshot<'a, T>,
    held: Option<&'p ObbTree<T>>,
    at: Point3<T>,
    filter: &'p QueryFilter<'p>,
}

impl<T: Scalar> PointProbe<'_, '_, T> {
    /// Returns the distance of a part from the point, unless it is more than `limit`.
    fn distance(
        &self,
        one: &NearPart,
        most: f64,
        tree: &mut TreeScratch,
    ) -> Option<ClosestPart<T>> {
        let (entry, character) = self.now.character(one.place);
        let pose = &character.poses[one.part.index()];
        let part = character.model.seat(one.part, pose, entry.order);
        let pose = Pose::from_parts(self.at.coords.into(), nalgebra::UnitQuaternion::identity());
        let held = self.held?;
        let point = PlacedTree { tree: held, pose, tie_break: (held.fingerprint(), 0, 0) };
        let pair = TreePair::from_ordered(OrderedPair::new(part, point));
        let found = pair.distance_checked(self.filter.distance_accuracy(), most, tree)?;
        let node = |node: NodeId| [one.place, one.part.index() as u32, node.index() as u32];
        let mut found = found.between(self.now.node_ref(node(found.a)), ());
        // Rounding must not move the caller's point.
        found.on_b = self.at;
        Some(found)
    }
}
