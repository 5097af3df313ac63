//! The buffer a skeleton is posed in.

use nalgebra::{Matrix3, Vector3};

use super::Transform;
use crate::num::Scalar;
use crate::shape::Pose;

/// Scratch and result of posing a skeleton. Keep one and reuse it: once it has grown to the
/// largest skeleton, posing allocates nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Joints<T: Scalar> {
    /// Joint to parent.
    pub(super) locals: Vec<Transform<T>>,
    /// Joint to model, without the translation: rotation and every scale above.
    pub(super) linear: Vec<Matrix3<T>>,
    /// Which axes all scales above and its own together turn round: 1 or -1 each.
    pub(super) signs: Vec<Vector3<T>>,
    /// Joint to model, without scale.
    pub(super) poses: Vec<Pose<T>>,
}

impl<T: Scalar> Joints<T> {
    /// An empty buffer.
    pub fn new() -> Self {
        Joints { locals: Vec::new(), linear: Vec::new(), signs: Vec::new(), poses: Vec::new() }
    }

    /// The poses written last, joint to model, in the order of the skeleton's joints.
    pub fn poses(&self) -> &[Pose<T>] {
        &self.poses
    }

    /// The same with every scale and without the translation: what the file's matrices turn and scale by.
    pub fn linear(&self) -> &[Matrix3<T>] {
        &self.linear
    }
}

impl<T: Scalar> Default for Joints<T> {
    fn default() -> Self {
        Joints::new()
    }
}
