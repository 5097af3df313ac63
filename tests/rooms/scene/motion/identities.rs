//! Identities of impacts: swapped arguments, other pairs in the query, SIMD levels, larger
//! tolerances and margins, time reversed, another place.

use boxwood::num::SimdLevel;
use boxwood::scene::{Impact, MotionBuffers, QueryScratch, Scene, SceneMotion};
use boxwood::{Accuracy, PairQuery};

use super::samples::{Duel, impacts, rounding};
use support::moving_parts::{stored, widened};
use support::prelude::*;

/// Returns all numbers of an impact, bit for bit.
pub fn bits<T: Scalar>(impact: &Impact<T>) -> Vec<u64> {
    let vectors = [Some(impact.on_a.coords), Some(impact.on_b.coords), impact.normal];
    let mut list: Vec<u64> =
        vectors.iter().flatten().flat_map(|v| v.iter().map(|x| x.bits())).collect();
    list.extend([impact.clear_until.to_bits(), impact.time.to_bits(), impact.slack.bits()]);
    let of = |node: boxwood::NodeRef| [node.part.index() as u64, node.node.index() as u64];
    list.extend([of(impact.a), of(impact.b)].concat());
    list.extend([impact.met, impact.touching_at_start, impact.touching_at_end].map(u64::from));
    list
}

fn same_bits<T: Scalar>(seed: u64) {
    let (mut random, mut hits) = (Random(seed), 0);
    for round in 0..at_least(400, 40) {
        let duel = Duel::<T>::random(&mut random, [0.3, 2.0][round % 2], 0.0);
        let [red, blue] = duel.keys;
        let query = duel.query(1e-3);
        let found = impacts(&duel, &query);
        let swapped =
            impacts(&duel, &PairQuery::between(blue, red).accuracy(Accuracy::Within(1e-3)));
        let mut turned: Vec<Impact<T>> = swapped.iter().map(|one| one.reversed()).collect();
        // At equal times the first characters decide, and these differ.
        let key = |one: &Impact<T>| (one.clear_until.to_bits(), one.a.part, one.b.part);
        turned.sort_by_key(key);
        let all = |list: &[Impact<T>]| list.iter().map(bits).collect::<Vec<_>>();
        assert_eq!(all(&found), all(&turned), "{round}: swapped");
        for impact in &found {
            let (a, b) = ([impact.a.part], [impact.b.part]);
            assert_eq!(all(&impacts(&duel, &query.clone().parts(&a, &b))), [bits(impact)]);
        }
        for simd in SimdLevel::all() {
            let mut buffers = MotionBuffers::with_simd_level(simd);
            let motion = SceneMotion::between(&duel.before, &duel.after, &mut buffers);
            let (mut scratch, mut again) = (QueryScratch::new(), Vec::new());
            motion.expect("one scene").impacts(&query, &mut scratch, &mut again).expect("a query");
            assert_eq!(all(&found), all(&again), "{round}: {simd:?}");
        }
        hits += found.len();
    }
    assert!(hits > 20, "{hits}");
}

fn nested<T: Scalar>(seed: u64) {
    let (mut random, mut more) = (Random(seed), 0);
    for round in 0..at_least(600, 50) {
        let duel = Duel::<T>::random(&mut random, [0.3, 2.0][round % 2], 0.0);
        let fine = impacts(&duel, &duel.query(1e-4));
        let coarse = impacts(&duel, &duel.query(1e-2));
        let wide = impacts(&duel, &duel.query(1e-4).margin(0.02));
        for impact in &fine {
            let same =
                |one: &&Impact<T>| [one.a.part, one.b.part] == [impact.a.part, impact.b.part];
            let found = coarse.iter().find(same).expect("a larger tolerance finds it");
            assert!(found.clear_until <= impact.clear_until, "{round}: {found:?} {impact:?}");
            let found = wide.iter().find(same).expect("a margin finds it");
            assert!(found.clear_until <= impact.time, "{round}: {found:?} {impact:?}");
            assert!(found.slack.wide() <= 1e-4 && found.met);
        }
        more += wide.len() - fine.len();
        // The way back.
        let back = Duel { before: duel.after.clone(), after: duel.before.clone(), keys: duel.keys };
        let reversed = impacts(&back, &back.query(1e-4));
        for impact in fine.iter().filter(|impact| impact.slack.wide() == 0.0) {
            let same =
                |one: &&Impact<T>| [one.a.part, one.b.part] == [impact.a.part, impact.b.part];
            let found = reversed.iter().find(same).expect("touching on the way back");
            assert!(found.clear_until <= 1.0 - impact.time + 1e-6);
            assert_eq!(found.touching_at_start, impact.touching_at_end);
            assert_eq!(found.touching_at_end, impact.touching_at_start);
        }
    }
    assert!(more > 0, "{more}");
}

/// Two characters that are moved and turned together, before the tick as after it: the distances
/// stay, but for rounding, so that a larger tolerance finds the impacts of either.
fn elsewhere<T: Scalar>(seed: u64) {
    let (mut random, mut hits, rounds) = (Random(seed), 0, at_least(200, 12));
    for round in 0..rounds {
        let duel = Duel::<T>::random(&mut random, [0.3, 2.0][round % 2], 0.0);
        let frame = Isometry3::from_parts(
            random.vector(5.0).into(),
            UnitQuaternion::new(random.vector(2.0)),
        );
        let moved = |scene: &Scene<T>| {
            let mut moved = scene.clone();
            for key in duel.keys {
                let poses = scene.poses(key).expect("a key").iter();
                let poses: Vec<_> = poses.map(|pose| stored(&(frame * widened(pose)))).collect();
                moved.set_parts(key, &poses).expect("poses");
            }
            moved
        };
        let other =
            Duel { before: moved(&duel.before), after: moved(&duel.after), keys: duel.keys };
        let [near, far] = [&duel, &other].map(|duel| {
            [1e-3, 2e-3 + rounding::<T>(5.0)].map(|tolerance| impacts(duel, &duel.query(tolerance)))
        });
        for (fine, coarse) in [(&near[0], &far[1]), (&far[0], &near[1])] {
            for impact in fine {
                let same =
                    |one: &&Impact<T>| [one.a.part, one.b.part] == [impact.a.part, impact.b.part];
                let found = coarse.iter().find(same).expect("found elsewhere too");
                assert!(found.clear_until <= impact.time, "{round}: {found:?} {impact:?}");
                hits += 1;
            }
        }
    }
    assert!(hits > rounds, "{hits} of {rounds} rounds");
}

scalars! {
    no_order_no_company_and_no_instruction_set_changes_a_bit => same_bits(57);
    both_moved_and_turned_together_meet_as_before => elsewhere(59);
    larger_tolerances_margins_and_the_way_back_find_it_too => nested(58);
}
