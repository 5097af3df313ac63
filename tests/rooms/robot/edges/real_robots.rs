//! Edges of the Panda and of the Talos by their own meshes, against samples.

use boxwood::Accuracy;
use boxwood::f64::{Loader, SelfQueryScratch};
use boxwood::robot::{Edge, EdgeChecker, EdgeScratch};

use super::samples::{Kind, kind};
use support::data::data;
use support::prelude::*;

/// Samples of an edge.
const SAMPLES: usize = 300;

fn against_samples(folder: &str, [urdf, srdf]: [&str; 2], edges: usize) {
    let Some(data) = data() else { return };
    let folder = data.join("robots").join(folder);
    let loader = Loader::new().srdf(folder.join(srdf));
    let robot = loader.urdf(folder.join(urdf)).expect("a robot");
    let checker = EdgeChecker::new(&robot.mechanism, &robot.model).expect("a robot");
    let (mut scratch, mut own) = (EdgeScratch::default(), SelfQueryScratch::default());
    let (mut random, mut poses, mut counts) = (Random(5941), Vec::new(), [0; 3]);
    let mut touches = |values: &[f64]| {
        robot.mechanism.poses(values, &mut poses).expect("values within limits");
        robot.model.self_intersects(&poses, Accuracy::Exact, &mut own).expect("poses")
    };
    for round in 0..edges {
        let mut ends = [0; 2].map(|_| {
            let mut values: Vec<f64> = Vec::new();
            robot.mechanism.sample_values(|| random.share(), &mut values);
            values
        });
        let share = [1.0, 0.3, 0.1][round % 3];
        for i in 0..ends[0].len() {
            ends[1][i] = ends[0][i] + share * (ends[1][i] - ends[0][i]);
        }
        let [from, to] = &ends;
        let edge = checker.check(from, to, &mut scratch).expect("a verdict");
        let found = kind(&edge);
        counts[found as usize] += 1;
        if let Edge::Collides { values, .. } = edge {
            assert!(touches(values));
        }
        let first = checker.first(from, to, &mut scratch).expect("a verdict");
        assert_eq!(kind(&first) == Kind::Free, found == Kind::Free);
        let until = match first {
            Edge::Collides { values, clear_until, .. } => {
                assert!(touches(values));
                clear_until
            }
            Edge::Undecided { .. } => 0.0,
            _ => 1.1,
        };
        for sample in 0..=SAMPLES {
            let fraction = sample as f64 / SAMPLES as f64;
            if fraction < until {
                let mix = |(a, b): (&f64, &f64)| {
                    ((1.0 - fraction) * a + fraction * b).clamp(a.min(*b), a.max(*b))
                };
                let values: Vec<f64> = from.iter().zip(to).map(mix).collect();
                assert!(!touches(&values), "edge {round} at {fraction}");
            }
        }
    }
    println!("free, collides, undecided: {counts:?}");
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
}

#[test]
fn panda() {
    against_samples("panda", ["urdf/panda.urdf", "srdf/panda.srdf"], at_least(3_000, 100));
}

#[test]
fn talos() {
    against_samples("talos", ["robots/talos_full_v2.urdf", "srdf/talos.srdf"], at_least(300, 6));
}
