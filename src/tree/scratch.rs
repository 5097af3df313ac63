//! The scratch memory of queries of two trees.

use std::collections::BinaryHeap;

use super::first_contact::PassageScratch;
use super::known_pairs::KnownPairs;
use super::pending::{Ahead, Open, OrientedQueue, Pending};
use super::{Counts, NodePair};
use crate::num::SimdLevel;
use crate::pair::crossing::Crossing;

/// Two triangles by their numbers, and the segment in which they cross.
pub(super) type CrossingOfTwo = ((u32, u32), Crossing);

/// The scratch memory of tree queries: kept from query to query, none allocates after the first
/// few.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Vector3};
/// # use boxwood::{Build, Geometry, Obb, ObbTree};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
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
    /// Nodes in the order of the arithmetic, and how deep each is.
    pub(super) stack: Vec<[(u32, u8); 2]>,
    pub(super) path: Vec<u32>,
    pub(super) known: KnownPairs,
    pub(super) ahead: Vec<Ahead>,
    pub(super) oriented: OrientedQueue,
    pub(crate) level: SimdLevel,
    pub(super) one_at_a_time: bool,
    /// No deepest contact is less deep than this, and how deep at most is what touches.
    pub(super) deepest: f32,
    pub(super) depths: Vec<f32>,
    pub(super) heap: BinaryHeap<Open>,
    pub(super) pending: Vec<Pending>,
    pub(super) passage: PassageScratch,
    pub(super) crossings: Vec<CrossingOfTwo>,
    pub(crate) left_open: Vec<(u32, NodePair)>,
    /// The tests made so far by the descents that used this scratch.
    pub counts: Counts,
}

impl TreeScratch {
    /// Scratch memory for queries that use that instruction set: the same answers, at another
    /// speed.
    pub fn with_simd_level(level: SimdLevel) -> Self {
        TreeScratch { level, ..TreeScratch::default() }
    }

    /// For descents that test one pair of nodes at a time: the same answers, slower. What is
    /// counted then are the tests that the definition of the descent asks for, and none made
    /// because there was room beside them.
    pub fn one_at_a_time() -> Self {
        TreeScratch { one_at_a_time: true, ..TreeScratch::default() }
    }

    /// Forgets what was found out about two trees in their poses.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }
}
