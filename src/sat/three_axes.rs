//! SAT kernel 2, axes across SIMD lanes: the 15 axes of one pair of boxes three at a time, in
//! either precision: the face normals of the first, those of the second, and for each edge of the
//! second its cross products with the edges of the first.
//!
//! A cross product across lanes takes one rotation of a vector: where `v'` has the second, third,
//! first lane of `v`, `v u' - v' u` has the third, first, second coordinate of `v x u`. So the
//! lanes of edge axes belong to the third, the first and the second edge of the first box: see
//! [`lane_of_edge`].
//!
//! In double precision the results equal those of [`BoxPair`](super::BoxPair) bit for bit. Letters
//! as in [`sat`](super). No closures: they would not be compiled for the SIMD level.

use crate::num::linear::{Mat3, Vec3};
use crate::num::simd::{Coordinates, DoubleTriple, Lanes, PlainTriple};

/// Distance and radius along three axes.
#[derive(Clone, Copy)]
pub(crate) struct AxisProjections<V> {
    /// Signed distance of the centres along each axis, times the length of the axis.
    pub distance: V,
    /// Sum of the projected radii of both boxes, times the length of the axis.
    pub radius: V,
}

impl<V: Lanes> AxisProjections<V> {
    /// Returns distance less radius, times the lengths of the axes: positive where an axis
    /// separates.
    #[inline(always)]
    pub fn separation(&self) -> V {
        self.distance.abs() - self.radius
    }

    /// Returns the axes that separate the boxes by more than `slack`.
    #[inline(always)]
    pub fn apart(&self, slack: V) -> V::Mask {
        self.distance.abs().above(self.radius + slack)
    }
}

/// Pair of boxes, the second seen from the first.
#[derive(Clone, Copy)]
pub(crate) struct ThreeAxes<V: Coordinates> {
    pub token: V::Token,
    /// Half extents as lanes.
    pub half: [V; 2],
    /// Half extents as numbers.
    numbers: [Vec3<V::Element>; 2],
    /// Column `j` is axis `j` of the second along those of the first.
    pub columns: [V; 3],
    /// Row `i` is axis `i` of the first along those of the second.
    pub rows: [V; 3],
    /// Vector from the centre of the first to that of the second.
    pub t: V,
}

impl<V: Coordinates> ThreeAxes<V> {
    /// Creates the pair from axes and half extents in one frame; `between` leads from centre to
    /// centre.
    #[inline(always)]
    pub fn new(
        token: V::Token,
        [a, b]: [&Mat3<V::Element>; 2],
        between: Vec3<V::Element>,
        half: [Vec3<V::Element>; 2],
    ) -> Self {
        let on_a = matrix_rows(token, a);
        let columns = [
            weighted_sum(token, &on_a, b[0]),
            weighted_sum(token, &on_a, b[1]),
            weighted_sum(token, &on_a, b[2]),
        ];
        Self::from_relative(token, columns, weighted_sum(token, &on_a, between), half)
    }

    /// Creates the pair from the axes and the centre of the second, in the frame of the first.
    #[inline(always)]
    pub fn from_relative(
        token: V::Token,
        columns: [V; 3],
        t: V,
        half: [Vec3<V::Element>; 2],
    ) -> Self {
        ThreeAxes {
            token,
            half: [V::from_numbers(token, half[0]), V::from_numbers(token, half[1])],
            numbers: half,
            columns,
            rows: V::transposed(token, columns),
            t,
        }
    }

    #[inline(always)]
    pub fn faces_of_first(&self) -> AxisProjections<V> {
        let lengths = absolute(&self.columns);
        AxisProjections {
            distance: self.t,
            radius: self.half[0] + weighted_sum(self.token, &lengths, self.numbers[1]),
        }
    }

    #[inline(always)]
    pub fn faces_of_second(&self) -> AxisProjections<V> {
        let lengths = absolute(&self.rows);
        AxisProjections {
            distance: weighted_sum(self.token, &self.rows, self.t.numbers()),
            radius: self.half[1] + weighted_sum(self.token, &lengths, self.numbers[0]),
        }
    }

    /// Returns the axes of edge `j` of the second and each edge of the first.
    #[inline(always)]
    pub fn edges(&self, j: usize) -> AxisProjections<V> {
        let [x, y, z] = self.columns;
        let lengths = [x.abs(), y.abs(), z.abs()];
        // Unlike the other terms these are in the lanes of their own coordinates.
        let reach = self.radius_of_second_on_edges(j, &lengths).rotate_lanes_back(self.token);
        AxisProjections {
            distance: self.edge_distances(j),
            radius: self.radius_of_first_on_edges(j) + reach,
        }
    }

    /// Like [`ThreeAxes::edges`], with the radius by the absolute values of the second's face
    /// normals, computed as cross products of its stored edges.
    #[inline(always)]
    pub fn edges_by_normals(&self, j: usize) -> AxisProjections<V> {
        let normals = [self.absolute_normal(0), self.absolute_normal(1), self.absolute_normal(2)];
        let radius = self.radius_of_first_on_edges(j) + self.radius_of_second_on_edges(j, &normals);
        AxisProjections { distance: self.edge_distances(j), radius }
    }

    #[inline(always)]
    fn rotated_column(&self, j: usize) -> V {
        self.columns[j].rotate_lanes(self.token)
    }

    #[inline(always)]
    fn edge_distances(&self, j: usize) -> V {
        (-self.rotated_column(j))
            .times_plus(self.t, self.columns[j] * self.t.rotate_lanes(self.token))
    }

    #[inline(always)]
    fn radius_of_first_on_edges(&self, j: usize) -> V {
        let (own, turned) = (self.columns[j].abs(), self.rotated_column(j).abs());
        self.half[0].rotate_lanes(self.token).times_plus(own, self.half[0] * turned)
    }

    #[inline(always)]
    fn radius_of_second_on_edges(&self, j: usize, normals: &[V; 3]) -> V {
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        let next = V::splat(self.token, self.numbers[1][j1]);
        let other = V::splat(self.token, self.numbers[1][j2]);
        other.times_plus(normals[j1], next * normals[j2])
    }

    /// Returns the absolute values of face normal `j` of the second, in the lanes of edges.
    #[inline(always)]
    fn absolute_normal(&self, j: usize) -> V {
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        (self.columns[j1] * self.rotated_column(j2) - self.rotated_column(j1) * self.columns[j2])
            .abs()
    }

    /// Returns the squared lengths of the axes of [`ThreeAxes::edges`].
    #[inline(always)]
    pub fn squared_lengths(&self, j: usize) -> V {
        let (y, z) = (self.columns[j], self.rotated_column(j));
        y * y + z * z
    }
}

/// Returns the lane that has the axis of edge `i` of the first box.
pub(crate) const fn lane_of_edge(i: usize) -> usize {
    (i + 1) % 3
}

impl<D: DoubleTriple> ThreeAxes<D> {
    /// Returns the pair as plain numbers.
    #[inline(always)]
    pub fn to_plain(&self) -> ThreeAxes<PlainTriple> {
        let [x, y, z] = self.columns;
        let columns = [plain_lanes(x), plain_lanes(y), plain_lanes(z)];
        ThreeAxes::from_relative((), columns, plain_lanes(self.t), self.numbers)
    }
}

#[inline(always)]
fn plain_lanes<D: DoubleTriple>(lanes: D) -> PlainTriple {
    PlainTriple::from_numbers((), lanes.numbers())
}

#[inline(always)]
fn absolute<V: Lanes>([x, y, z]: &[V; 3]) -> [V; 3] {
    [x.abs(), y.abs(), z.abs()]
}

#[inline(always)]
fn matrix_rows<V: Coordinates>(token: V::Token, [x, y, z]: &Mat3<V::Element>) -> [V; 3] {
    [
        V::from_numbers(token, [x[0], y[0], z[0]]),
        V::from_numbers(token, [x[1], y[1], z[1]]),
        V::from_numbers(token, [x[2], y[2], z[2]]),
    ]
}

/// Returns the sum of three vectors, each times a number.
#[inline(always)]
pub(crate) fn weighted_sum<V: Coordinates>(
    token: V::Token,
    [x, y, z]: &[V; 3],
    v: Vec3<V::Element>,
) -> V {
    let x = *x * V::splat(token, v[0]);
    z.times_plus(V::splat(token, v[2]), y.times_plus(V::splat(token, v[1]), x))
}
