//! SAT kernel 1, pairs of boxes across SIMD lanes: one pair a lane, the 15 axes one after another,
//! in either precision.
//!
//! Every axis yields two numbers, the distance of the centres and the radius (sum of the projected
//! radii of the boxes), both times the length of the axis. The deciding test compares `distance >
//! radius + slack`; prefilters compare the separation `distance - radius`, which rounds
//! differently. Letters as in [`sat`](super).

use std::ops::ControlFlow;

use crate::num::linear::{
    Mat3, Vec3, absolute_values, cross, dot, length, relative_axes, rotate_back, sub,
};
use crate::num::simd::{Doubles, Lanes};
use crate::num::{Scalar, tolerance};
use crate::shape::WideObb;

/// Rotation of the second box, or of the second part's frame, seen from the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RelativeRotation<D = f64> {
    /// Column `j` is axis `j` of the second in the frame of the first.
    pub columns: Mat3<D>,
    /// Absolute values of the entries.
    pub absolute: Mat3<D>,
}

/// Pair of boxes, the second seen from the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxPair<D = f64> {
    pub rotation: RelativeRotation<D>,
    /// Vector from the centre of the first to that of the second, in the frame of the first
    /// [length units].
    pub t: Vec3<D>,
    /// Half extents of the first [length units].
    pub a: Vec3<D>,
    /// Half extents of the second [length units].
    pub b: Vec3<D>,
}

impl<D: Lanes> RelativeRotation<D> {
    #[inline(always)]
    pub fn new(columns: Mat3<D>) -> Self {
        let [x, y, z] = columns;
        RelativeRotation {
            columns,
            absolute: [absolute_values(x), absolute_values(y), absolute_values(z)],
        }
    }

    /// Returns the radius along face normal `i` of the first.
    #[inline(always)]
    pub fn radius_on_first_face(&self, i: usize, [a, b]: [Vec3<D>; 2]) -> D {
        let abs = &self.absolute;
        a[i] + dot([abs[0][i], abs[1][i], abs[2][i]], b)
    }

    /// Returns the signed distance along face normal `j` of the second.
    #[inline(always)]
    pub fn distance_on_second_face(&self, j: usize, t: Vec3<D>) -> D {
        dot(t, self.columns[j])
    }

    /// Returns the radius along face normal `j` of the second.
    #[inline(always)]
    pub fn radius_on_second_face(&self, j: usize, [a, b]: [Vec3<D>; 2]) -> D {
        b[j] + dot(self.absolute[j], a)
    }

    /// Returns the signed distance along the cross product of edge `i` of the first and edge `j` of
    /// the second, times the sine between them.
    #[inline(always)]
    pub fn distance_on_edges(&self, [i, j]: [usize; 2], t: Vec3<D>) -> D {
        let (r, i1, i2) = (&self.columns, (i + 1) % 3, (i + 2) % 3);
        t[i2] * r[j][i1] - t[i1] * r[j][i2]
    }

    /// Returns the radius along the cross product of two edges, times the sine between them.
    #[inline(always)]
    pub fn radius_on_edges(&self, edges: [usize; 2], boxes: [Vec3<D>; 2]) -> D {
        self.radius_on_edges_by_normals(&self.absolute, edges, boxes)
    }

    /// Like [`RelativeRotation::radius_on_edges`], with given absolute values of the second's face
    /// normals along the axes of the first.
    #[inline(always)]
    pub fn radius_on_edges_by_normals(
        &self,
        normals: &Mat3<D>,
        [i, j]: [usize; 2],
        [a, b]: [Vec3<D>; 2],
    ) -> D {
        let (abs, i1, i2) = (&self.absolute, (i + 1) % 3, (i + 2) % 3);
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        let reach_a = a[i1] * abs[j][i2] + a[i2] * abs[j][i1];
        let reach_b = b[j1] * normals[j2][i] + b[j2] * normals[j1][i];
        reach_a + reach_b
    }

    /// Returns `|A_i x B_j|^2`, the squared sine between two edges.
    #[inline(always)]
    pub fn squared_sine(&self, i: usize, j: usize) -> D {
        let (y, z) = (self.columns[j][(i + 1) % 3], self.columns[j][(i + 2) % 3]);
        y * y + z * z
    }

    /// Returns the absolute values of the second's face normals along the axes of the first.
    ///
    /// In single precision the normals are the cross products of the stored edges: with the edges
    /// themselves rounding would choose the axis of a contact, see [`tolerance`].
    #[inline(always)]
    pub fn absolute_normals<T: Scalar>(&self) -> Mat3<D> {
        if !T::IS_SINGLE {
            return self.absolute;
        }
        let [x, y, z] = self.columns;
        [absolute_values(cross(y, z)), absolute_values(cross(z, x)), absolute_values(cross(x, y))]
    }
}

impl RelativeRotation {
    /// Calls `each` with the kind of axis, the signed distance and the radius, until it breaks.
    #[inline(always)]
    fn for_each_axis<B>(
        &self,
        t: Vec3,
        a: Vec3,
        b: Vec3,
        mut each: impl FnMut(AxisKind, f64, f64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (i, &along) in t.iter().enumerate() {
            each(AxisKind::Face, along, self.radius_on_first_face(i, [a, b]))?;
        }
        for j in 0..3 {
            each(
                AxisKind::Face,
                self.distance_on_second_face(j, t),
                self.radius_on_second_face(j, [a, b]),
            )?;
        }
        for i in 0..3 {
            for j in 0..3 {
                let reach = self.radius_on_edges([i, j], [a, b]);
                each(AxisKind::Edges, self.distance_on_edges([i, j], t), reach)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns `true` if one of the 15 axes separates the boxes by more than `slack`; `false` for
    /// NaN.
    #[inline(always)]
    pub fn apart(&self, t: Vec3, a: Vec3, b: Vec3, slack: f64) -> bool {
        self.for_each_axis(t, a, b, |_, distance, reach| match distance.abs() > reach + slack {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
        .is_break()
    }

    /// Like [`RelativeRotation::apart`], by the six face normals alone: cheaper, and enough
    /// to prune.
    #[inline]
    pub fn is_separated_by_faces(&self, t: Vec3, a: Vec3, b: Vec3, slack: f64) -> bool {
        self.for_each_axis(t, a, b, |axis, distance, reach| match axis {
            AxisKind::Edges => ControlFlow::Break(false),
            _ if distance.abs() > reach + slack => ControlFlow::Break(true),
            _ => ControlFlow::Continue(()),
        }) == ControlFlow::Break(true)
    }

    /// Returns the least sine between an edge of the first and one of the second.
    #[inline]
    pub fn least_sine(&self) -> f64 {
        let squares = (0..9).map(|k| self.squared_sine(k / 3, k % 3));
        squares.fold(f64::INFINITY, |least, s| if s < least { s } else { least }).sqrt()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AxisKind {
    Face,
    Edges,
}

impl<D: Lanes> BoxPair<D> {
    /// Creates the pair from axes in one frame; `between` leads from centre to centre.
    #[inline(always)]
    pub fn from_axes(
        [first, second]: [&Mat3<D>; 2],
        between: Vec3<D>,
        [a, b]: [Vec3<D>; 2],
    ) -> Self {
        let rotation = RelativeRotation::new(relative_axes(first, second));
        BoxPair { rotation, t: rotate_back(first, between), a, b }
    }

    /// Creates the pair from two boxes in one frame.
    #[inline(always)]
    pub fn new(first: &WideObb<D>, second: &WideObb<D>) -> Self {
        let between = sub(second.center, first.center);
        let half = [first.half_extents, second.half_extents];
        BoxPair::from_axes([&first.axes, &second.axes], between, half)
    }

    /// Creates the pair from boxes in two frames, the second frame given as seen from the first.
    #[inline(always)]
    pub fn from_frames(
        first: &WideObb<D>,
        second: &WideObb<D>,
        rotation: &Mat3<D>,
        offset: Vec3<D>,
    ) -> Self {
        BoxPair::new(first, &second.moved(rotation, offset))
    }

    /// Returns the largest separation along the six face normals, negative where the boxes overlap.
    #[inline(always)]
    pub fn max_face_separation(&self) -> D {
        let [of_first, of_second] = self.face_separations();
        let most = of_first[0].high(of_first[1]).high(of_first[2]);
        most.high(of_second[0]).high(of_second[1]).high(of_second[2])
    }

    /// Returns the separations along the face normals of the first and along those of the second.
    #[inline(always)]
    pub fn face_separations(&self) -> [Vec3<D>; 2] {
        [
            [
                self.separation_on_first_face(0),
                self.separation_on_first_face(1),
                self.separation_on_first_face(2),
            ],
            [
                self.separation_on_second_face(0),
                self.separation_on_second_face(1),
                self.separation_on_second_face(2),
            ],
        ]
    }

    #[inline(always)]
    fn separation_on_first_face(&self, i: usize) -> D {
        self.t[i].abs() - self.rotation.radius_on_first_face(i, [self.a, self.b])
    }

    #[inline(always)]
    fn separation_on_second_face(&self, j: usize) -> D {
        let reach = self.rotation.radius_on_second_face(j, [self.a, self.b]);
        self.rotation.distance_on_second_face(j, self.t).abs() - reach
    }

    /// Returns the separation along the cross product of edges `i` and `j`, times the sine between
    /// them.
    #[inline(always)]
    pub fn separation_on_edges(&self, i: usize, j: usize) -> D {
        let distance = self.rotation.distance_on_edges([i, j], self.t);
        distance.abs() - self.rotation.radius_on_edges([i, j], [self.a, self.b])
    }

    /// Returns the larger of `most` and the largest separation along the nine edge axes.
    #[inline(always)]
    pub fn max_separation_with_edges(&self, mut most: D) -> D {
        for i in 0..3 {
            for j in 0..3 {
                most = most.high(self.separation_on_edges(i, j));
            }
        }
        most
    }
}

impl<D: Lanes> BoxPair<D> {
    /// Returns the lanes in which one of the 15 axes separates the boxes by more than `slack`.
    /// Equals [`RelativeRotation::apart`], without early out.
    #[inline(always)]
    pub fn separated_lanes(&self, slack: D) -> D::Mask {
        let (rotation, boxes) = (&self.rotation, [self.a, self.b]);
        let mut apart = self.t[0].abs().above(rotation.radius_on_first_face(0, boxes) + slack);
        for i in 0..3 {
            let of_first = self.t[i].abs().above(rotation.radius_on_first_face(i, boxes) + slack);
            let along = rotation.distance_on_second_face(i, self.t);
            let of_second = along.abs().above(rotation.radius_on_second_face(i, boxes) + slack);
            apart = D::either(apart, D::either(of_first, of_second));
            for j in 0..3 {
                let across = rotation.distance_on_edges([i, j], self.t);
                let reach = rotation.radius_on_edges([i, j], boxes);
                apart = D::either(apart, across.abs().above(reach + slack));
            }
        }
        apart
    }
}

impl BoxPair {
    /// Returns `true` if one of the 15 axes separates the boxes by more than `slack`.
    #[inline(always)]
    pub fn apart(&self, slack: f64) -> bool {
        self.rotation.apart(self.t, self.a, self.b, slack)
    }

    /// Returns an upper bound on the distance of two boxes that the test with this slack does not
    /// separate [length units].
    pub fn max_gap(&self, slack: f64, size: f64) -> f64 {
        tolerance::gap(slack, size, Some(self.rotation.least_sine()))
    }

    /// Returns a lower bound on the distance of the boxes, up to rounding, by the axes of each; the
    /// greatest separation, which is negative, where no face separates them.
    pub fn face_axes_bound(&self) -> f64 {
        let most = self.max_face_separation();
        let apart = self.face_separations().map(|along| length(along.map(|x| x.high(0.0))));
        if most > 0.0 { apart[0].high(apart[1]) } else { most }
    }

    /// Returns the boxes with every face moved inward; `None` if a half extent would be negative.
    pub fn shrunk(&self, by: f64) -> Option<BoxPair> {
        let smaller = |h: Vec3| h.map(|h| h - by);
        let (a, b) = (smaller(self.a), smaller(self.b));
        a.iter().chain(&b).all(|&h| h >= 0.0).then_some(BoxPair { a, b, ..*self })
    }
}

impl<D: Doubles> RelativeRotation<D> {
    /// Returns the axis of an index, in the order face normals of the first, of the second, edges;
    /// not of unit length.
    #[inline(always)]
    pub fn axis(&self, token: D::Token, axis: usize) -> Vec3<D> {
        let mut along = [D::splat(token, 0.0); 3];
        match axis {
            0..3 => along[axis] = D::splat(token, 1.0),
            3..6 => along = self.columns[axis - 3],
            _ => {
                let (i, j) = ((axis - 6) / 3, (axis - 6) % 3);
                let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
                along[i1] = -self.columns[j][i2];
                along[i2] = self.columns[j][i1];
            }
        }
        along
    }

    /// Like [`RelativeRotation::axis`], but of unit length.
    #[inline(always)]
    pub fn unit_axis(&self, token: D::Token, axis: usize) -> Vec3<D> {
        let along = self.axis(token, axis);
        if axis < 6 {
            return along;
        }
        let sine = self.squared_sine((axis - 6) / 3, (axis - 6) % 3).sqrt();
        [along[0] / sine, along[1] / sine, along[2] / sine]
    }
}
