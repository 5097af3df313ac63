//! Overshoot of each variant over the exact sum, measured by casts from outside.

use boxwood::Error;
use boxwood::brush::{BrushFilter, BrushWorld};
use boxwood::nalgebra::{Point3, Vector2, Vector3};

use crate::corners::{Corner, HALF_HEIGHT, Mover, RADIUS};
use crate::level;
use crate::random::Random;

type Measured<'w> = (&'w BrushWorld, Mover);

/// Length of the path until a cylinder first touches.
fn free(
    (world, mover): Measured,
    start: Point3<f64>,
    way: Vector3<f64>,
) -> Result<Option<f64>, Error> {
    let hit = world.cast_cylinder(&mover.cylinder()?, start, way, &BrushFilter::default())?;
    Ok(hit.map(|hit| hit.length(way)))
}

/// Casts straight towards an upright corner from directions between the normals of its walls;
/// returns the greatest length by which the cylinder stops early [m].
pub fn at_corner(exact: Measured, other: Measured, corner: &Corner) -> Result<f64, Error> {
    let (first, mut most) = (corner.normals[0], 0.0_f64);
    for i in 0..=720 {
        let (sine, cosine) = (corner.turn() * f64::from(i) / 720.0).sin_cos();
        let out =
            Vector2::new(first.x * cosine - first.y * sine, first.x * sine + first.y * cosine);
        // Starts this close have no other pillar in between.
        let start = corner.at + out * (4.0 * RADIUS);
        let start = Point3::new(start.x, start.y, HALF_HEIGHT + 0.25);
        let way = Vector3::new(-out.x, -out.y, 0.0) * (4.0 * RADIUS);
        let (a, b) = (free(exact, start, way)?, free(other, start, way)?);
        most = most.max(a.zip(b).map_or(0.0, |(a, b)| a - b));
    }
    Ok(most)
}

/// Directions in which the exact sum is searched for from where a cylinder has stopped.
fn probes() -> Vec<Vector3<f64>> {
    // Spiral on the sphere, from straight up to straight down.
    (0..128)
        .map(|i| {
            let z = 1.0 - 2.0 * f64::from(i) / 127.0;
            let (sine, cosine) = (f64::from(i) * 2.399_963_229_728_653).sin_cos();
            let side = (1.0 - z * z).max(0.0).sqrt();
            Vector3::new(side * cosine, side * sine, z)
        })
        .collect()
}

/// Casts at random through the level. Returns the mean and the greatest distance to the exact sum
/// from where a variant stops, by the nearest of 128 probes [m].
pub fn in_level(exact: Measured, other: Measured, casts: u32) -> Result<[f64; 2], Error> {
    let (mut random, probes) = (Random(7), probes());
    let (mut sum, mut count, mut most) = (0.0, 0.0, 0.0_f64);
    for _ in 0..casts {
        let mut place = |low: f64, high: f64| {
            let plan = [random.between(20.0, 1004.0), random.between(20.0, 748.0)];
            let [x, y] = plan.map(|x| x * level::SCALE);
            Point3::new(x, y, random.between(low, high))
        };
        let (start, end) = (place(5.5, 6.5), place(HALF_HEIGHT + 0.01, 3.0));
        let way = end - start;
        let Some(length) = free(other, start, way)? else { continue };
        if length == 0.0 {
            continue;
        }
        let stop = start + way.normalize() * length;
        let mut nearest = f64::INFINITY;
        for probe in probes.iter().chain([&way.normalize()]) {
            // Each probe need only be as long as the nearest distance so far.
            let reach = nearest.min(8.0);
            nearest = nearest.min(free(exact, stop, probe * reach)?.unwrap_or(reach));
        }
        (sum, count, most) = (sum + nearest, count + 1.0, most.max(nearest));
    }
    Ok([if count > 0.0 { sum / count } else { 0.0 }, most])
}
