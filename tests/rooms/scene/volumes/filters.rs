//! Filtered ray casts, overlaps and nearest parts answer with the unfiltered answers that pass, bit
//! for bit.

use std::fmt::Debug;
use std::sync::Mutex;

use boxwood::scene::{
    Buffers, CharacterKey, ClosestParts, HitMode, Overlaps, QueryFilter, RayCast, RayHits, Scene,
    Snapshot,
};
use boxwood::shape::{Ray, Sphere};
use boxwood::{Accuracy, CollisionGroups, Detail, NodeId, NodeRef, PartId};

use crate::scene::near_points::bodies::{bodies, spot, stage};

use support::prelude::*;

/// Answers of one kind of query: all of them, the closest one, and `true` if there is any.
#[derive(Debug, PartialEq)]
struct FilteredAnswers<A> {
    all: Vec<A>,
    closest: Option<A>,
    any: bool,
}

/// All queries of one ray, one ball, and one point with a largest distance, at an accuracy.
struct Queries<T: Scalar> {
    accuracy: Accuracy,
    ray: Ray<T>,
    ball: Sphere<T, 3>,
    point: Point3<T>,
    most: f64,
}

impl<T: Scalar> Queries<T> {
    fn rays(
        &self,
        now: &Snapshot<'_, T>,
        filter: &QueryFilter<'_>,
    ) -> FilteredAnswers<(NodeRef, String)> {
        let mut hits = RayHits::new();
        let any = now.ray_cast_any(self.ray, filter, &mut hits).expect("a query");
        let closest = now.ray_cast(self.ray, filter, &mut hits).expect("a query");
        now.ray_cast_all(self.ray, filter, &mut hits).expect("a query");
        let told = |hit: &boxwood::pair::RayHit<T, NodeRef>| (hit.target, format!("{hit:?}"));
        FilteredAnswers {
            all: hits.iter().map(told).collect(),
            closest: closest.as_ref().map(told),
            any,
        }
    }

    fn overlaps(
        &self,
        now: &Snapshot<'_, T>,
        filter: &QueryFilter<'_>,
    ) -> FilteredAnswers<(NodeRef, String)> {
        let mut overlaps = Overlaps::new();
        let any = now.overlaps_any(self.ball, filter, &mut overlaps).expect("a query");
        now.overlaps(self.ball, filter, &mut overlaps).expect("a query");
        let all: Vec<_> = overlaps.iter().map(|&node| (node, String::new())).collect();
        FilteredAnswers { closest: all.first().cloned(), all, any }
    }

    /// The nearest part may be another at equal distance.
    fn nearest(
        &self,
        now: &Snapshot<'_, T>,
        filter: &QueryFilter<'_>,
    ) -> FilteredAnswers<(NodeRef, String)> {
        let mut closest = ClosestParts::new();
        now.closest_parts(self.point, self.most, filter, &mut closest).expect("a query");
        let all = closest.to_vec();
        let one = now.closest_part(self.point, self.most, filter, &mut closest).expect("a query");
        assert_eq!(one.as_slice(), &closest[..]);
        // At an accuracy coarser than primitives it skips parts that are certainly further: another
        // part's boxes may be nearer, by their slack at most.
        assert_eq!(one.is_some(), !all.is_empty());
        if let (Some(one), Some(first)) = (one, all.first()) {
            assert!(self.accuracy != Accuracy::Exact || one.distance == first.distance);
            let most = (first.distance.wide() + first.slack.wide()) * (1.0 + 1e-6);
            assert!(
                first.distance <= one.distance && one.distance.wide() <= most,
                "{one:?} {first:?}"
            );
        }
        assert!(one.is_none_or(|one| all.contains(&one)));
        let all: Vec<_> = all.iter().map(|one| (one.a, format!("{one:?}"))).collect();
        FilteredAnswers { closest: all.first().cloned(), any: one.is_some(), all }
    }
}

/// Casts a batch of rays that exclude characters of their own, and compares each with a cast whose
/// filter excludes the same.
fn own_exclusions<T: Scalar>(
    now: &Snapshot<'_, T>,
    keys: &[CharacterKey],
    (ray, filter): (Ray<T>, &dyn Fn() -> QueryFilter<'static>),
) -> usize {
    let mut casts = vec![RayCast::from(ray), RayCast::new(ray, 5.0).expect("a ray")];
    casts.extend(keys.iter().map(|&key| RayCast::from(ray).excluding(key)));
    // The last exclusion counts, and is not inherited by the next ray.
    casts.push(RayCast::from(ray).excluding(keys[0]).excluding(keys[1]));
    casts.push(RayCast::from(ray));
    let (mut batch, mut one, mut changed) = (RayHits::new(), RayHits::new(), 0);
    for mode in [HitMode::Closest, HitMode::All, HitMode::Any] {
        now.ray_cast_batch(&casts, mode, &filter(), &mut batch).expect("a query");
        assert_eq!(batch.query_count(), casts.len());
        for (index, cast) in casts.iter().enumerate() {
            let filter = filter().excluding(cast.excluded.as_slice());
            let mut plain = *cast;
            plain.excluded = None;
            now.ray_cast_batch(&[plain], mode, &filter, &mut one).expect("a query");
            match mode {
                // Any hit will do, so the two may differ.
                HitMode::Any => assert_eq!(batch.of(index).is_empty(), one.is_empty()),
                _ => assert_eq!(batch.of(index), &one[..], "{cast:?}"),
            }
            assert!(batch.of(index).iter().all(|hit| Some(hit.target.character) != cast.excluded));
            changed += usize::from(batch.of(index) != batch.of(0));
        }
    }
    changed
}

const RULES: [&str; 5] = ["characters", "excluded", "parts", "groups", "predicate"];

/// All filters of a volume query.
#[derive(Debug)]
struct Filter {
    of: Option<CharacterKey>,
    excluded: Vec<CharacterKey>,
    parts: Option<Vec<PartId>>,
    groups: Option<CollisionGroups>,
    odd: bool,
}

fn odd(node: NodeRef) -> bool {
    assert_eq!(node.node, NodeId::ROOT);
    !(node.part.index() * 5 + 1).is_multiple_of(3)
}

impl Filter {
    fn draw<T: Scalar>(scene: &Scene<T>, keys: &[CharacterKey], random: &mut Random) -> Filter {
        let of = random.chance(0.4).then(|| keys[0]);
        // Only parts that a named character has may be listed.
        let has = of.map_or(1_000, |key| scene.model(key).expect("a key").len());
        let listed = [0, 2, 3, 5, 999].into_iter().filter(|&part| part < has);
        let parts = listed.filter(|_| random.chance(0.6)).map(PartId::new).collect();
        let groups = [CollisionGroups { memberships: 0b101, filter: 0b110 }, CollisionGroups::NONE];
        Filter {
            of,
            excluded: if random.chance(0.3) { vec![keys[1], keys[1]] } else { vec![] },
            parts: random.chance(0.4).then_some(parts),
            groups: random.chance(0.5).then(|| groups[random.below(10) / 9]),
            odd: random.chance(0.4),
        }
    }

    fn query(&self) -> QueryFilter<'_> {
        let mut query = self.of.map_or_else(QueryFilter::all, QueryFilter::of);
        query = query.excluding(&self.excluded);
        if let Some(parts) = &self.parts {
            query = query.parts(parts);
        }
        if let Some(groups) = self.groups {
            query = query.groups(groups);
        }
        if self.odd { query.predicate(&odd) } else { query }
    }

    /// Returns the verdict of each of [`RULES`]; all groups still exclude parts in no group.
    fn verdicts<T: Scalar>(&self, scene: &Scene<T>, node: &NodeRef) -> [bool; 5] {
        let own = scene.groups(node.character).expect("a key")[node.part.index()];
        let asked = self.groups.unwrap_or(CollisionGroups::ALL);
        [
            self.of.is_none_or(|key| key == node.character),
            !self.excluded.contains(&node.character),
            self.parts.as_ref().is_none_or(|parts| parts.contains(&node.part)),
            own.memberships & asked.filter != 0 && own.filter & asked.memberships != 0,
            !self.odd || odd(NodeRef { node: NodeId::ROOT, ..*node }),
        ]
    }
}

/// Numbers of answers that passed, and that each rule alone rejected.
#[derive(Default, Debug)]
struct Counts {
    passed: usize,
    left_out: [usize; 5],
    /// Rays whose own exclusion changed an answer.
    own: usize,
}

impl Counts {
    /// Compares filtered answers with the answers of the plain scene that pass.
    fn compare<A: Clone + PartialEq + Debug>(
        &mut self,
        plain: FilteredAnswers<(NodeRef, A)>,
        found: FilteredAnswers<(NodeRef, A)>,
        (filter, verdicts): (&Filter, impl Fn(&NodeRef) -> [bool; 5]),
    ) {
        for (node, _) in &plain.all {
            let verdicts = verdicts(node);
            self.passed += usize::from(verdicts == [true; 5]);
            for (rule, verdict) in verdicts.into_iter().enumerate() {
                let alone = !verdict && verdicts.iter().filter(|&&verdict| !verdict).count() == 1;
                self.left_out[rule] += usize::from(alone);
            }
        }
        let passes = |(node, _): &&(NodeRef, A)| verdicts(node) == [true; 5];
        let all: Vec<_> = plain.all.iter().filter(passes).cloned().collect();
        let expected = FilteredAnswers { closest: all.first().cloned(), any: !all.is_empty(), all };
        assert_eq!(found, expected, "{filter:?}");
    }
}

fn stages<T: Scalar>(seed: u64) {
    let (mut random, mut counts) = (Random(seed), [(); 3].map(|()| Counts::default()));
    for _ in 0..at_least(2_000, 120) {
        let (plain, keys, off) = stage::<T>(&mut random, 0.0);
        let bodies = bodies(&plain, &off);
        if bodies.is_empty() {
            continue;
        }
        let mut scene = plain.clone();
        for body in &bodies {
            if random.chance(0.4) {
                continue;
            }
            let mut word = || random.bits() & random.bits() & 7;
            let groups = CollisionGroups { memberships: word(), filter: word() };
            scene.set_groups(body.key, body.part, groups).expect("a part");
        }
        let at = |v: [f64; 3]| Point3::from(v.map(T::nearest));
        let from = at(times(random.direction(), 4.0));
        let ray = Ray::through(from, spot(&mut random, &bodies, 0.0)).expect("a ray");
        let Some(ray) = ray else { continue };
        let ball = Sphere::new(at(random.direction()), T::one()).expect("a ball");
        let most = [f64::INFINITY, 1.5][random.below(2)];
        let point = spot(&mut random, &bodies, 0.0);
        let (mut buffers, mut others) = (Buffers::new(), Buffers::new());
        let (all, now) = (plain.snapshot(&mut buffers), scene.snapshot(&mut others));
        let detail = [Detail::Bodies, Detail::Boxes][random.below(2)];
        let accuracy =
            [Accuracy::Depth(1), Accuracy::Within(0.1), Accuracy::Exact][random.below(3)];
        let queries = Queries { accuracy, ray, ball, point, most };
        let set = |query: QueryFilter<'static>| query.detail(detail).accuracy(accuracy);
        let everything = set(QueryFilter::all());
        counts[0].own += own_exclusions(&now, &keys, (ray, &|| set(QueryFilter::all())));
        counts[0].own += own_exclusions(&now, &keys, (ray, &|| set(QueryFilter::of(keys[0]))));
        for _ in 0..6 {
            let filter = Filter::draw(&scene, &keys, &mut random);
            let query = filter.query().detail(detail).accuracy(accuracy);
            let verdicts = |node: &NodeRef| filter.verdicts(&scene, node);
            let [rays, overlaps, nearest] = &mut counts;
            let (plain, found) = (queries.rays(&all, &everything), queries.rays(&now, &query));
            rays.compare(plain, found, (&filter, verdicts));
            let (plain, found) =
                (queries.overlaps(&all, &everything), queries.overlaps(&now, &query));
            overlaps.compare(plain, found, (&filter, verdicts));
            let (plain, found) =
                (queries.nearest(&all, &everything), queries.nearest(&now, &query));
            nearest.compare(plain, found, (&filter, verdicts));
        }
    }
    assert!(counts[0].own > 100, "{} rays", counts[0].own);
    for (counts, what) in counts.iter().zip(["rays", "overlaps", "nearest"]) {
        println!("{what}: {counts:?} by {RULES:?}");
        assert!(counts.passed > 50 && counts.left_out.iter().all(|&count| count > 10), "{what}");
    }
}

#[test]
fn a_predicate_is_asked_about_roots_once_each_and_not_of_what_is_left_out() {
    let mut random = Random(793);
    for _ in 0..60 {
        let (scene, keys, off) = stage::<f64>(&mut random, 0.0);
        let bodies = bodies(&scene, &off);
        if bodies.is_empty() {
            continue;
        }
        let (asked, point) = (Mutex::new(Vec::new()), spot(&mut random, &bodies, 0.0));
        let note = |node: NodeRef| {
            asked.lock().expect("no panic").push(node);
            true
        };
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let filter = QueryFilter::all().excluding(&keys[..1]).predicate(&note);
        let mut closest = ClosestParts::new();
        now.closest_parts(point, f64::INFINITY, &filter, &mut closest).expect("a question");
        let mut of: Vec<NodeRef> = closest.iter().map(|one| one.a).collect();
        of.iter_mut().for_each(|node| node.node = NodeId::ROOT);
        of.sort();
        let mut asked = asked.into_inner().expect("no panic");
        asked.sort();
        assert_eq!(asked, of);
        assert!(asked.iter().all(|node| node.character != keys[0]));
    }
}

scalars! {
    filtered_answers_are_the_unfiltered_ones_that_pass => stages(791; 792);
}
