//! Events of 1,000 pairs of boxes that touch, of which a few begin and end in each tick.

use boxwood::nalgebra::Isometry3;
use boxwood::{
    Accuracy, Build, CharacterKey, ContactEvents, Geometry, Impact, Model, MotionBuffers, Obb,
    PairQuery, QueryScratch, Scene, SceneMotion, Spawn,
};
use criterion::Criterion;
use nalgebra::Vector3;

use crate::support::measure::{bench_group, clock, trying, way};
use crate::support::random::Random;

/// Distance of two boxes of size 1 while they touch, and while they do not.
const WAYS: [f32; 2] = [0.9, 1.5];

/// Pairs of boxes, each far from the others.
struct Pairs {
    scenes: [Scene; 2],
    /// The second box of each pair, and the index of the pair; those that touch the first box come
    /// first.
    second: Vec<(CharacterKey, usize)>,
    touching: usize,
    random: Random,
    buffers: MotionBuffers,
    scratch: QueryScratch,
    impacts: Vec<Impact<f32>>,
}

impl Pairs {
    fn new(touching: usize) -> Self {
        let solid = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5)).expect("a box");
        let parts = Model::builder().part("box", None, Geometry::Boxes(vec![solid]));
        let model = parts.build(&Build::default()).expect("a model");
        let mut scene = Scene::new();
        // One more in ten does not touch.
        let second = (0..touching + touching / 10).map(|index| {
            let mut insert = |way| scene.insert(&model, Spawn::at(place(index, way)));
            insert(0.0).expect("a place");
            (insert(WAYS[usize::from(index >= touching)]).expect("a place"), index)
        });
        let second = second.collect();
        let (buffers, scratch, impacts) = Default::default();
        let scenes = [scene.clone(), scene];
        Pairs { scenes, second, touching, random: Random(11), buffers, scratch, impacts }
    }

    /// Moves one in forty of those that touch apart and as many together, and finds the impacts of
    /// the tick.
    fn next(&mut self) {
        let [before, after] = &mut self.scenes;
        before.clone_from(after);
        for _ in 0..self.touching.div_ceil(40) {
            let ends = self.random.below(self.touching);
            let begins = self.touching + self.random.below(self.second.len() - self.touching);
            for (at, way) in [(ends, WAYS[1]), (begins, WAYS[0])] {
                let (key, index) = self.second[at];
                after.set_root(key, &place(index, way)).expect("a pose");
            }
            self.second.swap(ends, begins);
        }
        let motion = SceneMotion::between(before, after, &mut self.buffers).expect("one scene");
        let query = PairQuery::all().accuracy(Accuracy::Within(1e-3));
        motion.impacts(&query, &mut self.scratch, &mut self.impacts).expect("a query");
    }
}

fn place(index: usize, way: f32) -> Isometry3<f32> {
    Isometry3::translation(4.0 * (index % 32) as f32 + way, 0.0, 4.0 * (index / 32) as f32)
}

pub fn events(criterion: &mut Criterion) {
    let touching = if trying() { 50 } else { 1_000 };
    let (mut pairs, mut contacts, mut events) =
        (Pairs::new(touching), ContactEvents::new(), Vec::new());
    let mut tick = 0;
    let advance = way("advance by a tick", move || {
        pairs.next();
        tick += 1;
        clock(|| {
            contacts.advance(tick, &pairs.scenes[1], &pairs.impacts, &mut events).expect("keys");
            events.len()
        })
    });
    bench_group(criterion, &format!("events of {touching} pairs that touch"), 1, vec![advance]);
}
