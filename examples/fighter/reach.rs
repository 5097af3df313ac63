//! Inverse kinematics of two bones and a hinge: knee and elbow from hip and foot, shoulder and
//! hand.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

/// Orientations, joint -> model, of the upper and the lower bone that bring the end of the lower
/// one to `target`, or as near as possible. Both bones point down (-Y) in their frames and the
/// hinge rotates about their +X.
///
/// `front` is the desired direction of the frames' +Z: knees are bent to the front, elbows away
/// from it.
pub fn two_bones(
    to_target: Vector3<f64>,
    lengths: [f64; 2],
    front: Vector3<f64>,
    hinge: Hinge,
) -> [UnitQuaternion<f64>; 2] {
    let [upper, lower] = lengths;
    let far = to_target.norm().clamp((upper - lower).abs() + 1e-3, 0.9995 * (upper + lower));
    let down = to_target.normalize();
    let forward = (front - down * front.dot(&down)).normalize();
    // Law of cosines: the angle at the root between the upper bone and the line to the target.
    let cos = (upper * upper + far * far - lower * lower) / (2.0 * upper * far);
    let (along, aside) = (upper * cos, upper * (1.0 - cos * cos).max(0.0).sqrt());
    let aside = match hinge {
        Hinge::Knee => aside,
        Hinge::Elbow => -aside,
    };
    let middle = down * along + forward * aside;
    let across = forward.cross(&down);
    [facing(middle, across), facing(down * far - middle, across)]
}

/// Folding direction of a limb.
#[derive(Clone, Copy, PartialEq)]
pub enum Hinge {
    /// Folds to the front.
    Knee,
    /// Folds to the back.
    Elbow,
}

/// Orientation whose -Y is along `bone` and whose X is `across`, which is perpendicular to it.
fn facing(bone: Vector3<f64>, across: Vector3<f64>) -> UnitQuaternion<f64> {
    let y = -bone.normalize();
    let frame = Matrix3::from_columns(&[across, y, across.cross(&y)]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(frame))
}
