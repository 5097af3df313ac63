//! Separations and casts of characters: moved by the answer, and ever further, no tested parts
//! share a point, by an exact oracle that shares no code with the crate.

use std::collections::BTreeSet;

use boxwood::num::SimdLevel;
use boxwood::scene::{Buffers, CharacterKey, QueryScratch, Scene, Snapshot, Spawn};
use boxwood::shape::{Obb, Pose};
use boxwood::tree::{Geometry, Passage, Push, Separation, TreePair, TreeScratch};
use boxwood::{Error, NodeRef, PairQuery, PartId};

use support::closed_meshes;
use support::posed_characters::{Actor, moved, random_actor};
use support::prelude::*;
use support::random_parts::wide;

/// Two characters in a scene, with their exact oracle.
pub struct Stage<T: Scalar> {
    pub actors: [Actor<T>; 2],
    pub poses: [Vec<Pose<T>>; 2],
    pub scene: Scene<T>,
    pub keys: [CharacterKey; 2],
}

impl<T: Scalar> Stage<T> {
    fn new(random: &mut Random, far: V) -> Self {
        let actors = [random_actor(random, 4, 0.8), random_actor(random, 3, 0.8)];
        let near = plus(far, times(random.direction(), random.between(0.0, 4.0)));
        Stage::of(actors, [far, near], random)
    }

    fn of(actors: [Actor<T>; 2], at: [V; 2], random: &mut Random) -> Self {
        Stage::placed(actors, at.map(|at| turned(random, at)))
    }

    pub fn placed(actors: [Actor<T>; 2], at: [Pose<T>; 2]) -> Self {
        let poses = [0, 1].map(|i| actors[i].placed(&at[i]));
        let mut scene = Scene::new();
        let keys = [0, 1].map(|i| insert_posed(&mut scene, &actors[i].model, &poses[i]));
        Stage { actors, poses, scene, keys }
    }

    /// Returns `true` if the two share a point with the second moved, exactly.
    pub fn touches(&self, by: V) -> bool {
        let second = moved(&self.poses[1], by);
        let [a, b] = &self.actors;
        !a.standing(&self.poses[0]).few(&b.standing(&second), 1).is_empty()
    }
}

/// Builds a solid ball and a box.
fn solid_actor(random: &mut Random) -> Actor<f64> {
    let ball = closed_meshes::solid(closed_meshes::sphere(random.between(0.3, 1.0), 6));
    let half = Vector3::from_fn(|_, _| random.between(0.1, 0.6));
    let block = Obb::from_pose(&Pose::identity(), half).expect("a box");
    let model = model_of(vec![ball, Geometry::Boxes(vec![block])]);
    let stance = [[0.0; 3], [0.6, 0.2, 0.0]].map(|at| turned(random, at));
    Actor::new(model, stance.to_vec())
}

fn unit<T: Scalar>(v: V) -> Unit<Vector3<T>> {
    Unit::new_normalize(vector(v))
}

fn pushes<T: Scalar>(random: &mut Random) -> [Push<T>; 5] {
    let mut any = || unit(random.direction());
    [
        Push::least(),
        Push::along(any()),
        Push::within(any(), 0.5),
        Push::across(any()),
        Push::least().near(any()),
    ]
}

#[test]
fn separated_characters_never_touch_again() {
    let (mut random, mut buffers, mut scratch) = (Random(401), Buffers::new(), QueryScratch::new());
    let (mut parted, mut apart, mut beyond) = (0, 0, 0);
    for round in 0..cases(400) {
        let far = [[0.0; 3], [300.0, 20.0, -70.0]][round % 2];
        let stage = Stage::<f64>::new(&mut random, far);
        let pushes = pushes(&mut random);
        let touching = stage.touches([0.0; 3]);
        let [red, blue] = stage.keys;
        let query = PairQuery::between(red, blue);
        let now = stage.scene.snapshot(&mut buffers);
        let ways = pushes.map(|push| now.separation(&query, &push, &mut scratch).expect("a push"));
        for (push, way) in pushes.iter().zip(ways) {
            let Some(way) = way else {
                assert!(!touching, "no way though they touch");
                apart += 1;
                continue;
            };
            assert!(touching, "a way though they are apart");
            assert_eq!((way.a.character, way.b.character), (red, blue));
            let normal = wide(&way.normal);
            let off = (way.on_a - way.on_b - way.normal.into_inner() * way.depth).norm();
            assert!(off < 1e-6, "{push:?} {way:?}: the points are {off} off");
            // The pose of a character far from the origin is rounded when moved.
            let depth = way.depth + 1e-13 * (1.0 + far[0]);
            for share in [1.0, 1.0 + 1e-6, 1.01, 1.2, 1.7, 3.0] {
                assert!(!stage.touches(times(normal, depth * share)), "{push:?} {way:?} {share}");
                beyond += 1;
            }
            if way.depth > 1e-3 {
                let short = times(normal, way.depth * (1.0 - 1e-6));
                assert!(stage.touches(short), "{push:?} {way:?}: too long");
            }
            parted += 1;
        }
    }
    println!("{parted} pushes, {beyond} places beyond, {apart} apart");
    assert!(parted > cases(400) && apart > cases(50));
}

#[test]
fn separations_are_along_allowed_directions() {
    let (mut random, mut buffers, mut scratch) = (Random(402), Buffers::new(), QueryScratch::new());
    let mut found = 0;
    for _ in 0..cases(300) {
        let stage = Stage::<f32>::new(&mut random, [0.0; 3]);
        let [red, blue] = stage.keys;
        let query = PairQuery::between(red, blue);
        let now = stage.scene.snapshot(&mut buffers);
        let direction = unit::<f32>(random.direction());
        let cosine = random.between(-0.9, 1.0);
        let mut ask =
            |push: Push<f32>| now.separation(&query, &push, &mut scratch).expect("a push");
        let Some(least) = ask(Push::least()) else { continue };
        let [along, within, across] =
            [Push::along(direction), Push::within(direction, cosine), Push::across(direction)]
                .map(|push| ask(push).expect("they touch"));
        assert_eq!(along.normal, direction);
        assert!(f64::from(within.normal.dot(&direction)) > cosine - 1e-6, "{within:?} {cosine}");
        assert!(across.normal.dot(&direction).abs() < 1e-6, "{across:?}");
        // The one direction is in a cone around it.
        assert!(within.depth <= along.depth * 1.000_001);
        // The length applies to the stored normal, not to the requested direction.
        for way in [least, within, across] {
            let again = ask(Push::along(way.normal)).expect("they touch");
            assert_eq!(again.depth, way.depth, "{way:?}");
        }
        let kept = ask(Push::least().near(within.normal)).expect("they touch");
        assert!(kept.depth <= 1.25 * least.depth.max(within.depth) * 1.001);
        found += 1;
    }
    assert!(found > cases(40), "{found}");
}

/// Checks that filtered parts have no influence: neither a large neighbour, by whatever condition,
/// nor parts that no pair contains.
#[test]
fn separations_are_those_without_what_is_left_out() {
    let (mut random, mut buffers, mut scratch) = (Random(407), Buffers::new(), QueryScratch::new());
    let (mut found, mut apart) = (0, 0);
    for _ in 0..cases(200) {
        let mut stage = Stage::<f64>::new(&mut random, [0.0; 3]);
        let [red, blue] = stage.keys;
        let alone = stage.scene.clone();
        let near = times(random.direction(), random.between(0.0, 5.0));
        let wall = Obb::from_pose(&turned(&mut random, near), Vector3::repeat(3.0)).expect("a box");
        let wall = model_of(vec![Geometry::Boxes(vec![wall])]);
        let wall = stage.scene.insert(&wall, Spawn::default()).expect("a model");
        let pushes = pushes(&mut random);
        let not_wall = |a: NodeRef, b: NodeRef| a.character != wall && b.character != wall;
        let queries =
            [PairQuery::of(red).excluding(&[wall]), PairQuery::of(red).predicate(&not_wall)];
        let mut ask = |scene: &Scene<f64>, query: &PairQuery<'_>| {
            let now = scene.snapshot(&mut buffers);
            pushes.map(|push| now.separation(query, &push, &mut scratch).expect("a push"))
        };
        let expected = ask(&alone, &PairQuery::of(red));
        for query in &queries {
            let ways = ask(&stage.scene, query);
            assert_eq!(ways, expected);
        }
        // A pair that the scene ignores.
        let mut ignoring = stage.scene.clone();
        ignoring.set_ignored(red, wall, true).expect("keys");
        assert_eq!(ask(&ignoring, &PairQuery::of(red)), expected);
        // One part of each, the others switched off or not among the parts of the query.
        let parts = [0, 0].map(PartId::new);
        let query = PairQuery::between(red, blue).parts(&parts[..1], &parts[1..]);
        let mut single = alone.clone();
        for key in [red, blue] {
            for part in 1..single.model(key).expect("a key").len() {
                single.set_part_enabled(key, PartId::new(part), false).expect("a part");
            }
        }
        let [all, one] = [ask(&alone, &query), ask(&single, &PairQuery::between(red, blue))];
        assert_eq!(all, one);
        found += all.iter().chain(&expected).flatten().count();
        apart += all.iter().chain(&expected).filter(|way| way.is_none()).count();
    }
    assert!(found > cases(200) && apart > cases(50), "{found} {apart}");
}

/// Checks that no direction leaves by less than the lower bound, which is close for balls.
#[test]
fn no_separation_is_shorter_than_the_lower_bound() {
    let (mut random, mut buffers, mut scratch) = (Random(407), Buffers::new(), QueryScratch::new());
    let (mut bounded, mut tried) = (0, 0);
    for _ in 0..cases(300) {
        let actors = [0, 1].map(|_| solid_actor(&mut random));
        let near = times(random.direction(), random.between(0.0, 1.5));
        let stage = Stage::<f64>::of(actors, [[0.0; 3], near], &mut random);
        let [red, blue] = stage.keys;
        let now = stage.scene.snapshot(&mut buffers);
        let query = PairQuery::between(red, blue);
        let way = now.separation(&query, &Push::least().bounded(), &mut scratch).expect("a push");
        let Some(way) = way else { continue };
        assert!(way.at_least <= way.depth);
        if way.at_least == 0.0 {
            continue;
        }
        bounded += 1;
        for _ in 0..20 {
            let by = times(random.direction(), way.at_least * random.between(0.0, 1.0));
            assert!(stage.touches(by), "{way:?}: apart after {by:?}");
            tried += 1;
        }
    }
    println!("{bounded} bounds, {tried} moves");
    assert!(bounded > cases(40), "{bounded}");
    let ball = || closed_meshes::solid(closed_meshes::sphere(1.0, 24));
    let model = model_of::<f64>(vec![ball()]);
    let mut scene = Scene::new();
    let [a, b] = [0.0, 1.2].map(|x| {
        let at = nalgebra::Isometry3::translation(x, 0.1, 0.2);
        scene.insert(&model, Spawn::at(at)).expect("a model")
    });
    let now = scene.snapshot(&mut buffers);
    let query = PairQuery::between(a, b);
    let way = now.separation(&query, &Push::least().bounded(), &mut scratch).expect("a push");
    let way = way.expect("they touch");
    let away = 1.2;
    assert!(way.depth > 1.96 - away && way.depth < 2.0 - away + 1e-9, "{way:?}");
    assert!(way.at_least > 0.9 * way.depth, "{way:?}");
}

fn bits<T: Scalar>(way: &Separation<T, NodeRef>) -> (Vec<u64>, [NodeRef; 2]) {
    let places = way.on_a.iter().chain(way.on_b.iter()).chain(way.normal.iter()).copied();
    (places.chain([way.depth, way.at_least]).map(T::bits).collect(), [way.a, way.b])
}

#[test]
fn swapped_characters_and_every_simd_level_give_one_answer() {
    let mut random = Random(403);
    let mut found = 0;
    for _ in 0..cases(200) {
        let stage = Stage::<f32>::new(&mut random, [0.5, 0.0, 2.0]);
        let [red, blue] = stage.keys;
        let direction = unit::<f32>(random.direction());
        let near = unit::<f32>(random.direction());
        let forth = [
            Push::least(),
            Push::along(direction),
            Push::within(direction, 0.3),
            Push::across(direction),
            Push::across(direction).near(near).bounded(),
        ];
        let back = [
            Push::least(),
            Push::along(-direction),
            Push::within(-direction, 0.3),
            Push::across(direction),
            Push::across(direction).near(-near).bounded(),
        ];
        let mut answers: Vec<Vec<_>> = Vec::new();
        for simd in SimdLevel::all() {
            let mut buffers = Buffers::with_simd_level(simd);
            let now = stage.scene.snapshot(&mut buffers);
            let mut scratch = QueryScratch::new();
            let mut ask = |a, b, push: &Push<f32>| {
                let query = PairQuery::between(a, b)
                    .parts(&[PartId::new(0), PartId::new(1)], &[PartId::new(0), PartId::new(1)]);
                now.separation(&query, push, &mut scratch).expect("a push")
            };
            let mut of_level = Vec::new();
            for (push, other) in forth.iter().zip(&back) {
                let (one, two) = (ask(red, blue, push), ask(blue, red, other));
                let two = two.map(|way| way.reversed());
                assert_eq!(one.as_ref().map(bits), two.as_ref().map(bits), "{push:?}");
                of_level.push(one.as_ref().map(bits));
            }
            answers.push(of_level);
        }
        assert!(answers.iter().all(|of_level| *of_level == answers[0]));
        found += answers[0].iter().flatten().count();
    }
    assert!(found > cases(100), "{found}");
}

#[test]
fn one_character_is_separated_from_all_near_ones() {
    let (mut random, mut buffers, mut scratch) = (Random(404), Buffers::new(), QueryScratch::new());
    let mut found = 0;
    for _ in 0..cases(200) {
        let actors: Vec<Actor<f64>> = (0..4).map(|_| random_actor(&mut random, 3, 0.6)).collect();
        let mut scene = Scene::new();
        let placed: Vec<_> = actors
            .iter()
            .map(|actor| {
                let at = times(random.direction(), random.between(0.0, 3.0));
                let poses = actor.placed(&turned(&mut random, at));
                let key = insert_posed(&mut scene, &actor.model, &poses);
                (key, poses)
            })
            .collect();
        let now = scene.snapshot(&mut buffers);
        let (mover, own) = &placed[random.below(4)];
        let at = now.character_aabb(*mover).expect("a key");
        let near = placed.iter().zip(&actors).filter(|((key, _), _)| {
            key != mover && now.character_aabb(*key).expect("a key").intersects(&at)
        });
        let near: Vec<_> = near.collect();
        let push = Push::across(Vector3::y_axis());
        let way = now.separation(&PairQuery::of(*mover), &push, &mut scratch).expect("a push");
        let Some(way) = way else { continue };
        assert_eq!(way.a.character, *mover);
        let actor = &actors[placed.iter().position(|(key, _)| key == mover).expect("it is there")];
        for share in [1.0, 1.1, 2.0] {
            let by = times(wide(&way.normal), -(way.depth + 1e-12) * share);
            let own = moved(own, by);
            for ((_, poses), other) in &near {
                let touch = actor.standing(&own).few(&other.standing(poses), 1);
                assert!(touch.is_empty(), "{way:?} {share}");
            }
        }
        found += 1;
    }
    assert!(found > cases(40), "{found}");
}

#[test]
fn casts_hit_where_the_moved_body_first_touches() {
    let (mut random, mut buffers, mut scratch) = (Random(405), Buffers::new(), QueryScratch::new());
    let (mut met, mut missed, mut inside) = (0, 0, 0);
    for _ in 0..at_least(500, 200) {
        let mut stage = Stage::<f64>::new(&mut random, [0.0; 3]);
        let [red, blue] = stage.keys;
        // The second moves from further off, back towards the first.
        let way = times(random.direction(), random.between(0.0, 9.0));
        let start = times(way, -random.between(0.0, 0.8));
        stage.poses[1] = moved(&stage.poses[1], start);
        stage.scene.set_parts(blue, &stage.poses[1]).expect("sound poses");
        let now = stage.scene.snapshot(&mut buffers);
        let query = PairQuery::between(blue, red);
        let hit = now.cast(&query, vector(way), &mut scratch).expect("a way");
        let size = support::plain_box::norm(way);
        let along = |shift: f64| times(way, shift / size);
        let Some(hit) = hit else {
            for share in [0.0, 0.1, 0.3, 0.5, 0.77, 0.9, 1.0] {
                assert!(!stage.touches(times(way, share)), "missed at {share}");
            }
            missed += 1;
            continue;
        };
        assert_eq!((hit.a.character, hit.b.character), (blue, red));
        assert!(stage.touches(along(hit.shift + 1e-9)), "{hit:?}: too early");
        assert!((hit.on_a + vector::<f64>(along(hit.shift)) - hit.on_b).norm() < 1e-6, "{hit:?}");
        if hit.shift == 0.0 {
            inside += 1;
            continue;
        }
        for share in [0.0, 0.2, 0.5, 0.9, 0.999, 1.0 - 1e-9] {
            assert!(!stage.touches(along(hit.shift * share)), "{hit:?}: touches at {share}");
        }
        met += 1;
    }
    println!("{met} met, {inside} at the start, {missed} missed");
    assert!(met > cases(50) && missed > cases(30) && inside > cases(50));
}

/// Separates two characters, and one from all others: no pair of parts that decides is left out.
#[test]
fn separations_are_those_of_the_last_separated_pair_of_parts() {
    let (mut random, mut buffers, mut scratch) = (Random(406), Buffers::new(), QueryScratch::new());
    let (mut tree, mut deciding, mut struck) = (TreeScratch::default(), BTreeSet::new(), 0);
    for _ in 0..at_least(200, 200) {
        let mut stage = Stage::<f64>::new(&mut random, [0.0; 3]);
        let [red, blue] = stage.keys;
        let now = stage.scene.snapshot(&mut buffers);
        let normal = unit(random.direction());
        let mut passages = Vec::new();
        for (i, a) in stage.actors[0].model.parts().iter().enumerate() {
            for (j, b) in stage.actors[1].model.parts().iter().enumerate() {
                let (Some(a), Some(b)) = (a.tree(), b.tree()) else { continue };
                let poses = (&stage.poses[0][i], &stage.poses[1][j]);
                let pair = TreePair::new(a, poses.0, b, poses.1).expect("sound poses");
                let passage = pair.passage(normal, &mut tree).expect("a direction");
                passages.extend(passage.map(|passage| (passage, [i, j])));
            }
        }
        let query = PairQuery::between(red, blue);
        let way = now.separation(&query, &Push::along(normal), &mut scratch).expect("asked");
        if let Some(way) = way {
            let last = |x: &(Passage<f64>, [usize; 2])| x.0.last.shift;
            let most = passages.iter().max_by(|x, y| last(x).total_cmp(&last(y)));
            let most = most.expect("they touch");
            assert!((way.depth - last(most).max(0.0)).abs() < 1e-9, "{way:?} {most:?}");
            deciding.insert(most.1);
        }
        // Blue returns from before the first contact of any two parts.
        let from = passages.iter().map(|x| x.0.first.shift).fold(f64::INFINITY, f64::min) - 1.0;
        if from.is_finite() {
            let poses = moved(&stage.poses[1], times(wide(&normal), from));
            stage.scene.set_parts(blue, &poses).expect("sound poses");
            let now = stage.scene.snapshot(&mut buffers);
            let query = PairQuery::between(blue, red);
            let hit = now.cast(&query, normal.into_inner() * 3.0, &mut scratch).expect("a way");
            assert!((hit.expect("on the way").shift - 1.0).abs() < 1e-9, "{hit:?}");
            struck += 1;
        }
    }
    println!("{} pairs of parts decide, {struck} casts", deciding.len());
    assert!(deciding.len() > 7 && struck > cases(150), "{deciding:?}");
}

#[test]
fn invalid_separations_and_casts_are_refused() {
    let (mut random, mut buffers, mut scratch) = (Random(406), Buffers::new(), QueryScratch::new());
    let mut stage = Stage::<f32>::new(&mut random, [0.0; 3]);
    let [red, blue] = stage.keys;
    let now: Snapshot<'_, f32> = stage.scene.snapshot(&mut buffers);
    let mut ask = |query: PairQuery<'_>, push: Push<f32>| {
        now.separation(&query, &push, &mut scratch).expect_err("refused")
    };
    let least = Push::least();
    assert!(matches!(ask(PairQuery::all(), least), Error::BadQuery { .. }));
    assert!(matches!(ask(PairQuery::within(red), least), Error::BadQuery { .. }));
    let both = || PairQuery::between(red, blue);
    let x = Vector3::x_axis();
    let finite = Error::NotFinite { field: "cosine", index: 0 };
    assert_eq!(ask(both(), Push::within(x, f64::NAN)), finite);
    let range = Error::OutOfRange { field: "cosine", index: 0, limit: 1.0 };
    assert_eq!(ask(both(), Push::within(x, 1.5)), range);
    let long = Unit::new_unchecked(Vector3::new(0.0, 3.0, 0.0));
    let length = |field| Error::NotUnit { field, index: 0, length: 3.0 };
    assert_eq!(ask(both(), Push::along(long)), length("direction"));
    assert_eq!(ask(both(), least.near(long)), length("near"));
    let parts = both().parts(&[PartId::new(9)], &[PartId::new(0)]);
    assert!(matches!(ask(parts, least), Error::IndexOutOfRange { target: 9, .. }));
    let nan = Vector3::new(0.0, f32::NAN, 0.0);
    let error = now.cast(&both(), nan, &mut scratch).expect_err("refused");
    assert_eq!(error, Error::NotFinite { field: "displacement", index: 0 });
    // A zero displacement hits parts that touch at the start.
    let touching = now.intersects(&both(), &mut scratch).expect("keys");
    let still = now.cast(&both(), Vector3::zeros(), &mut scratch).expect("keys");
    assert_eq!(still.is_some(), touching);
    stage.scene.remove(blue).expect("a key");
    let now = stage.scene.snapshot(&mut buffers);
    let gone = now.separation(&PairQuery::between(red, blue), &least, &mut scratch);
    assert!(matches!(gone, Err(Error::StaleKey)), "{gone:?}");
}
