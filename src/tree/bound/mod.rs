//! Bounds of nodes: upper bounds on the distance of a node's oriented box from its contents.

mod bounds;
mod cell_distances;
mod cells;
mod corners;
mod hull;
mod interior;
mod prepared;
mod shared_edge;
mod subtree;

pub(super) use bounds::NodeBounds;
pub(super) use hull::bounds as hull_bounds;

collect_tests!(cells, corners, prepared);
