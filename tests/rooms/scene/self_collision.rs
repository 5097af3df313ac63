//! Self-collision of parts that nearly touch, and of models whose pairs are ignored: in a scene and
//! from poses alone.

use std::sync::Arc;

use boxwood::model::{Model, SelfQueryScratch};
use boxwood::scene::{Buffers, Hits, Scene};
use boxwood::shape::Pose;
use boxwood::tree::{Fit, Geometry};
use boxwood::{Accuracy, Build, PairQuery, PartId};

use super::simd_levels::{one_by_one, pair};

use support::prelude::*;

/// Builds one model of the parts of two models, which nearly touch one by one.
pub fn all_but_touching<T: Scalar>(
    random: &mut Random,
    count: usize,
) -> (Arc<Model<T>>, Vec<Pose<T>>) {
    let pair = pair::<T>(random, 0.5);
    let (mut builder, mut poses) = (Model::builder(), Vec::new());
    for (side, model) in pair.models.iter().enumerate() {
        for (index, part) in model.parts().iter().enumerate().take(count) {
            let geometry = part.tree().expect("a tree").geometry().clone();
            builder = builder.part(format!("{side} {index}"), None, geometry);
            poses.push(pair.poses[side][index]);
        }
    }
    (builder.build(&Build::fast()).expect("a model"), poses)
}

/// Checks in batches, by a tree over the parts, from poses alone, and two by two without bounding
/// boxes.
fn every_way<T: Scalar>(seed: u64) {
    let (mut random, mut scratch, mut hits) =
        (Random(seed), SelfQueryScratch::default(), Hits::new());
    let (mut pairs, mut close) = (0, 0);
    for count in [30, 32, 40, 40, 30, 40] {
        let (model, poses) = all_but_touching::<T>(&mut random, count);
        let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
        let key = insert_posed(&mut scene, &model, &poses);
        let now = scene.snapshot(&mut buffers);
        for accuracy in [Accuracy::Depth(0), Accuracy::Depth(1), Accuracy::Exact] {
            let answer = one_by_one(&scene, [key; 2], accuracy).into_iter();
            let answer = answer.filter(|&([a, b], touches)| a < b && touches);
            let expected: Vec<_> = answer.map(|([a, b], _)| (a, b)).collect();
            now.pairs(&PairQuery::within(key).accuracy(accuracy), &mut hits).expect("a query");
            let found: Vec<_> = hits.pairs().iter().map(|(a, b)| (a.part, b.part)).collect();
            assert_eq!(found, expected, "{count} {accuracy:?}: in a scene");
            let alone = model.self_pairs(&poses, accuracy, &mut scratch).expect("poses");
            let missed = expected.iter().filter(|pair| !alone.contains(pair)).count();
            assert_eq!(missed, 0, "{count} {accuracy:?}: missed from poses alone");
            assert_eq!(alone, expected, "{count} {accuracy:?}: from poses alone");
            pairs += expected.len();
            let boxes = |part: PartId| now.part_aabb(key, part).expect("a part");
            close += expected.iter().filter(|(a, b)| !boxes(*a).intersects(&boxes(*b))).count();
        }
    }
    println!("{pairs} pairs touch, {close} of them with world boxes apart");
    assert!(pairs > 500);
}

/// Places all parts at one position, so that only filters reject pairs.
fn rules<T: Scalar>() {
    let solid = || Geometry::Boxes(vec![upright_solid::<T>([-1.0; 3], [1.0; 3])]);
    let build = |hops: usize, named: bool| {
        let mut builder = Model::builder()
            .part("hip", None, solid())
            .part("knee", Some("hip"), solid())
            .part("slot", Some("knee"), Geometry::None)
            .part("foot", Some("slot"), solid())
            .part("hand", Some("hip"), solid())
            .ignore_neighbours(hops);
        if named {
            builder = builder.ignore("foot", "hand");
        }
        builder.build(&Build::default()).expect("a model")
    };
    let pairs = |hops, named| -> Vec<(usize, usize)> {
        let (model, mut scratch) = (build(hops, named), SelfQueryScratch::default());
        let poses = model.bind_poses();
        let found = model.self_pairs(&poses, Accuracy::Depth(0), &mut scratch).expect("poses");
        found.iter().map(|(a, b): &(PartId, PartId)| (a.index(), b.index())).collect()
    };
    assert_eq!(pairs(0, false), [(0, 1), (0, 3), (0, 4), (1, 3), (1, 4), (3, 4)]);
    assert_eq!(pairs(1, false), [(0, 3), (1, 4), (3, 4)], "the slot is stepped over");
    assert_eq!(pairs(1, true), [(0, 3), (1, 4)]);
    assert_eq!(pairs(2, false), [(3, 4)]);
    assert_eq!(pairs(3, false), []);
}

/// Checks two cubes of which only two corners exist, in one leaf: their root boxes overlap by half,
/// and their triangles do not touch.
fn hollow<T: Scalar>() {
    let corners =
        vec![upright_solid::<T>([-1.0; 3], [-0.9; 3]), upright_solid::<T>([0.9; 3], [1.0; 3])];
    let build = Build::fast().fit(Fit::Aligned);
    let model = Model::builder()
        .part("one", None, Geometry::Boxes(corners.clone()))
        .part("other", None, Geometry::Boxes(corners))
        .build(&build)
        .expect("a model");
    assert!(model.parts().iter().all(|part| part.tree().is_some_and(|tree| tree.len() == 1)));
    let poses = [upright([0.0; 3]), upright([1.0, 0.0, 0.0])];
    let (mut scene, mut buffers, mut hits) = (Scene::new(), Buffers::new(), Hits::new());
    let key = insert_posed(&mut scene, &model, &poses);
    let (now, mut scratch) = (scene.snapshot(&mut buffers), SelfQueryScratch::default());
    for (accuracy, expected) in [
        (Accuracy::Depth(0), 1),
        (Accuracy::default(), 1),
        (Accuracy::Within(10.0), 1),
        (Accuracy::Within(0.01), 0),
        (Accuracy::Exact, 0),
    ] {
        let alone = model.self_pairs(&poses, accuracy, &mut scratch).expect("poses").len();
        now.pairs(&PairQuery::within(key).accuracy(accuracy), &mut hits).expect("a query");
        assert_eq!([alone, hits.pairs().len()], [expected; 2], "{accuracy:?}");
    }
}

scalars! {
    parts_that_all_but_touch_do_so_every_way => every_way(92; 93);
    overlapping_root_boxes_of_separate_geometry_do_not_touch => hollow();
    neighbours_and_named_pairs_are_ignored => rules();
}
