//! Pairs of boxes: overlap, contact, closest points; batches of pairs.

pub(super) mod aabb_aabb;
pub(super) mod aabb_obb;
pub(super) mod batch;
pub(crate) mod box_contact;
pub(crate) mod contact_batch;
pub(super) mod obb_obb;
