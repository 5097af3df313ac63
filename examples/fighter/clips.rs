//! The clips: idle, walk, guard, jab and kick, and the times at which feet are planted.
//!
//! Key stances are given here; arms and legs are solved every 1/30 s, and the player interpolates
//! between those times.

use std::f64::consts::TAU;
use std::sync::Arc;

use boxwood::motion::{Clip, Clips, Interpolation, Keys, Skeleton, Track};

use super::keys::{Key, between};
use super::skeleton::{CHEST, COUNT, HEAD, HIPS, LEFT, NECK, RIGHT, SPINE};
use super::stance::Stance;
use super::walk::{self, walk};

/// Key frames per second.
const RATE: f64 = 30.0;

/// A clip before it is sampled.
pub struct Motion {
    pub name: &'static str,
    /// Duration [s].
    pub duration: f64,
    /// `true` if it ends in the stance it begins with; the walk a stride further.
    pub loops: bool,
    /// Stance at a time [s].
    stance: fn(f64) -> Stance,
}

/// All clips. `guard`, `jab` and `kick` begin and end in the same stance, so they can follow one
/// another.
pub const MOTIONS: [Motion; 5] = [
    Motion { name: "idle", duration: 2.0, loops: true, stance: idle },
    Motion { name: "walk", duration: walk::CYCLE, loops: true, stance: walk },
    Motion { name: "guard", duration: 1.0, loops: true, stance: sway },
    Motion { name: "jab", duration: 0.7, loops: false, stance: jab },
    Motion { name: "kick", duration: 1.1, loops: false, stance: kick },
];

/// A foot that is planted for a while.
pub struct Plant {
    pub clip: &'static str,
    pub side: usize,
    /// `true` if the whole foot is planted, `false` if only the toes.
    pub flat: bool,
    /// Begin and end [s].
    pub from: f64,
    pub until: f64,
}

/// Returns all times at which a sole, or the toes of a foot whose heel is up, are planted.
pub fn plants() -> Vec<Plant> {
    let plant = |clip, side, flat, [from, until]: [f64; 2]| Plant { clip, side, flat, from, until };
    let mut plants = vec![
        plant("idle", LEFT, true, [0.0, 2.0]),
        plant("idle", RIGHT, true, [0.0, 2.0]),
        plant("guard", LEFT, true, [0.0, 1.0]),
        plant("guard", RIGHT, false, [0.0, 1.0]),
        plant("jab", LEFT, true, [0.0, 0.7]),
        plant("jab", RIGHT, false, [0.0, 0.7]),
        plant("kick", LEFT, true, [0.0, 1.1]),
        plant("kick", RIGHT, false, [0.0, KICK_OFF]),
        plant("kick", RIGHT, false, [KICK_BACK, 1.1]),
    ];
    for side in [LEFT, RIGHT] {
        let time = |share: f64| (share + walk::PHASES[side]) * walk::CYCLE;
        let times = |a, b| [time(a).max(0.0), time(b).min(walk::CYCLE)];
        plants.push(plant("walk", side, true, times(walk::FLAT, walk::HEEL_OFF)));
        plants.push(plant("walk", side, false, times(walk::FLAT, walk::TOE_OFF)));
    }
    plants
}

/// Relaxed upright stance, breathing.
fn idle(t: f64) -> Stance {
    let breath = (TAU * t / 2.0).sin();
    let sway = (TAU * t / 2.0).cos();
    let mut stance = Stance::NOTHING
        .hips(0.006 * sway, 0.922 + 0.003 * breath, 0.0)
        .turn(HIPS, 1.0, 0.0, 0.6 * sway)
        .turn(SPINE, 1.5 - 0.8 * breath, 0.0, -0.8 * sway)
        .turn(CHEST, 1.0 - 1.2 * breath, 0.0, 0.3 * sway)
        .turn(NECK, 4.0, 0.0, 0.0)
        .turn(HEAD, -6.0 + 1.2 * breath, 0.0, 0.0);
    for side in [LEFT, RIGHT] {
        let out = if side == LEFT { 1.0 } else { -1.0 };
        stance = stance
            .shoulder(side, 1.5 * breath - 3.0, 2.0)
            .wrist(side, out * 0.285 + 0.006 * sway, 0.868 + 0.006 * breath, 0.075)
            .elbow(side, 0.5, 0.0, -1.0)
            .fist(side, 25.0, 0.0)
            .planted(side, out * 0.125, 0.10, out * 9.0, 0.0);
    }
    stance
}

/// The fighting stance, left side forward.
fn guard() -> Stance {
    Stance::NOTHING
        .hips(0.0, 0.865, 0.0)
        .turn(HIPS, 4.0, -28.0, 0.0)
        .turn(SPINE, 8.0, -4.0, 0.0)
        .turn(CHEST, 8.0, -6.0, 0.0)
        .turn(NECK, 4.0, 16.0, 0.0)
        .turn(HEAD, -8.0, 20.0, 0.0)
        .shoulder(LEFT, 4.0, 8.0)
        .shoulder(RIGHT, 4.0, 6.0)
        .wrist(LEFT, 0.13, 1.40, 0.44)
        .elbow(LEFT, 0.45, -1.0, 0.1)
        .fist(LEFT, 40.0, 5.0)
        .wrist(RIGHT, -0.09, 1.37, 0.27)
        .elbow(RIGHT, 0.5, -1.0, 0.0)
        .fist(RIGHT, 40.0, 5.0)
        .planted(LEFT, 0.10, 0.34, -12.0, 0.0)
        .planted(RIGHT, -0.19, -0.13, -40.0, 14.0)
}

/// Fighting stance, bobbing a little.
fn sway(t: f64) -> Stance {
    let (sin, cos) = (TAU * t).sin_cos();
    let bob = 0.008 * (1.0 - cos);
    guard()
        .hips(0.006 * sin, 0.865 - bob, 0.004 * sin)
        .turn(SPINE, 8.0 + 0.8 * (1.0 - cos), -4.0, 0.0)
        .wrist(LEFT, 0.13, 1.40 - bob + 0.010 * sin, 0.44 + 0.008 * sin)
        .wrist(RIGHT, -0.09, 1.37 - bob - 0.006 * sin, 0.27)
}

/// A straight left at head height.
fn jab(t: f64) -> Stance {
    let hit = guard()
        .hips(0.02, 0.85, 0.07)
        .turn(HIPS, 5.0, -38.0, 0.0)
        .turn(CHEST, 7.0, -16.0, 0.0)
        .turn(NECK, 6.0, 24.0, 0.0)
        .turn(HEAD, -8.0, 30.0, 0.0)
        .shoulder(LEFT, 10.0, 18.0)
        .wrist(LEFT, 0.03, 1.46, 0.95)
        .elbow(LEFT, 1.0, -0.8, 0.0)
        .fist(LEFT, 85.0, 0.0)
        .wrist(RIGHT, -0.07, 1.38, 0.29)
        .planted(RIGHT, -0.19, -0.13, -40.0, 30.0);
    let load = guard().hips(-0.01, 0.858, -0.02).wrist(LEFT, 0.13, 1.39, 0.40);
    let keys: [Key; 5] = [(0.0, guard()), (0.08, load), (0.24, hit), (0.30, hit), (0.7, guard())];
    between(&keys, t)
}

/// Time when the kicking foot leaves the floor, and when it is back [s].
const KICK_OFF: f64 = 0.10;
const KICK_BACK: f64 = 1.02;

/// A front kick of the right foot at the height of the belt.
fn kick(t: f64) -> Stance {
    let push = guard()
        .hips(0.03, 0.872, 0.06)
        .wrist(LEFT, 0.16, 1.40, 0.49)
        .wrist(RIGHT, -0.07, 1.37, 0.32)
        .planted(RIGHT, -0.19, -0.13, -40.0, 30.0);
    let knee_up = guard()
        .hips(0.06, 0.885, 0.14)
        .turn(HIPS, -8.0, -8.0, 0.0)
        .turn(SPINE, 8.0, -6.0, 0.0)
        .turn(CHEST, 8.0, -8.0, 0.0)
        .turn(NECK, 6.0, 8.0, 0.0)
        .turn(HEAD, -6.0, 12.0, 0.0)
        .wrist(LEFT, 0.20, 1.40, 0.46)
        .wrist(RIGHT, -0.10, 1.36, 0.30)
        .foot(RIGHT, [0.01, 0.66, 0.46], 0.0, -6.0, 20.0);
    let hit = knee_up
        .hips(0.05, 0.885, 0.18)
        .turn(HIPS, -20.0, 8.0, 0.0)
        .turn(SPINE, 6.0, -10.0, 0.0)
        .turn(CHEST, 8.0, -14.0, 0.0)
        .wrist(LEFT, 0.22, 1.36, 0.36)
        .wrist(RIGHT, -0.12, 1.33, 0.26)
        .foot(RIGHT, [0.02, 1.08, 1.12], -65.0, 0.0, 25.0);
    let keys: [Key; 8] = [
        (0.0, guard()),
        (KICK_OFF, push),
        (0.30, knee_up),
        (0.44, hit),
        (0.52, hit),
        (0.68, knee_up),
        (KICK_BACK, push),
        (1.1, guard()),
    ];
    between(&keys, t)
}

/// The clips for `skeleton`.
pub fn clips(skeleton: &Arc<Skeleton<f32>>) -> Clips<f32> {
    Clips::new(MOTIONS.iter().map(|motion| motion.clip(skeleton)).collect()).expect("names differ")
}

impl Motion {
    /// Samples the stance at a rate as near to [`RATE`] as whole frames allow.
    fn clip(&self, skeleton: &Arc<Skeleton<f32>>) -> Clip<f32> {
        let frames = (self.duration * RATE).round() as usize;
        let time = |frame: usize| self.duration * frame as f64 / frames as f64;
        let times: Vec<f32> = (0..=frames).map(|f| time(f) as f32).collect();
        let solved: Vec<_> = (0..=frames).map(|f| (self.stance)(time(f)).solve()).collect();
        let track = |joint, keys| {
            Track::new(joint, times.clone(), keys, Interpolation::Linear)
                .expect("keys are in order")
        };
        let hips = solved.iter().map(|(hips, _)| hips.map(|c| c as f32)).collect();
        let mut tracks = vec![track(HIPS, Keys::Translation(hips))];
        for joint in 0..COUNT {
            let turns =
                solved.iter().map(|(_, turns)| turns[joint].coords.map(|c| c as f32).into());
            tracks.push(track(joint, Keys::Rotation(turns.collect())));
        }
        Clip::new(self.name, skeleton, tracks).expect("joints exist")
    }
}
