//! Pairs of shapes: do they touch, and where.
//!
//! | pair | overlap | contact |
//! |---|---|---|
//! | [`Aabb`](crate::shape::Aabb), any dimension | [`intersects`](crate::shape::Aabb::intersects): 6 comparisons in space; [`intersection`](crate::shape::Aabb::intersection): the region | [`contact`](crate::shape::Aabb::contact): least overlap of the axes |
//! | [`Obb`](crate::shape::Obb) | [`intersects`](crate::shape::Obb::intersects): 15 axes | [`contact`](crate::shape::Obb::contact): least overlap of the 15 axes |
//!
//! A plane against every shape: [`plane`].
//!
//! Many pairs of oriented boxes at once: [`Batch`].
//!
//! Touching counts. Swapping the arguments gives the reversed answer, bit for bit: the arithmetic runs in an
//! order fixed by the boxes' bits, not by who is called `self`.

mod aabb_aabb;
pub(crate) mod axes;
mod batch;
pub mod contact;
pub(crate) mod facing;
pub(crate) mod glance;
mod obb_obb;
pub mod plane;
pub(crate) mod relation;
pub(crate) mod solids;
pub(crate) mod triangles;

pub use batch::Batch;
pub use contact::Contact;
