//! Loaders: files into models, skeletons, clips and mechanisms. Only this module knows file
//! formats.
//!
//! A function per format, such as `gltf`, uses the defaults; a [`Loader`] has options,
//! progress, and bytes in memory. The result is a [`Loaded`] character, a `Robot`, a `Recording` or
//! a `Level`, each with a list of warnings for what the file has and the result has not. Read
//! `loader.rs`, `options.rs` and `source.rs` first, then the folder of one format: each has a type
//! `Read...` with the steps in order.
//!
//! | feature | reads | into |
//! |---|---|---|
//! | `gltf` | `.glb`, `.gltf` | a character with its clips |
//! | `meshes` | `.obj`, `.stl` | a character of one part |
//! | `urdf` | `.urdf` with `.stl`, `.obj`, `.dae` and `.srdf` | a robot |
//! | `mjcf` | MuJoCo's `.xml` with `.stl`, `.obj`, `.msh` | a robot |
//! | `mocap` | `.bvh`, `.asf` with `.amc` | a skeleton and its motion, optional boxes around bones |
//! | `quake-map` | Quake's `.map` | a level of brushes |
//! | `bake` | files of [`Loaded::bake`] | the same character |
//! | `bake`, `urdf` | files of `Robot::bake` | the same robot |

#[cfg(feature = "bake")]
mod baked;
mod functions;
#[cfg(feature = "gltf")]
mod gltf;
mod loaded;
#[cfg_attr(
    not(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap")),
    allow(dead_code)
)]
mod loader;
#[cfg(feature = "quake-map")]
mod map;
#[cfg(feature = "meshes")]
mod meshes;
#[cfg(feature = "mjcf")]
mod mjcf;
#[cfg(feature = "mocap")]
mod mocap;
#[cfg_attr(
    not(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap")),
    allow(dead_code)
)]
mod options;
#[cfg(feature = "urdf")]
mod pieces;
mod scaled;
#[cfg_attr(
    not(any(
        feature = "bake",
        feature = "gltf",
        feature = "quake-map",
        feature = "meshes",
        feature = "mocap"
    )),
    allow(dead_code)
)]
mod source;
#[cfg(feature = "urdf")]
mod urdf;
#[cfg(any(feature = "gltf", feature = "urdf"))]
mod vocabulary;
mod warning;
mod warning_text;
#[cfg(any(feature = "gltf", feature = "meshes"))]
mod weld;

pub use crate::tree::{Progress, Stage, Watch};
#[cfg(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap"))]
pub use functions::*;
pub use loaded::{Loaded, SkinAssignment, Straddling};
pub use loader::Loader;
#[cfg(feature = "quake-map")]
pub use map::{
    BrushPlace, ClassRole, Level, LevelBrush, LevelEntity, LevelVolume, LevelWarning, MapOptions,
    NamePattern, TextureRole, map, map_bytes,
};
#[cfg(feature = "mocap")]
pub use mocap::{BoneBoxes, Recording};
#[cfg(feature = "urdf")]
pub use urdf::{LinkShapes, Resolver, Robot};
#[cfg(any(feature = "gltf", feature = "urdf"))]
pub use vocabulary::{ElementClass, FileElement, elements};
pub use warning::Warning;

collect_tests!(baked, gltf, map, meshes, mjcf, urdf, vocabulary, weld);
