//! Shape casts: the first part that a ball, a capsule or a box touches while it moves along a
//! straight line.

use nalgebra::Vector3;

use crate::error::Error;
use crate::model::PartId;
use crate::narrow_phase::{BoundedCandidate, Evaluation, best_first};
use crate::num::linear::Vec3;
use crate::num::{Scalar, precompiled};
use crate::pair::CastHit;
use crate::scene::pairs::hits::PairScratch;
use crate::scene::{NodeRef, QueryFilter, QueryScratch, QueryShape, Snapshot};
use crate::shape::Pose;
use crate::tree::{MovingShape, Path, ShapeCastQuery, ShiftContact, TreeScratch};

/// The hit of a moving shape: node, time, point and normal [world frame]. See
/// [`Snapshot::shape_cast`].
pub type ShapeHit<T> = CastHit<T, 3, NodeRef>;

precompiled! {
    fn shape_cast<'a, T>(
        now: Snapshot<'a, T>,
        shape: QueryShape<T>,
        displacement: Vector3<T>,
        filter: &'a QueryFilter<'a>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<Option<ShapeHit<T>>, Error> {
        now.shape_cast_checked(shape, displacement, filter, scratch)
    }

    fn shape_cast_all<'a, T>(
        now: Snapshot<'a, T>,
        shape: QueryShape<T>,
        displacement: Vector3<T>,
        filter: &'a QueryFilter<'a>,
        scratch: &'a mut QueryScratch<T>,
        hits: &'a mut Vec<ShapeHit<T>>,
    ) -> Result<(), Error> {
        now.shape_cast_all_checked(shape, displacement, filter, scratch, hits)
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
    /// [`normal`](CastHit::normal) points out of the hit part, towards the shape: if it overlaps a
    /// primitive from the start, along their least overlap; for a start inside a solid mesh,
    /// opposite to the displacement. [`point`](CastHit::point) lies on the part.
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
        shape_cast(*self, shape.into(), displacement, filter, scratch)
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
        shape_cast_all(*self, shape.into(), displacement, filter, scratch, hits)
    }

    pub(in crate::scene) fn shape_cast_checked(
        &self,
        shape: QueryShape<T>,
        displacement: Vector3<T>,
        filter: &QueryFilter<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ShapeHit<T>>, Error> {
        let Some(cast) = self.start_cast(&shape, displacement, filter, scratch)? else {
            return Ok(None);
        };
        let QueryScratch { cast_parts, narrow, .. } = scratch;
        let limits = [cast.1.length, f64::NEG_INFINITY];
        let best = best_first(cast_parts, limits, |one, to| {
            let touch = self.first_part_contact(&cast, one, to, &mut narrow.tree);
            Evaluation::new(touch, |touch| touch.shift)
        });
        Ok(best.and_then(|best| self.shape_hit(&cast, best.key, &best.answer)))
    }

    fn shape_cast_all_checked(
        &self,
        shape: QueryShape<T>,
        displacement: Vector3<T>,
        filter: &QueryFilter<'_>,
        scratch: &mut QueryScratch<T>,
        hits: &mut Vec<ShapeHit<T>>,
    ) -> Result<(), Error> {
        let Some(cast) = self.start_cast(&shape, displacement, filter, scratch)? else {
            return Ok(());
        };
        let (moving, path) = &cast;
        let QueryScratch { cast_parts, narrow, .. } = scratch;
        for &one in &*cast_parts {
            let first = self.first_part_contact(&cast, one, path.length, &mut narrow.tree);
            let Some(first) = first else { continue };
            let back = path.reversed_direction();
            let back = self.part_cast(moving, one.key, back, -path.length);
            let pose = self.part_pose(one.key);
            let last = back.last_contact(pose, path, first.shift, &mut narrow.tree);
            let share = last / path.length * (1.0 + f64::EPSILON);
            let hit = self.shape_hit(&cast, one.key, &first);
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
    ) -> Result<Option<(MovingShape, Path)>, Error> {
        let cast = MovingShape::on_path(shape, displacement)?;
        let one = filter.check(self)?;
        let Some((moving, path)) = cast else { return Ok(None) };
        scratch.clear(self.buffers.simd);
        self.collect_cast_parts(&moving, &path, filter, one, scratch);
        Ok(Some((moving, path)))
    }

    /// Collects the parts that the AABB of a shape may touch on its path, with lower bounds on the
    /// shift.
    fn collect_cast_parts(
        &self,
        moving: &MovingShape,
        path: &Path,
        filter: &QueryFilter<'_>,
        one: Option<u32>,
        scratch: &mut QueryScratch<T>,
    ) {
        let QueryScratch { cast_parts, entry_shifts, stack, pairs, .. } = scratch;
        let PairScratch { near_indices, .. } = pairs;
        cast_parts.clear();
        near_indices.clear();
        let slabs = path.slabs(&moving.bounds(), self.max_coordinate_sum(one));
        match one {
            Some(index) => near_indices.push(index),
            None => self.find_characters_on_path(&slabs, stack, near_indices),
        }
        for &index in &*near_indices {
            let character = self.character(index).1;
            if filter.rejects_all(self.key_at(index), character) {
                continue;
            }
            self.find_slots_on_path(&slabs, index, entry_shifts);
            for &(lower_bound, slot) in &*entry_shifts {
                let part = character.model.part_at(slot as usize);
                let key = [index, part.index() as u32];
                let node = || self.node_ref([key[0], key[1], 0]);
                if character.tree(part.index()).is_some() && filter.includes(character, part, node)
                {
                    cast_parts.push(BoundedCandidate::new(lower_bound, key));
                }
            }
        }
    }

    /// Finds the first contact with a part, a start inside it included.
    fn first_part_contact(
        &self,
        (moving, path): &(MovingShape, Path),
        BoundedCandidate { lower_bound, key, .. }: BoundedCandidate<[u32; 2]>,
        to: f64,
        scratch: &mut TreeScratch,
    ) -> Option<ShiftContact> {
        let cast = self.part_cast(moving, key, path.direction, 0.0);
        // A part whose AABB the shape does not touch at the start does not contain it.
        match lower_bound <= 0.0 {
            true => cast.first_contact_or_inside(self.part_pose(key), to, scratch),
            false => cast.first_contact(to, scratch),
        }
    }

    fn part_pose(&self, [index, part]: [u32; 2]) -> &Pose<T> {
        &self.character(index).1.poses[part as usize]
    }

    /// Returns the cast at a part along a direction, from a least shift.
    fn part_cast<'c>(
        &'c self,
        moving: &'c MovingShape,
        [index, part]: [u32; 2],
        direction: Vec3,
        from: f64,
    ) -> ShapeCastQuery<'c, T> {
        let tree = self.character(index).1.model.tree(PartId::new(part as usize));
        let placement = self.placement(index, part as usize);
        ShapeCastQuery::new(tree, placement, moving, direction, from)
    }

    fn shape_hit(
        &self,
        (moving, path): &(MovingShape, Path),
        key: [u32; 2],
        touch: &ShiftContact,
    ) -> Option<ShapeHit<T>> {
        let hit = self.part_cast(moving, key, path.direction, 0.0).hit(path, touch)?;
        let node = hit.target.index() as u32;
        Some(hit.with_target(self.node_ref([key[0], key[1], node])))
    }
}
