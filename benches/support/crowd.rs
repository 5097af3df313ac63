//! Crowds of people of 20 parts, each a box or a tree of 64, whose poses are new in every frame.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::nalgebra::Isometry3;
use boxwood::{Build, CharacterKey, Geometry, Obb, Scene, Spawn};

use super::people::{crowd, leaves, parts, seed};

/// Geometry of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// One box.
    Box,
    /// [`LEAVES`](super::people::LEAVES) boxes.
    Leaves,
}

/// Both, by name.
pub const BODIES: [(&str, Body); 2] = [("boxes", Body::Box), ("trees of 64", Body::Leaves)];

/// The poses of all parts, frame after frame. None comes twice: in each, every person stands
/// elsewhere in their cell of the grid and holds every limb otherwise. The number of people and
/// their spacing determine the frames.
pub struct Frames {
    people: usize,
    spacing: f64,
    next: u64,
}

impl Frames {
    pub fn new(people: usize, spacing: f64) -> Self {
        Frames { people, spacing, next: seed(people) }
    }

    /// Makes the next frame. It takes some 100 ns a part: outside the clock.
    pub fn next(&mut self) -> Vec<Isometry3<f32>> {
        let seed = self.next;
        self.next += 1;
        crowd(self.people, self.spacing, seed)
    }
}

/// A person; pairs of parts that are left out do not count.
pub fn model(body: Body, left_out: &[[usize; 2]]) -> Arc<Model<f32>> {
    let solid = |(pose, half): (Isometry3<f32>, _)| Obb::from_pose(&pose, half).expect("a box");
    let name = |index: usize| format!("part {index}");
    let mut builder = Model::builder();
    for (index, (_, half)) in parts().into_iter().enumerate() {
        let solids = match body {
            Body::Leaves => leaves(half, index as u64).into_iter().map(solid).collect(),
            Body::Box => vec![solid((Isometry3::identity(), half))],
        };
        builder = builder.part(name(index), None, Geometry::Boxes(solids));
    }
    let ignored = left_out.iter().fold(builder, |b, &[i, j]| b.ignore(name(i), name(j)));
    // Down to single boxes, as the other library's trees.
    ignored.build(&Build::default()).expect("a model")
}

/// A scene whose people are placed anew for each round.
pub struct Placed {
    frames: Frames,
    pub scene: Scene,
    pub keys: Vec<CharacterKey>,
}

impl Placed {
    /// Makes the scene with no person placed.
    pub fn new(model: &Arc<Model<f32>>, people: usize, spacing: f64) -> Self {
        let mut scene = Scene::new();
        let insert = |_| scene.insert(model, Spawn::default()).expect("room");
        let keys = (0..people).map(insert).collect();
        Placed { frames: Frames::new(people, spacing), scene, keys }
    }

    /// The scene at the next frame.
    pub fn next(&mut self) -> &Scene {
        let poses = self.frames.next();
        place(&mut self.scene, &self.keys, &poses);
        &self.scene
    }
}

/// Places all characters, which have as many parts each.
pub fn place(scene: &mut Scene, keys: &[CharacterKey], poses: &[Isometry3<f32>]) {
    for (&key, poses) in keys.iter().zip(poses.chunks_exact(poses.len() / keys.len())) {
        scene.set_parts(key, poses).expect("sound poses");
    }
}
