//! Robots from MJCF models.

use super::bodies::{MjcfBody, MjcfReader};
use super::compiler::Compiler;
use super::equality;
use super::files::MjcfFiles;
use super::groups::ContactBits;
use super::model::MjcfTrees;
use super::pairs::{self, LinkPairs};
use super::shapes::ShapeReader;
use super::unread;
use crate::error::Error;
use crate::load::options::Options;
use crate::load::source::FileSource;
use crate::load::urdf::robot::{Description, build, rest_poses};
use crate::load::{Robot, Warning, Watch};
use crate::model::{CollisionGroups, Model};
use crate::motion::Mechanism;
use crate::num::scaling::check_positive;
use crate::num::{Scalar, precompiled};
use crate::shape::rounded_pose;

precompiled! {
    /// Reads an MJCF file.
    pub(in crate::load) fn read_mjcf<'a, T>(
        source: &'a FileSource<'a>,
        options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Robot<T>, Error> {
        load(source, options, watch)
    }
}

/// Loads a robot; errors name the file.
fn load<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Robot<T>, Error> {
    if let Some(reach) = options.plane_reach {
        check_positive(reach, "reach of planes")?;
    }
    build((source, options, watch), EMPTY_ROBOT_ADVICE, |warnings| {
        read(source, options, warnings).map_err(|trouble| source.error(&trouble))
    })
}

/// Advice for an MJCF file of which no body can collide.
const EMPTY_ROBOT_ADVICE: &str = "load the geoms without contype and conaffinity \
    (Loader::link_shapes(LinkShapes::Visual); link_shapes=\"visual\"; --visual), or allow it \
    (Loader::allow_empty; allow_empty=True; --allow-empty)";

fn read<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    warnings: &mut Vec<Warning>,
) -> Result<Description<T>, String> {
    let mut files = MjcfFiles::new(options);
    let trees = MjcfTrees::read(source, &mut files)?;
    let models = trees.models()?;
    let (convex_meshes, plane_reach) = (options.convex_meshes, options.plane_reach);
    let shapes = ShapeReader { models: &models, files: &files, convex_meshes, plane_reach };
    let mut reader = MjcfReader::new(shapes, options);
    reader.read(warnings)?;
    warn_of_free_joints(&reader, warnings);
    let actuators = equality::couple(&mut reader, warnings)?;
    let pairs = LinkPairs::read(&reader, options.groups, warnings)?;
    unread::warn_of_unread(&reader, options.groups, warnings)?;
    warn_of_flags(&models[0].compiler, warnings);
    let hops = options.neighbours.unwrap_or(usize::from(models[0].compiler.filter_parent));
    let untested = pairs::untested(&reader, hops);
    let MjcfReader { links, bodies, mut geometries, .. } = reader;
    let mechanism = Mechanism::new(links, actuators).map_err(|error| error.to_string())?;
    let poses = rest_poses(&mechanism)?;
    // A file with only default masks leaves the groups to the caller.
    let is_masked = |body: &MjcfBody| !body.shapes.is_empty() && body.bits != ContactBits::DEFAULT;
    let grouped = options.groups && bodies.iter().any(is_masked);
    let mut builder = Model::builder();
    for ((link, body), pose) in mechanism.links().iter().zip(bodies).zip(poses) {
        let grouped = grouped && !body.shapes.is_empty();
        let groups = if grouped { body.bits.groups() } else { CollisionGroups::ALL };
        let geometry = geometries.build(body.shapes, warnings);
        let geometry = geometry.map_err(|e| format!("body '{}': {e}", link.name))?;
        let parent = link.parent.map(|parent| mechanism.links()[parent].name.as_str());
        builder = builder.part(link.name.as_str(), parent, geometry);
        builder = builder.bind(rounded_pose(&pose)).groups(groups);
    }
    builder = builder.ignore_table(untested);
    let name = |link: usize| mechanism.links()[link].name.as_str();
    builder = pairs.tested.iter().fold(builder, |builder, &[a, b]| builder.test(name(a), name(b)));
    let excluded = pairs.excluded.iter();
    builder = excluded.fold(builder, |builder, &[a, b]| builder.ignore(name(a), name(b)));
    warnings.extend(files.into_warnings());
    Ok(Description { mechanism, builder })
}

/// Warns of disabled flags of the main model without which MuJoCo makes no contacts. They are
/// switches of the simulation, so queries test all pairs.
fn warn_of_flags(compiler: &Compiler<'_>, warnings: &mut Vec<Warning>) {
    let flags = [("contact", compiler.contacts), ("constraint", compiler.constraints)];
    let disabled = flags.into_iter().filter(|(_, enabled)| !enabled);
    warnings.extend(disabled.map(|(flag, _)| Warning::ContactsDisabled { flag: flag.to_owned() }));
}

/// Warns of free joints, unless the only one moves the only root: its pose is the root of a
/// character, which the caller sets.
fn warn_of_free_joints(reader: &MjcfReader<'_, '_>, warnings: &mut Vec<Warning>) {
    let roots = reader.links.iter().filter(|link| link.parent.is_none()).count();
    if roots > 1 || reader.free.iter().any(|&(_, link)| reader.links[link].parent.is_some()) {
        let joints = reader.free.iter().map(|(joint, _)| joint.clone());
        warnings.extend(joints.map(|joint| Warning::FixedJoint { joint }));
    }
}
