//! Ceilings of separations on animated characters: how often the direction turns between frames,
//! and the ratio of its length to the best of many directions.

use std::collections::HashMap;
use std::f32::consts::{FRAC_1_SQRT_2, PI};

use boxwood::motion::Clip;
use boxwood::tree::{TreePair, TreeScratch};
use boxwood::{Accuracy, Buffers, Hits, Model, PairQuery, PartId, Pose, Push, Scene, Spawn};

use support::prelude::*;
use support::proof;

type Parts = (PartId, PartId);

/// Pairs of parts that touch, frame by frame.
#[derive(Default)]
struct Ways {
    last: HashMap<Parts, (usize, Unit<Vector3<f32>>)>,
    turns: usize,
    pairs_of_frames: usize,
    /// Ratios of lengths to the best of many directions.
    ratios: Vec<f32>,
}

impl Ways {
    fn share(&mut self, percent: usize) -> f32 {
        self.ratios.sort_unstable_by(f32::total_cmp);
        self.ratios[self.ratios.len() * percent / 100]
    }
}

/// Directions spread evenly, by the golden angle.
fn spiral(count: usize) -> impl Iterator<Item = Unit<Vector3<f32>>> {
    (0..count).map(move |i| {
        let z = 1.0 - (2.0 * i as f32 + 1.0) / count as f32;
        let (angle, wide) = (i as f32 * 2.399_963_2, (1.0 - z * z).sqrt());
        Unit::new_normalize(Vector3::new(wide * angle.cos(), wide * angle.sin(), z))
    })
}

/// Poses two characters of a model face to face, each in a clip at 60 frames a second. Computes
/// separations of all touching parts, near those of the frame before; compares every so many with
/// `count` directions.
fn ways(model: &std::sync::Arc<Model>, clips: [&Clip<f32>; 2], distance: f32) -> Ways {
    let (count, every) = (proof::at_least(500, 100), proof::step(8, 24));
    let (mut scene, mut buffers, mut hits) = (Scene::new(), Buffers::new(), Hits::new());
    let facing = Isometry3::new(Vector3::z() * distance, Vector3::y() * PI);
    let places = [Pose::identity(), facing];
    let keys = places.map(|at| scene.insert(model, Spawn::at(at)).expect("a character"));
    let query = PairQuery::between(keys[0], keys[1]).accuracy(Accuracy::Exact);
    let (mut found, mut scratch, mut asked) = (Ways::default(), TreeScratch::default(), 0);
    for frame in 0..(60.0 * clips[0].duration()) as usize {
        for i in 0..2 {
            let joints = clips[i].sample_looped(frame as f32 / 60.0, &mut buffers.joints);
            scene.set_joints(keys[i], &places[i], joints.expect("a sample")).expect("poses");
        }
        scene.snapshot(&mut buffers).pairs(&query, &mut hits).expect("a sound query");
        for (a, b) in hits.pairs() {
            let parts = (a.part, b.part);
            let tree = |part: PartId| model.parts()[part.index()].tree().expect("geometry");
            let poses = [(keys[0], a.part), (keys[1], b.part)]
                .map(|(key, part)| *scene.pose(key, part).expect("a part"));
            let pair = TreePair::new(tree(a.part), &poses[0], tree(b.part), &poses[1]);
            let pair = pair.expect("sound poses");
            let last = found.last.get(&parts).copied().filter(|(at, _)| at + 1 == frame);
            let push = Push::least().near(last.map(|(_, normal)| normal));
            let way = pair.separation(&push, &mut scratch).expect("a push").expect("they touch");
            if let Some((_, before)) = last {
                found.pairs_of_frames += 1;
                found.turns += usize::from(before.dot(&way.normal) < FRAC_1_SQRT_2);
            }
            found.last.insert(parts, (frame, way.normal));
            if asked % every == 0 {
                let mut length = |direction| {
                    let passage = pair.passage(direction, &mut scratch).expect("a direction");
                    passage.map_or(0.0, |passage| passage.last.shift)
                };
                let best = spiral(count).map(&mut length).fold(way.depth, f32::min);
                found.ratios.push(way.depth / best.max(1e-9));
            }
            asked += 1;
        }
    }
    found
}

/// Asserts that at most the given fraction of directions turn by over 45 degrees, and that the
/// ratios of their lengths to the best are below two bounds, in the median and at the 90th
/// percentile.
fn is_below(name: &str, mut ways: Ways, turns: f64, [median, far]: [f32; 2]) {
    let (at_half, at_end) = (ways.share(50), ways.share(90));
    println!(
        "{name}: {} turns of {}, length over the best of {}: {at_half:.3}, 90 % {at_end:.2}",
        ways.turns,
        ways.pairs_of_frames,
        ways.ratios.len()
    );
    assert!(ways.pairs_of_frames > 100, "{}", ways.pairs_of_frames);
    assert!(ways.turns as f64 <= turns * ways.pairs_of_frames as f64, "{} turns", ways.turns);
    assert!(at_half <= median && at_end <= far, "{at_half} {at_end}");
}

#[test]
fn separations_of_a_fighter_are_steady_and_short() {
    let fighter = support::fighter::fighter();
    for (clip, turns) in [("kick", 0.06), ("jab", 0.09)] {
        let clips = [clip, "guard"].map(|name| fighter.clips.get(name).expect("a clip"));
        is_below(clip, ways(&fighter.model, clips, 0.5), turns, [1.03, 1.6]);
    }
}

#[test]
fn separations_of_a_knight_are_steady_and_short() {
    let Some(data) = support::data::data() else { return };
    let knight = boxwood::load::gltf(data.join("characters/kaykit-knight/Knight.glb"));
    let knight = knight.expect("a character");
    let clips = ["1H_Melee_Attack_Chop", "Idle"].map(|name| knight.clips.get(name));
    let clips = clips.map(|clip| clip.expect("a clip"));
    is_below("chop", ways(&knight.model, clips, 0.9), 0.1, [1.05, 2.0]);
}
