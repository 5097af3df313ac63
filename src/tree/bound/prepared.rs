//! Primitives prepared for many point distances.

use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};
use crate::num::simd::{Doubles, MAX_DOUBLES};
use crate::num::vectors::transpose_lanes;
use crate::pair::convex::{Support, distance_to};
use crate::shape::{WideObb, WideTriangle};
use crate::tree::Geometry;

/// Smallest ratio of twice the area to the longest edge squared: below it, the area and the Voronoi
/// regions are rounding noise.
const MIN_AREA_RATIO: f64 = 1e-6;

/// Primitive prepared for many point distances.
#[derive(Clone, Copy)]
pub(super) enum PreparedPrimitive<'a> {
    Triangle(TriangleRecord),
    Needle(WideTriangle),
    Box(WideObb),
    Convex(&'a dyn Support),
}

impl<'a> PreparedPrimitive<'a> {
    /// Prepares some primitives, in their order.
    pub fn prepare_all<T: Scalar>(
        geometry: &'a Geometry<T>,
        indices: impl ExactSizeIterator<Item = u32>,
    ) -> Vec<PreparedPrimitive<'a>> {
        let mut all = Vec::with_capacity(indices.len());
        all.extend(indices.filter_map(|index| PreparedPrimitive::from_geometry(geometry, index)));
        all
    }

    /// Prepares one primitive; `None` if there is no such index.
    pub fn from_geometry<T: Scalar>(
        geometry: &'a Geometry<T>,
        index: u32,
    ) -> Option<PreparedPrimitive<'a>> {
        match geometry {
            Geometry::None => None,
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                Some(PreparedPrimitive::from_triangle(mesh.triangle(index as usize)))
            }
            Geometry::Boxes(boxes) => {
                boxes.get(index as usize).map(|b| PreparedPrimitive::Box(b.wide()))
            }
            Geometry::Convex(shapes) => {
                shapes.get(index as usize).map(|s| PreparedPrimitive::Convex(s.body()))
            }
        }
    }

    pub fn from_triangle(triangle: WideTriangle) -> PreparedPrimitive<'a> {
        match PreparedTriangle::new((), triangle.corners) {
            (true, spanned) => PreparedPrimitive::Triangle(spanned.record()),
            (false, _) => PreparedPrimitive::Needle(triangle),
        }
    }

    /// Returns an upper bound on the distance from `p`, tight up to rounding.
    #[inline]
    pub fn distance(&self, p: Vec3) -> f64 {
        match self {
            PreparedPrimitive::Triangle(record) => record.triangle().distance(p),
            PreparedPrimitive::Needle(triangle) => triangle.distance(p),
            PreparedPrimitive::Box(wide) => wide.distance(p),
            PreparedPrimitive::Convex(body) => distance_to(*body, p),
        }
    }
}

/// Triangle with an area: a corner, two edges from it, and their products.
#[derive(Debug, Clone, Copy)]
pub(super) struct PreparedTriangle<D = f64> {
    corner: Vec3<D>,
    edges: [Vec3<D>; 2],
    squares: [D; 2],
    product: D,
    /// Four times the squared area.
    area: D,
}

impl PreparedTriangle {
    fn distance(&self, p: Vec3) -> f64 {
        length(self.point_offset(p))
    }

    /// Returns [`PreparedTriangle::offset`] of a single point.
    pub fn point_offset(&self, p: Vec3) -> Vec3 {
        let from = sub(p, self.corner);
        let [v, w] = self.nearest_weights(dot(self.edges[0], from), dot(self.edges[1], from));
        let nearest = add(scale(self.edges[0], v), scale(self.edges[1], w));
        sub(from, nearest)
    }

    /// Returns the barycentric weights of the two edges at the nearest point, given the dot
    /// products of the edges with the vector from the corner. Despite rounding, neither weight is
    /// below zero, and their sum is at most one. Source: Ericson, Real-Time Collision Detection
    /// (2005), 5.1.5, with his names.
    fn nearest_weights(&self, d1: f64, d2: f64) -> [f64; 2] {
        if d1 <= 0.0 && d2 <= 0.0 {
            return [0.0, 0.0];
        }
        let (d3, d4) = (d1 - self.squares[0], d2 - self.product);
        if d3 >= 0.0 && d4 <= d3 {
            return [1.0, 0.0];
        }
        let (d5, d6) = (d1 - self.product, d2 - self.squares[1]);
        if d6 >= 0.0 && d5 <= d6 {
            return [0.0, 1.0];
        }
        let vc = self.squares[0] * d2 - self.product * d1;
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return [d1 / self.squares[0], 0.0];
        }
        let vb = self.squares[1] * d1 - self.product * d2;
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return [0.0, d2 / self.squares[1]];
        }
        let (to_c, to_b) = (d4 - d3, d5 - d6);
        if vb + vc >= self.area && to_c >= 0.0 && to_b >= 0.0 {
            let w = to_c / (to_c + to_b);
            return [1.0 - w, w];
        }
        let v = (vb / self.area).clamp(0.0, 1.0);
        [v, (vc / self.area).clamp(0.0, 1.0 - v)]
    }
}

/// Numbers of a prepared triangle, filled up with zeros to whole registers.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleRecord([f64; 16]);

impl TriangleRecord {
    #[inline(always)]
    pub fn triangle(&self) -> PreparedTriangle {
        PreparedTriangle::from_columns(self.0)
    }

    /// Returns the corners, rounded.
    pub fn corners(&self) -> [Vec3; 3] {
        let PreparedTriangle { corner, edges, .. } = self.triangle();
        [corner, add(corner, edges[0]), add(corner, edges[1])]
    }
}

impl PreparedTriangle {
    fn record(&self) -> TriangleRecord {
        let PreparedTriangle { corner: [a, b, c], edges: [v, w], squares, product, area } = *self;
        let [d, e] = squares;
        TriangleRecord([
            a, b, c, v[0], v[1], v[2], w[0], w[1], w[2], d, e, product, area, 0.0, 0.0, 0.0,
        ])
    }
}

impl<D: Doubles> PreparedTriangle<D> {
    /// Copies one triangle to every lane.
    #[inline(always)]
    pub fn splat(token: D::Token, one: &TriangleRecord) -> Self {
        let mut columns = [D::splat(token, 0.0); 16];
        for (column, x) in columns.iter_mut().zip(one.0) {
            *column = D::splat(token, x);
        }
        Self::from_columns(columns)
    }

    /// Packs one triangle into each lane that has one.
    #[inline(always)]
    pub fn pack(token: D::Token, several: &[Option<&TriangleRecord>; MAX_DOUBLES]) -> Self {
        let mut columns = [D::splat(token, 0.0); 16];
        for (lane, one) in several[..D::LEN].iter().enumerate() {
            let Some(TriangleRecord(numbers)) = one else { break };
            for first in (0..16).step_by(D::LEN) {
                columns[first + lane] = D::load(token, &numbers[first..]);
            }
        }
        Self::from_columns(transpose_lanes(columns))
    }

    #[inline(always)]
    fn from_columns([a, b, c, d, e, f, g, h, i, j, k, product, area, ..]: [D; 16]) -> Self {
        let (edges, squares) = ([[d, e, f], [g, h, i]], [j, k]);
        PreparedTriangle { corner: [a, b, c], edges, squares, product, area }
    }

    /// `true` once support planes have reduced `max_ratio`.
    #[inline(always)]
    pub fn new(token: D::Token, [a, b, c]: [Vec3<D>; 3]) -> (D::Mask, Self) {
        let (ab, ac, bc) = (sub(b, a), sub(c, a), sub(c, b));
        let (squares, product) = ([dot(ab, ab), dot(ac, ac)], dot(ab, ac));
        let area = squares[0] * squares[1] - product * product;
        let longest = squares[0].greater(squares[1]).greater(dot(bc, bc));
        let twice = length(cross(ab, ac));
        let wide = twice.above(D::splat(token, MIN_AREA_RATIO) * longest);
        // Squared areas that underflow are noise too.
        let sound = D::both(wide, area.above(D::splat(token, 1e-290)));
        (sound, PreparedTriangle { corner: a, edges: [ab, ac], squares, product, area })
    }

    #[inline(always)]
    pub fn distances(&self, token: D::Token, p: Vec3<D>) -> D {
        length(self.apart(token, p))
    }

    /// Returns for each lane the vector from the nearest point of the triangle to a point.
    #[inline(always)]
    pub fn apart(&self, token: D::Token, p: Vec3<D>) -> Vec3<D> {
        let from = sub(p, self.corner);
        let [v, w] =
            self.nearest_weights_by_lane(token, dot(self.edges[0], from), dot(self.edges[1], from));
        let nearest = add(scale(self.edges[0], v), scale(self.edges[1], w));
        sub(from, nearest)
    }

    /// Computes [`PreparedTriangle::nearest_weights`] for each lane: evaluates all regions, and
    /// selects the first that applies.
    #[inline(always)]
    fn nearest_weights_by_lane(&self, token: D::Token, d1: D, d2: D) -> [D; 2] {
        let (zero, one) = (D::splat(token, 0.0), D::splat(token, 1.0));
        let [square, other] = self.squares;
        let (d3, d4, d5, d6) = (d1 - square, d2 - self.product, d1 - self.product, d2 - other);
        let (vc, vb) = (square * d2 - self.product * d1, other * d1 - self.product * d2);
        let (to_c, to_b) = (d4 - d3, d5 - d6);
        let on_ab = all_three::<D>(vc.at_most(zero), zero.at_most(d1), d3.at_most(zero));
        let on_ac = all_three::<D>(vb.at_most(zero), zero.at_most(d2), d6.at_most(zero));
        let on_bc =
            all_three::<D>(self.area.at_most(vb + vc), zero.at_most(to_c), zero.at_most(to_b));
        let v = D::choose(on_ab, d1, vb) / D::choose(on_ab, square, self.area);
        let w = D::choose(on_ac, d2, D::choose(on_bc, to_c, vc))
            / D::choose(on_ac, other, D::choose(on_bc, to_c + to_b, self.area));
        let inside = v.greater(zero).lesser(one);
        let mut shares = [inside, w.greater(zero).lesser(one - inside)];
        for (mask, found) in [
            (on_bc, [one - w, w]),
            (on_ac, [zero, w]),
            (on_ab, [v, zero]),
            (D::both(zero.at_most(d6), d5.at_most(d6)), [zero, one]),
            (D::both(zero.at_most(d3), d4.at_most(d3)), [one, zero]),
            (D::both(d1.at_most(zero), d2.at_most(zero)), [zero, zero]),
        ] {
            shares[0] = D::choose(mask, found[0], shares[0]);
            shares[1] = D::choose(mask, found[1], shares[1]);
        }
        shares
    }
}

#[inline(always)]
fn all_three<D: Doubles>(a: D::Mask, b: D::Mask, c: D::Mask) -> D::Mask {
    D::both(D::both(a, b), c)
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::proof::cases;

    pub fn as_far_as_the_triangle_says() {
        let mut chance = SplitMix64(7);
        for round in 0..cases(20_000) {
            let thin = [1.0, 1e-2, 1e-4, 1e-5][round % 4];
            let mut point = |size: f64| -> Vec3 {
                let [x, y, z] = chance.point(1.0);
                [x, size * y, size * z]
            };
            let triangle = WideTriangle { corners: std::array::from_fn(|_| point(thin)) };
            let p = scale(point(1.0), [1.0, 3.0, 30.0][round % 3]);
            let (ready, plain) =
                (PreparedPrimitive::from_triangle(triangle).distance(p), triangle.distance(p));
            assert!((ready - plain).abs() <= 1e-9 * (1.0 + plain), "{ready:e} {plain:e} {thin}");
            if let PreparedPrimitive::Triangle(record) = PreparedPrimitive::from_triangle(triangle)
            {
                let spanned = record.triangle();
                assert_eq!(spanned.apart((), p), spanned.point_offset(p), "asked all at once");
            }
        }
    }

    pub fn needles_and_specks_are_left_to_the_triangle() {
        let line = WideTriangle { corners: [[0.0; 3], [2.0, 0.0, 0.0], [1.0, 1e-9, 0.0]] };
        assert!(matches!(PreparedPrimitive::from_triangle(line), PreparedPrimitive::Needle(_)));
        let speck = line.corners.map(|c| [c[0] * 1e-100, c[1] * 1e-91, 0.0]);
        let speck = PreparedPrimitive::from_triangle(WideTriangle { corners: speck });
        assert!(matches!(speck, PreparedPrimitive::Needle(_)));
        assert_eq!(speck.distance([0.0, 0.0, 2.0]), 2.0);
    }
}
