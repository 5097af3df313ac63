//! Ray casts: first contact of a ray with a shape.

mod boxes;
mod convex;
mod ellipsoid;
mod flat;
mod query;
mod round;
mod slabs;

pub use query::RayCastQuery;
use query::{RayEntry, RayLine, ray_hit, unit_or_back};
