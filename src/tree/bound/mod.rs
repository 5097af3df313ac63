//! How far a node's oriented box can be from what is in it.

mod cells;
mod corners;
mod crude;
mod target;

use std::cell::RefCell;
use std::ops::Range;

use super::Geometry;
use super::build::Bound;
use super::inside::{Enclosure, Probe};
use crate::num::Scalar;
use crate::num::exact::{Exact, exact};
use crate::num::linear::Vec3;
use crate::shape::Obb;
use cells::Search;
use crude::Crude;

/// Cells of one box looked at, at most. More: closer bounds of hollow boxes, in proportion to the time. A tenth is
/// what most boxes take.
const CELLS: u32 = 256;

/// With fewer primitives the inside of a solid is not looked at: their boxes are flat, little of the inside is in
/// them, and there are many such nodes.
const HOLLOW: usize = 16;

/// Steps that looking for the inside may take for each primitive: nearly three times what the worst of the characters tried takes. Of
/// what has its surface everywhere in the way, where each look takes a step for each primitive, the rest is bounded without it.
const STEPS: u64 = 1_000;

/// Steps that it may take altogether: a few seconds.
const ALL_STEPS: u64 = 50_000_000;

/// What looking for the inside works in.
#[derive(Debug, Default)]
struct Ray {
    path: Vec<u32>,
    /// Those left.
    steps: u64,
}

/// How bounds are found.
enum Way<T: Scalar> {
    Certified(Search),
    Corners(Crude<T>),
}

/// Finds the bounds of the nodes of one tree; what it works in is kept from node to node.
pub(super) struct Bounds<'a, T: Scalar> {
    geometry: &'a Geometry<T>,
    order: &'a [u32],
    way: Way<T>,
    inside: Option<Enclosure<'a, T>>,
    ray: RefCell<Ray>,
}

impl<'a, T: Scalar> Bounds<'a, T> {
    /// `inside` is what owns an inside: points of it are at no distance.
    pub fn new(
        geometry: &'a Geometry<T>,
        order: &'a [u32],
        how: Bound,
        inside: Option<Enclosure<'a, T>>,
    ) -> Self {
        let way = match how {
            Bound::Certified => Way::Certified(Search::new(geometry)),
            Bound::Corners => Way::Corners(Crude::new(geometry, order)),
        };
        let steps = ALL_STEPS.min(STEPS * geometry.len() as u64);
        let ray = RefCell::new(Ray { path: Vec::new(), steps });
        Bounds { geometry, order, way, inside, ray }
    }

    /// For the primitives of a range of the order: an upper bound on the directed Hausdorff distance from the box to them, or to the inside of
    /// the part. Part units.
    pub fn of(&mut self, range: Range<usize>, oriented: &Obb<T>) -> T {
        let primitives = &self.order[range.clone()];
        if let (Geometry::Boxes(_), [_]) = (self.geometry, primitives) {
            // The box is the primitive.
            return T::zero();
        }
        let wide = oriented.wide();
        let (enclosure, ray) = (self.inside.filter(|_| primitives.len() >= HOLLOW), &self.ray);
        let inside = |point: Vec3| {
            let exactly = || (exact(point), Exact::new(1.0));
            let probe = Probe { point, doubt: 0.0, exactly };
            let Ray { path, steps } = &mut *ray.borrow_mut();
            let held = |e: Enclosure<'_, T>| e.holds_within(&probe, path, steps).unwrap_or(false);
            enclosure.is_some_and(held)
        };
        let most = match &mut self.way {
            Way::Certified(search) => search.farthest(primitives, &wide, CELLS, inside),
            Way::Corners(crude) => match crude.bound(self.geometry, (self.order, range), &wide) {
                // The centre is at no distance.
                most if inside(wide.center) => most.min(wide.radius()),
                most => most,
            },
        };
        // Corners and distances are rounded; those to boxes, and those of corners by their coordinates, take right angles
        // for granted.
        let extent: f64 = wide.center.iter().map(|c| c.abs()).sum::<f64>() + wide.radius();
        let skew = match (self.geometry, &self.way) {
            (Geometry::Boxes(_), _) | (_, Way::Corners(_)) => 32.0 * T::ROUNDING * wide.radius(),
            _ => 0.0,
        };
        T::at_least(most + skew + 1e-14 * extent)
    }
}
