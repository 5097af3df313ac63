//! Casts of upright cylinders, points and rays, and overlap tests: among brushes, and among other
//! cylinders.

use nalgebra::{Point3, Vector3};

use super::hit_order::{sort_by_unrounded_time, time_of_leaving};
use super::sweep::{BrushCrossing, IndexedCrossing, SweptCylinder};
use super::world::{BrushFilter, BrushId, BrushWorld};
use crate::error::Error;
use crate::model::CollisionGroups;
use crate::num::linear::{Vec3, length, scale, sub};
use crate::num::tolerance::SWEEP_SLACK;
use crate::num::{Scalar, check_coordinates, checked_size};
use crate::pair::{CastHit, RayHit};
use crate::shape::{Ray, UprightCylinder, nearest_point, wide_point};

/// Upright cylinder at a position: another character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CylinderAt<T: Scalar> {
    /// Size of the cylinder.
    pub cylinder: UprightCylinder<T>,
    /// Centre of the cylinder [world units].
    pub center: Point3<T>,
    /// Collision groups of the cylinder.
    pub groups: CollisionGroups,
}

/// Target of a cast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CastTarget {
    /// A brush.
    Brush(BrushId),
    /// The cylinder with this index in the list given.
    Cylinder(usize),
}

/// Brush that a ray passes through: where it enters, and where it leaves.
///
/// ```
/// use boxwood::brush::{Brush, BrushFilter, BrushWorld};
/// use boxwood::nalgebra::Point3;
/// use boxwood::{Aabb, CollisionGroups, Ray};
///
/// let wall = Aabb::new(Point3::new(2.0, -9.0, -9.0), Point3::new(2.25, 9.0, 9.0));
/// let mut level = BrushWorld::builder();
/// level.push(Brush::from_aabb(&wall)?, CollisionGroups::ALL);
/// let (level, mut passages) = (level.build()?, Vec::new());
/// let ray = Ray::through(Point3::origin(), Point3::new(1.0, 0.0, 0.0))?.expect("two points");
/// level.ray_cast_all(&ray, 50.0, &BrushFilter::default(), &mut passages)?;
/// let thickness = passages[0].distance_of_leaving - passages[0].hit.distance;
/// assert!((thickness - 0.25).abs() < 1e-6); // what a bullet goes through
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RayPassage<T: Scalar> {
    /// First contact, as of [`BrushWorld::ray_cast`].
    pub hit: RayHit<T, BrushId>,
    /// Distance of the last contact along the ray, never less than the true one; infinite if the
    /// ray ends in the brush [length units].
    pub distance_of_leaving: T,
}

impl BrushWorld {
    /// Returns the first touch of a cylinder, whose centre moves straight from `start` by
    /// `displacement`, with a brush; `None` if there is none.
    ///
    /// Times are shares of the displacement, never later than the true ones; at ties the brush with
    /// the lowest id counts. The normal is unit and points out of the brush. The point is the one
    /// of the cylinder furthest against the normal, the middle where many are. A cylinder that
    /// touches at the start has time 0 and `started_inside`. The time of leaving is never early,
    /// and infinite if the two touch at the end.
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
        let (mover, pad) = self.padded_sweep(cylinder, start, displacement)?;
        Ok(self.first_crossing(&mover, filter).map(|met| self.hit_brush(&met, &mover, pad)))
    }

    /// Casts a cylinder like [`BrushWorld::cast_cylinder`] through everything: writes to `hits`,
    /// which is cleared first, all brushes that it touches on its way. Examples: triggers crossed
    /// within a tick, the walls that a ram breaks.
    ///
    /// Between time of impact and time of leaving the two touch without a break: brushes are
    /// convex. The time of leaving is never early, and infinite if they touch at the end or if
    /// there is no displacement. Hits are sorted by time of impact, equal ones by id; times are
    /// equal if they were before their rounding to the scalar. The first hit is that of
    /// [`BrushWorld::cast_cylinder`] bit for bit. Nothing is allocated once `hits` has room.
    ///
    /// # Errors
    /// The errors of [`BrushWorld::cast_cylinder`]; then there are no hits.
    ///
    /// ```
    /// use boxwood::brush::{Brush, BrushFilter, BrushWorld};
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Aabb, CollisionGroups, UprightCylinder};
    ///
    /// // Two light barriers, a millimetre thick.
    /// let mut level = BrushWorld::builder();
    /// for x in [2.0, 3.0] {
    ///     let sheet = Aabb::new(Point3::new(x, -1.0, 0.0), Point3::new(x + 0.001, 1.0, 2.0));
    ///     level.push(Brush::from_aabb(&sheet)?, CollisionGroups::ALL);
    /// }
    /// let (level, mut hits) = (level.build()?, Vec::new());
    /// // One tick of a runner, who is past both afterwards.
    /// let (runner, start) = (UprightCylinder::new(0.4, 0.9)?, Point3::new(0.0, 0.0, 1.0));
    /// let way = Vector3::new(5.0, 0.0, 0.0);
    /// level.cast_cylinder_all(&runner, start, way, &BrushFilter::default(), &mut hits)?;
    /// assert_eq!(hits.len(), 2);
    /// assert!((hits[0].time_of_impact - 1.6 / 5.0).abs() < 1e-6);
    /// assert!((hits[0].time_of_leaving - 2.401 / 5.0).abs() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn cast_cylinder_all<T: Scalar>(
        &self,
        cylinder: &UprightCylinder<T>,
        start: Point3<T>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
        hits: &mut Vec<CastHit<T, 3, BrushId>>,
    ) -> Result<(), Error> {
        hits.clear();
        let (mover, pad) = self.padded_sweep(cylinder, start, displacement)?;
        self.for_each_crossing(&mover, filter, |met| hits.push(self.hit_brush(&met, &mover, pad)));
        let unrounded = |hit: &CastHit<T, 3, BrushId>| self.unrounded_time(hit.target, &mover);
        sort_by_unrounded_time(hits, |hit| hit.time_of_impact.wide(), |hit| hit.target, unrounded);
        Ok(())
    }

    /// Like [`BrushWorld::cast_cylinder`], among brushes and upright cylinders together, usually
    /// other characters. At ties a brush counts before a cylinder, then the first of the cylinders.
    ///
    /// Only cylinders whose groups interact with the filter's count. They are at rest; for one that
    /// moves, subtract its displacement from yours.
    ///
    /// # Errors
    /// The errors of [`BrushWorld::cast_cylinder`], also for the centres.
    ///
    /// ```
    /// use boxwood::brush::{BrushFilter, BrushWorld, CastTarget, CylinderAt};
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{CollisionGroups, UprightCylinder};
    ///
    /// let size = UprightCylinder::new(0.4, 0.9)?;
    /// let other = |x| CylinderAt { cylinder: size, center: Point3::new(x, 0.0, 1.0), groups: CollisionGroups::ALL };
    /// let (start, way) = (Point3::new(0.0, 0.0, 1.0), Vector3::new(8.0, 0.0, 0.0));
    /// let level = BrushWorld::builder().build()?;
    /// let others = [other(6.0), other(4.8)];
    /// let hit = level.cast_cylinder_among(&size, start, way, &BrushFilter::default(), &others)?;
    /// let hit = hit.expect("somebody");
    /// assert_eq!(hit.target, CastTarget::Cylinder(1));
    /// assert!((hit.time_of_impact - 0.5).abs() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn cast_cylinder_among<T: Scalar>(
        &self,
        cylinder: &UprightCylinder<T>,
        start: Point3<T>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
        others: &[CylinderAt<T>],
    ) -> Result<Option<CastHit<T, 3, CastTarget>>, Error> {
        let (mover, pad) = self.padded_sweep(cylinder, start, displacement)?;
        let brush =
            self.first_crossing(&mover, filter).map(|met| self.hit_brush(&met, &mover, pad));
        let mut first = brush.map(|hit| hit.with_target(CastTarget::Brush(hit.target)));
        self.for_each_cylinder_hit(&mover, pad, filter, others, |hit| {
            if first.as_ref().is_none_or(|first| hit.time_of_impact < first.time_of_impact) {
                first = Some(hit);
            }
        })?;
        Ok(first)
    }

    /// Casts a cylinder like [`BrushWorld::cast_cylinder_among`] through everything: writes to
    /// `hits`, which is cleared first, all brushes and cylinders that it touches on its way.
    ///
    /// Times and allocation are those of [`BrushWorld::cast_cylinder_all`]. Hits are sorted by time
    /// of impact; of equal ones, brushes come first, by id, then cylinders, by index. The first is
    /// that of [`BrushWorld::cast_cylinder_among`] bit for bit.
    ///
    /// # Errors
    /// The errors of [`BrushWorld::cast_cylinder_among`]; then there are no hits.
    ///
    /// ```
    /// use boxwood::brush::{BrushFilter, BrushWorld, CastTarget, CylinderAt};
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{CollisionGroups, UprightCylinder};
    ///
    /// // A charge that runs down two others.
    /// let size = UprightCylinder::new(0.4, 0.9)?;
    /// let other = |x| CylinderAt { cylinder: size, center: Point3::new(x, 0.0, 1.0), groups: CollisionGroups::ALL };
    /// let (start, way) = (Point3::new(0.0, 0.0, 1.0), Vector3::new(8.0, 0.0, 0.0));
    /// let (level, mut hits) = (BrushWorld::builder().build()?, Vec::new());
    /// let others = [other(6.0), other(4.8)];
    /// let all = BrushFilter::default();
    /// level.cast_cylinder_among_all(&size, start, way, &all, &others, &mut hits)?;
    /// assert_eq!([hits[0].target, hits[1].target], [1, 0].map(CastTarget::Cylinder));
    /// assert!((hits[0].time_of_impact - 0.5).abs() < 1e-6);
    /// assert!((hits[0].time_of_leaving - 0.7).abs() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn cast_cylinder_among_all<T: Scalar>(
        &self,
        cylinder: &UprightCylinder<T>,
        start: Point3<T>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
        others: &[CylinderAt<T>],
        hits: &mut Vec<CastHit<T, 3, CastTarget>>,
    ) -> Result<(), Error> {
        hits.clear();
        let (mover, pad) = self.padded_sweep(cylinder, start, displacement)?;
        self.for_each_cylinder_hit(&mover, pad, filter, others, |hit| hits.push(hit))?;
        self.for_each_crossing(&mover, filter, |met| {
            let hit = self.hit_brush(&met, &mover, pad);
            hits.push(hit.with_target(CastTarget::Brush(hit.target)));
        });
        let target = |hit: &CastHit<T, 3, CastTarget>| match hit.target {
            CastTarget::Brush(id) => (false, id.0 as usize),
            CastTarget::Cylinder(index) => (true, index),
        };
        let unrounded = |hit: &CastHit<T, 3, CastTarget>| match hit.target {
            CastTarget::Brush(id) => self.unrounded_time(id, &mover),
            // Behind the brushes of equal stated times, in the order of their indices.
            CastTarget::Cylinder(_) => f64::INFINITY,
        };
        sort_by_unrounded_time(hits, |hit| hit.time_of_impact.wide(), target, unrounded);
        Ok(())
    }

    /// Calls `found` with the hit of every cylinder that the mover touches, in their order.
    ///
    /// # Errors
    /// The errors of the centres, before the first call.
    fn for_each_cylinder_hit<T: Scalar>(
        &self,
        mover: &SweptCylinder,
        pad: f64,
        filter: &BrushFilter,
        others: &[CylinderAt<T>],
        mut found: impl FnMut(CastHit<T, 3, CastTarget>),
    ) -> Result<(), Error> {
        for (index, other) in others.iter().enumerate() {
            check_coordinates(other.center.coords.as_slice(), "center", index)?;
        }
        for (index, other) in others.iter().enumerate() {
            if other.groups.interacts_with(filter.groups)
                && let Some(hit) = self.hit_cylinder(mover, pad, other)
            {
                found(hit.with_target(CastTarget::Cylinder(index)));
            }
        }
        Ok(())
    }

    fn hit_cylinder<T: Scalar>(
        &self,
        mover: &SweptCylinder,
        pad: f64,
        other: &CylinderAt<T>,
    ) -> Option<CastHit<T, 3>> {
        let center = self.up.to_z(wide_point(other.center));
        let (radius, half) = (other.cylinder.radius().wide(), other.cylinder.half_height().wide());
        let pad = pad + SWEEP_SLACK * (length(center) + radius + half);
        let seen = SweptCylinder {
            start: sub(mover.start, center),
            radius: mover.radius + radius + pad,
            half_height: mover.half_height + half + pad,
            ..*mover
        };
        let sum = self.entries.len();
        let passage = self.sums.crossing(sum, &seen, 1.0)?;
        let normal = self.crossing_normal(sum, &seen, &passage);
        let leave = self.sums.leave_time(sum, &seen, &passage);
        Some(self.cast_hit(mover, [passage.enter, leave], normal, pad))
    }

    /// Returns the first hit of a ray with a brush, up to `max_length`; `None` if there is none.
    ///
    /// The distance is never greater than the true one; at ties the brush with the lowest id
    /// counts. A ray that starts in a brush, surface included, has distance 0.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for the length.
    pub fn ray_cast<T: Scalar>(
        &self,
        ray: &Ray<T>,
        max_length: impl Into<f64>,
        filter: &BrushFilter,
    ) -> Result<Option<RayHit<T, BrushId>>, Error> {
        let max_length = T::at_least(checked_size::<T>(max_length, "length")?);
        let (mover, pad) = self.padded_ray(ray, max_length)?;
        let first = self.first_crossing(&mover, filter);
        Ok(first.map(|met| self.ray_passage(&met, &mover, pad, ray, max_length).hit))
    }

    /// Casts a ray like [`BrushWorld::ray_cast`] through everything: writes to `passages`, which is
    /// cleared first, all brushes that it hits up to `max_length`, with the distances at which it
    /// enters and leaves. Example: what a bullet goes through.
    ///
    /// Order and allocation are those of [`BrushWorld::cast_cylinder_all`]; the hit of the first is
    /// that of [`BrushWorld::ray_cast`] bit for bit. [`RayPassage`] has a program.
    ///
    /// # Errors
    /// The errors of [`BrushWorld::ray_cast`]; then there are no passages.
    pub fn ray_cast_all<T: Scalar>(
        &self,
        ray: &Ray<T>,
        max_length: impl Into<f64>,
        filter: &BrushFilter,
        passages: &mut Vec<RayPassage<T>>,
    ) -> Result<(), Error> {
        passages.clear();
        let max_length = T::at_least(checked_size::<T>(max_length, "length")?);
        let (mover, pad) = self.padded_ray(ray, max_length)?;
        self.for_each_crossing(&mover, filter, |met| {
            passages.push(self.ray_passage(&met, &mover, pad, ray, max_length));
        });
        let unrounded = |one: &RayPassage<T>| self.unrounded_time(one.hit.target, &mover);
        sort_by_unrounded_time(
            passages,
            |one| one.hit.distance.wide(),
            |one| one.hit.target,
            unrounded,
        );
        Ok(())
    }

    /// Checks a ray, and returns the point that moves along it, with its pad.
    fn padded_ray<T: Scalar>(
        &self,
        ray: &Ray<T>,
        max_length: T,
    ) -> Result<(SweptCylinder, f64), Error> {
        let [start, along] = [ray.origin(), ray.direction().into_inner().into()]
            .map(|v| self.up.to_z(wide_point(v)));
        // Double precision: rounding the displacement to `T` would rotate a long ray.
        Ok(self.padded([start, scale(along, max_length.wide())], [0.0; 2]))
    }

    fn ray_passage<T: Scalar>(
        &self,
        met: &IndexedCrossing,
        mover: &SweptCylinder,
        pad: f64,
        ray: &Ray<T>,
        max_length: T,
    ) -> RayPassage<T> {
        let hit = self.hit_brush::<f64>(met, mover, pad);
        let distance = T::at_most(hit.time_of_impact * max_length.wide());
        let leaves = hit.time_of_leaving.is_finite();
        let leave = if leaves { hit.time_of_leaving * max_length.wide() } else { f64::INFINITY };
        let hit = RayHit {
            target: hit.target,
            distance,
            point: ray.at(distance.wide()),
            normal: hit.normal.map(T::nearest),
            started_inside: hit.started_inside,
            slack: T::at_least(hit.slack + 2.0 * T::ROUNDING * distance.wide()),
        };
        RayPassage { hit, distance_of_leaving: T::at_least(leave) }
    }

    /// Collects in `found`, cleared first, the brushes that the cylinder touches, ascending.
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
        let (mover, _) = self.padded_sweep(cylinder, center, Vector3::zeros())?;
        self.for_each_overlap(&self.swept_bounds(&mover), filter, |index| {
            if self.overlaps_sweep(index, &mover) {
                found.push(self.entries[index].id);
            }
        });
        found.sort_unstable();
        Ok(())
    }

    /// Collects in `found` the brushes that contain the point, surfaces included, ascending.
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

    /// Checks start and displacement of a cast, and returns them with z up.
    pub(super) fn checked_motion<T: Scalar>(
        &self,
        start: Point3<T>,
        displacement: Vector3<T>,
    ) -> Result<[Vec3; 2], Error> {
        check_coordinates(start.coords.as_slice(), "start", 0)?;
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        Ok([start.coords, displacement].map(|v| self.up.to_z(wide_point(v.into()))))
    }

    /// Returns the moving cylinder, padded by the rounding of a cast of this length, and the pad.
    fn padded_sweep<T: Scalar>(
        &self,
        cylinder: &UprightCylinder<T>,
        start: Point3<T>,
        displacement: Vector3<T>,
    ) -> Result<(SweptCylinder, f64), Error> {
        let motion = self.checked_motion(start, displacement)?;
        Ok(self.padded(motion, [cylinder.radius().wide(), cylinder.half_height().wide()]))
    }

    /// Returns the moving cylinder of a start and a displacement, with z up, of a radius and half a
    /// height, and the pad.
    pub(super) fn padded(
        &self,
        [start, way]: [Vec3; 2],
        [radius, half]: [f64; 2],
    ) -> (SweptCylinder, f64) {
        let reach = length(start) + length(way);
        let pad = SWEEP_SLACK * (self.max_coordinate + reach + radius + half);
        let (radius, half_height) = (radius + pad, half + pad);
        (SweptCylinder { start, displacement: way, radius, half_height, grazing: 0.0 }, pad)
    }

    /// Returns the brush that is touched first, the one with the lowest id at ties.
    fn first_crossing(
        &self,
        mover: &SweptCylinder,
        filter: &BrushFilter,
    ) -> Option<IndexedCrossing> {
        let (mut first, mut latest): (Option<IndexedCrossing>, f64) = (None, 1.0);
        self.for_each_overlap(&self.swept_bounds(mover), filter, |index| {
            if let Some(passage) = self.crossing(index, mover, latest) {
                let time = passage.time();
                if time < latest || first.is_none_or(|first| index < first.0) {
                    (first, latest) = (Some((index, passage)), time);
                }
            }
        });
        first
    }

    /// Calls `found` with every brush that the mover touches on its way.
    pub(super) fn for_each_crossing(
        &self,
        mover: &SweptCylinder,
        filter: &BrushFilter,
        mut found: impl FnMut(IndexedCrossing),
    ) {
        self.for_each_overlap(&self.swept_bounds(mover), filter, |index| {
            if let Some(passage) = self.crossing(index, mover, 1.0) {
                found((index, passage));
            }
        });
    }

    /// Returns the time at which the mover touches a brush, before it is rounded to a scalar.
    fn unrounded_time(&self, id: BrushId, mover: &SweptCylinder) -> f64 {
        let passage = self.index(id).and_then(|index| self.crossing(index, mover, 1.0));
        passage.map_or(0.0, |passage| passage.time())
    }

    /// Returns the normal of the constraint passed last; for a start inside, of the nearest plane.
    fn crossing_normal(&self, sum: usize, seen: &SweptCylinder, passage: &BrushCrossing) -> Vec3 {
        match passage.enter <= 0.0 {
            true => self.sums.depth(sum, seen).1,
            false => self.sums.normal(sum, seen, passage),
        }
    }

    /// Returns the hit of the mover and a brush that it crosses.
    pub(super) fn hit_brush<T: Scalar>(
        &self,
        (index, passage): &IndexedCrossing,
        mover: &SweptCylinder,
        pad: f64,
    ) -> CastHit<T, 3, BrushId> {
        let (entry, seen) = (&self.entries[*index], self.to_brush_frame(*index, mover));
        let normal = self
            .body_pose(entry.body)
            .to_world_vector(self.crossing_normal(*index, &seen, passage));
        let leave = self.sums.leave_time(*index, &seen, passage);
        self.cast_hit(mover, [passage.enter, leave], normal, pad).with_target(entry.id)
    }

    fn cast_hit<T: Scalar>(
        &self,
        mover: &SweptCylinder,
        [enter, leave]: [f64; 2],
        normal: Vec3,
        pad: f64,
    ) -> CastHit<T, 3> {
        let (inside, time) = (enter <= 0.0, if enter > 0.0 { enter } else { 0.0 });
        let leave = if length(mover.displacement) == 0.0 { f64::INFINITY } else { leave };
        let side = (normal[0] * normal[0] + normal[1] * normal[1]).sqrt();
        let out = if side > 0.0 { mover.radius / side } else { 0.0 };
        let lift = if normal[2] == 0.0 { 0.0 } else { mover.half_height.copysign(normal[2]) };
        let at = mover.at(time);
        let point = [at[0] - normal[0] * out, at[1] - normal[1] * out, at[2] - lift];
        let early = length(mover.displacement) * time * (2.0 * T::ROUNDING + 1e-15);
        CastHit {
            target: (),
            time_of_impact: T::at_most(time),
            time_of_leaving: time_of_leaving(leave),
            point: nearest_point(self.up.undo_to_z(point)),
            normal: nearest_point(self.up.undo_to_z(normal)).coords,
            started_inside: inside,
            // Both pads together, along any normal, and the rounding of the time.
            slack: T::at_least(4.0 * pad + early),
        }
    }
}
