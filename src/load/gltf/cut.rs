//! Cuts of the triangles of a skin between joints.
//!
//! The owner of a point is the joint of the greatest weight there, where the weights of the three
//! corners are interpolated linearly. Each weight is a linear function on the triangle, so the
//! regions of the owners are convex polygons: the upper envelope of those functions, projected.
//! Source: de Berg, Cheong, van Kreveld, Overmars, Computational Geometry, 3rd edition,
//! above. Source: de Berg, Cheong, van Kreveld, Overmars, Computational Geometry, 3rd edition,
//! section 11.5 (envelopes and power diagrams).

use nalgebra::Point3;

pub(super) use super::cells::WeightedCorner;
use super::cells::{Cell, CellPoint, Cells, doubled_area};
use super::weights::largest;

/// A triangle of one owner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OwnedTriangle {
    pub joint: usize,
    pub corners: [Point3<f64>; 3],
}

/// Returns the owner of the whole triangle, if it has one owner.
pub(super) fn single_owner(corners: [WeightedCorner<'_>; 3]) -> Option<usize> {
    let first = largest(corners[0].weights)?;
    // A linear function that is greatest at all corners is greatest in between.
    corners[1..].iter().all(|corner| largest(corner.weights) == Some(first)).then_some(first)
}

/// Cuts a triangle into the pieces of its owners, each wound like the triangle.
///
/// A cut nearer to the end of an edge than 1e-12 of its length is moved to that end, in all
/// triangles at the edge. Polygons without area are left out.
pub(super) fn cut_triangle(corners: [WeightedCorner<'_>; 3]) -> Vec<OwnedTriangle> {
    let cells = Cells::new(corners);
    let mut pieces = Vec::new();
    for Cell { owner, points } in cells.polygons() {
        let triangles = fan(points.iter().map(|&point| &cells.points[point]).collect());
        let joint = cells.joints[owner];
        pieces.extend(triangles.into_iter().map(|corners| OwnedTriangle { joint, corners }));
    }
    pieces
}

/// Returns the triangles of a convex polygon, as the fan around the corner for which the thinnest
/// triangle is thickest; none if its corners are in one point or two.
fn fan(mut polygon: Vec<&CellPoint>) -> Vec<[Point3<f64>; 3]> {
    polygon.dedup_by(|a, b| a.position == b.position);
    while polygon.len() > 1 && polygon[0].position == polygon[polygon.len() - 1].position {
        polygon.pop();
    }
    let count = polygon.len();
    if count < 3 {
        return Vec::new();
    }
    let triangle = |apex: usize, step: usize| {
        [apex, apex + step, apex + step + 1].map(|index| polygon[index % count])
    };
    let thinnest = |apex: usize| {
        let areas = (1..count - 1).map(|step| {
            let [a, b, c] = triangle(apex, step);
            doubled_area(a, b, c)
        });
        areas.fold(f64::INFINITY, f64::min)
    };
    let mut best = (0, thinnest(0));
    for candidate in 1..count {
        let here = thinnest(candidate);
        if here > best.1 {
            best = (candidate, here);
        }
    }
    let triangles = (1..count - 1).map(|step| triangle(best.0, step).map(|corner| corner.position));
    triangles.filter(|[a, b, c]| a != b && b != c && c != a).collect()
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::num::SplitMix64;

    type Weights = Vec<(usize, f64)>;

    struct Random(SplitMix64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            (self.0.bits() >> 11) % end
        }

        fn unit(&mut self) -> f64 {
            self.below(1 << 40) as f64 / (1_u64 << 40) as f64
        }

        /// Weights of one joint or more, with many ties and near ties.
        fn weights(&mut self, joints: u64, most: u64, kind: usize) -> Weights {
            let mut all = Weights::new();
            for _ in 0..=self.below(most) {
                let joint = self.below(joints) as usize;
                let weight = match kind {
                    0 => self.unit() + 1e-3,
                    1 => 1.0 + self.below(4) as f64,
                    2 => (1 + self.below(255)) as f64 / 255.0,
                    3 => 1.0,
                    _ => 1.0 + 1e-15 * self.below(4) as f64,
                };
                match all.iter_mut().find(|(known, _)| *known == joint) {
                    Some((_, sum)) => *sum += weight,
                    None => all.push((joint, weight)),
                }
            }
            all.sort_unstable_by_key(|(joint, _)| *joint);
            let sum: f64 = all.iter().map(|(_, weight)| weight).sum();
            all.iter_mut().for_each(|(_, weight)| *weight /= sum);
            all
        }
    }

    /// A closed mesh without symmetry: an octahedron with a random corner in each side.
    fn closed(random: &mut Random) -> (Vec<Point3<f64>>, Vec<[usize; 3]>) {
        let mut vertices = Vec::new();
        for axis in 0..3 {
            for end in [-1.0, 1.0] {
                let mut corner = Point3::new(random.unit(), random.unit(), random.unit()) * 0.2;
                corner[axis] += end;
                vertices.push(corner);
            }
        }
        let mut triangles = Vec::new();
        for bits in 0..8_usize {
            let [x, y, z] = [bits & 1, 2 + (bits >> 1 & 1), 4 + (bits >> 2)];
            let odd = (bits.count_ones() % 2) == 1;
            let [a, b, c] = if odd { [x, y, z] } else { [x, z, y] };
            let sum = vertices[a].coords + vertices[b].coords + vertices[c].coords;
            let top = vertices.len();
            vertices.push(Point3::from(sum * (0.4 + 0.1 * random.unit())));
            triangles.extend([[a, b, top], [b, c, top], [c, a, top]]);
        }
        (vertices, triangles)
    }

    fn pieces(corners: [WeightedCorner<'_>; 3]) -> Vec<OwnedTriangle> {
        match single_owner(corners) {
            Some(joint) => {
                vec![OwnedTriangle { joint, corners: corners.map(|corner| corner.position) }]
            }
            None => cut_triangle(corners),
        }
    }

    fn area(corners: &[Point3<f64>; 3]) -> f64 {
        0.5 * (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm()
    }

    /// The difference of the greatest weight and the owner's, at a random point of a piece.
    fn lack(piece: &OwnedTriangle, corners: &[WeightedCorner<'_>; 3], random: &mut Random) -> f64 {
        let (mut u, mut v) = (random.unit(), random.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let [a, b, c] = piece.corners;
        let point = a + (b - a) * u + (c - a) * v;
        let [a, b, c] = corners.map(|corner| corner.position);
        let normal = (b - a).cross(&(c - a));
        let share = |from: Point3<f64>, to: Point3<f64>| {
            (to - from).cross(&(point - from)).dot(&normal) / normal.norm_squared()
        };
        let at = [share(b, c), share(c, a), share(a, b)];
        let weight = |joint: usize| -> f64 {
            let of = |corner: &WeightedCorner<'_>| {
                corner.weights.iter().find(|own| own.0 == joint).map_or(0.0, |own| own.1)
            };
            (0..3).map(|i| at[i] * of(&corners[i])).sum()
        };
        let all = corners.iter().flat_map(|corner| corner.weights.iter().map(|own| weight(own.0)));
        all.fold(0.0, f64::max) - weight(piece.joint)
    }

    pub fn pieces_fill_closed_meshes_and_belong_to_the_greatest_weight() {
        let mut random = Random(SplitMix64(0x5eed));
        for (joints, most) in [(2, 2), (3, 3), (5, 4), (12, 4), (12, 8), (24, 8)] {
            for round in 0..100 {
                let (vertices, triangles) = closed(&mut random);
                let weights: Vec<Weights> =
                    vertices.iter().map(|_| random.weights(joints, most, round % 5)).collect();
                // Directed edges by the bits of their ends: each must be passed as often back as
                // forth.
                let mut passes: HashMap<[[u64; 3]; 2], i32> = HashMap::new();
                for &[a, b, c] in &triangles {
                    let turned = [[a, b, c], [b, c, a], [c, a, b]][random.below(3) as usize];
                    let corners = turned
                        .map(|v| WeightedCorner { position: vertices[v], weights: &weights[v] });
                    let found = pieces(corners);
                    let whole = area(&corners.map(|corner| corner.position));
                    let sum: f64 = found.iter().map(|piece| area(&piece.corners)).sum();
                    assert!((sum - whole).abs() <= 1e-12 * whole, "{sum} of {whole}");
                    for piece in &found {
                        let lack = lack(piece, &corners, &mut random);
                        assert!(lack <= 1e-9, "joint {} lacks {lack}", piece.joint);
                        let ends =
                            piece.corners.map(|corner| corner.coords.map(f64::to_bits).into());
                        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                            *passes.entry([ends[from], ends[to]]).or_default() += 1;
                            *passes.entry([ends[to], ends[from]]).or_default() -= 1;
                        }
                    }
                }
                assert!(passes.values().all(|&sum| sum == 0), "a crack in round {round}");
            }
        }
    }

    pub fn a_triangle_of_three_joints_is_cut_where_two_are_equal() {
        let positions = [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [0.0, 6.0, 0.0]].map(Point3::from);
        let weights = [[(1, 1.0)], [(2, 1.0)], [(3, 1.0)]];
        let corners =
            [0, 1, 2].map(|i| WeightedCorner { position: positions[i], weights: &weights[i] });
        let found = pieces(corners);
        for joint in 1..4 {
            let own = found.iter().filter(|piece| piece.joint == joint);
            let area: f64 = own.map(|piece| area(&piece.corners)).sum();
            assert!((area - 6.0).abs() < 1e-12, "joint {joint}: {area}");
        }
        let ends = |point: [f64; 3]| {
            let at = found.iter().flat_map(|piece| piece.corners);
            at.filter(|corner| (corner - Point3::from(point)).norm() < 1e-12).count()
        };
        // The middles of the sides, and the point where all three weights are equal.
        for point in [[3.0, 0.0, 0.0], [3.0, 3.0, 0.0], [0.0, 3.0, 0.0], [2.0, 2.0, 0.0]] {
            assert!(ends(point) > 0, "{point:?}");
        }
    }

    pub fn a_tie_goes_to_the_lower_joint_and_cuts_nothing() {
        let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point3::from);
        let tie = [(4, 0.5), (7, 0.5)];
        let corners = positions.map(|position| WeightedCorner { position, weights: &tie });
        assert_eq!(single_owner(corners), Some(4));
        // The second joint wins at one corner, and ties along the opposite edge.
        let more = [(4, 0.25), (7, 0.75)];
        let mut one = corners;
        one[0].weights = &more;
        let found = pieces(one);
        assert_eq!(found, [OwnedTriangle { joint: 7, corners: positions }]);
    }
}
