//! Triangulation of polygons in space: concave, with holes, not exactly planar.
//!
//! Ears are cut off a ring of corners (G. Meisters, Polygons have ears, 1975; D. Eberly,
//! Triangulation by ear clipping, 2002, for holes). Implemented here so that a closed mesh remains
//! closed: every side of a polygon is a side of one of its triangles, including corners on a line.
//! The crate `earcut` drops such corners, and `spade` merges and splits sides, which leaves
//! T-junctions.

use nalgebra::Point3;

/// Kind under which self-crossing polygons are counted: their inside is not defined.
pub(in crate::load) const CROSSING_POLYGONS: &str = "insides of polygons that cross themselves";

/// Three indices of corners.
pub(in crate::load) type IndexTriple = [usize; 3];

/// Largest number of tests of a polygon for each of its corners: a hostile outline ends as a fan.
const MAX_TESTS_PER_CORNER: usize = 1 << 13;

/// The triangles of one polygon.
#[derive(Debug, PartialEq)]
pub(in crate::load) struct Triangulation {
    pub triangles: Vec<IndexTriple>,
    /// `false` if the outline crosses itself or a hole, so that its inside is not defined.
    pub simple: bool,
}

/// A point in the plane of the polygon, and the index of its corner.
#[derive(Debug, Clone, Copy)]
struct RingCorner {
    at: [f64; 2],
    index: usize,
}

/// Triangulates the ring of all corners.
pub(in crate::load) fn triangulate(corners: &[Point3<f64>]) -> Triangulation {
    triangulate_rings(corners, &[corners.len()])
}

/// Triangulates a polygon with holes: `ends` are the ends of the rings in `corners`, the outline
/// first. Holes may have either winding.
pub(in crate::load) fn triangulate_rings(corners: &[Point3<f64>], ends: &[usize]) -> Triangulation {
    let (&outline, holes) = ends.split_first().unwrap_or((&0, &[]));
    if outline == 3 && holes.is_empty() {
        return Triangulation { triangles: vec![[0, 1, 2]], simple: true };
    }
    let Some(axes) = plane_axes(&corners[..outline]) else {
        return Triangulation { triangles: fan(outline), simple: holes.is_empty() };
    };
    let flat = |index: usize| RingCorner { at: axes.map(|axis| corners[index][axis]), index };
    let mut ring: Vec<RingCorner> = (0..outline).map(flat).collect();
    if holes.is_empty() && is_convex(&ring) {
        return Triangulation { triangles: fan(outline), simple: true };
    }
    let mut budget = MAX_TESTS_PER_CORNER.saturating_mul(corners.len());
    let starts = ends.iter().copied();
    let mut holes: Vec<Vec<RingCorner>> =
        starts.zip(holes).map(|(start, &end)| (start..end).map(flat).collect()).collect();
    let bridged = bridge_holes(&mut ring, &mut holes, &mut budget);
    let (triangles, simple) = cut_ears(&ring, &mut budget);
    Triangulation { triangles, simple: simple && bridged }
}

/// Returns the two coordinates of the projection of a polygon along the greatest component of its
/// normal, in the order for which its area is positive; `None` without area.
///
/// Projected coordinates keep the bits of the file. The normal is Newell's (I. Sutherland, R.
/// Sproull and R. Schumacker, A characterization of ten hidden-surface algorithms, 1974).
fn plane_axes(corners: &[Point3<f64>]) -> Option<[usize; 2]> {
    let first = corners.first()?;
    let mut normal = [0.0; 3];
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (a, b) = (a - first, b - first);
        for (axis, sum) in normal.iter_mut().enumerate() {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            *sum += a[u] * b[v] - a[v] * b[u];
        }
    }
    let greatest = (1..3)
        .fold(0, |best, axis| if normal[axis].abs() > normal[best].abs() { axis } else { best });
    let (u, v) = ((greatest + 1) % 3, (greatest + 2) % 3);
    match normal[greatest] {
        area if area > 0.0 => Some([u, v]),
        area if area < 0.0 => Some([v, u]),
        _ => None,
    }
}

fn fan(corners: usize) -> Vec<IndexTriple> {
    (2..corners).map(|last| [0, last - 1, last]).collect()
}

/// Twice the signed area of a triangle, positive to the left.
fn area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Returns `true` if every corner turns left and the fan of the first corner has no flat triangle.
fn is_convex(ring: &[RingCorner]) -> bool {
    let count = ring.len();
    let at = |index: usize| ring[index % count].at;
    (0..count).all(|i| area(at(i), at(i + 1), at(i + 2)) > 0.0)
        && (2..count).all(|i| area(at(0), at(i - 1), at(i)) > 0.0)
}

/// Joins every hole to the ring by a bridge that is passed in both directions, the leftmost hole
/// first. Returns `false` if a hole has no free bridge to the ring; it is joined nevertheless.
fn bridge_holes(
    ring: &mut Vec<RingCorner>,
    holes: &mut Vec<Vec<RingCorner>>,
    budget: &mut usize,
) -> bool {
    let mut free = true;
    holes.retain(|hole| hole.len() > 2);
    for hole in holes.iter_mut() {
        let doubled: f64 = (0..hole.len())
            .map(|i| area(hole[0].at, hole[i].at, hole[(i + 1) % hole.len()].at))
            .sum();
        if doubled > 0.0 {
            hole.reverse();
        }
        let leftmost = (1..hole.len()).fold(0, |best, i| {
            let (a, b) = (hole[i].at, hole[best].at);
            if a[0] < b[0] || a[0] == b[0] && a[1] < b[1] { i } else { best }
        });
        hole.rotate_left(leftmost);
    }
    holes.sort_by(|a, b| {
        let [a, b] = [a[0].at, b[0].at];
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
    });
    for (index, hole) in holes.iter().enumerate() {
        let from = hole[0].at;
        let distance = |corner: &RingCorner| {
            let (x, y) = (corner.at[0] - from[0], corner.at[1] - from[1]);
            x * x + y * y
        };
        let mut candidates: Vec<usize> = (0..ring.len()).collect();
        candidates.sort_by(|&a, &b| distance(&ring[a]).total_cmp(&distance(&ring[b])));
        let rings = || std::iter::once(&ring[..]).chain(holes[index..].iter().map(Vec::as_slice));
        let sides: usize = rings().map(<[RingCorner]>::len).sum();
        let visible = candidates.iter().find(|&&candidate| {
            let within = budget.checked_sub(sides);
            *budget = within.unwrap_or(0);
            let to = ring[candidate].at;
            within.is_some()
                && faces_corner(ring, candidate, from)
                && !rings().any(|ring| blocks(ring, from, to))
        });
        free &= visible.is_some();
        let Some(&at) = visible.or(candidates.first()) else { return false };
        let inserted: Vec<RingCorner> = hole.iter().copied().chain([hole[0], ring[at]]).collect();
        ring.splice(at + 1..at + 1, inserted);
    }
    free
}

/// Returns `true` if the point is between the two sides of a corner, on the inside.
fn faces_corner(ring: &[RingCorner], corner: usize, point: [f64; 2]) -> bool {
    let (last, at) = (ring[(corner + ring.len() - 1) % ring.len()].at, ring[corner].at);
    let next = ring[(corner + 1) % ring.len()].at;
    let (after, before) = (area(last, at, point) > 0.0, area(at, next, point) > 0.0);
    if area(last, at, next) > 0.0 { after && before } else { after || before }
}

/// Returns `true` if a side of the ring crosses the segment, or a corner is within it.
fn blocks(ring: &[RingCorner], from: [f64; 2], to: [f64; 2]) -> bool {
    let apart = |a: f64, b: f64| a > 0.0 && b < 0.0 || a < 0.0 && b > 0.0;
    let between = |point: [f64; 2]| {
        let along = |axis: usize| apart(point[axis] - from[axis], point[axis] - to[axis]);
        along(0) || along(1)
    };
    (0..ring.len()).any(|index| {
        let (a, b) = (ring[index].at, ring[(index + 1) % ring.len()].at);
        let (side_a, side_b) = (area(from, to, a), area(from, to, b));
        let crossed = apart(side_a, side_b) && apart(area(a, b, from), area(a, b, to));
        crossed || side_a == 0.0 && between(a)
    })
}

/// A ring of corners from which ears are cut.
struct EarRing<'r> {
    corners: &'r [RingCorner],
    next: Vec<usize>,
    last: Vec<usize>,
    /// The corners that did not turn left at first: only these can be in an ear.
    reflex: Vec<usize>,
    is_cut: Vec<bool>,
}

impl EarRing<'_> {
    fn position(&self, corner: usize) -> [f64; 2] {
        self.corners[corner].at
    }

    fn area(&self, corner: usize) -> f64 {
        area(
            self.position(self.last[corner]),
            self.position(corner),
            self.position(self.next[corner]),
        )
    }

    /// Returns `true` if no other corner of the ring is in the triangle of a corner that turns
    /// left, its sides included.
    fn is_ear(&self, corner: usize, budget: &mut usize) -> bool {
        let [a, b, c] =
            [self.last[corner], corner, self.next[corner]].map(|index| self.position(index));
        *budget = budget.saturating_sub(self.reflex.len());
        !self.reflex.iter().any(|&other| {
            let point = self.position(other);
            area(a, b, point) >= 0.0
                && area(b, c, point) >= 0.0
                && area(c, a, point) >= 0.0
                && ![a, b, c].contains(&point)
                && !self.is_cut[other]
        })
    }

    fn cut_off(&mut self, corner: usize) -> IndexTriple {
        let (last, next) = (self.last[corner], self.next[corner]);
        self.next[last] = next;
        self.last[next] = last;
        self.is_cut[corner] = true;
        [last, corner, next].map(|corner| self.corners[corner].index)
    }
}

/// Cuts ears until a triangle is left; `false` if a corner had to be cut that is no ear.
///
/// Every cut preserves the sides of the outline and the signed area, even for a corner of an
/// outline that crosses itself, or a corner on a line if nothing else is left.
fn cut_ears(corners: &[RingCorner], budget: &mut usize) -> (Vec<IndexTriple>, bool) {
    let count = corners.len();
    let mut ring = EarRing {
        corners,
        next: (0..count).map(|index| (index + 1) % count).collect(),
        last: (0..count).map(|index| (index + count - 1) % count).collect(),
        reflex: Vec::new(),
        is_cut: vec![false; count],
    };
    ring.reflex = (0..count).filter(|&corner| ring.area(corner) <= 0.0).collect();
    let (mut triangles, mut simple) = (Vec::with_capacity(count), true);
    let (mut left, mut corner, mut passed) = (count, 0, 0);
    while left > 2 {
        let turn = ring.area(corner);
        // After a round without an ear the outline crosses itself, or all corners are on a line.
        let stuck = passed > left;
        let is_ear = turn > 0.0 && *budget > 0 && ring.is_ear(corner, budget);
        if is_ear || stuck && (turn == 0.0 || passed > 2 * left) || *budget == 0 {
            simple &= is_ear || turn == 0.0;
            triangles.push(ring.cut_off(corner));
            (left, passed) = (left - 1, 0);
            // Skips every other corner, to avoid long strips of slivers around one corner.
            corner = ring.next[ring.next[corner]];
            if left.is_power_of_two() {
                ring.reflex = { std::mem::take(&mut ring.reflex) }
                    .into_iter()
                    .filter(|&corner| !ring.is_cut[corner] && ring.area(corner) <= 0.0)
                    .collect();
            }
        } else {
            passed += 1;
            corner = ring.next[corner];
        }
    }
    (triangles, simple)
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    fn corners(flat: &[[f64; 2]]) -> Vec<Point3<f64>> {
        flat.iter().map(|&[x, y]| Point3::new(x, y, 7.0)).collect()
    }

    /// Checks that sides are kept, inner ones pair up, no triangle is reversed, and the area is
    /// right.
    fn check(flat: &[[f64; 2]], ends: &[usize], area: f64) {
        let corners = corners(flat);
        let found = triangulate_rings(&corners, ends);
        assert!(found.simple, "{flat:?}");
        let mut sides: Vec<[usize; 2]> = Vec::new();
        let mut sum = 0.0;
        for [a, b, c] in &found.triangles {
            sides.extend([[*a, *b], [*b, *c], [*c, *a]]);
            let own = super::area(flat[*a], flat[*b], flat[*c]) / 2.0;
            assert!(own * area >= 0.0, "{:?}", found.triangles);
            sum += own;
        }
        assert!((sum - area).abs() < 1e-9, "{sum} {area}");
        let mut open: Vec<[usize; 2]> =
            sides.iter().filter(|[a, b]| !sides.contains(&[*b, *a])).copied().collect();
        open.sort_unstable();
        let mut start = 0;
        let mut outline = Vec::new();
        for &end in ends {
            outline.extend((start..end).map(|i| [i, if i + 1 < end { i + 1 } else { start }]));
            start = end;
        }
        for side in open {
            let [a, b] = side;
            assert!(outline.contains(&[a, b]) || outline.contains(&[b, a]), "{side:?}");
        }
        assert_eq!(found.triangles.len(), flat.len() + 2 * ends.len() - 4);
    }

    const U: [[f64; 2]; 8] = [
        [0.0, 0.0],
        [3.0, 0.0],
        [3.0, 2.0],
        [2.0, 2.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 2.0],
        [0.0, 2.0],
    ];

    pub fn concave_outlines_keep_area_and_sides() {
        for turned in 0..8 {
            let mut outline = U;
            outline.rotate_left(turned);
            check(&outline, &[8], 5.0);
            outline.reverse();
            check(&outline, &[8], -5.0);
        }
        let comb: Vec<[f64; 2]> = (0..40)
            .map(|i| [f64::from(i), if i % 2 == 0 { 10.0 } else { 1.0 }])
            .chain([[39.0, 0.0], [0.0, 0.0]])
            .collect();
        let area: f64 = (0..comb.len())
            .map(|i| {
                let (a, b) = (comb[i], comb[(i + 1) % comb.len()]);
                (a[0] * b[1] - a[1] * b[0]) / 2.0
            })
            .sum();
        check(&comb, &[42], area);
    }

    pub fn corners_in_a_line_stay_corners() {
        let square = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, 2.0], [0.0, 2.0]];
        for turned in 0..6 {
            let mut outline = square;
            outline.rotate_left(turned);
            check(&outline, &[6], 4.0);
        }
        let line = triangulate(&corners(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]));
        assert_eq!(line.triangles.len(), 2);
    }

    pub fn holes_of_either_winding_are_left_open() {
        let outline = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]];
        let first = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]];
        let second = [[4.0, 1.0], [4.0, 2.0], [5.0, 2.0], [5.0, 1.0]];
        let all = [outline, first, second].concat();
        check(&all, &[4, 8, 12], 79.0);
        let lined_up = [outline, first, first.map(|[x, y]| [x + 3.0, y])].concat();
        check(&lined_up, &[4, 8, 12], 79.0);
        // A polygon that walks to its hole and back along one bridge.
        let bridged = [
            [0.0, 0.0],
            [9.0, 0.0],
            [9.0, 9.0],
            [0.0, 9.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 2.0],
            [2.0, 2.0],
            [2.0, 1.0],
            [1.0, 1.0],
        ];
        let found = triangulate(&corners(&bridged));
        let sum: f64 =
            found.triangles.iter().map(|t| area(bridged[t[0]], bridged[t[1]], bridged[t[2]])).sum();
        assert!(found.simple && (sum - 160.0).abs() < 1e-9);
    }

    pub fn crossing_outlines_say_so() {
        let bow = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 1.0]];
        let found = triangulate(&corners(&bow));
        assert!(!found.simple && found.triangles.len() == 2);
        let outside = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        let hole = outside.map(|[x, y]| [x + 9.0, y]);
        assert_eq!(
            triangulate_rings(&corners(&[outside, hole].concat()), &[4, 8]).triangles.len(),
            8
        );
        // A hostile file may give that many corners: ends in time.
        let spiral: Vec<[f64; 2]> = (0..4_000u32)
            .map(|i| {
                let x = f64::from(i.wrapping_mul(2_654_435_761) >> 8);
                [x, f64::from(i.wrapping_mul(40_503) % 65_536)]
            })
            .collect();
        assert_eq!(triangulate(&corners(&spiral)).triangles.len(), 3_998);
    }
}
