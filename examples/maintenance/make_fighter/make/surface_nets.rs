//! Surface nets: one surface through the cells of a grid where a field changes its sign.
//!
//! Surface nets (Gibson 1998): a vertex a cell, a quad around each edge of the grid that is cut.
//! Then vertices are smoothed along the surface and projected onto it.

use std::collections::BTreeMap;

use nalgebra::{Point3, Vector3};

use super::body_field::Field;

/// Edge length of a cell [m].
const CELL: f64 = 0.0275;
/// Number of smoothing rounds.
const ROUNDS: usize = 3;

/// Number of cells from the mid-line to the side, up, and to the front and the back.
const SIDE: i32 = (0.85 / CELL) as i32;
const UP: i32 = (1.85 / CELL) as i32;
const AHEAD: i32 = (0.45 / CELL) as i32;

pub type Cell = [i32; 3];

/// Vertices and the quads between them, facing outward.
pub struct Net {
    pub points: Vec<Point3<f64>>,
    pub quads: Vec<[usize; 4]>,
}

/// Position of a corner of the grid. The mid-line and the floor run through the middle of cells, so
/// that the net has vertices on them.
fn corner([i, j, k]: Cell) -> Point3<f64> {
    Point3::new(f64::from(i) - 0.5, f64::from(j) - 0.5, f64::from(k)) * CELL
}

/// Builds the surface of the field.
pub fn net(field: &Field) -> Net {
    let mut inside = std::collections::HashMap::new();
    let cells = |low: [i32; 2]| {
        (low[0]..=SIDE).flat_map(move |i| {
            (low[1]..=UP).flat_map(move |j| (-AHEAD..=AHEAD).map(move |k| [i, j, k]))
        })
    };
    for cell in cells([-SIDE, -1]) {
        inside.insert(cell, field.value(corner(cell)) < 0.0);
    }
    let mut net = Net { points: Vec::new(), quads: Vec::new() };
    let mut vertices = BTreeMap::new();
    for cell in cells([-SIDE, -1]) {
        for axis in 0..3 {
            let next = moved(cell, axis, 1);
            let (Some(&here), Some(&there)) = (inside.get(&cell), inside.get(&next)) else {
                continue;
            };
            if here == there {
                continue;
            }
            // The four cells around the edge, counter-clockwise seen from its end.
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let around = [(-1, -1), (0, -1), (0, 0), (-1, 0)];
            let mut quad = around.map(|(du, dv)| {
                let cell = moved(moved(cell, u, du), v, dv);
                *vertices.entry(cell).or_insert_with(|| {
                    net.points.push(corner(cell) + Vector3::repeat(0.5 * CELL));
                    net.points.len() - 1
                })
            });
            if there {
                quad.reverse();
            }
            net.quads.push(quad);
        }
    }
    net.even_out(field);
    net
}

fn moved(mut cell: Cell, axis: usize, by: i32) -> Cell {
    cell[axis] += by;
    cell
}

impl Net {
    /// Moves every vertex towards the mean of its neighbours and back onto the surface, several
    /// times.
    fn even_out(&mut self, field: &Field) {
        for _ in 0..ROUNDS {
            let mut sums = vec![(Vector3::zeros(), 0.0); self.points.len()];
            for quad in &self.quads {
                for at in 0..4 {
                    // The net contains each edge in both directions.
                    let sum = &mut sums[quad[at]];
                    sum.0 += self.points[quad[(at + 1) % 4]].coords;
                    sum.1 += 1.0;
                }
            }
            for (point, (sum, count)) in self.points.iter_mut().zip(sums) {
                *point = on_surface(field, Point3::from(sum / count));
            }
        }
    }

    /// Splits each quad into two triangles, along its shorter diagonal.
    pub fn triangles(&self) -> Vec<[usize; 3]> {
        let across = |a: usize, b: usize| (self.points[a] - self.points[b]).norm();
        let halves = |&[a, b, c, d]: &[usize; 4]| {
            if across(a, c) <= across(b, d) + 1e-9 {
                [[a, b, c], [a, c, d]]
            } else {
                [[b, c, d], [b, d, a]]
            }
        };
        self.quads.iter().flat_map(halves).collect()
    }
}

/// Returns the nearest point of the surface, by Newton steps of at most half a cell.
fn on_surface(field: &Field, mut point: Point3<f64>) -> Point3<f64> {
    for _ in 0..3 {
        let value = field.value(point);
        if value.abs() < 1e-7 {
            break;
        }
        let slope = field.slope(point);
        let step = slope * (value / slope.norm_squared().max(1e-3));
        point -= step.cap_magnitude(0.5 * CELL);
    }
    point
}
