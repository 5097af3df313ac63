//! The walk: heel strike, flat foot, heel off, swing. Feet follow their own tracks; the body moves
//! evenly between them.

use std::f64::consts::TAU;

use super::keys::hermite;
use super::proportions::{self as share, metres};
use super::skeleton::{CHEST, HEAD, HIPS, LEFT, RIGHT, SPINE};
use super::stance::Stance;

/// Duration of two steps [s].
pub const CYCLE: f64 = 1.1;
/// Length of two steps along +Z [m].
pub const STRIDE: f64 = 1.32;

/// Time at which the foot is flat, as a share of the cycle after its heel strike.
pub const FLAT: f64 = 0.10;
/// Time at which the heel leaves the floor.
pub const HEEL_OFF: f64 = 0.36;
/// Time at which the toes leave the floor.
pub const TOE_OFF: f64 = 0.62;

/// Phases of the left and right foot: the right strikes half a cycle after the left.
pub const PHASES: [f64; 2] = [0.0, 0.5];

const TRACK: f64 = 0.065; // offset of each foot from the mid-line, metres
const LEAD: f64 = 0.41; // distance from the hips to the ball of the foot that is set down, metres
const STRIKE: f64 = -20.0; // heel up at heel strike: negative, the toes are up; degrees
const PUSH: f64 = 58.0; // heel up at toe off, degrees
const LIFT: f64 = 0.055; // height of the foot in mid swing, metres

/// The stance at `t` seconds.
pub fn walk(t: f64) -> Stance {
    let phase = t / CYCLE;
    let (cos, sin) = (|p: f64| (TAU * p).cos(), |p: f64| (TAU * p).sin());
    let along = STRIDE * phase;
    // The hips are highest over the supporting leg, lowest just after a heel strike.
    let height = 0.893 - 0.017 * cos(2.0 * (phase - 0.04));
    let over_left = cos(phase - 0.31);
    let mut stance = Stance::NOTHING
        .hips(0.018 * over_left, height, along)
        .turn(HIPS, 2.0, -5.0 * cos(phase), 2.5 * over_left)
        .turn(SPINE, 1.0, 4.0 * cos(phase), -2.0 * over_left)
        .turn(CHEST, 1.5, 6.0 * cos(phase), -0.5 * over_left)
        .turn(HEAD, -2.0, -5.0 * cos(phase), 0.0);
    for side in [LEFT, RIGHT] {
        let out = if side == LEFT { 1.0 } else { -1.0 };
        let swing = (5.0 - 23.0 * cos(phase - PHASES[side])).to_radians();
        let hang = 0.545 - 0.02 * swing.sin();
        let shoulder = [out * 0.226, height + 0.5, along + 0.03 + out * 0.02 * -cos(phase)];
        stance = stance
            .wrist(
                side,
                shoulder[0] + out * 0.04,
                shoulder[1] - hang * swing.cos(),
                shoulder[2] + hang * swing.sin(),
            )
            .elbow(side, 0.35, 0.0, -1.0)
            .fist(side, 25.0, 4.0 * sin(phase - PHASES[side]));
        stance = step(stance, side, phase - PHASES[side]);
    }
    stance
}

/// Sets one foot, `phase` cycles after its first heel strike.
fn step(stance: Stance, side: usize, phase: f64) -> Stance {
    let (fall, now) = (phase.floor(), phase - phase.floor());
    let x = if side == LEFT { TRACK } else { -TRACK };
    let yaw = if side == LEFT { 5.0 } else { -5.0 };
    let down = STRIDE * (fall + PHASES[side]) + LEAD;
    if now < FLAT {
        let heel_up = hermite([STRIKE, 0.0], [20.0, 0.0], now / FLAT);
        stance.foot(side, on_heel(x, down, heel_up), heel_up, yaw, 0.0)
    } else if now < TOE_OFF {
        let risen = ((now - HEEL_OFF) / (TOE_OFF - HEEL_OFF)).max(0.0);
        stance.planted(side, x, down, yaw, hermite([0.0, PUSH], [0.0, 40.0], risen))
    } else {
        swing(stance, side, [x, down, yaw], (now - TOE_OFF) / (1.0 - TOE_OFF))
    }
}

/// Sets the foot in the air, at the fraction `s` of the time from toe off to heel strike.
fn swing(stance: Stance, side: usize, [x, down, yaw]: [f64; 3], s: f64) -> Stance {
    let end = on_heel(x, down + STRIDE, STRIKE);
    let z = hermite([down, end[2]], [0.3, 0.1], s);
    let lift = LIFT * (4.0 * s * (1.0 - s)).powf(0.8);
    let y = hermite([metres(share::BALL_HEIGHT), end[1]], [0.0, 0.0], s) + lift;
    let heel_up = hermite([PUSH, STRIKE], [30.0, -10.0], s);
    let toes_up = hermite([PUSH, 0.0], [-40.0, 0.0], s.min(0.6) / 0.6);
    stance.foot(side, [x, y, z], heel_up, yaw, toes_up)
}

/// Position of the ball of a foot that rests on its heel and has its ball at `z` when flat.
fn on_heel(x: f64, z: f64, heel_up: f64) -> [f64; 3] {
    let (sin, cos) = heel_up.to_radians().sin_cos();
    let (up, ahead) = (metres(share::BALL_HEIGHT), metres(share::BALL + share::HEEL));
    // The heel is round: its lowest point is slightly ahead of its end.
    let pivot = 0.02;
    [x, up * cos - (ahead - pivot) * sin, z + up * sin + (ahead - pivot) * (cos - 1.0)]
}
