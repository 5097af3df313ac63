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
    Apart, Beam, Buffers, Capsule, Frustum, Inside, Obb, Ray, Region, Segment, Sphere, Struck,
    Targets, Wanted,
};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use parry3d::query::{self, PointQuery, RayCast};
use parry3d::shape::{Ball, ConvexPolyhedron, Cuboid, Shape};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "support/characters.rs"]
mod characters;
#[allow(dead_code)]
#[path = "../examples/speed/people.rs"]
mod people;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;

use characters::{model, scene};
use people::{PARTS, crowd, parts, seed};
use random::Random;

/// Metres between people.
const SPACING: f64 = 1.0;
/// Questions asked together.
const QUESTIONS: usize = 256;

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

    /// How many of the rays hit something, whatever that is.
    fn any_hit(&self, rays: &[query::Ray]) -> usize {
        let hit = |ray: &&query::Ray| {
            let boxed = |node: &BvhNode| node.cast_ray(ray, f32::MAX) < f32::MAX;
            self.tree.leaves(boxed).any(|leaf| {
                let (pose, part) = &self.parts[leaf as usize];
                part.cast_ray(pose, ray, f32::MAX, true).is_some()
            })
        };
        rays.iter().filter(hit).count()
    }

    /// How many parts the points are in, all together.
    fn points(&self, points: &[Vector]) -> usize {
        let inside = |&point: &Vector| {
            let holds = |&leaf: &u32| {
                let (pose, part) = &self.parts[leaf as usize];
                part.contains_point(pose, point)
            };
            self.tree.intersect_aabb(&Aabb::new(point, point)).filter(holds).count()
        };
        points.iter().map(inside).sum()
    }

    /// How many parts the rays hit, all together.
    fn all_hit(&self, rays: &[query::Ray]) -> usize {
        let of_one = |ray: &query::Ray| {
            let mut count = 0;
            let boxed = |node: &BvhNode| node.cast_ray(ray, f32::MAX) < f32::MAX;
            for leaf in self.tree.leaves(boxed) {
                let (pose, part) = &self.parts[leaf as usize];
                count += usize::from(part.cast_ray(pose, ray, f32::MAX, true).is_some());
            }
            count
        };
        rays.iter().map(of_one).sum()
    }

    /// How many parts are in the regions, all together.
    fn regions(&self, regions: &[Placed]) -> usize {
        let inside = |(at, region): &Placed| {
            let bounds = region.compute_aabb(at);
            let touching = |&leaf: &u32| {
                let (pose, part) = &self.parts[leaf as usize];
                query::intersection_test(pose, part, at, region.as_ref())
                    .is_ok_and(|a| a.intersecting)
            };
            self.tree.intersect_aabb(&bounds).filter(touching).count()
        };
        regions.iter().map(inside).sum()
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

type Placed = (Pose, Box<dyn Shape>);
type Regions = (&'static str, Vec<Region>, Vec<Placed>);
type Both<'a> = &'a dyn Fn(Point3<f32>, Vector3<f32>) -> (Region, Placed);

/// Capsules, boxes and frusta at the first places; the same of both libraries. (A half-space has no box to look for
/// there.)
fn other_regions(places: &[(Point3<f32>, Vector3<f32>)]) -> [Regions; 4] {
    let places = &places[..QUESTIONS];
    let vector = |p: Point3<f32>| Vector::new(p.x, p.y, p.z);
    let still = || Pose::from(Isometry3::<f32>::identity());
    let of = |name, one: Both| {
        let (mine, theirs) = places.iter().map(|&(at, way)| one(at, way.normalize())).unzip();
        (name, mine, theirs)
    };
    let half = Vector3::new(0.3, 0.5, 0.2);
    [
        of("capsules", &|at, way| {
            let segment = Segment::new(at, at + way).expect("ends");
            let body = Capsule::new(segment, 0.2).expect("a capsule");
            let other = parry3d::shape::Capsule::new(vector(at), vector(at + way), 0.2);
            (body.into(), (still(), Box::new(other)))
        }),
        of("aligned boxes", &|at, _| {
            let bounds = boxwood::Aabb::new(at - half, at + half);
            let place = Isometry3::translation(at.x, at.y, at.z);
            let other = Cuboid::new(Vector::new(half.x, half.y, half.z));
            (bounds.into(), (place.into(), Box::new(other)))
        }),
        of("oriented boxes", &|at, way| {
            let pose = Isometry3::new(at.coords, way);
            let solid = Obb::from_pose(&pose, half).expect("a box");
            let other = Cuboid::new(Vector::new(half.x, half.y, half.z));
            (solid.into(), (pose.into(), Box::new(other)))
        }),
        of("frusta", &|at, way| {
            let eye = Isometry3::new(at.coords, way * 2.0);
            let frustum = Frustum::of_eye(&eye, [0.3, 0.2], [0.1, 2.0]).expect("a frustum");
            let points = frustum.corners().map(vector);
            let hull = ConvexPolyhedron::from_convex_hull(&points).expect("a hull");
            (frustum.into(), (still(), Box::new(hull)))
        }),
    ]
}

/// How far two neighbours are apart, and where they are closest, with all 400 pairs of parts by hand on the other side.
fn distances(criterion: &mut Criterion) {
    let poses = crowd(100, SPACING, seed(100));
    let (scene, peer) = (scene(&model(false, &[]), &poses), Peer::new(&poses));
    let (mut buffers, mut hits) = (Buffers::new(), boxwood::Hits::new());
    let now = scene.snapshot(&mut buffers);
    let keys: Vec<_> = now.characters().collect();
    let pairs: Vec<[usize; 2]> = (0..99).map(|i| [i, i + 1]).collect();
    let mut mine = || {
        let apart = |&[a, b]: &[usize; 2]| {
            let ask = Apart::between(keys[a], keys[b]);
            now.distance(&ask, &mut hits).expect("sound keys").map_or(0.0, |found| found.distance)
        };
        pairs.iter().map(apart).sum::<f32>()
    };
    let theirs = || {
        let of = |person: usize| &peer.parts[person * PARTS..(person + 1) * PARTS];
        let apart = |&[a, b]: &[usize; 2]| {
            let mut least = f32::MAX;
            for (p, one) in of(a) {
                for (q, other) in of(b) {
                    let far = query::distance(p, one, q, other).expect("supported").distance;
                    least = least.min(far);
                }
            }
            least
        };
        pairs.iter().map(apart).sum::<f32>()
    };
    println!("99 distances add up to: boxwood {}, parry3d {}", mine(), theirs());
    let mut group = criterion.benchmark_group("distance of two people");
    group.bench_function("boxwood", |b| b.iter(&mut mine));
    group.bench_function("parry3d", |b| b.iter(theirs));
    group.finish();
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
        for (name, regions, theirs) in other_regions(&places) {
            beside(&mut group, name, parts_in(regions), || peer.regions(&theirs));
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = queries, distances
}
criterion_main!(benches);
