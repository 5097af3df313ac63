//! The people of a crowd as characters of one model: each 20 boxes, or 20 trees of 64.

use std::sync::Arc;

use boxwood::nalgebra::Isometry3;
use boxwood::{Build, Geometry, Model, Obb, Scene, Spawn};

use crate::people::{PARTS, leaves, parts};

/// A person; pairs of parts that are left out do not count.
pub fn model(trees: bool, left_out: &[[usize; 2]]) -> Arc<Model> {
    let solid = |(pose, half): (Isometry3<f32>, _)| Obb::from_pose(&pose, half).expect("a box");
    let name = |index: usize| format!("part {index}");
    let mut builder = Model::builder();
    for (index, (_, half)) in parts().into_iter().enumerate() {
        let solids = match trees {
            true => leaves(half, index as u64).into_iter().map(solid).collect(),
            false => vec![solid((Isometry3::identity(), half))],
        };
        builder = builder.part(name(index), None, Geometry::Boxes(solids));
    }
    let ignored = left_out.iter().fold(builder, |b, &[i, j]| b.ignore(name(i), name(j)));
    // Down to single boxes, as the other library's trees.
    ignored.build(&Build::tight()).expect("a model")
}

/// One of it for every [`PARTS`] poses.
pub fn scene(model: &Arc<Model>, poses: &[Isometry3<f32>]) -> Scene {
    let mut scene = Scene::new();
    for poses in poses.chunks_exact(PARTS) {
        let key = scene.insert(model, Spawn::default()).expect("room");
        scene.set_parts(key, poses).expect("sound poses");
    }
    scene
}
