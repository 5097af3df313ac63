//! Tolerances that several modules share: value, unit, reason, and what breaks without them. A
//! tolerance of one algorithm is beside that algorithm.
//!
//! # The test and its error
//! The 15 axes are tested in double precision, whatever the stored type, on
//! `|t.L| > r_A + r_B + slack`. Three things make the computed numbers differ from the true ones:
//!
//! 1. *Stored axes are not exactly orthogonal.* Let `u` be the rounding of the stored type (`2^-24`
//!    for f32, `2^-53` for f64), and `d` the *skew*: a bound of `|U^T U - 1|` by entries. Axes are
//!    built to [`AXES_ERROR`]; rounding moves each entry by at most `u / 2`, which adds
//!    `sqrt(3) u`, and nothing in f64. Axes from a file are rejected if their computed skew is
//!    above `2 u + AXES_ERROR`; computing it costs `3 e`. So `d <= 2 u + 35 e`, which is `2.01 u`
//!    in f32 and `37 e` in f64. The boxes are the parallelepipeds that the stored axes span; the
//!    test assumes right angles. On a face axis that hides at most `sqrt(3) d |h|` of the projected
//!    radius. On an edge axis, `L' = A_i2 R_i1j - A_i1 R_i2j` is the axis that the formula projects
//!    on. The radius of A along it is off by at most `sqrt(3) sqrt(2) d |a| = 2.5 d |a|`. The
//!    radius of B is `sum b_k |(R_j x R_k)_i|`, and the formula takes `R_il` for `(R_j x R_k)_i`.
//!    The cross products of columns are `det(R) R^-T`, and with `R = U_A^T Q U_B` and
//!    `E = U^T U - 1` of either box that is `(1 + tr E_A / 2 + tr E_B / 2) R - E_A R - R E_B` up to
//!    squares of `d`. Its entry `il` differs from `R_il`, for each box, by at most
//!    `d (1.5 |R_il| + sqrt(2) sqrt(1 - R_il^2))`, so by `sqrt(1.5^2 + 2) d = 2.1 d`: together
//!    `4.2 d`. Two of the `b_k` count, and so `sqrt(2) 4.2 d |b| = 5.9 d |b|`. All of this is under
//!    `6 d (|a| + |b|)`.
//! 2. *Rounding of the node's own arithmetic*, in double precision (`e = 2^-53`): composing
//!    `U_A^T R U_B` and `U_A^T t` costs at most `10 e` per entry and `17 e` of the reach, the 15
//!    sums at most `40 e`: under `70 e (|a| + |b| + reach)`.
//! 3. *Rounding of the parts' placement*: `q / |q|` to a matrix, `R_A^T R_B`, `R_A^T (p_B - p_A)`:
//!    under `80 e` of the two parts' reach (the farthest point from the pose's origin).
//!
//! The slack of a pair of boxes is therefore
//! `LEAF_SLACK * (|a| + |b| + REACH_SHARE * (reach_A + reach_B))`, with
//! `LEAF_SLACK >= 6 d (+ 70 e)` and `LEAF_SLACK * REACH_SHARE >= 150 e`, where the reach of a part
//! is its radius about the origin of its frame. Boxes that share a point are then never separated.
//! An epsilon on the entries of `R`, as in textbooks, does not achieve that: it misses thin plates.
//!
//! # Undetected gaps
//! Boxes that pass may still be disjoint, but no further apart than [`gap`]: there `s = 2 slack` is
//! by how much an axis may truly be exceeded.
//!
//! # The axis of a contact
//! The axis of least overlap is chosen among the same 15. An overlap along an edge axis is divided
//! by its sine `s = |L'|`, and so is its error: by the numbers of the verdict, `6 d / s` of the
//! sizes. In f32 (`d = 2 u`) edges of a sine just above [`PARALLEL_SINE`] then win over faces by
//! rounding, up to 3e-4 of the size deeper (found by search). All of that error is in B's radius.
//! Let `c = U_A L'` be the direction of a contact along that axis, and `G = U_A^T U_A`.
//!
//! - *Offset*: `t.L' = (c_B - c_A).c`, exactly.
//! - *A's radius* is `sum a_k |(G L')_k|`. As `L'_i = 0`, taking `G = 1` costs at most
//!   `4.9 u |a| s`: in proportion to the sine.
//! - *B's radius* is `sum b_k |R_k.L'|` with `R_j.L' = 0`, and the two others are the components
//!   along axis `i` of the cross products `R_j x R_k`: B's face normals as its stored edges span
//!   them. The verdict takes `R_l` for that normal, which is off by `12 u |b|` whatever the sine.
//!
//! The choice in f32 therefore takes those cross products for the normals. The remaining error is
//! `4.9 u |a|`, `3 u` of the overlap for `|c|` against `|L'|`, and `4.5 u` in all on face axes: the
//! chosen axis overlaps no more than `14 u (|a| + |b|)` beyond the least of the 15. In f64 the
//! verdict's numbers suffice: `12 d / PARALLEL_SINE` is 5e-10.
//!
//! The direction `c` costs no more, though it is off the true `n = A_i x B_j` by the angle
//! `f = 2.9 u / s`: it is orthogonal to `B_j` exactly and to `A_i` up to `2.9 u`. Let `n` have the
//! least overlap of all directions. The foot of the perpendicular on its plane is then in the
//! parallelogram that the two edges span, which across `B_j` is `2 |a_i| s` wide: a rotation by `f`
//! adds at most `f |a_i| s = 2.9 u |a_i|`, and `2.9 u |a_i|` along `A_i`, as long as no other edge
//! changes sides. If one does, a face normal is between `n` and `c`; up to the first of them no
//! edge has changed sides, and that face axis exceeds the least by as little. So with all sines
//! above [`PARALLEL_SINE`] a contact in f32, its normal rounded (`10 u`), is at most
//! `32 u (|a| + |b|)` deeper than the least overlap of all directions.

pub use super::gap::gap;

/// Greatest skew of the axes of a box before they are rounded to the stored type: `32 e`. No unit.
///
/// The skew of axes is the largest entry of `|U^T U - 1|`. Proof that building stays below it, for
/// Gram-Schmidt on axes nearly at right angles: the square of a vector divided by its length is off
/// 1 by `9 e`; the part of one across the other keeps `3 e` of the product, and `3 e` by its own
/// rounding; the cross product of the two is off by `2.3 e`, its square by twice
/// `4.5 e + 4.5 e + 2.3 e`, under `23 e`. The normal of a sliver, from a cross product, is off
/// right angles by `4 e` times its length over its height: above this limit, Gram-Schmidt corrects
/// it (`shape::triangle_frame`). Axes that a user gives are made orthonormal in the same way. Boxes
/// built with more skew would be missed where they touch, and rejected when they are restored.
pub const AXES_ERROR: f64 = 16.0 * f64::EPSILON;

/// Slack of the deciding SAT for boxes stored in f32: 32 u. No unit: a share of the boxes' sizes.
///
/// The bound above is `6 d = 12.1 u`. At 0, rotated boxes that touch exactly are missed.
pub const LEAF_SLACK_F32: f64 = 1.0 / (1u64 << 19) as f64;

/// Slack of the deciding SAT for boxes stored in f64: 512 u. No unit: a share of the boxes' sizes.
///
/// The bound above is `6 d + 70 e + 150 e = 442 e`, `u = e`.
pub const LEAF_SLACK_F64: f64 = 1.0 / (1u64 << 44) as f64;

/// Slack of the culling SAT on inner nodes, f32. No unit: a share of the boxes' sizes.
///
/// A cull may only drop a pair that the deciding test drops too. It tests some of the same axes on
/// larger boxes, so it suffices that its slack exceeds the deciding one by twice the rounding of
/// both. Four times costs nothing and covers other arithmetic, too. Below the leaf's slack,
/// traversals lose pairs at the edge of touching.
pub const INNER_SLACK_F32: f64 = 4.0 * LEAF_SLACK_F32;

/// Slack of the culling SAT on inner nodes, f64. See [`INNER_SLACK_F32`].
pub const INNER_SLACK_F64: f64 = 4.0 * LEAF_SLACK_F64;

/// Weight of the parts' radii beside the boxes' sizes, f32:
/// `LEAF_SLACK * REACH_SHARE = 2^-44 = 512 e`.
///
/// The placement is computed in double precision, so the radii matter far less than the boxes' own
/// axes.
pub const REACH_SHARE_F32: f64 = 1.0 / (1u64 << 25) as f64;

/// Weight of the parts' radii beside the boxes' sizes, f64:
/// `LEAF_SLACK * REACH_SHARE = 2^-44 = 512 e`.
pub const REACH_SHARE_F64: f64 = 1.0;

/// Largest coordinate or size accepted in f32. Units. Fourth powers must stay finite in f64, and
/// world coordinates in f32.
pub const MAX_COORDINATE_F32: f64 = 1e30;

/// Largest coordinate or size accepted in f64. Units. Fourth powers must stay finite.
pub const MAX_COORDINATE_F64: f64 = 1e75;

/// Slack of sweeps (CCD), as a share of distance, displacement and sizes: `128 e`.
///
/// In the frame of the first shape, distance and displacement along an axis cost at most `17 e`
/// each, the nearest approach of a line `16 e`, the sizes `40 e`. Without it a pair that only
/// grazes is missed, or hit slightly too late.
pub const SWEEP_SLACK: f64 = 1.0 / (1u64 << 46) as f64;

/// Slack of the deciding tests in the plane, as a share of the distance and sizes of the two:
/// `32 e`.
///
/// Any direction may separate two shapes, so rounding the direction costs nothing, and a stored
/// axis is exactly orthogonal to its left-hand perpendicular. What remains is the rounding of the
/// offset and of the corners along a direction, `16 e`.
pub const PLANAR_SLACK: f64 = 1.0 / (1u64 << 48) as f64;

/// Largest deviation from 1 of the length of a given quaternion or axis. No unit.
///
/// Poses are used as `q / |q|`, so this only distinguishes rounding from mistakes.
pub const UNIT: f64 = 1e-3;

/// Least sine of an edge axis that may be the normal of a contact; below it the direction is noise.
/// No unit.
///
/// Contacts are deeper than the least overlap by up to this share of the boxes' sizes, because a
/// face axis is then taken instead. Smaller values admit directions that are off by `2.9 u / sine`.
/// The module documentation derives the rounding above it.
pub const PARALLEL_SINE: f64 = 1e-4;

/// Pad of world boxes, as a share of position and radius: `128 e`, several times the rounding of
/// `R c + p` and `|R| h` (under `20 e`).
pub const WORLD_BOX_PAD: f64 = 1.0 / (1u64 << 46) as f64;

/// Pad of fitted extents, as a share of the given coordinates: `32 e`, above the rounding of the
/// projections (under `12 e`). Without it a box may miss its outermost vertex by a bit.
pub const FIT_PAD: f64 = 1.0 / (1u64 << 48) as f64;
