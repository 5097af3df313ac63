//! URDF robots, with their meshes and SRDF files.
//!
//! Parsed here from the XML: the one maintained crate for URDF overflows the stack on 20 000 nested
//! elements and drops words that are no numbers. Source: the URDF and SRDF pages of the ROS wiki;
//! urdfdom for the cases they leave open.

pub(super) mod collision;
mod dae;
mod dae_faces;
pub(super) mod encoding;
mod ignored;
mod link_shapes;

mod paths;
pub(super) mod round;
pub(super) mod round_shape;
mod srdf;
mod tree;
mod xacro;
pub(super) mod xml;

use std::sync::Arc;

pub use link_shapes::LinkShapes;
pub use paths::Resolver;

use nalgebra::UnitQuaternion;

use self::collision::Shapes;
use self::encoding::xml_text;
use self::tree::Tree;
use super::options::Options;
use super::pieces::{PieceLink, Pieces, WorldPiece};
use super::source::{FileSource, all_read};
use super::vocabulary::{URDF, survey_xml};
use super::{Warning, Watch};
use crate::error::Error;
use crate::model::{Model, ModelBuilder, Part};
use crate::motion::Mechanism;
use crate::num::{Precompiled, Scalar, precompile};
use crate::shape::Pose;
use crate::tree::Geometry;

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
pub struct Robot<T: Scalar> {
    /// The collision model. The bind pose is the one nearest to all actuators at zero.
    pub model: Arc<Model<T>>,
    /// The kinematic tree: [`Mechanism::poses`] gives the poses for queries of the model.
    pub mechanism: Arc<Mechanism>,
    /// Features of the file that the model approximates or omits.
    pub warnings: Vec<Warning>,
}

/// Reads a URDF file; precompiled because it is much code.
pub(super) struct ReadUrdf;

impl Precompiled for ReadUrdf {
    type Given<'a, T: Scalar> = (&'a FileSource<'a>, &'a Options, &'a mut Watch<'a>);
    type Answer<T: Scalar> = Result<Robot<T>, Error>;

    precompile!(|ReadUrdf, (source, options, watch)| load(source, options, watch));
}

/// Loads a robot; errors name the file they come from, URDF or SRDF.
fn load<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Robot<T>, Error> {
    let said = |trouble: String| source.refused(&trouble);
    let mut warnings = Vec::new();
    let UrdfRobot { mechanism, builder, pieces } =
        read(source, options, &mut warnings).map_err(said)?;
    let mut untested = pieces.untested(options.neighbours.unwrap_or(1));
    if let Some(srdf) = &options.srdf {
        let srdf = srdf.file();
        srdf::apply(&srdf, (&mechanism, &pieces), &mut untested, &mut warnings)
            .map_err(|trouble| srdf.refused(&trouble))?;
    }
    all_read(watch)?;
    let model = builder.ignore_table(untested).build_watched(&options.build, watch);
    let model = model.map_err(|e| said(e.to_string()))?;
    check_collides(&model, options, URDF_CURE).map_err(said)?;
    Ok(Robot { model, mechanism: Arc::new(mechanism), warnings })
}

/// The ways to load a URDF of which no link can collide.
const URDF_CURE: &str = "load visual shapes (Loader::link_shapes(LinkShapes::Visual); \
    link_shapes=\"visual\"; --visual), or allow it (Loader::allow_empty; allow_empty=True; \
    --allow-empty)";

/// Refuses a robot of which no link can collide, unless that was [asked
/// for](crate::load::Loader::allow_empty); the error names the cure.
pub(super) fn check_collides<T: Scalar>(
    model: &Model<T>,
    options: &Options,
    cure: &str,
) -> Result<(), String> {
    let can_collide = |part: &Part<T>| {
        let groups = part.groups();
        part.tree().is_some() && (groups.memberships != 0 && groups.filter != 0)
    };
    match options.allow_empty || model.parts().iter().any(can_collide) {
        true => Ok(()),
        false => Err(format!("no link has geometry that can collide; {cure}")),
    }
}

/// A robot as its URDF file describes it, before trees are built.
struct UrdfRobot<T: Scalar> {
    mechanism: Mechanism,
    builder: ModelBuilder<T>,
    pieces: Pieces,
}

fn read<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    warnings: &mut Vec<Warning>,
) -> Result<UrdfRobot<T>, String> {
    let text = xml_text(source.bytes()?.into_owned())?;
    let document = xml::parse(&text)?;
    xacro::check_expanded(&document)?;
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        return Err(xml::at(root, "not a robot"));
    }
    let Tree { mechanism, elements, rigid } = tree::read(root, warnings)?;
    warnings.extend(survey_xml(root, &URDF).warnings(None));
    let mut poses = Vec::new();
    let rest = mechanism.rest();
    mechanism.poses_unlimited(&rest, &mut poses).map_err(|error| error.to_string())?;
    let mut shapes = Shapes::new(source.folder, options);
    let (mut builder, mut pieces) = (Model::builder(), Vec::new());
    let links = mechanism.links().iter().zip(rigid);
    for (((link, rigid), element), pose) in links.zip(elements).zip(poses) {
        let geometry = shapes.of(element, warnings);
        let geometry = geometry.map_err(|e| format!("link '{}': {e}", link.name))?;
        let has_geometry = !matches!(geometry, Geometry::None);
        pieces.push(PieceLink { parent: link.parent, rigid, has_geometry });
        let parent = link.parent.map(|parent| mechanism.links()[parent].name.as_str());
        builder = builder.part(link.name.as_str(), parent, geometry).bind(narrowed(&pose));
    }
    Ok(UrdfRobot { mechanism, builder, pieces: Pieces::new(&pieces, WorldPiece::Adjacent) })
}

/// Converts a pose to the number type of the model.
pub(super) fn narrowed<T: Scalar>(pose: &Pose<f64>) -> Pose<T> {
    let rotation = UnitQuaternion::new_unchecked(pose.rotation.coords.map(T::nearest).into());
    Pose::from_parts(pose.translation.vector.map(T::nearest).into(), rotation)
}
