//! The one who is swung at: the fighter with a sword of his own, or a character of a file.

use std::f32::consts::PI;
use std::sync::Arc;

use boxwood::motion::Joints;
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Error, Loaded, Model, PartId, Pose};
use shared::person::{bounds, person};

use crate::armed_fighter::{armed, posed};

/// Length by which the fighter's body is ahead of its middle [m].
const FRONT: f32 = 0.3;
/// Height of the shield's middle, as high as the blade [m].
const SHIELD: f32 = 1.55;
/// Parts of the fighter that can be struck: the upper body, none that touches the floor.
const BODY: [&str; 6] = ["hips", "spine", "chest", "neck", "head", "left_forearm"];

pub struct Target {
    loaded: Loaded,
    pub model: Arc<Model>,
    /// `true` if it is the fighter, with a sword.
    is_fighter: bool,
    /// Pose of the root from which the feet are at the origin.
    place: Pose,
    /// Length by which the front is further ahead than the fighter's [m].
    long: f32,
    /// Parts that can be struck.
    pub body: Vec<PartId>,
    /// Part that holds the shield, and the shield's pose in its frame.
    pub holder: (PartId, Pose),
}

impl Target {
    pub fn new(file: Option<&str>) -> Result<Self, Box<dyn std::error::Error>> {
        let one = person(file)?;
        let (loaded, place) = (one.loaded, one.place);
        if file.is_none() {
            let model = armed(&loaded)?;
            let body = BODY.iter().map(|name| model.part(name)).collect::<Result<_, _>>()?;
            let holder = (model.part("left_hand")?, Pose::identity());
            return Ok(Target { loaded, model, is_fighter: true, place, long: 0.0, body, holder });
        }
        let model = loaded.model.clone();
        let solid = model.parts().iter().enumerate().filter(|(_, part)| part.tree().is_some());
        let body: Vec<PartId> = solid.map(|(index, _)| PartId::new(index)).collect();
        // The first part that can be struck holds the shield upright before everything else.
        let around = bounds(&loaded)?;
        let pose = loaded.clips[0].sample(0.0, &mut Joints::new())?[body[0].index()];
        let middle = 0.5 * (around.min.x + around.max.x);
        let ahead = Vector3::new(middle, around.min.y + SHIELD, around.max.z + 0.2);
        let held = pose.inv_mul(&Isometry3::new(ahead, Vector3::x() * (-0.5 * PI)));
        let (holder, long) = ((body[0], held), (0.5 * one.sizes.z - FRONT).max(0.0));
        Ok(Target { loaded, model, is_fighter: false, place, long, body, holder })
    }

    /// Returns the pose of the root at this distance from the origin, which it faces; longer ones stand
    /// further off.
    pub fn root(&self, far: f32) -> Pose {
        let ahead = Vector3::new(0.0, 0.0, far + self.long);
        let there = Isometry3::new(ahead, Vector3::new(0.0, PI, 0.0));
        there * self.place
    }

    /// Returns the poses of all parts at a time: of the fighter's guard, or of the first clip.
    pub fn poses(&self, time: f32) -> Result<Vec<Pose>, Error> {
        match self.is_fighter {
            true => posed(self.loaded.clips.get("guard")?, time),
            false => Ok(self.loaded.clips[0].sample_looped(time, &mut Joints::new())?.to_vec()),
        }
    }
}
