//! glTF 2.0. The `gltf` crate reads the JSON and the GLB container; the bytes are read here, with
//! every range checked.
//!
//! Source: Khronos, glTF 2.0 specification; section 3.7.3 for skins, 3.11 and appendix C for
//! animations.

mod accessor;
mod buffers;
mod clips;
mod decompose;
mod document;
mod geometry;
mod names;
mod nodes;
mod primitives;
mod skins;
mod stretch;
mod uri;
mod weights;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use nalgebra::UnitQuaternion;

use self::buffers::Buffers;
use self::geometry::Soup;
use super::warning::Warnings;
use super::{Loaded, Options, Watch, all_read, refused};
use crate::error::Error;
use crate::fit::Ends;
use crate::model::{Model, ModelBuilder};
use crate::motion::{Joint, Skeleton, Skin, Transform};
use crate::num::{Apiece, Scalar, for_both};
use crate::tree::{Geometry, unwatched};

/// Pairs of parts within that many joints are not tested: a skin touches itself at every joint,
/// and a triangle there belongs to both sides.
const NEIGHBOURS: usize = 2;

/// Stands in for the path of a file that is none.
const NO_FILE: &str = "bytes in memory";

/// Reads a character; what goes wrong is said of the file.
pub(super) fn load<T: Scalar>(
    path: &Path,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Loaded<T>, Error> {
    let mut read = || {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let folder = path.parent().unwrap_or(Path::new(""));
        T::apiece(Reading { bytes: &bytes, folder: Some(folder), options, watch }, ())
    };
    read().map_err(|trouble| refused(path, &trouble))
}

/// Reads a character from memory; what goes wrong is said of [`NO_FILE`].
pub(super) fn load_bytes<T: Scalar>(bytes: &[u8], options: &Options) -> Result<Loaded<T>, Error> {
    let reading = Reading { bytes, folder: None, options, watch: &mut unwatched };
    T::apiece(reading, ()).map_err(|trouble| refused(Path::new(NO_FILE), &trouble))
}

/// What is read: compiled here, as it is much.
struct Reading<'a, 'b> {
    bytes: &'a [u8],
    /// Buffers that are not among the bytes are looked for there, if it is anywhere.
    folder: Option<&'a Path>,
    options: &'a Options,
    watch: &'a mut Watch<'b>,
}

impl Apiece for Reading<'_, '_> {
    type Given<'a, T: Scalar> = ();
    type Answer<T: Scalar> = Result<Loaded<T>, String>;

    for_both!(|reading, ()| read(reading));
}

fn read<T: Scalar>(reading: Reading<'_, '_>) -> Result<Loaded<T>, String> {
    let Reading { bytes, folder, options, watch } = reading;
    let (document, blob) = document::parse(bytes)?;
    let explained = |trouble| document::explained(trouble, &document);
    let buffers = Buffers::read(&document, blob, folder).map_err(explained)?;
    let mut warnings = Warnings::default();
    let nodes = nodes::Nodes::read(&document, &mut warnings)?;
    let judged = (options, &mut warnings);
    let read = geometry::read(&document, &buffers, &nodes, judged).map_err(explained)?;
    let (soups, skin) = (read.soups, read.skin.map(Skin::new).transpose());
    let skin = skin.map_err(|error| error.to_string())?;
    let skeleton = Arc::new(narrowed(&nodes.skeleton)?);
    let clips = clips::read(&document, &buffers, &nodes, &skeleton, &mut warnings)?;
    let mut stretched = stretch::stretched(&nodes, &clips, &soups, &mut warnings)?;
    stretched.retain(|_, _| options.cover_stretched);
    all_read(watch)?;
    let model = model(&skeleton, soups, &stretched, options).map_err(|error| error.to_string())?;
    let model = model.build_watched(&options.build, watch).map_err(|error| error.to_string())?;
    Ok(Loaded { model, skeleton, clips, skin, warnings: warnings.into_list() })
}

/// The skeleton in the number type of the model.
fn narrowed<T: Scalar>(skeleton: &Skeleton<f64>) -> Result<Skeleton<T>, String> {
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

/// One part a joint, bound where the joint rests.
fn model<T: Scalar>(
    skeleton: &Skeleton<T>,
    soups: Vec<Soup<T>>,
    stretched: &HashMap<usize, Ends>,
    options: &Options,
) -> Result<ModelBuilder<T>, Error> {
    let mut builder = Model::builder().ignore_neighbours(NEIGHBOURS);
    let joints = skeleton.joints();
    let poses = skeleton.rest_poses();
    for (index, (joint, soup)) in joints.iter().zip(soups).enumerate() {
        let parent = joint.parent.map(|parent| joints[parent].name.as_str());
        let geometry = match stretched.get(&index) {
            Some(ends) => stretch::solid(ends).map(|solid| Geometry::Boxes(vec![solid])),
            None => geometry(soup, options.solid),
        };
        let geometry = geometry.map_err(|error| error.in_part(&joint.name))?;
        builder = builder.part(joint.name.as_str(), parent, geometry).bind(poses[index]);
    }
    Ok(builder)
}

fn geometry<T: Scalar>(soup: Soup<T>, solid: bool) -> Result<Geometry<T>, Error> {
    Ok(match soup.into_mesh()? {
        Some(mesh) if solid => Geometry::Solid(mesh.capped()),
        Some(mesh) => Geometry::Surface(mesh),
        None => Geometry::None,
    })
}
