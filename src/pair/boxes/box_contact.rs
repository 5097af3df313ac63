//! Contacts of oriented boxes from the axis of least overlap: point, normal, depth and slack, of
//! one pair or of one pair a lane.

use nalgebra::Vector3;

use crate::num::linear::{Vec3, dot, rotate, sub};
use crate::num::simd::{DoubleTriple, Doubles, TripleKernel};
use crate::num::{Scalar, SimdLevel, gap};
use crate::pair::contact::point_and_error;
use crate::pair::results::Contact;
use crate::sat::{BoxPair, LeastOverlap, least_overlap_of_one, sat_tolerance};
use crate::shape::{Obb, WideObb, nearest_point};

/// Contact of two boxes in double precision; point and normal are already rounded to the stored
/// type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxContact<D> {
    pub point: Vec3<D>,
    pub point_error: D,
    pub normal: Vec3<D>,
    pub depth: D,
    pub slack: D,
}

/// Returns the contact of two boxes; `None` if an axis separates them by more than the slack. The
/// bits are the same at every SIMD level.
pub(in crate::pair) fn contact<T: Scalar>(first: &Obb<T>, second: &Obb<T>) -> Option<Contact<T>> {
    SimdLevel::best().run_triples(SinglePairKernel([first, second]))
}

struct SinglePairKernel<'a, T: Scalar>([&'a Obb<T>; 2]);

impl<T: Scalar> TripleKernel for SinglePairKernel<'_, T> {
    type Output = Option<Contact<T>>;

    #[inline(always)]
    fn run<D: DoubleTriple>(self, token: D::Token) -> Option<Contact<T>> {
        let [first, second] = self.0;
        let (first, second) = (first.wide(), second.wide());
        let slack = sat_tolerance::<T>(&first, &second);
        let least = least_overlap_of_one::<D, T>(token, [&first, &second], slack)?;
        Some(
            BoxContact::from_least_overlap::<T>((), &least, [&first, &second], [slack, 0.0])
                .rounded(),
        )
    }
}

impl<D: Doubles> BoxContact<D> {
    /// Computes the contact of two boxes that are not separated, both in the frame of the answer.
    ///
    /// `slack` is the slack of the test, `excess` the sum of the distances from the boxes to the
    /// geometry in them.
    #[inline(always)]
    pub fn new<T: Scalar>(
        token: D::Token,
        pair: &BoxPair<D>,
        boxes: [&WideObb<D>; 2],
        [slack, excess]: [D; 2],
    ) -> Self {
        let least = pair.rotation.least_overlap::<T>(token, pair.t, [pair.a, pair.b]);
        Self::from_least_overlap::<T>(token, &least, boxes, [slack, excess])
    }

    /// Like [`BoxContact::new`], for a known least overlap.
    #[inline(always)]
    fn from_least_overlap<T: Scalar>(
        token: D::Token,
        least: &LeastOverlap<D>,
        [first, second]: [&WideObb<D>; 2],
        [slack, excess]: [D; 2],
    ) -> Self {
        let size = first.radius() + second.radius();
        let gap = gap::gap_at(token, slack, size, least.least_sine);
        let [x, y, z] = rotate(&first.axes, least.direction);
        let normal = [x.rounded::<T>(token), y.rounded::<T>(token), z.rounded::<T>(token)];
        let (point, point_error) = point_and_error::<T, D>(token, first, second);
        BoxContact {
            point,
            point_error,
            normal,
            depth: depth_along(token, first, second, normal),
            slack: excess + gap,
        }
    }
}

impl BoxContact<f64> {
    /// Rounds the contact to the stored type: distances upward.
    pub fn rounded<T: Scalar>(&self) -> Contact<T> {
        Contact {
            point: nearest_point(self.point),
            point_error: T::at_least(self.point_error),
            normal: Vector3::from(self.normal.map(T::nearest)),
            depth: T::at_least(self.depth),
            slack: T::at_least(self.slack),
        }
    }
}

/// Returns the translation of the second box along `normal` until the boxes only touch, measured on
/// the stored axes.
///
/// The overlap of an edge axis assumes right angles and is off by up to `6 d / sine` of the sizes,
/// with the skew `d` of [`tolerance`](crate::num::tolerance).
#[inline(always)]
fn depth_along<D: Doubles>(
    token: D::Token,
    first: &WideObb<D>,
    second: &WideObb<D>,
    normal: Vec3<D>,
) -> D {
    let distance = dot(normal, sub(second.center, first.center));
    let depth = projected_radius(first, normal) + projected_radius(second, normal) - distance;
    D::splat(token, 0.0).greater(depth / dot(normal, normal))
}

#[inline(always)]
fn projected_radius<D: Doubles>(solid: &WideObb<D>, normal: Vec3<D>) -> D {
    let (axes, half) = (&solid.axes, solid.half_extents);
    half[0] * dot(axes[0], normal).abs()
        + half[1] * dot(axes[1], normal).abs()
        + half[2] * dot(axes[2], normal).abs()
}
