//! How far apart two characters are, or parts of them, beside parry3d in f32 on the same data: neighbours among people of 20 parts, each a
//! box, or a tree of 64 (there a `Compound`).
//!
//! Both have the world boxes of all parts already. Theirs takes the distance of those of each two parts, looks into the nearest first and then
//! into what is nearer than the best so far, in order. What it looks in by: `query::distance`; `query::closest_points` with the best so
//! far as the margin, which tells the points, too, as ours always does; and of trees, each leaf of one that is near enough against the tree
//! of the other, bounded by the best so far.
//!
//! Closest points of boxes are sought by GJK in single precision, which stops a little early. So the answers printed before the times are both
//! how many there are and what they add up to.

use std::hint::black_box;

use boxwood::nalgebra::Isometry3;
use boxwood::{Apart, Buffers, CharacterKey, Hits, PartId, Snapshot};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::query::details::distance_cuboid_cuboid;
use parry3d::query::{self, ClosestPoints};
use parry3d::shape::{Compound, SharedShape};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "support/characters.rs"]
mod characters;
#[allow(dead_code)]
#[path = "../tests/support/people.rs"]
mod people;
#[path = "support/persons.rs"]
mod persons;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;

use characters::{model, scene};
use people::{PARTS, crowd, seed};
use persons::{Person, bodies, everyone};

/// Each beside the next.
const PEOPLE: usize = 100;
/// Metres between people.
const SPACING: f64 = 1.0;
/// Metres.
const CLOSE: f32 = 0.1;

/// How many distances there are, and their sum.
type Answers = (usize, f64);
type Ask<'a> = (&'a str, &'a mut dyn FnMut() -> Answers);
/// How far two parts are apart, if nearer than that.
type Look = fn([(&Pose, &SharedShape); 2], f32) -> Option<f32>;

fn summed(answers: impl Iterator<Item = Option<f32>>) -> Answers {
    answers.flatten().fold((0, 0.0), |(count, sum), far| (count + 1, sum + f64::from(far)))
}

fn gap(a: &Aabb, b: &Aabb) -> f32 {
    (a.mins - b.maxs).max(b.mins - a.maxs).max(Vector::ZERO).length()
}

fn by_distance([(p, one), (q, other)]: [(&Pose, &SharedShape); 2], _: f32) -> Option<f32> {
    Some(query::distance(p, &**one, q, &**other).expect("supported").distance)
}

fn by_points([(p, one), (q, other)]: [(&Pose, &SharedShape); 2], best: f32) -> Option<f32> {
    match query::closest_points(p, &**one, q, &**other, best).expect("supported") {
        ClosestPoints::Intersecting => Some(0.0),
        ClosestPoints::WithinMargin(on_a, on_b) => {
            black_box((on_a, on_b));
            Some((on_a - on_b).length())
        }
        ClosestPoints::Disjoint => None,
    }
}

fn by_leaves([(p, one), (q, other)]: [(&Pose, &SharedShape); 2], best: f32) -> Option<f32> {
    of_trees(&p.inv_mul(q), one.as_compound()?, other.as_compound()?, best)
}

/// Each leaf of one whose box is near enough against the tree of the other.
fn of_trees(to: &Pose, one: &Compound, other: &Compound, best: f32) -> Option<f32> {
    let whole = other.local_aabb().transform_by(to);
    let leaf = |leaf: u32, best: f32| {
        let (at, solid) = &one.shapes()[leaf as usize];
        let back = to.inv_mul(at);
        let around = solid.compute_aabb(&back);
        let found = other.bvh().find_best(
            best,
            |node, _| gap(&node.aabb(), &around),
            |leaf, _| {
                let (at, other) = &other.shapes()[leaf as usize];
                let to = at.inv_mul(&back);
                Some(distance_cuboid_cuboid(&to, other.as_cuboid()?, solid.as_cuboid()?))
            },
        );
        found.map(|(_, far)| far)
    };
    one.bvh().find_best(best, |node, _| gap(&node.aabb(), &whole), leaf).map(|(_, far)| far)
}

/// What is asked: of which parts, and how far at most.
struct Asked {
    name: &'static str,
    parts: [Vec<usize>; 2],
    cutoff: f32,
}

fn asked() -> [Asked; 4] {
    let all = || (0..PARTS).collect::<Vec<_>>();
    let of = |name, parts, cutoff| Asked { name, parts, cutoff };
    // A forearm and a hand on each side; from the waist to the head.
    let (arms, trunk) = (vec![8, 9, 15, 16], vec![1, 2, 3, 4, 5]);
    [
        of("all parts", [all(), all()], f32::INFINITY),
        of("all parts, within 10 cm", [all(), all()], CLOSE),
        of("forearms and hands, and the trunk", [arms, trunk], f32::INFINITY),
        of("a hand and a chest", [vec![9], vec![3]], f32::INFINITY),
    ]
}

/// Everyone in the other library, with the world boxes of their parts, and what they write on.
struct Peer<'a> {
    people: Vec<Person<'a>>,
    bounds: Vec<[Aabb; PARTS]>,
}

impl Peer<'_> {
    /// How far two people are apart, if near enough.
    fn apart(
        &self,
        [a, b]: [usize; 2],
        asked: &Asked,
        ranked: &mut Ranked,
        by: Look,
    ) -> Option<f32> {
        let part = |person: usize, part: usize| {
            let Person { poses, bodies } = self.people[person];
            (&poses[part], &bodies[part])
        };
        ranked.clear();
        for &i in &asked.parts[0] {
            for &j in &asked.parts[1] {
                let gap = gap(&self.bounds[a][i], &self.bounds[b][j]);
                if gap <= asked.cutoff {
                    ranked.push((gap, [i, j]));
                }
            }
        }
        // The nearest leaves few that are worth an order.
        let first = (0..ranked.len()).min_by(|&x, &y| ranked[x].0.total_cmp(&ranked[y].0))?;
        let mut best = asked.cutoff.min(f32::MAX);
        let mut found = None;
        let mut look = |[i, j]: [usize; 2], best: &mut f32| {
            if let Some(far) = by([part(a, i), part(b, j)], *best).filter(|far| far <= best) {
                (found, *best) = (Some(far), far);
            }
        };
        look(ranked.swap_remove(first).1, &mut best);
        ranked.retain(|(gap, _)| *gap < best);
        ranked.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        for &(gap, pair) in ranked.iter() {
            if gap >= best {
                break;
            }
            look(pair, &mut best);
        }
        found
    }
}

type Ranked = Vec<(f32, [usize; 2])>;

/// Prints what all find, and times them.
fn beside(criterion: &mut Criterion, name: &str, asks: &mut [Ask]) {
    let found = asks.iter_mut().map(|(who, ask)| {
        let (count, sum) = ask();
        format!("{who} {count}, {sum:.5} m")
    });
    println!("{name}: {}", found.collect::<Vec<_>>().join("; "));
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(PEOPLE as u64 - 1));
    for (who, ask) in asks {
        group.bench_function(*who, |b| b.iter(&mut *ask));
    }
    group.finish();
}

/// The questions to us.
fn questions(keys: &[CharacterKey], asked: &Asked) -> Vec<Apart> {
    let parts = asked.parts.each_ref().map(|of| of.iter().map(|&part| PartId::new(part)));
    let parts: [Vec<PartId>; 2] = parts.map(Iterator::collect);
    let of = |pair: &[CharacterKey]| {
        let apart = Apart::between(pair[0], pair[1]).cutoff(asked.cutoff.into());
        let all = asked.parts[0].len() == PARTS;
        if all { apart } else { apart.parts(&parts[0], &parts[1]) }
    };
    keys.windows(2).map(of).collect()
}

fn measure(criterion: &mut Criterion, trees: bool, now: Snapshot<'_>, peer: &Peer) {
    let keys: Vec<CharacterKey> = now.characters().collect();
    for asked in &asked() {
        let (questions, mut hits) = (questions(&keys, asked), Hits::new());
        let mut mine = || {
            let apart = |apart: &Apart| {
                let found = now.distance(apart, &mut hits).expect("a sound question");
                found.map(|found| black_box(found).distance)
            };
            summed(questions.iter().map(apart))
        };
        let theirs = |by: Look| {
            let mut ranked = Vec::new();
            move || {
                let pairs = (1..PEOPLE).map(|next| [next - 1, next]);
                summed(pairs.map(|pair| peer.apart(pair, asked, &mut ranked, by)))
            }
        };
        let (mut far, mut points, mut leaves) =
            (theirs(by_distance), theirs(by_points), theirs(by_leaves));
        let mut asks: Vec<Ask> = vec![
            ("boxwood", &mut mine),
            ("parry3d, distance", &mut far),
            ("parry3d, closest_points", &mut points),
        ];
        if trees {
            asks.push(("parry3d, leaf by leaf", &mut leaves));
        }
        let kind = if trees { "trees of 64" } else { "boxes" };
        beside(criterion, &format!("{kind}: {}", asked.name), &mut asks);
    }
}

fn distances(criterion: &mut Criterion) {
    let poses: Vec<Isometry3<f32>> = crowd(PEOPLE, SPACING, seed(PEOPLE));
    let theirs: Vec<Pose> = poses.iter().map(|&pose| pose.into()).collect();
    for trees in [false, true] {
        let (scene, bodies) = (scene(&model(trees, &[]), &poses), bodies(trees));
        let people = everyone(&theirs, &bodies);
        let bounds = people.iter().map(Person::bounds).collect();
        let mut buffers = Buffers::new();
        measure(criterion, trees, scene.snapshot(&mut buffers), &Peer { people, bounds });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = distances
}
criterion_main!(benches);
