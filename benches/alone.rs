//! What is put to one character of a scene, one question a call, beside parry3d in f32 on the same data: people of 20 boxes.
//!
//! Both have the world boxes of all parts already. Theirs looks through the 20 of the person, with no key to look up and nothing to check.
//! One against all: theirs puts the world box of each part to a tree over the parts of everyone, built beforehand.
//!
//! Counts of both are printed before the times; all are told for all people together.

use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::{
    Accuracy, Buffers, Hits, Inside, Query, Ray, Region, Snapshot, Sphere, Struck, Targets,
};
use criterion::{Criterion, criterion_group, criterion_main};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{self, RayCast, intersection_test};
use parry3d::shape::{Ball, SharedShape};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "support/characters.rs"]
mod characters;
#[path = "support/counted.rs"]
mod counted;
#[allow(dead_code)]
#[path = "../examples/speed/people.rs"]
mod people;
#[path = "support/persons.rs"]
mod persons;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;

use characters::{model, scene};
use counted::beside;
use people::{PARTS, crowd, seed};
use persons::{Person, bodies, everyone};
use random::Random;

const PEOPLE: usize = 1_000;
/// Metres between people.
const SPACING: f64 = 1.0;
/// Metres.
const RADIUS: f32 = 0.1;

/// Everyone in the other library, and the world boxes of their parts.
struct Peer<'a> {
    people: Vec<Person<'a>>,
    bounds: Vec<[Aabb; PARTS]>,
}

impl Peer<'_> {
    /// How many parts of a person are met, of those whose world boxes may be.
    fn count(
        &self,
        person: usize,
        near: impl Fn(&Aabb) -> bool,
        met: impl Fn(&Pose, &SharedShape) -> bool,
    ) -> usize {
        let Person { poses, bodies } = self.people[person];
        let may = |&part: &usize| near(&self.bounds[person][part]);
        (0..PARTS).filter(may).filter(|&part| met(&poses[part], &bodies[part])).count()
    }

    /// Pairs of parts of one person and of any other that touch.
    fn against_all(&self, tree: &Bvh, person: usize) -> usize {
        let Person { poses, bodies } = self.people[person];
        let of = |part: usize| {
            let touches = |&leaf: &u32| {
                let (other, theirs) = (leaf as usize / PARTS, leaf as usize % PARTS);
                let at = &self.people[other].poses[theirs];
                other != person
                    && intersection_test(&poses[part], &*bodies[part], at, &*bodies[theirs])
                        .is_ok_and(|answer| answer.intersecting)
            };
            tree.intersect_aabb(&self.bounds[person][part]).filter(touches).count()
        };
        (0..PARTS).map(of).sum()
    }
}

/// A place about a part of each person; of every second in the middle of it.
fn places(poses: &[Isometry3<f32>]) -> Vec<Point3<f32>> {
    let mut random = Random(11);
    let place = |(index, poses): (usize, &[Isometry3<f32>])| {
        let aside = Vector3::from(random.direction()) * 0.3 * (index % 2) as f64;
        Point3::from(poses[random.below(PARTS)].translation.vector + aside.cast())
    };
    poses.chunks_exact(PARTS).enumerate().map(place).collect()
}

fn vector(p: &Point3<f32>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

/// How many parts are in regions, each put to a person of its own.
fn parts_in(
    now: Snapshot<'_>,
    targets: &[Targets],
    regions: &[Region],
    inside: &mut Inside,
) -> usize {
    let of = |(&region, who): (&Region, &Targets)| {
        now.region_all(region, who, inside).expect("a sound region");
        inside.len()
    };
    regions.iter().zip(targets).map(of).sum()
}

fn regions(criterion: &mut Criterion, now: Snapshot<'_>, peer: &Peer, places: &[Point3<f32>]) {
    let targets: Vec<Targets> = now.characters().map(Targets::of).collect();
    let mut inside = Inside::default();
    let trees: Vec<Bvh> =
        peer.bounds.iter().map(|of| Bvh::from_leaves(BvhBuildStrategy::Binned, of)).collect();
    let points: Vec<Region> = places.iter().map(|&p| p.into()).collect();
    let mut mine = || parts_in(now, &targets, &points, &mut inside);
    let mut theirs = || {
        let of = |(person, place): (usize, &Point3<f32>)| {
            let at = vector(place);
            peer.count(
                person,
                |near| near.contains_local_point(at),
                |pose, part| part.contains_point(pose, at),
            )
        };
        places.iter().enumerate().map(of).sum::<usize>()
    };
    let mut by_tree = || {
        let of = |(person, place): (usize, &Point3<f32>)| {
            let (at, Person { poses, bodies }) = (vector(place), peer.people[person]);
            let holds =
                |&part: &u32| bodies[part as usize].contains_point(&poses[part as usize], at);
            trees[person].intersect_aabb(&Aabb::new(at, at)).filter(holds).count()
        };
        places.iter().enumerate().map(of).sum::<usize>()
    };
    beside(
        criterion,
        "points at one character",
        PEOPLE,
        [("boxwood", &mut mine), ("parry3d", &mut theirs), ("parry3d, a tree", &mut by_tree)],
    );
    let balls: Vec<Region> =
        places.iter().map(|&p| Sphere::new(p, RADIUS).expect("a ball").into()).collect();
    let mut mine = || parts_in(now, &targets, &balls, &mut inside);
    let mut theirs = || {
        let of = |(person, place): (usize, &Point3<f32>)| {
            let (ball, at) =
                (Ball::new(RADIUS), Isometry3::translation(place.x, place.y, place.z).into());
            let around = ball.aabb(&at);
            let touches = |pose: &Pose, part: &SharedShape| {
                intersection_test(pose, &**part, &at, &ball).is_ok_and(|answer| answer.intersecting)
            };
            peer.count(person, |near| near.intersects(&around), touches)
        };
        places.iter().enumerate().map(of).sum::<usize>()
    };
    beside(
        criterion,
        "balls at one character",
        PEOPLE,
        [("boxwood", &mut mine), ("parry3d", &mut theirs)],
    );
}

/// Rays from two metres off at the places: whom they hit first.
fn rays(criterion: &mut Criterion, now: Snapshot<'_>, peer: &Peer, places: &[Point3<f32>]) {
    let targets: Vec<Targets> = now.characters().map(Targets::of).collect();
    let mut random = Random(12);
    let ways: Vec<Vector3<f32>> =
        places.iter().map(|_| Vector3::from(random.direction()).cast()).collect();
    let from = |(place, way): (&Point3<f32>, &Vector3<f32>)| place - way * 2.0;
    let of =
        |line: (&Point3<f32>, &Vector3<f32>)| Ray::new(from(line), Unit::new_normalize(*line.1));
    let ours: Vec<Ray> = places.iter().zip(&ways).map(|line| of(line).expect("a ray")).collect();
    let of = |line: (&Point3<f32>, &Vector3<f32>)| {
        query::Ray::new(vector(&from(line)), Vector::new(line.1.x, line.1.y, line.1.z))
    };
    let others: Vec<query::Ray> = places.iter().zip(&ways).map(of).collect();
    let mut struck = Struck::default();
    let mut mine = || {
        let of = |(&ray, who): (&Ray, &Targets)| {
            usize::from(now.ray_closest(ray, who, &mut struck).expect("a sound ray").is_some())
        };
        ours.iter().zip(&targets).map(of).sum::<usize>()
    };
    let mut theirs = || {
        let of = |(person, ray): (usize, &query::Ray)| {
            let (Person { poses, bodies }, mut first) = (peer.people[person], f32::MAX);
            for part in 0..PARTS {
                let near = peer.bounds[person][part].cast_local_ray(ray, first, true).is_some();
                let hit = near
                    .then(|| bodies[part].cast_ray_and_get_normal(&poses[part], ray, first, true));
                first = hit.flatten().map_or(first, |hit| hit.time_of_impact);
            }
            usize::from(first < f32::MAX)
        };
        others.iter().enumerate().map(of).sum::<usize>()
    };
    beside(
        criterion,
        "rays at one character",
        PEOPLE,
        [("boxwood", &mut mine), ("parry3d", &mut theirs)],
    );
}

/// Each person against everyone else.
fn against_all(criterion: &mut Criterion, now: Snapshot<'_>, peer: &Peer) {
    let leaves: Vec<Aabb> = peer.bounds.iter().flatten().copied().collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
    let (keys, mut hits): (Vec<_>, _) = (now.characters().collect(), Hits::new());
    let queries: Vec<Query> =
        keys.into_iter().map(|key| Query::of(key).accuracy(Accuracy::Depth(0))).collect();
    let mut mine = || {
        let of = |query: &Query| {
            now.pairs(query, &mut hits).expect("a sound question");
            hits.pairs().len()
        };
        queries.iter().map(of).sum::<usize>()
    };
    let mut theirs = || (0..PEOPLE).map(|person| peer.against_all(&tree, person)).sum::<usize>();
    beside(
        criterion,
        "one against all",
        PEOPLE,
        [("boxwood", &mut mine), ("parry3d", &mut theirs)],
    );
}

fn alone(criterion: &mut Criterion) {
    let poses = crowd(PEOPLE, SPACING, seed(PEOPLE));
    let scene = scene(&model(false, &[]), &poses);
    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    let (theirs, bodies) =
        (poses.iter().map(|&pose| pose.into()).collect::<Vec<Pose>>(), bodies(false));
    let people = everyone(&theirs, &bodies);
    let peer = Peer { bounds: people.iter().map(Person::bounds).collect(), people };
    let places = places(&poses);
    regions(criterion, now, &peer, &places);
    rays(criterion, now, &peer, &places);
    against_all(criterion, now, &peer);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = alone
}
criterion_main!(benches);
