//! Casts of upright cylinders, points and rays, and overlap tests: among brushes, and among other
//! cylinders.

use nalgebra::{Point3, Vector3};

use super::sweep::{BrushCrossing, SweptCylinder};
use super::world::{BrushFilter, BrushId, BrushWorld};
use crate::error::Error;
use crate::model::CollisionGroups;
use crate::num::linear::{Vec3, length, scale, sub};
use crate::num::tolerance::SWEEP_SLACK;
use crate::num::{Scalar, check_coordinates, check_size};
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

/// First target of a cast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CastTarget {
    /// A brush.
    Brush(BrushId),
    /// The cylinder with this index in the list given.
    Cylinder(usize),
}

impl BrushWorld {
    /// Returns the first touch of a cylinder, whose centre moves straight from `start` by
    /// `displacement`, with a brush; `None` if there is none.
    ///
    /// Times are shares of the displacement, never later than the true ones; at ties the brush with
    /// the lowest id counts. The normal is unit and points out of the brush. The point is the one
    /// of the cylinder furthest against the normal, the middle where many are. A cylinder that
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
        let (mover, pad) = self.padded_sweep(cylinder, start, displacement)?;
        Ok(self.first_crossing(&mover, filter).map(|met| self.hit_brush(&met, &mover, pad)))
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
        for (index, other) in others.iter().enumerate() {
            check_coordinates(other.center.coords.as_slice(), "center", index)?;
            if !other.groups.interacts_with(filter.groups) {
                continue;
            }
            let hit = self.hit_cylinder(&mover, pad, other);
            let Some(hit) = hit.map(|hit| hit.with_target(CastTarget::Cylinder(index))) else {
                continue;
            };
            if first.as_ref().is_none_or(|first| hit.time_of_impact < first.time_of_impact) {
                first = Some(hit);
            }
        }
        Ok(first)
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
        max_length: T,
        filter: &BrushFilter,
    ) -> Result<Option<RayHit<T, BrushId>>, Error> {
        check_size(max_length, "length")?;
        let max_length = max_length.wide();
        let [start, along] = [ray.origin(), ray.direction().into_inner().into()]
            .map(|v| self.up.to_z(wide_point(v)));
        // In double precision: rounding the displacement to `T` would rotate a long ray.
        let (mover, pad) = self.padded([start, scale(along, max_length)], [0.0; 2]);
        Ok(self.first_crossing(&mover, filter).map(|met| {
            let hit = self.hit_brush::<f64>(&met, &mover, pad);
            let distance = T::at_most(hit.time_of_impact * max_length);
            RayHit {
                target: hit.target,
                distance,
                point: ray.at(distance),
                normal: hit.normal.map(T::nearest),
                started_inside: hit.started_inside,
                slack: T::at_least(hit.slack + 2.0 * T::ROUNDING * distance.wide()),
            }
        }))
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
    fn padded(&self, [start, way]: [Vec3; 2], [radius, half]: [f64; 2]) -> (SweptCylinder, f64) {
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
    ) -> Option<(usize, BrushCrossing)> {
        let (mut first, mut latest): (Option<(usize, BrushCrossing)>, f64) = (None, 1.0);
        self.for_each_overlap(&self.swept_bounds(mover), filter, |index| {
            if let Some(passage) = self.crossing(index, mover, latest) {
                let time = if passage.enter > 0.0 { passage.enter } else { 0.0 };
                if time < latest || first.is_none_or(|first| index < first.0) {
                    (first, latest) = (Some((index, passage)), time);
                }
            }
        });
        first
    }

    /// Returns the normal of the constraint passed last; for a start inside, of the nearest plane.
    fn crossing_normal(&self, sum: usize, seen: &SweptCylinder, passage: &BrushCrossing) -> Vec3 {
        match passage.enter <= 0.0 {
            true => self.sums.depth(sum, seen).1,
            false => self.sums.normal(sum, seen, passage),
        }
    }

    fn hit_brush<T: Scalar>(
        &self,
        (index, passage): &(usize, BrushCrossing),
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
            time_of_leaving: T::at_least(leave + 1e-12 * leave.abs()),
            point: nearest_point(self.up.undo_to_z(point)),
            normal: nearest_point(self.up.undo_to_z(normal)).coords,
            started_inside: inside,
            // Both pads together, along any normal, and the rounding of the time.
            slack: T::at_least(4.0 * pad + early),
        }
    }
}
