//! Pair queries: candidates, hits, contacts.

pub(super) mod aabb_pairs;
pub(super) mod hit;
pub(super) mod hits;
pub(super) mod intersection_curve;
pub(super) mod part_aabb_pairs;
pub(super) mod queries;
pub(super) mod search;
pub(super) mod sort_hints;
pub(super) mod with_held;
