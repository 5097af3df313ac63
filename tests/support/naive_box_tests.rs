//! Naive box tests that the SAT replaces, each with its comparisons counted.
//!
//! None of them is right alone; tests show their misses, and benches time them. Read as closed:
//! touching counts.

use boxwood::shape::Aabb;

use super::plain_box::{PlainBox, V, inner, minus};

/// Counts comparisons. All comparisons of a test are made: no early out.
#[derive(Default)]
pub struct Counter(pub usize);

impl Counter {
    fn at_most(&mut self, a: f64, b: f64) -> bool {
        self.0 += 1;
        a <= b
    }

    fn below(&mut self, a: f64, b: f64) -> bool {
        self.0 += 1;
        a < b
    }
}

type Solid = Aabb<f64, 3>;

/// Tests baseline 1: a corner of one is in the other. 2 x 8 x 6 = 96 comparisons. Misses boxes that
/// pierce each other.
pub fn corners_in_box(a: &Solid, b: &Solid, count: &mut Counter) -> bool {
    corners_inside(a, b, count, Counter::at_most)
}

/// Tests baseline 1 as its source prints it, with strict comparisons: misses touching and identical
/// boxes too.
pub fn corners_in_open_box(a: &Solid, b: &Solid, count: &mut Counter) -> bool {
    corners_inside(a, b, count, Counter::below)
}

fn corners_inside(
    a: &Solid,
    b: &Solid,
    count: &mut Counter,
    before: fn(&mut Counter, f64, f64) -> bool,
) -> bool {
    let mut found = false;
    for (corners, solid) in [(a, b), (b, a)] {
        for corner in corners.corners() {
            let mut inside = true;
            for i in 0..3 {
                inside &= before(count, solid.min[i], corner[i]);
                inside &= before(count, corner[i], solid.max[i]);
            }
            found |= inside;
        }
    }
    found
}

/// Tests baseline 2: an edge of one crosses the surface of the other, by 24 edges of at least 6
/// comparisons: 144. Misses a box inside the other.
pub fn edges_through_box(a: &Solid, b: &Solid, count: &mut Counter) -> bool {
    let mut found = false;
    for (edges, solid) in [(a, b), (b, a)] {
        for along in 0..3 {
            for ends in 0..4 {
                found |= edge_through(edges, along, ends, solid, count);
            }
        }
    }
    found
}

/// Tests the edge of `edges` parallel to axis `along`; the bits of `ends` choose one of four.
fn edge_through(edges: &Solid, along: usize, ends: usize, solid: &Solid, n: &mut Counter) -> bool {
    let mut within = true;
    for k in 0..2 {
        let axis = (along + 1 + k) % 3;
        let at = if ends >> k & 1 == 1 { edges.max[axis] } else { edges.min[axis] };
        within &= n.at_most(solid.min[axis], at);
        within &= n.at_most(at, solid.max[axis]);
    }
    let (low, high) = (edges.min[along], edges.max[along]);
    let crosses = |n: &mut Counter, face: f64| {
        let before = n.at_most(low, face);
        n.at_most(face, high) && before
    };
    let first = crosses(n, solid.min[along]);
    within && (first || crosses(n, solid.max[along]))
}

/// Tests baseline 3, for rotated boxes: an edge of one crosses a face of the other. 12 x 6 x 2 =
/// 144 edge-face tests, which are counted. Misses a box inside the other.
pub fn edges_through_faces(a: &PlainBox, b: &PlainBox, count: &mut Counter) -> bool {
    let mut found = false;
    for (edges, solid) in [(a, b), (b, a)] {
        for [p, q] in edges.edges([0.0; 3]) {
            for face in 0..6 {
                count.0 += 1;
                found |= edge_cuts_face(p, q, solid, face / 2, face % 2 == 1);
            }
        }
    }
    found
}

fn edge_cuts_face(p: V, q: V, solid: &PlainBox, i: usize, upper: bool) -> bool {
    let face = if upper { solid.half[i] } else { -solid.half[i] };
    let height = |x: V| inner(minus(x, solid.center), solid.axes[i]) - face;
    let (d0, d1) = (height(p), height(q));
    if d0 * d1 > 0.0 {
        return false;
    }
    let share = if d0 == d1 { 0.0 } else { d0 / (d0 - d1) };
    let cut: V = std::array::from_fn(|k| p[k] + share * (q[k] - p[k]));
    let from = minus(cut, solid.center);
    (1..3).map(|k| (i + k) % 3).all(|k| inner(from, solid.axes[k]).abs() <= solid.half[k])
}

/// Returns the verdict as the crate computes it, counted: at most 6 comparisons.
pub fn interval_test(a: &Solid, b: &Solid, count: &mut Counter) -> bool {
    let mut compare = |x: f64, y: f64| count.at_most(x, y);
    (0..3).all(|i| compare(a.min[i], b.max[i]) && compare(b.min[i], a.max[i]))
}

/// Returns the overlap region as described by its source, counted: 6 selections and 3 comparisons.
pub fn region_test(a: &Solid, b: &Solid, count: &mut Counter) -> Option<Solid> {
    let (mut low, mut high) = (a.min, a.max);
    for i in 0..3 {
        low[i] = if count.below(a.min[i], b.min[i]) { b.min[i] } else { a.min[i] };
        high[i] = if count.below(b.max[i], a.max[i]) { b.max[i] } else { a.max[i] };
    }
    let closed = (0..3).filter(|&i| count.at_most(low[i], high[i])).count();
    (closed == 3).then(|| Aabb::new(low, high))
}
