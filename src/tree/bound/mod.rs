//! Bounds of nodes: upper bounds on the distance of a node's oriented box from its contents.
//!
//! A bound states how far a point of a node's box, or of its hull, can be from the geometry: the
//! slack of an answer is made of it. `NodeBounds` computes those of all nodes: by `corner_bounds`,
//! from the corners of the boxes, or by `CellSearch`, which divides a box into cells, that of the
//! greatest upper bound first. Distances are those of `PreparedPrimitive`s, in large nodes found by
//! `Subtree`; `SharedEdge` is a closed form for two triangles. `hull_bounds` are the bounds of
//! hulls, with the faces and the inside of `PartInterior`.
//!
//! Read `bounds` first, then `cells` and `prepared`.

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
