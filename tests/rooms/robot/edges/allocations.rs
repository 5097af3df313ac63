//! Warm checks of edges do not allocate.

use boxwood::f64::{Buffers, Scene, Spawn};
use boxwood::robot::{EdgeChecker, EdgeScratch};

use support::ball_robots::BallRobot;
use support::prelude::*;

#[test]
fn warm_checks_do_not_allocate() {
    let mut random = Random(5931);
    for _ in 0..20 {
        let (robot, other) =
            (BallRobot::<f64>::random(&mut random), BallRobot::random(&mut random));
        let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
        let beside = Spawn::at(Isometry3::translation(0.8, 0.0, 0.0));
        scene.insert(&other.model, beside).expect("a character");
        let now = scene.snapshot(&mut buffers);
        let checker = EdgeChecker::new(&robot.mechanism, &robot.model).expect("a robot");
        let checker = checker.world(&now).expect("a world");
        let ends: Vec<[Vec<f64>; 2]> =
            (0..20).map(|_| [0; 2].map(|_| robot.configuration(&mut random))).collect();
        let path: Vec<f64> = ends.iter().flat_map(|[from, _]| from.clone()).collect();
        let mut scratch = EdgeScratch::default();
        let mut run = || {
            for [from, to] in &ends {
                checker.check(from, to, &mut scratch).expect("a verdict");
                checker.first(from, to, &mut scratch).expect("a verdict");
            }
            checker.check_path(&path, &mut scratch).expect("a verdict");
        };
        run();
        let counted = allocation_counter::measure(&mut run);
        assert_eq!(counted.count_total, 0);
    }
}
