//! Capsules around points and balls.

use nalgebra::Point3;

use super::AxisBounds;
use super::capsule_axis::{Ball, CapsuleEffort, FittedCapsule, smallest_capsule};
use crate::error::Error;
use crate::num::linear::{Vec3, add, length, scale, sub};
use crate::num::scaling::length_unit;
use crate::num::sorting::sorted_indices;
use crate::num::{Scalar, check_coordinates, tolerance};
use crate::shape::{Capsule, Segment, closest_on_segment, nearest_point, wide_point};

impl<T: Scalar> Capsule<T> {
    /// Fits a capsule of small volume around the points. Every point is within the radius of the
    /// stored segment: the radius is measured from that segment and rounded outward.
    ///
    /// Candidate axes are the principal axes of the covariance, the axes of an oriented box, and
    /// the line through the farthest two points. Each rotates and moves as long as that reduces the
    /// volume. The radius of a given axis is the one of least volume, and the ends are as close
    /// together as the round caps allow. The smallest ball is a candidate, too. The result is a
    /// local minimum, not always the smallest capsule. It does not depend on the order of the
    /// points or on repeated points, bit for bit.
    ///
    /// Points on one line get a thin capsule, and one point gets a radius of zero. Far from the
    /// origin the rounding of the ends to `T` is part of the radius.
    ///
    /// Sources: Ericson, Real-Time Collision Detection (2005), 4.5; Larsen, Gottschalk, Lin,
    /// Manocha, Fast Proximity Queries with Swept Sphere Volumes (1999).
    ///
    /// # Errors
    /// [`Error::Empty`] without a point, [`Error::NotFinite`] and [`Error::OutOfRange`] naming the
    /// point; [`Error::OutOfRange`] for a radius that is too large.
    ///
    /// ```
    /// use boxwood::Capsule;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let square = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    /// let ends = square.iter().flat_map(|&[x, z]| [-4.0, 4.0].map(|y| Point3::new(x, y, z)));
    /// let corners: Vec<Point3<f32>> = ends.collect();
    /// let bone = Capsule::from_points(&corners)?;
    /// assert!(corners.iter().all(|&corner| bone.contains(corner)));
    /// assert!(bone.radius() > 1.414 && bone.radius() < 1.6); // upright
    /// assert!(bone.segment().length() < 8.0); // its caps reach beyond the ends
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn from_points(points: &[Point3<T>]) -> Result<Self, Error> {
        for (index, point) in points.iter().enumerate() {
            check_coordinates(point.coords.as_slice(), "point", index)?;
        }
        let balls = points.iter().map(|&point| Ball::point(wide_point(point))).collect();
        fit_capsule(balls, CapsuleEffort::Thorough)
    }
}

/// Fits a capsule of small volume around balls, with a certified radius: see
/// [`Capsule::from_points`].
///
/// # Errors
/// [`Error::Empty`] without a ball; [`Error::OutOfRange`] for ends or a radius too large.
pub(crate) fn fit_capsule<T: Scalar>(
    mut balls: Vec<Ball>,
    effort: CapsuleEffort,
) -> Result<Capsule<T>, Error> {
    sort_balls(&mut balls);
    let (Some(first), Some(last)) = (balls.first(), balls.last()) else {
        return Err(Error::Empty { field: "points" });
    };
    if first.center == last.center {
        return certified_capsule([first.center; 2], &balls);
    }
    let (origin, unit) = local_frame(&balls);
    let local = |ball: &Ball| Ball {
        center: scale(sub(ball.center, origin), 1.0 / unit),
        radius: ball.radius / unit,
    };
    let FittedCapsule { ends, .. } =
        smallest_capsule(&balls.iter().map(local).collect::<Vec<_>>(), effort);
    certified_capsule(ends.map(|end| add(origin, scale(end, unit))), &balls)
}

/// Sorts the balls and drops repeated ones, so that neither order nor repeats matter.
fn sort_balls(balls: &mut Vec<Ball>) {
    for ball in balls.iter_mut() {
        ball.center = ball.center.map(|x| x + 0.0); // no minus zeros
    }
    let key = |ball: &Ball| [ball.center[0], ball.center[1], ball.center[2], ball.radius];
    let indices = sorted_indices(balls.len(), &|a, b| {
        let orders = std::iter::zip(key(&balls[a]), key(&balls[b])).map(|(x, y)| x.total_cmp(&y));
        orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    *balls = indices.into_iter().map(|place| balls[place as usize]).collect();
    balls.dedup();
}

/// Returns the middle of the balls and a power of two about as large as their greatest coordinate
/// from there: in that unit no product overflows or vanishes.
fn local_frame(balls: &[Ball]) -> (Vec3, f64) {
    let AxisBounds { low, high } = AxisBounds::from_points(balls.iter().map(|ball| ball.center));
    let origin = add(scale(low, 0.5), scale(high, 0.5));
    (origin, length_unit(max_coordinate(balls, origin)))
}

/// Largest coordinate of the centres relative to a point, or largest radius.
fn max_coordinate(balls: &[Ball], from: Vec3) -> f64 {
    let of = |ball: &Ball| max_norm(sub(ball.center, from)).max(ball.radius);
    balls.iter().map(of).fold(0.0, f64::max)
}

fn max_norm(v: Vec3) -> f64 {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// Returns the capsule with these ends, rounded to `T`, and the least certified radius that
/// contains all balls.
///
/// The distance to any computed point of the segment is at least that to the segment, so only the
/// difference of two points and its length are rounded: under `12 e` of the offsets from the first
/// end, which [`tolerance::FIT_PAD`] exceeds. Differences of stored coordinates are as exact far
/// from the origin as near it.
fn certified_capsule<T: Scalar>(ends: [Vec3; 2], balls: &[Ball]) -> Result<Capsule<T>, Error> {
    // Rounding may move an end out of range where the points are at the limit.
    let limit = T::at_most(T::MAX_COORDINATE).wide();
    let [a, b] = ends.map(|end| nearest_point::<T>(end.map(|x| x.clamp(-limit, limit))));
    let segment = Segment::new(a, b)?;
    let [a, b] = [wide_point(a), wide_point(b)];
    let size = max_coordinate(balls, a).max(max_norm(sub(b, a)));
    let unit = length_unit(size);
    let along = scale(sub(b, a), 1.0 / unit);
    let mut most = 0.0;
    for ball in balls {
        let from_a = scale(sub(ball.center, a), 1.0 / unit);
        let off = length(sub(from_a, closest_on_segment(from_a, [0.0; 3], along)));
        let radius = off + ball.radius / unit;
        most = if radius > most { radius } else { most };
    }
    // Nothing is rounded if all balls are points at the ends; otherwise even an offset of zero may
    // be.
    let exact = balls.iter().all(|ball| ball.radius == 0.0 && [a, b].contains(&ball.center));
    let pad = 4.0 * tolerance::FIT_PAD * (size / unit);
    let radius = if exact { 0.0 } else { ((most + pad) * unit).next_up() };
    Capsule::new(segment, T::at_least(radius))
}
