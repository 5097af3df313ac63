//! Casts of boxes, balls and capsules among brushes, and distances of points.
//!
//! A box is cast as a point against the Minkowski sum of brush and box. Its planes are those of the
//! brush, its bounds along the axes, and a plane for each edge between faces on different sides of
//! an axis; no others are needed. A capsule is swept against each face, a flat convex polygon.

use std::borrow::Cow;

use nalgebra::{Point3, Vector3};

use super::expanded::{plane_through_edge, support_bound};
use super::polytope::{HalfSpace, Polytope};
use super::tree::Bounds;
use super::world::{BrushEntry, BrushFilter, BrushId, BrushWorld};
use crate::error::Error;
use crate::num::linear::{Vec3, add, dot, length, scale, sub};
use crate::num::tolerance::SWEEP_SLACK;
use crate::num::{Scalar, check_coordinates, check_size};
use crate::pair::{
    CastHit, ClosestPoints, distance_to_outline, nearest_on_outline, sweep_to_outline,
};
use crate::shape::{Capsule, Segment, Sphere, nearest_point, wide_point};

/// Returns all planes of the Minkowski sum with an axis-aligned box, before they are moved outward.
fn planes_for_boxes(solid: &Polytope) -> Vec<HalfSpace> {
    let mut planes = solid.planes.clone();
    for axis in 0..3 {
        for end in [1.0, -1.0] {
            let mut normal = [0.0; 3];
            normal[axis] = end;
            if !planes.iter().any(|plane| plane.normal == normal) {
                planes.push(HalfSpace { normal, offset: support_bound(solid, normal) });
            }
        }
        planes.extend(solid.edges.iter().filter_map(|edge| plane_through_edge(solid, edge, axis)));
    }
    planes
}

struct MovingBox {
    start: Vec3,
    way: Vec3,
    half: Vec3,
}

impl MovingBox {
    /// Returns the times of first and last touch, and the normal at the first: the times at which
    /// its centre is behind all planes.
    fn crossing(&self, planes: &[HalfSpace]) -> Option<(f64, f64, Vec3)> {
        let (mut enter, mut leave, mut normal) = (f64::NEG_INFINITY, f64::INFINITY, [0.0; 3]);
        let (mut shallowest, mut nearest) = (f64::INFINITY, [0.0; 3]);
        for plane in planes {
            let n = plane.normal;
            let reach: f64 =
                n[0].abs() * self.half[0] + n[1].abs() * self.half[1] + n[2].abs() * self.half[2];
            let (depth, speed) = (reach - plane.height(self.start), dot(n, self.way));
            if depth < shallowest {
                (shallowest, nearest) = (depth, n);
            }
            if speed < 0.0 {
                if depth / speed > enter {
                    (enter, normal) = (depth / speed, n);
                }
            } else if speed > 0.0 {
                leave = if depth / speed < leave { depth / speed } else { leave };
            } else if depth < 0.0 {
                return None;
            }
        }
        let normal = if shallowest >= 0.0 { nearest } else { normal };
        (enter <= leave && enter <= 1.0 && leave >= 0.0).then_some((enter, leave, normal))
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
        let [start, way] = self.checked_motion(start, displacement)?;
        half_extents.iter().try_for_each(|&half| check_size(half, "half extents"))?;
        let half = self.up.to_z(wide_point(half_extents.into()));
        let pad = SWEEP_SLACK * (self.max_coordinate + length(start) + length(way) + length(half));
        let half = half.map(|x| x + pad);
        let mut first: Option<(usize, f64, f64, Vec3)> = None;
        self.for_each_overlap(&Bounds::swept(start, way, half), filter, |index| {
            let mover = MovingBox { start: self.to_body_origin(index, start), way, half };
            if let Some((enter, leave, normal)) = mover.crossing(&self.box_sum(index)) {
                let enter = if enter > 0.0 { enter } else { 0.0 };
                if first.is_none_or(|f| enter < f.1 || enter == f.1 && index < f.0) {
                    first = Some((index, enter, leave, normal));
                }
            }
        });
        Ok(first.map(|(index, enter, leave, normal)| {
            let still = MovingBox { start: self.to_body_origin(index, start), way: [0.0; 3], half };
            let side = |i: usize| if normal[i] == 0.0 { 0.0 } else { half[i].copysign(normal[i]) };
            let at = add(start, scale(way, enter));
            let point = sub(at, std::array::from_fn(side));
            let early = length(way) * enter * (2.0 * T::ROUNDING + 1e-15);
            CastHit {
                target: self.entries[index].id,
                time_of_impact: T::at_most(enter),
                time_of_leaving: T::at_least(leave + 1e-12 * leave.abs()),
                point: nearest_point(self.up.undo_to_z(point)),
                normal: nearest_point(self.up.undo_to_z(normal)).coords,
                started_inside: still.crossing(&self.box_sum(index)).is_some(),
                slack: T::at_least(4.0 * pad + early),
            }
        }))
    }

    /// Returns the planes of a brush expanded by boxes, rotated as its body but not moved.
    fn box_sum(&self, index: usize) -> Cow<'_, [HalfSpace]> {
        let entry = &self.entries[index];
        let (solid, pose) = (entry.brush.polytope(), self.body_pose(entry.body));
        if pose.is_rotated() {
            let solid = solid.turned(|v| pose.to_world_vector(self.up.to_z(v)));
            return Cow::Owned(planes_for_boxes(&solid));
        }
        let sums = self.box_sums.0.get_or_init(|| {
            let upright = |entry: &BrushEntry| entry.brush.polytope().upright(self.up);
            self.entries.iter().map(|entry| planes_for_boxes(&upright(entry))).collect()
        });
        Cow::Borrowed(&sums[index])
    }

    /// Transforms a position in the world, with z up, to the origin of a brush's body.
    fn to_body_origin(&self, index: usize, place: Vec3) -> Vec3 {
        sub(place, self.body_pose(self.entries[index].body).offset)
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
        let core = Segment::new(ball.center(), ball.center())?;
        self.cast_capsule(&Capsule::new(core, ball.radius())?, displacement, filter)
    }

    /// Returns the first touch of a capsule, moved straight by `displacement`, with a brush; `None`
    /// if there is none.
    ///
    /// Times are shares of the displacement, never late; at ties the brush with the lowest id
    /// counts. The normal is unit and points out of the brush. A capsule that touches at the start
    /// has time 0; if its core overlaps the brush, the normal is that of the plane through which
    /// the way out is shortest.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for the displacement.
    pub fn cast_capsule<T: Scalar>(
        &self,
        capsule: &Capsule<T>,
        displacement: Vector3<T>,
        filter: &BrushFilter,
    ) -> Result<Option<CastHit<T, 3, BrushId>>, Error> {
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        let ends = capsule.segment().wide();
        let way = self.up.to_z(wide_point(displacement.into()));
        let pad =
            SWEEP_SLACK * (self.max_coordinate + length(ends[0]) + length(ends[1]) + length(way));
        let half = [capsule.radius().wide() + pad; 3];
        let covered = ends
            .map(|end| Bounds::swept(self.up.to_z(end), way, half))
            .iter()
            .fold(Bounds::EMPTY, |all, own| all.merged(own));
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

    /// Returns the earliest touch with a face; time 0 for a start that touches the brush.
    fn capsule_to_brush<T: Scalar>(
        &self,
        index: usize,
        capsule: &Capsule<T>,
        displacement: Vector3<T>,
    ) -> Option<CastHit<T, 3>> {
        let entry = &self.entries[index];
        let solid = entry.brush.polytope();
        let ends = capsule.segment().wide();
        let mut best: Option<CastHit<T, 3>> = None;
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
                best = Some(CastHit {
                    time_of_leaving: best.map_or(hit.time_of_leaving, |old| {
                        if old.time_of_leaving > hit.time_of_leaving {
                            old.time_of_leaving
                        } else {
                            hit.time_of_leaving
                        }
                    }),
                    ..hit
                });
            } else if let Some(best) = &mut best
                && hit.time_of_leaving > best.time_of_leaving
            {
                best.time_of_leaving = hit.time_of_leaving;
            }
        }
        // Leaves through some face, if one is on the way.
        let time_of_leaving = best.map_or(T::nearest(f64::INFINITY), |best| best.time_of_leaving);
        let own = ends.map(|end| self.to_brush_point(entry.body, end));
        let contains = |p: &Vec3| solid.planes.iter().all(|plane| plane.height(*p) <= 0.0);
        match nearest_at_start {
            None if !own.iter().any(contains) => best,
            Some((distance, hit)) if distance > 0.0 && !own.iter().any(contains) => {
                Some(CastHit { time_of_leaving, ..hit })
            }
            // The core overlaps the brush: faces have no outer side for it, planes have.
            _ => Some(CastHit { time_of_leaving, ..self.capsule_in_brush(index, capsule) }),
        }
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
        max_distance: T,
        filter: &BrushFilter,
    ) -> Result<Option<ClosestPoints<T, (), BrushId>>, Error> {
        check_coordinates(point.coords.as_slice(), "point", 0)?;
        check_size(max_distance, "largest distance")?;
        let from = wide_point(point);
        let most = max_distance.wide();
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
