//! Exact intersection of two posed parts, by SAT and winding numbers in independent arithmetic.

use std::collections::HashMap;

use boxwood::num::Scalar;
use boxwood::shape::{Mesh, Pose};
use boxwood::tree::Geometry;

use crate::exact_sat::{RoundedPolytope, Whole, share_a_point};
use crate::plain_box::{PlainBox, V, inner, minus, plus, times};
use crate::rational_points::{self, Motion, Stored, lowest_of_block, lowest_of_triangle, motions};
use crate::triangle_distance::Triangle;
use crate::winding_number;

/// Primitive in the frame of its part.
#[derive(Clone, Copy, Debug)]
pub enum Primitive {
    Triangle(Triangle),
    Solid(PlainBox),
}

/// Geometry of a part in the oracle.
#[derive(Clone, Debug)]
pub struct Part {
    pub primitives: Vec<Primitive>,
    /// A primitive of every connected piece.
    pieces: Vec<usize>,
    closed: bool,
    low: i32,
}

impl Part {
    pub fn of<T: Scalar>(geometry: &Geometry<T>) -> Part {
        let (primitives, pieces) = match geometry {
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => triangles(mesh),
            Geometry::Boxes(boxes) => {
                let blocks = boxes.iter().map(|solid| Primitive::Solid(PlainBox::of(solid)));
                (blocks.collect(), (0..boxes.len()).collect())
            }
            _ => (Vec::new(), Vec::new()),
        };
        let low = |primitive: &Primitive| match primitive {
            Primitive::Triangle(corners) => lowest_of_triangle(corners),
            Primitive::Solid(block) => lowest_of_block(block),
        };
        let low = primitives.iter().map(low).min().unwrap_or(0);
        Part { primitives, pieces, closed: matches!(geometry, Geometry::Solid(_)), low }
    }
}

/// Returns the triangles, and the first of each set connected by corners.
fn triangles<T: Scalar>(mesh: &Mesh<T>) -> (Vec<Primitive>, Vec<usize>) {
    let corner = |p: nalgebra::Point3<T>| [p.x, p.y, p.z].map(|x| x.wide() + 0.0);
    let corners: Vec<Triangle> =
        (0..mesh.triangles().len()).map(|i| mesh.corners(i).map(corner)).collect();
    let mut leader: Vec<usize> = (0..corners.len()).collect();
    let find = |leader: &mut Vec<usize>, mut i: usize| {
        while leader[i] != i {
            leader[i] = leader[leader[i]];
            i = leader[i];
        }
        i
    };
    let mut at = HashMap::new();
    for (index, triangle) in corners.iter().enumerate() {
        for p in triangle {
            let other = *at.entry(p.map(f64::to_bits)).or_insert(index);
            let (i, j) = (find(&mut leader, index), find(&mut leader, other));
            leader[i.max(j)] = i.min(j);
        }
    }
    let pieces = (0..corners.len()).filter(|&i| leader[i] == i).collect();
    (corners.into_iter().map(Primitive::Triangle).collect(), pieces)
}

/// Rounded primitive in the world with an aligned box that certainly contains it.
struct Placed {
    rough: RoundedPolytope,
    low: V,
    high: V,
}

/// Two posed parts, relative to the first one's position.
pub struct ExactPair<'a> {
    parts: [&'a Part; 2],
    placed: [Vec<Placed>; 2],
    poses: [Stored; 2],
    motions: [Motion; 2],
}

impl<'a> ExactPair<'a> {
    pub fn new<T: Scalar>(a: &'a Part, pose_a: &Pose<T>, b: &'a Part, pose_b: &Pose<T>) -> Self {
        let poses = [Stored::of(pose_a), Stored::of(pose_b)];
        let between = minus(poses[1].p, poses[0].p);
        let place = |part: &Part, pose: &Stored, at: V| -> Vec<Placed> {
            let rows = pose.rows();
            part.primitives.iter().map(|primitive| placed(primitive, &rows, at)).collect()
        };
        let placed = [place(a, &poses[0], [0.0; 3]), place(b, &poses[1], between)];
        let motions = motions(&poses[0], &poses[1], a.low.min(b.low));
        ExactPair { parts: [a, b], placed, poses, motions }
    }

    /// Returns `true` if two primitives share a point.
    pub fn primitives(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.placed[0][i], &self.placed[1][j]);
        let beside = |k: usize| a.high[k] < b.low[k] || b.high[k] < a.low[k];
        let whole = |side: usize, index: usize| {
            exactly(&self.parts[side].primitives[index], &self.motions[side])
        };
        !(0..3).any(beside) && share_a_point(&a.rough, &b.rough, || [whole(0, i), whole(1, j)])
    }

    /// Returns every two primitives that share a point, at most `most` of them, sorted.
    pub fn pairs(&self, most: usize) -> Vec<(u32, u32)> {
        let mut order: Vec<(usize, usize)> = (0..2)
            .flat_map(|side| (0..self.placed[side].len()).map(move |index| (side, index)))
            .collect();
        let low = |&(side, index): &(usize, usize)| self.placed[side][index].low[0];
        order.sort_by(|x, y| low(x).total_cmp(&low(y)));
        let (mut open, mut found) = ([Vec::new(), Vec::new()], Vec::new());
        for (side, index) in order {
            let start = self.placed[side][index].low[0];
            open[1 - side].retain(|&other: &usize| self.placed[1 - side][other].high[0] >= start);
            for &other in &open[1 - side] {
                let (i, j) = if side == 0 { (index, other) } else { (other, index) };
                if found.len() < most && self.primitives(i, j) {
                    found.push((i as u32, j as u32));
                }
            }
            if found.len() >= most {
                break;
            }
            open[side].push(index);
        }
        found.sort_unstable();
        found
    }

    /// Returns `true` if a piece of one part is inside the other, which is a closed mesh.
    pub fn inside(&self) -> bool {
        (0..2).any(|side| {
            let pieces = &self.parts[1 - side].pieces;
            self.parts[side].closed && pieces.iter().any(|&piece| self.winding(side, piece) != 0)
        })
    }

    /// Returns `true` if the parts share a point.
    pub fn touch(&self) -> bool {
        !self.pairs(1).is_empty() || self.inside()
    }

    /// Returns the winding number of the closed mesh on one side around a point of a primitive of
    /// the other part.
    fn winding(&self, side: usize, index: usize) -> i32 {
        let point = match self.parts[1 - side].primitives[index] {
            Primitive::Triangle(corners) => corners[0],
            Primitive::Solid(block) => block.center,
        };
        let (other, at) = (&self.poses[1 - side], self.position(1 - side));
        let rough = plus(turned(&other.rows(), point), at);
        let size = magnitude(point) + magnitude(at);
        let beside = |k: usize| {
            let placed = || self.placed[side].iter();
            placed().all(|one| rough[k] + doubt(size) < one.low[k])
                || placed().all(|one| rough[k] - doubt(size) > one.high[k])
        };
        if (0..3).any(beside) {
            return 0;
        }
        let spot =
            winding_number::QueryPoint { rough, size, whole: self.motions[1 - side].point(point) };
        let whole =
            |index: usize| exactly(&self.parts[side].primitives[index], &self.motions[side]);
        winding_number::number(&spot, self.placed[side].iter().map(|placed| &placed.rough), whole)
    }

    fn position(&self, side: usize) -> V {
        if side == 0 { [0.0; 3] } else { minus(self.poses[1].p, self.poses[0].p) }
    }
}

fn turned(rows: &[V; 3], v: V) -> V {
    rows.map(|row| inner(row, v))
}

/// Returns a bound on the error of a coordinate, valid for underflow too.
fn doubt(size: f64) -> f64 {
    1e-14 * size + f64::MIN_POSITIVE
}

fn magnitude(v: V) -> f64 {
    v.iter().map(|x| x.abs()).sum()
}

fn placed(primitive: &Primitive, rows: &[V; 3], at: V) -> Placed {
    let (points, edges, size) = match primitive {
        Primitive::Triangle(corners) => {
            let points = corners.map(|p| plus(turned(rows, p), at)).to_vec();
            let [a, b, c] = *corners;
            let edges = [minus(b, a), minus(c, b), minus(a, c)].map(|e| turned(rows, e));
            (points, edges, corners.map(magnitude).iter().fold(0.0, |m: f64, x| m.max(*x)))
        }
        Primitive::Solid(block) => {
            let edges: [V; 3] =
                std::array::from_fn(|k| turned(rows, times(block.axes[k], block.half[k])));
            let center = plus(turned(rows, block.center), at);
            let corner =
                |bits: usize| (0..3).fold(center, |p, k| plus(p, times(edges[k], end(bits, k))));
            let size = magnitude(block.center) + 2.0 * magnitude(block.half);
            ((0..8).map(corner).collect(), edges, size)
        }
    };
    let size = size + magnitude(at);
    let most = |k: usize| points.iter().map(|p: &V| p[k]).fold(f64::MIN, f64::max);
    let least = |k: usize| points.iter().map(|p: &V| p[k]).fold(f64::MAX, f64::min);
    let low = std::array::from_fn(|k| least(k) - doubt(size));
    let high = std::array::from_fn(|k| most(k) + doubt(size));
    Placed { rough: RoundedPolytope { points, edges, size }, low, high }
}

fn end(bits: usize, k: usize) -> f64 {
    if bits >> k & 1 == 1 { 1.0 } else { -1.0 }
}

fn exactly(primitive: &Primitive, motion: &Motion) -> Whole {
    match primitive {
        Primitive::Triangle(corners) => {
            let [a, b, c] = motion.triangle(corners);
            let edges = [
                rational_points::minus(&b, &a),
                rational_points::minus(&c, &b),
                rational_points::minus(&a, &c),
            ];
            Whole { points: vec![a, b, c], edges }
        }
        Primitive::Solid(block) => {
            let (center, edges) = motion.block(block);
            let corner = |bits: usize| {
                (0..3).fold(center.clone(), |p, k| match end(bits, k) > 0.0 {
                    true => rational_points::plus(&p, &edges[k]),
                    false => rational_points::minus(&p, &edges[k]),
                })
            };
            Whole { points: (0..8).map(corner).collect(), edges }
        }
    }
}

/// Returns `true` if two parts share a point.
pub fn touch<T: Scalar>(
    (a, pose_a): (&Geometry<T>, &Pose<T>),
    (b, pose_b): (&Geometry<T>, &Pose<T>),
) -> bool {
    let (a, b) = (Part::of(a), Part::of(b));
    ExactPair::new(&a, pose_a, &b, pose_b).touch()
}

compiled_here! { Part::of, ExactPair::new, touch }
