//! Shape casts: the first part that a ball, a capsule or a box touches while it moves along a
//! straight line.

use nalgebra::Vector3;

use crate::broad_phase::{RayBoxesKernel, RayCharactersKernel, RaySlabs, WorldRay};
use crate::error::Error;
use crate::model::PartId;
use crate::narrow_phase::{BoundedCandidate, NarrowPhaseScratch, best_first};
use crate::num::linear::{IDENTITY, Vec3, add, length, scale};
use crate::num::{Scalar, check_coordinates, precompiled};
use crate::pair::{CastHit, rounded_vector};
use crate::scene::pairs::hits::PairScratch;
use crate::scene::{NodeRef, QueryFilter, QueryScratch, QueryShape, Snapshot};
use crate::shape::{Aabb, WideObb, nearest_point, wide_point};
use crate::tree::{
    CastCore, MovingShape, NodeId, ShapeCastQuery, ShapeContact, ShiftContact, TreeScratch,
};

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

    fn shape_cast_all<'a, T>(
        now: Snapshot<'a, T>,
        moved: (QueryShape<T>, Vector3<T>),
        filter: &'a QueryFilter<'a>,
        scratch: &'a mut QueryScratch<T>,
        hits: &'a mut Vec<ShapeHit<T>>,
    ) -> Result<(), Error> {
        now.shape_cast_all_checked(moved, filter, scratch, hits)
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

    /// Casts a shape through everything: writes to `hits` all parts that it touches while it moves
    /// by `displacement`, without rotation, with the times of the first and the last contact.
    /// Examples: triggers crossed within a tick, everybody whom a bullet passes through.
    ///
    /// Each hit is that of [`Snapshot::shape_cast`] at its part, and has besides the
    /// [`time_of_leaving`](CastHit::time_of_leaving): a share of the displacement, never earlier
    /// than the true last contact; infinite if the two touch at the end. Between the two times they
    /// may be apart: a ball that passes through a ring. Hits are sorted by time of impact, then by
    /// order of the character, then part.
    ///
    /// # Errors
    /// The errors of [`Snapshot::shape_cast`]; then there are no hits.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 3.0, buffers, now);
    /// use boxwood::{QueryFilter, QueryScratch, Sphere};
    ///
    /// // Through two unit cubes, 3 apart, and out of both.
    /// let ball = Sphere::new(Point3::new(-2.0, 0.0, 0.0), 0.25)?;
    /// let way = Vector3::new(8.0, 0.0, 0.0);
    /// let (mut scratch, mut hits) = (QueryScratch::new(), Vec::new());
    /// now.shape_cast_all(ball, way, &QueryFilter::all(), &mut scratch, &mut hits)?;
    /// let crossed: Vec<_> = hits.iter().map(|hit| hit.target.character).collect();
    /// assert_eq!(crossed, [red, blue]);
    /// assert!((hits[0].time_of_impact - 1.25 / 8.0).abs() < 1e-6);
    /// assert!((hits[0].time_of_leaving - 2.75 / 8.0).abs() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn shape_cast_all(
        &self,
        shape: impl Into<QueryShape<T>>,
        displacement: Vector3<T>,
        filter: &QueryFilter<'_>,
        scratch: &mut QueryScratch<T>,
        hits: &mut Vec<ShapeHit<T>>,
    ) -> Result<(), Error> {
        hits.clear();
        let moved = (shape.into(), displacement);
        shape_cast_all(*self, moved, filter, scratch, hits)
    }

    pub(in crate::scene) fn shape_cast_checked(
        &self,
        (shape, displacement): (QueryShape<T>, Vector3<T>),
        filter: &QueryFilter<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ShapeHit<T>>, Error> {
        let Some((moving, swept)) = self.start_cast(&shape, displacement, filter, scratch)? else {
            return Ok(None);
        };
        let first = self.first_hit(&moving, &swept, scratch);
        Ok(first.and_then(|first| self.shape_hit(&moving, &swept, first)))
    }

    fn shape_cast_all_checked(
        &self,
        (shape, displacement): (QueryShape<T>, Vector3<T>),
        filter: &QueryFilter<'_>,
        scratch: &mut QueryScratch<T>,
        hits: &mut Vec<ShapeHit<T>>,
    ) -> Result<(), Error> {
        let Some((moving, swept)) = self.start_cast(&shape, displacement, filter, scratch)? else {
            return Ok(());
        };
        let QueryScratch { cast_parts, narrow: NarrowPhaseScratch { tree, .. }, stack, .. } =
            scratch;
        for &one in &*cast_parts {
            let first = self.first_part_contact(&moving, &swept, one, swept.length, (tree, stack));
            let Some(first) = first else { continue };
            let hit = self.shape_hit(&moving, &swept, (one.key, first));
            let last = self.last_part_contact(&moving, &swept, (one.key, first), (tree, stack));
            let share = last / swept.length * (1.0 + f64::EPSILON);
            hits.extend(hit.map(|hit| CastHit { time_of_leaving: T::at_least(share), ..hit }));
        }
        let order =
            |hit: &ShapeHit<T>| (self.buffers.indices[hit.target.character.slot], hit.target.part);
        hits.sort_unstable_by(|x, y| {
            let by_time = x.time_of_impact.wide().total_cmp(&y.time_of_impact.wide());
            by_time.then_with(|| order(x).cmp(&order(y)))
        });
        Ok(())
    }

    /// Checks a cast and collects the parts near its path; `None` if the shape is empty.
    fn start_cast(
        &self,
        shape: &QueryShape<T>,
        displacement: Vector3<T>,
        filter: &QueryFilter<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<(MovingShape, SweptAabb)>, Error> {
        shape.check()?;
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        let one = filter.check(self)?;
        let Some(moving) = moving_shape(shape)? else { return Ok(None) };
        let way = wide_point(displacement.into());
        let size = length(way);
        let unit = if size > 0.0 { scale(way, 1.0 / size) } else { [1.0, 0.0, 0.0] };
        scratch.clear(self.buffers.simd);
        let swept = SweptAabb::new(&moving, unit, size);
        self.collect_cast_parts(&swept, (filter, one), scratch);
        Ok(Some((moving, swept)))
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
                    ranked.push(BoundedCandidate { lower_bound: enter, key });
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
            let touch =
                self.first_part_contact(moving, swept, one, to, (&mut narrow.tree, stack))?;
            Some((touch.shift, touch))
        });
        best.map(|best| (best.key, best.answer))
    }

    /// Finds the first contact with a part, a start inside it included.
    fn first_part_contact(
        &self,
        moving: &MovingShape,
        swept: &SweptAabb,
        BoundedCandidate { lower_bound, key }: BoundedCandidate<[u32; 2]>,
        to: f64,
        (tree, stack): (&mut TreeScratch, &mut Vec<u32>),
    ) -> Option<ShiftContact> {
        let touch = self.part_cast(moving, swept, key).first_contact(to, tree);
        let starts = lower_bound <= 0.0 && touch.is_none_or(|touch| touch.shift > 0.0);
        match starts && self.part_contains(key, moving.point(), stack) {
            true => Some(ShiftContact::INSIDE),
            false => touch,
        }
    }

    /// Returns the shift of the last contact with a part after the first, rounded up; infinite if
    /// they touch at the end of the path.
    fn last_part_contact(
        &self,
        moving: &MovingShape,
        swept: &SweptAabb,
        (key, first): ([u32; 2], ShiftContact),
        (tree, stack): (&mut TreeScratch, &mut Vec<u32>),
    ) -> f64 {
        let SweptAabb { direction, length, .. } = *swept;
        // The first contact of the way back, whose shifts are those of the path, negated.
        let back = self.part_cast_from(moving, key, (scale(direction, -1.0), -length));
        let last = back.first_contact(-first.shift, tree).map(|touch| -touch.shift);
        let end = add(moving.point(), scale(direction, length));
        match last {
            Some(last) if last < length && !self.part_contains(key, end, stack) => last,
            _ => f64::INFINITY,
        }
    }

    /// Returns `true` if a part is solid and contains a point.
    fn part_contains(&self, [index, part]: [u32; 2], point: Vec3, stack: &mut Vec<u32>) -> bool {
        let (character, part) = (self.character(index).1, part as usize);
        let placement = self.placement(index, part);
        let tree = character.model.tree(PartId::new(part));
        tree.contains_point(&character.poses[part], &placement, point, stack)
    }

    fn part_cast(
        &self,
        moving: &MovingShape,
        swept: &SweptAabb,
        key: [u32; 2],
    ) -> ShapeCastQuery<'_, T> {
        self.part_cast_from(moving, key, (swept.direction, 0.0))
    }

    /// Returns the cast at a part along a direction, from a least shift.
    fn part_cast_from(
        &self,
        moving: &MovingShape,
        [index, part]: [u32; 2],
        way: (Vec3, f64),
    ) -> ShapeCastQuery<'_, T> {
        let tree = self.character(index).1.model.tree(PartId::new(part as usize));
        ShapeCastQuery::new((tree, self.placement(index, part as usize)), moving, way)
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
