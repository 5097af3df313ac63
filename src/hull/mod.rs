//! Convex hulls: of points, kept as few corners and a pad; and the test that finds a direction in
//! which two of them are apart.
//!
//! # What a hull holds
//! The kept corners are single-precision numbers around a centre, in units of a power of two: exact
//! as they stand, whatever they were rounded from. Every point that the hull was made of is proven
//! to be within the *pad* of the convex hull of the corners: a point of that hull was found which is
//! no further off, rounding included.
//!
//! # What is certain
//! Two hulls are apart where a direction shows it. Of a direction `d` the support of a hull, its
//! farthest corner, is found in single precision: each of the three products and their sums rounds,
//! and so did `d`, so a farther corner may be missed by up to `2 * 4 sqrt(3) u |c| |d|`, less than
//! [`SUPPORT`] of the unit of the corners. The corner found is then taken in double precision. Two
//! are apart beyond that of both, both pads, and what rounding in double precision can be. No
//! direction found proves nothing.
//!
//! The directions are those of GJK (Gilbert, Johnson, Keerthi: A fast procedure for computing the
//! distance between complex objects in three-dimensional space, 1988), from the line of the centres
//! on, [`STEPS`] at most. Only `+ - * /`, square roots and comparisons, of ties the first: the same
//! bits everywhere.

mod corners;
mod gjk;
mod simplex;

pub(crate) use corners::{Corners, Extremes, Reaches, directions};
pub(crate) use gjk::{HullPair, distance_to, way_to};
