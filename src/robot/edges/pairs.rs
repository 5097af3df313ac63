//! Pairs of parts along an edge: bounds that hold on the whole edge, and the tests of an interval.
//!
//! Both parts are seen from their deepest common ancestor, so that joints above it do not count.
//! Two balls whose centres are `d` apart in the middle of an interval of half length `h` stay apart
//! if
//!
//! ```text
//! d > r_a + r_b + margin + min(h s + h h / 2 (A_a + A_b), h (S_a + S_b))
//! ```
//!
//! with the velocity `s` of one centre relative to the other along the line between them, bounds
//! `A` on the accelerations of the centres and `S` on their speeds during the whole edge: the lever
//! bound. What the balls leave open is decided by the trees: `tree/interval.rs`.

use super::obstacles::Obstacles;
use super::scratch::EdgeScratch;
use super::states::{LinkTwist, Other, Outcome, PairMotion, PartSample};
use crate::model::{Model, PartId};
use crate::num::Scalar;
use crate::num::linear::{Vec3, dot, length, sub};
use crate::robot::chains::{ChainLink, chain_bounds};
use crate::robot::part_ball::PartBall;
use crate::tree::{IntervalAnswer, IntervalPair, OrderedPair, PartMotion, PlacedTree, TreePair};

/// Two parts of the robot that are tested.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnPair {
    pub parts: [PartId; 2],
    /// Deepest link that both move with.
    pub base: Option<u32>,
}

/// The fixed data of pairs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairing<'a, T: Scalar> {
    pub model: &'a Model<T>,
    pub links: &'a [ChainLink],
    pub balls: &'a [Option<PartBall>],
    pub obstacles: &'a Obstacles<'a, T>,
}

impl<'a, T: Scalar> Pairing<'a, T> {
    /// Returns the bounds of a pair along the edge whose link motions are in the scratch memory.
    pub fn motion(
        &self,
        (a, b, base): (u32, Other, Option<u32>),
        margin: f64,
        work: &mut EdgeScratch<T>,
    ) -> Option<PairMotion> {
        let own = |link: u32, work: &mut EdgeScratch<T>| {
            let ball = self.balls[link as usize]?;
            let tree = self.model.parts()[link as usize].tree()?;
            let around = tree.wide_radius_about_origin();
            let motions = (self.links, &work.links[..]);
            let bounds = chain_bounds(motions, (base, link), &mut work.chain);
            let center = length(ball.center);
            Some(SideBounds {
                radius: ball.radius,
                center: [bounds.acceleration_within(center), bounds.speed_within(center)],
                acceleration: bounds.acceleration_within(around),
                error: work.errors[link as usize].within::<T>(around),
            })
        };
        let first = own(a, work)?;
        let second = match b {
            Other::Robot(b) => own(b, work)?,
            Other::Obstacle(b) => {
                let obstacle = self.obstacles.part(b);
                let (radius, error) = (obstacle.ball.radius, obstacle.error);
                SideBounds { radius, error, ..SideBounds::default() }
            }
        };
        let sides = [first, second];
        let sum = |of: fn(&SideBounds) -> f64| of(&sides[0]) + of(&sides[1]);
        Some(PairMotion {
            a,
            b,
            base,
            margin,
            reach: sum(|side| side.radius) + 2.0 * sum(|side| side.error) + margin,
            center_acceleration: sum(|side| side.center[0]),
            center_speed: sum(|side| side.center[1]),
            accelerations: sides.map(|side| side.acceleration),
            errors: sides.map(|side| side.error),
            hopeless: 2.0 * sides[0].radius.min(sides[1].radius),
        })
    }

    /// Returns a ball that contains a part, grown by a margin, during the whole edge, of which the
    /// current sample is the middle; `None` without geometry.
    pub fn swept_ball(
        &self,
        part: u32,
        margin: f64,
        work: &mut EdgeScratch<T>,
    ) -> Option<PartBall> {
        let ball = self.balls[part as usize]?;
        let around = self.model.parts()[part as usize].tree()?.wide_radius_about_origin();
        let motions = (self.links, &work.links[..]);
        let bounds = chain_bounds(motions, (None, part), &mut work.chain);
        let path = 0.5 * bounds.speed_within(length(ball.center));
        let error = work.errors[part as usize].within::<T>(around);
        let center = work.parts[part as usize].center;
        Some(PartBall { center, radius: ball.radius + path + 2.0 * error + margin })
    }

    /// Tests a pair in an interval about the current sample.
    pub fn test(
        &self,
        pair: &PairMotion,
        (half, tolerance): (f64, f64),
        work: &mut EdgeScratch<T>,
    ) -> Outcome {
        let a = &work.parts[pair.a as usize];
        let b = &self.second(pair, work);
        let between = sub(b.center, a.center);
        let distance = length(between);
        // A distance of zero has no direction: the speed bound alone counts.
        let along = match distance > 0.0 {
            true => dot(between, sub(b.velocity, a.velocity)).abs() / distance,
            false => pair.center_speed,
        };
        let bent = half * along + 0.5 * half * half * pair.center_acceleration;
        let approach = bent.min(half * pair.center_speed) * (1.0 + 1e-9);
        let clearance = distance - pair.reach - approach;
        if clearance > 0.0 {
            return Outcome::Apart(clearance + pair.margin);
        }
        if approach > pair.hopeless && approach > tolerance {
            return Outcome::Open;
        }
        let placed = self.placed(pair, work);
        let motions = self.part_motions(pair, work);
        let interval = IntervalPair::new(&placed, motions, (half, tolerance));
        if interval.roots_stay_apart(&mut work.tree.counts) {
            return Outcome::Apart(pair.margin);
        }
        match interval.search(&mut work.tree) {
            IntervalAnswer::Apart => Outcome::Apart(pair.margin),
            IntervalAnswer::SurfacesApart => Outcome::SurfacesApart,
            IntervalAnswer::Open => Outcome::Open,
            IntervalAnswer::Close(near) => Outcome::Close(placed.beyond_margin(near.distance)),
        }
    }

    /// Returns the trees of a pair at the current sample.
    pub fn placed(&self, pair: &PairMotion, work: &EdgeScratch<T>) -> TreePair<'a, T> {
        let own = |part: u32| -> PlacedTree<'a, T> {
            self.model.placed_tree(PartId::new(part as usize), &work.poses[part as usize], 0)
        };
        let second = match pair.b {
            Other::Robot(b) => own(b),
            Other::Obstacle(b) => self.obstacles.part(b).placed,
        };
        TreePair::from_ordered(OrderedPair::new(own(pair.a), second)).with_margin(pair.margin)
    }

    fn second(&self, pair: &PairMotion, work: &EdgeScratch<T>) -> PartSample {
        match pair.b {
            Other::Robot(b) => work.parts[b as usize],
            Other::Obstacle(b) => {
                let center = self.obstacles.part(b).ball.center;
                PartSample { origin: center, center, velocity: [0.0; 3] }
            }
        }
    }

    /// Returns the motions of both parts seen from their common ancestor.
    fn part_motions(&self, pair: &PairMotion, work: &EdgeScratch<T>) -> [PartMotion; 2] {
        let base = pair.base.map_or_else(LinkTwist::default, |base| work.twists[base as usize]);
        let own = |part: u32, side: usize| {
            let twist = work.twists[part as usize].relative_to(&base);
            let origin: Vec3 = work.parts[part as usize].origin;
            PartMotion {
                linear: twist.velocity(origin),
                angular: twist.angular,
                acceleration: pair.accelerations[side],
                error: pair.errors[side],
            }
        };
        let second = match pair.b {
            Other::Robot(b) => own(b, 1),
            Other::Obstacle(_) => PartMotion { error: pair.errors[1], ..PartMotion::default() },
        };
        [own(pair.a, 0), second]
    }
}

/// Bounds of one side of a pair.
#[derive(Debug, Clone, Copy, Default)]
struct SideBounds {
    radius: f64,
    /// Acceleration and speed of the ball's centre.
    center: [f64; 2],
    acceleration: f64,
    error: f64,
}
