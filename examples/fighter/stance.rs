//! Stances: the given quantities of a pose (hips, spine, wrists, soles), and the joint rotations
//! that follow from them.

use nalgebra::{UnitQuaternion, Vector3};

use super::reach::{Hinge, two_bones};
use super::skeleton::{self as joint, LEFT, RIGHT, offsets, parents};

/// Given numbers, in groups of three; lengths in metres in the model's frame, angles in degrees.
#[derive(Clone, Copy)]
pub struct Stance(pub [[f64; 3]; 18]);

const HIPS_AT: usize = 0;
const TURNS: usize = 1; // hips, spine, chest, neck, head, clavicles: indices of the joints
const SHOULDERS: usize = 6;
const WRISTS: usize = 8;
const ELBOWS: usize = 10;
const FISTS: usize = 12;
const BALLS: usize = 14;
const FEET: usize = 16;

/// +1 on the left (+X), -1 on the right.
fn sign(side: usize) -> f64 {
    if side == LEFT { 1.0 } else { -1.0 }
}

impl Stance {
    /// Stance with hips at the origin, all else zero.
    pub const NOTHING: Stance = Stance([[0.0; 3]; 18]);

    /// Sets the position of the hips joint.
    pub fn hips(self, x: f64, y: f64, z: f64) -> Self {
        self.set(HIPS_AT, [x, y, z])
    }

    /// Sets the rotation of a joint of the trunk relative to its parent: forward lean, turn to the
    /// left, lean to the right.
    pub fn turn(self, joint: usize, pitch: f64, yaw: f64, roll: f64) -> Self {
        self.set(TURNS + joint, [pitch, yaw, roll])
    }

    /// Sets how far a shoulder is drawn up and forward.
    pub fn shoulder(self, side: usize, raise: f64, forward: f64) -> Self {
        self.set(SHOULDERS + side, [0.0, -forward * sign(side), raise * sign(side)])
    }

    /// Sets the position of a wrist.
    pub fn wrist(self, side: usize, x: f64, y: f64, z: f64) -> Self {
        self.set(WRISTS + side, [x, y, z])
    }

    /// Sets the approximate direction of an elbow; `out` is away from the mid-line.
    pub fn elbow(self, side: usize, out: f64, y: f64, z: f64) -> Self {
        self.set(ELBOWS + side, [out * sign(side), y, z])
    }

    /// Sets the pronation of a fist, and its forward bend at the wrist.
    pub fn fist(self, side: usize, pronation: f64, bend: f64) -> Self {
        self.set(FISTS + side, [-bend, -pronation * sign(side), 0.0])
    }

    /// Sets a foot: position of its ball, lift of the heel, turn of the toes to the left, bend of
    /// the toes up.
    pub fn foot(self, side: usize, ball: [f64; 3], heel_up: f64, yaw: f64, toes_up: f64) -> Self {
        self.set(BALLS + side, ball).set(FEET + side, [heel_up, yaw, toes_up])
    }

    /// Sets a foot on the floor, flat or on its toes.
    pub fn planted(self, side: usize, x: f64, z: f64, yaw: f64, heel_up: f64) -> Self {
        self.foot(side, [x, BALL_HEIGHT, z], heel_up, yaw, heel_up)
    }

    fn set(mut self, group: usize, value: [f64; 3]) -> Self {
        self.0[group] = value;
        self
    }

    fn vector(&self, group: usize) -> Vector3<f64> {
        Vector3::from(self.0[group])
    }

    /// Returns the position of the hips joint, and the rotation of each joint relative to its
    /// parent.
    pub fn solve(&self) -> (Vector3<f64>, [UnitQuaternion<f64>; joint::COUNT]) {
        let mut bones = Solver::new(self.vector(HIPS_AT));
        for joint in joint::HIPS..=joint::HEAD {
            bones.turn(joint, turn(self.0[TURNS + joint]));
        }
        for side in [LEFT, RIGHT] {
            bones.turn(joint::CLAVICLE[side], turn(self.0[SHOULDERS + side]));
            let arm = [joint::UPPER_ARM[side], joint::FOREARM[side], joint::HAND[side]];
            bones.reach(arm, self.vector(WRISTS + side), -self.vector(ELBOWS + side), Hinge::Elbow);
            bones.turn(joint::HAND[side], turn(self.0[FISTS + side]));
            self.stand(&mut bones, side);
        }
        (bones.at[joint::HIPS], bones.local)
    }

    fn stand(&self, bones: &mut Solver, side: usize) {
        let [heel_up, yaw, toes_up] = self.0[FEET + side];
        let sole = turn([heel_up, yaw, 0.0]);
        let ankle = self.vector(BALLS + side) - sole * bones.offsets[joint::TOES[side]];
        let leg = [joint::THIGH[side], joint::SHIN[side], joint::FOOT[side]];
        // Knees follow the toes; the upward component gives a raised leg a direction to fold in.
        bones.reach(leg, ankle, turn([0.0, yaw, 0.0]) * Vector3::new(0.0, 0.6, 1.0), Hinge::Knee);
        bones.orient(joint::FOOT[side], sole);
        bones.turn(joint::TOES[side], turn([-toes_up, 0.0, 0.0]));
    }
}

const BALL_HEIGHT: f64 = super::proportions::metres(super::proportions::BALL_HEIGHT);

/// Rotation by yaw about Y, then pitch about X, then roll about Z, each in the rotated frame
/// [degrees].
fn turn([pitch, yaw, roll]: [f64; 3]) -> UnitQuaternion<f64> {
    let about = |axis, angle: f64| UnitQuaternion::from_axis_angle(&axis, angle.to_radians());
    about(Vector3::y_axis(), yaw) * about(Vector3::x_axis(), pitch) * about(Vector3::z_axis(), roll)
}

/// Forward kinematics, a joint at a time, parents first.
struct Solver {
    parents: [Option<usize>; joint::COUNT],
    offsets: [Vector3<f64>; joint::COUNT],
    at: [Vector3<f64>; joint::COUNT],
    /// Rotations joint -> model.
    whole: [UnitQuaternion<f64>; joint::COUNT],
    /// Rotations joint -> parent.
    local: [UnitQuaternion<f64>; joint::COUNT],
}

impl Solver {
    fn new(hips: Vector3<f64>) -> Self {
        let none = [UnitQuaternion::identity(); joint::COUNT];
        let at = [hips; joint::COUNT];
        Solver { parents: parents(), offsets: offsets(), at, whole: none, local: none }
    }

    /// Rotates a joint relative to its parent.
    fn turn(&mut self, joint: usize, local: UnitQuaternion<f64>) {
        self.local[joint] = local;
        self.whole[joint] = local;
        if let Some(parent) = self.parents[joint] {
            self.whole[joint] = self.whole[parent] * local;
            self.at[joint] = self.at[parent] + self.whole[parent] * self.offsets[joint];
        }
    }

    /// Rotates a joint to an orientation in the model.
    fn orient(&mut self, joint: usize, whole: UnitQuaternion<f64>) {
        let parent = self.parents[joint].map_or(UnitQuaternion::identity(), |p| self.whole[p]);
        self.turn(joint, parent.inverse() * whole);
    }

    /// Rotates the first two joints of a limb so that the third one reaches `target`.
    fn reach(&mut self, limb: [usize; 3], target: Vector3<f64>, front: Vector3<f64>, hinge: Hinge) {
        let [upper, lower, end] = limb;
        self.turn(upper, UnitQuaternion::identity());
        let lengths = [self.offsets[lower].norm(), self.offsets[end].norm()];
        let [first, second] = two_bones(target - self.at[upper], lengths, front, hinge);
        self.orient(upper, first);
        self.orient(lower, second);
        self.turn(end, UnitQuaternion::identity());
    }
}
