//! Ellipsoids: balls scaled along three axes.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Point3, Vector3};

use super::{
    Aabb, Placement, Pose, check_poses, check_sizes, checked_axes, nearest_matrix, nearest_point,
    wide_matrix, wide_point,
};
use crate::error::Error;
use crate::num::linear::{Mat3, Vec3, add, dot, length, matrix_product, rotate, rotate_back, sub};
use crate::num::{Scalar, check_coordinates, tolerance};

/// An ellipsoid: all points `center + axes * (radii * s)` with `|s| <= 1`. Closed, solid.
///
/// The columns of `axes` are unit, at right angles, right-handed, up to the rounding of `T`. Radii
/// may be zero: an elliptic disc, a segment or a point.
///
/// ```
/// use boxwood::Ellipsoid;
/// use boxwood::nalgebra::{Matrix3, Point3, Vector3};
///
/// let egg = Ellipsoid::new(Point3::origin(), Matrix3::identity(), Vector3::new(1.0, 2.0, 1.0))?;
/// assert!(egg.contains(Point3::new(0.0, 1.9, 0.0)) && !egg.contains(Point3::new(0.0, 0.0, 1.9)));
/// assert_eq!(egg.support(Vector3::y()), Point3::new(0.0, 2.0, 0.0));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid<T: Scalar> {
    center: Point3<T>,
    axes: Matrix3<T>,
    radii: Vector3<T>,
}

impl<T: Scalar> Ellipsoid<T> {
    /// An ellipsoid from its centre, its axes (columns) and its radii along them, in one unit.
    ///
    /// The axes may be off by [`tolerance::UNIT`]; they are made orthonormal again.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for a radius,
    /// [`Error::NotUnit`] and [`Error::NotOrthonormal`] for axes further off, or left-handed.
    pub fn new(center: Point3<T>, axes: Matrix3<T>, radii: Vector3<T>) -> Result<Self, Error> {
        check_coordinates(center.coords.as_slice(), "center", 0)?;
        let axes = checked_axes(&axes)?;
        check_sizes(&radii, "radii", "radius")?;
        Ok(Ellipsoid { center, axes, radii })
    }

    /// An ellipsoid as stored: its axes are kept bit for bit.
    ///
    /// # Errors
    /// The errors of [`Ellipsoid::new`].
    pub(crate) fn stored(
        center: Point3<T>,
        axes: Matrix3<T>,
        radii: Vector3<T>,
    ) -> Result<Self, Error> {
        Ok(Ellipsoid { axes, ..Ellipsoid::new(center, axes, radii)? })
    }

    /// The centre.
    pub fn center(&self) -> Point3<T> {
        self.center
    }

    /// The directions of the radii, as columns.
    pub fn axes(&self) -> Matrix3<T> {
        self.axes
    }

    /// Half the widths along the axes.
    pub fn radii(&self) -> Vector3<T> {
        self.radii
    }

    /// Returns `true` if the ellipsoid contains the point, its surface included, up to the rounding
    /// of `f64`.
    pub fn contains(&self, point: Point3<T>) -> bool {
        let wide = self.wide();
        wide.contains(wide.local_point(wide_point(point)))
    }

    /// The point of the ellipsoid nearest to `point`, itself if inside; rounded to `T`.
    ///
    /// Source: the multiplier is found as in Moré and Sorensen, Computing a Trust Region Step
    /// (1983).
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        let wide = self.wide();
        let local = wide.local_point(wide_point(point));
        if wide.contains(local) {
            return point;
        }
        nearest_point(add(wide.center, rotate(&wide.axes, wide.closest_local_point(local))))
    }

    /// The point farthest along `direction`, which need not be unit; the centre if no point is
    /// farther.
    pub fn support(&self, direction: Vector3<T>) -> Point3<T> {
        nearest_point(self.wide().support(wide_point(direction.into())))
    }

    /// The volume.
    pub fn volume(&self) -> T {
        let [a, b, c] = self.wide().radii;
        T::nearest(4.0 / 3.0 * PI * a * b * c)
    }

    /// The smallest axis-aligned box around it, rounded outward.
    pub fn aabb(&self) -> Aabb<T, 3> {
        let wide = self.wide();
        let unit = |i: usize| std::array::from_fn(|k| if k == i { 1.0 } else { 0.0 });
        let half = std::array::from_fn(|i| wide.projected_radius(unit(i)));
        let size = length(wide.radii) + length(wide.center);
        Aabb::outward(wide.center, half, size * tolerance::WORLD_BOX_PAD)
    }

    /// The ellipsoid moved by `pose`, rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        check_poses(std::slice::from_ref(pose), "pose")?;
        let (wide, placement) = (self.wide(), Placement::new(pose));
        let axes = nearest_matrix(&matrix_product(&placement.rotation, &wide.axes));
        Ellipsoid::new(nearest_point(placement.point(wide.center)), axes, self.radii)
    }

    pub(crate) fn wide(&self) -> WideEllipsoid {
        WideEllipsoid {
            center: wide_point(self.center),
            axes: wide_matrix(&self.axes),
            radii: wide_point(self.radii.into()),
        }
    }
}

/// An ellipsoid in double precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WideEllipsoid {
    pub center: Vec3,
    pub axes: Mat3,
    pub radii: Vec3,
}

/// Largest number of Newton steps to the Lagrange multiplier; two to eight are usual.
const MAX_NEWTON_STEPS: usize = 64;

impl WideEllipsoid {
    /// The support function about the centre: the projected radius along a direction, times the
    /// length of the direction.
    pub fn projected_radius(&self, direction: Vec3) -> f64 {
        length(self.scaled_direction(direction))
    }

    /// The support point: the point farthest along `direction`.
    pub fn support(&self, direction: Vec3) -> Vec3 {
        let along = self.scaled_direction(direction);
        let size = length(along);
        if size > 0.0 {
            let local = std::array::from_fn(|i| self.radii[i] * (along[i] / size));
            add(self.center, rotate(&self.axes, local))
        } else {
            self.center
        }
    }

    /// The direction in the frame of the ellipsoid, scaled by the radii.
    fn scaled_direction(&self, direction: Vec3) -> Vec3 {
        let along = rotate_back(&self.axes, direction);
        std::array::from_fn(|i| self.radii[i] * along[i])
    }

    /// A point in the frame of the ellipsoid.
    fn local_point(&self, p: Vec3) -> Vec3 {
        rotate_back(&self.axes, sub(p, self.center))
    }

    /// Returns `true` if a point in the frame of the ellipsoid is inside, the surface included.
    fn contains(&self, local: Vec3) -> bool {
        // A radius of zero allows no offset along its axis; 0 / 0 counts as 0.
        let shares = std::array::from_fn(|i| match self.radii[i] {
            0.0 if local[i] == 0.0 => 0.0,
            radius => local[i] / radius,
        });
        dot(shares, shares) <= 1.0
    }

    /// The closest point to `y`, which is outside; both in the frame of the ellipsoid.
    ///
    /// It is `x_i = r_i^2 y_i / (t + r_i^2)` for the Lagrange multiplier `t >= 0` that puts it on
    /// the surface. The inverse of the length of `x / r` is concave and increasing in `t`, so
    /// Newton's steps increase to the root and never pass it.
    fn closest_local_point(&self, y: Vec3) -> Vec3 {
        let r = self.radii;
        let mut t = (0..3).map(|i| r[i] * (y[i].abs() - r[i])).fold(0.0, f64::max);
        for _ in 0..MAX_NEWTON_STEPS {
            let s: Vec3 = std::array::from_fn(|i| surface_coordinate(r[i], y[i], t));
            let squared = dot(s, s);
            let slope: f64 = (0..3)
                .map(|i| if s[i] == 0.0 { 0.0 } else { s[i] * s[i] / (t + r[i] * r[i]) })
                .sum();
            let size = squared.sqrt();
            let next = t + (size - 1.0) * squared / slope;
            if next > t {
                t = next;
            } else {
                // Converged, or the slope vanishes: the point projects onto the inside of a disc.
                break;
            }
        }
        std::array::from_fn(|i| r[i] * surface_coordinate(r[i], y[i], t))
    }
}

/// `r y / (t + r^2)`; zero for a radius of zero.
fn surface_coordinate(r: f64, y: f64, t: f64) -> f64 {
    if r == 0.0 { 0.0 } else { r * y / (t + r * r) }
}
