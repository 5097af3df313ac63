//! Characters of single boxes, few and many: the closest pair against every pair of parts.

use boxwood::model::Model;
use boxwood::num::SimdLevel;
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Snapshot, Spawn};
use boxwood::shape::Obb;
use boxwood::tree::{Accuracy, Geometry, TreePair, TreeScratch};
use boxwood::{Build, PairQuery, PartId};

use support::prelude::*;

/// Builds two characters of `parts` parts each side by side, some parts without geometry and some
/// disabled.
fn scene<T: Scalar>(random: &mut Random, parts: usize, far: f64) -> (Scene<T>, [CharacterKey; 2]) {
    let (mut scene, gap) = (Scene::new(), random.between(1.8, 3.5));
    // Parts that are not rotated are as far apart as their world boxes.
    let straight = random.chance(0.5);
    let keys = [0.0, gap].map(|x| {
        let mut builder = Model::builder();
        for part in 0..parts {
            let half: V = std::array::from_fn(|_| random.decade(-2.0, -0.7));
            let solid = Obb::from_pose(&upright([0.0; 3]), vector(half)).expect("a box");
            let nothing = part > 0 && random.chance(0.1);
            let boxes = if nothing { Geometry::None } else { Geometry::Boxes(vec![solid]) };
            builder = builder.part(part.to_string(), None, boxes);
        }
        let model = builder.build(&Build::default()).expect("a model");
        let key = scene.insert(&model, Spawn::default()).expect("a character");
        let at = |random: &mut Random| -> V { std::array::from_fn(|_| random.between(-1.0, 1.0)) };
        let poses: Vec<_> = (0..parts)
            .map(|_| {
                let [i, j, k] = at(random);
                let at = [far + x + i, j, k - far];
                if straight { upright(at) } else { turned(random, at) }
            })
            .collect();
        scene.set_parts(key, &poses).expect("poses");
        for part in (1..parts).map(PartId::new).filter(|_| random.chance(0.1)) {
            scene.set_part_enabled(key, part, false).expect("a part");
        }
        key
    });
    (scene, keys)
}

/// Computes the distance of two parts alone.
fn apart<T: Scalar>(
    now: &Snapshot<'_, T>,
    sides: [(CharacterKey, PartId); 2],
    accuracy: Accuracy,
) -> Option<T> {
    let there = |(key, part)| !now.part_aabb(key, part).expect("a part").is_empty();
    if !sides.into_iter().all(there) {
        return None;
    }
    let of = |(key, part): (CharacterKey, PartId)| {
        let model = now.scene().model(key).expect("a key");
        let tree = model.parts()[part.index()].tree().expect("a tree");
        (tree, now.scene().poses(key).expect("a key")[part.index()])
    };
    let [(a, at), (b, there)] = sides.map(of);
    let pair = TreePair::new(a, &at, b, &there).expect("sound poses");
    let found = pair.distance(accuracy, f64::INFINITY, &mut TreeScratch::default());
    found.expect("a question").map(|found| found.distance)
}

fn least<T: Scalar>(found: impl Iterator<Item = T>) -> Option<T> {
    found.reduce(|a, b| if b < a { b } else { a })
}

/// Queries these parts with and without a largest distance, in both orders and within one
/// character.
fn check<T: Scalar>(
    scene: &Scene<T>,
    [a, b]: [CharacterKey; 2],
    [of_a, of_b]: [&[PartId]; 2],
    accuracy: Accuracy,
) -> bool {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let mut one_by_one = Buffers::with_simd_level(SimdLevel::PLAIN);
    let (plain, mut apart_at_all) = (scene.snapshot(&mut one_by_one), false);
    for keys in [[a, b], [a, a]] {
        let pairs = of_a.iter().flat_map(|&i| of_b.iter().map(move |&j| (i, j)));
        let counted = pairs.filter(|(i, j)| keys[0] != keys[1] || i != j);
        let of = |(i, j)| apart(&now, [(keys[0], i), (keys[1], j)], accuracy);
        let expected = least(counted.filter_map(of));
        let asked = PairQuery::between(keys[0], keys[1]).parts(of_a, of_b).accuracy(accuracy);
        let found = now.distance(&asked, hits.scratch()).expect("a question");
        assert_eq!(found.map(|found| found.distance), expected);
        assert_eq!(plain.distance(&asked, hits.scratch()), Ok(found));
        let back = PairQuery::between(keys[1], keys[0]).parts(of_b, of_a).accuracy(accuracy);
        let back = now.distance(&back, hits.scratch()).expect("a question");
        let turned = if keys[0] == keys[1] { back } else { back.map(|back| back.reversed()) };
        assert_eq!(found, turned);
        let Some(found) = found else { continue };
        let distance = found.distance.wide();
        apart_at_all |= distance > 0.0;
        for (max_distance, there) in [(0.5 * distance, distance == 0.0), (1.01 * distance, true)] {
            let within = now.distance(&asked.clone().max_distance(max_distance), hits.scratch());
            assert_eq!(within.expect("a question"), Some(found).filter(|_| there));
        }
    }
    apart_at_all
}

fn few_and_many<T: Scalar>() {
    let (mut random, mut clear, mut asked) = (Random(71), 0, 0);
    // A batch has 64 parts, a bit set 256.
    for (parts, of, rounds) in
        [(1, 1, 8), (3, 3, 16), (20, 20, 8), (64, 9, 6), (65, 9, 6), (300, 9, 4)]
    {
        for round in 0..rounds {
            let far = if round % 2 == 0 { 0.0 } else { 1000.0 };
            let (scene, keys) = scene::<T>(&mut random, parts, far);
            let mut chosen = || -> Vec<PartId> {
                let all = of == parts;
                let part = |i| if all { i } else { random.below(parts) };
                (0..of).map(part).map(PartId::new).collect()
            };
            let chosen = [chosen(), chosen()];
            let to = if round % 3 == 0 { Accuracy::Depth(0) } else { Accuracy::Exact };
            clear += usize::from(check(&scene, keys, [&chosen[0], &chosen[1]], to));
            asked += 1;
        }
    }
    println!("{clear} of {asked} apart");
    assert!(2 * clear > asked);
}

scalars! {
    few_and_many => few_and_many();
}
