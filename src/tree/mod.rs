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
//! `store/geometry.rs`, `obb_tree.rs` and `pair/tree_pair.rs` for the data; then
//! `overlap/one_by_one.rs`, which defines an answer: it tests one pair of nodes at a time.
//! `overlap/wide.rs` is the fast form and finds the same pairs: nodes of `store/wide_bvh.rs` have
//! up to eight children, and eight of one tree are tested against eight of the other in SIMD lanes.
//! `build/` makes trees; `bound/` proves how far a box extends beyond its contents; `translation/`
//! moves one tree against another.
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
mod body_contact;
mod bound;
mod build;
mod counts;
mod distance;
mod interval;
mod node;
mod obb_tree;
mod overlap;
mod pair;
mod store;
mod translation;

pub(crate) use self::pair::tree_slack::{cut_slack, part_slack};
pub use accuracy::{Accuracy, DecidedBy, NodePair, Report};
pub(crate) use body_contact::ReportedBodies;
pub(crate) use build::progress::{BuildProgress, WatchedBuild, unwatched};
pub use build::progress::{Progress, Stage, Watch};
pub use build::{Bound, Build, Fit, Split};
#[cfg(feature = "bake")]
pub(crate) use build::{CompactNode, CompactTree};
pub use counts::{Counts, LEVELS};
pub(crate) use distance::check_distance_query as check_distance;
pub(crate) use interval::{IntervalAnswer, IntervalPair, PartMotion};
pub use node::{Node, NodeId};
pub(crate) use obb_tree::CutBounds;
pub use obb_tree::ObbTree;
pub(crate) use overlap::budget::{BudgetEnd, BudgetTraversal};
pub(crate) use overlap::contacts::ContactBatch;
pub use overlap::curve::IntersectionCurve;
pub(crate) use pair::margin::check_margin;
pub(crate) use pair::ordered_pair::{OrderedPair, PlacedTree, TieBreak};
pub use pair::scratch::TreeScratch;
pub(crate) use pair::stack_entries::OpenPair;
pub use pair::tree_pair::TreePair;
pub use store::geometry::Geometry;
pub use store::hulls::PaddedHull;
pub(crate) use store::placed_root::{root_distance, root_distance_from_point};
pub(crate) use store::wide_bvh::{WideBvh, WideChild};
pub(crate) use translation::first_contact::ShiftContact;
pub(crate) use translation::passage::TranslationQuery;
pub use translation::passage::{Passage, ShiftedContact};
pub(crate) use translation::path::Path;
pub use translation::push::Push;
pub use translation::separation::Separation;
pub(crate) use translation::separation::{
    BOX_COUNT, Incumbent, LastContact, SeparationPair, search_separation,
};
pub(crate) use translation::shape_cast::{MovingShape, ShapeCastQuery};
pub(crate) use translation::witness_cache::WitnessCache;

collect_tests!(bound, build);
