//! Reading a glTF file: from the document to parts, skeleton and clips.

use std::collections::HashMap;
use std::sync::Arc;

use nalgebra::UnitQuaternion;

use super::buffers::GltfBuffers;
use super::caps::RestSkin;
use super::geometry::JointTriangles;
use crate::error::Error;
use crate::fit::AxisBounds;
use crate::load::options::Options;
use crate::load::source::{FileSource, report_all_read};
use crate::load::vocabulary::{GLTF, json_text, survey_json};
use crate::load::warning::{SeverityList, Warnings};
use crate::load::{Loaded, Warning, Watch};
use crate::model::coverage::part_outside;
use crate::model::{Model, ModelBuilder};
use crate::motion::{Joint, Skeleton, Transform};
use crate::num::{Scalar, precompiled};
use crate::tree::Geometry;

/// Largest number of joints between parts that are not tested by default: a skin touches itself at
/// every joint, and so do the parts cut from it.
pub(super) const DEFAULT_HOPS: usize = 2;

/// Distance of a part from the skin at rest that causes a warning, as a share of the size.
pub(super) const MAX_OUTSIDE: f64 = 0.02;

precompiled! {
    /// Reads a glTF file.
    pub(in crate::load) fn read_gltf<'a, T>(
        source: &'a FileSource<'a>,
        options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Loaded<T>, Error> {
        read(source, options, watch).map_err(|trouble| source.error(&trouble))
    }
}

pub(super) fn read<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Loaded<T>, String> {
    let bytes = source.bytes()?;
    let (document, blob) = super::document::parse(&bytes)?;
    let explained = |trouble| super::document::with_cause(trouble, &document);
    let buffers = GltfBuffers::read(&document, blob, source.folder).map_err(explained)?;
    let mut warnings = Warnings::default();
    let survey = survey_json(json_text(&bytes), &GLTF);
    survey.warnings(None).for_each(|warning| warnings.add(warning));
    let nodes = super::nodes::SceneNodes::read(&document, &mut warnings)?;
    let judged = (options, &mut warnings);
    let read = super::geometry::read(&document, &buffers, &nodes, judged).map_err(explained)?;
    let (by_joint, skin, any_skin) = (read.joints, read.skin, read.skinned);
    let deviations: Vec<f64> = by_joint.iter().map(|joint| joint.rest_deviation).collect();
    let skeleton = Arc::new(converted_skeleton(&nodes.skeleton)?);
    let clips = super::clips::read(&document, &buffers, &nodes, &skeleton, &mut warnings)?;
    let mut stretched = super::stretch::stretched_parts(&nodes, &clips, &by_joint, &mut warnings)?;
    stretched.retain(|_, _| options.cover_stretched);
    report_all_read(watch).map_err(|error| error.to_string())?;
    let explained = |error: Error| error.to_string();
    let skin = skin.into_skin().map_err(explained)?;
    let rest = any_skin.then(|| RestSkin::new(&skin, &skeleton)).transpose().map_err(explained)?;
    let geometry = (by_joint, rest.as_ref());
    let (model, caps) = model(&skeleton, geometry, &stretched, options).map_err(explained)?;
    let model =
        model.build_watched(&options.build.unwrap_or_default(), watch).map_err(explained)?;
    if let Some(rest) = &rest {
        let bounds = OutsideBounds { cuts: read.cuts, deviations, caps };
        warn_of_outside(&model, rest, &bounds, &mut warnings);
    }
    let skin = options.keep_skin.then_some(skin);
    let (nodes, warnings) = (nodes.node_of, warnings.into_list());
    Ok(Loaded { model, skeleton, nodes, clips, skin, warnings })
}

/// Bounds of the distances by which parts are outside the skin at rest, by joint.
pub(super) struct OutsideBounds {
    /// `true` if triangles are cut between joints, and caps over cuts are measured.
    cuts: bool,
    /// Bounds of the distances of the triangles from the skin at rest.
    deviations: Vec<f64>,
    /// The distances of caps over cuts outside the skin.
    caps: Vec<f64>,
}

/// Warns of parts that are outside the skin at rest.
pub(super) fn warn_of_outside<T: Scalar>(
    model: &Model<T>,
    rest: &RestSkin<T>,
    bounds: &OutsideBounds,
    warnings: &mut Warnings,
) {
    let RestSkin { surface, joints, .. } = rest;
    let size = surface.size();
    let limit = MAX_OUTSIDE * size;
    let mut worst = SeverityList::new();
    for (index, (part, pose)) in model.parts().iter().zip(joints.poses()).enumerate() {
        let on_skin = bounds.cuts && bounds.deviations[index] <= limit;
        let farthest = match on_skin && bounds.caps[index] <= limit {
            true => 0.0,
            false => part_outside(part, surface, pose, limit).farthest,
        };
        if farthest > 0.0 {
            worst.add(farthest / size, part.name().to_owned());
        }
    }
    if let Some((percent, parts)) = worst.sorted() {
        warnings.add(Warning::OutsideSkin { parts, percent });
    }
}

/// Converts the skeleton to the number type of the model.
pub(super) fn converted_skeleton<T: Scalar>(
    skeleton: &Skeleton<f64>,
) -> Result<Skeleton<T>, String> {
    let joint = |joint: &Joint<f64>| Joint {
        name: joint.name.clone(),
        parent: joint.parent,
        rest: Transform {
            translation: joint.rest.translation.map(T::nearest),
            rotation: UnitQuaternion::new_unchecked(
                joint.rest.rotation.coords.map(T::nearest).into(),
            ),
            scale: joint.rest.scale.map(T::nearest),
        },
    };
    let joints = skeleton.joints().iter().map(joint).collect();
    Skeleton::new(joints).map_err(|error| format!("nodes: {error}"))
}

/// Adds one part per joint, with the joint's rest pose as bind pose. Also returns by how much the
/// caps of each part are outside the skin.
pub(super) fn model<T: Scalar>(
    skeleton: &Skeleton<T>,
    (by_joint, rest): (Vec<JointTriangles<T>>, Option<&RestSkin<T>>),
    stretched: &HashMap<usize, AxisBounds>,
    options: &Options,
) -> Result<(ModelBuilder<T>, Vec<f64>), Error> {
    let mut caps = vec![0.0; by_joint.len()];
    let mut builder =
        Model::builder().ignore_neighbours(options.neighbours.unwrap_or(DEFAULT_HOPS));
    let joints = skeleton.joints();
    let poses = skeleton.rest_poses();
    for (index, (joint, triangles)) in joints.iter().zip(by_joint).enumerate() {
        let parent = joint.parent.map(|parent| joints[parent].name.as_str());
        let geometry = match stretched.get(&index) {
            Some(ends) => {
                super::stretch::bounding_box(ends).map(|solid| Geometry::Boxes(vec![solid]))
            }
            None => triangles.into_mesh().map(|found| match (found, rest) {
                (None, _) => Geometry::None,
                (Some(found), _) if !options.solid => Geometry::Surface(found.mesh),
                (Some(found), None) => Geometry::Solid(found.mesh.capped()),
                (Some(found), Some(rest)) => {
                    let (capped, outside) = rest.capped(&found, &poses[index]);
                    caps[index] = outside;
                    Geometry::Solid(capped)
                }
            }),
        };
        let geometry = geometry.map_err(|error| error.in_part(&joint.name))?;
        builder = builder.part(joint.name.as_str(), parent, geometry).bind(poses[index]);
    }
    Ok((builder, caps))
}
