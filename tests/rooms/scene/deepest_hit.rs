//! The hit whose boxes overlap deepest: exact depths of cubes on a lattice, and a plain maximum
//! over any answer.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::scene::{Buffers, Hits, Scene, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Build, Detail, PairQuery};

use super::brute_force::crowd;
use support::random::Random;
use support::random_parts::{upright, upright_solid};

fn cube() -> Arc<Model<f32>> {
    let solid = upright_solid([0.0; 3], [1.0; 3]);
    let model = Model::builder().part("cube", None, Geometry::Boxes(vec![solid]));
    model.build(&Build::default()).expect("a model")
}

/// Cubes in a row, at those places; their keys in that order.
fn row(places: &[f64]) -> (Scene<f32>, Vec<boxwood::CharacterKey>) {
    let (mut scene, cube) = (Scene::new(), cube());
    let stand =
        |x: &f64| scene.insert(&cube, Spawn::at(upright([*x, 0.0, 0.0]))).expect("a character");
    let keys = places.iter().map(stand).collect();
    (scene, keys)
}

#[test]
fn the_deepest_is_found_and_of_equally_deep_ones_the_first() {
    // One cube a quarter in the next, then twice one half, then a quarter.
    let (scene, keys) = row(&[0.0, 0.75, 1.25, 1.75, 2.5]);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    now.contacts(&PairQuery::all(), &mut hits).expect("a query");
    let depths: Vec<f32> = hits.iter().map(|hit| hit.depth).collect();
    assert!(depths.len() >= 4 && depths.iter().all(|depth| [0.0, 0.25, 0.5].contains(depth)));
    let deepest = hits.deepest().expect("hits");
    assert_eq!(deepest.depth, 0.5);
    assert_eq!((deepest.a.character, deepest.b.character), (keys[1], keys[2]));
}

#[test]
fn without_hits_there_is_no_deepest() {
    let mut hits = Hits::<f32>::new();
    assert_eq!(hits.deepest(), None);
    let (scene, keys) = row(&[0.0, 0.5, 9.0]);
    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    now.contacts(&PairQuery::all(), &mut hits).expect("a query");
    assert!(hits.deepest().is_some());
    now.contacts(&PairQuery::of(keys[2]), &mut hits).expect("a query");
    assert_eq!(hits.deepest(), None);
    // Pairs have no depth.
    now.contacts(&PairQuery::all(), &mut hits).expect("a query");
    now.pairs(&PairQuery::all(), &mut hits).expect("a query");
    assert!(!hits.pairs().is_empty() && hits.deepest().is_none());
}

#[test]
fn it_is_the_first_of_the_greatest_depth_of_any_answer() {
    let (mut random, mut several) = (Random(731), 0);
    for _ in 0..30 {
        let (scene, _) = crowd::<f64>(&mut random, 4, 0.0);
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let query = PairQuery::all().detail(Detail::Boxes);
        scene.snapshot(&mut buffers).contacts(&query, &mut hits).expect("a query");
        let most = hits.iter().map(|hit| hit.depth).fold(f64::MIN, f64::max);
        assert_eq!(hits.deepest(), hits.iter().find(|hit| hit.depth == most));
        several += usize::from(hits.len() > 1);
    }
    assert!(several > 10, "{several}");
}
