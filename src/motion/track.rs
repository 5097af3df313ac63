//! Tracks: the keys of one property of one joint.

use nalgebra::{Quaternion, Vector3};

use super::Transform;
use super::sampling::{KeyPosition, hermite, lerp, locate, slerp, unit};
use super::transform::check_unit;
use crate::error::Error;
use crate::num::{Scalar, check_coordinates};

/// Interpolation of a track between keys.
///
/// ```
/// # use boxwood::motion::{Interpolation, Keys, Track};
/// # use boxwood::nalgebra::Vector3;
/// let keys = || Keys::Translation(vec![Vector3::<f32>::zeros(), Vector3::y()]);
/// let steps = Track::new(0, vec![0.0, 1.0], keys(), Interpolation::Step)?;
/// assert_eq!(steps.interpolation(), Interpolation::Step);
/// // A spline has three values a key.
/// assert!(Track::new(0, vec![0.0, 1.0], keys(), Interpolation::CubicSpline).is_err());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The value of the earlier key applies until the next key.
    Step,
    /// A straight line between keys; for rotations the short way at constant speed.
    Linear,
    /// A cubic Hermite spline. Each key has three values: the tangent arriving, the value and the
    /// tangent leaving; tangents are per second. Rotations are normalised afterwards.
    /// Source: glTF 2.0 specification, appendix C.5.
    CubicSpline,
}

/// The values of a [`Track`]: one a key, or three for [`Interpolation::CubicSpline`].
///
/// ```
/// use boxwood::motion::Keys;
/// use boxwood::nalgebra::Quaternion;
///
/// let turns = Keys::<f32>::Rotation(vec![Quaternion::identity(); 2]);
/// assert_eq!(turns.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Keys<T: Scalar> {
    /// The joint's origin in the parent's frame, in units.
    Translation(Vec<Vector3<T>>),
    /// The joint's axes in the parent's frame: unit quaternions, or any for the tangents of a
    /// spline.
    Rotation(Vec<Quaternion<T>>),
    /// Factors along the joint's own axes.
    Scale(Vec<Vector3<T>>),
}

impl<T: Scalar> Keys<T> {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Keys::Translation(values) | Keys::Scale(values) => values.len(),
            Keys::Rotation(values) => values.len(),
        }
    }

    /// Returns `true` if there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The keys of one property of one joint, in order of time.
///
/// ```
/// use boxwood::motion::{Interpolation, Keys, Track};
/// use boxwood::nalgebra::Vector3;
///
/// let keys = Keys::Translation(vec![Vector3::zeros(), Vector3::new(0.0, 1.0_f32, 0.0)]);
/// let track = Track::new(0, vec![0.0, 2.0], keys, Interpolation::Linear)?; // of joint 0; seconds
/// assert_eq!(track.times(), [0.0, 2.0]);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Track<T: Scalar> {
    joint: usize,
    times: Vec<T>,
    keys: Keys<T>,
    interpolation: Interpolation,
}

impl<T: Scalar> Track<T> {
    /// Creates a track for the joint at that index; `times` are seconds, not negative and not
    /// descending. The first value applies before the first key, the last value after the last key.
    ///
    /// # Errors
    /// [`Error::Empty`] without a key; [`Error::WrongCount`] of values; [`Error::NotFinite`],
    /// [`Error::OutOfRange`], [`Error::Negative`] and [`Error::OutOfOrder`] naming the key time or
    /// the value; [`Error::NotUnit`] naming the rotation.
    pub fn new(
        joint: usize,
        times: Vec<T>,
        keys: Keys<T>,
        interpolation: Interpolation,
    ) -> Result<Self, Error> {
        check_times(&times)?;
        let values_a_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let (expected, found) = (times.len() * values_a_key, keys.len());
        if expected != found {
            return Err(Error::WrongCount { field: "key values", expected, found });
        }
        check_values(&keys, values_a_key)?;
        Ok(Track { joint, times, keys, interpolation })
    }

    /// The index of the joint that the track moves.
    pub fn joint(&self) -> usize {
        self.joint
    }

    /// The times of the keys, in seconds.
    pub fn times(&self) -> &[T] {
        &self.times
    }

    /// The values of the keys.
    pub fn keys(&self) -> &Keys<T> {
        &self.keys
    }

    /// The interpolation between keys.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// The time of the last key, in seconds.
    pub(super) fn end(&self) -> T {
        self.times[self.times.len() - 1]
    }

    /// Sets the track's property of `transform` to the value at time `t`.
    pub(super) fn apply(&self, t: T, transform: &mut Transform<T>) {
        let position = locate(&self.times, t);
        match &self.keys {
            Keys::Translation(values) => {
                transform.translation = self.value(values, position, lerp);
            }
            Keys::Scale(values) => transform.scale = self.value(values, position, lerp),
            Keys::Rotation(values) => {
                let nearest = self.value(values, KeyPosition::At(nearest_key(position)), slerp);
                transform.rotation = unit(self.value(values, position, slerp), nearest);
            }
        }
    }

    fn value<V>(&self, values: &[V], position: KeyPosition<T>, blend: fn(V, V, T) -> V) -> V
    where
        V: Copy + std::ops::Add<Output = V> + std::ops::Mul<T, Output = V>,
    {
        let spline = self.interpolation == Interpolation::CubicSpline;
        let at = |key: usize| if spline { values[3 * key + 1] } else { values[key] };
        match (position, self.interpolation) {
            (KeyPosition::At(key), _) => at(key),
            (KeyPosition::Between { before, .. }, Interpolation::Step) => at(before),
            (KeyPosition::Between { before, share, .. }, Interpolation::Linear) => {
                blend(at(before), at(before + 1), share)
            }
            (KeyPosition::Between { before, share, span }, Interpolation::CubicSpline) => {
                let (leaving, arriving) = (values[3 * before + 2], values[3 * before + 3]);
                hermite([at(before), leaving, arriving, at(before + 1)], share, span)
            }
        }
    }
}

fn nearest_key<T: Scalar>(position: KeyPosition<T>) -> usize {
    match position {
        KeyPosition::At(key) => key,
        KeyPosition::Between { before, share, .. } => before + usize::from(share > T::nearest(0.5)),
    }
}

fn check_times<T: Scalar>(times: &[T]) -> Result<(), Error> {
    let field = "key time";
    if times.is_empty() {
        return Err(Error::Empty { field: "track" });
    }
    for (index, &time) in times.iter().enumerate() {
        check_coordinates(&[time], field, index)?;
        if time < T::zero() {
            return Err(Error::Negative { field, index });
        }
        if index > 0 && time < times[index - 1] {
            return Err(Error::OutOfOrder { field, index });
        }
    }
    Ok(())
}

fn check_values<T: Scalar>(keys: &Keys<T>, values_a_key: usize) -> Result<(), Error> {
    match keys {
        Keys::Translation(values) | Keys::Scale(values) => {
            for (index, value) in values.iter().enumerate() {
                check_coordinates(value.as_slice(), "key value", index)?;
            }
        }
        Keys::Rotation(values) => {
            for (index, value) in values.iter().enumerate() {
                let tangent = values_a_key == 3 && index % 3 != 1;
                let check = if tangent { check_coordinates } else { check_unit };
                check(value.coords.as_slice(), "key value", index)?;
            }
        }
    }
    Ok(())
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::UnitQuaternion;

    use super::*;

    fn at(track: &Track<f32>, t: f32) -> Transform<f32> {
        let mut transform = Transform::default();
        track.apply(t, &mut transform);
        transform
    }

    fn heights(values: &[f32], interpolation: Interpolation) -> Track<f32> {
        let values = values.iter().map(|&y| Vector3::new(0.0, y, 0.0)).collect();
        Track::new(0, vec![1.0, 2.0, 4.0], Keys::Translation(values), interpolation).expect("good")
    }

    pub fn step_holds_and_linear_slopes() {
        let step = heights(&[1.0, 3.0, 7.0], Interpolation::Step);
        let linear = heights(&[1.0, 3.0, 7.0], Interpolation::Linear);
        for (t, held, sloped) in
            [(0.0, 1.0, 1.0), (1.5, 1.0, 2.0), (2.0, 3.0, 3.0), (3.0, 3.0, 5.0), (9.0, 7.0, 7.0)]
        {
            assert_eq!(at(&step, t).translation.y, held);
            assert_eq!(at(&linear, t).translation.y, sloped);
        }
    }

    pub fn spline_uses_the_tangents_between_its_keys() {
        // y = t * t has slope 2 t; the tangents outside the keys must not matter.
        let track =
            heights(&[99.0, 1.0, 2.0, 4.0, 4.0, 4.0, 8.0, 16.0, 99.0], Interpolation::CubicSpline);
        for t in [1.0, 1.25, 1.9, 2.0, 3.0, 3.5, 4.0] {
            assert!((at(&track, t).translation.y - t * t).abs() < 1e-5, "{t}");
        }
        assert_eq!(at(&track, 0.0).translation.y, 1.0);
    }

    pub fn flipped_signs_take_the_short_way() {
        let start = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.2_f32);
        let end = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.6_f32);
        let keys = Keys::Rotation(vec![start.into_inner(), -end.into_inner()]);
        let track = Track::new(0, vec![0.0, 1.0], keys, Interpolation::Linear).expect("good");
        let expected = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.4_f32);
        assert!(at(&track, 0.5).rotation.angle_to(&expected) < 1e-3);
        assert!((at(&track, 0.5).rotation.coords.norm() - 1.0).abs() < 1e-6);
    }

    pub fn splines_of_rotations_are_normalised_even_through_zero() {
        let zero = Quaternion::new(0.0, 0.0, 0.0, 0.0);
        let one = Quaternion::new(1.0_f32, 0.0, 0.0, 0.0);
        let keys = Keys::Rotation(vec![zero, one, zero, zero, -one, zero]);
        let track = Track::new(0, vec![0.0, 1.0], keys, Interpolation::CubicSpline).expect("good");
        for t in [0.0, 0.25, 0.5, 0.75, 1.0] {
            assert!((at(&track, t).rotation.coords.norm() - 1.0).abs() < 1e-6, "{t}");
        }
    }

    pub fn refuses_bad_keys() {
        let make = |times: &[f32], keys, interpolation| {
            Track::new(0, times.to_vec(), keys, interpolation).map(|_| ())
        };
        let two = || Keys::Scale(vec![Vector3::zeros(); 2]);
        let linear = Interpolation::Linear;
        assert_eq!(make(&[], two(), linear), Err(Error::Empty { field: "track" }));
        let field = "key time";
        assert_eq!(
            make(&[0.0, f32::NAN], two(), linear),
            Err(Error::NotFinite { field, index: 1 })
        );
        assert_eq!(make(&[-1.0, 0.0], two(), linear), Err(Error::Negative { field, index: 0 }));
        assert_eq!(make(&[1.0, 0.5], two(), linear), Err(Error::OutOfOrder { field, index: 1 }));
        let wrong = |expected| Err(Error::WrongCount { field: "key values", expected, found: 2 });
        assert_eq!(make(&[0.0], two(), linear), wrong(1));
        assert_eq!(make(&[0.0, 1.0], two(), Interpolation::CubicSpline), wrong(6));
        let long = Keys::Rotation(vec![Quaternion::new(2.0, 0.0, 0.0, 0.0)]);
        let expected = Error::NotUnit { field: "key value", index: 0, length: 2.0 };
        assert_eq!(make(&[0.0], long, linear), Err(expected));
        let nan = Keys::Translation(vec![Vector3::new(0.0, f32::NAN, 0.0)]);
        let expected = Error::NotFinite { field: "key value", index: 0 };
        assert_eq!(make(&[0.0], nan, linear), Err(expected));
    }
}
