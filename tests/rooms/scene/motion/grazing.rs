//! Motions that graze: by bisection the second chain is moved until the least distance during the
//! tick is almost 0, or just above the tolerance.

use boxwood::{PairQuery, PartId};
use nalgebra::Translation3;

use super::samples::{Duel, impacts, rounding};
use support::moving_parts::{solid_parts, stored, widened};
use support::prelude::*;

/// Returns the least distance of two parts during the tick that is found by samples, each of the
/// least refined by thirds, and its time; the first sample that touches, if any does.
fn least_distance<T: Scalar>(duel: &Duel<T>, parts: [PartId; 2]) -> (f64, f64) {
    const SAMPLES: usize = 96;
    let at = |time: f64, most: f64| (duel.distance(parts, time, most), time);
    let mut nearest = [(10.0, 0.0); 3];
    for sample in 0..=SAMPLES {
        let found = at(sample as f64 / SAMPLES as f64, nearest[2].0);
        if found.0 == 0.0 {
            return found;
        }
        if found.0 < nearest[2].0 {
            nearest[2] = found;
            nearest.sort_by(|x, y| x.partial_cmp(y).expect("numbers"));
        }
    }
    let mut least = nearest[0];
    for (_, time) in nearest {
        let step = 1.0 / SAMPLES as f64;
        let (mut low, mut high) = ((time - step).max(0.0), (time + step).min(1.0));
        for _ in 0..30 {
            let thirds = [low + (high - low) / 3.0, high - (high - low) / 3.0];
            let found = thirds.map(|time| at(time, 10.0));
            for one in found {
                least = if one.0 < least.0 { one } else { least };
                if one.0 == 0.0 {
                    return one;
                }
            }
            let is_first = found[0].0 < found[1].0;
            (low, high) = if is_first { (low, thirds[1]) } else { (thirds[0], high) };
        }
    }
    least
}

/// Returns the motion with the second character shifted.
fn shifted<T: Scalar>(duel: &Duel<T>, by: Vector3<f64>) -> Duel<T> {
    let moved = |scene: &boxwood::scene::Scene<T>| {
        let mut scene = scene.clone();
        let poses: Vec<_> = scene
            .poses(duel.keys[1])
            .expect("a key")
            .iter()
            .map(|pose| stored(&(Isometry3::from(Translation3::from(by)) * widened(pose))))
            .collect();
        scene.set_parts(duel.keys[1], &poses).expect("poses");
        scene
    };
    Duel { before: moved(&duel.before), after: moved(&duel.after), keys: duel.keys }
}

fn grazing<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut found, mut clear, mut within) = (0, 0, 0);
    let rounds = at_least(80, 24);
    for round in 0..rounds {
        let angle = [0.3, 1.2, 2.9][round % 3];
        let duel = Duel::<T>::random(&mut random, angle, 0.0);
        let parts = duel
            .keys
            .map(|key| *solid_parts(duel.after.model(key).expect("a key")).last().expect("a part"));
        let chosen = parts.map(|part| [part]);
        let tolerance = 1e-3;
        let query = |duel: &Duel<T>| -> PairQuery<'static> {
            duel.query(tolerance).parts(&chosen[0], &chosen[1])
        };
        // Far enough along any direction they never touch.
        let direction = Vector3::from(random.direction());
        let (mut touching, mut apart) = (0.0, 12.0);
        if least_distance(&shifted(&duel, direction * apart), parts).0 == 0.0
            || least_distance(&duel, parts).0 > 0.0
        {
            continue;
        }
        for _ in 0..26 {
            let middle = 0.5 * (touching + apart);
            match least_distance(&shifted(&duel, direction * middle), parts).0 == 0.0 {
                true => touching = middle,
                false => apart = middle,
            }
        }
        // Just inside and just outside of touching, then beyond the tolerance.
        for step in [-1e-4, -1e-6, 1e-6, 0.5 * tolerance, 2.0 * tolerance, 8.0 * tolerance] {
            let duel = shifted(&duel, direction * (touching + step));
            let (least, time) = least_distance(&duel, parts);
            let impacts = impacts(&duel, &query(&duel));
            let doubt = rounding::<T>(0.0);
            match impacts.first() {
                None => {
                    assert!(least > 0.0, "{round}: touches at {time}");
                    clear += 1;
                }
                Some(impact) => {
                    assert!(least <= tolerance + doubt, "{round}: {least} {impact:?}");
                    assert!(impact.met && impact.slack.wide() <= tolerance);
                    assert!(least > 0.0 || impact.clear_until <= time);
                    found += 1;
                    within += usize::from(least > 0.0);
                }
            }
        }
    }
    println!("{found} impacts, of which {within} within the tolerance, {clear} clear");
    assert!(found > rounds / 4 && clear > rounds / 6 && within > rounds / 10);
}

scalars! {
    motions_that_graze_are_found_and_clear_ones_are_not => grazing(52);
}
