//! Pairs of boxes turned at random, by how many of them touch.

use boxwood::shape::Obb;
use nalgebra::{Matrix3, Point3, Vector3};

use crate::random::Random;

/// Pairs in a batch: a batch of them fits the second cache.
pub const PAIRS: usize = 1024;

/// Mixes by name, and the spread that makes them.
pub const MIXES: [(&str, f64); 3] =
    [("mostly apart", 8.0), ("half", 3.6), ("mostly touching", 1.5)];

/// Random boxes whose centres lie within `spread` of each other: the smaller, the more overlap.
pub fn turned_pairs(spread: f64, random: &mut Random) -> Vec<[Obb<f32>; 2]> {
    let mut any = || {
        let axes = random.rotation();
        let axes = Matrix3::from_fn(|i, j| axes[j][i] as f32);
        let half = Vector3::from_fn(|_, _| random.between(0.1, 1.0) as f32);
        let center = Vector3::from(random.direction()) * (random.share() * spread / 2.0);
        Obb::new(Point3::from(center.map(|x| x as f32)), axes, half).expect("a box")
    };
    (0..PAIRS).map(|_| [any(), any()]).collect()
}
