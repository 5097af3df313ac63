//! The first contact of two moving parts.

use nalgebra::{Point3, Vector3};

use crate::num::Scalar;
use crate::scene::NodeRef;

/// The first contact of two parts during a tick, both of which may move and turn.
///
/// Times are shares of the tick, from 0 to 1. Where the two are apart during the whole tick, there
/// is no impact: that is proved, not sampled.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Impact<T: Scalar> {
    /// Leaf of the part of the query's first character, or of that of lower order.
    pub a: NodeRef,
    /// Leaf of the other part.
    pub b: NodeRef,
    /// Time before which the two share no point; with a margin, before which they are further apart
    /// than that.
    pub clear_until: f64,
    /// Time at which the two touch or nearly touch; not before `clear_until`.
    pub time: f64,
    /// Upper bound on their distance at `time`, beyond the margin; 0 if they share a point. At most
    /// the tolerance of the query, unless `met` is `false`. [world units]
    pub slack: T,
    /// `false` if half the shortest interval, 2^-16 of the tick, was still too long for the
    /// tolerance, because the parts are too fast, or their coordinates too large for it.
    pub met: bool,
    /// Point of `a` at `time`, nearest to `b`. [world frame]
    pub on_a: Point3<T>,
    /// Point of `b` at `time`, nearest to `a`. [world frame]
    pub on_b: Point3<T>,
    /// Unit vector from `a` to `b` along their closest points just before they touch; `None` if
    /// they touch from the start: nothing approaches then. The least separation of the two is a
    /// question about one pose: [`Snapshot::contacts`](crate::scene::Snapshot::contacts).
    pub normal: Option<Vector3<T>>,
    /// `true` if the two touch at the start of the tick already: a resting contact, or one of the
    /// tick before.
    pub touching_at_start: bool,
    /// `true` if the two touch at the end of the tick.
    pub touching_at_end: bool,
}

impl<T: Scalar> Impact<T> {
    /// Returns the same impact with the two parts exchanged.
    pub fn reversed(self) -> Self {
        Impact {
            a: self.b,
            b: self.a,
            on_a: self.on_b,
            on_b: self.on_a,
            normal: self.normal.map(|normal| -normal),
            ..self
        }
    }
}
