//! Sweeps: first contact, and its end, of shapes in straight motion.
//!
//! | moving | against | method |
//! |---|---|---|
//! | [`Aabb`](crate::shape::Aabb), any dimension | same | intersection of the intervals of the axes |
//! | [`Sphere`](crate::shape::Sphere), any dimension | same | chord of the sum of the radii |
//! | [`Sphere`](crate::shape::Sphere), any dimension | [`Aabb`](crate::shape::Aabb), and reversed | squared distance, piece by piece |
//! | [`Sphere`](crate::shape::Sphere) | [`Obb`](crate::shape::Obb), and reversed | squared distance in the frame of the box |
//! | [`Obb`](crate::shape::Obb) | same | intersection of the intervals of the 15 axes |
//! | [`Sphere`](crate::shape::Sphere), [`Capsule`](crate::shape::Capsule) | [`Triangle`](crate::shape::Triangle), [`Polygon3`](crate::shape::Polygon3), and reversed | chords of faces, edges, corners and ends |
//! | [`Sphere`](crate::shape::Sphere) | solid side of a [`Plane`](crate::shape::Plane), and reversed | height of the lowest point |
//!
//! Shapes of the plane are in [`planar`](crate::planar). Every shape against a plane, without a
//! contact point: [`Plane::sweep_solid`](crate::shape::Plane::sweep_solid),
//! [`Plane::sweep_surface`](crate::shape::Plane::sweep_surface).
//!
//! # Never late
//! Rounding only ever lengthens the interval of contact. A pair that truly touches is always
//! reported, and the time of impact is never later than the true first contact. It may be earlier:
//! then the shapes are no further apart than [`CastHit::slack`], so a pair that passes within the
//! slack may be reported too. The time of leaving is never too early.

mod aabb_aabb;
mod axis_times;
mod ball_box;
mod capsule_polygon;
mod mesh;
mod motion;
mod obb_obb;
mod outline;
mod plane;
mod query;
mod sphere_sphere;
mod time_span;
mod touching_features;

#[cfg(feature = "levels")]
pub(crate) use capsule_polygon::{distance_to_outline, nearest_on_outline, sweep_to_outline};
#[cfg(feature = "planar")]
pub(crate) use motion::impact_time;
pub(crate) use motion::{Motion, UnroundedHit};
pub use query::Sweep;
pub(crate) use time_span::{TimeSpan, chord};
