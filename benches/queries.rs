//! Rays and balls at a crowd of people of 20 boxes, beside parry3d with its `Bvh` over all parts.
//!
//! What is asked is timed with all that both keep between questions made before the clock starts: ours the snapshot, with its
//! tree over the characters, theirs the tree over all parts. What has to be made anew when people have moved is timed by itself:
//! ours the snapshot (which finds the pairs of characters, too), and the snapshot with the first ray, which makes the tree; theirs
//! the world boxes of all parts and the tree, made by binning as it is for the questions.
//!
//! The same questions are asked again and again, which branch predictors learn; and then another 256 each time, of many: in a game no
//! ray comes twice.
//!
//! Every group prints the answers of both before it times them, of the many the first 256.

use boxwood::nalgebra::{Isometry3, Point3};
use boxwood::scene::Answers;
use boxwood::{Buffers, Inside, Region, Sphere, Struck, Targets, Wanted};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use parry3d::math::{Pose, Vector};
use parry3d::shape::Ball;

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "support/characters.rs"]
mod characters;
#[allow(dead_code)]
#[path = "support/peer.rs"]
mod peer;
#[allow(dead_code)]
#[path = "../tests/support/people.rs"]
mod people;
#[allow(dead_code)]
#[path = "support/places.rs"]
mod places;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;
#[path = "support/regions.rs"]
mod regions;

use characters::{model, scene};
use peer::Peer;
use people::{crowd, seed};
use places::{Place, over_ground, rays};
use regions::{Kind, kinds};

/// Metres between people.
const SPACING: f64 = 1.0;
/// Questions asked together.
const QUESTIONS: usize = 256;

/// How often other questions are asked before the first come again.
const SETS: usize = 64;

/// Prints how much both find, and times them.
fn beside(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    mut mine: impl FnMut() -> usize,
    theirs: impl Fn() -> usize,
) {
    println!("{name}: boxwood {}, parry3d {}", mine(), theirs());
    group.bench_function(format!("{name}, boxwood"), |b| b.iter(&mut mine));
    group.bench_function(format!("{name}, parry3d"), |b| b.iter(&theirs));
}

fn queries(criterion: &mut Criterion) {
    for people in [100, 1_000, 10_000] {
        println!("{people} people:");
        let poses = crowd(people, SPACING, seed(people));
        let side = (people as f64).sqrt() * SPACING;
        let scene = scene(&model(false, &[]), &poses);
        let (peer, places) = (Peer::new(&poses), over_ground(SETS * QUESTIONS, side));
        let mut buffers = Buffers::new();
        let (now, all) = (scene.snapshot(&mut buffers), Targets::all());
        let mut group = criterion.benchmark_group(format!("{people} people, {QUESTIONS} at once"));

        let (all_beams, all_rays) = rays(&places, 0.0);
        let beams = &all_beams[..QUESTIONS];
        let rays = &all_rays[..QUESTIONS];
        let all = &all;
        let hit = |wanted: Wanted| {
            let mut struck: Struck = Answers::default();
            move || {
                now.rays(beams, wanted, all, &mut struck).expect("sound rays");
                struck.len()
            }
        };
        let parts_in = |regions: Vec<Region>| {
            let mut inside: Inside = Answers::default();
            move || {
                now.regions(&regions, Wanted::All, all, &mut inside).expect("sound regions");
                inside.len()
            }
        };
        beside(&mut group, "rays", hit(Wanted::Closest), || peer.rays(rays));
        let mut spare = Buffers::new();
        group.bench_function("made anew, boxwood: snapshot", |b| {
            b.iter(|| scene.snapshot(&mut spare).characters().count());
        });
        let mut first: Struck = Answers::default();
        group.bench_function("made anew, boxwood: snapshot and tree", |b| {
            b.iter(|| scene.snapshot(&mut spare).ray_any(beams[0], all, &mut first));
        });
        group.bench_function("made anew, parry3d: boxes and tree", |b| b.iter(|| peer.tree()));

        let mut struck: Struck = Answers::default();
        let mut sets = all_beams.chunks_exact(QUESTIONS).cycle();
        group.bench_function("other rays each time, boxwood", |b| {
            b.iter(|| {
                let beams = sets.next().expect("a cycle");
                now.rays(beams, Wanted::Closest, all, &mut struck).expect("sound rays");
                struck.len()
            });
        });
        let mut sets = all_rays.chunks_exact(QUESTIONS).cycle();
        group.bench_function("other rays each time, parry3d", |b| {
            b.iter(|| peer.rays(sets.next().expect("a cycle")));
        });

        let region = |(at, _): &Place| Region::from(Sphere::new(*at, 0.5).expect("a ball"));
        let regions: Vec<Region> = places.iter().take(QUESTIONS).map(region).collect();
        let ball =
            |(at, _): &Place| (Isometry3::translation(at.x, at.y, at.z).into(), Ball::new(0.5));
        let balls: Vec<(Pose, Ball)> = places.iter().take(QUESTIONS).map(ball).collect();
        beside(&mut group, "balls", parts_in(regions), || peer.balls(&balls));
        beside(&mut group, "all hit by rays", hit(Wanted::All), || peer.all_hit(rays));
        beside(&mut group, "any hit", hit(Wanted::Any), || peer.any_hit(rays));

        // In the middles of parts, where something is.
        let middles = poses.iter().step_by(poses.len() / QUESTIONS).take(QUESTIONS);
        let points: Vec<Vector> = middles.map(|p| Pose::from(*p).translation).collect();
        let regions = points.iter().map(|p| Point3::new(p.x, p.y, p.z).into()).collect();
        beside(&mut group, "points", parts_in(regions), || peer.points(&points));
        for Kind { name, mine, theirs } in kinds(&places[..QUESTIONS], 1.0).into_iter().skip(1) {
            beside(&mut group, name, parts_in(mine), || peer.regions(&theirs));
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = queries
}
criterion_main!(benches);
