//! The cost of a query in tests: exact and the same on every machine.

use std::ops::AddAssign;

/// The most levels of a tree.
pub const LEVELS: usize = 33;

/// The number of tests made by a query, by kind.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Vector3};
/// # use boxwood::{Build, Geometry, Obb, ObbTree};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
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
pub struct Counts {
    /// Pairs of characters whose world boxes were compared (6 comparisons), of one with all others
    /// 16 at a time; for a ray or a region, boxes of characters or around several of them,
    /// likewise.
    pub characters: u64,
    /// Pairs of part boxes, or of boxes around parts, that were compared (6 comparisons); in
    /// batches of 16, full or not. For a ray or a region, boxes of parts, likewise, and of
    /// characters of more than 64 parts boxes of parts or around several of them; for a distance,
    /// pairs of parts whose boxes' distance was computed.
    pub parts: u64,
    /// Tests of part-aligned boxes, by level: the depth of the deeper of the two nodes. Six face
    /// axes on the way down, all 15 at the cut. For a ray or a region, of one such box with it;
    /// none of a part that certainly lies in it as a whole.
    pub boxes: [u64; LEVELS],
    /// 15-axis SATs of oriented boxes. For a ray or a region, of one such box with it.
    pub oriented: u64,
    /// Tests of two convex hulls.
    pub hulls: u64,
    /// Pairs of primitives that were tested exactly, or whose distance was computed; for a ray or a
    /// region, single primitives.
    pub primitives: u64,
    /// Exact tests of primitives, where double precision could not decide.
    pub exact: u64,
    /// Points tested for being inside a solid mesh.
    pub points: u64,
}

impl Counts {
    /// The number of all tests of boxes of nodes.
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
