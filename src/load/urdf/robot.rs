//! Robots, and the steps from a description to a robot.

use std::sync::Arc;

use crate::error::Error;
use crate::load::options::Options;
use crate::load::source::{FileSource, report_all_read};
use crate::load::{Warning, Watch};
use crate::model::{Model, ModelBuilder, Part};
use crate::motion::Mechanism;
use crate::num::Scalar;
use crate::shape::Pose;
use crate::tree::Build;

/// A robot: part `i` of the model moves with link `i` of the mechanism and has its name.
///
/// ```
/// let text = r#"<robot name="box"><link name="base"><collision><geometry>
///     <box size="1 1 1"/></geometry></collision></link></robot>"#;
/// let robot = boxwood::Loader::new().urdf_bytes(text.as_bytes())?;
/// let mut poses = Vec::new();
/// robot.mechanism.poses::<f32>(&[], &mut poses)?; // it has no joint that moves
/// let (accuracy, mut scratch) = (boxwood::Accuracy::Exact, Default::default());
/// assert!(!robot.model.self_intersects(&poses, accuracy, &mut scratch)?);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Robot<T: Scalar> {
    /// The collision model. The bind pose is the one nearest to all actuators at zero.
    pub model: Arc<Model<T>>,
    /// The kinematic tree: [`Mechanism::poses`] gives the poses for queries of the model.
    pub mechanism: Arc<Mechanism>,
    /// Features of the file that the model approximates or omits.
    pub warnings: Vec<Warning>,
}

impl<T: Scalar> Robot<T> {
    /// Returns a robot made by a program, to be [baked](Robot::bake) or used like loaded ones: part
    /// `i` of the model is link `i` of the mechanism, which baking checks.
    ///
    /// ```
    /// # let text = r#"<robot name="box"><link name="base"><collision><geometry>
    /// #     <box size="1 1 1"/></geometry></collision></link></robot>"#;
    /// # let robot = boxwood::Loader::new().urdf_bytes(text.as_bytes())?;
    /// use boxwood::load::Robot;
    ///
    /// let careful = robot.model.with_margins(0.01, &[])?;
    /// let careful = Robot::new(careful, robot.mechanism.clone());
    /// assert!(careful.warnings.is_empty());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn new(model: Arc<Model<T>>, mechanism: Arc<Mechanism>) -> Self {
        Robot { model, mechanism, warnings: Vec::new() }
    }
}

/// A robot as described by its file, before trees are built.
pub(in crate::load) struct Description<T: Scalar> {
    pub mechanism: Mechanism,
    pub builder: ModelBuilder<T>,
}

/// Builds the robot that `describe` reads from a file; errors name the file. `cure` is the advice
/// for a robot of which no link can collide.
pub(in crate::load) fn build<'s, T: Scalar>(
    (source, options, watch): (&FileSource<'s>, &Options, &mut Watch<'_>),
    cure: &str,
    describe: impl FnOnce(&mut Vec<Warning>) -> Result<Description<T>, Error>,
) -> Result<Robot<T>, Error> {
    let said = |trouble: String| source.error(&trouble);
    let mut warnings = Vec::new();
    let Description { mechanism, builder } = describe(&mut warnings)?;
    report_all_read(watch)?;
    let build_options = options.build.unwrap_or(Build::robots());
    let model = builder.build_watched(&build_options, watch).map_err(|e| said(e.to_string()))?;
    check_collides(&model, options, cure).map_err(said)?;
    Ok(Robot { model, mechanism: Arc::new(mechanism), warnings })
}

/// Rejects a robot of which no link can collide, unless that is
/// [allowed](crate::load::Loader::allow_empty); the error states the advice.
fn check_collides<T: Scalar>(
    model: &Model<T>,
    options: &Options,
    cure: &str,
) -> Result<(), String> {
    let can_collide = |part: &Part<T>| {
        let groups = part.groups();
        part.tree().is_some() && (groups.memberships != 0 && groups.filter != 0)
    };
    let has_pairs = model.has_ungrouped_pairs();
    match options.allow_empty || has_pairs || model.parts().iter().any(can_collide) {
        true => Ok(()),
        false => Err(format!("no link has geometry that can collide; {cure}")),
    }
}

/// Returns the pose of each link nearest to all actuators at zero.
pub(in crate::load) fn rest_poses(mechanism: &Mechanism) -> Result<Vec<Pose<f64>>, String> {
    let mut poses = Vec::new();
    let rest = mechanism.rest();
    mechanism.poses_unlimited(&rest, &mut poses).map_err(|error| error.to_string())?;
    Ok(poses)
}
