//! Brushes that a walker passes through on its path: triggers.

use nalgebra::Point3;

use super::hit_order::{LATE_SHARE, sort_by_time};
use super::walk_path::{TimedLeg, WalkPath};
use super::walker::{WalkScratch, Walker};
use super::world::{BrushFilter, BrushId, BrushWorld};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::length;
use crate::pair::CastHit;
use crate::shape::nearest_point;

/// Straight leg of a walker's path. See [`Walker::path`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct WalkLeg<T: Scalar> {
    /// Centre of the cylinder at the beginning of the leg.
    pub start: Point3<T>,
    /// Centre of the cylinder at the end of the leg; equal to the start for a walker at rest, and
    /// where its size changed.
    pub end: Point3<T>,
    /// Radius of the cylinder [length units].
    pub radius: T,
    /// Half height of the cylinder [length units].
    pub half_height: T,
    /// Times of beginning and end: shares of the length of the whole path, ascending.
    pub times: [T; 2],
}

impl WalkScratch {
    /// Begins a tick: from now on the moves add to one path, up to the next call. Needed only if
    /// more than one move of a tick counts, a [`Walker::push`] and a [`Walker::walk`].
    ///
    /// A scratch without ticks has the path of the last move. One with ticks has all moves since
    /// the last call, and grows until the next. If several walkers share a scratch, each of them
    /// begins a tick of its own. A move in a world with another axis up begins the path anew.
    ///
    /// ```
    /// use boxwood::brush::{Brush, BrushFilter, BrushWorld, WalkScratch, Walker};
    /// use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// use boxwood::{Aabb, CollisionGroups, UprightCylinder};
    ///
    /// let solid = |min: [f32; 3], max: [f32; 3]| Brush::from_aabb(&Aabb::new(min.into(), max.into()));
    /// let mut level = BrushWorld::builder();
    /// level.push(solid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])?, CollisionGroups::ALL);
    /// let ram = level.body();
    /// level.push_to(ram, solid([-3.0, -1.0, 0.0], [-1.0, 1.0, 2.0])?, CollisionGroups::ALL);
    /// let mut level = level.build()?;
    /// let mut triggers = BrushWorld::builder();
    /// triggers.push(solid([1.0, -2.0, 0.0], [1.01, 2.0, 2.0])?, CollisionGroups::ALL);
    /// let triggers = triggers.build()?;
    ///
    /// let walker = Walker::new(UprightCylinder::new(0.4, 0.9)?);
    /// let (mut scratch, mut hits) = (WalkScratch::new(), Vec::new());
    /// let mut at = walker.stand(&level, Point3::new(0.0, 0.0, 0.95), &mut scratch)?;
    /// // The ram throws the walker through the trigger, and it walks back.
    /// scratch.begin_tick();
    /// let before = level.set_pose(ram, Isometry3::translation(3.0, 0.0, 0.0))?;
    /// walker.push(&level, &mut at, ram, &before, &mut scratch)?;
    /// walker.walk(&level, &mut at, Vector3::new(0.0, 0.5, -0.1), &mut scratch)?;
    /// walker.passages(&triggers, &scratch, &BrushFilter::default(), &mut hits)?;
    /// assert_eq!(hits.len(), 1);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn begin_tick(&mut self) {
        self.lists.path.begin_tick();
    }
}

impl<T: Scalar> Walker<T> {
    /// Writes to `hits`, which is cleared first, all brushes that the path of the last move
    /// touches, however thin and however fast the walker: the triggers of a tick. Brushes do not
    /// block it: the filter is another one than the walker's, and the world may be another one too,
    /// one of triggers alone.
    ///
    /// The path is the walker's [`path`](Walker::path): that of the last move with this scratch, or
    /// of all moves since [`WalkScratch::begin_tick`]. The cylinder without its skin is swept along
    /// each leg, at the size that it had there. Brushes are where they are now.
    ///
    /// Times are shares of the length of the path: the walker is taken to move along it at one
    /// speed. [`time_of_impact`](CastHit::time_of_impact) is that of the first contact, never late;
    /// [`time_of_leaving`](CastHit::time_of_leaving) of the last, never early, and infinite if the
    /// two touch at the end of the path. Between the two they may be apart: a path has corners. A
    /// brush that is touched at the very beginning has [`started_inside`](CastHit::started_inside).
    /// Each brush is written once; sorted by time of impact, then by id. Nothing is allocated once
    /// `hits` has room.
    ///
    /// # Errors
    /// [`Error::BadQuery`] for a world with another axis up than that of the path; then there are
    /// no hits.
    ///
    /// ```
    /// use boxwood::brush::{Brush, BrushFilter, BrushWorld, WalkScratch, Walker};
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Aabb, CollisionGroups, UprightCylinder};
    ///
    /// // Walls and floors are in group 0, triggers in group 1.
    /// let solid = |min: [f32; 3], max: [f32; 3]| Brush::from_aabb(&Aabb::new(min.into(), max.into()));
    /// let group = |bit: u32| CollisionGroups { memberships: 1 << bit, ..CollisionGroups::ALL };
    /// let only = |bit: u32| CollisionGroups { filter: 1 << bit, ..CollisionGroups::ALL };
    /// let mut level = BrushWorld::builder();
    /// level.push(solid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])?, group(0));
    /// let barrier = level.push(solid([0.7, -1.0, 0.0], [0.701, 1.0, 2.0])?, group(1));
    /// let level = level.build()?;
    ///
    /// let walls = BrushFilter::default().groups(only(0));
    /// let walker = Walker::new(UprightCylinder::new(0.2, 0.9)?).filter(walls);
    /// let (mut scratch, mut hits) = (WalkScratch::new(), Vec::new());
    /// let mut at = walker.stand(&level, Point3::new(0.0, 0.0, 0.9), &mut scratch)?;
    /// // 60 m/s at 60 ticks a second: past the barrier within one tick.
    /// walker.walk(&level, &mut at, Vector3::new(1.0, 0.0, -0.01), &mut scratch)?;
    /// let triggers = BrushFilter::default().groups(only(1));
    /// walker.passages(&level, &scratch, &triggers, &mut hits)?;
    /// assert_eq!(hits[0].target, barrier);
    /// assert!((hits[0].time_of_impact - 0.5).abs() < 0.01);
    /// assert!((hits[0].time_of_leaving - 0.901).abs() < 0.01);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn passages(
        &self,
        world: &BrushWorld,
        scratch: &WalkScratch,
        filter: &BrushFilter,
        hits: &mut Vec<CastHit<T, 3, BrushId>>,
    ) -> Result<(), Error> {
        passages_of(&scratch.lists.path, world, filter, hits)
    }

    /// Returns the straight legs of the last move with this scratch, or of all moves since
    /// [`WalkScratch::begin_tick`], in order.
    ///
    /// A walk has the legs of its ride on a moving ground, of its slides, and of its way down to
    /// the ground; a step has the legs up by the whole height of a step, on, and down. A push has
    /// the leg along which the walker was moved. A walker that did not move has one leg at rest;
    /// so has one that was placed or whose size was changed. Where it was put elsewhere between two
    /// moves, no leg connects the two.
    ///
    /// ```
    /// use boxwood::UprightCylinder;
    /// use boxwood::brush::{BrushWorld, WalkScratch, Walker};
    /// use boxwood::nalgebra::{Point3, Vector3};
    ///
    /// let (level, mut scratch) = (BrushWorld::builder().build()?, WalkScratch::new());
    /// let walker = Walker::new(UprightCylinder::new(0.4, 0.9)?);
    /// let mut at = walker.stand(&level, Point3::origin(), &mut scratch)?;
    /// walker.slide(&level, &mut at, Vector3::new(2.0, 0.0, 0.0), &mut scratch)?;
    /// let leg = walker.path(&scratch).next().expect("a leg");
    /// assert_eq!((leg.end.x, leg.times), (2.0, [0.0, 1.0]));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn path<'s>(&self, scratch: &'s WalkScratch) -> impl Iterator<Item = WalkLeg<T>> + 's {
        legs_of(&scratch.lists.path)
    }
}

/// Returns the legs of a path, with their times.
pub(super) fn legs_of<T: Scalar>(path: &WalkPath) -> impl Iterator<Item = WalkLeg<T>> + '_ {
    let (total, up) = (path.length(), path.up());
    path.legs().map(move |timed| {
        let [before, after] = timed.lengths.map(|at| share(at, total));
        WalkLeg {
            start: nearest_point(up.undo_to_z(timed.leg.start)),
            end: nearest_point(up.undo_to_z(timed.leg.end)),
            radius: T::nearest(timed.leg.size[0]),
            half_height: T::nearest(timed.leg.size[1]),
            times: [before, if timed.is_last { 1.0 } else { after }].map(T::nearest),
        }
    })
}

/// Writes to `hits`, which is cleared first, all brushes that a path touches.
pub(super) fn passages_of<T: Scalar>(
    path: &WalkPath,
    world: &BrushWorld,
    filter: &BrushFilter,
    hits: &mut Vec<CastHit<T, 3, BrushId>>,
) -> Result<(), Error> {
    hits.clear();
    if path.len() > 0 && path.up() != world.up() {
        return Err(Error::BadQuery { reason: "the path is of a world with another axis up" });
    }
    let (total, mut runs) = (path.length(), SortedRuns::default());
    for timed in path.legs() {
        let leg = &timed.leg;
        let (mover, pad) = world.padded([leg.start, leg.displacement()], leg.size);
        world.for_each_crossing(&mover, filter, |met| {
            let hit = world.hit_brush::<f64>(&met, &mover, pad);
            let time_of_leaving = leaving_on_path(&hit, &timed, total);
            match runs.find(hits, hit.target) {
                Some(index) => hits[index].time_of_leaving = time_of_leaving,
                None => {
                    let hit = impact_on_path(&hit, &timed, total);
                    hits.push(CastHit { time_of_leaving, ..hit });
                }
            }
        });
        runs.close(hits);
    }
    sort_by_time(hits, |hit| hit.time_of_impact.wide(), |hit| hit.target);
    Ok(())
}

/// Index of hits by brush: the hits lie in runs sorted by brush, each at least twice as long as the
/// next. Not a map: that would allocate.
#[derive(Default)]
struct SortedRuns {
    /// Index behind the last hit of each run. Ids of brushes have 32 bits, so there are no more
    /// runs.
    ends: [usize; u32::BITS as usize],
    count: usize,
}

impl SortedRuns {
    fn end(&self, count: usize) -> usize {
        if count > 0 { self.ends[count - 1] } else { 0 }
    }

    /// Returns the index of the hit of a brush in one of the runs. A leg crosses each brush once,
    /// so the hits of the current leg, behind the runs, need no search.
    fn find<T: Scalar>(&self, hits: &[CastHit<T, 3, BrushId>], target: BrushId) -> Option<usize> {
        (0..self.count).find_map(|run| {
            let start = self.end(run);
            let run = &hits[start..self.ends[run]];
            run.binary_search_by_key(&target, |hit| hit.target).ok().map(|index| start + index)
        })
    }

    /// Makes the hits of a leg a run, merged with the runs before it that are less than twice as
    /// long.
    fn close<T: Scalar>(&mut self, hits: &mut [CastHit<T, 3, BrushId>]) {
        let mut start = self.end(self.count);
        if start == hits.len() {
            return;
        }
        while self.count > 0 && start - self.end(self.count - 1) < 2 * (hits.len() - start) {
            self.count -= 1;
            start = self.end(self.count);
        }
        hits[start..].sort_unstable_by_key(|hit| hit.target);
        self.ends[self.count] = hits.len();
        self.count += 1;
    }
}

/// Returns a length as a share of the whole; 0 of a path without length.
fn share(at: f64, total: f64) -> f64 {
    if total > 0.0 { at / total } else { 0.0 }
}

/// Returns a hit on a leg with its time on the whole path, rounded down.
fn impact_on_path<T: Scalar>(
    hit: &CastHit<f64, 3, BrushId>,
    timed: &TimedLeg,
    total: f64,
) -> CastHit<T, 3, BrushId> {
    let way = length(timed.leg.displacement());
    let time = share(timed.lengths[0] + hit.time_of_impact * way, total) * (1.0 - LATE_SHARE);
    let early = total * time * (2.0 * T::ROUNDING + 2.0 * LATE_SHARE);
    CastHit {
        target: hit.target,
        time_of_impact: T::at_most(time),
        time_of_leaving: T::nearest(f64::INFINITY),
        point: hit.point.map(T::nearest),
        normal: hit.normal.map(T::nearest),
        started_inside: hit.started_inside && timed.is_first,
        slack: T::at_least(hit.slack + early),
    }
}

/// Returns the time on the whole path at which a brush is left on a leg, rounded up; infinite if
/// the two touch at the end of the path.
fn leaving_on_path<T: Scalar>(hit: &CastHit<f64, 3, BrushId>, timed: &TimedLeg, total: f64) -> T {
    let way = length(timed.leg.displacement());
    let length = match hit.time_of_leaving.is_finite() {
        true => timed.lengths[0] + hit.time_of_leaving * way,
        false if timed.is_last => f64::INFINITY,
        false => timed.lengths[1],
    };
    if length == f64::INFINITY {
        return T::nearest(length);
    }
    let late = share(length, total) * (1.0 + LATE_SHARE);
    T::at_least(if late < 1.0 { late } else { 1.0 })
}
