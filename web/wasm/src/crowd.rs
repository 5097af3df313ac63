//! A crowd: many people of one character, each in the same clip at another time, and the parts of
//! theirs that touch.

use std::f32::consts::TAU;

use boxwood::load::Loaded;
use boxwood::motion::Joints;
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, Error, Hits, NodeId, NodeRef, Obb, PairQuery, PartId, Report,
    Scene, SimdLevel, Spawn,
};
use wasm_bindgen::prelude::*;

use crate::arena::accuracy;
use crate::play::blow;
use crate::{Character, MemoryView};

/// Distance of neighbours' places, radius of the circle that each walks on, and speed there; all in
/// heights of the character.
const SPACING: f32 = 0.6;
const RADIUS: f32 = 0.22;
const SPEED: f32 = 0.2;

/// Share of the golden section: the times of neighbours are as different as can be.
const GOLDEN: f32 = 0.618_034;

/// People of one character.
#[wasm_bindgen]
pub struct Crowd {
    character: Loaded<f32>,
    clip: Option<usize>,
    /// Root boxes of the parts with geometry.
    boxes: Vec<(PartId, Obb)>,
    /// Index of each part among these.
    index: Vec<u32>,
    height: f32,
    scene: Scene,
    keys: Vec<CharacterKey>,
    accuracy: Accuracy,
    buffers: Buffers,
    hits: Hits,
    joints: Joints<f32>,
    matrices: Vec<f32>,
    touching: Vec<u32>,
    report: Report,
    counts: Vec<f64>,
}

#[wasm_bindgen]
impl Crowd {
    /// Creates a crowd without people.
    #[wasm_bindgen(constructor)]
    pub fn new(of: &Character) -> Crowd {
        let character = of.loaded.clone();
        let parts = character.model.parts();
        let boxes: Vec<(PartId, Obb)> = parts
            .iter()
            .filter_map(|part| Some((part.id(), *part.tree()?.node(NodeId::ROOT).oriented())))
            .collect();
        let mut index = vec![0; parts.len()];
        for (at, (part, _)) in boxes.iter().enumerate() {
            index[part.index()] = at as u32;
        }
        let tops = boxes.iter().flat_map(|(part, solid)| {
            let bind = *parts[part.index()].bind();
            solid.corners().map(|corner| (bind * corner).y)
        });
        let [low, high] =
            tops.fold([f32::MAX, f32::MIN], |[low, high], y| [low.min(y), high.max(y)]);
        let clip = (!character.clips.is_empty()).then(|| blow(&character).unwrap_or(0));
        Crowd {
            clip,
            boxes,
            index,
            height: if high > low { high - low } else { 1.0 },
            scene: Scene::new(),
            keys: Vec::new(),
            accuracy: Accuracy::Exact,
            buffers: Buffers::new(),
            hits: Hits::new(),
            joints: Joints::new(),
            matrices: Vec::new(),
            touching: Vec::new(),
            report: Report::default(),
            counts: Vec::new(),
            character,
        }
    }

    /// Sets the number of people.
    ///
    /// # Errors
    /// The errors of the crate for a character.
    pub fn set_people(&mut self, people: usize) -> Result<(), JsError> {
        while self.keys.len() > people {
            if let Some(key) = self.keys.pop() {
                self.scene.remove(key)?;
            }
        }
        while self.keys.len() < people {
            let spawn = Spawn::default().order(self.keys.len() as u64);
            self.keys.push(self.scene.insert(&self.character.model, spawn)?);
        }
        Ok(())
    }

    /// Returns the number of parts with geometry of one person.
    pub fn boxes(&self) -> usize {
        self.boxes.len()
    }

    /// Returns the name of the clip that all play; empty without one.
    pub fn clip(&self) -> String {
        self.clip.map_or(String::new(), |clip| self.character.clips[clip].name().to_owned())
    }

    /// Returns the width of the square on which they stand.
    pub fn width(&self) -> f32 {
        (columns(self.keys.len()) as f32 + 1.0) * SPACING * self.height
    }

    /// Returns the height of a person.
    pub fn height(&self) -> f32 {
        self.height
    }

    /// Sets the accuracy by its kind and value.
    pub fn set_accuracy(&mut self, kind: u8, value: f64) {
        self.accuracy = accuracy(kind, value);
    }

    /// Returns the names of the instruction sets of this machine, the slowest first.
    pub fn simd_levels() -> Vec<String> {
        SimdLevel::all().into_iter().map(|level| level.to_string()).collect()
    }

    /// Sets the instruction set of the queries, by its index in the names. Answers stay the same.
    pub fn set_simd(&mut self, index: usize) {
        if let Some(level) = SimdLevel::all().into_iter().nth(index) {
            self.buffers = Buffers::with_simd_level(level);
        }
    }

    /// Poses everybody at a time [s].
    ///
    /// # Errors
    /// The errors of the crate for poses.
    pub fn pose(&mut self, time: f32) -> Result<(), JsError> {
        Ok(self.pose_all(time)?)
    }

    /// Finds the pairs of parts of different people that touch.
    ///
    /// # Errors
    /// The errors of the crate for a query.
    pub fn find_pairs(&mut self) -> Result<(), JsError> {
        let query = PairQuery::all().accuracy(self.accuracy);
        self.report = self.scene.snapshot(&mut self.buffers).pairs(&query, &mut self.hits)?;
        Ok(())
    }

    /// Computes what the page draws of the last pairs: [`Crowd::matrices`] and
    /// [`Crowd::touching`].
    ///
    /// # Errors
    /// None for the people of this crowd.
    pub fn write_boxes(&mut self) -> Result<(), JsError> {
        Ok(self.write()?)
    }

    /// Returns 16 numbers for each box, person by person: the columns of the matrix that takes a
    /// cube of half width 1 there.
    pub fn matrices(&self) -> MemoryView {
        MemoryView::of(&self.matrices)
    }

    /// Returns the indices of the boxes whose parts touch another person, ascending.
    pub fn touching(&self) -> MemoryView {
        MemoryView::of(&self.touching)
    }

    /// Returns counts of the last pairs: pairs that touch, people that touch, pairs of parts
    /// compared, box tests, hull tests, exact tests, and the slack.
    pub fn counts(&mut self) -> MemoryView {
        let (report, parts) = (&self.report, self.boxes.len().max(1) as u32);
        let mut people: Vec<u32> = self.touching.iter().map(|index| index / parts).collect();
        people.dedup();
        let counts = &report.counts;
        self.counts.clear();
        self.counts.extend([
            self.hits.pairs().len() as f64,
            people.len() as f64,
            counts.parts as f64,
            counts.tests() as f64,
            counts.hulls as f64,
            (counts.primitives + counts.points) as f64,
            f64::from(report.slack),
        ]);
        MemoryView::of(&self.counts)
    }
}

/// Returns the number of people in a row.
fn columns(people: usize) -> usize {
    (1..).find(|n| n * n >= people).unwrap_or(1)
}

impl Crowd {
    fn pose_all(&mut self, time: f32) -> Result<(), Error> {
        let (columns, spacing) = (columns(self.keys.len()), SPACING * self.height);
        let radius = RADIUS * self.height;
        for (person, &key) in self.keys.iter().enumerate() {
            let place = |at: usize| (at as f32 - 0.5 * (columns as f32 - 1.0)) * spacing;
            let own = (person as f32 * GOLDEN).fract();
            let angle = TAU * own + time * SPEED / RADIUS;
            let at = Vector3::new(
                place(person % columns) + radius * angle.sin(),
                0.0,
                place(person / columns) + radius * angle.cos(),
            );
            let root = Isometry3::new(at, Vector3::y() * (angle + 0.25 * TAU));
            match self.clip {
                Some(clip) => {
                    let clip = &self.character.clips[clip];
                    let posed =
                        clip.sample_looped(time + own * clip.duration(), &mut self.joints)?;
                    self.scene.set_joints(key, &root, posed)?;
                }
                None => self.scene.set_root(key, &root)?,
            }
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), Error> {
        self.matrices.clear();
        for &key in &self.keys {
            let poses = self.scene.poses(key)?;
            for (part, solid) in &self.boxes {
                let pose = &poses[part.index()];
                let (center, half) = (pose * solid.center(), solid.half_extents());
                for axis in 0..3 {
                    let column =
                        pose.rotation * solid.axes().column(axis).into_owned() * half[axis];
                    self.matrices.extend([column.x, column.y, column.z, 0.0]);
                }
                self.matrices.extend([center.x, center.y, center.z, 1.0]);
            }
        }
        let parts = self.boxes.len() as u32;
        let box_of = |site: &NodeRef| -> Result<u32, Error> {
            let person = self.scene.order(site.character)? as u32;
            Ok(person * parts + self.index[site.part.index()])
        };
        self.touching.clear();
        for (a, b) in self.hits.pairs() {
            self.touching.extend([box_of(a)?, box_of(b)?]);
        }
        self.touching.sort_unstable();
        self.touching.dedup();
        Ok(())
    }
}
