//! Sides, overlaps and distances of shapes and planes.

use nalgebra::Point3;

use super::{Bounded, Heights, Side};
use crate::num::Scalar;
use crate::num::linear::scale;
use crate::shape::{Ellipsoid, Plane, nearest_point};

impl<T: Scalar> Plane<T> {
    /// Returns the least and the greatest signed distance of a point of the shape.
    pub fn heights<S: Bounded<T>>(&self, shape: &S) -> Heights {
        shape.heights(self)
    }

    /// Returns the side of the plane that the shape is on.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// use boxwood::{Aabb, Obb, Plane, pair::plane::Side};
    ///
    /// let ground = Plane::new(Vector3::y_axis(), 0.0)?; // solid below y = 0
    /// let crate_ = Aabb::new(Point3::new(0.0, 0.5, 0.0), Point3::new(1.0, 1.5, 1.0));
    /// assert_eq!(ground.side(&crate_), Side::Front);
    /// // Turned by an eighth its lowest edge is 1.414 below its centre.
    /// let turned = Isometry3::new(Vector3::y(), Vector3::z() * std::f32::consts::FRAC_PI_4);
    /// let turned = Obb::from_pose(&turned, Vector3::repeat(1.0))?;
    /// assert_eq!(ground.side(&turned), Side::Straddling);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn side<S: Bounded<T>>(&self, shape: &S) -> Side {
        self.heights(shape).side()
    }

    /// Returns `true` if the shape and the plane itself share a point; touching counts, from either
    /// side.
    pub fn touches<S: Bounded<T>>(&self, shape: &S) -> bool {
        self.side(shape) == Side::Straddling
    }

    /// Returns `true` if the shape and the solid share a point; touching counts.
    pub fn overlaps<S: Bounded<T>>(&self, shape: &S) -> bool {
        self.heights(shape).least <= 0.0
    }

    /// Returns `true` if the shape is wholly in the solid, whose surface counts. Every solid
    /// contains an empty box.
    pub fn contains_shape<S: Bounded<T>>(&self, shape: &S) -> bool {
        self.heights(shape).greatest <= 0.0
    }

    /// Returns the translation of the shape along the normal until it only touches the solid
    /// [units, never negative]; `None` if they are disjoint.
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
        // Subtracts from zero, so that zero is not minus zero.
        (least <= 0.0).then(|| T::nearest(0.0 - least))
    }

    /// Returns the points where the two planes parallel to this one touch the ellipsoid: the lowest
    /// along the normal and the highest.
    ///
    /// They are `c -+ (a^2 n_x, b^2 n_y, c^2 n_z) / K` along its axes, with its extent `K` along
    /// the normal.
    ///
    /// ```
    /// use boxwood::nalgebra::{Matrix3, Point3, Vector3};
    /// use boxwood::{Ellipsoid, Plane};
    ///
    /// let ground = Plane::new(Vector3::y_axis(), 0.0)?;
    /// let (center, radii) = (Point3::new(0.0, 2.5, 0.0), Vector3::new(1.0, 2.0, 1.0));
    /// let egg = Ellipsoid::new(center, Matrix3::identity(), radii)?;
    /// let [low, high] = ground.tangent_points(&egg);
    /// assert_eq!((low, high), (Point3::new(0.0, 0.5, 0.0), Point3::new(0.0, 4.5, 0.0)));
    /// assert!(!ground.touches(&egg));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn tangent_points(&self, ellipsoid: &Ellipsoid<T>) -> [Point3<T>; 2] {
        let (wide, normal) = (ellipsoid.wide(), self.wide().normal);
        [scale(normal, -1.0), normal].map(|direction| nearest_point(wide.support(direction)))
    }
}
