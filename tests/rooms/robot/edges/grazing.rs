//! Edges that graze, of random robots of balls: the least distance on the edge is made almost equal
//! to the margin, by the margin itself or by the radius of a ball.

use boxwood::robot::{EdgeChecker, EdgeScratch};

use super::samples::{Kind, kind, stated};
use support::ball_robots::{BallRobot, ball_robot};
use support::prelude::*;

/// Samples of an edge, of which the least is refined.
const SAMPLES: usize = 500;

/// Draws a robot and an edge on which it keeps a distance, least between its ends; returns that.
fn free_edge(random: &mut Random) -> (BallRobot<f64>, [Vec<f64>; 2], f64) {
    loop {
        let robot = BallRobot::<f64>::random(random);
        let from = robot.configuration(random);
        let (mut to, share) = (robot.configuration(random), random.decade(-1.5, 0.0));
        to.iter_mut().zip(&from).for_each(|(to, from)| *to = from + share * (*to - from));
        let (least, at) = robot.least_distance([&from, &to], SAMPLES);
        if least > 1e-3 && least < 1.0 && at > 0.0 && at < 1.0 {
            return (robot, [from, to], least);
        }
    }
}

fn check(robot: &BallRobot<f64>, ends: &[Vec<f64>; 2], (margin, tolerance): (f64, f64)) -> Kind {
    let checker = EdgeChecker::new(&robot.mechanism, &robot.model).expect("a robot");
    let checker = checker.margin(margin).tolerance(tolerance);
    let (mut scratch, ends) = (EdgeScratch::default(), [&ends[0][..], &ends[1][..]]);
    let edge = checker.check(ends[0], ends[1], &mut scratch).expect("a verdict");
    stated(robot, ends, (&edge, margin, tolerance));
    let found = kind(&edge);
    let first = checker.first(ends[0], ends[1], &mut scratch).expect("a verdict");
    stated(robot, ends, (&first, margin, tolerance));
    assert_eq!(kind(&first) == Kind::Free, found == Kind::Free);
    found
}

#[test]
fn margins_just_beyond_the_least_distance() {
    let (mut random, mut counts) = (Random(5911), [0; 3]);
    for round in 0..at_least(1_000, 36) {
        let (robot, ends, least) = free_edge(&mut random);
        let tolerance = [1e-2, 1e-4, 1e-6][round % 3];
        if least > 2.0 * tolerance {
            assert_eq!(check(&robot, &ends, (least - 1.5 * tolerance, tolerance)), Kind::Free);
        }
        for beyond in [1e-9, 1e-7, 1e-4] {
            let found = check(&robot, &ends, (least + beyond, tolerance));
            assert_ne!(found, Kind::Free, "{beyond} beyond {least}");
            counts[found as usize] += 1;
        }
        // Closer than the margin by rounding at most: nothing touches.
        assert_ne!(check(&robot, &ends, (least - 1e-7, tolerance)), Kind::Collides);
    }
    println!("free, collides, undecided beyond the least distance: {counts:?}");
    assert!(counts[0] == 0 && counts[1] > 10 && counts[2] > 3, "{counts:?}");
}

/// Returns the robot with all balls grown.
fn grown(robot: &BallRobot<f64>, by: f64) -> BallRobot<f64> {
    let grow = |&(center, radius): &(Point3<f64>, f64)| (center, radius + by);
    let balls = robot.balls.iter().map(|balls| balls.iter().map(grow).collect()).collect();
    let (links, actuators) = (robot.mechanism.links(), robot.mechanism.actuators());
    let mut other = ball_robot(links.to_vec(), actuators.to_vec(), balls, 0);
    let name = |index: usize| robot.model.parts()[index].name();
    let ignored: Vec<(&str, &str)> = (other.pairs.iter())
        .filter(|pair| !robot.pairs.contains(pair))
        .map(|&[a, b]| (name(a), name(b)))
        .collect();
    other.model = other.model.with_ignored(&ignored).expect("known names");
    other.pairs = robot.pairs.clone();
    other
}

#[test]
fn balls_that_graze() {
    let (mut random, mut counts) = (Random(5912), [0; 3]);
    for round in 0..at_least(1_000, 36) {
        let (robot, ends, least) = free_edge(&mut random);
        let tolerance = [1e-2, 1e-4, 1e-6][round % 3];
        if least > 3.0 * tolerance {
            let robot = grown(&robot, 0.5 * least - 0.75 * tolerance);
            assert_eq!(check(&robot, &ends, (0.0, tolerance)), Kind::Free);
        }
        for overlap in [1e-9, 1e-7, 1e-4] {
            let found = check(&grown(&robot, 0.5 * (least + overlap)), &ends, (0.0, tolerance));
            assert_ne!(found, Kind::Free, "{overlap} beyond {least}");
            counts[found as usize] += 1;
        }
        let apart = grown(&robot, 0.5 * (least - 1e-7));
        assert_ne!(check(&apart, &ends, (0.0, tolerance)), Kind::Collides);
    }
    println!("free, collides, undecided of balls that overlap: {counts:?}");
    assert!(counts[0] == 0 && counts[1] > 10 && counts[2] > 3, "{counts:?}");
}
