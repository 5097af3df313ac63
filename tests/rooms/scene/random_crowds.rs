//! Random crowds: every query equals brute force.

use boxwood::PartId;

use super::brute_force::{ask_everything, crowd};

use support::prelude::*;

fn crowds<T: Scalar>() {
    let (mut random, mut found) = (Random(71), 0);
    let rounds = support::proof::at_least(40, 3);
    for round in 0..rounds {
        let far = [0.0, 10.0, 1e3][round % 3];
        let count = 2 + random.below(4);
        let (mut scene, mut roster) = crowd::<T>(&mut random, count, far);
        found += ask_everything(&scene, &roster, 60_000, &mut random);
        for living in &mut roster {
            let parts = scene.model(living.key).expect("a key").len();
            let part = PartId::new(random.below(parts));
            scene.set_part_enabled(living.key, part, false).expect("a part");
            living.at_rest = random.chance(0.5);
            scene.set_at_rest(living.key, living.at_rest).expect("a key");
        }
        found += ask_everything(&scene, &roster, 60_000, &mut random);
    }
    println!("{found} pairs of boxes");
    assert!(found > 250 * rounds);
}

scalars! {
    queries_equal_brute_force => crowds();
}
