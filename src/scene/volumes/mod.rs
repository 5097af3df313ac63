//! Volume queries: rays and shapes against the characters of a snapshot.
//!
//! [`volume`] defines the two traits of a kind of volume. The kinds are [`ray`] with [`local_ray`],
//! [`ball`], [`half_space`], [`capsule`], [`box_volume`] and [`frustum`]. [`queries`] is the public
//! interface; [`dispatch`] resolves a query to its kind. [`traverse`] descends from the trees over
//! the characters to the world AABBs of parts, [`descend`] through the tree of a part, where
//! [`wide_ray`] tests a ray, and [`wide_region`] a box around a region, against eight boxes or
//! triangles at once; [`collect`] turns hits into answers.

mod ball;
mod box_volume;
mod capsule;
mod collect;
mod descend;
mod dispatch;
mod frontier;
mod frustum;
mod half_space;
mod local_ray;
mod queries;
mod ray;
mod ray_cast;
mod results;
mod slab;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests;
mod traverse;
mod volume;
mod wide_ray;
mod wide_region;

pub use super::filter::query_filter::{HitMode, QueryFilter};
pub use ray_cast::RayCast;
pub use results::{Overlaps, QueryResults, RayHits};
