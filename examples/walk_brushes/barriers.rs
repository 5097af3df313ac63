//! Light barriers: triggers a millimetre thick that a runner passes through between two frames.

use boxwood::Error;
use boxwood::brush::{Brush, BrushFilter, BrushWorld, WalkScratch, Walker};
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::shape::{Aabb, UprightCylinder};
use boxwood::{CollisionGroups, brush::BrushId};

use crate::level;
use crate::walks::{RATE, SCALE};

/// Radius of the runner [m]: at 30 m/s it passes a barrier in less than half a frame.
const RADIUS: f64 = 0.1;
/// Speed of the runner [m/s].
const SPEED: f64 = 30.0;
/// Thickness of a barrier [m].
const THICKNESS: f64 = 0.001;
/// Positions of the barriers along the way [units]: before, on and behind the stairs, on the ramp.
const BARRIERS: [f64; 6] = [75.0, 139.0, 171.0, 288.0, 405.0, 500.0];

/// Barrier that the runner passed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passed {
    pub barrier: BrushId,
    /// Frames from the start to the first contact.
    pub frames: f64,
    /// Set if no frame begins or ends in contact: tests of positions would have missed it.
    pub is_between_frames: bool,
}

/// Builds the barriers across the stairs.
fn barriers() -> Result<BrushWorld, Error> {
    let mut world = BrushWorld::builder();
    for x in BARRIERS {
        let low = Point3::new(x, 416.0, 0.0) * SCALE;
        let size = Vector3::new(THICKNESS, 128.0 * SCALE, 4.0);
        world.push(Brush::from_aabb(&Aabb::new(low, low + size))?, CollisionGroups::ALL);
    }
    world.build()
}

/// Runs up the stairs and down the ramp; returns the barriers in the order in which they were
/// passed.
pub fn passed(world: &BrushWorld) -> Result<Vec<Passed>, Error> {
    let (barriers, mut passed) = (barriers()?, Vec::new());
    let walker = Walker::new(UprightCylinder::new(RADIUS, 0.875)?).step(0.5625);
    let (mut scratch, mut hits, mut known) = (WalkScratch::new(), Vec::new(), Vec::new());
    let start = Point3::from(level::START.map(|x| x as f64 * SCALE));
    let mut at = walker.push_out(world, start, &mut scratch)?;
    for frame in 0..32 {
        let way = Vector3::new(SPEED / RATE, 0.0, -0.1);
        walker.walk(world, &mut at, way, &mut scratch)?;
        walker.passages(&barriers, &scratch, &BrushFilter::default(), &mut hits)?;
        for hit in hits.iter().filter(|hit| !known.contains(&hit.target)) {
            passed.push(Passed {
                barrier: hit.target,
                frames: f64::from(frame) + hit.time_of_impact,
                is_between_frames: !hit.started_inside && hit.time_of_leaving.is_finite(),
            });
        }
        known.clear();
        known.extend(hits.iter().map(|hit| hit.target));
    }
    Ok(passed)
}

/// Prints when each barrier was passed.
pub fn print(world: &BrushWorld) -> Result<(), Error> {
    let passed = passed(world)?;
    let between = passed.iter().filter(|one| one.is_between_frames).count();
    println!("a run at {SPEED} m/s through light barriers, {THICKNESS} m thick");
    for one in &passed {
        println!("  barrier {} at {:.3} s", one.barrier.0, one.frames / RATE);
    }
    println!("  {} barriers passed, {between} of them between two frames", passed.len());
    Ok(())
}
