//! Shapes scaled by one positive factor about the origin of their frame.
//!
//! Lengths are multiplied in double precision and rounded once to the stored type; directions are
//! kept bit for bit. A power of two therefore changes nothing but exponents.

use nalgebra::Point3;

use super::{Capsule, ConvexHull, Cylinder, Ellipsoid, Mesh, Obb, Segment, Sphere, Triangle};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::scaling::{check_factor, scale_checked};

/// Multiplies the numbers of a point or a vector by the factor.
fn scaled_point<T: Scalar>(
    numbers: &[T],
    factor: f64,
    field: &'static str,
    index: usize,
) -> Result<[T; 3], Error> {
    scale_checked(std::array::from_fn(|i| numbers[i]), factor, field, index)
}

fn scaled_size<T: Scalar>(size: T, factor: f64, field: &'static str) -> Result<T, Error> {
    scale_checked([size], factor, field, 0).map(|[size]| size)
}

impl<T: Scalar> Sphere<T, 3> {
    /// The ball with all lengths times `factor`, about the origin.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number would overflow.
    ///
    /// ```
    /// use boxwood::Sphere;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let ball = Sphere::new(Point3::new(1.0, 0.0, 0.0), 0.5)?;
    /// assert_eq!(ball.scaled(2.0)?, Sphere::new(Point3::new(2.0, 0.0, 0.0), 1.0)?);
    /// assert!(ball.scaled(0.0).is_err());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let center = scaled_point(self.center().coords.as_slice(), factor, "center", 0)?;
        Sphere::new(center.into(), scaled_size(self.radius(), factor, "radius")?)
    }
}

impl<T: Scalar> Segment<T> {
    /// The segment with all lengths times `factor`, about the origin.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number would overflow.
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let a = scaled_point(self.a().coords.as_slice(), factor, "end", 0)?;
        let b = scaled_point(self.b().coords.as_slice(), factor, "end", 1)?;
        Segment::new(a.into(), b.into())
    }
}

impl<T: Scalar> Capsule<T> {
    /// The capsule with all lengths times `factor`, about the origin.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number would overflow.
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        Capsule::new(self.segment().scaled(factor)?, scaled_size(self.radius(), factor, "radius")?)
    }
}

impl<T: Scalar> Cylinder<T> {
    /// The cylinder with all lengths times `factor`, about the origin; its axis is kept bit for
    /// bit.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number would overflow.
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let center = scaled_point(self.center().coords.as_slice(), factor, "center", 0)?;
        let half_height = scaled_size(self.half_height(), factor, "half height")?;
        let radius = scaled_size(self.radius(), factor, "radius")?;
        Cylinder::stored(center.into(), self.axis().into_inner(), half_height, radius)
    }
}

impl<T: Scalar> Ellipsoid<T> {
    /// The ellipsoid with all lengths times `factor`, about the origin; its axes are kept bit for
    /// bit.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number would overflow.
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let center = scaled_point(self.center().coords.as_slice(), factor, "center", 0)?;
        let radii = scaled_point(self.radii().as_slice(), factor, "radii", 0)?;
        Ellipsoid::stored(center.into(), self.axes(), radii.into())
    }
}

impl<T: Scalar> Triangle<T> {
    /// The triangle with all lengths times `factor`, about the origin.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number would overflow.
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let corners = self.corners();
        let corner = |index: usize| -> Result<Point3<T>, Error> {
            Ok(scaled_point(corners[index].coords.as_slice(), factor, "corner", index)?.into())
        };
        Triangle::new(corner(0)?, corner(1)?, corner(2)?)
    }
}

impl<T: Scalar> ConvexHull<T> {
    /// The hull of the corners with their coordinates times `factor`. A corner that rounding moves
    /// into the hull of the others is dropped.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number would overflow.
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        ConvexHull::new(&scaled_points(self.corners(), factor, "point")?)
    }
}

impl<T: Scalar> Obb<T> {
    /// The box with all lengths times `factor`, about the origin; its axes are kept bit for bit.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number would overflow.
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let center = scaled_point(self.center().coords.as_slice(), factor, "center", 0)?;
        let half = scaled_point(self.half_extents().as_slice(), factor, "half extents", 0)?;
        Ok(Obb::from_parts(center.into(), self.axes(), half.into()))
    }
}

impl<T: Scalar> Mesh<T> {
    /// The mesh with all lengths times `factor`, about the origin; its triangles are unchanged.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number would overflow.
    ///
    /// ```
    /// use boxwood::Mesh;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [100.0, 0.0, 0.0], [0.0, 100.0, 0.0]];
    /// let millimetres = Mesh::new(corners.map(Point3::from).to_vec(), vec![[0, 1, 2]])?;
    /// let metres = millimetres.scaled(0.001)?;
    /// assert_eq!(metres.vertices()[1].x, 0.1);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let vertices = scaled_points(self.vertices(), factor, "vertex")?;
        Ok(Mesh { vertices, triangles: self.triangles.clone() })
    }
}

fn scaled_points<T: Scalar>(
    points: &[Point3<T>],
    factor: f64,
    field: &'static str,
) -> Result<Vec<Point3<T>>, Error> {
    let scaled = |(index, at): (usize, &Point3<T>)| -> Result<Point3<T>, Error> {
        Ok(scaled_point(at.coords.as_slice(), factor, field, index)?.into())
    };
    points.iter().enumerate().map(scaled).collect()
}
