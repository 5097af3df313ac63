//! Robots from MJCF models.

use super::bodies::{MjcfReader, WORLD_LINK};
use super::compiler::Compiler;
use super::equality;
use super::files::MjcfFiles;
use super::groups::ContactBits;
use super::model::MjcfTrees;
use super::references::{ResolvedElement, resolve};
use super::shapes::ShapeReader;
use super::unread;
use crate::error::Error;
use crate::load::options::Options;
use crate::load::pieces::{PieceLink, Pieces, WorldPiece};
use crate::load::source::FileSource;
use crate::load::urdf::robot::{Description, build, rest_poses};
use crate::load::{Robot, Warning, Watch};
use crate::model::{CollisionGroups, Model, PairTable};
use crate::motion::Mechanism;
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
    let shapes =
        ShapeReader { models: &models, files: &files, convex_meshes: options.convex_meshes };
    let mut reader = MjcfReader::new(shapes, options);
    reader.read(warnings)?;
    warn_of_free_joints(&reader, warnings);
    let actuators = equality::couple(&mut reader, warnings)?;
    let excluded = excluded_pairs(&reader, warnings)?;
    unread::warn_of_unread(&reader, warnings)?;
    warn_of_flags(&models[0].compiler, warnings);
    let hops = options.neighbours.unwrap_or(usize::from(models[0].compiler.filter_parent));
    let untested = untested_pairs(&reader, hops);
    let MjcfReader { links, bodies, mut geometries, .. } = reader;
    let mechanism = Mechanism::new(links, actuators).map_err(|error| error.to_string())?;
    let poses = rest_poses(&mechanism)?;
    // A file with only default masks leaves the groups to the caller.
    let is_masked = |bits: ContactBits| bits != ContactBits::DEFAULT && bits != ContactBits::NONE;
    let grouped = options.groups && bodies.iter().any(|body| is_masked(body.bits));
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
    for [a, b] in excluded {
        let name = |link: usize| mechanism.links()[link].name.as_str();
        builder = builder.ignore(name(a), name(b));
    }
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

/// The pairs of links that are never tested against each other.
fn untested_pairs(reader: &MjcfReader<'_, '_>, hops: usize) -> PairTable {
    let links = reader.links.iter().zip(&reader.bodies).map(|(link, body)| PieceLink {
        parent: link.parent,
        rigid: body.rigid,
        has_geometry: !body.shapes.is_empty(),
    });
    let mut table = Pieces::new(&links.collect::<Vec<_>>(), WorldPiece::Tested).untested(hops);
    // Links that only a caller moves are not tested against each other, or against fixed links.
    let mut still: Vec<bool> = Vec::new();
    for (link, body) in reader.links.iter().zip(&reader.bodies) {
        let above = link.parent.is_none_or(|parent| still[parent]);
        still.push(body.mocap || (above && body.rigid));
    }
    if reader.bodies.iter().any(|body| body.mocap) {
        let still: Vec<usize> = (0..still.len()).filter(|&link| still[link]).collect();
        for (index, &a) in still.iter().enumerate() {
            still[..index].iter().for_each(|&b| table.insert(a, b));
        }
    }
    table
}

/// The pairs of links that the file excludes.
fn excluded_pairs(
    reader: &MjcfReader<'_, '_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<[usize; 2]>, String> {
    // The world is a body without a link unless it has shapes.
    let none = reader.links.len();
    let find = |name: &str| reader.find(name).or((name == WORLD_LINK).then_some(none));
    let attributes = ["body1", "body2"];
    let (found, lost) = resolve(&reader.expansion, ("contact", "exclude"), attributes, &find)?;
    for element in lost {
        let [a, b] = [element.required("body1")?, element.required("body2")?];
        warnings.push(Warning::StrayPair { a: a.into(), b: b.into() });
    }
    for pair in &found {
        attributes.iter().try_for_each(|name| pair.element.required(name).map(|_| ()))?;
    }
    let pair = |ResolvedElement { targets, .. }: ResolvedElement<'_, 2>| match targets {
        [Some(a), Some(b)] if a != none && b != none => Some([a, b]),
        _ => None,
    };
    Ok(found.into_iter().filter_map(pair).collect())
}
