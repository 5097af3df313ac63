//! Buffer for the poses of a skeleton.

use nalgebra::{Matrix3, Vector3};

use super::Transform;
use crate::error::Error;
use crate::num::Scalar;
use crate::shape::Pose;
use crate::shape::pose::scale;

/// Scratch memory and result of posing a skeleton. Reuse one: after growing to the largest
/// skeleton, posing allocates nothing.
///
/// ```
/// # use boxwood::motion::{Joint, Joints, Skeleton, Transform};
/// # let joint = Joint { name: "hips".into(), parent: None, rest: Transform::<f32>::default() };
/// # let skeleton = Skeleton::new(vec![joint])?;
/// let mut joints = Joints::new(); // kept from frame to frame
/// skeleton.poses(&[Transform::default()], &mut joints)?;
/// assert_eq!(joints.poses().len(), 1);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Joints<T: Scalar> {
    /// Joint to parent.
    pub(super) locals: Vec<Transform<T>>,
    /// Joint to model without the translation: rotation, and all scales of the joint and its
    /// ancestors.
    pub(super) linear: Vec<Matrix3<T>>,
    /// Signs by which the scales of the joint and all its ancestors mirror each axis: 1 or -1.
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

    /// Scales the poses written last in place, for [the model scaled](crate::Model::scaled) by a
    /// factor, like [`pose::scale`](crate::shape::pose::scale).
    ///
    /// # Errors
    /// The errors of [`pose::scale`](crate::shape::pose::scale); no pose has changed then.
    ///
    /// ```
    /// # use boxwood::motion::{Joint, Joints, Skeleton, Transform};
    /// # use boxwood::nalgebra::Vector3;
    /// # let rest = Transform { translation: Vector3::y(), ..Transform::<f32>::default() };
    /// # let skeleton = Skeleton::new(vec![Joint { name: "hips".into(), parent: None, rest }])?;
    /// # let locals = [rest];
    /// let mut joints = Joints::new();
    /// skeleton.poses(&locals, &mut joints)?; // or a clip's `sample`
    /// assert_eq!(joints.scaled(3.0)?[0].translation.y, 3.0);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scaled(&mut self, factor: impl Into<f64>) -> Result<&[Pose<T>], Error> {
        scale(&mut self.poses, factor)?;
        Ok(&self.poses)
    }

    /// The linear parts of the joint matrices, joint to model: rotation and all scales, without the
    /// translation.
    pub fn linear(&self) -> &[Matrix3<T>] {
        &self.linear
    }
}

impl<T: Scalar> Default for Joints<T> {
    fn default() -> Self {
        Joints::new()
    }
}
