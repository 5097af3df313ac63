//! Random values of a robot's joints, posed.

use std::f64::consts::PI;
use std::sync::Arc;

use boxwood::motion::Mechanism;
use boxwood::{Error, Pose};

use super::Poses;
use crate::random::Random;

/// Configurations of a seed: the same on every machine.
pub struct Configurations {
    mechanism: Arc<Mechanism>,
    count: usize,
    seed: u64,
    random: Random,
    limits: Vec<[f64; 2]>,
    values: Vec<f32>,
    poses: Vec<Pose>,
}

impl Configurations {
    pub fn new(mechanism: &Arc<Mechanism>, count: usize, seed: u64) -> Self {
        // An actuator without limits gets one full turn.
        let limits =
            mechanism.actuators().iter().map(|actuator| actuator.limits.unwrap_or([-PI, PI]));
        Configurations {
            mechanism: Arc::clone(mechanism),
            count,
            seed,
            random: Random(seed),
            limits: limits.collect(),
            values: Vec::new(),
            poses: Vec::new(),
        }
    }

    fn next(&mut self) {
        self.values.clear();
        for &[least, most] in &self.limits {
            self.values.push(self.random.between(least, most) as f32);
        }
    }
}

impl Poses for Configurations {
    fn count(&self) -> usize {
        self.count
    }

    /// Poses the configurations in order; index 0 restarts the sequence.
    fn at(&mut self, index: usize) -> Result<&[Pose], Error> {
        if index == 0 {
            self.random = Random(self.seed);
        }
        self.next();
        self.mechanism.poses(&self.values, &mut self.poses)?;
        Ok(&self.poses)
    }
}
