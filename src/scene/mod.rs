//! Scenes of characters, snapshots of them, and the queries of a snapshot.
//!
//! A [`Scene`] has the state: characters (instances of a [`Model`]) with poses, switches, collision
//! groups, attachments and ignored pairs. [`Scene::snapshot`] freezes one moment and computes world
//! AABBs in [`Buffers`]; every query is a method of [`Snapshot`], takes `&self`, and writes its
//! answers and scratch memory into a value of the caller.
//!
//! | question | method | query | answers |
//! |---|---|---|---|
//! | which pairs touch, where | [`intersects`], [`pairs`], [`contacts`] | [`PairQuery`] | [`Hits`] |
//! | distance, least translation, cast of a character | [`distance`], [`separation`], [`cast`] | [`PairQuery`] | returned |
//! | what a ray hits, what a shape overlaps | [`ray_cast`], [`overlaps`] | [`QueryFilter`] | [`QueryResults`] |
//! | what a moving shape hits, the parts nearest to a point | [`shape_cast`], [`closest_parts`] | [`QueryFilter`] | [`ShapeHit`], [`ClosestParts`] |
//!
//! # What to read first
//! 1. This file: [`Scene`], [`CharacterKey`], the private `Character`. `state`, `root`, `attach`
//!    and `ignored` change the state.
//! 2. `buffers` and `snapshot`: what a snapshot computes at once (world AABBs) and what the first
//!    query computes that needs it (broad phase, trees over the characters, exact part boxes).
//! 3. `pair_queries`, then `pair_search`: characters whose AABBs overlap, then parts, then the
//!    crate's narrow phase; `filter` decides which parts are tested.
//! 4. `distance`, `separation` and `shape_cast`: best-first searches over part pairs or parts.
//! 5. `volumes`: rays and shapes against the trees over the characters, then against part trees.
//!
//! A character has two numbers: its *slot* (key in the scene, stable) and its *index* in the sorted
//! entries of a snapshot. Answers sort by index, because the entries sort by [`Spawn::order`].
//!
//! [`intersects`]: Snapshot::intersects
//! [`pairs`]: Snapshot::pairs
//! [`contacts`]: Snapshot::contacts
//! [`distance`]: Snapshot::distance
//! [`separation`]: Snapshot::separation
//! [`cast`]: Snapshot::cast
//! [`ray_cast`]: Snapshot::ray_cast
//! [`overlaps`]: Snapshot::overlaps
//! [`shape_cast`]: Snapshot::shape_cast
//! [`closest_parts`]: Snapshot::closest_parts

mod aabb_pairs;
mod attach;
mod buffers;
mod character;
mod characters;
mod clone;
mod closest;
mod detail;
mod distance;
mod entry;
mod excluded;
mod filter;
mod groups;
mod hit;
mod hits;
mod ignored;
mod intersection_curve;
#[cfg(feature = "serde")]
mod key_bits;
mod owned;
mod pair_queries;
mod pair_search;
mod part_aabb_pairs;
mod part_set;
mod part_transforms;
mod placement;
mod query;
mod root;
mod scene;
mod separation;
mod separation_scratch;
mod shape_cast;
mod snapshot;
mod stamps;
mod state;
#[cfg(feature = "rayon")]
mod threads;
mod volumes;
mod with_held;

pub use crate::tree::Report;
pub use attach::Attachment;
pub use buffers::Buffers;
pub use character::{CharacterKey, Spawn};
pub use closest::{ClosestPart, ClosestParts};
pub use detail::Detail;
pub use hit::{Hit, NodeRef};
pub use hits::{Hits, QueryScratch};
pub use ignored::IgnoredSide;
pub use owned::OwnedSnapshot;
pub use query::PairQuery;
pub use scene::Scene;
pub use shape_cast::ShapeHit;
pub use snapshot::Snapshot;
pub use volumes::{
    HitMode, Overlaps, QueryFilter, QueryResults, QueryShape, RayCast, RayHit, RayHits,
};
