//! Queries count their tests: from zero in each query, the same at every SIMD level.

use boxwood::num::SimdLevel;
use boxwood::scene::{
    Buffers, MotionBuffers, QueryFilter, QueryScratch, Scene, SceneMotion, Spawn,
};
use boxwood::shape::Sphere;
use boxwood::tree::Push;
use boxwood::{Accuracy, Counts, PairQuery};

use support::closed_meshes::{solid, sphere};
use support::prelude::*;
use support::random_parts::pose;

/// Asks each query of a row of overlapping solids, by a name.
fn counts<T: Scalar>(
    simd: SimdLevel,
    scratch: &mut QueryScratch<T>,
) -> Vec<(&'static str, Counts)> {
    let model = model_of(vec![solid(sphere(1.0, 6))]);
    let mut scene = Scene::<T>::new();
    let at = |x: f64| pose([0.0, 0.0, 0.0, 1.0], [x, 0.0, 0.0]);
    let keys: Vec<_> = (0..5)
        .map(|place| scene.insert(&model, Spawn::at(at(1.5 * f64::from(place)))).expect("a place"))
        .collect();
    let apart = scene.insert(&model, Spawn::at(at(20.0))).expect("a place");
    let before = scene.clone();
    scene.set_root(apart, &at(2.0)).expect("a place");
    let mut buffers = Buffers::with_simd_level(simd);
    let now = before.snapshot(&mut buffers);
    let (of, exactly) = (PairQuery::of(keys[2]), Accuracy::Exact);
    let mut found = Vec::new();
    let mut add = |name, counts: &Counts| found.push((name, *counts));
    assert!(now.intersects(&of.clone().accuracy(exactly), scratch).expect("a query"));
    add("intersects", scratch.counts());
    let far = PairQuery::between(keys[0], apart);
    assert!(now.distance(&far, scratch).expect("a query").is_some());
    add("distance", scratch.counts());
    assert!(now.separation(&of, &Push::least(), scratch).expect("a query").is_some());
    add("separation", scratch.counts());
    assert!(now.cast(&far, vector([30.0, 0.0, 0.0]), scratch).expect("a query").is_some());
    add("cast", scratch.counts());
    let (all, ball) = (QueryFilter::all(), Sphere::new(point([-9.0, 0.1, 0.2]), T::nearest(0.1)));
    let hit = now.shape_cast(ball.expect("a ball"), vector([12.0, 0.0, 0.0]), &all, scratch);
    assert!(hit.expect("a query").is_some());
    add("shape cast", scratch.counts());
    let mut buffers = MotionBuffers::new();
    let motion = SceneMotion::between(&before, &scene, &mut buffers).expect("one scene");
    let query = PairQuery::of(apart).accuracy(Accuracy::Within(1e-3));
    assert!(motion.first_impact(&query, scratch).expect("a query").is_some());
    add("impact", scratch.counts());
    let nothing = PairQuery::all().excluding(&keys);
    assert!(!now.intersects(&nothing, scratch).expect("a query"));
    assert_eq!(scratch.counts().primitives, 0, "counts of the query before");
    found
}

fn check<T: Scalar>() {
    let mut scratch = QueryScratch::<T>::new();
    let plain = counts(SimdLevel::PLAIN, &mut scratch);
    for (name, counts) in &plain {
        assert!(counts.primitives > 0 && counts.tests() > 0, "{name}: {counts:?}");
    }
    // In the same memory, and at every level.
    assert_eq!(counts(SimdLevel::PLAIN, &mut scratch), plain);
    for simd in SimdLevel::all() {
        assert_eq!(counts(simd, &mut scratch), plain, "{simd:?}");
    }
}

scalars! {
    every_query_counts_its_own_tests => check();
}
