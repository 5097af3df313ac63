//! Two outlines at rest, and whether they are apart.

use super::core::{Core, Rectangle};
use super::outline::Outline;
use super::vector::{Vec2, cross, dot, greater, length, scale, sub, taxi};
use crate::num::tolerance;

/// Two outlines and the second centre seen from the first.
pub(super) struct Couple<'a, A, B> {
    pub a: &'a Outline<A>,
    pub b: &'a Outline<B>,
    pub offset: Vec2,
}

/// A direction that may part two cores.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// Not of unit length.
    pub axis: Vec2,
    pub size: f64,
    /// By how much the first could be moved along it and the cores still overlap on it: from, to, both times the
    /// length of the axis. Reads the same from the other side, with the signs turned.
    pub free: [f64; 2],
}

impl Way {
    /// How far the cores are apart on it, times its length; negative if they are not.
    #[inline(always)]
    pub fn excess(&self) -> f64 {
        let [low, high] = self.free;
        greater(low, -high)
    }
}

impl<'a, A: Core, B: Core> Couple<'a, A, B> {
    #[inline(always)]
    pub fn new(a: &'a Outline<A>, b: &'a Outline<B>) -> Self {
        Couple { a, b, offset: sub(b.center, a.center) }
    }

    /// Whether one of the two is a circle.
    pub const ROUND: bool = A::POINT || B::POINT;

    /// What rounding may hide. Units.
    #[inline(always)]
    pub fn slack(&self) -> f64 {
        tolerance::PLANAR_SLACK * (length(self.offset) + self.a.reach() + self.b.reach())
    }

    /// More than that, without a root; and so much more that it covers other ways to compute the same.
    #[inline(always)]
    pub fn band(&self) -> f64 {
        let size = self.a.core.span() + self.a.round + self.b.core.span() + self.b.round;
        4.0 * tolerance::PLANAR_SLACK * (taxi(self.offset) + size)
    }

    /// The directions that may part the cores: first those of the first.
    #[inline(always)]
    pub fn ways(&self) -> impl Iterator<Item = Way> + '_ {
        let of_a = (0..self.a.core.axis_count()).map(|index| self.way_of_a(index));
        of_a.chain((0..self.b.core.axis_count()).map(|index| self.way_of_b(index)))
    }

    #[inline(always)]
    pub fn way_of_a(&self, index: usize) -> Way {
        let own = self.a.core.axis(index);
        self.way(own.along, own.size, [own.ends, self.b.core.interval(own.along)])
    }

    #[inline(always)]
    pub fn way_of_b(&self, index: usize) -> Way {
        let own = self.b.core.axis(index);
        self.way(own.along, own.size, [self.a.core.interval(own.along), own.ends])
    }

    #[inline(always)]
    fn way(&self, axis: Vec2, size: f64, [a, b]: [[f64; 2]; 2]) -> Way {
        let offset = dot(axis, self.offset);
        Way { axis, size, free: [offset + (b[0] - a[1]), offset + (b[1] - a[0])] }
    }

    /// The circle of the two, if one is a circle, told to one of two functions: the circle's centre seen from the other's, and
    /// the other, which is the first or the second.
    #[inline(always)]
    pub fn with_circle<R>(
        &self,
        first: impl FnOnce(Vec2, &'a Outline<A>) -> R,
        second: impl FnOnce(Vec2, &'a Outline<B>) -> R,
    ) -> R {
        if B::POINT { first(self.offset, self.a) } else { second(scale(self.offset, -1.0), self.b) }
    }

    /// Whether they are apart, in few operations, without roots and quotients; nothing where it is close, or takes more.
    #[inline(always)]
    pub fn glance(&self) -> Option<bool> {
        if Self::ROUND {
            let (radius, band) = (self.a.round + self.b.round, self.band());
            return self.with_circle(
                |center, of| clear(of, center, radius, band),
                |center, of| clear(of, center, radius, band),
            );
        }
        let (p, q) = (self.a.core.rectangle()?, self.b.core.rectangle()?);
        let band = self.band() + p.aside + q.aside + TINY;
        let excess = excesses(p, q, self.offset);
        let most = greater(greater(excess[0], excess[1]), greater(excess[2], excess[3]));
        clearly(most, band)
    }

    #[cold]
    fn look_closely(&self, way: &Way) -> bool {
        way.excess() > self.slack() * way.size
    }

    /// Whether the way parts the two.
    #[inline(always)]
    pub fn parts(&self, way: &Way, band: f64) -> bool {
        let excess = way.excess();
        excess > 0.0 && (excess > band * taxi(way.axis) || self.look_closely(way))
    }

    /// Whether some direction parts the two by more than the slack.
    pub fn apart(&self) -> bool {
        if Self::ROUND {
            let far = self.a.round + self.b.round + self.slack();
            return self.with_circle(
                |center, of| !of.holds(center) && of.nearest(center).0 > far,
                |center, of| !of.holds(center) && of.nearest(center).0 > far,
            );
        }
        let band = self.band();
        self.ways().any(|way| self.parts(&way, band))
    }
}

/// Below this, products may have vanished.
const TINY: f64 = 1e-290;

/// Below this, squares may have.
pub(super) const SMALL: f64 = 1e-145;

/// Whether an excess is above nothing, where no reading within a band of it says otherwise: one foreseeable branch, and none between
/// yes and no.
#[inline(always)]
fn clearly(excess: f64, band: f64) -> Option<bool> {
    (excess.abs() > band).then_some(excess > 0.0)
}

/// By how much each of the four directions parts two rectangles.
///
/// Their axes are a quarter turn apart, so one product along and one across tell all reaches.
#[inline(always)]
fn excesses(p: &Rectangle, q: &Rectangle, offset: Vec2) -> [f64; 4] {
    let (u, v) = (p.axes[0], q.axes[0]);
    let (along, across) = (dot(u, v).abs(), cross(u, v).abs());
    let (of_p, of_q) = (dot(u, u), dot(v, v));
    let (a, b) = (p.half, q.half);
    [
        dot(p.axes[0], offset).abs() - (a[0] * of_p + (b[0] * along + b[1] * across)),
        dot(p.axes[1], offset).abs() - (a[1] * of_p + (b[0] * across + b[1] * along)),
        dot(q.axes[0], offset).abs() - (b[0] * of_q + (a[0] * along + a[1] * across)),
        dot(q.axes[1], offset).abs() - (b[1] * of_q + (a[0] * across + a[1] * along)),
    ]
}

/// Whether a circle is clear of a core, where that is told by squares, or by a single edge.
#[inline(always)]
fn clear<C: Core>(of: &Outline<C>, center: Vec2, radius: f64, band: f64) -> Option<bool> {
    if let Some(solid) = of.core.rectangle() {
        let (past, size) = (solid.past(center), dot(solid.axes[0], solid.axes[0]));
        return beyond(dot(past, past), size, radius, band + solid.aside);
    }
    let mut inside = true;
    for index in 0..of.core.axis_count() {
        let axis = of.core.axis(index);
        let height = dot(axis.along, center) - axis.ends[1];
        let sound = axis.size > SMALL;
        if sound && height > (radius + band) * axis.size {
            return Some(true);
        }
        inside &= sound && height < -band * axis.size;
    }
    inside.then_some(false)
}

/// Whether a distance, told by its square in some unit, is above the radius.
#[inline(always)]
fn beyond(square: f64, unit: f64, radius: f64, band: f64) -> Option<bool> {
    let (bar, around) = (unit * (radius * radius), band * (2.0 * radius + band));
    clearly(square - bar, unit * around + 1e-14 * bar + TINY)
}
