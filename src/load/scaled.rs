//! Loaded characters and robots, scaled as a whole.

use std::sync::Arc;

use super::Loaded;
use crate::error::Error;
use crate::motion::{Clip, Clips};
use crate::num::Scalar;

impl<T: Scalar> Loaded<T> {
    /// The character with all lengths times `factor`: model, skeleton, clips and skin. For files in
    /// another unit, and for giants with clips of their own;
    /// [`Joints::scaled`](crate::motion::Joints::scaled) lets a giant share the clips of the
    /// original.
    ///
    /// # Errors
    /// The errors of [`Model::scaled`](crate::Model::scaled).
    ///
    /// ```
    /// # #[cfg(feature = "gltf")] {
    /// let fighter = boxwood::load::gltf("examples/fighter/fighter.glb")?;
    /// let centimetres = fighter.scaled(100.0)?;
    /// let mut joints = boxwood::motion::Joints::new();
    /// let poses = centimetres.clips.get("jab")?.sample(0.0, &mut joints)?;
    /// assert!(poses.iter().any(|pose| pose.translation.y > 100.0));
    /// # }
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        self.scaled_by(factor.into())
    }

    fn scaled_by(&self, factor: f64) -> Result<Self, Error> {
        let model = self.model.scaled(factor)?;
        let skeleton = Arc::new(self.skeleton.scaled(factor)?);
        let clip = |clip: &Clip<T>| match Arc::ptr_eq(clip.skeleton(), &self.skeleton) {
            true => clip.scaled(factor, &skeleton),
            false => clip.scaled(factor, &Arc::new(clip.skeleton().scaled(factor)?)),
        };
        let clips = Clips::new(self.clips.iter().map(clip).collect::<Result<_, _>>()?)?;
        let skin = self.skin.as_ref().map(|skin| skin.scaled(factor)).transpose()?;
        let (nodes, warnings) = (self.nodes.clone(), self.warnings.clone());
        Ok(Loaded { model, skeleton, nodes, clips, skin, warnings })
    }
}

#[cfg(feature = "urdf")]
impl<T: Scalar> super::Robot<T> {
    /// The robot with all lengths times `factor`, model and mechanism; values of actuators keep
    /// their meaning, see [`Mechanism::scaled`](crate::motion::Mechanism::scaled).
    ///
    /// # Errors
    /// The errors of [`Model::scaled`](crate::Model::scaled).
    ///
    /// ```
    /// let text = r#"<robot name="box"><link name="base"><collision><geometry>
    ///     <box size="1 1 1"/></geometry></collision></link></robot>"#;
    /// let robot = boxwood::Loader::new().urdf_bytes(text.as_bytes())?;
    /// let large = robot.scaled(2.0)?;
    /// assert_eq!(large.model.len(), robot.model.len());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        let model = self.model.scaled(factor)?;
        let mechanism = Arc::new(self.mechanism.scaled(factor)?);
        Ok(super::Robot { model, mechanism, warnings: self.warnings.clone() })
    }
}
