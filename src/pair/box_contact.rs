//! Contacts of oriented boxes: point, normal, depth and slack from the axis of least overlap; of
//! one pair, or of a pair a lane.

use nalgebra::Vector3;

use super::contact::point_and_error;
use super::results::Contact;
use crate::num::linear::{Vec3, dot, sub, turn};
use crate::num::simd::{Doubles, Triple, TripleKernel};
use crate::num::{Scalar, SimdLevel, tolerance};
use crate::sat::{BoxPair, LeastOverlap, leaf_slack, least_overlap_of_one};
use crate::shape::{Obb, WideObb, nearest_point};

/// The contact of two boxes before it is rounded to the type boxes are stored in; but for point and
/// normal, which are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxContact<D> {
    pub point: Vec3<D>,
    pub point_error: D,
    pub normal: Vec3<D>,
    pub depth: D,
    pub slack: D,
}

/// The contact of two boxes; `None` if an axis separates them by more than the slack. The same bits
/// at every SIMD level.
pub(super) fn contact<T: Scalar>(first: &Obb<T>, second: &Obb<T>) -> Option<Contact<T>> {
    SimdLevel::best().run_triples(OnePair([first, second]))
}

struct OnePair<'a, T: Scalar>([&'a Obb<T>; 2]);

impl<T: Scalar> TripleKernel for OnePair<'_, T> {
    type Output = Option<Contact<T>>;

    #[inline(always)]
    fn run<D: Triple>(self, token: D::Token) -> Option<Contact<T>> {
        let [first, second] = self.0;
        let (first, second) = (first.wide(), second.wide());
        let slack = leaf_slack::<T>(&first, &second);
        let least = least_overlap_of_one::<D, T>(token, [&first, &second], slack)?;
        Some(BoxContact::along::<T>((), &least, [&first, &second], [slack, 0.0]).rounded())
    }
}

impl<D: Doubles> BoxContact<D> {
    /// The contact of two boxes that are not apart, both given in the frame of the answer.
    ///
    /// `slack` is that of the test, `excess` how far the geometry inside may be from the boxes,
    /// both together.
    #[inline(always)]
    pub fn new<T: Scalar>(
        token: D::Token,
        pair: &BoxPair<D>,
        boxes: [&WideObb<D>; 2],
        [slack, excess]: [D; 2],
    ) -> Self {
        let least = pair.rotation.least_overlap::<T>(token, pair.t, [pair.a, pair.b]);
        Self::along::<T>(token, &least, boxes, [slack, excess])
    }

    /// The same of boxes whose least overlap is known.
    #[inline(always)]
    fn along<T: Scalar>(
        token: D::Token,
        least: &LeastOverlap<D>,
        [first, second]: [&WideObb<D>; 2],
        [slack, excess]: [D; 2],
    ) -> Self {
        let size = first.radius() + second.radius();
        let gap = tolerance::gap_at(token, slack, size, least.least_sine);
        let [x, y, z] = turn(&first.axes, least.direction);
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
    /// Rounded to the stored type so that what is stated holds.
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

/// How far to move the second along `normal` until they only touch, measured on the axes as stored.
///
/// The formula of the edge axes takes right angles for granted: off by up to `6 d / sine` of the
/// sizes, with the skew `d` of [`tolerance`](crate::num::tolerance).
#[inline(always)]
fn depth_along<D: Doubles>(
    token: D::Token,
    first: &WideObb<D>,
    second: &WideObb<D>,
    normal: Vec3<D>,
) -> D {
    let distance = dot(normal, sub(second.center, first.center));
    let depth = reach(first, normal) + reach(second, normal) - distance;
    D::splat(token, 0.0).greater(depth / dot(normal, normal))
}

#[inline(always)]
fn reach<D: Doubles>(solid: &WideObb<D>, normal: Vec3<D>) -> D {
    let (axes, half) = (&solid.axes, solid.half_extents);
    half[0] * dot(axes[0], normal).abs()
        + half[1] * dot(axes[1], normal).abs()
        + half[2] * dot(axes[2], normal).abs()
}
