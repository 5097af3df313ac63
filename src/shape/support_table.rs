//! Corners of a hull by direction: a support point of a large hull looks at a few corners.
//!
//! The faces of a cube are divided into cells. A cell lists the corners that may be farthest along
//! a direction through it; any other corner is beaten by one corner along all of these directions,
//! by more than rounding. So the farthest corner of the list is the farthest of all, ties included.

use crate::num::linear::{Vec3, add, dot, sub};

/// Least number of corners that a table pays for.
const MIN_CORNERS: usize = 32;

/// Limit of the cells along an edge of the cube.
const MAX_CELLS_PER_EDGE: usize = 32;

/// Width by which a cell reaches into its neighbours, where an edge of the cube is 2: more than the
/// rounding of a direction's position on the cube.
const CELL_PAD: f64 = 1.0 / (1u64 << 40) as f64;

/// Rounding of the products of two corners with a direction, as a share of the 1-norm of corners
/// and of the largest coordinate of the direction. Each product has an error of less than `4 e`;
/// this is four times both together.
const PRODUCT_ERROR: f64 = 1.0 / (1u64 << 48) as f64;

/// Limits of corners and directions within which no product underflows or overflows.
const MIN_SIZE: f64 = 1e-100;
const MAX_SIZE: f64 = 1e100;

/// Limit of the candidates of all squares, as a multiple of the corners, beyond which a table does
/// not pay: corners of a hull so flat or thin that rounding hides which of them are farthest.
const MAX_CANDIDATES: usize = 256;

/// Limit of the candidates that are compared in pairs.
const MAX_COMPARED: usize = 64;

/// Corners that may be farthest along a direction, by the cell of the faces of a cube that the
/// direction passes through.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SupportTable {
    cells_per_edge: usize,
    /// Index of the first candidate of each cell, and the number of all.
    starts: Vec<u32>,
    /// Corners of each cell, ascending.
    candidates: Vec<u32>,
}

impl SupportTable {
    /// Returns the table of the corners of a hull; `None` if they are few, tiny or huge, or if a
    /// table would not pay.
    pub fn new(corners: &[Vec3]) -> Option<Self> {
        let size = corners.iter().map(|c| c[0].abs() + c[1].abs() + c[2].abs()).fold(0.0, f64::max);
        if corners.len() < MIN_CORNERS || !(MIN_SIZE..MAX_SIZE).contains(&size) {
            return None;
        }
        // No more than two cells per corner.
        let mut cells_per_edge = 2;
        while cells_per_edge < MAX_CELLS_PER_EDGE
            && 12 * cells_per_edge * cells_per_edge <= corners.len()
        {
            cells_per_edge *= 2;
        }
        let mut lists = CellLists {
            corners,
            error: PRODUCT_ERROR * size,
            cells_per_edge,
            lists: vec![Vec::new(); 6 * cells_per_edge * cells_per_edge],
            candidates_left: MAX_CANDIDATES * corners.len(),
        };
        let all: Vec<u32> = (0..corners.len() as u32).collect();
        for face in 0..6 {
            lists.divide(Square { face, first: [0, 0], width: cells_per_edge }, &all)?;
        }
        let (mut starts, mut candidates) = (vec![0], Vec::new());
        for list in lists.lists {
            candidates.extend(list);
            starts.push(candidates.len() as u32);
        }
        Some(SupportTable { cells_per_edge, starts, candidates })
    }

    /// Returns the heap memory in bytes.
    pub fn heap_bytes(&self) -> usize {
        size_of_val(&self.starts[..]) + size_of_val(&self.candidates[..])
    }

    /// Returns the corners that may be farthest along a direction, ascending; `None` if the
    /// direction is tiny, huge, zero or not a number.
    #[inline]
    pub fn candidates(&self, direction: Vec3) -> Option<&[u32]> {
        let [x, y, z] = direction.map(f64::abs);
        let (axis, most) = match (x >= y, x >= z, y >= z) {
            (true, true, _) => (0, x),
            (false, _, true) => (1, y),
            _ => (2, z),
        };
        if !(MIN_SIZE..MAX_SIZE).contains(&most) {
            return None;
        }
        let half = 0.5 * self.cells_per_edge as f64;
        let per_unit = half / most;
        let cell = |along: f64| ((along * per_unit + half) as usize).min(self.cells_per_edge - 1);
        let [u, v] = side_axes(axis).map(|side| cell(direction[side]));
        let face = 2 * axis + usize::from(direction[axis] > 0.0);
        let index = (face * self.cells_per_edge + u) * self.cells_per_edge + v;
        let [start, end] = [self.starts[index], self.starts[index + 1]];
        Some(&self.candidates[start as usize..end as usize])
    }
}

/// Returns the two other axes of a face across `axis`.
#[inline]
fn side_axes(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

/// Square of cells of a face of the cube.
#[derive(Clone, Copy)]
struct Square {
    /// Twice the axis across the face, and 1 for its positive side.
    face: usize,
    /// Index of the first cell along both sides.
    first: [usize; 2],
    /// Number of cells along a side, a power of two.
    width: usize,
}

/// Candidates of all cells while the table is built.
struct CellLists<'a> {
    corners: &'a [Vec3],
    /// Product with a direction on the cube beyond which no rounding can reverse an order.
    error: f64,
    cells_per_edge: usize,
    lists: Vec<Vec<u32>>,
    /// Number of candidates that may still be looked at.
    candidates_left: usize,
}

impl CellLists<'_> {
    /// Lists the corners of all cells of a square, given those of a larger one; `None` beyond the
    /// limit of candidates.
    fn divide(&mut self, square: Square, among: &[u32]) -> Option<()> {
        self.candidates_left = self.candidates_left.checked_sub(among.len())?;
        let ends = self.directions(square);
        let center = ends.into_iter().reduce(add).unwrap_or_default();
        let mut winners: Vec<u32> = Vec::with_capacity(5);
        for direction in [center, ends[0], ends[1], ends[2], ends[3]] {
            let winner = self.farthest(among, direction);
            if !winners.contains(&winner) {
                winners.push(winner);
            }
        }
        let mut kept = self.unbeaten(among, &winners, &ends);
        let Square { face, first, width } = square;
        if width > 1 {
            let half = width / 2;
            for quarter in 0..4 {
                let first = [first[0] + half * (quarter & 1), first[1] + half * (quarter >> 1)];
                self.divide(Square { face, first, width: half }, &kept)?;
            }
            return Some(());
        }
        if kept.len() <= MAX_COMPARED {
            kept = self.unbeaten(&kept, &kept, &ends);
        }
        self.lists[(face * self.cells_per_edge + first[0]) * self.cells_per_edge + first[1]] = kept;
        Some(())
    }

    /// Returns one of the farthest of some corners along a direction.
    fn farthest(&self, among: &[u32], direction: Vec3) -> u32 {
        let mut most = (f64::NEG_INFINITY, 0);
        for &index in among {
            let along = dot(self.corners[index as usize], direction);
            most = if along > most.0 { (along, index) } else { most };
        }
        most.1
    }

    /// Returns the directions to the four ends of a square, padded.
    fn directions(&self, Square { face, first, width }: Square) -> [Vec3; 4] {
        let axis = face / 2;
        std::array::from_fn(|end| {
            let mut direction = [0.0; 3];
            direction[axis] = if face % 2 == 1 { 1.0 } else { -1.0 };
            for (side, first, is_high) in [(0, first[0], end & 1 == 1), (1, first[1], end > 1)] {
                let (cell, pad) =
                    if is_high { (first + width, CELL_PAD) } else { (first, -CELL_PAD) };
                let along = 2.0 * cell as f64 / self.cells_per_edge as f64 - 1.0;
                direction[side_axes(axis)[side]] = along + pad;
            }
            direction
        })
    }

    /// Returns the corners that none of some others beats along all directions between four.
    fn unbeaten(&self, among: &[u32], others: &[u32], ends: &[Vec3; 4]) -> Vec<u32> {
        let corner = |index: u32| self.corners[index as usize];
        let is_beaten = |index: u32| {
            others.iter().any(|&other| {
                let ahead = sub(corner(other), corner(index));
                ends.iter().all(|&end| dot(ahead, end) > self.error)
            })
        };
        among.iter().copied().filter(|&index| !is_beaten(index)).collect()
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::linear::{rotate, scale};

    /// Returns the first of the farthest of some corners.
    fn farthest(corners: &[Vec3], some: impl Iterator<Item = usize>, direction: Vec3) -> usize {
        let mut most = (f64::NEG_INFINITY, 0);
        for index in some {
            let along = dot(corners[index], direction);
            if along > most.0 {
                most = (along, index);
            }
        }
        most.1
    }

    /// Returns points on a ball, a box of many equal coordinates, a flat grid, a needle, or two
    /// near clusters.
    fn points(chance: &mut SplitMix64, kind: usize, count: usize) -> Vec<Vec3> {
        let axes = chance.rotation();
        let on_grid = |chance: &mut SplitMix64| chance.below(7) as f64 - 3.0;
        (0..count)
            .map(|_| match kind {
                0 => chance.unit(),
                1 => [0; 3].map(|_| on_grid(chance)),
                2 => rotate(&axes, [on_grid(chance), on_grid(chance), 0.0]),
                3 => rotate(&axes, [chance.share(), 1e-9 * chance.share(), 1e-12 * chance.share()]),
                _ => add([1.0, 1.0, 1.0], scale(chance.unit(), 1e-13)),
            })
            .collect()
    }

    pub fn the_farthest_corner_is_that_of_all() {
        let (mut chance, mut looked_at, mut of) = (SplitMix64(72), 0, 0);
        for round in 0..200 {
            let count = [32, 33, 100, 400, 1_600][round % 5];
            let size = [1.0, 1e-60, 1e60][round % 3];
            let kind = round / 5 % 5;
            let found = points(&mut chance, kind, count);
            let corners: Vec<Vec3> = found.into_iter().map(|p| scale(p, size)).collect();
            let Some(table) = SupportTable::new(&corners) else {
                assert!(kind > 2, "no table of kind {kind} and {count} corners");
                continue;
            };
            let side = table.cells_per_edge;
            let on_border =
                |chance: &mut SplitMix64| 2.0 * chance.below(side + 1) as f64 / side as f64 - 1.0;
            for turn in 0..300 {
                let direction = match turn % 6 {
                    // Through borders of cells and edges of the cube, and next to them.
                    0 => [1.0, on_border(&mut chance), on_border(&mut chance)],
                    1 => [on_border(&mut chance), -1.0, chance.between(-1.0, 1.0)],
                    2 => {
                        let along = on_border(&mut chance) * (1.0 + f64::EPSILON);
                        [along, chance.between(-1.0, 1.0), 1.0]
                    }
                    // Across two corners: a tie but for rounding.
                    3 => {
                        let [a, b] = [0, 1].map(|_| corners[chance.below(count)]);
                        let edge = scale(sub(a, b), 1.0 / size);
                        [edge[1], -edge[0], 0.0]
                    }
                    _ => chance.unit(),
                };
                let direction = scale(direction, chance.decade(-9.0, 9.0));
                let Some(some) = table.candidates(direction) else { continue };
                let some = some.iter().map(|&index| index as usize);
                looked_at += some.len();
                of += count;
                let expected = farthest(&corners, 0..count, direction);
                assert_eq!(farthest(&corners, some, direction), expected, "{round} {direction:?}");
            }
        }
        assert!(8 * looked_at < of, "{looked_at} of {of}");
    }

    pub fn only_plain_numbers_have_a_table() {
        let mut chance = SplitMix64(73);
        let ball = points(&mut chance, 0, 64);
        let at = |size: f64| ball.iter().map(|&p| scale(p, size)).collect::<Vec<_>>();
        assert!(SupportTable::new(&ball[..MIN_CORNERS - 1]).is_none());
        assert!(SupportTable::new(&at(0.0)).is_none() && SupportTable::new(&at(1e-120)).is_none());
        let table = SupportTable::new(&ball).expect("a table");
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        for direction in [[0.0; 3], [1e-120, 0.0, 0.0], [0.0, inf, 0.0], [nan; 3], [1.0, inf, nan]]
        {
            assert!(table.candidates(direction).is_none(), "{direction:?}");
        }
    }
}
