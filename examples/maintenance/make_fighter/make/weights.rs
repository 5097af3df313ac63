//! Skinning weights of the vertices of the skin.

use nalgebra::Point3;

use super::body_field::Field;
use super::surface_nets::Net;
use crate::fighter::skeleton::COUNT;

/// Sharpness of the falloff of weights with the distance in radii.
const SHARPNESS: i32 = 7;
/// Number of blurring rounds, each about the width of a triangle.
const ROUNDS: usize = 4;
/// Joints with less than this share of the largest weight are omitted.
const LEAST: f64 = 0.04;
/// Sum of the weights of a vertex: the largest byte, which represents 1.
pub const WHOLE: u8 = u8::MAX;

/// Four joints and their weights, largest first; the unused ones are 0.
pub type Weights = ([u8; 4], [u8; 4]);

/// Weights of a vertex by joint.
type Shares = [f64; COUNT];

pub fn weights(field: &Field, net: &Net) -> Vec<Weights> {
    let mut shares: Vec<Shares> = net.points.iter().map(|point| shares(field, *point)).collect();
    (0..ROUNDS).for_each(|_| shares = blurred(net, &shares));
    shares.iter().map(whole).collect()
}

/// Weights of the joints whose bodies are near in their own radii, and near in the skeleton.
fn shares(field: &Field, point: Point3<f64>) -> Shares {
    let near: Shares = std::array::from_fn(|joint| field.sees(joint, point).radii.max(0.7));
    let weight = |joint: usize| near[joint].powi(-SHARPNESS);
    let first =
        (0..COUNT).fold(0, |best, j| if weight(j) > weight(best) + 1e-9 { j } else { best });
    let mut shares = std::array::from_fn(|joint| match apart(&field.parents, first, joint) {
        0..=2 => (weight(joint) / weight(first) - LEAST).max(0.0),
        _ => 0.0,
    });
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// Half of each vertex's own weights, plus half of the mean of its neighbours'.
fn blurred(net: &Net, shares: &[Shares]) -> Vec<Shares> {
    let mut sums = vec![([0.0; COUNT], 0.0); shares.len()];
    for quad in &net.quads {
        for at in 0..4 {
            let (sum, count) = &mut sums[quad[at]];
            let other = &shares[quad[(at + 1) % 4]];
            sum.iter_mut().zip(other).for_each(|(sum, share)| *sum += share);
            *count += 1.0;
        }
    }
    let half = |(own, (sum, count)): (&Shares, (Shares, f64))| {
        std::array::from_fn(|joint| 0.5 * (own[joint] + sum[joint] / count))
    };
    shares.iter().zip(sums).map(half).collect()
}

/// Rounds the largest shares to whole numbers that sum to [`WHOLE`].
fn whole(shares: &Shares) -> Weights {
    let mut found: Vec<(usize, f64)> = shares.iter().copied().enumerate().collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.retain(|(_, share)| *share > 0.5 * LEAST);
    found.truncate(4);
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

/// Number of bones between two joints.
fn apart(parents: &[Option<usize>; COUNT], a: usize, b: usize) -> usize {
    let up = |joint: usize| {
        std::iter::successors(Some(joint), |&joint| parents[joint]).collect::<Vec<_>>()
    };
    let (a, b) = (up(a), up(b));
    let shared = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    a.len() + b.len() - 2 * shared
}
