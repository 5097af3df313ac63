//! Frame in the plane of some corners, accurate for slivers too.

use crate::num::linear::{Vec3, add, cross, dot, length, orthogonal_part, scale, sub};

/// Orthonormal axes in the plane of an outline: `x` along its longest extent, `normal` on the side
/// from which the corners are counter-clockwise.
///
/// The axes are orthogonal up to the rounding of `f64` for every outline. For a sliver the
/// direction of `y` is uncertain, but every corner is then so close to the `x` axis that it lies in
/// the plane up to rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlaneFrame {
    pub origin: Vec3,
    pub x: Vec3,
    pub y: Vec3,
    pub normal: Vec3,
    /// The least and the greatest coordinate of the corners along `x`, from `origin`.
    pub span: [f64; 2],
    /// The distance of the two corners that define `x`; no two corners are more than twice as far
    /// apart.
    pub length: f64,
    /// The largest distance of a corner from the `x` axis.
    pub width: f64,
}

impl PlaneFrame {
    /// The frame of at least one corner; `None` if all corners are on one line, up to rounding.
    pub fn from_corners(corners: &[Vec3]) -> Option<Self> {
        let origin = farthest_from(corners, *corners.first()?);
        let end = farthest_from(corners, origin);
        let span = length(sub(end, origin));
        if span <= 0.0 {
            return None;
        }
        let x = scale(sub(end, origin), 1.0 / span);
        let (mut side, mut width, mut low, mut high) = ([0.0; 3], 0.0, 0.0, span);
        for &corner in corners {
            let from = sub(corner, origin);
            let (along, across) = (dot(from, x), orthogonal_part(from, x));
            low = if along < low { along } else { low };
            high = if along > high { along } else { high };
            let size = length(across);
            (side, width) = if size > width { (across, size) } else { (side, width) };
        }
        if width <= 0.0 {
            return None;
        }
        let y = orthogonal_part(scale(side, 1.0 / width), x);
        let y = scale(y, 1.0 / length(y));
        let (normal, length, span) = (cross(x, y), span, [low, high]);
        let frame = PlaneFrame { origin, x, y, normal, span, length, width };
        Some(if frame.doubled_area(corners) < 0.0 { frame.flipped() } else { frame })
    }

    fn flipped(self) -> Self {
        PlaneFrame { y: scale(self.y, -1.0), normal: scale(self.normal, -1.0), ..self }
    }

    /// Twice the area seen along the normal, positive if counter-clockwise. Source: Sunday, Fast
    /// polygon area and Newell normal computation (2002).
    pub fn doubled_area(&self, corners: &[Vec3]) -> f64 {
        let from = |p: Vec3| sub(p, corners[0]);
        let fan = corners.windows(2).map(|ends| cross(from(ends[0]), from(ends[1])));
        fan.fold(0.0, |sum, twice| sum + dot(twice, self.normal))
    }

    /// The signed distance of a point from the plane.
    pub fn height(&self, p: Vec3) -> f64 {
        dot(self.normal, sub(p, self.origin))
    }

    /// The foot of a point in the plane.
    pub fn foot(&self, p: Vec3) -> Vec3 {
        add(p, scale(self.normal, -self.height(p)))
    }

    /// The unit normal in the plane, pointing out of the outline, of the edge from `a` to `b`;
    /// `None` if they are one point.
    pub fn out_of_edge(&self, a: Vec3, b: Vec3) -> Option<Vec3> {
        let out = cross(sub(b, a), self.normal);
        let size = length(out);
        (size > 0.0).then(|| scale(out, 1.0 / size))
    }
}

/// The corner farthest from a point, the first of equals.
fn farthest_from(corners: &[Vec3], from: Vec3) -> Vec3 {
    let (mut found, mut most) = (from, 0.0);
    for &corner in corners {
        let away = length(sub(corner, from));
        (found, most) = if away > most { (corner, away) } else { (found, most) };
    }
    found
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn a_sliver_lies_in_its_plane() {
        for thin in [1.0, 1e-5, 1e-10, 1e-15] {
            let corners = [[0.1, 0.2, 0.3], [1.1, 1.7, -0.4], [0.6, 0.95 + thin, -0.05]];
            let frame = PlaneFrame::from_corners(&corners).expect("an area");
            assert!(dot(frame.x, frame.normal).abs() < 1e-15);
            assert!((length(frame.normal) - 1.0).abs() < 1e-15);
            assert!(corners.iter().all(|&p| frame.height(p).abs() < 1e-15), "{thin}");
            assert!(frame.doubled_area(&corners) > 0.0);
        }
        assert!(PlaneFrame::from_corners(&[[1.0; 3], [2.0, 1.0, 1.0], [3.0, 1.0, 1.0]]).is_none());
    }
}
