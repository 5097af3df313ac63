//! Construction of trees: the partition of the primitives, the boxes of each node, and their
//! bounds.
//!
//! `Build` has the options. `build_tree` runs the stages: `Primitives` as structure of arrays;
//! `NodeBuilder`, which divides them top-down by a `Splitter` or a `SahSplitter`, or
//! `build_bottom_up`, which merges clusters; `BoxFitter`, which fits oriented boxes to several
//! nodes at once; then bounds and hulls. `CompactTree` is the partition in a baked file, from which
//! `rebuild` restores all nodes; `scaled` fits an existing partition to scaled geometry.
//!
//! Read `options` and `build_tree` first, then `node_builder`.

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
