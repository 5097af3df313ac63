//! Construction of trees: the partition of the primitives, the boxes of each node, and their
//! bounds.

pub(super) mod boxes;
mod build_tree;
mod cluster;
#[cfg(feature = "bake")]
mod compact;
mod complete;
mod group;
mod measure;
mod node_builder;
mod options;
mod primitives;
pub(super) mod progress;
mod rebuild;
mod sah;
mod scaled;
mod split;
mod summary;

pub use options::{Bound, Build, Fit, Split};
pub(super) use summary::TreeDigest;
#[cfg(feature = "bake")]
pub(crate) use {compact::CompactTree, rebuild::CompactNode};

collect_tests!(boxes, cluster, split);
