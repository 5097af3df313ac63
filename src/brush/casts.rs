//! Casts of boxes, balls and capsules among brushes, and distances of points.
//!
//! A box is cast as a point against the Minkowski sum of brush and box. Its planes are those of the
//! brush, its bounds along the axes, and a plane for each edge between faces on different sides of
//! an axis; no others are needed. A capsule is swept against each face, a flat convex polygon.

use nalgebra::{Point3, Vector3};

use super::expanded::{plane_through_edge, rotated_support_bound};
use super::hit_order::{sort_by_time, sort_by_unrounded_time, time_of_leaving};
use super::polytope::{HalfSpace, Polytope};
use super::tree::Bounds;
use super::world::{BrushEntry, BrushFilter, BrushId, BrushWorld};
use crate::error::Error;
use crate::num::linear::{Vec3, add, dot, length, scale, sub};
use crate::num::tolerance::SWEEP_SLACK;
use crate::num::{Scalar, check_coordinates, check_size, checked_size};
use crate::pair::{
    CastHit, ClosestPoints, distance_to_outline, nearest_on_outline, sweep_to_outline,
};
use crate::shape::{Capsule, Segment, Sphere, nearest_point, wide_point};

/// Returns the unit vector along an axis, or against it.
fn axis_direction(axis: usize, end: f64) -> Vec3 {
    let mut direction = [0.0; 3];
    direction[axis] = end;
    direction
}

/// Calls `with` with each plane of the Minkowski sum of a rotated solid and an axis-aligned box,
/// before it is moved outward.
fn for_each_box_plane(
    solid: &Polytope,
    rotation: &impl Fn(Vec3) -> Vec3,
    mut with: impl FnMut(&HalfSpace),
) {
    // Directions along the axes that have a plane.
    let mut is_bounded = [[false; 2]; 3];
    let mut add_plane = |plane: &HalfSpace, is_bounded: &mut [[bool; 2]; 3]| {
        for (axis, ends) in is_bounded.iter_mut().enumerate() {
            ends[0] |= plane.normal == axis_direction(axis, 1.0);
            ends[1] |= plane.normal == axis_direction(axis, -1.0);
        }
        with(plane);
    };
    for plane in &solid.planes {
        add_plane(&plane.rotated(rotation), &mut is_bounded);
    }
    for axis in 0..3 {
        for (side, end) in [1.0, -1.0].into_iter().enumerate() {
            if !is_bounded[axis][side] {
                let normal = axis_direction(axis, end);
                let offset = rotated_support_bound(solid, rotation, normal);
                add_plane(&HalfSpace { normal, offset }, &mut is_bounded);
            }
        }
        for edge in &solid.edges {
            let [a, b] = edge.faces.map(|face| solid.planes[face as usize].rotated(rotation));
            if let Some(plane) = plane_through_edge([&a, &b], axis) {
                add_plane(&plane, &mut is_bounded);
            }
        }
    }
}

/// Moving box, padded by the rounding of its cast.
struct MovingBox {
    start: Vec3,
    way: Vec3,
    half: Vec3,
    pad: f64,
}

impl MovingBox {
    /// Returns the box at rest at its start.
    fn at_rest(&self) -> MovingBox {
        MovingBox { way: [0.0; 3], ..*self }
    }
}

/// Times at which the centre of a box is behind all planes of a sum so far, and the normals of the
/// plane passed last and of the shallowest.
struct BoxCrossing {
    enter: f64,
    leave: f64,
    normal: Vec3,
    least_depth: f64,
    nearest: Vec3,
}

impl BoxCrossing {
    const ALWAYS: BoxCrossing = BoxCrossing {
        enter: f64::NEG_INFINITY,
        leave: f64::INFINITY,
        normal: [0.0; 3],
        least_depth: f64::INFINITY,
        nearest: [0.0; 3],
    };

    /// Narrows the times to those at which the centre is behind a plane; `start` is that of the
    /// box relative to the plane's frame.
    fn narrow(&mut self, plane: &HalfSpace, start: Vec3, mover: &MovingBox) {
        let (n, half) = (plane.normal, mover.half);
        let reach: f64 = n[0].abs() * half[0] + n[1].abs() * half[1] + n[2].abs() * half[2];
        let (depth, speed) = (reach - plane.height(start), dot(n, mover.way));
        if depth < self.least_depth {
            (self.least_depth, self.nearest) = (depth, n);
        }
        if speed < 0.0 {
            if depth / speed > self.enter {
                (self.enter, self.normal) = (depth / speed, n);
            }
        } else if speed > 0.0 {
            self.leave = if depth / speed < self.leave { depth / speed } else { self.leave };
        } else if depth < 0.0 {
            self.leave = f64::NEG_INFINITY;
        }
    }

    fn overlaps_motion(&self) -> bool {
        self.enter <= self.leave && self.enter <= 1.0 && self.leave >= 0.0
    }

    /// Returns the time of impact.
    fn time(&self) -> f64 {
        if self.enter > 0.0 { self.enter } else { 0.0 }
    }

    /// Returns the normal at the time of impact: for a start inside, of the plane through which the
    /// way out is shortest.
    fn normal(&self) -> Vec3 {
        if self.least_depth >= 0.0 { self.nearest } else { self.normal }
    }
}

impl BrushWorld {
    /// Returns the first touch of an axis-aligned box, whose centre moves straight from `start` by
    /// `displacement`, with a brush; `None` if there is none.
    ///
    /// Like [`BrushWorld::cast_cylinder`]: times are shares of the displacement, never late, and
    /// the normal points out of the brush. The point is the corner of the box furthest against the
    /// normal, the middle of an edge or a face where many are.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for the half extents.
    pub fn cast_box<T: Scalar>(
        &self,
        half_extents: Vector3<T>,
        start: Point3<T>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
    ) -> Result<Option<CastHit<T, 3, BrushId>>, Error> {
        let mover = self.moving_box(half_extents, start, displacement)?;
        let mut first: Option<(usize, BoxCrossing)> = None;
        self.for_each_box_crossing(&mover, filter, |index, crossing| {
            let sooner = |(other, old): &(usize, BoxCrossing)| {
                let (time, best) = (crossing.time(), old.time());
                time < best || time == best && index < *other
            };
            if first.as_ref().is_none_or(sooner) {
                first = Some((index, crossing));
            }
        });
        Ok(first.map(|(index, crossing)| self.box_hit(index, &mover, &crossing)))
    }

    /// Casts a box like [`BrushWorld::cast_box`] through everything: writes to `hits`, which is
    /// cleared first, all brushes that it touches on its way.
    ///
    /// Times, order and allocation are those of [`BrushWorld::cast_cylinder_all`].
    ///
    /// # Errors
    /// The errors of [`BrushWorld::cast_box`]; then there are no hits.
    ///
    /// ```
    /// use boxwood::brush::{Brush, BrushFilter, BrushWorld};
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Aabb, CollisionGroups};
    ///
    /// let mut level = BrushWorld::builder();
    /// for x in [2.0, 5.0] {
    ///     let low = Point3::new(x, -1.0, -1.0);
    ///     let wall = Aabb::new(low, low + Vector3::new(1.0, 2.0, 2.0));
    ///     level.push(Brush::from_aabb(&wall)?, CollisionGroups::ALL);
    /// }
    /// let (level, mut hits) = (level.build()?, Vec::new());
    /// // A crate of half size 0.5, from 0 to 8: it is in the second wall from 4.5 to 6.5.
    /// let (half, way) = (Vector3::repeat(0.5_f32), Vector3::new(8.0, 0.0, 0.0));
    /// level.cast_box_all(half, Point3::origin(), way, &BrushFilter::default(), &mut hits)?;
    /// assert_eq!(hits.len(), 2);
    /// assert!((hits[1].time_of_impact - 4.5 / 8.0).abs() < 1e-6);
    /// assert!((hits[1].time_of_leaving - 6.5 / 8.0).abs() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn cast_box_all<T: Scalar>(
        &self,
        half_extents: Vector3<T>,
        start: Point3<T>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
        hits: &mut Vec<CastHit<T, 3, BrushId>>,
    ) -> Result<(), Error> {
        hits.clear();
        let mover = self.moving_box(half_extents, start, displacement)?;
        self.for_each_box_crossing(&mover, filter, |index, crossing| {
            hits.push(self.box_hit(index, &mover, &crossing));
        });
        let unrounded = |hit: &CastHit<T, 3, BrushId>| {
            let crossing = self.index(hit.target).and_then(|at| self.box_crossing(at, &mover));
            crossing.map_or(0.0, |crossing| crossing.time())
        };
        sort_by_unrounded_time(hits, |hit| hit.time_of_impact.wide(), |hit| hit.target, unrounded);
        Ok(())
    }

    fn moving_box<T: Scalar>(
        &self,
        half_extents: Vector3<T>,
        start: Point3<T>,
        displacement: Vector3<T>,
    ) -> Result<MovingBox, Error> {
        let [start, way] = self.checked_motion(start, displacement)?;
        half_extents.iter().try_for_each(|&half| check_size(half, "half extents"))?;
        let half = self.up.to_z(wide_point(half_extents.into()));
        let pad = SWEEP_SLACK * (self.max_coordinate + length(start) + length(way) + length(half));
        Ok(MovingBox { start, way, half: half.map(|x| x + pad), pad })
    }

    /// Calls `found` with every brush that the box touches on its way.
    fn for_each_box_crossing(
        &self,
        mover: &MovingBox,
        filter: &BrushFilter,
        mut found: impl FnMut(usize, BoxCrossing),
    ) {
        let swept = Bounds::swept(mover.start, mover.way, mover.half);
        self.for_each_overlap(&swept, filter, |index| {
            if let Some(crossing) = self.box_crossing(index, mover) {
                found(index, crossing);
            }
        });
    }

    /// Returns the crossing of the box and a brush at the pose of its body; `None` if the two do
    /// not touch on the way.
    fn box_crossing(&self, index: usize, mover: &MovingBox) -> Option<BoxCrossing> {
        let entry = &self.entries[index];
        let pose = self.body_pose(entry.body);
        let start = sub(mover.start, pose.offset);
        let mut crossing = BoxCrossing::ALWAYS;
        let mut narrow = |plane: &HalfSpace| crossing.narrow(plane, start, mover);
        if pose.is_rotated() {
            let rotation = |v| pose.to_world_vector(self.up.to_z(v));
            for_each_box_plane(entry.brush.polytope(), &rotation, narrow);
        } else {
            let sums = self.box_sums.0.get_or_init(|| {
                let planes = |entry: &BrushEntry| {
                    let mut planes = Vec::new();
                    let upright = |v| self.up.to_z(v);
                    let solid = entry.brush.polytope();
                    for_each_box_plane(solid, &upright, |plane| planes.push(*plane));
                    planes
                };
                self.entries.iter().map(planes).collect()
            });
            sums[index].iter().for_each(&mut narrow);
        }
        crossing.overlaps_motion().then_some(crossing)
    }

    fn box_hit<T: Scalar>(
        &self,
        index: usize,
        mover: &MovingBox,
        crossing: &BoxCrossing,
    ) -> CastHit<T, 3, BrushId> {
        let (time, normal) = (crossing.time(), crossing.normal());
        let half = mover.half;
        let side = |i: usize| if normal[i] == 0.0 { 0.0 } else { half[i].copysign(normal[i]) };
        let at = add(mover.start, scale(mover.way, time));
        let point = sub(at, std::array::from_fn(side));
        let early = length(mover.way) * time * (2.0 * T::ROUNDING + 1e-15);
        CastHit {
            target: self.entries[index].id,
            time_of_impact: T::at_most(time),
            time_of_leaving: time_of_leaving(crossing.leave),
            point: nearest_point(self.up.undo_to_z(point)),
            normal: nearest_point(self.up.undo_to_z(normal)).coords,
            started_inside: self.box_crossing(index, &mover.at_rest()).is_some(),
            slack: T::at_least(4.0 * mover.pad + early),
        }
    }

    /// Returns the first touch of a moving ball with a brush; like [`BrushWorld::cast_capsule`].
    ///
    /// # Errors
    /// The errors of [`BrushWorld::cast_capsule`].
    pub fn cast_ball<T: Scalar>(
        &self,
        ball: &Sphere<T, 3>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
    ) -> Result<Option<CastHit<T, 3, BrushId>>, Error> {
        self.cast_capsule(&capsule_of_ball(ball)?, displacement, filter)
    }

    /// Writes all brushes that a moving ball touches to `hits`; like
    /// [`BrushWorld::cast_capsule_all`].
    ///
    /// # Errors
    /// The errors of [`BrushWorld::cast_capsule`]; then there are no hits.
    ///
    /// ```
    /// use boxwood::brush::{Brush, BrushFilter, BrushWorld};
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Aabb, CollisionGroups, Sphere};
    ///
    /// // A thin sheet, and water from x = 5 on, in which the ball ends.
    /// let slab = |from, to| Aabb::new(Point3::new(from, -9.0, -9.0), Point3::new(to, 9.0, 9.0));
    /// let mut level = BrushWorld::builder();
    /// let sheet = level.push(Brush::from_aabb(&slab(2.0, 2.001))?, CollisionGroups::ALL);
    /// let water = level.push(Brush::from_aabb(&slab(5.0, 20.0))?, CollisionGroups::ALL);
    /// let (level, mut hits) = (level.build()?, Vec::new());
    /// let (ball, way) = (Sphere::new(Point3::origin(), 0.5)?, Vector3::new(10.0, 0.0, 0.0));
    /// level.cast_ball_all(&ball, way, &BrushFilter::default(), &mut hits)?;
    /// assert_eq!((hits[0].target, hits[1].target), (sheet, water));
    /// assert!((hits[0].time_of_leaving - 0.2501).abs() < 1e-6);
    /// assert!(hits[1].time_of_leaving.is_infinite());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn cast_ball_all<T: Scalar>(
        &self,
        ball: &Sphere<T, 3>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
        hits: &mut Vec<CastHit<T, 3, BrushId>>,
    ) -> Result<(), Error> {
        hits.clear();
        self.cast_capsule_all(&capsule_of_ball(ball)?, displacement, filter, hits)
    }

    /// Returns the first touch of a capsule, moved straight by `displacement`, with a brush; `None`
    /// if there is none.
    ///
    /// Times are shares of the displacement, never late; at ties the brush with the lowest id
    /// counts. The normal is unit and points out of the brush. A capsule that touches at the start
    /// has time 0; if its core overlaps the brush, the normal is that of the plane through which
    /// the way out is shortest.
    ///
    /// The time of leaving is that of the last contact with the solid, not with a face: a capsule
    /// deep inside touches the brush but none of its faces. It is infinite if the two touch at the
    /// end.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for the displacement.
    pub fn cast_capsule<T: Scalar>(
        &self,
        capsule: &Capsule<T>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
    ) -> Result<Option<CastHit<T, 3, BrushId>>, Error> {
        let covered = self.capsule_bounds(capsule, displacement)?;
        let mut first: Option<(usize, CastHit<T, 3>)> = None;
        self.for_each_overlap(&covered, filter, |index| {
            let Some(hit) = self.capsule_to_brush(index, capsule, displacement) else { return };
            let sooner = |best: &(usize, CastHit<T, 3>)| {
                let (new, old) = (hit.time_of_impact, best.1.time_of_impact);
                new < old || new == old && index < best.0
            };
            if first.as_ref().is_none_or(sooner) {
                first = Some((index, hit));
            }
        });
        Ok(first.map(|(index, hit)| hit.with_target(self.entries[index].id)))
    }

    /// Casts a capsule like [`BrushWorld::cast_capsule`] through everything: writes to `hits`,
    /// which is cleared first, all brushes that it touches on its way.
    ///
    /// Times, order and allocation are those of [`BrushWorld::cast_cylinder_all`]; equal times are
    /// those as stated. A face with more than 32 corners is copied, which allocates.
    ///
    /// # Errors
    /// The errors of [`BrushWorld::cast_capsule`]; then there are no hits.
    ///
    /// ```
    /// use boxwood::brush::{Brush, BrushFilter, BrushWorld};
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Aabb, Capsule, CollisionGroups, Segment};
    ///
    /// // A room full of gas, from -2 to 2; the capsule starts in the middle and flies out.
    /// let gas = Aabb::new(Point3::new(-2.0, -2.0, -2.0), Point3::new(2.0, 2.0, 2.0));
    /// let mut level = BrushWorld::builder();
    /// level.push(Brush::from_aabb(&gas)?, CollisionGroups::ALL);
    /// let (level, mut hits) = (level.build()?, Vec::new());
    /// let core = Segment::new(Point3::new(0.0, 0.0, -0.5), Point3::new(0.0, 0.0, 0.5))?;
    /// let (capsule, way) = (Capsule::new(core, 0.25)?, Vector3::new(10.0, 0.0, 0.0));
    /// level.cast_capsule_all(&capsule, way, &BrushFilter::default(), &mut hits)?;
    /// assert!(hits[0].started_inside && hits[0].time_of_impact == 0.0);
    /// assert!((hits[0].time_of_leaving - 0.225).abs() < 1e-6); // its back is out
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn cast_capsule_all<T: Scalar>(
        &self,
        capsule: &Capsule<T>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
        hits: &mut Vec<CastHit<T, 3, BrushId>>,
    ) -> Result<(), Error> {
        hits.clear();
        let covered = self.capsule_bounds(capsule, displacement)?;
        self.for_each_overlap(&covered, filter, |index| {
            let hit = self.capsule_to_brush(index, capsule, displacement);
            hits.extend(hit.map(|hit| hit.with_target(self.entries[index].id)));
        });
        sort_by_time(hits, |hit| hit.time_of_impact.wide(), |hit| hit.target);
        Ok(())
    }

    /// Checks a cast of a capsule, and returns bounds of its sweep.
    fn capsule_bounds<T: Scalar>(
        &self,
        capsule: &Capsule<T>,
        displacement: Vector3<T>,
    ) -> Result<Bounds, Error> {
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        let ends = capsule.segment().wide();
        let way = self.up.to_z(wide_point(displacement.into()));
        let half = [capsule.radius().wide() + self.capsule_pad(ends, way); 3];
        let swept = ends.map(|end| Bounds::swept(self.up.to_z(end), way, half));
        Ok(swept.iter().fold(Bounds::EMPTY, |all, own| all.merged(own)))
    }

    fn capsule_pad(&self, ends: [Vec3; 2], way: Vec3) -> f64 {
        SWEEP_SLACK * (self.max_coordinate + length(ends[0]) + length(ends[1]) + length(way))
    }

    /// Returns the hit of a capsule with one brush: the earliest touch with a face, time 0 for a
    /// start that touches the brush.
    fn capsule_to_brush<T: Scalar>(
        &self,
        index: usize,
        capsule: &Capsule<T>,
        displacement: Vector3<T>,
    ) -> Option<CastHit<T, 3>> {
        let entry = &self.entries[index];
        let solid = entry.brush.polytope();
        let ends = capsule.segment().wide();
        let (mut best, mut leave): (Option<CastHit<T, 3>>, f64) = (None, f64::NEG_INFINITY);
        let mut nearest_at_start: Option<(f64, CastHit<T, 3>)> = None;
        for face in 0..solid.planes.len() {
            let corner =
                |&corner: &u32| self.to_world_point(entry.body, solid.corners[corner as usize]);
            let corners = solid.face(face).iter().map(corner);
            let uneven = solid.merge_distance();
            let Some(hit) = sweep_to_outline(capsule, displacement, corners.clone(), uneven) else {
                continue;
            };
            if hit.started_inside {
                let distance = distance_to_outline(ends, corners);
                if nearest_at_start.is_none_or(|(least, _)| distance < least) {
                    nearest_at_start = Some((distance, hit));
                }
            }
            if best.is_none_or(|best| hit.time_of_impact < best.time_of_impact) {
                best = Some(hit);
            }
            let own = hit.time_of_leaving.wide();
            leave = if own > leave { own } else { leave };
        }
        let own = ends.map(|end| self.to_brush_point(entry.body, end));
        let contains = |p: &Vec3| solid.planes.iter().all(|plane| plane.height(*p) <= 0.0);
        let starts_within = own.iter().any(contains);
        let hit = match nearest_at_start {
            None if !starts_within => best?,
            Some((distance, hit)) if distance > 0.0 && !starts_within => hit,
            // The core overlaps the brush: faces have no outer side for it, planes have.
            _ => self.capsule_in_brush(index, capsule),
        };
        // A capsule that has left all faces it touched is outside, or deep inside: at the end too.
        let way = wide_point(displacement.into());
        let end = self.to_brush_point(entry.body, add(ends[0], way));
        let pad = self.capsule_pad(ends, way);
        let ends_within = || solid.planes.iter().all(|plane| plane.height(end) <= pad);
        let time_of_leaving = match (0.0..=1.0).contains(&leave) && !ends_within() {
            true => T::at_least(leave),
            false => T::nearest(f64::INFINITY),
        };
        Some(CastHit { time_of_leaving, ..hit })
    }

    /// Returns the hit at the start of a capsule whose core overlaps a brush: the normal is that of
    /// the plane through which the way out is shortest.
    fn capsule_in_brush<T: Scalar>(&self, index: usize, capsule: &Capsule<T>) -> CastHit<T, 3> {
        let entry = &self.entries[index];
        let (ends, radius) = (capsule.segment().wide(), capsule.radius().wide());
        let own = ends.map(|end| self.to_brush_point(entry.body, end));
        let mut shortest = (f64::NEG_INFINITY, ends[0], [0.0; 3]);
        for plane in &entry.brush.polytope().planes {
            let heights = own.map(|p| plane.height(p));
            let lowest = usize::from(heights[1] < heights[0]);
            if heights[lowest] > shortest.0 {
                shortest = (heights[lowest], ends[lowest], plane.normal);
            }
        }
        let (height, deepest, normal) = shortest;
        let normal = self.to_world_vector(entry.body, normal);
        // Half way between the plane and the deepest point, like the point of a contact.
        let point = sub(deepest, scale(normal, 0.5 * (radius + height)));
        CastHit {
            target: (),
            time_of_impact: T::zero(),
            time_of_leaving: T::nearest(f64::INFINITY),
            point: nearest_point(point),
            normal: nearest_point(normal).coords,
            started_inside: true,
            slack: T::at_least(SWEEP_SLACK * (self.max_coordinate + length(ends[0]))),
        }
    }

    /// Returns the point of the brushes nearest to a point, if one is within `max_distance`; `b` is
    /// its brush. Inside of a brush the distance is 0. At ties the lowest id counts.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for the distance.
    pub fn closest_point<T: Scalar>(
        &self,
        point: Point3<T>,
        max_distance: impl Into<f64>,
        filter: &BrushFilter,
    ) -> Result<Option<ClosestPoints<T, (), BrushId>>, Error> {
        check_coordinates(point.coords.as_slice(), "point", 0)?;
        let most = checked_size::<T>(max_distance, "largest distance")?;
        let from = wide_point(point);
        let pad = SWEEP_SLACK * (self.max_coordinate + length(from));
        let mut best: Option<(usize, f64, Vec3)> = None;
        let bounds = Bounds::swept(self.up.to_z(from), [0.0; 3], [most + pad; 3]);
        self.for_each_overlap(&bounds, filter, |index| {
            let (distance, at) = self.nearest_point_of_brush(index, from);
            let closer = |b: &(usize, f64, Vec3)| distance < b.1 || distance == b.1 && index < b.0;
            if distance <= most && best.as_ref().is_none_or(closer) {
                best = Some((index, distance, at));
            }
        });
        Ok(best.map(|(index, distance, at)| ClosestPoints {
            a: (),
            b: self.entries[index].id,
            distance: T::at_least(distance),
            on_a: point,
            on_b: nearest_point(at),
            slack: T::at_least(pad),
        }))
    }

    /// Returns the distance of a brush, and its point nearest to `from`.
    fn nearest_point_of_brush(&self, index: usize, from: Vec3) -> (f64, Vec3) {
        let entry = &self.entries[index];
        let solid = entry.brush.polytope();
        let own = self.to_brush_point(entry.body, from);
        if solid.planes.iter().all(|plane| plane.height(own) <= 0.0) {
            return (0.0, from);
        }
        let mut best = (f64::INFINITY, own);
        // The nearest point is on a face that the point is in front of.
        for face in (0..solid.planes.len()).filter(|&face| solid.planes[face].height(own) > 0.0) {
            let corners = solid.face(face).iter().map(|&corner| solid.corners[corner as usize]);
            let at = nearest_on_outline(own, corners);
            let distance = length(sub(at, own));
            best = if distance < best.0 { (distance, at) } else { best };
        }
        (best.0, self.to_world_point(entry.body, best.1))
    }
}

/// Returns a ball as a capsule.
fn capsule_of_ball<T: Scalar>(ball: &Sphere<T, 3>) -> Result<Capsule<T>, Error> {
    Capsule::new(Segment::new(ball.center(), ball.center())?, ball.radius())
}
