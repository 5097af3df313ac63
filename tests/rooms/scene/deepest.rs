//! One contact for two parts is the deepest of all contacts of their boxes, at every accuracy: bounds that leave the others out are tried where
//! depths are all but equal, edges all but parallel, boxes tiny, huge, far out, or of very different sizes.

use boxwood::model::Model;
use boxwood::num::Scalar;
use boxwood::scene::{Buffers, Hit, Hits, Scene, Snapshot, Spawn};
use boxwood::tree::{Build, Geometry};
use boxwood::{Accuracy, Detail, Query};

use super::check::contact;
use support::block::{V, plus, times};
use support::brute::bits;
use support::parts::{random_part, solid, turned, upright};
use support::random::{Random, compose};

const NO_TURN: [V; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Boxes in a grid, all alike but for a turn of their own, which may be next to nothing.
fn grid<T: Scalar>(random: &mut Random, size: f64) -> Geometry<T> {
    let shape = [0.7, 0.5, 0.3];
    let common = if random.chance(0.3) { NO_TURN } else { random.rotation() };
    let askew = [0.0, 1e-7, 1e-4, 1e-3, 0.3][random.below(5)];
    let cells = (0..64).map(|cell| {
        let place = [cell % 4, cell / 4 % 4, cell / 16].map(|i| f64::from(i) - 1.5);
        let at = plus(times(place, size), times(random.direction(), 1e-3 * size));
        solid(at, &compose(&common, &random.turn(askew)), times(shape, size))
    });
    Geometry::Boxes(cells.collect())
}

/// One contact a pair of parts against all of the boxes'. Returns how many boxes the deepest had beside it.
fn is_deepest<T: Scalar>(now: &Snapshot<'_, T>, accuracy: Accuracy) -> usize {
    let query = Query::all().accuracy(accuracy);
    let (mut one, mut all) = (Hits::new(), Hits::new());
    now.contacts(&query.clone().detail(Detail::Parts), &mut one).expect("a good query");
    now.contacts(&query.detail(Detail::Boxes), &mut all).expect("a good query");
    let parts = |hit: &Hit<T>| (hit.a.character, hit.a.part, hit.b.character, hit.b.part);
    for hit in &one {
        let of_parts = || all.iter().filter(|other| parts(other) == parts(hit));
        let deepest = of_parts().map(|other| other.depth.wide()).fold(-1.0, f64::max);
        assert_eq!(hit.depth.wide(), deepest, "{accuracy:?}");
        let same = of_parts().find(|other| (other.a, other.b) == (hit.a, hit.b)).expect("a box");
        assert_eq!(bits(&contact(same)), bits(&contact(hit)));
    }
    assert!(all.iter().all(|hit| one.iter().any(|other| parts(other) == parts(hit))));
    all.len() - one.len()
}

fn the_deepest_is_found<T: Scalar>(seed: u64, scenes: usize) {
    let mut random = Random(seed);
    let (mut beside, mut buffers) = ([0; 2], Buffers::new());
    for kind in 0..scenes {
        let boxes = kind % 2 == 0;
        let size = if boxes { random.decade(-8.0, 8.0) } else { 1.0 };
        // Far out, contacts are worked out coarsely, and in single precision both stand in one place.
        let far = times(random.direction(), [0.0, 0.0, 1e4, 1e10, 1e13][random.below(5)] * size);
        let other = size * if random.chance(0.3) { random.decade(-2.0, 2.0) } else { 1.0 };
        let mut scene = Scene::<T>::new();
        for size in [size, other] {
            let part =
                if boxes { grid(&mut random, size) } else { random_part(&mut random, kind % 5) };
            let model = Model::<T>::builder().part("part", None, part).build(&Build::fast());
            let key =
                scene.insert(&model.expect("a model"), Spawn::default()).expect("a character");
            let at = times(random.direction(), random.between(0.0, 1.5) * size.min(other));
            let at = plus(far, at);
            let pose = if random.chance(0.3) { upright(at) } else { turned(&mut random, at) };
            scene.set_parts(key, &[pose]).expect("a pose");
        }
        let now = scene.snapshot(&mut buffers);
        let depth = Accuracy::Depth(random.below(9) as u8);
        let within = Accuracy::Within(random.decade(-3.0, 0.0) * size);
        for accuracy in [Accuracy::default(), Accuracy::Exact, depth, within] {
            beside[usize::from(boxes)] += is_deepest(&now, accuracy);
        }
    }
    println!("{} pairs of triangles, {} of boxes beside the deepest", beside[0], beside[1]);
    assert!(beside[0] > 5 * scenes && beside[1] > 50 * scenes);
}

#[test]
fn the_deepest_is_found_f32() {
    the_deepest_is_found::<f32>(7, 300);
}

#[test]
fn the_deepest_is_found_f64() {
    the_deepest_is_found::<f64>(8, 300);
}
