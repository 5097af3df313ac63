//! Verdicts on edges.

use crate::model::PartId;
use crate::num::Scalar;
use crate::scene::CharacterKey;

/// The verdict on an edge: a straight way from one configuration to another.
///
/// Fractions are shares of the edge, 0 at its start and 1 at its end. At fraction `t` each value is
/// `(1 - t) * from + t * to`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Edge<'s, T: Scalar> {
    /// Proof that no two parts touch on the whole edge, its ends included, nor come within their
    /// margin.
    Free {
        /// Lower bound on the distance of any two tested parts on the whole edge: the margin where
        /// some came so near that only that was proved, infinite if no parts are tested. World
        /// units.
        clearance_at_least: f64,
    },
    /// Two parts touch, or are within their margin.
    Collides {
        /// Fraction at which the exact test says so.
        fraction: f64,
        /// The configuration at that fraction, one value an actuator:
        /// [`Model::self_intersects`](crate::model::Model::self_intersects) on its poses, or the
        /// exact test of the two parts, is true.
        values: &'s [T],
        /// The part of the robot.
        a: PartId,
        /// The other part.
        b: EdgePart,
        /// Fraction before which the edge is proved free; 0 unless the query is for the
        /// [first](super::checker::EdgeChecker::first) collision.
        clear_until: f64,
    },
    /// Two parts come so near that neither was shown: their distance is beyond the margin by no
    /// more than the tolerance. Planners count it as a collision.
    Undecided {
        /// Fraction at which they are that near.
        fraction: f64,
        /// The configuration at that fraction.
        values: &'s [T],
        /// The part of the robot.
        a: PartId,
        /// The other part.
        b: EdgePart,
        /// Upper bound on the distance of the two beyond their margin, at that fraction. At most
        /// the tolerance, unless that is finer than the rounding of the poses or than 2^-30 of the
        /// edge. World units.
        slack: f64,
    },
}

impl<T: Scalar> Edge<'_, T> {
    /// Returns `true` for a proof that the edge is free.
    pub fn is_free(&self) -> bool {
        matches!(self, Edge::Free { .. })
    }
}

/// The second part of a pair on an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EdgePart {
    /// A part of the robot itself.
    Robot(PartId),
    /// A part of a character of the world.
    World {
        /// The character.
        character: CharacterKey,
        /// The part of that character.
        part: PartId,
    },
}

/// The verdict on a path of several edges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathEdge<'s, T: Scalar> {
    /// Index of the first edge that is not free; the number of edges if all are free.
    pub index: usize,
    /// The verdict on that edge. If all are free, the clearance is that of the whole path.
    pub edge: Edge<'s, T>,
}
