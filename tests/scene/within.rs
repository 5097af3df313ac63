//! A model against itself: from poses alone and in a scene.

use boxwood::model::{Model, Scratch};
use boxwood::num::Scalar;
use boxwood::scene::{Buffers, Hits, Scene, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, PartId, Query};

use crate::check::random_model;
use crate::parts::{turned, upright_solid};
use crate::random::Random;

fn both_ways<T: Scalar>() {
    let (mut random, mut scratch, mut touching) = (Random(91), Scratch::default(), 0);
    for round in 0..120 {
        let model = random_model::<T>(&mut random);
        let (mut scene, mut buffers, mut hits) = (Scene::new(), Buffers::new(), Hits::new());
        let key = scene.insert(&model, Spawn::default()).expect("a character");
        let poses: Vec<_> = (0..model.len())
            .map(|_| {
                let at = crate::block::times(random.direction(), random.between(0.0, 2.0));
                turned(&mut random, at)
            })
            .collect();
        scene.set_parts(key, &poses).expect("poses");
        let now = scene.snapshot(&mut buffers);
        for depth in [0, 1, 3, u8::MAX] {
            let accuracy = Accuracy::Depth(depth);
            let query = Query::within(key).accuracy(accuracy);
            now.pairs(&query, &mut hits).expect("a query");
            let found: Vec<_> = hits.pairs().iter().map(|(a, b)| (a.part, b.part)).collect();
            let alone = model.self_pairs(&poses, accuracy, &mut scratch).expect("poses");
            assert_eq!(found, alone, "round {round}, depth {depth}");
            assert!(found.iter().all(|&(a, b)| a < b && !model.ignores(a, b)));
            let any = model.self_intersects(&poses, accuracy, &mut scratch).expect("poses");
            assert_eq!(any, !found.is_empty());
            touching += found.len();
        }
    }
    assert!(touching > 100);
}

/// All parts in one place, so that only the rules keep pairs out.
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
        builder.build(&Build::tight()).expect("a model")
    };
    let pairs = |hops, named| -> Vec<(usize, usize)> {
        let (model, mut scratch) = (build(hops, named), Scratch::default());
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

#[test]
fn self_collision_is_the_same_from_poses_and_in_a_scene_f32() {
    both_ways::<f32>();
}

#[test]
fn self_collision_is_the_same_from_poses_and_in_a_scene_f64() {
    both_ways::<f64>();
}

#[test]
fn neighbours_and_named_pairs_are_ignored() {
    rules::<f32>();
    rules::<f64>();
}
