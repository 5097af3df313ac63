//! Convex hulls kept as a few corners and a pad, and a test that finds a direction separating two
//! of them.
//!
//! # Representation
//! The kept corners are single-precision numbers around a centre, in units of a power of two; they
//! are exact as stored. Every point that the hull was made of is proven to be within the *pad* of
//! the convex hull of the corners: a point of that hull was found at no greater distance, rounding
//! included.
//!
//! # What is certain
//! Two hulls are disjoint if a direction separates them. The support of a hull along a direction
//! `d`, its farthest corner, is found in single precision. Each of the three products and their
//! sums rounds, and so did `d`, so the support may fall short by up to `2 * 4 sqrt(3) u |c| |d|`,
//! less than [`SUPPORT_ERROR`] of the unit of the corners. The corner found is then projected in
//! double precision. Hulls are separated beyond the support errors of both, both pads, and the
//! rounding of double precision. A search without a separating direction proves nothing.
//!
//! The directions are those of GJK (Gilbert, Johnson, Keerthi: A fast procedure for computing the
//! distance between complex objects in three-dimensional space, 1988), beginning with the line of
//! the centres, at most [`MAX_STEPS`]. Only `+ - * /`, square roots and comparisons are used, and
//! ties take the first: the bits are the same everywhere.

mod corners;
mod gjk;
mod simplex;

pub(crate) use corners::{ExtremeCorners, HullCorners, SupportHeights, directions};
pub(crate) use gjk::{HullPair, distance_to, offset_to};

collect_tests!(corners, gjk);
