//! Motion buffers keep the boxes of characters at rest: the impacts equal those of new buffers, bit
//! for bit, whatever changes from tick to tick.

use boxwood::scene::{
    CharacterKey, Impact, MotionBuffers, MotionPath, QueryScratch, Scene, SceneMotion, Spawn,
};
use boxwood::shape::Pose;
use boxwood::{Accuracy, PairQuery, PartId};

use super::identities::bits;
use support::moving_parts::{chain, stored, turn};
use support::prelude::*;

/// Finds all impacts between two states.
fn find<T: Scalar>(
    scenes: [&Scene<T>; 2],
    paths: &[(CharacterKey, MotionPath)],
    buffers: &mut MotionBuffers<T>,
) -> Vec<Impact<T>> {
    let (mut scratch, mut found) = (QueryScratch::new(), Vec::new());
    let motion = SceneMotion::with_paths(scenes[0], scenes[1], paths, buffers).expect("one scene");
    let query = PairQuery::all().accuracy(Accuracy::Within(1e-2));
    motion.impacts(&query, &mut scratch, &mut found).expect("a query");
    found
}

/// Draws a place among the others.
fn place<T: Scalar>(random: &mut Random) -> Pose<T> {
    let at = random.vector(0.8);
    stored(&Isometry3::from_parts(at.into(), turn(random, 3.0)))
}

fn changes<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let models = [0, 1, 2].map(|parts| chain::<T>(&mut random, 1 + parts));
    let (mut scene, mut keys) = (Scene::<T>::new(), Vec::new());
    let (mut used, mut counts) = (MotionBuffers::new(), [0; 2]);
    let mut other = None;
    for tick in 0..at_least(400, 60) {
        let before = scene.clone();
        let mut paths = Vec::new();
        for _ in 0..1 + random.below(3) {
            let some = |random: &mut Random| keys.get(random.below(keys.len().max(1))).copied();
            match (random.below(9), some(&mut random)) {
                (0..=1, _) if keys.len() < 8 => {
                    let spawn = Spawn::at(place(&mut random)).at_rest(random.below(2) == 0);
                    keys.push(scene.insert(&models[random.below(3)], spawn).expect("a place"));
                }
                (2, Some(key)) if keys.len() > 4 => {
                    scene.remove(key).expect("a key");
                    keys.retain(|&kept| kept != key);
                }
                (3, Some(key)) => scene.set_at_rest(key, random.below(2) == 0).expect("a key"),
                (4, Some(key)) => {
                    let on = random.below(2) == 0;
                    scene.set_part_enabled(key, PartId::new(0), on).expect("a part");
                }
                (5, Some(key)) => {
                    // A holder at rest, whose held character moves.
                    let holder = some(&mut random).filter(|&holder| holder != key);
                    if let Some(holder) = holder {
                        let (part, at) = (PartId::new(0), place(&mut random));
                        let _ = scene.attach(key, holder, part, &at, &[]);
                    }
                }
                (6, Some(key)) => {
                    let _ = scene.set_root(key, &place(&mut random));
                    paths.push((key, MotionPath::Jump));
                }
                (7, Some(key)) => {
                    let parts = scene.poses(key).expect("a key").len();
                    let poses: Vec<_> = (0..parts).map(|_| place(&mut random)).collect();
                    let _ = scene.set_parts(key, &poses);
                }
                // Not of a held character.
                (_, Some(key)) => _ = scene.set_root(key, &place(&mut random)),
                _ => {}
            }
        }
        paths.retain(|(key, _)| keys.contains(key));
        // Another copy in between, in which all rest where they were in some earlier tick.
        let kept: &Scene<T> = other.get_or_insert_with(|| scene.clone());
        if random.below(4) == 0 {
            let now = find([kept, kept], &[], &mut used);
            assert_eq!(told(&now), told(&find([kept, kept], &[], &mut MotionBuffers::new())));
        }
        if random.below(8) == 0 {
            other = Some(scene.clone());
        }
        let now = find([&before, &scene], &paths, &mut used);
        let anew = find([&before, &scene], &paths, &mut MotionBuffers::new());
        assert_eq!(told(&now), told(&anew), "{tick}");
        counts[0] += now.len();
        counts[1] += now.iter().filter(|impact| !impact.touching_at_start).count();
    }
    println!("{counts:?} impacts, not from the start");
    assert!(counts[0] > 100 && counts[1] > 20, "{counts:?}");
}

fn told<T: Scalar>(found: &[Impact<T>]) -> Vec<Vec<u64>> {
    found.iter().map(bits).collect()
}

scalars! {
    used_buffers_give_the_bits_of_new_ones => changes(63);
}
