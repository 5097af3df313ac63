//! Pair queries: candidates, hits, contacts.
//!
//! `PairSearch` finds the candidates: overlapping characters, then their overlapping parts
//! (`part_pairs`). The room `narrow_phase` decides them. `Hits` receives the answers, sorted; a
//! `Hit` names two `NodeRef`s and may have a contact. `QueryScratch` has the memory of a query.
//!
//! Read `queries` first, the public interface, then `search`, `hits` and `hit`. `with_held`,
//! `aabb_pairs` and `intersection_curve` have queries of their own.

pub(super) mod aabb_pairs;
mod few_boxes;
pub(super) mod hit;
pub(super) mod hits;
pub(super) mod intersection_curve;
pub(super) mod part_aabb_pairs;
pub(super) mod part_pairs;
pub(super) mod queries;
pub(super) mod search;
pub(super) mod sort_hints;
pub(super) mod with_held;
