//! Corners of a convex brush as fractions: triples of planes by Cramer's rule, kept if no plane
//! cuts them off. Rounded numbers choose the plane tested first, and decide nothing.

use std::collections::HashSet;

use num_bigint::{BigInt, Sign};

use crate::cylinder_distance::HalfSpace;
use crate::exact_boxes::{range, whole};
use crate::plain_box::{inner, outer, plus, times};
use crate::rational_points::{W, cross, dot};

/// Corner `(x, y, z, w)` with `w > 0`, not reduced.
pub type Corner = [BigInt; 4];

/// Returns the corners of half-spaces, each once, and the planes through each.
pub fn corners(given: &[HalfSpace]) -> (Vec<Corner>, Vec<Vec<usize>>) {
    let planes: Vec<(W, BigInt)> = given.iter().map(whole_plane).collect();
    let (mut corners, mut tight, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let (edges, count) = (Crossed::of(&planes), planes.len());
    for i in 0..count {
        for j in i + 1..count {
            for k in j + 1..count {
                let foremost = foremost(given, [i, j, k]);
                if edges.is_before([i, j, k], foremost) {
                    continue;
                }
                let Some(point) = edges.meeting([i, j, k]) else { continue };
                let Some(on) = planes_at(&planes, &point) else { continue };
                if seen.insert(on.clone()) {
                    corners.push(point);
                    tight.push(on);
                }
            }
        }
    }
    (corners, tight)
}

/// Scales the plane by a power of two that makes it an integer one.
fn whole_plane(&(normal, offset): &HalfSpace) -> (W, BigInt) {
    let low = range(normal.iter().chain([&offset])).0;
    (normal.map(|x| whole(x, low)), whole(offset, low))
}

/// Planes with the cross products of every two normals, and the products with a third.
struct Crossed<'a> {
    planes: &'a [(W, BigInt)],
    /// Products by the greater index, then the lesser, which is the first factor.
    edges: Vec<Vec<W>>,
    /// Products by the greatest index, the middle one, the least.
    volumes: Vec<Vec<Vec<BigInt>>>,
}

impl<'a> Crossed<'a> {
    fn of(planes: &'a [(W, BigInt)]) -> Self {
        let normal = |i: usize| &planes[i].0;
        let edges_of = |j: usize| (0..j).map(|i| cross(normal(i), normal(j))).collect();
        let edges: Vec<Vec<W>> = (0..planes.len()).map(edges_of).collect();
        let row = |j: usize, k: usize| (0..j).map(|i| dot(&edges[j][i], normal(k))).collect();
        let volumes = |k: usize| (0..k).map(|j| row(j, k)).collect();
        Crossed { planes, volumes: (0..planes.len()).map(volumes).collect(), edges }
    }

    /// Returns `true` if the intersection point of three planes, in ascending order, is in front of
    /// another plane: the sign of a determinant. `false` if they have no common point.
    fn is_before(&self, [i, j, k]: [usize; 3], other: usize) -> bool {
        let sign = self.volumes[k][j][i].sign();
        if sign == Sign::NoSign || [i, j, k].contains(&other) {
            return false;
        }
        // Volume of the other and two of the three: each exchange of neighbours changes the sign.
        let volume = |a: usize, b: usize| match other {
            other if other < a => self.volumes[b][a][other].clone(),
            other if other < b => -&self.volumes[b][other][a],
            _ => self.volumes[other][b][a].clone(),
        };
        let offset = |at: usize| &self.planes[at].1;
        let height = volume(j, k) * offset(i) - volume(i, k) * offset(j) + volume(i, j) * offset(k)
            - &self.volumes[k][j][i] * offset(other);
        height.sign() == sign
    }

    /// Returns the point in which three planes intersect.
    fn meeting(&self, [i, j, k]: [usize; 3]) -> Option<Corner> {
        let volume = self.volumes[k][j][i].clone();
        if volume.sign() == Sign::NoSign {
            return None;
        }
        let [bc, ac, ab] = [&self.edges[k][j], &self.edges[k][i], &self.edges[j][i]];
        let [p, q, r] = [i, j, k].map(|at| &self.planes[at].1);
        let along = |n: usize| &bc[n] * p - &ac[n] * q + &ab[n] * r;
        let point = [along(0), along(1), along(2), volume];
        Some(if point[3].sign() == Sign::Minus { point.map(|x| -x) } else { point })
    }
}

/// Returns the plane that cuts off the intersection of three planes furthest, by rounded numbers,
/// which only decide which plane is tested first.
fn foremost(planes: &[HalfSpace], [i, j, k]: [usize; 3]) -> usize {
    let [(a, p), (b, q), (c, r)] = [i, j, k].map(|at| planes[at]);
    let [bc, ca, ab] = [outer(b, c), outer(c, a), outer(a, b)];
    let place = times(plus(plus(times(bc, p), times(ca, q)), times(ab, r)), 1.0 / inner(ab, c));
    let height = |&(n, o): &HalfSpace| inner(n, place) - o;
    let heights = planes.iter().map(height).enumerate();
    let most = |a: (usize, f64), b: (usize, f64)| if b.1 > a.1 { b } else { a };
    heights.reduce(most).map_or(i, |(index, _)| index)
}

/// Returns the planes through a point; `None` if it is in front of one.
fn planes_at(planes: &[(W, BigInt)], [x, y, z, w]: &Corner) -> Option<Vec<usize>> {
    let mut on = Vec::new();
    for (index, (n, o)) in planes.iter().enumerate() {
        let height = &n[0] * x + &n[1] * y + &n[2] * z - o * w;
        match height.sign() {
            Sign::Plus => return None,
            Sign::NoSign => on.push(index),
            Sign::Minus => {}
        }
    }
    Some(on)
}
