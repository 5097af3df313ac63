//! Outlines: planar shapes as a core and a radius, in double precision.

use std::cmp::Ordering;

use super::circle_or_aabb::CircleOrAabb;
use super::core::{PlanarCore, PointCore, PolygonCore, RectangleCore};
use super::edge::PlanarEdge;
use super::vector::{Vec2, add, dot, scale, sub, wide_point};
use super::{ConvexPolygon, Obb2};
use crate::num::Scalar;
use crate::shape::{Aabb, Sphere};

/// Rounded shape: all points within `radius` of a core, in double precision.
#[derive(Debug, Clone, Copy)]
pub struct Outline2<C> {
    pub(super) center: Vec2,
    pub(super) radius: f64,
    pub(super) core: C,
}

impl<C: PlanarCore> Outline2<C> {
    /// Returns the distance of the farthest point from the centre.
    pub(super) fn radius_about_center(&self) -> f64 {
        self.core.radius_about_center() + self.radius
    }

    /// Returns the corners of the core, relative to the centre.
    #[inline(always)]
    pub(super) fn corners(&self) -> impl Iterator<Item = Vec2> + '_ {
        (0..self.core.corner_count()).map(|index| self.core.corner(index))
    }

    /// Returns the edges of the core.
    #[inline(always)]
    pub(super) fn edges(&self) -> impl Iterator<Item = PlanarEdge> + '_ {
        (0..self.core.corner_count()).map(|index| self.core.edge(index))
    }

    /// Returns `true` if the point is in the core, edges included.
    #[inline]
    pub(super) fn contains(&self, point: Vec2) -> bool {
        if C::POINT {
            return point == [0.0; 2];
        }
        (0..self.core.axis_count()).all(|index| {
            let axis = self.core.axis(index);
            let ([low, high], at) = (axis.ends, dot(axis.along, point));
            low <= at && at <= high
        })
    }

    /// Returns the distance of `point`, which is outside, from the core, and the unit direction
    /// from the core to it; zero at a corner.
    #[inline]
    pub(super) fn distance_and_direction(&self, point: Vec2) -> (f64, Vec2) {
        let (mut least, mut bar, mut nearest) = (f64::INFINITY, f64::INFINITY, None);
        for index in self.core.candidate_edges(point) {
            let edge = self.core.edge(index);
            if edge.is_farther(point, bar) {
                continue;
            }
            let (away, beside) = edge.distance(point);
            if away.abs() < least {
                least = away.abs();
                bar = least * least * (1.0 + 1e-12) + 1e-290;
                nearest = Some((edge, away, beside));
            }
        }
        let direction = nearest.map_or([0.0; 2], |(edge, away, beside)| {
            if beside {
                scale(edge.outward(), away.signum() / edge.size)
            } else if least > 0.0 {
                scale(sub(point, edge.start), 1.0 / least)
            } else {
                [0.0; 2]
            }
        });
        (least, direction)
    }

    /// Returns `true` if this outline precedes another in an order by numbers alone: circles first,
    /// then by corners.
    #[inline]
    pub(super) fn precedes<D: PlanarCore>(&self, other: &Outline2<D>) -> bool {
        let first = (self.core.axis_count(), bits(self.center), self.radius.to_bits());
        let second = (other.core.axis_count(), bits(other.center), other.radius.to_bits());
        match first.cmp(&second) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => self.order_key().lt(other.order_key()),
        }
    }

    /// Returns the corners, then the axes, which distinguish boxes of zero size.
    fn order_key(&self) -> impl Iterator<Item = [u64; 2]> + '_ {
        let axes = (0..self.core.axis_count()).map(|index| self.core.axis(index).along);
        self.corners().chain(axes).map(bits)
    }
}

fn bits(v: Vec2) -> [u64; 2] {
    v.map(f64::to_bits)
}

/// Seals [`Shape`](super::Shape), and provides the outlines of its types.
pub trait Outlined<T: Scalar>: Sized {
    /// Core of the shape.
    type Core<'a>: PlanarCore
    where
        Self: 'a;

    /// Returns the outline; `None` for an axis-aligned box that is empty or not finite.
    fn outline(&self) -> Option<Outline2<Self::Core<'_>>>;

    /// Returns the shape if it is a circle or an axis-aligned box.
    #[inline(always)]
    fn circle_or_aabb(&self) -> Option<CircleOrAabb> {
        None
    }
}

impl<T: Scalar> Outlined<T> for Sphere<T, 2> {
    type Core<'a> = PointCore;

    #[inline]
    fn outline(&self) -> Option<Outline2<PointCore>> {
        let (center, radius) = (wide_point(self.center()), self.radius().wide());
        Some(Outline2 { center, radius, core: PointCore })
    }

    #[inline(always)]
    fn circle_or_aabb(&self) -> Option<CircleOrAabb> {
        Some(CircleOrAabb {
            ends: [wide_point(self.center()); 2],
            circle_radius: Some(self.radius().wide()),
        })
    }
}

impl<T: Scalar> Outlined<T> for Obb2<T> {
    type Core<'a> = RectangleCore;

    #[inline]
    fn outline(&self) -> Option<Outline2<RectangleCore>> {
        let (axes, half) = (self.wide_axes(), self.wide_half());
        let core = RectangleCore { axes, half, corners: self.corner_offsets(), center_error: 0.0 };
        Some(Outline2 { center: wide_point(self.center()), radius: 0.0, core })
    }
}

impl<T: Scalar> Outlined<T> for Aabb<T, 2> {
    type Core<'a> = RectangleCore;

    #[inline]
    fn outline(&self) -> Option<Outline2<RectangleCore>> {
        let (min, max) = (wide_point(self.min), wide_point(self.max));
        let center = [0, 1].map(|i| 0.5 * min[i] + 0.5 * max[i]);
        // Ends relative to the centre are accurate to a bit, even though the centre is rounded.
        let (low, high) = (sub(min, center), sub(max, center));
        let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
        let [x, y] = add(low, high);
        let core = RectangleCore {
            axes: [[1.0, 0.0], [0.0, 1.0]],
            half: scale(sub(high, low), 0.5),
            corners,
            center_error: x.abs() + y.abs(),
        };
        let sound = !self.is_empty() && dot(low, low).is_finite() && dot(high, high).is_finite();
        sound.then_some(Outline2 { center, radius: 0.0, core })
    }

    #[inline(always)]
    fn circle_or_aabb(&self) -> Option<CircleOrAabb> {
        Some(CircleOrAabb {
            ends: [wide_point(self.min), wide_point(self.max)],
            circle_radius: None,
        })
    }
}

impl<T: Scalar> Outlined<T> for ConvexPolygon<T> {
    type Core<'a> = PolygonCore<'a>;

    #[inline]
    fn outline(&self) -> Option<Outline2<PolygonCore<'_>>> {
        Some(Outline2 { center: self.wide_center(), radius: 0.0, core: self.core() })
    }
}
