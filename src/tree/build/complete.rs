//! Completion of trees that were built without certified bounds and convex hulls.

use super::build_tree::finish_tree;
use super::node_builder::BuiltNodes;
use crate::error::Error;
use crate::num::{Scalar, precompiled};
use crate::tree::bound::NodeBounds;
use crate::tree::store::hulls::NodeHulls;
use crate::tree::{Bound, BuildProgress, Node, ObbTree, Watch, WatchedBuild, unwatched};

/// Number of depths with convex hulls of a completed tree: that of the default build.
const HULL_LEVELS: u8 = super::Build::new().hull_levels;

impl<T: Scalar> ObbTree<T> {
    /// Returns the tree with the certified bounds and convex hulls of a default build: equal nodes
    /// and boxes, and close answers at every accuracy.
    ///
    /// A tree built with [`Build::level`](crate::Build::level) becomes the tree of
    /// [`Build::new`](crate::Build::new), bit for bit, fingerprint included. In general, a tree
    /// built with some options and [`boxes_only`](crate::Build::boxes_only) becomes the tree of
    /// these options with [`Bound::Certified`] and the default's number of hull levels. So a
    /// program can query a large tree at once, complete it on another thread, and replace it. The
    /// calling thread does all work; nothing is left for a query.
    ///
    /// A tree of [`Build::fast`](crate::Build::fast) keeps its four primitives in each leaf. The
    /// default tree of its geometry has other nodes: build it from [`ObbTree::geometry`].
    ///
    /// ```
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Build, Geometry, Mesh, ObbTree};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let sides = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let solid = Geometry::Solid(Mesh::new(corners.map(Point3::from).to_vec(), sides)?);
    /// let at_once = ObbTree::build(solid.clone(), &Build::level())?;
    /// let complete = at_once.complete(); // on any thread, at any time
    /// assert_eq!(complete, ObbTree::build(solid, &Build::new())?);
    /// assert_ne!(complete.fingerprint(), at_once.fingerprint());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn complete(&self) -> Self {
        // Nothing stops it.
        self.complete_watched(&mut unwatched).unwrap_or_else(|_| self.clone())
    }

    /// Completes a tree like [`ObbTree::complete`], and calls a progress function.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn complete_watched(&self, watch: &mut Watch<'_>) -> Result<Self, Error> {
        let mut progress = WatchedBuild::new(watch, self.geometry.len())?;
        completed(self, &mut progress)
    }
}

precompiled! {
    fn completed<'a, T>(
        tree: &'a ObbTree<T>,
        progress: &'a mut dyn BuildProgress,
    ) -> Result<ObbTree<T>, Error> {
        complete_tree(tree, progress)
    }
}

fn complete_tree<T: Scalar>(
    tree: &ObbTree<T>,
    progress: &mut dyn BuildProgress,
) -> Result<ObbTree<T>, Error> {
    // The leaves are there already.
    progress.advance(tree.order.len())?;
    let bounds =
        NodeBounds::new(&tree.geometry, tree.ordered_nodes(), Bound::Certified, tree.enclosure())
            .node_bounds(progress)?;
    let (nodes, depths) = (tree.nodes.clone(), node_depths(&tree.nodes));
    let built = BuiltNodes { nodes, depths, order: tree.order.clone() };
    let geometry = tree.geometry.clone();
    Ok(finish_tree(geometry, built, &bounds, |geometry, ordered| {
        NodeHulls::new(geometry, ordered, HULL_LEVELS)
    }))
}

/// Returns the depth of each node; parents come before their children.
fn node_depths<T: Scalar>(nodes: &[Node<T>]) -> Vec<u8> {
    let mut depths = vec![0; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(children) = node.children() {
            for child in children {
                depths[child.index()] = depths[index] + 1;
            }
        }
    }
    depths
}
