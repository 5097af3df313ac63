//! A knight's sword against another knight, ticks of 1/60 s of an attack and an idle clip.

use std::f32::consts::PI;
use std::path::Path;

use boxwood::load::Loader;
use boxwood::motion::Joints;
use boxwood::{
    Accuracy, CharacterKey, Loaded, MotionBuffers, PairQuery, PartId, QueryScratch, Scene,
    SceneMotion, Spawn,
};
use criterion::Criterion;
use nalgebra::{Isometry3, Vector3};

use crate::support::measure::{Round, Way, bench_group, clock, way};
use crate::support::robots::data;

const RATE: f32 = 60.0;

struct Duel {
    knight: Loaded,
    scenes: [Scene; 2],
    keys: [CharacterKey; 2],
    joints: Joints<f32>,
    tick: u32,
}

impl Duel {
    fn new(folder: &Path) -> Self {
        let file = folder.join("characters/kaykit-knight/Knight.glb");
        let (knight, mut scene) = (Loader::new().gltf(&file).expect("a knight"), Scene::new());
        let keys = [0, 1].map(|_| scene.insert(&knight.model, Spawn::default()).expect("a place"));
        Duel { knight, scenes: [scene.clone(), scene], keys, joints: Joints::new(), tick: 0 }
    }

    /// Sets both scenes to the ends of the next tick.
    fn next(&mut self) {
        let clips = &self.knight.clips;
        let attack = clips.get("1H_Melee_Attack_Slice_Horizontal").expect("a clip");
        let idle = clips.get("Idle").expect("a clip");
        let ticks = (attack.duration() * RATE) as u32;
        let (tick, place) = (self.tick % ticks, (self.tick / ticks) as f32);
        let there = Isometry3::new(
            Vector3::new((place * 0.8).sin() * 0.5, 0.0, 0.9 + 0.13 * (place % 9.0)),
            Vector3::y() * (PI + 0.37 * place),
        );
        for (end, scene) in self.scenes.iter_mut().enumerate() {
            let time = (tick + end as u32) as f32 / RATE;
            let pose = attack.sample(time, &mut self.joints).expect("a time");
            scene.set_joints(self.keys[0], &Isometry3::identity(), pose).expect("poses");
            let pose = idle.sample_looped(time + place, &mut self.joints).expect("a time");
            scene.set_joints(self.keys[1], &there, pose).expect("poses");
        }
        self.tick += 1;
    }

    /// Returns the sword, and the parts of a knight that can be struck.
    fn parts(&self) -> ([PartId; 1], Vec<PartId>) {
        let parts = self.knight.model.parts();
        let is_weapon = |name: &str| name.contains("Sword");
        let body = parts.iter().filter(|part| part.tree().is_some() && !is_weapon(part.name()));
        let sword = self.knight.model.part("1H_Sword").expect("a sword");
        ([sword], body.map(|part| part.id()).collect())
    }
}

pub fn swords(criterion: &mut Criterion) {
    let Some(folder) = data("a sword against a knight") else { return };
    let row = |name: &str, tolerance: f64, ask: MotionQuery| {
        let mut duel = Duel::new(&folder);
        let (sword, body) = duel.parts();
        let [red, blue] = duel.keys;
        let query = PairQuery::between(red, blue).parts(&sword, &body);
        let query = query.accuracy(Accuracy::Within(tolerance));
        let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
        way(name, move || {
            duel.next();
            let [before, after] = &duel.scenes;
            let motion = SceneMotion::between(before, after, &mut buffers).expect("one scene");
            clock(|| ask(motion, &query, &mut scratch))
        })
    };
    let mut duel = Duel::new(&folder);
    let mut buffers = MotionBuffers::new();
    let between = way("paths and boxes of both", move || -> Round {
        duel.next();
        let [before, after] = &duel.scenes;
        clock(|| usize::from(SceneMotion::between(before, after, &mut buffers).is_ok()))
    });
    let ways: Vec<Way<'_>> = vec![
        between,
        row("first impact to 1 mm", 1e-3, first),
        row("first impact to 1 cm", 1e-2, first),
        row("first impact to 10 cm", 1e-1, first),
        row("yes or no", 1e-3, |motion, query, scratch| {
            usize::from(motion.intersects(query, scratch).expect("a query"))
        }),
        row("impacts of all parts", 1e-3, |motion, query, scratch| {
            let mut all = Vec::new();
            motion.impacts(query, scratch, &mut all).expect("a query");
            all.len()
        }),
    ];
    bench_group(criterion, "a sword against a knight, a tick of 1/60 s", 1, ways);
}

/// A query of a motion; returns how many impacts it finds.
type MotionQuery = fn(SceneMotion<'_>, &PairQuery<'_>, &mut QueryScratch) -> usize;

fn first(motion: SceneMotion<'_>, query: &PairQuery<'_>, scratch: &mut QueryScratch) -> usize {
    usize::from(motion.first_impact(query, scratch).expect("a query").is_some())
}
