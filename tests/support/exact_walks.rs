//! Positions and pieces of ways of walkers, decided by the exact oracle.

use std::cell::{Cell, OnceCell};

use boxwood::brush::{Walker, WalkerState};
use boxwood::num::Scalar;

use crate::cylinder_distance::Cylinder;
use crate::exact_cylinder::{Centre, ExactBrush, Grown, Relation};
use crate::exact_planes::is_before;
use crate::plain_box::{V, norm};
use crate::walks::{Walkable, place, size};

/// Brushes of a level with their exact corners, computed on first use.
pub struct ExactLevel<'l> {
    level: &'l Walkable,
    brushes: Vec<OnceCell<ExactBrush>>,
    /// Number of cylinders compared with a brush.
    asked: Cell<usize>,
}

impl<'l> ExactLevel<'l> {
    pub fn new(level: &'l Walkable) -> Self {
        let brushes = (0..level.world.len()).map(|_| OnceCell::new()).collect();
        ExactLevel { level, brushes, asked: Cell::new(0) }
    }

    pub fn level(&self) -> &'l Walkable {
        self.level
    }

    /// Returns the number of cylinders compared with a brush.
    pub fn asked(&self) -> usize {
        self.asked.get()
    }

    /// Returns the brush at an index among the ids, with its planes as stored. Rounded numbers
    /// decide nothing.
    fn brush(&self, index: usize) -> &ExactBrush {
        self.brushes[index].get_or_init(|| {
            let mut exact = ExactBrush::new(self.level.planes(index)).expect("inner points");
            exact.filter = false;
            exact
        })
    }

    /// Returns `true` if a plane separates the brush and a cylinder on its way, exactly: this
    /// decides most pairs without corners.
    fn is_before(&self, index: usize, grown: &Grown, start: V, way: V) -> bool {
        self.asked.set(self.asked.get() + 1);
        is_before(self.level.planes(index), grown, start, way)
    }

    /// Returns `true` if no brush has inner points in the walker grown by half of its skin:
    /// exactly, including the sums.
    pub fn keeps_gap<T: Scalar>(&self, walker: &Walker<T>, at: &WalkerState<T>) -> bool {
        let start = place(at);
        let (grown, around) = self.grown(walker, 0.5, start, [0.0; 3]);
        let centre = Centre::at(start);
        self.level.near(&around, start, [0.0; 3]).all(|index| {
            self.is_before(index, &grown, start, [0.0; 3])
                || self.brush(index).relation(&grown, &centre) != Relation::Overlapping
        })
    }

    /// Returns `true` if the walker grown by a fraction of its skin is touched by no brush anywhere
    /// on a way.
    ///
    /// For most brushes the proof is exact: one plane has all of the way in front of it. For the
    /// others, the position on the way nearest to a brush is found in rounded numbers, by thirds;
    /// the verdict there is exact.
    pub fn is_free<T: Scalar>(&self, walker: &Walker<T>, share: f64, start: V, way: V) -> bool {
        let (grown, around) = self.grown(walker, share, start, way);
        self.level.near(&around, start, way).all(|index| {
            self.is_before(index, &grown, start, way)
                || self.brush(index).time_of_impact(&grown, start, way).is_none()
        })
    }

    /// Returns the walker grown by a fraction of its skin, and one larger by some skins, which
    /// finds the brushes near it.
    fn grown<T: Scalar>(
        &self,
        walker: &Walker<T>,
        share: f64,
        start: V,
        way: V,
    ) -> (Grown, Cylinder) {
        let (radius, half_height) = size(walker);
        let skin = walker.skin_in(&self.level.world).expect("a skin").wide();
        let growth = share * skin;
        let more = 4.0 * skin + 1e-9 * (1.0 + norm(start) + norm(way) + radius + half_height);
        let around = Cylinder { radius: radius + more, half_height: half_height + more };
        (Grown { radius, half_height, growth }, around)
    }
}
