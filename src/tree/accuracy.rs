//! Accuracy of an answer, and the slack that an answer states.

use super::{Counts, Node, NodeId};
use crate::error::Error;
use crate::num::Scalar;

/// Accuracy of an answer. At every accuracy, parts whose geometry shares a point are reported.
///
/// The accuracy bounds the false positives: how far apart the geometry of a reported pair can be.
///
/// ```
/// # use boxwood::{Accuracy, PairQuery};
/// assert_eq!(Accuracy::default(), Accuracy::Depth(255)); // the leaves
/// PairQuery::all().accuracy(Accuracy::Depth(0)); // one box a part: the cheapest
/// PairQuery::all().accuracy(Accuracy::Within(0.01)); // off by at most a hundredth of a unit
/// PairQuery::all().accuracy(Accuracy::Exact); // triangle against triangle
/// PairQuery::all().accuracy(Accuracy::Budget(1000)); // at most that many box tests
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Accuracy {
    /// Boxes of the nodes at this depth and of the leaves above. At depth 0 that is one box for
    /// each part, or its convex hull.
    Depth(u8),
    /// The geometry of a reported pair (of nodes, or of parts where one is solid) is no further
    /// apart than this [world units].
    ///
    /// A pair of nodes at equal depths is accepted once its [bounds](super::Node::bound) and the
    /// rounding error prove that. At leaves that do not, the primitives decide exactly.
    Within(f64),
    /// Exact tests of primitives: two leaves are reported iff primitives of theirs share a point.
    /// Solids contain their inside.
    Exact,
    /// Besides the roots, at most this many pairs of nodes at equal depths are tested in the whole
    /// query, those with the largest bounds first. Pairs left open count as touching. A large
    /// enough budget gives the answer of [`Accuracy::Exact`]. What is then left of it measures the
    /// contacts of bodies, in the order of answers; a measurement that is begun is ended.
    Budget(u32),
}

impl Default for Accuracy {
    /// Returns `Accuracy::Depth(255)`: the leaves.
    fn default() -> Self {
        Accuracy::Depth(u8::MAX)
    }
}

impl Accuracy {
    /// Returns `true` if the cut lies below the node.
    pub(super) fn opens_node<T: Scalar>(self, node: &Node<T>, depth: u8) -> bool {
        node.first_child > 0 && self.opens(node.bound, depth)
    }

    /// Returns `true` if the cut of a single tree lies below an inner node of that bound and depth.
    /// A tolerance is shared equally by two trees.
    pub(super) fn opens<T: Scalar>(self, bound: T, depth: u8) -> bool {
        match self {
            Accuracy::Depth(cut) => depth < cut,
            Accuracy::Within(t) => bound.wide() > 0.5 * t,
            Accuracy::Exact | Accuracy::Budget(_) => true,
        }
    }

    /// Returns `true` if the cut lies below two nodes at equal depths, of which at least one has
    /// children. `within_tolerance` costs a test of their slack.
    pub(super) fn opens_pair(self, depth: u8, within_tolerance: impl FnOnce(f64) -> bool) -> bool {
        match self {
            Accuracy::Depth(cut) => depth < cut,
            Accuracy::Within(t) => !within_tolerance(t),
            Accuracy::Exact | Accuracy::Budget(_) => true,
        }
    }

    /// Returns `true` if overlapping root boxes decide that two parts touch. `is_leaf_tree`:
    /// neither has other boxes; `box_is_geometry`: these boxes are all the geometry, and certainly
    /// share a point; `has_hull`: both have convex hulls besides.
    pub(crate) fn decided_by_roots(
        self,
        [is_leaf_tree, box_is_geometry, has_hull]: [bool; 3],
    ) -> bool {
        match self {
            Accuracy::Depth(depth) => (depth == 0 || is_leaf_tree) && !has_hull,
            Accuracy::Within(_) | Accuracy::Exact => box_is_geometry,
            Accuracy::Budget(_) => false,
        }
    }

    /// Checks that a tolerance is finite and not negative.
    #[inline]
    pub(crate) fn check(self) -> Result<(), Error> {
        match self {
            Accuracy::Within(t) if !t.is_finite() => {
                Err(Error::NotFinite { field: "tolerance", index: 0 })
            }
            Accuracy::Within(t) if t < 0.0 => Err(Error::Negative { field: "tolerance", index: 0 }),
            _ => Ok(()),
        }
    }
}

/// Pair of nodes that count as touching, and the test that decided.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::tree::{DecidedBy, NodePair, TreePair};
///
/// let here = Isometry3::identity();
/// let pair = TreePair::new(&tree, &here, &tree, &here)?;
/// let root = boxwood::NodeId::ROOT;
/// let by_boxes = pair.slack(NodePair { a: root, b: root, by: DecidedBy::Boxes });
/// let exactly = pair.slack(NodePair { a: root, b: root, by: DecidedBy::Primitives });
/// assert!(by_boxes > 0.0 && exactly == 0.0);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodePair {
    /// Node of the first tree given.
    pub a: NodeId,
    /// Node of the second tree given.
    pub b: NodeId,
    /// The test that decided.
    pub by: DecidedBy,
}

/// Test that decided that two nodes touch.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use std::ops::ControlFlow;
/// use boxwood::Accuracy;
/// use boxwood::tree::{DecidedBy, TreePair, TreeScratch};
///
/// let here = Isometry3::identity();
/// let pair = TreePair::new(&tree, &here, &tree, &here)?;
/// let _ = pair.visit(Accuracy::Exact, &mut TreeScratch::default(), |nodes| {
///     assert_eq!(nodes.by, DecidedBy::Primitives);
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    /// Boxes and convex hulls: no test of theirs separates the two nodes or a pair of their
    /// ancestors.
    Boxes,
    /// A primitive of one node and a primitive of the other share a point.
    Primitives,
    /// One part lies inside the other, which is solid. The nodes are the roots.
    Inside,
}

/// Report of a query: its slack, whether its accuracy was met, the tests made.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Vector3};
/// # use boxwood::{Accuracy, Buffers, Build, Geometry, Hits, Model, Obb, PairQuery, Scene, Spawn};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
/// # let model = parts.build(&Build::default())?;
/// # let mut scene = Scene::new();
/// # scene.insert(&model, Spawn::default())?;
/// # scene.insert(&model, Spawn::default())?;
/// # let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
/// # let now = scene.snapshot(&mut buffers);
/// let report = now.pairs(&PairQuery::all().accuracy(Accuracy::Exact), &mut hits)?;
/// assert_eq!((report.slack, report.met), (0.0, true));
/// assert!(report.counts.characters > 0); // pairs of characters that were compared
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Report<T: Scalar> {
    /// Upper bound on the distance of the geometries of every reported pair of parts, beyond the
    /// margin if there is one [world units]; zero without a pair.
    ///
    /// For queries of pairs - yes or no, pairs, contacts, self-collision - it is the same number
    /// for every kind of answer, and never rises with depth. It follows from the two trees and the
    /// cut: the least, over the depths up to the cut, of the largest
    /// [bounds](super::Node::bound) of both trees at that depth with what rounding can hide; or the
    /// bound of the convex hulls of the two roots, if that is less. The greatest over the reported
    /// pairs counts. With [`Accuracy::Exact`] it is the error of
    /// primitives: zero for triangles and boxes, proved for round shapes. With
    /// [`Accuracy::Within`] it is at most the tolerance, or that error if it is greater. With
    /// [`Accuracy::Budget`] the cut is the depth that the budget has completed for the
    /// two parts.
    pub slack: T,
    /// `true` if the accuracy was met. `false` only if a budget left pairs open, or if the
    /// tolerance of a ray or a region is below its rounding. `true` with a budget means that the
    /// answer is exact.
    pub met: bool,
    /// Tests made.
    pub counts: Counts,
}

impl<T: Scalar> Default for Report<T> {
    fn default() -> Self {
        Report { slack: T::zero(), met: true, counts: Counts::default() }
    }
}
