//! How far a node's oriented box can be from what is in it.

mod cells;
mod crude;
mod target;

use std::cell::RefCell;

use super::build::Bound;
use super::inside::{Enclosure, Probe};
use super::{Geometry, Node, Told};
use crate::error::Error;
use crate::num::exact::{Exact, exact};
use crate::num::linear::Vec3;
use crate::num::{Scalar, SimdLevel};
use cells::Search;

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

/// Finds the bounds of the nodes of one tree; what it works in is kept from node to node.
pub(super) struct Bounds<'a, T: Scalar> {
    geometry: &'a Geometry<T>,
    order: &'a [u32],
    /// None where corners decide.
    search: Option<Search>,
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
        let search = (how == Bound::Certified).then(|| Search::new(geometry));
        let steps = ALL_STEPS.min(STEPS * geometry.len() as u64);
        let ray = RefCell::new(Ray { path: Vec::new(), steps });
        Bounds { geometry, order, search, inside, ray }
    }

    /// For each node an upper bound on the directed Hausdorff distance from its oriented box to the primitives in it, or to the
    /// inside of the part. Part units.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn all(mut self, nodes: &[Node<T>], told: &mut Told<'_, '_>) -> Result<Vec<T>, Error> {
        let (start, len) = (told.done(), self.order.len() as u64);
        let share = |found: usize| start + (found as u64 * len / nodes.len() as u64) as usize;
        let crude = match self.search {
            None => {
                let mut done = |primitives| told.reach(start + primitives);
                crude::bounds(self.geometry, (self.order, nodes), SimdLevel::best(), &mut done)?
            }
            Some(_) => Vec::new(),
        };
        let mut found = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            found.push(self.of(node, crude.get(index).copied()));
            if crude.is_empty() {
                told.reach(share(found.len()))?;
            }
        }
        Ok(found)
    }

    /// That of one node, given that by corners if these decide.
    fn of(&mut self, node: &Node<T>, crude: Option<f64>) -> T {
        let primitives = &self.order[node.range()];
        if let (Geometry::Boxes(_), [_]) = (self.geometry, primitives) {
            // The box is the primitive.
            return T::zero();
        }
        let wide = node.oriented.wide();
        let (enclosure, ray) = (self.inside.filter(|_| primitives.len() >= HOLLOW), &self.ray);
        let inside = |point: Vec3| {
            let exactly = || (exact(point), Exact::new(1.0));
            let probe = Probe { point, doubt: 0.0, exactly };
            let Ray { path, steps } = &mut *ray.borrow_mut();
            let held = |e: Enclosure<'_, T>| e.holds_within(&probe, path, steps).unwrap_or(false);
            enclosure.is_some_and(held)
        };
        let most = match (&mut self.search, crude) {
            (Some(search), _) => search.farthest(primitives, &wide, CELLS, inside),
            // The centre is at no distance.
            (None, Some(most)) if inside(wide.center) => most.min(wide.radius()),
            (None, most) => most.unwrap_or(f64::INFINITY),
        };
        // Corners and distances are rounded; those to boxes, and those of corners by their coordinates, take right angles
        // for granted.
        let extent: f64 = wide.center.iter().map(|c| c.abs()).sum::<f64>() + wide.radius();
        let skew = match (self.geometry, &self.search) {
            (Geometry::Boxes(_), _) | (_, None) => 32.0 * T::ROUNDING * wide.radius(),
            _ => 0.0,
        };
        T::at_least(most + skew + 1e-14 * extent)
    }
}
