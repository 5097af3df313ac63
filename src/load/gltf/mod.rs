//! glTF 2.0. The `gltf` crate reads the JSON and the GLB container; this module reads the bytes,
//! and checks every range.
//!
//! `read` has the steps: `document` parses, `nodes` makes the skeleton, `skins` and `weights` bind
//! meshes to joints, `geometry` distributes triangles to joints (cut by `cut` and `cells`, capped
//! by `caps`), `clips` reads animations, and `stretch` finds parts that clips deform.
//!
//! Source: Khronos, glTF 2.0 specification; section 3.7.3 for skins, 3.11 and appendix C for
//! animations.

mod accessor;
mod buffers;
mod caps;
mod cells;
mod clips;
mod cut;
mod decompose;
mod document;
mod geometry;
mod instances;
mod names;
mod nodes;
mod primitives;
mod read;
#[cfg(feature = "urdf")]
mod rest;
mod skins;
mod stretch;
mod uri;
mod weights;

pub(super) use read::read_gltf;
#[cfg(feature = "urdf")]
pub(super) use rest::rest_triangles;

collect_tests!(accessor, cut, decompose, geometry, names, primitives, uri, weights);
