//! Axis of least overlap of two boxes, with its sign: the direction of a contact.
//!
//! Two kernels compute it with the same bits: [`RelativeRotation::least_overlap`] for one pair a
//! lane, [`least_overlap_of_one`](super::least_overlap_of_one()) for one pair with its axes across
//! lanes. Overlaps times sines are compared as fractions of squares, without roots. Nearly parallel
//! edges (sine below [`PARALLEL_SINE`]) give no direction and are skipped. Of equal overlaps the
//! first counts, in the order A's faces, B's faces, edges. Source: Ericson, Real-Time Collision
//! Detection (2005), 5.5.1.

use super::box_pair::RelativeRotation;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::num::simd::Doubles;
use crate::num::tolerance::PARALLEL_SINE;

/// Direction along which two boxes overlap least.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeastOverlap<D> {
    /// Unit vector from the first to the second, in the frame of the first.
    pub direction: Vec3<D>,
    /// Least sine between an edge of the first and one of the second.
    pub least_sine: D,
}

impl<D: Doubles> RelativeRotation<D> {
    /// Returns the axis of least overlap of boxes that are not separated; `t` leads from centre to
    /// centre, `a` and `b` are the half extents.
    #[inline(always)]
    pub fn least_overlap<T: Scalar>(
        &self,
        token: D::Token,
        t: Vec3<D>,
        [a, b]: [Vec3<D>; 2],
    ) -> LeastOverlap<D> {
        let mut least = LeastAxis::new(token, (a[0] + a[1] + a[2]) + (b[0] + b[1] + b[2]));
        for (i, &along) in t.iter().enumerate() {
            least.add_face(token, i, along, self.radius_on_first_face(i, [a, b]));
        }
        for j in 0..3 {
            let (distance, reach) =
                (self.distance_on_second_face(j, t), self.radius_on_second_face(j, [a, b]));
            least.add_face(token, 3 + j, distance, reach);
        }
        let normals = self.absolute_normals::<T>();
        let mut least_square = D::splat(token, f64::INFINITY);
        for i in 0..3 {
            for j in 0..3 {
                let (distance, square) =
                    (self.distance_on_edges([i, j], t), self.squared_sine(i, j));
                let reach = self.radius_on_edges_by_normals(&normals, [i, j], [a, b]);
                least_square = least_square.lesser(square);
                least.add_edges(token, 6 + 3 * i + j, [distance, reach, square]);
            }
        }
        let ([x, y, z], sign) = (self.axis_by_lane(token, least.axis), least.sign);
        let length = least.length.sqrt();
        LeastOverlap {
            direction: [sign * (x / length), sign * (y / length), sign * (z / length)],
            least_sine: least_square.sqrt(),
        }
    }

    /// Returns each lane's axis of the given index, in the frame of the first; not of unit length.
    #[inline(always)]
    fn axis_by_lane(&self, token: D::Token, axis: D) -> Vec3<D> {
        let mut chosen = [D::splat(token, 0.0); 3];
        for k in 0..15 {
            let is = axis.equals(D::splat(token, k as f64));
            if D::can_skip(is) {
                continue;
            }
            let along = self.axis(token, k);
            for i in 0..3 {
                chosen[i] = D::choose(is, along[i], chosen[i]);
            }
        }
        chosen
    }
}

/// Least overlap so far: its axis, and the side of the second box.
///
/// The overlap is a fraction, so that overlaps times sines are compared without roots and
/// divisions.
struct LeastAxis<D> {
    /// Square of the overlap times the length of the axis, with the sign of the overlap: negative
    /// where only the slack makes boxes overlap.
    square: D,
    /// Square of the length of the axis.
    length: D,
    /// Index of the axis.
    axis: D,
    /// 1 if the second box is ahead along the axis, -1 if it is behind.
    sign: D,
    /// Reciprocal of the boxes' size: squares of tiny overlaps would underflow.
    scale: D,
}

impl<D: Doubles> LeastAxis<D> {
    #[inline(always)]
    fn new(token: D::Token, size: D) -> Self {
        let (zero, one) = (D::splat(token, 0.0), D::splat(token, 1.0));
        let square = D::splat(token, f64::INFINITY);
        let scale = one / D::splat(token, f64::MIN_POSITIVE).greater(size);
        LeastAxis { square, length: one, axis: zero, sign: one, scale }
    }

    #[inline(always)]
    fn add_face(&mut self, token: D::Token, axis: usize, distance: D, reach: D) {
        let overlap = (reach - distance.abs()) * self.scale;
        let (square, one) = (overlap * overlap.abs(), D::splat(token, 1.0));
        let less = self.square.above(square * self.length);
        self.replace_where(token, axis, [square, one, distance], less);
    }

    /// Adds an edge axis: distance and radius times the sine, and the square of the sine.
    #[inline(always)]
    fn add_edges(&mut self, token: D::Token, axis: usize, [distance, reach, length]: [D; 3]) {
        let overlap = (reach - distance.abs()) * self.scale;
        let square = overlap * overlap.abs();
        let crossed = length.above(D::splat(token, PARALLEL_SINE * PARALLEL_SINE));
        let less = (self.square * length).above(square * self.length);
        self.replace_where(token, axis, [square, length, distance], D::both(crossed, less));
    }

    #[inline(always)]
    fn replace_where(
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
