//! Real robots and characters in real levels: every part against every brush near it, by parry3d.

use boxwood::brush::BodyId;
use boxwood::f64::{Buffers, Hits, Loader, Model, Scene, Spawn};
use boxwood::load::{MapOptions, map};
use boxwood::{Accuracy, Build, PairQuery};
use nalgebra::Translation3;
use std::sync::Arc;
use support::data::data;
use support::parry::{Peer, Peers};
use support::prelude::*;

/// Returns the sorted indices of parts and brushes that touch.
fn touching(
    (model, level): (&Arc<Model>, &Arc<Model>),
    poses: &[Isometry3<f64>],
) -> Vec<(usize, usize)> {
    let mut scene = Scene::new();
    let world = scene.insert(level, Spawn::default().at_rest(true)).expect("room");
    let who = insert_posed(&mut scene, model, poses);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let query = PairQuery::between(who, world).accuracy(Accuracy::Exact);
    scene.snapshot(&mut buffers).pairs(&query, &mut hits).expect("a query");
    hits.pairs().iter().map(|(a, b)| (a.part.index(), b.part.index())).collect()
}

fn in_level(name: &str, models: &[(&str, Arc<Model>)], random: &mut Random) -> [usize; 2] {
    let data = data().expect("data");
    let scale = 1.0 / 32.0;
    let level = map(data.join("levels").join(name), &MapOptions::quake().scale(scale));
    let level = level.expect("a level");
    let brushes: Vec<_> = level.world.brushes_of(BodyId::STATIC).collect();
    let shapes: Vec<_> = brushes
        .iter()
        .map(|&id| {
            let brush = level.world.brush(id).expect("a brush");
            let corners: Vec<_> = brush.corners().into_iter().map(Into::into).collect();
            (brush.aabb(), Peer::hull(&corners))
        })
        .collect();
    let build = Build::default();
    let solid = level.world.model(BodyId::STATIC, &build).expect("a level");
    let hulls = level.world.hull_model(BodyId::STATIC, &build).expect("a level");
    for (part, id) in solid.parts().iter().zip(&brushes) {
        assert_eq!(part.user(), u64::from(id.0));
    }
    let starts: Vec<_> = level.spawns().filter_map(|spawn| spawn.origin).collect();
    let (mut touched, mut apart) = (0, 0);
    for _ in 0..at_least(40, 8) {
        for (who, model) in models {
            let peers = Peers::of(model);
            let start = starts[random.below(starts.len())].coords;
            let at = start + Vector3::from(random.direction()) * random.between(0.0, 2.0);
            let turn = UnitQuaternion::from_scaled_axis(Vector3::from(random.direction()) * 2.0);
            let root = Isometry3::from_parts(Translation3::from(at), turn);
            let poses: Vec<_> = model.bind_poses().iter().map(|pose| root * pose).collect();
            let found = touching((model, &solid), &poses);
            assert_eq!(touching((model, &hulls), &poses), found, "{name} {who} {root}");
            for (part, pose) in poses.iter().enumerate() {
                let Some(peer) = Peers::placed((&peers, part, pose)) else { continue };
                let [least, most] = peer.bounds();
                let near = |i: usize, low: f64, high: f64| most[i] >= low && high >= least[i];
                for (index, (around, shape)) in shapes.iter().enumerate() {
                    if !(0..3).all(|i| near(i, around.min[i], around.max[i])) {
                        continue;
                    }
                    let Some(shape) = shape else { continue };
                    let gap = peer.distance(shape);
                    let is_found = found.binary_search(&(part, index)).is_ok();
                    assert!(!is_found || gap < 1e-4, "{name} {who} {part} {index}: {gap}");
                    // A part inside a brush has no distance of its surface, so it is not among
                    // these.
                    assert!(is_found || gap > 0.0, "{name} {who} {root} {part} {index}");
                    touched += usize::from(is_found);
                    apart += usize::from(!is_found);
                }
            }
        }
    }
    println!("{name}: {} brushes, {touched} pairs touch, {apart} near are apart", shapes.len());
    [touched, apart]
}

#[test]
fn robots_and_fighters_touch_the_brushes_found_by_parry() {
    let Some(data) = data() else { return };
    let panda = Loader::new().urdf(data.join("robots/panda/urdf/panda.urdf")).expect("a robot");
    let fighter = Loader::new().gltf_bytes(support::fighter::FILE).expect("a character");
    let models = [("panda", panda.model), ("fighter", fighter.model)];
    let mut random = Random(2720);
    let mut sum = [0; 2];
    let names = ["lq-e1m1/lq_e1m1.map", "lq-dm3/lqdm3.map", "ahoy-playground/playground.map"];
    for name in names.into_iter().take(at_least(3, 2)) {
        let counts = in_level(name, &models, &mut random);
        sum = [sum[0] + counts[0], sum[1] + counts[1]];
    }
    assert!(sum.iter().all(|&count| count > 20), "{sum:?}");
}
