//! Files into models, skeletons, clips and mechanisms. Nothing else in the crate knows files.
//!
//! | feature | reads | into |
//! |---|---|---|
//! | `gltf` | `.glb`, `.gltf` | a character with its clips |
//! | `meshes` | `.obj`, `.stl` | a character of one part |
//! | `urdf` | `.urdf` with `.stl`, `.obj`, `.dae` and `.srdf` | a robot |
//! | `mjcf` | MuJoCo's `.xml` | a robot |
//! | `mocap` | `.bvh`, `.asf` with `.amc` | a skeleton and its motion, with boxes around the bones if asked for |
//! | `bake` | what [`Loaded::bake`] wrote | the same character |

#[cfg(feature = "bake")]
mod baked;
#[cfg(feature = "gltf")]
mod gltf;
#[cfg(feature = "meshes")]
mod meshes;
#[cfg(feature = "mjcf")]
mod mjcf;
#[cfg(feature = "mocap")]
mod mocap;
#[cfg(feature = "mocap")]
mod recordings;
#[cfg(feature = "urdf")]
mod robots;
#[cfg(feature = "urdf")]
mod urdf;
mod warning;
#[cfg(any(feature = "gltf", feature = "meshes"))]
mod weld;

#[cfg(any(feature = "gltf", feature = "meshes"))]
use std::ops::ControlFlow;
#[cfg(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap"))]
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "bake")]
pub use baked::{baked, baked_bytes, baked_with};
#[cfg(feature = "mjcf")]
pub use mjcf::BodyOptions;
#[cfg(feature = "mocap")]
pub use mocap::{Flesh, Motion, MotionOptions};
#[cfg(feature = "mocap")]
pub use recordings::{amc, amc_with, bvh, bvh_with};
#[cfg(feature = "mjcf")]
pub use robots::{mjcf, mjcf_watched, mjcf_with};
#[cfg(feature = "urdf")]
pub use robots::{urdf, urdf_watched, urdf_with};
#[cfg(feature = "urdf")]
pub use urdf::{LinkShapes, Resolver, Robot, RobotOptions};
pub use warning::Warning;

pub use crate::tree::{Progress, Stage, Watch};

#[cfg(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap"))]
use crate::error::Error;
use crate::model::Model;
use crate::motion::{Clips, Skeleton, Skin};
use crate::num::Scalar;
use crate::tree::Build;
#[cfg(any(feature = "gltf", feature = "meshes"))]
use crate::tree::unwatched;

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
    /// The skin the parts stand in for, as [`coverage`](crate::model::coverage()) measures it; kept where
    /// [asked for](Options::keep_skin). Meshes without skin are not in it: they are rigid.
    pub skin: Option<Skin<T>>,
    /// What the model could not keep of the file.
    pub warnings: Vec<Warning>,
}

/// Which parts a triangle of a skin goes to.
///
/// Dominating joints are the default: over the clips of eight characters no corner of the bent skin is further than 1 % of the
/// character's size from eight boxes a part. Every share above a tenth takes up to half as many triangles again for 0.6 %.
/// [`coverage`](crate::model::coverage()) tells for a character and a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Assign {
    /// To every joint that dominates one of its corners: the largest weight; of equal ones the joint that comes first.
    Dominating,
    /// To those, and to every joint with a larger share than this, from 0 to 1, of the weight of a corner. Parts reach further
    /// over their joints: less of the bent skin is outside, more is reported that does not touch.
    Above(f64),
}

/// What to make of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Whether parts own their inside, as they do unless said otherwise.
    ///
    /// A skin is cut open at every joint, and files leave holes where nobody looks. So every hole of a part is
    /// [capped](crate::shape::Mesh::capped) by a fan, and the part is what triangles and caps enclose: a blade wholly inside a chest
    /// touches it. Caps can be touched like any triangle. Without: the triangles of the file and nothing else.
    pub solid: bool,
    /// Whether a part that clips stretch is one box that holds it at every size, as it is unless said otherwise.
    ///
    /// Poses are rigid, so triangles kept at the size of the rest pose are not where the file has them once a clip scales their
    /// joint, or turns it below a scale that is not uniform. Without: those triangles. Either way a
    /// [warning](Warning::Stretched) names the part; no box knows of scales in poses that come from elsewhere.
    pub cover_stretched: bool,
    /// Which parts a triangle of a skin goes to.
    pub assign: Assign,
    /// Whether to keep the skin with its weights.
    pub keep_skin: bool,
    /// How the trees are built.
    pub build: Build,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            solid: true,
            cover_stretched: true,
            assign: Assign::Dominating,
            keep_skin: false,
            build: Build::default(),
        }
    }
}

/// Reads between two words to the watch; where that stops the work, nothing else is wrong.
#[cfg(any(feature = "gltf", feature = "meshes"))]
fn stoppable<L>(
    watch: &mut Watch<'_>,
    load: impl FnOnce(&mut Watch<'_>) -> Result<L, Error>,
) -> Result<L, Error> {
    let mut stopped = false;
    let mut told = |now: Progress| {
        let flow = if stopped { ControlFlow::Break(()) } else { watch(now) };
        stopped |= flow.is_break();
        flow
    };
    let loaded = match told(Progress { stage: Stage::Reading, done: 0, total: 1 }) {
        ControlFlow::Continue(()) => load(&mut told),
        ControlFlow::Break(()) => Err(Error::Cancelled),
    };
    loaded.map_err(|error| if stopped { Error::Cancelled } else { error })
}

/// All that is built on is there.
#[cfg(any(feature = "gltf", feature = "meshes"))]
fn all_read(watch: &mut Watch<'_>) -> Result<(), String> {
    match watch(Progress { stage: Stage::Reading, done: 1, total: 1 }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Cancelled.to_string()),
    }
}

/// What is wrong with a file, on one line: names and words from files may hold anything.
#[cfg(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap"))]
fn refused(path: &Path, trouble: &str) -> Error {
    let trouble = trouble.replace(char::is_control, " ");
    Error::File { path: path.to_owned(), trouble }
}

/// The bytes of a file; pipes and devices, which need not end, are refused.
#[cfg(any(feature = "bake", feature = "meshes"))]
fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let kind = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !kind.is_file() {
        return Err("it is not a file".to_owned());
    }
    std::fs::read(path).map_err(|error| error.to_string())
}

/// A character from a glTF 2.0 file: `.glb`, or `.gltf` with its buffers beside or inside it.
///
/// Every node of the default scene becomes a joint, depth first. A triangle of a skinned mesh goes to every
/// joint that dominates one of its corners (the largest weight; of equal ones the joint that comes
/// first), placed by that joint's own inverse bind matrix; a mesh without skin goes to its node.
/// Parts are solid, see [`Options::solid`]. Geometry is in the joint's rigid frame, with the scale it has at rest; where a clip
/// changes that, see [`Options::cover_stretched`]. A matrix that shears becomes two joints. Lengths are the file's
/// units (metres by the specification), Y up, right-handed. Images are never opened. Parts within
/// two joints of each other are not tested against each other: a skin touches itself there.
///
/// # Errors
/// [`Error::File`] naming the file and the element: missing, cut short, not glTF, values that are
/// not finite, indices past the end, or a required extension that changes geometry and is not read. A file may ask for 8,192 nodes,
/// 2^22 triangles and 2^25 numbers in all, however small it is.
#[cfg(feature = "gltf")]
pub fn gltf(path: impl AsRef<Path>) -> Result<Loaded<f32>, Error> {
    gltf_with(path, &Options::default())
}

/// The same as [`gltf`](gltf()) in the number type and with the options of your choice.
///
/// # Errors
/// The same.
#[cfg(feature = "gltf")]
pub fn gltf_with<T: Scalar>(path: impl AsRef<Path>, options: &Options) -> Result<Loaded<T>, Error> {
    gltf_watched(path, options, &mut unwatched)
}

/// The same as [`gltf_with`], telling how far it has come: [`Stage::Reading`], then [`Stage::Building`].
///
/// # Errors
/// The same, and [`Error::Cancelled`].
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use boxwood::load::{Loaded, Options, Progress, gltf_watched};
///
/// let knight: Loaded<f32> = gltf_watched("Knight.glb", &Options::default(), &mut |now: Progress| {
///     eprint!("\r{:?} {} of {}", now.stage, now.done, now.total);
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<(), boxwood::Error>(())
/// ```
#[cfg(feature = "gltf")]
pub fn gltf_watched<T: Scalar>(
    path: impl AsRef<Path>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Loaded<T>, Error> {
    stoppable(watch, |watch| gltf::load(path.as_ref(), options, watch))
}

/// The same as [`gltf`](gltf()) from the bytes of a file: one that is compiled in, or comes from an archive or a network.
///
/// # Errors
/// The same, said of the path `bytes in memory`; also for buffers and files beside the bytes, which have no folder.
#[cfg(feature = "gltf")]
pub fn gltf_bytes(bytes: &[u8]) -> Result<Loaded<f32>, Error> {
    gltf_bytes_with(bytes, &Options::default())
}

/// The same as [`gltf_bytes`] in the number type and with the options of your choice.
///
/// # Errors
/// The same.
#[cfg(feature = "gltf")]
pub fn gltf_bytes_with<T: Scalar>(bytes: &[u8], options: &Options) -> Result<Loaded<T>, Error> {
    gltf::load_bytes(bytes, options)
}

/// The triangles of a Wavefront OBJ file as a character of one part, which is called as the file is.
///
/// All objects and groups are one mesh, larger faces become fans, materials stay closed. Coordinates are read as `f32`.
/// Corners in one place are one vertex. The part is solid, see [`Options::solid`]: a mesh that is not closed is capped, and
/// [`Warning::Capped`] says so; triangles that face inward are turned.
///
/// # Errors
/// [`Error::File`] naming the file, the line and what is wrong: missing, no triangles, not numbers, not finite, indices past the end.
#[cfg(feature = "meshes")]
pub fn obj(path: impl AsRef<Path>) -> Result<Loaded<f32>, Error> {
    obj_with(path, &Options::default())
}

/// The same as [`obj`] in the number type and with the options of your choice.
///
/// # Errors
/// The same.
#[cfg(feature = "meshes")]
pub fn obj_with<T: Scalar>(path: impl AsRef<Path>, options: &Options) -> Result<Loaded<T>, Error> {
    obj_watched(path, options, &mut unwatched)
}

/// The same as [`obj_with`], telling how far it has come.
///
/// # Errors
/// The same, and [`Error::Cancelled`].
#[cfg(feature = "meshes")]
pub fn obj_watched<T: Scalar>(
    path: impl AsRef<Path>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Loaded<T>, Error> {
    T::apiece(meshes::Reading(meshes::Format::Obj), (path.as_ref(), options, watch))
}

/// The triangles of an STL file, binary or text, as a character of one part, which is called as the file is.
///
/// As [`obj`]; all solids of the file are one mesh.
///
/// # Errors
/// [`Error::File`] naming the file, the line of a text, and what is wrong: missing, no triangles, cut short, not numbers, not finite.
#[cfg(feature = "meshes")]
pub fn stl(path: impl AsRef<Path>) -> Result<Loaded<f32>, Error> {
    stl_with(path, &Options::default())
}

/// The same as [`stl`] in the number type and with the options of your choice.
///
/// # Errors
/// The same.
#[cfg(feature = "meshes")]
pub fn stl_with<T: Scalar>(path: impl AsRef<Path>, options: &Options) -> Result<Loaded<T>, Error> {
    stl_watched(path, options, &mut unwatched)
}

/// The same as [`stl_with`], telling how far it has come.
///
/// # Errors
/// The same, and [`Error::Cancelled`].
#[cfg(feature = "meshes")]
pub fn stl_watched<T: Scalar>(
    path: impl AsRef<Path>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Loaded<T>, Error> {
    T::apiece(meshes::Reading(meshes::Format::Stl), (path.as_ref(), options, watch))
}
