//! A fighter made in code: skeleton, skin and clips of one person, the same bits on every run.
//!
//! Metres and seconds; Y is up, the figure looks along +Z and its left is +X; the model's origin is
//! on the floor. It stands [`proportions::STATURE`] tall. Part i is the skin of joint i. All clips
//! but `walk` stay in place; `walk` carries the hips [`walk::STRIDE`] along +Z per loop, so a
//! caller who loops it moves the model on by that much.
#![allow(dead_code)] // examples, benches and tests share this, and each uses some of it

pub mod clips;
pub mod keys;
pub mod loft;
pub mod proportions;
pub mod reach;
pub mod skeleton;
pub mod skin;
pub mod stance;
pub mod walk;

use std::sync::Arc;

use boxwood::load::Loaded;
use boxwood::motion::{Clips, Skeleton};
use boxwood::{Build, Geometry, Mesh, Model};

/// Bones, skin and clips.
pub struct Body {
    pub skeleton: Arc<Skeleton<f32>>,
    /// The skin of each joint, in its frame: closed surfaces facing outward.
    pub meshes: Vec<Option<Mesh>>,
    pub clips: Clips<f32>,
}

/// The fighter, before it is made into a model.
pub fn body() -> Body {
    let skeleton = Arc::new(skeleton::skeleton());
    let clips = clips::clips(&skeleton);
    Body { skeleton, meshes: skin::skin(), clips }
}

/// The fighter as a model, just as if it came from a file. Neighbouring parts overlap at the joints, so pairs up
/// to two joints apart do not count against each other.
pub fn fighter() -> Loaded<f32> {
    let Body { skeleton, meshes, clips } = body();
    let rest = skeleton.rest_poses();
    let mut builder = Model::builder().ignore_neighbours(2);
    for ((joint, mesh), rest) in skeleton.joints().iter().zip(meshes).zip(rest) {
        let parent = joint.parent.map(|parent| skeleton.joints()[parent].name.as_str());
        let geometry = mesh.map_or(Geometry::None, |mesh| Geometry::Solid(mesh.capped()));
        builder = builder.part(&joint.name, parent, geometry).bind(rest);
    }
    let model = builder.build(&Build::tight()).expect("the fighter is a good model");
    Loaded { model, skeleton, clips, skin: None, warnings: Vec::new() }
}
