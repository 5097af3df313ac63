//! Random configurations, posed and tested.

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::time::Instant;

use boxwood::load::Robot;
use boxwood::{Error, PartId, Pose, Scratch};

use crate::arguments::Arguments;

/// What came out.
pub struct Samples {
    pub count: usize,
    /// How many configurations have a pair that touches.
    pub colliding: usize,
    /// In how many configurations each pair touches.
    pub pairs: BTreeMap<(PartId, PartId), usize>,
    /// Seconds for the poses alone, with the yes or no, with all pairs.
    pub posing: f64,
    pub asking: f64,
    pub pairing: f64,
}

/// The configurations of a seed: the same on every machine.
struct Configurations {
    /// Splitmix64 (Steele, Lea, Flood 2014).
    state: u64,
    limits: Vec<[f64; 2]>,
    values: Vec<f32>,
}

impl Configurations {
    fn new(robot: &Robot<f32>, seed: u64) -> Self {
        // A joint that turns on and on turns once.
        let limits = robot.mechanism.drives().iter().map(|drive| drive.limits.unwrap_or([-PI, PI]));
        Configurations { state: seed, limits: limits.collect(), values: Vec::new() }
    }

    fn next(&mut self) -> &[f32] {
        self.values.clear();
        for &[least, most] in &self.limits {
            self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = self.state;
            bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            let share = ((bits ^ bits >> 31) >> 11) as f64 / (1_u64 << 53) as f64;
            self.values.push((least + (most - least) * share) as f32);
        }
        &self.values
    }
}

/// Poses the robot as often as asked for, and hands the poses on; says how many seconds that took.
fn each_pose(
    robot: &Robot<f32>,
    arguments: &Arguments,
    mut each: impl FnMut(&[Pose]) -> Result<(), Error>,
) -> Result<f64, Error> {
    let mut configurations = Configurations::new(robot, arguments.seed);
    let mut poses = Vec::new();
    let start = Instant::now();
    for _ in 0..arguments.samples {
        robot.mechanism.poses(configurations.next(), &mut poses)?;
        each(&poses)?;
    }
    Ok(start.elapsed().as_secs_f64())
}

/// Every configuration three times: posed, asked whether anything touches, and asked what.
pub fn samples(robot: &Robot<f32>, arguments: &Arguments) -> Result<Samples, Error> {
    let (model, accuracy) = (&robot.model, arguments.accuracy);
    let mut scratch = Scratch::default();
    let mut pairs = BTreeMap::new();
    let [mut colliding, mut touched] = [0, 0];
    let posing = each_pose(robot, arguments, |_| Ok(()))?;
    let asking = each_pose(robot, arguments, |poses| {
        colliding += usize::from(model.self_intersects(poses, accuracy, &mut scratch)?);
        Ok(())
    })?;
    let pairing = each_pose(robot, arguments, |poses| {
        let found = model.self_pairs(poses, accuracy, &mut scratch)?;
        touched += usize::from(!found.is_empty());
        found.iter().for_each(|&pair| *pairs.entry(pair).or_insert(0) += 1);
        Ok(())
    })?;
    assert_eq!(colliding, touched, "yes or no is whether there is a pair");
    Ok(Samples { count: arguments.samples, colliding, pairs, posing, asking, pairing })
}
