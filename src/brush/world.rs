//! Worlds of brushes: thousands of convex solids, static and moving.

use std::sync::OnceLock;

use super::body::{Body, BodyId};
use super::brush::Brush;
use super::expanded::Expansion;
use super::polytope::HalfSpace;
use super::sweep::{BrushCrossing, SumTable, SweptCylinder};
use super::tree::{Bounds, BoundsTree};
use crate::model::CollisionGroups;
use crate::shape::UpAxis;

/// Id of a brush of a [`BrushWorld`], numbered in the order of insertion or chosen by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BrushId(pub u32);

/// Level: convex brushes in a tree of boxes, and bodies of brushes that move.
///
/// Cylinders, points and rays are cast among the brushes; collision groups filter them as they
/// filter parts of characters. Touching counts. Answers depend on the brushes and their ids alone,
/// not on the order of insertion.
///
/// ```
/// use boxwood::brush::{Brush, BrushFilter, BrushWorld};
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Aabb, CollisionGroups, UprightCylinder};
///
/// let slab = Aabb::new(Point3::new(-9.0, -9.0, -1.0), Point3::new(9.0, 9.0, 0.0));
/// let mut level = BrushWorld::builder();
/// let floor = level.push(Brush::from_aabb(&slab)?, CollisionGroups::ALL);
/// let level = level.build()?;
///
/// let body = UprightCylinder::new(0.4, 0.9)?;
/// let (start, fall) = (Point3::new(0.0, 0.0, 2.9), Vector3::new(0.0, 0.0, -4.0));
/// let hit = level.cast_cylinder(&body, start, fall, &BrushFilter::default())?.expect("a floor");
/// assert_eq!((hit.target, hit.normal), (floor, Vector3::z()));
/// assert!((hit.time_of_impact - 0.5).abs() < 1e-6);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BrushWorld {
    pub(super) up: UpAxis,
    pub(super) expansion: Expansion,
    pub(super) entries: Vec<BrushEntry>,
    /// Pose and entries of each body; the static one first.
    pub(super) bodies: Vec<Body>,
    pub(super) sums: SumTable,
    pub(super) tree: BoundsTree,
    pub(super) box_sums: BoxSums,
    /// Largest coordinate of a brush [length units].
    pub(super) max_coordinate: f64,
}

#[derive(Debug, Clone)]
pub(super) struct BrushEntry {
    pub id: BrushId,
    pub brush: Brush,
    pub groups: CollisionGroups,
    pub body: BodyId,
    /// Bounds with z up, before its body moves.
    pub bounds: Bounds,
}

/// Selection of the brushes of a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BrushFilter {
    pub(super) groups: CollisionGroups,
}

/// Planes of all brushes expanded by boxes, computed when first needed.
#[derive(Debug, Clone, Default)]
pub(super) struct BoxSums(pub OnceLock<Vec<Vec<HalfSpace>>>);

impl BrushFilter {
    /// Sets the collision groups of the query: only brushes whose groups [interact
    /// with](CollisionGroups::interacts_with) these count. Default: all.
    pub fn groups(mut self, groups: CollisionGroups) -> Self {
        self.groups = groups;
        self
    }
}

impl BrushWorld {
    /// Returns the axis that points up.
    pub fn up(&self) -> UpAxis {
        self.up
    }

    /// Returns the rounding of the corners of brushes for cylinders.
    pub fn expansion(&self) -> Expansion {
        self.expansion
    }

    /// Returns the number of brushes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if there is no brush.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the ids of all brushes, ascending.
    pub fn ids(&self) -> impl Iterator<Item = BrushId> + '_ {
        self.entries.iter().map(|entry| entry.id)
    }

    /// Returns a brush as it was inserted, without the pose of its body.
    pub fn brush(&self, id: BrushId) -> Option<&Brush> {
        self.entry(id).map(|entry| &entry.brush)
    }

    /// Returns the body of a brush.
    pub fn body(&self, id: BrushId) -> Option<BodyId> {
        self.entry(id).map(|entry| entry.body)
    }

    /// Returns the numbers of planes and arcs of all brushes, planes rounded up to rows of eight.
    pub fn constraints(&self) -> [usize; 2] {
        self.sums.counts()
    }

    pub(super) fn entry(&self, id: BrushId) -> Option<&BrushEntry> {
        self.index(id).map(|index| &self.entries[index])
    }

    /// Returns the index of a brush among the entries.
    pub(super) fn index(&self, id: BrushId) -> Option<usize> {
        self.entries.binary_search_by_key(&id, |entry| entry.id).ok()
    }

    pub(super) fn entries(&self) -> &[BrushEntry] {
        &self.entries
    }

    /// Calls `found` with the index of every brush whose box overlaps `bounds` and whose groups
    /// pass.
    pub(super) fn for_each_overlap(
        &self,
        bounds: &Bounds,
        filter: &BrushFilter,
        mut found: impl FnMut(usize),
    ) {
        let asked = |index: usize| self.entries[index].groups.interacts_with(filter.groups);
        self.tree.visit(bounds, |index| {
            if asked(index as usize) {
                found(index as usize);
            }
        });
        for body in &self.bodies[1..] {
            for &index in &body.entries {
                let index = index as usize;
                if body.pose.world_bounds(&self.entries[index].bounds).overlaps(bounds)
                    && asked(index)
                {
                    found(index);
                }
            }
        }
    }

    /// Returns the crossing of the mover and a brush's sum, at the pose of its body.
    #[inline]
    pub(super) fn crossing(
        &self,
        index: usize,
        mover: &SweptCylinder,
        latest: f64,
    ) -> Option<BrushCrossing> {
        self.sums.crossing(index, &self.to_brush_frame(index, mover), latest)
    }

    /// Returns `true` if the mover touches a brush on its way, or at rest.
    #[inline]
    pub(super) fn overlaps_sweep(&self, index: usize, mover: &SweptCylinder) -> bool {
        self.crossing(index, mover, 1.0).is_some()
    }

    /// Transforms the mover into the frame in which the brush was inserted.
    #[inline(always)]
    pub(super) fn to_brush_frame(&self, index: usize, mover: &SweptCylinder) -> SweptCylinder {
        let pose = self.body_pose(self.entries[index].body);
        let (start, displacement) =
            (pose.to_local_point(mover.start), pose.to_local_vector(mover.displacement));
        SweptCylinder { start, displacement, ..*mover }
    }

    pub(super) fn swept_bounds(&self, mover: &SweptCylinder) -> Bounds {
        let half = [mover.radius, mover.radius, mover.half_height];
        Bounds::swept(mover.start, mover.displacement, half)
    }
}
