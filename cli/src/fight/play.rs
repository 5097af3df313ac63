//! Loop of the fight: move, test, mark, push apart.

use std::time::Instant;

use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, Counts, Error, Hit, Hits, NodeRef, PairQuery, Pose, Push,
    Report, Scene, Separation, Snapshot, Spawn,
};

use super::Rules;
use super::arena::{Arena, Told};
use super::blow::{Blow, Blows, deepest};
use super::cast::{self, Fighter, Start};
use super::trouble::Trouble;

/// An effect that fades.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spark {
    pub point: Point3<f32>,
    /// Number of frames since the hit.
    pub age: usize,
}

/// Number of frames for which an effect is visible.
pub const SPARK_FRAMES: usize = 12;

/// Distance that each goes beyond half of a push, because poses are rounded [m].
const BEYOND: f32 = 1e-5;

/// Times of a frame: setting poses, snapshot, query [us].
pub type Times = [f32; 3];

/// The results of a frame, for output.
pub struct Frame<'a> {
    pub number: usize,
    pub cast: &'a [Fighter; 2],
    pub keys: [CharacterKey; 2],
    pub now: Snapshot<'a>,
    pub scene: &'a Scene,
    pub hits: &'a [Hit],
    pub sparks: &'a [Spark],
    /// Translation of blue that separates the two after this frame, if their geometries touch.
    pub push: Option<&'a Separation>,
    /// Blow to which the hits belong.
    pub blow: Option<&'a Blow>,
}

impl Frame<'_> {
    /// Side of a node: 0 for red, 1 for blue.
    pub fn side(&self, site: NodeRef) -> usize {
        usize::from(site.character == self.keys[1])
    }

    pub fn part_name(&self, site: NodeRef) -> &str {
        self.cast[self.side(site)].loaded.model.parts()[site.part.index()].name()
    }
}

/// The results of the fight.
#[derive(Debug, Default)]
pub struct Summary {
    pub frames: usize,
    pub frames_with_hits: usize,
    pub hits: usize,
    pub deepest: f32,
    /// Greatest slack of a hit.
    pub slack: f32,
    /// Number of pushes; the longest translation, and its frame.
    pub pushes: usize,
    pub longest: (f32, usize),
    pub blows: Vec<Blow>,
    pub counts: Counts,
    /// Times of every frame.
    pub times: Vec<Times>,
    /// Events in the level, if there is one.
    pub level: Option<Told>,
}

/// The state of the fight: the scene with both, and what the game remembers beside it.
pub struct Fight {
    pub scene: Scene,
    pub keys: [CharacterKey; 2],
    /// Effects that are visible.
    pub sparks: Vec<Spark>,
    /// Displacement of each along the ground by pushes.
    pub pushed: [Vector3<f32>; 2],
    /// Direction of the last frame's push.
    near: Option<Unit<Vector3<f32>>>,
    start: Start,
    /// The level, if they fight in one.
    pub arena: Option<Arena>,
}

/// Runs all frames in turn and shows each of them. The loop of the example `duel` has the same
/// steps, one by one.
pub fn fight(
    rules: &Rules,
    cast: &[Fighter; 2],
    start: Start,
    show: &mut dyn FnMut(&Frame<'_>) -> Result<(), Trouble>,
) -> Result<Summary, Trouble> {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let mut fight = Fight::new(rules, cast, start, &mut buffers)?;
    let query = rules.query(fight.keys);
    let mut record = FightRecord::new(rules.frames);
    for number in 0..rules.frames {
        let mut lap = laps();
        fight.pose(cast, number, &mut buffers)?;
        let posed = lap();
        let now = fight.scene.snapshot(&mut buffers);
        let placed = lap();
        let report = now.contacts(&query, &mut hits)?;
        record.add_query([posed, placed, lap()], &report, &hits);
        mark(&mut fight.sparks, &now, &mut hits)?;
        let push = fight.apart(&now, &mut hits)?;
        let frame = record.frame(number, cast, (&fight, now), &hits, push.as_ref())?;
        show(&frame)?;
        if let Some(arena) = &mut fight.arena {
            arena.see(&now, fight.keys, Accuracy::Depth(rules.depth))?;
        }
        fight.respond(push.as_ref());
    }
    Ok(record.into_summary(fight.arena))
}

/// Records a fight for its summary.
pub struct FightRecord {
    summary: Summary,
    blows: Blows,
}

impl FightRecord {
    /// Reserves memory for that number of frames.
    pub fn new(frames: usize) -> Self {
        let summary = Summary { times: Vec::with_capacity(frames), ..Summary::default() };
        FightRecord { summary, blows: Blows::new(frames) }
    }

    /// Adds the query of a frame: its times, its report and its hits.
    pub fn add_query(&mut self, times: Times, report: &Report, hits: &[Hit]) {
        self.summary.times.push(times);
        self.summary.counts += report.counts;
        self.summary.add(hits);
    }

    /// Adds the push after a frame, and returns the frame for output.
    pub fn frame<'a>(
        &'a mut self,
        number: usize,
        cast: &'a [Fighter; 2],
        (fight, now): (&'a Fight, Snapshot<'a>),
        hits: &'a [Hit],
        push: Option<&'a Separation>,
    ) -> Result<Frame<'a>, Trouble> {
        self.summary.add_push(number, push);
        let Fight { scene, keys, sparks, pushed, .. } = fight;
        self.blows.see(number, (scene, *keys, *pushed), hits)?;
        let blow = self.blows.going(number).filter(|_| !hits.is_empty());
        Ok(Frame { number, cast, keys: *keys, now, scene, hits, sparks, push, blow })
    }

    /// Returns the summary after the last frame.
    pub fn into_summary(self, arena: Option<Arena>) -> Summary {
        let (level, blows) = (arena.map(Arena::into_told), self.blows.into_all());
        Summary { level, blows, ..self.summary }
    }
}

/// Returns a clock that measures the microseconds since its last call.
pub fn laps() -> impl FnMut() -> f32 {
    let mut since = Instant::now();
    move || {
        let now = Instant::now();
        let lap = now.duration_since(since).as_secs_f32() * 1e6;
        since = now;
        lap
    }
}

/// Inserts and removes characters before the fight; this must not change any answer.
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
    /// Inserts both into a scene, and builds the level if the rules have one.
    pub fn new(
        rules: &Rules,
        cast: &[Fighter; 2],
        start: Start,
        buffers: &mut Buffers,
    ) -> Result<Self, Trouble> {
        let mut scene = Scene::new();
        churn(&mut scene, cast, rules.churn)?;
        let keys = cast::insert(&mut scene, cast).map_err(Trouble::Cast)?;
        let (pushed, sparks) = ([Vector3::zeros(); 2], Vec::new());
        let mut fight = Fight { scene, keys, sparks, pushed, near: None, start, arena: None };
        if rules.level {
            fight.build_arena(cast, buffers)?;
        }
        Ok(fight)
    }

    fn place(&self, index: usize, forward: f32) -> Pose {
        let place = self.start.places()[index];
        Isometry3::from(self.pushed[index]) * place * Isometry3::translation(0.0, 0.0, forward)
    }

    /// Poses both at that frame of their clips, where the pushes have moved them.
    pub fn pose(
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
                // Added to the pushes: the next frame continues where the level stopped it.
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

    /// Returns the translation of blue along the ground that separates the two, near the last
    /// frame's direction. The test is exact: overlap of boxes alone is no reason to move.
    pub fn apart(&self, now: &Snapshot<'_>, hits: &mut Hits) -> Result<Option<Separation>, Error> {
        if hits.is_empty() {
            return Ok(None);
        }
        let query = PairQuery::between(self.keys[0], self.keys[1]);
        now.separation(&query, &Push::across(Vector3::y_axis()).near(self.near), hits.scratch())
    }

    /// Moves both by half of the push; without one, both approach again.
    pub fn respond(&mut self, push: Option<&Separation>) {
        self.near = push.map(|push| push.normal);
        let Some(push) = push else {
            self.pushed.iter_mut().for_each(|pushed| *pushed *= 0.98);
            return;
        };
        let step = push.normal.into_inner() * (0.5 * push.depth + BEYOND);
        self.pushed[0] -= step;
        self.pushed[1] += step;
    }
}

/// Ages the effects, and adds one at the deepest hit: on the curve in which the surfaces of its two
/// parts intersect, which is the point of a measured hit, or at the point of two boxes if only these
/// overlap.
pub fn mark(sparks: &mut Vec<Spark>, now: &Snapshot<'_>, hits: &mut Hits) -> Result<(), Error> {
    sparks.iter_mut().for_each(|spark| spark.age += 1);
    sparks.retain(|spark| spark.age < SPARK_FRAMES);
    if let Some(&Hit { a, b, point, measured, .. }) = deepest(hits) {
        let curve = match measured {
            true => None,
            false => now.intersection_curve(a, b, hits.scratch())?,
        };
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

    fn add_push(&mut self, number: usize, push: Option<&Separation>) {
        let Some(push) = push else { return };
        self.pushes += 1;
        if push.depth > self.longest.0 {
            self.longest = (push.depth, number);
        }
    }
}
