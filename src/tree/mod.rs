//! Trees of boxes: the geometry of one part in nested boxes, and the queries of two placed trees.
//!
//! A part is rigid, so its tree is built once and a query brings only the poses. This module
//! answers for two trees: which nodes or primitives touch, how far apart they are, when a moving
//! one hits the other, and how far it has to move to separate. Characters and scenes build on it:
//! [`mod@crate::model`], [`mod@crate::scene`].
//!
//! # Types
//! | type | what it is |
//! |---|---|
//! | [`Geometry`] | the primitives of a part: triangles, boxes, convex shapes |
//! | [`ObbTree`], [`Node`], [`NodeId`] | the tree; each node has an aligned and an oriented box |
//! | [`PaddedHull`] | the convex hull of a node near the root |
//! | [`Build`] | the options of a build |
//! | [`TreePair`], [`TreeScratch`] | two trees with their poses, and the scratch memory of queries |
//! | [`Accuracy`], [`Report`], [`Counts`] | how fine an answer is, its slack, its cost |
//! | [`Separation`], [`Push`], [`Passage`] | answers about translations of one of the two |
//!
//! # What to read first
//! `geometry.rs`, this file and `pair.rs` for the data; then `descent.rs`, which defines an answer:
//! it tests one pair of nodes at a time. `traverse_wide.rs` is the fast form and finds the same
//! pairs: nodes of `wide_bvh.rs` have up to eight children, and eight of one tree are tested
//! against eight of the other in SIMD lanes. `build/` makes trees; `bound/` proves how far a box
//! reaches beyond its contents.
//!
//! # The descent
//! Pairs of nodes at equal depth descend together from the two roots; a leaf is paired with all
//! deeper nodes of the other tree. [`Accuracy`] sets the cut: one depth, or one for each pair.
//!
//! ```text
//! (a0, b0)                aligned boxes: 6 face axes          separated: prune
//!    |  children x children
//! (a1, b1) (a1, b1') ..   aligned boxes: 6 face axes          separated: prune
//!    |
//! (ak, bk) ..             the cut:
//!                         1. aligned boxes:  all 15 axes       separated: reject
//!                         2. oriented boxes: 15 axes           separated: reject
//!                         3. convex hulls, if both have one    separated: reject
//!                         4. primitives, exactly: always for `Exact`,
//!                            for `Within` where leaves are too coarse
//! ```
//!
//! A pair at the cut is reported unless one of these tests separates it or a pair of its ancestors.
//! If no pair is reported and the roots overlap, a point of each component of either part is tested
//! against the inside of the other.

mod accuracy;
mod ancestors;
mod bound;
mod budget;
mod build;
mod common_ball;
mod components;
mod contacts;
mod contains;
mod counts;
mod curve;
mod deepest;
mod descent;
mod distance;
mod enclosure;
mod first_contact;
mod geometry;
mod hulls;
mod inside;
mod margin;
mod memory;
mod node;
mod node_pair_cache;
mod node_size_key;
mod obb_tree;
mod ordered_pair;
mod pair;
mod passage;
mod primitive_test;
mod progress;
mod push;
mod root;
mod scratch;
mod separation;
mod shape_cast;
mod slack;
mod stack_entries;
mod sweep;
mod traverse_wide;
mod validate;
mod wide_bvh;
mod witness_cache;

pub use accuracy::{Accuracy, DecidedBy, NodePair, Report};
pub(crate) use budget::BudgetTraversal;
pub use build::{Bound, Build, Fit, Split};
#[cfg(feature = "bake")]
pub(crate) use build::{CompactNode, CompactTree};
pub(crate) use contacts::ContactBatch;
pub use counts::{Counts, LEVELS};
pub use curve::IntersectionCurve;
pub(crate) use distance::check_distance_query as check_distance;
pub(crate) use first_contact::ShiftContact;
pub use geometry::Geometry;
pub use hulls::PaddedHull;
pub(crate) use margin::check_margin;
pub use node::{Node, NodeId};
pub(crate) use obb_tree::CutBounds;
pub use obb_tree::ObbTree;
pub(crate) use ordered_pair::{OrderedPair, PlacedTree, TieBreak};
pub use pair::TreePair;
pub(crate) use passage::TranslationQuery;
pub use passage::{Passage, ShiftedContact};
pub(crate) use progress::{BuildProgress, WatchedBuild, unwatched};
pub use progress::{Progress, Stage, Watch};
pub use push::Push;
pub(crate) use root::root_distance_exceeds;
pub use scratch::TreeScratch;
pub use separation::Separation;
pub(crate) use separation::{Incumbent, LastContact, SeparationPair, search_separation};
pub(crate) use shape_cast::{CastCore, MovingShape, ShapeCastQuery, ShapeContact};
pub(crate) use slack::{cut_slack, part_slack};
pub(crate) use wide_bvh::WideBvh;
pub(crate) use witness_cache::WitnessCache;
