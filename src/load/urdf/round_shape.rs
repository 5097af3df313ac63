//! Round shapes of robots: as primitives, or as triangles beside a mesh.

use nalgebra::{Matrix3, Point3, Unit, Vector3};

use super::tessellation;
use super::tessellation::{transformed, transformed_by_pose};
use crate::error::Error;
use crate::load::meshes::Soup;
use crate::num::Scalar;
use crate::pair::ConvexShape;
use crate::shape::{Capsule, Cylinder, Ellipsoid, Pose, Segment, Sphere};

/// A round shape in the frame of its link or body.
pub(in crate::load) struct RoundShape {
    pub kind: RoundKind,
    pub pose: Pose<f64>,
}

/// The kind of a round shape: centred at the origin, along z if it has a length.
pub(in crate::load) enum RoundKind {
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// A cylinder with a hemisphere at each end of its length.
    Capsule {
        radius: f64,
        length: f64,
    },
    /// The radii; a ball if they are equal.
    Ellipsoid(Vector3<f64>),
}

impl RoundShape {
    pub fn name(&self) -> &'static str {
        match self.kind {
            RoundKind::Cylinder { .. } => "cylinder",
            RoundKind::Capsule { .. } => "capsule",
            RoundKind::Ellipsoid(_) => "sphere",
        }
    }

    /// The shape as a primitive; sizes are rounded up to `T`.
    pub fn convex<T: Scalar>(&self) -> Result<ConvexShape<T>, String> {
        self.checked().map_err(|error| error.to_string())
    }

    fn checked<T: Scalar>(&self) -> Result<ConvexShape<T>, Error> {
        let (rotation, middle) = (&self.pose.rotation, self.pose.translation.vector);
        let point = |p: Vector3<f64>| Point3::from(p.map(T::nearest));
        let along = rotation * Vector3::z();
        Ok(match self.kind {
            RoundKind::Cylinder { radius, length } => {
                let axis = Unit::new_unchecked(along.map(T::nearest));
                let (half, radius) = (T::at_least(length / 2.0), T::at_least(radius));
                Cylinder::new(point(middle), axis, half, radius)?.into()
            }
            RoundKind::Capsule { radius, length } => {
                let end = along * (length / 2.0);
                let segment = Segment::new(point(middle - end), point(middle + end))?;
                Capsule::new(segment, T::at_least(radius))?.into()
            }
            RoundKind::Ellipsoid(radii) if radii.min() == radii.max() => {
                Sphere::new(point(middle), T::at_least(radii.x))?.into()
            }
            RoundKind::Ellipsoid(radii) => {
                let axes = rotation.to_rotation_matrix().into_inner().map(T::nearest);
                Ellipsoid::new(point(middle), axes, radii.map(T::at_least))?.into()
            }
        })
    }

    /// Triangles around the shape.
    pub fn soup(&self) -> Soup {
        let soup = match self.kind {
            RoundKind::Cylinder { radius, length } => tessellation::cylinder(radius, length),
            RoundKind::Capsule { radius, length } => capsule(radius, length),
            RoundKind::Ellipsoid(radii) => {
                let scale = Matrix3::from_diagonal(&radii);
                transformed(&tessellation::sphere(1.0), &scale, &Vector3::zeros())
            }
        };
        transformed_by_pose(soup, &self.pose)
    }
}

/// A cylinder with a hemisphere at either end, along z.
fn capsule(radius: f64, length: f64) -> Soup {
    let mut soup = tessellation::cylinder(radius, length);
    for end in [-length / 2.0, length / 2.0] {
        let ball = tessellation::sphere(radius);
        soup.0.extend(transformed(&ball, &Matrix3::identity(), &(Vector3::z() * end)).0);
    }
    soup
}
