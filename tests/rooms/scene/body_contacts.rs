//! Contacts of bodies: reported like pairs, measured exactly, whatever the accuracy.
//!
//! Oracles: an exact test of two characters moved by the answer, parry3d for distances and depths
//! of convex bodies, closed forms for cubes, and points sampled in both bodies.

use boxwood::num::SimdLevel;
use boxwood::pair::ConvexShape;
use boxwood::scene::{Buffers, Hit, Hits, Scene, Snapshot, Spawn};
use boxwood::shape::{Pose, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, CollisionGroups, Detail, Error, NormalHint, PairQuery, PartId};

use super::deepest::cube;
use super::separation::Stage;
use support::closed_meshes;
use support::parry::Peer;
use support::plain_box::UPRIGHT;
use support::posed_characters::{Actor, any_part};
use support::prelude::*;
use support::random_parts::{put, solid, wide};

const ACCURACIES: [Accuracy; 6] = [
    Accuracy::Depth(0),
    Accuracy::Depth(2),
    Accuracy::Depth(255),
    Accuracy::Within(0.05),
    Accuracy::Exact,
    Accuracy::Budget(u32::MAX),
];

/// Places two characters of one part each.
fn two<T: Scalar>(parts: [Geometry<T>; 2], at: [Pose<T>; 2]) -> Stage<T> {
    let here = upright([0.0; 3]);
    Stage::placed(parts.map(|part| Actor::new(model_of(vec![part]), vec![here])), at)
}

fn random_two<T: Scalar>(random: &mut Random, kind: usize, far: V) -> Stage<T> {
    let parts = [kind, kind / 6].map(|kind| part(random, kind));
    let near = plus(far, times(random.direction(), random.between(0.0, 2.0)));
    let at = [far, near].map(|at| turned(random, at));
    two(parts, at)
}

fn peers<T: Scalar>(stage: &Stage<T>) -> [Peer; 2] {
    [0, 1].map(|i| {
        let part = &stage.actors[i].model.parts()[0];
        Peer::part(part.tree().expect("a part").geometry(), &stage.poses[i][0])
    })
}

/// Builds a part: those of [`any_part`], and a single box.
fn part<T: Scalar>(random: &mut Random, kind: usize) -> Geometry<T> {
    match kind % 6 {
        5 => {
            let half = [0.2, 0.5, 0.9].map(|most| random.between(0.1, most));
            Geometry::Boxes(vec![solid([0.0; 3], &UPRIGHT, half)])
        }
        kind => any_part(random, kind),
    }
}

fn only<T: Scalar>(now: &Snapshot<'_, T>, query: &PairQuery, hits: &mut Hits<T>) -> Option<Hit<T>> {
    now.contacts(query, hits).expect("a query");
    assert!(hits.len() <= 1 && hits.pairs().is_empty());
    hits.first().copied()
}

/// Returns all bits of a hit that do not name its parts.
fn bits<T: Scalar>(hit: &Hit<T>) -> Vec<u64> {
    let Hit { measured, point, point_error, normal, depth, slack, .. } = hit;
    let numbers = point.iter().chain(normal.iter()).chain([point_error, depth, slack]);
    // Adding zero makes the two zeros one.
    numbers.map(|x| (x.wide() + 0.0).to_bits()).chain([u64::from(*measured)]).collect()
}

fn measured_whatever_the_accuracy<T: Scalar>(seed: u64, rounds: usize) {
    let (mut random, mut buffers, mut hits) = (Random(seed), Buffers::new(), Hits::new());
    let (mut touching, mut disjoint, mut apart) = (0, 0, 0);
    for round in 0..rounds {
        let far = [[0.0; 3], [30.0, 20.0, -70.0]][round % 2];
        let stage = random_two::<T>(&mut random, round, far);
        let rounding = if T::LEAF_SLACK > 1e-10 { 1e-4 } else { 1e-11 };
        let touches = stage.touches([0.0; 3]);
        let distance = peers(&stage)[0].distance(&peers(&stage)[1]);
        let now = stage.scene.snapshot(&mut buffers);
        let between = PairQuery::between(stage.keys[0], stage.keys[1]);
        let mut exact = None;
        for accuracy in ACCURACIES {
            let margins =
                if matches!(accuracy, Accuracy::Budget(_)) { [0.0, 0.0] } else { [0.0, 0.3] };
            for margin in margins {
                let query = between.clone().accuracy(accuracy).margin(margin);
                let report = now.pairs(&query, &mut hits).expect("a query");
                let pairs = hits.pairs().to_vec();
                let of_contacts = now.contacts(&query, &mut hits).expect("a query");
                assert_eq!((of_contacts.slack, of_contacts.met), (report.slack, report.met));
                assert!(hits.iter().map(|hit| (hit.a, hit.b)).eq(pairs), "{accuracy:?} {margin}");
                let Some(hit) = hits.first().copied() else {
                    assert!(!touches, "{accuracy:?}: missed");
                    apart += 1;
                    continue;
                };
                assert!(hit.measured && hit.slack <= report.slack, "{accuracy:?} {hit:?}");
                let normal = wide(&hit.normal);
                assert!((norm(normal) - 1.0).abs() < 1e-6);
                if touches {
                    assert!(hit.depth >= T::zero() && hit.slack == T::zero(), "{hit:?}");
                    // The whole answer is one, whatever found the pair.
                    assert_eq!(
                        bits(&hit),
                        *exact.get_or_insert_with(|| bits(&hit)),
                        "{accuracy:?}"
                    );
                    touching += 1;
                    continue;
                }
                let depth = hit.depth.wide();
                assert!(depth < 0.0 && -depth <= hit.slack.wide() + margin, "{hit:?} {margin}");
                // Parry iterates, and takes single precision as it is.
                assert!((-depth - distance).abs() < 1e-5 + rounding, "{hit:?}: {distance}");
                disjoint += 1;
            }
        }
        let Some(hit) = only(&now, &between, &mut hits).filter(|_| touches) else { continue };
        let (normal, depth) = (wide(&hit.normal), hit.depth.wide());
        for share in [1.0, 1.01, 1.3, 3.0] {
            // The pose of the moved part is rounded.
            let by = times(normal, (depth + rounding) * share);
            assert!(!stage.touches(by), "{hit:?} {share}: they still touch");
        }
        if depth > 100.0 * rounding {
            assert!(stage.touches(times(normal, 0.999 * depth - rounding)), "{hit:?}: too long");
        }
    }
    println!("{touching} touching, {disjoint} disjoint, {apart} not reported");
    assert!(touching > rounds && disjoint > rounds && apart > rounds / 4);
}

scalars! {
    bodies_are_measured_whatever_the_accuracy =>
        measured_whatever_the_accuracy(6101, cases(600));
    swapped_arguments_give_the_reversed_bits => reversed_bits(6102, cases(600));
    every_shared_point_is_within_the_error_of_the_point => point_errors(6103, cases(400));
}

/// Returns the answer to a query in both orders, the second reversed; with hints reversed as well.
fn reversed_bits<T: Scalar>(seed: u64, rounds: usize) {
    let (mut random, mut buffers, mut hits) = (Random(seed), Buffers::new(), Hits::new());
    let (mut found, mut tied) = (0, 0);
    for round in 0..rounds {
        let mut stage = random_two::<T>(&mut random, round, [0.0; 3]);
        let alike = random.chance(0.2);
        if alike {
            // Two equal trees in one pose have no order of their own.
            let key = insert_posed(&mut stage.scene, &stage.actors[0].model, &stage.poses[0]);
            stage.keys[1] = key;
        }
        let [a, b] = stage.keys;
        let part = PartId::new(0);
        let hint =
            NormalHint { a: (a, part), b: (b, part), normal: Vector3::from(random.direction()) };
        let now = stage.scene.snapshot(&mut buffers);
        for accuracy in [Accuracy::Depth(1), Accuracy::default(), Accuracy::Exact] {
            for (to, back) in [([].as_slice(), [].as_slice()), (&[hint], &[hint.reversed()])] {
                let ask = |a, b| PairQuery::between(a, b).accuracy(accuracy);
                let there = only(&now, &ask(a, b).hints(to), &mut hits);
                let back = only(&now, &ask(b, a).hints(back), &mut hits);
                assert_eq!(there.is_some(), back.is_some());
                let (Some(there), Some(back)) = (there, back) else { continue };
                assert_eq!((back.a, back.b), (there.b, there.a));
                assert_eq!(bits(&back.reversed()), bits(&there), "{there:?} {back:?}");
                // A hint says the same, whichever of the two it names first.
                let other = only(&now, &ask(a, b).hints(&[hint.reversed()]), &mut hits);
                let same = only(&now, &ask(a, b).hints(&[hint]), &mut hits);
                assert_eq!(other.as_ref().map(bits), same.as_ref().map(bits));
                found += 1;
                tied += usize::from(alike);
            }
        }
    }
    println!("{found} hits, {tied} of equal bodies");
    assert!(found > rounds && tied > rounds / 4);
}

fn point_errors<T: Scalar>(seed: u64, rounds: usize) {
    let (mut random, mut buffers, mut hits) = (Random(seed), Buffers::new(), Hits::new());
    let mut shared = 0;
    for round in 0..rounds {
        let block = |random: &mut Random| {
            let half = [0.9, 0.5, 0.3].map(|most| random.between(0.1, most));
            match round % 3 {
                0 => Geometry::Boxes(vec![solid([0.0; 3], &UPRIGHT, half)]),
                1 => closed_meshes::solid(closed_meshes::cube(half)),
                _ => Geometry::Boxes(vec![solid([0.0; 3], &UPRIGHT, half); 2]),
            }
        };
        let parts = [block(&mut random), block(&mut random)];
        let near = times(random.direction(), random.between(0.0, 0.6));
        let stage = two::<T>(parts, [[0.0; 3], near].map(|at| turned(&mut random, at)));
        let now = stage.scene.snapshot(&mut buffers);
        let query = PairQuery::between(stage.keys[0], stage.keys[1]);
        let Some(hit) = only(&now, &query, &mut hits) else { continue };
        let peers = peers(&stage);
        let at = hit.point.map(T::wide);
        for _ in 0..300 {
            let local = [0.9, 0.5, 0.3].map(|most| random.between(-most, most));
            let spot = put(&stage.poses[0][0], local);
            if peers.iter().all(|peer| peer.distance_to(spot) == 0.0) {
                let off = norm(minus(spot, at.coords.into()));
                assert!(off <= hit.point_error.wide() + 1e-6, "{hit:?}: {off}");
                shared += 1;
            }
        }
    }
    println!("{shared} shared points");
    assert!(shared > rounds);
}

/// Cubes of every triangulation, 0.3 deep in each other, separate along the face at every accuracy,
/// and their point lies on the curve between them.
#[test]
fn cubes_separate_along_the_face() {
    let mut hits = Hits::<f32>::new();
    let cubes = [1, 2, 5, 8].map(|cut| Geometry::Solid(cube(cut)));
    let block = Geometry::Boxes(vec![upright_solid([0.0; 3], [1.0; 3])]);
    for part in cubes.into_iter().chain([block]) {
        let stage = two([part.clone(), part], [upright([0.0; 3]), upright([0.7, 0.1, 0.05])]);
        let mut buffers = Buffers::new();
        let now = stage.scene.snapshot(&mut buffers);
        for accuracy in ACCURACIES {
            let query = PairQuery::between(stage.keys[0], stage.keys[1]).accuracy(accuracy);
            let hit = only(&now, &query, &mut hits).expect("a hit");
            assert!((hit.depth - 0.3).abs() < 1e-6, "{accuracy:?} {hit:?}");
            assert!((hit.normal - Vector3::x()).norm() < 1e-6, "{accuracy:?} {hit:?}");
            let center = Point3::new(0.85, 0.55, 0.525);
            assert!((hit.point - center).norm() < 1e-5, "{accuracy:?} {hit:?}");
        }
    }
}

/// Balls, whose distances and depths are known.
#[test]
fn balls_are_measured_along_their_centers() {
    let (mut random, mut buffers, mut hits) = (Random(6104), Buffers::new(), Hits::<f64>::new());
    for _ in 0..cases(300) {
        let size = random.decade(-6.0, 6.0);
        let radii = [0, 1].map(|_| size * random.between(0.2, 1.0));
        let ball = |r: f64| {
            let ball = Sphere::new(Point3::origin(), r).expect("a ball");
            Geometry::Convex(vec![ConvexShape::from(ball)])
        };
        let direction = random.direction();
        let distance = random.between(0.3, 1.3) * (radii[0] + radii[1]);
        let at = [[0.0; 3], times(direction, distance)].map(|at| turned(&mut random, at));
        let stage = two(radii.map(ball), at);
        let now = stage.scene.snapshot(&mut buffers);
        let query = PairQuery::between(stage.keys[0], stage.keys[1]).margin(size);
        let hit = only(&now, &query, &mut hits).expect("within the margin");
        let depth = radii[0] + radii[1] - distance;
        let off = (hit.depth - depth).abs();
        // Balls in each other are moved apart along their centres; the search may miss it a little.
        let slight = if depth > 0.0 { 0.15 * depth } else { 0.0 };
        assert!(off <= 1e-9 * size + slight, "{hit:?} {depth}");
        if depth <= 0.0 {
            assert!(inner(wide(&hit.normal), direction) > 1.0 - 1e-9, "{hit:?}");
            let middle = times(direction, radii[0] - 0.5 * depth);
            assert!((hit.point - point::<f64>(middle)).norm() < 1e-9 * size, "{hit:?}");
        }
    }
}

/// A small cube within a large one comes out of it; two surfaces separate until they share no
/// point.
#[test]
fn nested_solids_and_surfaces_separate() {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::<f64>::new());
    let [large, small] = [[1.0; 3], [0.1; 3]].map(closed_meshes::cube);
    let at = [upright([0.0; 3]), upright([0.7, 0.0, 0.0])];
    let stage = two([closed_meshes::solid(large.clone()), closed_meshes::solid(small.clone())], at);
    let now = stage.scene.snapshot(&mut buffers);
    let query = PairQuery::between(stage.keys[0], stage.keys[1]);
    let hit = only(&now, &query, &mut hits).expect("inside");
    assert!((hit.depth - 0.4).abs() < 1e-9 && hit.normal == Vector3::x(), "{hit:?}");
    // The surfaces alone share no point: 0.2 from side to side.
    let stage = two([closed_meshes::surface(large.clone()), closed_meshes::surface(small)], at);
    let now = stage.scene.snapshot(&mut buffers);
    let query = PairQuery::between(stage.keys[0], stage.keys[1]);
    assert!(only(&now, &query.clone().accuracy(Accuracy::Exact), &mut hits).is_none());
    let hit = only(&now, &query.margin(0.2 + 1e-9), &mut hits).expect("within the margin");
    assert!((hit.depth + 0.2).abs() < 1e-9 && hit.normal == -Vector3::x(), "{hit:?}");
    let stage = two(
        [closed_meshes::surface(large.clone()), closed_meshes::surface(large)],
        [upright([0.0; 3]), upright([1.9, 0.0, 0.0])],
    );
    let now = stage.scene.snapshot(&mut buffers);
    let query = PairQuery::between(stage.keys[0], stage.keys[1]);
    let hit = only(&now, &query, &mut hits).expect("they cross");
    assert!(hit.depth > 0.0 && hit.depth < 0.1 + 1e-9, "{hit:?}");
    assert!((hit.point - Point3::new(0.95, 0.0, 0.0)).norm() < 1e-9, "{hit:?}");
}

/// A cube equally deep in another along x and y: the hint decides, up to 1.25 times the depth.
#[test]
fn hints_keep_the_normal_steady() {
    let mut hits = Hits::<f64>::new();
    let cube = || closed_meshes::solid(closed_meshes::cube([0.5; 3]));
    let part = PartId::new(0);
    for (y, follows) in [(0.7, true), (0.69, true), (0.64, true), (0.6, false)] {
        let at = [upright([0.0; 3]), upright([0.7, y, 0.0])];
        let mut stage = two([cube(), cube()], at);
        let [a, b] = stage.keys;
        let gone = stage.scene.insert(&stage.actors[0].model, Spawn::default()).expect("a model");
        stage.scene.remove(gone).expect("a key");
        let hint = |normal| NormalHint { a: (a, part), b: (b, part), normal };
        let stale = NormalHint { a: (gone, part), ..hint(Vector3::z()) };
        let mut buffers = Buffers::new();
        let now = stage.scene.snapshot(&mut buffers);
        let mut ask = |hints: &[NormalHint]| {
            only(&now, &PairQuery::all().hints(hints), &mut hits).expect("a hit").normal
        };
        assert_eq!(ask(&[hint(Vector3::x())]), Vector3::x());
        let y_wins = ask(&[stale, hint(Vector3::y()), hint(Vector3::x())]) == Vector3::y();
        assert_eq!(y_wins, follows, "{y}");
        // The hint of one body the other way round.
        let wrong = NormalHint { a: (b, part), b: (a, part), normal: -Vector3::y() };
        assert_eq!(ask(&[wrong]) == Vector3::y(), follows, "{y}");
        assert_eq!(ask(&[stale]), ask(&[]));
    }
}

#[test]
fn bad_hints_and_margins_are_refused() {
    let cube = || Geometry::<f32>::Boxes(vec![upright_solid([0.0; 3], [1.0; 3])]);
    let stage = two([cube(), cube()], [upright([0.0; 3]), upright([0.5; 3])]);
    let mut other = Scene::<f32>::new();
    let foreign = other.insert(&stage.actors[0].model, Spawn::default()).expect("a model");
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = stage.scene.snapshot(&mut buffers);
    let [a, b] = stage.keys.map(|key| (key, PartId::new(0)));
    let good = NormalHint { a, b, normal: Vector3::x() };
    let long = NormalHint { normal: Vector3::new(1.0, 1.0, 0.0), ..good };
    let nan = NormalHint { normal: Vector3::new(f64::NAN, 0.0, 0.0), ..good };
    let absent = NormalHint { b: (b.0, PartId::new(7)), ..good };
    let mut ask = |hints: &[NormalHint]| {
        let said = now.contacts(&PairQuery::all().hints(hints), &mut hits).map(|_| ());
        assert!(said.is_ok() || hits.is_empty());
        said
    };
    assert!(matches!(ask(&[good, long]), Err(Error::NotUnit { field: "hint", index: 1, .. })));
    assert!(matches!(ask(&[nan]), Err(Error::NotFinite { field: "hint", index: 0 })));
    assert!(matches!(ask(&[absent]), Err(Error::IndexOutOfRange { .. })));
    let strange = NormalHint { a: (foreign, PartId::new(0)), ..good };
    assert_eq!(
        ask(&[strange]).is_err(),
        now.pairs(&PairQuery::of(foreign), &mut Hits::new()).is_err()
    );
    assert_eq!(ask(&[good, good]), Ok(()));
    for query in [
        PairQuery::all().margin(0.1).detail(Detail::DeepestBoxes),
        PairQuery::all().margin(0.1).detail(Detail::Boxes),
        PairQuery::all().margin(0.1).accuracy(Accuracy::Budget(100)),
    ] {
        assert!(matches!(now.contacts(&query, &mut hits), Err(Error::BadQuery { .. })));
    }
}

/// A budget measures as long as it lasts: the first hits by order, equal to those of `Exact`; the
/// others are those of boxes; and no SIMD level changes which.
#[test]
fn budgets_end_measuring_and_say_so() {
    let mut random = Random(6105);
    let parts: Vec<_> =
        (0..5).map(|_| closed_meshes::solid(closed_meshes::sphere(0.6, 6))).collect();
    let model = model_of::<f32>(parts);
    let mut scene = Scene::new();
    for _ in 0..4 {
        let key = scene.insert(&model, Spawn::default()).expect("a model");
        let near = |_| turned(&mut random, [0.0; 3]);
        let mut poses: Vec<_> = (0..5).map(near).collect();
        for pose in &mut poses {
            pose.translation.vector = Vector3::from(random.direction()).cast() * 0.8;
        }
        scene.set_parts(key, &poses).expect("poses");
    }
    let order: Vec<_> = scene.keys().collect();
    let parts = |hit: &Hit<f32>| {
        [hit.a, hit.b].map(|node| (order.iter().position(|&key| key == node.character), node.part))
    };
    let run = |simd: SimdLevel, accuracy: Accuracy| {
        let (mut buffers, mut hits) = (Buffers::with_simd_level(simd), Hits::new());
        let now = scene.snapshot(&mut buffers);
        let report =
            now.contacts(&PairQuery::all().accuracy(accuracy), &mut hits).expect("a query");
        let boxes = PairQuery::all().accuracy(accuracy).detail(Detail::DeepestBoxes);
        let mut by_boxes = Hits::new();
        let told = now.contacts(&boxes, &mut by_boxes).expect("a query");
        assert_eq!((report.slack, report.met), (told.slack, told.met));
        assert_eq!(hits.len(), by_boxes.len());
        for hit in hits.iter().filter(|hit| !hit.measured) {
            assert!(by_boxes.contains(hit), "{hit:?}");
        }
        let mut hits = hits.to_vec();
        hits.sort_by_key(parts);
        hits
    };
    let exact = run(SimdLevel::best(), Accuracy::Exact);
    assert!(exact.len() > 20 && exact.iter().all(|hit| hit.measured));
    let (mut before, mut partly) = (0, 0);
    for budget in [0, 10, 3_000, 10_000, 20_000, 40_000, 80_000, 200_000, 1_000_000, u32::MAX] {
        let hits = run(SimdLevel::best(), Accuracy::Budget(budget));
        for simd in SimdLevel::all() {
            assert_eq!(run(simd, Accuracy::Budget(budget)), hits, "{simd}");
        }
        let measured = hits.iter().take_while(|hit| hit.measured).count();
        assert_eq!(measured, hits.iter().filter(|hit| hit.measured).count(), "the first");
        assert!(measured >= before);
        (before, partly) = (measured, partly + usize::from(0 < measured && measured < hits.len()));
        println!("{budget}: {measured} of {}", hits.len());
        for hit in hits.iter().filter(|hit| hit.measured) {
            let same = exact.iter().find(|other| parts(other) == parts(hit));
            assert!(same.is_none_or(|same| bits(same) == bits(hit)), "{hit:?}");
        }
    }
    assert!(before == exact.len() && partly > 0);
}

/// Self-collision measures the part of lower number first, also within the model's own margins.
#[test]
fn self_collision_names_the_lower_part_first() {
    let cube = || closed_meshes::solid(closed_meshes::cube([0.5; 3]));
    let model = model_of::<f64>(vec![cube(), cube(), cube()]);
    let mut scene = Scene::new();
    let key = scene.insert(&model, Spawn::default()).expect("a model");
    let poses = [[0.0; 3], [-0.9, 0.0, 0.0], [0.3, 1.2, 0.0]].map(upright);
    scene.set_parts(key, &poses).expect("poses");
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    now.contacts(&PairQuery::within(key).margin(0.25), &mut hits).expect("a query");
    let told: Vec<_> =
        hits.iter().map(|hit| [hit.a, hit.b].map(|node| node.part.index())).collect();
    assert_eq!(told, [[0, 1], [0, 2]]);
    assert!((hits[0].depth - 0.1).abs() < 1e-9 && hits[0].normal == -Vector3::x(), "{hits:?}");
    assert!((hits[1].depth + 0.2).abs() < 1e-9 && hits[1].normal == Vector3::y(), "{hits:?}");
}

/// The attacker's side comes first, with the normal turned accordingly.
#[test]
fn attackers_come_first() {
    const SWORD: u64 = 1;
    const BODY: u64 = 2;
    let cube = || closed_meshes::solid(closed_meshes::cube([0.5; 3]));
    let mut stage = two::<f64>([cube(), cube()], [upright([0.0; 3]), upright([0.9, 0.0, 0.0])]);
    let groups = |of| CollisionGroups { memberships: of, filter: u64::MAX };
    for (key, of) in stage.keys.into_iter().zip([BODY, SWORD]) {
        stage.scene.set_groups(key, PartId::new(0), groups(of)).expect("a part");
    }
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = stage.scene.snapshot(&mut buffers);
    let query = PairQuery::all().memberships(SWORD, BODY);
    let hit = only(&now, &query, &mut hits).expect("a hit");
    assert_eq!((hit.a.character, hit.normal), (stage.keys[0], Vector3::x()));
    let hit = only(&now, &query.attacker_first(), &mut hits).expect("a hit");
    assert_eq!((hit.a.character, hit.normal), (stage.keys[1], -Vector3::x()));
}
