//! The other library: conversions of boxes to parry3d 0.31 in f64, on the numbers as stored.

use boxwood::shape::Obb;
use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion};

fn pose(stored: &Obb<f64>) -> Isometry3<f64> {
    let axes = Rotation3::from_matrix_unchecked(stored.axes());
    let turn = UnitQuaternion::from_rotation_matrix(&axes);
    Isometry3::from_parts(Translation3::from(stored.center().coords), turn)
}

/// A cuboid where it is.
pub struct Double {
    pose: parry3d_f64::math::Pose,
    cuboid: parry3d_f64::shape::Cuboid,
}

impl Double {
    pub fn of<T: boxwood::num::Scalar>(stored: &Obb<T>) -> Self {
        let wide = |x: T| x.wide();
        let stored = Obb::new(
            stored.center().map(wide),
            stored.axes().map(wide),
            stored.half_extents().map(wide),
        );
        let stored = stored.expect("a stored box is valid");
        let h = stored.half_extents();
        Double {
            pose: pose(&stored).into(),
            cuboid: parry3d_f64::shape::Cuboid::new(parry3d_f64::math::Vector::new(h.x, h.y, h.z)),
        }
    }

    pub fn intersects(&self, other: &Self) -> bool {
        let answer = parry3d_f64::query::intersection_test(
            &self.pose,
            &self.cuboid,
            &other.pose,
            &other.cuboid,
        );
        answer.expect("cuboids are supported").intersecting
    }

    pub fn distance(&self, other: &Self) -> f64 {
        let answer =
            parry3d_f64::query::distance(&self.pose, &self.cuboid, &other.pose, &other.cuboid);
        answer.expect("cuboids are supported").distance
    }

    /// The signed distance along the normal of the contact; `None` if they share no point.
    pub fn contact(&self, other: &Self) -> Option<f64> {
        let answer =
            parry3d_f64::query::contact(&self.pose, &self.cuboid, &other.pose, &other.cuboid, 0.0);
        answer.expect("cuboids are supported").map(|contact| contact.dist)
    }
}
