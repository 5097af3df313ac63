//! Whole queries against their twin without a tree, and what scenes refuse.

#[path = "../examples/fighter/mod.rs"]
mod fighter;
#[path = "support/data.rs"]
mod support_data;

use std::sync::Arc;

use boxwood::tree::TreePair;
use boxwood::{
    Accuracy, Buffers, CharacterKey, Detail, Error, Hit, Hits, Loaded, Model, PartId, Pose, Query,
    Scene, Site, Snapshot, Spawn, load,
};
use nalgebra::{Isometry3, Vector3};

/// Two characters of a scene and the moment they are in.
struct Pair<'a> {
    scene: &'a Scene,
    now: Snapshot<'a>,
    keys: [CharacterKey; 2],
}

impl Pair<'_> {
    /// Every two boxes of the cuts that touch, found by trying all of them.
    fn brute(&self, depth: u8) -> Vec<(Site, Site)> {
        let mut found = Vec::new();
        let [model_a, model_b] = self.keys.map(|key| self.scene.model(key).unwrap());
        for (i, part_a) in model_a.parts().iter().enumerate() {
            for (j, part_b) in model_b.parts().iter().enumerate() {
                let (a, b) = (PartId::new(i), PartId::new(j));
                let (Some(tree_a), Some(tree_b)) = (part_a.tree(), part_b.tree()) else { continue };
                let box_a = self.now.part_box(self.keys[0], a).unwrap();
                if !box_a.intersects(&self.now.part_box(self.keys[1], b).unwrap()) {
                    continue;
                }
                let pose = |key, part| self.scene.pose(key, part).unwrap();
                let pair =
                    TreePair::new(tree_a, pose(self.keys[0], a), tree_b, pose(self.keys[1], b));
                let pair = pair.unwrap();
                for node_a in tree_a.cut(depth) {
                    for node_b in tree_b.cut(depth) {
                        if pair.touches(node_a, node_b) {
                            let site = |character, part, node| Site { character, part, node };
                            let sites =
                                (site(self.keys[0], a, node_a), site(self.keys[1], b, node_b));
                            found.push(sites);
                        }
                    }
                }
            }
        }
        found.sort_by_key(|(a, b)| (a.part, a.node, b.part, b.node));
        found
    }

    /// All three questions, in both details, against the twin. Returns how many boxes touch.
    fn check(&self, depth: u8, hits: &mut Hits) -> usize {
        let expected = self.brute(depth);
        let ask = Query::between(self.keys[0], self.keys[1]).accuracy(Accuracy::Depth(depth));
        assert_eq!(self.now.intersects(&ask, hits).unwrap(), !expected.is_empty());
        let boxes = ask.clone().detail(Detail::Boxes);
        self.now.pairs(&boxes, hits).unwrap();
        assert_eq!(hits.pairs(), expected, "depth {depth}");
        let report = self.now.contacts(&boxes, hits).unwrap();
        let sites: Vec<_> = hits.iter().map(|hit| (hit.a, hit.b)).collect();
        assert_eq!(sites, expected, "depth {depth}");
        assert!(hits.iter().all(|hit| hit.slack <= report.slack && hit.depth >= 0.0));
        let all: Vec<Hit> = hits.to_vec();
        self.now.contacts(&ask, hits).unwrap();
        self.check_deepest(&all, hits);
        self.now.pairs(&ask, hits).unwrap();
        let mut parts: Vec<_> = expected.iter().map(|(a, b)| (a.part, b.part)).collect();
        parts.sort();
        parts.dedup();
        let found: Vec<_> = hits.pairs().iter().map(|(a, b)| (a.part, b.part)).collect();
        assert_eq!(found, parts);
        expected.len()
    }

    /// One hit a pair of parts, no shallower than any of that pair.
    fn check_deepest(&self, all: &[Hit], by_parts: &[Hit]) {
        let parts = |hit: &Hit| (hit.a.part, hit.b.part);
        for hit in by_parts {
            assert!(all.contains(hit));
            assert!(all.iter().filter(|h| parts(h) == parts(hit)).all(|h| h.depth <= hit.depth));
        }
        let mut pairs: Vec<_> = all.iter().map(parts).collect();
        pairs.sort();
        pairs.dedup();
        let mut found: Vec<_> = by_parts.iter().map(parts).collect();
        found.sort();
        assert_eq!(found, pairs);
    }
}

/// Poses of two characters meeting at different distances and angles, and the twin at every depth.
fn meet(a: &Loaded, b: &Loaded, depths: &[u8], frames: usize) -> usize {
    let mut scene = Scene::new();
    let keys = [a, b].map(|who| scene.insert(&who.model, Spawn::default()).unwrap());
    let size = |who: &Loaded| {
        let tall = |part: &boxwood::model::Part<f32>| {
            part.tree().map_or(0.0, |tree| tree.reach() + part.bind().translation.vector.norm())
        };
        who.model.parts().iter().map(tall).fold(0.0, f32::max)
    };
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let mut touching = 0;
    for frame in 0..frames {
        for (index, (key, who)) in keys.into_iter().zip([a, b]).enumerate() {
            let at = Isometry3::new(
                Vector3::new(0.02, 0.0, 0.04 + 0.06 * (frame % 3) as f32)
                    * size(who)
                    * index as f32,
                Vector3::new(0.0, 1.3 * frame as f32 + 3.0 * index as f32, 0.0),
            );
            let rest = who.skeleton.rest_poses();
            let joints = match who.clips.is_empty() {
                true => &rest[..],
                false => {
                    let clip = &who.clips[frame % who.clips.len()];
                    clip.sample_looped(0.37 * frame as f32, &mut buffers.joints).unwrap()
                }
            };
            scene.set_joints(key, &at, joints).unwrap();
        }
        let now = scene.snapshot(&mut buffers);
        let pair = Pair { scene: &scene, now, keys };
        touching += depths.iter().map(|&depth| pair.check(depth, &mut hits)).sum::<usize>();
    }
    touching
}

#[test]
fn fighters_agree_with_the_twin_at_every_depth() {
    let fighter = fighter::fighter();
    let depths: Vec<u8> = (0..=9).collect();
    let touching = meet(&fighter, &fighter, &depths, 4);
    println!("{touching} pairs of boxes");
    assert!(touching > 10_000, "only {touching}");
}

#[test]
fn real_characters_agree_with_the_twin() {
    let Some(data) = support_data::data() else { return };
    let files = [
        "kaykit-knight/Knight.glb",
        "cesium-man/CesiumMan.glb",
        "fox/Fox.glb",
        "quaternius-spider/Spider.glb",
        "quaternius-snake/Snake.glb",
        "robot-expressive/robot.glb",
        "rigged-simple/RiggedSimple.glb",
    ];
    let loaded: Vec<_> = files
        .iter()
        .map(|file| load::gltf(data.join("characters").join(file)).expect("a good file"))
        .collect();
    for (index, a) in loaded.iter().enumerate() {
        for b in [a, &loaded[(index + 1) % loaded.len()]] {
            let touching = meet(a, b, &[0, 1, 2, 3, 4, 6], 3);
            println!("{}: {touching} pairs of boxes", files[index]);
        }
        let same = meet(a, a, &[0, 2, 5], 2);
        assert!(same > 0, "{} never meets itself", files[index]);
    }
}

/// Three fighters close together, inserted with these orders after some churn.
fn crowd(model: &Arc<Model>, orders: [u64; 3], churn: usize) -> (Scene, Vec<Hit>, Vec<u64>) {
    let mut scene = Scene::new();
    for _ in 0..churn {
        let key = scene.insert(model, Spawn { order: Some(99), ..Spawn::default() }).unwrap();
        scene.remove(key).unwrap();
    }
    let mut keys = [None; 3];
    for order in orders {
        let at = Isometry3::new(
            Vector3::new(0.2 * order as f32, 0.0, 0.25 * order as f32),
            Vector3::y() * (0.5 + order as f32),
        );
        let spawn = Spawn { order: Some(order), at, at_rest: false };
        keys[order as usize] = Some(scene.insert(model, spawn).unwrap());
    }
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let query = Query::all().detail(Detail::Boxes).accuracy(Accuracy::Depth(4));
    scene.snapshot(&mut buffers).contacts(&query, &mut hits).unwrap();
    let order = |key| keys.iter().position(|&k| k == Some(key)).unwrap() as u64;
    let who = hits.iter().flat_map(|hit| [order(hit.a.character), order(hit.b.character)]);
    let (who, hits) = (who.collect(), hits.to_vec());
    (scene, hits, who)
}

/// What an answer says, without keys.
fn told(hits: &[Hit], who: &[u64]) -> Vec<String> {
    let line = |(hit, who): (&Hit, &[u64])| {
        let bits = hit.point.iter().chain(hit.normal.iter()).map(|x| x.to_bits());
        let bits: Vec<u32> = bits.chain([hit.depth, hit.slack].map(f32::to_bits)).collect();
        let (a, b) = (hit.a, hit.b);
        format!("{who:?} {} {} {} {} {bits:?}", a.part, a.node, b.part, b.node)
    };
    hits.iter().zip(who.chunks(2)).map(line).collect()
}

#[test]
fn keys_history_and_order_of_insertion_change_nothing() {
    let model = fighter::fighter().model;
    let (_, hits, who) = crowd(&model, [0, 1, 2], 0);
    let expected = told(&hits, &who);
    assert!(expected.len() > 100);
    for (orders, churn) in [([2, 0, 1], 0), ([1, 2, 0], 7), ([0, 1, 2], 50)] {
        let (_, hits, who) = crowd(&model, orders, churn);
        assert_eq!(told(&hits, &who), expected);
    }
    let key =
        |hit: &Hit, who: &[u64]| (who[0], hit.a.part, hit.a.node, who[1], hit.b.part, hit.b.node);
    let keys: Vec<_> = hits.iter().zip(who.chunks(2)).map(|(hit, who)| key(hit, who)).collect();
    assert!(keys.is_sorted());
}

#[test]
fn asked_the_other_way_round_the_answer_is_reversed() {
    let fighter = fighter::fighter();
    let mut scene = Scene::new();
    let key = |scene: &mut Scene, at| {
        scene.insert(&fighter.model, Spawn { at, ..Spawn::default() }).unwrap()
    };
    let near = Isometry3::new(Vector3::new(0.1, 0.05, 0.2), Vector3::new(0.1, 2.0, 0.0));
    let same = Pose::identity();
    let keys = [same, near, same].map(|at| key(&mut scene, at));
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    for (a, b) in [(keys[0], keys[1]), (keys[0], keys[2])] {
        for detail in [Detail::Parts, Detail::Boxes] {
            for depth in [0, 3, 5] {
                let mut ask = |a, b| {
                    let query = Query::between(a, b).detail(detail);
                    now.contacts(&query.accuracy(Accuracy::Depth(depth)), &mut hits).unwrap();
                    hits.to_vec()
                };
                let there = ask(a, b);
                let mut back: Vec<Hit> = ask(b, a).iter().map(Hit::reversed).collect();
                back.sort_by_key(|hit| (hit.a.part, hit.a.node, hit.b.part, hit.b.node));
                assert!(!there.is_empty());
                assert_eq!(there, back);
            }
        }
    }
}

#[test]
fn parts_switches_and_rest_narrow_the_answer() {
    let (mut scene, all, _) = crowd(&fighter::fighter().model, [0, 1, 2], 0);
    let first = all[0];
    let (a, b) = (first.a.character, first.b.character);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let query = Query::between(a, b).detail(Detail::Boxes).accuracy(Accuracy::Depth(4));
    let mut ask = |scene: &Scene, query: &Query| {
        scene.snapshot(&mut buffers).contacts(query, &mut hits).unwrap();
        hits.to_vec()
    };
    let between: Vec<Hit> =
        all.iter().filter(|h| (h.a.character, h.b.character) == (a, b)).copied().collect();
    assert_eq!(ask(&scene, &query), between);
    let of: Vec<Hit> = all.iter().filter(|h| h.a.character == a).copied().collect();
    let query_of = Query::of(a).detail(Detail::Boxes).accuracy(Accuracy::Depth(4));
    let mut answer = ask(&scene, &query_of);
    answer.retain(|hit| of.contains(hit));
    assert_eq!(answer, of);

    let chosen = query.clone().parts(&[first.a.part], &[first.b.part]);
    let parts = |h: &Hit| (h.a.part, h.b.part) == (first.a.part, first.b.part);
    let expected: Vec<Hit> = between.iter().filter(|h| parts(h)).copied().collect();
    assert_eq!(ask(&scene, &chosen), expected);
    assert!(expected.len() < between.len());

    scene.set_part_enabled(a, first.a.part, false).unwrap();
    let expected: Vec<Hit> = between.iter().filter(|h| h.a.part != first.a.part).copied().collect();
    assert_eq!(ask(&scene, &query), expected);
    scene.set_part_enabled(a, first.a.part, true).unwrap();
    scene.set_at_rest(a, true).unwrap();
    assert_eq!(ask(&scene, &query), between);
    scene.set_at_rest(b, true).unwrap();
    assert_eq!(ask(&scene, &query), []);
}

#[test]
fn poses_are_the_whole_state() {
    let (mut scene, all, _) = crowd(&fighter::fighter().model, [0, 1, 2], 0);
    let key = all[0].a.character;
    let saved = scene.poses(key).unwrap().to_vec();
    let moved: Vec<Pose> =
        saved.iter().map(|pose| Isometry3::translation(9.0, 0.0, 0.0) * pose).collect();
    let query = Query::all().detail(Detail::Boxes).accuracy(Accuracy::Depth(4));
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    scene.set_parts(key, &moved).unwrap();
    scene.snapshot(&mut buffers).contacts(&query, &mut hits).unwrap();
    assert_ne!(&*hits, all);
    scene.set_parts(key, &saved).unwrap();
    scene.snapshot(&mut buffers).contacts(&query, &mut hits).unwrap();
    assert_eq!(&*hits, all);
}

#[test]
fn bad_input_is_refused_and_changes_nothing() {
    let model = fighter::fighter().model;
    let (mut scene, all, _) = crowd(&model, [0, 1, 2], 0);
    let (a, b) = (all[0].a.character, all[0].b.character);
    let before = scene.poses(a).unwrap().to_vec();
    let mut bad = before.clone();
    bad[7].translation.vector.y = f32::NAN;
    let refused = scene.set_parts(a, &bad);
    assert_eq!(refused, Err(Error::NotFinite { field: "pose", index: 7 }));
    let at = Pose::identity();
    assert!(matches!(scene.set_joints(a, &at, &bad), Err(Error::NotFinite { index: 7, .. })));
    bad[7] = before[7];
    bad[3].rotation =
        nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(0.0, 2.0, 0.0, 0.0));
    assert!(matches!(scene.set_parts(a, &bad), Err(Error::NotUnit { index: 3, .. })));
    let short = scene.set_parts(a, &before[1..]);
    assert!(matches!(short, Err(Error::WrongCount { expected: 21, found: 20, .. })));
    let far = Isometry3::translation(f32::MAX, 0.0, 0.0);
    assert!(matches!(scene.set_joints(a, &far, &before), Err(Error::OutOfRange { .. })));
    assert_eq!(scene.poses(a).unwrap(), before);

    let twice = scene.insert(&model, Spawn { order: Some(1), ..Spawn::default() });
    assert_eq!(twice, Err(Error::DuplicateOrder { order: 1 }));
    assert_eq!(scene.len(), 3);
    let part = PartId::new(99);
    assert!(matches!(scene.set_part_enabled(a, part, false), Err(Error::IndexOutOfRange { .. })));
    assert!(matches!(model.part("tail"), Err(Error::UnknownName { .. })));

    let mut other = Scene::new();
    let foreign = other.insert(&model, Spawn::default()).unwrap();
    assert_eq!(scene.remove(foreign), Err(Error::ForeignKey));
    scene.remove(b).unwrap();
    assert_eq!(scene.remove(b), Err(Error::StaleKey));
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let mut ask = |query: Query| now.contacts(&query, &mut hits).map(|_| ());
    assert_eq!(ask(Query::between(a, b)), Err(Error::StaleKey));
    assert_eq!(ask(Query::of(foreign)), Err(Error::ForeignKey));
    assert!(matches!(ask(Query::between(a, a)), Err(Error::BadQuery { .. })));
    assert!(matches!(ask(Query::all().parts(&[], &[])), Err(Error::BadQuery { .. })));
    let parts = Query::between(a, all[0].a.character).parts(&[part], &[]);
    assert!(ask(parts).is_err());
}

#[test]
fn a_model_against_itself_is_the_query_within() {
    let fighter = fighter::fighter();
    let mut scratch = boxwood::Scratch::default();
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let mut found = 0;
    for frame in 0..30 {
        let clip = &fighter.clips[["jab", "kick", "guard"][frame % 3]];
        let mut joints = boxwood::motion::Joints::new();
        let poses = clip.sample_looped(frame as f32 * 0.07, &mut joints).unwrap();
        let mut scene = Scene::new();
        let key = scene.insert(&fighter.model, Spawn::default()).unwrap();
        scene.set_parts(key, poses).unwrap();
        let now = scene.snapshot(&mut buffers);
        for depth in [0, 2, 20] {
            let accuracy = Accuracy::Depth(depth);
            now.pairs(&Query::within(key).accuracy(accuracy), &mut hits).unwrap();
            let within: Vec<_> = hits.pairs().iter().map(|(a, b)| (a.part, b.part)).collect();
            let model = &fighter.model;
            assert_eq!(model.self_pairs(poses, accuracy, &mut scratch).unwrap(), within);
            let any = model.self_intersects(poses, accuracy, &mut scratch).unwrap();
            assert_eq!(any, !within.is_empty());
            assert!(within.iter().all(|&(a, b)| a < b && !model.ignores(a, b)));
            found += within.len();
        }
    }
    assert!(found > 0, "the fighter never touches itself: the test shows nothing");
}
