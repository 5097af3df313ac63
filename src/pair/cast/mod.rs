//! Ray casts: first contact of a ray with a shape.
//!
//! Trait `RayCastQuery` is implemented for each kind of shape: the ray becomes a `RayLine` in
//! double precision, whose `RayEntry` has the parameter and the normal where the line enters the
//! shape. Files are named for the kinds: `flat` (planes, triangles), `round` (balls, capsules,
//! segments), `ellipsoid`, `boxes`, `slabs` (k-DOPs, frusta), `convex` (all others, by GJK).
//!
//! Read `query` first, then `boxes`.

mod boxes;
mod convex;
mod ellipsoid;
mod flat;
mod query;
mod round;
mod slabs;

pub use query::RayCastQuery;
use query::{RayEntry, RayLine, ray_hit, unit_or_back};
