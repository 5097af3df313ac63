//! Narrow phase: decides which candidate pairs of parts touch, and computes their contacts. One
//! pipeline over placed trees serves the characters of a scene and a model against itself.
//!
//! 1. `candidates`: collects pairs whose world boxes overlap; an f32 SAT on root boxes, placed in
//!    single precision, drops most disjoint ones. `leaf_boxes`: those with a part of few boxes far
//!    apart, box by box; beside many parts of another character before they are collected.
//! 2. `prefilter`: the same SAT on root boxes placed in double precision decides most of the rest.
//! 3. Traversal of the two trees, by the accuracy ([`NarrowPhase::run`]); a budget is spent on all
//!    pairs together ([`NarrowPhase::finish`]).
//! 4. `contacts`: points, normals and depths of boxes, many at a time; `body_contacts`: those of
//!    the bodies; `found_pairs`: answers, sorted.
//!
//! `best_first` is the search of all queries for one best answer: the closest, the first along a
//! direction.
//!
//! Each stage owns its scratch memory; [`NarrowPhaseScratch`] has one of each.

mod best_first;
mod body_contacts;
mod candidates;
mod contacts;
mod found_pairs;
mod leaf_boxes;
mod part_id;
mod pipeline;
mod placed_trees;
mod prefilter;
mod root_traits;

pub(crate) use best_first::{
    BestCandidate, BoundedCandidate, Candidates, Evaluation, best_first, best_of_all, improve,
};
pub(crate) use candidates::Candidate;
pub(crate) use leaf_boxes::{LeafBoxTest, cuts_at_leaves};
pub use part_id::PartId;
pub(crate) use pipeline::{NarrowPhase, NarrowPhaseScratch};
pub(crate) use placed_trees::{Goal, PlacedTrees};
pub(crate) use root_traits::{LeafBoxes, MAX_LEAF_BOXES, PosedRoot, RootTraits};

collect_tests!(best_first);
