//! The 15 axes of one pair of boxes, three abreast, in either precision: the face normals of the
//! first, those of the second, and for each edge of the first its cross products with those of the
//! second. In double precision bit for bit what [`Axes`](super::axes::Axes) sees along one after
//! another.
//!
//! Source: Gottschalk, Lin, Manocha, OBBTree (1996), 5. No closures: they would not be compiled for
//! the SIMD level.

use crate::num::linear::{Mat3, Vec3};
use crate::num::simd::{Coordinates, Lanes};

/// What is seen along three axes.
#[derive(Clone, Copy)]
pub(super) struct Three<V> {
    /// How far the centres are apart along each, times the length of the axis.
    pub distance: V,
    /// How far the boxes reach together along it, times that.
    pub reach: V,
}

impl<V: Lanes> Three<V> {
    /// How far the axes show the boxes to be apart, times their lengths.
    #[inline(always)]
    pub fn excess(&self) -> V {
        self.distance.abs() - self.reach
    }
}

/// Two boxes, the second seen from the first.
#[derive(Clone, Copy)]
pub(super) struct ThreeAxes<V: Coordinates> {
    token: V::Token,
    /// Half extents.
    half: [V; 2],
    half_a: Vec3<V::Element>,
    /// Row `i`: axis `i` of the first along those of the second.
    pub rows: [V; 3],
    /// The sizes of their entries.
    lengths: [V; 3],
    /// From the centre of the first to that of the second.
    t: V,
    offset: Vec3<V::Element>,
}

impl<V: Coordinates> ThreeAxes<V> {
    /// Two boxes given in one frame, by their axes and half extents; `between`: from centre to
    /// centre.
    #[inline(always)]
    pub fn new(
        token: V::Token,
        [a, b]: [&Mat3<V::Element>; 2],
        between: Vec3<V::Element>,
        [half_a, half_b]: [Vec3<V::Element>; 2],
    ) -> Self {
        let on_b = across(token, b);
        let rows =
            [along(token, &on_b, a[0]), along(token, &on_b, a[1]), along(token, &on_b, a[2])];
        let t = along(token, &across(token, a), between);
        Self::seen(token, rows, t, (half_a, V::of(token, half_a), V::of(token, half_b)))
    }

    /// The same as seen already; the half extents of the first as numbers, too.
    #[inline(always)]
    pub fn seen(
        token: V::Token,
        rows: [V; 3],
        t: V,
        (half_a, of_a, of_b): (Vec3<V::Element>, V, V),
    ) -> Self {
        ThreeAxes {
            token,
            half: [of_a, of_b],
            half_a,
            rows,
            lengths: [rows[0].abs(), rows[1].abs(), rows[2].abs()],
            t,
            offset: t.numbers(),
        }
    }

    #[inline(always)]
    pub fn faces_of_first(&self) -> Three<V> {
        let ([of_a, of_b], [x, y, z]) = (self.half, self.lengths);
        let [x, y, z] = V::transposed(self.token, [x * of_b, y * of_b, z * of_b]);
        Three { distance: self.t, reach: of_a + (x + y + z) }
    }

    #[inline(always)]
    pub fn faces_of_second(&self) -> Three<V> {
        Three {
            distance: along(self.token, &self.rows, self.offset),
            reach: self.half[1] + along(self.token, &self.lengths, self.half_a),
        }
    }

    /// The edges of the second across one of the first.
    #[inline(always)]
    pub fn edges(&self, i: usize) -> Three<V> {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (t, rows) = (self.offset, &self.rows);
        let (next, other) = (V::splat(self.token, t[i1]), V::splat(self.token, t[i2]));
        Three {
            distance: other * rows[i1] - next * rows[i2],
            reach: self.reach(i, self.lengths[i]),
        }
    }

    /// The squares of the lengths of these axes.
    #[inline(always)]
    pub fn squares(&self, i: usize) -> V {
        let (y, z) = (self.rows[(i + 1) % 3], self.rows[(i + 2) % 3]);
        y * y + z * z
    }

    /// How far the boxes reach across those edges, by the sizes of the second's face normals along
    /// the first's edge.
    #[inline(always)]
    fn reach(&self, i: usize, normals: V) -> V {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (h, lengths) = (self.half_a, &self.lengths);
        let [next, other] = normals.turned(self.token);
        let [next_b, other_b] = self.half[1].turned(self.token);
        let of_a =
            V::splat(self.token, h[i1]) * lengths[i2] + V::splat(self.token, h[i2]) * lengths[i1];
        of_a + (next_b * other + other_b * next)
    }

    /// The same where the normals are the cross products of the second's stored edges.
    #[inline(always)]
    pub fn reach_by_normals(&self, i: usize) -> V {
        let (y, z) = (self.rows[(i + 1) % 3], self.rows[(i + 2) % 3]);
        let ([y1, y2], [z1, z2]) = (y.turned(self.token), z.turned(self.token));
        self.reach(i, (y1 * z2 - z1 * y2).abs())
    }
}

/// Coordinate by coordinate those of three vectors.
#[inline(always)]
pub(super) fn across<V: Coordinates>(token: V::Token, [x, y, z]: &Mat3<V::Element>) -> [V; 3] {
    [
        V::of(token, [x[0], y[0], z[0]]),
        V::of(token, [x[1], y[1], z[1]]),
        V::of(token, [x[2], y[2], z[2]]),
    ]
}

/// The sum of three vectors, each so many times.
#[inline(always)]
pub(super) fn along<V: Coordinates>(token: V::Token, [x, y, z]: &[V; 3], v: Vec3<V::Element>) -> V {
    *x * V::splat(token, v[0]) + *y * V::splat(token, v[1]) + *z * V::splat(token, v[2])
}
