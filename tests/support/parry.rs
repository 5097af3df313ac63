//! The other library: conversions to parry3d 0.31, in f32 and f64. Its interface moves, so it is
//! met only here.

use boxwood::shape::Obb;
use nalgebra::{Isometry3, Matrix3, RealField, Rotation3, Translation3, UnitQuaternion};

fn pose<T: boxwood::num::Scalar + RealField>(stored: &Obb<T>) -> Isometry3<T> {
    let axes: Matrix3<T> = stored.axes();
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    Isometry3::from_parts(Translation3::from(stored.center().coords), turn)
}

/// A cuboid where it is, in f32.
pub struct Single {
    pose: parry3d::math::Pose,
    cuboid: parry3d::shape::Cuboid,
}

impl Single {
    pub fn of(stored: &Obb<f32>) -> Self {
        let h = stored.half_extents();
        Single {
            pose: pose(stored).into(),
            cuboid: parry3d::shape::Cuboid::new(parry3d::math::Vector::new(h.x, h.y, h.z)),
        }
    }

    pub fn intersects(&self, other: &Self) -> bool {
        let answer =
            parry3d::query::intersection_test(&self.pose, &self.cuboid, &other.pose, &other.cuboid);
        answer.expect("cuboids are supported").intersecting
    }

    /// Contact within `margin`: points and signed distance along the normal.
    pub fn contact(&self, other: &Self, margin: f32) -> Option<f32> {
        let answer =
            parry3d::query::contact(&self.pose, &self.cuboid, &other.pose, &other.cuboid, margin);
        answer.expect("cuboids are supported").map(|contact| contact.dist)
    }
}

/// A cuboid where it is, in f64.
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
}
