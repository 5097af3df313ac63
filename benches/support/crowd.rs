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

/// Names and kinds of bodies.
pub const BODIES: [(&str, Body); 2] = [("boxes", Body::Box), ("trees of 64", Body::Leaves)];

/// Poses of all parts, frame by frame. No frame repeats: in each, every person has a new position
/// in their cell of the grid and new limb angles. The number of people and their spacing determine
/// the frames.
pub struct Frames {
    people: usize,
    spacing: f64,
    next: u64,
}

impl Frames {
    pub fn new(people: usize, spacing: f64) -> Self {
        Frames { people, spacing, next: seed(people) }
    }

    /// Makes the next frame. Call it outside the clock: it takes some 100 ns a part.
    pub fn next(&mut self) -> Vec<Isometry3<f32>> {
        let seed = self.next;
        self.next += 1;
        crowd(self.people, self.spacing, seed)
    }
}

/// Builds the model of a person; pairs of parts in `left_out` are ignored.
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
    // The trees end in single boxes, as those of the peer do.
    ignored.build(&Build::default()).expect("a model")
}

/// A scene whose people are placed again for each round.
pub struct Placed {
    frames: Frames,
    pub scene: Scene,
    pub keys: Vec<CharacterKey>,
}

impl Placed {
    /// Creates the scene with no person placed.
    pub fn new(model: &Arc<Model<f32>>, people: usize, spacing: f64) -> Self {
        let mut scene = Scene::new();
        let insert = |_| scene.insert(model, Spawn::default()).expect("room");
        let keys = (0..people).map(insert).collect();
        Placed { frames: Frames::new(people, spacing), scene, keys }
    }

    /// Returns the scene at the next frame.
    pub fn next(&mut self) -> &Scene {
        let poses = self.frames.next();
        place(&mut self.scene, &self.keys, &poses);
        &self.scene
    }
}

/// Places all characters, which have equal numbers of parts.
pub fn place(scene: &mut Scene, keys: &[CharacterKey], poses: &[Isometry3<f32>]) {
    for (&key, poses) in keys.iter().zip(poses.chunks_exact(poses.len() / keys.len())) {
        scene.set_parts(key, poses).expect("sound poses");
    }
}
