//! Two outlines at rest: verdict, direction of least overlap, point.

use nalgebra::Point2;

use super::outline::{Core, Outline};
use super::vector::{
    Vec2, add, dot, length, nearest_point, nearest_vector, scale, sub, wide_point,
};
use crate::num::{Scalar, tolerance};
use crate::pair::Contact;
use crate::pair::contact::{shares, wide_error_bound};

/// Two outlines and the second centre seen from the first.
pub(super) struct Couple<'a, T: Scalar> {
    pub a: &'a Outline<'a, T>,
    pub b: &'a Outline<'a, T>,
    pub offset: Vec2,
}

impl<'a, T: Scalar> Couple<'a, T> {
    pub fn new(a: &'a Outline<'a, T>, b: &'a Outline<'a, T>) -> Self {
        Couple { a, b, offset: sub(b.center, a.center) }
    }

    /// What rounding may hide. Units.
    pub fn slack(&self) -> f64 {
        tolerance::PLANAR_SLACK * (length(self.offset) + self.a.reach + self.b.reach)
    }

    /// The directions that may part the cores: first those of the first.
    pub fn axes(&self) -> impl Iterator<Item = Vec2> + '_ {
        self.a.axes().chain(self.b.axes())
    }

    /// By how much the first could be moved along `axis` and the cores still overlap on it: from, to, both times the
    /// length of the axis. Reads the same from the other side, with the signs turned.
    pub fn free_way(&self, axis: Vec2) -> [f64; 2] {
        let (a, b) = (self.a.interval(axis), self.b.interval(axis));
        let offset = dot(axis, self.offset);
        [offset + (b[0] - a[1]), offset + (b[1] - a[0])]
    }

    /// The circle of the two, if one is a circle, and the other: the circle's centre seen from the other's, the
    /// other, and whether the circle is the second.
    pub fn circle(&self) -> Option<(Vec2, &'a Outline<'a, T>, bool)> {
        match (&self.a.core, &self.b.core) {
            (_, Core::Point) => Some((self.offset, self.a, true)),
            (Core::Point, _) => Some((scale(self.offset, -1.0), self.b, false)),
            _ => None,
        }
    }

    pub fn apart(&self) -> bool {
        let slack = self.slack();
        if let Some((center, other, _)) = self.circle() {
            let (away, _) = other.nearest(center);
            return !other.holds(center) && away > self.a.round + self.b.round + slack;
        }
        self.axes().any(|axis| {
            let ([low, high], slack) = (self.free_way(axis), slack * length(axis));
            low > slack || high < -slack
        })
    }

    /// How far the two are apart, for two that are: of the cores, from some corner of one to the outline of the other.
    pub fn gap(&self) -> f64 {
        let least = |from: &Outline<'_, T>, to: &Outline<'_, T>, shift: Vec2| {
            let away = from.corners().map(|corner| to.nearest(add(corner, shift)).0);
            away.fold(f64::INFINITY, f64::min)
        };
        let there = least(self.b, self.a, self.offset);
        let back = least(self.a, self.b, scale(self.offset, -1.0));
        (there.min(back) - (self.a.round + self.b.round)).max(0.0)
    }

    /// Unit, from the first to the second, and how far to move the second along it until they only touch.
    pub fn least_overlap(&self) -> (Vec2, f64) {
        let Some((center, other, circle_second)) = self.circle() else {
            return least_push(self.axes().map(|axis| (axis, self.free_way(axis))));
        };
        let (direction, depth) = self.out_of(other, center);
        (if circle_second { direction } else { scale(direction, -1.0) }, depth)
    }

    /// Which way and how far a circle around `center` leaves the other shape.
    fn out_of(&self, other: &Outline<'_, T>, center: Vec2) -> (Vec2, f64) {
        let radius = self.a.round + self.b.round;
        let (away, outward) = other.nearest(center);
        if other.axis_count() == 0 {
            return (if away > 0.0 { outward } else { [1.0, 0.0] }, radius - away);
        }
        if !other.holds(center) && away > self.slack() {
            return (outward, radius - away);
        }
        let (direction, depth) = least_push(other.axes().map(|axis| {
            let ([low, high], at) = (other.interval(axis), dot(axis, center));
            (axis, [at - high, at - low])
        }));
        (direction, depth + radius)
    }
}

/// The least way out among axes with the ways that are free along them: direction and length, the first of equals.
fn least_push(ways: impl Iterator<Item = (Vec2, [f64; 2])>) -> (Vec2, f64) {
    let mut best = ([1.0, 0.0], f64::INFINITY);
    for (axis, [low, high]) in ways {
        // Of the shortest sides even the length may vanish; where it does, the comparison fails.
        let size = length(axis);
        let (push, sign) = if -low <= high { (-low / size, 1.0) } else { (high / size, -1.0) };
        if push < best.1 {
            best = (scale(axis, sign / size), push);
        }
    }
    best
}

/// The point that divides the centres in the ratio of the radii around them, in double precision.
pub(super) fn ratio_point<T: Scalar>(a: &Outline<'_, T>, b: &Outline<'_, T>) -> Vec2 {
    let share = shares((), a.reach, b.reach);
    add(scale(a.center, share.0), scale(b.center, share.1))
}

/// How far apart two shapes can be that no axis parts by more than `slack`.
///
/// Such a pair lies within `2 slack` of the sum of their outlines, turned about, across each of its edges. What
/// is nearest is an edge, or a corner: then the way there is at most half the turn of that corner away from the normal
/// of an edge, and the turn is no sharper than the sharpest of the blunter of the two.
pub(super) fn gap<T: Scalar>(a: &Outline<'_, T>, b: &Outline<'_, T>, slack: f64) -> f64 {
    let away = length(sub(b.center, a.center)) + a.reach + b.reach;
    let bound = 2.0 * slack / a.bluntness.max(b.bluntness);
    if bound < away { bound } else { away }
}

pub(super) fn contact<T: Scalar>(a: &Outline<'_, T>, b: &Outline<'_, T>) -> Option<Contact<T, 2>> {
    let couple = Couple::new(a, b);
    if couple.apart() {
        return None;
    }
    let (direction, depth) = couple.least_overlap();
    let exact = ratio_point(a, b);
    let point: Point2<T> = nearest_point(exact);
    let bound = wide_error_bound((), a.reach, b.reach, length(couple.offset));
    let rounding = length(sub(wide_point(point), exact)) + 1e-14 * (length(exact) + bound);
    Some(Contact {
        point,
        point_error: T::at_least(bound + rounding),
        normal: nearest_vector(direction),
        depth: T::at_least(depth.max(0.0)),
        slack: T::at_least(gap(a, b, couple.slack())),
    })
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector2;

    use super::*;
    use crate::planar::outline::Outlined;
    use crate::planar::{ConvexPolygon, Obb};

    #[test]
    fn rectangles_need_four_axes_and_with_a_triangle_five() {
        let solid = Obb::new(Point2::origin(), Vector2::x(), Vector2::new(2.0, 1.0));
        let solid = solid.expect("a box");
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Point2::from);
        let triangle = ConvexPolygon::new(corners.to_vec()).expect("a triangle");
        let (a, b) = (solid.outline().expect("one"), triangle.outline().expect("one"));
        let count = |a, b| Couple::<f64>::new(a, b).axes().count();
        assert_eq!([count(&a, &a), count(&a, &b), count(&b, &a), count(&b, &b)], [4, 5, 5, 6]);
    }
}
