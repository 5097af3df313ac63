//! Who is measured: a character, its parts in hard poses, and two of it meeting in a clip.

use std::sync::Arc;

use boxwood::accuracy::{Case, hard_cases};
use boxwood::load::{self, Loaded};
use boxwood::motion::Joints;
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Aabb, Buffers, Model, ObbTree, PartId, Scene, Spawn};

use crate::arguments::Arguments;
use crate::fighter;

/// Frames of a clip, and distances of the two characters, that are looked at.
const FRAMES: usize = 10;
const DISTANCES: [f32; 4] = [0.15, 0.25, 0.35, 0.5];

/// Cases of a clip, at most: every so many are kept.
const CLIP_CASES: usize = 480;

pub struct Subject {
    pub name: String,
    pub loaded: Loaded<f32>,
    pub clip: String,
    /// The largest extent at rest, in units of the file: what lengths are compared with.
    pub size: f64,
}

impl Subject {
    pub fn all(arguments: &Arguments) -> Result<Vec<Self>, String> {
        if arguments.models.is_empty() {
            let loaded = fighter::fighter();
            return Ok(vec![Subject::new("fighter".to_owned(), loaded, "kick".to_owned())?]);
        }
        let load = |(file, clip): &(std::path::PathBuf, String)| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let loaded = load::gltf(file).map_err(|error| error.to_string())?;
            Subject::new(name, loaded, clip.clone())
        };
        arguments.models.iter().map(load).collect()
    }

    fn new(name: String, loaded: Loaded<f32>, clip: String) -> Result<Self, String> {
        if let Err(error) = loaded.clips.get(&clip) {
            let names: Vec<&str> = loaded.clips.iter().map(|clip| clip.name()).collect();
            return Err(format!("{name}: {error}; there are: {}", names.join(", ")));
        }
        let size = f64::from(size(&loaded.model)?);
        Ok(Subject { name, loaded, clip, size })
    }

    /// The trees of the parts that have one, and whose they are.
    pub fn trees(&self) -> Vec<(PartId, &ObbTree)> {
        let parts = self.loaded.model.parts().iter().enumerate();
        parts.filter_map(|(i, part)| Some((PartId::new(i), part.tree()?))).collect()
    }

    /// Pairs of parts, taken in turn, around the distance at which they begin to touch.
    pub fn hard(&self, count: usize) -> Result<Vec<Case<'_, f32>>, String> {
        let trees = self.trees();
        let (pairs, each) = (count.div_ceil(12), 12);
        let mut cases = Vec::new();
        for index in 0..pairs {
            // Steps without a common divisor visit all pairs in a mixed order.
            let (a, b) =
                (index * 7 % trees.len(), (index * 11 + index / trees.len() + 3) % trees.len());
            let pair = [trees[a].1, trees[b].1];
            let made = hard_cases(pair, each, 1_000 + index as u64);
            cases.extend(made.map_err(|error| error.to_string())?);
        }
        cases.truncate(count);
        Ok(cases)
    }

    /// Parts of two characters whose world boxes overlap in frames of the clip, the second facing the first.
    pub fn clip(&self) -> Result<Vec<([PartId; 2], Case<'_, f32>)>, String> {
        let said = |error: boxwood::Error| error.to_string();
        let (model, mut found) = (&self.loaded.model, Vec::new());
        let clip = self.loaded.clips.get(&self.clip).map_err(said)?;
        for (frame, share) in (0..FRAMES).flat_map(|f| DISTANCES.map(|d| (f, d))) {
            let mut scene = Scene::new();
            let red = scene.insert(model, Spawn::default()).map_err(said)?;
            let blue = scene.insert(model, Spawn::default()).map_err(said)?;
            let away = Vector3::z() * share * self.size as f32;
            let facing = Isometry3::new(away, Vector3::y() * std::f32::consts::PI);
            let (mut joints, mut buffers) = (Joints::default(), Buffers::new());
            for (key, at, offset) in [(red, Isometry3::identity(), 0.0), (blue, facing, 0.35)] {
                let time = clip.duration() * (frame as f32 / FRAMES as f32 + offset);
                let poses = clip.sample_looped(time, &mut joints).map_err(said)?;
                scene.set_joints(key, &at, poses).map_err(said)?;
            }
            let now = scene.snapshot(&mut buffers);
            for (a, tree_a) in self.trees() {
                for (b, tree_b) in self.trees() {
                    let boxes =
                        (now.part_box(red, a).map_err(said)?, now.part_box(blue, b).map_err(said)?);
                    if boxes.0.intersects(&boxes.1) {
                        let poses = [
                            *scene.pose(red, a).map_err(said)?,
                            *scene.pose(blue, b).map_err(said)?,
                        ];
                        found.push(([a, b], [tree_a, tree_b], poses));
                    }
                }
            }
        }
        let every = found.len().div_ceil(CLIP_CASES).max(1);
        let kept = found.into_iter().step_by(every);
        kept.map(|(parts, trees, poses)| Ok((parts, Case::new(trees, poses).map_err(said)?)))
            .collect()
    }
}

fn size(model: &Arc<Model>) -> Result<f32, String> {
    let mut scene = Scene::new();
    let key = scene.insert(model, Spawn::default()).map_err(|error| error.to_string())?;
    let mut buffers = Buffers::new();
    let bounds: Aabb =
        scene.snapshot(&mut buffers).character_box(key).map_err(|error| error.to_string())?;
    Ok(bounds.sizes().max())
}
