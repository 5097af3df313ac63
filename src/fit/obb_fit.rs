//! Oriented boxes around points.

use nalgebra::Point3;

use super::{AxisBounds, BoxFrame, Covariance, refined_axes, smaller_box};
use crate::error::Error;
use crate::num::linear::{IDENTITY, Mat3, Vec3};
use crate::num::{Scalar, check_coordinates};
use crate::shape::{Obb, wide_point};

impl<T: Scalar> Obb<T> {
    /// Fits a tight box around the points: the one with the least surface of a few candidates. It
    /// contains all of them, up to the rounding of its axes to `T`.
    ///
    /// Candidates are the coordinate axes and the principal axes of the covariance, both unchanged
    /// and rotated about each axis as long as that helps. Sources: Gottschalk, Lin, Manocha,
    /// OBBTree (1996); Ericson, Real-Time Collision Detection (2005), 4.4.
    ///
    /// # Errors
    /// [`Error::Empty`] without a point, [`Error::NotFinite`] and [`Error::OutOfRange`] naming the
    /// point.
    ///
    /// ```
    /// use boxwood::Obb;
    /// use boxwood::nalgebra::Point3;
    ///
    /// // A square on its corner: the box turns with it.
    /// let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    /// let fitted = Obb::fit(&corners.map(Point3::from))?;
    /// assert!((2.0 * fitted.half_extents().max() - 2.0_f32.sqrt()).abs() < 1e-4);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn fit(points: &[Point3<T>]) -> Result<Self, Error> {
        let Some(first) = points.first() else { return Err(Error::Empty { field: "points" }) };
        for (index, point) in points.iter().enumerate() {
            check_coordinates(point.coords.as_slice(), "point", index)?;
        }
        let wide: Vec<Vec3> = points.iter().copied().map(wide_point).collect();
        let mut spread = Covariance::new((), wide_point(*first));
        wide.iter().for_each(|&p| spread.add(&spread.point_moments(p, 1.0)));
        let plain = AxisBounds::from_points(wide.iter().copied());
        let along = |axes: &Mat3| {
            let frame = BoxFrame::new::<T>((), axes);
            frame.bounding_box::<T>(
                (),
                &plain,
                &AxisBounds::from_points(wide.iter().map(|&p| frame.coordinates(p))),
            )
        };
        let spread = spread.axes(());
        let tries = [refined_axes(&IDENTITY, &wide), spread, refined_axes(&spread, &wide)];
        let best = tries.iter().map(along).fold(along(&IDENTITY), |a, b| smaller_box(&a, &b));
        Ok(best.narrow())
    }
}
