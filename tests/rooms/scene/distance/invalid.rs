//! Invalid distance queries are refused.

use boxwood::tree::{Accuracy, TreePair, TreeScratch};
use boxwood::{Buffers, Build, Error, Geometry, Hits, Model, PairQuery, PartId, Scene, Spawn};

use super::random_parts::subjects;
use support::random::Random;
use support::random_parts::{turned, upright_solid};

#[test]
fn invalid_budgets_and_lengths_are_refused() {
    let [a, b] = subjects::<f32>(&mut Random(1), 0);
    let pair = TreePair::new(&a.tree, &a.pose, &b.tree, &b.pose).expect("sound poses");
    let ask = |accuracy, max_distance: f64| {
        pair.distance(accuracy, max_distance, &mut TreeScratch::default())
    };
    assert!(matches!(ask(Accuracy::Budget(9), 1.0), Err(Error::BadQuery { .. })));
    assert!(matches!(ask(Accuracy::Exact, f64::NAN), Err(Error::NotFinite { .. })));
    assert!(matches!(ask(Accuracy::Exact, -1.0), Err(Error::Negative { .. })));
    assert!(matches!(ask(Accuracy::Within(f64::NAN), 1.0), Err(Error::NotFinite { .. })));
    assert!(matches!(ask(Accuracy::Within(-1.0), 1.0), Err(Error::Negative { .. })));
    assert!(ask(Accuracy::Exact, 0.0).expect("a question").is_none());
}

#[test]
fn unknown_keys_and_parts_are_refused_and_disabled_parts_have_no_distance() {
    let solid = || Geometry::Boxes(vec![upright_solid([-1.0; 3], [1.0; 3])]);
    let model = Model::builder().part("a", None, solid()).part("b", None, Geometry::None);
    let model = model.build(&Build::default()).expect("a model");
    let (mut scene, mut buffers, mut hits) = (Scene::new(), Buffers::new(), Hits::new());
    let mut random = Random(2);
    let mut add = |scene: &mut Scene, at| {
        let spawn = Spawn::at(turned(&mut random, at));
        scene.insert(&model, spawn).expect("a character")
    };
    let (one, other) = (add(&mut scene, [0.0; 3]), add(&mut scene, [9.0, 0.0, 0.0]));
    let stale = add(&mut scene, [0.0; 3]);
    scene.remove(stale).expect("a key");
    let foreign = add(&mut Scene::new(), [0.0; 3]);
    let now = scene.snapshot(&mut buffers);
    let mut ask = |apart: &PairQuery| now.distance(apart, hits.scratch());
    assert!(ask(&PairQuery::between(one, other)).expect("a question").is_some());
    assert!(ask(&PairQuery::between(one, other).max_distance(1.0)).expect("a question").is_none());
    assert!(ask(&PairQuery::between(other, stale)) == Err(Error::StaleKey));
    assert!(ask(&PairQuery::between(foreign, other)) == Err(Error::ForeignKey));
    let parts = |part: usize| [PartId::new(part)];
    let beyond = ask(&PairQuery::between(one, other).parts(&parts(0), &parts(2)));
    assert!(matches!(beyond, Err(Error::IndexOutOfRange { .. })));
    let nothing = ask(&PairQuery::between(one, other).parts(&parts(0), &parts(1)));
    assert!(nothing.expect("a question").is_none());
    assert!(ask(&PairQuery::within(one)).expect("a question").is_none());
    let budget = ask(&PairQuery::between(one, other).accuracy(Accuracy::Budget(1)));
    assert!(matches!(budget, Err(Error::BadQuery { .. })));
    assert!(matches!(
        ask(&PairQuery::within(one).max_distance(f64::NAN)),
        Err(Error::NotFinite { .. })
    ));
    scene.set_part_enabled(one, PartId::new(0), false).expect("a part");
    let now = scene.snapshot(&mut buffers);
    assert_eq!(now.distance(&PairQuery::between(one, other), hits.scratch()), Ok(None));
}
