//! An axis by its number, without a branch.

use super::Three;
use crate::num::linear::Vec3;
use crate::num::simd::Triple;

/// All that an axis can be made of: the rows, the same with their signs turned, the distances along
/// all axes, the squares of the edge axes.
pub(super) struct Numbers([f64; 60]);

/// Where among them the coordinates of each axis are, the square of its length, and the distance
/// along it.
const PLACES: [[u8; 5]; 15] = places();
const TURNED: u8 = 12;
const DISTANCES: u8 = 24;
const SQUARES: u8 = 44;
const ZERO: u8 = 56;
const ONE: u8 = 57;

const fn places() -> [[u8; 5]; 15] {
    let mut places = [[ZERO, ZERO, ZERO, ONE, DISTANCES]; 15];
    let mut j = 0;
    while j < 3 {
        let at = j as u8;
        places[j][j] = ONE;
        places[j][4] = DISTANCES + at;
        places[3 + j] = [at, 4 + at, 8 + at, ONE, DISTANCES + 4 + at];
        let mut i = 0;
        while i < 3 {
            let place = &mut places[6 + 3 * i + j];
            let (row, i1, i2) = (4 * i as u8 + at, (i + 1) % 3, (i + 2) % 3);
            place[i1] = TURNED + 4 * i2 as u8 + at;
            place[i2] = 4 * i1 as u8 + at;
            place[3] = SQUARES + row;
            place[4] = DISTANCES + 8 + row;
            i += 1;
        }
        j += 1;
    }
    places
}

impl Numbers {
    #[inline(always)]
    pub fn new<D: Triple>(
        [x, y, z]: [D; 3],
        [a, b, i, j, k]: &[Three<D>; 5],
        squares: &[D; 3],
    ) -> Self {
        let mut numbers = [0.0; 60];
        numbers[usize::from(ONE)] = 1.0;
        let (f, g) = (a.distance, b.distance);
        let [i2, j2, k2] = *squares;
        let rows = [x, y, z, -x, -y, -z, f, g, i.distance, j.distance, k.distance, i2, j2, k2];
        for (place, row) in rows.iter().enumerate() {
            row.store(&mut numbers[4 * place..4 * place + 4]);
        }
        Numbers(numbers)
    }

    /// The axis of that number, of length one, towards the second: no branch could be foreseen
    /// here.
    #[inline(always)]
    pub fn direction(&self, axis: usize) -> Vec3 {
        let [x, y, z, square, distance] = PLACES[axis];
        let sign = if self.at(distance) < 0.0 { -1.0 } else { 1.0 };
        let length = self.at(square).sqrt();
        [sign * (self.at(x) / length), sign * (self.at(y) / length), sign * (self.at(z) / length)]
    }

    #[inline(always)]
    fn at(&self, place: u8) -> f64 {
        self.0[usize::from(place)]
    }
}
