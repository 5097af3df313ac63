//! Two boxes, the second seen from the first, three axes abreast.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4};

use crate::num::linear::{Mat3, Vec3, sub};
use crate::pair::glance::transposed;
use crate::shape::WideObb;

/// Three axes: the face normals of one box, or the edges of the second across one of the first. The
/// fourth lane means nothing.
#[derive(Clone, Copy)]
pub(super) struct Three<S: Simd> {
    /// How far the centres are apart along each, times the length of the axis.
    pub distance: f64x4<S>,
    /// How far the boxes reach together along it, times that.
    pub reach: f64x4<S>,
    /// The square of that length.
    pub square: f64x4<S>,
}

/// Two boxes, the second seen from the first.
pub(super) struct Pair<'a, S: Simd> {
    simd: S,
    a: &'a WideObb,
    half: [f64x4<S>; 2],
    /// Row `i`: axis `i` of the first along those of the second.
    pub rows: [f64x4<S>; 3],
    lengths: [f64x4<S>; 3],
    t: f64x4<S>,
    offset: Vec3,
}

impl<'a, S: Simd> Pair<'a, S> {
    #[inline(always)]
    pub fn new(simd: S, a: &'a WideObb, b: &WideObb) -> Self {
        let on_b = across(simd, &b.axes);
        let [x, y, z] = a.axes;
        let rows = [along(simd, &on_b, x), along(simd, &on_b, y), along(simd, &on_b, z)];
        let t = along(simd, &across(simd, &a.axes), sub(b.center, a.center));
        let [x, y, z, _] = t.into();
        Pair {
            simd,
            a,
            half: [vector(simd, a.half_extents), vector(simd, b.half_extents)],
            rows,
            lengths: [rows[0].abs(), rows[1].abs(), rows[2].abs()],
            t,
            offset: [x, y, z],
        }
    }

    #[inline(always)]
    pub fn of_first(&self) -> Three<S> {
        let ([of_a, of_b], [x, y, z]) = (self.half, self.lengths);
        let [x, y, z] = transposed([x * of_b, y * of_b, z * of_b]);
        let square = f64x4::splat(self.simd, 1.0);
        Three { distance: self.t, reach: of_a + (x + y + z), square }
    }

    #[inline(always)]
    pub fn of_second(&self) -> Three<S> {
        Three {
            distance: along(self.simd, &self.rows, self.offset),
            reach: self.half[1] + along(self.simd, &self.lengths, self.a.half_extents),
            square: f64x4::splat(self.simd, 1.0),
        }
    }

    /// The edges of the second across one of the first.
    #[inline(always)]
    pub fn edges(&self, i: usize) -> Three<S> {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (t, rows) = (self.offset, &self.rows);
        Three {
            distance: self.splat(t[i2]) * rows[i1] - self.splat(t[i1]) * rows[i2],
            reach: self.reach(i, self.lengths[i]),
            square: rows[i1] * rows[i1] + rows[i2] * rows[i2],
        }
    }

    /// How far the boxes reach across those edges, by the sizes of the second's face normals along
    /// the first's edge.
    #[inline(always)]
    fn reach(&self, i: usize, normals: f64x4<S>) -> f64x4<S> {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (h, lengths) = (self.a.half_extents, &self.lengths);
        let (next, other) = turned(self.simd, normals);
        let (next_b, other_b) = turned(self.simd, self.half[1]);
        let of_a = self.splat(h[i1]) * lengths[i2] + self.splat(h[i2]) * lengths[i1];
        of_a + (next_b * other + other_b * next)
    }

    /// The same where the normals are the cross products of the second's stored edges.
    #[inline(always)]
    pub fn reach_by_normals(&self, i: usize) -> f64x4<S> {
        let (y, z) = (self.rows[(i + 1) % 3], self.rows[(i + 2) % 3]);
        let ((y1, y2), (z1, z2)) = (turned(self.simd, y), turned(self.simd, z));
        self.reach(i, (y1 * z2 - z1 * y2).abs())
    }

    #[inline(always)]
    fn splat(&self, x: f64) -> f64x4<S> {
        f64x4::splat(self.simd, x)
    }
}

#[inline(always)]
fn vector<S: Simd>(simd: S, [x, y, z]: Vec3) -> f64x4<S> {
    [x, y, z, x].simd_into(simd)
}

/// Coordinate by coordinate those of three vectors.
#[inline(always)]
fn across<S: Simd>(simd: S, [x, y, z]: &Mat3) -> [f64x4<S>; 3] {
    [
        vector(simd, [x[0], y[0], z[0]]),
        vector(simd, [x[1], y[1], z[1]]),
        vector(simd, [x[2], y[2], z[2]]),
    ]
}

/// A vector along three of which those are the coordinates.
#[inline(always)]
fn along<S: Simd>(simd: S, [x, y, z]: &[f64x4<S>; 3], v: Vec3) -> f64x4<S> {
    *x * f64x4::splat(simd, v[0]) + *y * f64x4::splat(simd, v[1]) + *z * f64x4::splat(simd, v[2])
}

/// The coordinates one on, and two on.
#[inline(always)]
fn turned<S: Simd>(simd: S, v: f64x4<S>) -> (f64x4<S>, f64x4<S>) {
    let [x, y, z, _] = v.into();
    (vector(simd, [y, z, x]), vector(simd, [z, x, y]))
}
