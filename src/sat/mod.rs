//! Separating-axis tests (SAT) of oriented boxes, and of boxes against other convex bodies.
//!
//! Two boxes are disjoint iff one of 15 axes separates them: the three face normals of each, and
//! the nine cross products of their edges. For an axis, *distance* is that of the centres along it,
//! *radius* the sum of the projected radii of both boxes, and *separation* the distance less the
//! radius: positive where the axis separates the boxes. All three are multiplied by the length of
//! the axis, which for an edge axis is the sine `k` between the edges. Letters: `R` is the rotation
//! of B seen from A, `t` the centre of B seen from A, `a` and `b` are the half extents. Sources:
//! Gottschalk, Lin, Manocha, OBBTree (1996); Ericson, Real-Time Collision Detection (2005), 4.4.1.
//!
//! Read [`box_pair`] first (the 15 axes, in the order of the formulas), then [`prefilter`] (how
//! single precision filters without changing a verdict). The two kernels compute the same numbers;
//! they differ in what lies across the SIMD lanes.
//!
//! | content | type or module |
//! |---|---|
//! | kernel 1: pairs across lanes, one axis after another | [`BoxPair`] |
//! | kernel 2: axes across lanes, one pair | [`ThreeAxes`] |
//! | axis of least overlap, for contacts, by either kernel | [`LeastOverlap`] |
//! | `f32` prefilter: pairs of boxes in a queue, or one pair | [`prefilter`] |
//! | `f32`, up to 8 boxes of a part against 8 of another, one rotation | [`eight_boxes`] |
//! | `f32`, up to 8 triangles against a line or a box | [`eight_triangles`] |
//! | `f32`, oriented boxes of two parts as a batch of pairs | [`oriented_batch`] |
//! | `f32`, test of such pairs | [`oriented_pairs`] |
//! | `f32`, shifts at which boxes of two wide nodes may touch | [`box_slabs`] |
//! | `f32`, shifts at which oriented boxes may touch, pair by pair | [`oriented_slabs`] |
//! | shifts at which triangles and boxes touch, eight pairs at once | [`primitive_slabs`] |
//! | `f32`, triangles of a small mesh in groups of eight, with their boxes | [`triangle_groups`] |
//! | `f32`, pairs of such groups and of their triangles that may touch | [`group_pairs`] |
//! | convex polytopes by their corners: frusta, axes as stored, triangles | [`polytope`] |
//! | box against triangle or segment, with a slack for rounding | [`box_triangle`] |
//! | boxes and triangles, exactly where rounding could change the verdict | [`exact_boxes`] |
//!
//! # Verdict and prefilters
//! The deciding test is in double precision: the boxes are disjoint iff `distance > radius + slack`
//! on some axis. The slack is absolute, not an epsilon on `R`, so nearly parallel edges need no
//! special case: see [`tolerance`](crate::num::tolerance). A prefilter is in single precision and
//! has three answers: *separated* and *overlapping* equal the verdict of the deciding test, and
//! *undecided* pairs are passed on to it. So no instruction set can change an answer. Only the
//! prefilter of a single pair uses fused operations: the counts of a report depend on how many
//! pairs the others leave undecided.
//!
//! # Errors of single precision
//! Let `u = 2^-24` and `s = |a| + |b|`, the lengths of the half diagonals. If the error of each
//! entry of `R` is at most `r`, and that of each component of `t` at most `d`, then the errors are
//! at most
//!
//! | axis | error of the distance | error of the radius |
//! |---|---|---|
//! | face normal of A | `d` | `sqrt(3) r s + 4 u s` |
//! | face normal of B | `sqrt(3) (r \|t\| + d) + 3 u \|t\|` | `sqrt(3) r s + 4 u s` |
//! | edges, sine `k` | `sqrt(2) (r \|t\| + d k) + 3 u \|t\| k` | `sqrt(2) r s + 4 u s k` |
//!
//! A distance along a normal of B is a product of `R` and `t`, so the errors of both enter. The
//! terms of an edge axis have factors no larger than `sqrt(1 - R_ij^2) <= k`, except for the error
//! of `R` itself. The last summand of each entry is the rounding of products and sums; fused
//! operations round less. Each prefilter states its `r` and `d`, and pads that cover the errors
//! several times.

mod aligned_box;
pub(crate) mod box_gaps;
mod box_pair;
pub(crate) mod box_slabs;
pub(crate) mod box_triangle;
pub(crate) mod eight_boxes;
pub(crate) mod eight_triangles;
pub(crate) mod exact_boxes;
pub(crate) mod group_pairs;
#[cfg(feature = "internals")]
mod hard_pairs;
mod least_overlap;
mod least_overlap_of_one;
pub(crate) mod oriented_batch;
pub(crate) mod oriented_pairs;
pub(crate) mod oriented_slabs;
pub(crate) mod polytope;
pub(crate) mod prefilter;
pub(crate) mod primitive_slabs;
mod shift_frame;
mod three_axes;
pub(crate) mod triangle_groups;
mod verdict;

pub(crate) use aligned_box::box_may_overlap_aligned;
pub(crate) use box_pair::{BoxPair, RelativeRotation};
pub(crate) use least_overlap::LeastOverlap;
pub(crate) use least_overlap_of_one::least_overlap_of_one;
pub(crate) use three_axes::{AxisProjections, ThreeAxes, lane_of_edge, weighted_sum};
pub(crate) use verdict::{SatMasks, boxes_overlap, sat_tolerance, sorted_boxes, sorted_wide_boxes};

collect_tests!(
    box_gaps,
    eight_boxes,
    eight_triangles,
    group_pairs,
    least_overlap_of_one,
    oriented_slabs,
    prefilter
);
