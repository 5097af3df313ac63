//! A plane, or the half-space behind it, and everything else.
//!
//! | question | of the plane, both sides alike | of the solid behind it |
//! |---|---|---|
//! | a point: how far, whether on it | [`distance`](Plane::distance), [`contains_within`](Plane::contains_within) | [`contains`](Plane::contains) |
//! | a [shape](Bounded): where, whether they share a point | [`heights`](Plane::heights), [`side`](Plane::side), [`touches`](Plane::touches) | [`holds`](Plane::holds), [`overlaps`](Plane::overlaps) |
//! | how deep it is in | | [`depth`](Plane::depth) |
//! | when it gets there, moving | [`sweep_surface`](Plane::sweep_surface) | [`sweep_solid`](Plane::sweep_solid) |
//! | a segment, a ray, a triangle: where the plane cuts it | [`cut_segment`](Plane::cut_segment), [`cut_ray`](Plane::cut_ray), [`cut_triangle`](Plane::cut_triangle) | |
//! | an ellipsoid: where parallel planes touch it | [`tangent_points`](Plane::tangent_points) | |
//!
//! A shape is any [`Bounded`] one: point, segment, triangle, sphere, capsule, cylinder, ellipsoid,
//! convex hull, polygon, frustum, k-DOP, [`Aabb`](crate::shape::Aabb), [`Obb`](crate::shape::Obb).
//! Verdicts are those of `f64` at the size of the coordinates: exact on a lattice and an axis of
//! it, off by rounding elsewhere.

mod bounded;
mod cut;
mod sweep;

pub use bounded::{Bounded, Heights};
pub use cut::{LineCut, TriangleCut};
pub use sweep::PlaneHit;

use nalgebra::Point3;

use crate::num::Scalar;
use crate::num::linear::scale;
use crate::shape::{Ellipsoid, Plane, nearest_point};

/// The side of a plane that a shape is on. Closed sets: a shape that touches the plane straddles
/// it.
///
/// ```
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Plane, Sphere, pair::plane::Side};
///
/// let ground = Plane::new(Vector3::y_axis(), 0.0)?; // solid below y = 0
/// let ball = |y| Sphere::new(Point3::new(0.0, y, 0.0), 1.0);
/// assert_eq!(ground.side(&ball(2.0)?), Side::Front);
/// assert_eq!(ground.side(&ball(1.0)?), Side::Straddling); // touches
/// assert_eq!(ground.side(&ball(-2.0)?), Side::Behind);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Wholly out of the solid, where the normal points, without touching it. An empty box is there
    /// too.
    Front,
    /// It shares a point with the plane.
    Straddling,
    /// Wholly in the solid, without touching its surface.
    Behind,
}

impl<T: Scalar> Plane<T> {
    /// The signed distances of the shape's nearest points on the way along the normal: the least
    /// and the greatest.
    pub fn heights<S: Bounded<T>>(&self, shape: &S) -> Heights {
        shape.heights(self)
    }

    /// On which side of the plane the shape is.
    pub fn side<S: Bounded<T>>(&self, shape: &S) -> Side {
        self.heights(shape).side()
    }

    /// Whether the shape and the plane itself share a point; touching counts, from either side.
    pub fn touches<S: Bounded<T>>(&self, shape: &S) -> bool {
        self.side(shape) == Side::Straddling
    }

    /// Whether the shape and the solid share a point; touching counts.
    pub fn overlaps<S: Bounded<T>>(&self, shape: &S) -> bool {
        self.heights(shape).least <= 0.0
    }

    /// Whether the shape is wholly in the solid; its surface counts. An empty box is held by every
    /// solid.
    pub fn holds<S: Bounded<T>>(&self, shape: &S) -> bool {
        self.heights(shape).greatest <= 0.0
    }

    /// How far to move the shape along the normal until it only touches the solid; `None` if they
    /// are apart. Units, never negative.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Plane, Sphere};
    ///
    /// let ground = Plane::new(Vector3::y_axis(), 0.0)?; // solid below y = 0
    /// assert_eq!(ground.depth(&Sphere::new(Point3::new(0.0, 0.75, 0.0), 1.0)?), Some(0.25));
    /// assert_eq!(ground.depth(&Sphere::new(Point3::new(0.0, 2.0, 0.0), 1.0)?), None);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn depth<S: Bounded<T>>(&self, shape: &S) -> Option<T> {
        let least = self.heights(shape).least;
        // Zero minus zero is not minus zero.
        (least <= 0.0).then(|| T::nearest(0.0 - least))
    }

    /// Where the two planes parallel to this one touch the ellipsoid: the lowest point along the
    /// normal and the highest.
    ///
    /// `c -+ (a^2 n_x, b^2 n_y, c^2 n_z) / K` along its axes, `K` how far it goes along the normal.
    pub fn tangent_points(&self, ellipsoid: &Ellipsoid<T>) -> [Point3<T>; 2] {
        let (wide, normal) = (ellipsoid.wide(), self.wide().normal);
        [scale(normal, -1.0), normal].map(|direction| nearest_point(wide.support(direction)))
    }
}
