//! Frusta, polygons and k-DOPs against other shapes.

pub(super) mod frustum;
pub(super) mod kdop;
pub(super) mod polygon;
