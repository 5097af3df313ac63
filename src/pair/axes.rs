//! The 15 axes: what is seen along each, the verdict and the contact; for one pair of boxes, or one
//! a lane, in either precision. (Moving: [`sweep`](super::sweep).)
//!
//! Two boxes are apart iff they are apart along one of 15 directions: the three face normals of
//! each, and the nine cross products of their edges. Sources: Gottschalk, Lin, Manocha, OBBTree
//! (1996); Ericson, Real-Time Collision Detection (2005), 4.4.1. Letters: `R` the rotation of B
//! seen from A, `t` the centre of B seen from A, `a` and `b` the half extents. The slack is
//! absolute, not an epsilon on `R`: see [`tolerance`](crate::num::tolerance).

use std::ops::ControlFlow;

use crate::num::Scalar;
use crate::num::linear::{Mat3, Vec3, absolute, cross, dot};
use crate::num::simd::{Doubles, Lanes};
use crate::num::tolerance::PARALLEL_SINE;

/// How two boxes, or two frames of boxes, are turned against each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axes<D = f64> {
    /// Column `j`: axis `j` of the second in the frame of the first.
    pub rotation: Mat3<D>,
    /// The sizes of its entries.
    pub absolute: Mat3<D>,
}

/// The direction along which two boxes overlap least.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeastOverlap<D> {
    /// Unit, in the frame of the first, from the first to the second.
    pub direction: Vec3<D>,
    /// The least sine between an edge of the first and one of the second.
    pub least_sine: D,
}

/// What an axis is across.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    Face,
    Edges,
}

impl<D: Lanes> Axes<D> {
    #[inline(always)]
    pub fn new(rotation: Mat3<D>) -> Self {
        let [x, y, z] = rotation;
        Axes { rotation, absolute: [absolute(x), absolute(y), absolute(z)] }
    }

    /// How far `a` and `b` reach together along a face normal of the first.
    #[inline(always)]
    pub(super) fn reach_of_first(&self, i: usize, [a, b]: [Vec3<D>; 2]) -> D {
        let abs = &self.absolute;
        a[i] + (abs[0][i] * b[0] + abs[1][i] * b[1] + abs[2][i] * b[2])
    }

    /// How far `t` leads along a face normal of the second.
    #[inline(always)]
    pub(super) fn along_second(&self, j: usize, t: Vec3<D>) -> D {
        dot(t, self.rotation[j])
    }

    /// How far `a` and `b` reach together along it.
    #[inline(always)]
    pub(super) fn reach_of_second(&self, j: usize, [a, b]: [Vec3<D>; 2]) -> D {
        b[j] + dot(self.absolute[j], a)
    }

    /// How far `t` leads across an edge of each, times the sine between them.
    #[inline(always)]
    pub(super) fn across(&self, [i, j]: [usize; 2], t: Vec3<D>) -> D {
        let (r, i1, i2) = (&self.rotation, (i + 1) % 3, (i + 2) % 3);
        t[i2] * r[j][i1] - t[i1] * r[j][i2]
    }

    /// How far `a` and `b` reach together across them, times that sine.
    #[inline(always)]
    pub(super) fn reach_across(&self, edges: [usize; 2], boxes: [Vec3<D>; 2]) -> D {
        self.reach_by(&self.absolute, edges, boxes)
    }

    /// The same by the sizes of the second's face normals along the axes of the first.
    #[inline(always)]
    fn reach_by(&self, normals: &Mat3<D>, [i, j]: [usize; 2], [a, b]: [Vec3<D>; 2]) -> D {
        let (abs, i1, i2) = (&self.absolute, (i + 1) % 3, (i + 2) % 3);
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        let reach_a = a[i1] * abs[j][i2] + a[i2] * abs[j][i1];
        let reach_b = b[j1] * normals[j2][i] + b[j2] * normals[j1][i];
        reach_a + reach_b
    }

    /// `|A_i x B_j|^2`.
    #[inline(always)]
    pub(super) fn square(&self, i: usize, j: usize) -> D {
        let (y, z) = (self.rotation[j][(i + 1) % 3], self.rotation[j][(i + 2) % 3]);
        y * y + z * z
    }

    /// Sizes of the second's face normals along the axes of the first. In single precision the
    /// normals are the cross products of its stored edges: to take these edges themselves would let
    /// rounding choose the axis of a contact, see [`tolerance`](crate::num::tolerance).
    #[inline(always)]
    fn normals<T: Scalar>(&self) -> Mat3<D> {
        if !T::IS_SINGLE {
            return self.absolute;
        }
        let [x, y, z] = self.rotation;
        [absolute(cross(y, z)), absolute(cross(z, x)), absolute(cross(x, y))]
    }
}

impl Axes {
    /// Calls `each` with the kind of axis, the distance of the centres along it (signed) and the
    /// sum of the boxes' reaches, both times the length of the axis, until it breaks.
    #[inline(always)]
    fn walk<B>(
        &self,
        t: Vec3,
        a: Vec3,
        b: Vec3,
        mut each: impl FnMut(Axis, f64, f64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (i, &along) in t.iter().enumerate() {
            each(Axis::Face, along, self.reach_of_first(i, [a, b]))?;
        }
        for j in 0..3 {
            each(Axis::Face, self.along_second(j, t), self.reach_of_second(j, [a, b]))?;
        }
        for i in 0..3 {
            for j in 0..3 {
                let reach = self.reach_across([i, j], [a, b]);
                each(Axis::Edges, self.across([i, j], t), reach)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether one of the axes says apart by more than `slack`. NaN means not apart.
    #[inline(always)]
    pub fn apart(&self, t: Vec3, a: Vec3, b: Vec3, slack: f64) -> bool {
        self.walk(t, a, b, |_, distance, reach| match distance.abs() > reach + slack {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
        .is_break()
    }

    /// As [`Axes::apart`] by the six face normals alone: cheaper, and enough for a cull.
    #[inline]
    pub fn apart_by_faces(&self, t: Vec3, a: Vec3, b: Vec3, slack: f64) -> bool {
        self.walk(t, a, b, |axis, distance, reach| match axis {
            Axis::Edges => ControlFlow::Break(false),
            _ if distance.abs() > reach + slack => ControlFlow::Break(true),
            _ => ControlFlow::Continue(()),
        }) == ControlFlow::Break(true)
    }

    /// The least sine between an edge of the first and one of the second.
    #[inline]
    pub fn least_sine(&self) -> f64 {
        let squares = (0..9).map(|k| self.square(k / 3, k % 3));
        squares.fold(f64::INFINITY, |least, s| if s < least { s } else { least }).sqrt()
    }
}

impl<D: Doubles> Axes<D> {
    /// The axis of least overlap, the first of equals in the order A's faces, B's faces, edges.
    ///
    /// Nearly parallel edges (sine below [`PARALLEL_SINE`]) are passed over; they give no
    /// direction.
    #[inline(always)]
    pub fn least_overlap<T: Scalar>(
        &self,
        token: D::Token,
        t: Vec3<D>,
        [a, b]: [Vec3<D>; 2],
    ) -> LeastOverlap<D> {
        let mut least = Least::new(token, (a[0] + a[1] + a[2]) + (b[0] + b[1] + b[2]));
        for (i, &along) in t.iter().enumerate() {
            least.face(token, i, along, self.reach_of_first(i, [a, b]));
        }
        for j in 0..3 {
            let (distance, reach) = (self.along_second(j, t), self.reach_of_second(j, [a, b]));
            least.face(token, 3 + j, distance, reach);
        }
        let normals = self.normals::<T>();
        let mut least_square = D::splat(token, f64::INFINITY);
        for i in 0..3 {
            for j in 0..3 {
                let (distance, square) = (self.across([i, j], t), self.square(i, j));
                let reach = self.reach_by(&normals, [i, j], [a, b]);
                least_square = least_square.lesser(square);
                least.edges(token, 6 + 3 * i + j, [distance, reach, square]);
            }
        }
        let ([x, y, z], sign) = (self.numbered(token, least.axis), least.sign);
        let length = least.length.sqrt();
        LeastOverlap {
            direction: [sign * (x / length), sign * (y / length), sign * (z / length)],
            least_sine: least_square.sqrt(),
        }
    }

    /// The axis of that number in the order of the walk, in the frame of the first.
    #[inline(always)]
    fn numbered(&self, token: D::Token, axis: D) -> Vec3<D> {
        let mut chosen = [D::splat(token, 0.0); 3];
        for k in 0..15 {
            let is = axis.equals(D::splat(token, k as f64));
            if D::idle(is) {
                continue;
            }
            let along = self.axis(token, k);
            for i in 0..3 {
                chosen[i] = D::choose(is, along[i], chosen[i]);
            }
        }
        chosen
    }

    /// The same for all.
    #[inline(always)]
    fn axis(&self, token: D::Token, axis: usize) -> Vec3<D> {
        let mut along = [D::splat(token, 0.0); 3];
        match axis {
            0..3 => along[axis] = D::splat(token, 1.0),
            3..6 => along = self.rotation[axis - 3],
            _ => {
                let (i, j) = ((axis - 6) / 3, (axis - 6) % 3);
                let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
                along[i1] = -self.rotation[j][i2];
                along[i2] = self.rotation[j][i1];
            }
        }
        along
    }

    /// The same as a unit vector.
    #[inline(always)]
    pub(super) fn unit(&self, token: D::Token, axis: usize) -> Vec3<D> {
        let along = self.axis(token, axis);
        if axis < 6 {
            return along;
        }
        let sine = self.square((axis - 6) / 3, (axis - 6) % 3).sqrt();
        [along[0] / sine, along[1] / sine, along[2] / sine]
    }
}

/// The least overlap so far: along which of the 15 axes, and whether the second is ahead (1) or
/// behind (-1).
///
/// How much is kept as a fraction, so that overlaps times sines are compared without roots and
/// divisions.
struct Least<D> {
    /// The square of the overlap times the length of the axis, with the sign of the overlap:
    /// negative where boxes pass by the slack alone.
    square: D,
    /// The square of that length.
    length: D,
    axis: D,
    sign: D,
    /// One over the size of the boxes: squares of tiny ones would vanish.
    scale: D,
}

impl<D: Doubles> Least<D> {
    #[inline(always)]
    fn new(token: D::Token, size: D) -> Self {
        let (zero, one) = (D::splat(token, 0.0), D::splat(token, 1.0));
        let square = D::splat(token, f64::INFINITY);
        let scale = one / D::splat(token, f64::MIN_POSITIVE).greater(size);
        Least { square, length: one, axis: zero, sign: one, scale }
    }

    #[inline(always)]
    fn face(&mut self, token: D::Token, axis: usize, distance: D, reach: D) {
        let overlap = (reach - distance.abs()) * self.scale;
        let (square, one) = (overlap * overlap.abs(), D::splat(token, 1.0));
        let less = self.square.above(square * self.length);
        self.take(token, axis, [square, one, distance], less);
    }

    /// Distance and reach times the sine, and its square.
    #[inline(always)]
    fn edges(&mut self, token: D::Token, axis: usize, [distance, reach, length]: [D; 3]) {
        let overlap = (reach - distance.abs()) * self.scale;
        let square = overlap * overlap.abs();
        let crossed = length.above(D::splat(token, PARALLEL_SINE * PARALLEL_SINE));
        let less = (self.square * length).above(square * self.length);
        self.take(token, axis, [square, length, distance], D::both(crossed, less));
    }

    #[inline(always)]
    fn take(
        &mut self,
        token: D::Token,
        axis: usize,
        [square, length, distance]: [D; 3],
        less: D::Mask,
    ) {
        let (zero, one) = (D::splat(token, 0.0), D::splat(token, 1.0));
        let sign = D::choose(zero.above(distance), -one, one);
        self.square = D::choose(less, square, self.square);
        self.length = D::choose(less, length, self.length);
        self.axis = D::choose(less, D::splat(token, axis as f64), self.axis);
        self.sign = D::choose(less, sign, self.sign);
    }
}
