//! The measured character: its parts in hard poses, and two instances that touch in its clips.

use boxwood::accuracy::{Case, hard_cases};
use boxwood::load::{Loaded, Loader};
use boxwood::{Buffers, ObbTree, PartId, Scene, Spawn};

use crate::any_file;
use crate::arguments::{Arguments, Named};
use crate::bar;
use crate::facing_pairs::{self, Pairs};
use crate::fighter;

/// First seed of the hard poses: the same in every run.
pub const SEED: u64 = 1_000;

/// Number of hard poses of two parts before the next two.
const EACH: usize = 12;

pub struct Subject {
    pub name: String,
    pub loaded: Loaded<f32>,
    pub clips: Vec<String>,
    /// Largest extent at rest, in units of the file: the reference of relative lengths.
    pub size: f64,
    /// Number of measured frames of a clip.
    frames: usize,
}

impl Subject {
    /// Loads the files of the arguments, or the fighter.
    pub fn all(arguments: &Arguments) -> Result<Vec<Self>, String> {
        let frames = arguments.frames;
        if arguments.models.is_empty() {
            let clips = ["jab", "kick"].map(str::to_owned).to_vec();
            return Ok(vec![Subject::new(
                "fighter".to_owned(),
                fighter::fighter(),
                clips,
                frames,
            )?]);
        }
        let load = |Named { file, clips }: &Named| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let loaded = any_file::load(file, &Loader::new().progress(&bar::bar()))?;
            let first = || vec![loaded.clips[0].name().to_owned()];
            let clips = if clips.is_empty() { first() } else { clips.clone() };
            Subject::new(name, loaded, clips, frames)
        };
        arguments.models.iter().map(load).collect()
    }

    fn new(
        name: String,
        loaded: Loaded<f32>,
        clips: Vec<String>,
        frames: usize,
    ) -> Result<Self, String> {
        for clip in &clips {
            let known = any_file::clip(&loaded, Some(clip));
            known.map_err(|trouble| format!("--clip: {name}: {trouble}"))?;
        }
        let size = size(&loaded).map_err(|error| error.to_string())?;
        let subject = Subject { name, loaded, clips, size, frames };
        match subject.trees().is_empty() {
            true => Err(format!("--model: {} has no geometry", subject.name)),
            false => Ok(subject),
        }
    }

    /// Returns the trees of the parts that have one.
    pub fn trees(&self) -> Vec<(PartId, &ObbTree)> {
        let parts = self.loaded.model.parts().iter().enumerate();
        parts.filter_map(|(i, part)| Some((PartId::new(i), part.tree()?))).collect()
    }

    /// Returns pairs of parts, in turn, near the distance at which they first touch.
    pub fn hard(&self, count: usize) -> Result<Vec<Case<'_, f32>>, String> {
        let trees = self.trees();
        let mut cases = Vec::new();
        for index in 0..count.div_ceil(EACH) {
            // Two strides mix the order of the pairs.
            let (a, b) = (index * 7, index * 11 + index / trees.len() + 3);
            let pair = [a, b].map(|i| trees[i % trees.len()].1);
            let made = hard_cases(pair, EACH, SEED + index as u64);
            cases.extend(made.map_err(|error| error.to_string())?);
        }
        cases.truncate(count);
        Ok(cases)
    }

    /// Returns the parts of two characters whose world boxes overlap in frames of the clips, the
    /// second facing the first; and the number of frames.
    pub fn meetings(&self) -> Result<Meetings<'_>, String> {
        let mut meetings = Meetings { frames: 0, cases: Vec::new() };
        let model = &self.loaded.model;
        for name in &self.clips {
            let clip = any_file::clip(&self.loaded, Some(name))?;
            let found = facing_pairs::frames(model, &clip, self.frames, self.size);
            let (frames, pairs) = found.map_err(|error| format!("clip {name}: {error}"))?;
            meetings.frames += frames;
            for Pairs { parts, poses } in pairs {
                let [a, b] = parts.map(|part| model.parts()[part.index()].tree());
                let (Some(a), Some(b)) = (a, b) else { continue };
                let case = Case::new([a, b], poses).map_err(|error| error.to_string())?;
                meetings.cases.push((parts, case));
            }
        }
        match meetings.cases.is_empty() {
            true => Err(format!("{}: nothing comes near in its clips", self.name)),
            false => Ok(meetings),
        }
    }

    /// Returns the names of the clips, for titles.
    pub fn clip_names(&self) -> String {
        self.clips.join(", ")
    }
}

/// Pairs of parts that are near each other in frames of clips.
pub struct Meetings<'a> {
    pub frames: usize,
    pub cases: Vec<([PartId; 2], Case<'a, f32>)>,
}

fn size(loaded: &Loaded<f32>) -> Result<f64, boxwood::Error> {
    let mut scene = Scene::new();
    let key = scene.insert(&loaded.model, Spawn::default())?;
    let mut buffers = Buffers::new();
    let bounds = scene.snapshot(&mut buffers).character_aabb(key)?;
    Ok(f64::from(bounds.sizes().max()))
}
