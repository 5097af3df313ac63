//! Closest points of a point and a point, a segment, a triangle.

use super::near::{Between, Line, Near, meet_exactly};
use super::triangles::Corners;
use crate::num::linear::{Vec3, add, cross, dot, scale, sub};

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
        Near::new(*self, add(start, scale(along, share(scale(start, -1.0), along))))
    }
    fn meets(&self, line: &Line) -> bool {
        let near = self.near(line);
        !self.surely_apart(line, &near) && meet_exactly([*self; 3], [line[0], line[1], line[1]])
    }
}

/// Which share of `along`, from 0 to 1, comes closest to `to`; 0 if there is no way along.
#[inline]
pub(crate) fn share(to: Vec3, along: Vec3) -> f64 {
    let squared = dot(along, along);
    if squared > 0.0 { within(dot(to, along) / squared) } else { 0.0 }
}

/// `t` cut to `0..=1` by comparisons.
#[inline]
pub(crate) fn within(t: f64) -> f64 {
    if t > 1.0 {
        1.0
    } else if t > 0.0 {
        t
    } else {
        0.0
    }
}

/// A triangle with what is asked of its plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    pub corners: Corners,
    /// Not of length one; twice the area is its length.
    pub normal: Vec3,
    squared: f64,
    /// Whether it is far from a line, so that feet on it are good.
    sound: bool,
}

/// Below this squared sine the nearest edge is as good as the inside of a triangle, and safer.
const THIN: f64 = 1e-10;

impl Face {
    #[inline]
    pub fn new(corners: &Corners) -> Self {
        let (u, v) = (sub(corners[1], corners[0]), sub(corners[2], corners[0]));
        let normal = cross(u, v);
        let squared = dot(normal, normal);
        let sound = squared > THIN * dot(u, u) * dot(v, v);
        Face { corners: *corners, normal, squared, sound }
    }

    /// Which edges have `p` on their outer side, or lie so that it can not be told.
    #[inline]
    pub fn outside(&self, p: Vec3) -> [bool; 3] {
        [0, 1, 2].map(|i| {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % 3]);
            let inside = dot(self.normal, cross(sub(b, a), sub(p, a))) > 0.0;
            // NaN and zero too: a triangle without area has no inside.
            !inside
        })
    }

    /// From `p` to its foot in the plane.
    #[inline]
    fn drop(&self, p: Vec3) -> Vec3 {
        scale(self.normal, -dot(self.normal, sub(p, self.corners[0])) / self.squared)
    }

    /// From `p` to its foot, where that is inside.
    #[inline]
    pub fn foot(&self, p: Vec3) -> Option<Near> {
        (!self.outside(p).contains(&true)).then(|| Near::new(p, self.drop(p)))
    }

    #[inline]
    pub fn edge(&self, i: usize) -> Line {
        [self.corners[i], self.corners[(i + 1) % 3]]
    }

    /// The point of the triangle nearest to `p`. Outside it is on an edge that has `p` on its outer side.
    /// Source: Ericson, Real-Time Collision Detection (2005), 5.1.5, by edges.
    #[inline]
    pub fn near(&self, p: Vec3) -> Near {
        let outside = self.outside(p);
        if self.sound && !outside.contains(&true) {
            return Near::new(p, self.drop(p));
        }
        let mut best: Option<Near> = None;
        for (i, out) in outside.into_iter().enumerate() {
            if out || !self.sound {
                let near = p.near(&self.edge(i));
                best = Some(best.map_or(near, |best| best.or(near)));
            }
        }
        best.unwrap_or_else(|| p.near(&self.edge(0)))
    }
}

impl Between<Corners> for Vec3 {
    #[inline]
    fn near(&self, corners: &Corners) -> Near {
        Face::new(corners).near(*self)
    }
    fn meets(&self, corners: &Corners) -> bool {
        let near = self.near(corners);
        !self.surely_apart(corners, &near) && meet_exactly([*self; 3], *corners)
    }
}
