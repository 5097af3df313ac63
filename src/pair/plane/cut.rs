//! Intersections of a plane with segments, rays and triangles.

use std::cmp::Ordering;

use nalgebra::Point3;

use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, scale, sub};
use crate::shape::{Plane, Ray, Segment, Triangle, nearest_point, wide_point};

/// Intersection of a plane with a segment or a ray.
///
/// ```
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Plane, Segment, pair::plane::LineCut};
///
/// let ground = Plane::new(Vector3::y_axis(), 0.0)?;
/// let pole = Segment::new(Point3::new(0.0, -1.0, 0.0), Point3::new(0.0, 3.0, 0.0))?;
/// let cut = ground.cut_segment(&pole, 0.0);
/// assert_eq!(cut, LineCut::At { t: 0.25, point: Point3::origin() });
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LineCut<T: Scalar> {
    /// Empty: the line meets the plane elsewhere.
    Missed,
    /// Empty: the line is parallel to the plane.
    Parallel,
    /// The whole segment or ray.
    Coplanar,
    /// One point.
    At {
        /// Parameter of the point: for a segment a share in `0..=1` from the first end, for a ray a
        /// length.
        t: T,
        /// Common point.
        point: Point3<T>,
    },
}

/// Intersection of a plane with a triangle.
///
/// ```
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Plane, Triangle, pair::plane::TriangleCut};
///
/// let ground = Plane::new(Vector3::y_axis(), 0.0)?;
/// let [a, b] = [Point3::new(-1.0, 0.0, 0.0), Point3::new(1.0, 0.0, 0.0)];
/// let roof = Triangle::new(a, b, Point3::new(0.0, 1.0, 0.0))?;
/// assert_eq!(ground.cut_triangle(&roof, 0.0), TriangleCut::Edge(0)); // from corner 0 to corner 1
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriangleCut<T: Scalar> {
    /// Empty.
    Apart,
    /// Corner of that index, and nothing else.
    Corner(usize),
    /// Edge from the corner of that index to the next.
    Edge(usize),
    /// Segment through the inside; a degenerate triangle may have two equal ends.
    Across([Point3<T>; 2]),
    /// The whole triangle.
    Coplanar,
}

impl<T: Scalar> Plane<T> {
    /// Intersects a segment; ends at most `tolerance` from the plane are in it.
    ///
    /// A negative or NaN tolerance counts as zero. A segment of one point is coplanar or parallel.
    pub fn cut_segment(&self, segment: &Segment<T>, tolerance: impl Into<f64>) -> LineCut<T> {
        let tolerance = tolerance.into();
        let (wide, ends) = (self.wide(), segment.wide());
        let heights = ends.map(|p| wide.height(p));
        let at =
            |t: f64, point: Vec3| LineCut::At { t: T::nearest(t), point: nearest_point(point) };
        match heights.map(|height| side_of_height(height, tolerance)) {
            [Ordering::Equal, Ordering::Equal] => LineCut::Coplanar,
            [Ordering::Equal, _] => at(0.0, ends[0]),
            [_, Ordering::Equal] => at(1.0, ends[1]),
            [first, second] if first != second => {
                at(heights[0] / (heights[0] - heights[1]), plane_crossing(ends, heights))
            }
            _ if dot(wide.normal, sub(ends[1], ends[0])) == 0.0 => LineCut::Parallel,
            _ => LineCut::Missed,
        }
    }

    /// Intersects a ray; an origin at most `tolerance` from the plane is in it.
    ///
    /// A negative or NaN tolerance counts as zero. Only an exactly constant distance is parallel:
    /// all other rays meet the plane, however far away.
    pub fn cut_ray(&self, ray: &Ray<T>, tolerance: impl Into<f64>) -> LineCut<T> {
        let tolerance = tolerance.into();
        let (wide, (origin, direction)) = (self.wide(), ray.wide());
        let height = wide.height(origin);
        let slope = dot(wide.normal, direction) / wide.length;
        match (side_of_height(height, tolerance), slope == 0.0) {
            (Ordering::Equal, true) => LineCut::Coplanar,
            (Ordering::Equal, false) => LineCut::At { t: T::zero(), point: ray.origin() },
            (_, true) => LineCut::Parallel,
            _ if (height < 0.0) == (slope < 0.0) => LineCut::Missed,
            _ => {
                let t = -height / slope;
                let point = nearest_point(add(origin, scale(direction, t)));
                LineCut::At { t: T::nearest(t), point }
            }
        }
    }

    /// Intersects a triangle; corners at most `tolerance` from the plane are in it.
    ///
    /// A negative or NaN tolerance counts as zero. Two triangles are cut in the same points of a
    /// common edge, bit for bit.
    pub fn cut_triangle(
        &self,
        triangle: &Triangle<T>,
        tolerance: impl Into<f64>,
    ) -> TriangleCut<T> {
        let tolerance = tolerance.into();
        let (wide, corners) = (self.wide(), triangle.corners().map(wide_point));
        let heights = corners.map(|p| wide.height(p));
        let sides = heights.map(|height| side_of_height(height, tolerance));
        let on = |i: usize| sides[i % 3] == Ordering::Equal;
        match (0..3).filter(|&i| on(i)).count() {
            3 => TriangleCut::Coplanar,
            2 => TriangleCut::Edge((0..3).find(|&i| on(i) && on(i + 1)).unwrap_or(0)),
            count => {
                let mut ends = (0..3).filter_map(|i| {
                    let j = (i + 1) % 3;
                    let crosses = sides[i] == sides[j].reverse() && !on(i);
                    let crossed =
                        || plane_crossing([corners[i], corners[j]], [heights[i], heights[j]]);
                    if on(i) { Some(corners[i]) } else { crosses.then(crossed) }
                });
                match (ends.next(), ends.next()) {
                    (Some(p), Some(q)) => TriangleCut::Across([p, q].map(nearest_point)),
                    _ if count == 1 => TriangleCut::Corner((0..3).find(|&i| on(i)).unwrap_or(0)),
                    _ => TriangleCut::Apart,
                }
            }
        }
    }
}

/// Returns the side of a height; equal within the tolerance.
fn side_of_height(height: f64, tolerance: f64) -> Ordering {
    match height {
        h if h == 0.0 || h.abs() <= tolerance => Ordering::Equal,
        h if h > 0.0 => Ordering::Greater,
        _ => Ordering::Less,
    }
}

/// Returns the point where a segment crosses the plane, the same from either end.
fn plane_crossing([p, q]: [Vec3; 2], [of_p, of_q]: [f64; 2]) -> Vec3 {
    if q < p {
        return plane_crossing([q, p], [of_q, of_p]);
    }
    add(p, scale(sub(q, p), of_p / (of_p - of_q)))
}
