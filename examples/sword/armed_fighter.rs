//! A fighter with a sword: one part more than in the file, and one pose more than in its clips.

use std::sync::Arc;

use boxwood::motion::{Clip, Joints};
use boxwood::nalgebra::{Matrix3, Point3, Vector3};
use boxwood::{Build, Error, Geometry, Loaded, Model, Obb, Pose};

use shared::fighter::skeleton::{HAND, LEFT};

/// Builds the fighter with one more part, attached to its left hand.
pub fn armed(body: &Loaded) -> Result<Arc<Model>, Error> {
    let mut builder = Model::builder().ignore_neighbours(2);
    let parts = body.model.parts();
    for part in parts {
        let parent = part.parent().map(|parent| parts[parent.index()].name());
        let skin = part.tree().map_or(Geometry::None, |tree| tree.geometry().clone());
        builder = builder.part(part.name(), parent, skin).bind(*part.bind());
    }
    // A hand points along its own -y, and so does the blade.
    let (middle, half) = (Point3::new(0.0, -0.55, 0.0), Vector3::new(0.02, 0.45, 0.004));
    let blade = Obb::new(middle, Matrix3::identity(), half)?;
    let hand = parts[HAND[LEFT]].name();
    builder.part("sword", Some(hand), Geometry::Boxes(vec![blade])).build(&Build::default())
}

/// Builds a round shield's box, held in front of a hand.
pub fn shield() -> Result<Arc<Model>, Error> {
    let (middle, half) = (Point3::new(0.0, -0.1, 0.0), Vector3::new(0.25, 0.02, 0.25));
    let board = Obb::new(middle, Matrix3::identity(), half)?;
    let model = Model::builder().part("shield", None, Geometry::Boxes(vec![board]));
    model.build(&Build::default())
}

/// Returns the joint poses of the clip, and the sword's pose, which is that of the hand.
pub fn posed(clip: &Clip<f32>, time: f32) -> Result<Vec<Pose>, Error> {
    let mut poses = clip.sample(time, &mut Joints::new())?.to_vec();
    poses.push(poses[HAND[LEFT]]);
    Ok(poses)
}
