//! Rays and regions put to a snapshot: who is hit, who is in there.

mod aim;
mod alone;
mod ask;
mod ball;
mod delve;
mod dip;
mod early;
mod edged;
mod half;
mod line;
mod local;
#[cfg(test)]
mod margins;
mod outer;
mod pierce;
mod query_filter;
mod query_shape;
mod queue;
mod ray_cast;
mod results;
mod scan;
mod seek;
mod shoot;
mod walk;

pub use query_filter::{HitMode, QueryFilter};
pub use query_shape::QueryShape;
pub use ray_cast::{RayCast, RayHit};
pub use results::{Overlaps, QueryResults, RayHits};
