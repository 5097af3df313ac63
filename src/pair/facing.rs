//! Two oriented boxes seen from the first: verdict and contact.

use nalgebra::Vector3;

use super::axes::Axes;
use super::contact::{Contact, point_and_error};
use crate::num::linear::{Mat3, Vec3, add, dot, product, relative, sub, turn, turn_back};
use crate::num::{Scalar, tolerance};
use crate::shape::WideObb;

/// Two boxes seen from the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facing {
    axes: Axes,
    t: Vec3,
    a: Vec3,
    b: Vec3,
}

impl Facing {
    /// Two boxes given in one frame.
    pub fn new(first: &WideObb, second: &WideObb) -> Self {
        Facing {
            axes: Axes::new(relative(&first.axes, &second.axes)),
            t: turn_back(&first.axes, sub(second.center, first.center)),
            a: first.half_extents,
            b: second.half_extents,
        }
    }

    /// Two boxes given in two frames, the second frame turned and moved as seen from the first.
    pub fn across(first: &WideObb, second: &WideObb, rotation: &Mat3, offset: Vec3) -> Self {
        let center = add(turn(rotation, second.center), offset);
        Facing {
            axes: Axes::new(relative(&first.axes, &product(rotation, &second.axes))),
            t: turn_back(&first.axes, sub(center, first.center)),
            a: first.half_extents,
            b: second.half_extents,
        }
    }

    pub fn apart(&self, slack: f64) -> bool {
        self.axes.apart(self.t, self.a, self.b, slack)
    }

    /// The farthest two boxes that are not apart by that slack can be apart. Units.
    pub fn gap(&self, slack: f64, size: f64) -> f64 {
        tolerance::gap(slack, size, Some(self.axes.least_sine()))
    }

    /// The same boxes with every face moved in; `None` if nothing is left of one.
    pub fn shrunk(&self, by: f64) -> Option<Facing> {
        let smaller = |h: Vec3| h.map(|h| h - by);
        let (a, b) = (smaller(self.a), smaller(self.b));
        a.iter().chain(&b).all(|&h| h >= 0.0).then_some(Facing { a, b, ..*self })
    }

    /// The contact of two boxes that are not apart, both given in the frame of the answer.
    ///
    /// `slack` is that of the test, `excess` how far the geometry inside may be from the boxes, both together.
    pub fn contact<T: Scalar>(
        &self,
        first: &WideObb,
        second: &WideObb,
        slack: f64,
        excess: f64,
    ) -> Contact<T> {
        let least = self.axes.least_overlap(self.t, self.a, self.b);
        let size = first.radius() + second.radius();
        let gap = tolerance::gap(slack, size, Some(least.least_sine));
        let normal = Vector3::from(turn(&first.axes, least.direction).map(T::nearest));
        let depth = depth_along(first, second, normal.map(|x| x.wide()).into());
        let (point, point_error) = point_and_error(first, second);
        Contact {
            point,
            point_error,
            normal,
            depth: T::at_least(depth),
            slack: T::at_least(excess + gap),
        }
    }
}

/// How far to move the second along `normal` until they only touch, measured on the axes as stored.
///
/// The formula of the edge axes takes right angles for granted: off by up to `14 u / sine` of the sizes.
fn depth_along(first: &WideObb, second: &WideObb, normal: Vec3) -> f64 {
    let reach = |b: &WideObb| {
        let along = |i: usize| b.half_extents[i] * dot(b.axes[i], normal).abs();
        along(0) + along(1) + along(2)
    };
    let distance = dot(normal, sub(second.center, first.center));
    ((reach(first) + reach(second) - distance) / dot(normal, normal)).max(0.0)
}
