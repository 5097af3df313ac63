//! Points in rows for the lanes, and the farthest of them in a direction.

use crate::num::SimdLevel;
use crate::num::linear::{Vec3, dot, scale, sub};
use crate::num::scaling::power_of_two;
use crate::num::simd::{FloatKernel, Floats};
use crate::num::sorting::ascending;

/// So many points lie side by side: the most lanes.
const BLOCK: usize = 16;

/// Points in single precision around a centre, in units of a power of two that no coordinate
/// exceeds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Corners {
    pub center: Vec3,
    pub unit: f64,
    /// Their x, y and z. What fills the last block up is the first point again.
    blocks: Vec<[[f32; BLOCK]; 3]>,
}

impl Corners {
    /// Points rounded to the nearest, seen from `center`; there must be one at least.
    pub fn around(center: Vec3, points: &[Vec3]) -> Self {
        let far = |most: f64, &point: &Vec3| {
            let v = sub(point, center);
            most.max(v[0].abs()).max(v[1].abs()).max(v[2].abs())
        };
        let unit = power_above(points.iter().fold(0.0, far));
        let block = |points: &[Vec3], first: Vec3| {
            [0, 1, 2].map(|axis| {
                std::array::from_fn(|place| {
                    let point = points.get(place).unwrap_or(&first);
                    ((point[axis] - center[axis]) / unit) as f32
                })
            })
        };
        let blocks = points.chunks(BLOCK).map(|some| block(some, points[0])).collect();
        Corners { center, unit, blocks }
    }

    /// All of it times a power of two.
    pub fn scaled(&self, factor: f64) -> Self {
        let (center, unit) = (scale(self.center, factor), self.unit * factor);
        Corners { center, unit, blocks: self.blocks.clone() }
    }

    /// A corner seen from the centre, exactly.
    #[inline(always)]
    pub fn corner(&self, index: usize) -> Vec3 {
        let [x, y, z] = &self.blocks[index / BLOCK];
        let number = |row: &[f32; BLOCK]| f64::from(row[index % BLOCK]);
        scale([number(x), number(y), number(z)], self.unit)
    }

    /// Held beside itself.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..])
    }

    /// The bits of all there is, for hashes.
    pub fn bits(&self) -> impl Iterator<Item = u64> + '_ {
        let numbers = self.center.into_iter().chain([self.unit]).map(f64::to_bits);
        let corners = self.blocks.as_flattened().as_flattened();
        numbers.chain(corners.iter().map(|x| u64::from(x.to_bits())))
    }

    /// The number of the farthest corner in a direction, as far as single precision tells; of ties
    /// the first.
    #[inline(always)]
    pub fn support<L: Floats>(&self, token: L::Token, direction: Vec3) -> usize {
        let d = [
            L::splat(token, direction[0] as f32),
            L::splat(token, direction[1] as f32),
            L::splat(token, direction[2] as f32),
        ];
        let mut most = L::splat(token, f32::NEG_INFINITY);
        // For each lane the first step that got as far.
        let (mut step, mut of) = (0.0, L::splat(token, 0.0));
        for block in &self.blocks {
            let mut at = 0;
            while at < BLOCK {
                let along = along::<L>(token, block, at, &d);
                let farther = along.above(most);
                of = L::choose(farther, L::splat(token, step), of);
                most = most.high(along);
                step += 1.0;
                at += L::LEN;
            }
        }
        let mut farthest = L::bits(most.equals(L::splat(token, greatest(most))));
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

/// How far some points of a block lie along a direction.
#[inline(always)]
fn along<L: Floats>(token: L::Token, block: &[[f32; BLOCK]; 3], at: usize, d: &[L; 3]) -> L {
    let [x, y, z] = block;
    let [x, y, z] = [L::load(token, &x[at..]), L::load(token, &y[at..]), L::load(token, &z[at..])];
    x * d[0] + y * d[1] + z * d[2]
}

/// The greatest number of all lanes.
#[inline(always)]
fn greatest<L: Floats>(lanes: L) -> f32 {
    let mut numbers = [f32::NEG_INFINITY; BLOCK];
    lanes.store(&mut numbers);
    let mut half = BLOCK / 2;
    while half > 0 {
        let mut i = 0;
        while i < half {
            let (a, b) = (numbers[i], numbers[i + half]);
            numbers[i] = if a > b { a } else { b };
            i += 1;
        }
        half /= 2;
    }
    numbers[0]
}

/// A power of two that is no less; 1 for zero.
fn power_above(size: f64) -> f64 {
    match size > f64::MIN_POSITIVE && size < f64::MAX / 4.0 {
        true => 2.0 * power_of_two(size),
        false => 1.0,
    }
}

/// The directions with whole coordinates up to 3, the shortest first.
pub(crate) fn directions() -> Vec<Vec3> {
    let divides = |v: [i32; 3], by: i32| v.iter().all(|x| x % by == 0);
    let mut all: Vec<[i32; 3]> = (0..343).map(|i| [i / 49 - 3, i / 7 % 7 - 3, i % 7 - 3]).collect();
    all.retain(|&v| !divides(v, 2) && !divides(v, 3));
    let all: Vec<Vec3> = all.into_iter().map(|v| v.map(f64::from)).collect();
    ascending(all.iter().map(|&v| dot(v, v))).map(|place| all[place]).collect()
}

/// The farthest corner in each of some directions.
pub(crate) struct Extremes<'a> {
    pub corners: &'a Corners,
    pub directions: &'a [Vec3],
}

impl Extremes<'_> {
    /// Their numbers.
    pub fn find(self, level: SimdLevel) -> Vec<usize> {
        level.run(self)
    }
}

impl FloatKernel for Extremes<'_> {
    type Output = Vec<usize>;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> Vec<usize> {
        let mut found = vec![0; self.directions.len()];
        for (place, &direction) in found.iter_mut().zip(self.directions) {
            *place = self.corners.support::<L>(token, direction);
        }
        found
    }
}

/// How far the corners reach in some directions, as far as single precision tells.
pub(crate) struct Reaches<'a> {
    pub corners: &'a Corners,
    pub directions: &'a [Vec3],
    /// Where they go: from the centre.
    pub reaches: &'a mut [f64],
}

impl Reaches<'_> {
    pub fn find(self, level: SimdLevel) {
        level.run(self);
    }
}

impl FloatKernel for Reaches<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let Reaches { corners, directions, reaches } = self;
        for (reach, direction) in reaches.iter_mut().zip(directions) {
            let d = [
                L::splat(token, direction[0] as f32),
                L::splat(token, direction[1] as f32),
                L::splat(token, direction[2] as f32),
            ];
            let mut most = L::splat(token, f32::NEG_INFINITY);
            for block in &corners.blocks {
                let mut at = 0;
                while at < BLOCK {
                    most = most.high(along::<L>(token, block, at, &d));
                    at += L::LEN;
                }
            }
            *reach = f64::from(greatest(most)) * corners.unit;
        }
    }
}
