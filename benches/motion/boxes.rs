//! Two boxes that fly and turn, beside parry3d's nonlinear shape cast, whose misses are counted: the
//! two share a point at one of 64 times, and no impact is reported up to then.

use boxwood::{
    Accuracy, Build, Geometry, Model, MotionBuffers, Obb, PairQuery, QueryScratch, Scene,
    SceneMotion, Spawn,
};
use criterion::Criterion;
use nalgebra::Isometry3;

use crate::support::flights::{Flight, HALF};
use crate::support::measure::{Round, bench_group, clock, trying, way};
use crate::support::peer::motions::{first_contact, share_a_point};
use crate::support::random::Random;

/// Flights of a round.
const FLIGHTS: usize = 64;

fn flights(random: &mut Random) -> Vec<[Flight; 2]> {
    (0..FLIGHTS).map(|_| [1.0, -1.0].map(|side| Flight::random(random, side))).collect()
}

/// Motion of two boxes by this crate.
struct Ours {
    scenes: [Scene; 2],
    keys: [boxwood::CharacterKey; 2],
    buffers: MotionBuffers,
    scratch: QueryScratch,
}

impl Ours {
    fn new() -> Self {
        let mut scene = Scene::new();
        let keys = HALF.map(|half| {
            let solid = Obb::from_pose(&Isometry3::identity(), half.into()).expect("a box");
            let parts = Model::builder().part("box", None, Geometry::Boxes(vec![solid]));
            let model = parts.build(&Build::default()).expect("a model");
            scene.insert(&model, Spawn::default()).expect("a place")
        });
        let (buffers, scratch) = (MotionBuffers::new(), QueryScratch::new());
        Ours { scenes: [scene.clone(), scene], keys, buffers, scratch }
    }

    fn first_contact(&mut self, flights: &[Flight; 2]) -> Option<f32> {
        for (key, flight) in self.keys.into_iter().zip(flights) {
            for (scene, time) in self.scenes.iter_mut().zip([0.0, 1.0]) {
                scene.set_root(key, &flight.at(time)).expect("a pose");
            }
        }
        let [before, after] = &self.scenes;
        let motion = SceneMotion::between(before, after, &mut self.buffers);
        let query = PairQuery::between(self.keys[0], self.keys[1]);
        let query = query.accuracy(Accuracy::Within(1e-3));
        let found = motion.expect("one scene").first_impact(&query, &mut self.scratch);
        found.expect("a query").map(|impact| impact.clear_until as f32)
    }
}

/// Counts flights in which the two share a point at some of 64 times and no contact is reported up
/// to then, and contacts in all.
fn misses(mut contact: impl FnMut(&[Flight; 2]) -> Option<f32>) -> [usize; 2] {
    let (mut random, mut counts) = (Random(9), [0; 2]);
    for _ in 0..if trying() { 4 } else { 200 } {
        for flights in flights(&mut random) {
            let found = contact(&flights);
            counts[1] += usize::from(found.is_some());
            let touch =
                (0..=64).map(|step| step as f32 / 64.0).find(|&time| share_a_point(&flights, time));
            counts[0] += usize::from(
                touch.is_some_and(|time| found.is_none_or(|found| found > time + 1e-3)),
            );
        }
    }
    counts
}

pub fn turning(criterion: &mut Criterion) {
    let mut ours = Ours::new();
    let [missed, found] = misses(|flights| ours.first_contact(flights));
    println!("boxwood: {missed} missed or late, {found} impacts");
    let [missed, found] = misses(first_contact);
    println!("parry3d: {missed} missed or late, {found} impacts");
    let round =
        |contact: &mut dyn FnMut(&[Flight; 2]) -> Option<f32>, random: &mut Random| -> Round {
            let flights = flights(random);
            clock(|| flights.iter().filter(|flights| contact(flights).is_some()).count())
        };
    let (mut ours, mut random, mut other) = (Ours::new(), Random(10), Random(10));
    let ways = vec![
        way("boxwood", move || round(&mut |flights| ours.first_contact(flights), &mut random)),
        way("parry3d", move || round(&mut |flights| first_contact(flights), &mut other)),
    ];
    bench_group(criterion, "two boxes that fly and turn", FLIGHTS, ways);
}
