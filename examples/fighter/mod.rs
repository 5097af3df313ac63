//! Skeleton, skin and clips of one person, the fighter, from `fighter.glb`, which the example
//! `make_fighter` writes.
//!
//! Metres and seconds; Y is up, the figure looks along +Z and its left is +X; the model's origin is
//! on the floor. The fighter is [`proportions::STATURE`] tall. Part i is the skin of joint i, and
//! the part after the last joint, `skin`, is empty. All clips but `walk` stay in place; `walk`
//! carries the hips [`walk::STRIDE`] along +Z per loop, so a caller who loops it advances the model
//! by that much.

pub mod clips;
pub mod keys;
pub mod proportions;
pub mod reach;
pub mod skeleton;
pub mod stance;
pub mod walk;

use boxwood::Mesh;
use boxwood::load::{Loaded, Loader};

/// Bytes of the file, compiled in, so that programs run in any directory.
pub const FILE: &[u8] = include_bytes!("fighter.glb");

/// Loads the fighter like any file.
pub fn fighter() -> Loaded<f32> {
    Loader::new().gltf_bytes(FILE).expect("the fighter is a good file")
}

/// The skin of each joint, in its frame: closed surfaces facing outward.
pub fn meshes() -> Vec<Mesh> {
    let model = fighter().model;
    let trees = model.parts().iter().filter_map(|part| part.tree());
    trees.filter_map(|tree| tree.geometry().mesh().cloned()).collect()
}
