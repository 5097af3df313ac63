//! World boxes coordinate by coordinate, so that many are compared at once.

use crate::num::Scalar;
use crate::num::lanes::{Kernel, Lanes, Level};
use crate::shape::Aabb;

/// The widest there is: every range is followed by that many boxes that overlap nothing.
const WIDEST: usize = 16;

/// Boxes in single precision, rounded outward: the least and the greatest of each coordinate.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    min: [Vec<f32>; 3],
    max: [Vec<f32>; 3],
}

/// Some of the rows that follow each other.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Range {
    first: usize,
    len: usize,
}

/// One box in single precision.
#[derive(Debug, Clone, Copy)]
struct Single {
    min: [f32; 3],
    max: [f32; 3],
}

impl Rows {
    pub fn clear(&mut self) {
        self.min.iter_mut().chain(&mut self.max).for_each(Vec::clear);
    }

    /// Adds boxes and says where they are.
    pub fn add<T: Scalar>(&mut self, boxes: impl Iterator<Item = Aabb<T, 3>>) -> Range {
        let first = self.min[0].len();
        for bounds in boxes {
            let Single { min, max } = Single::new(&bounds);
            for i in 0..3 {
                self.min[i].push(min[i]);
                self.max[i].push(max[i]);
            }
        }
        let len = self.min[0].len() - first;
        let filled = first + len + WIDEST;
        // So that a bundle can be loaded from any place of the range.
        self.min.iter_mut().for_each(|row| row.resize(filled, f32::INFINITY));
        self.max.iter_mut().for_each(|row| row.resize(filled, f32::NEG_INFINITY));
        Range { first, len }
    }

    /// Leaves in `found` which boxes of one range overlap which of another, ascending; `around` is the one box around the
    /// second range. Returns how many comparisons that took.
    pub fn overlaps<T: Scalar>(
        &self,
        level: Level,
        [few, many]: [Range; 2],
        around: &Aabb<T, 3>,
        found: &mut Vec<(u32, u32)>,
    ) -> u64 {
        found.clear();
        let around = Single::new(around);
        level.run(ManyToMany { rows: self, few, many, around, found })
    }

    /// Sweeps along a coordinate that ascends in the range: leaves in `found` the places of every two boxes that overlap, and returns
    /// how many boxes began before another ended.
    pub fn sweep(
        &self,
        level: Level,
        range: Range,
        axis: usize,
        found: &mut Vec<(u32, u32)>,
    ) -> u64 {
        found.clear();
        level.run(Sweep { rows: self, range, axis, found })
    }

    fn single(&self, at: usize) -> Single {
        Single {
            min: [self.min[0][at], self.min[1][at], self.min[2][at]],
            max: [self.max[0][at], self.max[1][at], self.max[2][at]],
        }
    }
}

impl Single {
    fn new<T: Scalar>(bounds: &Aabb<T, 3>) -> Self {
        let (min, max) = (bounds.min.map(|x| x.wide()), bounds.max.map(|x| x.wide()));
        Single { min: min.map(f32::at_most).coords.into(), max: max.map(f32::at_least).coords.into() }
    }

    fn overlaps(&self, other: &Single) -> bool {
        (0..3).all(|i| self.min[i] <= other.max[i] && other.min[i] <= self.max[i])
    }
}

/// See [`Rows::overlaps`].
struct ManyToMany<'a> {
    rows: &'a Rows,
    few: Range,
    many: Range,
    around: Single,
    found: &'a mut Vec<(u32, u32)>,
}

impl Kernel for ManyToMany<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) -> u64 {
        let ManyToMany { rows, few, many, around, found } = self;
        let mut compared = few.len as u64;
        for i in 0..few.len {
            let one = rows.single(few.first + i);
            if one.overlaps(&around) {
                compared += many.len as u64;
                one_to_many::<L>(token, rows, one, many, |j| found.push((i as u32, j as u32)));
            }
        }
        compared
    }
}

/// See [`Rows::sweep`].
struct Sweep<'a> {
    rows: &'a Rows,
    range: Range,
    axis: usize,
    found: &'a mut Vec<(u32, u32)>,
}

impl Kernel for Sweep<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) -> u64 {
        let Sweep { rows, range: Range { first, len }, axis, found } = self;
        let begins = &rows.min[axis][first..first + len];
        let mut compared = 0;
        for i in 0..len {
            let one = rows.single(first + i);
            let reached = begins[i + 1..].partition_point(|&begin| begin <= one.max[axis]);
            compared += reached as u64;
            let many = Range { first: first + i + 1, len: reached };
            one_to_many::<L>(token, rows, one, many, |j| {
                found.push((i as u32, (i + 1 + j) as u32));
            });
        }
        compared
    }
}

/// Calls `with` with the place of each of many boxes that overlaps the one.
#[inline(always)]
fn one_to_many<L: Lanes>(
    token: L::Token,
    rows: &Rows,
    one: Single,
    Range { first, len }: Range,
    mut with: impl FnMut(usize),
) {
    let low = one.min.map(|x| L::splat(token, x));
    let high = one.max.map(|x| L::splat(token, x));
    let mut done = 0;
    while done < len {
        let at = first + done;
        let mut overlap = u32::MAX;
        for i in 0..3 {
            let min = L::load(token, &rows.min[i][at..]);
            let max = L::load(token, &rows.max[i][at..]);
            overlap &= min.within(high[i]) & low[i].within(max);
        }
        let left = len - done;
        if left < L::LEN {
            overlap &= (1 << left) - 1;
        }
        while overlap != 0 {
            with(done + overlap.trailing_zeros() as usize);
            overlap &= overlap - 1;
        }
        done += L::LEN;
    }
}
