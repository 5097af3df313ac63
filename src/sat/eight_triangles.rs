//! Prefilters of a line and of a box against up to eight triangles of a mesh at once, in single
//! precision.
//!
//! # The line
//! The line misses a triangle if it passes one edge on one side and another edge on the other side.
//! The side of an edge is the volume `d . (p x q)` of the line's direction and the two corners as
//! seen from a point of the line. Source: Shevtsov, Soupikov, Kapustin, Ray-Triangle Intersection
//! Algorithm for Modern CPU Architectures (2007); the signs are those of Plücker coordinates.
//!
//! Let `u = 2^-24`, and `m` the largest coordinate of a corner of the triangle as seen from the
//! chosen point of the line, which lies near the triangles. Corners and point are rounded, with an
//! error of `D` together; their difference once more, by `u` of itself. Let `|d|` be at most 1
//! plus rounding, so the sum of its coordinates at most `sqrt(3)`. A coordinate of a cross product
//! is at most `2 m^2` and off by `4 u m^2`. With the two roundings of `d`, the products and sums
//! of the dot product and the differences, a side is off by less than `28 u m^2`. The error of the
//! corners adds at most `7 D m + 3.5 D^2`.
//!
//! The deciding test accepts a triangle if no side is beyond a pad of `2 pad |q - p|` and `64 e`
//! times the distances of both corners from its own origin, of at most `S` each, and computes
//! sides with an error of less than `9 e S^2`; `|q - p|` is at most `3.5 (m + D)`. So a triangle
//! whose sides here exceed
//!
//! `64 u (m + E)^2 + 16 E (m + E) + 256 e S^2`, with `E >= D + pad`,
//!
//! in both directions is not accepted there. That is twice what is needed, which covers the
//! rounding of the bound itself. Sizes are limited so that nothing overflows, and a constant covers
//! numbers too small to be normal.
//!
//! # The box
//! Four axes: the face normals of the box, and the normal `n` of the triangle, not of unit length.
//! Corners are seen from the centre of the box; `m`, `D` and `u` are as above, `H` is the sum of
//! the half extents. A height along a face normal is off by less than `9 u m + 1.8 D`, and the
//! deciding test adds `1.8` times its pad. The edges are off by less than `4 u m + 2 D`, the
//! coordinates of `n`, at most `8 m^2`, by less than `48 u m^2 + 16 m D`, the height of a corner
//! along it by less than `240 u m^3 + 72 m^2 D`, and the radius of the box along it by less than
//! `H` times `160 u m^2 + 28 m D`. With `E >= D + pad` and `k = m + E`, a triangle is dropped
//! beyond
//!
//! `16 u k + 4 E` along a face normal, and `k (k + H) (512 u (k + H) + 128 E)` along its own.
//!
//! The deciding test separates along the same axes, so it drops the triangle, too.

use super::eight_boxes::WIDTH;
use crate::num::linear::{Mat3, Vec3, cross, dot, sub};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::vectors::{load, splat};
use crate::num::{Scalar, SimdLevel};
use crate::shape::{Mesh, WideObb};

/// Error of rounding to single precision, as a share: `u`.
const ROUNDING: f64 = 1.0 / (1u64 << 24) as f64;

/// Share of the square of a triangle's size by which a side may be off: `64 u`.
const SIDE_ERROR: f32 = 1.0 / (1 << 18) as f32;

/// Share of the squared distances from the deciding test's origin that this test allows for: `256
/// e`.
const DISTANCE_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Share of the size by which a height along a face normal may be off: `16 u`.
const FACE_ERROR: f32 = 1.0 / (1 << 20) as f32;

/// Share of the cube of the size by which a height along a normal may be off: `512 u`.
const NORMAL_ERROR: f32 = 1.0 / (1 << 15) as f32;

/// Volume that covers numbers too small to be normal.
const MIN_VOLUME: f32 = 1e-36;

/// Sizes between which no number overflows and few are too small [length units].
const SIZE_RANGE: std::ops::Range<f64> = 1e-12..1e12;

/// Mask of all triangles.
const ALL: u32 = u32::MAX >> (32 - WIDTH);

/// Corners of up to eight triangles, rounded to single precision, as structure of arrays: corner,
/// coordinate, lane [length units].
#[derive(Debug, Clone, Copy)]
pub(crate) struct EightTriangles {
    corners: [[[f32; WIDTH]; 3]; 3],
}

impl EightTriangles {
    /// Triangles without size at the origin.
    pub const EMPTY: Self = EightTriangles { corners: [[[0.0; WIDTH]; 3]; 3] };

    /// Copies a triangle of a mesh to a lane.
    #[inline(always)]
    pub fn set<T: Scalar>(&mut self, lane: usize, mesh: &Mesh<T>, triangle: u32) {
        let corners = mesh.corners(triangle as usize);
        for (rows, corner) in self.corners.iter_mut().zip(corners) {
            for (row, x) in rows.iter_mut().zip([corner.x, corner.y, corner.z]) {
                row[lane % WIDTH] = x.wide() as f32;
            }
        }
    }

    /// Copies up to eight triangles of a mesh to the first lanes; the others keep theirs. Returns
    /// the mask of the lanes.
    #[inline(always)]
    pub fn set_all<T: Scalar>(&mut self, mesh: &Mesh<T>, triangles: &[u32]) -> u32 {
        let triangles = &triangles[..triangles.len().min(WIDTH)];
        for (lane, &triangle) in triangles.iter().enumerate() {
            self.set(lane, mesh, triangle);
        }
        (1 << triangles.len()) - 1
    }
}

/// A line, prepared for the test of many triangles of a part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriangleLine {
    along: [f32; 3],
    /// Bound on the error of corners, and the pad of the deciding test, without the rounding of
    /// the chosen point [length units].
    corner_error: f32,
    /// Part of the bound that does not depend on the triangle.
    volume_error: f32,
    /// `true` if all numbers are in the range of single precision.
    f32_ok: bool,
}

impl TriangleLine {
    /// Prepares the line through `origin` in the frame of a part whose corners are within `reach`
    /// of the frame's origin. `pad` is that of the deciding test, and more than the rounding of
    /// points of the line.
    #[inline(always)]
    pub fn new<T: Scalar>([origin, along]: [Vec3; 2], pad: f64, reach: f64) -> Self {
        let size = origin[0].abs() + origin[1].abs() + origin[2].abs() + reach;
        let rounded_corners = if T::IS_SINGLE { 0.0 } else { 2.0 * ROUNDING * reach };
        TriangleLine {
            along: along.map(|x| x as f32),
            corner_error: (4.0 * pad + rounded_corners) as f32,
            volume_error: (DISTANCE_ERROR * size * size) as f32 + MIN_VOLUME,
            f32_ok: SIZE_RANGE.contains(&(size + pad)),
        }
    }

    /// Returns a mask of the triangles that the line may hit, a superset of those that the deciding
    /// test accepts. `near` is a point of the line: the closer to the triangles, the fewer remain.
    /// Bits of lanes without a triangle are undefined.
    #[inline(always)]
    pub fn hit_mask(&self, simd: SimdLevel, triangles: &EightTriangles, near: Vec3) -> u32 {
        if !self.f32_ok {
            return ALL;
        }
        let near = near.map(|x| x as f32);
        let rounding = (2.0 * ROUNDING) as f32 * (near[0].abs() + near[1].abs() + near[2].abs());
        let error = self.corner_error + rounding;
        simd.run_eight(LineKernel { line: self, triangles, near, error })
    }
}

/// Kernel of [`TriangleLine::hit_mask`].
struct LineKernel<'a> {
    line: &'a TriangleLine,
    triangles: &'a EightTriangles,
    near: [f32; 3],
    /// `E` of the bound.
    error: f32,
}

impl FloatKernel for LineKernel<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u32 {
        let LineKernel { line, triangles, near, error } = self;
        let (near, along) = (splat::<L>(token, &near), splat::<L>(token, &line.along));
        let [first, second, third] = &triangles.corners;
        let (mut missed, mut lane) = (0, 0);
        while lane < WIDTH {
            let a = sub(load::<L, WIDTH>(token, first, lane), near);
            let b = sub(load::<L, WIDTH>(token, second, lane), near);
            let c = sub(load::<L, WIDTH>(token, third, lane), near);
            let sides = [dot(along, cross(a, b)), dot(along, cross(b, c)), dot(along, cross(c, a))];
            let most = sides[0].high(sides[1]).high(sides[2]);
            let least = sides[0].low(sides[1]).low(sides[2]);
            let size = largest(a).high(largest(b)).high(largest(c)) + L::splat(token, error);
            let share = L::splat(token, SIDE_ERROR) * size + L::splat(token, 16.0 * error);
            let bound = size * share + L::splat(token, line.volume_error);
            let beside = L::both(most.above(bound), (-least).above(bound));
            missed |= L::bits(beside) << lane;
            lane += L::LEN;
        }
        !missed & ALL
    }
}

/// Returns the largest magnitude of the coordinates.
#[inline(always)]
fn largest<L: Floats>(v: Vec3<L>) -> L {
    v[0].abs().high(v[1].abs()).high(v[2].abs())
}

/// A box in the frame of a part, prepared for the test of many triangles of the part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriangleBox {
    center: [f32; 3],
    axes: [[f32; 3]; 3],
    /// Half extents as projected on the axes, rounded up [length units].
    half: [f32; 3],
    /// Sum of the half extents: `H` [length units].
    half_sum: f32,
    /// Bound on the error of the corners, and the pad of the deciding test: `E` [length units].
    error: f32,
    /// `true` if all numbers are in the range of single precision.
    f32_ok: bool,
}

impl TriangleBox {
    /// Prepares a box in the frame of a part whose corners are within `reach` of the frame's
    /// origin. The deciding test separates along the axes of the box by `pad`.
    #[inline(always)]
    pub fn new<T: Scalar>(solid: &WideObb, pad: f64, reach: f64) -> Self {
        let WideObb { center, axes, half_extents: half } = solid;
        let far = center[0].abs() + center[1].abs() + center[2].abs();
        let rounded_corners = if T::IS_SINGLE { 0.0 } else { 2.0 * ROUNDING * reach };
        let error = 2.0 * pad + rounded_corners + 2.0 * ROUNDING * far;
        let sum = half[0] + half[1] + half[2];
        let projected = [0, 1, 2].map(|i| {
            let along = |j: usize| half[j] * dot(axes[j], axes[i]).abs();
            f32::at_least(along(0) + along(1) + along(2))
        });
        TriangleBox {
            center: center.map(|x| x as f32),
            axes: axes.map(|axis| axis.map(|x| x as f32)),
            half: projected,
            half_sum: f32::at_least(sum),
            error: f32::at_least(error),
            f32_ok: SIZE_RANGE.contains(&(far + sum + reach + pad)),
        }
    }

    /// Returns a mask of the triangles that may overlap the box. Bits of lanes without a triangle
    /// are undefined.
    #[inline(always)]
    pub fn overlap_mask(&self, simd: SimdLevel, triangles: &EightTriangles) -> u32 {
        if !self.f32_ok {
            return ALL;
        }
        simd.run_eight(BoxKernel { solid: self, triangles })
    }
}

/// Kernel of [`TriangleBox::overlap_mask`].
struct BoxKernel<'a> {
    solid: &'a TriangleBox,
    triangles: &'a EightTriangles,
}

impl FloatKernel for BoxKernel<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u32 {
        let BoxKernel { solid, triangles } = self;
        let center = splat::<L>(token, &solid.center);
        let [x, y, z] = &solid.axes;
        let axes: Mat3<L> = [splat(token, x), splat(token, y), splat(token, z)];
        let half = splat::<L>(token, &solid.half);
        let (sum, error) = (L::splat(token, solid.half_sum), L::splat(token, solid.error));
        let min_volume = L::splat(token, MIN_VOLUME);
        let [first, second, third] = &triangles.corners;
        let (mut apart, mut lane) = (0, 0);
        while lane < WIDTH {
            let a = sub(load::<L, WIDTH>(token, first, lane), center);
            let b = sub(load::<L, WIDTH>(token, second, lane), center);
            let c = sub(load::<L, WIDTH>(token, third, lane), center);
            let size = largest(a).high(largest(b)).high(largest(c)) + error;
            let face = face_separation(&[a, b, c], axes[0], half[0])
                .high(face_separation(&[a, b, c], axes[1], half[1]))
                .high(face_separation(&[a, b, c], axes[2], half[2]));
            let bound = L::splat(token, FACE_ERROR) * size + L::splat(token, 4.0) * error;
            let normal = cross(sub(b, a), sub(c, a));
            let radius = half[0] * dot(axes[0], normal).abs()
                + half[1] * dot(axes[1], normal).abs()
                + half[2] * dot(axes[2], normal).abs();
            let reach = size + sum;
            let share = L::splat(token, NORMAL_ERROR) * reach + L::splat(token, 128.0) * error;
            let by_normal = dot(normal, a).abs() - radius;
            let separated =
                L::either(face.above(bound), by_normal.above(size * reach * share + min_volume));
            apart |= L::bits(separated) << lane;
            lane += L::LEN;
        }
        !apart & ALL
    }
}

/// Returns the separation of a triangle from a box at the origin along one of its face normals.
#[inline(always)]
fn face_separation<L: Floats>([a, b, c]: &[Vec3<L>; 3], axis: Vec3<L>, half: L) -> L {
    let (p, q, r) = (dot(axis, *a), dot(axis, *b), dot(axis, *c));
    p.low(q).low(r).high(-(p.high(q).high(r))) - half
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::linear::IDENTITY;

    /// Returns eight copies of a triangle.
    fn copies(corners: [Vec3; 3]) -> EightTriangles {
        let lanes = |x: f64| [x as f32; WIDTH];
        EightTriangles { corners: corners.map(|corner| corner.map(lanes)) }
    }

    /// Returns `true` if all lanes remain; asserts that all levels agree and no lane differs.
    fn all_remain(mask: impl Fn(SimdLevel) -> u32) -> bool {
        let plain = mask(SimdLevel::PLAIN);
        assert!(plain == 0 || plain == ALL, "{plain:b}");
        SimdLevel::all().into_iter().for_each(|simd| assert_eq!(mask(simd), plain, "{simd}"));
        plain == ALL
    }

    /// A line along z, shifted by `offset` like the triangle, with sizes of one part of the bound.
    struct LineCase {
        pad: f64,
        reach: f64,
        offset: f64,
        size: f64,
    }

    /// Asserts that a triangle of that size beside a line remains within the documented bound, and
    /// is dropped shortly beyond.
    fn line_bound<T: Scalar>(case: &LineCase) {
        let LineCase { pad, reach, offset, size: m } = *case;
        let u = 1.0 / (1u64 << 24) as f64;
        let origin = [offset, 0.0, 0.0];
        let line = TriangleLine::new::<T>([origin, [0.0, 0.0, 1.0]], pad, reach);
        let rounded_corners = if T::IS_SINGLE { 0.0 } else { 2.0 * u * reach };
        let error = 4.0 * pad + rounded_corners + 2.0 * u * offset;
        let k = m + error;
        let far = offset + reach;
        let bound = 64.0 * u * k * k + 16.0 * error * k + 256.0 * f64::EPSILON * far * far;
        let remains = |share: f64| {
            // The side of the first edge is `2 x m`, those of the others `-m^2`.
            let x = share * bound / (2.0 * m);
            assert!(x < 0.25 * m, "{x:e} {m:e}");
            let at = |x: f64, y: f64| [offset + x, y, 0.0];
            let triangles = copies([at(x, -m), at(x, m), at(m, 0.0)]);
            all_remain(|simd| line.hit_mask(simd, &triangles, origin))
        };
        assert!(remains(0.8) && !remains(1.25), "{pad:e} {reach:e} {offset:e} {m:e}");
    }

    pub fn a_triangle_beside_a_line_remains_within_the_bound_and_is_dropped_beyond() {
        for size in [1e-9, 1e-3, 1.0, 1e3] {
            let case = |pad, reach| LineCase { pad, reach, offset: 0.0, size };
            // Rounding of products, the pad, distances; in f64 also the rounding of corners.
            line_bound::<f32>(&case(0.0, size));
            line_bound::<f32>(&case(1e-4 * size, size));
            line_bound::<f32>(&case(0.0, 1e6 * size));
            line_bound::<f64>(&case(0.0, 1e3 * size));
        }
        // The chosen point; powers of two, so that nothing is rounded but what the bound is for.
        line_bound::<f32>(&LineCase { pad: 0.0, reach: 1.0, offset: 256.0, size: 1.0 });
    }

    /// Asserts that a triangle above a box remains within the documented bounds, and is dropped
    /// shortly beyond: parallel to the top face, and with its normal along a diagonal.
    fn box_bound<T: Scalar>([pad, reach]: [f64; 2], offset: f64, half: f64) {
        let u = 1.0 / (1u64 << 24) as f64;
        let (m, half_extents) = (1.5 * half, [half; 3]);
        let solid = WideObb { center: [offset, 0.0, 0.0], axes: IDENTITY, half_extents };
        let prepared = TriangleBox::new::<T>(&solid, pad, reach);
        let rounded_corners = if T::IS_SINGLE { 0.0 } else { 2.0 * u * reach };
        let error = 2.0 * pad + rounded_corners + 2.0 * u * offset;
        let remains = |corners: [Vec3; 3]| {
            let triangles = copies(corners.map(|[x, y, z]| [offset + x, y, z]));
            all_remain(|simd| prepared.overlap_mask(simd, &triangles))
        };
        // Its own normal is that of the face: a point, which has none.
        let face = |share: f64| {
            let height = half + share * (16.0 * u * (half + error) + 4.0 * error);
            remains([[0.0, 0.0, height]; 3])
        };
        assert!(face(0.7) && !face(1.5), "{pad:e} {reach:e} {offset:e} {half:e}");
        // Above an edge of the box: no face separates, and `n` is `2 m^2 (1, 1, 0)`.
        let by_normal = |share: f64| {
            let k = half + m + error;
            let size = k + 3.0 * half;
            let bound = k * size * (512.0 * u * size + 128.0 * error);
            let far = half + share * bound / (4.0 * m * m);
            remains([[far + m, far - m, 0.0], [far - m, far + m, 0.0], [far, far, m]])
        };
        assert!(by_normal(0.8) && !by_normal(1.25), "{pad:e} {reach:e} {offset:e} {half:e}");
    }

    pub fn a_triangle_beside_a_box_remains_within_the_bounds_and_is_dropped_beyond() {
        for size in [1e-9, 1e-3, 1.0, 1e6] {
            box_bound::<f32>([0.0, size], 0.0, size);
            box_bound::<f32>([1e-4 * size, size], 0.0, size);
            box_bound::<f64>([0.0, 100.0 * size], 0.0, size);
        }
        box_bound::<f32>([0.0, 1.0], 256.0, 1.0);
    }

    pub fn sizes_without_numbers_in_single_precision_leave_all() {
        let mut chance = SplitMix64(5);
        for size in [1e-40, 1e-13, 1e13, 1e30] {
            let corners = [0; 3].map(|_| chance.point(size));
            let beside = [3.0 * size, 0.0, 0.0];
            let line = TriangleLine::new::<f64>([beside, [0.0, 0.0, 1.0]], 0.0, size);
            let triangles = copies(corners);
            assert!(all_remain(|simd| line.hit_mask(simd, &triangles, beside)), "{size:e}");
            let half_extents = [0.1 * size; 3];
            let solid = WideObb { center: beside, axes: IDENTITY, half_extents };
            let prepared = TriangleBox::new::<f64>(&solid, 0.0, size);
            assert!(all_remain(|simd| prepared.overlap_mask(simd, &triangles)), "{size:e}");
        }
    }
}
