//! Points against points, segments and triangles.

use super::near::{Between, Line, Near, meet_exactly};
use super::triangles::Corners;
use crate::num::linear::{Vec3, add, cross, dot, scale, sub};
use crate::shape::{WideTriangle, closest_parameter};

impl Between<Vec3> for Vec3 {
    #[inline]
    fn near(&self, other: &Vec3) -> Near {
        Near::new(*self, sub(*other, *self))
    }
    #[inline]
    fn meets(&self, other: &Vec3) -> bool {
        self == other
    }
}

impl Between<Line> for Vec3 {
    #[inline]
    fn near(&self, line: &Line) -> Near {
        let along = sub(line[1], line[0]);
        let start = sub(line[0], *self);
        Near::new(*self, add(start, scale(along, closest_parameter(scale(start, -1.0), along))))
    }
    fn meets(&self, line: &Line) -> bool {
        let near = self.near(line);
        !self.surely_apart(line, &near) && meet_exactly([*self; 3], [line[0], line[1], line[1]])
    }
}

/// Triangle with the normal of its plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    pub corners: Corners,
    /// Normal of the plane; its length is twice the area.
    pub normal: Vec3,
    squared: f64,
}

impl Face {
    #[inline]
    pub fn new(corners: &Corners) -> Self {
        let (u, v) = (sub(corners[1], corners[0]), sub(corners[2], corners[0]));
        let normal = cross(u, v);
        Face { corners: *corners, normal, squared: dot(normal, normal) }
    }

    /// Tests each edge: `true` if `p` is on its outer side, or on an undecidable one.
    #[inline]
    pub fn outside(&self, p: Vec3) -> [bool; 3] {
        [0, 1, 2].map(|i| {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % 3]);
            let inside = dot(self.normal, cross(sub(b, a), sub(p, a))) > 0.0;
            // True for NaN and zero as well: a triangle without area has no inside.
            !inside
        })
    }

    /// Returns the offset from `p` to its foot in the plane.
    #[inline]
    fn drop(&self, p: Vec3) -> Vec3 {
        scale(self.normal, -dot(self.normal, sub(p, self.corners[0])) / self.squared)
    }

    /// Returns the closest points of `p` and its foot in the plane, if the foot is inside.
    #[inline]
    pub fn foot(&self, p: Vec3) -> Option<Near> {
        (!self.outside(p).contains(&true)).then(|| Near::new(p, self.drop(p)))
    }

    #[inline]
    pub fn edge(&self, i: usize) -> Line {
        [self.corners[i], self.corners[(i + 1) % 3]]
    }
}

impl Between<Corners> for Vec3 {
    #[inline]
    fn near(&self, corners: &Corners) -> Near {
        let found = WideTriangle { corners: *corners }.nearest(*self);
        Near::new(*self, sub(found, *self))
    }
    fn meets(&self, corners: &Corners) -> bool {
        let near = self.near(corners);
        !self.surely_apart(corners, &near) && meet_exactly([*self; 3], *corners)
    }
}
