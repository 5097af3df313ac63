//! URDF robots, with their meshes and SRDF files.
//!
//! `tree` reads links and joints into a mechanism, `collision` the shapes of links (meshes by `dae`
//! and the module `meshes`), `geometry` builds parts from shapes, also those of MJCF, and `srdf`
//! changes the pairs that are not tested. `robot` has the result type.
//!
//! Parsed here from the XML: the one maintained crate for URDF overflows the stack on 20 000 nested
//! elements and drops words that are no numbers. Source: the URDF and SRDF pages of the ROS wiki;
//! urdfdom for cases that they leave open.

mod collision;
mod dae;
mod dae_faces;
pub(super) mod encoding;
pub(super) mod geometry;
mod ignored;
mod link_shapes;
mod paths;
pub(super) mod robot;
pub(super) mod round;
pub(super) mod round_shape;
mod srdf;
mod tree;
mod xacro;
pub(super) mod xml;

pub use link_shapes::LinkShapes;
pub use paths::Resolver;
pub use robot::Robot;

use self::collision::LinkShapeReader;
use self::encoding::xml_text;
use self::robot::{Description, converted_pose, rest_poses};
use self::tree::UrdfTree;
use super::options::Options;
use super::pieces::{PieceLink, Pieces, WorldPiece};
use super::source::FileSource;
use super::vocabulary::{URDF, survey_xml};
use super::{Warning, Watch};
use crate::error::Error;
use crate::model::Model;
use crate::num::{Scalar, precompiled};
use crate::tree::Geometry;

precompiled! {
    /// Reads a URDF file.
    pub(super) fn read_urdf<'a, T>(
        source: &'a FileSource<'a>,
        options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Robot<T>, Error> {
        load(source, options, watch)
    }
}

/// Loads a robot; errors name the file that they are in, URDF or SRDF.
fn load<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Robot<T>, Error> {
    robot::build((source, options, watch), EMPTY_ROBOT_ADVICE, |warnings| {
        let (description, pieces) =
            read(source, options, warnings).map_err(|trouble| source.error(&trouble))?;
        let Description { mechanism, builder } = description;
        let mut untested = pieces.untested(options.neighbours.unwrap_or(1));
        if let Some(srdf) = &options.srdf {
            let srdf = srdf.file();
            srdf::apply(&srdf, (&mechanism, &pieces), &mut untested, warnings)
                .map_err(|trouble| srdf.error(&trouble))?;
        }
        Ok(Description { mechanism, builder: builder.ignore_table(untested) })
    })
}

/// Advice for a URDF file of which no link can collide.
const EMPTY_ROBOT_ADVICE: &str = "load visual shapes (Loader::link_shapes(LinkShapes::Visual); \
    link_shapes=\"visual\"; --visual), or allow it (Loader::allow_empty; allow_empty=True; \
    --allow-empty)";

/// Reads the robot, and its rigid pieces.
fn read<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    warnings: &mut Vec<Warning>,
) -> Result<(Description<T>, Pieces), String> {
    let text = xml_text(source.bytes()?.into_owned())?;
    let document = xml::parse(&text)?;
    xacro::check_expanded(&document)?;
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        return Err(xml::at(root, "not a robot"));
    }
    let UrdfTree { mechanism, elements, rigid } = tree::read(root, warnings)?;
    warnings.extend(survey_xml(root, &URDF).warnings(None));
    let poses = rest_poses(&mechanism)?;
    let mut shapes = LinkShapeReader::new(source.folder, options);
    let (mut builder, mut pieces) = (Model::builder(), Vec::new());
    let links = mechanism.links().iter().zip(rigid);
    for (((link, rigid), element), pose) in links.zip(elements).zip(poses) {
        let geometry = shapes.link_geometry(element, warnings);
        let geometry = geometry.map_err(|e| format!("link '{}': {e}", link.name))?;
        let has_geometry = !matches!(geometry, Geometry::None);
        pieces.push(PieceLink { parent: link.parent, rigid, has_geometry });
        let parent = link.parent.map(|parent| mechanism.links()[parent].name.as_str());
        builder = builder.part(link.name.as_str(), parent, geometry).bind(converted_pose(&pose));
    }
    let pieces = Pieces::new(&pieces, WorldPiece::Adjacent);
    Ok((Description { mechanism, builder }, pieces))
}
