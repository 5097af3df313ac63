//! Queries that systems put to the moment: rays, regions, nearest parts, pushes.

use bevy_ecs::prelude::{Entity, Local, Res};
use bevy_ecs::system::SystemParam;
use bevy_math::{Dir3, Vec3};
use boxwood::nalgebra::{Point3, Unit, Vector3};
use boxwood::{
    CharacterKey, ClosestParts, Error, Overlaps, PairQuery, Push, QueryFilter, QueryScratch,
    QueryShape, Ray, RayCast, RayHits, Separation, Snapshot,
};

use crate::{Boxwood, PartOf};

/// What a query works on, one a system: no query allocates after the first few.
#[derive(Default)]
pub(crate) struct Scratch {
    rays: RayHits,
    overlaps: Overlaps,
    closest: ClosestParts,
    pairs: QueryScratch,
    parts: Vec<PartOf>,
    near: Vec<NearPart>,
}

/// Queries of the moment that [`BoxwoodSystems::Ask`](crate::BoxwoodSystems::Ask) took last, as a
/// parameter of a system. It only reads: systems with it run side by side.
///
/// In `Update` that moment is of the frame before; after [`BoxwoodSystems::Ask`] it is of this
/// frame. Filters are those of the library; [`BoxwoodQueries::key`] has what they call a character.
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
    /// The part that it meets first.
    pub target: PartOf,
    /// How far along the ray. World units.
    pub distance: f32,
    /// Where. World.
    pub point: Vec3,
    /// Unit, outward; against the ray where it starts inside.
    pub normal: Vec3,
    /// Whether the ray starts inside the part.
    pub started_inside: bool,
    /// The geometry of the part is no further from the point than this. World units.
    pub slack: f32,
}

/// A part near a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearPart {
    /// Which.
    pub target: PartOf,
    /// Its point nearest to the one asked about. World.
    pub point: Vec3,
    /// How far that is from it; 0 inside. World units.
    pub distance: f32,
}

impl BoxwoodQueries<'_, '_> {
    /// The first part that a ray meets: from `from` along `along`, no further than `max_length`.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] and [`Error::Negative`] for the numbers, and
    /// those of the filter.
    pub fn ray_cast(
        &mut self,
        from: Vec3,
        along: Dir3,
        max_length: Option<f32>,
        filter: &QueryFilter<'_>,
    ) -> Result<Option<RayTouch>, Error> {
        let direction = Unit::new_normalize(Vector3::from(along.to_array()));
        let ray = Ray::new(point(from), direction)?;
        let cast = match max_length {
            Some(length) => RayCast::new(ray, length)?,
            None => ray.into(),
        };
        let now = self.boxwood.moment.snapshot();
        let hit = now.ray_cast(cast, filter, &mut self.scratch.rays)?;
        Ok(hit.and_then(|hit| {
            Some(RayTouch {
                target: self.boxwood.part_of(hit.target)?,
                distance: hit.time_of_impact,
                point: Vec3::from_array(hit.point.coords.into()),
                normal: Vec3::from_array(hit.normal.into()),
                started_inside: hit.started_inside,
                slack: hit.slack,
            })
        }))
    }

    /// The parts in a region, in the order of characters and parts; with
    /// [`Detail::Boxes`](boxwood::Detail::Boxes) once a box.
    ///
    /// # Errors
    /// Those of the shape and of the filter.
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

    /// Whether a part is in a region.
    ///
    /// # Errors
    /// As [`BoxwoodQueries::overlaps`].
    pub fn overlaps_any(
        &mut self,
        shape: impl Into<QueryShape>,
        filter: &QueryFilter<'_>,
    ) -> Result<bool, Error> {
        let overlaps = &mut self.scratch.overlaps;
        self.boxwood.moment.snapshot().overlaps_any(shape, filter, overlaps)
    }

    /// The parts no further from a point than `max_distance`, the nearest first: each with its
    /// nearest point and its distance. World.
    ///
    /// # Errors
    /// As [`Snapshot::closest_parts`](boxwood::scene::Snapshot::closest_parts).
    pub fn closest_parts(
        &mut self,
        to: Vec3,
        max_distance: f32,
        filter: &QueryFilter<'_>,
    ) -> Result<&[NearPart], Error> {
        let Scratch { closest, near, .. } = &mut *self.scratch;
        let now = self.boxwood.moment.snapshot();
        now.closest_parts(point(to), f64::from(max_distance), filter, closest)?;
        near.clear();
        near.extend(closest.iter().filter_map(|one| {
            let at = Vec3::from_array(one.on_a.coords.into());
            let target = self.boxwood.part_of(one.a)?;
            Some(NearPart { target, point: at, distance: one.distance })
        }));
        Ok(near)
    }

    /// A short way to move `b` until `a` and `b` are apart; `None` if they do not touch, or one of
    /// them is no character.
    ///
    /// # Errors
    /// As [`Snapshot::separation`](boxwood::scene::Snapshot::separation).
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

    /// The moment itself, for every other query of the library.
    pub fn snapshot(&self) -> Snapshot<'_> {
        self.boxwood.moment.snapshot()
    }

    /// What the library calls the character of an entity, for filters; `None` if it is none.
    pub fn key(&self, entity: Entity) -> Option<CharacterKey> {
        self.boxwood.key(entity)
    }

    /// The name of a part.
    pub fn part_name(&self, of: PartOf) -> &str {
        self.boxwood.part_name(of)
    }

    /// The scene, its contacts, and what its keys stand for.
    pub fn state(&self) -> &Boxwood {
        &self.boxwood
    }
}

fn point(of: Vec3) -> Point3<f32> {
    Point3::from(of.to_array())
}
