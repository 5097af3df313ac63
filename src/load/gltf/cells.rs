//! Cells of a triangle of a skin while joints are added one after the other.
//!
//! A joint receives from each cell the side where its weight is greater. That side is decided once
//! at every point that cells share, so that rounding and ties cannot open a gap: cells always fill
//! the triangle. Points on an edge of the triangle are functions of the two corners of that edge
//! alone, to the bit, so that triangles that share an edge share its points.

use std::cmp::Ordering;
use std::collections::HashMap;

use nalgebra::{Point3, Vector3};

/// Least distance of a new point from an end of its edge, as a share of the edge; a nearer point
/// becomes that end. Pieces that are no wider have no extent, and are left out in all triangles at
/// the edge.
const MIN_SHARE: f64 = 1e-12;

/// Largest turn in the wrong direction, by rounding, of a polygon that counts as convex, as a share
/// of the triangle's area.
const CONVEX_ERROR: f64 = 1e-13;

/// A corner of a triangle: its position, and the weights of its joints, ascending by joint. A joint
/// is any number that orders joints like ties: the lowest of equal weights owns the point.
#[derive(Debug, Clone, Copy)]
pub(super) struct WeightedCorner<'a> {
    pub position: Point3<f64>,
    pub weights: &'a [(usize, f64)],
}

/// A point that cells share.
#[derive(Debug, Clone)]
pub(super) struct CellPoint {
    /// Barycentric coordinates in the triangle.
    at: [f64; 3],
    pub position: Point3<f64>,
    /// The weights, by index of the joint.
    weights: Vec<f64>,
    /// The greatest weight of the joints added so far.
    greatest: f64,
}

/// A convex polygon of one owner, the index of a joint, wound as the triangle is.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub owner: usize,
    pub points: Vec<usize>,
}

/// An edge of the triangle.
struct CellSide<'a> {
    /// The ends, in an order on which all triangles at this edge agree.
    ends: [WeightedCorner<'a>; 2],
    reversed: bool,
    /// The points from the first end to the second, as shares of the edge.
    points: Vec<SidePoint>,
}

/// A point of an edge, and the owner of the edge from there to the next point. The owner is a
/// function of the ends of the edge alone; a tie may give a cell there to another joint.
#[derive(Debug, Clone, Copy)]
struct SidePoint {
    point: usize,
    along: f64,
    owner: Option<usize>,
}

/// The cells of a triangle.
pub(super) struct Cells<'a> {
    corners: [WeightedCorner<'a>; 3],
    /// The joints, ascending.
    pub joints: Vec<usize>,
    pub points: Vec<CellPoint>,
    cells: Vec<Cell>,
    /// The edges, from each corner to the next.
    sides: [CellSide<'a>; 3],
}

impl<'a> Cells<'a> {
    /// Creates the cells of all owners.
    pub fn new(corners: [WeightedCorner<'a>; 3]) -> Self {
        let mut cells = Cells::of_first(corners);
        (0..cells.joints.len()).for_each(|joint| cells.add_joint(joint));
        cells
    }

    /// Returns the polygons of all owners: few large ones, without superfluous points.
    pub fn polygons(&self) -> Vec<Cell> {
        let mut polygons = self.merged();
        self.drop_passed_points(&mut polygons);
        self.drop_passed_rim(&mut polygons);
        polygons
    }

    /// Creates one cell, of the first joint.
    fn of_first(corners: [WeightedCorner<'a>; 3]) -> Self {
        let mut joints: Vec<usize> =
            corners.iter().flat_map(|corner| corner.weights.iter().map(|own| own.0)).collect();
        joints.sort_unstable();
        joints.dedup();
        let point = |i: usize| CellPoint {
            at: [0, 1, 2].map(|k| if k == i { 1.0 } else { 0.0 }),
            position: corners[i].position,
            weights: joints.iter().map(|&joint| weight(&corners[i], joint)).collect(),
            greatest: 0.0,
        };
        let points = (0..3).map(point).collect();
        let side = |i: usize| {
            let next = (i + 1) % 3;
            let reversed = compare_ends(&corners[i], &corners[next]).is_gt();
            let [a, b] = if reversed { [next, i] } else { [i, next] };
            let end = |point, along| SidePoint { point, along, owner: None };
            let ends = [a, b].map(|corner| corners[corner]);
            CellSide { ends, reversed, points: vec![end(a, 0.0), end(b, 1.0)] }
        };
        let cells = vec![Cell { owner: 0, points: vec![0, 1, 2] }];
        Cells { corners, joints, points, cells, sides: [side(0), side(1), side(2)] }
    }

    /// Gives a joint the regions where its weight is greater than those of the joints before it.
    fn add_joint(&mut self, joint: usize) {
        let leads = |point: &CellPoint| point.weights[joint] - point.greatest;
        let mut leads: Vec<f64> = self.points.iter().map(leads).collect();
        let mut splits: HashMap<[usize; 2], usize> = HashMap::new();
        (0..3).for_each(|side| self.split_side(side, joint, (&leads, &mut splits)));
        for cell in std::mem::take(&mut self.cells) {
            self.split_cell(cell, joint, (&leads, &mut splits));
        }
        leads.resize(self.points.len(), 0.0);
        for (point, lead) in self.points.iter_mut().zip(leads) {
            point.greatest = if lead < 0.0 { point.greatest } else { point.weights[joint] };
        }
    }

    /// Splits an edge of the triangle where the sign of the joint's lead changes.
    fn split_side(
        &mut self,
        side: usize,
        joint: usize,
        (leads, splits): (&[f64], &mut HashMap<[usize; 2], usize>),
    ) {
        let known = std::mem::take(&mut self.sides[side].points);
        let mut all = Vec::with_capacity(known.len() + 1);
        for (index, &from) in known.iter().enumerate() {
            let Some(to) = known.get(index + 1) else {
                all.push(from);
                break;
            };
            let (start, end) = (leads[from.point], leads[to.point]);
            if start * end < 0.0 {
                let share = snapped_share(start / (start - end));
                let along = match share {
                    0.0 => from.along,
                    1.0 => to.along,
                    _ => from.along + (to.along - from.along) * share,
                };
                let point = self.points.len();
                self.points.push(self.side_point(side, along));
                splits.insert(undirected(from.point, to.point), point);
                let [before, after] = match start > 0.0 {
                    true => [Some(joint), from.owner],
                    false => [from.owner, Some(joint)],
                };
                all.push(SidePoint { owner: before, ..from });
                all.push(SidePoint { point, along, owner: after });
            } else {
                let takes = start > 0.0 || end > 0.0;
                all.push(SidePoint { owner: if takes { Some(joint) } else { from.owner }, ..from });
            }
        }
        self.sides[side].points = all;
    }

    /// Returns a point of an edge of the triangle.
    fn side_point(&self, side: usize, along: f64) -> CellPoint {
        let CellSide { ends: [a, b], reversed, .. } = &self.sides[side];
        let between = |a: f64, b: f64| if along == 1.0 { b } else { a + (b - a) * along };
        let mut at = [0.0; 3];
        let (first, second) =
            if *reversed { ((side + 1) % 3, side) } else { (side, (side + 1) % 3) };
        (at[first], at[second]) = (1.0 - along, along);
        let position = [0, 1, 2].map(|i| between(a.position[i], b.position[i]));
        let weights = self.joints.iter().map(|&joint| between(weight(a, joint), weight(b, joint)));
        CellPoint { at, position: position.into(), weights: weights.collect(), greatest: 0.0 }
    }

    /// Returns a point between two others inside the triangle.
    fn inner_point(&self, [from, to]: [usize; 2], share: f64) -> CellPoint {
        let [a, b] = [from, to].map(|point| &self.points[point]);
        if share == 0.0 || share == 1.0 {
            return if share == 0.0 { a.clone() } else { b.clone() };
        }
        let at = [0, 1, 2].map(|i| a.at[i] + (b.at[i] - a.at[i]) * share);
        let sum = |value: &dyn Fn(usize) -> f64| (0..3).map(|i| at[i] * value(i)).sum::<f64>();
        let weights = self.joints.iter();
        let weights = weights.map(|&joint| sum(&|i| weight(&self.corners[i], joint))).collect();
        let position = Vector3::from_fn(|row, _| sum(&|i| self.corners[i].position[row]));
        CellPoint { at, position: position.into(), weights, greatest: 0.0 }
    }

    /// Splits a cell into the part of its owner and the parts of the joint: one polygon for each
    /// run of corners with a lead. Rounding may make more than one run.
    fn split_cell(
        &mut self,
        cell: Cell,
        joint: usize,
        (leads, splits): (&[f64], &mut HashMap<[usize; 2], usize>),
    ) {
        let signs: Vec<f64> = cell.points.iter().map(|&point| leads[point]).collect();
        if !signs.iter().any(|&lead| lead > 0.0) {
            return self.cells.push(cell);
        }
        if !signs.iter().any(|&lead| lead < 0.0) {
            return self.cells.push(Cell { owner: joint, ..cell });
        }
        let count = cell.points.len();
        let mut around: Vec<(usize, f64)> = Vec::with_capacity(count + 2);
        for index in 0..count {
            let next = (index + 1) % count;
            let [from, to] = [cell.points[index], cell.points[next]];
            around.push((from, signs[index]));
            if signs[index] * signs[next] < 0.0 {
                let edge = undirected(from, to);
                let split = *splits.entry(edge).or_insert_with(|| {
                    let [start, end] = edge.map(|point| leads[point]);
                    self.points.push(self.inner_point(edge, snapped_share(start / (start - end))));
                    self.points.len() - 1
                });
                around.push((split, 0.0));
            }
        }
        // Starts at a corner without lead, so that no run wraps around the end of the list.
        let start = around.iter().position(|(_, lead)| *lead < 0.0).unwrap_or(0);
        around.rotate_left(start);
        let mut stays = Vec::new();
        let mut index = 0;
        while index < around.len() {
            let (point, lead) = around[index];
            if lead > 0.0 {
                let length = around[index..].iter().take_while(|(_, lead)| *lead > 0.0).count();
                let last = (index + length) % around.len();
                let run = (index - 1..index + length).map(|i| around[i].0);
                let points = run.chain([around[last].0]).collect();
                self.cells.push(Cell { owner: joint, points });
                index += length;
            } else {
                stays.push(point);
                index += 1;
            }
        }
        self.cells.push(Cell { owner: cell.owner, points: stays });
    }

    /// Returns one polygon an owner if its cells make a convex one, else the cells.
    fn merged(&self) -> Vec<Cell> {
        let mut polygons = Vec::new();
        for owner in 0..self.joints.len() {
            let cells: Vec<&Cell> = self.cells.iter().filter(|cell| cell.owner == owner).collect();
            match self.merged_loop(&cells).filter(|_| cells.len() > 1) {
                Some(points) => polygons.push(Cell { owner, points }),
                None => polygons.extend(cells.into_iter().cloned()),
            }
        }
        polygons
    }

    /// Returns the boundary of several cells; `None` unless it is one convex loop.
    fn merged_loop(&self, cells: &[&Cell]) -> Option<Vec<usize>> {
        let mut edges: Vec<[usize; 2]> = Vec::new();
        for [from, to] in cells.iter().flat_map(|cell| cell_edges(&cell.points)) {
            match edges.iter().position(|&edge| edge == [to, from]) {
                Some(back) => drop(edges.swap_remove(back)),
                None => edges.push([from, to]),
            }
        }
        let mut points = vec![edges.first()?[0]];
        while points.len() <= edges.len() {
            let here = points[points.len() - 1];
            let mut onward = edges.iter().filter(|[from, _]| *from == here);
            match (onward.next(), onward.next()) {
                (Some(&[_, to]), None) if to == points[0] => break,
                (Some(&[_, to]), None) => points.push(to),
                _ => return None,
            }
        }
        let count = points.len();
        let turn = |i: usize| {
            let [a, b, c] = [i, i + 1, i + 2].map(|i| &self.points[points[i % count]]);
            doubled_area(a, b, c)
        };
        let convex = count == edges.len() && (0..count).all(|i| turn(i) >= -CONVEX_ERROR);
        convex.then_some(points)
    }

    /// Drops points inside the triangle that exactly two polygons pass.
    fn drop_passed_points(&self, polygons: &mut [Cell]) {
        let on_side = |point| self.sides.iter().any(|s| s.points.iter().any(|p| p.point == point));
        for point in (3..self.points.len()).filter(|&point| !on_side(point)) {
            let holders: Vec<(usize, usize)> = polygons_with(polygons, point);
            let [(p, i), (q, k)] = holders[..] else { continue };
            let beside = |polygon: &Cell, at: usize| {
                let count = polygon.points.len();
                [polygon.points[(at + count - 1) % count], polygon.points[(at + 1) % count]]
            };
            let ([a, b], [c, d]) = (beside(&polygons[p], i), beside(&polygons[q], k));
            let large = polygons[p].points.len() > 3 && polygons[q].points.len() > 3;
            if p != q && large && a == d && b == c {
                polygons[p].points.remove(i);
                polygons[q].points.remove(k);
            }
        }
    }

    /// Drops points of the triangle's edges where the owner of the edge does not change. If another
    /// polygon keeps such a point, a triangle without area joins it to the edge.
    fn drop_passed_rim(&self, polygons: &mut Vec<Cell>) {
        for side in &self.sides {
            let passed = |w: &[SidePoint]| w[0].owner == w[1].owner;
            let inner = side.points.windows(2).filter(|w| passed(w)).map(|w| w[1].point);
            let passed: Vec<usize> = inner.filter(|point| *point > 2).collect();
            let mut kept: Vec<usize> = Vec::new();
            for &SidePoint { point, .. } in &side.points {
                let holders = polygons_with(polygons, point);
                match holders[..] {
                    [(p, i)] if passed.contains(&point) && polygons[p].points.len() > 3 => {
                        polygons[p].points.remove(i);
                    }
                    _ => kept.push(point),
                }
            }
            if side.reversed {
                kept.reverse();
            }
            for chain in kept.chunk_by(|_, to| passed.contains(to)) {
                // The last point of a chain precedes one that remains on the edge.
                let Some(end) = kept.iter().position(|p| Some(p) == chain.last()) else { continue };
                let (Some(&to), [from, between @ ..]) = (kept.get(end + 1), chain) else {
                    continue;
                };
                let Some(owner) = edge_owner(polygons, *from, chain[1..].first()) else { continue };
                let points = [*from, to].into_iter().chain(between.iter().rev().copied());
                polygons.push(Cell { owner, points: points.collect() });
            }
        }
    }
}

/// Returns the owner of the polygon with an edge; `None` if there is none.
fn edge_owner(polygons: &[Cell], from: usize, to: Option<&usize>) -> Option<usize> {
    let to = *to?;
    let holds = |polygon: &&Cell| cell_edges(&polygon.points).any(|edge| edge == [from, to]);
    polygons.iter().find(holds).map(|polygon| polygon.owner)
}

/// Returns the polygons that contain a point, with its index in each.
fn polygons_with(polygons: &[Cell], point: usize) -> Vec<(usize, usize)> {
    let index = |polygon: &Cell| polygon.points.iter().position(|&other| other == point);
    polygons.iter().enumerate().filter_map(|(p, polygon)| Some((p, index(polygon)?))).collect()
}

fn cell_edges(points: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(&from, &to)| [from, to])
}

fn undirected(a: usize, b: usize) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Rounds a share of an edge to 0 or 1 next to its ends.
fn snapped_share(share: f64) -> f64 {
    match share {
        low if low < MIN_SHARE => 0.0,
        high if high > 1.0 - MIN_SHARE => 1.0,
        between => between,
    }
}

fn weight(corner: &WeightedCorner<'_>, joint: usize) -> f64 {
    corner.weights.iter().find(|(known, _)| *known == joint).map_or(0.0, |(_, weight)| *weight)
}

/// Orders the ends of an edge, equally for all triangles at this edge.
fn compare_ends(a: &WeightedCorner<'_>, b: &WeightedCorner<'_>) -> Ordering {
    // Makes -0 equal to 0.
    let positions = (0..3).map(|i| (a.position[i] + 0.0).total_cmp(&(b.position[i] + 0.0)));
    let weights = a.weights.iter().zip(b.weights);
    let weights = weights.map(|(a, b)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let order = positions.chain(weights).find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
    order.then(a.weights.len().cmp(&b.weights.len()))
}

/// Returns twice the signed area between three points, as a share of twice that of the triangle.
pub(super) fn doubled_area(a: &CellPoint, b: &CellPoint, c: &CellPoint) -> f64 {
    let [ux, uy] = [1, 2].map(|i| b.at[i] - a.at[i]);
    let [vx, vy] = [1, 2].map(|i| c.at[i] - a.at[i]);
    ux * vy - uy * vx
}
