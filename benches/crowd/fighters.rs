//! Frames of 100 fighters of the examples on a grid of half a metre, in the middle of their clips,
//! which advance from round to round.

use boxwood::motion::Joints;
use boxwood::{Accuracy, Buffers, CharacterKey, Detail, Hits, PairQuery, Scene, Snapshot, Spawn};
use criterion::Criterion;
use nalgebra::{Isometry3, Vector3};

use crate::support::fighter;
use crate::support::measure::{Way, bench_group, clock, way};

/// Time from round to round [s]. Clip lengths are no multiples of it, so poses do not repeat.
const STEP: f32 = 0.0171;

struct Fighters {
    loaded: boxwood::load::Loaded<f32>,
    scene: Scene,
    keys: Vec<CharacterKey>,
    joints: Joints<f32>,
    round: u32,
}

impl Fighters {
    fn new() -> Self {
        let (loaded, mut scene) = (fighter::fighter(), Scene::new());
        let insert = |_| scene.insert(&loaded.model, Spawn::default()).expect("a place");
        let keys = (0..100).map(insert).collect();
        Fighters { loaded, scene, keys, joints: Joints::new(), round: 0 }
    }

    fn next(&mut self) -> &Scene {
        for (index, &key) in self.keys.iter().enumerate() {
            let clip = &self.loaded.clips[index % 5];
            let time = index as f32 * 0.13 + self.round as f32 * STEP;
            let poses = clip.sample_looped(time, &mut self.joints).expect("a good time");
            let place = Vector3::new((index % 10) as f32 * 0.5, 0.0, (index / 10) as f32 * 0.5);
            let at = Isometry3::new(place, Vector3::y() * (index as f32 * 0.7));
            self.scene.set_joints(key, &at, poses).expect("good poses");
        }
        self.round += 1;
        &self.scene
    }
}

/// Times a query to a snapshot that is made outside the clock.
fn asked<'a>(
    name: impl Into<String>,
    ask: impl Fn(Snapshot<'_>, &mut Hits) -> usize + 'a,
) -> Way<'a> {
    let (mut fighters, mut buffers, mut hits) = (Fighters::new(), Buffers::new(), Hits::new());
    way(name, move || {
        let now = fighters.next().snapshot(&mut buffers);
        // The broad phase runs at the first query that needs it.
        assert!(now.broad_phase_pairs().next().is_some());
        clock(|| ask(now, &mut hits))
    })
}

fn contacts<'a>(name: impl Into<String>, query: PairQuery<'static>) -> Way<'a> {
    asked(name, move |now, hits| {
        now.contacts(&query, hits).expect("a good query");
        hits.len()
    })
}

pub fn fighters(criterion: &mut Criterion) {
    let (mut fighters, mut buffers) = (Fighters::new(), Buffers::new());
    let mut ways = vec![way("snapshot", move || {
        let scene = fighters.next();
        clock(|| scene.snapshot(&mut buffers).characters().count())
    })];
    for depth in [0, 3, 32] {
        let query = PairQuery::all().accuracy(Accuracy::Depth(depth));
        let pairs = query.clone();
        ways.push(asked(format!("pairs, depth {depth}"), move |now, hits| {
            now.pairs(&pairs, hits).expect("a good query");
            hits.pairs().len()
        }));
        let deepest = query.clone().detail(Detail::DeepestBoxes);
        ways.push(contacts(format!("contacts by parts, depth {depth}"), deepest));
        ways.push(contacts(format!("contacts of bodies, depth {depth}"), query));
    }
    let boxes = PairQuery::all().detail(Detail::Boxes).accuracy(Accuracy::Depth(3));
    ways.push(contacts("contacts by boxes, depth 3", boxes));
    bench_group(criterion, "100 fighters", 1, ways);
}
