//! Paths of parts, and their poses and velocities at a step of the tick, computed on demand along
//! their chains.

use super::character_paths::{PartIndex, PathSource};
use super::path::{ChainBounds, LEVELS, PartPath, STEPS, middle_rotation};
use crate::motion::{Quat, RigidMotion, rotated};
use crate::num::Scalar;
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
    /// Number of the part among those of all characters.
    number: u32,
    /// Poses in the world before and after the tick.
    world: [RigidMotion; 2],
    /// Path of the part; the parent's index is that of a state.
    path: PartPath,
    /// Step of `moving`.
    step: u32,
    moving: MovingPart,
    /// Rotations by level of halving, and the steps for which they hold: those of a path down the
    /// tree of halvings, of which the next step mostly shares the upper levels.
    rotations: [(u32, Quat); LEVELS],
}

const NO_STEP: u32 = u32::MAX;

/// Paths of the parts that were asked for, and their poses at the steps asked for last.
#[derive(Debug, Clone, Default)]
pub(super) struct PartPoses {
    /// Index of the state of each part by number, if it has one.
    slots: Vec<u32>,
    states: Vec<PartState>,
    chain: Vec<u32>,
    /// Parts without a state, each the parent of the one before.
    missing: Vec<PartIndex>,
}

const NO_STATE: u32 = u32::MAX;

impl PartPoses {
    /// Forgets everything; the numbers of parts are below that.
    pub fn reset(&mut self, parts: usize) {
        if self.slots.len() == parts {
            // Clears only the slots that were used.
            for state in &self.states {
                self.slots[state.number as usize] = NO_STATE;
            }
        } else {
            self.slots.clear();
            self.slots.resize(parts, NO_STATE);
        }
        self.states.clear();
    }

    /// Returns the motion of a part at a step.
    pub fn at<T: Scalar>(
        &mut self,
        source: &PathSource<'_, T>,
        part: PartIndex,
        step: u32,
    ) -> MovingPart {
        self.chain.clear();
        let mut next = Some(self.state(source, part));
        let mut above = None;
        while let Some(index) = next {
            let state = &self.states[index as usize];
            if state.step == step {
                above = Some(state.moving);
                break;
            }
            self.chain.push(index);
            next = state.path.parent;
        }
        while let Some(index) = self.chain.pop() {
            let state = &mut self.states[index as usize];
            let moving = state.moving_at(above, step);
            (state.moving, state.step) = (moving, step);
            above = Some(moving);
        }
        above.unwrap_or(MovingPart::STILL)
    }

    /// Returns bounds on the motion of a part.
    pub fn bounds<T: Scalar>(
        &mut self,
        source: &PathSource<'_, T>,
        part: PartIndex,
    ) -> ChainBounds {
        let state = self.state(source, part);
        self.states[state as usize].path.bounds
    }

    /// Returns the index of the state of a part; computes its path, and those of its parents, on
    /// first use.
    fn state<T: Scalar>(&mut self, source: &PathSource<'_, T>, part: PartIndex) -> u32 {
        let slot = self.slots[source.number(part)];
        if slot != NO_STATE {
            return slot;
        }
        self.missing.clear();
        let (mut next, mut parent) = (Some(part), None);
        while let Some(part) = next {
            let slot = self.slots[source.number(part)];
            if slot != NO_STATE {
                parent = Some(slot);
                break;
            }
            self.missing.push(part);
            next = source.parent(part);
        }
        while let Some(part) = self.missing.pop() {
            let (number, world) = (source.number(part), source.ends_of(part));
            let above = parent.map(|index| {
                let PartState { world, path, .. } = &self.states[index as usize];
                (index, world, path)
            });
            let path = source.path(part, &world, above);
            let index = self.states.len() as u32;
            self.slots[number] = index;
            self.states.push(PartState::new(number as u32, world, path));
            parent = Some(index);
        }
        parent.unwrap_or(NO_STATE)
    }
}

impl MovingPart {
    const STILL: MovingPart =
        MovingPart { pose: RigidMotion::IDENTITY, linear: [0.0; 3], angular: [0.0; 3] };
}

impl PartState {
    fn new(number: u32, world: [RigidMotion; 2], path: PartPath) -> Self {
        PartState {
            number,
            world,
            path,
            step: NO_STEP,
            moving: MovingPart::STILL,
            rotations: [(NO_STEP, [0.0; 4]); LEVELS],
        }
    }

    fn moving_at(&mut self, above: Option<MovingPart>, step: u32) -> MovingPart {
        let rotation = self.rotation(step);
        let path = &self.path;
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
    fn rotation(&mut self, step: u32) -> Quat {
        let [first, second] = self.path.ends.map(|end| end.rotation);
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
