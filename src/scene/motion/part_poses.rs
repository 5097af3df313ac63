//! Poses and velocities of parts at a step of the tick, computed on demand along their chains.

use super::path::{LEVELS, PartPath, STEPS, middle_rotation};
use crate::motion::{Quat, RigidMotion, rotated};
use crate::num::linear::{Vec3, add, cross};

/// Motion of a part at a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovingPart {
    /// Pose in the world.
    pub pose: RigidMotion,
    /// Velocity of the origin. [world frame, 1 / tick]
    pub linear: Vec3,
    /// Angular velocity. [world frame, 1 / tick]
    pub angular: Vec3,
}

/// State kept of one part.
#[derive(Debug, Clone, Copy)]
struct PartState {
    path: u32,
    /// Step of `moving`.
    step: u32,
    moving: MovingPart,
    /// Rotations by level of halving, and the steps for which they hold: those of a path down the
    /// tree of halvings, of which the next step mostly shares the upper levels.
    rotations: [(u32, Quat); LEVELS],
}

const NO_STEP: u32 = u32::MAX;

/// Poses at the steps asked for last.
#[derive(Debug, Clone, Default)]
pub(super) struct PartPoses {
    /// Index of the state of each path, if it has one.
    slots: Vec<u32>,
    states: Vec<PartState>,
    chain: Vec<u32>,
}

const NO_STATE: u32 = u32::MAX;

impl PartPoses {
    /// Forgets everything; there are that many paths.
    pub fn reset(&mut self, paths: usize) {
        if self.slots.len() == paths {
            // Clears only the slots that were used.
            for state in &self.states {
                self.slots[state.path as usize] = NO_STATE;
            }
        } else {
            self.slots.clear();
            self.slots.resize(paths, NO_STATE);
        }
        self.states.clear();
    }

    /// Returns the motion of a part at a step.
    pub fn at(&mut self, paths: &[PartPath], part: u32, step: u32) -> MovingPart {
        self.chain.clear();
        let mut next = Some(part);
        let mut above = None;
        while let Some(path) = next {
            let state = self.state(path);
            if self.states[state].step == step {
                above = Some(self.states[state].moving);
                break;
            }
            self.chain.push(path);
            next = paths[path as usize].parent;
        }
        while let Some(path) = self.chain.pop() {
            let state = self.slots[path as usize] as usize;
            let moving = self.states[state].moving_at(&paths[path as usize], above, step);
            self.states[state].moving = moving;
            self.states[state].step = step;
            above = Some(moving);
        }
        above.unwrap_or(MovingPart::STILL)
    }

    fn state(&mut self, path: u32) -> usize {
        let slot = &mut self.slots[path as usize];
        if *slot == NO_STATE {
            *slot = self.states.len() as u32;
            self.states.push(PartState::new(path));
        }
        *slot as usize
    }
}

impl MovingPart {
    const STILL: MovingPart =
        MovingPart { pose: RigidMotion::IDENTITY, linear: [0.0; 3], angular: [0.0; 3] };
}

impl PartState {
    fn new(path: u32) -> Self {
        PartState {
            path,
            step: NO_STEP,
            moving: MovingPart::STILL,
            rotations: [(NO_STEP, [0.0; 4]); LEVELS],
        }
    }

    fn moving_at(&mut self, path: &PartPath, above: Option<MovingPart>, step: u32) -> MovingPart {
        let rotation = self.rotation(path, step);
        let local = RigidMotion { rotation, position: path.offset(step) };
        let Some(MovingPart { pose, linear, angular }) = above else {
            return MovingPart { pose: local, linear: path.linear, angular: path.angular };
        };
        let turned = |v: Vec3| rotated(pose.rotation, v);
        let lever = cross(angular, turned(local.position));
        MovingPart {
            pose: pose.times(&local),
            linear: add(add(linear, lever), turned(path.linear)),
            angular: add(angular, turned(path.angular)),
        }
    }

    /// Returns the rotation of a part in its parent at a step, by halvings of the arc.
    fn rotation(&mut self, path: &PartPath, step: u32) -> Quat {
        let [first, second] = path.ends.map(|end| end.rotation);
        if step == 0 || first == second {
            return first;
        }
        let (mut low, mut high) = ((0, first), (STEPS, second));
        for (at, rotation) in &mut self.rotations {
            if step == high.0 {
                return high.1;
            }
            let middle = u32::midpoint(low.0, high.0);
            if *at != middle {
                (*at, *rotation) = (middle, middle_rotation(low.1, high.1));
            }
            match step {
                _ if step == middle => return *rotation,
                _ if step < middle => high = (middle, *rotation),
                _ => low = (middle, *rotation),
            }
        }
        low.1
    }
}
