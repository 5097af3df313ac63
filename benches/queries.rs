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

use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::scene::Answers;
use boxwood::{Beam, Buffers, Inside, Ray, Region, Sphere, Struck, Targets, Wanted};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use parry3d::math::{Pose, Vector};
use parry3d::query;
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
#[path = "../examples/speed/people.rs"]
mod people;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;
#[path = "support/regions.rs"]
mod regions;

use characters::{model, scene};
use peer::Peer;
use people::{crowd, seed};
use random::Random;
use regions::{Kind, kinds};

/// Metres between people.
const SPACING: f64 = 1.0;
/// Questions asked together.
const QUESTIONS: usize = 256;

/// How often other questions are asked before the first come again.
const SETS: usize = 64;

/// Points over the crowd's ground, up to two metres high, and directions.
fn places(people: usize) -> Vec<(Point3<f32>, Vector3<f32>)> {
    let (mut random, side) = (Random(5), (people as f64).sqrt() * SPACING);
    (0..SETS * QUESTIONS)
        .map(|_| {
            let at =
                [random.between(0.0, side), random.between(0.0, 2.0), random.between(0.0, side)];
            (Point3::from(at).cast(), Vector3::from(random.direction()).cast())
        })
        .collect()
}

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
        let scene = scene(&model(false, &[]), &poses);
        let (peer, places) = (Peer::new(&poses), places(people));
        let mut buffers = Buffers::new();
        let (now, all) = (scene.snapshot(&mut buffers), Targets::all());
        let mut group = criterion.benchmark_group(format!("{people} people, {QUESTIONS} at once"));

        let beam = |&(at, way): &(Point3<f32>, Vector3<f32>)| {
            Beam::from(Ray::new(at, Unit::new_normalize(way)).expect("a ray"))
        };
        let all_beams: Vec<Beam> = places.iter().map(beam).collect();
        let beams = &all_beams[..QUESTIONS];
        let ray = |(at, way): &(Point3<f32>, Vector3<f32>)| {
            let way = way.normalize();
            query::Ray::new(Vector::new(at.x, at.y, at.z), Vector::new(way.x, way.y, way.z))
        };
        let all_rays: Vec<query::Ray> = places.iter().map(ray).collect();
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

        let region = |(at, _): &(Point3<f32>, Vector3<f32>)| {
            Region::from(Sphere::new(*at, 0.5).expect("a ball"))
        };
        let regions: Vec<Region> = places.iter().take(QUESTIONS).map(region).collect();
        let ball = |(at, _): &(Point3<f32>, Vector3<f32>)| {
            (Isometry3::translation(at.x, at.y, at.z).into(), Ball::new(0.5))
        };
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
