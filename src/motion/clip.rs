//! Animation clips: tracks of one skeleton, sampled into poses.

use std::sync::Arc;

use super::{Joints, Skeleton, Track};
use crate::error::Error;
use crate::num::Scalar;
use crate::shape::Pose;

/// A named animation of one skeleton. Joints and properties without a track are at rest.
///
/// ```
/// use std::sync::Arc;
/// use boxwood::motion::{Clip, Interpolation, Joint, Joints, Keys, Skeleton, Track, Transform};
/// use boxwood::nalgebra::Vector3;
///
/// let joint = Joint { name: "hips".into(), parent: None, rest: Transform::<f32>::default() };
/// let skeleton = Arc::new(Skeleton::new(vec![joint])?);
/// let keys = Keys::Translation(vec![Vector3::zeros(), Vector3::y()]);
/// let track = Track::new(0, vec![0.0, 2.0], keys, Interpolation::Linear)?;
/// let jump = Clip::new("jump", &skeleton, vec![track])?;
/// let mut joints = Joints::new();
/// assert_eq!(jump.sample(1.0, &mut joints)?[0].translation.y, 0.5);
/// assert_eq!(jump.sample(9.0, &mut joints)?[0].translation.y, 1.0); // the last key holds
/// assert_eq!(jump.sample_looped(3.0, &mut joints)?[0].translation.y, 0.5);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Clip<T: Scalar> {
    name: String,
    skeleton: Arc<Skeleton<T>>,
    tracks: Vec<Track<T>>,
    duration: T,
}

impl<T: Scalar> Clip<T> {
    /// Creates a clip of `tracks`. If two tracks move one property of one joint, the later one
    /// counts.
    ///
    /// # Errors
    /// [`Error::IndexOutOfRange`] naming a track whose joint the skeleton does not have.
    pub fn new(
        name: impl Into<String>,
        skeleton: &Arc<Skeleton<T>>,
        tracks: Vec<Track<T>>,
    ) -> Result<Self, Error> {
        let len = skeleton.len();
        let mut duration = T::zero();
        for (index, track) in tracks.iter().enumerate() {
            let target = track.joint();
            if target >= len {
                return Err(Error::IndexOutOfRange { field: "track", index, target, len });
            }
            duration = if track.end() > duration { track.end() } else { duration };
        }
        Ok(Clip { name: name.into(), skeleton: Arc::clone(skeleton), tracks, duration })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The time of the last key, in seconds; 0 for a single frame.
    pub fn duration(&self) -> T {
        self.duration
    }

    /// The skeleton that the clip moves.
    pub fn skeleton(&self) -> &Arc<Skeleton<T>> {
        &self.skeleton
    }

    /// The tracks.
    pub fn tracks(&self) -> &[Track<T>] {
        &self.tracks
    }

    /// Samples the pose of every joint at `t` seconds, joint to model. Before the first key of a
    /// joint its first value applies (a clip may start late), after the last key the last value.
    ///
    /// Allocates nothing if `joints` has had as many joints before.
    ///
    /// # Errors
    /// [`Error::NotFinite`] if `t` is not finite; `joints` is unchanged then.
    pub fn sample<'a>(&self, t: T, joints: &'a mut Joints<T>) -> Result<&'a [Pose<T>], Error> {
        if !t.wide().is_finite() {
            return Err(Error::NotFinite { field: "sample time", index: 0 });
        }
        self.skeleton.start_at_rest(joints);
        for track in &self.tracks {
            track.apply(t, &mut joints.locals[track.joint()]);
        }
        self.skeleton.pose_locals(joints);
        Ok(&joints.poses)
    }

    /// Like [`sample`](Clip::sample), with `t` wrapped into the duration, for motions that repeat:
    /// the end equals the start. A clip of zero length has a single frame.
    ///
    /// # Errors
    /// [`Error::NotFinite`] if `t` is not finite; `joints` is unchanged then.
    pub fn sample_looped<'a>(
        &self,
        t: T,
        joints: &'a mut Joints<T>,
    ) -> Result<&'a [Pose<T>], Error> {
        if self.duration <= T::zero() || !t.wide().is_finite() {
            return self.sample(t, joints);
        }
        let wrapped = t % self.duration;
        let wrapped = if wrapped < T::zero() { wrapped + self.duration } else { wrapped };
        self.sample(wrapped, joints)
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::motion::{Interpolation, Joint, Keys, Transform};

    fn skeleton() -> Arc<Skeleton<f32>> {
        let rest = Transform { translation: Vector3::x(), ..Transform::default() };
        let joint = |name: &str, parent| Joint { name: name.to_owned(), parent, rest };
        let joints = vec![joint("hips", None), joint("spine", Some(0))];
        Arc::new(Skeleton::new(joints).expect("two joints"))
    }

    fn lift(times: &[f32], heights: &[f32]) -> Clip<f32> {
        let values = heights.iter().map(|&y| Vector3::new(1.0, y, 0.0)).collect();
        let keys = Keys::Translation(values);
        let track = Track::new(1, times.to_vec(), keys, Interpolation::Linear).expect("good");
        Clip::new("lift", &skeleton(), vec![track]).expect("good")
    }

    fn height(poses: &[Pose<f32>]) -> f32 {
        poses[1].translation.vector.y
    }

    pub fn a_late_start_holds_the_first_key() {
        let clip = lift(&[0.5, 1.5], &[2.0, 4.0]);
        let mut joints = Joints::new();
        assert_eq!(clip.duration(), 1.5);
        for (t, expected) in
            [(-1.0, 2.0), (0.0, 2.0), (0.5, 2.0), (1.0, 3.0), (1.5, 4.0), (7.0, 4.0)]
        {
            assert_eq!(height(clip.sample(t, &mut joints).expect("finite")), expected);
        }
        for (t, expected) in [(-0.5, 3.0), (1.5, 2.0), (2.5, 3.0), (3.0, 2.0)] {
            assert_eq!(height(clip.sample_looped(t, &mut joints).expect("finite")), expected);
        }
    }

    pub fn a_clip_of_zero_length_is_one_frame() {
        let clip = lift(&[0.0], &[5.0]);
        let mut joints = Joints::new();
        for t in [-1.0, 0.0, 3.5] {
            assert_eq!(height(clip.sample_looped(t, &mut joints).expect("finite")), 5.0);
        }
        assert_eq!(clip.duration(), 0.0);
    }

    pub fn joints_without_a_track_rest() {
        let clip = lift(&[0.0], &[5.0]);
        let mut joints = Joints::new();
        let poses = clip.sample(0.0, &mut joints).expect("finite");
        assert_eq!(poses[0], clip.skeleton().rest_poses()[0]);
        let still = Clip::new("still", clip.skeleton(), vec![]).expect("fine");
        let poses = still.sample(1.0, &mut joints).expect("finite");
        assert_eq!(poses, clip.skeleton().rest_poses());
    }

    pub fn refuses_times_and_tracks_that_mean_nothing() {
        let clip = lift(&[0.0], &[5.0]);
        let mut joints = Joints::new();
        let expected = Error::NotFinite { field: "sample time", index: 0 };
        for t in [f32::NAN, f32::INFINITY] {
            assert_eq!(clip.sample(t, &mut joints), Err(expected.clone()));
            assert_eq!(clip.sample_looped(t, &mut joints), Err(expected.clone()));
        }
        assert!(joints.poses().is_empty());
        let keys = Keys::Scale(vec![Vector3::zeros()]);
        let track = Track::new(2, vec![0.0], keys, Interpolation::Step).expect("good");
        let expected = Error::IndexOutOfRange { field: "track", index: 0, target: 2, len: 2 };
        assert_eq!(Clip::new("far", &skeleton(), vec![track]), Err(expected));
    }

    pub fn a_warm_buffer_keeps_its_storage() {
        let clip = lift(&[0.0, 1.0], &[5.0, 6.0]);
        let mut joints = Joints::new();
        let first = clip.sample(0.0, &mut joints).expect("finite").as_ptr();
        for t in 1..100 {
            let next = clip.sample(t as f32 * 0.01, &mut joints).expect("finite").as_ptr();
            assert_eq!(first, next);
        }
    }
}
