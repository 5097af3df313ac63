//! Paths of parts: loose parts, teleports, held characters, characters that are new or at rest.

use boxwood::scene::{Impact, MotionBuffers, MotionPath, QueryScratch, Scene, SceneMotion, Spawn};
use boxwood::{Accuracy, CharacterKey, PairQuery};

use super::samples::{Duel, impacts, rounding};
use support::moving_parts::{
    chain, distance, joint_poses, loose_poses, solid_parts, stored, turn, widened,
};
use support::prelude::*;

/// Checks impacts of two characters against poses at many times.
fn check<T: Scalar>(
    duel: &Duel<T>,
    found: &[Impact<T>],
    poses: impl Fn(usize, f64) -> Vec<Isometry3<f64>>,
) -> usize {
    let models = duel.keys.map(|key| duel.after.model(key).expect("a key"));
    let parts = models.map(|model| solid_parts(model));
    let doubt = rounding::<T>(0.0);
    for sample in 0..=40 {
        let time = f64::from(sample) / 40.0;
        let of = [poses(0, time), poses(1, time)];
        for &a in &parts[0] {
            for &b in &parts[1] {
                let pair = [(a, 0), (b, 1)].map(|(part, side): (boxwood::PartId, usize)| {
                    (models[side][part].tree().expect("geometry"), &of[side][part.index()])
                });
                let apart = distance(pair, 0.1);
                let impact = found.iter().find(|one| [one.a.part, one.b.part] == [a, b]);
                let until = impact.map_or(1.0, |impact| impact.clear_until);
                assert!(apart > 0.0 || time >= until && impact.is_some(), "{a:?} {b:?} {time}");
            }
        }
    }
    for impact in found {
        let of = [poses(0, impact.time), poses(1, impact.time)];
        let pair = [(impact.a, 0), (impact.b, 1)].map(|(node, side): (boxwood::NodeRef, usize)| {
            (models[side][node.part].tree().expect("geometry"), &of[side][node.part.index()])
        });
        assert!(distance(pair, 1.0) <= impact.slack.wide() + doubt, "{impact:?}");
    }
    found.len()
}

fn find<T: Scalar>(duel: &Duel<T>, paths: [MotionPath; 2]) -> Vec<Impact<T>> {
    let kinds = [(duel.keys[0], paths[0]), (duel.keys[1], paths[1])];
    let (mut buffers, mut scratch, mut found) =
        (MotionBuffers::new(), QueryScratch::new(), Vec::new());
    let motion = SceneMotion::with_paths(&duel.before, &duel.after, &kinds, &mut buffers);
    motion.expect("one scene").impacts(&duel.query(1e-3), &mut scratch, &mut found).expect("ok");
    found
}

fn every_path<T: Scalar>(seed: u64) {
    let (mut random, mut hits) = (Random(seed), [0; 3]);
    let rounds = at_least(80, 16);
    for round in 0..rounds {
        let duel = Duel::<T>::random(&mut random, [0.4, 2.5][round % 2], 0.0);
        let ends = |side: usize| {
            [&duel.before, &duel.after].map(|scene| scene.poses(duel.keys[side]).expect("a key"))
        };
        let joints = |side: usize, time| duel.poses(side, time);
        let loose = |side: usize, time| loose_poses(ends(side), time);
        let later = |side: usize, _: f64| ends(side)[1].iter().map(widened).collect::<Vec<_>>();
        let other = [MotionPath::Parts, MotionPath::Jump][round % 2];
        let found = find(&duel, [other, MotionPath::Joints]);
        hits[round % 2] += check(&duel, &found, |side, time| match (side, other) {
            (1, _) => joints(side, time),
            (_, MotionPath::Parts) => loose(side, time),
            _ => later(side, time),
        });
        let found = find(&duel, [MotionPath::Jump; 2]);
        hits[2] += check(&duel, &found, later);
        assert!(found.iter().all(|impact| impact.touching_at_start && impact.touching_at_end));
    }
    assert!(hits.iter().all(|&hits| hits >= rounds / 8), "{hits:?}");
}

/// A sword that is another character, held by a part, moves with the part that holds it.
fn held<T: Scalar>(seed: u64) {
    let (mut random, mut hits) = (Random(seed), 0);
    for _ in 0..at_least(300, 30) {
        let Duel { mut before, mut after, keys } = Duel::<T>::random(&mut random, 1.5, 0.0);
        let blade = chain::<T>(&mut random, 1);
        // Inserted before its holder by order: the holder's path is needed first all the same.
        let order = if random.chance(0.5) { 0 } else { 9 };
        let spawn = |scene: &mut Scene<T>| {
            let orders = keys.map(|key| scene.order(key).expect("a key"));
            let free = (order..).find(|order| !orders.contains(order)).expect("a number");
            scene.insert(&blade, Spawn::default().order(free)).expect("a blade")
        };
        let sword = spawn(&mut before);
        assert_eq!(spawn(&mut after), sword);
        let hand = *solid_parts(before.model(keys[0]).expect("a key")).last().expect("a part");
        let offset =
            Isometry3::from_parts(Vector3::new(0.4, 0.2, 0.1).into(), turn(&mut random, 3.0));
        for scene in [&mut before, &mut after] {
            scene.attach(sword, keys[0], hand, &stored(&offset), &[]).expect("a hand");
        }
        let duel = Duel { before, after, keys: [sword, keys[1]] };
        let ends = |key| [&duel.before, &duel.after].map(|scene| scene.poses(key).expect("a key"));
        let holder = |time: f64| {
            let model = duel.after.model(keys[0]).expect("a key");
            let now = joint_poses(model, ends(keys[0]), None, time);
            let [first, last] = ends(keys[0]).map(|poses| widened(&poses[hand.index()]));
            [first, last, now[hand.index()]]
        };
        let found = impacts(&duel, &duel.query(1e-3));
        hits += check(&duel, &found, |side, time| match side {
            0 => joint_poses(&blade, ends(sword), Some(holder(time)), time),
            _ => duel.poses(1, time),
        });
    }
    assert!(hits > 2, "{hits}");
}

/// A ring held by a sword held by a character: what the character's jump takes along.
fn held_by_jumping<T: Scalar>(seed: u64) {
    let (mut random, mut kinds) = (Random(seed), [0; 3]);
    for round in 0..at_least(120, 24) {
        let Duel { mut before, mut after, keys } = Duel::<T>::random(&mut random, 1.5, 0.0);
        let [blade, ring] = [1, 1].map(|parts| chain::<T>(&mut random, parts));
        let spawn = |scene: &mut Scene<T>, order: u64| {
            let [blade, ring] = [(&blade, order), (&ring, 20)].map(|(model, order)| {
                scene.insert(model, Spawn::default().order(order)).expect("a free order")
            });
            (blade, ring)
        };
        // The sword before or after its holder by order.
        let taken = keys.map(|key| before.order(key).expect("a key"));
        let order = (if random.chance(0.5) { 0 } else { 9 }..).find(|n| !taken.contains(n));
        let (sword, ring) = spawn(&mut before, order.expect("a number"));
        assert_eq!(spawn(&mut after, order.expect("a number")), (sword, ring));
        let hand = *solid_parts(before.model(keys[0]).expect("a key")).last().expect("a part");
        let offset =
            Isometry3::from_parts(Vector3::new(0.4, 0.2, 0.1).into(), turn(&mut random, 3.0));
        for scene in [&mut before, &mut after] {
            scene.attach(sword, keys[0], hand, &stored(&offset), &[]).expect("a hand");
            let first = boxwood::PartId::new(0);
            scene.attach(ring, sword, first, &stored(&offset), &[]).expect("a sword");
        }
        let duel = Duel { before, after, keys: [sword, keys[1]] };
        let (jumper, jump, parts) = (keys[0], MotionPath::Jump, MotionPath::Parts);
        let of = |target, paths: &[_]| find_with(&duel, target, paths);
        // Both held ones jump with the character, as if each were said to.
        for held in [sword, ring] {
            let [alone, all] = [
                of(held, &[(jumper, jump)]),
                of(held, &[(jumper, jump), (sword, jump), (ring, jump)]),
            ];
            assert_eq!(alone, all, "round {round}");
            kinds[0] += alone.len();
        }
        // A path as loose parts of the ring's holder does not apply to what it holds.
        let loose = of(ring, &[(jumper, jump), (sword, parts)]);
        let sword_alone = of(ring, &[(sword, parts)]);
        assert_eq!(loose, sword_alone, "round {round}");
        kinds[1] += loose.len();
        // A jump of the sword takes the ring along, and leaves the character where it moves.
        let of_ring = of(ring, &[(sword, jump)]);
        assert_eq!(of_ring, of(ring, &[(ring, jump)]), "round {round}");
        assert_eq!(of(jumper, &[(sword, jump)]), of(jumper, &[]), "round {round}");
        kinds[2] += of_ring.len();
    }
    assert!(kinds.iter().all(|&found| found > 2), "{kinds:?}");
}

/// Finds the impacts of a character with the second one of a duel.
fn find_with<T: Scalar>(
    duel: &Duel<T>,
    target: CharacterKey,
    paths: &[(CharacterKey, MotionPath)],
) -> Vec<Impact<T>> {
    let (mut buffers, mut scratch, mut found) =
        (MotionBuffers::new(), QueryScratch::new(), Vec::new());
    let motion = SceneMotion::with_paths(&duel.before, &duel.after, paths, &mut buffers);
    let query = PairQuery::between(target, duel.keys[1]).accuracy(Accuracy::Within(1e-3));
    motion.expect("one scene").impacts(&query, &mut scratch, &mut found).expect("a query");
    found
}

fn new_and_resting<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..at_least(200, 30) {
        let duel = Duel::<T>::random(&mut random, 1.0, 0.0);
        // A character that joined during the tick is where it is at its end.
        let mut after = duel.before.clone();
        let model = duel.after.model(duel.keys[0]).expect("a key").clone();
        let joined = after.insert(&model, Spawn::default()).expect("a chain");
        after.set_parts(joined, duel.after.poses(duel.keys[0]).expect("a key")).expect("poses");
        after.set_parts(duel.keys[1], duel.after.poses(duel.keys[1]).expect("a key")).expect("ok");
        let (mut buffers, mut scratch, mut found) =
            (MotionBuffers::new(), QueryScratch::new(), Vec::new());
        let motion = SceneMotion::between(&duel.before, &after, &mut buffers).expect("one scene");
        let within = Accuracy::Within(1e-3);
        let query = PairQuery::between(joined, duel.keys[1]).accuracy(within);
        motion.impacts(&query, &mut scratch, &mut found).expect("a query");
        let jumped = find(&duel, [MotionPath::Jump, MotionPath::Joints]);
        let times = |list: &[Impact<T>]| -> Vec<_> {
            list.iter().map(|one| (one.clear_until, one.time, one.slack.bits())).collect()
        };
        assert_eq!(times(&found), times(&jumped));
        // A character whose poses are set again without change is at rest.
        let mut same = duel.before.clone();
        same.set_parts(duel.keys[0], duel.before.poses(duel.keys[0]).expect("a key")).expect("ok");
        let moved = |after: &Scene<T>| {
            let (mut buffers, mut found) = (MotionBuffers::new(), Vec::new());
            let motion =
                SceneMotion::between(&duel.before, after, &mut buffers).expect("one scene");
            let query = duel.query(1e-3);
            motion.impacts(&query, &mut QueryScratch::new(), &mut found).expect("a query");
            found
        };
        let [still, again] = [&duel.before.clone(), &same].map(moved);
        let parts = |list: &[Impact<T>]| -> Vec<_> {
            list.iter().map(|one| (one.a.part, one.b.part)).collect()
        };
        assert_eq!(parts(&still), parts(&again));
    }
}

/// Half a turn has two ways; the sign of a quaternion must not choose between them.
fn half_turns<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..at_least(300, 40) {
        let Duel { before, mut after, keys } = Duel::<T>::random(&mut random, 0.0, 0.0);
        let axis = Vector3::from(random.direction());
        let turned = |pose: &boxwood::shape::Pose<T>, sign: f64| {
            let half = UnitQuaternion::new(axis * std::f64::consts::PI);
            let mut pose = widened(pose);
            pose.rotation = half * pose.rotation;
            let q = pose.rotation.coords * sign;
            support::random_parts::pose(q.into(), pose.translation.vector.into())
        };
        let mut found = Vec::new();
        for sign in [1.0, -1.0] {
            let poses: Vec<_> = before
                .poses(keys[0])
                .expect("a key")
                .iter()
                .map(|pose| turned(pose, sign))
                .collect();
            after.set_parts(keys[0], &poses).expect("poses");
            let duel = Duel { before: before.clone(), after: after.clone(), keys };
            let all = find(&duel, [MotionPath::Parts, MotionPath::Joints]);
            found.push(all.iter().map(|one| (one.clear_until, one.a, one.b)).collect::<Vec<_>>());
        }
        assert_eq!(found[0], found[1]);
    }
}

scalars! {
    loose_parts_and_teleports_move_as_said => every_path(59);
    a_held_character_moves_with_its_holder => held(60);
    what_a_teleported_character_holds_jumps_too => held_by_jumping(63);
    new_characters_jump_and_equal_poses_rest => new_and_resting(61);
    the_sign_of_a_quaternion_chooses_no_way => half_turns(62);
}
