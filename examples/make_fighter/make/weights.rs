//! Which joints a corner of the skin follows, and how much.

use nalgebra::Point3;

use super::field::Field;
use crate::fighter::skeleton::COUNT;

/// How sharply a joint gives way to the next with the distance in radii.
const SHARPNESS: i32 = 7;
/// Joints with less than that share of the largest weight are left out.
const LEAST: f64 = 0.04;
/// What the weights of a corner sum to: the largest number of a byte, which stands for 1.
pub const WHOLE: u8 = u8::MAX;

/// Four joints and their weights, largest first; the unused ones are 0.
pub type Weights = ([u8; 4], [u8; 4]);

/// What the corner follows: the joints whose bodies are near in their own radii, and near in the skeleton.
pub fn weights(field: &Field, point: Point3<f64>) -> Weights {
    let near: [f64; COUNT] = std::array::from_fn(|joint| field.sees(joint, point).radii.max(0.7));
    let weight = |joint: usize| near[joint].powi(-SHARPNESS);
    let first =
        (0..COUNT).fold(0, |best, j| if weight(j) > weight(best) + 1e-9 { j } else { best });
    let share = |joint: usize| ((weight(joint) / weight(first) - LEAST) / (1.0 - LEAST)).max(0.0);
    let mut found: Vec<(usize, f64)> = (0..COUNT)
        .filter(|&j| apart(&field.parents, first, j) <= 2)
        .map(|j| (j, share(j)))
        .collect();
    found.retain(|(_, share)| *share > 0.0);
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.truncate(4);
    whole(&found)
}

/// Shares as whole numbers that sum to [`WHOLE`].
fn whole(found: &[(usize, f64)]) -> Weights {
    let sum: f64 = found.iter().map(|(_, share)| share).sum();
    let (mut joints, mut weights) = ([0; 4], [0; 4]);
    for (at, (joint, share)) in found.iter().enumerate().skip(1) {
        weights[at] = (share / sum * f64::from(WHOLE)).round() as u8;
        joints[at] = if weights[at] == 0 { 0 } else { *joint as u8 };
    }
    joints[0] = found[0].0 as u8;
    weights[0] = WHOLE - weights[1..].iter().sum::<u8>();
    (joints, weights)
}

/// How many bones lead from one joint to another.
fn apart(parents: &[Option<usize>; COUNT], a: usize, b: usize) -> usize {
    let up = |joint: usize| {
        std::iter::successors(Some(joint), |&joint| parents[joint]).collect::<Vec<_>>()
    };
    let (a, b) = (up(a), up(b));
    let shared = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    a.len() + b.len() - 2 * shared
}
