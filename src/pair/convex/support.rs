//! What is asked of a convex body: its farthest points, and where closed forms begin.

use crate::num::linear::{Mat3, Vec3, add, length, turn};
use crate::num::tolerance::LEAF_SLACK_F32;
use crate::pair::block::Block;
use crate::pair::near::{Between, Line, Near};
use crate::pair::triangles::Corners;
use crate::sat::primitive_slabs::Primitive;
use crate::shape::WideObb;

/// A convex body: a core, and all within a radius of it.
pub(crate) trait Support {
    /// The point of the core farthest along a direction that is not zero.
    fn farthest(&self, direction: Vec3) -> Vec3;
    /// A point of the core.
    fn middle(&self) -> Vec3;
    /// How far beyond the core the body reaches.
    fn radius(&self) -> f64 {
        0.0
    }
    /// The core as one of those with closed forms, if it is.
    fn core(&self) -> Option<ClosedCore> {
        None
    }
    /// The body by its core, if that has closed forms.
    fn rounded(&self) -> Option<Rounded> {
        Some(Rounded { core: self.core()?, radius: self.radius() })
    }
    /// A body with closed forms around this one: this one, if it has them.
    fn around(&self) -> Option<Rounded> {
        self.rounded()
    }
    /// A body with closed forms within this one: this one, if it has them.
    fn within(&self) -> Option<Rounded> {
        self.rounded()
    }
}

/// A core with closed forms, and all within a radius of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rounded {
    pub core: ClosedCore,
    pub radius: f64,
}

/// A core whose closest points to others of these have closed forms.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ClosedCore {
    Point(Vec3),
    Line(Line),
    Triangle(Corners),
    /// With what its axes are off, as a share of its size.
    Block(WideObb, f64),
}

impl ClosedCore {
    /// The same in another frame.
    pub fn moved(&self, rotation: &Mat3, offset: Vec3) -> ClosedCore {
        let seen = |p: Vec3| add(turn(rotation, p), offset);
        match self {
            ClosedCore::Point(p) => ClosedCore::Point(seen(*p)),
            ClosedCore::Line(ends) => ClosedCore::Line(ends.map(seen)),
            ClosedCore::Triangle(corners) => ClosedCore::Triangle(corners.map(seen)),
            ClosedCore::Block(solid, share) => {
                ClosedCore::Block(solid.moved(rotation, offset), *share)
            }
        }
    }

    /// No point is further from the origin, and not by much.
    pub fn size(&self) -> f64 {
        let most = |points: &[Vec3]| points.iter().map(|&p| length(p)).fold(0.0, f64::max);
        match self {
            ClosedCore::Point(p) => length(*p),
            ClosedCore::Line(ends) => most(ends),
            ClosedCore::Triangle(corners) => most(corners),
            ClosedCore::Block(solid, _) => length(solid.center) + solid.radius(),
        }
    }

    /// How far a point is from one that is round.
    pub fn distance_to(&self, point: Vec3) -> Option<f64> {
        let near = ClosedCore::Point(point).near(self)?.0;
        Some(near.squared.sqrt())
    }

    /// Closest points, and what axes that are off change of them as a share of the sizes; `None`
    /// for pairs that have an exact test of their own.
    pub fn near(&self, other: &ClosedCore) -> Option<(Near, f64)> {
        let block = |solid: &WideObb, share: f64| Block::wide(solid, share);
        let near = match (self, other) {
            (ClosedCore::Point(a), ClosedCore::Point(b)) => (a.near(b), 0.0),
            (ClosedCore::Point(a), ClosedCore::Line(b)) => (a.near(b), 0.0),
            (ClosedCore::Point(a), ClosedCore::Triangle(b)) => (a.near(b), 0.0),
            (ClosedCore::Point(a), ClosedCore::Block(b, share)) => {
                (a.near(&block(b, *share)), *share)
            }
            (ClosedCore::Line(a), ClosedCore::Line(b)) => (a.near(b), 0.0),
            (ClosedCore::Line(a), ClosedCore::Triangle(b)) => (a.near(b), 0.0),
            (ClosedCore::Line(a), ClosedCore::Block(b, share)) => {
                (a.near(&block(b, *share)), *share)
            }
            (
                ClosedCore::Triangle(_) | ClosedCore::Block(..),
                ClosedCore::Triangle(_) | ClosedCore::Block(..),
            ) => {
                return None;
            }
            _ => {
                let (near, share) = other.near(self)?;
                (near.reversed(), share)
            }
        };
        Some(near)
    }
}

impl Support for Vec3 {
    fn farthest(&self, _: Vec3) -> Vec3 {
        *self
    }
    fn middle(&self) -> Vec3 {
        *self
    }
    fn core(&self) -> Option<ClosedCore> {
        Some(ClosedCore::Point(*self))
    }
}

/// A triangle of a mesh, or a hand-made box.
impl Support for Primitive {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        match self {
            Primitive::Triangle(corners) => farthest_of(corners, direction),
            Primitive::Solid(solid) => solid.support(direction),
        }
    }
    fn middle(&self) -> Vec3 {
        match self {
            Primitive::Triangle(corners) => corners[0],
            Primitive::Solid(solid) => solid.center,
        }
    }
    fn core(&self) -> Option<ClosedCore> {
        Some(match self {
            Primitive::Triangle(corners) => ClosedCore::Triangle(*corners),
            // Whatever the scalar: GJK decides what is closer.
            Primitive::Solid(solid) => ClosedCore::Block(*solid, LEAF_SLACK_F32),
        })
    }
}

/// The hull of some points, and all within a radius of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundedPoints<'a> {
    pub points: &'a [Vec3],
    pub radius: f64,
}

impl Support for RoundedPoints<'_> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        farthest_of(self.points, direction)
    }
    fn middle(&self) -> Vec3 {
        self.points[0]
    }
    fn radius(&self) -> f64 {
        self.radius
    }
    fn core(&self) -> Option<ClosedCore> {
        match *self.points {
            [p] => Some(ClosedCore::Point(p)),
            [a, b] => Some(ClosedCore::Line([a, b])),
            [a, b, c] => Some(ClosedCore::Triangle([a, b, c])),
            _ => None,
        }
    }
}

/// The point farthest along a direction, the first of equals.
pub(super) fn farthest_of(points: &[Vec3], direction: Vec3) -> Vec3 {
    let along = |p: &Vec3| direction[0] * p[0] + direction[1] * p[1] + direction[2] * p[2];
    let mut most = (f64::NEG_INFINITY, points[0]);
    for point in points {
        let far = along(point);
        most = if far > most.0 { (far, *point) } else { most };
    }
    most.1
}
