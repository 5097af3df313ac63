//! Convex shapes as one type.

use nalgebra::{Point3, Vector3};

use super::convex_kind::{ConvexKind, stored_obb};
use super::{ConvexPair, Support};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, length, scale};
use crate::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Ellipsoid, Obb, Pose, Sphere, Triangle, nearest_point,
    wide_point,
};

/// Defines [`ConvexShape`] from a table: a variant, its shape, and its documentation.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident($shape:ty);)*) => {
        /// A convex primitive of a part: see [`Geometry::Convex`](crate::tree::Geometry::Convex).
        ///
        /// ```
        /// use boxwood::nalgebra::{Isometry3, Point3, Vector3};
        /// use boxwood::{Capsule, ConvexShape, Cylinder, Segment};
        ///
        /// let drum = Cylinder::new(Point3::origin(), Vector3::z_axis(), 0.5, 1.0)?;
        /// let spine = Segment::new(Point3::origin(), Point3::new(0.0, 0.0, 2.0))?;
        /// let both = [ConvexShape::from(drum), Capsule::new(spine, 0.25)?.into()];
        /// assert_eq!(both[1].aabb().max, Point3::new(0.25, 0.25, 2.25));
        /// let moved = both[0].transformed(&Isometry3::translation(1.0, 0.0, 0.0))?;
        /// let rim = Point3::new(2.0, 0.0, 0.5);
        /// assert!(moved.contains(rim) && !both[0].contains(rim));
        /// # Ok::<(), boxwood::Error>(())
        /// ```
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum ConvexShape<T: Scalar> {
            $($(#[$doc])* $kind($shape),)*
        }

        impl<T: Scalar> ConvexShape<T> {
            /// Returns the smallest aligned box, rounded outward.
            pub fn aabb(&self) -> Aabb<T, 3> {
                match self { $(ConvexShape::$kind(shape) => shape.bounds(),)* }
            }

            /// Returns the shape moved by `pose`, rounded to `T`.
            ///
            /// # Errors
            /// [`Error::NotFinite`], [`Error::OutOfRange`] or [`Error::NotUnit`] for the pose.
            pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
                Ok(match self {
                    $(ConvexShape::$kind(shape) => ConvexShape::$kind(shape.posed(pose)?),)*
                })
            }

            /// Returns the shape scaled by `factor` about the origin, each number rounded once.
            ///
            /// # Errors
            /// [`Error::NotFinite`] or [`Error::NotPositive`] for the factor, [`Error::OutOfRange`]
            /// if a number overflows.
            pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
                let factor = factor.into();
                Ok(match self {
                    $(ConvexShape::$kind(shape) => ConvexShape::$kind(shape.scaled(factor)?),)*
                })
            }

            /// Returns the volume; zero for a flat shape.
            pub fn volume(&self) -> T {
                T::nearest(match self { $(ConvexShape::$kind(shape) => shape.wide_volume(),)* })
            }

            /// Returns an oriented box that contains the shape.
            pub(crate) fn fitted(&self) -> Obb<T> {
                match self { $(ConvexShape::$kind(shape) => stored_obb(&shape.fitted_box()),)* }
            }

            pub(crate) fn body(&self) -> &dyn Support {
                match self { $(ConvexShape::$kind(shape) => shape,)* }
            }

            /// Calls `each` with the kind and the stored bits, in order.
            pub(crate) fn for_each_bits(&self, mut each: impl FnMut(u64)) {
                let mut number = 0;
                $(
                    if let ConvexShape::$kind(shape) = self {
                        each(number);
                        shape.for_each_bits(&mut each);
                    }
                    number += 1;
                )*
                let _ = number;
            }

            /// Calls `line` with segments of the surface, in the frame of the shape.
            #[cfg_attr(not(feature = "draw"), allow(dead_code))]
            pub(crate) fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
                match self { $(ConvexShape::$kind(shape) => shape.outline(line),)* }
            }
        }

        $(impl<T: Scalar> From<$shape> for ConvexShape<T> {
            fn from(shape: $shape) -> Self {
                ConvexShape::$kind(shape)
            }
        })*
    };
}

kinds! {
    /// A ball.
    Sphere(Sphere<T, 3>);
    /// A segment with a radius.
    Capsule(Capsule<T>);
    /// A disc moved along its axis.
    Cylinder(Cylinder<T>);
    /// A ball scaled along three axes.
    Ellipsoid(Ellipsoid<T>);
    /// An oriented box.
    Box(Obb<T>);
    /// The convex hull of points.
    Hull(ConvexHull<T>);
    /// A triangle: flat, without an inside.
    Triangle(Triangle<T>);
}

impl<T: Scalar> ConvexShape<T> {
    /// Returns `true` if the shape contains the point, its surface included, up to the rounding of
    /// `f64`.
    pub fn contains(&self, point: Point3<T>) -> bool {
        self.with_point(wide_point(point), |pair| pair.touches(0.0))
    }

    /// Returns the point of the shape nearest to `point`, rounded to `T`: `point` itself if inside.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        if self.contains(point) {
            return point;
        }
        let (near, _) = self.with_point(wide_point(point), |pair| pair.closest_points());
        nearest_point(near.on_a)
    }

    /// Returns the point farthest along `direction`, rounded to `T`; `direction` need not be unit.
    pub fn support(&self, direction: Vector3<T>) -> Point3<T> {
        let (body, way) = (self.body(), wide_point(direction.into()));
        let (far, size) = (body.farthest(way), length(way));
        let share = if size > 0.0 { body.radius() / size } else { 0.0 };
        nearest_point(add(far, scale(way, share)))
    }

    fn with_point<A>(&self, point: Vec3, ask: impl FnOnce(ConvexPair<'_>) -> A) -> A {
        let bodies: [&dyn Support; 2] = [self.body(), &point];
        ask(ConvexPair::in_one_frame(bodies))
    }
}

/// Returns an upper bound on the distance of a point, up to rounding; zero inside.
pub(crate) fn distance_to(body: &dyn Support, point: Vec3) -> f64 {
    let bodies = [body, &point];
    ConvexPair::in_one_frame(bodies).distance_upper_bound()
}
