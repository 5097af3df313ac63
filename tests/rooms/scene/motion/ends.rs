//! Ends of ticks and windows: poses there are those that are stored, to the last bit, and parts that
//! touch at the end alone have their impact there.

use boxwood::model::Model;
use boxwood::scene::{
    Buffers, CharacterKey, MotionBuffers, QueryScratch, Scene, SceneMotion, Spawn,
};
use boxwood::shape::Pose;
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, PairQuery, PartId};

use super::samples::{Duel, impacts};
use support::moving_parts::{solid_parts, stored};
use support::prelude::*;
use support::random_parts::solid;

/// Returns the poses moved along x, each coordinate rounded once.
fn shifted<T: Scalar>(poses: &[Pose<T>], by: f64) -> Vec<Pose<T>> {
    let mut poses = poses.to_vec();
    for pose in &mut poses {
        pose.translation.x = T::nearest(pose.translation.x.wide() + by);
    }
    poses
}

fn touches<T: Scalar>(scene: &Scene<T>, keys: [CharacterKey; 2], parts: [PartId; 2]) -> bool {
    let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
    let (a, b) = ([parts[0]], [parts[1]]);
    let query = PairQuery::between(keys[0], keys[1]).parts(&a, &b).accuracy(Accuracy::Exact);
    scene.snapshot(&mut buffers).intersects(&query, &mut scratch).expect("a query")
}

fn grazing_ends<T: Scalar>(seed: u64) {
    let (mut random, mut grazes) = (Random(seed), [0; 2]);
    for _ in 0..at_least(200, 60) {
        let mut duel = Duel::<T>::random(&mut random, 1.0, 0.0);
        let [red, blue] = duel.keys;
        let parts = duel.keys.map(|key| {
            let parts = solid_parts(duel.after.model(key).expect("a key"));
            parts[random.below(parts.len())]
        });
        // The end of the tick, blue moved along x until the two parts all but touch.
        let rest = duel.after.poses(blue).expect("a key").to_vec();
        let place = |part: usize| {
            let key = duel.keys[part];
            duel.after.poses(key).expect("a key")[parts[part].index()].translation.vector
        };
        let mut near = shifted(&rest, (place(0).x - place(1).x).wide());
        for pose in &mut near {
            pose.translation.y =
                T::nearest(pose.translation.y.wide() + (place(0).y - place(1).y).wide());
            pose.translation.z =
                T::nearest(pose.translation.z.wide() + (place(0).z - place(1).z).wide());
        }
        let mut at = |by: f64| {
            duel.after.set_parts(blue, &shifted(&near, by)).expect("poses");
            touches(&duel.after, duel.keys, parts)
        };
        let (mut inside, mut outside) = (0.0, 6.0);
        if !at(inside) || at(outside) {
            continue;
        }
        for _ in 0..70 {
            let middle = 0.5 * (inside + outside);
            if at(middle) { inside = middle } else { outside = middle }
        }
        for by in [inside, outside] {
            duel.after.set_parts(blue, &shifted(&near, by)).expect("poses");
            let is_touching = touches(&duel.after, duel.keys, parts);
            let (a, b) = ([parts[0]], [parts[1]]);
            let query = PairQuery::between(red, blue).parts(&a, &b);
            let query = query.accuracy(Accuracy::Within(1e-3));
            let back =
                Duel { before: duel.after.clone(), after: duel.before.clone(), keys: duel.keys };
            let forth = impacts(&duel, &query).first().copied();
            assert_eq!(forth.is_some_and(|one| one.touching_at_end), is_touching, "{forth:?}");
            let start = impacts(&back, &query).first().copied();
            assert_eq!(start.is_some_and(|one| one.touching_at_start), is_touching, "{start:?}");
            grazes[usize::from(is_touching)] += 1;
        }
    }
    println!("{} ends all but touch, {} just touch", grazes[0], grazes[1]);
    assert!(grazes.iter().all(|&count| count >= 20), "{grazes:?}");
}

fn contacts_at_the_end<T: Scalar>(_: u64) {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let cube = Geometry::Boxes(vec![solid::<T>([0.0; 3], &axes, [0.5; 3])]);
    let model = Model::builder().part("cube", None, cube).build(&Build::default());
    let model = model.expect("a model");
    let place = |x: f64| stored::<T>(&Isometry3::translation(x, 0.0, 0.0));
    let mut before = Scene::new();
    let mover = before.insert(&model, Spawn::at(place(-5.0))).expect("a place");
    let target = before.insert(&model, Spawn::default()).expect("a place");
    let query = PairQuery::between(mover, target).accuracy(Accuracy::Within(1e-3));
    let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
    // Faces touch where the centres are 1 apart: at the end of the tick, or half way through it.
    for (x, end) in [(-1.0, 1.0), (3.0, 0.5), (11.0, 0.25)] {
        let mut after = before.clone();
        after.set_root(mover, &place(x)).expect("a pose");
        let motion = SceneMotion::between(&before, &after, &mut buffers).expect("one scene");
        let window = motion.window(0.0..=end).expect("a window");
        let impact = window.first_impact(&query, &mut scratch).expect("a query");
        let impact = impact.expect("it touches at the end");
        assert_eq!((impact.time, impact.slack), (end, T::zero()), "{impact:?}");
        assert!(impact.clear_until < end && impact.touching_at_end && !impact.touching_at_start);
        let earlier = motion.window(0.0..=end - 1e-3).expect("a window");
        assert_eq!(earlier.first_impact(&query, &mut scratch), Ok(None));
    }
}

scalars! {
    poses_at_the_ends_are_the_stored_ones => grazing_ends(81);
    what_touches_at_the_end_alone_has_its_impact_there => contacts_at_the_end(0);
}
