//! Where to begin to look for closest points.

use super::couple::{Couple, Faces};
use crate::num::linear::sum;
use crate::num::simd::Triple;
use crate::num::tolerance::PARALLEL_SINE;

/// Where to begin.
#[derive(Clone, Copy)]
pub(crate) struct Start<D: Triple> {
    /// A way from a box, in its own frame, to the other.
    pub way: D,
    /// Whether that is the first: for all three. (As one yes or no it becomes a branch, and no
    /// branch can be foreseen here.)
    pub first: D::Mask,
}

impl<D: Triple> Couple<D> {
    /// From where the faces leave most between; where they leave nothing, the direction along which
    /// the two are the farthest apart or overlap least.
    #[inline(always)]
    pub fn start(&self, faces: &Faces<D>) -> Start<D> {
        let (zero, [t, u]) = (D::splat(self.token, 0.0), self.between);
        let beyond = [
            (faces.distance[0] - faces.reach[0]).high(zero),
            (faces.distance[1] - faces.reach[1]).high(zero),
        ];
        let squares =
            [sum((beyond[0] * beyond[0]).numbers()), sum((beyond[1] * beyond[1]).numbers())];
        if squares[0] + squares[1] == 0.0 {
            return self.widest(faces);
        }
        let [of_first, of_second] =
            [D::splat(self.token, squares[0]), D::splat(self.token, squares[1])];
        let first = of_second.within(of_first);
        // Seen from the second it leads to the first.
        let (to, beyond) = (D::choose(first, t, -u), D::choose(first, beyond[0], beyond[1]));
        Start { way: D::choose(zero.above(to), -beyond, beyond), first }
    }

    /// The direction along which the two are the farthest apart, or overlap least. Nearly parallel
    /// edges give none.
    #[inline(always)]
    fn widest(&self, faces: &Faces<D>) -> Start<D> {
        let [x, y, z] = [self.excess_of_edges(0), self.excess_of_edges(1), self.excess_of_edges(2)];
        let [of_first, of_second] =
            [faces.distance[0] - faces.reach[0], faces.distance[1] - faces.reach[1]];
        let all = [of_first, of_second, x[0], y[0], z[0]];
        let [t, u] = self.between;
        let axis = greatest(&all);
        let ahead = [t, -u, x[1], y[1], z[1]];
        let sign = if numbers(&ahead)[axis] < 0.0 { -1.0 } else { 1.0 };
        let mut way = [0.0; 3];
        if axis < 6 {
            way[axis % 3] = sign;
        } else {
            let ([x, y, z], i, j) = (self.rows, axis / 3 - 2, axis % 3);
            let rows = [x.numbers(), y.numbers(), z.numbers()];
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            (way[i1], way[i2]) = (-sign * rows[i2][j], sign * rows[i1][j]);
        }
        Start { way: D::of(self.token, way), first: self.mask(axis / 3 != 1) }
    }

    /// How far an edge of the first and each of the second keep the two apart; and how far these
    /// are ahead.
    #[inline(always)]
    fn excess_of_edges(&self, i: usize) -> [D; 2] {
        let edges = self.across_edges(i);
        let (y, z) = (self.rows[(i + 1) % 3], self.rows[(i + 2) % 3]);
        let sine = (y * y + z * z).sqrt();
        let none = D::splat(self.token, f64::NEG_INFINITY);
        let crossed = sine.above(D::splat(self.token, PARALLEL_SINE));
        [D::choose(crossed, edges.excess() / sine, none), edges.distance]
    }
}

#[inline(always)]
fn numbers<D: Triple>([a, b, x, y, z]: &[D; 5]) -> [f64; 15] {
    let mut all = [0.0; 15];
    all[..3].copy_from_slice(&a.numbers());
    all[3..6].copy_from_slice(&b.numbers());
    all[6..9].copy_from_slice(&x.numbers());
    all[9..12].copy_from_slice(&y.numbers());
    all[12..].copy_from_slice(&z.numbers());
    all
}

/// The number of the greatest, the first of equals.
#[inline(always)]
fn greatest<D: Triple>(all: &[D; 5]) -> usize {
    let all = numbers(all);
    let mut best = 0;
    for k in 1..15 {
        if all[k] > all[best] {
            best = k;
        }
    }
    best
}
