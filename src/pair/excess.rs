//! The 15 axes of two boxes, for as many pairs at once as there are lanes: how far apart an axis
//! shows them to be, by its own length.
//!
//! Source: Gottschalk, Lin, Manocha, OBBTree (1996), 5; the same as in [`axes`](super::axes), in
//! single precision.

use crate::num::simd::Floats;
use crate::num::vectors::{Three, abs, dot, transposed, turn};

/// Two boxes seen from the first.
#[derive(Clone, Copy)]
pub(super) struct Pairing<L> {
    /// `r[j]`: axis `j` of the second.
    pub r: [Three<L>; 3],
    pub abs: [Three<L>; 3],
    /// From the centre of the first to that of the second.
    pub t: Three<L>,
    /// Half extents.
    pub a: Three<L>,
    pub b: Three<L>,
}

impl<L: Floats> Pairing<L> {
    /// Two boxes given in one frame, axes by axes.
    #[inline(always)]
    pub fn new(axes: [&[Three<L>; 3]; 2], between: Three<L>, [a, b]: [Three<L>; 2]) -> Self {
        let [first, second] = axes;
        let r = [turn(first, second[0]), turn(first, second[1]), turn(first, second[2])];
        let abs = [abs(r[0]), abs(r[1]), abs(r[2])];
        Pairing { r, abs, t: turn(first, between), a, b }
    }

    /// The largest of the six face normals.
    #[inline(always)]
    pub fn faces(&self) -> L {
        let Pairing { r, abs, t, a, b } = self;
        let reach = turn(&transposed(abs), *b);
        let mut most = t[0].abs() - (a[0] + reach[0]);
        for i in 1..3 {
            most = most.high(t[i].abs() - (a[i] + reach[i]));
        }
        for j in 0..3 {
            most = most.high(dot(r[j], *t).abs() - (b[j] + dot(abs[j], *a)));
        }
        most
    }

    /// That of edge `i` of the first and edge `j` of the second.
    #[inline(always)]
    pub fn edge(&self, i: usize, j: usize) -> L {
        let Pairing { r, abs, t, a, b } = self;
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        let distance = t[i2] * r[j][i1] - t[i1] * r[j][i2];
        let reach_a = a[i1] * abs[j][i2] + a[i2] * abs[j][i1];
        let reach_b = b[j1] * abs[j2][i] + b[j2] * abs[j1][i];
        distance.abs() - (reach_a + reach_b)
    }

    /// The larger of `most` and the largest of the nine pairs of edges.
    #[inline(always)]
    pub fn edges(&self, mut most: L) -> L {
        for i in 0..3 {
            for j in 0..3 {
                most = most.high(self.edge(i, j));
            }
        }
        most
    }

    /// The sine between edge `i` of the first and edge `j` of the second.
    #[inline(always)]
    pub fn sine(&self, i: usize, j: usize) -> L {
        let (y, z) = (self.abs[j][(i + 1) % 3], self.abs[j][(i + 2) % 3]);
        (y * y + z * z).sqrt()
    }
}
