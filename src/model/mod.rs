//! Models: the parts of a character, their hierarchy, and the pairs that are never tested.
//!
//! A [`Model`] is immutable and shared by all characters of one kind; [`ModelBuilder`] makes it. A
//! [`Part`] has a name, a parent, a bind pose and a tree of boxes. [`CollisionGroups`] and ignored
//! pairs select which parts are tested against each other, and margins set the distance at which
//! they count as touching.
//!
//! - Queries of one character by poses alone, without a scene: [`SelfQuery`], [`SelfQueryScratch`],
//!   `Model::self_intersects`, `self_pairs`, `self_distance`; `self_distances` with their
//!   gradients.
//! - Queries of many configurations of a robot: [`CollisionBatch`], [`CollisionBatchScratch`],
//!   [`BatchPair`], [`BatchPart`], [`BatchCounts`].
//! - Copies of a model: [`Model::with_ignored`], [`Model::with_margins`], [`Model::scaled`],
//!   [`Model::capsules`], [`Model::cut_off`], [`Model::complete`].
//! - Comparison with the skin: [`coverage()`], [`parts_outside_skin`].
//!
//! Read `part.rs`, `model.rs`, `builder.rs` and `pair_rules.rs` first. `root_boxes.rs`,
//! `self_broad_phase.rs` and `tested_pairs.rs` are the broad phase within one model, in single
//! precision; `query.rs` runs it. [`PartId`] is defined in the narrow phase, which sorts by it.

#[cfg(feature = "urdf")]
mod attached;
#[cfg(feature = "bake")]
mod baked;
mod batch;
mod builder;
mod capsules;
pub(crate) mod coverage;
mod groups;
mod ignored;
mod model;
mod pair_rules;
mod pair_table;
mod part;
mod part_defaults;
mod part_distance;
mod placed_part;
mod query;
mod root_boxes;
mod scaled;
mod self_broad_phase;
mod self_distance;
mod self_distances;
pub(crate) mod skin_surface;
mod tested_pairs;

pub use crate::narrow_phase::PartId;
#[cfg(feature = "bake")]
pub(crate) use baked::StoredPart;
pub use batch::{BatchCounts, BatchPair, BatchPart, CollisionBatch, CollisionBatchScratch};
pub use builder::ModelBuilder;
pub use coverage::{Coverage, Covered, Frames, OutsideArea, coverage, parts_outside_skin};
pub use groups::CollisionGroups;
pub use model::Model;
pub(crate) use pair_rules::MarginRequest;
#[cfg(feature = "urdf")]
pub(crate) use pair_table::{PairTable, visit_neighbourhood};
pub use part::Part;
pub use part_distance::{PartDistance, PartNode};
pub(crate) use placed_part::{PlacedPart, padded_world_aabb};
pub use query::{SelfQuery, SelfQueryScratch};
pub(crate) use root_boxes::RootBoxes;

collect_tests!(batch, self_broad_phase, skin_surface);
