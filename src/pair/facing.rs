//! Two oriented boxes seen from the first: verdict, contact, and how far they are apart.

use nalgebra::Vector3;

use super::axes::{Axes, LeastOverlap};
use super::contact::point_and_error;
use super::results::Contact;
use crate::num::linear::{Mat3, Vec3, dot, relative, sub, turn, turn_back};
use crate::num::simd::{Doubles, Lanes};
use crate::num::{Scalar, tolerance};
use crate::shape::{WideObb, nearest_point};

/// Two boxes seen from the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facing<D = f64> {
    pub axes: Axes<D>,
    /// From the centre of the first to that of the second.
    pub t: Vec3<D>,
    /// Half extents.
    pub a: Vec3<D>,
    pub b: Vec3<D>,
}

/// Where two boxes touch, before it is rounded to what boxes are stored in; but for point and
/// normal, which are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touching<D> {
    pub point: Vec3<D>,
    pub point_error: D,
    pub normal: Vec3<D>,
    pub depth: D,
    pub slack: D,
}

/// How far an axis shows the boxes to be apart: the distance of their centres along it less what
/// they reach, times its length; negative where they overlap along it.
impl<D: Lanes> Facing<D> {
    /// Two boxes given in one frame, by their axes; `between`: from centre to centre.
    #[inline(always)]
    pub fn of_axes([first, second]: [&Mat3<D>; 2], between: Vec3<D>, [a, b]: [Vec3<D>; 2]) -> Self {
        Facing { axes: Axes::new(relative(first, second)), t: turn_back(first, between), a, b }
    }

    /// The largest of the six face normals.
    #[inline(always)]
    pub fn excess_of_faces(&self) -> D {
        let [x, y, z] = [self.excess_of_first(0), self.excess_of_first(1), self.excess_of_first(2)];
        let mut most = x.high(y).high(z);
        for j in 0..3 {
            let reach = self.axes.reach_of_second(j, [self.a, self.b]);
            most = most.high(self.axes.along_second(j, self.t).abs() - reach);
        }
        most
    }

    /// That of a face normal of the first.
    #[inline(always)]
    fn excess_of_first(&self, i: usize) -> D {
        self.t[i].abs() - self.axes.reach_of_first(i, [self.a, self.b])
    }

    /// That of edge `i` of the first and edge `j` of the second.
    #[inline(always)]
    pub fn excess_of_edges(&self, i: usize, j: usize) -> D {
        let distance = self.axes.across([i, j], self.t);
        distance.abs() - self.axes.reach_across([i, j], [self.a, self.b])
    }

    /// The larger of `most` and the largest of the nine pairs of edges.
    #[inline(always)]
    pub fn excess_of_all_edges(&self, mut most: D) -> D {
        for i in 0..3 {
            for j in 0..3 {
                most = most.high(self.excess_of_edges(i, j));
            }
        }
        most
    }
}

impl<D: Doubles> Facing<D> {
    /// Two boxes given in one frame.
    #[inline(always)]
    pub fn new(first: &WideObb<D>, second: &WideObb<D>) -> Self {
        let between = sub(second.center, first.center);
        let half = [first.half_extents, second.half_extents];
        Facing::of_axes([&first.axes, &second.axes], between, half)
    }

    /// Two boxes given in two frames, the second frame turned and moved as seen from the first.
    #[inline(always)]
    pub fn across(
        first: &WideObb<D>,
        second: &WideObb<D>,
        rotation: &Mat3<D>,
        offset: Vec3<D>,
    ) -> Self {
        Facing::new(first, &second.moved(rotation, offset))
    }

    /// The contact of two boxes that are not apart, both given in the frame of the answer.
    ///
    /// `slack` is that of the test, `excess` how far the geometry inside may be from the boxes,
    /// both together.
    #[inline(always)]
    pub fn touching<T: Scalar>(
        &self,
        token: D::Token,
        [first, second]: [&WideObb<D>; 2],
        [slack, excess]: [D; 2],
    ) -> Touching<D> {
        let least = self.axes.least_overlap::<T>(token, self.t, [self.a, self.b]);
        Touching::along::<T>(token, &least, [first, second], [slack, excess])
    }
}

impl Facing {
    #[inline(always)]
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

    /// As [`Facing::touching`], as an answer.
    pub fn contact<T: Scalar>(
        &self,
        first: &WideObb,
        second: &WideObb,
        slack: f64,
        excess: f64,
    ) -> Contact<T> {
        self.touching::<T>((), [first, second], [slack, excess]).contact()
    }
}

impl<D: Doubles> Touching<D> {
    /// That of two boxes which overlap least in a direction seen from the first. See
    /// [`Facing::touching`].
    #[inline(always)]
    pub fn along<T: Scalar>(
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
        Touching {
            point,
            point_error,
            normal,
            depth: depth_along(token, first, second, normal),
            slack: excess + gap,
        }
    }
}

impl Touching<f64> {
    /// Rounded so that what is stated holds.
    pub fn contact<T: Scalar>(&self) -> Contact<T> {
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
/// The formula of the edge axes takes right angles for granted: off by up to `14 u / sine` of the
/// sizes.
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
