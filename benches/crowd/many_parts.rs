//! Characters of 200 and 1,000 parts: worms of boxes, each wound about the centre of its cell of a
//! grid, so that it touches itself and some neighbours. Timed are frames, from the poses of all
//! parts to the touching pairs, and each worm against itself, beside parry3d.
//!
//! Self-collision ignores neighbouring parts of a worm, which share an end.

use std::sync::Arc;

use boxwood::model::{Model, ModelBuilder, SelfQueryScratch};
use boxwood::nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use boxwood::{Accuracy, Build, Detail, Geometry, Obb};

use crate::support::frames::Ours;
use crate::support::measure::{BenchGroups, Way, bench_group, clock, trying, way};
use crate::support::peer::frames::{Cuboid, Peer, poses};
use crate::support::peer::solids::Pose;
use crate::support::random::Random;

const WORMS: usize = 40;

/// Half extents of a part [m].
const HALF: [f32; 3] = [0.03, 0.025, 0.05];

/// Poses of all parts of all worms; no frame repeats.
struct Frames {
    parts: usize,
    /// Spacing of the cells [m].
    spacing: f64,
    random: Random,
}

impl Frames {
    fn new(parts: usize) -> Self {
        // A worm of four times the length is about twice as wide.
        Frames { parts, spacing: 0.1 * (parts as f64).sqrt(), random: Random(7) }
    }

    fn next(&mut self) -> Vec<Isometry3<f32>> {
        let side = (WORMS as f64).sqrt().ceil() as usize;
        let mut poses = Vec::with_capacity(WORMS * self.parts);
        for worm in 0..WORMS {
            let [x, z] = [worm % side, worm / side].map(|cell| cell as f64 * self.spacing);
            self.wind(Vector3::new(x, 0.0, z), &mut poses);
        }
        poses
    }

    /// Appends the poses of one worm: each part is rotated a little against the one before, and the
    /// worm's centre is moved to `place`.
    fn wind(&mut self, place: Vector3<f64>, poses: &mut Vec<Isometry3<f32>>) {
        let start = poses.len();
        let mut joint = Isometry3::<f32>::identity();
        for _ in 0..self.parts {
            let turn = Vector3::from(self.random.direction()) * self.random.between(0.0, 0.9);
            joint *= UnitQuaternion::from_scaled_axis(turn.cast::<f32>());
            poses.push(joint * Translation3::new(0.0, 0.0, HALF[2]));
            joint *= Translation3::new(0.0, 0.0, 2.0 * HALF[2]);
        }
        let worm = &mut poses[start..];
        let middle = worm.iter().map(|pose| pose.translation.vector).sum::<Vector3<f32>>();
        let by = place.cast::<f32>() - middle / worm.len() as f32;
        worm.iter_mut().for_each(|pose| pose.translation.vector += by);
    }
}

fn worm(parts: usize) -> Arc<Model<f32>> {
    let name = |index: usize| format!("part {index}");
    let solid = Obb::from_pose(&Isometry3::identity(), HALF.into()).expect("a box");
    let part = |builder: ModelBuilder<f32>, index| {
        builder.part(name(index), None, Geometry::Boxes(vec![solid]))
    };
    let all = (0..parts).fold(Model::builder(), part);
    let apart = (1..parts).fold(all, |builder, index| builder.ignore(name(index - 1), name(index)));
    apart.build(&Build::default()).expect("a model")
}

fn ours<'a>(parts: usize, ask: impl Fn(&mut Ours, &[Isometry3<f32>]) -> usize + 'a) -> Way<'a> {
    let (mut frames, mut ours) = (Frames::new(parts), Ours::of(&worm(parts), WORMS));
    way("boxwood", move || {
        let poses = frames.next();
        clock(|| ask(&mut ours, &poses))
    })
}

fn theirs<'a>(parts: usize, ask: impl Fn(&mut Peer<Cuboid>, &[Pose]) -> usize + 'a) -> Way<'a> {
    let (mut frames, mut peer) = (Frames::new(parts), Peer::alike(HALF.into(), parts));
    way("parry3d", move || {
        let poses = poses(&frames.next());
        clock(|| ask(&mut peer, &poses))
    })
}

pub fn worms(groups: &mut dyn BenchGroups) {
    for parts in if trying() { [100, 200] } else { [200, 1_000] } {
        let mut row = |what: &str, ways: Vec<Way<'_>>| {
            bench_group(groups, &format!("{WORMS} worms of {parts} boxes: {what}"), 1, ways)
        };
        let pairs = ours(parts, |ours, at| ours.pairs(at, Detail::DeepestBoxes));
        row("pairs", vec![pairs, theirs(parts, Peer::<Cuboid>::pairs)]);
        let contacts = ours(parts, |ours, at| ours.contacts(at, Detail::DeepestBoxes));
        row("contacts", vec![contacts, theirs(parts, Peer::contacts)]);
        let any = ours(parts, |ours, at| usize::from(ours.intersects(at)));
        row("intersects", vec![any, theirs(parts, |peer, at| usize::from(peer.intersects(at)))]);

        let (model, mut frames) = (worm(parts), Frames::new(parts));
        let mut scratch = SelfQueryScratch::default();
        let own = way("boxwood", move || {
            let poses = frames.next();
            let mut of = |poses: &[_]| {
                let own = model.self_pairs(poses, Accuracy::Exact, &mut scratch);
                own.expect("sound poses").len()
            };
            clock(|| poses.chunks_exact(parts).map(&mut of).sum::<usize>())
        });
        row("each against itself", vec![own, theirs(parts, Peer::own_pairs)]);
    }
}
