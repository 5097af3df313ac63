//! All parts that a moving shape or character touches on its way: each first contact is that of the
//! cast at the part alone, each last one that of the way back, and whatever touches in between is
//! there.

use boxwood::scene::{
    Buffers, CharacterKey, Overlaps, PartPassage, QueryFilter, QueryScratch, QueryShape, Scene,
    ShapeHit,
};
use boxwood::shape::{Capsule, Obb, Segment, Sphere};
use boxwood::{Accuracy, PairQuery, PartId};

use super::near_points::bodies::stage;

use support::prelude::*;

/// Returns a ball, a capsule or a box at a place; the same numbers give the same shape elsewhere.
fn shape<T: Scalar>(kind: usize, size: V, at: V) -> QueryShape<T> {
    let radius = T::nearest(size[0]);
    match kind {
        0 => Sphere::new(point(at), radius).expect("a ball").into(),
        1 => {
            let end = point(plus(at, [0.0, size[1], size[2]]));
            Capsule::new(Segment::new(point(at), end).expect("two ends"), radius)
                .expect("a capsule")
                .into()
        }
        _ => {
            let half = Vector3::from(size.map(T::nearest));
            Obb::new(point(at), nalgebra::Matrix3::identity(), half).expect("a box").into()
        }
    }
}

/// Greatest rounding of times and positions, as a share of the sizes.
fn rounding<T: Scalar>() -> f64 {
    if T::ROUNDING > 1e-10 { 2e-5 } else { 1e-10 }
}

fn shapes<T: Scalar>(seed: u64) {
    let (mut random, mut counts) = (Random(seed), [0; 4]);
    let (mut scratch, mut hits, mut overlaps) = (QueryScratch::new(), Vec::new(), Overlaps::new());
    let rounds = at_least(900, 45);
    for round in 0..rounds {
        let far = [0.0, 30.0, 1e3][round % 3];
        let (scene, keys, _) = stage::<T>(&mut random, far);
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let (kind, all) = (random.below(3), QueryFilter::all());
        let size = [0, 1, 2].map(|_| random.between(0.02, 0.4));
        let place = [far, -far, 0.5 * far];
        let start = plus(place, times(random.direction(), random.between(0.0, 6.0)));
        let end = plus(place, times(random.direction(), random.between(0.0, 6.0)));
        // Displacement of the query, rounded.
        let way: Vector3<T> = vector(plus(end, times(start, -1.0)));
        let one: QueryShape<T> = shape(kind, size, start);
        now.shape_cast_all(one, way, &all, &mut scratch, &mut hits).expect("a query");
        let first = now.shape_cast(one, way, &all, &mut scratch).expect("a query");
        assert_eq!(first.map(|hit| hit.target), hits.first().map(|hit| hit.target));
        let is_sorted = |x: &ShapeHit<T>, y: &ShapeHit<T>| {
            let key = |hit: &ShapeHit<T>| {
                let order = scene.user(hit.target.character).expect("a key");
                (hit.time_of_impact.wide(), order, hit.target.part)
            };
            key(x) < key(y)
        };
        assert!(hits.is_sorted_by(is_sorted));
        let length = way.norm().wide();
        let doubt = rounding::<T>() * (1.0 + (10.0 + far) / length);
        for hit in &hits {
            let part = [hit.target.part];
            let alone = QueryFilter::of(hit.target.character).parts(&part);
            let again = now.shape_cast(one, way, &alone, &mut scratch).expect("a query");
            let again = again.expect("a hit").time_of_impact;
            assert_eq!(hit.time_of_impact, again);
            let leaves = hit.time_of_leaving.wide();
            assert!(leaves >= hit.time_of_impact.wide());
            // The way back, from where the shape ends.
            let there: V = (start, way).into_end();
            let back = shape(kind, size, there);
            let back = now.shape_cast(back, -way, &alone, &mut scratch).expect("a query");
            match back {
                Some(back) if !back.started_inside => {
                    let expected = 1.0 - back.time_of_impact.wide();
                    let is_same = (leaves - expected).abs() <= doubt;
                    // Barely touching at the end, or barely not.
                    let is_at_end = leaves.is_infinite() && expected > 1.0 - doubt;
                    assert!(is_same || is_at_end, "{leaves} is not {expected} up to {doubt}");
                    counts[0] += 1;
                }
                _ => {
                    assert!(leaves.is_infinite() || leaves > 1.0 - doubt, "{leaves}, {back:?}");
                    counts[1] += 1;
                }
            }
            counts[2] += usize::from(hit.started_inside);
        }
        sampled(&now, (kind, size, start, way), &hits, &mut overlaps, doubt);
        counts[3] += usize::from(hits.len() > 2);
        assert!(keys.len() >= 2);
    }
    println!("{counts:?} left, at the end, from inside, several");
    assert!(counts.iter().all(|&count| 30 * count > rounds), "{counts:?}");
}

/// The end of a motion.
trait IntoEnd {
    fn into_end(self) -> V;
}

impl<T: Scalar> IntoEnd for (V, Vector3<T>) {
    fn into_end(self) -> V {
        plus(self.0, [self.1.x.wide(), self.1.y.wide(), self.1.z.wide()])
    }
}

/// Checks that whatever overlaps the shape at a time between is among the hits, at that time.
fn sampled<T: Scalar>(
    now: &boxwood::scene::Snapshot<'_, T>,
    (kind, size, start, way): (usize, V, V, Vector3<T>),
    hits: &[ShapeHit<T>],
    overlaps: &mut Overlaps<T>,
    doubt: f64,
) {
    let exactly = QueryFilter::all().accuracy(Accuracy::Exact);
    for step in 0..=24 {
        let time = f64::from(step) / 24.0;
        let by = [way.x.wide(), way.y.wide(), way.z.wide()];
        let there: QueryShape<T> = shape(kind, size, plus(start, times(by, time)));
        now.overlaps(there, &exactly, overlaps).expect("a query");
        for node in overlaps.iter() {
            let is_same = |hit: &&ShapeHit<T>| {
                (hit.target.character, hit.target.part) == (node.character, node.part)
            };
            let hit = hits.iter().find(is_same);
            let hit = hit.unwrap_or_else(|| panic!("{node:?} is missing at {time}"));
            assert!(hit.time_of_impact.wide() <= time + doubt, "late: {hit:?} at {time}");
            assert!(hit.time_of_leaving.wide() >= time - doubt, "early: {hit:?} at {time}");
        }
    }
}

/// Returns all passages by casts of single parts.
fn one_by_one<T: Scalar>(
    scene: &Scene<T>,
    keys: &[CharacterKey],
    mover: CharacterKey,
    way: Vector3<T>,
) -> Vec<boxwood::tree::ShiftedContact<T, boxwood::NodeRef>> {
    let (mut buffers, mut scratch, mut found) = (Buffers::new(), QueryScratch::new(), Vec::new());
    let now = scene.snapshot(&mut buffers);
    let parts = |key| (0..scene.model(key).expect("a key").len()).map(PartId::new);
    for &other in keys.iter().filter(|&&other| other != mover) {
        for (a, b) in parts(mover).flat_map(|a| parts(other).map(move |b| (a, b))) {
            let query = PairQuery::between(mover, other).parts(&[a], &[b]);
            found.extend(now.cast(&query, way, &mut scratch).expect("a query"));
        }
    }
    found
}

fn characters<T: Scalar>(seed: u64) {
    let (mut random, mut counts) = (Random(seed), [0; 3]);
    let (mut scratch, mut passages) = (QueryScratch::new(), Vec::new());
    let rounds = at_least(600, 40);
    for round in 0..rounds {
        let far = [0.0, 30.0, 1e3][round % 3];
        let (mut scene, keys, _) = stage::<T>(&mut random, far);
        let (mover, mut buffers) = (keys[0], Buffers::new());
        let way: Vector3<T> = vector(times(random.direction(), random.between(0.0, 8.0)));
        let now = scene.snapshot(&mut buffers);
        now.cast_all(&PairQuery::of(mover), way, &mut scratch, &mut passages).expect("a query");
        let mut expected = one_by_one(&scene, &keys, mover, way);
        expected.sort_by(|x, y| {
            let node =
                |node: boxwood::NodeRef| (scene.user(node.character).expect("a key"), node.part);
            let by_shift = x.shift.wide().total_cmp(&y.shift.wide());
            by_shift.then_with(|| (node(x.a), node(x.b)).cmp(&(node(y.a), node(y.b))))
        });
        let first: Vec<_> = passages.iter().map(|passage| passage.first).collect();
        assert_eq!(first, expected);
        // The way back, from where the mover ends.
        let length = way.norm().wide();
        let doubt = rounding::<T>() * (10.0 + far + length);
        let mut root = scene.root(mover).expect("a key");
        root.translation.vector += way;
        scene.set_root(mover, &root).expect("a pose");
        let mut spare = Buffers::new();
        let now = scene.snapshot(&mut spare);
        for PartPassage { first, last, .. } in &passages {
            let query = PairQuery::between(mover, first.b.character);
            let query = query.parts(&[first.a.part], &[first.b.part]);
            let back = now.cast(&query, -way, &mut scratch).expect("a query");
            let back = back.map(|back| length - back.shift.wide());
            match (last, back) {
                (Some(last), Some(back)) => {
                    let last = last.shift.wide();
                    assert!(last >= first.shift.wide());
                    assert!((last - back).abs() <= doubt, "{last} is not {back} up to {doubt}");
                    counts[0] += 1;
                }
                (None, back) => {
                    assert!(back.is_none_or(|back| back > length - doubt), "{back:?}");
                    counts[1] += 1;
                }
                // Grazing: the way back misses by rounding.
                (Some(last), None) => {
                    assert!((last.shift - first.shift).wide() <= doubt.sqrt());
                    counts[2] += 1;
                }
            }
        }
    }
    println!("{counts:?} left, at the end, grazing");
    let [left, at_end, grazing] = counts;
    assert!(left > rounds && 10 * at_end > rounds && 30 * grazing < rounds, "{counts:?}");
}

scalars! {
    shapes_enter_and_leave_everything_on_their_way => shapes(8811; 8812);
    characters_enter_and_leave_everything_on_their_way => characters(8813; 8814);
}
