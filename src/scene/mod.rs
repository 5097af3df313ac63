//! Scenes of characters, snapshots of them, and the queries of a snapshot.
//!
//! A [`Scene`] has the state: characters (instances of a [`Model`](crate::model::Model)) with
//! poses, switches, collision groups, attachments and ignored pairs. [`Scene::snapshot`] freezes
//! one moment and computes world AABBs in [`Buffers`]; every query is a method of [`Snapshot`],
//! takes `&self`, and writes its answers and scratch memory into a value of the caller.
//!
//! | question | method | query | answers |
//! |---|---|---|---|
//! | which pairs touch, where | [`intersects`], [`pairs`], [`contacts`] | [`PairQuery`] | [`Hits`] |
//! | distance, least translation, cast of a character | [`distance`], [`separation`], [`cast`] | [`PairQuery`] | returned |
//! | what a ray hits, what a shape overlaps | [`ray_cast`], [`overlaps`] | [`QueryFilter`] | [`QueryResults`] |
//! | what a moving shape hits, the parts nearest to a point | [`shape_cast`], [`closest_parts`], [`closest_characters`](Snapshot::closest_characters) | [`QueryFilter`] | [`ShapeHit`], [`ClosestParts`] |
//! | everything on the way of a character, of a shape | [`cast_all`], [`shape_cast_all`] | [`PairQuery`], [`QueryFilter`] | [`PartPassage`], [`ShapeHit`] |
//!
//! # Memory of queries
//! Every query writes into a value that the caller keeps, so that warm queries do not allocate. A
//! scene has one type of scratch memory, [`QueryScratch`]; the others are answers that bring theirs
//! along. One of each per thread is enough, for all scenes.
//!
//! | value | for | contains |
//! |---|---|---|
//! | [`Buffers`] | [`Scene::snapshot`] | world AABBs, trees over the characters |
//! | [`QueryScratch`] | queries of pairs and of moving shapes that return their answer: [`intersects`], [`distance`], [`separation`], [`cast`], [`shape_cast`] | scratch memory alone |
//! | [`Hits`] | [`pairs`], [`contacts`] | the answers, and a [`QueryScratch`]: [`Hits::scratch`] |
//! | [`RayHits`], [`Overlaps`] | [`ray_cast`], [`overlaps`] and their forms | the answers of a batch |
//! | [`ClosestParts`] | [`closest_parts`] and its forms | the answers |
//!
//! Without a scene, [`SelfQueryScratch`](crate::model::SelfQueryScratch) is for a model against
//! itself, [`TreeScratch`](crate::tree::TreeScratch) for two trees, `WalkScratch` for walkers: they
//! contain the lists of one character, of two parts, of brushes, and nothing of a scene.
//!
//! # What to read first
//! 1. `state/scene.rs` and `state/character.rs`: [`Scene`], [`CharacterKey`], the private
//!    `Character`. The other files of `state` change the state.
//! 2. `snapshot/buffers.rs` and `snapshot/snapshot.rs`: what a snapshot computes at once (world
//!    AABBs) and what the first query computes that needs it (broad phase, trees over the
//!    characters, exact part boxes).
//! 3. `pairs/queries.rs`, then `pairs/search.rs`: characters whose AABBs overlap, then parts, then
//!    the crate's narrow phase; `filter` decides which parts are tested.
//! 4. `nearest` and `translation`: best-first searches over part pairs or parts.
//! 5. `volumes`: rays and shapes against the trees over the characters, then against part trees.
//!
//! # Stages of a query
//! | queries | characters by | parts by | order | evaluated by |
//! |---|---|---|---|---|
//! | [`intersects`], [`pairs`], [`contacts`] | sweep and prune; of one: their boxes, 16 at a time | boxes, 16 at a time | batches | `narrow_phase`, `tree/overlap` |
//! | [`distance`], [`cast`], [`shape_cast`] | trees over characters | boxes, 16 at a time | least lower bound first: `narrow_phase/best_first.rs` | `tree/distance.rs`, `tree/translation` |
//! | [`closest_parts`] | trees over characters | boxes, 16 at a time | all in reach, sorted | `tree/distance.rs` |
//! | [`closest_part`], [`closest_characters`](Snapshot::closest_characters) | trees over characters | boxes, 16 at a time | least lower bound first in each character | `tree/distance.rs` |
//! | [`separation`] | their boxes, 16 at a time | all parts of the near characters, along each direction | least lower bound first | `tree/translation` |
//! | [`ray_cast`], [`overlaps`] | trees over characters | boxes, 16 at a time | nearest first | `volumes/descend.rs` |
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
//! [`cast_all`]: Snapshot::cast_all
//! [`shape_cast_all`]: Snapshot::shape_cast_all
//! [`closest_part`]: Snapshot::closest_part
//! [`closest_parts`]: Snapshot::closest_parts

mod filter;
mod motion;
mod nearest;
mod pairs;
mod snapshot;
mod state;
mod translation;
mod volumes;

pub use self::snapshot::owned::OwnedSnapshot;
pub use crate::shape::QueryShape;
pub use crate::tree::Report;
pub use filter::answer_options::Detail;
pub use filter::ignored::IgnoredSide;
pub use filter::normal_hint::NormalHint;
pub use filter::pair_query::PairQuery;
pub(crate) use motion::ChainBounds;
pub use motion::{
    Attack, ContactChange, ContactEvent, ContactEvents, History, Impact, MotionBuffers, MotionPath,
    OncePer, PartOrder, PastScene, SceneMotion, SceneTrajectory, TickImpact,
};
pub use nearest::closest::{ClosestPart, ClosestParts};
pub use pairs::hit::{Hit, NodeRef};
pub use pairs::hits::{Hits, QueryScratch};
pub use snapshot::buffers::Buffers;
pub use snapshot::snapshot::Snapshot;
pub use state::attachments::Attachment;
pub use state::character::{CharacterKey, Spawn};
pub use state::scene::Scene;
pub use translation::cast::PartPassage;
pub use translation::shape_cast::ShapeHit;
pub use volumes::{HitMode, Overlaps, QueryFilter, QueryResults, RayCast, RayHits};

collect_tests!(filter, motion, snapshot, state, volumes);
