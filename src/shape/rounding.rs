//! Coordinates, axes and sizes: checks, conversion to double precision, rounding back.

use nalgebra::{Matrix3, Point3, Vector3};

use crate::error::Error;
use crate::num::linear::{Mat3, Vec3, dot, orthonormalised};
use crate::num::{Scalar, check_coordinates, tolerance};

/// Returns the axes made orthonormal, or the reason why they cannot be.
pub(crate) fn checked_axes<T: Scalar>(axes: &Matrix3<T>) -> Result<Matrix3<T>, Error> {
    check_coordinates(axes.as_slice(), "axes", 0)?;
    let frame = wide_matrix(axes);
    for index in 0..3 {
        let length = dot(frame[index], frame[index]).sqrt();
        if (length - 1.0).abs() > tolerance::UNIT {
            return Err(Error::NotUnit { field: "axis", index, length });
        }
        if dot(frame[index], frame[(index + 1) % 3]).abs() > tolerance::UNIT {
            return Err(Error::NotOrthonormal { field: "axis", index });
        }
    }
    let straight = orthonormalised(&frame);
    if dot(straight[2], frame[2]) < 0.0 {
        return Err(Error::NotOrthonormal { field: "axis", index: 2 });
    }
    Ok(nearest_matrix(&straight))
}

/// Rejects sizes along axes that are not finite or out of range (the error names `all`) or negative
/// (it names `one`).
pub(crate) fn check_sizes<T: Scalar>(
    sizes: &Vector3<T>,
    all: &'static str,
    one: &'static str,
) -> Result<(), Error> {
    check_coordinates(sizes.as_slice(), all, 0)?;
    match (0..3).find(|&i| sizes[i].wide() < 0.0) {
        Some(index) => Err(Error::Negative { field: one, index }),
        None => Ok(()),
    }
}

pub(crate) fn wide_point<T: Scalar>(p: Point3<T>) -> Vec3 {
    [p.x.wide(), p.y.wide(), p.z.wide()]
}

pub(crate) fn nearest_point<T: Scalar>(p: Vec3) -> Point3<T> {
    Point3::new(T::nearest(p[0]), T::nearest(p[1]), T::nearest(p[2]))
}

pub(crate) fn wide_matrix<T: Scalar>(m: &Matrix3<T>) -> Mat3 {
    std::array::from_fn(|j| std::array::from_fn(|i| m[(i, j)].wide()))
}

pub(crate) fn nearest_matrix<T: Scalar>(m: &Mat3) -> Matrix3<T> {
    Matrix3::from_fn(|i, j| T::nearest(m[j][i]))
}
