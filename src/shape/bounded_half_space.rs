//! Half-spaces cut off by a box, as convex hulls: floors and walls without an end.

use nalgebra::Point3;

use super::{Aabb, ConvexHull, Plane, wide_point};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::Vec3;

impl<T: Scalar> ConvexHull<T> {
    /// The part of a half-space, the solid side of a plane, that is inside an axis-aligned box.
    ///
    /// The hull contains every point of the half-space that is in the box. Where the plane crosses
    /// an edge of the box, the corner is rounded outward along that edge, so the hull also contains
    /// points outside the half-space: none further from it than `2^-22` of the largest coordinate
    /// in single precision and `2^-46` in double, and none at all for a plane square to an axis.
    /// Make the box as large as the world, and look for
    /// [separations](crate::scene::Snapshot::separation) [along](crate::tree::Push::along) the
    /// normal: the shortest may lead out of the box elsewhere.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for a corner of the box, NaN in an empty box
    /// too; [`Error::Empty`] for an empty box, and for a box outside the half-space.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Aabb, ConvexHull, ConvexShape, Geometry, Plane};
    ///
    /// let ground = Plane::new(Vector3::y_axis(), 0.25)?;
    /// let world = Aabb::new(Point3::from([-500.0; 3]), Point3::from([500.0; 3]));
    /// let ground = ConvexHull::half_space(&ground, &world)?;
    /// assert_eq!(ground.support(Vector3::y()).y, 0.25);
    /// assert!(ground.contains(Point3::new(400.0, 0.25, -400.0)));
    /// let floor: Geometry = Geometry::Convex(vec![ConvexShape::from(ground)]);
    /// # let _ = floor;
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn half_space(plane: &Plane<T>, bounds: &Aabb<T, 3>) -> Result<Self, Error> {
        bounds.check_ends([("minimum", 0), ("maximum", 0)])?;
        if bounds.is_empty() {
            return Err(Error::Empty { field: "box" });
        }
        let stored = StoredPlane { normal: plane.wide().normal, offset: plane.offset().wide() };
        let corner = |bits: usize| {
            let side = |i: usize| if bits >> i & 1 == 1 { bounds.max[i] } else { bounds.min[i] };
            Point3::new(side(0), side(1), side(2))
        };
        let is_in = |bits: usize| stored.may_contain(wide_point(corner(bits)));
        let mut points: Vec<Point3<T>> = (0..8).filter(|&bits| is_in(bits)).map(corner).collect();
        for bits in 0..8 {
            for axis in 0..3 {
                let other = bits ^ 1 << axis;
                if is_in(bits) && !is_in(other) {
                    points.push(stored.edge_crossing(corner(bits), axis, corner(other)[axis]));
                }
            }
        }
        match points.is_empty() {
            true => Err(Error::Empty { field: "half-space in the box" }),
            false => ConvexHull::new(&points),
        }
    }
}

/// A plane in double precision, as stored.
struct StoredPlane {
    normal: Vec3,
    offset: f64,
}

impl StoredPlane {
    /// Returns `true` if the plane is square to the axis: nothing is rounded then.
    fn is_square_to(&self, axis: usize) -> bool {
        let other = |i: usize| i == axis || self.normal[i] == 0.0;
        self.normal[axis].abs() == 1.0 && (0..3).all(other)
    }

    /// Upper bound on the rounding of three products, their sum, and its use.
    fn rounding_error(&self, terms: Vec3) -> f64 {
        let size = terms.iter().fold(self.offset.abs(), |sum, term| sum + term.abs());
        size * 8.0 * f64::EPSILON
    }

    /// Returns `true` if the point is in the half-space, or outside by less than rounding.
    fn may_contain(&self, p: Vec3) -> bool {
        let terms: Vec3 = std::array::from_fn(|i| self.normal[i] * p[i]);
        let height = terms[0] + terms[1] + terms[2] - self.offset;
        let is_exact = (0..3).any(|axis| self.is_square_to(axis));
        height <= if is_exact { 0.0 } else { self.rounding_error(terms) }
    }

    /// The point where the plane crosses an edge of the box, from a corner inside. Moved outward by
    /// the rounding error, but not beyond the end of the edge.
    fn edge_crossing<T: Scalar>(&self, from: Point3<T>, axis: usize, end: T) -> Point3<T> {
        let p = wide_point(from);
        let mut terms: Vec3 = std::array::from_fn(|i| self.normal[i] * p[i]);
        terms[axis] = 0.0;
        let along = self.normal[axis];
        let position = (self.offset - (terms[0] + terms[1] + terms[2])) / along;
        let pad =
            if self.is_square_to(axis) { 0.0 } else { self.rounding_error(terms) / along.abs() };
        let mut point = from;
        point[axis] = match end > from[axis] {
            true => lesser_of(T::at_least(position + pad), end),
            false => -lesser_of(-T::at_most(position - pad), -end),
        };
        point
    }
}

fn lesser_of<T: Scalar>(a: T, b: T) -> T {
    if a < b { a } else { b }
}
