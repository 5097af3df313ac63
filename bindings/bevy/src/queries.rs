//! Queries to the current snapshot from systems: rays, regions, nearest parts, pushes.

use bevy_ecs::prelude::{Entity, Local, Res};
use bevy_ecs::system::SystemParam;
use bevy_math::{Dir3, Vec3};
use boxwood::nalgebra::{Point3, Unit, Vector3};
use boxwood::{
    CharacterKey, ClosestParts, Error, NodeRef, Overlaps, PairQuery, Push, QueryFilter,
    QueryScratch, QueryShape, Ray, RayCast, RayHit, RayHits, Separation, ShapeHit, Snapshot,
};

use crate::{Boxwood, PartOf};

/// Scratch memory of queries, one a system: after the first few, no query allocates.
#[derive(Default)]
pub(crate) struct Scratch {
    rays: RayHits,
    overlaps: Overlaps,
    closest: ClosestParts,
    pairs: QueryScratch,
    shapes: Vec<ShapeHit>,
    passed: Vec<ShapeTouch>,
    pierced: Vec<RayTouch>,
    parts: Vec<PartOf>,
    near: Vec<NearPart>,
}

/// Queries to the last snapshot of [`BoxwoodSystems::Ask`](crate::BoxwoodSystems::Ask), as a
/// parameter of a system. It only reads, so systems with it run in parallel.
///
/// In `Update` the snapshot is of the frame before; after [`BoxwoodSystems::Ask`] it is of this
/// frame. Filters are those of the library; [`BoxwoodQueries::key`] returns its key of a character.
/// All errors are values.
///
/// [`BoxwoodSystems::Ask`]: crate::BoxwoodSystems::Ask
///
/// ```
/// use bevy_boxwood::BoxwoodQueries;
/// use bevy_boxwood::boxwood::{Error, QueryFilter};
/// use bevy_ecs::prelude::*;
/// use bevy_math::{Dir3, Vec3};
///
/// #[derive(Resource)]
/// struct Shooter(Entity);
///
/// fn shoot(mut queries: BoxwoodQueries, shooter: Res<Shooter>) {
///     // Everybody but the shooter.
///     let others = queries.key(shooter.0).into_iter().collect::<Vec<_>>();
///     let filter = QueryFilter::all().excluding(&others);
///     match queries.ray_cast(Vec3::ZERO, Dir3::Z, Some(50.0), &filter) {
///         Ok(Some(hit)) => println!("{} at {}", queries.part_name(hit.target), hit.point),
///         Ok(None) => println!("missed"),
///         Err(error) => println!("refused: {error}"),
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct BoxwoodQueries<'w, 's> {
    boxwood: Res<'w, Boxwood>,
    scratch: Local<'s, Scratch>,
}

/// The hit of a ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayTouch {
    /// First part that the ray hits.
    pub target: PartOf,
    /// Distance along the ray [world units].
    pub distance: f32,
    /// Point of the hit [world].
    pub point: Vec3,
    /// Unit normal, outward; opposite to the ray if it starts inside [world].
    pub normal: Vec3,
    /// `true` if the ray starts inside the part.
    pub started_inside: bool,
    /// Upper bound on the distance of the point from the part's geometry [world units].
    pub slack: f32,
}

/// The hit of a shape that moves along a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeTouch {
    /// Part that the shape hits.
    pub target: PartOf,
    /// Share of the displacement until the first contact, from 0 to 1; never too late.
    pub time: f32,
    /// Share of the displacement until the last contact; infinite if the two touch at the end, and
    /// for [`BoxwoodQueries::shape_cast`], which does not compute it.
    pub leaving: f32,
    /// Point of the first contact, on the part [world].
    pub point: Vec3,
    /// Unit normal out of the part, towards the shape [world].
    pub normal: Vec3,
    /// `true` if the shape starts inside the part.
    pub started_inside: bool,
    /// Upper bound on the distance of the two at `time` [world units].
    pub slack: f32,
}

/// A part near a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearPart {
    /// The part.
    pub target: PartOf,
    /// Point of the part nearest to the given one [world].
    pub point: Vec3,
    /// Distance of the two points; 0 inside [world units].
    pub distance: f32,
}

impl BoxwoodQueries<'_, '_> {
    /// Returns the first part that a ray hits: from `from` along `along`, no further than
    /// `max_length`.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] and [`Error::Negative`] for the numbers, and the
    /// errors of the filter.
    pub fn ray_cast(
        &mut self,
        from: Vec3,
        along: Dir3,
        max_length: Option<f32>,
        filter: &QueryFilter<'_>,
    ) -> Result<Option<RayTouch>, Error> {
        let cast = ray(from, along, max_length)?;
        let now = self.boxwood.moment.snapshot();
        let hit = now.ray_cast(cast, filter, &mut self.scratch.rays)?;
        Ok(hit.and_then(|hit| RayTouch::new(&hit, &self.boxwood)))
    }

    /// Returns everything that a ray hits, the nearest first: each part once, or with
    /// [`Detail::Boxes`](boxwood::Detail::Boxes) each of its boxes.
    ///
    /// # Errors
    /// The errors of [`BoxwoodQueries::ray_cast`].
    pub fn ray_cast_all(
        &mut self,
        from: Vec3,
        along: Dir3,
        max_length: Option<f32>,
        filter: &QueryFilter<'_>,
    ) -> Result<&[RayTouch], Error> {
        let cast = ray(from, along, max_length)?;
        let Scratch { rays, pierced, .. } = &mut *self.scratch;
        self.boxwood.moment.snapshot().ray_cast_all(cast, filter, rays)?;
        pierced.clear();
        pierced.extend(rays.iter().filter_map(|hit| RayTouch::new(hit, &self.boxwood)));
        Ok(pierced)
    }

    /// Returns the first part that a ball, a capsule, a box or a point hits while it moves by
    /// `displacement`, without rotation: a thrown ball, a camera on its boom, a thick ray.
    ///
    /// The geometry itself decides, whatever accuracy the filter has.
    ///
    /// # Errors
    /// The errors of [`Snapshot::shape_cast`](boxwood::scene::Snapshot::shape_cast).
    ///
    /// ```
    /// use bevy_boxwood::BoxwoodQueries;
    /// use bevy_boxwood::boxwood::{Error, QueryFilter, Sphere, nalgebra::Point3};
    /// use bevy_math::Vec3;
    ///
    /// fn boom(mut queries: BoxwoodQueries, head: Vec3, wish: Vec3) -> Result<Vec3, Error> {
    ///     let lens = Sphere::new(Point3::from(head.to_array()), 0.2)?;
    ///     let hit = queries.shape_cast(lens, wish - head, &QueryFilter::all())?;
    ///     Ok(head + (wish - head) * hit.map_or(1.0, |hit| hit.time))
    /// }
    /// ```
    pub fn shape_cast(
        &mut self,
        shape: impl Into<QueryShape>,
        displacement: Vec3,
        filter: &QueryFilter<'_>,
    ) -> Result<Option<ShapeTouch>, Error> {
        let (now, way) = (self.boxwood.moment.snapshot(), displacement.to_array().into());
        let hit = now.shape_cast(shape, way, filter, &mut self.scratch.pairs)?;
        Ok(hit.and_then(|hit| ShapeTouch::new(&hit, &self.boxwood)))
    }

    /// Returns all parts that a shape hits while it moves, like [`BoxwoodQueries::shape_cast`], the
    /// first first, with the times of leaving: everybody whom a bullet passes through.
    ///
    /// # Errors
    /// The errors of [`BoxwoodQueries::shape_cast`].
    pub fn shape_cast_all(
        &mut self,
        shape: impl Into<QueryShape>,
        displacement: Vec3,
        filter: &QueryFilter<'_>,
    ) -> Result<&[ShapeTouch], Error> {
        let (now, way) = (self.boxwood.moment.snapshot(), displacement.to_array().into());
        let Scratch { pairs, shapes, passed, .. } = &mut *self.scratch;
        now.shape_cast_all(shape, way, filter, pairs, shapes)?;
        passed.clear();
        passed.extend(shapes.iter().filter_map(|hit| ShapeTouch::new(hit, &self.boxwood)));
        Ok(passed)
    }

    /// Returns the parts in a region, in the order of characters and parts; with
    /// [`Detail::Boxes`](boxwood::Detail::Boxes) once a box.
    ///
    /// # Errors
    /// The errors of the shape and of the filter.
    pub fn overlaps(
        &mut self,
        shape: impl Into<QueryShape>,
        filter: &QueryFilter<'_>,
    ) -> Result<&[PartOf], Error> {
        let Scratch { overlaps, parts, .. } = &mut *self.scratch;
        self.boxwood.moment.snapshot().overlaps(shape, filter, overlaps)?;
        parts.clear();
        parts.extend(overlaps.iter().filter_map(|&node| self.boxwood.part_of(node)));
        Ok(parts)
    }

    /// Returns `true` if any part is in a region.
    ///
    /// # Errors
    /// The errors of [`BoxwoodQueries::overlaps`].
    pub fn overlaps_any(
        &mut self,
        shape: impl Into<QueryShape>,
        filter: &QueryFilter<'_>,
    ) -> Result<bool, Error> {
        let overlaps = &mut self.scratch.overlaps;
        self.boxwood.moment.snapshot().overlaps_any(shape, filter, overlaps)
    }

    /// Returns the parts no further from a point than `max_distance`, the nearest first: each with
    /// its nearest point and its distance [world].
    ///
    /// # Errors
    /// The errors of [`Snapshot::closest_parts`](boxwood::scene::Snapshot::closest_parts).
    pub fn closest_parts(
        &mut self,
        to: Vec3,
        max_distance: f32,
        filter: &QueryFilter<'_>,
    ) -> Result<&[NearPart], Error> {
        let now = self.boxwood.moment.snapshot();
        now.closest_parts(point(to), max_distance, filter, &mut self.scratch.closest)?;
        Ok(self.near_parts())
    }

    /// Returns the characters no further from a point than `max_distance`, the nearest first: each
    /// by its nearest part.
    ///
    /// # Errors
    /// The errors of [`Snapshot::closest_parts`](boxwood::scene::Snapshot::closest_parts).
    pub fn closest_characters(
        &mut self,
        to: Vec3,
        max_distance: f32,
        filter: &QueryFilter<'_>,
    ) -> Result<&[NearPart], Error> {
        let now = self.boxwood.moment.snapshot();
        now.closest_characters(point(to), max_distance, filter, &mut self.scratch.closest)?;
        Ok(self.near_parts())
    }

    /// Converts the nearest parts of the last query.
    fn near_parts(&mut self) -> &[NearPart] {
        let Scratch { closest, near, .. } = &mut *self.scratch;
        near.clear();
        near.extend(closest.iter().filter_map(|one| {
            let at = Vec3::from_array(one.on_a.coords.into());
            let target = self.boxwood.part_of(one.a)?;
            Some(NearPart { target, point: at, distance: one.distance })
        }));
        near
    }

    /// Returns a short translation of `b` that separates `a` and `b`; `None` if they do not touch,
    /// or one of them is no character.
    ///
    /// # Errors
    /// The errors of [`Snapshot::separation`](boxwood::scene::Snapshot::separation).
    pub fn separation(
        &mut self,
        a: Entity,
        b: Entity,
        push: &Push,
    ) -> Result<Option<Separation>, Error> {
        let (Some(a), Some(b)) = (self.key(a), self.key(b)) else { return Ok(None) };
        let (now, scratch) = (self.boxwood.moment.snapshot(), &mut self.scratch.pairs);
        now.separation(&PairQuery::between(a, b), push, scratch)
    }

    /// Returns the snapshot, for every other query of the library.
    pub fn snapshot(&self) -> Snapshot<'_> {
        self.boxwood.moment.snapshot()
    }

    /// Returns the library's key of an entity's character, for filters; `None` if the entity is no
    /// character.
    pub fn key(&self, entity: Entity) -> Option<CharacterKey> {
        self.boxwood.key(entity)
    }

    /// Returns the name of a part.
    pub fn part_name(&self, of: PartOf) -> &str {
        self.boxwood.part_name(of)
    }

    /// Returns the scene, its contacts, and the map of its keys to entities.
    pub fn state(&self) -> &Boxwood {
        &self.boxwood
    }
}

impl RayTouch {
    /// Converts a hit; `None` if its character is gone.
    fn new(hit: &RayHit<f32, NodeRef>, boxwood: &Boxwood) -> Option<Self> {
        Some(RayTouch {
            target: boxwood.part_of(hit.target)?,
            distance: hit.distance,
            point: Vec3::from_array(hit.point.coords.into()),
            normal: Vec3::from_array(hit.normal.into()),
            started_inside: hit.started_inside,
            slack: hit.slack,
        })
    }
}

impl ShapeTouch {
    /// Converts a hit; `None` if its character is gone.
    fn new(hit: &ShapeHit, boxwood: &Boxwood) -> Option<Self> {
        Some(ShapeTouch {
            target: boxwood.part_of(hit.target)?,
            time: hit.time_of_impact,
            leaving: hit.time_of_leaving,
            point: Vec3::from_array(hit.point.coords.into()),
            normal: Vec3::from_array(hit.normal.into()),
            started_inside: hit.started_inside,
            slack: hit.slack,
        })
    }
}

/// Converts a ray, which may end.
fn ray(from: Vec3, along: Dir3, max_length: Option<f32>) -> Result<RayCast, Error> {
    let direction = Unit::new_normalize(Vector3::from(along.to_array()));
    let ray = Ray::new(point(from), direction)?;
    match max_length {
        Some(length) => RayCast::new(ray, length),
        None => Ok(ray.into()),
    }
}

fn point(of: Vec3) -> Point3<f32> {
    Point3::from(of.to_array())
}
