//! Shape casts: the first part that a ball, a capsule or a box touches while it moves along a
//! straight line.

use nalgebra::Vector3;

use crate::broad_phase::{RayBoxesKernel, RayCharactersKernel, RaySlabs, WorldRay};
use crate::error::Error;
use crate::model::PartId;
use crate::narrow_phase::{Bounded, best_first};
use crate::num::linear::{IDENTITY, Vec3, length, scale};
use crate::num::{Scalar, check_coordinates, precompiled};
use crate::pair::{CastHit, rounded_vector};
use crate::scene::pairs::hits::PairScratch;
use crate::scene::{NodeRef, QueryFilter, QueryScratch, QueryShape, Snapshot};
use crate::shape::{Aabb, WideObb, nearest_point, wide_point};
use crate::tree::{CastCore, MovingShape, NodeId, ShapeCastQuery, ShapeContact, ShiftContact};

/// The hit of a moving shape: node, time, point and normal [world frame]. See
/// [`Snapshot::shape_cast`].
pub type ShapeHit<T> = CastHit<T, 3, NodeRef>;

precompiled! {
    fn shape_cast<'a, T>(
        now: Snapshot<'a, T>,
        moved: (QueryShape<T>, Vector3<T>),
        filter: &'a QueryFilter<'a>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<Option<ShapeHit<T>>, Error> {
        now.shape_cast_checked(moved, filter, scratch)
    }
}

impl<T: Scalar> Snapshot<'_, T> {
    /// Casts a shape: computes the first part that a ball, a capsule or a box touches while it
    /// moves by `displacement`, without rotation. Examples: a thrown ball, the sweep of a blade.
    /// `None` if it touches nothing on the way.
    ///
    /// A point and both kinds of boxes may be cast as well; an empty box touches nothing. The
    /// filter selects characters and parts; its accuracy and detail are ignored: the geometry
    /// itself decides, triangle by triangle, up to rounding.
    ///
    /// [`time_of_impact`](CastHit::time_of_impact) is a share of the displacement, never later than
    /// the true first contact in real numbers; [`slack`](CastHit::slack) bounds the distance of the
    /// two at that time. Touching counts, also at the end. A shape that overlaps a part before the
    /// motion, or starts inside a solid, hits it at time 0 and [starts
    /// inside](CastHit::started_inside). Of several hits at the same time it returns the first by
    /// order of the character, then part. The time of leaving is not computed: infinite.
    ///
    /// [`normal`](CastHit::normal) points out of the hit part, towards the shape; it is opposite to
    /// the displacement if the cores of both overlap from the start. [`point`](CastHit::point) lies
    /// on the part.
    ///
    /// # Errors
    /// The errors of [`Snapshot::ray_cast`] for the filter; [`Error::BadQuery`] for a half-space or
    /// a frustum; [`Error::NotFinite`], [`Error::OutOfRange`] for a coordinate of the shape or of
    /// the displacement.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 3.0, buffers, now);
    /// use boxwood::{QueryFilter, QueryScratch, Sphere};
    ///
    /// // Red, a unit cube, throws a ball at blue, another one 3 away.
    /// let ball = Sphere::new(Point3::new(0.75, 0.0, 0.0), 0.25)?;
    /// let others = QueryFilter::all().excluding(&[red]);
    /// let way = Vector3::new(3.0, 0.0, 0.0);
    /// let mut scratch = QueryScratch::new();
    /// let hit = now.shape_cast(ball, way, &others, &mut scratch)?.expect("on the way");
    /// assert_eq!(hit.target.character, blue);
    /// assert!((hit.time_of_impact - 0.5).abs() < 1e-6); // a share of the displacement
    /// assert!((hit.point.x - 2.5).abs() < 1e-6 && (hit.normal + Vector3::x()).norm() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn shape_cast(
        &self,
        shape: impl Into<QueryShape<T>>,
        displacement: Vector3<T>,
        filter: &QueryFilter<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ShapeHit<T>>, Error> {
        let moved = (shape.into(), displacement);
        shape_cast(*self, moved, filter, scratch)
    }

    pub(in crate::scene) fn shape_cast_checked(
        &self,
        (shape, displacement): (QueryShape<T>, Vector3<T>),
        filter: &QueryFilter<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ShapeHit<T>>, Error> {
        shape.check()?;
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        let one = filter.check(self)?;
        let Some(moving) = moving_shape(&shape)? else { return Ok(None) };
        let way = wide_point(displacement.into());
        let size = length(way);
        let unit = if size > 0.0 { scale(way, 1.0 / size) } else { [1.0, 0.0, 0.0] };
        scratch.clear(self.buffers.simd);
        let swept = SweptAabb::new(&moving, unit, size);
        self.collect_cast_parts(&swept, (filter, one), scratch);
        let Some(first) = self.first_hit(&moving, &swept, scratch) else { return Ok(None) };
        Ok(self.shape_hit(&moving, &swept, first))
    }

    /// Collects the parts that the swept AABB overlaps, with lower bounds on the shift.
    fn collect_cast_parts(
        &self,
        swept: &SweptAabb,
        (filter, one): (&QueryFilter<'_>, Option<u32>),
        scratch: &mut QueryScratch<T>,
    ) {
        let QueryScratch {
            cast_parts: ranked,
            entry_shifts,
            stack,
            pairs: PairScratch { near_indices, .. },
            ..
        } = scratch;
        ranked.clear();
        near_indices.clear();
        let simd = self.buffers.simd;
        let ray = WorldRay { from: swept.center, direction: swept.direction, end: swept.length };
        let slabs = &RaySlabs::swept(&ray, swept.half_extents, self.max_coordinate_sum(one));
        match one {
            Some(index) => near_indices.push(index),
            None => {
                let bvhs = self.buffers.character_bvhs();
                simd.run(RayCharactersKernel { bvhs, slabs, stack, found: near_indices });
            }
        }
        for &place in &*near_indices {
            let (entry, character) = self.character(place);
            if filter.rejects_all(self.key_at(place), character) {
                continue;
            }
            let (blocks, len) =
                (self.buffers.part_aabbs.range_blocks(entry.range), entry.range.len);
            simd.run(RayBoxesKernel { slabs, blocks, len, found: &mut *entry_shifts });
            for &(enter, number) in &*entry_shifts {
                let part = character.model.part_at(number as usize);
                let key = [place, part.index() as u32];
                let node = || self.node_ref([key[0], key[1], 0]);
                if character.tree(part.index()).is_some() && filter.includes(character, part, node)
                {
                    ranked.push(Bounded { lower_bound: enter, key });
                }
            }
        }
    }

    /// Finds the first contact among the collected parts.
    fn first_hit(
        &self,
        moving: &MovingShape,
        swept: &SweptAabb,
        scratch: &mut QueryScratch<T>,
    ) -> Option<([u32; 2], ShiftContact)> {
        let QueryScratch { cast_parts, narrow, stack, .. } = scratch;
        let limits = [swept.length, f64::NEG_INFINITY];
        let best = best_first(cast_parts, limits, None, |one, to| {
            let (shift, [index, part]) = (self.part_cast(moving, swept, one.key), one.key);
            let touch = shift.first_contact(to, &mut narrow.tree);
            let starts = one.lower_bound <= 0.0 && touch.is_none_or(|touch| touch.shift > 0.0);
            let inside = starts && {
                let character = self.character(index).1;
                let placement = self.placement(index, part as usize);
                let pose = &character.poses[part as usize];
                let tree = character.model.tree(PartId::new(part as usize));
                tree.contains_point(pose, &placement, moving.point(), stack)
            };
            let touch = if inside { ShiftContact::INSIDE } else { touch? };
            Some((touch.shift, touch))
        });
        best.map(|best| (best.key, best.answer))
    }

    fn part_cast(
        &self,
        moving: &MovingShape,
        swept: &SweptAabb,
        [place, part]: [u32; 2],
    ) -> ShapeCastQuery<'_, T> {
        let tree = self.character(place).1.model.tree(PartId::new(part as usize));
        let placement = self.placement(place, part as usize);
        ShapeCastQuery::new((tree, placement), moving, (swept.direction, 0.0))
    }

    fn shape_hit(
        &self,
        moving: &MovingShape,
        swept: &SweptAabb,
        (key, touch): ([u32; 2], ShiftContact),
    ) -> Option<ShapeHit<T>> {
        let contact = match touch.is_inside() {
            true => {
                ShapeContact { node: NodeId::ROOT, point: moving.point(), normal: None, slack: 0.0 }
            }
            false => self.part_cast(moving, swept, key).contact(&touch)?,
        };
        let share = if touch.shift > 0.0 { touch.shift / swept.length } else { 0.0 };
        let time = T::at_most(share * (1.0 - f64::EPSILON));
        let early = touch.shift - time.wide() * swept.length;
        let early = if early > 0.0 { early } else { 0.0 };
        let normal = contact.normal.unwrap_or(scale(swept.direction, -1.0));
        Some(CastHit {
            target: self.node_ref([key[0], key[1], contact.node.index() as u32]),
            time_of_impact: time,
            time_of_leaving: T::nearest(f64::INFINITY),
            point: nearest_point(contact.point),
            normal: rounded_vector(normal),
            started_inside: touch.shift <= 0.0,
            slack: T::at_least(contact.slack + early),
        })
    }
}

/// Returns the moving shape of a query shape; `None` for an empty one.
fn moving_shape<T: Scalar>(shape: &QueryShape<T>) -> Result<Option<MovingShape>, Error> {
    if matches!(shape, QueryShape::Aabb(bounds) if bounds.is_empty()) {
        return Ok(None);
    }
    let (core, radius) = match shape {
        QueryShape::Point(p) => (CastCore::Point(wide_point(*p)), 0.0),
        QueryShape::Sphere(ball) => {
            (CastCore::Point(wide_point(ball.center())), ball.radius().wide())
        }
        QueryShape::Capsule(capsule) => {
            let segment = capsule.segment();
            let ends = [segment.a(), segment.b()].map(wide_point);
            (CastCore::Segment(ends), capsule.radius().wide())
        }
        QueryShape::Aabb(bounds) => (CastCore::Solid(wide_aabb(bounds)), 0.0),
        QueryShape::Obb(solid) => (CastCore::Solid(solid.wide()), 0.0),
        QueryShape::HalfSpace(_) | QueryShape::Frustum(_) => {
            return Err(Error::BadQuery { reason: "half-spaces and frusta cannot be cast" });
        }
    };
    Ok(Some(MovingShape::new(core, radius)))
}

/// Returns an AABB as a box about its centre, rounded outward.
fn wide_aabb<T: Scalar>(bounds: &Aabb<T, 3>) -> WideObb {
    let (min, max) = (wide_point(bounds.min), wide_point(bounds.max));
    let center = [0, 1, 2].map(|i| 0.5 * min[i] + 0.5 * max[i]);
    let half_extents = [0, 1, 2].map(|i| {
        let (up, down) = (max[i] - center[i], center[i] - min[i]);
        if down > up { down } else { up }
    });
    WideObb { center, axes: IDENTITY, half_extents }
}

/// The AABB of a shape, swept along its displacement.
struct SweptAabb {
    center: Vec3,
    half_extents: Vec3,
    /// Direction of the displacement, of length 1.
    direction: Vec3,
    /// Length of the displacement.
    length: f64,
}

impl SweptAabb {
    fn new(moving: &MovingShape, direction: Vec3, length: f64) -> Self {
        let (center, half_extents) = moving.bounds();
        SweptAabb { center, half_extents, direction, length }
    }
}
