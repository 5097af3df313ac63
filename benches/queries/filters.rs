//! Cost of filters that exclude nothing, and savings of those that do: a crowd of people of 20
//! boxes, and one distant person.
//!
//! "Nothing said" is a query without a filter. The others are: groups on every part that all
//! interact; a predicate that accepts everything; an excluded character that is far away; every
//! second part in no group; and, for pairs, chests against all else. The first four have the same
//! counts.
//!
//! Rays, points and balls are new in every round; for pairs all people move in every round.

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
use crate::support::query_places::{about_people, casts, middles, over_ground, points, rays};

const PEOPLE: usize = 1_000;
/// Spacing of people [m].
const SPACING: f64 = 1.0;
/// Part of a person that the subset of its parts consists of.
const CHEST: usize = 3;

/// Filters: of the scene, of the snapshot or of the query.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Filtering {
    Nothing,
    AllMeet,
    KeepAll,
    OneOut,
    HalfOut,
    Chests,
}

const SAID: [(&str, Filtering); 6] = [
    ("nothing said", Filtering::Nothing),
    ("groups that all meet", Filtering::AllMeet),
    ("a predicate that keeps all", Filtering::KeepAll),
    ("one left out, far off", Filtering::OneOut),
    ("every second part in no group", Filtering::HalfOut),
    ("chests against all else", Filtering::Chests),
];

impl Filtering {
    fn groups(self, part: usize) -> Option<CollisionGroups> {
        match self {
            Filtering::AllMeet => Some(CollisionGroups { memberships: 3, filter: u64::MAX }),
            Filtering::HalfOut if part.is_multiple_of(2) => Some(CollisionGroups::ALL),
            Filtering::HalfOut => Some(CollisionGroups::NONE),
            Filtering::Chests if part == CHEST => {
                Some(CollisionGroups { memberships: 1, filter: 2 })
            }
            Filtering::Chests => Some(CollisionGroups { memberships: 2, filter: 1 }),
            Filtering::Nothing | Filtering::KeepAll | Filtering::OneOut => None,
        }
    }
}

/// The crowd, and one more person a kilometre away, who is the last.
struct Crowd {
    said: Filtering,
    frames: Frames,
    scene: Scene,
    keys: Vec<CharacterKey>,
}

impl Crowd {
    fn new(model: &Arc<Model>, said: Filtering) -> Self {
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

    fn step(&mut self) {
        let mut poses = self.frames.next();
        let off = |pose: &Isometry3<f32>| Isometry3::translation(1e3, 0.0, 0.0) * pose;
        poses.extend_from_within(..PARTS);
        poses[PEOPLE * PARTS..].iter_mut().for_each(|pose| *pose = off(pose));
        place(&mut self.scene, &self.keys, &poses);
    }

    /// Runs a query on a snapshot with its filters.
    fn ask(&self, buffers: &mut Buffers, ask: impl FnOnce(Snapshot<'_>) -> Round) -> Round {
        let now = self.scene.snapshot(buffers);
        ask(now)
    }

    fn query_filter(&self, query_filter: QueryFilter<'static>) -> QueryFilter<'static> {
        match (self.said, self.keys.last()) {
            (Filtering::OneOut, Some(&key)) => query_filter.excluding(&[key]),
            (Filtering::KeepAll, _) => query_filter.predicate(&|_| true),
            _ => query_filter,
        }
    }

    fn query(&self, query: PairQuery<'static>) -> PairQuery<'static> {
        match (self.said, self.keys.last()) {
            (Filtering::OneOut, Some(&key)) => query.excluding(&[key]),
            (Filtering::KeepAll, _) => query.predicate(&|_, _| true),
            _ => query,
        }
    }

    fn of_each(&self) -> Vec<QueryFilter<'static>> {
        self.keys[..PEOPLE].iter().map(|&key| self.query_filter(QueryFilter::of(key))).collect()
    }
}

/// Times queries to a crowd at rest. The first query, which builds the data shared by queries, is
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
    let lines = casts(&rays(&places, 0.0));
    let rays = crowds.iter().map(|(name, crowd)| {
        let (query_filter, mut ray_hits) =
            (crowd.query_filter(QueryFilter::all()), RayHits::default());
        standing(crowd, name, &lines, move |now, casts: &[RayCast]| {
            now.ray_cast_batch(casts, HitMode::Closest, &query_filter, &mut ray_hits)
                .expect("sound rays");
            ray_hits.len()
        })
    });
    bench_group(criterion, "filters: rays at a crowd", PEOPLE, rays.collect());
    let frame = Frames::new(PEOPLE, SPACING).next();
    let kinds =
        [("points", points(&middles(&frame, cases()))), ("balls", balls(&places, 0.5).mine)];
    for (what, regions) in &kinds {
        let ways = crowds.iter().map(|(name, crowd)| {
            let (query_filter, mut overlaps) =
                (crowd.query_filter(QueryFilter::all()), Overlaps::default());
            standing(crowd, name, regions, move |now, regions: &[QueryShape]| {
                now.overlaps_batch(regions, HitMode::All, &query_filter, &mut overlaps)
                    .expect("sound");
                overlaps.len()
            })
        });
        bench_group(criterion, &format!("filters: {what} at a crowd"), PEOPLE, ways.collect());
    }
}

fn at_each(criterion: &mut Criterion, crowds: &[(&str, Crowd)]) {
    let frame = Frames::new(PEOPLE, SPACING).next();
    let places = about_people(&frame, super::single_character::times(), 11);
    let (points, lines) = (points(&places), casts(&rays(&places, 2.0)));
    let ways = crowds.iter().map(|(name, crowd)| {
        let (query_filter, mut overlaps) = (crowd.of_each(), Overlaps::default());
        standing(crowd, name, &points, move |now, points: &[QueryShape]| {
            let of = |(&point, who): (&QueryShape, &QueryFilter)| {
                now.overlaps(point, who, &mut overlaps).expect("a sound point");
                overlaps.len()
            };
            points.iter().zip(&query_filter).map(of).sum()
        })
    });
    bench_group(criterion, "filters: points at one character", PEOPLE, ways.collect());
    let ways = crowds.iter().map(|(name, crowd)| {
        let (query_filter, mut ray_hits) = (crowd.of_each(), RayHits::default());
        standing(crowd, name, &lines, move |now, casts: &[RayCast]| {
            let hit = |&(&cast, who): &(&RayCast, &QueryFilter)| {
                now.ray_cast(cast, who, &mut ray_hits).expect("a sound ray").is_some()
            };
            casts.iter().zip(&query_filter).filter(hit).count()
        })
    });
    bench_group(criterion, "filters: rays at one character", PEOPLE, ways.collect());
}

/// Times finding the pairs of a crowd that has moved.
fn moved<'a>(model: &Arc<Model>, (name, said): (&str, Filtering), all: bool) -> Way<'a> {
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
            // Data built for a first query is cached, but the timed query itself must be new.
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
