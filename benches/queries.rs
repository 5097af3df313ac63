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
use boxwood::{
    Beam, Buffers, Build, Geometry, Inside, Model, Obb, Ray, Region, Scene, Spawn, Sphere, Struck,
    Targets, Wanted,
};
use criterion::{Criterion, criterion_group, criterion_main};
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{self, RayCast};
use parry3d::shape::{Ball, Cuboid, Shape};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[allow(dead_code)]
#[path = "../examples/speed/people.rs"]
mod people;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;

use people::{PARTS, crowd, parts, seed};
use random::Random;

/// Metres between people.
const SPACING: f64 = 1.0;
/// Questions asked together.
const QUESTIONS: usize = 256;

fn scene(poses: &[Isometry3<f32>]) -> Scene {
    let mut builder = Model::builder();
    for (index, (name, half)) in parts().into_iter().enumerate() {
        let solid = Obb::from_pose(&Isometry3::identity(), half).expect("a box");
        builder = builder.part(format!("{name} {index}"), None, Geometry::Boxes(vec![solid]));
    }
    let (model, mut scene) = (builder.build(&Build::fast()).expect("a model"), Scene::new());
    for poses in poses.chunks_exact(PARTS) {
        let key = scene.insert(&model, Spawn::default()).expect("room");
        scene.set_parts(key, poses).expect("sound poses");
    }
    scene
}

/// All parts in parry3d, and a tree over them.
struct Peer {
    parts: Vec<(Pose, Cuboid)>,
    tree: Bvh,
}

impl Peer {
    fn new(poses: &[Isometry3<f32>]) -> Self {
        let cuboids: Vec<Cuboid> =
            parts().iter().map(|(_, h)| Cuboid::new(Vector::new(h.x, h.y, h.z))).collect();
        let parts: Vec<(Pose, Cuboid)> =
            poses.iter().map(|&pose| pose.into()).zip(cuboids.iter().cycle().copied()).collect();
        let mut peer = Peer { parts, tree: Bvh::new() };
        peer.tree = peer.tree();
        peer
    }

    /// The tree over where the parts are now.
    fn tree(&self) -> Bvh {
        let bounds = self.parts.iter().map(|(pose, part)| part.compute_aabb(pose));
        Bvh::from_leaves(BvhBuildStrategy::Binned, &bounds.collect::<Vec<Aabb>>())
    }

    /// How many of the rays hit something.
    fn rays(&self, rays: &[query::Ray]) -> usize {
        let hit = |ray: &&query::Ray| {
            let closest = self.tree.cast_ray(ray, f32::MAX, |leaf, best| {
                let (pose, part) = &self.parts[leaf as usize];
                part.cast_ray(pose, ray, best, true)
            });
            closest.is_some()
        };
        rays.iter().filter(hit).count()
    }

    /// How many parts are in the balls, all together.
    fn balls(&self, balls: &[(Pose, Ball)]) -> usize {
        let inside = |(at, ball): &(Pose, Ball)| {
            let bounds = ball.compute_aabb(at);
            let touching = |&leaf: &u32| {
                let (pose, part) = &self.parts[leaf as usize];
                query::intersection_test(pose, part, at, ball).is_ok_and(|a| a.intersecting)
            };
            self.tree.intersect_aabb(&bounds).filter(touching).count()
        };
        balls.iter().map(inside).sum()
    }
}

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

fn queries(criterion: &mut Criterion) {
    for people in [100, 1_000, 10_000] {
        let poses = crowd(people, SPACING, seed(people));
        let (scene, peer, places) = (scene(&poses), Peer::new(&poses), places(people));
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
        let mut struck: Struck = Answers::default();
        let mut mine = || {
            now.rays(beams, Wanted::Closest, &all, &mut struck).expect("sound rays");
            struck.len()
        };
        println!("{people} people, rays that hit: boxwood {}, parry3d {}", mine(), peer.rays(rays));
        group.bench_function("rays, boxwood", |b| b.iter(&mut mine));
        let mut spare = Buffers::new();
        group.bench_function("made anew, boxwood: snapshot", |b| {
            b.iter(|| scene.snapshot(&mut spare).characters().count());
        });
        let mut first: Struck = Answers::default();
        group.bench_function("made anew, boxwood: snapshot and tree", |b| {
            b.iter(|| scene.snapshot(&mut spare).ray_any(beams[0], &all, &mut first));
        });
        group.bench_function("made anew, parry3d: boxes and tree", |b| b.iter(|| peer.tree()));
        group.bench_function("rays, parry3d", |b| b.iter(|| peer.rays(rays)));

        let mut struck: Struck = Answers::default();
        let mut sets = all_beams.chunks_exact(QUESTIONS).cycle();
        group.bench_function("other rays each time, boxwood", |b| {
            b.iter(|| {
                let beams = sets.next().expect("a cycle");
                now.rays(beams, Wanted::Closest, &all, &mut struck).expect("sound rays");
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
        let mut inside: Inside = Answers::default();
        let mut mine = || {
            now.regions(&regions, Wanted::All, &all, &mut inside).expect("sound balls");
            inside.len()
        };
        println!(
            "{people} people, parts in balls: boxwood {}, parry3d {}",
            mine(),
            peer.balls(&balls)
        );
        group.bench_function("balls, boxwood", |b| b.iter(&mut mine));
        group.bench_function("balls, parry3d", |b| b.iter(|| peer.balls(&balls)));
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = queries
}
criterion_main!(benches);
