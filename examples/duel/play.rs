//! The loop: move, test, mark, push apart.

use std::io::Write;
use std::time::Instant;

use boxwood::{
    Accuracy, Buffers, CharacterKey, Counts, Error, Hit, Hits, NodeRef, PairQuery, Pose, Scene,
    Snapshot, Spawn,
};
use nalgebra::{Isometry3, Point3, Vector3};

use crate::arena::{Arena, Told};
use crate::arguments::Arguments;
use crate::blow::{Blow, Blows};
use crate::cast::{self, Fighter, Start};
use crate::output::Outputs;
use crate::story::{self, Times};
use crate::trouble::Trouble;

/// An effect that fades.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spark {
    pub point: Point3<f32>,
    /// Frames since the hit.
    pub age: usize,
}

/// How many frames an effect is seen.
pub const SPARK_FRAMES: usize = 12;

/// What a frame looks like, for whoever shows it.
pub struct Frame<'a> {
    pub number: usize,
    pub cast: &'a [Fighter; 2],
    pub keys: [CharacterKey; 2],
    pub now: Snapshot<'a>,
    pub scene: &'a Scene,
    pub hits: &'a [Hit],
    pub sparks: &'a [Spark],
    /// The blow that the hits belong to.
    pub blow: Option<&'a Blow>,
}

impl Frame<'_> {
    /// 0 for red, 1 for blue.
    pub fn side(&self, site: NodeRef) -> usize {
        usize::from(site.character == self.keys[1])
    }

    pub fn part_name(&self, site: NodeRef) -> &str {
        self.cast[self.side(site)].loaded.model.parts()[site.part.index()].name()
    }
}

/// What it came to.
#[derive(Debug, Default)]
pub struct Summary {
    pub frames: usize,
    pub frames_with_hits: usize,
    pub hits: usize,
    pub deepest: f32,
    /// The greatest slack of a hit.
    pub slack: f32,
    pub blows: Vec<Blow>,
    pub counts: Counts,
    /// How long every frame took.
    pub times: Vec<Times>,
    /// What was seen of the level, if there is one.
    pub level: Option<Told>,
}

/// The state of the fight beside the poses.
struct Fight {
    scene: Scene,
    keys: [CharacterKey; 2],
    /// How far each was pushed along the ground.
    pushed: [Vector3<f32>; 2],
    sparks: Vec<Spark>,
    start: Start,
    arena: Option<Arena>,
}

pub fn fight(
    arguments: &Arguments,
    cast: &[Fighter; 2],
    outputs: &mut Outputs,
    terminal: &mut dyn Write,
) -> Result<Summary, Trouble> {
    let start = Start::find(arguments, cast).map_err(Trouble::Cast)?;
    story::header(arguments, cast, &start, terminal).map_err(Trouble::Terminal)?;
    let mut scene = Scene::new();
    churn(&mut scene, cast, arguments.churn)?;
    let keys = cast::insert(&mut scene, cast).map_err(Trouble::Cast)?;
    let (pushed, sparks) = ([Vector3::zeros(); 2], Vec::new());
    let mut fight = Fight { scene, keys, pushed, sparks, start, arena: None };
    let query = PairQuery::between(keys[0], keys[1])
        .detail(arguments.detail)
        .accuracy(Accuracy::Depth(arguments.depth));
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    if arguments.level {
        fight.build_arena(cast, &mut buffers)?;
    }
    let times = Vec::with_capacity(arguments.frames);
    let mut summary = Summary { times, ..Summary::default() };
    let mut blows = Blows::new(arguments.frames);
    for number in 0..arguments.frames {
        let mut lap = laps();
        fight.pose(cast, number, &mut buffers)?;
        let posed = lap();
        let now = fight.scene.snapshot(&mut buffers);
        let placed = lap();
        let report = now.contacts(&query, &mut hits)?;
        summary.times.push([posed, placed, lap()]);
        summary.counts += report.counts;
        summary.add(&hits);
        mark(&mut fight.sparks, &now, &mut hits)?;
        let (scene, sparks) = (&fight.scene, &fight.sparks);
        blows.see(number, (scene, keys, fight.pushed), &hits)?;
        let blow = blows.going(number).filter(|_| !hits.is_empty());
        let frame = Frame { number, cast, keys, now, scene, hits: &hits, sparks, blow };
        outputs.show(&frame, terminal)?;
        if let Some(arena) = &mut fight.arena {
            arena.see(&now, keys, Accuracy::Depth(arguments.depth))?;
        }
        fight.respond(&hits);
    }
    summary.level = fight.arena.map(Arena::into_told);
    summary.blows = blows.into_all();
    Ok(summary)
}

/// A clock that says how many microseconds have passed since it was asked before.
fn laps() -> impl FnMut() -> f32 {
    let mut since = Instant::now();
    move || {
        let now = Instant::now();
        let lap = now.duration_since(since).as_secs_f32() * 1e6;
        since = now;
        lap
    }
}

/// Characters that come and go before the fight; nothing of them may show.
fn churn(scene: &mut Scene, cast: &[Fighter; 2], count: usize) -> Result<(), Trouble> {
    for index in 0..count {
        let spawn = Spawn::default().order(1000 + index as u64);
        let model = &cast[index % 2].loaded.model;
        let key = scene.insert(model, spawn)?;
        scene.remove(key)?;
    }
    Ok(())
}

impl Fight {
    /// Where a model stands at this frame.
    fn place(&self, index: usize, forward: f32) -> Pose {
        let place = self.start.places()[index];
        Isometry3::from(self.pushed[index]) * place * Isometry3::translation(0.0, 0.0, forward)
    }

    fn pose(
        &mut self,
        cast: &[Fighter; 2],
        number: usize,
        buffers: &mut Buffers,
    ) -> Result<(), Trouble> {
        for (index, fighter) in cast.iter().enumerate() {
            let sampled = fighter.joints(number, &mut buffers.joints);
            let (joints, forward) = sampled.map_err(Trouble::Cast)?;
            let mut at = self.place(index, forward);
            if let Some(arena) = &mut self.arena {
                let place = arena.walk(index, at.translation.vector)?;
                // What the level held back was no push.
                let held = place - at.translation.vector;
                self.pushed[index] += Vector3::new(held.x, 0.0, held.z);
                at.translation.vector = place;
            }
            let key = self.keys[index];
            self.scene.set_joints(key, &at, joints)?;
        }
        Ok(())
    }

    /// Builds the level about the fighters as they stand in their first frame.
    fn build_arena(&mut self, cast: &[Fighter; 2], buffers: &mut Buffers) -> Result<(), Trouble> {
        self.pose(cast, 0, buffers)?;
        let now = self.scene.snapshot(buffers);
        let bounds = [now.character_aabb(self.keys[0])?, now.character_aabb(self.keys[1])?];
        self.arena = Some(Arena::new(&mut self.scene, &self.start, bounds)?);
        Ok(())
    }

    /// Both give way by half of the deepest overlap, along the ground; untouched, they close in
    /// again.
    fn respond(&mut self, hits: &[Hit]) {
        let Some(hit) = deepest(hits) else {
            self.pushed.iter_mut().for_each(|pushed| *pushed *= 0.98);
            return;
        };
        let ground = Vector3::new(hit.normal.x, 0.0, hit.normal.z);
        // A blow from above pushes back too: away from each other.
        let away = if ground.norm() > 0.3 { ground.normalize() } else { Vector3::z() };
        let away = if away.z < 0.0 { -away } else { away };
        let step = away * (0.5 * hit.depth).min(0.01 * self.start.distance);
        self.pushed[0] -= step;
        self.pushed[1] += step;
    }
}

pub fn deepest(hits: &[Hit]) -> Option<&Hit> {
    hits.iter().max_by(|a, b| a.depth.total_cmp(&b.depth))
}

/// Ages the effects, and adds one at the deepest hit: where the surfaces of its two parts cross,
/// or, if only their boxes touch, at its point.
fn mark(sparks: &mut Vec<Spark>, now: &Snapshot<'_>, hits: &mut Hits) -> Result<(), Error> {
    sparks.iter_mut().for_each(|spark| spark.age += 1);
    sparks.retain(|spark| spark.age < SPARK_FRAMES);
    if let Some(&Hit { a, b, point, .. }) = deepest(hits) {
        let curve = now.intersection_curve(a, b, hits.scratch())?;
        sparks.push(Spark { point: curve.map_or(point, |curve| curve.centroid), age: 0 });
    }
    Ok(())
}

impl Summary {
    fn add(&mut self, hits: &[Hit]) {
        self.frames += 1;
        self.frames_with_hits += usize::from(!hits.is_empty());
        self.hits += hits.len();
        self.deepest = deepest(hits).map_or(self.deepest, |hit| hit.depth.max(self.deepest));
        self.slack = hits.iter().map(|hit| hit.slack).fold(self.slack, f32::max);
    }
}
