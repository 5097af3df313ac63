//! Two placed trees: their order, tests of nodes and primitives, slack, scratch memory.

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
