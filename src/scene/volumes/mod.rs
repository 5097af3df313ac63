//! Volume queries: ray casts and overlap queries of a snapshot.
//!
//! [`volume`] says what a kind of volume answers. The kinds: [`ray`] with [`local_ray`], [`ball`],
//! [`half_space`], [`capsule`], [`cuboid`], [`frustum`]. [`queries`] is the interface; [`batch`]
//! resolves a query to its kind; [`traverse`] goes from the trees over the characters to the world
//! boxes of parts, [`descend`] through the tree of a part, where [`wide_ray`] puts a ray to eight
//! boxes at once; [`collect`] makes answers of what they meet.

mod ball;
mod batch;
mod capsule;
mod collect;
mod cuboid;
mod descend;
mod frontier;
mod frustum;
mod half_space;
mod local_ray;
#[cfg(test)]
mod margins;
mod queries;
mod query_filter;
mod query_shape;
mod ray;
mod ray_cast;
mod results;
mod slab;
mod traverse;
mod volume;
mod wide_ray;

pub use query_filter::{HitMode, QueryFilter};
pub use query_shape::QueryShape;
pub use ray_cast::{RayCast, RayHit};
pub use results::{Overlaps, QueryResults, RayHits};
