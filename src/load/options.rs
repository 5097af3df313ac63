//! The options of a loader.

use std::path::PathBuf;

#[cfg(feature = "urdf")]
use super::source::FileSource;
#[cfg(feature = "urdf")]
use super::{LinkShapes, Resolver};
use super::{SkinAssignment, Straddling};
use crate::tree::Build;

/// Options of a loader, for all formats.
#[derive(Debug, Clone)]
#[cfg_attr(not(all(feature = "gltf", feature = "mjcf", feature = "mocap")), allow(dead_code))]
pub(super) struct Options {
    /// `None` for the format's default.
    pub build: Option<Build>,
    pub solid: bool,
    pub cover_stretched: bool,
    pub assign: SkinAssignment,
    pub straddling: Straddling,
    pub keep_skin: bool,
    /// `None` for the format's default.
    pub neighbours: Option<usize>,
    pub groups: bool,
    pub convex_meshes: bool,
    /// Half the side of the cubes that stand for the half-spaces below planes; `None` to leave
    /// planes out.
    pub plane_reach: Option<f64>,
    pub allow_empty: bool,
    pub scale: f64,
    pub frame_rate: f64,
    #[cfg(feature = "urdf")]
    pub link_shapes: LinkShapes,
    #[cfg(feature = "urdf")]
    pub srdf: Option<SrdfSource>,
    #[cfg(feature = "urdf")]
    pub resolver: Resolver,
    /// The folder of files that bytes in memory refer to.
    pub folder: Option<PathBuf>,
    pub name: Option<String>,
}

/// The source of an SRDF file.
#[cfg(feature = "urdf")]
#[derive(Debug, Clone)]
pub(super) enum SrdfSource {
    Path(PathBuf),
    Bytes(Vec<u8>),
}

#[cfg(feature = "urdf")]
impl SrdfSource {
    pub fn file(&self) -> FileSource<'_> {
        match self {
            SrdfSource::Path(path) => FileSource::file(path),
            SrdfSource::Bytes(bytes) => FileSource::memory(bytes, None, None),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            build: None,
            solid: true,
            cover_stretched: true,
            assign: SkinAssignment::Dominating,
            straddling: Straddling::Cut,
            keep_skin: false,
            neighbours: None,
            groups: true,
            convex_meshes: true,
            plane_reach: None,
            allow_empty: false,
            scale: 1.0,
            frame_rate: 120.0,
            #[cfg(feature = "urdf")]
            link_shapes: LinkShapes::default(),
            #[cfg(feature = "urdf")]
            srdf: None,
            #[cfg(feature = "urdf")]
            resolver: Resolver::default(),
            folder: None,
            name: None,
        }
    }
}
