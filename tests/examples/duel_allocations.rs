//! Frames of `duel`: they do not allocate, whatever their number.

use crate::arguments::Arguments;
use crate::fight::Rules;
use crate::fight::cast::{Fighter, insert};
use crate::script;
use boxwood::{Accuracy, Buffers, Detail, Hits, PairQuery, Scene};

/// Number of warm-up frames: by then every blow has landed at every distance that grows a buffer.
const WARM: usize = 800;

/// Returns two fighters who jab and kick repeatedly: the scripted fight ends after 300 frames.
fn endless() -> Arguments {
    let clips = ["jab", "kick"].map(|clip| Some(clip.to_owned()));
    Arguments { clips, ..Arguments::default() }
}

/// Returns the number of allocations of the example's own loop from its start to the end of that
/// frame, and the number of hits.
fn allocations(cast: &[Fighter; 2], (detail, depth): (Detail, u8), frames: usize) -> (u64, usize) {
    let rules = Rules { frames, detail, depth, ..Rules::default() };
    let arguments = Arguments { rules, ..endless() };
    let mut outputs = crate::output::Outputs::open(&arguments).expect("no files");
    let mut hits = 0;
    let cost = allocation_counter::measure(|| {
        let fought =
            crate::duel_example::play_fight(&arguments, cast, &mut outputs, &mut std::io::sink());
        hits = fought.expect("a fight").hits;
    });
    (cost.count_total, hits)
}

#[test]
fn five_hundred_frames_of_duel_allocate_as_often_as_fifty() {
    let cast = script::cast(&endless()).expect("two fighters");
    for what in [(Detail::DeepestBoxes, 3), (Detail::Boxes, 3), (Detail::DeepestBoxes, 32)] {
        let [none, few, many] = [0, 50, 500].map(|frames| allocations(&cast, what, WARM + frames));
        println!("{what:?}: allocations and hits {none:?} {few:?} {many:?}");
        assert!(many.1 > few.1 && few.1 > 40, "the fighters do not meet");
        assert!(few.0 > 0, "the counter counts nothing");
        assert_eq!(few.0, many.0);
    }
}

/// Checks allocations of placing and querying alone, at every accuracy: none after one round.
#[test]
fn queries_of_duel_do_not_allocate_at_any_accuracy() {
    let arguments = Arguments::default();
    let cast = script::cast(&arguments).expect("two fighters");
    let places = script::start(&arguments, &cast).expect("a start").places();
    let mut scene = Scene::new();
    let keys = insert(&mut scene, &cast).expect("room");
    let (mut buffers, mut hits, mut found) = (Buffers::new(), Hits::new(), 0);
    let mut play = |frames: usize| {
        for frame in 0..frames {
            for (index, fighter) in cast.iter().enumerate() {
                let (joints, forward) =
                    fighter.joints(frame, &mut buffers.joints).expect("a sample");
                let at = places[index] * nalgebra::Isometry3::translation(0.0, 0.0, forward);
                scene.set_joints(keys[index], &at, joints).expect("sound poses");
            }
            let now = scene.snapshot(&mut buffers);
            for accuracy in [
                Accuracy::Depth(3),
                Accuracy::Within(0.01),
                Accuracy::Exact,
                Accuracy::Budget(1_000),
            ] {
                let ask = PairQuery::between(keys[0], keys[1]).accuracy(accuracy);
                now.contacts(&ask, &mut hits).expect("asked");
                found += hits.len();
            }
        }
    };
    let first = allocation_counter::measure(|| play(500)).count_total;
    let [few, many] = [50, 500].map(|n| allocation_counter::measure(|| play(n)).count_total);
    assert!(found > 500 && first > 0);
    assert_eq!((few, many), (0, 0));
}
