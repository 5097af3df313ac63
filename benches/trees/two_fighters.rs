//! Cost of depth and tolerance: intersection test and all contacts of two fighters at close
//! quarters, one in the middle of a jab that lands, the other in its guard. Also the passages and
//! separations of all touching pairs of their parts, and casts of one fighter at the other.

use boxwood::motion::Joints;
use boxwood::nalgebra::{Isometry3, Unit, Vector3};
use boxwood::tree::{TreePair, TreeScratch};
use boxwood::{
    Accuracy, Buffers, CharacterKey, Detail, Hits, NodeRef, PairQuery, Push, QueryScratch, Scene,
    Snapshot, Spawn,
};
use criterion::Criterion;

use crate::support::fighter;
use crate::support::measure::{Found, Round, Way, bench_group, clock, way};
use crate::support::random::Random;

/// Number of frames before the first repeats.
const MOMENTS: usize = 256;

/// The two fighters, in a new frame each round.
struct Clinch {
    loaded: boxwood::load::Loaded<f32>,
    scene: Scene,
    keys: [CharacterKey; 2],
    joints: Joints<f32>,
    buffers: Buffers,
    hits: Hits,
    random: Random,
    left: usize,
    /// Distance by which the first fighter steps back [m].
    back: f32,
}

impl Clinch {
    fn new() -> Self {
        let (loaded, mut scene) = (fighter::fighter(), Scene::new());
        let insert = |()| scene.insert(&loaded.model, Spawn::default()).expect("a fighter");
        let keys = [(); 2].map(insert);
        let (joints, buffers, hits) = (Joints::new(), Buffers::new(), Hits::new());
        Clinch {
            loaded,
            scene,
            keys,
            joints,
            buffers,
            hits,
            random: Random(9),
            left: MOMENTS,
            back: 0.0,
        }
    }

    /// Advances to the next frame: times in jab and guard, distance, and rotation.
    fn step(&mut self) {
        self.left = self.left.checked_sub(1).unwrap_or_else(|| {
            self.random = Random(9);
            MOMENTS
        });
        let mut between = |low, high| self.random.between(low, high) as f32;
        let turn = Vector3::y() * (std::f32::consts::PI + between(-0.15, 0.15));
        let facing = Isometry3::new(Vector3::z() * between(0.9, 0.95), turn);
        let here = Isometry3::translation(0.0, 0.0, self.back);
        let times = [("jab", between(0.23, 0.27)), ("guard", between(0.0, 1.0))];
        for ((key, at), (clip, time)) in self.keys.into_iter().zip([here, facing]).zip(times) {
            let clip = self.loaded.clips.get(clip).expect("a clip");
            let poses = clip.sample_looped(time, &mut self.joints).expect("a time");
            self.scene.set_joints(key, &at, poses).expect("good poses");
        }
    }

    fn round<F: Into<Found>>(&mut self, ask: impl FnOnce(Snapshot<'_>, &mut Hits) -> F) -> Round {
        self.step();
        let now = self.scene.snapshot(&mut self.buffers);
        // The broad phase runs at the first query that needs it.
        assert!(now.broad_phase_pairs().count() <= 1);
        clock(|| ask(now, &mut self.hits))
    }
}

impl Clinch {
    /// Times one round over all touching pairs of parts and the normals of their contacts.
    fn touching(
        &mut self,
        mut ask: impl FnMut(&TreePair<'_, f32>, Unit<Vector3<f32>>) -> bool,
    ) -> Round {
        self.step();
        let now = self.scene.snapshot(&mut self.buffers);
        let query = PairQuery::all().accuracy(Accuracy::Exact).detail(Detail::DeepestBoxes);
        now.contacts(&query, &mut self.hits).expect("a good query");
        let of = |node: NodeRef| {
            let tree = self.loaded.model.parts()[node.part.index()].tree().expect("geometry");
            (tree, self.scene.pose(node.character, node.part).expect("a key"))
        };
        clock(|| {
            let pairs = self.hits.iter().map(|hit| {
                let ((a, at), (b, there)) = (of(hit.a), of(hit.b));
                let pair = TreePair::new(a, at, b, there).expect("good poses");
                usize::from(ask(&pair, Unit::new_normalize(hit.normal)))
            });
            pairs.sum::<usize>()
        })
    }
}

/// Times passages and separations. A time is that of all pairs of a frame; their number is counted.
pub fn separations(criterion: &mut Criterion) {
    let ways = ["passage", "separation along a normal", "least separation"].map(|name| {
        let (mut clinch, mut scratch) = (Clinch::new(), TreeScratch::default());
        way(name, move || {
            clinch.touching(|pair, normal| match name {
                "passage" => pair.passage(normal, &mut scratch).expect("a normal").is_some(),
                "least separation" => {
                    pair.separation(&Push::least(), &mut scratch).expect("a push").is_some()
                }
                _ => pair.separation(&Push::along(normal), &mut scratch).expect("a push").is_some(),
            })
        })
    });
    bench_group(criterion, "clinch, separation", 1, ways.into());
}

/// Times a fighter cast at another that it touches at the start, and at one a stride away.
pub fn casts(criterion: &mut Criterion) {
    let ways =
        [("touching at the start", 0.0), ("from a stride away", -1.0)].map(|(name, back)| {
            let mut clinch = Clinch { back, ..Clinch::new() };
            let (keys, mut scratch) = (clinch.keys, QueryScratch::new());
            way(name, move || {
                clinch.round(|now, _| {
                    let query = PairQuery::between(keys[0], keys[1]);
                    let met = now.cast(&query, Vector3::new(0.0, 0.0, 2.0), &mut scratch);
                    usize::from(met.expect("a good query").is_some())
                })
            })
        });
    bench_group(criterion, "clinch, cast", 1, ways.into());
}

pub fn by_accuracy(criterion: &mut Criterion) {
    let depths = (0..=8).step_by(2).chain([u8::MAX]).map(Accuracy::Depth);
    let others =
        [Accuracy::Within(0.05), Accuracy::Within(0.005), Accuracy::Exact, Accuracy::Budget(1_000)];
    for accuracy in depths.chain(others) {
        let mut clinch = Clinch::new();
        let (mut hits, mut tests, mut primitives) = (0, 0, 0);
        let ask = PairQuery::all().accuracy(accuracy);
        for _ in 0..MOMENTS {
            clinch.round(|now, found| {
                let ask = ask.clone().detail(Detail::DeepestBoxes);
                let report = now.contacts(&ask, found).expect("a good query");
                tests += report.counts.tests();
                primitives += report.counts.primitives;
                hits += found.len();
                0
            });
        }
        assert!(hits > MOMENTS, "little touches: there is nothing to time");
        println!(
            "{accuracy:?}, {MOMENTS} moments: {hits} pairs of parts, {tests} box tests, {primitives} pairs of triangles"
        );
        let boxes = ask.clone().detail(Detail::Boxes);
        let ways: Vec<Way<'_>> = vec![
            yes_or_no("intersects", ask.clone()),
            contacts("contacts of bodies", ask.clone()),
            contacts("contacts by parts", ask.detail(Detail::DeepestBoxes)),
            contacts("contacts by boxes", boxes),
        ];
        bench_group(criterion, &format!("clinch, {accuracy:?}"), 1, ways);
    }
}

fn yes_or_no<'a>(name: &str, ask: PairQuery<'static>) -> Way<'a> {
    let mut clinch = Clinch::new();
    way(name, move || {
        clinch.round(|now, hits| {
            usize::from(now.intersects(&ask, hits.scratch()).expect("a good query"))
        })
    })
}

fn contacts<'a>(name: &str, ask: PairQuery<'static>) -> Way<'a> {
    let mut clinch = Clinch::new();
    way(name, move || {
        clinch.round(|now, hits| {
            now.contacts(&ask, hits).expect("a good query");
            hits.len()
        })
    })
}
