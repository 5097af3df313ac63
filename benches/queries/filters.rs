//! What filters cost where they leave nothing out, and what they spare where they do: a crowd of
//! people of 20 boxes, and one person far off.
//!
//! "Nothing said" is what is asked by someone who has never heard of filters. Then: groups on every
//! part that all meet; a predicate that keeps everything; a character left out that is nowhere
//! near; every second part in no group; and for pairs, chests against all else. Of the first four
//! the counts are the same.
//!
//! Rays, points and balls are other ones in every round; for pairs everyone has moved in every
//! round.

use std::sync::Arc;

use boxwood::nalgebra::Isometry3;
use boxwood::{
    Accuracy, Buffers, CharacterKey, CollisionGroups, HitMode, Hits, Model, Overlaps, PairQuery,
    PartId, QueryFilter, QueryShape, RayCast, RayHits, Scene, Snapshot, Spawn,
};
use criterion::Criterion;

use crate::support::crowd::{Body, Frames, model, place};
use crate::support::measure::{Round, Way, bench_group, cases, clock, in_order, way};
use crate::support::peer::query_shapes::balls;
use crate::support::people::PARTS;
use crate::support::query_places::{about_people, beams, middles, over_ground, points, rays};

const PEOPLE: usize = 1_000;
/// Metres between people.
const SPACING: f64 = 1.0;
/// Of a person's parts.
const CHEST: usize = 3;

/// What is said, by the scene, by its moment or by the question.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Said {
    Nothing,
    AllMeet,
    KeepAll,
    OneOut,
    HalfOut,
    Chests,
}

const SAID: [(&str, Said); 6] = [
    ("nothing said", Said::Nothing),
    ("groups that all meet", Said::AllMeet),
    ("a predicate that keeps all", Said::KeepAll),
    ("one left out, far off", Said::OneOut),
    ("every second part in no group", Said::HalfOut),
    ("chests against all else", Said::Chests),
];

impl Said {
    /// On which parts there are groups, and which.
    fn groups(self, part: usize) -> Option<CollisionGroups> {
        match self {
            Said::AllMeet => Some(CollisionGroups { memberships: 3, filter: u64::MAX }),
            Said::HalfOut if part.is_multiple_of(2) => Some(CollisionGroups::ALL),
            Said::HalfOut => Some(CollisionGroups::NONE),
            Said::Chests if part == CHEST => Some(CollisionGroups { memberships: 1, filter: 2 }),
            Said::Chests => Some(CollisionGroups { memberships: 2, filter: 1 }),
            Said::Nothing | Said::KeepAll | Said::OneOut => None,
        }
    }
}

/// The crowd, and one more a kilometre off, who is the last.
struct Crowd {
    said: Said,
    frames: Frames,
    scene: Scene,
    keys: Vec<CharacterKey>,
}

impl Crowd {
    fn new(model: &Arc<Model>, said: Said) -> Self {
        let mut scene = Scene::new();
        let insert = |_| scene.insert(model, Spawn::default()).expect("room");
        let keys: Vec<CharacterKey> = (0..=PEOPLE).map(insert).collect();
        for &key in &keys {
            for part in 0..PARTS {
                if let Some(groups) = said.groups(part) {
                    scene.set_groups(key, PartId::new(part), groups).expect("a part");
                }
            }
        }
        Crowd { said, frames: Frames::new(PEOPLE, SPACING), scene, keys }
    }

    /// Everyone moves on.
    fn step(&mut self) {
        let mut poses = self.frames.next();
        let off = |pose: &Isometry3<f32>| Isometry3::translation(1e3, 0.0, 0.0) * pose;
        poses.extend_from_within(..PARTS);
        poses[PEOPLE * PARTS..].iter_mut().for_each(|pose| *pose = off(pose));
        place(&mut self.scene, &self.keys, &poses);
    }

    /// A moment with what is said about it.
    fn ask(&self, buffers: &mut Buffers, ask: impl FnOnce(Snapshot<'_>) -> Round) -> Round {
        let now = self.scene.snapshot(buffers);
        ask(now)
    }

    fn targets(&self, targets: QueryFilter<'static>) -> QueryFilter<'static> {
        match (self.said, self.keys.last()) {
            (Said::OneOut, Some(&key)) => targets.excluding(&[key]),
            (Said::KeepAll, _) => targets.predicate(&|_| true),
            _ => targets,
        }
    }

    fn query(&self, query: PairQuery<'static>) -> PairQuery<'static> {
        match (self.said, self.keys.last()) {
            (Said::OneOut, Some(&key)) => query.excluding(&[key]),
            (Said::KeepAll, _) => query.predicate(&|_, _| true),
            _ => query,
        }
    }

    /// A target for each of the crowd.
    fn of_each(&self) -> Vec<QueryFilter<'static>> {
        self.keys[..PEOPLE].iter().map(|&key| self.targets(QueryFilter::of(key))).collect()
    }
}

/// A way to ask the crowd that stands still, with the first question, which makes what is kept,
/// outside the clock.
fn standing<'a, Q>(
    crowd: &'a Crowd,
    name: &str,
    questions: &'a [Q],
    mut ask: impl FnMut(Snapshot<'_>, &[Q]) -> usize + 'a,
) -> Way<'a> {
    let (mut next, mut buffers) = (in_order(questions, PEOPLE), Buffers::new());
    way(name, move || {
        let asked = next();
        crowd.ask(&mut buffers, |now| {
            ask(now, &asked[..1]);
            clock(|| ask(now, asked))
        })
    })
}

fn at_all(criterion: &mut Criterion, crowds: &[(&str, Crowd)]) {
    let side = (PEOPLE as f64).sqrt() * SPACING;
    let places = over_ground(cases(), side);
    let lines = beams(&rays(&places, 0.0));
    let rays = crowds.iter().map(|(name, crowd)| {
        let (targets, mut struck) = (crowd.targets(QueryFilter::all()), RayHits::default());
        standing(crowd, name, &lines, move |now, beams: &[RayCast]| {
            now.ray_cast_batch(beams, HitMode::Closest, &targets, &mut struck).expect("sound rays");
            struck.len()
        })
    });
    bench_group(criterion, "filters: rays at a crowd", PEOPLE, rays.collect());
    let frame = Frames::new(PEOPLE, SPACING).next();
    let kinds =
        [("points", points(&middles(&frame, cases()))), ("balls", balls(&places, 0.5).mine)];
    for (what, regions) in &kinds {
        let ways = crowds.iter().map(|(name, crowd)| {
            let (targets, mut inside) = (crowd.targets(QueryFilter::all()), Overlaps::default());
            standing(crowd, name, regions, move |now, regions: &[QueryShape]| {
                now.overlaps_batch(regions, HitMode::All, &targets, &mut inside).expect("sound");
                inside.len()
            })
        });
        bench_group(criterion, &format!("filters: {what} at a crowd"), PEOPLE, ways.collect());
    }
}

fn at_each(criterion: &mut Criterion, crowds: &[(&str, Crowd)]) {
    let frame = Frames::new(PEOPLE, SPACING).next();
    let places = about_people(&frame, super::single_character::times());
    let (points, lines) = (points(&places), beams(&rays(&places, 2.0)));
    let ways = crowds.iter().map(|(name, crowd)| {
        let (targets, mut inside) = (crowd.of_each(), Overlaps::default());
        standing(crowd, name, &points, move |now, points: &[QueryShape]| {
            let of = |(&point, who): (&QueryShape, &QueryFilter)| {
                now.overlaps(point, who, &mut inside).expect("a sound point");
                inside.len()
            };
            points.iter().zip(&targets).map(of).sum()
        })
    });
    bench_group(criterion, "filters: points at one character", PEOPLE, ways.collect());
    let ways = crowds.iter().map(|(name, crowd)| {
        let (targets, mut struck) = (crowd.of_each(), RayHits::default());
        standing(crowd, name, &lines, move |now, beams: &[RayCast]| {
            let hit = |&(&beam, who): &(&RayCast, &QueryFilter)| {
                now.ray_cast(beam, who, &mut struck).expect("a sound ray").is_some()
            };
            beams.iter().zip(&targets).filter(hit).count()
        })
    });
    bench_group(criterion, "filters: rays at one character", PEOPLE, ways.collect());
}

/// A way to find pairs of a crowd that has moved.
fn moved<'a>(model: &Arc<Model>, (name, said): (&str, Said), all: bool) -> Way<'a> {
    let mut crowd = Crowd::new(model, said);
    let of = |query: PairQuery<'static>| crowd.query(query.accuracy(Accuracy::Depth(0)));
    let queries: Vec<PairQuery> = match all {
        true => vec![of(PairQuery::all())],
        false => crowd.keys[..PEOPLE].iter().map(|&key| of(PairQuery::of(key))).collect(),
    };
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    way(name, move || {
        crowd.step();
        crowd.ask(&mut buffers, |now| {
            let mut find = |query: &PairQuery| {
                now.pairs(query, &mut hits).expect("a sound question");
                hits.pairs().len()
            };
            // What is found when it is first asked for is kept; but the very question must be new.
            match all {
                true => assert!(now.broad_phase_pairs().next().is_some()),
                false => assert!(find(&queries[0]) < PARTS * PARTS * PEOPLE),
            }
            clock(|| queries.iter().map(&mut find).sum::<usize>())
        })
    })
}

pub fn filters(criterion: &mut Criterion) {
    let model = model(Body::Box, &[]);
    let crowd = |(name, said)| {
        let mut crowd = Crowd::new(&model, said);
        crowd.step();
        (name, crowd)
    };
    let crowds: Vec<(&str, Crowd)> = SAID[..5].iter().copied().map(crowd).collect();
    at_all(criterion, &crowds);
    at_each(criterion, &crowds);
    for (what, all) in [("all pairs", true), ("pairs of one and all others", false)] {
        let ways = SAID.iter().map(|&said| moved(&model, said, all)).collect();
        bench_group(criterion, &format!("filters: {what}"), PEOPLE, ways);
    }
}
