//! What a build may be told.

/// How to build a tree. Every choice gives a tree that [validates](crate::tree::ObbTree::validate); they differ in cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Build {
    /// No node lies deeper than this; at most 32. Fewer levels: less memory, coarser answers.
    pub max_depth: u8,
    /// Nodes with no more primitives than this stay leaves; at least 1. More: less memory, looser boxes.
    pub leaf_primitives: usize,
    /// How the distance from the boxes to what is in them is bounded.
    pub bound: Bound,
}

/// How [`Node::bound`](crate::tree::Node::bound) is found. Both are certain; one is close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bound {
    /// By the corners of the box alone: exact for one primitive, several times too much for many. Costs little.
    Corners,
    /// By cells of the box: within 15 % where the effort allows. Costs about as much as the rest of the build,
    /// and lets a tolerance be met higher up in the tree.
    #[default]
    Certified,
}

impl Build {
    /// Down to single primitives, with close bounds: the closest boxes and answers.
    pub fn tight() -> Self {
        Build { max_depth: 32, leaf_primitives: 1, bound: Bound::Certified }
    }

    /// Four primitives a leaf: a quarter of the nodes; bounds by corners.
    pub fn fast() -> Self {
        Build { leaf_primitives: 4, bound: Bound::Corners, ..Build::tight() }
    }
}

impl Default for Build {
    fn default() -> Self {
        Build::tight()
    }
}
