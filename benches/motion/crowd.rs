//! 1,000 people of 20 boxes who move a little: impacts beside the pairs of a snapshot, and a history.

use boxwood::nalgebra::Isometry3;
use boxwood::{
    Accuracy, Buffers, CharacterKey, Detail, History, Hits, MotionBuffers, PairQuery, PastScene,
    QueryScratch, Scene, SceneMotion, Spawn,
};
use criterion::Criterion;
use nalgebra::Vector3;

use crate::support::crowd::{Body, Frames, model};
use crate::support::measure::{bench_group, clock, trying, way};
use crate::support::people::SPACING;

const PARTS: usize = 20;

/// People before and after a tick: each moves and turns by a little, all parts alike.
struct Crowd {
    frames: Frames,
    scenes: [Scene; 2],
    keys: Vec<CharacterKey>,
    turn: f32,
}

impl Crowd {
    fn new(people: usize) -> Self {
        let (model, mut scene) = (model(Body::Box, &[]), Scene::new());
        let insert = |_| scene.insert(&model, Spawn::default()).expect("a place");
        let keys = (0..people).map(insert).collect();
        Crowd {
            frames: Frames::new(people, SPACING),
            scenes: [scene.clone(), scene],
            keys,
            turn: 0.0,
        }
    }

    fn next(&mut self) {
        let poses = self.frames.next();
        self.turn += 0.7;
        for (at, (poses, &key)) in poses.chunks(PARTS).zip(&self.keys).enumerate() {
            // Idle: a centimetre, a degree, and each limb another degree, within a tick.
            let angle = self.turn + at as f32;
            let shift = Vector3::new(angle.sin(), 0.2 * angle.cos(), angle.cos()) * 0.01;
            let step = Isometry3::new(shift, Vector3::y() * 0.017);
            let moved: Vec<Isometry3<f32>> = poses
                .iter()
                .enumerate()
                .map(|(part, pose)| {
                    let limb = Vector3::x() * (0.017 * (angle + part as f32).sin());
                    step * pose * Isometry3::new(Vector3::zeros(), limb)
                })
                .collect();
            self.scenes[0].set_parts(key, poses).expect("poses");
            self.scenes[1].set_parts(key, &moved).expect("poses");
        }
    }
}

pub fn people(criterion: &mut Criterion) {
    let people = if trying() { 50 } else { 1_000 };
    let query = || PairQuery::all().detail(Detail::DeepestBoxes);
    let mut crowd = Crowd::new(people);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let pairs = way("pairs of the snapshot after it", move || {
        crowd.next();
        clock(|| {
            let now = crowd.scenes[1].snapshot(&mut buffers);
            now.pairs(&query().accuracy(Accuracy::Exact), &mut hits).expect("a query");
            hits.pairs().len()
        })
    });
    let mut crowd = Crowd::new(people);
    let (mut buffers, mut scratch, mut found) =
        (MotionBuffers::new(), QueryScratch::new(), Vec::new());
    let impacts = way("impacts of the tick", move || {
        crowd.next();
        let [before, after] = &crowd.scenes;
        clock(|| {
            let motion = SceneMotion::between(before, after, &mut buffers).expect("one scene");
            let query = query().accuracy(Accuracy::Within(1e-3));
            motion.impacts(&query, &mut scratch, &mut found).expect("a query");
            found.len()
        })
    });
    let name = format!("{people} idle people, each against all");
    bench_group(criterion, &name, 1, vec![pairs, impacts]);

    let (mut crowd, mut history, mut tick) = (Crowd::new(people), History::new(64), 0);
    let push = way("push a tick", move || {
        crowd.next();
        tick += 1;
        clock(|| usize::from(history.push(tick, &crowd.scenes[1]).is_ok()))
    });
    let (mut crowd, mut history, mut past) =
        (Crowd::new(people), History::new(2), PastScene::new());
    crowd.next();
    history.push(0, &crowd.scenes[0]).expect("a scene");
    history.push(1, &crowd.scenes[1]).expect("a scene");
    let (keys, mut at) = (crowd.keys.clone(), 1);
    let one = way("one of them half way between two ticks", move || {
        at += 7;
        let key = [keys[at % keys.len()]];
        clock(|| usize::from(history.at_only((0, at as u16), &key, &mut past).is_ok()))
    });
    bench_group(criterion, &format!("history of {people} people"), 1, vec![push, one]);
}
