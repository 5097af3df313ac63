//! Places and pieces of ways of walkers, decided by the oracle of whole numbers.

use std::cell::{Cell, OnceCell};

use boxwood::brush::{Walker, WalkerState};
use boxwood::num::Scalar;

use crate::cylinder_distance::Cylinder;
use crate::exact_cylinder::{Centre, ExactBrush, Grown, Relation};
use crate::exact_planes::is_before;
use crate::plain_box::{V, norm};
use crate::walks::{Walkable, place, size};

/// The brushes of a level with their exact corners, made when first asked for.
pub struct ExactLevel<'l> {
    level: &'l Walkable,
    brushes: Vec<OnceCell<ExactBrush>>,
    /// How many cylinders have been compared with a brush.
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

    /// How many cylinders have been compared with a brush.
    pub fn asked(&self) -> usize {
        self.asked.get()
    }

    /// The brush at a place among the ids, its planes as they are stored. Nothing is decided by
    /// rounded numbers.
    fn brush(&self, index: usize) -> &ExactBrush {
        self.brushes[index].get_or_init(|| {
            let mut exact = ExactBrush::new(self.level.planes(index)).expect("inner points");
            exact.filter = false;
            exact
        })
    }

    /// Whether a plane tells exactly that the brush and a cylinder on its way share no point: most
    /// are told apart so, and need no corners.
    fn is_before(&self, index: usize, grown: &Grown, start: V, way: V) -> bool {
        self.asked.set(self.asked.get() + 1);
        is_before(self.level.planes(index), grown, start, way)
    }

    /// Whether no brush has inner points in the walker grown by half of its skin: exactly, the sums
    /// too.
    pub fn keeps_gap<T: Scalar>(&self, walker: &Walker<T>, at: &WalkerState<T>) -> bool {
        let start = place(at);
        let (grown, around) = self.grown(walker, 0.5, start, [0.0; 3]);
        let centre = Centre::at(start);
        self.level.near(&around, start, [0.0; 3]).all(|index| {
            self.is_before(index, &grown, start, [0.0; 3])
                || self.brush(index).relation(&grown, &centre) != Relation::Overlapping
        })
    }

    /// Whether the walker grown by a share of its skin is touched by no brush anywhere on a way.
    ///
    /// What is exact is that one plane has all of the way before it, for most brushes. For the
    /// others, where on the way it is nearest to a brush is found in rounded numbers, by thirds;
    /// whether it touches there is exact.
    pub fn is_free<T: Scalar>(&self, walker: &Walker<T>, share: f64, start: V, way: V) -> bool {
        let (grown, around) = self.grown(walker, share, start, way);
        self.level.near(&around, start, way).all(|index| {
            self.is_before(index, &grown, start, way)
                || self.brush(index).time_of_impact(&grown, start, way).is_none()
        })
    }

    /// The walker grown by a share of its skin, and one larger by some skins: brushes near it.
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
