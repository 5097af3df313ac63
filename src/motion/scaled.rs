//! Skeletons, clips, skins and mechanisms scaled by one positive factor.

use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use super::{
    Clip, Joint, JointKind, Keys, Link, Mechanism, Mimic, Skeleton, Skin, SkinWeight, Track,
    Transform,
};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::scaling::{check_factor, scale_checked};
use crate::shape::Pose;
use crate::shape::pose::scale;

fn scaled_vector<T: Scalar>(
    v: &Vector3<T>,
    factor: f64,
    field: &'static str,
    index: usize,
) -> Result<Vector3<T>, Error> {
    scale_checked([v.x, v.y, v.z], factor, field, index).map(Vector3::from)
}

impl<T: Scalar> Skeleton<T> {
    /// The skeleton with all translations times `factor`, for [the model
    /// scaled](crate::Model::scaled). Rotations and the scales of joints are unchanged.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] naming
    /// a joint, in [`Error::Part`].
    ///
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let joint = |(index, joint): (usize, &Joint<T>)| -> Result<Joint<T>, Error> {
            let translation = scaled_vector(&joint.rest.translation, factor, "joint", index)
                .map_err(|error| error.in_part(&joint.name))?;
            Ok(Joint { rest: Transform { translation, ..joint.rest }, ..joint.clone() })
        };
        Skeleton::new(self.joints().iter().enumerate().map(joint).collect::<Result<_, _>>()?)
    }
}

impl<T: Scalar> Clip<T> {
    /// The clip with all translations times `factor`, for the [scaled skeleton](Skeleton::scaled):
    /// the same motion of a character scaled by that factor.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] naming
    /// a value, [`Error::IndexOutOfRange`] for a track of a joint that the skeleton does not have.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use boxwood::motion::{Clip, Interpolation, Joint, Joints, Keys, Skeleton, Track, Transform};
    /// use boxwood::nalgebra::Vector3;
    ///
    /// let joint = Joint { name: "hips".into(), parent: None, rest: Transform::<f32>::default() };
    /// let person = Arc::new(Skeleton::new(vec![joint])?);
    /// let up = Keys::Translation(vec![Vector3::zeros(), Vector3::y()]);
    /// let track = Track::new(0, vec![0.0, 1.0], up, Interpolation::Linear)?;
    /// let jump = Clip::new("jump", &person, vec![track])?;
    /// let high = jump.scaled(3.0, &Arc::new(person.scaled(3.0)?))?;
    /// assert_eq!(high.sample(1.0, &mut Joints::new())?[0].translation.y, 3.0);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scaled(
        &self,
        factor: impl Into<f64>,
        skeleton: &Arc<Skeleton<T>>,
    ) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let value = |(index, v): (usize, &Vector3<T>)| scaled_vector(v, factor, "key value", index);
        let track = |track: &Track<T>| {
            let keys = match track.keys() {
                Keys::Translation(values) => {
                    let values = values.iter().enumerate().map(value);
                    Keys::Translation(values.collect::<Result<_, _>>()?)
                }
                others => others.clone(),
            };
            Track::new(track.joint(), track.times().to_vec(), keys, track.interpolation())
        };
        let tracks = self.tracks().iter().map(track).collect::<Result<_, _>>()?;
        Clip::new(self.name(), skeleton, tracks)
    }
}

impl<T: Scalar> Skin<T> {
    /// The skin with all positions times `factor`, for a [scaled skeleton](Skeleton::scaled).
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] naming
    /// a vertex.
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let corner = |(index, corner): (usize, &[SkinWeight<T>])| {
            let weight = |weight: &SkinWeight<T>| -> Result<SkinWeight<T>, Error> {
                let at = scaled_vector(&weight.at.coords, factor, "skin corner", index)?;
                Ok(SkinWeight { at: Point3::from(at), ..*weight })
            };
            corner.iter().map(weight).collect::<Result<Vec<_>, Error>>()
        };
        let corners = self.corners().enumerate().map(corner);
        let skin = Skin::new(corners.collect::<Result<Vec<_>, Error>>()?)?;
        skin.with_triangles(self.triangles().to_vec())
    }
}

impl Mechanism {
    /// The mechanism with all lengths times `factor`, for [the model scaled](crate::Model::scaled).
    /// The values of actuators and their limits are unchanged: a slide of the scaled robot moves
    /// `factor` times as far for the same value.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] naming
    /// a link, in [`Error::Part`].
    ///
    /// ```
    /// use boxwood::motion::{JointKind, Link, Mechanism};
    /// use boxwood::nalgebra::Isometry3;
    ///
    /// let origin = Isometry3::translation(0.0, 0.0, 0.5);
    /// let base = Link { name: "base".into(), parent: None, origin, joint: JointKind::Fixed };
    /// let giant = Mechanism::new(vec![base], vec![])?.scaled(3.0)?;
    /// let mut poses = Vec::new();
    /// giant.poses::<f32>(&[], &mut poses)?;
    /// assert_eq!(poses[0].translation.z, 1.5);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        let link = |link: &Link| {
            let mut origin: [Pose<f64>; 1] = [link.origin];
            scale(&mut origin, factor).map_err(|error| error.in_part(&link.name))?;
            let joint = match link.joint {
                JointKind::Prismatic { axis, mimic } => {
                    let Mimic { multiplier, offset, .. } = mimic;
                    let (multiplier, offset) = (multiplier * factor, offset * factor);
                    JointKind::Prismatic { axis, mimic: Mimic { multiplier, offset, ..mimic } }
                }
                other => other,
            };
            Ok(Link { origin: origin[0], joint, ..link.clone() })
        };
        let links = self.links().iter().map(link).collect::<Result<_, Error>>()?;
        Mechanism::new(links, self.actuators().to_vec())
    }
}
