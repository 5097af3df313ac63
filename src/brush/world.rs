//! Worlds of brushes: thousands of convex solids, still and moving, and casts among them.

use nalgebra::{Point3, Vector3};

use super::body::{Body, BodyId};
use super::brush::Brush;
use super::builder::BrushWorldBuilder;
use super::casts::BoxSums;
use super::expanded::Expansion;
use super::sweep::{Passage, SumTable, SweptCylinder};
use super::tree::{Bounds, BoundsTree};
use crate::error::Error;
use crate::model::CollisionGroups;
use crate::num::linear::length;
use crate::num::tolerance::SWEEP_SLACK;
use crate::num::{Scalar, check_coordinates, check_size};
use crate::pair::CastHit;
use crate::shape::{Ray, UpAxis, UprightCylinder, nearest_point, wide_point};

/// A brush of a [`BrushWorld`]: ids are given in the order of insertion, or by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BrushId(pub u32);

/// A level: convex brushes in a tree of boxes, and bodies of brushes that move.
///
/// Cylinders, points and rays are cast among the brushes, as parts of characters are among
/// characters: by collision groups. Touching counts. Answers depend on the brushes and their ids
/// alone, not on the order of insertion.
///
/// ```
/// use boxwood::brush::{Brush, BrushFilter, BrushWorld};
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Aabb, CollisionGroups, UprightCylinder};
///
/// let slab = Aabb::new(Point3::new(-9.0, -9.0, -1.0), Point3::new(9.0, 9.0, 0.0));
/// let mut level = BrushWorld::builder();
/// let floor = level.push(Brush::from_aabb(&slab)?, CollisionGroups::ALL);
/// let level = level.build()?;
///
/// let body = UprightCylinder::new(0.4, 0.9)?;
/// let (start, fall) = (Point3::new(0.0, 0.0, 2.9), Vector3::new(0.0, 0.0, -4.0));
/// let hit = level.cast_cylinder(&body, start, fall, &BrushFilter::default())?.expect("a floor");
/// assert_eq!((hit.target, hit.normal), (floor, Vector3::z()));
/// assert!((hit.time_of_impact - 0.5).abs() < 1e-6);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BrushWorld {
    pub(super) up: UpAxis,
    pub(super) expansion: Expansion,
    pub(super) entries: Vec<Entry>,
    /// For each body where it is, and which entries it has; the static one first.
    pub(super) bodies: Vec<Body>,
    pub(super) sums: SumTable,
    pub(super) tree: BoundsTree,
    pub(super) box_sums: BoxSums,
    /// The largest coordinate of a brush.
    pub(super) largest: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub id: BrushId,
    pub brush: Brush,
    pub groups: CollisionGroups,
    pub body: BodyId,
    /// With z up, before its body moves.
    pub bounds: Bounds,
}

/// Which brushes a query is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BrushFilter {
    groups: CollisionGroups,
}

impl BrushFilter {
    /// The collision groups of what is asked about: only brushes that these
    /// [interact with](CollisionGroups::interacts_with). All by default.
    pub fn groups(mut self, groups: CollisionGroups) -> Self {
        self.groups = groups;
        self
    }
}

impl BrushWorld {
    /// Begins a world.
    pub fn builder() -> BrushWorldBuilder {
        BrushWorldBuilder::default()
    }

    /// The axis that points up.
    pub fn up(&self) -> UpAxis {
        self.up
    }

    /// How corners of brushes are rounded for cylinders.
    pub fn expansion(&self) -> Expansion {
        self.expansion
    }

    /// The number of brushes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no brush.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The ids of all brushes, ascending.
    pub fn ids(&self) -> impl Iterator<Item = BrushId> + '_ {
        self.entries.iter().map(|entry| entry.id)
    }

    /// A brush as it was inserted, its body's offset left out.
    pub fn brush(&self, id: BrushId) -> Option<&Brush> {
        self.entry(id).map(|entry| &entry.brush)
    }

    /// The body a brush belongs to.
    pub fn body(&self, id: BrushId) -> Option<BodyId> {
        self.entry(id).map(|entry| entry.body)
    }

    /// How many planes and arcs all brushes have together, planes in rows of eight.
    pub fn constraints(&self) -> [usize; 2] {
        self.sums.counts()
    }

    /// When a cylinder whose centre moves straight ahead from `start` by `displacement` first
    /// touches a brush; `None` if it does not.
    ///
    /// Times are shares of the displacement, never later than the true ones; of brushes met at one
    /// time the one with the lowest id. The normal is unit and points out of the brush; the point
    /// is the one of the cylinder furthest against it, the middle where many are. A cylinder that
    /// touches at the start has time 0 and `started_inside`.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for start and displacement.
    pub fn cast_cylinder<T: Scalar>(
        &self,
        cylinder: &UprightCylinder<T>,
        start: Point3<T>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
    ) -> Result<Option<CastHit<T, 3, BrushId>>, Error> {
        check_coordinates(start.coords.as_slice(), "start", 0)?;
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        let start = self.up.to_z(wide_point(start));
        let way = self.up.to_z(wide_point(displacement.into()));
        let (size, pad) = self.padded(cylinder, length(start) + length(way));
        let mover = SweptCylinder { start, way, grazing: 0.0, ..size };
        Ok(self
            .first(&mover, filter)
            .map(|(index, passage)| self.hit(index, &mover, &passage, pad)))
    }

    /// When a ray first meets a brush, as a length along it, up to `max_length`.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for the length.
    pub fn ray_cast<T: Scalar>(
        &self,
        ray: &Ray<T>,
        max_length: T,
        filter: &BrushFilter,
    ) -> Result<Option<CastHit<T, 3, BrushId>>, Error> {
        check_size(max_length, "length")?;
        let point = UprightCylinder::new(T::zero(), T::zero())?;
        let way = ray.direction().into_inner() * max_length;
        let hit = self.cast_cylinder(&point, ray.origin(), way, filter)?;
        Ok(hit.map(|hit| CastHit {
            time_of_impact: T::at_most(hit.time_of_impact.wide() * max_length.wide()),
            time_of_leaving: T::nearest(f64::INFINITY),
            ..hit
        }))
    }

    /// Which brushes the cylinder touches, ascending.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for the centre.
    pub fn overlaps_cylinder<T: Scalar>(
        &self,
        cylinder: &UprightCylinder<T>,
        center: Point3<T>,
        filter: &BrushFilter,
        found: &mut Vec<BrushId>,
    ) -> Result<(), Error> {
        check_coordinates(center.coords.as_slice(), "center", 0)?;
        found.clear();
        let start = self.up.to_z(wide_point(center));
        let (size, _) = self.padded(cylinder, length(start));
        let mover = SweptCylinder { start, way: [0.0; 3], grazing: 0.0, ..size };
        self.near(&self.covered(&mover), filter, |index| {
            if self.meets(index, &mover) {
                found.push(self.entries[index].id);
            }
        });
        found.sort_unstable();
        Ok(())
    }

    /// Which brushes the point is in, surfaces included, ascending.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`].
    pub fn contents<T: Scalar>(
        &self,
        point: Point3<T>,
        filter: &BrushFilter,
        found: &mut Vec<BrushId>,
    ) -> Result<(), Error> {
        let cylinder = UprightCylinder::new(T::zero(), T::zero())?;
        self.overlaps_cylinder(&cylinder, point, filter, found)
    }

    pub(super) fn entry(&self, id: BrushId) -> Option<&Entry> {
        let at = self.entries.binary_search_by_key(&id, |entry| entry.id).ok()?;
        Some(&self.entries[at])
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Calls `found` with the index of every brush whose box overlaps.
    pub(super) fn near(&self, bounds: &Bounds, filter: &BrushFilter, mut found: impl FnMut(usize)) {
        let asked = |index: usize| self.entries[index].groups.interacts_with(filter.groups);
        self.tree.visit(bounds, |index| {
            if asked(index as usize) {
                found(index as usize);
            }
        });
        for body in &self.bodies[1..] {
            for &index in &body.entries {
                let index = index as usize;
                if body.pose.bounds(&self.entries[index].bounds).overlaps(bounds) && asked(index) {
                    found(index);
                }
            }
        }
    }

    /// When the mover is inside a brush's sum, its body's offset taken into account.
    #[inline]
    pub(super) fn passage(
        &self,
        index: usize,
        mover: &SweptCylinder,
        latest: f64,
    ) -> Option<Passage> {
        self.sums.passage(index, &self.seen_from(index, mover), latest)
    }

    /// Whether the mover meets a brush on its way, or where it stands still.
    #[inline]
    pub(super) fn meets(&self, index: usize, mover: &SweptCylinder) -> bool {
        self.passage(index, mover, 1.0).is_some()
    }

    /// The mover in the frame in which the brush was inserted.
    #[inline(always)]
    pub(super) fn seen_from(&self, index: usize, mover: &SweptCylinder) -> SweptCylinder {
        let pose = self.body_pose(self.entries[index].body);
        let (start, way) = (pose.local(mover.start), pose.local_vector(mover.way));
        SweptCylinder { start, way, ..*mover }
    }

    /// The box a mover covers on its way.
    pub(super) fn covered(&self, mover: &SweptCylinder) -> Bounds {
        let half = [mover.radius, mover.radius, mover.half_height];
        Bounds::swept(mover.start, mover.way, half)
    }

    /// A mover of the cylinder's size, padded by the rounding of a cast that reaches so far; and
    /// that padding.
    fn padded<T: Scalar>(&self, cylinder: &UprightCylinder<T>, reach: f64) -> (SweptCylinder, f64) {
        let (radius, half) = (cylinder.radius().wide(), cylinder.half_height().wide());
        let pad = SWEEP_SLACK * (self.largest + reach + radius + half);
        let size = SweptCylinder {
            start: [0.0; 3],
            way: [0.0; 3],
            radius: radius + pad,
            half_height: half + pad,
            grazing: 0.0,
        };
        (size, pad)
    }

    /// The brush that is touched first, the one with the lowest id at ties.
    fn first(&self, mover: &SweptCylinder, filter: &BrushFilter) -> Option<(usize, Passage)> {
        let (mut first, mut latest): (Option<(usize, Passage)>, f64) = (None, 1.0);
        self.near(&self.covered(mover), filter, |index| {
            if let Some(passage) = self.passage(index, mover, latest) {
                let time = if passage.enter > 0.0 { passage.enter } else { 0.0 };
                if time < latest || first.is_none_or(|first| index < first.0) {
                    (first, latest) = (Some((index, passage)), time);
                }
            }
        });
        first
    }

    fn hit<T: Scalar>(
        &self,
        index: usize,
        mover: &SweptCylinder,
        passage: &Passage,
        pad: f64,
    ) -> CastHit<T, 3, BrushId> {
        let seen = self.seen_from(index, mover);
        let inside = passage.enter <= 0.0;
        let time = if inside { 0.0 } else { passage.enter };
        let normal = match inside {
            true => self.sums.depth(index, &seen).1,
            false => self.sums.normal(index, &seen, passage),
        };
        let normal = self.body_pose(self.entries[index].body).vector(normal);
        let leave = self.sums.leave(index, &seen, passage);
        let side = (normal[0] * normal[0] + normal[1] * normal[1]).sqrt();
        let out = if side > 0.0 { mover.radius / side } else { 0.0 };
        let lift = if normal[2] == 0.0 { 0.0 } else { mover.half_height.copysign(normal[2]) };
        let at = mover.at(time);
        let point = [at[0] - normal[0] * out, at[1] - normal[1] * out, at[2] - lift];
        let early = length(mover.way) * time * (2.0 * T::ROUNDING + 1e-15);
        CastHit {
            target: self.entries[index].id,
            time_of_impact: T::at_most(time),
            time_of_leaving: T::at_least(leave + 1e-12 * leave.abs()),
            point: nearest_point(self.up.undo_to_z(point)),
            normal: nearest_point(self.up.undo_to_z(normal)).coords,
            started_inside: inside,
            // Both pads together, along any normal, and the rounding of the time.
            slack: T::at_least(4.0 * pad + early),
        }
    }
}
