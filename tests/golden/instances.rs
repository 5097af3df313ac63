//! Characters of scaled models, some held by others, and pairs that the scene ignores.

use boxwood::scene::{PairQuery, Spawn};
use boxwood::shape::{Pose, pose};
use boxwood::{Accuracy, PartId};

use crate::answers::{AsText, Number};
use crate::buffers::Tools;
use crate::digest::Row;
use crate::random::{NO_TURN, pose as posed};
use crate::scene_queries;
use crate::test_scenes::{TestScene, robots};

/// Builds arms, and scaled ones beside them; each scaled arm holds a smaller one.
pub fn instances<T: Number>() -> TestScene<T> {
    let (arms, mut stage) = (robots::<T>(), TestScene::new("instances", 0.2));
    for (at, &key) in arms.keys.iter().enumerate() {
        let factor = [1.0, 1.37, 0.7][at % 3];
        let model = arms.scene.model(key).expect("a key").scaled(factor).expect("in range");
        let mut poses = arms.scene.poses(key).expect("a key").to_vec();
        pose::scale(&mut poses, factor).expect("in range");
        stage.add(&model, &poses, at == 4);
        if at % 3 == 0 {
            continue;
        }
        let (small, holder) =
            (model.scaled(0.3).expect("in range"), stage.keys[stage.keys.len() - 1]);
        let held = stage.scene.insert(&small, Spawn::default()).expect("room");
        pose::scale(&mut poses, 0.3).expect("in range");
        stage.scene.set_parts(held, &poses).expect("sound poses");
        let offset: Pose<T> = posed(NO_TURN, [0.0, 0.05, 0.02]);
        let touching = [PartId::new(7)];
        stage.scene.attach(held, holder, PartId::new(8), &offset, &touching).expect("free");
        stage.keys.push(held);
    }
    let keys = stage.keys.clone();
    let part = PartId::new(2);
    stage.scene.set_ignored(keys[0], keys[1], true).expect("keys");
    stage.scene.set_ignored((keys[3], part), keys[5], true).expect("keys");
    stage.scene.set_ignored((keys[1], part), (keys[3], part), true).expect("keys");
    // Held characters follow.
    for at in [1, 3] {
        let root = posed(NO_TURN, [0.05 * at as f64, 0.0, 0.1]);
        stage.scene.set_root(keys[at], &root).expect("a pose");
    }
    stage
}

/// Returns touching pairs of parts of holders with the characters they hold, and their distances
/// from others.
pub fn with_held<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("geometry", "with_held");
    for (at, &key) in stage.keys.iter().enumerate() {
        let other = stage.keys[(at + 3) % stage.keys.len()];
        for (name, query) in [
            ("of", PairQuery::of(key)),
            ("within", PairQuery::within(key)),
            ("between", PairQuery::between(key, other)),
        ] {
            tools.renew();
            let Tools { buffers, hits, .. } = tools;
            let now = stage.scene.snapshot(buffers);
            let query = query.with_held().accuracy(Accuracy::Exact);
            let report = now.pairs(&query, hits).map(|report| report.met);
            let pairs = hits.pairs().iter().map(|(a, b)| (stage.part(a), stage.part(b)));
            let pairs = pairs.collect::<Vec<_>>();
            let near = now.distance(&query, hits.scratch());
            let near = near.map(|near| near.map(|near| near.distance));
            row.ask(format!("{name} {at}"), (report, pairs, near).said());
        }
    }
    row
}

pub fn rows<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Vec<Row> {
    let mut rows = vec![
        with_held(stage, tools),
        scene_queries::pairs(stage, tools),
        scene_queries::separations(stage, tools),
    ];
    rows.extend(scene_queries::contacts(stage, tools));
    rows.push(scene_queries::body_contacts(stage, tools));
    rows.extend(scene_queries::distances(stage, tools));
    rows
}
