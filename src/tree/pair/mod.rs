//! Two placed trees: their order, tests of nodes and primitives, slack, scratch memory.
//!
//! `PlacedTree` is a tree with a pose, `OrderedPair` two of them in canonical order, so that
//! swapped arguments give the reversed answer bit for bit. `TreePair` adds the relative pose and
//! the margin, and decides whether two nodes touch; `ancestors` also tests their ancestors, whose
//! verdicts `NodePairCache` keeps. `PrimitiveTest` decides pairs of primitives exactly,
//! `either_inside` whether one part contains the other. `TreeScratch` has the memory of a query.
//! `WidePair` is the step that all traversals share.
//!
//! Read `ordered_pair` and `tree_pair` first, then `primitive_test` and `ancestors`.

pub(super) mod ancestors;
pub(super) mod common_ball;
pub(super) mod cut_node;
pub(super) mod inside;
pub(super) mod margin;
pub(super) mod mesh_lists;
pub(super) mod node_pair_cache;
pub(super) mod ordered_pair;
pub(super) mod primitive_test;
pub(super) mod scratch;
pub(super) mod stack_entries;
pub(super) mod tree_pair;
pub(super) mod tree_slack;
pub(super) mod wide_pair;
