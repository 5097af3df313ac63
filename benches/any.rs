//! Whether there is anything at all: rays, points and regions put to a crowd and to one character, one question a call, beside parry3d in f32 on
//! the same data: people of 20 boxes. All stop at the first thing found.
//!
//! Both have what they keep between questions already: ours the snapshot with its tree over the characters, theirs the world boxes of all
//! parts, and for the crowd a tree over them.
//!
//! What is counted are questions with a yes; the counts of both are printed before the times.

use boxwood::{Beam, Buffers, Inside, Region, Snapshot, Struck, Targets};
use criterion::{Criterion, criterion_group, criterion_main};
use parry3d::math::{Pose, Vector};

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
#[path = "support/peer.rs"]
mod peer;
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
use peer::Peer;
use people::{crowd, seed};
use persons::{bodies, everyone};
use places::{Place, about_people, over_ground, rays, vector};
use regions::{Kind, Placed, kinds};

const PEOPLE: usize = 1_000;
/// Metres between people.
const SPACING: f64 = 1.0;

/// How many of the regions, each with its target, anyone has something in.
fn inside<'a>(
    now: Snapshot<'a>,
    regions: &'a [Region],
    targets: &'a [Targets],
) -> impl FnMut() -> usize + 'a {
    let mut inside = Inside::default();
    move || {
        let any = |&(&region, who): &(&Region, &Targets)| {
            now.region_any(region, who, &mut inside).expect("a sound region")
        };
        regions.iter().zip(targets.iter().cycle()).filter(any).count()
    }
}

/// How many of the rays, each with its target, hit anyone.
fn hit<'a>(
    now: Snapshot<'a>,
    beams: &'a [Beam],
    targets: &'a [Targets],
) -> impl FnMut() -> usize + 'a {
    let mut struck = Struck::default();
    move || {
        let any = |&(&beam, who): &(&Beam, &Targets)| {
            now.ray_any(beam, who, &mut struck).expect("a sound ray")
        };
        beams.iter().zip(targets.iter().cycle()).filter(any).count()
    }
}

fn among_a_crowd(criterion: &mut Criterion, now: Snapshot<'_>, peer: &Peer) {
    let (all, places) = ([Targets::all()], over_ground(PEOPLE, (PEOPLE as f64).sqrt() * SPACING));
    let mut measure = |what: &str, mine: &mut dyn FnMut() -> usize, theirs: &dyn Fn() -> usize| {
        let (name, mut theirs) = (format!("any of a crowd: {what}"), theirs);
        beside(criterion, &name, PEOPLE, [("boxwood", mine), ("parry3d", &mut theirs)]);
    };
    let (mine, theirs) = rays(&places, 0.0);
    measure("rays", &mut hit(now, &mine, &all), &|| peer.any_hit(&theirs));
    let points: Vec<Region> = places.iter().map(|place| place.0.into()).collect();
    let at: Vec<Vector> = places.iter().map(|place| vector(place.0)).collect();
    measure("points", &mut inside(now, &points, &all), &|| peer.any_at(&at));
    for Kind { name, mine, theirs } in kinds(&places, 1.0) {
        measure(name, &mut inside(now, &mine, &all), &|| peer.any_in(&theirs));
    }
}

fn of_one(criterion: &mut Criterion, now: Snapshot<'_>, peer: &Apiece, places: &[Place]) {
    let targets: Vec<Targets> = now.characters().map(Targets::of).collect();
    let mut measure =
        |what: &str, mine: &mut dyn FnMut() -> usize, theirs: &dyn Fn(usize) -> bool| {
            let name = format!("any of one character: {what}");
            let mut theirs = || (0..PEOPLE).filter(|&person| theirs(person)).count();
            beside(criterion, &name, PEOPLE, [("boxwood", mine), ("parry3d", &mut theirs)]);
        };
    let (mine, theirs) = rays(places, 2.0);
    let any = |person: usize| peer.hit(person, &theirs[person]).next().is_some();
    measure("rays", &mut hit(now, &mine, &targets), &any);
    let points: Vec<Region> = places.iter().map(|place| place.0.into()).collect();
    let any = |person: usize| peer.at(person, vector(places[person].0)).next().is_some();
    measure("points", &mut inside(now, &points, &targets), &any);
    for Kind { name, mine, theirs } in kinds(places, 0.3) {
        let theirs: &[Placed] = &theirs;
        let any = |person: usize| peer.within(person, &theirs[person]).next().is_some();
        measure(name, &mut inside(now, &mine, &targets), &any);
    }
}

fn any(criterion: &mut Criterion) {
    let poses = crowd(PEOPLE, SPACING, seed(PEOPLE));
    let scene = scene(&model(false, &[]), &poses);
    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    let (theirs, bodies) =
        (poses.iter().map(|&pose| pose.into()).collect::<Vec<Pose>>(), bodies(false));
    among_a_crowd(criterion, now, &Peer::new(&poses));
    of_one(criterion, now, &Apiece::new(everyone(&theirs, &bodies)), &about_people(&poses));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = any
}
criterion_main!(benches);
