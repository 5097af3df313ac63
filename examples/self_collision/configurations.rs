//! Random values of a robot's joints, posed.

use std::f64::consts::PI;
use std::sync::Arc;

use boxwood::motion::Mechanism;
use boxwood::{Error, Pose};

use crate::arguments::Arguments;
use crate::posed_samples::Poses;

/// The configurations of a seed: the same on every machine.
pub struct Configurations {
    mechanism: Arc<Mechanism>,
    count: usize,
    seed: u64,
    /// Splitmix64 (Steele, Lea, Flood 2014).
    state: u64,
    limits: Vec<[f64; 2]>,
    values: Vec<f32>,
    poses: Vec<Pose>,
}

impl Configurations {
    pub fn new(mechanism: &Arc<Mechanism>, arguments: &Arguments) -> Self {
        // A joint that turns on and on turns once.
        let limits =
            mechanism.actuators().iter().map(|actuator| actuator.limits.unwrap_or([-PI, PI]));
        Configurations {
            mechanism: Arc::clone(mechanism),
            count: arguments.samples,
            seed: arguments.seed,
            state: arguments.seed,
            limits: limits.collect(),
            values: Vec::new(),
            poses: Vec::new(),
        }
    }

    fn next(&mut self) {
        self.values.clear();
        for &[least, most] in &self.limits {
            self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = self.state;
            bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            let share = ((bits ^ bits >> 31) >> 11) as f64 / (1_u64 << 53) as f64;
            self.values.push((least + (most - least) * share) as f32);
        }
    }
}

impl Poses for Configurations {
    fn count(&self) -> usize {
        self.count
    }

    /// One after the other; the first begins the sequence anew.
    fn at(&mut self, index: usize) -> Result<&[Pose], Error> {
        if index == 0 {
            self.state = self.seed;
        }
        self.next();
        self.mechanism.poses(&self.values, &mut self.poses)?;
        Ok(&self.poses)
    }
}
