//! Farthest point of a box from its contents, by branch and bound over cells of the box.
//!
//! A cell has two upper bounds. Distance is 1-Lipschitz, so the distance of the centre plus half
//! the diagonal is one. Distance to a convex primitive is convex, so the farthest corner from any
//! one primitive is another: it is exact once one primitive is nearest throughout the cell.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::cell_distances::{
    CellBox, CellCornerKernel, CellDistanceKernel, NearPrimitive, NearestDistanceKernel,
};
use super::prepared::PreparedPrimitive;
use super::shared_edge::SharedEdge;
use super::subtree::Subtree;
use crate::num::linear::{Vec3, absolute_values, add, coordinate_sum, length, rotate, scale};
use crate::num::{Scalar, SimdLevel};
use crate::shape::WideObb;
use crate::tree::node::OrderedNodes;
use crate::tree::{Geometry, Node};

/// The search ends once the proven bound is at most this multiple of an attained distance. Closer
/// to 1: more cells.
const STOP_RATIO: f64 = 1.15;

/// The search ends below this share of the box's half diagonal. Flat patches fill their boxes, and
/// no share of zero is ever attained.
const STOP_SHARE: f64 = 1.0 / 512.0;

/// Growth of a diagonal by skewed axes, in roundings of the stored axes: 1.5 times their skew,
/// `3 u` in f32. In f64 the skew is up to `56 e`, and the rest is in the pad of a bound, `90 e` of
/// the extent.
const SKEW_ROUNDINGS: f64 = 8.0;

/// Largest number of primitives of a node whose cells list their candidates. For larger ones a
/// descent of the tree costs less.
const MAX_LISTED: usize = 128;

/// Search over the cells of a box; reused for all boxes of one tree.
pub(super) struct CellSearch<'a, T: Scalar> {
    simd: SimdLevel,
    nodes: &'a [Node<T>],
    /// Primitives in the order of the leaves.
    targets: Vec<PreparedPrimitive<'a>>,
    /// Index of the first child of the node, if the tree finds the candidates of its cells.
    descended: Option<u32>,
    /// Nodes still to be visited by a descent.
    stack: Vec<(u32, f64)>,
    skew_factor: f64,
    wide: WideObb,
    /// Upper bound on the distance of the box from the origin.
    extent: f64,
    cells: BinaryHeap<Cell>,
    /// Candidate lists of all cells, one after the other.
    near: Vec<NearPrimitive>,
    /// Largest distance attained by a point of the box.
    attained: f64,
    cell_count: u32,
}

/// Cell of the box, in the box's axes, relative to its centre.
#[derive(Debug, Clone)]
struct Cell {
    /// Upper bound on the distance of the cell's points from the geometry.
    upper_bound: f64,
    local_center: Vec3,
    half: Vec3,
    near: Range<usize>,
    /// Distance of the centre from the nearest primitive.
    distance: f64,
    sequence: u32,
}

/// Bounds that a cell inherits from its parent cell.
struct InheritedBounds {
    /// Upper bound on the distance of any point.
    upper_bound: f64,
    /// All primitives that may be nearest.
    near: Range<usize>,
    /// Distance of the parent's centre from the nearest primitive.
    distance: f64,
    /// Distance between the centres of the two cells.
    step: f64,
}

impl<'a, T: Scalar> CellSearch<'a, T> {
    pub fn new(geometry: &'a Geometry<T>, ordered: OrderedNodes<'a, T>) -> Self {
        CellSearch {
            simd: SimdLevel::best(),
            nodes: ordered.nodes,
            targets: PreparedPrimitive::prepare_all(geometry, ordered.order.iter().copied()),
            descended: None,
            stack: Vec::new(),
            skew_factor: 1.0 + SKEW_ROUNDINGS * T::ROUNDING,
            wide: WideObb { center: [0.0; 3], axes: [[0.0; 3]; 3], half_extents: [0.0; 3] },
            extent: 0.0,
            cells: BinaryHeap::new(),
            near: Vec::new(),
            attained: 0.0,
            cell_count: 0,
        }
    }

    /// Returns an upper bound on the distance of points of a node's box that are not `inside` from
    /// the nearest primitive [part units].
    pub fn node_bound(&mut self, node: &Node<T>, cells: u32, inside: impl Fn(Vec3) -> bool) -> f64 {
        let is_large = node.first_child > 0 && node.primitive_range().len() > MAX_LISTED;
        self.descended = is_large.then_some(node.first_child);
        self.distance_bound(node.primitive_range(), &node.oriented.wide(), cells, inside)
    }

    /// Returns an upper bound on the distance of points of a box that are not `inside` from the
    /// nearest primitive [part units]. With a single cell, the corners of the box decide.
    fn distance_bound(
        &mut self,
        primitives: Range<usize>,
        wide: &WideObb,
        cells: u32,
        inside: impl Fn(Vec3) -> bool,
    ) -> f64 {
        (self.wide, self.attained, self.cell_count) = (*wide, 0.0, 0);
        self.extent = coordinate_sum(absolute_values(wide.center)) + wide.radius();
        self.cells.clear();
        self.near.clear();
        if self.descended.is_none() {
            self.near.extend(primitives.map(|position| NearPrimitive {
                primitive: position as u32,
                distance: 0.0,
                corner_bound: 0.0,
            }));
        }
        let all = InheritedBounds {
            upper_bound: f64::INFINITY,
            near: 0..self.near.len(),
            distance: 0.0,
            step: f64::INFINITY,
        };
        let mut loosest = self.bound_cell([0.0; 3], wide.half_extents, all, &inside);
        let tiny = STOP_SHARE * wide.radius();
        while self.cell_count < cells
            && loosest.upper_bound > (STOP_RATIO * self.attained).max(tiny)
        {
            self.halve(&loosest, &inside);
            match self.cells.pop() {
                Some(next) => loosest = next,
                None => break,
            }
        }
        loosest.upper_bound
    }

    /// Halves a cell across its longest side, the first of equal ones.
    fn halve(&mut self, cell: &Cell, inside: &impl Fn(Vec3) -> bool) {
        let longer = |i: usize, j: usize| if cell.half[j] > cell.half[i] { j } else { i };
        let axis = longer(longer(0, 1), 2);
        let mut half = cell.half;
        half[axis] *= 0.5;
        for side in [-half[axis], half[axis]] {
            let mut middle = cell.local_center;
            middle[axis] += side;
            let step = half[axis] * self.skew_factor;
            let Cell { upper_bound, distance, .. } = *cell;
            let inherited =
                InheritedBounds { upper_bound, near: cell.near.clone(), distance, step };
            let cell = self.bound_cell(middle, half, inherited, inside);
            self.cells.push(cell);
        }
    }

    fn bound_cell(
        &mut self,
        local_center: Vec3,
        half: Vec3,
        inherited: InheritedBounds,
        inside: &impl Fn(Vec3) -> bool,
    ) -> Cell {
        let center = add(self.wide.center, rotate(&self.wide.axes, local_center));
        let radius = length(half) * self.skew_factor;
        let (near, surface) = self.gather_candidates(&inherited, (center, half), radius);
        // The inside test cannot change the result below a distance already attained.
        let distance = if surface > self.attained && inside(center) { 0.0 } else { surface };
        self.attained = self.attained.max(distance);
        let mut upper_bound = inherited.upper_bound.min(distance + radius);
        if let Some((less, corner)) = self.corner_bound(near.clone(), center, half, upper_bound) {
            upper_bound = less;
            // The inside is tested even where its answer does not matter: its steps are counted,
            // and with more of them left the bounds of later nodes would change.
            if !inside(corner) && less > self.attained {
                let attained = self.nearest_distance(near.clone(), (corner, radius), less);
                self.attained = self.attained.max(attained);
            }
        }
        if let Some(edge) = self.shared_edge(near.clone(), upper_bound) {
            let half_axes = [0, 1, 2].map(|axis| scale(self.wide.axes[axis], half[axis]));
            let corners = WideObb { center, axes: self.wide.axes, half_extents: half }.corners();
            let farthest = edge.farthest_point(&corners, &half_axes, self.simd);
            if farthest.upper_bound < upper_bound {
                upper_bound = farthest.upper_bound;
                if farthest.distance > self.attained && !inside(farthest.point) {
                    self.attained = farthest.distance;
                }
            }
        }
        self.cell_count += 1;
        Cell { upper_bound, local_center, half, near, distance: surface, sequence: self.cell_count }
    }

    /// Returns the shared edge of a cell's last two candidates, if the cell is not yet close
    /// enough.
    fn shared_edge(&self, near: Range<usize>, upper_bound: f64) -> Option<SharedEdge<'_>> {
        let [first, second] = &self.near[near] else { return None };
        if upper_bound <= STOP_RATIO * self.attained {
            return None;
        }
        match [first, second].map(|near| &self.targets[near.primitive as usize]) {
            [PreparedPrimitive::Triangle(first), PreparedPrimitive::Triangle(second)] => {
                SharedEdge::new([first, second], self.extent)
            }
            _ => None,
        }
    }

    /// Returns the primitives below the node, if the tree finds the candidates of its cells.
    fn subtree(&self) -> Option<Subtree<'_, 'a, T>> {
        let CellSearch { nodes, targets, extent, .. } = self;
        let first_child = self.descended?;
        Some(Subtree { nodes, targets, first_child, extent: *extent })
    }

    /// Appends the primitives that may be nearest to some point within `radius` of a cell's centre,
    /// and returns their range and the distance of the nearest from the centre. Rounding may leave
    /// one out: that only makes the bound larger.
    fn gather_candidates(
        &mut self,
        inherited: &InheritedBounds,
        cell: (Vec3, Vec3),
        radius: f64,
    ) -> (Range<usize>, f64) {
        let (first, window) = (self.near.len(), 2.0 * radius);
        let mut stack = std::mem::take(&mut self.stack);
        let descended = self.subtree().map(|subtree| {
            subtree.distance(cell.0, inherited.distance + inherited.step, &mut stack)
        });
        self.stack = stack;
        if let Some(least) = descended {
            return (first..first, least);
        }
        let least = self.measure(inherited.near.clone(), cell, (inherited.step, window));
        let mut kept = first;
        for index in first..self.near.len() {
            if self.near[index].distance <= least + window {
                self.near[kept] = self.near[index];
                kept += 1;
            }
        }
        self.near.truncate(kept);
        (first..kept, least)
    }

    /// Appends the candidates that may be no more than `window` farther from a point than the
    /// nearest, and returns the distance of the nearest. The point is the centre of a cell with
    /// half extents, and `step` away from the centre that the candidates' distances refer to.
    fn measure(
        &mut self,
        candidates: Range<usize>,
        (point, half): (Vec3, Vec3),
        (step, window): (f64, f64),
    ) -> f64 {
        let (targets, near) = (&self.targets[..], &mut self.near);
        let cell = CellBox::new((&self.wide, self.extent), point, half);
        self.simd.run_doubles(CellDistanceKernel { targets, near, candidates, cell, step, window })
    }

    /// Returns the least distance of the farthest corner over the candidates, and that corner;
    /// `None` if it is not below `most`.
    fn corner_bound(
        &mut self,
        near: Range<usize>,
        center: Vec3,
        half_extents: Vec3,
        upper_bound: f64,
    ) -> Option<(f64, Vec3)> {
        let corners = WideObb { center, axes: self.wide.axes, half_extents }.corners();
        let mut stack = std::mem::take(&mut self.stack);
        let found = match self.subtree() {
            Some(subtree) => subtree.farthest_corner(center, &corners, upper_bound, &mut stack),
            None => {
                let (targets, near, corners) = (&self.targets[..], &self.near[near], &corners);
                self.simd.run_doubles(CellCornerKernel { targets, near, corners, upper_bound })
            }
        };
        self.stack = stack;
        found.map(|(most, corner)| (most, corners[corner]))
    }

    /// Returns the distance of the nearest candidate from a point that is `step` away from the
    /// centre of their cell, given an upper bound on it; if no more than the distance attained, any
    /// number between the two.
    fn nearest_distance(
        &mut self,
        near: Range<usize>,
        (point, step): (Vec3, f64),
        upper_bound: f64,
    ) -> f64 {
        let mut stack = std::mem::take(&mut self.stack);
        let descended =
            self.subtree().map(|subtree| subtree.distance(point, upper_bound, &mut stack));
        self.stack = stack;
        descended.unwrap_or_else(|| {
            self.simd.run_doubles(NearestDistanceKernel {
                targets: &self.targets,
                near: &self.near[near],
                point,
                step,
                limits: [self.attained, upper_bound],
            })
        })
    }
}

impl Ord for Cell {
    /// Orders by bound, of equal ones the older cell greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper_bound.total_cmp(&other.upper_bound).then(other.sequence.cmp(&self.sequence))
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

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::linear::sub;
    use crate::shape::WideTriangle;

    /// Triangles about a box, every fifth a needle, and a search over it.
    fn search<'a>(chance: &mut SplitMix64, len: usize) -> (WideObb, CellSearch<'a, f64>) {
        let sizes = [1.0, [1.0, 1e-3][chance.below(2)], [1.0, 0.1][chance.below(2)]];
        let away = [1.0, 1e4][chance.below(2)];
        let (center, axes) = (chance.point(away), chance.rotation());
        let mut point = |size: f64| {
            let [x, y, z] = chance.point(size);
            add(center, rotate(&axes, [x * sizes[0], y * sizes[1], z * sizes[2]]))
        };
        let mut triangle = |index: usize| {
            let corners = [point(1.0), point(1.0), point(1.0)];
            let flat = scale(add(corners[0], corners[1]), 0.5);
            let corners = if index % 5 == 4 { [corners[0], corners[1], flat] } else { corners };
            PreparedPrimitive::from_triangle(WideTriangle { corners })
        };
        let targets = (0..len).map(&mut triangle).collect();
        let none = OrderedNodes { nodes: &[], order: &[] };
        let search = CellSearch { targets, ..CellSearch::new(&Geometry::None, none) };
        (WideObb { center, axes, half_extents: sizes }, search)
    }

    pub fn every_level_finds_the_bound_of_one_primitive_and_corner_at_a_time() {
        let mut chance = SplitMix64(11);
        for round in 0..400 {
            let len = 1 + chance.below(40);
            let (wide, mut search) = search(&mut chance, len);
            // The part contains nothing, or a half-space.
            let beyond = |p: Vec3| sub(p, wide.center)[0] - 0.1 + [f64::INFINITY, 0.0][round % 2];
            let mut bound = |simd, cells| {
                search.simd = simd;
                search.distance_bound(0..len, &wide, cells, |p| beyond(p) <= 0.0)
            };
            let (one, many) = (bound(SimdLevel::PLAIN, 1), bound(SimdLevel::PLAIN, 100));
            for simd in SimdLevel::all() {
                assert_eq!([bound(simd, 1), bound(simd, 100)], [one, many], "{simd}");
            }
            let far = |target: &PreparedPrimitive<'_>| {
                wide.corners().iter().map(|&corner| target.distance(corner)).fold(0.0, f64::max)
            };
            let near = search.targets.iter().map(|t| t.distance(wide.center));
            let near =
                if beyond(wide.center) > 0.0 { near.fold(f64::INFINITY, f64::min) } else { 0.0 };
            let naive = search.targets.iter().map(far).fold(near + wide.radius(), f64::min);
            assert!((one - naive).abs() <= 1e-13 * naive, "{one} {naive}");
            assert!(many <= one);
            for _ in 0..50 {
                let place = [0, 1, 2].map(|i| wide.half_extents[i] * chance.between(-1.0, 1.0));
                let point = add(wide.center, rotate(&wide.axes, place));
                let distances = search.targets.iter().map(|target| target.distance(point));
                let distance = distances.fold(beyond(point), f64::min);
                assert!(distance <= many * (1.0 + 1e-13), "{distance} {many}");
            }
        }
    }
}
