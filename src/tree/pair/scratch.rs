//! Scratch memory of queries of two trees.

use std::collections::BinaryHeap;

use super::mesh_lists::MeshLists;
use super::node_pair_cache::NodePairCache;
use super::stack_entries::{
    BudgetHeapEntry, DistanceStackEntry, OpenPair, OrientedQueue, SearchEntry,
};
use crate::num::SimdLevel;
use crate::pair::rounded::crossing::TriangleCrossing;
use crate::tree::Counts;
use crate::tree::translation::first_contact::ShiftScratch;

/// Indices of two triangles, and the segment in which they cross.
pub(in crate::tree) type PairCrossing = ((u32, u32), TriangleCrossing);

/// Scratch memory of tree queries. Reused from query to query, it allocates only in the first few.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::{Accuracy, tree::{TreePair, TreeScratch}};
///
/// let here = Isometry3::identity();
/// let pair = TreePair::new(&tree, &here, &tree, &here)?;
/// let mut scratch = TreeScratch::default(); // one a thread
/// assert!(pair.intersects(Accuracy::default(), &mut scratch)?);
/// assert!(scratch.counts.tests() > 0);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct TreeScratch {
    /// Pairs of nodes in canonical order, each with its depth.
    pub(in crate::tree) stack: Vec<[(u32, u8); 2]>,
    pub(in crate::tree) path: Vec<u32>,
    pub(in crate::tree) node_pair_cache: NodePairCache,
    pub(in crate::tree) oriented: OrientedQueue,
    pub(crate) simd: SimdLevel,
    pub(in crate::tree) one_at_a_time: bool,
    /// Lower bound on the depth of the deepest contact.
    pub(in crate::tree) min_deepest: f32,
    /// Upper bound on the depth of each contact.
    pub(in crate::tree) contact_depth_bounds: Vec<f32>,
    pub(in crate::tree) heap: BinaryHeap<BudgetHeapEntry>,
    pub(in crate::tree) distance_stack: Vec<DistanceStackEntry>,
    /// Sort keys of the pairs that a distance query pushes next.
    pub(in crate::tree) distance_keys: Vec<u64>,
    pub(in crate::tree) search_stack: Vec<SearchEntry>,
    /// Pairs of primitives that need exact arithmetic.
    pub(in crate::tree) deferred: Vec<[u32; 2]>,
    pub(in crate::tree) passage: ShiftScratch,
    pub(in crate::tree) mesh_lists: MeshLists,
    pub(in crate::tree) crossings: Vec<PairCrossing>,
    pub(crate) open_pairs: Vec<OpenPair>,
    /// Tests made so far by the traversals that used this scratch.
    pub counts: Counts,
}

impl TreeScratch {
    /// Creates scratch memory for queries at a SIMD level. Answers are equal at every level.
    pub fn with_simd_level(simd: SimdLevel) -> Self {
        TreeScratch { simd, ..TreeScratch::default() }
    }

    /// Creates scratch memory for traversals that test one pair of nodes at a time: equal answers,
    /// slower. Counts are then those of the definition of the descent, without tests that only fill
    /// lanes.
    pub fn one_at_a_time() -> Self {
        TreeScratch { one_at_a_time: true, ..TreeScratch::default() }
    }

    /// Clears the results kept of two trees in their poses.
    pub(crate) fn clear_pair_cache(&mut self) {
        self.node_pair_cache.clear();
    }
}
