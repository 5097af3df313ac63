//! What the kernels see of a shape: corners, directions that may part it from another, and a rounding.

use nalgebra::Point2;

use super::vector::{Vec2, dot, length, right, scale, sub, wide_point};
use super::{ConvexPolygon, Obb};
use crate::num::Scalar;
use crate::shape::{Aabb, Sphere};

/// All points within `round` of a core, in double precision.
#[derive(Debug, Clone, Copy)]
pub struct Outline<'a, T: Scalar> {
    pub(super) center: Vec2,
    /// No point is further from the centre.
    pub(super) reach: f64,
    pub(super) round: f64,
    /// The cosine of half the sharpest turn between neighbouring axes; see `contact`.
    pub(super) bluntness: f64,
    pub(super) core: Core<'a, T>,
}

/// What is left of a shape without its rounding.
#[derive(Debug, Clone, Copy)]
pub(super) enum Core<'a, T: Scalar> {
    Point,
    /// The directions of its edges and its corners, seen from the centre.
    Rectangle([Vec2; 2], [Vec2; 4]),
    /// Corners, not seen from the centre.
    Polygon(&'a [Point2<T>]),
}

impl<T: Scalar> Outline<'_, T> {
    pub(super) fn count(&self) -> usize {
        match self.core {
            Core::Point => 1,
            Core::Rectangle(..) => 4,
            Core::Polygon(corners) => corners.len(),
        }
    }

    /// A corner of the core, seen from the centre; the one after the last is the first.
    pub(super) fn corner(&self, index: usize) -> Vec2 {
        match self.core {
            Core::Point => [0.0; 2],
            Core::Rectangle(_, corners) => corners[index % 4],
            Core::Polygon(corners) => sub(wide_point(corners[index % corners.len()]), self.center),
        }
    }

    pub(super) fn corners(&self) -> impl Iterator<Item = Vec2> + '_ {
        (0..self.count()).map(|index| self.corner(index))
    }

    /// How many directions may part it from another: 2 for a box, 1 for each side of a polygon.
    pub(super) fn axis_count(&self) -> usize {
        match self.core {
            Core::Point => 0,
            Core::Rectangle(..) => 2,
            Core::Polygon(corners) => corners.len(),
        }
    }

    /// One of them, not of unit length; of a polygon it points outward.
    pub(super) fn axis(&self, index: usize) -> Vec2 {
        match self.core {
            Core::Rectangle(axes, _) => axes[index],
            _ => right(sub(self.corner(index + 1), self.corner(index))),
        }
    }

    pub(super) fn axes(&self) -> impl Iterator<Item = Vec2> + '_ {
        (0..self.axis_count()).map(|index| self.axis(index))
    }

    /// The ends of the core along `axis`, seen from the centre.
    pub(super) fn interval(&self, axis: Vec2) -> [f64; 2] {
        let start = [f64::INFINITY, f64::NEG_INFINITY];
        self.corners().map(|corner| dot(axis, corner)).fold(start, |[low, high], x| {
            [if x < low { x } else { low }, if x > high { x } else { high }]
        })
    }

    /// From corner to corner.
    pub(super) fn edges(&self) -> impl Iterator<Item = [Vec2; 2]> + '_ {
        (0..self.count()).map(|index| [self.corner(index), self.corner(index + 1)])
    }

    /// Whether a point is in the core, the edges included.
    pub(super) fn holds(&self, point: Vec2) -> bool {
        let within = |axis: Vec2| {
            let ([low, high], at) = (self.interval(axis), dot(axis, point));
            low <= at && at <= high
        };
        match self.core {
            Core::Point => point == [0.0; 2],
            _ => self.axes().all(within),
        }
    }

    /// How far `point` is from the outline of the core, and the direction to it from there: unit, or nothing if it is on
    /// a corner.
    pub(super) fn nearest(&self, point: Vec2) -> (f64, Vec2) {
        let (mut least, mut direction) = (f64::INFINITY, [0.0; 2]);
        for [a, b] in self.edges() {
            let (edge, from) = (sub(b, a), sub(point, a));
            let (size, along) = (length(edge), dot(edge, from));
            // Across an edge the direction is its own: that of a difference would be blurred.
            let beside = along > 0.0 && along < size * size;
            let away = if beside { dot(right(edge), from) / size } else { length(from) };
            if away.abs() < least {
                least = away.abs();
                let way = if beside { scale(right(edge), away.signum() / size) } else { from };
                let unit = |v: Vec2| scale(v, 1.0 / least);
                direction = if beside {
                    way
                } else if least > 0.0 {
                    unit(way)
                } else {
                    [0.0; 2]
                };
            }
        }
        (least, direction)
    }

    /// An order that depends on nothing but the numbers: circles first, then by corners.
    pub(super) fn precedes(&self, other: &Self) -> bool {
        let head = |o: &Self| {
            [o.axis_count() as u64, o.center[0].to_bits(), o.center[1].to_bits(), o.round.to_bits()]
        };
        // Where nothing has an extent, the axes still tell boxes from each other.
        let bits = |v: Vec2| v.map(f64::to_bits);
        let tail = |o: Self| {
            let axes = (0..o.axis_count()).flat_map(move |i| bits(o.axis(i)));
            (0..o.count()).flat_map(move |i| bits(o.corner(i))).chain(axes)
        };
        head(self).into_iter().chain(tail(*self)).lt(head(other).into_iter().chain(tail(*other)))
    }
}

/// Keeps outlines, and who can have one, in this room.
pub trait Outlined<T: Scalar> {
    /// `None` of an aligned box that is empty or not finite.
    fn outline(&self) -> Option<Outline<'_, T>>;
}

/// Half a right angle.
const RECTANGLE: f64 = std::f64::consts::FRAC_1_SQRT_2;

impl<T: Scalar> Outlined<T> for Sphere<T, 2> {
    fn outline(&self) -> Option<Outline<'_, T>> {
        let round = self.radius().wide();
        let center = wide_point(self.center());
        Some(Outline { center, reach: round, round, bluntness: 1.0, core: Core::Point })
    }
}

impl<T: Scalar> Outlined<T> for Obb<T> {
    fn outline(&self) -> Option<Outline<'_, T>> {
        let (center, corners) = (wide_point(self.center()), self.spread());
        let core = Core::Rectangle(self.wide_axes(), corners);
        Some(Outline { center, reach: length(corners[2]), round: 0.0, bluntness: RECTANGLE, core })
    }
}

impl<T: Scalar> Outlined<T> for Aabb<T, 2> {
    fn outline(&self) -> Option<Outline<'_, T>> {
        let (min, max) = (wide_point(self.min), wide_point(self.max));
        let center = [0, 1].map(|i| 0.5 * min[i] + 0.5 * max[i]);
        // Ends seen from there are right to a bit, also where the centre is rounded.
        let (low, high) = (sub(min, center), sub(max, center));
        let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
        let core = Core::Rectangle([[1.0, 0.0], [0.0, 1.0]], corners);
        let reach = length(low).max(length(high));
        let sound = !self.is_empty() && reach.is_finite();
        sound.then_some(Outline { center, reach, round: 0.0, bluntness: RECTANGLE, core })
    }
}

impl<T: Scalar> Outlined<T> for ConvexPolygon<T> {
    fn outline(&self) -> Option<Outline<'_, T>> {
        Some(Outline {
            center: self.middle(),
            reach: self.reach(),
            round: 0.0,
            bluntness: self.bluntness(),
            core: Core::Polygon(self.corners()),
        })
    }
}
