//! Answers of a batch: pairs of parts that touch in a row, and counts of its stages.

use std::ops::AddAssign;

use crate::model::PartId;

/// Two parts that touch in a row of a [`CollisionBatch`](crate::model::CollisionBatch).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BatchPair {
    /// Index of the row.
    pub row: usize,
    /// The part of the robot; of two of its parts, the lesser.
    pub a: PartId,
    /// The other part.
    pub b: BatchPart,
}

/// The second part of a pair in a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BatchPart {
    /// A part of the robot itself.
    Robot(PartId),
    /// A part of an obstacle.
    Obstacle {
        /// Index of the obstacle, in the order in which obstacles were added.
        index: usize,
        /// The part of that obstacle.
        part: PartId,
    },
}

/// Numbers of rows and pairs of parts that each stage of a
/// [`CollisionBatch`](crate::model::CollisionBatch) left open, in one query. The pairs are those
/// of rows that the filter supports; all other rows, and those of a budget, have exact queries.
/// Counts are equal at every [`SimdLevel`](crate::SimdLevel).
///
/// ```
/// # use boxwood::motion::{JointKind, Link, Mechanism};
/// # use boxwood::nalgebra::{Isometry3, Vector3};
/// # use boxwood::{Build, Geometry, Model, Obb};
/// use boxwood::{Accuracy, CollisionBatch, CollisionBatchScratch};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let block = || Geometry::Boxes(vec![cube]);
/// # let link = |name: &str, x| Link {
/// #     name: name.into(),
/// #     parent: None,
/// #     origin: Isometry3::translation(x, 0.0, 0.0),
/// #     joint: JointKind::Fixed,
/// # };
/// # let mechanism = Mechanism::new(vec![link("a", 0.0), link("b", 9.0)], vec![])?.into();
/// # let parts = Model::builder().part("a", None, block()).part("b", None, block());
/// # let model = parts.build(&Build::default())?;
///
/// // Two parts far apart: their balls decide both rows.
/// let batch = CollisionBatch::new(&mechanism, &model, Accuracy::Exact)?;
/// let mut scratch = CollisionBatchScratch::default();
/// batch.check(&[], &mut [false; 2], &mut scratch)?;
/// let counts = scratch.counts();
/// assert_eq!([counts.rows, counts.own_pairs, counts.own_after_balls], [2, 2, 0]);
/// assert_eq!(counts.exact_rows, 0);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchCounts {
    /// Rows of the query.
    pub rows: u64,
    /// Rows in which a point of the robot is certainly inside an obstacle. They collide; only a
    /// query for pairs has exact queries of them.
    pub colliding_rows: u64,
    /// Rows that needed an exact query.
    pub exact_rows: u64,
    /// Pairs of the robot's own parts, in all filtered rows.
    pub own_pairs: u64,
    /// Own pairs whose balls are not certainly apart.
    pub own_after_balls: u64,
    /// Own pairs whose capsules are not certainly apart either: left to exact queries.
    pub own_after_capsules: u64,
    /// Pairs of the robot's parts with those of obstacles, in all filtered rows.
    pub obstacle_pairs: u64,
    /// Pairs with obstacles of which the ball is not certainly apart from the boxes of the
    /// obstacle's part.
    pub obstacles_after_balls: u64,
    /// Pairs with obstacles of which the capsule is not certainly apart from these boxes either:
    /// left to exact queries.
    pub obstacles_after_capsules: u64,
}

impl AddAssign for BatchCounts {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.colliding_rows += other.colliding_rows;
        self.exact_rows += other.exact_rows;
        self.own_pairs += other.own_pairs;
        self.own_after_balls += other.own_after_balls;
        self.own_after_capsules += other.own_after_capsules;
        self.obstacle_pairs += other.obstacle_pairs;
        self.obstacles_after_balls += other.obstacles_after_balls;
        self.obstacles_after_capsules += other.obstacles_after_capsules;
    }
}
