//! Two instances of a character that face each other, both in the same clip, close enough to touch.

use std::f32::consts::PI;
use std::sync::Arc;

use boxwood::motion::Clip;
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, Error, Hits, Model, PairQuery, PartId, Pose, Scene, Spawn,
};

/// Distances of the two, as shares of the distance at which they first touch in some frame.
const DISTANCES: [f32; 4] = [0.95, 0.8, 0.65, 0.5];

/// Time by which the second is ahead, as a share of the clip.
const AHEAD: f32 = 0.35;

/// A pair of parts whose world boxes overlap, and all their poses.
pub struct Pairs {
    pub parts: [PartId; 2],
    pub poses: [Pose; 2],
}

/// Samples `count` frames evenly over a clip at each distance; returns their number, and the near
/// pairs of parts in them.
pub fn frames(
    model: &Arc<Model>,
    clip: &Clip<f32>,
    frames: usize,
    size: f64,
) -> Result<(usize, Vec<Pairs>), Error> {
    let mut stage = FacingPair::new(model, frames)?;
    let mut touch = stage.first_touch(clip, size as f32)?;
    if touch.is_none() {
        stage.gathered = true;
        touch = stage.first_touch(clip, size as f32)?;
    }
    let Some(farthest) = touch else { return Ok((0, Vec::new())) };
    let mut found = Vec::new();
    for share in DISTANCES {
        for frame in 0..frames {
            stage.pose(clip, frame, share * farthest)?;
            stage.near(model, &mut found)?;
        }
    }
    Ok((DISTANCES.len() * frames, found))
}

struct FacingPair {
    scene: Scene,
    keys: [CharacterKey; 2],
    buffers: Buffers,
    hits: Hits,
    frames: usize,
    /// `true` if each character is moved back to its position, because recorded people walk about.
    gathered: bool,
}

impl FacingPair {
    fn new(model: &Arc<Model>, frames: usize) -> Result<Self, Error> {
        let mut scene = Scene::new();
        let red = scene.insert(model, Spawn::default())?;
        let blue = scene.insert(model, Spawn::default())?;
        let (buffers, hits) = (Buffers::new(), Hits::new());
        Ok(FacingPair { scene, keys: [red, blue], buffers, hits, frames, gathered: false })
    }

    /// Poses the first at the origin looking along Z, the second looking back at it.
    fn pose(&mut self, clip: &Clip<f32>, frame: usize, distance: f32) -> Result<(), Error> {
        let facing = Isometry3::new(Vector3::z() * distance, Vector3::y() * PI);
        let share = frame as f32 / self.frames as f32;
        let stand = [(Isometry3::identity(), share), (facing, share + AHEAD)];
        for (key, (at, share)) in self.keys.into_iter().zip(stand) {
            let poses = clip.sample_looped(clip.duration() * share, &mut self.buffers.joints)?;
            let led = if self.gathered { led(poses) } else { Vector3::zeros() };
            self.scene.set_joints(key, &(at * Isometry3::from(-led)), poses)?;
        }
        Ok(())
    }

    /// Returns the largest distance, in steps of 3 %, at which any parts touch in some frame.
    fn first_touch(&mut self, clip: &Clip<f32>, size: f32) -> Result<Option<f32>, Error> {
        let query = PairQuery::between(self.keys[0], self.keys[1]).accuracy(Accuracy::Exact);
        let mut distance = 2.0 * size;
        while distance > 0.02 * size {
            for frame in 0..self.frames {
                self.pose(clip, frame, distance)?;
                let now = self.scene.snapshot(&mut self.buffers);
                if now.intersects(&query, self.hits.scratch())? {
                    return Ok(Some(distance));
                }
            }
            distance *= 0.97;
        }
        Ok(None)
    }

    fn near(&mut self, model: &Model, found: &mut Vec<Pairs>) -> Result<(), Error> {
        let now = self.scene.snapshot(&mut self.buffers);
        let [red, blue] = self.keys;
        let solid = |i: &usize| model.parts()[*i].tree().is_some();
        for a in (0..model.len()).filter(solid).map(PartId::new) {
            for b in (0..model.len()).filter(solid).map(PartId::new) {
                if now.part_aabb(red, a)?.intersects(&now.part_aabb(blue, b)?) {
                    let poses = [*self.scene.pose(red, a)?, *self.scene.pose(blue, b)?];
                    found.push(Pairs { parts: [a, b], poses });
                }
            }
        }
        Ok(())
    }
}

/// Centre of the joints, on the ground plane.
fn led(poses: &[Pose]) -> Vector3<f32> {
    let sum: Vector3<f32> = poses.iter().map(|pose| pose.translation.vector).sum();
    let middle = sum / poses.len() as f32;
    Vector3::new(middle.x, 0.0, middle.z)
}
