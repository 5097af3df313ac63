//! A character of a file in the place of a person: as tall as the fighter, with its feet on the
//! floor, about the vertical axis.

use std::path::Path;

use boxwood::motion::Joints;
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Aabb, Error, Loaded, Loader, NodeId};

use crate::fighter::proportions::STATURE;
use crate::{any_file, fighter};

/// A character, and where it stands.
pub struct Person {
    pub loaded: Loaded,
    /// Pose of its root from which its feet are at the origin.
    pub place: Isometry3<f32>,
    /// Sizes in the first pose of its first clip [m].
    pub sizes: Vector3<f32>,
}

/// Loads a character of any file, or the fighter.
pub fn person(file: Option<&str>) -> Result<Person, String> {
    let Some(file) = file else {
        let (loaded, place) = (fighter::fighter(), Isometry3::identity());
        let sizes = bounds(&loaded).map_err(|error| error.to_string())?.sizes();
        return Ok(Person { loaded, place, sizes });
    };
    let path = Path::new(file);
    let loaded = any_file::load(path, &Loader::new())?;
    any_file::check_parts(path, &loaded.model)?;
    stand(loaded).map_err(|error| format!("{file}: {error}"))
}

/// Scales a character to the fighter's height, and finds where it stands.
fn stand(loaded: Loaded) -> Result<Person, Error> {
    let height = f64::from(bounds(&loaded)?.sizes().y);
    let loaded = loaded.scaled(STATURE / height)?;
    let around = bounds(&loaded)?;
    let middle = around.center().map_or(Vector3::zeros(), |middle| middle.coords);
    let place = Isometry3::translation(-middle.x, -around.min.y, -middle.z);
    Ok(Person { loaded, place, sizes: around.sizes() })
}

/// Returns the smallest box around the boxes of all parts, in the first pose of the first clip.
pub fn bounds(loaded: &Loaded) -> Result<Aabb, Error> {
    let mut joints = Joints::new();
    let poses = loaded.clips[0].sample(0.0, &mut joints)?;
    let mut around = Aabb::empty();
    for (part, pose) in loaded.model.parts().iter().zip(poses) {
        let Some(tree) = part.tree() else { continue };
        let (turn, shift) = (pose.rotation.to_rotation_matrix(), pose.translation.vector);
        let own = tree.node(NodeId::ROOT).aligned();
        around = around.merged(&own.transformed(turn.matrix(), &shift));
    }
    Ok(around)
}
