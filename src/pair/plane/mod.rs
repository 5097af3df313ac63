//! Queries of a plane, or of the half-space behind it, against every shape.
//!
//! | query | plane, both sides alike | solid behind it |
//! |---|---|---|
//! | point: distance, containment | [`distance`](Plane::distance), [`contains_within`](Plane::contains_within) | [`contains`](Plane::contains) |
//! | [shape](Bounded): extent, side, overlap | [`heights`](Plane::heights), [`side`](Plane::side), [`touches`](Plane::touches) | [`contains_shape`](Plane::contains_shape), [`overlaps`](Plane::overlaps) |
//! | shape: penetration depth | | [`depth`](Plane::depth) |
//! | moving shape: first contact | [`sweep_surface`](Plane::sweep_surface) | [`sweep_solid`](Plane::sweep_solid) |
//! | segment, ray, triangle: intersection | [`cut_segment`](Plane::cut_segment), [`cut_ray`](Plane::cut_ray), [`cut_triangle`](Plane::cut_triangle) | |
//! | ellipsoid: parallel tangent planes | [`tangent_points`](Plane::tangent_points) | |
//!
//! A shape is any [`Bounded`] one: point, segment, triangle, sphere, capsule, cylinder, ellipsoid,
//! convex hull, polygon, frustum, k-DOP, [`Aabb`](crate::shape::Aabb), [`Obb`](crate::shape::Obb).
//! Verdicts are those of `f64` at the size of the coordinates: exact for lattice points and a
//! normal along one of the axes, off by rounding elsewhere.

mod bounded;
mod cut;
mod sweep;
mod verdicts;

pub use bounded::{Bounded, Heights, Side};
pub use cut::{LineCut, TriangleCut};
pub use sweep::PlaneHit;
