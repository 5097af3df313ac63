//! Least translation by brute force: many directions, then descent from the best.

use boxwood::nalgebra::{Unit, Vector3};
use boxwood::tree::{TreePair, TreeScratch};

/// Number of descent steps from a direction; the step width is halved after every failure.
const STEPS: usize = 40;
/// Number of directions from which the descent starts.
const STARTS: usize = 6;

/// Returns the least length over many directions, by their last contacts.
pub fn least(pair: &TreePair<'_, f32>, count: usize, scratch: &mut TreeScratch) -> f32 {
    let mut length = |direction: Vector3<f32>| {
        let passage = pair.passage(Unit::new_normalize(direction), scratch).ok().flatten();
        passage.map_or(0.0, |passage| passage.last.shift)
    };
    let mut found: Vec<(f32, Vector3<f32>)> =
        spiral(count).map(|direction| (length(direction), direction)).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let starts = found.iter().take(STARTS).copied();
    let downhill = starts.map(|(mut least, mut at)| {
        let mut width = 2.0 / (count as f32).sqrt();
        for _ in 0..STEPS {
            let axis = if at.x.abs() < 0.7 { Vector3::x() } else { Vector3::y() };
            let across = at.cross(&axis).normalize();
            let other = at.cross(&across);
            let steps = [across, -across, other, -other];
            let next = steps.map(|step| (at + step * width).normalize());
            let next = next.map(|direction| (length(direction), direction));
            let best = next.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
            match best {
                Some((shorter, direction)) if shorter < least => (least, at) = (shorter, direction),
                _ => width *= 0.5,
            }
        }
        least
    });
    downhill.fold(f32::INFINITY, f32::min)
}

/// Evenly distributed directions, by the golden angle.
fn spiral(count: usize) -> impl Iterator<Item = Vector3<f32>> {
    (0..count).map(move |i| {
        let z = 1.0 - (2.0 * i as f32 + 1.0) / count as f32;
        let (angle, wide) = (i as f32 * 2.399_963_2, (1.0 - z * z).sqrt());
        Vector3::new(wide * angle.cos(), wide * angle.sin(), z)
    })
}
