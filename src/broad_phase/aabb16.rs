//! World AABBs as structure of arrays, 16 to a block, f32 rounded outward; and the tests of one box
//! against a block.

use std::ops::{Deref, DerefMut};

use super::nearness::Nearness;
use crate::num::linear::Vec3;
use crate::num::simd::{FloatKernel, Floats};
use crate::num::{Scalar, SimdLevel};
use crate::shape::{Aabb, wide_point};

/// Number of boxes in a block: the largest number of lanes.
pub(crate) const BLOCK: usize = 16;

/// Minima, then maxima by coordinate, of [`BLOCK`] boxes.
#[derive(Debug, Clone, Copy)]
// Aligned so that a coordinate of all boxes is one cache line.
#[repr(align(64))]
pub(crate) struct Aabb16([[f32; BLOCK]; 6]);

impl Deref for Aabb16 {
    type Target = [[f32; BLOCK]; 6];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Aabb16 {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Aabb16 {
    /// Returns `true` if the box at an index contains a point.
    #[inline(always)]
    pub fn has_points(&self, index: usize) -> bool {
        // NaN fails the comparison.
        self[0][index % BLOCK] <= self[3][index % BLOCK]
    }
}

/// Block that overlaps nothing, not even boxes too large for single precision and thus infinite.
pub(crate) const EMPTY_BLOCK: Aabb16 = Aabb16([[f32::NAN; BLOCK]; 6]);

/// Writes boxes into blocks, from the first on, and fills the rest of the last one with empty
/// boxes.
pub(crate) fn write_boxes(blocks: &mut [Aabb16], boxes: impl Iterator<Item = AabbF32>) {
    for (index, AabbF32(coordinates)) in boxes.enumerate() {
        let block = &mut blocks[index / BLOCK];
        if index % BLOCK == 0 {
            *block = EMPTY_BLOCK;
        }
        for (row, x) in block.iter_mut().zip(coordinates) {
            row[index % BLOCK] = x;
        }
    }
}

/// A box in single precision, rounded outward.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AabbF32(pub(super) [f32; 6]);

impl AabbF32 {
    /// Box that overlaps nothing.
    pub const EMPTY: Self = AabbF32([f32::NAN; 6]);

    /// Creates the box between two corners in double precision, rounded outward.
    pub fn from_corners([low, high]: [Vec3; 2]) -> Self {
        let ([a, b, c], [x, y, z]) = (low.map(f32::at_most), high.map(f32::at_least));
        AabbF32([a, b, c, x, y, z])
    }

    /// Creates the box between two corners.
    #[inline(always)]
    pub fn from_ends([[a, b, c], [x, y, z]]: [[f32; 3]; 2]) -> Self {
        AabbF32([a, b, c, x, y, z])
    }

    /// Creates a box that contains a ball, rounded outward.
    #[inline(always)]
    pub fn from_ball(center: Vec3, radius: f64) -> Self {
        let [x, y, z] = [center[0] as f32, center[1] as f32, center[2] as f32];
        let far = x.abs() + y.abs() + z.abs() + radius as f32;
        if far < 1e30 {
            // Covers three roundings of at most `2^-24` of the operands each, and values too small
            // for relative rounding.
            let padded_radius = radius as f32 + far * (1.0 / (1 << 20) as f32) + 1e-30;
            return AabbF32([
                x - padded_radius,
                y - padded_radius,
                z - padded_radius,
                x + padded_radius,
                y + padded_radius,
                z + padded_radius,
            ]);
        }
        let ends = |side: f64| center.map(|x| x + side * (radius + x.abs() * f64::EPSILON));
        AabbF32::from_corners([ends(-1.0), ends(1.0)])
    }

    /// Returns `true` if the box contains no point.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        // NaN fails the comparison.
        let has_points = self.0[0] <= self.0[3];
        !has_points
    }

    /// Returns the lower and the upper corner.
    #[inline(always)]
    pub fn corners(&self) -> [Vec3; 2] {
        let [a, b, c, x, y, z] = self.0.map(f64::from);
        [[a, b, c], [x, y, z]]
    }

    /// Returns the box around two boxes, neither of them empty.
    #[inline(always)]
    pub fn merged(self, other: Self) -> Self {
        let (AabbF32(a), AabbF32(b)) = (self, other);
        AabbF32(std::array::from_fn(
            |row| {
                if row < 3 { a[row].min(b[row]) } else { a[row].max(b[row]) }
            },
        ))
    }

    pub fn new<T: Scalar>(bounds: &Aabb<T, 3>) -> Self {
        AabbF32::from_corners([wide_point(bounds.min), wide_point(bounds.max)])
    }

    /// Returns `true` if two boxes, neither empty, are near each other.
    pub fn is_near(self, other: Self, nearness: Nearness) -> bool {
        let (AabbF32(a), AabbF32(b)) = (self, other);
        // Compared like the boxes of blocks: the square of a tiny gap may be zero.
        if !nearness.may_be_apart() {
            return (0..3).all(|i| a[i] <= b[i + 3] && b[i] <= a[i + 3]);
        }
        let gap = |i: usize| (a[i] - b[i + 3]).max(b[i] - a[i + 3]).max(0.0);
        let (x, y, z) = (gap(0), gap(1), gap(2));
        x * x + y * y + z * z <= nearness.squared
    }

    #[inline(always)]
    pub fn from_block(block: &Aabb16, index: usize) -> Self {
        AabbF32(std::array::from_fn(|row| block[row][index % BLOCK]))
    }
}

/// Returns a bit for every box of a block that is near `one`, the first lowest. `APART`: near boxes
/// may be disjoint.
#[inline(always)]
pub(crate) fn near_mask<L: Floats, const APART: bool>(
    token: L::Token,
    nearness: Nearness,
    one: AabbF32,
    block: &Aabb16,
) -> u32 {
    if !APART {
        return overlap_mask::<L>(token, one, block);
    }
    // Comparisons with empty boxes are false, on either side.
    let mut bits = 0;
    if !one.is_empty() {
        let most = L::splat(token, nearness.squared);
        for lane in (0..BLOCK).step_by(L::LEN) {
            let there =
                L::load(token, &block[0][lane..]).at_most(L::load(token, &block[3][lane..]));
            let near = squared_distance::<L>(token, one, (block, lane)).at_most(most);
            bits |= L::bits(L::both(near, there)) << lane;
        }
    }
    bits
}

/// Returns a bit for every box of a block that overlaps `one`, the first lowest.
#[inline(always)]
pub(crate) fn overlap_mask<L: Floats>(
    token: L::Token,
    AabbF32(one): AabbF32,
    block: &Aabb16,
) -> u32 {
    let mut bits = 0;
    for lane in (0..BLOCK).step_by(L::LEN) {
        let x = overlap_mask_on_axis::<L>(token, (block, lane), 0, (one[0], one[3]));
        let y = overlap_mask_on_axis::<L>(token, (block, lane), 1, (one[1], one[4]));
        let z = overlap_mask_on_axis::<L>(token, (block, lane), 2, (one[2], one[5]));
        bits |= L::bits(L::both(L::both(x, y), z)) << lane;
    }
    bits
}

/// Returns a mask of the first `len` bits: the boxes in use.
pub(crate) fn prefix_mask(len: usize) -> u64 {
    if len < 64 { (1 << len) - 1 } else { u64::MAX }
}

/// Returns the mask of the boxes that overlap a range along one coordinate.
#[inline(always)]
fn overlap_mask_on_axis<L: Floats>(
    token: L::Token,
    (block, lane): (&Aabb16, usize),
    i: usize,
    (low, high): (f32, f32),
) -> L::Mask {
    let min = L::load(token, &block[i][lane..]);
    let max = L::load(token, &block[i + 3][lane..]);
    L::both(min.at_most(L::splat(token, high)), L::splat(token, low).at_most(max))
}

/// Returns the squared distances of some boxes of a block from `one`; 0 or NaN for empty boxes.
#[inline(always)]
pub(crate) fn squared_distance<L: Floats>(
    token: L::Token,
    AabbF32(one): AabbF32,
    (block, lane): (&Aabb16, usize),
) -> L {
    let mut gaps = [L::splat(token, 0.0); 3];
    for (i, gap) in gaps.iter_mut().enumerate() {
        let above = L::splat(token, one[i]) - L::load(token, &block[i + 3][lane..]);
        let below = L::load(token, &block[i][lane..]) - L::splat(token, one[i + 3]);
        *gap = above.high(below).high(*gap);
    }
    let [x, y, z] = gaps;
    x * x + y * y + z * z
}

/// Returns a bit for each of `len` boxes, at most 64, whose squared distance to `one` is
/// at most `squared`, up to the rounding of three differences and of their squares.
pub(crate) fn within_mask(
    simd: SimdLevel,
    one: AabbF32,
    many: &[Aabb16],
    len: usize,
    squared: f32,
) -> u64 {
    simd.run(WithinMaskKernel { one, many, len, squared })
}

/// Kernel of [`within_mask`].
struct WithinMaskKernel<'a> {
    one: AabbF32,
    many: &'a [Aabb16],
    len: usize,
    squared: f32,
}

impl FloatKernel for WithinMaskKernel<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let WithinMaskKernel { one, many, len, squared } = self;
        let (most, mut bits) = (L::splat(token, squared), 0);
        for (j, block) in many.iter().enumerate().take(u64::BITS as usize / BLOCK) {
            let mut lane = 0;
            while lane < BLOCK && j * BLOCK + lane < len {
                let far = squared_distance::<L>(token, one, (block, lane));
                bits |= u64::from(L::bits(far.at_most(most))) << (j * BLOCK + lane);
                lane += L::LEN;
            }
        }
        bits
    }
}

/// Kernel like [`within_mask`] that also writes the squared distances of the boxes, by index. Bits
/// and distances of empty boxes are unspecified.
pub(super) struct SquaredDistancesKernel<'a> {
    pub one: AabbF32,
    pub many: &'a [Aabb16],
    pub len: usize,
    pub limit_squared: f32,
    /// Squared distances: space for all boxes of the blocks.
    pub squared: &'a mut [f32],
}

impl FloatKernel for SquaredDistancesKernel<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let SquaredDistancesKernel { one, many, len, limit_squared, squared } = self;
        let (most, mut bits) = (L::splat(token, limit_squared), 0);
        for (j, block) in many.iter().enumerate().take(u64::BITS as usize / BLOCK) {
            let mut lane = 0;
            while lane < BLOCK && j * BLOCK + lane < len {
                let far = squared_distance::<L>(token, one, (block, lane));
                far.store(&mut squared[j * BLOCK + lane..]);
                bits |= u64::from(L::bits(far.at_most(most))) << (j * BLOCK + lane);
                lane += L::LEN;
            }
        }
        bits
    }
}
