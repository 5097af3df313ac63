//! Bounds of nodes: how far a point of a node's box is from the geometry in it.

use std::cell::RefCell;

use super::cells::CellSearch;
use crate::error::Error;
use crate::num::exact::{Exact, exact};
use crate::num::linear::Vec3;
use crate::num::{Scalar, SimdLevel};
use crate::tree::build::Bound;
use crate::tree::node::OrderedNodes;
use crate::tree::store::enclosure::{Enclosure, InsideProbe};
use crate::tree::{BuildProgress, Geometry, Node};

/// Largest number of cells of one box. More: closer bounds of hollow boxes, in proportion to the
/// time. Most boxes need a tenth.
pub(super) const MAX_CELLS: u32 = 256;

/// Smallest number of primitives of a node whose bound uses the inside of a solid. Smaller nodes
/// are many, and their flat boxes contain little of the inside.
pub(super) const MIN_INSIDE_PRIMITIVES: usize = 16;

/// Largest number of steps of inside tests for each primitive of the part: nearly three times the
/// need of the worst character measured. Where the surface blocks every ray, a test takes a step
/// for each primitive; the remaining nodes are then bounded without the inside.
pub(super) const STEPS_PER_PRIMITIVE: u64 = 1_000;

/// Largest number of steps of inside tests of a tree: a few seconds.
pub(super) const MAX_STEPS: u64 = 50_000_000;

/// Scratch memory of inside tests, and their remaining steps.
#[derive(Debug, Default)]
pub(super) struct InsideScratch {
    path: Vec<u32>,
    remaining_steps: u64,
}

/// Computes the bounds of the nodes of one tree.
pub(in crate::tree) struct NodeBounds<'a, T: Scalar> {
    geometry: &'a Geometry<T>,
    ordered: OrderedNodes<'a, T>,
    /// `None` for bounds by corners.
    search: Option<CellSearch<'a, T>>,
    inside: Option<Enclosure<'a, T>>,
    scratch: RefCell<InsideScratch>,
}

impl<'a, T: Scalar> NodeBounds<'a, T> {
    /// Creates the computation. `inside` is the volume of a solid part: its points are at distance
    /// zero.
    pub fn new(
        geometry: &'a Geometry<T>,
        ordered: OrderedNodes<'a, T>,
        method: Bound,
        inside: Option<Enclosure<'a, T>>,
    ) -> Self {
        let search = (method == Bound::Certified).then(|| CellSearch::new(geometry, ordered));
        let remaining_steps = MAX_STEPS.min(STEPS_PER_PRIMITIVE * geometry.len() as u64);
        let scratch = RefCell::new(InsideScratch { path: Vec::new(), remaining_steps });
        NodeBounds { geometry, ordered, search, inside, scratch }
    }

    /// Returns for each node an upper bound on the directed Hausdorff distance from its oriented
    /// box to its primitives, or to the inside of the part [part units].
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn node_bounds(mut self, progress: &mut dyn BuildProgress) -> Result<Vec<T>, Error> {
        let OrderedNodes { nodes, order } = self.ordered;
        let (start, len) = (progress.done(), order.len() as u64);
        let share = |found: usize| start + (found as u64 * len / nodes.len() as u64) as usize;
        let is_searched = self.search.is_some();
        let is_mesh = self.geometry.mesh().is_some();
        // The corners of the box decide about a single triangle: no search could find less.
        let has_corner_bound =
            |node: &Node<T>| !is_searched || is_mesh && node.primitive_range().len() == 1;
        let mut done = |primitives| match is_searched {
            true => Ok(()),
            false => progress.advance(start + primitives),
        };
        let by_corners = super::corners::corner_bounds(
            self.geometry,
            self.ordered,
            SimdLevel::best(),
            &has_corner_bound,
            &mut done,
        )?;
        let mut found = Vec::with_capacity(nodes.len());
        for (node, &by_corners) in nodes.iter().zip(&by_corners) {
            found.push(self.bound(node, has_corner_bound(node).then_some(by_corners)));
            if is_searched {
                progress.advance(share(found.len()))?;
            }
        }
        Ok(found)
    }

    pub fn node_bound(&mut self, node: &Node<T>) -> T {
        self.bound(node, None)
    }

    /// Returns the bound of one node, given its bound by corners if those are used.
    fn bound(&mut self, node: &Node<T>, by_corners: Option<f64>) -> T {
        let primitives = self.ordered.primitives(node);
        if let (Geometry::Boxes(_), [_]) = (self.geometry, primitives) {
            // The box is the primitive itself.
            return T::zero();
        }
        let wide = node.oriented.wide();
        let (enclosure, scratch) =
            (self.inside.filter(|_| primitives.len() >= MIN_INSIDE_PRIMITIVES), &self.scratch);
        let inside = |point: Vec3| {
            let exact_point = || (exact(point), Exact::new(1.0));
            let probe = InsideProbe { point, error: 0.0, exact_point };
            let InsideScratch { path, remaining_steps } = &mut *scratch.borrow_mut();
            let contains = |e: Enclosure<'_, T>| {
                e.contains_within_steps(&probe, path, remaining_steps).unwrap_or(false)
            };
            enclosure.is_some_and(contains)
        };
        let distance = match (&mut self.search, by_corners) {
            (Some(search), None) => search.node_bound(node, MAX_CELLS, inside),
            // The centre is inside, at distance zero.
            (_, Some(most)) if inside(wide.center) => most.min(wide.radius()),
            (_, most) => most.unwrap_or(f64::INFINITY),
        };
        // Pads: corners and distances are rounded, and both distances to boxes and corners by
        // coordinates assume right angles.
        let extent: f64 = wide.center.iter().map(|c| c.abs()).sum::<f64>() + wide.radius();
        let skew_pad = match (self.geometry, &self.search) {
            (Geometry::Boxes(_) | Geometry::Convex(_), _) | (_, None) => {
                32.0 * T::ROUNDING * wide.radius()
            }
            _ => 0.0,
        };
        T::at_least(distance + skew_pad + 1e-14 * extent)
    }
}
