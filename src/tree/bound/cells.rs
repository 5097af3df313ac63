//! The farthest point of a box from its contents, by branch and bound over cells of the box.
//!
//! A cell has two upper bounds. Distance is 1-Lipschitz, so the distance of the centre plus half
//! the diagonal is one. Distance to a convex primitive is convex, so the farthest corner from any
//! one primitive is another: it is exact once one primitive is nearest throughout the cell.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::prepared::PreparedPrimitive;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, length, turn};
use crate::shape::WideObb;
use crate::tree::Geometry;

/// The search ends when the proven bound is at most this multiple of a distance attained. No unit.
/// Nearer to 1 costs more cells.
const ENOUGH: f64 = 1.15;

/// The search ends below this share of the box's half diagonal. No unit. Flat patches fill their
/// boxes: no share of zero is ever attained.
const TINY: f64 = 1.0 / 512.0;

/// The growth of a diagonal by skewed axes, in roundings of the stored axes: `1.5 sqrt(3)`, and
/// some room.
const SKEW: f64 = 8.0;

/// The search over the cells of a box; reused for all boxes of one tree.
pub(super) struct CellSearch<'a> {
    targets: Vec<PreparedPrimitive<'a>>,
    skew: f64,
    wide: WideObb,
    cells: BinaryHeap<Cell>,
    /// The candidate lists of all cells, one after the other.
    near: Vec<NearPrimitive>,
    /// The largest distance attained by a point of the box.
    reached: f64,
    made: u32,
}

/// A primitive that may be nearest to some point of a cell, with its distance from the cell's
/// centre.
#[derive(Debug, Clone, Copy)]
struct NearPrimitive {
    primitive: u32,
    distance: f64,
}

/// A cell of the box, in the box's axes, relative to its centre.
#[derive(Debug, Clone)]
struct Cell {
    /// An upper bound on the distance of the cell's points from the geometry.
    most: f64,
    middle: Vec3,
    half: Vec3,
    near: Range<usize>,
    number: u32,
}

/// Bounds that a cell inherits from the cell it is half of.
struct Inherited {
    /// An upper bound on the distance of any point.
    most: f64,
    /// All primitives that may be nearest.
    near: Range<usize>,
    /// The distance between the centres of the two cells.
    step: f64,
}

impl<'a> CellSearch<'a> {
    pub fn new<T: Scalar>(geometry: &'a Geometry<T>) -> Self {
        CellSearch {
            targets: PreparedPrimitive::all(geometry),
            skew: 1.0 + SKEW * T::ROUNDING,
            wide: WideObb { center: [0.0; 3], axes: [[0.0; 3]; 3], half_extents: [0.0; 3] },
            cells: BinaryHeap::new(),
            near: Vec::new(),
            reached: 0.0,
            made: 0,
        }
    }

    /// An upper bound on the distance of points of the box that are not `inside` from the nearest
    /// primitive. With a single cell the corners of the box decide. Part units.
    pub fn farthest(
        &mut self,
        primitives: &[u32],
        wide: &WideObb,
        cells: u32,
        inside: impl Fn(Vec3) -> bool,
    ) -> f64 {
        (self.wide, self.reached, self.made) = (*wide, 0.0, 0);
        self.cells.clear();
        self.near.clear();
        self.near
            .extend(primitives.iter().map(|&primitive| NearPrimitive { primitive, distance: 0.0 }));
        let all = Inherited { most: f64::INFINITY, near: 0..primitives.len(), step: f64::INFINITY };
        let mut loosest = self.cell([0.0; 3], wide.half_extents, all, &inside);
        let tiny = TINY * wide.radius();
        while self.made < cells && loosest.most > (ENOUGH * self.reached).max(tiny) {
            self.halve(&loosest, &inside);
            match self.cells.pop() {
                Some(next) => loosest = next,
                None => break,
            }
        }
        loosest.most
    }

    /// Halves a cell across its longest side, the first of equals.
    fn halve(&mut self, cell: &Cell, inside: &impl Fn(Vec3) -> bool) {
        let longer = |i: usize, j: usize| if cell.half[j] > cell.half[i] { j } else { i };
        let axis = longer(longer(0, 1), 2);
        let mut half = cell.half;
        half[axis] *= 0.5;
        for side in [-half[axis], half[axis]] {
            let mut middle = cell.middle;
            middle[axis] += side;
            let step = half[axis] * self.skew;
            let inherited = Inherited { most: cell.most, near: cell.near.clone(), step };
            let cell = self.cell(middle, half, inherited, inside);
            self.cells.push(cell);
        }
    }

    /// Bounds one cell.
    fn cell(
        &mut self,
        middle: Vec3,
        half: Vec3,
        inherited: Inherited,
        inside: &impl Fn(Vec3) -> bool,
    ) -> Cell {
        let center = add(self.wide.center, turn(&self.wide.axes, middle));
        let radius = length(half) * self.skew;
        let (near, surface) = self.gather(&inherited, center, radius);
        // Below a distance already attained the inside test makes no difference.
        let distance = if surface > self.reached && inside(center) { 0.0 } else { surface };
        self.reached = self.reached.max(distance);
        let mut most = inherited.most.min(distance + radius);
        if let Some((less, corner)) = self.by_corners(near.clone(), center, half, most) {
            most = less;
            if !inside(corner) {
                self.reached = self.reached.max(self.nearest(near.clone(), corner));
            }
        }
        self.made += 1;
        Cell { most, middle, half, near, number: self.made }
    }

    /// Lists the primitives that may be nearest to some point within `radius` of `center`, and
    /// returns the distance of the nearest from `center`. Rounding may leave one out: that only
    /// makes the bound larger.
    fn gather(&mut self, inherited: &Inherited, center: Vec3, radius: f64) -> (Range<usize>, f64) {
        let first = self.near.len();
        let mut least = f64::INFINITY;
        for index in inherited.near.clone() {
            let NearPrimitive { primitive, distance } = self.near[index];
            if distance - inherited.step > least + 2.0 * radius {
                continue;
            }
            let distance = self.targets[primitive as usize].distance(center);
            least = least.min(distance);
            self.near.push(NearPrimitive { primitive, distance });
        }
        let mut kept = first;
        for index in first..self.near.len() {
            if self.near[index].distance <= least + 2.0 * radius {
                self.near[kept] = self.near[index];
                kept += 1;
            }
        }
        self.near.truncate(kept);
        (first..kept, least)
    }

    /// The least distance of the farthest corner over the candidates, and that corner; `None` if
    /// not below `most`.
    fn by_corners(
        &self,
        near: Range<usize>,
        center: Vec3,
        half: Vec3,
        mut most: f64,
    ) -> Option<(f64, Vec3)> {
        let corners = WideObb { center, axes: self.wide.axes, half_extents: half }.corners();
        let (mut found, mut far) = (None, 0);
        for near in &self.near[near] {
            // Some corner is at least as far as the centre.
            if near.distance < most {
                let target = &self.targets[near.primitive as usize];
                if let Some(farthest) = farthest(target, &corners, most, &mut far) {
                    most = farthest.0;
                    found = Some(farthest);
                }
            }
        }
        found
    }

    fn nearest(&self, near: Range<usize>, point: Vec3) -> f64 {
        let distance = |near: &NearPrimitive| self.targets[near.primitive as usize].distance(point);
        self.near[near].iter().map(distance).fold(f64::INFINITY, f64::min)
    }
}

/// The farthest corner; `None` if one is no nearer than `most`. That is often the same one for
/// many primitives: `far`, which is tried first.
fn farthest(
    target: &PreparedPrimitive<'_>,
    corners: &[Vec3; 8],
    most: f64,
    far: &mut usize,
) -> Option<(f64, Vec3)> {
    if target.distance(corners[*far]) >= most {
        return None;
    }
    let mut farthest = (0.0, corners[0]);
    for (index, &corner) in corners.iter().enumerate() {
        let distance = target.distance(corner);
        if distance >= most {
            *far = index;
            return None;
        }
        if distance > farthest.0 {
            farthest = (distance, corner);
        }
    }
    Some(farthest)
}

impl Ord for Cell {
    /// The loosest is greatest, of two alike the older.
    fn cmp(&self, other: &Self) -> Ordering {
        self.most.total_cmp(&other.most).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cell {}
