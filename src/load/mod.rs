//! Files into models, skeletons and clips. Nothing else in the crate knows files.

#[cfg(feature = "gltf")]
mod gltf;
mod warning;

#[cfg(feature = "gltf")]
use std::path::Path;
use std::sync::Arc;

pub use warning::Warning;

#[cfg(feature = "gltf")]
use crate::error::Error;
use crate::model::Model;
use crate::motion::{Clips, Skeleton};
use crate::num::Scalar;

/// A character from a file.
///
/// The model has one part a joint, with the joint's index and name: part `i` moves with joint `i`,
/// and joints that carry no geometry are parts without geometry.
#[derive(Debug, Clone)]
pub struct Loaded<T: Scalar> {
    /// What moves: parts, geometry and trees. The bind pose is the rest pose of the file.
    pub model: Arc<Model<T>>,
    /// The joints, parents first.
    pub skeleton: Arc<Skeleton<T>>,
    /// The motions in the file.
    pub clips: Clips<T>,
    /// What the model could not keep of the file.
    pub warnings: Vec<Warning>,
}

/// A character from a glTF 2.0 file: `.glb`, or `.gltf` with its buffers beside or inside it.
///
/// Every node of the default scene becomes a joint, depth first. A triangle of a skinned mesh goes to every
/// joint that dominates one of its corners (the largest weight; of equal ones the joint that comes
/// first), placed by that joint's own inverse bind matrix; a mesh without skin goes to its node.
/// Geometry is in the joint's rigid frame, with the scale it has at rest. Lengths are the file's
/// units (metres by the specification), Y up, right-handed. Images are never opened. Parts within
/// two joints of each other are not tested against each other: a skin touches itself there.
///
/// # Errors
/// [`Error::File`] naming the file and the element: missing, cut short, not glTF, values that are
/// not finite, indices past the end, or a required extension that changes geometry and is not read.
#[cfg(feature = "gltf")]
pub fn gltf(path: impl AsRef<Path>) -> Result<Loaded<f32>, Error> {
    gltf_as(path)
}

/// The same as [`gltf`](gltf()) in the number type of your choice.
///
/// # Errors
/// The same.
#[cfg(feature = "gltf")]
pub fn gltf_as<T: Scalar>(path: impl AsRef<Path>) -> Result<Loaded<T>, Error> {
    gltf::load(path.as_ref())
}
