//! URDF robots, with their meshes and SRDF files.
//!
//! Parsed here from the XML: the one maintained crate for URDF overflows the stack on 20 000 nested
//! elements and drops words that are no numbers. Source: the URDF and SRDF pages of the ROS wiki;
//! urdfdom for the cases they leave open.

pub(super) mod collision;
mod dae;
mod link_shapes;
mod paths;
pub(super) mod round;
pub(super) mod round_shape;
mod srdf;
mod tree;
pub(super) mod xml;

use std::sync::Arc;

pub use link_shapes::LinkShapes;
pub use paths::Resolver;

use nalgebra::UnitQuaternion;

use self::collision::Shapes;
use self::tree::Tree;
use super::options::Options;
use super::pieces::{PieceLink, Pieces, WorldPiece};
use super::source::{FileSource, all_read};
use super::{Warning, Watch};
use crate::error::Error;
use crate::model::{Model, ModelBuilder};
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
    let (mechanism, mut builder) = read(source, options, &mut warnings).map_err(said)?;
    if let Some(srdf) = &options.srdf {
        let srdf = srdf.file();
        let pairs = srdf::read(&srdf, &mechanism, &mut warnings)
            .map_err(|trouble| srdf.refused(&trouble))?;
        for [a, b] in pairs {
            builder = builder.ignore(a, b);
        }
    }
    all_read(watch)?;
    let model = builder.build_watched(&options.build, watch).map_err(|e| said(e.to_string()))?;
    Ok(Robot { model, mechanism: Arc::new(mechanism), warnings })
}

fn read<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    warnings: &mut Vec<Warning>,
) -> Result<(Mechanism, ModelBuilder<T>), String> {
    let text = source.text()?;
    let document = xml::parse(&text)?;
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        return Err(xml::at(root, "not a robot"));
    }
    let Tree { mechanism, elements, rigid } = tree::read(root, warnings)?;
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
    let untested =
        Pieces::new(&pieces, WorldPiece::Adjacent).untested(options.neighbours.unwrap_or(1));
    Ok((mechanism, builder.ignore_table(untested)))
}

/// Converts a pose to the number type of the model.
pub(super) fn narrowed<T: Scalar>(pose: &Pose<f64>) -> Pose<T> {
    let rotation = UnitQuaternion::new_unchecked(pose.rotation.coords.map(T::nearest).into());
    Pose::from_parts(pose.translation.vector.map(T::nearest).into(), rotation)
}
