//! Convex polygons.

use std::cmp::Ordering;

use nalgebra::{Point2, Vector2};

use super::core::{EdgeSide, PolygonCore, edge_sides};
use super::vector::{Vec2, add, cross, dot, length, nearest_point, scale, sub, wide_point};
use crate::error::Error;
use crate::num::exact::Exact;
use crate::num::{Scalar, check_coordinates};
use crate::shape::Aabb;

/// Convex polygon, solid and closed, of three or more corners, counter-clockwise.
///
/// Corners in the middle of an edge are allowed. The constructor checks convexity exactly; queries
/// allocate nothing.
///
/// ```
/// use boxwood::Polygon2;
/// use boxwood::nalgebra::Point2;
///
/// let corners = [[0.0, 0.0], [0.0, 2.0], [2.0, 0.0]].map(Point2::from).to_vec(); // clockwise
/// let polygon = Polygon2::new(corners)?;
/// assert_eq!(polygon.area(), 2.0); // turned: never negative
/// assert!(polygon.contains(Point2::new(1.0, 1.0))); // its edges belong to it
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexPolygon<T: Scalar> {
    corners: Box<[Point2<T>]>,
    /// Centre of area, in double precision.
    wide_center: Vec2,
    /// Distance of the farthest corner from the centre.
    radius_about_center: f64,
    /// Cosine of half the sharpest turn at a corner: near 1 for many sides, near 0 for a needle.
    bluntness: f64,
    /// Sides, relative to the centre.
    sides: Box<[EdgeSide]>,
}

impl<T: Scalar> ConvexPolygon<T> {
    /// Creates a polygon from its corners in order, in either direction; clockwise ones are
    /// reversed.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::WrongCount`] for fewer than three
    /// corners, [`Error::NotConvex`] for the first corner at which the outline turns the wrong way,
    /// turns back, or repeats a point, and for outlines that go round more than once or have no
    /// area.
    pub fn new(mut corners: Vec<Point2<T>>) -> Result<Self, Error> {
        for (index, corner) in corners.iter().enumerate() {
            check_coordinates(corner.coords.as_slice(), "corner", index)?;
        }
        if corners.len() < 3 {
            return Err(Error::WrongCount { field: "corners", expected: 3, found: corners.len() });
        }
        if winding(&corners)? == Ordering::Less {
            corners.reverse();
        }
        let (wide_center, bluntness) = (center_of_area(&corners), bluntness(&corners));
        let away = |p: &Point2<T>| length(sub(wide_point(*p), wide_center));
        let radius_about_center = corners.iter().map(away).fold(0.0, f64::max);
        let sides = edge_sides(corners.iter().map(|&corner| sub(wide_point(corner), wide_center)));
        Ok(ConvexPolygon {
            corners: corners.into_boxed_slice(),
            wide_center,
            radius_about_center,
            bluntness,
            sides,
        })
    }

    /// Returns the corners, counter-clockwise.
    pub fn corners(&self) -> &[Point2<T>] {
        &self.corners
    }

    /// Returns the centre of area.
    pub fn center(&self) -> Point2<T> {
        nearest_point(self.wide_center)
    }

    /// Returns the area [square units].
    pub fn area(&self) -> T {
        let doubled = fan(&self.corners).map(|[a, b]| cross(a, b)).sum::<f64>();
        T::nearest(0.5 * doubled)
    }

    /// Returns the area, under the name that shapes in space have.
    pub fn volume(&self) -> T {
        self.area()
    }

    /// Returns the point of the polygon nearest to `point`, itself if inside; rounded to `T`.
    pub fn closest_point(&self, point: Point2<T>) -> Point2<T> {
        if self.contains(point) {
            return point;
        }
        let p = wide_point(point);
        let near = edges(&self.corners).map(|ends| nearest_on_edge(p, ends.map(wide_point)));
        let away = |q: Vec2| length(sub(q, p));
        let nearer = |best: Vec2, q: Vec2| if away(q) < away(best) { q } else { best };
        nearest_point(near.fold(wide_point(self.corners[0]), nearer))
    }

    /// Returns the corner farthest along `direction`, which need not be unit; the first at ties.
    pub fn support(&self, direction: Vector2<T>) -> Point2<T> {
        let way = wide_point(direction.into());
        let along = |p: Point2<T>| dot(wide_point(p), way);
        let farther = |p, q| if along(q) > along(p) { q } else { p };
        self.corners.iter().copied().fold(self.corners[0], farther)
    }

    /// Returns `true` if the point is in the polygon, its edges included; exact.
    pub fn contains(&self, point: Point2<T>) -> bool {
        let finite = point.coords.iter().all(|x| x.wide().is_finite());
        finite && edges(&self.corners).all(|[a, b]| orientation(a, b, point) != Ordering::Less)
    }

    /// Returns the smallest axis-aligned box around the polygon; exact.
    pub fn aabb(&self) -> Aabb<T, 2> {
        Aabb::from_points(self.corners.iter().copied())
    }

    pub(super) fn wide_center(&self) -> Vec2 {
        self.wide_center
    }

    pub(super) fn core(&self) -> PolygonCore<'_> {
        PolygonCore {
            sides: &self.sides,
            radius_about_center: self.radius_about_center,
            bluntness: self.bluntness,
        }
    }
}

/// Returns the edges, each by its two corners.
fn edges<T: Scalar>(corners: &[Point2<T>]) -> impl Iterator<Item = [Point2<T>; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&a, &b)| [a, b])
}

/// Returns the point of an edge closest to `p`. Source: Ericson, Real-Time Collision Detection
/// (2005), 5.1.2.
fn nearest_on_edge(p: Vec2, [a, b]: [Vec2; 2]) -> Vec2 {
    let along = sub(b, a);
    let share = dot(sub(p, a), along) / dot(along, along);
    // These comparisons are also right where the square of a short edge underflows.
    if share > 0.0 && share < 1.0 {
        add(a, scale(along, share))
    } else if share >= 1.0 {
        b
    } else {
        a
    }
}

/// Returns the winding of a convex outline: greater is counter-clockwise.
fn winding<T: Scalar>(corners: &[Point2<T>]) -> Result<Ordering, Error> {
    let count = corners.len();
    let mut way = Ordering::Equal;
    let mut rises = 0;
    for index in 0..count {
        let [a, b, c] = [0, 1, 2].map(|k| corners[(index + k) % count]);
        let fault = Error::NotConvex { index: (index + 1) % count };
        let this = orientation(a, b, c);
        let ahead = dot(vector_between(a, b), vector_between(b, c)) > 0.0;
        if a == b || (this == Ordering::Equal && !ahead) {
            return Err(fault);
        }
        if this != Ordering::Equal {
            if way == this.reverse() {
                return Err(fault);
            }
            way = this;
        }
        rises += usize::from(!is_upward(a, b) && is_upward(b, c));
    }
    // Every full turn has one change from downward to upward.
    if rises == 1 && way != Ordering::Equal { Ok(way) } else { Err(Error::NotConvex { index: 0 }) }
}

fn vector_between<T: Scalar>(a: Point2<T>, b: Point2<T>) -> Vec2 {
    sub(wide_point(b), wide_point(a))
}

/// Returns `true` if the edge points up, or straight to the right.
fn is_upward<T: Scalar>(a: Point2<T>, b: Point2<T>) -> bool {
    b.y > a.y || (b.y == a.y && b.x > a.x)
}

/// Returns the orientation of three points: greater if counter-clockwise, equal if collinear.
/// Exact.
fn orientation<T: Scalar>(a: Point2<T>, b: Point2<T>, c: Point2<T>) -> Ordering {
    let (u, v) = (vector_between(a, b), vector_between(a, c));
    let (p, q) = (u[0] * v[1], u[1] * v[0]);
    // Each of the four differences and both products lose at most e.
    if (p - q).abs() > 1e-15 * (p.abs() + q.abs()) {
        return p.total_cmp(&q);
    }
    let [a, b, c] = [a, b, c].map(|p| wide_point(p).map(Exact::new));
    let (u, v) = ([&b[0] - &a[0], &b[1] - &a[1]], [&c[0] - &a[0], &c[1] - &a[1]]);
    (&(&u[0] * &v[1]) - &(&u[1] * &v[0])).sign()
}

/// Returns the triangles between the first corner and each edge, relative to that corner.
fn fan<T: Scalar>(corners: &[Point2<T>]) -> impl Iterator<Item = [Vec2; 2]> {
    let from_first = |p: Point2<T>| vector_between(corners[0], p);
    corners[1..].windows(2).map(move |pair| [from_first(pair[0]), from_first(pair[1])])
}

fn center_of_area<T: Scalar>(corners: &[Point2<T>]) -> Vec2 {
    let (mut sum, mut area) = ([0.0; 2], 0.0);
    for [a, b] in fan(corners) {
        let part = cross(a, b);
        (sum, area) = (add(sum, scale(add(a, b), part)), area + part);
    }
    let first = wide_point(corners[0]);
    // Products of tiny sizes may underflow; any point nearby serves.
    let center = add(first, scale(sum, 1.0 / (3.0 * area)));
    if area > 0.0 && center.iter().all(|x| x.is_finite()) { center } else { first }
}

/// Returns the cosine of half the sharpest turn at a corner.
fn bluntness<T: Scalar>(corners: &[Point2<T>]) -> f64 {
    let count = corners.len();
    let unit = |index: usize| {
        let along = vector_between(corners[index % count], corners[(index + 1) % count]);
        scale(along, 1.0 / length(along))
    };
    let halves = (0..count).map(|i| 0.5 * length(add(unit(i), unit(i + 1))));
    halves.fold(1.0, f64::min)
}
