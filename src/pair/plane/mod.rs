//! Queries of a plane, or of the half-space behind it, against every shape.
//!
//! | query | plane, both sides alike | solid behind it |
//! |---|---|---|
//! | point: distance, containment | [`distance`](crate::shape::Plane::distance), [`contains_within`](crate::shape::Plane::contains_within) | [`contains`](crate::shape::Plane::contains) |
//! | [shape](Bounded): extent, side, overlap | [`heights`](crate::shape::Plane::heights), [`side`](crate::shape::Plane::side), [`touches`](crate::shape::Plane::touches) | [`contains_shape`](crate::shape::Plane::contains_shape), [`overlaps`](crate::shape::Plane::overlaps) |
//! | shape: penetration depth | | [`depth`](crate::shape::Plane::depth) |
//! | moving shape: first contact | [`sweep_surface`](crate::shape::Plane::sweep_surface) | [`sweep_solid`](crate::shape::Plane::sweep_solid) |
//! | segment, ray, triangle: intersection | [`cut_segment`](crate::shape::Plane::cut_segment), [`cut_ray`](crate::shape::Plane::cut_ray), [`cut_triangle`](crate::shape::Plane::cut_triangle) | |
//! | ellipsoid: parallel tangent planes | [`tangent_points`](crate::shape::Plane::tangent_points) | |
//!
//! A shape is any [`Bounded`] one: point, segment, triangle, sphere, capsule, cylinder, ellipsoid,
//! convex hull, polygon, frustum, k-DOP, [`Aabb`](crate::shape::Aabb), [`Obb`](crate::shape::Obb).
//! Verdicts are those of `f64` at the size of the coordinates: exact for lattice points and a
//! normal along one of the axes, off by rounding elsewhere.

mod bounded;
mod cut;
pub(super) mod half_space;
mod sweep;
mod verdicts;

pub use bounded::{Bounded, Heights, Side};
pub use cut::{LineCut, TriangleCut};
pub use sweep::PlaneHit;
