//! How far a node's oriented box can be from what is in it.

mod cells;
mod target;

use super::Geometry;
use super::build::Bound;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::Obb;
use cells::Search;

/// Cells of one box looked at, at most. More: closer bounds of hollow boxes, in proportion to the time. A tenth is
/// what most boxes take.
const CELLS: u32 = 256;

/// Finds the bounds of the nodes of one tree; what it works in is kept from node to node.
pub(super) struct Bounds<'a, T: Scalar> {
    geometry: &'a Geometry<T>,
    search: Search,
    cells: u32,
}

impl<'a, T: Scalar> Bounds<'a, T> {
    pub fn new(geometry: &'a Geometry<T>, how: Bound) -> Self {
        let cells = match how {
            Bound::Corners => 1,
            Bound::Certified => CELLS,
        };
        Bounds { geometry, search: Search::new(geometry), cells }
    }

    /// An upper bound on the directed Hausdorff distance from the box to the primitives in it. Part units.
    pub fn of(&mut self, primitives: &[u32], oriented: &Obb<T>) -> T {
        if let (Geometry::Boxes(_), [_]) = (self.geometry, primitives) {
            // The box is the primitive.
            return T::zero();
        }
        let wide = oriented.wide();
        let most = self.search.farthest(primitives, &wide, self.cells, inside(self.geometry));
        // Corners and distances are rounded; those to boxes take right angles for granted.
        let extent: f64 = wide.center.iter().map(|c| c.abs()).sum::<f64>() + wide.radius();
        let skew = match self.geometry {
            Geometry::Boxes(_) => 32.0 * T::ROUNDING * wide.radius(),
            _ => 0.0,
        };
        T::at_least(most + skew + 1e-14 * extent)
    }
}

/// Whether a point is in the solid the node is a part of, where distance is zero. For now solids are their surface: above
/// the true distance, so still a bound.
fn inside<T: Scalar>(_geometry: &Geometry<T>) -> impl Fn(Vec3) -> bool {
    |_| false
}
