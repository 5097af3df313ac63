//! Exact intersection of two posed parts: hull against hull of primitives, and points inside closed
//! meshes.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::HashMap;

use boxwood::num::Scalar;
use boxwood::shape::Mesh;
use boxwood::tree::Geometry;

use crate::exact_hulls::{self, sign};
use crate::placed_corners::{Corner, Place, Placed, cross, difference, dot};
use crate::plain_box::{PlainBox, V, inner, minus, outer};
use crate::random::Random;

/// Geometry of a part as corners of its primitives, their bounds, and a point of every connected
/// piece.
pub struct Body {
    primitives: Vec<Vec<Corner>>,
    pieces: Vec<V>,
    closed: bool,
    mesh: bool,
}

impl Body {
    pub fn of<T: Scalar>(geometry: &Geometry<T>) -> Self {
        let closed = matches!(geometry, Geometry::Solid(_));
        match geometry {
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                let corner = |p: &nalgebra::Point3<T>| -> V { [p.x, p.y, p.z].map(T::wide) };
                let triangles: Vec<[V; 3]> = (0..mesh.triangles().len())
                    .map(|i| mesh.corners(i).map(|p| corner(&p)))
                    .collect();
                let primitives = triangles.iter().map(|t| t.map(Corner::Point).to_vec()).collect();
                Body { primitives, pieces: pieces(mesh, &triangles), closed, mesh: true }
            }
            Geometry::Boxes(boxes) => {
                let blocks: Vec<PlainBox> = boxes.iter().map(PlainBox::of).collect();
                let corners = |b: &PlainBox| (0..8).map(|bits| Corner::OfBox(*b, bits)).collect();
                let pieces = blocks.iter().map(|b| b.center).collect();
                let primitives = blocks.iter().map(corners).collect();
                Body { primitives, pieces, closed: false, mesh: false }
            }
            _ => Body { primitives: Vec::new(), pieces: Vec::new(), closed, mesh: true },
        }
    }

    /// Returns the low and high corner of every primitive, padded beyond all rounding [world].
    fn bounds(&self, place: &Place) -> Vec<[V; 2]> {
        let moved = |corners: &Vec<Corner>| {
            let points: Vec<V> = corners.iter().map(|c| place.moved(c.local())).collect();
            let fold = |pick: fn(f64, f64) -> f64, sign: f64| -> V {
                std::array::from_fn(|i| {
                    let most = points.iter().map(|p| p[i]).reduce(pick).expect("corners");
                    most + sign
                        * 1e-12
                        * (1.0 + points.iter().map(|p| inner(*p, *p).sqrt()).fold(0.0, f64::max))
                })
            };
            [fold(f64::min, -1.0), fold(f64::max, 1.0)]
        };
        self.primitives.iter().map(moved).collect()
    }
}

/// Returns the first corner of each set of triangles that are connected by equal corners.
fn pieces<T: Scalar>(mesh: &Mesh<T>, triangles: &[[V; 3]]) -> Vec<V> {
    let mut at: HashMap<[u64; 3], Vec<usize>> = HashMap::new();
    let key = |p: V| p.map(|x| (x + 0.0).to_bits());
    for (index, t) in triangles.iter().enumerate() {
        t.iter().for_each(|&p| at.entry(key(p)).or_default().push(index));
    }
    let mut seen = vec![false; mesh.triangles().len()];
    let mut firsts = Vec::new();
    for start in 0..triangles.len() {
        if seen[start] {
            continue;
        }
        firsts.push(triangles[start][0]);
        let mut open = vec![start];
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut seen[index], true) {
                open.extend(triangles[index].iter().flat_map(|&p| &at[&key(p)]));
            }
        }
    }
    firsts
}

/// Returns every two primitives that share a point, by index.
pub fn touching_primitives(
    placed: &Placed,
    a: &Body,
    b: &Body,
    first_only: bool,
) -> Vec<(u32, u32)> {
    let (bounds_a, bounds_b) = (a.bounds(&placed.a), b.bounds(&placed.b));
    let mut order: Vec<usize> = (0..bounds_b.len()).collect();
    order.sort_by(|&i, &j| bounds_b[i][0][0].total_cmp(&bounds_b[j][0][0]));
    let mut found = Vec::new();
    for (i, x) in bounds_a.iter().enumerate() {
        let end = order.partition_point(|&j| bounds_b[j][0][0] <= x[1][0]);
        for &j in &order[..end] {
            let y = &bounds_b[j];
            let overlap = (0..3).all(|k| x[0][k] <= y[1][k] && y[0][k] <= x[1][k]);
            if overlap && exact_hulls::touch(placed, &a.primitives[i], &b.primitives[j]) {
                found.push((i as u32, j as u32));
                if first_only {
                    return found;
                }
            }
        }
    }
    found
}

/// Returns `true` if the parts share a point.
pub fn touch(placed: &Placed, a: &Body, b: &Body) -> bool {
    let turned = Placed { a: placed.b, b: placed.a };
    let inside = |placed: &Placed, outer: &Body, inner: &Body| {
        outer.closed && inner.pieces.iter().any(|&p| winding(placed, outer, p) != 0)
    };
    !touching_primitives(placed, a, b, true).is_empty()
        || inside(placed, a, b)
        || inside(&turned, b, a)
}

/// Returns the winding number of the closed surface, the first part, around a point of the second
/// that is not on it.
///
/// It sums signed crossings of a segment to a distant point, chosen so that it touches no edge or
/// corner.
pub fn winding(placed: &Placed, surface: &Body, point: V) -> i32 {
    assert!(surface.mesh && surface.closed);
    let size = surface.primitives.iter().flatten().map(|c| inner(c.local(), c.local()).sqrt());
    let size = size.fold(1e-300, f64::max);
    let mut random = Random(99);
    loop {
        // Any outside point suffices, so rounding does no harm.
        let far = random.direction().map(|x| 4.0 * size * x);
        let crossings: Option<i32> = surface
            .primitives
            .iter()
            .map(|triangle| crossing(placed, triangle, Corner::Point(far), Corner::Point(point)))
            .sum();
        if let Some(winding) = crossings {
            return winding;
        }
    }
}

/// Returns 1 if the segment from the point leaves through the triangle, -1 if it enters; `None` if
/// it passes through an edge or a corner, or an end is in the plane.
fn crossing(placed: &Placed, triangle: &[Corner], far: Corner, point: Corner) -> Option<i32> {
    // Relative to the point.
    let (corners, doubts): (Vec<V>, Vec<f64>) =
        triangle.iter().chain([&far]).map(|corner| placed.difference(corner, &point)).unzip();
    let doubt = doubts.iter().copied().fold(0.0, f64::max);
    let m = corners.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs())) + 2.0 * doubt;
    let limit = 200.0 * m * m * (doubt + 1e-15 * m);
    let [a, b, c, q] = [0, 1, 2, 3].map(|i| corners[i]);
    let normal = outer(minus(b, a), minus(c, a));
    let rounded = [
        inner(q, outer(a, b)),
        inner(q, outer(b, c)),
        inner(q, outer(c, a)),
        inner(normal, a),
        inner(normal, minus(a, q)),
    ];
    let signs = rounded.map(|d| match d {
        d if d > limit => Some(Greater),
        d if d < -limit => Some(Less),
        _ => None,
    });
    let signs = match signs.iter().all(Option::is_some) {
        true => signs.map(|s| s.unwrap_or(Equal)),
        false => {
            let all: Vec<Corner> = triangle.iter().chain([&far]).copied().collect();
            let (x, p) = placed.whole(&all, &[point]);
            let [a, b, c, q] = [0, 1, 2, 3].map(|i| difference(&x[i], &p[0]));
            let normal = cross(&difference(&b, &a), &difference(&c, &a));
            [
                dot(&q, &cross(&a, &b)),
                dot(&q, &cross(&b, &c)),
                dot(&q, &cross(&c, &a)),
                dot(&normal, &a),
                dot(&normal, &difference(&a, &q)),
            ]
            .map(|d| sign(&d))
        }
    };
    let [ab, bc, ca, near, beyond] = signs;
    let sides = [ab, bc, ca];
    if sides.contains(&Less) && sides.contains(&Greater) {
        return Some(0);
    }
    if sides.contains(&Equal) || near == Equal || beyond == Equal {
        // Nothing passes through a flat triangle.
        let flat = sides == [Equal; 3] && near == Equal && beyond == Equal;
        return if flat { Some(0) } else { None };
    }
    match near == beyond {
        true => Some(0),
        false => Some(if near == Greater { 1 } else { -1 }),
    }
}

compiled_here! { Body::of }
