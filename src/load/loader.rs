//! The loader: every format, from a file or from bytes, with options and progress.

use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;
#[cfg(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap"))]
use std::path::Path;
use std::path::PathBuf;

#[cfg(any(feature = "bake", feature = "gltf", feature = "meshes"))]
use super::Loaded;
#[cfg(feature = "mocap")]
use super::Recording;
use super::options::Options;
#[cfg(feature = "urdf")]
use super::options::SrdfSource;
use super::source::FileSource;
#[cfg(feature = "urdf")]
use super::{LinkShapes, Resolver, Robot};
use super::{SkinAssignment, Straddling};
use crate::error::Error;
use crate::num::Scalar;
use crate::tree::{Build, Progress, Stage, Watch};

/// Reads files, or bytes in memory, of every format into models, clips and mechanisms.
///
/// [`Loader::new`] has the defaults of [`load::gltf`](super::gltf()) and its like. Each option
/// lists the formats that use it; the others ignore it. `T` is the number type: `f32` at the crate
/// root, `f64` in [`boxwood::f64`](mod@crate::f64).
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use boxwood::{Build, Loader};
///
/// let progress = |now: boxwood::load::Progress| {
///     eprint!("\r{:?} {} of {}", now.stage, now.done, now.total);
///     ControlFlow::Continue(())
/// };
/// let loader = Loader::new().build(Build::default()).solid(false).progress(&progress);
/// # #[cfg(feature = "gltf")]
/// let (knight, fox) = (loader.gltf("Knight.glb")?, loader.gltf("Fox.glb")?);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Clone)]
pub struct Loader<'w, T: Scalar = f32> {
    options: Options,
    progress: Option<&'w ProgressFn<'w>>,
    scalar: PhantomData<T>,
}

/// The caller's progress function; it may stop the work.
type ProgressFn<'w> = dyn Fn(Progress) -> ControlFlow<()> + 'w;

impl<T: Scalar> Default for Loader<'_, T> {
    fn default() -> Self {
        Loader { options: Options::default(), progress: None, scalar: PhantomData }
    }
}

impl<T: Scalar> fmt::Debug for Loader<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loader").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<'w, T: Scalar> Loader<'w, T> {
    /// The [`scale`](Loader::scale) that converts the lengths of CMU's motion files to metres, for
    /// ASF, AMC and the BVH files made of them: inches times 0.45, so 0.0254 / 0.45.
    ///
    /// ```
    /// assert!((boxwood::Loader::CMU - 0.0254 / 0.45).abs() < 1e-6);
    /// ```
    pub const CMU: f64 = 0.056444;

    /// Returns a loader with the defaults.
    pub fn new() -> Self {
        Loader::default()
    }

    /// Sets the build of the trees; by default [`Build::robots`] for URDF and MJCF, [`Build::new`]
    /// for the other formats. All formats but baked ones, which hold built trees.
    pub fn build(mut self, build: Build) -> Self {
        self.options.build = Some(build);
        self
    }

    /// Sets whether meshes own their inside; `true` by default. glTF, OBJ, STL, URDF.
    ///
    /// A skin is cut open at every joint, and files leave holes in hidden places. Every hole of a
    /// part is therefore [capped](crate::shape::Mesh::capped) by a fan, and the part is the volume
    /// that triangles and caps enclose: a blade wholly inside a chest touches it. Caps can be
    /// touched like any triangle. With `false`, a part is only the triangles of the file. Links
    /// made of boxes alone are solid either way.
    pub fn solid(mut self, solid: bool) -> Self {
        self.options.solid = solid;
        self
    }

    /// Replaces a part that clips stretch by one box that contains it at every size; `true` by
    /// default. glTF.
    ///
    /// Poses are rigid, so triangles of the size of the rest pose are misplaced once a clip scales
    /// their joint, or rotates it below a scale that is not uniform. With `false`, those triangles
    /// are kept. Either way a [warning](super::Warning::Stretched) names the part. The box covers
    /// the clips of the file, not scales of other poses.
    pub fn cover_stretched(mut self, cover_stretched: bool) -> Self {
        self.options.cover_stretched = cover_stretched;
        self
    }

    /// Sets which parts a triangle of a skin belongs to; by default those of the dominating joints,
    /// between which [`Loader::straddling`] cuts it. glTF.
    pub fn assign(mut self, assign: SkinAssignment) -> Self {
        self.options.assign = assign;
        self
    }

    /// Sets the treatment of a triangle that dominating joints share; by default it is cut between
    /// them. Without effect for [`SkinAssignment::Above`], which assigns whole triangles. glTF.
    pub fn straddling(mut self, straddling: Straddling) -> Self {
        self.options.straddling = straddling;
        self
    }

    /// Keeps the skin with its weights and triangles, for [`coverage`](crate::model::coverage());
    /// `false` by default. glTF.
    pub fn keep_skin(mut self, keep_skin: bool) -> Self {
        self.options.keep_skin = keep_skin;
        self
    }

    /// Excludes pairs of parts within `hops` joints of each other: neighbours overlap at their
    /// joint. By default 2 for glTF, whose skins touch themselves at every joint, and 1 for URDF
    /// and MJCF.
    ///
    /// Robots are counted by *pieces*: a link that is fixed to its parent belongs to the piece of
    /// its parent, and links of one piece are never tested against each other, whatever `hops` is.
    /// A joint of an unsupported kind, which is fixed with a warning, begins a piece of its own.
    ///
    /// | pairs of links | URDF | MJCF, as MuJoCo |
    /// |---|---|---|
    /// | of one piece | not tested | not tested |
    /// | of parent and child piece, with 1 hop | not tested | not tested |
    /// | of a piece fixed to the world and a child piece of it | not tested | tested |
    /// | of all pieces fixed to the world | not tested: they are one piece | not tested |
    /// | counting hops | skips pieces without geometry | counts every piece |
    /// | disabled by an SRDF file, excluded | not tested | not tested |
    /// | enabled by an SRDF file | tested, except within one piece | |
    pub fn ignore_neighbours(mut self, hops: usize) -> Self {
        self.options.neighbours = Some(hops);
        self
    }

    /// Turns `contype` and `conaffinity` into the [groups](crate::CollisionGroups) of the parts;
    /// `true` by default. MJCF.
    ///
    /// Two parts are then tested against each other if and only if MuJoCo would test two of their
    /// shapes, in one robot and between robots from such files. If every shape of a file has
    /// MuJoCo's default 1 and 1, or with `false`, parts are in all groups. A part contains all
    /// shapes of a body. If these differ, the part is tested wherever one of them would be, and
    /// [`Warning::MixedGroups`](super::Warning::MixedGroups) names the body.
    ///
    /// The bodies of two geoms in a `<pair>` are tested within the robot whatever their masks, even
    /// if they are excluded or neighbours, as in MuJoCo; where the bodies have more geoms,
    /// [`Warning::WidePair`](super::Warning::WidePair) names them. With `false` pairs are not read,
    /// with a warning: all bodies but excluded ones and neighbours are tested.
    pub fn groups(mut self, groups: bool) -> Self {
        self.options.groups = groups;
        self
    }

    /// Returns a loader that replaces each mesh by its convex hull, as MuJoCo does; `true` by
    /// default. MJCF.
    ///
    /// With `false` the triangles are kept, solid or not by [`Loader::solid`]; boxes and round
    /// shapes of the same body then become triangles too.
    ///
    /// ```
    /// let loader = boxwood::Loader::new().convex_meshes(false);
    /// # let _ = loader;
    /// ```
    pub fn convex_meshes(mut self, convex_meshes: bool) -> Self {
        self.options.convex_meshes = convex_meshes;
        self
    }

    /// Loads a robot even if none of its links can collide, for its mechanism alone. `false` by
    /// default: such a file is rejected, as no query would report anything. URDF, MJCF.
    pub fn allow_empty(mut self, allow_empty: bool) -> Self {
        self.options.allow_empty = allow_empty;
        self
    }

    /// Sets the factor of all lengths, of skeleton and motion; 1 by default, for the lengths of the
    /// file. BVH, AMC.
    ///
    /// BVH files do not state their unit, so none is guessed: 0.01 converts centimetres to metres,
    /// 0.0254 inches, and [`Loader::CMU`] the lengths of CMU's files. The `:units` of an ASF file
    /// (`length 0.45` in CMU's) are not applied either: programs that write it do not agree on its
    /// meaning.
    pub fn scale(mut self, scale: impl Into<f64>) -> Self {
        self.options.scale = scale.into();
        self
    }

    /// Includes planes: the half-space below each becomes a cube of the world's part, whose upper
    /// face is centred at the plane's origin and reaches this far to every side [units of the
    /// file]. By default planes are left out, with a warning. MJCF.
    ///
    /// Choose the length beyond all that the robot may reach; what touches a plane further away is
    /// not found.
    pub fn planes(mut self, reach: impl Into<f64>) -> Self {
        self.options.plane_reach = Some(reach.into());
        self
    }

    /// Sets the frames per second of AMC files, which do not state it; 120 by default, as CMU's.
    /// AMC; BVH files state theirs.
    pub fn frame_rate(mut self, frame_rate: impl Into<f64>) -> Self {
        self.options.frame_rate = frame_rate.into();
        self
    }

    /// Sets the elements of a link that are its geometry; `<collision>` by default. URDF, MJCF.
    ///
    /// MJCF: shapes that collide with nothing are the visual ones; for a body without such shapes,
    /// those that collide.
    #[cfg(feature = "urdf")]
    pub fn link_shapes(mut self, link_shapes: LinkShapes) -> Self {
        self.options.link_shapes = link_shapes;
        self
    }

    /// Sets an SRDF file, which lists pairs of links that are not tested. URDF.
    ///
    /// Applies `disable_default_collisions`, then `enable_collisions`, then `disable_collisions`,
    /// wherever they are in the file. Enabled pairs are tested even if the links are parent and
    /// child; links joined by fixed joints are never tested, with a warning.
    #[cfg(feature = "urdf")]
    pub fn srdf(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.srdf = Some(SrdfSource::Path(path.into()));
        self
    }

    /// Sets an SRDF file like [`Loader::srdf`], but by its bytes; the last call of the two counts.
    /// URDF.
    #[cfg(feature = "urdf")]
    pub fn srdf_bytes(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.options.srdf = Some(SrdfSource::Bytes(bytes.into()));
        self
    }

    /// Sets the rule that finds the files of meshes, and of the parts of an MJCF model, by their
    /// names. URDF, MJCF.
    #[cfg(feature = "urdf")]
    pub fn resolver(mut self, resolver: Resolver) -> Self {
        self.options.resolver = resolver;
        self
    }

    /// Sets the folder in which files referred to by bytes in memory are looked up; without one
    /// such references are refused. Files use their own folder. glTF, URDF, MJCF.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.folder = Some(folder.into());
        self
    }

    /// Sets the name of the part or the clip made of bytes in memory; files give their own names.
    /// OBJ, STL, BVH, AMC.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.options.name = Some(name.into());
        self
    }

    /// Sets a progress function, called at most some hundred times while reading and building. It
    /// may stop the work, which then ends with [`Error::Cancelled`]. All formats.
    pub fn progress<'p>(
        self,
        progress: &'p (dyn Fn(Progress) -> ControlFlow<()> + 'p),
    ) -> Loader<'p, T>
    where
        'w: 'p,
    {
        Loader { progress: Some(progress), options: self.options, scalar: self.scalar }
    }

    /// Runs a reader between two calls of the progress function; if that stops the work, the error
    /// is [`Error::Cancelled`].
    fn watched<L>(
        &self,
        load: impl FnOnce(&Options, &mut Watch<'_>) -> Result<L, Error>,
    ) -> Result<L, Error> {
        let mut stopped = false;
        let mut report = |now: Progress| {
            let go_on = ControlFlow::Continue(());
            let flow = match self.progress {
                _ if stopped => ControlFlow::Break(()),
                Some(progress) => progress(now),
                None => go_on,
            };
            stopped |= flow.is_break();
            flow
        };
        let loaded = match report(Progress { stage: Stage::Reading, done: 0, total: 1 }) {
            ControlFlow::Continue(()) => load(&self.options, &mut report),
            ControlFlow::Break(()) => Err(Error::Cancelled),
        };
        loaded.map_err(|error| if stopped { Error::Cancelled } else { error })
    }

    fn memory<'a>(&'a self, bytes: &'a [u8]) -> FileSource<'a> {
        let Options { folder, name, .. } = &self.options;
        FileSource::memory(bytes, folder.as_deref(), name.as_deref())
    }
}

/// Writes a loader's two methods of a format: from a file, and from bytes.
macro_rules! formats {
    ($(
        $(#[$attribute:meta])*
        $feature:literal, $file:ident, $bytes:ident, $answer:ident, $reader:path;
    )*) => {$(
        #[cfg(feature = $feature)]
        impl<T: Scalar> Loader<'_, T> {
            $(#[$attribute])*
            pub fn $file(&self, path: impl AsRef<Path>) -> Result<$answer<T>, Error> {
                let source = FileSource::file(path.as_ref());
                self.watched(|options, watch| $reader(&source, options, watch))
            }

            #[doc = concat!("Loads like [`Loader::", stringify!($file), "`], but from bytes of a file:")]
            /// compiled in, of an archive or a network.
            ///
            /// # Errors
            /// The errors of the method for files, with the path `bytes in memory`.
            pub fn $bytes(&self, bytes: &[u8]) -> Result<$answer<T>, Error> {
                let source = self.memory(bytes);
                self.watched(|options, watch| $reader(&source, options, watch))
            }
        }
    )*};
}

formats! {
    /// Loads a character from a glTF 2.0 file: see [`load::gltf`](super::gltf()).
    ///
    /// # Errors
    /// [`Error::Cancelled`], and the errors of [`load::gltf`](super::gltf()).
    "gltf", gltf, gltf_bytes, Loaded, super::gltf::read_gltf;
    /// Loads a character of one part from an OBJ file: see [`load::obj`](super::obj()).
    ///
    /// # Errors
    /// [`Error::Cancelled`], and the errors of [`load::obj`](super::obj()).
    "meshes", obj, obj_bytes, Loaded, super::meshes::read_obj;
    /// Loads a character of one part from an STL file: see [`load::stl`](super::stl()).
    ///
    /// # Errors
    /// [`Error::Cancelled`], and the errors of [`load::stl`](super::stl()).
    "meshes", stl, stl_bytes, Loaded, super::meshes::read_stl;
    /// Loads a robot from a URDF file: see [`load::urdf`](super::urdf()).
    ///
    /// # Errors
    /// [`Error::Cancelled`], and the errors of [`load::urdf`](super::urdf()), including the SRDF
    /// file.
    "urdf", urdf, urdf_bytes, Robot, super::urdf::read_urdf;
    /// Loads a robot from an MJCF file: see [`load::mjcf`](super::mjcf()).
    ///
    /// # Errors
    /// [`Error::Cancelled`], and the errors of [`load::mjcf`](super::mjcf()).
    "mjcf", mjcf, mjcf_bytes, Robot, super::mjcf::read_mjcf;
    /// Loads a recorded motion from a BVH file: see [`load::bvh`](super::bvh()).
    ///
    /// # Errors
    /// [`Error::Cancelled`], and the errors of [`load::bvh`](super::bvh()).
    "mocap", bvh, bvh_bytes, Recording, super::mocap::read_bvh;
    /// Loads a character that [`Loaded::bake`] wrote: see [`load::baked`](super::baked()). The
    /// number type has to be that of the file.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and the errors of [`load::baked`](super::baked()).
    "bake", baked, baked_bytes, Loaded, super::baked::read_baked;
}

#[cfg(feature = "mocap")]
impl<T: Scalar> Loader<'_, T> {
    /// Loads a recorded motion from an ASF and an AMC file: see [`load::amc`](super::amc()).
    ///
    /// # Errors
    /// [`Error::Cancelled`], and the errors of [`load::amc`](super::amc()).
    pub fn amc(&self, asf: impl AsRef<Path>, amc: impl AsRef<Path>) -> Result<Recording<T>, Error> {
        let sources = [FileSource::file(asf.as_ref()), FileSource::file(amc.as_ref())];
        self.watched(|options, watch| super::mocap::read_amc(&sources, options, watch))
    }

    /// Loads a recorded motion like [`Loader::amc`], but from the bytes of the two files.
    ///
    /// # Errors
    /// The errors of the method for files, with the path `bytes in memory`.
    pub fn amc_bytes(&self, asf: &[u8], amc: &[u8]) -> Result<Recording<T>, Error> {
        let sources = [self.memory(asf), self.memory(amc)];
        self.watched(|options, watch| super::mocap::read_amc(&sources, options, watch))
    }
}

#[cfg(all(feature = "bake", feature = "urdf"))]
impl<T: Scalar> Loader<'_, T> {
    /// Loads a robot that [`Robot::bake`] wrote: see [`load::baked_robot`](super::baked_robot()).
    /// The number type has to be that of the file.
    ///
    /// # Errors
    /// [`Error::Cancelled`], and the errors of [`load::baked_robot`](super::baked_robot()).
    pub fn baked_robot(&self, path: impl AsRef<Path>) -> Result<Robot<T>, Error> {
        let source = FileSource::file(path.as_ref());
        self.watched(|options, watch| super::baked::read_baked_robot(&source, options, watch))
    }

    /// Loads a robot like [`Loader::baked_robot`], but from the bytes of a file.
    ///
    /// # Errors
    /// The errors of the method for files, with the path `bytes in memory`.
    pub fn baked_robot_bytes(&self, bytes: &[u8]) -> Result<Robot<T>, Error> {
        let source = self.memory(bytes);
        self.watched(|options, watch| super::baked::read_baked_robot(&source, options, watch))
    }
}
