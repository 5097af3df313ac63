//! Two characters in their clips: poses, contacts, pushes and parts under the pointer, frame by
//! frame.

use boxwood::load::Loaded;
use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::shape::Ray;
use boxwood::{
    Accuracy, Buffers, CharacterKey, Counts, Detail, Error, Hits, NodeRef, PairQuery, Pose,
    QueryFilter, RayHits, Scene, Separation, Sphere,
};
use wasm_bindgen::prelude::*;

use crate::hit_lines::HitLines;
use crate::play::Play;
use crate::pushed::Pushed;
use crate::start::{self, Start};
use crate::tick::Tick;
use crate::{Character, MemoryView};

/// Numbers of the kinds of accuracy.
const DEPTH: u8 = 0;
const WITHIN: u8 = 1;
const EXACT: u8 = 2;

/// Numbers of the kinds of contacts.
const DEEPEST_BOXES: u8 = 1;
const BOXES: u8 = 2;

/// Least and greatest number of frames before the clips restart.
const FRAMES: [f32; 2] = [240.0, 1200.0];

/// Two characters, red and blue, at one frame of their clips.
#[wasm_bindgen]
pub struct Arena {
    cast: [Loaded<f32>; 2],
    plays: [Play; 2],
    start: Start,
    scene: Scene,
    keys: [CharacterKey; 2],
    accuracy: Accuracy,
    detail: Detail,
    /// `true` if pushes are applied; `pushed` has the displacements at every frame so far.
    pushing: bool,
    pushed: Vec<Pushed>,
    now: Pushed,
    buffers: Buffers,
    hits: Hits,
    ray_hits: RayHits,
    tick: Tick,
    answers: Answers,
}

/// Answers for the page, by kind.
#[derive(Default)]
struct Answers {
    matrices: Vec<f32>,
    numbers: Vec<f32>,
    sites: Vec<u32>,
    counts: Vec<f64>,
    push: Vec<f32>,
    tick: Vec<f64>,
    lines: HitLines,
}

#[wasm_bindgen]
impl Arena {
    /// Creates red and blue, each with its script or first clip, where they touch.
    ///
    /// # Errors
    /// The errors of the crate for poses.
    #[wasm_bindgen(constructor)]
    pub fn new(red: &Character, blue: &Character) -> Result<Arena, JsError> {
        let cast = [red.loaded.clone(), blue.loaded.clone()];
        let plays = [Play::first(0, &cast[0]), Play::first(1, &cast[1])];
        let start = Start::find(&[(&cast[0], plays[0]), (&cast[1], plays[1])])?;
        let mut scene = Scene::new();
        let keys = start::insert(&mut scene, [&cast[0], &cast[1]])?;
        Ok(Arena {
            cast,
            plays,
            start,
            scene,
            keys,
            accuracy: Accuracy::Depth(3),
            detail: Detail::Bodies,
            pushing: true,
            pushed: vec![Pushed::default()],
            now: Pushed::default(),
            buffers: Buffers::new(),
            hits: Hits::new(),
            ray_hits: RayHits::new(),
            tick: Tick::default(),
            answers: Answers::default(),
        })
    }

    /// Returns `true` if a side (0 red, 1 blue) has the clips of the fight's script.
    pub fn has_script(&self, side: usize) -> bool {
        Play::first(side, &self.cast[side]).is_scripted()
    }

    /// Sets what a side plays: the index of a clip, or -1 for its script; both restart where they
    /// touch.
    ///
    /// # Errors
    /// The errors of the crate for poses.
    pub fn play(&mut self, side: usize, clip: i32) -> Result<(), JsError> {
        let count = self.cast[side].clips.len();
        self.plays[side] = match usize::try_from(clip) {
            Ok(clip) if clip < count => Play::Clip(clip),
            _ => Play::first(side, &self.cast[side]),
        };
        let [red, blue] = &self.cast;
        self.start = Start::find(&[(red, self.plays[0]), (blue, self.plays[1])])?;
        self.pushed.truncate(1);
        Ok(())
    }

    /// Returns the index of a side's clip at the frame, and the time in it [s].
    pub fn playing(&self, side: usize, frame: usize) -> Vec<f32> {
        let (clip, t, _) = self.plays[side].at(&self.cast[side], frame);
        let duration = self.cast[side].clips[clip].duration();
        vec![clip as f32, if duration > 0.0 { t % duration } else { 0.0 }]
    }

    /// Number of frames of a sixtieth of a second before the clips restart.
    pub fn frames(&self) -> usize {
        let length = |side: usize| self.plays[side].frames(&self.cast[side]);
        length(0).max(length(1)).clamp(FRAMES[0], FRAMES[1]) as usize
    }

    /// Distance of blue's start from red.
    #[wasm_bindgen(getter)]
    pub fn distance(&self) -> f32 {
        self.start.distance
    }

    /// Sets the distance of blue's start.
    #[wasm_bindgen(setter)]
    pub fn set_distance(&mut self, distance: f32) {
        if distance.is_finite() {
            self.start.distance = distance;
            self.pushed.truncate(1);
        }
    }

    /// Sets the accuracy: 0 a depth, 1 a tolerance, 2 exact, 3 a budget; and its value.
    pub fn set_accuracy(&mut self, kind: u8, value: f64) {
        self.accuracy = accuracy(kind, value);
    }

    /// Sets the kind of contact: 0 of bodies, 1 of the deepest boxes of two parts, 2 of all boxes.
    pub fn set_detail(&mut self, kind: u8) {
        self.detail = match kind {
            DEEPEST_BOXES => Detail::DeepestBoxes,
            BOXES => Detail::Boxes,
            _ => Detail::Bodies,
        };
    }

    /// Enables pushes that separate the two.
    pub fn set_pushing(&mut self, pushing: bool) {
        self.pushing = pushing;
    }

    /// Poses both for a frame.
    ///
    /// # Errors
    /// The errors of the crate for poses.
    pub fn pose(&mut self, frame: usize) -> Result<(), JsError> {
        self.now = Pushed::default();
        if self.pushing {
            while self.pushed.len() <= frame {
                self.push_on()?;
            }
            self.now = self.pushed[frame];
        }
        Ok(self.set_poses(frame)?)
    }

    /// Sets a tick from one frame to another, and finds the first impact in it; poses both at a
    /// time of the tick, from 0 to 1.
    ///
    /// # Errors
    /// The errors of the crate for poses.
    pub fn pose_in_tick(&mut self, from: usize, to: usize, time: f64) -> Result<(), JsError> {
        self.pose(from)?;
        self.tick.start(&self.scene);
        self.pose(to)?;
        self.tick.finish(&self.scene, self.keys, &mut self.buffers)?;
        self.tick.show(time, &mut self.scene)?;
        self.tick.list(&mut self.answers.tick);
        Ok(())
    }

    /// Returns the answer about the tick: 1 if the two touch before it, 1 if they touch after it;
    /// then, if there is an impact, the time until which they are clear, its time, slack, the part
    /// of red, that of blue, a point of each, and the normal.
    pub fn tick_numbers(&self) -> MemoryView {
        MemoryView::of(&self.answers.tick)
    }

    /// Finds the contacts at the frame, with the current accuracy.
    ///
    /// # Errors
    /// The errors of the crate for the accuracy.
    pub fn find_contacts(&mut self, cross: f32) -> Result<(), JsError> {
        let query = PairQuery::between(self.keys[0], self.keys[1])
            .detail(self.detail)
            .accuracy(self.accuracy);
        let now = self.scene.snapshot(&mut self.buffers);
        let report = now.contacts(&query, &mut self.hits)?;
        self.answers.lines.fill(&now, &self.hits, cross);
        let c = &report.counts;
        let tests = [c.parts, c.tests(), c.hulls, c.primitives, c.exact, c.points];
        self.answers.counts.clear();
        self.answers.counts.extend(tests.map(|count| count as f64));
        self.answers.counts.extend([f64::from(report.slack), f64::from(u8::from(report.met))]);
        self.answers.list(&self.hits, self.keys[1]);
        Ok(())
    }

    /// Finds the translation of blue along the ground that separates the two, by the exact test;
    /// returns `true` if they touch.
    ///
    /// # Errors
    /// None for accepted poses.
    pub fn find_push(&mut self) -> Result<bool, JsError> {
        let found = self.separation()?;
        self.answers.push.clear();
        if let Some(Separation { normal, depth, on_a, on_b, .. }) = &found {
            let (a, b) = (on_a.coords, on_b.coords);
            self.answers.push.extend(normal.iter().chain([depth]).chain(&a).chain(&b));
        }
        Ok(found.is_some())
    }

    /// Returns the matrices of all parts, those of red first: 16 numbers each, column by column.
    pub fn matrices(&mut self) -> MemoryView {
        self.answers.matrices.clear();
        for key in self.keys {
            let poses = self.scene.poses(key).unwrap_or_default();
            for pose in poses {
                self.answers.matrices.extend(pose.to_homogeneous().as_slice());
            }
        }
        MemoryView::of(&self.answers.matrices)
    }

    /// Returns the pose of a side's model: a matrix, column by column.
    pub fn root(&self, side: usize, frame: usize) -> Vec<f32> {
        let (_, _, forward) = self.plays[side].at(&self.cast[side], frame);
        self.place(side, forward).to_homogeneous().as_slice().to_vec()
    }

    /// Returns nine numbers a hit: point, bound on its error, normal, depth, slack. The depth of
    /// disjoint bodies is minus their distance.
    pub fn hit_numbers(&self) -> MemoryView {
        MemoryView::of(&self.answers.numbers)
    }

    /// Returns six numbers a hit: side, part and node of the first, then of the second.
    pub fn hit_sites(&self) -> MemoryView {
        MemoryView::of(&self.answers.sites)
    }

    /// Returns the numbers of tests of part boxes, boxes of nodes, hulls, primitives, exact ones
    /// and points, then slack and whether the accuracy was met.
    pub fn counts(&self) -> MemoryView {
        MemoryView::of(&self.answers.counts)
    }

    /// Returns the translation of blue: direction, length, and the last contact point of each;
    /// empty if they do not touch.
    pub fn push_numbers(&self) -> MemoryView {
        MemoryView::of(&self.answers.push)
    }

    /// Returns lines, six numbers each: of kind 0 the boxes of hits, 1 points, 2 normals, 3 world
    /// boxes of characters.
    pub fn lines(&self, kind: usize) -> MemoryView {
        self.answers.lines.of.get(kind).map_or(MemoryView::of::<f32>(&[]), |of| MemoryView::of(of))
    }

    /// Returns the first part that a ray hits: side, part, distance, number of tests; empty if none.
    ///
    /// # Errors
    /// The errors for a ray that is not finite or not unit.
    pub fn part_under(&mut self, ray: &[f32]) -> Result<Vec<f32>, JsError> {
        let [x, y, z, dx, dy, dz] = *ray else { return Ok(Vec::new()) };
        let Some(along) = Unit::try_new(Vector3::new(dx, dy, dz), 1e-6) else {
            return Ok(Vec::new());
        };
        let ray = Ray::new(Point3::new(x, y, z), along)?;
        let filter = QueryFilter::all().accuracy(Accuracy::Exact);
        let now = self.scene.snapshot(&mut self.buffers);
        let hit = now.ray_cast(ray, &filter, &mut self.ray_hits)?;
        let (blue, tests) = (self.keys[1], all_tests(&self.ray_hits.report().counts));
        let numbers = hit.map(|hit| {
            let NodeRef { character, part, .. } = hit.target;
            let side = f32::from(u8::from(character == blue));
            vec![side, part.index() as f32, hit.distance, tests]
        });
        Ok(numbers.unwrap_or_default())
    }

    /// Returns what stops a ball that is thrown along a ray: side, part, length of its path [m], the
    /// bound on how far it is from the part at its end [m], number of tests, its centre at the end, and
    /// the point of the part that stops it; empty if nothing does.
    ///
    /// # Errors
    /// The errors for a ray that is not finite, and for a radius.
    pub fn ball_along(&mut self, ray: &[f32], radius: f32) -> Result<Vec<f32>, JsError> {
        let [x, y, z, dx, dy, dz] = *ray else { return Ok(Vec::new()) };
        let (from, along) = (Point3::new(x, y, z), Vector3::new(dx, dy, dz));
        let ball = Sphere::new(from, radius)?;
        let filter = QueryFilter::all().accuracy(Accuracy::Exact);
        let now = self.scene.snapshot(&mut self.buffers);
        let both = now.character_aabb(self.keys[0])?.merged(&now.character_aabb(self.keys[1])?);
        // Beyond the farthest point of both.
        let farthest = [both.min, both.max].map(|corner| (corner - from).abs());
        let way = along * (farthest[0].sup(&farthest[1]).norm() + radius);
        let hit = now.shape_cast(ball, way, &filter, self.hits.scratch())?;
        let tests = all_tests(self.hits.scratch().counts());
        let numbers = hit.map(|hit| {
            let NodeRef { character, part, .. } = hit.target;
            let side = f32::from(u8::from(character == self.keys[1]));
            let centre = from + way * hit.time_of_impact;
            let [part, length] = [part.index() as f32, hit.length(way)];
            let mut numbers = vec![side, part, length, hit.slack, tests];
            numbers.extend(centre.coords.iter().chain(&hit.point.coords));
            numbers
        });
        Ok(numbers.unwrap_or_default())
    }

    /// Returns the box around both at the frame: its least and its greatest corner.
    ///
    /// # Errors
    /// None.
    pub fn bounds(&mut self) -> Result<Vec<f32>, JsError> {
        let now = self.scene.snapshot(&mut self.buffers);
        let both = now.character_aabb(self.keys[0])?.merged(&now.character_aabb(self.keys[1])?);
        Ok(both.min.iter().chain(both.max.iter()).copied().collect())
    }
}

impl Arena {
    /// Pose of a side's model after a walk of `forward`.
    fn place(&self, side: usize, forward: f32) -> Pose {
        let place = self.start.places()[side];
        Isometry3::from(self.now.by[side]) * place * Isometry3::translation(0.0, 0.0, forward)
    }

    fn set_poses(&mut self, frame: usize) -> Result<(), Error> {
        for side in [0, 1] {
            let (_, _, forward) = self.plays[side].at(&self.cast[side], frame);
            let at = self.place(side, forward);
            let joints = &mut self.buffers.joints;
            let (joints, _) = self.plays[side].sample(&self.cast[side], frame, joints)?;
            self.scene.set_joints(self.keys[side], &at, joints)?;
        }
        Ok(())
    }

    /// Plays the first frame whose push is unknown, and responds to it.
    fn push_on(&mut self) -> Result<(), Error> {
        let frame = self.pushed.len() - 1;
        self.now = self.pushed[frame];
        self.set_poses(frame)?;
        let push = self.separation()?;
        self.pushed.push(self.now.next(push.as_ref()));
        Ok(())
    }

    fn separation(&mut self) -> Result<Option<Separation>, Error> {
        let query = PairQuery::between(self.keys[0], self.keys[1]);
        let now = self.scene.snapshot(&mut self.buffers);
        now.separation(&query, &self.now.question(), self.hits.scratch())
    }
}

/// Returns the accuracy of a kind: 0 a depth, 1 a tolerance, 2 exact, 3 a budget; and its value.
pub(crate) fn accuracy(kind: u8, value: f64) -> Accuracy {
    match kind {
        DEPTH => Accuracy::Depth(value as u8),
        WITHIN => Accuracy::Within(value),
        EXACT => Accuracy::Exact,
        _ => Accuracy::Budget(value as u32),
    }
}

/// Number of all tests of a query.
fn all_tests(of: &Counts) -> f32 {
    (of.characters + of.parts + of.tests() + of.hulls + of.primitives + of.exact) as f32
}

impl Answers {
    /// Lists the hits; the side of `one` is 1, the other is 0.
    fn list(&mut self, hits: &Hits, one: CharacterKey) {
        self.numbers.clear();
        self.sites.clear();
        for hit in hits {
            let (point, normal) = (hit.point.coords, hit.normal);
            let rest = [hit.depth, hit.slack];
            self.numbers.extend(point.iter().chain([&hit.point_error]).chain(&normal).chain(&rest));
            for NodeRef { character, part, node } in [hit.a, hit.b] {
                let side = u32::from(character == one);
                self.sites.extend([side, part.index() as u32, node.index() as u32]);
            }
        }
    }
}
