//! Skeletons: joints with their parents, and forward kinematics.

use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

use super::{Joints, Transform};
use crate::error::Error;
use crate::num::Scalar;
use crate::shape::Pose;

/// One joint of a [`Skeleton`].
///
/// ```
/// use boxwood::motion::{Joint, Transform};
///
/// let hips = Joint { name: "hips".into(), parent: None, rest: Transform::<f32>::default() };
/// let spine = Joint { name: "spine".into(), parent: Some(0), ..hips.clone() };
/// assert_eq!(spine.rest, hips.rest);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Joint<T: Scalar> {
    /// The name, unique in its skeleton.
    pub name: String,
    /// The index of the parent, smaller than the joint's own; `None` for a root.
    pub parent: Option<usize>,
    /// The rest transform: joint to parent (root: to model) without animation.
    pub rest: Transform<T>,
}

/// Joints, parents before children. Immutable; shared by the clips that move it.
///
/// ```
/// use boxwood::motion::{Joint, Skeleton, Transform};
/// use boxwood::nalgebra::Vector3;
///
/// let rest = Transform { translation: Vector3::y(), ..Transform::<f32>::default() };
/// let hips = Joint { name: "hips".into(), parent: None, rest };
/// let spine = Joint { name: "spine".into(), parent: Some(0), rest };
/// let skeleton = Skeleton::new(vec![hips, spine])?;
/// assert_eq!(skeleton.find("spine"), Some(1));
/// assert_eq!(skeleton.rest_poses()[1].translation.y, 2.0); // joint to model
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton<T: Scalar> {
    joints: Vec<Joint<T>>,
}

impl<T: Scalar> Skeleton<T> {
    /// Creates a skeleton of at least one joint; several roots are allowed.
    ///
    /// # Errors
    /// [`Error::Empty`] without a joint; [`Error::DuplicateName`]; [`Error::OutOfOrder`] for a
    /// parent after its child; [`Error::NotFinite`], [`Error::OutOfRange`] and [`Error::NotUnit`]
    /// for a rest transform. All but the first name the joint.
    pub fn new(joints: Vec<Joint<T>>) -> Result<Self, Error> {
        if joints.is_empty() {
            return Err(Error::Empty { field: "skeleton" });
        }
        let mut names = std::collections::HashSet::new();
        for (index, joint) in joints.iter().enumerate() {
            if !names.insert(joint.name.as_str()) {
                return Err(Error::DuplicateName { kind: "joint", name: joint.name.clone() });
            }
            if joint.parent.is_some_and(|parent| parent >= index) {
                return Err(Error::OutOfOrder { field: "joint", index }.in_part(&joint.name));
            }
            joint.rest.check("joint", index).map_err(|error| error.in_part(&joint.name))?;
        }
        Ok(Skeleton { joints })
    }

    /// The joints, parents first.
    pub fn joints(&self) -> &[Joint<T>] {
        &self.joints
    }

    /// The number of joints; never 0.
    #[allow(clippy::len_without_is_empty)] // a skeleton is never empty
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// The index of the joint of that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// Forward kinematics: the pose of every joint, joint to model, from one transform per joint.
    ///
    /// The scale of a joint moves its children and is not part of a pose, except that a mirroring
    /// scale reverses rotations below it. If a scale is not uniform and a joint below it rotates,
    /// no rigid pose is exact; the rotation is then the product of the rotations.
    ///
    /// # Errors
    /// [`Error::WrongCount`]; [`Error::NotFinite`], [`Error::OutOfRange`] and [`Error::NotUnit`]
    /// naming the index of the transform. `joints` is unchanged then.
    pub fn poses<'a>(
        &self,
        locals: &[Transform<T>],
        joints: &'a mut Joints<T>,
    ) -> Result<&'a [Pose<T>], Error> {
        if locals.len() != self.len() {
            let (expected, found) = (self.len(), locals.len());
            return Err(Error::WrongCount { field: "joint transforms", expected, found });
        }
        for (index, local) in locals.iter().enumerate() {
            local.check("joint transform", index)?;
        }
        joints.locals.clear();
        joints.locals.extend_from_slice(locals);
        self.pose_locals(joints);
        Ok(&joints.poses)
    }

    /// The rest pose of every joint, joint to model.
    pub fn rest_poses(&self) -> Vec<Pose<T>> {
        let mut joints = Joints::new();
        self.pose_rest(&mut joints);
        joints.poses
    }

    /// The linear part of every joint's rest matrix, joint to model: rotation and all scales,
    /// without the translation.
    pub fn rest_linear(&self) -> Vec<Matrix3<T>> {
        let mut joints = Joints::new();
        self.pose_rest(&mut joints);
        joints.linear
    }

    fn pose_rest(&self, joints: &mut Joints<T>) {
        self.start_at_rest(joints);
        self.pose_locals(joints);
    }

    /// Fills the local transforms with the rest transforms.
    pub(super) fn start_at_rest(&self, joints: &mut Joints<T>) {
        joints.locals.clear();
        joints.locals.extend(self.joints.iter().map(|joint| joint.rest));
    }

    /// Computes the poses from the local transforms in the buffer, one per joint.
    pub(super) fn pose_locals(&self, joints: &mut Joints<T>) {
        let Joints { locals, linear, signs, poses } = joints;
        linear.clear();
        signs.clear();
        poses.clear();
        for (joint, local) in self.joints.iter().zip(locals.iter()) {
            let (pose, matrix, above) = match joint.parent {
                None => (
                    Isometry3::from_parts(local.translation.into(), local.rotation),
                    local.linear(),
                    Vector3::repeat(T::one()),
                ),
                Some(parent) => (
                    child_pose(&poses[parent], &linear[parent], &signs[parent], local),
                    linear[parent] * local.linear(),
                    signs[parent],
                ),
            };
            poses.push(pose);
            linear.push(matrix);
            let mirrors = |s: T| if s < T::zero() { -T::one() } else { T::one() };
            signs.push(above.component_mul(&local.scale.map(mirrors)));
        }
    }
}

/// Returns the pose of a joint, from its parent's pose, linear part and signs.
fn child_pose<T: Scalar>(
    parent: &Pose<T>,
    linear: &Matrix3<T>,
    signs: &Vector3<T>,
    local: &Transform<T>,
) -> Pose<T> {
    let position = parent.translation.vector + linear * local.translation;
    // A rotation below a mirror is mirrored: with E the signs, E R = (E R E) E. Its axis is
    // mirrored and, if the handedness changes, also reversed.
    let mut local = local.rotation.into_inner();
    let hand = signs.x * signs.y * signs.z;
    local.as_vector_mut().fixed_rows_mut::<3>(0).component_mul_assign(&(signs * hand));
    // Normalised: products of unit quaternions drift from length 1 by a rounding per joint.
    let rotation = parent.rotation.into_inner() * local;
    Isometry3::from_parts(position.into(), UnitQuaternion::new_normalize(rotation))
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix4, Point3};

    use super::*;

    fn joint(name: &str, parent: Option<usize>, rest: Transform<f64>) -> Joint<f64> {
        Joint { name: name.to_owned(), parent, rest }
    }

    fn transform(p: [f64; 3], turn: [f64; 3], scale: [f64; 3]) -> Transform<f64> {
        Transform {
            translation: p.into(),
            rotation: UnitQuaternion::from_scaled_axis(Vector3::from(turn)),
            scale: scale.into(),
        }
    }

    fn chain(scale: [f64; 3]) -> Vec<Transform<f64>> {
        vec![
            transform([1.0, 2.0, 3.0], [0.3, -0.8, 0.2], scale),
            transform([0.5, -0.4, 0.1], [1.1, 0.3, -0.4], [0.5; 3]),
            transform([0.2, 0.7, -0.3], [-0.2, 0.1, 2.0], [1.0; 3]),
        ]
    }

    fn skeleton(locals: &[Transform<f64>]) -> Skeleton<f64> {
        let names = ["hips", "spine", "head"];
        let joints = locals.iter().enumerate();
        let joints = joints.map(|(i, &rest)| joint(names[i], i.checked_sub(1), rest)).collect();
        Skeleton::new(joints).expect("a chain")
    }

    fn matrix(local: &Transform<f64>) -> Matrix4<f64> {
        local.linear().to_homogeneous().append_translation(&local.translation)
    }

    #[test]
    fn origins_agree_with_products_of_matrices_for_any_scale() {
        for scale in [[1.0; 3], [100.0; 3], [2.0, 0.5, 3.0], [-1.0, 1.0, 1.0]] {
            let locals = chain(scale);
            let mut global = Matrix4::identity();
            for (local, pose) in locals.iter().zip(skeleton(&locals).rest_poses()) {
                global *= matrix(local);
                let origin = global.transform_point(&Point3::origin());
                assert!((origin.coords - pose.translation.vector).norm() < 1e-12 * 300.0);
            }
        }
    }

    #[test]
    fn rotation_is_that_of_the_matrix_when_scale_is_uniform() {
        let locals = chain([3.0; 3]);
        let mut global = Matrix4::<f64>::identity();
        for (local, pose) in locals.iter().zip(skeleton(&locals).rest_poses()) {
            global *= matrix(local);
            let linear = global.fixed_view::<3, 3>(0, 0).into_owned();
            let turned = linear / linear.determinant().cbrt();
            assert!((turned - pose.rotation.to_rotation_matrix().matrix()).norm() < 1e-12);
        }
    }

    #[test]
    fn below_a_mirror_the_pose_and_the_mirror_are_the_matrix() {
        for scale in [[-1.0, 1.0, 1.0], [2.0, -2.0, 2.0], [-1.0, -1.0, 1.0], [-3.0; 3]] {
            let mirror = Matrix3::from_diagonal(&Vector3::from(scale));
            let locals = chain(scale);
            let skeleton = skeleton(&locals);
            // The size below the first joint is halved.
            for (joint, size) in [(0, 1.0), (1, 0.5), (2, 0.5)] {
                let turn = skeleton.rest_poses()[joint].rotation.to_rotation_matrix();
                let expected = skeleton.rest_linear()[joint];
                assert!((turn.matrix() * mirror * size - expected).norm() < 1e-12);
            }
        }
    }

    #[test]
    fn poses_of_rest_transforms_are_the_rest_poses() {
        let locals = chain([2.0; 3]);
        let skeleton = skeleton(&locals);
        let mut joints = Joints::new();
        assert_eq!(skeleton.poses(&locals, &mut joints).expect("three"), skeleton.rest_poses());
        assert_eq!((skeleton.find("spine"), skeleton.find("tail")), (Some(1), None));
    }

    #[test]
    fn long_chains_keep_unit_rotations() {
        let step = transform([0.0, 1.0, 0.0], [0.1, 0.2, 0.3], [1.0; 3]);
        let joints = (0..5000)
            .map(|i| Joint {
                name: i.to_string(),
                parent: (i as usize).checked_sub(1),
                rest: Transform {
                    translation: step.translation.cast::<f32>(),
                    rotation: step.rotation.cast::<f32>(),
                    scale: step.scale.cast::<f32>(),
                },
            })
            .collect();
        let poses = Skeleton::new(joints).expect("a chain").rest_poses();
        assert!((poses[4999].rotation.coords.norm() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn wrong_counts_and_values_change_nothing() {
        let locals = chain([1.0; 3]);
        let skeleton = skeleton(&locals);
        let mut joints = Joints::new();
        skeleton.poses(&locals, &mut joints).expect("three");
        let before = joints.clone();
        let found = skeleton.poses(&locals[..2], &mut joints);
        let expected = Error::WrongCount { field: "joint transforms", expected: 3, found: 2 };
        assert_eq!(found, Err(expected));
        let mut broken = locals.clone();
        broken[1].scale.y = f64::NAN;
        let found = skeleton.poses(&broken, &mut joints);
        assert_eq!(found, Err(Error::NotFinite { field: "joint transform", index: 1 }));
        broken[1] = locals[1];
        broken[2].rotation =
            UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(2.0, 0.0, 0.0, 0.0));
        let found = skeleton.poses(&broken, &mut joints);
        let expected = Error::NotUnit { field: "joint transform", index: 2, length: 2.0 };
        assert_eq!(found, Err(expected));
        assert_eq!(joints, before);
    }

    #[test]
    fn refuses_what_is_not_a_tree_in_order() {
        let rest = Transform::default();
        let make = |joints| Skeleton::<f64>::new(joints).map(|_| ());
        assert_eq!(make(vec![]), Err(Error::Empty { field: "skeleton" }));
        let late = vec![joint("a", Some(1), rest), joint("b", None, rest)];
        let expected = Error::OutOfOrder { field: "joint", index: 0 }.in_part("a");
        assert_eq!(make(late), Err(expected));
        let itself = vec![joint("a", None, rest), joint("b", Some(1), rest)];
        assert!(matches!(make(itself), Err(Error::Part { .. })));
        let twice = vec![joint("a", None, rest), joint("a", Some(0), rest)];
        assert_eq!(make(twice), Err(Error::DuplicateName { kind: "joint", name: "a".into() }));
        let nan = transform([0.0, f64::NAN, 0.0], [0.0; 3], [1.0; 3]);
        let expected = Error::NotFinite { field: "joint", index: 0 }.in_part("a");
        assert_eq!(make(vec![joint("a", None, nan)]), Err(expected));
    }
}
