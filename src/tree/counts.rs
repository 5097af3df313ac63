//! Cost of a query in tests: exact and equal on every machine.

use std::ops::AddAssign;

/// Largest number of depths of a tree, the root's included.
pub const LEVELS: usize = 33;

/// Number of tests made by a query, by kind.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::{Accuracy, tree::{TreePair, TreeScratch}};
///
/// let here = Isometry3::identity();
/// let mut scratch = TreeScratch::default();
/// TreePair::new(&tree, &here, &tree, &here)?.intersects(Accuracy::default(), &mut scratch)?;
/// let counts = scratch.counts; // exact, and the same on every machine
/// assert_eq!((counts.tests() > 0, counts.primitives), (true, 0));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Comparisons of the world boxes of two characters (6 comparisons); one is compared with 16
    /// others at a time. For a ray or a region: tests with boxes of characters, or of several of
    /// them.
    pub characters: u64,
    /// Comparisons of two part boxes, or boxes around several parts (6 comparisons), in batches of
    /// 16, full or not; also of the boxes in a part of few boxes with parts of another character.
    /// For a ray or a region: tests with boxes of parts and, in characters of more than 64 parts,
    /// of several of them. For a distance: pairs of parts whose boxes' distance was computed.
    pub parts: u64,
    /// Tests of part-aligned boxes, by the depth of the deeper of the two nodes: six face axes on
    /// the way down, all 15 at the cut. For a ray or a region: tests with such a box, none for a
    /// part that certainly lies in it as a whole. Where two small meshes are searched as lists of
    /// triangles: groups of eight triangles, and triangles tested against a group, at the depth of
    /// the deeper tree.
    pub boxes: [u64; LEVELS],
    /// 15-axis SATs of oriented boxes. For a ray or a region: tests with such a box.
    pub oriented: u64,
    /// Tests of two convex hulls.
    pub hulls: u64,
    /// Pairs of primitives that were tested exactly, or whose distance was computed. For a ray or a
    /// region: single primitives.
    pub primitives: u64,
    /// Exact tests of primitives that double precision could not decide.
    pub exact: u64,
    /// Points tested for being inside a solid mesh.
    pub points: u64,
}

impl Counts {
    /// Returns the number of tests of boxes of nodes.
    pub fn tests(&self) -> u64 {
        self.boxes.iter().sum::<u64>() + self.oriented
    }
}

impl Default for Counts {
    fn default() -> Self {
        Counts {
            characters: 0,
            parts: 0,
            boxes: [0; LEVELS],
            oriented: 0,
            hulls: 0,
            primitives: 0,
            exact: 0,
            points: 0,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.characters += other.characters;
        self.parts += other.parts;
        self.boxes.iter_mut().zip(other.boxes).for_each(|(sum, more)| *sum += more);
        self.oriented += other.oriented;
        self.hulls += other.hulls;
        self.primitives += other.primitives;
        self.exact += other.exact;
        self.points += other.points;
    }
}
