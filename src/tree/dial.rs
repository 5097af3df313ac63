//! Accuracy: how fine the boxes of an answer are, and what an answer states about itself.

use super::{Counts, Node, NodeId};
use crate::error::Error;
use crate::num::Scalar;

/// The accuracy of an answer. Whatever is chosen, parts whose geometry shares a point are reported.
///
/// What is chosen bounds the other side: how far apart the geometry of a reported pair can be.
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
    /// Each tree stands for its part by its nodes at that depth, and its leaves above: 0 is one box
    /// a part, or where it has one the convex hull in it.
    Depth(u8),
    /// The geometry of a reported pair (of nodes, or of parts where one is solid) is no further
    /// apart than this, in world units.
    ///
    /// Both trees are descended together, and a pair of nodes at equal depths is accepted as soon as
    /// its [bounds](super::Node::bound) and the gap that rounding leaves undetected promise that. Of
    /// leaves that do not, the primitives decide exactly.
    Within(f64),
    /// Primitive against primitive, exactly: leaves are reported iff primitives of theirs share a
    /// point. Solids own their inside.
    Exact,
    /// Besides the roots, at most this many pairs of nodes at equal depths are tested in the whole
    /// query, those with the largest bounds first; pairs left open count as touching. With enough of them the
    /// answer is that of [`Accuracy::Exact`].
    Budget(u32),
}

impl Default for Accuracy {
    /// The leaves.
    fn default() -> Self {
        Accuracy::Depth(u8::MAX)
    }
}

impl Accuracy {
    /// Whether the cut lies below the node.
    pub(super) fn opens_node<T: Scalar>(self, node: &Node<T>, depth: u8) -> bool {
        node.child > 0 && self.opens(node.bound, depth)
    }

    /// Whether the cut of a tree by itself lies below whatever has children, that bound, and is that
    /// deep. A tolerance has half of it for either tree.
    pub(super) fn opens<T: Scalar>(self, bound: T, depth: u8) -> bool {
        match self {
            Accuracy::Depth(cut) => depth < cut,
            Accuracy::Within(t) => bound.wide() > 0.5 * t,
            Accuracy::Exact | Accuracy::Budget(_) => true,
        }
    }

    /// Whether two nodes at equal depths are to be opened, of which one at least has children; with
    /// what it costs to know whether their slack meets a tolerance.
    pub(super) fn opens_pair(self, depth: u8, meets: impl FnOnce(f64) -> bool) -> bool {
        match self {
            Accuracy::Depth(cut) => depth < cut,
            Accuracy::Within(t) => !meets(t),
            Accuracy::Exact | Accuracy::Budget(_) => true,
        }
    }

    /// Whether two parts touch if the boxes of their roots surely do. `single`: neither has other
    /// boxes; `whole`: these boxes are all their geometry, and surely share a point; `hulled`: both
    /// have convex hulls besides.
    pub(crate) fn is_told_by_roots(self, [single, whole, hulled]: [bool; 3]) -> bool {
        match self {
            Accuracy::Depth(depth) => (depth == 0 || single) && !hulled,
            Accuracy::Within(_) | Accuracy::Exact => whole,
            Accuracy::Budget(_) => false,
        }
    }

    /// Refuses a length that is not finite or is negative.
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

/// A pair of nodes that count as touching, and the test that decided.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Vector3};
/// # use boxwood::{Build, Geometry, Obb, ObbTree};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
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
    /// The node of the first tree given.
    pub a: NodeId,
    /// The node of the second.
    pub b: NodeId,
    /// What decided.
    pub by: DecidedBy,
}

/// The test that decided that two nodes touch.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Vector3};
/// # use boxwood::{Build, Geometry, Obb, ObbTree};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
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
    /// Neither their boxes nor their convex hulls, nor those of ancestors, tell them apart.
    Boxes,
    /// A primitive of one and a primitive of the other share a point.
    Primitives,
    /// One part lies inside the other, which is solid; the nodes are the roots.
    Inside,
}

/// The report of a query: its slack, whether its accuracy was met, the tests made.
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
pub struct Report<T: Scalar> {
    /// The geometry of every reported pair is no further apart than this, beyond the margin if one
    /// was asked for; zero without a pair. World units.
    pub slack: T,
    /// Whether the accuracy asked for was met. Always, but of rays and regions for a tolerance
    /// below their rounding, and but for a budget: then it says that nothing was left open, and the
    /// answer is exact.
    pub met: bool,
    /// The tests made.
    pub counts: Counts,
}

impl<T: Scalar> Default for Report<T> {
    fn default() -> Self {
        Report { slack: T::zero(), met: true, counts: Counts::default() }
    }
}
