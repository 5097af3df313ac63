//! Reading a URDF file: the robot, its meshes and its SRDF file.

use super::Robot;
use super::collision::LinkShapeReader;
use super::encoding::xml_text;
use super::robot::{Description, rest_poses};
use super::tree::UrdfTree;
use crate::error::Error;
use crate::load::options::Options;
use crate::load::pieces::{PieceLink, Pieces, WorldPiece};
use crate::load::source::FileSource;
use crate::load::vocabulary::{URDF, survey_xml};
use crate::load::{Warning, Watch};
use crate::model::Model;
use crate::num::{Scalar, precompiled};
use crate::shape::rounded_pose;
use crate::tree::Geometry;

precompiled! {
    /// Reads a URDF file.
    pub(in crate::load) fn read_urdf<'a, T>(
        source: &'a FileSource<'a>,
        options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Robot<T>, Error> {
        load(source, options, watch)
    }
}

/// Loads a robot; errors name the file that they are in, URDF or SRDF.
pub(super) fn load<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Robot<T>, Error> {
    super::robot::build((source, options, watch), EMPTY_ROBOT_ADVICE, |warnings| {
        let (description, pieces) =
            read(source, options, warnings).map_err(|trouble| source.error(&trouble))?;
        let Description { mechanism, builder } = description;
        let mut untested = pieces.untested(options.neighbours.unwrap_or(1));
        if let Some(srdf) = &options.srdf {
            let srdf = srdf.file();
            super::srdf::apply(&srdf, &mechanism, &pieces, &mut untested, warnings)
                .map_err(|trouble| srdf.error(&trouble))?;
        }
        Ok(Description { mechanism, builder: builder.ignore_table(untested) })
    })
}

/// Advice for a URDF file of which no link can collide.
pub(super) const EMPTY_ROBOT_ADVICE: &str = "load visual shapes (Loader::link_shapes(LinkShapes::Visual); \
    link_shapes=\"visual\"; --visual), or allow it (Loader::allow_empty; allow_empty=True; \
    --allow-empty)";

/// Reads the robot, and its rigid pieces.
pub(super) fn read<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    warnings: &mut Vec<Warning>,
) -> Result<(Description<T>, Pieces), String> {
    let text = xml_text(source.bytes()?.into_owned())?;
    let document = super::xml::parse(&text)?;
    super::xacro::check_expanded(&document)?;
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        return Err(super::xml::at(root, "not a URDF file: the root is not <robot>"));
    }
    let UrdfTree { mechanism, elements, rigid } = super::tree::read(root, warnings)?;
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
        builder = builder.part(link.name.as_str(), parent, geometry).bind(rounded_pose(&pose));
    }
    let pieces = Pieces::new(&pieces, WorldPiece::Adjacent);
    Ok((Description { mechanism, builder }, pieces))
}
