//! Frusta, polygons and k-DOPs against other shapes.
//!
//! These have faces that no core with a radius describes. `frustum` tests separating axes against
//! boxes and triangles, and its faces against rounded shapes; `polygon` finds the closest points on
//! its plane or its outline; `kdop` compares the intervals of two of one kind. All other pairs of
//! these shapes go to `convex`.

pub(super) mod frustum;
pub(super) mod kdop;
pub(super) mod polygon;
