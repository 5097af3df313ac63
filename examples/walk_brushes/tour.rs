//! A tour of the small level.

use boxwood::Error;
use boxwood::brush::BrushWorld;
use boxwood::nalgebra::{Point3, Vector2};

use crate::level;
use crate::walks::{RATE, SPEED, Tourist, Walk};

/// Positions of the tour [units], and whether the walker is crouching.
const TOUR: [([f64; 2], bool); 16] = [
    ([288.0, 480.0], false),
    ([530.0, 480.0], false),
    ([610.0, 480.0], true),
    ([640.0, 404.0], false),
    ([816.0, 580.0], false),
    ([960.0, 700.0], false),
    ([960.0, 192.0], false),
    ([880.0, 56.0], false),
    ([650.0, 60.0], false),
    ([650.0, 300.0], false),
    ([400.0, 300.0], false),
    ([330.0, 60.0], false),
    ([60.0, 60.0], false),
    ([150.0, 330.0], false),
    ([48.0, 400.0], false),
    ([48.0, 480.0], false),
];

/// Walks up the stairs, down the ramp, through the low door, over the rotated ramp, past the
/// pillars.
pub fn tour(world: &BrushWorld) -> Result<Walk, Error> {
    let start = Point3::from(level::START.map(|x| x as f64 * level::SCALE));
    let mut tourist = Tourist::new(world, start)?;
    for (place, crouched) in TOUR {
        let place = Vector2::from(place) * level::SCALE;
        for _ in 0..600 {
            tourist.crouch(crouched);
            let to = place - tourist.at.position().xy().coords;
            if to.norm() < SPEED / RATE {
                tourist.walk.reached += 1;
                break;
            }
            tourist.frame(to.normalize())?;
        }
    }
    Ok(tourist.walk)
}

pub fn places() -> usize {
    TOUR.len()
}
