//! Support mapping of a convex body, and cores with closed forms.

use crate::num::linear::{Mat3, Vec3, add, length, rotate};
use crate::num::tolerance::LEAF_SLACK_F32;
use crate::pair::rounded::cores::{ClosestOnCores, CorePair, CoreSegment};
use crate::pair::rounded::slack_box::SlackBox;
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::sat::primitive_slabs::BoxOrTriangle;
use crate::shape::WideObb;

/// Convex body: all points within a radius of a core, given by its support mapping.
pub(crate) trait Support {
    /// Returns the point of the core farthest along `direction`, which is not zero.
    fn farthest(&self, direction: Vec3) -> Vec3;
    /// Returns any point of the core.
    fn core_point(&self) -> Vec3;
    /// Returns the radius about the core.
    fn radius(&self) -> f64 {
        0.0
    }
    /// Returns the core if it has closed forms.
    fn core(&self) -> Option<ClosedCore> {
        None
    }
    /// Returns the body as a core with closed forms and a radius, if it is one.
    fn rounded(&self) -> Option<Rounded> {
        Some(Rounded { core: self.core()?, radius: self.radius() })
    }
    /// Returns an enclosing body with closed forms; the body itself if it has them.
    fn outer_rounded(&self) -> Option<Rounded> {
        self.rounded()
    }
    /// Returns an inscribed body with closed forms; the body itself if it has them.
    fn inner_rounded(&self) -> Option<Rounded> {
        self.rounded()
    }
}

/// Core with closed forms, grown by a radius.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rounded {
    pub core: ClosedCore,
    pub radius: f64,
}

/// Core with closed forms for its closest points.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ClosedCore {
    Point(Vec3),
    Line(CoreSegment),
    Triangle(TriangleCorners),
    /// Box, with the error of its axes as a share of its size.
    Block(WideObb, f64),
}

impl ClosedCore {
    /// Returns the core in another frame.
    pub fn to_frame(&self, rotation: &Mat3, offset: Vec3) -> ClosedCore {
        let seen = |p: Vec3| add(rotate(rotation, p), offset);
        match self {
            ClosedCore::Point(p) => ClosedCore::Point(seen(*p)),
            ClosedCore::Line(ends) => ClosedCore::Line(ends.map(seen)),
            ClosedCore::Triangle(corners) => ClosedCore::Triangle(corners.map(seen)),
            ClosedCore::Block(solid, share) => {
                ClosedCore::Block(solid.moved(rotation, offset), *share)
            }
        }
    }

    /// Returns a tight upper bound on the distance of any point from the origin.
    pub fn size(&self) -> f64 {
        let most = |points: &[Vec3]| points.iter().map(|&p| length(p)).fold(0.0, f64::max);
        match self {
            ClosedCore::Point(p) => length(*p),
            ClosedCore::Line(ends) => most(ends),
            ClosedCore::Triangle(corners) => most(corners),
            ClosedCore::Block(solid, _) => length(solid.center) + solid.radius(),
        }
    }

    /// Returns the distance of a point from the core.
    pub fn distance_to(&self, point: Vec3) -> Option<f64> {
        let near = ClosedCore::Point(point).closest(self)?.0;
        Some(near.squared.sqrt())
    }

    /// Returns the closest points, and their error by axes as a share of the sizes; `None` for
    /// pairs that have an exact test of their own.
    pub fn closest(&self, other: &ClosedCore) -> Option<(ClosestOnCores, f64)> {
        let block = |solid: &WideObb, share: f64| SlackBox::from_wide(solid, share);
        let near = match (self, other) {
            (ClosedCore::Point(a), ClosedCore::Point(b)) => (a.closest(b), 0.0),
            (ClosedCore::Point(a), ClosedCore::Line(b)) => (a.closest(b), 0.0),
            (ClosedCore::Point(a), ClosedCore::Triangle(b)) => (a.closest(b), 0.0),
            (ClosedCore::Point(a), ClosedCore::Block(b, share)) => {
                (a.closest(&block(b, *share)), *share)
            }
            (ClosedCore::Line(a), ClosedCore::Line(b)) => (a.closest(b), 0.0),
            (ClosedCore::Line(a), ClosedCore::Triangle(b)) => (a.closest(b), 0.0),
            (ClosedCore::Line(a), ClosedCore::Block(b, share)) => {
                (a.closest(&block(b, *share)), *share)
            }
            (
                ClosedCore::Triangle(_) | ClosedCore::Block(..),
                ClosedCore::Triangle(_) | ClosedCore::Block(..),
            ) => {
                return None;
            }
            _ => {
                let (near, share) = other.closest(self)?;
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
    fn core_point(&self) -> Vec3 {
        *self
    }
    fn core(&self) -> Option<ClosedCore> {
        Some(ClosedCore::Point(*self))
    }
}

/// Triangle of a mesh, or box primitive.
impl Support for BoxOrTriangle {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        match self {
            BoxOrTriangle::Triangle(corners) => farthest_of(corners, direction),
            BoxOrTriangle::Obb(solid) => solid.support(direction),
        }
    }
    fn core_point(&self) -> Vec3 {
        match self {
            BoxOrTriangle::Triangle(corners) => corners[0],
            BoxOrTriangle::Obb(solid) => solid.center,
        }
    }
    fn core(&self) -> Option<ClosedCore> {
        Some(match self {
            BoxOrTriangle::Triangle(corners) => ClosedCore::Triangle(*corners),
            // Single precision for every scalar: GJK decides closer pairs.
            BoxOrTriangle::Obb(solid) => ClosedCore::Block(*solid, LEAF_SLACK_F32),
        })
    }
}

/// Hull of some points, grown by a radius.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundedPoints<'a> {
    pub points: &'a [Vec3],
    pub radius: f64,
}

impl Support for RoundedPoints<'_> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        farthest_of(self.points, direction)
    }
    fn core_point(&self) -> Vec3 {
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

/// Returns the point farthest along a direction, the first of equals.
pub(super) fn farthest_of(points: &[Vec3], direction: Vec3) -> Vec3 {
    let along = |p: &Vec3| direction[0] * p[0] + direction[1] * p[1] + direction[2] * p[2];
    let mut most = (f64::NEG_INFINITY, points[0]);
    for point in points {
        let far = along(point);
        most = if far > most.0 { (far, *point) } else { most };
    }
    most.1
}
