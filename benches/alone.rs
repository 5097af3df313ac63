//! What is put to one character of a scene, beside parry3d in f32 on the same data: people of 20 boxes. One question a call; and 64
//! in one.
//!
//! Both have the world boxes of all parts already. Theirs looks through the 20 of the person, with no key to look up and nothing to check; or
//! through a tree over them built beforehand. One against all: theirs puts the world box of each part to a tree over the parts of everyone,
//! built beforehand, too.
//!
//! Counts of both are printed before the times; all are told for all people together.

use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::{
    Accuracy, Beam, Buffers, Hits, Inside, Plane, Query, Region, Snapshot, Sphere, Struck, Targets,
    Wanted,
};
use criterion::{Criterion, criterion_group, criterion_main};
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::intersection_test;
use parry3d::shape::Ball;

#[allow(dead_code)]
#[path = "support/apiece.rs"]
mod apiece;
#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "support/characters.rs"]
mod characters;
#[path = "support/counted.rs"]
mod counted;
#[path = "support/half_space.rs"]
mod half_space;
#[allow(dead_code)]
#[path = "../tests/support/people.rs"]
mod people;
#[path = "support/persons.rs"]
mod persons;
#[allow(dead_code)]
#[path = "support/places.rs"]
mod places;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;
#[path = "support/regions.rs"]
mod regions;

use apiece::Apiece;
use characters::{model, scene};
use counted::beside;
use people::{PARTS, crowd, seed};
use persons::{Person, bodies, everyone};
use places::{Place, about_people, vector};
use random::Random;
use regions::kinds;

const PEOPLE: usize = 1_000;
/// Metres between people.
const SPACING: f64 = 1.0;
/// Metres.
const RADIUS: f32 = 0.1;
/// Questions to a person in one call.
const MANY: usize = 64;

/// The same people in both libraries, and a place about each of them.
struct Both<'a> {
    now: Snapshot<'a>,
    targets: Vec<Targets>,
    peer: Apiece<'a>,
    places: Vec<Place>,
}

impl Both<'_> {
    /// How many parts are in regions, so many put to each person in a call.
    fn parts_in<'s>(&'s self, regions: &'s [Region], many: usize) -> impl FnMut() -> usize + 's {
        let mut inside = Inside::default();
        move || {
            let of = |(regions, who): (&[Region], &Targets)| {
                self.now.regions(regions, Wanted::All, who, &mut inside).expect("sound regions");
                inside.len()
            };
            regions.chunks_exact(many).zip(&self.targets).map(of).sum()
        }
    }

    /// A tree over each person's parts in the other library.
    fn trees(&self) -> Vec<Bvh> {
        let tree = |of: &[Aabb; PARTS]| Bvh::from_leaves(BvhBuildStrategy::Binned, of);
        self.peer.bounds.iter().map(tree).collect()
    }

    /// How many parts points are in, by a tree over each person's.
    fn at(&self, tree: &Bvh, person: usize, at: Vector) -> usize {
        let Person { poses, bodies } = self.peer.people[person];
        let holds = |&part: &u32| bodies[part as usize].contains_point(&poses[part as usize], at);
        tree.intersect_aabb(&Aabb::new(at, at)).filter(holds).count()
    }

    /// How many parts of one person and of any other touch, by a tree over all parts.
    fn against_everyone(&self, tree: &Bvh, person: usize) -> usize {
        let Person { poses, bodies } = self.peer.people[person];
        let of = |part: usize| {
            let touches = |&leaf: &u32| {
                let (other, theirs) = (leaf as usize / PARTS, leaf as usize % PARTS);
                let at = &self.peer.people[other].poses[theirs];
                other != person
                    && intersection_test(&poses[part], &*bodies[part], at, &*bodies[theirs])
                        .is_ok_and(|answer| answer.intersecting)
            };
            tree.intersect_aabb(&self.peer.bounds[person][part]).filter(touches).count()
        };
        (0..PARTS).map(of).sum()
    }
}

/// Puts each of them to the person whose turn it is, `many` in a row.
fn each<Q>(questions: &[Q], many: usize, put: impl Fn(usize, &Q) -> usize) -> usize {
    questions.iter().enumerate().map(|(index, question)| put(index / many, question)).sum()
}

/// Points and balls at places that many for each person.
fn points_and_balls(criterion: &mut Criterion, both: &Both, places: &[Point3<f32>], many: usize) {
    let name = |what: &str| match many {
        1 => format!("{what} at one character"),
        _ => format!("{many} {what} at one character"),
    };
    let (peer, trees) = (&both.peer, both.trees());
    let at: Vec<Vector> = places.iter().map(|&place| vector(place)).collect();
    let points: Vec<Region> = places.iter().map(|&place| place.into()).collect();
    let mut mine = both.parts_in(&points, many);
    let mut theirs = || each(&at, many, |person, &at| peer.at(person, at).count());
    let mut by_tree = || each(&at, many, |person, &at| both.at(&trees[person], person, at));
    beside(
        criterion,
        &name("points"),
        places.len(),
        [("boxwood", &mut mine), ("parry3d", &mut theirs), ("parry3d, a tree", &mut by_tree)],
    );
    let ball = |&place| Sphere::new(place, RADIUS).expect("a ball").into();
    let balls: Vec<Region> = places.iter().map(ball).collect();
    let mut mine = both.parts_in(&balls, many);
    let ball = Ball::new(RADIUS);
    let mut theirs = || each(&at, many, |person, &at| peer.by(person, at, ball).count());
    beside(
        criterion,
        &name("balls"),
        places.len(),
        [("boxwood", &mut mine), ("parry3d", &mut theirs)],
    );
}

/// Places about parts of each person, one after the other.
fn many_places(poses: &[Isometry3<f32>]) -> Vec<Point3<f32>> {
    let mut random = Random(13);
    let person = |poses: &[Isometry3<f32>]| {
        let place = |_| {
            let aside = Vector3::from(random.direction()) * random.between(0.0, 0.3);
            Point3::from(poses[random.below(PARTS)].translation.vector + aside.cast())
        };
        (0..MANY).map(place).collect::<Vec<_>>()
    };
    poses.chunks_exact(PARTS).flat_map(person).collect()
}

/// Capsules, boxes and frusta, and half-spaces that hold some of a person or more.
fn regions(criterion: &mut Criterion, both: &Both) {
    for kind in kinds(&both.places, 0.3).iter().skip(1) {
        let mut mine = both.parts_in(&kind.mine, 1);
        let mut theirs =
            || each(&kind.theirs, 1, |of, region| both.peer.within(of, region).count());
        beside(
            criterion,
            &format!("{} at one character", kind.name),
            PEOPLE,
            [("boxwood", &mut mine), ("parry3d", &mut theirs)],
        );
    }
    let plane = |&(at, way): &Place| Plane::through(at, Unit::new_normalize(way)).expect("a plane");
    let planes: Vec<Plane> = both.places.iter().map(plane).collect();
    let spaces: Vec<Region> = planes.iter().map(|&plane| plane.into()).collect();
    let mut mine = both.parts_in(&spaces, 1);
    let mut theirs = || {
        each(&planes, 1, |person, plane| {
            let up = plane.normal();
            let up = Vector::new(up.x, up.y, up.z);
            both.peer.below(person, up, plane.offset()).count()
        })
    };
    beside(
        criterion,
        "half-spaces at one character",
        PEOPLE,
        [("boxwood", &mut mine), ("parry3d", &mut theirs)],
    );
}

/// Rays from two metres off at the places: whom they hit first.
fn rays(criterion: &mut Criterion, both: &Both) {
    let (ours, others) = places::rays(&both.places, 2.0);
    let mut struck = Struck::default();
    let mut mine = || {
        let of = |(&beam, who): (&Beam, &Targets)| {
            let hit = both.now.ray_closest(beam, who, &mut struck).expect("a sound ray");
            usize::from(hit.is_some())
        };
        ours.iter().zip(&both.targets).map(of).sum::<usize>()
    };
    let hit = |person, ray: &_| usize::from(both.peer.first_hit(person, ray).is_some());
    let mut theirs = || each(&others, 1, hit);
    beside(
        criterion,
        "rays at one character",
        PEOPLE,
        [("boxwood", &mut mine), ("parry3d", &mut theirs)],
    );
}

/// Each person against everyone else.
fn against_all(criterion: &mut Criterion, both: &Both) {
    let leaves: Vec<Aabb> = both.peer.bounds.iter().flatten().copied().collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
    let of = |key| Query::of(key).accuracy(Accuracy::Depth(0));
    let (queries, mut hits): (Vec<Query>, _) =
        (both.now.characters().map(of).collect(), Hits::new());
    let mut mine = || {
        let of = |query: &Query| {
            both.now.pairs(query, &mut hits).expect("a sound question");
            hits.pairs().len()
        };
        queries.iter().map(of).sum::<usize>()
    };
    let mut theirs =
        || (0..PEOPLE).map(|person| both.against_everyone(&tree, person)).sum::<usize>();
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
    let both = Both {
        now,
        targets: now.characters().map(Targets::of).collect(),
        peer: Apiece::new(everyone(&theirs, &bodies)),
        places: about_people(&poses),
    };
    let singles: Vec<Point3<f32>> = both.places.iter().map(|place| place.0).collect();
    points_and_balls(criterion, &both, &singles, 1);
    points_and_balls(criterion, &both, &many_places(&poses), MANY);
    regions(criterion, &both);
    rays(criterion, &both);
    against_all(criterion, &both);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = alone
}
criterion_main!(benches);
