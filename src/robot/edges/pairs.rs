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
use super::states::{LinkTwist, Other, Outcome, PairMotion, PartSample, SideBounds};
use crate::model::{Model, PartId};
use crate::num::Scalar;
use crate::num::linear::{Vec3, dot, length, sub};
use crate::robot::part_ball::PartBall;
use crate::scene::ChainBounds;
use crate::tree::{IntervalAnswer, IntervalPair, OrderedPair, PartMotion, PlacedTree, TreePair};

/// Least tolerance of a pair, as a multiple of the errors of its samples: bounds on the approach of
/// two points have twice these errors, and the rounding of their distance.
const LEAST_TOLERANCE: f64 = 8.0;

/// Two parts of the robot that are tested.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnPair {
    pub parts: [PartId; 2],
    /// Deepest link that both move with.
    pub base: Option<u32>,
    /// Index of the chain from there to each of them; `None` for that link itself.
    pub chains: [Option<u32>; 2],
}

/// The fixed data of pairs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairing<'a, T: Scalar> {
    pub model: &'a Model<T>,
    pub balls: &'a [Option<PartBall>],
    pub obstacles: &'a Obstacles<'a, T>,
}

impl<'a, T: Scalar> Pairing<'a, T> {
    /// Returns the bounds of two parts of the robot along the edge whose chains are in the scratch
    /// memory.
    pub fn own_motion(
        &self,
        OwnPair { parts, base, chains }: &OwnPair,
        margin: f64,
        work: &EdgeScratch<T>,
    ) -> Option<PairMotion> {
        let [a, b] = parts.map(|part| part.index() as u32);
        let bounds =
            chains.map(|chain| chain.map_or(ChainBounds::default(), |at| work.chains[at as usize]));
        let sides = [self.side(a, &bounds[0], work)?, self.side(b, &bounds[1], work)?];
        Some(PairMotion::new((a, Other::Robot(b), *base), sides, margin))
    }

    /// Returns the bounds of a part of the robot and an obstacle along the edge.
    pub fn obstacle_motion(
        &self,
        part: u32,
        other: u32,
        margin: f64,
        work: &EdgeScratch<T>,
    ) -> Option<PairMotion> {
        let obstacle = self.obstacles.part(other);
        let (radius, error) = (obstacle.ball.radius, obstacle.error);
        let still = SideBounds { radius, error, ..SideBounds::default() };
        let sides = [self.side(part, work.errors[part as usize].bounds(), work)?, still];
        Some(PairMotion::new((part, Other::Obstacle(other), None), sides, margin))
    }

    /// Returns the bounds of a part, given those of its link; `None` without geometry.
    fn side(&self, part: u32, bounds: &ChainBounds, work: &EdgeScratch<T>) -> Option<SideBounds> {
        let ball = self.balls[part as usize]?;
        let around = self.model.parts()[part as usize].tree()?.wide_radius_about_origin();
        let center = length(ball.center);
        Some(SideBounds {
            radius: ball.radius,
            center: [bounds.acceleration_within(center), bounds.speed_within(center)],
            acceleration: bounds.acceleration_within(around),
            error: work.errors[part as usize].pose_error_within::<T>(around),
        })
    }

    /// Returns a ball that contains a part, grown by a margin, during the whole edge, of which the
    /// current sample is the middle; `None` without geometry.
    pub fn swept_ball(&self, part: u32, margin: f64, work: &EdgeScratch<T>) -> Option<PartBall> {
        let SideBounds { radius, center: [_, speed], error, .. } =
            self.side(part, work.errors[part as usize].bounds(), work)?;
        let center = work.parts[part as usize].center;
        Some(PartBall { center, radius: radius + 0.5 * speed + 2.0 * error + margin })
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
        // A shorter interval does not decide what the errors of samples hide.
        let tolerance = tolerance.max(LEAST_TOLERANCE * (pair.errors[0] + pair.errors[1]));
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
