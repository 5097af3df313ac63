//! Broad phase against all pairs of boxes: any sizes, any distances, and all characters in one
//! place.

use boxwood::model::Model;
use boxwood::scene::{Buffers, Hits, Overlaps, PairQuery, QueryFilter, Scene, Spawn};
use boxwood::shape::Obb;
use boxwood::tree::{Build, Geometry};
use nalgebra::Translation3;

use support::brute_force::with_later;
use support::prelude::*;

/// Layout of characters: spacing along each coordinate, decades of size, distance from the origin
/// [scene units].
struct Layout {
    name: &'static str,
    people: usize,
    spread: [f64; 3],
    decades: f64,
    far: f64,
}

const STANDS: [Layout; 8] = [
    Layout { name: "a field", people: 900, spread: [30.0, 0.1, 30.0], decades: 0.3, far: 0.0 },
    Layout { name: "one place", people: 400, spread: [0.0; 3], decades: 0.3, far: 0.0 },
    Layout {
        name: "a row along x",
        people: 900,
        spread: [500.0, 0.0, 0.0],
        decades: 0.3,
        far: 0.0,
    },
    Layout {
        name: "a row along y",
        people: 900,
        spread: [0.0, 500.0, 0.0],
        decades: 0.3,
        far: 0.0,
    },
    Layout {
        name: "a row along z",
        people: 900,
        spread: [0.0, 0.0, 500.0],
        decades: 0.3,
        far: 0.0,
    },
    Layout { name: "of all sizes", people: 900, spread: [3.0; 3], decades: 6.0, far: 0.0 },
    Layout { name: "far out", people: 900, spread: [30.0, 0.1, 30.0], decades: 0.3, far: 1e4 },
    Layout { name: "all sizes, far out", people: 900, spread: [3.0; 3], decades: 6.0, far: 1e4 },
];

/// Builds characters of one rotated box each, every eighth at rest.
fn people<T: Scalar>(random: &mut Random, stand: &Layout) -> Scene<T> {
    let mut scene = Scene::new();
    for index in 0..stand.people {
        let size = random.decade(-stand.decades, 0.0);
        let half = Vector3::from_fn(|_, _| T::nearest(size * random.between(0.5, 1.0)));
        let solid = Obb::from_pose(&Isometry3::identity(), half).expect("a box");
        let model = Model::builder().part("one", None, Geometry::Boxes(vec![solid]));
        let model = model.build(&Build::fast()).expect("a model");
        let at = stand.spread.map(|side| T::nearest(stand.far + side * random.between(-1.0, 1.0)));
        let turn = UnitQuaternion::new(Vector3::from_fn(|_, _| random.between(-2.0, 2.0)));
        let at = Isometry3::from_parts(
            Translation3::from(Vector3::from(at)),
            UnitQuaternion::new_normalize(turn.coords.map(T::nearest).into()),
        );
        let key = scene.insert(&model, Spawn::at(at)).expect("room");
        scene.set_at_rest(key, index.is_multiple_of(8)).expect("a key");
    }
    scene
}

/// Returns the numbers of broad-phase pairs and of touching pairs.
fn compare<T: Scalar>(stand: &Layout) -> [usize; 2] {
    let scene = people::<T>(&mut Random(77), stand);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let keys: Vec<_> = now.characters().collect();
    let boxes: Vec<_> = keys.iter().map(|&key| now.character_aabb(key).expect("a key")).collect();
    let rests = |index: usize| index.is_multiple_of(8);
    let (mut near, mut answer) = (Vec::new(), now.broad_phase_pairs().peekable());
    for i in 0..boxes.len() {
        for (j, (meet, distance)) in (i + 1..).zip(with_later(&boxes, i)) {
            let pair = (keys[i], keys[j]);
            let asked = !(rests(i) && rests(j));
            let said = answer.next_if_eq(&pair).is_some();
            assert!(said || !(asked && meet), "{}: {i} and {j} are missing", stand.name);
            // World boxes are rounded to single precision before they are compared.
            let slack = 1e-6 * (stand.far + stand.spread.iter().sum::<f64>() + 2.0);
            assert!(!said || asked && distance < slack, "{}: {i}, {j}", stand.name);
            near.extend(said.then_some(pair));
        }
    }
    assert_eq!(answer.next(), None, "{}: in order, each once", stand.name);
    now.pairs(&PairQuery::all(), &mut hits).expect("a sound question");
    let all: Vec<_> =
        hits.pairs().iter().map(|pair| (pair.0.character, pair.1.character)).collect();
    let mut one_by_one = Vec::new();
    for &(a, b) in &near {
        if now.intersects(&PairQuery::between(a, b), hits.scratch()).expect("two keys") {
            one_by_one.push((a, b));
        }
    }
    assert_eq!(all, one_by_one, "{}", stand.name);
    [near.len(), all.len()]
}

#[test]
fn broad_phase_pairs_equal_all_pairs_of_boxes() {
    for stand in &STANDS {
        let [single, double] = [compare::<f32>(stand), compare::<f64>(stand)];
        println!("{}: near and touching {single:?}, {double:?}", stand.name);
        let some = |[near, touching]: [usize; 2]| near > 100 && touching > 50;
        assert!(some(single) && some(double), "{}: {single:?}, {double:?}", stand.name);
    }
}

/// Checks a point query in a crowd at one position: computing the pairs of 50,000 would make a
/// billion.
#[test]
fn a_point_query_does_not_compute_the_pairs() {
    let solid = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5)).expect("a box");
    let model = Model::builder().part("one", None, Geometry::Boxes(vec![solid]));
    let model = model.build(&Build::fast()).expect("a model");
    let mut scene = Scene::<f32>::new();
    let count = at_least(50_000, 5_000);
    for _ in 0..count {
        scene.insert(&model, Spawn::default()).expect("room");
    }
    let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    let found = now.overlaps_any(Point3::origin(), &QueryFilter::all(), &mut overlaps);
    assert!(found.expect("a sound point"));
    let report = now.overlaps(Point3::origin(), &QueryFilter::all(), &mut overlaps);
    let tested = report.expect("a sound point").counts.parts;
    assert_eq!((overlaps.len(), tested), (count, 16 * count as u64));
}

/// Checks frame after frame in the same buffers, which cache the last order: characters walk, jump,
/// spread along another coordinate, are inserted and removed, and some have every part disabled.
#[test]
fn broad_phase_pairs_do_not_depend_on_the_frame_before() {
    let solid = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5)).expect("a box");
    let models = [Geometry::None, Geometry::Boxes(vec![solid])].map(|geometry| {
        let model = Model::<f32>::builder().part("one", None, geometry);
        model.build(&Build::fast()).expect("a model")
    });
    let (mut random, mut scene, mut standing) = (Random(31), Scene::new(), Vec::new());
    let (mut kept, mut near) = (Buffers::new(), 0);
    for frame in 0..300 {
        while standing.len() < 60 || random.below(3) == 0 {
            let model = &models[usize::from(random.below(8) > 0)];
            let at = Vector3::from_fn(|_, _| random.between(-3.0, 3.0));
            standing.push((scene.insert(model, Spawn::default()).expect("room"), at));
        }
        if random.below(4) == 0 {
            scene.remove(standing.swap_remove(random.below(60)).0).expect("a key");
        }
        // Usually one step; sometimes everything moves elsewhere, along another axis.
        let mut side = [0.02; 3];
        if frame % 25 == 24 {
            side[random.below(3)] = 9.0;
        }
        for (key, at) in &mut standing {
            *at = *at * 0.99 + Vector3::from(side.map(|side| random.between(-side, side)));
            scene.set_parts(*key, &[Isometry3::from(at.cast::<f32>())]).expect("a key");
        }
        let now: Vec<_> = scene.snapshot(&mut kept).broad_phase_pairs().collect();
        near += now.len();
        let mut buffers = Buffers::new();
        let anew: Vec<_> = scene.snapshot(&mut buffers).broad_phase_pairs().collect();
        assert_eq!(now, anew, "frame {frame}");
    }
    println!("{near} pairs near");
    assert!(near > 3_000);
}
