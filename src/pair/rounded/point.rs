//! Points against points, segments and triangles.

use super::cores::{ClosestOnCores, CorePair, CoreSegment, triangles_overlap_exactly};
use super::triangle_exact::TriangleCorners;
use crate::num::linear::{Vec3, add, cross, dot, scale, sub};
use crate::shape::{WideTriangle, closest_parameter};

impl CorePair<Vec3> for Vec3 {
    #[inline]
    fn closest(&self, other: &Vec3) -> ClosestOnCores {
        ClosestOnCores::new(*self, sub(*other, *self))
    }
    #[inline]
    fn overlaps(&self, other: &Vec3) -> bool {
        self == other
    }
}

impl CorePair<CoreSegment> for Vec3 {
    #[inline]
    fn closest(&self, line: &CoreSegment) -> ClosestOnCores {
        let along = sub(line[1], line[0]);
        let start = sub(line[0], *self);
        ClosestOnCores::new(
            *self,
            add(start, scale(along, closest_parameter(scale(start, -1.0), along))),
        )
    }
    fn overlaps(&self, line: &CoreSegment) -> bool {
        let near = self.closest(line);
        !self.is_surely_disjoint(line, &near)
            && triangles_overlap_exactly([*self; 3], [line[0], line[1], line[1]])
    }
}

/// Triangle with the normal of its plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    pub corners: TriangleCorners,
    /// Normal of the plane; its length is twice the area.
    pub normal: Vec3,
    squared: f64,
}

impl Face {
    #[inline]
    pub fn new(corners: &TriangleCorners) -> Self {
        let (u, v) = (sub(corners[1], corners[0]), sub(corners[2], corners[0]));
        let normal = cross(u, v);
        Face { corners: *corners, normal, squared: dot(normal, normal) }
    }

    /// Tests each edge: `true` if `p` is on its outer side, or on an undecidable one.
    #[inline]
    pub fn outer_edges(&self, p: Vec3) -> [bool; 3] {
        [0, 1, 2].map(|i| {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % 3]);
            let inside = dot(self.normal, cross(sub(b, a), sub(p, a))) > 0.0;
            // True for NaN and zero as well: a triangle without area has no inside.
            !inside
        })
    }

    /// Returns the offset from `p` to its foot in the plane.
    #[inline]
    fn offset_to_plane(&self, p: Vec3) -> Vec3 {
        scale(self.normal, -dot(self.normal, sub(p, self.corners[0])) / self.squared)
    }

    /// Returns the closest points of `p` and its foot in the plane, if the foot is inside.
    #[inline]
    pub fn foot(&self, p: Vec3) -> Option<ClosestOnCores> {
        (!self.outer_edges(p).contains(&true))
            .then(|| ClosestOnCores::new(p, self.offset_to_plane(p)))
    }

    #[inline]
    pub fn edge(&self, i: usize) -> CoreSegment {
        [self.corners[i], self.corners[(i + 1) % 3]]
    }
}

impl CorePair<TriangleCorners> for Vec3 {
    #[inline]
    fn closest(&self, corners: &TriangleCorners) -> ClosestOnCores {
        let found = WideTriangle { corners: *corners }.closest_point(*self);
        ClosestOnCores::new(*self, sub(found, *self))
    }
    fn overlaps(&self, corners: &TriangleCorners) -> bool {
        let near = self.closest(corners);
        !self.is_surely_disjoint(corners, &near) && triangles_overlap_exactly([*self; 3], *corners)
    }
}
