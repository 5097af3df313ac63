//! OBB distance: verdict, distance and closest points of two boxes, the second oriented. Three
//! coordinates lie across lanes of the best SIMD level; closures would be compiled without it, so
//! the path has none.

mod box_in_frame;
mod edges;
mod relative;
mod search;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests;

pub(super) use search::{closest_points, distance, overlaps};
