//! Vectors of lanes, mostly of `f32`: loads, copies and transposes of the coordinates of one point
//! a lane. Functions without closures: a closure would not be compiled for the SIMD level.

use super::linear::{Mat3, Vec3};
use super::simd::{Floats, Lanes, MAX_FLOATS, Zip};

#[inline(always)]
pub(crate) fn splat<L: Floats>(token: L::Token, v: &[f32; 3]) -> Vec3<L> {
    [L::splat(token, v[0]), L::splat(token, v[1]), L::splat(token, v[2])]
}

/// Copies one entry of three rows to all lanes.
#[inline(always)]
pub(crate) fn splat_entry<L: Floats, const N: usize>(
    token: L::Token,
    rows: &[[f32; N]; 3],
    index: usize,
) -> Vec3<L> {
    splat(token, &[rows[0][index], rows[1][index], rows[2][index]])
}

/// Returns the least of all lanes: some times the least of two halves, which interleaving puts side
/// by side.
#[inline(always)]
pub(crate) fn least_lane<L: Floats>(mut lanes: L) -> f32 {
    let mut count = L::LEN;
    while count > 1 {
        let (one, other) = lanes.zip(lanes);
        lanes = one.low(other);
        count /= 2;
    }
    let mut least = [0.0; MAX_FLOATS];
    lanes.store(&mut least);
    least[0]
}

/// Loads consecutive entries of three rows, from `lane` on.
#[inline(always)]
pub(crate) fn load<L: Lanes, const N: usize>(
    token: L::Token,
    rows: &[[L::Element; N]; 3],
    lane: usize,
) -> Vec3<L> {
    [
        L::load(token, &rows[0][lane..]),
        L::load(token, &rows[1][lane..]),
        L::load(token, &rows[2][lane..]),
    ]
}

/// The columns of the rotation matrix of `q / |q|`, `q = x, y, z, w`.
///
/// Error for `q` rounded to single precision, with `u = 2^-24`: `6 u` of the squared length, `11 u`
/// of each product, so at most `25 u` of entries on the diagonal, `12 u` of the others, and `31 u`
/// of an axis.
#[inline(always)]
pub(crate) fn rotation<L: Floats>(token: L::Token, [x, y, z, w]: [L; 4]) -> Mat3<L> {
    let (one, two) = (L::splat(token, 1.0), L::splat(token, 2.0));
    let s = two / (x * x + y * y + z * z + w * w);
    let (sx, sy, sz) = (s * x, s * y, s * z);
    let (xx, yy, zz) = (sx * x, sy * y, sz * z);
    let (xy, xz, yz) = (sx * y, sx * z, sy * z);
    let (wx, wy, wz) = (sx * w, sy * w, sz * w);
    [
        [one - (yy + zz), xy + wz, xz - wy],
        [xy - wz, one - (xx + zz), yz + wx],
        [xz + wy, yz - wx, one - (xx + yy)],
    ]
}

/// A record of sixteen numbers.
pub(crate) type FloatRecord = [f32; 16];

/// Loads consecutive records transposed, one a lane: result `i` has entry `i` of every record.
#[inline(always)]
pub(crate) fn gather<L: Floats>(token: L::Token, records: &[FloatRecord]) -> [L; 16] {
    let mut columns = [L::splat(token, 0.0); 16];
    for first in (0..16).step_by(L::LEN) {
        for i in 0..L::LEN {
            columns[first + i] = L::load(token, &records[i][first..]);
        }
    }
    transpose_lanes(columns)
}

/// A record of eight numbers.
pub(crate) type ShortRecord = [f32; 8];

/// Like [`gather`], for records of eight numbers: half the registers.
#[inline(always)]
pub(crate) fn gather_short<L: Floats>(token: L::Token, records: &[ShortRecord]) -> [L; 8] {
    let mut columns = [L::splat(token, 0.0); 8];
    let values = records[..L::LEN].as_flattened();
    for (i, column) in columns.iter_mut().enumerate() {
        *column = L::load(token, &values[i * L::LEN..]);
    }
    // Each round interleaves the first half of all values with the second (a perfect shuffle),
    // which moves the bits of the record's index behind those of the entry's.
    let mut rounds = 1;
    while rounds < L::LEN {
        let old = columns;
        for i in 0..4 {
            (columns[2 * i], columns[2 * i + 1]) = old[i].zip(old[4 + i]);
        }
        rounds *= 2;
    }
    columns
}

/// Loads the records at these indices transposed, one a lane.
#[inline(always)]
pub(crate) fn gather_indices<L: Floats>(
    token: L::Token,
    records: &[FloatRecord],
    indices: &[u32],
) -> [L; 16] {
    let mut columns = [L::splat(token, 0.0); 16];
    for i in 0..L::LEN {
        let record = &records[indices[i] as usize];
        for first in (0..16).step_by(L::LEN) {
            columns[first + i] = L::load(token, &record[first..]);
        }
    }
    transpose_lanes(columns)
}

/// Returns the greatest of the lanes of each vector. Of two zeros either; no lane may be NaN.
#[inline(always)]
pub(crate) fn lane_maxima<L: Floats>(mut vectors: [L; 8]) -> [f32; 8] {
    // Each round leaves the maxima of both halves of two vectors, lane by lane in turns.
    let (mut count, mut rounds) = (8, 0);
    while count > 1 && L::LEN >> rounds > 1 {
        count /= 2;
        rounds += 1;
        for k in 0..count {
            let (low, high) = vectors[2 * k].zip(vectors[2 * k + 1]);
            vectors[k] = low.high(high);
        }
    }
    let mut maxima = [f32::NEG_INFINITY; 8];
    for (k, vector) in vectors[..count].iter().enumerate() {
        let mut lanes = [0.0; 16];
        vector.store(&mut lanes);
        for (lane, &value) in lanes[..L::LEN].iter().enumerate() {
            // The last rounds bits of the lane are those of the vector's index, in reverse.
            let mut index = k;
            for bit in 0..rounds {
                index = index << 1 | lane >> bit & 1;
            }
            maxima[index] = if value > maxima[index] { value } else { maxima[index] };
        }
    }
    maxima
}

/// Returns three consecutive columns as a vector.
#[inline(always)]
pub(crate) fn vector_at<L: Floats>(columns: &[L], first: usize) -> Vec3<L> {
    [columns[first], columns[first + 1], columns[first + 2]]
}

/// Transposes each square block of lanes. Every round interleaves its first half with its second (a
/// perfect shuffle).
#[inline(always)]
pub(crate) fn transpose_lanes<L: Zip>(mut columns: [L; 16]) -> [L; 16] {
    let half = L::LEN / 2;
    for first in (0..16).step_by(L::LEN) {
        let mut rounds = 1;
        while rounds < L::LEN {
            let old = columns;
            for i in 0..half {
                let (low, high) = old[first + i].zip(old[first + half + i]);
                columns[first + 2 * i] = low;
                columns[first + 2 * i + 1] = high;
            }
            rounds *= 2;
        }
    }
    columns
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SimdLevel;
    use crate::num::SplitMix64;
    use crate::num::simd::FloatKernel;

    struct Gather<'a>(&'a [ShortRecord; 16]);

    impl FloatKernel for Gather<'_> {
        type Output = [[f32; 16]; 8];

        #[inline(always)]
        fn run<L: Floats>(self, token: L::Token) -> [[f32; 16]; 8] {
            let mut rows = [[0.0; 16]; 8];
            for lane in (0..16).step_by(L::LEN) {
                for (row, column) in rows.iter_mut().zip(gather_short::<L>(token, &self.0[lane..]))
                {
                    column.store(&mut row[lane..]);
                }
            }
            rows
        }
    }

    pub fn short_records_are_transposed_at_every_level() {
        let records = std::array::from_fn(|r| std::array::from_fn(|c| (8 * r + c) as f32));
        let rows = std::array::from_fn(|c| std::array::from_fn(|r| (8 * r + c) as f32));
        for simd in SimdLevel::all() {
            assert_eq!(simd.run(Gather(&records)), rows, "{simd}");
        }
    }

    struct Maxima<'a>(&'a [[f32; 16]; 8]);

    impl FloatKernel for Maxima<'_> {
        type Output = (usize, [f32; 8]);

        #[inline(always)]
        fn run<L: Floats>(self, token: L::Token) -> (usize, [f32; 8]) {
            let mut vectors = [L::splat(token, 0.0); 8];
            for (vector, row) in vectors.iter_mut().zip(self.0) {
                *vector = L::load(token, row);
            }
            (L::LEN, lane_maxima(vectors))
        }
    }

    pub fn maxima_of_lanes_are_those_of_numbers_at_every_level() {
        let mut random = SplitMix64(5);
        for _ in 0..100 {
            let mut rows = [[0.0; 16]; 8];
            rows.as_flattened_mut().iter_mut().for_each(|x| *x = random.between(-1.0, 1.0) as f32);
            for simd in SimdLevel::all() {
                let (len, maxima) = simd.run(Maxima(&rows));
                let most = |row: [f32; 16]| row[..len].iter().copied().fold(f32::MIN, f32::max);
                assert_eq!(maxima, rows.map(most), "{simd}");
            }
        }
    }
}
