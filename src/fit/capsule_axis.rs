//! Search for the axis of a small capsule around balls.
//!
//! All steps and their arithmetic are fixed, so that every machine finds the same bits. Any axis
//! found is valid: the caller measures the radius again, from the stored segment.

use nalgebra::Point3;

use super::{Covariance, refined_axes};
use crate::num::linear::{IDENTITY, Vec3, add, cross, dot, length, perpendicular_axes, scale, sub};
use crate::shape::Sphere;

/// A ball to be contained; a point if the radius is zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ball {
    pub center: Vec3,
    pub radius: f64,
}

impl Ball {
    /// A ball of radius zero.
    pub fn point(center: Vec3) -> Self {
        Ball { center, radius: 0.0 }
    }
}

/// The ends of a capsule and its volume over pi.
#[derive(Debug, Clone, Copy)]
pub(super) struct FittedCapsule {
    pub ends: [Vec3; 2],
    pub volume: f64,
}

/// A line, and a radius as a multiple of the least radius about it.
///
/// More than the least radius pays if the farthest balls are near the ends: the caps then cover
/// more of them.
#[derive(Debug, Clone, Copy)]
struct CapsuleAxis {
    middle: Vec3,
    /// Unit vector.
    direction: Vec3,
    growth: f64,
}

/// The capsule about an axis that contains all balls. Its ends are positions along the axis.
#[derive(Debug, Clone, Copy)]
struct AxisCapsule {
    radius: f64,
    low: f64,
    high: f64,
    volume: f64,
}

/// Effort of a fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CapsuleEffort {
    /// A search from every start.
    Thorough,
    /// A short search from the best start alone.
    Quick,
}

/// Largest number of rounds of the first search, from each start, of the last, with all balls, and
/// of the only one of a quick fit.
const MAX_ROUNDS: [usize; 3] = [64, 24, 12];

/// The first step of each search, as a share of the radius.
const FIRST_STEPS: [f64; 3] = [0.25, 1.0 / 64.0, 0.125];

/// Step at which a search ends, as a share of the radius: smaller steps gain nothing visible.
const MIN_STEP: f64 = 1.0 / 16384.0;

/// Cosine and sine of the golden angle. Steps rotate by it about the axis from round to round, so
/// that all directions are tried soon.
const GOLDEN_ANGLE: [f64; 2] = [-0.737_368_878_078_319_7, 0.675_490_294_261_523_8];

/// Finds a capsule of small volume around balls: at least two with different centres, in
/// coordinates of about 1.
pub(super) fn smallest_capsule(balls: &[Ball], effort: CapsuleEffort) -> FittedCapsule {
    let outer = outermost_balls(balls);
    let mut best: Option<(CapsuleAxis, f64)> = None;
    for start in start_axes(balls, &outer) {
        let moved = || improved_axis(start, &outer, 0);
        let moved = (effort == CapsuleEffort::Thorough).then(moved);
        for axis in [start].into_iter().chain(moved) {
            let volume = capsule_about_axis(&axis, balls).volume;
            if best.is_none_or(|(_, least)| volume < least) {
                best = Some((axis, volume));
            }
        }
    }
    let ball = smallest_ball(balls);
    let Some((axis, _)) = best else { return ball };
    let last = match effort {
        CapsuleEffort::Thorough => improved_axis(axis, balls, 1),
        CapsuleEffort::Quick => improved_axis(axis, balls, 2),
    };
    let found = fitted_capsule(&last, balls);
    if ball.volume < found.volume { ball } else { found }
}

/// The smallest ball around the centres, with the radius that contains all balls.
fn smallest_ball(balls: &[Ball]) -> FittedCapsule {
    let centers: Vec<Point3<f64>> = balls.iter().map(|ball| Point3::from(ball.center)).collect();
    let center = Sphere::from_points(&centers).map_or([0.0; 3], |ball| ball.center().into());
    let farthest = |ball: &Ball| length(sub(ball.center, center)) + ball.radius;
    let radius = balls.iter().map(farthest).fold(0.0, greater);
    FittedCapsule { ends: [center; 2], volume: volume_over_pi(radius, 0.0) }
}

fn fitted_capsule(axis: &CapsuleAxis, balls: &[Ball]) -> FittedCapsule {
    let AxisCapsule { low, high, volume, .. } = capsule_about_axis(axis, balls);
    let end = |along: f64| add(axis.middle, scale(axis.direction, along));
    FittedCapsule { ends: [end(low), end(high)], volume }
}

/// The volume divided by pi.
fn volume_over_pi(radius: f64, length: f64) -> f64 {
    radius * radius * (length + 4.0 / 3.0 * radius)
}

fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// Returns the capsule about an axis. A cap contains a ball at `along`, at a distance `off` from
/// the axis, if its centre is within the root of `(radius - own)^2 - off^2` of `along`: both ends
/// are as far inward as that allows for all balls. If they would pass each other, one position
/// suits all, and the capsule is a ball.
fn capsule_about_axis(axis: &CapsuleAxis, balls: &[Ball]) -> AxisCapsule {
    let coordinates = |ball: &Ball| {
        let offset = sub(ball.center, axis.middle);
        let along = dot(offset, axis.direction);
        let off = sub(offset, scale(axis.direction, along));
        (along, dot(off, off))
    };
    let least =
        balls.iter().map(|ball| coordinates(ball).1.sqrt() + ball.radius).fold(0.0, greater);
    let radius = least * axis.growth;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for ball in balls {
        let (along, squared_off) = coordinates(ball);
        let radius_left = radius - ball.radius;
        let half = greater(radius_left * radius_left - squared_off, 0.0).sqrt();
        low = if along + half < low { along + half } else { low };
        high = greater(high, along - half);
    }
    if low > high {
        let middle = 0.5 * (low + high);
        (low, high) = (middle, middle);
    }
    AxisCapsule { radius, low, high, volume: volume_over_pi(radius, high - low) }
}

/// Returns the balls farthest along each of a fixed set of directions: few balls, and most of those
/// that matter. Only the search is restricted to them.
fn outermost_balls(balls: &[Ball]) -> Vec<Ball> {
    let mut chosen: Vec<usize> = Vec::new();
    for number in 0..125_i8 {
        let cell = [number / 25 - 2, number / 5 % 5 - 2, number % 5 - 2];
        // Such cells are twice another one.
        if cell.iter().all(|x| x % 2 == 0) {
            continue;
        }
        let direction = cell.map(f64::from);
        let size = length(direction);
        let reach = |ball: &Ball| dot(ball.center, direction) + ball.radius * size;
        let mut most = (0, f64::NEG_INFINITY);
        for (index, ball) in balls.iter().enumerate() {
            let reach = reach(ball);
            most = if reach > most.1 { (index, reach) } else { most };
        }
        chosen.push(most.0);
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(|index| balls[index]).collect()
}

/// Returns the axes from which the search starts.
fn start_axes(balls: &[Ball], outer: &[Ball]) -> Vec<CapsuleAxis> {
    let mut spread = Covariance::new((), balls[0].center);
    let mut mean = [0.0; 3];
    for ball in balls {
        spread.add(&spread.point_moments(ball.center, 1.0));
        mean = add(mean, scale(ball.center, 1.0 / balls.len() as f64));
    }
    let principal = spread.axes(());
    let centers: Vec<Vec3> = outer.iter().map(|ball| ball.center).collect();
    let boxes = [refined_axes(&principal, &centers), refined_axes(&IDENTITY, &centers)];
    let directions = principal.into_iter().chain(boxes.into_iter().flatten());
    let mut starts = vec![CapsuleAxis { middle: mean, direction: principal[0], growth: 1.0 }];
    starts.extend(
        directions
            .chain(farthest_direction(&centers))
            .map(|direction| centered_axis(direction, outer)),
    );
    starts
}

/// Unit vector between the farthest two points, the first pair for a tie; `None` if all are equal.
fn farthest_direction(points: &[Vec3]) -> Option<Vec3> {
    let (mut direction, mut most) = ([0.0; 3], 0.0);
    for (i, &a) in points.iter().enumerate() {
        for &b in &points[i + 1..] {
            let apart = sub(b, a);
            let squared = dot(apart, apart);
            (direction, most) = if squared > most { (apart, squared) } else { (direction, most) };
        }
    }
    (most > 0.0).then(|| scale(direction, 1.0 / most.sqrt()))
}

/// The axis in a direction through the middle of the balls' bounds.
fn centered_axis(direction: Vec3, balls: &[Ball]) -> CapsuleAxis {
    let mut middle = [0.0; 3];
    let [x, y] = perpendicular_axes(direction);
    for axis in [direction, x, y] {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for ball in balls {
            let along = dot(axis, ball.center);
            low = if along - ball.radius < low { along - ball.radius } else { low };
            high = greater(high, along + ball.radius);
        }
        middle = add(middle, scale(axis, 0.5 * (low + high)));
    }
    CapsuleAxis { middle, direction, growth: 1.0 }
}

/// Moves one or both ends of the axis sideways, or changes the radius, as long as that reduces the
/// volume; halves the step when nothing does.
fn improved_axis(mut axis: CapsuleAxis, balls: &[Ball], search: usize) -> CapsuleAxis {
    let mut now = capsule_about_axis(&axis, balls);
    let (mut share, mut turn) = (FIRST_STEPS[search], [1.0, 0.0]);
    for _ in 0..MAX_ROUNDS[search] {
        if share < MIN_STEP || now.radius <= 0.0 {
            break;
        }
        let mut best = (axis, now);
        for next in neighbour_axes(&axis, &now, share, turn) {
            let about = capsule_about_axis(&next, balls);
            if about.volume < best.1.volume {
                best = (next, about);
            }
        }
        share = if best.1.volume < now.volume { share } else { 0.5 * share };
        (axis, now) = best;
        let ([c, s], [x, y]) = (GOLDEN_ANGLE, turn);
        turn = [c * x - s * y, s * x + c * y];
    }
    axis
}

/// Returns the axes one step away. One end moves sideways, or both in equal or opposite directions,
/// each in four directions; or the radius grows or shrinks.
fn neighbour_axes(
    axis: &CapsuleAxis,
    now: &AxisCapsule,
    share: f64,
    turn: [f64; 2],
) -> Vec<CapsuleAxis> {
    let [x, y] = perpendicular_axes(axis.direction);
    let first = add(scale(x, turn[0]), scale(y, turn[1]));
    let second = cross(axis.direction, first);
    let middle = add(axis.middle, scale(axis.direction, 0.5 * (now.low + now.high)));
    let lever = greater(now.radius, 0.5 * (now.high - now.low));
    let mut near = Vec::with_capacity(18);
    for step in [first, second].map(|way| scale(way, share * now.radius)) {
        for [low, high] in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]] {
            for sign in [1.0, -1.0] {
                let shift = scale(step, 0.5 * sign * (low + high));
                let tilt = scale(step, 0.5 * sign * (high - low));
                let along = add(scale(axis.direction, lever), tilt);
                let direction = scale(along, 1.0 / length(along));
                near.push(CapsuleAxis { middle: add(middle, shift), direction, ..*axis });
            }
        }
    }
    near.push(CapsuleAxis { middle, growth: axis.growth * (1.0 + share), ..*axis });
    near.push(CapsuleAxis { middle, growth: greater(1.0, axis.growth / (1.0 + share)), ..*axis });
    near
}
