//! Pairs of boxes: overlap, contact, closest points; batches of pairs.
//!
//! `aabb_aabb`, `aabb_obb` and `obb_obb` implement the query traits by the kernels of the rooms
//! `sat` and `obb_distance`. `BoxContact` is the contact of two oriented boxes from the axis of
//! least overlap. `ContactQueue` collects pairs and computes their contacts one pair a lane, with
//! the bits of single pairs. `Batch` is the public form for many pairs of boxes.
//!
//! Read `obb_obb` first, then `box_contact`.

pub(super) mod aabb_aabb;
pub(super) mod aabb_obb;
pub(super) mod batch;
pub(crate) mod box_contact;
pub(crate) mod contact_batch;
pub(super) mod obb_obb;
