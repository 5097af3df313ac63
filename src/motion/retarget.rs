//! Retargeting: the motion of one skeleton, played on another.

use std::sync::Arc;

use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use super::{Clip, Interpolation, Joints, Keys, Skeleton, Track};
use crate::error::Error;
use crate::num::{Scalar, check_size, checked_size};
use crate::shape::{Pose, check_poses};

/// Largest number of keys of a retargeted clip: an hour at 120 a second.
const MAX_KEYS: f64 = 432_000.0;

/// Plays the poses of one skeleton on another, between joints of equal names.
///
/// Each matched joint rotates from its rest pose, in the model's axes, like the source joint of its
/// name from its own rest pose. Bones keep their length, and all other joints are at rest relative
/// to their parents. Both skeletons should therefore have the same rest pose, as people of one
/// recording do: arms in the same direction. Roots follow the source's roots, times `scale`.
///
/// ```
/// use std::sync::Arc;
/// use boxwood::motion::{Joint, Retarget, Skeleton, Transform};
/// use boxwood::nalgebra::Vector3;
///
/// let legs = |length: f32| {
///     let rest = Transform { translation: Vector3::y() * length, ..Transform::default() };
///     Skeleton::new(vec![Joint { name: "hips".into(), parent: None, rest }])
/// };
/// let (giant, child) = (legs(2.0)?, Arc::new(legs(0.5)?));
/// let follow = Retarget::new(&giant, &child, 0.25)?; // a quarter of the giant's way
/// let mut poses = Vec::new();
/// follow.poses(&giant.rest_poses(), &mut poses)?;
/// assert_eq!(poses[0].translation.y, 0.5);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Retarget<T: Scalar> {
    to: Arc<Skeleton<T>>,
    sources: usize,
    scale: T,
    joints: Vec<RetargetedJoint<T>>,
}

/// A joint of the target skeleton, and the source joint of its name, if any.
#[derive(Debug, Clone, PartialEq)]
struct RetargetedJoint<T: Scalar> {
    parent: Option<usize>,
    /// Index of the source joint, and this joint's rest rotation relative to that joint's.
    source: Option<(usize, UnitQuaternion<T>)>,
    /// `true` if the joint follows the position of its source, which is a root.
    follows_root: bool,
    /// The rest pose without scale: joint to parent, a root's to model.
    rest: Pose<T>,
}

impl<T: Scalar> Retarget<T> {
    /// Creates a retargeting `from` one skeleton `to` another; `scale` is the size of the second
    /// relative to the first.
    ///
    /// # Errors
    /// [`Error::Empty`] if they have no name in common; [`Error::NotFinite`], [`Error::OutOfRange`]
    /// and [`Error::Negative`] for the scale.
    pub fn new(
        from: &Skeleton<T>,
        to: &Arc<Skeleton<T>>,
        scale: impl Into<f64>,
    ) -> Result<Self, Error> {
        let scale = T::nearest(checked_size::<T>(scale, "scale")?);
        let (sources, rests) = (from.rest_poses(), to.rest_poses());
        let retargeted = |(index, joint): (usize, &super::Joint<T>)| {
            let source = from.find(&joint.name);
            RetargetedJoint {
                parent: joint.parent,
                follows_root: source.is_some_and(|s| from.joints()[s].parent.is_none()),
                source: source.map(|s| (s, sources[s].rotation.inverse() * rests[index].rotation)),
                rest: joint.parent.map_or(rests[index], |p| rests[p].inv_mul(&rests[index])),
            }
        };
        let joints: Vec<RetargetedJoint<T>> =
            to.joints().iter().enumerate().map(retargeted).collect();
        if joints.iter().all(|joint| joint.source.is_none()) {
            return Err(Error::Empty { field: "list of joints with the same name" });
        }
        Ok(Retarget { to: Arc::clone(to), sources: from.len(), scale, joints })
    }

    /// Retargets the poses of all joints, joint to model; reuses the storage of `poses`.
    ///
    /// # Errors
    /// [`Error::WrongCount`], and the errors of an invalid pose; `poses` is unchanged then.
    pub fn poses(&self, from: &[Pose<T>], poses: &mut Vec<Pose<T>>) -> Result<(), Error> {
        if from.len() != self.sources {
            let (expected, found) = (self.sources, from.len());
            return Err(Error::WrongCount { field: "poses", expected, found });
        }
        check_poses(from, "pose")?;
        poses.clear();
        for joint in &self.joints {
            let resting = joint.parent.map_or(joint.rest, |parent| poses[parent] * joint.rest);
            poses.push(match joint.source {
                None => resting,
                Some((source, own)) => Isometry3::from_parts(
                    match joint.follows_root {
                        true => (from[source].translation.vector * self.scale).into(),
                        false => resting.translation,
                    },
                    // Normalised: products of unit quaternions drift from length 1 by a rounding
                    // per joint.
                    UnitQuaternion::new_normalize((from[source].rotation * own).into_inner()),
                ),
            });
        }
        Ok(())
    }

    /// Retargets a clip, with a key every `step` seconds and one at the end.
    ///
    /// # Errors
    /// [`Error::WrongCount`] for a clip of a skeleton with another number of joints;
    /// [`Error::NotFinite`], [`Error::Negative`] and [`Error::OutOfRange`] for a step, also for one
    /// that gives more than 432,000 keys.
    pub fn clip(&self, clip: &Clip<T>, step: T) -> Result<Clip<T>, Error> {
        check_size(step, "step")?;
        let steps = clip.duration().wide() / step.wide();
        if !(0.0..=MAX_KEYS).contains(&steps) {
            return Err(Error::OutOfRange { field: "clip of keys", index: 0, limit: MAX_KEYS });
        }
        let whole = (0..=steps as usize).map(|key| T::nearest(key as f64 * step.wide()));
        let mut times: Vec<T> = whole.filter(|time| *time < clip.duration()).collect();
        times.push(clip.duration());
        let mut locals = vec![(Vec::new(), Vec::new()); self.joints.len()];
        let (mut joints, mut poses) = (Joints::new(), Vec::new());
        for &time in &times {
            self.poses(clip.sample(time, &mut joints)?, &mut poses)?;
            for (index, (turns, shifts)) in locals.iter_mut().enumerate() {
                let parent = self.joints[index].parent;
                let local =
                    parent.map_or(poses[index], |parent| poses[parent].inv_mul(&poses[index]));
                turns.push(local.rotation.into_inner());
                shifts.push(local.translation.vector);
            }
        }
        let mut tracks = Vec::new();
        for (joint, (turns, shifts)) in locals.into_iter().enumerate() {
            if self.joints[joint].source.is_some() {
                let turns = Keys::Rotation(turns);
                tracks.push(Track::new(joint, times.clone(), turns, Interpolation::Linear)?);
            }
            if self.joints[joint].follows_root {
                tracks.push(self.root_track(joint, &times, shifts)?);
            }
        }
        Clip::new(clip.name(), &self.to, tracks)
    }

    /// The translation track of a root.
    fn root_track(
        &self,
        joint: usize,
        times: &[T],
        shifts: Vec<Vector3<T>>,
    ) -> Result<Track<T>, Error> {
        Track::new(joint, times.to_vec(), Keys::Translation(shifts), Interpolation::Linear)
    }
}
