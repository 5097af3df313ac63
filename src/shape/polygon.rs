//! Flat convex polygons in space.

use nalgebra::{Point3, Unit, Vector3};

use super::plane_frame::PlaneFrame;
use super::{Aabb, closest_on_segment, nearest_point, wide_point};
use crate::error::Error;
use crate::num::linear::{Vec3, dot, length, sub};
use crate::num::{Scalar, check_coordinates};

/// Largest distance of corners from the plane, and from convex position, as a share of the length
/// of the polygon: as in levels drawn by hand, less than a fold.
const MAX_UNEVENNESS: f64 = 1e-4;

/// Rounding of stored coordinates that counts as flat, in units in the last place of the largest.
const FLATNESS_ROUNDINGS: f64 = 8.0;

/// A flat convex polygon in space: all points between its corners, of which there are at least
/// three. Thin and closed; it has no inside, like a [`Triangle`](super::Triangle).
///
/// Corners may be out of one plane by a share of 1e-4 of the polygon's length, and by the rounding
/// of their coordinates. The polygon is then that of the corners' feet in the plane, at most
/// [`Polygon3::unevenness`] away from the given corners.
///
/// ```
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Capsule, Polygon3, Segment};
///
/// let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 3.0], [0.0, 2.0]]; // a gable
/// let wall = Polygon3::new(corners.map(|[x, y]| Point3::new(x, y, 1.0)).to_vec())?;
/// assert_eq!(wall.normal(), Vector3::z_axis()); // from there the corners turn left
/// assert!((wall.area() - 10.0).abs() < 1e-5);
/// assert_eq!(wall.closest_point(Point3::new(1.0, 1.0, 5.0)), Point3::new(1.0, 1.0, 1.0));
/// let spine = Segment::new(Point3::new(1.0, 0.5, 1.3), Point3::new(1.0, 1.5, 1.3))?;
/// assert!(Capsule::new(spine, 0.4)?.intersects(&wall)); // 0.3 in front of it
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon3<T: Scalar> {
    corners: Box<[Point3<T>]>,
    /// The feet of the corners in the plane, in double precision.
    feet: Box<[Vec3]>,
    frame: PlaneFrame,
    unevenness: f64,
}

impl<T: Scalar> Polygon3<T> {
    /// A polygon from its corners in order, clockwise or counter-clockwise. Corners in the middle
    /// of an edge are allowed.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], naming the corner; [`Error::WrongCount`] for
    /// fewer than three corners; [`Error::NotFlat`] for the corner farthest out of the plane;
    /// [`Error::NotConvex`] for a corner outside an edge or equal to the one before, for outlines
    /// that wind more than once, and (corner 0) if all are on one line.
    pub fn new(corners: Vec<Point3<T>>) -> Result<Self, Error> {
        for (index, corner) in corners.iter().enumerate() {
            check_coordinates(corner.coords.as_slice(), "corner", index)?;
        }
        if corners.len() < 3 {
            return Err(Error::WrongCount { field: "corners", expected: 3, found: corners.len() });
        }
        let wide: Vec<Vec3> = corners.iter().map(|&p| wide_point(p)).collect();
        let frame = PlaneFrame::from_corners(&wide).ok_or(Error::NotConvex { index: 0 })?;
        let max_coordinate =
            wide.iter().flatten().fold(0.0, |most, x| if x.abs() > most { x.abs() } else { most });
        let limit =
            MAX_UNEVENNESS * frame.length + FLATNESS_ROUNDINGS * T::ROUNDING * max_coordinate;
        if frame.width <= limit {
            return Err(Error::NotConvex { index: 0 });
        }
        let unevenness = unevenness(&wide, &frame, limit)?;
        let feet: Vec<Vec3> = wide.iter().map(|&p| frame.foot(p)).collect();
        check_convex(&feet, &frame, limit)?;
        Ok(Polygon3 { corners: corners.into(), feet: feet.into(), frame, unevenness })
    }

    /// The given corners.
    pub fn corners(&self) -> &[Point3<T>] {
        &self.corners
    }

    /// The unit normal, on the side from which the corners are counter-clockwise.
    pub fn normal(&self) -> Unit<Vector3<T>> {
        Unit::new_unchecked(nearest_point(self.frame.normal).coords)
    }

    /// The area, in square units.
    pub fn area(&self) -> T {
        T::nearest(0.5 * self.frame.doubled_area(&self.feet))
    }

    /// The largest distance of a corner from the plane, rounded up. Units.
    pub fn unevenness(&self) -> T {
        T::at_least(self.unevenness)
    }

    /// The point of the polygon nearest to `point`, rounded to `T`.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        let p = wide_point(point);
        let foot = self.frame.foot(p);
        if outline_edges(&self.feet).all(|[a, b]| !is_outside_edge(&self.frame, [a, b], foot)) {
            return nearest_point(foot);
        }
        let (mut best, mut least) = (self.feet[0], f64::INFINITY);
        for [a, b] in outline_edges(&self.feet) {
            let found = closest_on_segment(p, a, b);
            let away = length(sub(found, p));
            (best, least) = if away < least { (found, away) } else { (best, least) };
        }
        nearest_point(best)
    }

    /// The smallest axis-aligned box around the given corners, exactly.
    pub fn aabb(&self) -> Aabb<T, 3> {
        Aabb::from_points(self.corners.iter().copied())
    }

    /// The feet of the corners in the plane, in double precision.
    pub(crate) fn feet(&self) -> &[Vec3] {
        &self.feet
    }

    pub(crate) fn frame(&self) -> &PlaneFrame {
        &self.frame
    }

    /// [`Polygon3::unevenness`] in double precision.
    pub(crate) fn wide_unevenness(&self) -> f64 {
        self.unevenness
    }
}

/// The edges of an outline, in order.
pub(crate) fn outline_edges(corners: &[Vec3]) -> impl Iterator<Item = [Vec3; 2]> + '_ {
    (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]])
}

/// Returns `true` if a point of the plane is on the outer side of an edge; `false` for an edge of
/// zero length.
pub(crate) fn is_outside_edge(frame: &PlaneFrame, [a, b]: [Vec3; 2], p: Vec3) -> bool {
    frame.out_of_edge(a, b).is_some_and(|out| dot(out, sub(p, a)) > 0.0)
}

/// The largest distance of a corner from the plane.
fn unevenness(corners: &[Vec3], frame: &PlaneFrame, limit: f64) -> Result<f64, Error> {
    let (mut worst, mut most) = (0, 0.0);
    for (index, &corner) in corners.iter().enumerate() {
        let away = frame.height(corner).abs();
        (worst, most) = if away > most { (index, away) } else { (worst, most) };
    }
    match most <= limit {
        true => Ok(most),
        false => Err(Error::NotFlat { index: worst, away: most, limit }),
    }
}

/// Rejects an outline with a corner outside one of its edges by more than `limit`, with two equal
/// corners in a row, or that winds more than once.
fn check_convex(feet: &[Vec3], frame: &PlaneFrame, limit: f64) -> Result<(), Error> {
    let count = feet.len();
    let (mut turns, mut heading) = (0, 0.0);
    // The first edge is repeated, so that it is compared with the last.
    for (i, [a, b]) in
        outline_edges(feet).enumerate().chain(outline_edges(feet).enumerate().take(1))
    {
        let Some(out) = frame.out_of_edge(a, b) else {
            return Err(Error::NotConvex { index: (i + 1) % count });
        };
        let beyond = |&p: &Vec3| dot(out, sub(p, a)) > limit;
        if let Some(index) = feet.iter().position(beyond) {
            return Err(Error::NotConvex { index });
        }
        let along = dot(frame.x, sub(b, a));
        if along.abs() > limit {
            turns += usize::from(along * heading < 0.0);
            heading = along;
        }
    }
    // A convex outline changes direction along its longest extent twice.
    if turns > 2 { Err(Error::NotConvex { index: count - 1 }) } else { Ok(()) }
}
