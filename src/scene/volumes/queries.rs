//! The public methods of ray casts and overlap queries, one query or a batch at a time.

use super::dispatch::{cast_rays, find_overlaps};
use super::{HitMode, Overlaps, QueryFilter, RayCast, RayHits};
use crate::error::Error;
use crate::num::Scalar;
use crate::pair::RayHit;
use crate::scene::{NodeRef, Report, Snapshot};
use crate::shape::QueryShape;

impl<T: Scalar> Snapshot<'_, T> {
    /// Casts a ray: returns the closest hit; of equally near ones the first by order of the
    /// character, part, node.
    ///
    /// At an accuracy of depth a hit is the first box of the cut whose aligned and oriented boxes
    /// share a point of the ray; where [`Accuracy`](crate::Accuracy) asks for more, the first
    /// primitive. A ray that starts in a solid part hits it there.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part of a
    /// chosen character, [`Error::BadQuery`] for a budget, [`Error::NotFinite`] and
    /// [`Error::Negative`] for a tolerance or a length; then there are no answers.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{QueryFilter, Ray, RayHits};
    ///
    /// // From x = -5 towards the unit cube at the origin.
    /// let ray = Ray::through(Point3::new(-5.0, 0.0, 0.0), Point3::origin())?.expect("two points");
    /// let hit = now.ray_cast(ray, &QueryFilter::all(), &mut RayHits::new())?.expect("in the way");
    /// assert_eq!(hit.target.character, red);
    /// assert!((hit.distance - 4.5).abs() < 1e-5);
    /// assert_eq!(hit.normal, -Vector3::x()); // against the ray
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn ray_cast(
        &self,
        ray: impl Into<RayCast<T>>,
        filter: &QueryFilter<'_>,
        hits: &mut RayHits<T>,
    ) -> Result<Option<RayHit<T, NodeRef>>, Error> {
        cast_rays(*self, &[ray.into()], filter, HitMode::Closest, hits)?;
        Ok(hits.first().copied())
    }

    /// Casts a ray: writes all hits to `hits`, sorted by distance along the ray, then order of the
    /// character, part, node.
    ///
    /// # Errors
    /// The errors of [`Snapshot::ray_cast`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{QueryFilter, Ray, RayHits};
    ///
    /// let ray = Ray::through(Point3::new(-5.0, 0.0, 0.0), Point3::origin())?.expect("two points");
    /// let mut hits = RayHits::new();
    /// now.ray_cast_all(ray, &QueryFilter::all(), &mut hits)?;
    /// assert_eq!((hits[0].target.character, hits[1].target.character), (red, blue));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn ray_cast_all(
        &self,
        ray: impl Into<RayCast<T>>,
        filter: &QueryFilter<'_>,
        hits: &mut RayHits<T>,
    ) -> Result<Report<T>, Error> {
        self.ray_cast_batch(&[ray.into()], HitMode::All, filter, hits)
    }

    /// Casts a ray: returns `true` if it hits anything. May stop at the first hit found.
    ///
    /// # Errors
    /// The errors of [`Snapshot::ray_cast`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{QueryFilter, Ray, RayCast, RayHits};
    ///
    /// let ray = Ray::through(Point3::new(-5.0, 0.0, 0.0), Point3::origin())?.expect("two points");
    /// let (all, mut hits) = (QueryFilter::all(), RayHits::new());
    /// assert!(now.ray_cast_any(ray, &all, &mut hits)?);
    /// assert!(!now.ray_cast_any(RayCast::new(ray, 4.0)?, &all, &mut hits)?); // ends at x = -1
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn ray_cast_any(
        &self,
        ray: impl Into<RayCast<T>>,
        filter: &QueryFilter<'_>,
        hits: &mut RayHits<T>,
    ) -> Result<bool, Error> {
        // Returns no report, because it is not small.
        cast_rays(*self, &[ray.into()], filter, HitMode::Any, hits)?;
        Ok(!hits.is_empty())
    }

    /// Casts a batch of rays, on all threads with the feature `rayon`;
    /// [`QueryResults::of`](super::QueryResults::of) returns the hits of each.
    ///
    /// # Errors
    /// The errors of [`Snapshot::ray_cast`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{HitMode, QueryFilter, Ray, RayCast, RayHits};
    ///
    /// let from = Point3::new(-5.0, 0.0, 0.0);
    /// let targets = [Point3::origin(), Point3::new(-5.0, 1.0, 0.0)]; // the cube; past it
    /// let mut rays = Vec::new();
    /// for target in targets {
    ///     rays.push(RayCast::from(Ray::through(from, target)?.expect("two points")));
    /// }
    /// let mut hits = RayHits::new();
    /// now.ray_cast_batch(&rays, HitMode::Closest, &QueryFilter::all(), &mut hits)?;
    /// assert_eq!((hits.of(0).len(), hits.of(1).len()), (1, 0));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn ray_cast_batch(
        &self,
        rays: &[RayCast<T>],
        mode: HitMode,
        filter: &QueryFilter<'_>,
        hits: &mut RayHits<T>,
    ) -> Result<Report<T>, Error> {
        cast_rays(*self, rays, filter, mode, hits)?;
        Ok(hits.report)
    }

    /// Overlap query: writes the parts that share a point with the shape to `overlaps`, by order of
    /// the character, part, node.
    ///
    /// At an accuracy of depth these are the boxes of the cut whose aligned and oriented boxes both
    /// share a point with the shape; where [`Accuracy`](crate::Accuracy) asks for more, one of
    /// their primitives does. A shape inside a solid part shares points with it. Nothing is missed:
    /// axes separate only beyond `512 e` of the sizes and distances in double precision.
    /// [`Report::slack`] bounds the distance of the geometry from the shape grown by that.
    /// # Errors
    /// The errors of [`Snapshot::ray_cast`], and [`Error::NotFinite`], [`Error::OutOfRange`] for a
    /// point or an aligned box.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{Overlaps, QueryFilter, Sphere};
    ///
    /// let mut inside = Overlaps::new();
    /// let ball = Sphere::new(Point3::new(0.0, 1.5, 0.0), 1.0)?; // touches red at y = 0.5
    /// now.overlaps(ball, &QueryFilter::all(), &mut inside)?;
    /// assert_eq!((inside.len(), inside[0].character), (1, red));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn overlaps(
        &self,
        shape: impl Into<QueryShape<T>>,
        filter: &QueryFilter<'_>,
        overlaps: &mut Overlaps<T>,
    ) -> Result<Report<T>, Error> {
        self.overlaps_batch(&[shape.into()], HitMode::All, filter, overlaps)
    }

    /// Overlap query: returns `true` if any part shares a point with the shape. May stop at the
    /// first part found.
    ///
    /// # Errors
    /// The errors of [`Snapshot::overlaps`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{Overlaps, Plane, QueryFilter};
    ///
    /// let ground = Plane::new(Vector3::y_axis(), -0.4)?; // solid below y = -0.4
    /// assert!(now.overlaps_any(ground, &QueryFilter::all(), &mut Overlaps::new())?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn overlaps_any(
        &self,
        shape: impl Into<QueryShape<T>>,
        filter: &QueryFilter<'_>,
        overlaps: &mut Overlaps<T>,
    ) -> Result<bool, Error> {
        // Returns no report, because it is not small.
        find_overlaps(*self, &[shape.into()], filter, HitMode::Any, overlaps)?;
        Ok(!overlaps.is_empty())
    }

    /// Runs a batch of overlap queries, on all threads with the feature `rayon`;
    /// [`QueryResults::of`](super::QueryResults::of) returns the parts of each.
    ///
    /// # Errors
    /// The errors of [`Snapshot::overlaps`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{HitMode, Overlaps, QueryFilter, QueryShape};
    ///
    /// let shapes = [QueryShape::Point(Point3::origin()), Point3::new(0.0, 9.0, 0.0).into()];
    /// let mut inside = Overlaps::new();
    /// now.overlaps_batch(&shapes, HitMode::All, &QueryFilter::all(), &mut inside)?;
    /// assert_eq!((inside.of(0).len(), inside.of(1).len()), (1, 0));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn overlaps_batch(
        &self,
        shapes: &[QueryShape<T>],
        mode: HitMode,
        filter: &QueryFilter<'_>,
        overlaps: &mut Overlaps<T>,
    ) -> Result<Report<T>, Error> {
        find_overlaps(*self, shapes, filter, mode, overlaps)?;
        Ok(overlaps.report)
    }
}
