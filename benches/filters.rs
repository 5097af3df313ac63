//! What filters cost where they leave nothing out, and what they spare where they do: a crowd of people of 20 boxes, and one person far off.
//!
//! "Nothing said" is what is asked by someone who has never heard of filters. Then: groups on every part that all meet; a predicate that
//! keeps everything; a character left out that is nowhere near; every second part in no group; and for pairs, chests against all else.
//!
//! Counts are printed before the times: of the first four they are the same.

use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::{
    Accuracy, Beam, Buffers, CharacterKey, Groups, Hits, Inside, PartId, Query, Ray, Region, Scene,
    Snapshot, Sphere, Struck, Targets, Wanted,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "support/characters.rs"]
mod characters;
#[allow(dead_code)]
#[path = "../tests/support/people.rs"]
mod people;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;

use characters::{model, scene};
use people::{PARTS, crowd, seed};
use random::Random;

const PEOPLE: usize = 1_000;
/// Metres between people.
const SPACING: f64 = 1.0;
/// Of a person's parts.
const CHEST: usize = 3;

/// Where the questions are.
struct Questions {
    beams: Vec<Beam>,
    points: Vec<Region>,
    balls: Vec<Region>,
    /// For each person one point and one ray that ends there.
    of_each: Vec<(Region, Beam)>,
}

/// A moment of a scene, and what is said.
struct Asked<'a> {
    name: &'a str,
    now: Snapshot<'a>,
    said: Said,
}

/// What a question says, beside what the scene and its moment do.
#[derive(Clone, Copy)]
struct Said {
    excluded: Option<CharacterKey>,
}

impl Questions {
    fn new(poses: &[Isometry3<f32>]) -> Self {
        let (mut random, side) = (Random(5), (PEOPLE as f64).sqrt() * SPACING);
        let mut questions =
            Questions { beams: vec![], points: vec![], balls: vec![], of_each: vec![] };
        for person in 0..PEOPLE {
            let mut along = |most: f64| random.between(0.0, most) as f32;
            let at = Point3::new(along(side), along(2.0), along(side));
            let way = Unit::new_normalize(Vector3::from(random.direction()).cast());
            let middle = Point3::from(poses[person * PARTS + person % PARTS].translation.vector);
            let beam = |from| Beam::from(Ray::new(from, way).expect("a ray"));
            questions.beams.push(beam(at));
            questions.points.push(middle.into());
            questions.balls.push(Sphere::new(at, 0.5).expect("a ball").into());
            questions.of_each.push((middle.into(), beam(middle - way.into_inner() * 2.0)));
        }
        questions
    }

    fn at_all(&self, criterion: &mut Criterion, asked: &[Asked]) {
        measure(criterion, "rays at a crowd", asked, |&Asked { now, said, .. }| {
            let (targets, mut struck) = (said.targets(Targets::all()), Struck::default());
            move || {
                now.rays(&self.beams, Wanted::Closest, &targets, &mut struck).expect("sound rays");
                struck.len()
            }
        });
        for (what, regions) in [("points", &self.points), ("balls", &self.balls)] {
            measure(
                criterion,
                &format!("{what} at a crowd"),
                asked,
                |&Asked { now, said, .. }| {
                    let (targets, mut inside) = (said.targets(Targets::all()), Inside::default());
                    move || {
                        now.regions(regions, Wanted::All, &targets, &mut inside).expect("sound");
                        inside.len()
                    }
                },
            );
        }
    }

    fn at_each(&self, criterion: &mut Criterion, asked: &[Asked]) {
        measure(criterion, "points at one character", asked, |asked| {
            let (now, targets, mut inside) = (asked.now, asked.of_each(), Inside::default());
            move || {
                let of = |(&(point, _), who): (&(Region, Beam), &Targets)| {
                    now.region_all(point, who, &mut inside).expect("a sound point");
                    inside.len()
                };
                self.of_each.iter().zip(&targets).map(of).sum()
            }
        });
        measure(criterion, "rays at one character", asked, |asked| {
            let (now, targets, mut struck) = (asked.now, asked.of_each(), Struck::default());
            move || {
                let hit = |&(&(_, beam), who): &(&(Region, Beam), &Targets)| {
                    now.ray_closest(beam, who, &mut struck).expect("a sound ray").is_some()
                };
                self.of_each.iter().zip(&targets).filter(hit).count()
            }
        });
    }
}

impl Asked<'_> {
    /// A target for each of the crowd.
    fn of_each(&self) -> Vec<Targets> {
        let of = |key| self.said.targets(Targets::of(key));
        self.now.characters().take(PEOPLE).map(of).collect()
    }
}

impl Said {
    fn targets(&self, targets: Targets) -> Targets {
        self.excluded.map_or(targets.clone(), |key| targets.excluding(&[key]))
    }

    fn query(&self, query: Query) -> Query {
        self.excluded.map_or(query.clone(), |key| query.excluding(&[key]))
    }
}

/// All pairs, and each character against all others.
fn pairs(criterion: &mut Criterion, asked: &[Asked]) {
    measure(criterion, "all pairs", asked, |&Asked { now, said, .. }| {
        let (query, mut hits) =
            (said.query(Query::all().accuracy(Accuracy::Depth(0))), Hits::new());
        move || {
            now.pairs(&query, &mut hits).expect("a sound question");
            hits.pairs().len()
        }
    });
    measure(criterion, "pairs of one and all others", asked, |&Asked { now, said, .. }| {
        let of = |key| said.query(Query::of(key).accuracy(Accuracy::Depth(0)));
        let (queries, mut hits): (Vec<Query>, _) =
            (now.characters().take(PEOPLE).map(of).collect(), Hits::new());
        move || {
            let of = |query: &Query| {
                now.pairs(query, &mut hits).expect("a sound question");
                hits.pairs().len()
            };
            queries.iter().map(of).sum()
        }
    });
}

/// Prints how much is found with each thing said, and times it.
fn measure<'a, F: FnMut() -> usize>(
    criterion: &mut Criterion,
    what: &str,
    asked: &'a [Asked<'a>],
    ask: impl Fn(&'a Asked<'a>) -> F,
) {
    let mut group = criterion.benchmark_group(what);
    group.throughput(Throughput::Elements(PEOPLE as u64));
    for asked in asked {
        let mut ask = ask(asked);
        println!("{what}, {}: {}", asked.name, ask());
        group.bench_function(asked.name, |b| b.iter(&mut ask));
    }
    group.finish();
}

/// The same people with groups on their parts.
fn marked(plain: &Scene, keys: &[CharacterKey], groups: impl Fn(usize) -> Groups) -> Scene {
    let mut scene = plain.clone();
    for &key in keys {
        for part in 0..PARTS {
            scene.set_groups(key, PartId::new(part), groups(part)).expect("a part");
        }
    }
    scene
}

fn filters(criterion: &mut Criterion) {
    let mut poses = crowd(PEOPLE, SPACING, seed(PEOPLE));
    let questions = Questions::new(&poses);
    // One more, a kilometre off.
    let off = |pose: &Isometry3<f32>| Isometry3::translation(1e3, 0.0, 0.0) * pose;
    poses.extend_from_within(..PARTS);
    poses[PEOPLE * PARTS..].iter_mut().for_each(|pose| *pose = off(pose));
    let plain = scene(&model(false, &[]), &poses);
    let mut buffers = Buffers::new();
    let keys: Vec<CharacterKey> = plain.snapshot(&mut buffers).characters().collect();

    let all = Groups { member: 3, mask: u64::MAX };
    let (hit, hurt) = (Groups { member: 1, mask: 2 }, Groups { member: 2, mask: 1 });
    let half = |part| if part % 2 == 0 { Groups::ALL } else { Groups::NONE };
    let chest = |part| if part == CHEST { hit } else { hurt };
    let meeting = marked(&plain, &keys, |_| all);
    let (halved, chests) = (marked(&plain, &keys, half), marked(&plain, &keys, chest));

    let mut spare: [Buffers; 3] = Default::default();
    let [a, b, c] = &mut spare;
    let now = plain.snapshot(&mut buffers);
    let (none, far) = (Said { excluded: None }, Said { excluded: keys.last().copied() });
    let keeping = now.keeping(&|_, _| true).keeping_parts(&|_| true);
    let asked = [
        Asked { name: "nothing said", now, said: none },
        Asked { name: "groups that all meet", now: meeting.snapshot(a), said: none },
        Asked { name: "a predicate that keeps all", now: keeping, said: none },
        Asked { name: "one left out, far off", now, said: far },
        Asked { name: "every second part in no group", now: halved.snapshot(b), said: none },
        Asked { name: "chests against all else", now: chests.snapshot(c), said: none },
    ];
    questions.at_all(criterion, &asked[..5]);
    questions.at_each(criterion, &asked[..5]);
    pairs(criterion, &asked);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = filters
}
criterion_main!(benches);
