//! The closest parts: distance of characters, parts near a point.

pub(super) mod closest;
pub(super) mod distance;
