//! Half-spaces, frusta, polygons and k-DOPs against other shapes.

pub(super) mod frustum;
pub(super) mod half_space;
pub(super) mod kdop;
pub(super) mod polygon;
