//! Other upright cylinders as obstacles of a move: cylinder against cylinder, in closed form.
//!
//! The rules are those of brushes (`slide`): planes and the circle that the motion runs along are
//! moved inward by `grazing`, so an accepted segment never gets nearer than half the skin.

use super::sweep::SweptCylinder;
use super::tree::Bounds;
use crate::model::CollisionGroups;
use crate::num::linear::{Vec3, dot, sub};

/// Upright cylinder at rest, with z up: another walker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlacedCylinder {
    pub center: Vec3,
    pub radius: f64,
    pub half_height: f64,
    pub groups: CollisionGroups,
}

/// First contact of a mover with another cylinder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CylinderCrossing {
    /// Share of the displacement; at most zero if the two are too near from the start.
    pub enter: f64,
    /// Unit normal out of the other cylinder.
    pub normal: Vec3,
}

impl PlacedCylinder {
    pub fn bounds(&self) -> Bounds {
        Bounds::swept(self.center, [0.0; 3], [self.radius, self.radius, self.half_height])
    }

    /// Returns how deep a cylinder of the mover's size is inside this one at a position, grazing
    /// subtracted; `None` if they are apart. Touching counts.
    ///
    /// The depth is the lesser of those sideways and upright [length units].
    pub fn depth(&self, place: Vec3, mover: &SweptCylinder) -> Option<f64> {
        let [x, y, z] = sub(place, self.center);
        let radius = mover.radius - mover.grazing + self.radius;
        let half_height = mover.half_height - mover.grazing + self.half_height;
        let (square, upright) = (x * x + y * y, half_height - z.abs());
        if square > radius * radius || upright < 0.0 {
            return None;
        }
        let sideways = radius - square.sqrt();
        Some(if sideways < upright { sideways } else { upright })
    }

    /// Returns the first contact of the mover; `None` if there is none up to the time `latest`.
    ///
    /// A mover that is inside from the start only crosses if it gets deeper: inside ones may part.
    pub fn crossing(&self, mover: &SweptCylinder, latest: f64) -> Option<CylinderCrossing> {
        let ([x, y, z], way) = (sub(mover.start, self.center), mover.displacement);
        let (radius, grazing) = (mover.radius + self.radius, mover.grazing);
        let half_height = mover.half_height + self.half_height;
        if self.depth(mover.start, mover).is_some() {
            let normal = self.normal_of_parting([x, y, z], mover);
            let enter = 0.0;
            let crosses = dot(way, normal) < 0.0 && enter <= latest;
            return crosses.then_some(CylinderCrossing { enter, normal });
        }
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        // Height above the middle, against the motion.
        let height = if way[2] < 0.0 { z } else { -z };
        let speed = way[2].abs();
        if speed > 0.0 {
            enter = (height - half_height) / speed;
            leave = (height + half_height - grazing) / speed;
        } else {
            let inner = half_height - grazing - z.abs();
            if inner < 0.0 || inner == 0.0 && grazing > 0.0 {
                return None;
            }
        }
        let ends_before = leave < 0.0 || grazing > 0.0 && !(enter < leave && leave > 0.0);
        if ends_before || !(enter <= latest && enter <= leave) {
            return None;
        }
        let mut normal = [0.0, 0.0, if way[2] < 0.0 { 1.0 } else { -1.0 }];
        let begin = if enter > 0.0 { enter } else { 0.0 };
        let [u, v] = [x + way[0] * begin, y + way[1] * begin];
        let inner = radius - grazing;
        if u * u + v * v > inner * inner {
            let square = way[0] * way[0] + way[1] * way[1];
            let nearest = -(x * way[0] + y * way[1]) / square;
            let turn = x * way[1] - y * way[0];
            let missed = turn * turn / square;
            let far = if grazing > 0.0 { missed >= inner * inner } else { missed > inner * inner };
            // NaN without motion sideways.
            let approaches = nearest > begin;
            if !approaches || far {
                return None;
            }
            let time = nearest - (radius * radius - missed).sqrt() / square.sqrt();
            if time > enter {
                let at = if time > 0.0 { time } else { 0.0 };
                let [u, v] = [x + way[0] * at, y + way[1] * at];
                let size = (u * u + v * v).sqrt();
                (enter, normal) = (time, [u / size, v / size, 0.0]);
            }
        }
        (enter <= leave && enter <= latest).then_some(CylinderCrossing { enter, normal })
    }

    /// Returns the direction of the shortest way out, which a mover inside must not go against;
    /// zero if it is on the axis, where every direction sideways leads out.
    fn normal_of_parting(&self, [x, y, z]: Vec3, mover: &SweptCylinder) -> Vec3 {
        let far = (x * x + y * y).sqrt();
        let sideways = mover.radius + self.radius - far;
        let upright = mover.half_height + self.half_height - z.abs();
        match sideways <= upright {
            true if far > 0.0 => [x / far, y / far, 0.0],
            true => [0.0; 3],
            false => [0.0, 0.0, if z < 0.0 { -1.0 } else { 1.0 }],
        }
    }
}
