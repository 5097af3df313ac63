//! Corners of a hull in rows for SIMD, and support points of them.

use std::sync::LazyLock;

use crate::num::SimdLevel;
use crate::num::linear::{Vec3, dot, scale, sub};
use crate::num::scaling::power_of_two;
use crate::num::simd::{FloatKernel, Floats};
use crate::num::sorting::ascending_indices;
use crate::num::vectors::{least_lane, load};

/// Number of points side by side: the most lanes.
const BLOCK: usize = 16;

/// Points in single precision around a centre, in units of a power of two that no coordinate
/// exceeds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HullCorners {
    pub center: Vec3,
    pub unit: f64,
    /// Number of points.
    pub len: usize,
    /// Rows of x, y and z; the last block is filled with the first point.
    blocks: Vec<[[f32; BLOCK]; 3]>,
}

impl HullCorners {
    /// Rounds points to the nearest, relative to `center`; there must be at least one.
    pub fn from_points(center: Vec3, points: &[Vec3]) -> Self {
        let far = |most: f64, &point: &Vec3| {
            let v = sub(point, center);
            most.max(v[0].abs()).max(v[1].abs()).max(v[2].abs())
        };
        let unit = power_of_two_above(points.iter().fold(0.0, far));
        let block = |points: &[Vec3], first: Vec3| {
            [0, 1, 2].map(|axis| {
                std::array::from_fn(|place| {
                    let point = points.get(place).unwrap_or(&first);
                    ((point[axis] - center[axis]) / unit) as f32
                })
            })
        };
        let blocks = points.chunks(BLOCK).map(|some| block(some, points[0])).collect();
        HullCorners { center, unit, len: points.len(), blocks }
    }

    /// Scales everything by a power of two.
    pub fn scaled(&self, factor: f64) -> Self {
        let (center, unit) = (scale(self.center, factor), self.unit * factor);
        HullCorners { center, unit, len: self.len, blocks: self.blocks.clone() }
    }

    /// Returns a corner relative to the centre, exactly.
    #[inline(always)]
    pub fn corner(&self, index: usize) -> Vec3 {
        let [x, y, z] = &self.blocks[index / BLOCK];
        let number = |row: &[f32; BLOCK]| f64::from(row[index % BLOCK]);
        scale([number(x), number(y), number(z)], self.unit)
    }

    /// Returns the size on the heap [bytes].
    pub fn heap_bytes(&self) -> usize {
        size_of_val(&self.blocks[..])
    }

    /// Returns all bits, for hashes.
    pub fn bits(&self) -> impl Iterator<Item = u64> + '_ {
        let numbers = self.center.into_iter().chain([self.unit]).map(f64::to_bits);
        let corners = self.blocks.as_flattened().as_flattened();
        numbers.chain(corners.iter().map(|x| u64::from(x.to_bits())))
    }

    /// Returns the index of the farthest corner along `direction`, in single precision; the first
    /// of equals.
    #[inline(always)]
    pub fn support<L: Floats>(&self, token: L::Token, direction: Vec3) -> usize {
        let d = [
            L::splat(token, direction[0] as f32),
            L::splat(token, direction[1] as f32),
            L::splat(token, direction[2] as f32),
        ];
        let mut most = L::splat(token, f32::NEG_INFINITY);
        // First step of each lane that reached its maximum.
        let (mut step, mut of) = (0.0, L::splat(token, 0.0));
        for block in &self.blocks {
            let mut at = 0;
            while at < BLOCK {
                let along = projection::<L>(token, block, at, &d);
                let farther = along.above(most);
                of = L::choose(farther, L::splat(token, step), of);
                most = most.high(along);
                step += 1.0;
                at += L::LEN;
            }
        }
        let mut farthest = L::bits(most.equals(L::splat(token, greatest_lane(most))));
        let mut steps = [0.0; BLOCK];
        of.store(&mut steps);
        let mut first = usize::MAX;
        while farthest != 0 {
            let lane = farthest.trailing_zeros() as usize;
            let index = steps[lane] as usize * L::LEN + lane;
            first = if index < first { index } else { first };
            farthest &= farthest - 1;
        }
        if first < usize::MAX { first } else { 0 }
    }
}

/// Projects the points of one load of a block on a direction.
#[inline(always)]
fn projection<L: Floats>(token: L::Token, block: &[[f32; BLOCK]; 3], at: usize, d: &[L; 3]) -> L {
    dot(load(token, block, at), *d)
}

/// Returns the greatest number of all lanes.
#[inline(always)]
fn greatest_lane<L: Floats>(lanes: L) -> f32 {
    -least_lane(-lanes)
}

/// Returns a power of two no less than `size`; 1 for zero.
fn power_of_two_above(size: f64) -> f64 {
    match size > f64::MIN_POSITIVE && size < f64::MAX / 4.0 {
        true => 2.0 * power_of_two(size),
        false => 1.0,
    }
}

/// Returns the directions with integer coordinates up to 3, the shortest first.
pub(crate) fn directions() -> &'static [Vec3] {
    static DIRECTIONS: LazyLock<Vec<Vec3>> = LazyLock::new(|| {
        let divides = |v: [i32; 3], by: i32| v.iter().all(|x| x % by == 0);
        let all = (0..343).map(|i| [i / 49 - 3, i / 7 % 7 - 3, i % 7 - 3]);
        let all: Vec<Vec3> =
            all.filter(|&v| !divides(v, 2) && !divides(v, 3)).map(|v| v.map(f64::from)).collect();
        ascending_indices(all.iter().map(|&v| dot(v, v))).map(|index| all[index]).collect()
    });
    &DIRECTIONS
}

/// Kernel of the farthest corner along each of some directions.
pub(crate) struct ExtremeCorners<'a> {
    pub corners: &'a HullCorners,
    pub directions: &'a [Vec3],
}

impl ExtremeCorners<'_> {
    /// Returns the indices of the corners.
    pub fn find(self, simd: SimdLevel) -> Vec<usize> {
        simd.run(self)
    }
}

impl FloatKernel for ExtremeCorners<'_> {
    type Output = Vec<usize>;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> Vec<usize> {
        let mut found = vec![0; self.directions.len()];
        let mut next = 0;
        while L::LEN > 1 && next + L::LEN <= found.len() {
            let some = next..next + L::LEN;
            let directions = &self.directions[some.clone()];
            support_per_lane::<L>(token, self.corners, directions, &mut found[some]);
            next += L::LEN;
        }
        for (slot, &direction) in found[next..].iter_mut().zip(&self.directions[next..]) {
            *slot = self.corners.support::<L>(token, direction);
        }
        found
    }
}

/// Computes [`HullCorners::support`] for as many directions as there are lanes.
#[inline(always)]
fn support_per_lane<L: Floats>(
    token: L::Token,
    corners: &HullCorners,
    directions: &[Vec3],
    found: &mut [usize],
) {
    let mut rows = [[0.0; BLOCK]; 3];
    for (lane, direction) in directions.iter().enumerate() {
        for (row, &x) in rows.iter_mut().zip(direction) {
            row[lane] = x as f32;
        }
    }
    let d: [L; 3] = load(token, &rows, 0);
    let (mut most, one) = (L::splat(token, f32::NEG_INFINITY), L::splat(token, 1.0));
    let (mut index, mut first) = (L::splat(token, 0.0), L::splat(token, 0.0));
    let mut remaining = corners.len;
    for [x, y, z] in &corners.blocks {
        // Not the filling: hulls of few points are many.
        let some = remaining.min(BLOCK);
        remaining -= some;
        for ((x, y), z) in x[..some].iter().zip(&y[..some]).zip(&z[..some]) {
            let along = L::splat(token, *x) * d[0]
                + L::splat(token, *y) * d[1]
                + L::splat(token, *z) * d[2];
            first = L::choose(along.above(most), index, first);
            most = most.high(along);
            index = index + one;
        }
    }
    let mut indices = [0.0; BLOCK];
    first.store(&mut indices);
    for (found, &index) in found.iter_mut().zip(&indices) {
        *found = index as usize;
    }
}

/// Kernel of the support heights of the corners along some directions, in single precision.
pub(crate) struct SupportHeights<'a> {
    pub corners: &'a HullCorners,
    pub directions: &'a [Vec3],
    /// Heights along the directions, from the centre.
    pub heights: &'a mut [f64],
}

impl SupportHeights<'_> {
    pub fn find(self, simd: SimdLevel) {
        simd.run(self);
    }
}

impl FloatKernel for SupportHeights<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let SupportHeights { corners, directions, heights } = self;
        for (reach, direction) in heights.iter_mut().zip(directions) {
            let d = [
                L::splat(token, direction[0] as f32),
                L::splat(token, direction[1] as f32),
                L::splat(token, direction[2] as f32),
            ];
            let mut most = L::splat(token, f32::NEG_INFINITY);
            for block in &corners.blocks {
                let mut at = 0;
                while at < BLOCK {
                    most = most.high(projection::<L>(token, block, at, &d));
                    at += L::LEN;
                }
            }
            *reach = f64::from(greatest_lane(most)) * corners.unit;
        }
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;

    pub fn every_level_finds_the_first_of_the_farthest_corners() {
        let mut chance = SplitMix64(5);
        for round in 0..200 {
            // Every other round on a grid, where many corners are equally far.
            let points: Vec<Vec3> = (0..1 + chance.below(50))
                .map(|_| chance.point(3.0).map(|x| [x, x.round()][round % 2]))
                .collect();
            let corners = HullCorners::from_points([0.0; 3], &points);
            let directions = &directions()[..1 + chance.below(290)];
            let first = |direction: &Vec3| {
                let [a, b, c] = direction.map(|x| x as f32);
                let along = points.iter().map(|p| {
                    let [x, y, z] = p.map(|x| (x / corners.unit) as f32);
                    x * a + y * b + z * c
                });
                let farthest = |most: (f32, usize), (along, place)| {
                    if along > most.0 { (along, place) } else { most }
                };
                along.zip(0..).fold((f32::NEG_INFINITY, 0), farthest).1
            };
            let expected: Vec<usize> = directions.iter().map(first).collect();
            for simd in SimdLevel::all() {
                let corners = &corners;
                assert_eq!(ExtremeCorners { corners, directions }.find(simd), expected, "{simd}");
            }
        }
    }
}
